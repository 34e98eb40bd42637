"""Takes the text of a file apart, by the language that its name says."""

from __future__ import annotations

import dataclasses
from pathlib import PurePosixPath
from typing import Final

from codebase.units.python import Broken, python_units
from codebase.units.texts import key_units, section_units, window_units
from codebase.units.trees import tree_units
from codebase.units.unit import Parsed, Unit, digest

LANGUAGES: Final = {
    **dict.fromkeys((".py", ".pyi", ".pyw"), "python"),
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs"), "javascript"),
    **dict.fromkeys((".ts", ".mts", ".cts"), "typescript"),
    **dict.fromkeys((".yml", ".yaml"), "yaml"),
    **dict.fromkeys((".html", ".htm"), "html"),
    **dict.fromkeys((".md", ".markdown"), "markdown"),
    ".tsx": "tsx",
    ".toml": "toml",
    ".json": "json",
    ".css": "css",
    ".rst": "rst",
}
LINE_CHARACTERS: Final = 2000
"""Lines longer than this on average are the work of a program: such a file is searched in windows."""


def read_units(path: str, text: str) -> Parsed:
    """The units of a file, each with its SHA-256, and what was wrong with it. Never raises."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    parsed = parse(language_of(path), text, lines)
    units = tuple(dataclasses.replace(unit, sha256=digest(lines, unit)) for unit in fitting(parsed, len(lines)))
    return dataclasses.replace(parsed, units=units)


def language_of(path: str) -> str:
    """The language that the name of a file says."""
    return LANGUAGES.get(PurePosixPath(path).suffix.lower(), "text")


def parse(language: str, text: str, lines: list[str]) -> Parsed:
    if not lines:
        return Parsed(language, ())
    if len(text) > LINE_CHARACTERS * len(lines):
        return dataclasses.replace(window_units(lines, language), problem="lines too long to be written by hand")
    if language == "python":
        try:
            return python_units(text, lines)
        except Broken as error:
            return dataclasses.replace(tree_units(text, lines, "python"), problem=str(error))
    if language in ("javascript", "typescript", "tsx"):
        return tree_units(text, lines, language)
    if language == "markdown":
        return section_units(lines)
    if language in ("toml", "yaml", "json"):
        return key_units(lines, language)
    return window_units(lines, language)


def fitting(parsed: Parsed, count: int) -> list[Unit]:
    """The units whose lines exist: Python counts a form feed or a lone return as a line, and an editor may not."""
    return [unit for unit in parsed.units if 1 <= unit.first <= unit.last <= count]
