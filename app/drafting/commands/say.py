"""Operations to sentences: `read` turns each sentence back into the same operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from app.drafting.commands import operations as op


def say(operation: op.Operation) -> str:
    """One sentence that says this operation."""
    return _SAID[operation.do](operation)


def say_value(value: op.Value) -> str:
    """A value as it is written."""
    match value:
        case op.Number():
            return (
                f"{value.number:g} {value.unit}".strip()
                if value.number < 1e6
                else f"{value.number!r} {value.unit}".strip()
            )
        case op.Vector():
            return f"({', '.join(say_value(part) for part in value.parts)})"
        case op.Word():
            return f'"{value.text}"' if value.quoted else value.text


def say_reference(thing: op.Mention) -> str:
    """The words for a reference."""
    parts = [thing.words, f'"{thing.name}"' if thing.name else ""]
    said = " ".join(filter(None, parts))
    said = said if said in {"it", "them"} or thing.words.startswith("every") or not thing.words else f"the {said}"
    return f"{said} of {say_reference(thing.of)}" if thing.of else said


def _things(things: Sequence[op.Mention]) -> str:
    return " and ".join(map(say_reference, things))


def _settings(settings: Sequence[op.NamedValue]) -> str:
    return f" ({', '.join(f'{setting.name} = {say_value(setting.value)}' for setting in settings)})" if settings else ""


def _look(look: op.Finish) -> str:
    called = f' called "{look.name}"' if look.name else ""
    return f"a {' '.join([*look.words, 'material'])}{called}{_settings(look.settings)}"


def _add(operation: op.Add) -> str:
    if operation.if_missing:
        return f"add the {operation.kind} if missing{_settings(operation.settings)}"
    called = f' called "{operation.name}"' if operation.name else ""
    at = f" at {say_value(operation.at)}" if operation.at else ""
    to = f" to {_things(operation.to)}" if operation.to else ""
    inside = f' in the collection "{operation.collection}"' if operation.collection else ""
    look = f" with {_look(operation.look)}" if operation.look else ""
    return f"add a {operation.kind}{called}{_settings(operation.settings)}{at}{to}{inside}{look}"


def _set(operation: op.Set) -> str:
    of = f" of {_things(operation.of)}" if operation.of else ""
    first, *others = operation.settings
    rest = "".join(f", {other.name} to {say_value(other.value)}" for other in others)
    return f"set {first.name}{of} to {say_value(first.value)}{rest}"


def _key(operation: op.Key) -> str:
    keys = ", ".join(f"{say_value(key.value)} at frame {key.frame:g}" for key in operation.keys)
    how = f" with {operation.interpolation} interpolation" if operation.interpolation else ""
    return f"key {operation.property} of {_things(operation.of)} to {keys}{how}"


def _transform(operation: op.Transform) -> str:
    axis = f" {'around' if operation.do == 'rotate' else 'along'} {operation.axis}" if operation.axis else ""
    return f"{operation.do} {_things(operation.things)} {operation.how} {say_value(operation.value)}{axis}"


def _duplicate(operation: op.Duplicate) -> str:
    called = f' called "{operation.name}"' if operation.name else ""
    at = f" at {say_value(operation.at)}" if operation.at else ""
    by = f" by {say_value(operation.by)}" if operation.by else ""
    return f"duplicate {say_reference(operation.thing)}{called}{at}{by}{' as linked copy' if operation.linked else ''}"


def _join(operation: op.Join) -> str:
    into = f" into {say_reference(operation.into)}" if operation.into else ""
    called = f' called "{operation.name}"' if operation.name else ""
    return f"join {_things(operation.things)}{into}{called}"


def _parent(operation: op.Parent) -> str:
    parent = f"parent {_things(operation.things)}"
    return f"{parent} to {say_reference(operation.to)}" if operation.to else f"un{parent}"


def _aim(operation: op.Aim) -> str:
    at = say_reference(operation.at) if isinstance(operation.at, op.Mention) else say_value(operation.at)
    return f"aim {_things(operation.things)} at {at}"


_SAID: Final[dict[str, Callable[[Any], str]]] = {
    "add": _add,
    "set": _set,
    "key": _key,
    "move": _transform,
    "rotate": _transform,
    "scale": _transform,
    "paint": lambda operation: f"give {_things(operation.things)} {_look(operation.look)}",
    "delete": lambda operation: f"delete {_things(operation.things)}",
    "duplicate": _duplicate,
    "rename": lambda operation: f'rename {say_reference(operation.thing)} to "{operation.name}"',
    "parent": _parent,
    "join": _join,
    "shade": lambda operation: f"shade {_things(operation.things)} {operation.how}",
    "aim": _aim,
    "collect": lambda operation: f'collect {_things(operation.things)} in the collection "{operation.collection}"',
    "select": lambda operation: f"select {_things(operation.things)}",
    "apply": lambda operation: f"apply {operation.what}{' of ' + _things(operation.of) if operation.of else ''}",
    "link": lambda link: (
        f"link {link.output} of {say_reference(link.source)} to {link.input} of {say_reference(link.target)}"
    ),
    "recipe": lambda operation: f"use the recipe {operation.name}{_settings(operation.settings)}",
}
