"""Applies the diff of a model to files, by git.

Models write diffs with wrong counts, without the line ends of the file, and without its missing last newline. So
the lines of a diff count, and `like` returns line ends and the last newline to the file. A diff may change the lines of
files and nothing else.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.llm.answers import AnswerUnusable
from codebase.errors import GitFailed
from codebase.tree.git import git
from codebase.tree.patches import quote_path

HEAD: Final = re.compile(r"^--- (\S.*)\n\+\+\+ (\S.*)\n", re.MULTILINE)
NEXT: Final = re.compile(r"^diff .*\Z", re.MULTILINE | re.DOTALL)
NO_NEWLINE: Final = re.compile(r"^\\ No newline.*\n?", re.MULTILINE)
MORE_THAN_LINES: Final = re.compile(
    r"^(rename (?:from|to) .*|copy (?:from|to) .*|old mode .*|new mode .*|new file mode (?!100644)\d+|GIT binary patch"
    r"|Binary files .*|[+-]Subproject commit .*)$",
    re.MULTILINE,
)
ESCAPE: Final = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
NOWHERE: Final = "/dev/null"


@dataclass(frozen=True)
class FileDiff:
    """The diff of one file. `old` and `new` are its paths, None if the file is missing on that side."""

    old: str | None
    new: str | None
    hunks: str

    @property
    def path(self) -> str:
        return self.new or self.old or ""

    @property
    def text(self) -> str:
        """The diff in the form that git reads."""
        names = (quote_path(f"{side}/{name}") if name else NOWHERE for side, name in (("a", self.old), ("b", self.new)))
        return "--- {}\n+++ {}\n".format(*names) + self.hunks


def by_diff(diff: str, files: Mapping[str, str], check_path: Callable[[str], None]) -> dict[str, str]:
    """The files after a diff, applied by git, with plain line ends. Raises AnswerUnusable, as `check_path` does."""
    diff = NO_NEWLINE.sub("", diff.replace("\r\n", "\n"))
    more = MORE_THAN_LINES.search(diff)
    if more:
        raise AnswerUnusable(f"a diff may change the lines of files, and nothing else: {more[1]}")
    parts = list(parts_of(diff, files))
    for part in parts:
        check_path(part.path)
        if part.old and part.new and part.old != part.new:
            raise AnswerUnusable(f"{part.old} would be renamed; a change renames no files")
        if part.new is None:
            raise AnswerUnusable(f"{part.old} would be removed; a change does not remove files")
    return apply(parts, files) if parts else {}


def parts_of(diff: str, files: Mapping[str, str]) -> Iterator[FileDiff]:
    """The diff of each file. With `--recount`, git would take the head of the next file for lines of the one before."""
    heads = list(HEAD.finditer(diff))
    for number, head in enumerate(heads):
        end = heads[number + 1].start() if number + 1 < len(heads) else len(diff)
        # An empty line at the end would count as a line of the file, and so would git's lines before the next head.
        hunks = NEXT.sub("", diff[head.end() : end]).rstrip("\n") + "\n"
        yield FileDiff(path_in(head[1], files), path_in(head[2], files), hunks)


def path_in(written: str, files: Mapping[str, str]) -> str | None:
    """The path in a head of a diff; None for `/dev/null`."""
    name = written.partition("\t")[0].strip()
    if name == NOWHERE:
        return None
    if len(name) > 1 and name[0] == name[-1] == '"':
        data = ESCAPE.sub(lambda match: unescape(match[1]), name[1:-1].encode("utf-8", "replace"))
        name = data.decode("utf-8", "replace")
    return name if name in files else re.sub(r"^[ab]/", "", name)


def unescape(escape: bytes) -> bytes:
    """The byte of an escape of git."""
    return bytes([int(escape, 8) & 0xFF]) if len(escape) == 3 else {b"t": b"\t", b"n": b"\n"}.get(escape, escape)


def apply(parts: list[FileDiff], files: Mapping[str, str]) -> dict[str, str]:
    """The files after git applied the diffs. Raises AnswerUnusable."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # The folder is in no repository, so that no configuration of a repository is read.
        alone = {"GIT_CEILING_DIRECTORIES": str(folder.parent), "GIT_DIR": str(folder / "none")}
        try:
            for path in {part.path for part in parts} & set(files):
                text = files[path].replace("\r\n", "\n")
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                whole = text if text.endswith("\n") or not text else f"{text}\n"
                (folder / path).write_text(whole, encoding="utf-8", newline="")
            for part in parts:
                git(folder, "apply", "--recount", "--whitespace=nowarn", "-", given=part.text.encode(), more=alone)
            return {part.path: (folder / part.path).read_text(encoding="utf-8") for part in parts}
        except (GitFailed, OSError) as error:
            message = str(error).replace(str(folder), "the files")
            raise AnswerUnusable(f"the diff does not apply: {message}") from error
