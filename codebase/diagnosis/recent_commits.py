"""The recent history of lines: the commits that changed them, and the newest that touched each.

History is read as of the commit of the working tree: reading the files themselves would start the filters that a
repository may configure. Lines that are not committed have no history.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from codebase.diagnosis.texts import lines_in
from codebase.errors import GitFailed
from codebase.tree.git import git

COMMITS: Final = 3
TIMEOUT_S: Final = 8.0
MOST_LINES: Final = 20_000
PLAIN: Final = ("--no-ext-diff", "--no-textconv")
BLAMED: Final = re.compile(r"([0-9a-f]{40,64}) \d+ (\d+)( \d+)?$")


@dataclasses.dataclass(frozen=True)
class LineCommit:
    """A commit that changed lines: `when` in seconds since 1970."""

    commit: str
    when: int
    author: str
    subject: str


def changes_of(root: Path, path: str, lines: Sequence[str], first: int, last: int) -> tuple[list[LineCommit], str]:
    """The last commits that changed some lines of a file as it is now, newest first; or the reason why not."""
    try:
        committed = git(root, "cat-file", "blob", f"HEAD:./{path}", timeout_s=TIMEOUT_S).decode("utf-8-sig", "replace")
        begin, end = committed_span(lines, lines_in(committed), first, last)
        if not begin:
            return [], "these lines are not committed"
        form = "--format=%H%x00%ct%x00%an%x00%s"
        lines_of_path = f"-L{begin},{end}:{path}"
        log = git(root, "log", f"-n{COMMITS}", "-s", "-z", *PLAIN, form, lines_of_path, timeout_s=TIMEOUT_S)
    except GitFailed as error:
        return [], str(error)
    facts = iter(log.decode(errors="replace").split("\0"))
    changes = zip(facts, facts, facts, facts, strict=False)
    return [LineCommit(commit, int(when), by[:100], subject[:200]) for commit, when, by, subject in changes], ""


def committed_span(lines: Sequence[str], committed: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """The committed lines that correspond to some lines of now; zeros if they are new."""
    if list(lines) == list(committed):
        return first, min(last, len(committed))
    if max(len(lines), len(committed)) > MOST_LINES:
        return 0, 0
    numbers: list[int] = []
    for block in difflib.SequenceMatcher(a=lines, b=committed).get_matching_blocks():
        numbers += [
            block.b + at - block.a + 1 for at in range(max(first - 1, block.a), min(last, block.a + block.size))
        ]
    return (min(numbers), max(numbers)) if numbers else (0, 0)


def newest_lines(root: Path, path: str, lines: Sequence[str]) -> dict[int, int]:
    """By line of now, the time of the commit that wrote it; empty if the file differs from its committed state."""
    try:
        committed = git(root, "cat-file", "blob", f"HEAD:./{path}", timeout_s=TIMEOUT_S).decode("utf-8-sig", "replace")
        if lines_in(committed) != list(lines):
            return {}
        blame = git(root, "blame", "--no-textconv", "--porcelain", "HEAD", "--", path, timeout_s=TIMEOUT_S)
    except GitFailed:
        return {}
    return blame_times(blame.decode(errors="replace").split("\n"))


def blame_times(blame: Sequence[str]) -> dict[int, int]:
    """By line, the time of its commit, from the porcelain format of git blame."""
    times: dict[str, int] = {}
    commits: dict[int, str] = {}
    commit = ""
    for line in blame:
        match = BLAMED.match(line)
        if match:
            commit = match[1]
            commits[int(match[2])] = commit
        elif line.startswith("committer-time "):
            times[commit] = int(line.split(" ")[1])
    return {line: times.get(commit, 0) for line, commit in commits.items()}
