"""Maps the frames of a log to files of a repository, on whatever machine the log was written.

    path -> files with the same end -> those that hold the printed line or the function -> the line of now

A path in an installed package or in Python itself belongs to the repository only if all of it fits.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from codebase.ask.lists import common_parts
from codebase.diagnosis.anchors import TRUST, Anchor, LineAnchor, anchor_of, units_named
from codebase.diagnosis.texts import Texts, squeeze
from codebase.index.snapshot import Snapshot
from codebase.tracebacks.error import Frame

INSTALLED: Final = ("site-packages", "dist-packages", "node_modules", "Lib")
LIBRARY: Final = re.compile(r"python\d\.\d{1,2}t?")
"""The folder of Python's own modules, inside a folder called `lib`."""
COMMON: Final = frozenset(
    [
        "execute",
        "invoke",
        "modal",
        "draw",
        "poll",
        "check",
        "register",
        "unregister",
        "__init__",
        "__call__",
        "main",
        "run",
        "update",
        "get",
        "set",
        "save",
    ]
)
"""Functions of so many files that their name alone points to no file."""
HASHED: Final = re.compile(r"\.[0-9a-f]{8,32}(?=\.[a-z]+$)")
"""The part of the name of a static file that stands for its version."""
MOST_FILES: Final = 40
TEMPLATES: Final = (".html", ".htm", ".jinja", ".jinja2", ".j2", ".txt", ".xml")


@dataclasses.dataclass(frozen=True)
class FramePlace:
    """A frame in the repository. `unit` is the number of the innermost unit that holds the line."""

    frame: Frame
    path: str
    line: int
    how: Anchor
    unit: int | None
    others: tuple[str, ...] = ()
    """Other files that the path can mean as well."""

    @property
    def trust(self) -> float:
        """The trust in the line, at most 1."""
        return TRUST[self.how] * (0.7 if self.others else 1.0)

    @property
    def says(self) -> str:
        """The kind of match, in words."""
        number = self.frame.line
        words = {
            "exact": "the line as printed",
            "moved": f"the printed line, which the log has at {number}",
            "changed": f"a line like the printed one, which the log has at {number}",
            "function": "the function; the printed line is not in this version",
            "number": "by its number; the log shows no source",
            "file": "the file; neither line nor function of the log are in this version",
        }[self.how]
        return f"{words}; or {', '.join(self.others)}" if self.others else words


@dataclasses.dataclass(frozen=True)
class _Fit:
    """A file that a frame may mean: the number of agreeing parts of the path, and the match with its contents."""

    file: int
    parts: int
    anchor: LineAnchor
    holds: int
    """3: the printed line at its number, 2: that line, 1: the function, 0: neither, or no line was printed."""


class FramePlaces:
    """The places of frames; clear frames help to place the others."""

    def __init__(self, snapshot: Snapshot, texts: Texts) -> None:
        self._snapshot, self._texts = snapshot, texts
        self._roots: Counter[str] = Counter()
        self._folded: dict[str, list[int]] = {}
        for name, files in snapshot.by_name.items():
            self._folded.setdefault(name.casefold(), []).extend(files)

    def learn(self, frames: Iterable[Frame]) -> None:
        """Note the folder of the repository on the machine of the log, from the frames that fit a single file."""
        for frame in frames:
            fits = self._fits(frame)
            if len(fits) == 1 and frame.path.endswith(self._snapshot.paths[fits[0].file]):
                self._roots[frame.path.removesuffix(self._snapshot.paths[fits[0].file])] += 1

    def of(self, frame: Frame) -> FramePlace | None:
        """The place of a frame; None if it is not in this repository."""
        if not frame.path and frame.language == "template":
            return self._template_with(frame)
        fits = self._fits(frame)
        if not fits:
            return None
        paths = self._snapshot.paths
        fits = [fit for fit in fits if frame.path.removesuffix(paths[fit.file]) in self._roots] or fits
        best, others = fits[0], tuple(paths[fit.file] for fit in fits[1:4])
        unit = unit_at(self._snapshot, best.file, best.anchor.line)
        return FramePlace(frame, paths[best.file], best.anchor.line, best.anchor.how, unit, others)

    def _fits(self, frame: Frame) -> list[_Fit]:
        """The files that a frame can mean, all equally well."""
        if not frame.is_in_file:
            return []
        parts = [part for part in frame.path.split("/") if part not in ("", ".", "~")]
        cut = max((n for n, _ in enumerate(parts[:-1]) if is_installed(parts, n)), default=-1)
        parts = parts[cut + 1 :]
        if not parts:
            return []
        names = (parts[-1], HASHED.sub("", parts[-1]))
        files = {file for name in names for file in self._snapshot.by_name.get(name, [])}
        files = files or set(self._folded.get(parts[-1].casefold(), []))
        agreeing = [(self._agree(file, [*parts[:-1], names[1]]), file) for file in files]
        best = sorted(agreeing, key=lambda pair: (-pair[0], pair[1]))[:MOST_FILES]
        fits = [self._fit(frame, file, count) for count, file in best]
        fits = [fit for fit in fits if self._is_right(fit, frame, len(parts), cut >= 0)]
        most = max(((fit.holds, fit.parts) for fit in fits), default=(0, 0))
        return [fit for fit in fits if (fit.holds, fit.parts) == most]

    def _agree(self, file: int, parts: list[str]) -> int:
        """The number of parts that a path and a file have in common at their ends, at least the name."""
        ours = self._snapshot.paths[file].split("/")
        return max(1, common_parts([part.casefold() for part in ours], [part.casefold() for part in parts]))

    def _fit(self, frame: Frame, file: int, parts: int) -> _Fit:
        units = [self._snapshot.units[number] for number in self._snapshot.file_units[file]]
        anchor = anchor_of(self._texts, self._snapshot.paths[file], units, frame)
        by_name = bool(units_named(units, frame.function)) and (frame.function not in COMMON or not frame.code)
        holds = {"exact": 3, "moved": 2, "changed": 1}.get(anchor.how, int(by_name))
        return _Fit(file, parts, anchor, holds)

    def _is_right(self, fit: _Fit, frame: Frame, parts: int, is_installed: bool) -> bool:
        """True if a frame is in a file, and not in one of the same name elsewhere."""
        is_trivial = bool(frame.code) and len(squeeze(frame.code[0])) < 8
        proof = fit.holds - (1 if is_trivial and fit.holds > 1 else 0)
        if is_installed:
            is_moved = 1 < fit.parts < parts and proof > 1
            return is_moved or (proof >= (1 if parts > 1 else 2) and fit.parts == parts)
        if fit.parts > 1 or parts == 1:
            return proof > 0 or not frame.code or fit.parts > 2
        return proof > 0

    def _template_with(self, frame: Frame) -> FramePlace | None:
        """The template that holds an expression, for a log that names no file."""
        code = frame.code[0] if frame.code else ""
        for file, path in enumerate(self._snapshot.paths):
            if code and path.endswith(TEMPLATES):
                for number, line in enumerate(self._texts.lines(path), 1):
                    if code in line:
                        return FramePlace(frame, path, number, "moved", unit_at(self._snapshot, file, number))
        return None


def is_installed(parts: list[str], place: int) -> bool:
    """True if a folder of a path holds installed packages, or the modules of Python."""
    return parts[place] in INSTALLED or bool(LIBRARY.fullmatch(parts[place]) and place and "lib" in parts[place - 1])


def maker_of(snapshot: Snapshot, cls: int) -> int | None:
    """The method that makes objects of a class, if it has one of its own."""
    name = f"{snapshot.units[cls].name}.__init__"
    here = snapshot.file_units[int(snapshot.unit_file[cls])]
    return next((method for method in here if snapshot.units[method].name == name), None)


def unit_at(snapshot: Snapshot, file: int, line: int) -> int | None:
    """The innermost unit of a file that holds a line."""
    holding = [
        unit for unit in snapshot.file_units[file] if snapshot.units[unit].first <= line <= snapshot.units[unit].last
    ]
    return min(holding, key=lambda unit: snapshot.units[unit].last - snapshot.units[unit].first, default=None)
