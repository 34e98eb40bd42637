"""Times the way from a snippet to its verdict, compared with the straightforward way, on this machine.

    python -m bench.verdicts [--snippets 12] [--callers 1 2 4] [--seconds 30]

The straightforward way judges with the same checks and the same render: a new ruff, mypy, pyright and API check, and
then one new Blender that runs the snippet and renders what it left, one after another. mypy runs in two ways: with
nothing kept of the last attempt, and with a cache that our service keeps for it. Ours is a warm service: two processes
in the sandbox, one of them the witness. All judge each snippet in turn, in one run.

Prints medians and their ratios; for ours, the time in addition to the snippet's own execution and its render; proven
snippets per minute by number of concurrent callers; and the memory of the warm Blenders, idle and at its peak.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from app.checks.failures import CheckerStumbled
from app.checks.policy import check_policy
from app.checks.ruff import check_ruff
from app.checks.types.check import check_mypy, check_pyright
from app.drafting.commands import load_examples
from app.jobs.request import GenerateRequest, ValidateRequest
from app.jobs.run import Run
from app.pipeline.state import Tools
from app.reading import check_api
from app.service.service import Service
from app.service.startup import open_service
from app.settings import read_settings
from harness.blenders import Blender, job_environment
from harness.sandbox.keeper import descendants, proportional
from harness.versions import series_of

PLAIN: Final = Path(__file__).with_name("plain_blender.py")
POLL_S: Final = 0.2


def main() -> None:
    """Measure and print; see the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--snippets", type=int, default=12)
    parser.add_argument("--callers", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--seconds", type=float, default=30.0, help="how long each number of callers is measured")
    options = parser.parse_args()
    try:
        asyncio.run(measure(options.snippets, options.callers, options.seconds))
    except CheckerStumbled as error:
        raise SystemExit(f"not measured: {error}") from error


async def measure(count: int, callers: list[int], seconds: float) -> None:
    """Print everything."""
    with tempfile.TemporaryDirectory() as folder:
        settings = read_settings().model_copy(update={"data": Path(folder, "data"), "parallel_runs": max(callers)})
        async with open_service(settings) as service:
            service.warmup.start_workers()
            await service.warmup.load()
            await service.warmup.start_checkers()
            snippets = [await composed(service, request) for request in load_examples()[:count]]
            await compare(service, snippets, Path(folder))
            for number in callers:
                await let_call(service, snippets, number, seconds)


async def composed(service: Service, request: str) -> str:
    """The snippet of one of the examples; proving it also warms up what is still cold."""
    run = await service.finished((await service.submit(GenerateRequest(request=request))).id)
    return proven(run).attempts[-1].snippet


def proven(run: Run) -> Run:
    if run.status != "proven":
        raise SystemExit(
            f"not proven, so not measured: {run.title}: {run.attempts[-1].verdict if run.attempts else ''}"
        )
    return run


async def compare(service: Service, snippets: list[str], folder: Path) -> None:
    """Both ways in turn."""
    straight: list[float] = []
    cached: list[float] = []
    ours: list[float] = []
    above: list[float] = []
    for number, snippet in enumerate(snippets):
        kept = service.tools.settings.home / "cache" / "mypy" / service.tools.blenders[0].series
        for seconds, cache in ((straight, folder / f"cache-{number}"), (cached, kept)):
            started = time.perf_counter()
            await straightforward(service.tools, snippet, folder / f"plain-{number}-{cache.name}", cache)
            seconds.append(time.perf_counter() - started)
        started = time.perf_counter()
        run = proven(await service.finished((await service.submit(ValidateRequest(snippet=snippet))).id))
        ours.append(time.perf_counter() - started)
        above.append(ours[-1] - own_work(run.attempts[-1].model_dump()["report"]))
    print(f"{len(snippets)} snippets, median (fastest - slowest)")
    show("straightforward", straight)
    show("the same, mypy with a cache", cached)
    show("ours", ours)
    times = [statistics.median(way) / statistics.median(ours) for way in (straight, cached)]
    print(f"  ours is {times[0]:.1f} times as fast, and {times[1]:.1f} times as fast as with a cache")
    show("ours above execution and render", above)


def show(name: str, seconds: list[float]) -> None:
    print(f"  {name:32} {statistics.median(seconds):6.3f} s  ({min(seconds):.3f} - {max(seconds):.3f})")


def own_work(report: dict[str, Any]) -> float:
    """Seconds of the snippet's own execution, first and second, and of the render."""
    timings = report["evidence"]["timings"]
    return float(timings["snippet_s"] + timings["repeat_s"] + timings["render_s"])


async def straightforward(tools: Tools, snippet: str, folder: Path, cache: Path) -> None:
    """Every check with a new process, one after another, then a new Blender."""
    blender = tools.blenders[0]
    stubs, python = tools.stubs(blender), series_of(blender.python)
    check_policy(snippet, lambda _code: None)
    await check_ruff(snippet, "caller", tools.rules, python_version=python)
    await check_mypy(snippet, "caller", tools.rules, stubs, cache, python_version=python)
    await check_pyright(snippet, "caller", tools.rules, stubs, python_version=python)
    check_api(snippet, tools.manifests.of(blender), lambda _code: None)
    await asyncio.to_thread(run_plainly, blender, snippet, folder)


def run_plainly(blender: Blender, snippet: str, folder: Path) -> None:
    """One new Blender, without a sandbox: run the snippet, render as the harness does."""
    for name in ("home", "tmp"):
        (folder / name).mkdir(parents=True)
    (folder / "snippet.py").write_text(snippet)
    command = blender.command(folder, folder).arguments[:-1]
    done = subprocess.run(
        [*command, str(PLAIN), json.dumps({"snippet": str(folder / "snippet.py"), "folder": str(folder)})],
        env=job_environment(folder),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode or not (folder / "three_quarter.png").exists():
        raise SystemExit(f"the straightforward way failed: {done.stderr[-600:]}")


async def let_call(service: Service, snippets: list[str], callers: int, seconds: float) -> None:
    """This many callers, each of which sends the next snippet when the last is proven."""
    end, done = time.monotonic() + seconds, 0
    waiting = memory()
    most = waiting

    async def call(first: int) -> None:
        nonlocal done
        number = first
        while time.monotonic() < end:
            proven(
                await service.finished(
                    (await service.submit(ValidateRequest(snippet=snippets[number % len(snippets)]))).id
                )
            )
            done += 1
            number += callers

    async def watch() -> None:
        nonlocal most
        while True:
            most = max(most, memory())
            await asyncio.sleep(POLL_S)

    started = time.monotonic()
    watching = asyncio.create_task(watch())
    await asyncio.gather(*(call(first) for first in range(callers)))
    watching.cancel()
    minutes = (time.monotonic() - started) / 60
    workers = len(service.tools.engine.facts().workers)
    print(
        f"{callers} callers: {done / minutes:.0f} proven per minute; {workers} warm Blenders hold {waiting >> 20} MiB, "
        f"at most {most >> 20} MiB with their jobs"
    )


def memory() -> int:
    """Bytes of all processes below the warm keepers, with shared memory counted once."""
    keepers = [pid for pid in descendants(os.getpid()) if b"warm_keeper.py" in command_line(pid)]
    return sum(proportional(list(descendants(keeper))) for keeper in keepers)


def command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


if __name__ == "__main__":
    main()
