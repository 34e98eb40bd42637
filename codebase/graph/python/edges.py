"""From the sites of all texts to edges: who calls, uses, imports, inherits and overrides what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final

from codebase.graph.code import Code
from codebase.graph.edge import Certainty, Edge, Gap
from codebase.graph.modules import Modules
from codebase.graph.python.classes import is_property
from codebase.graph.python.evaluating import Evaluator
from codebase.graph.python.term_values import NOTHING, Definition, Result, Text, Value

COMMON: Final = frozenset(
    name for kind in (str, bytes, list, dict, set, tuple, int, float) for name in dir(kind) if not name.startswith("__")
) | {"close", "read", "write", "open", "run", "start", "stop", "save", "load", "next", "send", "get", "set", "name"}
"""Methods that Python's own types have, or that everything has: a call by such a name says nothing."""
CALLED: Final = ("F", "B", "C", "W")
INSTEAD: Final = {"__str__": "__repr__", "__iadd__": "__add__", "__ne__": "__eq__", "__contains__": "__iter__"}
"""The method that an operator calls if there is no other."""
FEW: Final = 3
"""A method that more classes define is not found by its name."""


class PythonEdges:
    """The edges between all Python files."""

    def __init__(self, code: Code, maker: str) -> None:
        found = list(code.facts(maker))
        self._modules = Modules(code.files)
        self._evaluator = Evaluator(found, self._modules)
        self._classes = self._evaluator.classes
        self._code = code
        self._methods: dict[str, list[Definition]] = defaultdict(list)
        self._loaded: set[str] = set()
        for text in self._evaluator.texts.values():
            for one in text.definitions:
                if one.kind == "f" and one.in_class >= 0 and one.unit >= 0:
                    self._methods[one.name].append(one)
                self._loaded.add(one.name)

    def __iter__(self) -> Iterator[Edge | Gap]:
        for text in self._evaluator.texts.values():
            yield from self._imports(text)
            yield from self._inheritance(text)
            for unit, line, what, term in text.sites:
                if unit >= 0:
                    yield from self.SITES[what](self, text, text.file.first + unit, line, term)

    def _number(self, value: Value) -> int | None:
        """The unit of a value."""
        if value.tag in CALLED:
            found: Definition = value.one
            return found.number
        return self._code.unit(value.one.file, "") if value.tag == "M" and value.one.file else None

    def _imports(self, text: Text) -> Iterator[Edge]:
        for unit, line, term in text.imports:
            found = self._evaluator.term(text, term)
            row = text.rows[term]
            numbers = [number for value in found.values if (number := self._number(value)) is not None]
            if not numbers and row[0] == "i":
                place = self._modules.find(text.file.path, row[1])
                module = self._code.unit(place.file, "") if place and place.file else None
                numbers = [module] if module is not None else []
            for number in numbers if unit >= 0 else ():
                yield Edge(text.file.first + unit, number, "imports", certainty(found), line)

    def _inheritance(self, text: Text) -> Iterator[Edge]:
        for cls in text.definitions:
            if cls.kind != "c" or cls.number is None:
                continue
            for term in cls.bases:
                found = self._evaluator.term(text, term)
                for value in found.values:
                    if value.tag == "C" and value.one.number is not None:
                        yield Edge(cls.number, value.one.number, "inherits", certainty(found), cls.line)
            for own, base in self._classes.overridden(cls):
                if own.number is not None and base.number is not None:
                    yield Edge(own.number, base.number, "overrides", "exact", own.line)

    def _call(self, text: Text, source: int, line: int, term: int) -> Iterator[Edge | Gap]:
        found = self._evaluator.term(text, term)
        sure = certainty(found)
        for value in found.values:
            for target in self._targets(value):
                if target.number is not None:
                    yield Edge(source, target.number, "calls", sure, line)
        if any(value.tag == "?" for value in found.values) or not found.values:
            yield from self._by_name(text, source, line, term, bool(len(found.values) > 1))

    def _targets(self, value: Value) -> Iterator[Definition]:
        """What runs if a value is called. For a class that is also its `__init__` and `__new__`."""
        if value.tag in ("F", "B", "W"):
            yield value.one
            for one in value.two if value.tag == "W" else ():
                yield from self._targets(one)
        elif value.tag == "C":
            yield value.one
            for name in ("__init__", "__new__"):
                made = self._classes.function(value.one, name)
                if made is not None:
                    yield made
        elif value.tag == "I":
            called = self._classes.function(value.one, "__call__")
            if called is not None:
                yield called

    def _by_name(self, text: Text, source: int, line: int, term: int, partly: bool) -> Iterator[Edge | Gap]:
        """What a call may reach whose receiver is not known."""
        row = text.rows[term]
        name = row[2] if row[0] == "a" else row[1] if row[0] == "n" else ""
        targets = self._methods.get(name, []) if row[0] == "a" and name not in COMMON and not partly else []
        if 0 < len(targets) <= FEW:
            for target in targets:
                if target.number is not None:
                    yield Edge(source, target.number, "calls", "by name", line)
        yield Gap(source, line, name or "a value")

    def _load(self, text: Text, source: int, line: int, term: int) -> Iterator[Edge]:
        row = text.rows[term]
        if row[0] == "a":
            if row[2] in self._loaded:
                yield from self._property(text, source, line, row, row[2], loads=True)
            return
        if row[0] == "n" and row[1] not in text.members and not text.stars:
            return
        found = self._evaluator.term(text, term)
        for value in found.values:
            if value.tag in CALLED and value.one.number not in (None, source):
                yield Edge(source, value.one.number, "uses", certainty(found), line)

    def _property(
        self, text: Text, source: int, line: int, row: list[Any], name: str, *, loads: bool
    ) -> Iterator[Edge]:
        """A property that is read or assigned to is a call; a method that is named without a call is a use."""
        base = self._evaluator.term(text, row[1])
        for value in base.values:
            held = value.tag in ("I", "C", "M", "S")
            found = self._raw(value, name) if held else None
            for one in found.values if found else ():
                if one.tag not in CALLED or one.one.number is None:
                    continue
                called = (one.tag == "B" and is_property(one.one)) or not loads
                sure = certainty(Result((), base.sure and found.sure if found else False))
                if called or one.one.number != source:
                    yield Edge(source, one.one.number, "calls" if called else "uses", sure, line)

    def _raw(self, value: Value, name: str) -> Result:
        """An attribute, a property as itself."""
        if value.tag == "I":
            return self._classes.of_instance(value.one, name)
        return self._evaluator.attribute(value, name)

    def _store(self, text: Text, source: int, line: int, term: int) -> Iterator[Edge]:
        row = text.rows[term]
        if row[0] == "a" and row[2] in self._loaded:
            yield from self._property(text, source, line, row, f"{row[2]}.setter", loads=False)

    def _operator(self, text: Text, source: int, line: int, term: int) -> Iterator[Edge]:
        row = text.rows[term]
        names = [name for name in (row[2], INSTEAD.get(row[2], "")) if name in self._methods]
        base = self._evaluator.term(text, row[1]) if names else NOTHING
        for value in base.values:
            found = (self._classes.function(value.one, name) for name in names if value.tag == "I")
            method = next((one for one in found if one is not None), None)
            if method is not None and method.number is not None:
                yield Edge(source, method.number, "calls", certainty(base), line)

    def _decorator(self, text: Text, source: int, line: int, term: int) -> Iterator[Edge | Gap]:
        """Decorators are applied: of what may be one thing or another, nothing is known."""
        row = text.rows[term]
        if row[0] != "n" or row[1] in text.members or text.stars:
            found = self._evaluator.term(text, term)
            for value in found.values if found.sure else ():
                for target in self._targets(value):
                    if target.number is not None:
                        yield Edge(source, target.number, "calls", "exact", line)

    def _dynamic(self, text: Text, source: int, line: int, term: int) -> Iterator[Gap]:
        yield Gap(source, line, str(text.rows[term][1]))

    SITES: ClassVar[Mapping[str, Callable[[Any, Text, int, int, int], Iterator[Edge | Gap]]]] = {
        "c": _call,
        "l": _load,
        "=": _store,
        "o": _operator,
        "@": _decorator,
        "?": _dynamic,
    }


def certainty(found: Result) -> Certainty:
    return "exact" if found.sure else "inferred"
