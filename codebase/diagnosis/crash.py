"""The crash lines: places where the repository raised each error of a log, with the definitions used there."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Final

from codebase.diagnosis.places import FramePlace, FramePlaces
from codebase.diagnosis.statement import LineReading, UsedName, read_line
from codebase.diagnosis.texts import Texts
from codebase.diagnosis.uses import Definition, Definitions
from codebase.tracebacks.error import Error

AROUND: Final = 50
"""Lines that are shown around a crash line."""
NAME: Final = re.compile(r"([A-Za-z_$][\w$]{0,80}(?:\.[A-Za-z_$][\w$]{0,80}){0,6})(\s?\()?")


@dataclasses.dataclass(frozen=True)
class Trace:
    """The frames of an error that are in the repository, in the order of the calls."""

    error: Error
    places: tuple[FramePlace | None, ...]
    """By frame; None if it is not in the repository."""

    @property
    def inside(self) -> list[FramePlace]:
        """The frames in the repository, the innermost first."""
        return [place for place in reversed(self.places) if place is not None]


@dataclasses.dataclass(frozen=True)
class TraceScene:
    """A line of a traceback in the repository with the definitions that it uses."""

    place: FramePlace
    reading: LineReading | None
    definitions: list[Definition]

    def direct(self) -> list[Definition]:
        """The definitions that the line itself uses."""
        return [definition for definition in self.definitions if definition.used.depth == 0]


def traces(errors: Sequence[Error], places: FramePlaces) -> list[Trace]:
    """The errors with the places of their frames."""
    places.learn(frame for error in errors for frame in error.frames)
    return [Trace(error, tuple(places.of(frame) for frame in error.frames)) for error in errors]


def scenes_of(trace: Trace, texts: Texts, definitions: Definitions, most: int) -> list[TraceScene]:
    """The lines of a traceback, the innermost first, with the definitions that each uses or, further up, passes on."""
    scenes: list[TraceScene] = []
    for place in trace.inside[:most]:
        scenes.append(scene_of(place, texts, definitions, scenes[-1].reading if scenes else None))
    return scenes


def scene_of(place: FramePlace, texts: Texts, definitions: Definitions, below: LineReading | None = None) -> TraceScene:
    """The definitions on the line of a frame; if the frame that it called was read, only those passed to it."""
    tree = texts.tree(place.path)
    is_read = tree is not None and place.how != "file"
    reading = read_line(tree, place.line, place.frame.marked, below) if tree is not None and is_read else None
    if reading is not None:
        return TraceScene(place, reading, definitions.of(place.path, place.unit, reading.used))
    lines = texts.lines(place.path)
    line = lines[place.line - 1] if 0 < place.line <= len(lines) else ""
    return TraceScene(place, None, definitions.of(place.path, place.unit, words_used(line, place.line)))


def words_used(line: str, number: int) -> list[UsedName]:
    """The names in a line of a language without a syntax tree here; a name before a bracket is a call."""
    matches = NAME.finditer(line[:2000])
    return [UsedName(match[1], "call" if match[2] else "name", number, 0) for match in matches]
