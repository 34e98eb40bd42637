"""Python's containers: the values that annotations with arguments make, and the values in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from codebase.graph.python.term_values import OUTSIDE, UNKNOWN, Result, Value, joined

MANY_TEXT: Final = (
    "list List set Set frozenset FrozenSet Sequence MutableSequence Iterable Iterator Generator Collection "
    "deque Deque AsyncIterator AsyncIterable AsyncGenerator KeysView ValuesView AbstractSet MutableSet "
    "ContextManager AbstractContextManager AsyncContextManager"
)
MANY: Final = frozenset(MANY_TEXT.split())
MAPPINGS_TEXT: Final = (
    "dict Dict Mapping MutableMapping DefaultDict defaultdict OrderedDict WeakKeyDictionary WeakValueDictionary"
)
MAPPINGS: Final = frozenset(MAPPINGS_TEXT.split())
PASSED_ON: Final = frozenset(("Awaitable", "Coroutine", "Future", "Task", "ContextVar"))
"""Types that are as good as their last argument."""
SAME: Final = frozenset(
    ("copy", "union", "difference", "intersection", "__add__", "__or__", "__and__", "__sub__", "__mul__", "__iadd__")
)
ONE: Final = frozenset(("pop", "popleft", "get", "setdefault", "send", "__next__"))


MAX_NESTED: Final = 2
"""Containers of containers of containers are not looked into: each level multiplies the comparisons."""


def holding(tag: str, *parts: tuple[Value, ...]) -> Value:
    """A container: `L` of its elements, `D` of its keys and values, `T` of the values at each of its places."""
    if any(nested(value) >= MAX_NESTED for part in parts for value in part):
        return Value("?")
    return Value(tag, parts) if tag == "T" else Value(tag, *parts)


def nested(value: Value) -> int:
    """The number of containers that a value is deep."""
    if value.tag == "T":
        return 1 + max((nested(held) for part in value.subject for held in part), default=0)
    if value.tag in ("L", "D"):
        return 1 + max((nested(held) for part in value[1:] for held in part or ()), default=0)
    return 0


def made(name: str, given: list[Result]) -> Result | None:
    """An instance of a builtin type with arguments; None if the type is not one of these."""
    last = name.rpartition(".")[2]
    first = given[0] if given else UNKNOWN
    if last in MANY:
        return Result((holding("L", first.values),))
    if last in MAPPINGS:
        return Result((holding("D", first.values, given[1].values if len(given) > 1 else UNKNOWN.values),))
    if last in ("tuple", "Tuple"):
        if len(given) == 2 and given[1] == UNKNOWN:
            return Result((holding("L", first.values),))
        return Result((holding("T", *(argument.values for argument in given)),))
    if last == "Callable" and len(given) == 2:
        return Result((Value("G", given[1].values),))
    return given[-1] if last in PASSED_ON and given else None


def elements(value: Value) -> Result:
    """The elements that an iteration over a container gives."""
    if value.tag in ("L", "D"):
        return Result(stored(value.subject))
    if value.tag == "T":
        return Result(stored(held for part in value.subject for held in part))
    return OUTSIDE if value.tag in ("X", "V") else UNKNOWN


def item(value: Value) -> Result:
    """The result of a subscript of a container."""
    return Result(stored(value.detail)) if value.tag == "D" else elements(value)


def part(value: Value, place: int) -> Result:
    """One part of an unpacked value."""
    if value.tag == "T":
        fits = -len(value.subject) <= place < len(value.subject)
        return Result(value.subject[place]) if fits else UNKNOWN
    return elements(value)


def stored(values: Iterable[Value]) -> tuple[Value, ...]:
    """Values out of a container. If several functions are in it, which of them comes out is known only when it runs."""
    return tuple(dict.fromkeys(Value("?") if value.tag in ("F", "B") else value for value in values))


def called(holder: Value, method: str) -> Result:
    """The result of a method of a container."""
    if method in SAME:
        return Result((holder,))
    if method in ONE:
        return item(holder)
    if holder.tag == "D" and method in ("values", "keys", "items", "popitem"):
        pair = holding("T", holder.subject, holder.detail)
        if method == "popitem":
            return Result((pair,))
        return Result((holding("L", {"values": holder.detail, "keys": holder.subject, "items": (pair,)}[method]),))
    return OUTSIDE


def of_all(results: Iterable[Result]) -> tuple[Value, ...]:
    """The values of several results."""
    return joined(results).values
