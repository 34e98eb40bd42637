"""The Blenders of this machine: finds them, chooses one by name, and reads the facts that each reports about itself.

    named   `BLENDPROOF_BLENDER`                                               comes first, so it is the default
    wheel   <home>/blenders/5.0/, a venv with one `bpy` wheel; wheels.py       newest first
    added   <home>/blenders/added.json, executables that a user registered     newest first
    found   executables on the PATH and in the usual places                    newest first

The facts of an executable are kept in <home>/cache/blenders.json until its file changes.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from harness.launcher import Command
from harness.protocol import BACKGROUND
from harness.sandbox import runtime
from harness.versions import series_of, version_key

ENTER: Final = Path(__file__).with_name("inside") / "enter.py"
PROBE_TIMEOUT_S: Final = 60

Kind = Literal["executable", "module"]
Source = Literal["named", "wheel", "added", "found"]

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

EARLY_LTS: Final = frozenset({"2.83", "2.93", "3.3", "3.6"})
LTS_MINORS: Final = frozenset({"2", "5"})
"""The long-term series: those of EARLY_LTS, and from 4 on the third and the sixth series of every major version."""

LATEST: Final = "latest"
LTS: Final = "lts"
LABEL: Final = re.compile(r"[A-Za-z][A-Za-z0-9._-]{0,63}")

USUAL_PLACES: Final = (
    "/usr/bin/blender",
    "/usr/local/bin/blender",
    "/snap/bin/blender",
    "/opt/blender*/blender",
    "~/blender-*/blender",
    "/Applications/Blender*.app/Contents/MacOS/Blender",
    "~/Applications/Blender*.app/Contents/MacOS/Blender",
)


class BlenderNotAvailable(Exception):
    """No usable Blender. The message says why and what to do."""


class BlenderUnknown(BlenderNotAvailable):
    """The caller names a Blender that is not among those here."""


@dataclasses.dataclass(frozen=True)
class Blender:
    """A Blender that the harness can run. `path` is the executable, or the interpreter that has the wheel."""

    kind: Kind
    path: Path
    version: str
    build_hash: str
    python: str
    source: Source = "wheel"
    label: str = ""
    shadowed: bool = False
    """True if another of the same version comes first, so that the version alone does not name this one."""
    packages: Path | None = dataclasses.field(default=None, compare=False)
    """The folder of the packages that were added to it; see `packages.py`."""
    shaders: Path | None = dataclasses.field(default=None, compare=False)
    """The folder of the shaders of its window, once they are compiled; see `shaders.py`."""

    @property
    def series(self) -> str:
        """The first two parts of the version, such as 5.0, which decide the API."""
        return series_of(self.version)

    @property
    def name(self) -> str:
        """The name of this Blender alone on this machine: its version, or its label if the version is taken."""
        return self.label if self.shadowed else self.version

    def readable(self) -> list[str]:
        """The paths of the machine that it must be able to read, in addition to the system's own."""
        own = runtime.of_module(self.path) if self.kind == "module" else runtime.of_executable(self.path)
        if self.packages is None:
            return [*own, *runtime.OURS]
        # A warm Blender sees what is added later only if the folder is there when it starts.
        with contextlib.suppress(OSError):
            self.packages.mkdir(parents=True, exist_ok=True)
        return [*own, *runtime.OURS, str(self.packages)]

    def command(self, folder: Path, current_folder: Path) -> Command:
        """The command for one job. `folder` holds its `home` and `tmp` folders."""
        if self.kind == "module":
            arguments = [str(self.path), "-I", "-B", str(ENTER)]
        else:
            arguments = [
                str(self.path), BACKGROUND, "--factory-startup", "--disable-autoexec", "-noaudio",
                "--python-exit-code", "70", "--python", str(ENTER), "--",
            ]  # fmt: skip
        return Command(arguments, job_environment(folder), current_folder)


@dataclasses.dataclass(frozen=True)
class UnusableProgram:
    """An executable that was found or registered, but does not answer as a Blender."""

    path: Path
    source: Source
    label: str
    problem: str


A_USER: Final = {"USER": "user", "LOGNAME": "user"}
"""The name of the user inside: the sandbox has no list of users that Python could ask."""


def job_environment(folder: Path) -> dict[str, str]:
    """The whole environment of a Blender process, with nothing of the service's own."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(folder / "home"),
        "TMPDIR": str(folder / "tmp"),
        "LANG": "C.UTF-8",
        **A_USER,
    }


# --- find them --------------------------------------------------------------------------------------------


def find_blenders(home: Path, executable: Path | None, *, search: bool = True) -> list[Blender]:
    """Every usable Blender, the default first; `search` looks on the PATH and in the usual places too.

    Raises BlenderNotAvailable if the executable that the operator named does not answer.
    """
    return look(home, executable, search=search)[0]


def look(home: Path, executable: Path | None, *, search: bool = True) -> tuple[list[Blender], list[UnusableProgram]]:
    """Every usable Blender, as in `find_blenders`, and the executables that look like one but are not."""
    cache = FactsCache(home)
    unusable: list[UnusableProgram] = []
    seen: set[Path] = set()

    def ask(path: Path, source: Source, label: str = "") -> Iterator[Blender]:
        # One program may have several names.
        if path.resolve() in seen:
            return
        seen.add(path.resolve())
        try:
            yield dataclasses.replace(cache.blender(path), source=source, label=label)
        except BlenderNotAvailable as error:
            if source == "named":
                raise
            unusable.append(UnusableProgram(path, source, label, str(error)))

    registered = read_added(home)
    labels = {path: label for label, path in registered.items()}
    named = list(ask(executable, "named", labels.get(executable, ""))) if executable else []
    wheels = [read_installed(file) for file in (home / "blenders").glob("[!.]*/blender.json")]
    added = [blender for label, path in registered.items() for blender in ask(path, "added", label)]
    found = [blender for path in (candidates() if search else ()) for blender in ask(path, "found")]
    cache.keep()
    every = with_labels([*named, *newest_first(wheels), *newest_first(added), *newest_first(found)])
    return [with_folders(blender, home) for blender in every], unusable


def with_folders(blender: Blender, home: Path) -> Blender:
    """The Blender with the folders that are kept for it."""
    packages = packages_folder(home, blender)
    return dataclasses.replace(blender, packages=packages, shaders=home.resolve() / "cache" / "shaders" / packages.name)


def packages_folder(home: Path, blender: Blender) -> Path:
    """The folder of the packages of a Blender: those of the same build, version and kind share one."""
    build = re.sub(r"\W+", "-", blender.build_hash)
    return home.resolve() / "packages" / f"{blender.version}-{build}-{blender.kind}"


def newest_first(blenders: Iterable[Blender]) -> list[Blender]:
    return sorted(blenders, key=lambda blender: version_key(blender.version), reverse=True)


def with_labels(blenders: Sequence[Blender]) -> list[Blender]:
    """The same Blenders, with a label for each that repeats an earlier version and has no label of its own."""
    labels = {blender.label for blender in blenders}
    versions: set[str] = set()
    apart: list[Blender] = []
    for blender in blenders:
        label, shadowed = blender.label, blender.version in versions
        if shadowed and not label:
            label = next(name for name in numbered(f"{blender.version}-{blender.kind}") if name not in labels)
        apart.append(dataclasses.replace(blender, label=label, shadowed=shadowed))
        versions.add(blender.version)
        labels.add(label)
    return apart


def candidates() -> Iterator[Path]:
    """The places where an executable may be: on the PATH, and in the usual folders."""
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        yield from filter(is_program, [Path(folder) / "blender"] if folder else [])
    for pattern in USUAL_PLACES:
        place = Path(pattern).expanduser()
        yield from filter(is_program, sorted(Path(place.anchor).glob(str(place.relative_to(place.anchor)))))


def is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def read_installed(facts_file: Path) -> Blender:
    """The Blender of an installed wheel. Raises BlenderNotAvailable if its folder is damaged."""
    remedy = f"Remove {facts_file.parent} and run `blendproof blenders install` again."
    python = facts_file.parent / "bin" / "python"
    try:
        facts = BlenderFacts.model_validate_json(facts_file.read_bytes())
    except (OSError, ValidationError) as error:
        raise BlenderNotAvailable(f"{facts_file} cannot be read: {in_short(error)}. {remedy}") from error
    if not is_program(python):
        raise BlenderNotAvailable(f"{python} is missing or cannot be run. {remedy}")
    return Blender("module", python, **facts.model_dump())


# --- choose one -------------------------------------------------------------------------------------------


def choose(blenders: Sequence[Blender], wanted: str | None) -> Blender:
    """The default Blender, or the one that is `wanted`: a version, a series, a label, `lts` or `latest`.

    If several fit, it is the first one in the order of `find_blenders`. `latest` is the newest version here, `lts` the
    newest of a long-term series. Raises BlenderNotAvailable if none is here, otherwise BlenderUnknown, which
    lists those here.
    """
    if not blenders:
        raise BlenderNotAvailable("No Blender is installed. Run `blendproof blenders install`.")
    if wanted is None:
        return blenders[0]
    if wanted.lower() in (LATEST, LTS):
        fitting = [blender for blender in blenders if wanted.lower() == LATEST or is_lts(blender.series)]
        if fitting:
            return max(fitting, key=lambda blender: version_key(blender.version))
        raise BlenderUnknown(f"No Blender of a long-term series is installed; {there_is(blenders)}.")
    for meant in ("name", "label", "version", "series"):
        for blender in blenders:
            if wanted and getattr(blender, meant) == wanted:
                return blender
    raise BlenderUnknown(
        f"There is no Blender {wanted} here; {there_is(blenders)}."
        " Add others with `blendproof blenders install` or `blendproof blenders add`."
    )


def there_is(blenders: Sequence[Blender]) -> str:
    """The Blenders here, in words."""
    said = [blender.version + (f" ({blender.label})" if blender.label else "") for blender in blenders]
    return f"there is {', '.join(said)}"


def is_lts(series: str) -> bool:
    """True if a series is a long-term one, which Blender maintains for two years."""
    major, _, minor = series.partition(".")
    return series in EARLY_LTS or (major.isdigit() and int(major) >= 4 and minor in LTS_MINORS)


# --- registered executables -------------------------------------------------------------------------------


def read_added(home: Path) -> dict[str, Path]:
    """The registered executables by their labels."""
    file = home / "blenders" / "added.json"
    try:
        table = ADDED.validate_json(file.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValidationError) as error:
        problem = f"{file} cannot be read: {in_short(error)}. Fix it, or remove it and add the Blenders again."
        raise BlenderNotAvailable(problem) from error
    return {label: Path(path) for label, path in table.items()}


def write_added(home: Path, table: dict[str, Path]) -> None:
    file = home / "blenders" / "added.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, json.dumps({label: str(path) for label, path in table.items()}, indent=1))


def add(home: Path, path: Path, label: str | None) -> Blender:
    """Register an executable, or the folder or app that it was unpacked to, under a label; return the Blender.

    Without a label it is named after its version. Raises BlenderNotAvailable if it does not answer, or if the label is
    invalid or names another Blender.
    """
    with contextlib.suppress(RuntimeError):
        path = path.expanduser()
    program = program_in(path.absolute())
    blender = probe("executable", program)
    table = {name: there for name, there in read_added(home).items() if there.resolve() != program.resolve()}
    if label is None:
        label = next(name for name in numbered(f"blender-{blender.version}") if name not in table)
    if not LABEL.fullmatch(label) or label.lower() in (LATEST, LTS):
        raise BlenderNotAvailable(
            f"{label!r} is not a valid label: begin with a letter, and use letters, digits, `.`, `_`, `-`."
        )
    if label in table:
        raise BlenderNotAvailable(f"The label {label} already names {table[label]}; remove it or choose another label.")
    write_added(home, {**table, label: program})
    return dataclasses.replace(blender, source="added", label=label)


def numbered(name: str) -> Iterator[str]:
    """The name, then the name with 2, 3 and so on."""
    yield name
    number = 1
    while True:
        number += 1
        yield f"{name}-{number}"


def forget(home: Path, blender: Blender) -> None:
    """Remove an executable from the register; the executable itself stays."""
    write_added(home, {label: path for label, path in read_added(home).items() if path != blender.path})


def program_in(path: Path) -> Path:
    """The executable in an unpacked folder or app; the path itself if it is a file."""
    for inside in ("blender", "Contents/MacOS/Blender"):
        if is_program(path / inside):
            return path / inside
    if not is_program(path):
        raise BlenderNotAvailable(f"{path} cannot be started as a program; give the path of a blender executable.")
    return path


# --- facts that a Blender reports about itself ------------------------------------------------------------

PROBE: Final = (
    "import bpy, json, platform; print('\\n@' + json.dumps({"
    "'version': '.'.join(str(part) for part in bpy.app.version), "
    "'build_hash': bpy.app.build_hash.decode('ascii', 'replace'), "
    "'python': platform.python_version()}))"
)


class BlenderFacts(BaseModel):
    """The facts that a Blender reports about itself."""

    model_config = ConfigDict(extra="forbid")

    version: str = Field(pattern=r"^\d+\.\d+")
    build_hash: str
    python: str


class StampedFacts(BaseModel):
    """The facts of an executable, from when its file had the age and size of its stamp."""

    stamp: tuple[int, int]
    facts: BlenderFacts


ADDED: Final = TypeAdapter(dict[str, str])
CACHE: Final = TypeAdapter(dict[str, StampedFacts])


def in_short(error: OSError | ValidationError) -> str:
    """The problem with a file, in a few words."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    first = error.errors(include_url=False)[0]
    return ": ".join([*(str(part) for part in first["loc"]), str(first["msg"])])


class FactsCache:
    """The facts of executables, kept until their files change."""

    def __init__(self, home: Path) -> None:
        self._file = home / "cache" / "blenders.json"
        self._entries: dict[str, StampedFacts] = {}
        self._changed = False
        with contextlib.suppress(OSError, ValidationError):
            self._entries = CACHE.validate_json(self._file.read_bytes())

    def blender(self, path: Path) -> Blender:
        """The Blender of an executable, which is started if it is not known yet. Raises BlenderNotAvailable."""
        try:
            status = path.stat()
        except OSError as error:
            raise BlenderNotAvailable(f"{path} cannot be found: {error.strerror}") from error
        stamp = status.st_mtime_ns, status.st_size
        entry = self._entries.get(str(path))
        if entry and entry.stamp == stamp:
            return Blender("executable", path, **entry.facts.model_dump())
        blender = probe("executable", path)
        self._entries[str(path)] = StampedFacts(stamp=stamp, facts=BlenderFacts.model_validate(facts_of(blender)))
        self._changed = True
        return blender

    def keep(self) -> None:
        """Save new facts, if the home can be written to."""
        if self._changed:
            with contextlib.suppress(OSError):
                self._file.parent.mkdir(parents=True, exist_ok=True)
                write_whole(self._file, CACHE.dump_json(self._entries, indent=1).decode())


def facts_of(blender: Blender) -> dict[str, str]:
    """The facts that a Blender reported about itself."""
    return {"version": blender.version, "build_hash": blender.build_hash, "python": blender.python}


def write_whole(file: Path, text: str) -> None:
    """Write a file in one rename, because two processes may write it at the same time."""
    handle, name = tempfile.mkstemp(prefix=".", dir=file.parent)
    with os.fdopen(handle, "w", encoding="utf-8") as unfinished:
        unfinished.write(text)
    Path(name).chmod(0o644)
    Path(name).replace(file)


def probe(kind: Kind, path: Path) -> Blender:
    """Start this Blender once and read what it reports about itself. Raises BlenderNotAvailable."""
    if kind == "module":
        command = [str(path), "-I", "-B", "-c", PROBE]
    else:
        command = [str(path), "--background", "--factory-startup", "-noaudio", "--python-expr", PROBE]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
            timeout=PROBE_TIMEOUT_S, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BlenderNotAvailable(f"{path} does not run as a Blender: {error}") from error
    line = next((line for line in done.stdout.splitlines() if line.startswith("@")), None)
    if line is None:
        raise BlenderNotAvailable(f"{path} does not answer as a Blender.{explain(done.stderr)}")
    try:
        facts = BlenderFacts.model_validate_json(line[1:])
    except ValidationError as error:
        raise BlenderNotAvailable(f"{path} does not answer as a Blender: {in_short(error)}.") from error
    return Blender(kind, path, **facts.model_dump())


def explain(stderr: str) -> str:
    """The last line of a failed start, and the fix if it is known."""
    last = stderr.strip().splitlines()[-1:] or [""]
    hint = ""
    if "cannot open shared object file" in last[0]:
        hint = " Install the system libraries: apt-get install " + " ".join(SYSTEM_LIBRARIES.values())
    return f" It said: {last[0]}.{hint}"
