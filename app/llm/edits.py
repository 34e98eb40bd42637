"""Reads the edits in an answer of a model. All models that write code are asked for one form:

    <<BEGIN_FILE path>>           a whole file, which may be new
    <<BEGIN_UNIT path::name>>     a whole function, class or method, such as `shop.py::Till.pay`
    <<BEGIN_DIFF path>>           a unified diff; the path is not needed if the diff has heads of files
    <<END>>

`FORGIVEN` is the list of what else is read. `applying.py` makes the new files of the edits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from app.llm.answers import CUT, PYTHON, AnswerUnusable, FencedBlock, blocks_of, without_reasoning

FORGIVEN: Final = {
    "reasoning": "reasoning and words around the edits",
    "line ends": "Windows line ends",
    "marker": "blanks around a marker, and `<<END_FILE>>`, `<<END_UNIT>>` or `<<END_DIFF>>` for `<<END>>`",
    "no path": "a marker without a path, if the question is about one file",
    "fence inside": "a fence between the markers, around all that stands there",
    "fenced diff": "without any marker, diffs in fences",
    "bare diff": "without any marker or fence, a diff after words",
    "names": "names of files with or without `a/` and `b/`, quoted or with a time",
    "margin": "a unit that is indented otherwise than in its file",
    "no newline": "a last line without a newline, or with `\\ No newline at end of file`",
    "counts": "wrong counts of lines in the header of a hunk",
    "numbers": "wrong line numbers: of the places that fit, the nearest counts",
    "no numbers": "`@@` without numbers, or one hunk without a header, if one place fits",
    "lost blank": "a context line without its leading blank",
    "white space": "other white space at the ends of old lines",
    "context": "up to two lines of context at either end of a hunk that are not in the file",
}
"""Each departure from the form, and from a diff that fits its file, that is read all the same. Nothing else is."""

MARK: Final = re.compile(
    r"^[ \t]*<<(?:BEGIN_(?P<kind>FILE|UNIT|DIFF)(?: +(?P<place>.+?))?|END(?:_FILE|_UNIT|_DIFF)?)>>[ \t]*$", re.MULTILINE
)
FENCED: Final = re.compile(r"\A\s*(`{3,})[\w+#.-]*\n(.*)^\1[ \t]*\s*\Z", re.DOTALL | re.MULTILINE)
HUNK: Final = re.compile(r"^@@ .*@@|^@@\s*$|^@@ -\d", re.MULTILINE)
CHANGED: Final = re.compile(r"^[+-](?![+-]{2} )", re.MULTILINE)
HEAD: Final = re.compile(r"^--- (\S.*)\n\+\+\+ (\S.*)\n", re.MULTILINE)
NEXT_FILE: Final = re.compile(r"^diff --git .*\Z", re.MULTILINE | re.DOTALL)
MORE_THAN_LINES: Final = re.compile(
    r"^(rename (?:from|to) .*|copy (?:from|to) .*|old mode .*|new mode .*|new file mode (?!100644)\d+|GIT binary patch"
    r"|Binary files .*|[+-]Subproject commit .*)$",
    re.MULTILINE,
)
OCTAL: Final = re.compile(rb"\\([0-7]{3})")
NOWHERE: Final = "/dev/null"
DISPUTED: Final = re.compile(r"^(?:[^\w\n]|_)*+DISPUTED[\W_]*?:[ \t*_`]*(\S.*)", re.MULTILINE | re.DOTALL)
LONGEST_REASON: Final = 600


@dataclass(frozen=True)
class FileEdit:
    """A whole file, which may be new."""

    path: str
    text: str

    @property
    def place(self) -> str:
        return self.path or "the file"


@dataclass(frozen=True)
class UnitEdit:
    """A whole function, class or method, by its name in its file."""

    path: str
    text: str
    name: str

    @property
    def place(self) -> str:
        return f"{self.path}::{self.name}" if self.path else self.name


@dataclass(frozen=True)
class DiffEdit:
    """The hunks of one file; `is_new` if the file must not be there yet."""

    path: str
    text: str
    is_new: bool = False


ModelEdit = FileEdit | UnitEdit | DiffEdit
Paths = Collection[str] | None
"""The files that a question is about; None if it is about one text without a name, so that names mean nothing."""


def read_edits(answer: str, finish: str, paths: Paths) -> list[ModelEdit]:
    """The edits in an answer, in order; none if it has none. Raises AnswerUnusable with a message for the model."""
    text = without_reasoning(answer)
    if finish == CUT:
        raise AnswerUnusable("the answer was cut off; change less at a time, by functions and not by whole files")
    if MARK.search(text):
        edits: list[ModelEdit] = [*marked_edits(text, paths)]
    else:
        diffs = [block.text.strip("\n") for block in blocks_of(text) if holds_diff(block)]
        edits = [*diffs_in("\n".join(diffs) if diffs else text[start_of_edits(text) :], "", paths)]
    whole = Counter(edit.place for edit in edits if not isinstance(edit, DiffEdit))
    if twice := next((place for place, times in whole.items() if times > 1), None):
        raise AnswerUnusable(f"{twice} is written twice, so it is not clear what it is to be")
    return edits


def marked_edits(text: str, paths: Paths) -> Iterator[ModelEdit]:
    """The edits between markers. Raises AnswerUnusable."""
    marks = list(MARK.finditer(text))
    for begin, end in zip_longest(marks[::2], marks[1::2]):
        if not begin["kind"]:
            raise AnswerUnusable(f"there is one {begin[0].strip()} too many, so it is not clear where an edit ends")
        if end is None or end["kind"]:
            raise AnswerUnusable(f"{begin[0].strip()} has no <<END>>, so it may not be whole")
        body, (path, _, name) = text[begin.end() + 1 : end.start()], (begin["place"] or "").strip().partition("::")
        if begin["kind"] == "DIFF":
            yield from diffs_in(without_fence(body), path, paths)
        elif begin["kind"] == "FILE":
            yield FileEdit(named(path, paths), body)
        else:
            # In a question about one file, the name of a unit may stand alone.
            path, name = (path, name) if name or not is_about_one(paths) else ("", path)
            yield UnitEdit(named(path, paths), without_fence(body), name)


def is_about_one(paths: Paths) -> bool:
    return paths is None or len(paths) == 1


def named(path: str, paths: Paths) -> str:
    """The path of an edit, which may be left out if the question is about one file. Raises AnswerUnusable."""
    if not path and not is_about_one(paths):
        raise AnswerUnusable("it is not clear which file is changed: write its path after BEGIN_FILE or BEGIN_DIFF")
    return "" if paths is None else path or next(iter(paths))


def diffs_in(diff: str, path: str, paths: Paths) -> Iterator[DiffEdit]:
    """The diff of each file. `path` is that of a diff without heads of files. Raises AnswerUnusable."""
    if more := MORE_THAN_LINES.search(diff):
        raise AnswerUnusable(f"a diff may change the lines of files, and nothing else: {more[1]}")
    heads, hunks = list(HEAD.finditer(diff)), dict[tuple[str, bool], str]()
    if not heads and diff.strip():
        yield DiffEdit(named(path, paths), diff)
    for head, following in zip_longest(heads, heads[1:]):
        old, new = path_in(head[1], paths), path_in(head[2], paths)
        if paths is not None and new is None:
            raise AnswerUnusable(f"{old} would be removed; a change does not remove files")
        if paths is not None and old not in (None, new):
            raise AnswerUnusable(f"{old} would be renamed; a change renames no files")
        # Git writes lines of its own before the next head.
        lines = NEXT_FILE.sub("", diff[head.end() : following.start() if following else len(diff)])
        place = named(new or "", paths), paths is not None and old is None
        hunks[place] = hunks.get(place, "") + lines
    yield from (DiffEdit(name, lines, is_new) for (name, is_new), lines in hunks.items())


def path_in(written: str, paths: Paths) -> str | None:
    """The path in a head of a diff; None for `/dev/null`."""
    name = written.partition("\t")[0].strip()
    if name == NOWHERE:
        return None
    if len(name) > 1 and name[0] == name[-1] == '"':
        # Git writes the bytes of a name in octal.
        data = OCTAL.sub(lambda escape: bytes([int(escape[1], 8) & 0xFF]), name[1:-1].encode("utf-8", "replace"))
        name = data.decode("utf-8", "replace")
    return name if name in (paths or ()) else re.sub(r"^[ab]/", "", name)


def start_of_edits(text: str) -> int:
    """The place in an answer without reasoning where its edits begin; its end if it has none."""
    if mark := MARK.search(text):
        return mark.start()
    blocks = blocks_of(text)
    if not blocks and is_diff(text):
        return min(found.start() for pattern in (HEAD, HUNK) if (found := pattern.search(text)))
    return next((block.start for block in blocks if holds_diff(block)), len(text))


def holds_diff(block: FencedBlock) -> bool:
    return block.language in ("diff", "patch") or is_diff(block.text)


def is_diff(text: str) -> bool:
    """True if it has a hunk with an added or removed line."""
    return bool(HUNK.search(text)) and bool(CHANGED.search(text))


def without_fence(new: str, old: str = "") -> str:
    """The new text without a fence around it, unless the old text begins with one."""
    fenced = FENCED.match(new)
    return fenced[2] if fenced and not old.lstrip().startswith("```") else new


def ends_whole(answer: str) -> bool:
    """True if only words can be missing at the end of an answer that was cut off."""
    text = without_reasoning(answer)
    if marks := list(MARK.finditer(text)):
        return not marks[-1]["kind"]
    blocks = blocks_of(text)
    return bool(blocks) and blocks[-1].closed


def read_dispute(answer: str) -> str:
    """The reason of an answer that says that nothing is wrong; empty if it says something else, or brings code too."""
    text = without_reasoning(answer)
    found = DISPUTED.search(text)
    brings_code = start_of_edits(text) < len(text) or any(block.language in PYTHON for block in blocks_of(text))
    return "" if found is None or brings_code else " ".join(found[1].split())[:LONGEST_REASON]
