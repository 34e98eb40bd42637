"""From the sites of all texts to edges: calls, uses, imports, inheritance and overriding."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final

from codebase.graph.code import Code
from codebase.graph.edge import Certainty, Edge, Gap
from codebase.graph.modules import Modules
from codebase.graph.python.classes import is_property
from codebase.graph.python.evaluating import Evaluator
from codebase.graph.python.expressions import OPERATORS
from codebase.graph.python.term_values import NOTHING, Result, StoredDefinition, StoredFacts, Value

COMMON: Final = frozenset(
    name for kind in (str, bytes, list, dict, set, tuple, int, float) for name in dir(kind) if not name.startswith("__")
) | {"close", "read", "write", "open", "run", "start", "stop", "save", "load", "next", "send", "get", "set", "name"}
"""Methods that Python's own types have, or that everything has: a call by such a name says nothing."""
CALLED: Final = ("F", "B", "C", "W")
INSTEAD: Final = {"__str__": "__repr__", "__ne__": "__eq__", "__contains__": "__iter__"} | {
    f"__i{name}__": f"__{name}__" for name in OPERATORS.values()
}
"""The method that an operator calls if there is no other."""
FEW: Final = 3
"""A method that more classes define is not found by its name."""


class PythonEdges:
    """The edges between all Python files."""

    def __init__(self, code: Code, maker: str) -> None:
        self._modules = Modules(code.files)
        self._evaluator = Evaluator(list(code.facts(maker)), self._modules)
        self._classes = self._evaluator.classes
        self._code = code
        self._methods: dict[str, list[StoredDefinition]] = defaultdict(list)
        self._loaded: set[str] = set()
        for text in self._evaluator.texts.values():
            for definition in text.definitions:
                if definition.kind == "f" and definition.in_class >= 0 and definition.unit >= 0:
                    self._methods[definition.name].append(definition)
                self._loaded.add(definition.name)

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
            definition: StoredDefinition = value.subject
            return definition.number
        return self._code.unit(value.subject.file, "") if value.tag == "M" and value.subject.file else None

    def _imports(self, text: StoredFacts) -> Iterator[Edge]:
        for unit, line, term in text.imports:
            result = self._evaluator.term(text, term)
            row = text.rows[term]
            numbers = [number for value in result.values if (number := self._number(value)) is not None]
            if not numbers and row[0] == "i":
                place = self._modules.find(text.file.path, row[1])
                module = self._code.unit(place.file, "") if place and place.file else None
                numbers = [module] if module is not None else []
            for number in numbers if unit >= 0 else ():
                yield Edge(text.file.first + unit, number, "imports", certainty(result), line)

    def _inheritance(self, text: StoredFacts) -> Iterator[Edge]:
        for cls in text.definitions:
            if cls.kind != "c" or cls.number is None:
                continue
            for term in cls.bases:
                result = self._evaluator.term(text, term)
                for value in result.values:
                    if value.tag == "C" and value.subject.number is not None:
                        yield Edge(cls.number, value.subject.number, "inherits", certainty(result), cls.line)
            for own, base in self._classes.overridden(cls):
                if own.number is not None and base.number is not None:
                    yield Edge(own.number, base.number, "overrides", "exact", own.line)

    def _call(self, text: StoredFacts, source: int, line: int, term: int) -> Iterator[Edge | Gap]:
        result = self._evaluator.term(text, term)
        sure = certainty(result)
        for value in result.values:
            for target in self._targets(value):
                if target.number is not None:
                    yield Edge(source, target.number, "calls", sure, line)
        if any(value.tag == "?" for value in result.values) or not result.values:
            yield from self._by_name(text, source, line, term, bool(len(result.values) > 1))

    def _targets(self, value: Value) -> Iterator[StoredDefinition]:
        """The functions that run if a value is called; for a class also its `__init__` and `__new__`."""
        if value.tag in ("F", "B", "W"):
            yield value.subject
            for result in value.detail if value.tag == "W" else ():
                yield from self._targets(result)
        elif value.tag == "C":
            yield value.subject
            for name in ("__init__", "__new__"):
                made = self._classes.function(value.subject, name)
                if made is not None:
                    yield made
        elif value.tag == "I":
            called = self._classes.function(value.subject, "__call__")
            if called is not None:
                yield called

    def _by_name(self, text: StoredFacts, source: int, line: int, term: int, partly: bool) -> Iterator[Edge | Gap]:
        """The edges of a call whose receiver is not known."""
        row = text.rows[term]
        name = row[2] if row[0] == "a" else row[1] if row[0] == "n" else ""
        targets = self._methods.get(name, []) if row[0] == "a" and name not in COMMON and not partly else []
        if 0 < len(targets) <= FEW:
            for target in targets:
                if target.number is not None:
                    yield Edge(source, target.number, "calls", "by name", line)
        yield Gap(source, line, name or "a value")

    def _load(self, text: StoredFacts, source: int, line: int, term: int) -> Iterator[Edge]:
        row = text.rows[term]
        if row[0] == "a":
            if row[2] in self._loaded:
                yield from self._property(text, source, line, row, row[2], loads=True)
            return
        if row[0] == "n" and row[1] not in text.members and not text.stars:
            return
        result = self._evaluator.term(text, term)
        for value in result.values:
            if value.tag in CALLED and value.subject.number not in (None, source):
                yield Edge(source, value.subject.number, "uses", certainty(result), line)

    def _property(
        self, text: StoredFacts, source: int, line: int, row: list[Any], name: str, *, loads: bool
    ) -> Iterator[Edge]:
        """A property that is read or assigned to is a call; a method that is named without a call is a use."""
        base = self._evaluator.term(text, row[1])
        for value in base.values:
            held = value.tag in ("I", "C", "M", "S")
            result = self._raw(value, name) if held else None
            for member in result.values if result else ():
                if member.tag not in CALLED or member.subject.number is None:
                    continue
                called = (member.tag == "B" and is_property(member.subject)) or not loads
                sure = certainty(Result((), base.sure and result.sure if result else False))
                if called or member.subject.number != source:
                    yield Edge(source, member.subject.number, "calls" if called else "uses", sure, line)

    def _raw(self, value: Value, name: str) -> Result:
        """An attribute, a property as itself."""
        if value.tag == "I":
            return self._classes.of_instance(value.subject, name)
        return self._evaluator.attribute(value, name)

    def _store(self, text: StoredFacts, source: int, line: int, term: int) -> Iterator[Edge]:
        row = text.rows[term]
        if row[0] == "a" and row[2] in self._loaded:
            yield from self._property(text, source, line, row, f"{row[2]}.setter", loads=False)

    def _operator(self, text: StoredFacts, source: int, line: int, term: int) -> Iterator[Edge]:
        row = text.rows[term]
        names = [name for name in (row[2], INSTEAD.get(row[2], "")) if name in self._methods]
        base = self._evaluator.term(text, row[1]) if names else NOTHING
        for value in base.values:
            methods = (self._classes.function(value.subject, name) for name in names if value.tag == "I")
            method = next((method for method in methods if method is not None), None)
            if method is not None and method.number is not None:
                yield Edge(source, method.number, "calls", certainty(base), line)

    def _decorator(self, text: StoredFacts, source: int, line: int, term: int) -> Iterator[Edge | Gap]:
        """The edges of a decorator, which is applied; if it may be one thing or another, nothing is known."""
        row = text.rows[term]
        if row[0] != "n" or row[1] in text.members or text.stars:
            result = self._evaluator.term(text, term)
            for value in result.values if result.sure else ():
                for target in self._targets(value):
                    if target.number is not None:
                        yield Edge(source, target.number, "calls", "exact", line)

    def _dynamic(self, text: StoredFacts, source: int, line: int, term: int) -> Iterator[Gap]:
        yield Gap(source, line, str(text.rows[term][1]))

    SITES: ClassVar[Mapping[str, Callable[[Any, StoredFacts, int, int, int], Iterator[Edge | Gap]]]] = {
        "c": _call,
        "l": _load,
        "=": _store,
        "o": _operator,
        "@": _decorator,
        "?": _dynamic,
    }


def certainty(result: Result) -> Certainty:
    """The certainty of an edge that rests on this result."""
    return "exact" if result.sure else "inferred"
