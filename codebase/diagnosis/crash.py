"""The crash lines: where each error of a log was raised in the repository, with what is used there."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Final

from codebase.diagnosis.places import Place, Places
from codebase.diagnosis.statement import Reading, Used, read_line
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
    places: tuple[Place | None, ...]
    """By frame; None if it is not in the repository."""

    @property
    def inside(self) -> list[Place]:
        """The frames in the repository, the innermost first."""
        return [place for place in reversed(self.places) if place is not None]


@dataclasses.dataclass(frozen=True)
class Scene:
    """A line of a traceback in the repository with what it uses."""

    place: Place
    reading: Reading | None
    definitions: list[Definition]

    def direct(self) -> list[Definition]:
        """The definitions that the line itself uses."""
        return [one for one in self.definitions if one.used.depth == 0]


def traces(errors: Sequence[Error], places: Places) -> list[Trace]:
    """The errors with the places of their frames."""
    places.learn(frame for error in errors for frame in error.frames)
    return [Trace(error, tuple(places.of(frame) for frame in error.frames)) for error in errors]


def scenes_of(trace: Trace, texts: Texts, definitions: Definitions, most: int) -> list[Scene]:
    """The lines of a traceback with what they use, the innermost first; further up, what they pass on."""
    scenes: list[Scene] = []
    for place in trace.inside[:most]:
        scenes.append(scene_of(place, texts, definitions, scenes[-1].reading if scenes else None))
    return scenes


def scene_of(place: Place, texts: Texts, definitions: Definitions, below: Reading | None = None) -> Scene:
    """What is used on the line of a frame; if the frame that it called was read, only what is passed to that."""
    tree = texts.tree(place.path)
    is_read = tree is not None and place.how != "file"
    reading = read_line(tree, place.line, place.frame.marked, below) if tree is not None and is_read else None
    if reading is not None:
        return Scene(place, reading, definitions.of(place.path, place.unit, reading.used))
    lines = texts.lines(place.path)
    line = lines[place.line - 1] if 0 < place.line <= len(lines) else ""
    return Scene(place, None, definitions.of(place.path, place.unit, words_used(line, place.line)))


def words_used(line: str, number: int) -> list[Used]:
    """The names in a line of a language without a syntax tree here: those followed by a bracket are calls."""
    found = NAME.finditer(line[:2000])
    return [Used(one[1], "call" if one[2] else "name", number, 0) for one in found]
