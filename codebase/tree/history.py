"""The history of a repository: recent changes of files, and files that change together. One pass of `git log`.

Only names are read. The numbers of lines (`--numstat`) would make git compute every diff, which takes longer
and fails on a clone without old files; the ranking does not use them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from codebase.errors import GitFailed
from codebase.tree.git import git

COMMITS: Final = 3000
"""The number of commits that are read."""
MAX_FILES: Final = 30
"""A commit that touches more files says nothing about any of them."""

Commit = tuple[int, list[str]]
"""Time in seconds since 1970, and the files."""


def read_history(root: Path) -> list[Commit]:
    """The last commits, newest first; empty if git fails."""
    arguments = ("log", f"--max-count={COMMITS}", "--no-merges", "--no-renames", "--name-only", "--relative", "-z")
    try:
        log = git(root, *arguments, "--format=%x00%ct", "--", ".")
    except GitFailed:
        return []
    commits: list[Commit] = []
    # An empty field, which no name of a file is, begins a commit; a line break is put before its first name.
    for part in b"\0".join((b"", log)).split(b"\0\0")[1:]:
        when, _, names = part.removesuffix(b"\0").partition(b"\0\n")
        files = [name.decode(errors="replace") for name in names.split(b"\0") if name]
        if 0 < len(files) <= MAX_FILES:
            commits.append((int(when), files))
    return commits
