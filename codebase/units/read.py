"""Splits the text of a file into units, by the language that its name says."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Final

from codebase.units.documents import key_units, section_units, titled_units, window_units
from codebase.units.languages import language_of
from codebase.units.python import UnparsablePython, python_units
from codebase.units.styles import style_units
from codebase.units.templates import template_units
from codebase.units.trees import tree_units
from codebase.units.unit import OPEN, ParsedFile, Unit, digest

LINE_CHARACTERS: Final = 2000
"""Files with lines longer than this on average are written by programs: they are searched in windows."""


def read_units(path: str, text: str) -> ParsedFile:
    """The units of a file, each with its SHA-256, and the problem if it could not be parsed. Never raises."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    parsed = parse(language_of(path), text, lines)
    units = tuple(dataclasses.replace(unit, sha256=digest(lines, unit)) for unit in fitting(parsed, lines))
    return dataclasses.replace(parsed, units=units)


def spans_of(path: str, text: str, name: str) -> list[tuple[int, int]]:
    """The first and the last line of each unit of this name."""
    return [(unit.first, unit.last) for unit in read_units(path, text).units if unit.name == name]


def parse(language: str, text: str, lines: list[str]) -> ParsedFile:
    if not lines:
        return ParsedFile(language, ())
    if len(text) > LINE_CHARACTERS * len(lines):
        return dataclasses.replace(window_units(lines, language), problem="lines too long to be written by hand")
    if language == "python":
        try:
            return python_units(text, lines)
        except UnparsablePython as error:
            return dataclasses.replace(tree_units(text, lines, "python"), problem=str(error))
    if language in ("javascript", "typescript", "tsx"):
        return tree_units(text, lines, language)
    if language == "html":
        return template_units(text, lines)
    if language == "css":
        return style_units(text, lines)
    if language == "markdown":
        return section_units(lines)
    if language == "rst":
        return titled_units(lines)
    if language in ("toml", "yaml", "json"):
        return key_units(lines, language)
    return window_units(lines, language)


def fitting(parsed: ParsedFile, lines: Sequence[str]) -> Iterator[Unit]:
    """The units that have lines of their own, without blank lines at the ends of a span."""
    for unit in parsed.units:
        own = tuple(span for lines_of_own in unit.own if (span := trim_span(lines_of_own, lines)))
        if 1 <= unit.first <= unit.last <= len(lines) and (own or unit.kind not in OPEN):
            yield dataclasses.replace(unit, own=own)


def trim_span(span: tuple[int, int], lines: Sequence[str]) -> tuple[int, int] | None:
    """A span without the blank lines at its ends; None if all are blank."""
    written = [number for number in range(span[0], span[1] + 1) if number <= len(lines) and lines[number - 1].strip()]
    return (written[0], written[-1]) if written else None
