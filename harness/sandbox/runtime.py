"""The paths of the machine that a program must be able to read: the system's libraries, an interpreter, a Blender.

The lists name folders of programs, not their parents: `/usr/src` or `/opt` may hold a service and its secrets.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

SYSTEM: Final = (
    *("/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin"),
    *("/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/libx32", "/usr/sbin", "/usr/share"),
    *("/usr/local/bin", "/usr/local/lib", "/usr/local/lib64"),
    *("/nix/store", "/gnu/store"),
)
"""Programs and libraries; most systems have only some of these, and many of them as links to one another."""

CONFIGURATION: Final = (
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/glvnd",
    "/etc/ld.so.cache",
    "/etc/localtime",
)
"""All that is visible of /etc: library paths, fonts and the time zone. No users, hosts, keys or certificates."""

OURS: Final = [str(Path(__file__).resolve().parents[2] / name) for name in ("harness", "python")]
"""Our own code that runs in Blender."""

LINKS_FOLLOWED: Final = 16


def system() -> list[str]:
    """The paths that any program needs."""
    return [path for path in (*SYSTEM, *CONFIGURATION) if Path(path).exists()]


def of_module(interpreter: Path) -> list[str]:
    """The paths that the interpreter of a virtual environment, or of an installed Python, needs."""
    found = dict.fromkeys(str(path) for path in links_of(interpreter))
    if (interpreter.parent.parent / "pyvenv.cfg").exists():
        found[str(interpreter.parent.parent)] = None
    installed = interpreter.resolve()
    found[str(installed)] = None
    # Not the whole prefix, which in an odd installation is a home folder.
    for name in ("lib", "lib64"):
        library = installed.parents[1] / name
        if library.exists():
            found[str(library)] = None
    return [path for path in found if not is_covered(path)]


def of_executable(executable: Path) -> list[str]:
    """The paths that a `blender` executable needs: the folder it was unpacked to, unless the system's paths hold it."""
    found = [str(path) for path in links_of(executable)]
    return [path for path in (*found, str(executable.resolve().parent)) if not is_covered(path)]


def of_this_python() -> list[str]:
    """The paths that the interpreter of the service needs."""
    return of_module(Path(sys.executable))


def links_of(path: Path) -> Iterator[Path]:
    """The symbolic links that lead from a path to the file."""
    for _ in range(LINKS_FOLLOWED):
        if not path.is_symlink():
            return
        yield path
        path = path.parent / path.readlink()


def is_covered(path: str) -> bool:
    """True if the system's paths hold it already."""
    return any(path == covering or path.startswith(f"{covering}/") for covering in SYSTEM)
