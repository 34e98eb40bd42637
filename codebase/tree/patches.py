"""Unified diffs that we compute ourselves from two texts; git checks each before it is shown.

old, new ── hunks_of ──> hunks ── patch_of ──> text of a patch ── check ──> git applies it to the old, and gets the new
"""

from __future__ import annotations

import dataclasses
import difflib
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

from codebase.errors import GitFailed, PatchDoesNotApply
from codebase.tree.git import git

CONTEXT: Final = 3
Step = tuple[Literal["replace", "delete", "insert", "equal"], int, int, int, int]
MOST_PAIRS: Final = 10_000_000
"""Pairs of equal lines that are compared; that takes some seconds."""
NO_NEWLINE: Final = "\\ No newline at end of file\n"


@dataclasses.dataclass(frozen=True)
class PatchHunk:
    """One hunk of a unified diff. `first` and `last` are its lines in the old text, from 1."""

    header: str
    text: str
    first: int
    last: int


class _LineComparison(difflib.SequenceMatcher[str]):
    """The changes between two lists of lines. Those that both begin and end with are not compared further.

    Lines that repeat take the product of their numbers: if that is too much, they match only beside others.
    """

    def __init__(self, before: list[str], after: list[str]) -> None:
        self._start = same_lines(before, after)
        rest = before[self._start :], after[self._start :]
        self._end = same_lines(rest[0][::-1], rest[1][::-1])
        old, new = (lines[: len(lines) - self._end] for lines in rest)
        self._stop = len(old) + self._start, len(new) + self._start
        times = Counter(new)
        pairs = sum(count * times[line] for line, count in Counter(old).items())
        super().__init__(None, old, new, autojunk=pairs > MOST_PAIRS)

    def get_opcodes(self) -> list[Step]:
        """The steps from the one to the other, those at both ends too."""
        start, end, (old, new) = self._start, self._end, self._stop
        steps: list[Step] = [("equal", 0, start, 0, start)] if start else []
        for kind, a, b, c, d in super().get_opcodes():
            steps.append((kind, a + start, b + start, c + start, d + start))
        return [*steps, ("equal", old, old + end, new, new + end)] if end else steps


def same_lines(before: Sequence[str], after: Sequence[str]) -> int:
    """The number of lines that two lists of lines have in common at their beginning."""
    pairs = zip(before, after, strict=False)
    return next((place for place, (old, new) in enumerate(pairs) if old != new), min(len(before), len(after)))


def hunks_of(old: str, new: str) -> list[PatchHunk]:
    """The hunks that make one text of another. Lines end with `\\n`; all other characters, `\\r` too, are content."""
    before, after = lines_of(old), lines_of(new)
    matcher = _LineComparison(before, after)
    hunks: list[PatchHunk] = []
    for group in matcher.get_grouped_opcodes(CONTEXT):
        start, end = group[0][1], group[-1][2]
        new_start, new_end = group[0][3], group[-1][4]
        header = f"@@ -{span(start, end)} +{span(new_start, new_end)} @@"
        body: list[str] = []
        for kind, a, b, c, d in group:
            if kind == "equal":
                body += [f" {line}" for line in before[a:b]]
            else:
                body += [f"-{line}" for line in before[a:b]]
                body += [f"+{line}" for line in after[c:d]]
        text = "".join(line if line.endswith("\n") else f"{line}\n{NO_NEWLINE}" for line in body)
        hunks.append(PatchHunk(header, f"{header}\n{text}", start + 1, max(start + 1, end)))
    return hunks


def lines_of(text: str) -> list[str]:
    """The lines with their ends; only `\\n` ends a line, as in git."""
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def span(start: int, end: int) -> str:
    """A range of lines in the form of a hunk's header."""
    count = end - start
    if count == 1:
        return f"{start + 1}"
    return f"{start + 1 if count else start},{count}"


def patch_of(path: str, hunks: Sequence[PatchHunk], is_new: bool = False) -> str:
    """The patch of one file."""
    names = quote_path(f"a/{path}"), quote_path(f"b/{path}")
    old = "new file mode 100644\n--- /dev/null" if is_new else f"--- {names[0]}"
    return f"diff --git {names[0]} {names[1]}\n{old}\n+++ {names[1]}\n" + "".join(hunk.text for hunk in hunks)


def patch_between(path: str, old: str | None, new: str) -> str:
    """The patch from one text of a file, None if it is new, to another; empty if there is no difference."""
    return patch_of(path, hunks_of(old or "", new), old is None) if new != old else ""


def quote_path(path: str) -> str:
    """A path as git writes it in a patch: in quotes with escapes if it has unusual characters."""
    if all(" " < character < "\x7f" and character not in '"\\' for character in path):
        return path
    data = path.encode(errors="surrogateescape")
    plain = (chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\' else f"\\{byte:03o}" for byte in data)
    return f'"{"".join(plain)}"'


def check(patch: str, old: Mapping[str, bytes], new: Mapping[str, bytes]) -> None:
    """Check that git applies a patch to the old files and gets the new ones. Raises PatchDoesNotApply, GitFailed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, content in old.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        data = patch.encode(errors="surrogateescape")
        # The folder is in no repository, so that no configuration of a repository is read.
        alone = {"GIT_CEILING_DIRECTORIES": str(folder.parent), "GIT_DIR": str(folder / "none")}
        for options in (("--check",), ()):
            try:
                git(folder, "apply", "--whitespace=nowarn", *options, "-", given=data, more=alone)
            except GitFailed as error:
                raise PatchDoesNotApply(str(error).replace(str(folder), "the files")) from error
        for path, content in new.items():
            if (folder / path).read_bytes() != content:
                raise PatchDoesNotApply(f"the patch makes something else of {path}")
