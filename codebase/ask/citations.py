"""The citations of an answer, `path:first-last`: each holds, or is struck out with the reason.

A citation holds if its lines were shown, whole; what was shown are lines of the blob that the citation names.
"""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from codebase.units.read import LANGUAGES

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
"""What the names of files end in. Other names before a number may be hosts, times, keys or slices."""

Lines = Callable[[str], int | None]
"""How many lines the file at a path has; None if there is no such file."""


@dataclasses.dataclass(frozen=True)
class Shown:
    """Lines that the author of an answer was shown; `sha256` is that of the whole file."""

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
    """A citation that does not hold, as written, and why."""

    citation: str
    reason: str


@dataclasses.dataclass(frozen=True)
class Judged:
    """An answer whose citations were checked; in `text`, those that do not hold are struck out: `~~path:1-2~~`."""

    text: str
    citations: list[Citation]
    struck: list[Struck]


def judge(answer: str, shown: Sequence[Shown], lines: Lines) -> Judged:
    """Check every citation of an answer."""
    judging = _Judging(shown, lines)
    text = citation_pattern(shown).sub(judging.judged, answer)
    return Judged(text, list(dict.fromkeys(judging.citations)), list(dict.fromkeys(judging.struck)))


def citation_pattern(shown: Sequence[Shown]) -> re.Pattern[str]:
    """What citations look like. Paths with spaces or brackets are found only if they were shown."""
    odd = sorted({one.path for one in shown if not re.fullmatch(PLAIN_PATH, one.path)}, key=len, reverse=True)
    paths = "|".join([*map(re.escape, odd), PLAIN_PATH])
    return re.compile(rf"(?P<open>[\[`(]*)(?P<path>{paths})[:#]{LINES}")


class _Judging:
    """The judging of one answer."""

    def __init__(self, shown: Sequence[Shown], lines: Lines) -> None:
        self._lines = lines
        self._hash = {one.path: one.sha256 for one in shown}
        spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for one in shown:
            spans[one.path].append((one.first, one.last))
        self._spans = {path: joined(found) for path, found in spans.items()}
        self.citations: list[Citation] = []
        self.struck: list[Struck] = []

    def judged(self, found: re.Match[str]) -> str:
        """What is written in the place of a citation; what is none stays."""
        written = found["path"].replace("\\", "/").removeprefix("./")
        path = self._named(written)
        if path is None and not is_path(written, bool(found["open"])):
            return found[0]
        first = int(found["first"])
        ranges = [(first, int(found["last"] or first))]
        ranges += [(int(begin), int(end)) for begin, end in RANGE.findall(found["more"])]
        return found["open"] + ", ".join(self._ruled(path, written, begin, end) for begin, end in ranges)

    def _named(self, written: str) -> str | None:
        """The file that a path names: itself, or the only one that was shown and ends with it."""
        if written in self._spans or self._lines(written) is not None:
            return written
        ends = [path for path in self._spans if path.endswith(f"/{written}")]
        return ends[0] if len(ends) == 1 else None

    def _ruled(self, path: str | None, written: str, first: int, last: int) -> str:
        reason = self._fault(path, first, last)
        if reason is None and path is not None:
            self.citations.append(Citation(path, first, last, self._hash[path]))
            return str(self.citations[-1])
        self.struck.append(Struck(f"{path or written}:{first}-{last}", reason or "there is no such file"))
        return f"~~{path or written}:{first}-{last}~~"

    def _fault(self, path: str | None, first: int, last: int) -> str | None:
        """Why a citation does not hold; None if it does."""
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
    """Whether a name that is no file here is meant as one; `is_marked` if it is in brackets or back quotes."""
    if written.startswith("//"):
        return False
    stem, _, ending = written.rpartition("/")[2].rpartition(".")
    return bool(ending.lower() in ENDINGS and (stem or "/" in written)) or (is_marked and "/" in written)


def joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of lines, those that touch each other made one."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return found
