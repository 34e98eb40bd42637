"""Unified diffs that we compute ourselves from two texts; git checks each before it is shown.

old, new ── hunks_of ──> hunks ── patch_of ──> text of a patch ── check ──> git applies it to the old, and gets the new
"""

from __future__ import annotations

import dataclasses
import difflib
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from codebase.errors import GitFailed, PatchDoesNotApply
from codebase.tree.git import git

CONTEXT: Final = 3
NO_NEWLINE: Final = "\\ No newline at end of file\n"


@dataclasses.dataclass(frozen=True)
class PatchHunk:
    """One hunk of a unified diff. `first` and `last` are its lines in the old text, from 1."""

    header: str
    text: str
    first: int
    last: int


def hunks_of(old: str, new: str) -> list[PatchHunk]:
    """The hunks that make one text of another. Lines end with `\\n`; all other characters, `\\r` too, are content."""
    before, after = lines_of(old), lines_of(new)
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
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
