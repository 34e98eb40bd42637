"""Finding the Blenders on this machine, and installing the `bpy` wheel into a venv of its own.

<home>/blenders/5.0/            a venv that holds one `bpy` wheel
<home>/blenders/5.0/blender.json  what that Blender says of itself, read once when it was installed
BLENDPROOF_BLENDER              the path of a `blender` executable to use instead
"""

from __future__ import annotations

import dataclasses
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal

from harness.launcher import Command
from harness.sandbox import runtime

ENTER: Final = Path(__file__).with_name("inside") / "enter.py"
PROBE_TIMEOUT_S: Final = 60
INSTALL_TIMEOUT_S: Final = 1800

Kind = Literal["executable", "module"]

SYSTEM_LIBRARIES: Final = {
    "libX11.so.6": "libx11-6",
    "libXi.so.6": "libxi6",
    "libXxf86vm.so.1": "libxxf86vm1",
    "libXfixes.so.3": "libxfixes3",
    "libXrender.so.1": "libxrender1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libSM.so.6": "libsm6",
    "libICE.so.6": "libice6",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
}
"""The libraries that the `bpy` wheel loads, with the Debian package of each."""


class BlenderNotAvailable(Exception):
    """No Blender can be used; the message says why and what to do."""


@dataclasses.dataclass(frozen=True)
class Wheel:
    """One published `bpy` wheel and the only Python it runs on."""

    series: str
    version: str
    python: str


WHEELS: Final = (
    Wheel("5.2", "5.2.3", "3.13"),
    Wheel("5.0", "5.0.1", "3.11"),
    Wheel("4.5", "4.5.15", "3.11"),
    Wheel("4.4", "4.4.0", "3.11"),
    Wheel("4.2", "4.2.23", "3.11"),
)
"""Newest first."""


@dataclasses.dataclass(frozen=True)
class Blender:
    """One Blender the harness can run. `path` is the executable, or the interpreter that has the wheel."""

    kind: Kind
    path: Path
    version: str
    build_hash: str
    python: str

    @property
    def series(self) -> str:
        """The first two parts of the version, such as 5.0: what the API depends on."""
        return ".".join(self.version.split(".")[:2])

    def readable(self) -> list[str]:
        """The paths of the machine that it must be able to read, beside the system's own."""
        own = runtime.of_module(self.path) if self.kind == "module" else runtime.of_executable(self.path)
        return [*own, str(runtime.HARNESS)]

    def command(self, folder: Path, current_folder: Path) -> Command:
        """The command that does one job. `folder` holds its `home` and `tmp` folders."""
        if self.kind == "module":
            arguments = [str(self.path), "-I", "-B", str(ENTER)]
        else:
            arguments = [
                str(self.path), "--background", "--factory-startup", "--disable-autoexec", "-noaudio",
                "--python-exit-code", "70", "--python", str(ENTER), "--",
            ]  # fmt: skip
        return Command(arguments, job_environment(folder), current_folder)


def job_environment(folder: Path) -> dict[str, str]:
    """All that a Blender process sees of an environment: nothing of the service's own."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(folder / "home"),
        "TMPDIR": str(folder / "tmp"),
        "BLENDER_USER_RESOURCES": str(folder / "home" / "blender"),
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def find_blenders(home: Path, executable: Path | None) -> list[Blender]:
    """Every Blender that can be run, the default first.

    Raises BlenderNotAvailable when the executable that the operator named does not answer.
    """
    named = [probe("executable", executable)] if executable else []
    installed = [read_installed(folder) for folder in (home / "blenders").glob("*/blender.json")]
    return named + sorted(installed, key=lambda blender: version_key(blender.version), reverse=True)


def version_key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def read_installed(facts_file: Path) -> Blender:
    facts = json.loads(facts_file.read_text())
    return Blender("module", facts_file.parent / "bin" / "python", **facts)


def choose(blenders: list[Blender], wanted: str | None) -> Blender:
    """The default Blender, or the one whose version or series is `wanted`; raises BlenderNotAvailable."""
    if not blenders:
        raise BlenderNotAvailable("No Blender is installed. Run `blendproof blenders install`.")
    for blender in blenders:
        if wanted in (None, blender.version, blender.series):
            return blender
    there = ", ".join(blender.version for blender in blenders)
    raise BlenderNotAvailable(f"Blender {wanted} is not installed here; there is {there}.")


PROBE: Final = (
    "import bpy, json, platform; print('\\n@' + json.dumps({"
    "'version': '.'.join(str(part) for part in bpy.app.version), "
    "'build_hash': bpy.app.build_hash.decode('ascii', 'replace'), "
    "'python': platform.python_version()}))"
)


def probe(kind: Kind, path: Path) -> Blender:
    """Start this Blender once and read what it says of itself; raises BlenderNotAvailable."""
    if kind == "module":
        command = [str(path), "-I", "-B", "-c", PROBE]
    else:
        command = [str(path), "--background", "--factory-startup", "-noaudio", "--python-expr", PROBE]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PROBE_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BlenderNotAvailable(f"{path} does not run as a Blender: {error}") from error
    line = next((line for line in done.stdout.splitlines() if line.startswith("@")), None)
    if line is None:
        raise BlenderNotAvailable(f"{path} does not answer as a Blender.{explain(done.stderr)}")
    return Blender(kind, path, **json.loads(line[1:]))


def explain(stderr: str) -> str:
    """The last line of a failed start, and the mend where it is known."""
    last = stderr.strip().splitlines()[-1:] or [""]
    hint = ""
    if "cannot open shared object file" in last[0]:
        hint = " Install the system libraries: apt-get install " + " ".join(SYSTEM_LIBRARIES.values())
    return f" It said: {last[0]}.{hint}"


def newest_wheel() -> tuple[Wheel, Path]:
    """The newest wheel that an interpreter at hand supports, and that interpreter."""
    for wheel in WHEELS:
        python = find_interpreter(wheel.python)
        if python:
            return wheel, python
    versions = " or ".join(sorted({wheel.python for wheel in WHEELS}))
    raise BlenderNotAvailable(f"No `bpy` wheel runs on an interpreter found here. Install Python {versions}.")


def wheel_of(series: str) -> tuple[Wheel, Path]:
    """The wheel of one series and an interpreter for it; raises BlenderNotAvailable."""
    wheel = next((wheel for wheel in WHEELS if wheel.series == series), None)
    if wheel is None:
        known = ", ".join(wheel.series for wheel in WHEELS)
        raise BlenderNotAvailable(f"There is no known `bpy` wheel of Blender {series}; known are {known}.")
    python = find_interpreter(wheel.python)
    if python is None:
        raise BlenderNotAvailable(f"Blender {series} needs Python {wheel.python}, which is not on the PATH.")
    return wheel, python


def find_interpreter(version: str) -> Path | None:
    """A Python of exactly this version, such as 3.11, that starts; a name on the PATH may be a dead shim."""
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return Path(sys.executable)
    found = shutil.which(f"python{version}")
    if found and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0:
        return Path(found)
    return None


def install(home: Path, wheel: Wheel, python: Path, say: Callable[[str], None]) -> Blender:
    """Install a wheel into `<home>/blenders/<series>`, whole or not at all; answer the Blender.

    A Blender of that version that is there already is kept. Raises BlenderNotAvailable when pip or the first start
    fails, with what it said.
    """
    folder = home / "blenders" / wheel.series
    facts_file = folder / "blender.json"
    if facts_file.exists() and (blender := read_installed(facts_file)).version == wheel.version:
        return blender
    say(f"installing Blender {wheel.version} (the bpy wheel, about 350 MB) for Python {wheel.python}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    run_step([str(python), "-m", "venv", str(folder)])
    interpreter = folder / "bin" / "python"
    run_step([str(interpreter), "-m", "pip", "install", "--quiet", "--no-compile", f"bpy=={wheel.version}"])
    say(f"starting Blender {wheel.version} once")
    blender = probe("module", interpreter)
    facts: dict[str, Any] = dataclasses.asdict(blender)
    unfinished = facts_file.with_suffix(".part")
    unfinished.write_text(json.dumps({name: facts[name] for name in ("version", "build_hash", "python")}))
    unfinished.replace(facts_file)
    return blender


def run_step(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_TIMEOUT_S, check=False)
    if done.returncode:
        raise BlenderNotAvailable(f"`{' '.join(command)}` failed.{explain(done.stderr)}")
