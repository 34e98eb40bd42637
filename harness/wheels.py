"""The `bpy` wheels: each in a venv of its own, made with an interpreter that fits it.

<home>/blenders/5.0/              a venv that holds one wheel; complete or absent
<home>/blenders/5.0/blender.json  what that Blender reports about itself, read once when it was installed
<home>/blenders/.5.0.lock         held by each service that may use it, and by each process that changes it
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Final

from harness.blenders import (
    SYSTEM_LIBRARIES,
    Blender,
    BlenderNotAvailable,
    explain,
    facts_of,
    probe,
    read_installed,
)
from harness.versions import series_of, version_key

INSTALL_TIMEOUT_S: Final = 1800
FACTS: Final = "blender.json"

PYTHON_FROM: Final = (((5, 1), "3.13"), ((4, 2), "3.11"))
"""The first series of each Python that wheels need, newest first."""

UNASKED: Final = {"3.13": "5.2", "3.11": "5.0"}
"""Per Python, the series to install if none is named; newest first."""

Say = Callable[[str], None]


def python_of(series: str) -> str:
    """The Python that the wheel of a series runs on. Raises BlenderNotAvailable if there is no such wheel."""
    for first, python in PYTHON_FROM:
        if version_key(series) >= first:
            return python
    oldest = ".".join(str(part) for part in PYTHON_FROM[-1][0])
    raise BlenderNotAvailable(
        f"There is no `bpy` wheel of Blender {series}; the first wheel is {oldest}. Unpack that Blender and run"
        " `blendproof blenders add PATH`."
    )


def find_interpreter(version: str) -> Path | None:
    """A Python of this version, such as 3.11, that starts: the service's own, on the PATH, from pyenv or from uv."""
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return Path(sys.executable)
    on_path = shutil.which(f"python{version}")
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    kept = sorted(pyenv.glob(f"{version}.*/bin/python{version}"), key=lambda path: version_key(path.parts[-3]))
    # The one on the PATH may be a shim that leads nowhere.
    for path in ([Path(on_path)] if on_path else []) + kept[::-1]:
        if answers([str(path), "-c", ""]):
            return path
    return of_uv(version)


def of_uv(version: str) -> Path | None:
    """The Python of this version that uv knows."""
    uv = shutil.which("uv")
    done = answers([uv, "python", "find", "--no-project", version]) if uv else None
    return Path(done.stdout.strip()) if done else None


def fetch_interpreter(series: str, python: str, say: Say) -> Path:
    """A Python for a series: one on this machine, otherwise one that uv fetches. Raises BlenderNotAvailable."""
    if found := find_interpreter(python):
        return found
    if uv := shutil.which("uv"):
        say(f"fetching Python {python} with uv")
        run_step([uv, "python", "install", python])
        if found := of_uv(python):
            return found
    raise BlenderNotAvailable(
        f"Blender {series} needs Python {python}: there is none on the PATH or in pyenv's versions, and no uv to"
        f" fetch it. Install Python {python} (with venv), or uv, and try again."
    )


def answers(command: list[str]) -> subprocess.CompletedProcess[str] | None:
    """The result of a short command, or None if it failed."""
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        return done if done.returncode == 0 else None
    return None


def missing_packages() -> list[str]:
    """The Debian packages of the system libraries that the wheel needs and this machine lacks."""
    if sys.platform != "linux":
        return []
    return [package for library, package in SYSTEM_LIBRARIES.items() if not loads(library)]


def loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def install(home: Path, wanted: str | None, say: Say) -> Blender:
    """Install the wheel of a series or version, completely or not at all; return the Blender.

    Without `wanted` it is the newest series that the service's own Python runs, or another Python of this machine. If a
    fitting Blender is installed already, it stays. Raises BlenderNotAvailable.
    """
    if wanted is None:
        wanted = default_series()
    if not re.fullmatch(r"\d+\.\d+(\.\d+)?", wanted):
        raise BlenderNotAvailable(f"{wanted!r} is not a version of Blender; give one such as 4.5 or 4.5.3.")
    series = series_of(wanted)
    python = python_of(series)
    folder = home / "blenders" / series
    if there := fitting(folder, wanted):
        return there
    if missing := missing_packages():
        raise BlenderNotAvailable(
            "System libraries of the `bpy` wheel are missing. On Debian:"
            f" apt-get install --no-install-recommends {' '.join(missing)}"
        )
    interpreter = fetch_interpreter(series, python, say)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with changing(folder):
        # Another process may have installed it before the lock was free.
        return fitting(folder, wanted) or put_in_place(folder, wanted, interpreter, say)


def fitting(folder: Path, wanted: str) -> Blender | None:
    """The Blender in a wheel's folder if it is of the wanted version or series, otherwise None."""
    if not (folder / FACTS).exists():
        return None
    there = read_installed(folder / FACTS)
    return there if wanted in (there.version, there.series) else None


def default_series() -> str:
    """The series to install if none is named."""
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    for python in sorted(UNASKED, key=lambda python: python != own):
        if find_interpreter(python):
            return UNASKED[python]
    raise BlenderNotAvailable(
        f"No Python on this machine runs a `bpy` wheel. Install Python {' or '.join(UNASKED)}, or uv, and name a"
        " series: `blendproof blenders install 5.0`."
    )


def put_in_place(folder: Path, wanted: str, python: Path, say: Say) -> Blender:
    """Make the venv next to its final place, start the Blender once, and only then move it there."""
    # A venv can be moved, because its interpreter finds it by its own place; only its scripts keep the old path.
    say(f"installing Blender {wanted} (the bpy wheel, about 350 MB) with {python}")
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as scratch:
        made = Path(scratch) / "made"
        run_step([str(python), "-m", "venv", str(made)])
        requirement = f"bpy=={wanted}" if wanted.count(".") == 2 else f"bpy=={wanted}.*"
        shown = sys.stderr.isatty()
        pip = [str(made / "bin" / "python"), "-m", "pip", "install", "--disable-pip-version-check", "--no-compile"]
        run_step([*pip, *([] if shown else ["--quiet"]), requirement], shown=shown)
        say(f"starting Blender {wanted} once")
        blender = probe("module", made / "bin" / "python")
        (made / FACTS).write_text(json.dumps(facts_of(blender)), encoding="utf-8")
        if folder.exists():
            folder.rename(Path(scratch) / "old")
        made.rename(folder)
    return read_installed(folder / FACTS)


def remove(blender: Blender) -> None:
    """Remove an installed wheel. Raises BlenderNotAvailable while a service may use it."""
    folder = blender.path.parents[1]
    with changing(folder):
        # The rename removes it at once for every other process, however long the deletion takes.
        gone = folder.with_name(f".{folder.name}-removed")
        shutil.rmtree(gone, ignore_errors=True)
        folder.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)


def run_step(command: list[str], *, shown: bool = False) -> None:
    """Run a command; with `shown`, its output goes to the terminal. Raises BlenderNotAvailable if it fails."""
    said = sys.stderr if shown else subprocess.PIPE
    try:
        done = subprocess.run(
            command, stdout=said, stderr=subprocess.PIPE, text=True, timeout=INSTALL_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BlenderNotAvailable(f"`{' '.join(command)}` failed: {error}") from error
    if done.returncode:
        raise BlenderNotAvailable(f"`{' '.join(command)}` failed.{explain(done.stderr)}")


# --- locks ------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def in_use(blenders: Iterable[Blender]) -> Generator[None, None, None]:
    """Protect the wheels among these Blenders from removal and replacement by this process and others."""
    with contextlib.ExitStack() as held:
        for blender in blenders:
            if blender.source == "wheel":
                # Wheels in a read-only home cannot be changed, so they need no lock.
                with contextlib.suppress(OSError):
                    held.enter_context(locked(blender.path.parents[1], fcntl.LOCK_SH))
        yield


@contextlib.contextmanager
def changing(folder: Path) -> Generator[None, None, None]:
    """Lock the folder of a wheel. Raises BlenderNotAvailable while another process uses or changes it."""
    try:
        with locked(folder, fcntl.LOCK_EX):
            yield
    except BlockingIOError:
        raise BlenderNotAvailable(
            f"Blender {folder.name} is used by a service, or is being installed. End that first, then try again."
        ) from None


@contextlib.contextmanager
def locked(folder: Path, how: int) -> Generator[None, None, None]:
    """Hold the lock of a wheel's folder. Raises BlockingIOError if another process's lock prevents it."""
    # Several services share it and an installation has it alone, which `filelock` only does with a database per lock.
    with folder.with_name(f".{folder.name}.lock").open("a") as file:
        fcntl.flock(file, how | fcntl.LOCK_NB)
        yield
