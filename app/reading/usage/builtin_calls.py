"""The results of calls of Python's own functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.reading.api.values import UNKNOWN, Lit, Many, Plain, Seq, Unknown, Value, join, literal
from app.reading.usage.calls import CallSite
from app.reading.usage.items import ItemLookup
from app.reading.usage.members import Members, is_sure

BUILTINS: Final = frozenset(
    {
        *("enumerate", "list", "tuple", "set", "sorted", "reversed", "zip", "next", "iter", "range", "len", "str"),
        *("int", "float", "bool", "hasattr", "isinstance", "round", "abs"),
    }
)


@dataclass(frozen=True)
class BuiltinCalls:
    """Works out results."""

    members: Members
    items: ItemLookup

    def result(self, name: str, call: CallSite) -> Value:
        """The result of a call of this function."""
        values = [argument.value for argument in call.positional]
        first = values[0] if values else UNKNOWN
        match name:
            case "list" | "tuple" | "set" | "sorted" | "reversed" | "iter":
                return Many(self.items.each(first)) if len(values) == 1 else UNKNOWN
            case "enumerate" if values:
                return Many(Seq("tuple", (Plain("int"), self.items.each(first))))
            case "zip" if not call.more_positional:
                return Many(Seq("tuple", tuple(self.items.each(value) for value in values)))
            case "next" if values:
                return join([self.items.each(first), *values[1:2]])
            case "range":
                return Many(Plain("int"))
            case "hasattr":
                return self._has_attribute(values)
            case "len":
                return Plain("int")
            case "str" | "int" | "float" | "bool":
                return Plain(name)
            case "isinstance":
                return Plain("bool")
            case _:
                return UNKNOWN

    def _has_attribute(self, values: list[Value]) -> Value:
        """`hasattr(value, "name")`: decided here if the manifest is certain."""
        match values:
            case [owner, Lit(value=str(name))] if not isinstance(owner, Unknown) and is_sure(owner):
                there = self.members.exists(owner, name)
                return Plain("bool") if there is None else literal(there)
            case _:
                return Plain("bool")
