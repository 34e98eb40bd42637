"""Python packages that the operator added to a Blender, for its snippets to import.

<home>/packages/5.0.1-<hash>/       one folder per Blender, which every process of it may read
<home>/packages/5.0.1-<hash>/site/  the packages; replaced as a whole, so that a job sees all of a change or nothing

Nothing is installed into Blender itself. Packages that Blender brings, such as numpy, are kept and not installed again.
"""

from __future__ import annotations

import contextlib
import fcntl
import importlib.metadata
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Final

from harness.blenders import Blender, BlenderNotAvailable
from harness.versions import series_of

INSTALL_TIMEOUT_S: Final = 900
REQUIREMENT: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[\w,]+\])?(?:[=<>!~]=?[^;@]*)?")
BROUGHT: Final = "import importlib.metadata as m\nprint('\\n@' + m.version('numpy'))"

Say = Callable[[str], None]


def installed(blender: Blender) -> dict[str, str]:
    """The packages that were added to a Blender, with their versions."""
    found = (re.fullmatch(r"(.+?)-([^-]+)\.dist-info", path.name) for path in site_of(blender).glob("*.dist-info"))
    return dict(sorted((one[1].replace("_", "-").lower(), one[2]) for one in found if one))


def site_of(blender: Blender) -> Path:
    """The folder with the packages of a Blender, which may be missing."""
    if blender.packages is None:
        raise BlenderNotAvailable(f"Blender {blender.version} has no place for packages.")
    return blender.packages / "site"


def add_packages(blender: Blender, wanted: Sequence[str], say: Say) -> dict[str, str]:
    """Install packages and their requirements, all or none, next to those that are there; return all of them.

    Raises BlenderNotAvailable: the name is invalid, there is no such wheel for this Python, or no network.
    """
    for name in wanted:
        if not REQUIREMENT.fullmatch(name):
            raise BlenderNotAvailable(f"{name!r} is not a package; give a name such as scipy or scipy==1.14.1.")
    with changed(blender) as new:
        say(f"installing {', '.join(wanted)} for Blender {blender.version} (Python {series_of(blender.python)})")
        own = numpy_of(blender)
        with tempfile.TemporaryDirectory() as scratch:
            limits = Path(scratch, "constraints.txt")
            limits.write_text(f"numpy=={own}\n" if own else "")
            run_installer(blender, [*wanted, "--constraint", str(limits)], Path(scratch, "site"))
            if own:
                drop(Path(scratch, "site"), {"numpy"})
            drop(new, {package_name(path) for path in Path(scratch, "site").glob("*.dist-info")})
            shutil.copytree(Path(scratch, "site"), new, dirs_exist_ok=True)
    return installed(blender)


def remove_packages(blender: Blender, names: Sequence[str]) -> dict[str, str]:
    """Remove packages, and those that only they need; return the rest. Raises BlenderNotAvailable."""
    there = installed(blender)
    gone = {plain(name) for name in names}
    if missing := gone - there.keys():
        raise BlenderNotAvailable(f"Blender {blender.version} has no package {min(missing)}; it has {words(there)}.")
    with changed(blender) as new:
        needs = {
            plain(package.name): requirements_of(package)
            for package in importlib.metadata.distributions(path=[str(new)])
        }
        wanted = needs.keys() - {need for requirements in needs.values() for need in requirements} - gone
        keep = closure(wanted, needs)
        if still := gone & keep:
            raise BlenderNotAvailable(f"{min(still)} is needed by another package; remove that too.")
        drop(new, needs.keys() - keep)
    return installed(blender)


def closure(wanted: set[str], needs: dict[str, set[str]]) -> set[str]:
    """These packages with all their requirements."""
    found, waiting = set[str](), list(wanted)
    while waiting:
        one = waiting.pop()
        if one in needs and one not in found:
            found.add(one)
            waiting += needs[one]
    return found


def requirements_of(package: importlib.metadata.Distribution) -> set[str]:
    """The names of the packages that this one requires, without those of its extras."""
    asked = [requirement for requirement in package.requires or [] if "extra ==" not in requirement]
    return {plain(found[0]) for requirement in asked if (found := re.match(r"[\w.-]+", requirement))}


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def package_name(info: Path) -> str:
    """The name of the package of a folder `<name>-<version>.dist-info`."""
    return plain(info.name.removesuffix(".dist-info").rpartition("-")[0])


def words(packages: dict[str, str]) -> str:
    return ", ".join(packages) or "none"


def drop(site: Path, names: set[str]) -> None:
    """Remove the files of these packages from a folder."""
    for info in list(site.glob("*.dist-info")):
        if package_name(info) not in names:
            continue
        record = (info / "RECORD").read_text(encoding="utf-8").splitlines() if (info / "RECORD").exists() else []
        tops = {line.split("/")[0].split(",")[0] for line in record if not line.startswith(("..", "/"))}
        for top in tops - {"", "bin", "__pycache__"}:
            shutil.rmtree(site / top, ignore_errors=True) if (site / top).is_dir() else (site / top).unlink(
                missing_ok=True
            )
        shutil.rmtree(info, ignore_errors=True)


@contextlib.contextmanager
def changed(blender: Blender) -> Generator[Path, None, None]:
    """A copy of the packages to change, which takes their place if nothing raises. Raises BlenderNotAvailable."""
    site = site_of(blender)
    site.parent.mkdir(parents=True, exist_ok=True)
    with (site.parent / ".lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BlenderNotAvailable("Another command changes these packages; try again when it has ended.") from None
        with tempfile.TemporaryDirectory(dir=site.parent, prefix=".new-") as scratch:
            new = Path(scratch, "site")
            if site.exists():
                shutil.copytree(site, new)
            new.mkdir(exist_ok=True)
            yield new
            if site.exists():
                site.rename(Path(scratch, "old"))
            new.rename(site)
            site.chmod(0o755)


def run_installer(blender: Blender, wanted: list[str], target: Path) -> None:
    """Have pip put wheels for this Blender's Python into a folder. Raises BlenderNotAvailable."""
    python = series_of(blender.python)
    options = ["--target", str(target), "--python-version", python, "--only-binary", ":all:", "--quiet"]
    command = [sys.executable, "-m", "pip", "install", "--no-compile", "--disable-pip-version-check", *options]
    try:
        done = subprocess.run(
            [*command, *wanted], capture_output=True, text=True, timeout=INSTALL_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BlenderNotAvailable(f"The packages cannot be installed: {error}") from error
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if "rror" in line] or done.stderr.splitlines() or ["nothing"]
        network = re.search(r"connection|Temporary failure|resolve|timed out|network", done.stderr, re.IGNORECASE)
        remedy = "Try again with a network." if network else f"There must be a wheel for Python {python}."
        raise BlenderNotAvailable(f"The packages cannot be installed: {said[-1].strip()[:300]} {remedy}")


def numpy_of(blender: Blender) -> str | None:
    """The version of the numpy that a Blender brings; None if it has none."""
    if blender.kind == "module":
        command = [str(blender.path), "-I", "-c", BROUGHT]
    else:
        command = [str(blender.path), "--background", "--factory-startup", "-noaudio", "--python-expr", BROUGHT]
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        return next((line[1:] for line in done.stdout.splitlines() if line.startswith("@")), None)
    return None
