"""The citations of an answer, `path:first-last`: each holds, or is struck out with the reason.

A citation holds if all its lines were shown from the very blob that it names.
"""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from codebase.units.languages import LANGUAGES

PLAIN_PATH: Final = r"[^\s\[\]()<>`'\"*,;:|#]{1,300}"
TO: Final = r"\s?[-\u2013\u2014]\s?[Ll]?"
LINES: Final = (
    rf"\s?[Ll]?(?P<first>\d{{1,9}})(?:{TO}(?P<last>\d{{1,9}}))?(?P<more>(?:,\s?[Ll]?\d{{1,9}}{TO}\d{{1,9}})*)"
)
RANGE: Final = re.compile(r"(\d{1,9})\D+(\d{1,9})")
ENDINGS: Final = frozenset(
    {
        *(ending.removeprefix(".") for ending in LANGUAGES),
        *(
            "c",
            "cc",
            "cpp",
            "cs",
            "cu",
            "cxx",
            "glsl",
            "go",
            "h",
            "hpp",
            "java",
            "kt",
            "lua",
            "m",
            "mm",
            "osl",
            "php",
            "pl",
        ),
        *("pyx", "r", "rb", "rs", "scala", "scss", "sh", "sql", "swift", "vue", "zig", "bat", "cmake", "gradle"),
        *("ps1", "blend", "cfg", "csv", "ini", "ipynb", "lock", "po", "proto", "svg", "tsv", "txt", "xml"),
    }
)
"""Endings of the names of files. Other names before a number may be hosts, times, keys or slices."""

Lines = Callable[[str], int | None]
"""The number of lines of the file at a path; None if there is no such file."""


@dataclasses.dataclass(frozen=True)
class ShownLines:
    """Lines that were shown to the author of an answer; `sha256` is that of the whole file."""

    path: str
    first: int
    last: int
    sha256: str


@dataclasses.dataclass(frozen=True)
class Citation:
    """A citation that holds."""

    path: str
    first: int
    last: int
    sha256: str

    def __str__(self) -> str:
        return f"{self.path}:{self.first}-{self.last}"


@dataclasses.dataclass(frozen=True)
class Struck:
    """A citation that does not hold, as written, and the reason."""

    citation: str
    reason: str


@dataclasses.dataclass(frozen=True)
class CheckedAnswer:
    """An answer whose citations were checked; in `text`, bad citations are struck out: `~~path:1-2~~`."""

    text: str
    citations: list[Citation]
    struck: list[Struck]


def judge(answer: str, shown: Sequence[ShownLines], lines: Lines) -> CheckedAnswer:
    """Check every citation of an answer."""
    judging = _Judging(shown, lines)
    text = citation_pattern(shown).sub(judging.replacement, answer)
    return CheckedAnswer(text, list(dict.fromkeys(judging.citations)), list(dict.fromkeys(judging.struck)))


def citation_pattern(shown: Sequence[ShownLines]) -> re.Pattern[str]:
    """The pattern of citations. Paths with spaces or brackets are accepted only if they were shown."""
    odd = sorted({lines.path for lines in shown if not re.fullmatch(PLAIN_PATH, lines.path)}, key=len, reverse=True)
    paths = "|".join([*map(re.escape, odd), PLAIN_PATH])
    return re.compile(rf"(?P<open>[\[`(]*)(?P<path>{paths})[:#]{LINES}")


class _Judging:
    """The judging of one answer."""

    def __init__(self, shown: Sequence[ShownLines], lines: Lines) -> None:
        self._lines = lines
        self._hash = {lines_shown.path: lines_shown.sha256 for lines_shown in shown}
        spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for lines_shown in shown:
            spans[lines_shown.path].append((lines_shown.first, lines_shown.last))
        self._spans = {path: join_spans(pairs) for path, pairs in spans.items()}
        self.citations: list[Citation] = []
        self.struck: list[Struck] = []

    def replacement(self, match: re.Match[str]) -> str:
        """The text to put in place of a match; a match that is no citation stays."""
        written = match["path"].replace("\\", "/").removeprefix("./")
        path = self._file_named(written)
        if path is None and not is_path(written, bool(match["open"])):
            return match[0]
        first = int(match["first"])
        ranges = [(first, int(match["last"] or first))]
        ranges += [(int(begin), int(end)) for begin, end in RANGE.findall(match["more"])]
        return match["open"] + ", ".join(self._checked(path, written, begin, end) for begin, end in ranges)

    def _file_named(self, written: str) -> str | None:
        """The file that a path names: itself, or the only shown file whose path ends with it."""
        if written in self._spans or self._lines(written) is not None:
            return written
        ends = [path for path in self._spans if path.endswith(f"/{written}")]
        return ends[0] if len(ends) == 1 else None

    def _checked(self, path: str | None, written: str, first: int, last: int) -> str:
        reason = self._fault(path, first, last)
        if reason is None and path is not None:
            self.citations.append(Citation(path, first, last, self._hash[path]))
            return str(self.citations[-1])
        self.struck.append(Struck(f"{path or written}:{first}-{last}", reason or "there is no such file"))
        return f"~~{path or written}:{first}-{last}~~"

    def _fault(self, path: str | None, first: int, last: int) -> str | None:
        """The reason why a citation does not hold; None if it does."""
        if path is None:
            return "there is no such file"
        if not 1 <= first <= last:
            return "the lines are no range"
        if any(begin <= first and last <= end for begin, end in self._spans.get(path, ())):
            return None
        length = self._lines(path)
        if length is not None and last > length:
            return f"the file has {length} lines"
        return "these lines were not shown"


def is_path(written: str, is_marked: bool) -> bool:
    """True if a name that is no file here looks like a path; `is_marked` if it is in brackets or back quotes."""
    if written.startswith("//"):
        return False
    stem, _, ending = written.rpartition("/")[2].rpartition(".")
    return bool(ending.lower() in ENDINGS and (stem or "/" in written)) or (is_marked and "/" in written)


def join_spans(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of lines, with touching ones joined."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return joined
