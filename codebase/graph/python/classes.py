"""Looks attributes up in classes: the order of bases, the names in bodies, the assignments to `self` in methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from codebase.graph.python.term_values import OUTSIDE, UNKNOWN, Result, StoredDefinition, StoredFacts, Value, joined

Term = Callable[[StoredFacts, int], Result]
PROPERTIES: Final = frozenset(("property", "cached_property", "getter", "abstractproperty", "lazy_property"))
MAX_DEPTH: Final = 60
MAX_BASES: Final = 100
"""More was not written by hand."""
ENUMS: Final = frozenset(("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"))


class Classes:
    """Looks attributes up, by terms that are evaluated for it."""

    def __init__(self, term: Term) -> None:
        self._term = term

    def order(self, cls: StoredDefinition, depth: int = 0) -> list[StoredDefinition]:
        """A class and those it inherits from, in the order in which Python looks attributes up."""
        if depth > MAX_DEPTH:
            return [cls]
        if cls.order is None:
            cls.order = [cls]
            lines: list[list[StoredDefinition]] = []
            for term in cls.bases:
                for value in self._term(cls.text, term).values:
                    if value.tag == "C":
                        lines.append(self.order(value.subject, depth + 1))
                        cls.leaks = cls.leaks or value.subject.leaks
                    elif value.tag != "X" or value.subject not in ("object", "builtins.object"):
                        cls.leaks = "X" if value.tag == "X" else cls.leaks or "?"
            cls.order = [cls, *linear([*lines, [line[0] for line in lines]])][:MAX_BASES]
        return cls.order

    def in_body(self, cls: StoredDefinition, name: str, start: int = 0) -> Result | None:
        """The definition of a name in the body of a class, or of the first that it inherits from."""
        for owner in self.order(cls)[start:]:
            if name in owner.members:
                return self._term(owner.text, owner.members[name])
        return None

    def function(self, cls: StoredDefinition, name: str, start: int = 0) -> StoredDefinition | None:
        """The method of a name that an instance of the class has."""
        result = self.in_body(cls, name, start)
        functions = [value.subject for value in result.values if value.tag in ("F", "W")] if result else []
        return functions[-1] if functions else None

    def of_class(self, cls: StoredDefinition, name: str) -> Result:
        """An attribute of the class itself."""
        if name in ("__class__", "__name__", "__qualname__", "__doc__", "__module__", "__dict__"):
            return OUTSIDE
        result = self.in_body(cls, name)
        if result is None:
            return self.missing(cls)
        if self.is_enum(cls) and not any(value.tag in ("F", "C") for value in result.values):
            return Result((Value("I", cls),))
        return Result(tuple(self._through_class(value, cls) for value in result.values), result.sure)

    def _through_class(self, value: Value, cls: StoredDefinition) -> Value:
        return Value("B", value.subject, cls) if value.tag == "F" and "classmethod" in value.subject.marks else value

    def of_instance(self, cls: StoredDefinition, name: str) -> Result:
        """An attribute of an instance. A property is a bound function, `Value("B", ...)`."""
        if name == "__class__":
            return Result((Value("C", cls),))
        said = self._said(cls, name)
        if said is not None:
            return said
        result = self.in_body(cls, name)
        bound = [bind(value, cls) for value in result.values] if result else []
        if any(value.tag in ("B", "F", "C", "W") for value in bound):
            return Result(tuple(bound), result.sure if result else True)
        assigned = [self._term(owner.text, term) for owner in self.order(cls) for term in owner.given.get(name, ())]
        if not bound and not assigned:
            return self.missing(cls)
        results = [Result(tuple(bound)), *assigned] if bound else assigned
        return certain(joined(results))

    def _said(self, cls: StoredDefinition, name: str) -> Result | None:
        for owner in self.order(cls):
            if name in owner.said:
                return self._term(owner.text, owner.said[name])
            if name in owner.members and name not in owner.said:
                return None
        return None

    def missing(self, cls: StoredDefinition) -> Result:
        """The result for an attribute that no class in the repository defines."""
        self.order(cls)
        return OUTSIDE if cls.leaks == "X" else UNKNOWN

    def is_enum(self, cls: StoredDefinition) -> bool:
        """True if the attributes of a class are its instances."""
        for owner in self.order(cls):
            for term in owner.bases:
                for value in self._term(owner.text, term).values:
                    if value.tag == "X" and str(value.subject).rpartition(".")[2] in ENUMS:
                        return True
        return False

    def overridden(self, cls: StoredDefinition) -> Iterator[tuple[StoredDefinition, StoredDefinition]]:
        """Each method of a class with the method that it overrides."""
        for name, term in cls.members.items():
            for value in self._term(cls.text, term).values if len(self.order(cls)) > 1 else ():
                base = self.function(cls, name, 1) if value.tag == "F" and value.subject.of_class is cls else None
                if base is not None and base.of_class is not cls:
                    yield value.subject, base


def certain(result: Result) -> Result:
    """The result by all assignments: doubtful if part of them is not known."""
    values = tuple(value for value in result.values if value.tag != "?")
    return result if len(values) == len(result.values) else Result(values or result.values, False)


def bind(value: Value, cls: StoredDefinition) -> Value:
    """A member as an instance has it."""
    if value.tag == "F" and value.subject.in_class >= 0 and "staticmethod" not in value.subject.marks:
        return Value("B", value.subject, cls)
    return value


def is_property(function: StoredDefinition) -> bool:
    """True if a method is called by naming it."""
    return not PROPERTIES.isdisjoint(function.marks)


def linear(lines: list[list[StoredDefinition]]) -> list[StoredDefinition]:
    """Python's order of bases; if there is none, each class at its first place."""
    rows = [list(line) for line in lines if line]
    order: list[StoredDefinition] = []
    while rows:
        heads = [line[0] for line in rows]
        best = next((head for head in heads if not any(head in line[1:] for line in rows)), heads[0])
        order.append(best)
        rows = [rest for line in rows if (rest := [cls for cls in line if cls is not best])]
    return list(dict.fromkeys(order))
