"""`make demo`: starts the service, sends it one request, shows the snippet, the verdict and the picture.

The service stays up, so that the addresses shown can be opened; `make stop` stops it.

<home>/demo.log      the output of the demo
<home>/service.log   the output of the service
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.syntax import Syntax

from app.cli.client import Client, RequestRefused, ServiceNotAvailable, own_client
from app.cli.formats import verdict_lines
from app.cli.terminal import talk
from app.errors import BlendproofError
from app.jobs.run import JobStatus, Run
from app.observing.foreign import escape, visible
from app.settings import Settings, read_settings

REQUEST: Final = "Create the active object if missing, add a Subdivision Surface modifier (levels=2), and shade smooth."
START_TIMEOUT_S: Final = 30.0


def main() -> int:
    """Run the demo, or stop its service when called with `stop`; returns the exit code."""
    try:
        settings = read_settings()
        if sys.argv[1:] == ["stop"]:
            stop(settings)
            return 0
        return demo(settings)
    except (BlendproofError, RequestRefused, ServiceNotAvailable) as error:
        talk.print(f"[red]{escape(str(error))}[/]")
        return 3


def demo(settings: Settings) -> int:
    stop(settings)
    with own_client(settings) as client:
        if client.answers():
            raise ServiceNotAvailable(f"{client.url} is taken by another service. Set BLENDPROOF_PORT to a free port.")
        with talk.status("starting the service"):
            start(settings, client)
        with talk.status("sending the request") as status:
            run = client.run("/generate", {"request": REQUEST}, status.update)
    show(run, client.url, settings, Console(highlight=False, soft_wrap=True))
    with (settings.home / "demo.log").open("w", encoding="utf-8") as file:
        show(run, client.url, settings, Console(file=file, highlight=False, soft_wrap=True))
        file.write(f"The output of the service is in {settings.home / 'service.log'}.\n")
    return 0 if run.status is JobStatus.PROVEN else 1


def start(settings: Settings, client: Client) -> None:
    """Start the service in the background and wait until it answers."""
    log = settings.home / "service.log"
    with log.open("w") as output:
        service = subprocess.Popen(
            [sys.executable, "-m", "app.cli.main", "serve"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    pid_file(settings).write_text(str(service.pid), encoding="utf-8")
    give_up = time.monotonic() + START_TIMEOUT_S
    while not client.answers():
        if service.poll() is not None or time.monotonic() > give_up:
            said = log.read_text(encoding="utf-8", errors="replace")[-1000:].strip()
            raise ServiceNotAvailable(f"The service did not start. Its output: {said}")
        time.sleep(0.1)


def stop(settings: Settings) -> None:
    """Stop the service of an earlier demo, if it is still up."""
    with contextlib.suppress(OSError, ValueError):
        pid = int(pid_file(settings).read_text(encoding="utf-8"))
        pid_file(settings).unlink()
        # Another process may have the number by now.
        if "app.cli.main" in Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace"):
            os.kill(pid, signal.SIGTERM)
            give_up = time.monotonic() + START_TIMEOUT_S
            while Path(f"/proc/{pid}").exists() and time.monotonic() < give_up:
                time.sleep(0.05)


def pid_file(settings: Settings) -> Path:
    return settings.home / "demo.pid"


def show(run: Run, url: str, settings: Settings, out: Console) -> None:
    """The request, the snippet, the verdict stage by stage, and where the picture is."""
    out.print(f"[bold]POST {url}/generate[/] {REQUEST}\n")
    if run.snippet:
        out.print(Syntax(visible(run.snippet), "python", background_color="default"))
    for line in verdict_lines(run):
        out.print(line, markup=False)
    out.print(f"\n{run.status.replace('_', ' ')} on Blender {run.blender}")
    if run.artifact:
        out.print(f"picture  {url}{run.artifact.picture}")
        out.print(f"         {settings.data_folder / 'artifacts' / run.artifact.id / 'picture.png'}")
        out.print(f"report   {url}{run.artifact.report}")
    out.print(f"run      {url}/runs/{run.id}")
    out.print(f"\nThe service stays up ({url}/docs). Stop it with `make stop`.")


if __name__ == "__main__":
    sys.exit(main())
