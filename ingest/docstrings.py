"""Reads the docstrings of Blender's C and Python API, which are written for Sphinx."""

from __future__ import annotations

import dataclasses
import re
from typing import Final

from ingest.symbol import SymbolParameter

DIRECTIVE: Final = re.compile(r"^\.\. (?:class|classmethod|staticmethod|method|function|attribute|data):: *(.*)$")
CALL: Final = re.compile(r"^(?:BMeshOpFunc )?([\w.]+)(?=\()")
FIELD: Final = re.compile(r"^:(\w+)(?: ([^:]*))?:(?!`) *(.*)$")
QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"")
ROLE: Final = re.compile(r":\w+:`~?([^`<]*?)(?: *<[^>]*>)?`")
LITERAL: Final = re.compile(r"``([^`]*)``")


@dataclasses.dataclass(frozen=True)
class Docstring:
    """The contents of a docstring: prose, arguments, and the value that is returned or held."""

    signature: str = ""
    description: str = ""
    parameters: tuple[SymbolParameter, ...] = ()
    type: str = ""
    readonly: bool = False


def read_docstring(text: str) -> Docstring:
    """The parts of a docstring. Any text gives a result."""
    lines = text.splitlines()
    signature, lines = take_signature(lines)
    prose, fields = take_fields(lines)
    held = fields.get(("type", ""), "") or fields.get(("rtype", ""), "")
    return Docstring(
        signature=signature,
        description=prose,
        parameters=parameters_of(signature, fields),
        type=held,
        readonly="read-only" in text.lower() or "readonly" in held.lower(),
    )


def take_signature(lines: list[str]) -> tuple[str, list[str]]:
    """The arguments in brackets, if the docstring begins with a call, and the lines after it."""
    first = lines[0].strip() if lines else ""
    directive = DIRECTIVE.match(first)
    said = directive.group(1) if directive else first
    call = CALL.match(said)
    arguments = bracketed(said[call.end() :]) if call else ""
    if directive:
        return arguments, lines[1:]
    rest = said[call.end() + len(arguments) :].strip() if call else said
    if not arguments or not (rest == "" or rest.startswith("->")):
        # A sentence that only begins like a call.
        return "", lines
    return arguments, [rest.removeprefix("->"), *lines[1:]]


def bracketed(text: str) -> str:
    """The text from its opening bracket to the matching one; empty if there is none."""
    depth = 0
    for place, char in enumerate(without_quotes(text), 1):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0:
            return text[:place]
    return ""


def without_quotes(text: str) -> str:
    """The text with every quoted part blanked out, so that brackets and commas inside do not count."""
    return QUOTED.sub(lambda quoted: "_" * len(quoted[0]), text)


def take_fields(lines: list[str]) -> tuple[str, dict[tuple[str, str], str]]:
    """The prose before the first directive or example, and the fields by kind and name."""
    prose: list[str] = []
    fields: dict[tuple[str, str], str] = {}
    current: tuple[str, str] | None = None
    for line in (line.strip() for line in lines):
        field = FIELD.match(line)
        if field:
            current = (field.group(1), field.group(2) or "")
            fields[current] = plain(field.group(3))
        elif current and line and not line.startswith(".. "):
            fields[current] = f"{fields[current]} {plain(line)}".strip()
        elif line.startswith(".. ") or not line:
            current = None
        elif not line.startswith(("->", ">>>")):
            prose.append(line)
    return plain(" ".join(prose)), fields


def parameters_of(signature: str, fields: dict[tuple[str, str], str]) -> tuple[SymbolParameter, ...]:
    defaults = dict(split_arguments(signature))
    # One field may describe several arguments: `:arg x, y: ...`.
    shared = [(kind, name) for kind, name in fields if kind in {"arg", "param", "type"} and name]
    for kind, name in shared:
        for part in name.split(","):
            fields.setdefault((kind, part.strip()), fields[kind, name])
    named = [part.strip() for _, name in shared for part in name.split(",")]
    names = dict.fromkeys(name for name in (*defaults, *named) if name)
    return tuple(
        SymbolParameter(
            name=name,
            type=fields.get(("type", name), ""),
            default=defaults.get(name, ""),
            description=fields.get(("arg", name), "") or fields.get(("param", name), ""),
        )
        for name in names
    )


def split_arguments(signature: str) -> list[tuple[str, str]]:
    """Name and default of each argument of `(a, b=1, *, c=(0, 0))`, or of the older `(a[, b])`."""
    found: list[tuple[str, str]] = []
    depth, start = 0, 0
    inner = signature[1:-1]
    optional = inner.count("[,")
    if optional and inner.endswith("]" * optional):
        inner = inner[:-optional].replace("[,", ",")
    for place, char in enumerate(without_quotes(inner) + ","):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            name, _, default = inner[start:place].partition("=")
            start = place + 1
            name = name.partition(":")[0].strip().lstrip("*")
            if name.isidentifier() and name not in {"self", "cls"}:
                found.append((name, default.strip()))
    return found


def plain(text: str) -> str:
    """The text without Sphinx markup, with single spaces."""
    return " ".join(LITERAL.sub(r"\1", ROLE.sub(r"\1", text)).split())
