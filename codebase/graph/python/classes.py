"""Looks attributes up in classes: the order of bases, what the bodies define, what methods assign to `self`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from codebase.graph.python.term_values import OUTSIDE, UNKNOWN, Definition, Result, Text, Value, joined

Term = Callable[[Text, int], Result]
PROPERTIES: Final = frozenset(("property", "cached_property", "getter", "abstractproperty", "lazy_property"))
MAX_DEPTH: Final = 60
MAX_BASES: Final = 100
"""More was not written by hand."""
ENUMS: Final = frozenset(("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"))


class Classes:
    """Looks attributes up, by terms that it has evaluated for it."""

    def __init__(self, term: Term) -> None:
        self._term = term

    def order(self, cls: Definition, depth: int = 0) -> list[Definition]:
        """A class and those it inherits from, in the order in which Python looks attributes up."""
        if depth > MAX_DEPTH:
            return [cls]
        if cls.order is None:
            cls.order = [cls]
            lines: list[list[Definition]] = []
            for term in cls.bases:
                for value in self._term(cls.text, term).values:
                    if value.tag == "C":
                        lines.append(self.order(value.one, depth + 1))
                        cls.leaks = cls.leaks or value.one.leaks
                    elif value.tag != "X" or value.one not in ("object", "builtins.object"):
                        cls.leaks = "X" if value.tag == "X" else cls.leaks or "?"
            cls.order = [cls, *linear([*lines, [line[0] for line in lines]])][:MAX_BASES]
        return cls.order

    def in_body(self, cls: Definition, name: str, start: int = 0) -> Result | None:
        """What the body of a class, or of the first that it inherits from, defines by a name."""
        for owner in self.order(cls)[start:]:
            if name in owner.members:
                return self._term(owner.text, owner.members[name])
        return None

    def function(self, cls: Definition, name: str, start: int = 0) -> Definition | None:
        """The method of a name that an instance of the class has."""
        found = self.in_body(cls, name, start)
        functions = [value.one for value in found.values if value.tag in ("F", "W")] if found else []
        return functions[-1] if functions else None

    def of_class(self, cls: Definition, name: str) -> Result:
        """An attribute of the class itself."""
        if name in ("__class__", "__name__", "__qualname__", "__doc__", "__module__", "__dict__"):
            return OUTSIDE
        found = self.in_body(cls, name)
        if found is None:
            return self.missing(cls)
        if self.is_enum(cls) and not any(value.tag in ("F", "C") for value in found.values):
            return Result((Value("I", cls),))
        return Result(tuple(self._through_class(value, cls) for value in found.values), found.sure)

    def _through_class(self, value: Value, cls: Definition) -> Value:
        return Value("B", value.one, cls) if value.tag == "F" and "classmethod" in value.one.marks else value

    def of_instance(self, cls: Definition, name: str) -> Result:
        """An attribute of an instance. A property is what it is called for, `Value("B", ...)` with its function."""
        if name == "__class__":
            return Result((Value("C", cls),))
        said = self._said(cls, name)
        if said is not None:
            return said
        found = self.in_body(cls, name)
        bound = [bind(value, cls) for value in found.values] if found else []
        if any(value.tag in ("B", "F", "C", "W") for value in bound):
            return Result(tuple(bound), found.sure if found else True)
        assigned = [self._term(owner.text, term) for owner in self.order(cls) for term in owner.given.get(name, ())]
        if not bound and not assigned:
            return self.missing(cls)
        results = [Result(tuple(bound)), *assigned] if bound else assigned
        return certain(joined(results))

    def _said(self, cls: Definition, name: str) -> Result | None:
        for owner in self.order(cls):
            if name in owner.said:
                return self._term(owner.text, owner.said[name])
            if name in owner.members and name not in owner.said:
                return None
        return None

    def missing(self, cls: Definition) -> Result:
        """What an attribute is that no class in the repository defines."""
        self.order(cls)
        return OUTSIDE if cls.leaks == "X" else UNKNOWN

    def is_enum(self, cls: Definition) -> bool:
        """Whether the attributes of a class are its instances."""
        for owner in self.order(cls):
            for term in owner.bases:
                for value in self._term(owner.text, term).values:
                    if value.tag == "X" and str(value.one).rpartition(".")[2] in ENUMS:
                        return True
        return False

    def overridden(self, cls: Definition) -> Iterator[tuple[Definition, Definition]]:
        """Each method of a class with that which it overrides."""
        for name, term in cls.members.items():
            for value in self._term(cls.text, term).values if len(self.order(cls)) > 1 else ():
                base = self.function(cls, name, 1) if value.tag == "F" and value.one.of_class is cls else None
                if base is not None and base.of_class is not cls:
                    yield value.one, base


def certain(found: Result) -> Result:
    """What something is by all that is assigned to it: doubtful if part of that is not known."""
    values = tuple(value for value in found.values if value.tag != "?")
    return found if len(values) == len(found.values) else Result(values or found.values, False)


def bind(value: Value, cls: Definition) -> Value:
    """A member as an instance has it."""
    if value.tag == "F" and value.one.in_class >= 0 and "staticmethod" not in value.one.marks:
        return Value("B", value.one, cls)
    return value


def is_property(function: Definition) -> bool:
    """Whether a method is called by naming it."""
    return not PROPERTIES.isdisjoint(function.marks)


def linear(lines: list[list[Definition]]) -> list[Definition]:
    """Python's order of bases; where there is none, each class at its first place."""
    left = [list(line) for line in lines if line]
    found: list[Definition] = []
    while left:
        heads = [line[0] for line in left]
        best = next((one for one in heads if not any(one in line[1:] for line in left)), heads[0])
        found.append(best)
        left = [rest for line in left if (rest := [one for one in line if one is not best])]
    return list(dict.fromkeys(found))
