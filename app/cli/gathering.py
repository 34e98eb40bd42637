"""The scripts of a folder: those that use Blender, without what others wrote and what Git ignores."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.cli.exits import USAGE
from app.cli.terminal import fail
from app.verdict.of_blender import uses_blender
from codebase.errors import GitFailed
from codebase.tree.git import git

LIBRARIES: Final = {"site-packages", "dist-packages", "node_modules", "__pycache__"}
ALL_OF_THEM = "--all takes every Python file."
DIFFERENCE: Final = ("--name-only", "--relative", "--diff-filter=d", "--ignore-submodules=none", "-z")


@dataclass(frozen=True)
class Wanted:
    """The files of folders that are wanted: all of them or those that use Blender; only changed ones; none of `own`."""

    everything: bool = False
    changed: bool = False
    own: Sequence[Path] = ()
    """Folders of the service's own data."""


def scripts_in(paths: Iterable[Path], wanted: Wanted, say: Callable[[str], None]) -> list[Path]:
    """The named files, and the wanted ones of the named folders in the order of their paths, each once.

    Says how many there are if a folder was named. Wrong usage if there is none.
    """
    paths = list(paths)
    found: dict[Path, None] = {}
    for path in paths:
        found |= dict.fromkeys(files_in(path, wanted, say) if path.is_dir() else [path])
    if not found:
        kind = "Python file" if wanted.everything else "script that uses Blender"
        fail(f"There is no {kind} to take in: {', '.join(map(str, paths))}", USAGE)
    if any(path.is_dir() for path in paths):
        say(f"{len(found)} script{'s' if len(found) != 1 else ''}")
    return list(found)


def files_in(folder: Path, wanted: Wanted, say: Callable[[str], None]) -> list[Path]:
    """The wanted files of a folder; says how many others were left out because they do not use Blender."""
    there = sorted(python_files(folder, wanted.own))
    listed = listed_by_git(folder, wanted.changed)
    if listed is not None:
        there = [file for file in there if file.relative_to(folder).as_posix() in listed]
    taken = there if wanted.everything else [file for file in there if is_for_blender(file)]
    if left := len(there) - len(taken):
        say(f"{folder}: {left} Python file{'s' if left != 1 else ''} left out without Blender in it. {ALL_OF_THEM}")
    unread = {file: why for file in taken if (why := why_unread(file))}
    for file, why in unread.items():
        say(f"{file} is left out: {why}.")
    return [file for file in taken if file not in unread]


def python_files(folder: Path, own: Sequence[Path]) -> Iterator[Path]:
    """The Python files of a folder, without hidden ones, virtual environments, installed packages and our own data."""
    for place, folders, names in os.walk(folder):
        here = Path(place)
        folders[:] = [name for name in folders if not is_foreign(here / name, own)]
        yield from (here / name for name in names if name.endswith(".py") and name[0] != ".")


def is_foreign(folder: Path, own: Sequence[Path]) -> bool:
    """True for a folder with nothing that its owner wrote."""
    name = folder.name
    return name[0] == "." or name in LIBRARIES or (folder / "pyvenv.cfg").is_file() or folder.resolve() in own


def listed_by_git(folder: Path, changed: bool) -> set[str] | None:
    """The files of a folder that Git does not ignore, or only the changed ones; None if Git does not keep the folder.

    Those of repositories within are among them. If Git ignores the folder itself, it was named all the same: None.
    Wrong usage if only changed ones are wanted and Git does not keep the folder.
    """
    try:
        named = git(folder, "ls-files", "--others", "--exclude-standard", "-z")
        if changed:
            named += git(folder, "diff", *DIFFERENCE, "HEAD", "--")
        else:
            named += git(folder, "ls-files", "--cached", "-z")
            if not named and is_ignored(folder):
                return None
    except GitFailed as error:
        return fail(f"--changed needs Git: {error}", USAGE) if changed else None
    names = {os.fsdecode(name) for name in named.split(b"\0") if name}
    for inner in [name for name in names if (folder / name / ".git").exists() and not (folder / name).is_symlink()]:
        # All of a repository that Git does not know, which it lists with a slash, is new.
        known = changed and not inner.endswith("/")
        names |= {f"{inner.rstrip('/')}/{name}" for name in listed_by_git(folder / inner, known) or ()}
    return names


def is_ignored(folder: Path) -> bool:
    """True if Git ignores a folder."""
    with contextlib.suppress(GitFailed):
        git(folder, "--no-literal-pathspecs", "check-ignore", "-q", ".")
        return True
    return False


def is_for_blender(file: Path) -> bool:
    """True if a file uses Blender; also if it cannot be read, so that this is said."""
    try:
        return uses_blender(file.read_text(encoding="utf-8-sig", errors="replace"))
    except OSError:
        return True


def why_unread(file: Path) -> str:
    """The reason why a file cannot be judged; empty if it is text that can be read."""
    try:
        file.read_bytes().decode()
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    except UnicodeDecodeError:
        return "it is not UTF-8 text"
    return ""
