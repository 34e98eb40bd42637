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


def say_reference(thing: op.Reference) -> str:
    """The words for a reference."""
    parts = [thing.words, f'"{thing.name}"' if thing.name else ""]
    said = " ".join(filter(None, parts))
    said = said if said in {"it", "them"} or thing.words.startswith("every") or not thing.words else f"the {said}"
    return f"{said} of {say_reference(thing.of)}" if thing.of else said


def _things(things: Sequence[op.Reference]) -> str:
    return " and ".join(map(say_reference, things))


def _settings(settings: Sequence[op.Setting]) -> str:
    return f" ({', '.join(f'{one.name} = {say_value(one.value)}' for one in settings)})" if settings else ""


def _look(look: op.Look) -> str:
    called = f' called "{look.name}"' if look.name else ""
    return f"a {' '.join([*look.words, 'material'])}{called}{_settings(look.settings)}"


def _add(one: op.Add) -> str:
    if one.if_missing:
        return f"add the {one.kind} if missing{_settings(one.settings)}"
    called = f' called "{one.name}"' if one.name else ""
    at = f" at {say_value(one.at)}" if one.at else ""
    to = f" to {_things(one.to)}" if one.to else ""
    inside = f' in the collection "{one.collection}"' if one.collection else ""
    look = f" with {_look(one.look)}" if one.look else ""
    return f"add a {one.kind}{called}{_settings(one.settings)}{at}{to}{inside}{look}"


def _set(one: op.Set) -> str:
    of = f" of {_things(one.of)}" if one.of else ""
    first, *others = one.settings
    rest = "".join(f", {other.name} to {say_value(other.value)}" for other in others)
    return f"set {first.name}{of} to {say_value(first.value)}{rest}"


def _key(one: op.Key) -> str:
    keys = ", ".join(f"{say_value(key.value)} at frame {key.frame:g}" for key in one.keys)
    how = f" with {one.interpolation} interpolation" if one.interpolation else ""
    return f"key {one.property} of {_things(one.of)} to {keys}{how}"


def _transform(one: op.Transform) -> str:
    axis = {"": "", "rotate": f" around {one.axis}"}.get(one.do if one.axis else "", f" along {one.axis}")
    return f"{one.do} {_things(one.things)} {one.how} {say_value(one.value)}{axis}"


def _duplicate(one: op.Duplicate) -> str:
    called = f' called "{one.name}"' if one.name else ""
    at = f" at {say_value(one.at)}" if one.at else ""
    by = f" by {say_value(one.by)}" if one.by else ""
    return f"duplicate {say_reference(one.thing)}{called}{at}{by}{' as linked copy' if one.linked else ''}"


def _join(one: op.Join) -> str:
    into = f" into {say_reference(one.into)}" if one.into else ""
    called = f' called "{one.name}"' if one.name else ""
    return f"join {_things(one.things)}{into}{called}"


def _parent(one: op.Parent) -> str:
    return f"parent {_things(one.things)} to {say_reference(one.to)}" if one.to else f"unparent {_things(one.things)}"


def _aim(one: op.Aim) -> str:
    at = say_reference(one.at) if isinstance(one.at, op.Reference) else say_value(one.at)
    return f"aim {_things(one.things)} at {at}"


_SAID: Final[dict[str, Callable[[Any], str]]] = {
    "add": _add,
    "set": _set,
    "key": _key,
    "move": _transform,
    "rotate": _transform,
    "scale": _transform,
    "paint": lambda one: f"give {_things(one.things)} {_look(one.look)}",
    "delete": lambda one: f"delete {_things(one.things)}",
    "duplicate": _duplicate,
    "rename": lambda one: f'rename {say_reference(one.thing)} to "{one.name}"',
    "parent": _parent,
    "join": _join,
    "shade": lambda one: f"shade {_things(one.things)} {one.how}",
    "aim": _aim,
    "collect": lambda one: f'collect {_things(one.things)} in the collection "{one.collection}"',
    "select": lambda one: f"select {_things(one.things)}",
    "apply": lambda one: f"apply {one.what}{' of ' + _things(one.of) if one.of else ''}",
    "link": lambda one: (
        f"link {one.output} of {say_reference(one.source)} to {one.input} of {say_reference(one.target)}"
    ),
    "recipe": lambda one: f"use the recipe {one.name}{_settings(one.settings)}",
}
