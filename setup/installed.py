"""Installs Blendproof as a user does, with uv and with pipx, and works with it: `installed.py`.

Each is installed into a clean home and called from an empty folder outside of the checkout. The second one takes over
the Blender and the index of the first. From here are only the caches of uv and pip, and what set-up made from a
Blender, so that nothing is fetched or computed twice. Ends with status 1 and the output of the first command that does
not do as it should.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from environment import ROOT, say, sources

BINARIES: Final = Path(sys.executable).parent
CONSTRAINTS: Final = ROOT / "setup" / "constraints.txt"
REQUEST: Final = "Add a red cube of size 1.5 at (0, 0, 1)"
SPOKEN: Final = (
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
    '"clientInfo":{"name":"setup","version":"1"}}}\n',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"query":"add a cube"}}}\n',
)
"""What a client of MCP says; it waits for the answer to each."""
COMMAND_S: Final = 1800


class Failed(Exception):
    """A command did not do as it should; the message has its output."""


@dataclass(frozen=True)
class Step:
    """A command, what its output must contain, and its exit status; None takes 0 and 3: a part may be missing yet."""

    command: Sequence[str]
    says: str
    status: int | None = 0


BEFORE: Final = Step(["doctor"], "the service runs on Python", None)
INSTALL: Final = Step(["blenders", "install"], "")
INGEST: Final = Step(["ingest", "blender"], "")
WORK: Final = (
    Step(["generate", REQUEST], "primitive_cube_add"),
    Step(["search", "make it see-through"], "bpy."),
    Step(["docs", "docs/models.md"], "# Models"),
)
AFTER: Final = Step(["doctor"], "symbols")


def main() -> int:
    """Install and work; return the exit status."""
    with tempfile.TemporaryDirectory(prefix="blendproof-") as scratch:
        try:
            try_both(Path(scratch))
        except Failed as error:
            say(str(error))
            return 1
    say("Blendproof works as an installed application")
    return 0


def try_both(scratch: Path) -> None:
    """Install with uv, then with pipx, and work with each. Raises Failed."""
    source = copied(scratch / "source")
    options = sources([sys.executable, "-m", "pip"]) or []
    first, second = clean(scratch / "uv"), clean(scratch / "pipx")
    uv = [str(BINARIES / "uv"), "tool", "install", "--quiet", "--python", sys.executable]
    uv += ["--index-strategy", "unsafe-best-match", *options]
    pipx = [str(BINARIES / "pipx"), "install", "--quiet", "--python", sys.executable]
    done(Step([*uv, "--constraints", str(CONSTRAINTS), str(source)], ""), first, scratch)
    use(BEFORE, first)
    take_over(first)
    for step in (INSTALL, INGEST, *WORK):
        use(step, first)
    speak(first)
    done(Step([*pipx, "--pip-args", f"--constraint {CONSTRAINTS}", str(source)], ""), second, scratch)
    # Its own home is clean too, but a second Blender would show nothing that the first one did not.
    shutil.move(data_of(first), data_of(second))
    for step in (INSTALL, WORK[0], AFTER):
        use(step, second)
    speak(second)


def copied(folder: Path) -> Path:
    """The files of the checkout without what was built there, which setuptools would pack again."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    return folder


def clean(home: Path) -> dict[str, str]:
    """The environment of a user with an empty home, in which only caches are from here."""
    (home / "empty").mkdir(parents=True)
    (home / ".local" / "share").mkdir(parents=True)
    own = ("PYTHON", "BLENDPROOF_", "VIRTUAL_ENV", "XDG_", "UV_", "PIPX_")
    given = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    path = f"{home / '.local' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return given | {"HOME": str(home), "PATH": path} | dict(caches())


def caches() -> Iterator[tuple[str, str]]:
    """The folders where uv and pip keep what they fetched."""
    for variable, command in (
        ("UV_CACHE_DIR", [str(BINARIES / "uv"), "cache", "dir"]),
        ("PIP_CACHE_DIR", [sys.executable, "-m", "pip", "cache", "dir"]),
    ):
        yield variable, subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def data_of(environment: Mapping[str, str]) -> Path:
    """The folder of an installed application that holds its Blenders and its index."""
    return Path(environment["HOME"], ".local", "share", "blendproof")


def take_over(environment: Mapping[str, str]) -> None:
    """Give the application what set-up made, as far as there is any: it makes only what it lacks."""
    home = Path(os.environ.get("BLENDPROOF_HOME") or ROOT / ".blendproof")
    for made in ("index", "manifests", "stubs", "cache/mypy"):
        if (home / made).is_dir():
            shutil.copytree(home / made, data_of(environment) / made)


def use(step: Step, environment: Mapping[str, str]) -> None:
    """Call the installed application. Raises Failed."""
    command = [application(environment), *step.command]
    done(Step(command, step.says, step.status), environment, Path(environment["HOME"], "empty"))


def application(environment: Mapping[str, str]) -> str:
    return str(Path(environment["HOME"], ".local", "bin", "blendproof"))


def speak(environment: Mapping[str, str]) -> None:
    """Have the installed application serve a client of MCP. Raises Failed."""
    say("blendproof mcp")
    empty = Path(environment["HOME"], "empty")
    with (
        (empty / "log").open("w+") as log,
        subprocess.Popen(
            [application(environment), "mcp"], cwd=empty, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
        ) as server,
    ):  # fmt: skip
        assert server.stdin and server.stdout
        for number, words in enumerate(SPOKEN, 1):
            server.stdin.write(words)
            server.stdin.flush()
            answer = server.stdout.readline()
            if f'"id":{number},"result"' not in answer or '"isError":true' in answer:
                server.kill()
                raise Failed(f"blendproof mcp answered {answer!r}:\n{(empty / 'log').read_text()[-3000:]}")
        server.stdin.close()


def done(step: Step, environment: Mapping[str, str], folder: Path) -> None:
    """Run a command in a folder. Raises Failed if it ends or answers otherwise than it should."""
    name = f"{Path(step.command[0]).name} {' '.join(step.command[1:3])}"
    say(name)
    with (folder / "said").open("w+") as said, (folder / "log").open("w+") as log:
        try:
            status = subprocess.run(
                step.command, cwd=folder, env=environment, stdout=said, stderr=log, timeout=COMMAND_S, check=False
            ).returncode
        except subprocess.TimeoutExpired:
            status = -1
        said.seek(0)
        log.seek(0)
        answer, messages = said.read(), log.read()
    if status not in ((0, 3) if step.status is None else (step.status,)) or step.says not in answer:
        ended = f"ended with {status}" if status >= 0 else f"was stopped after {COMMAND_S} s"
        raise Failed(f"{name} {ended}:\n{answer[-3000:]}\n{messages[-3000:]}")


if __name__ == "__main__":
    sys.exit(main())
