"""Evaluates terms over all texts: from names to the functions and classes that they lead to."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from codebase.graph.code import CodeFile
from codebase.graph.modules import ModulePlace, Modules
from codebase.graph.python import containers
from codebase.graph.python.classes import Classes, certain, is_property
from codebase.graph.python.term_values import (
    NOTHING,
    OUTSIDE,
    UNKNOWN,
    Result,
    StoredDefinition,
    StoredFacts,
    Value,
    joined,
    text_of,
)

MAX_DEPTH: Final = 80
BUILTINS: Final = frozenset(dir(builtins))


class Evaluator:
    """The values of terms, each computed once."""

    def __init__(self, files: list[tuple[CodeFile, Any]], modules: Modules) -> None:
        self._modules = modules
        self.texts: dict[str, StoredFacts] = {file.path: text_of(file, facts) for file, facts in files}
        self.classes = Classes(self.term)
        self._depth = 0

    def term(self, text: StoredFacts, number: int) -> Result:
        """All that a term may be. A term that depends on itself adds nothing to the rest."""
        known = text.known.get(number)
        if known is not None:
            return known
        if self._depth > MAX_DEPTH:
            return UNKNOWN
        text.known[number] = NOTHING
        self._depth += 1
        try:
            row = text.rows[number]
            result = self.EVALUATE[row[0]](self, text, row)
        finally:
            self._depth -= 1
        text.known[number] = result
        return result

    def terms(self, text: StoredFacts, numbers: list[int]) -> list[Result]:
        return [self.term(text, number) for number in numbers]

    def name(self, text: StoredFacts, name: str) -> Result:
        """A name of a module, as code inside it sees it."""
        if name in text.members:
            return self.term(text, text.members[name])
        result = self._starred(text, name)
        if result is not None:
            return result
        return Result((Value("X", name),)) if name in BUILTINS else UNKNOWN

    def _starred(self, text: StoredFacts, name: str) -> Result | None:
        """A name that star imports bring, directly or through others; each module is looked into once."""
        outside = None
        seen = {text.file.path}
        waiting = [(text, module) for module in reversed(text.stars)]
        while waiting:
            importing, module = waiting.pop()
            place = self._modules.find(importing.file.path, module)
            source = self.texts.get(place.file or "") if place else None
            if source is None:
                outside = OUTSIDE
            elif source.file.path not in seen and source.offers(name):
                seen.add(source.file.path)
                if name in source.members:
                    result = self.term(source, source.members[name])
                    if result.values and result != OUTSIDE:
                        return result
                    outside = outside or (result if result.values else None)
                else:
                    waiting += [(source, further) for further in reversed(source.stars)]
        return outside

    def public(self, text: StoredFacts, name: str) -> Result | None:
        """An attribute of a module; None if the module has none of this name."""
        if name in text.members:
            result = self.term(text, text.members[name])
            return result if result.values else None
        return self._starred(text, name)

    def attribute(self, value: Value, name: str) -> Result:
        """An attribute of a value."""
        look = self.LOOK.get(value.tag)
        if look is not None:
            return look(self, value, name)
        if value.tag == "X" and value.subject:
            return Result((Value("X", f"{value.subject}.{name}"),))
        return NOTHING if value.tag == "N" else UNKNOWN if value.tag == "?" else OUTSIDE

    def _of_wrapped(self, value: Value, name: str) -> Result:
        return joined(self.attribute(result, name) for result in value.detail)

    def _of_module(self, value: Value, name: str) -> Result:
        place: ModulePlace = value.subject
        text = self.texts.get(place.file or "")
        result = self.public(text, name) if text else None
        if result is not None and result.values != OUTSIDE.values:
            return result if place.sure else result._replace(sure=False)
        inner = self._modules.inner(place, name)
        if inner is not None:
            return Result((Value("M", inner),), inner.sure)
        return result or (UNKNOWN if text else OUTSIDE)

    def _of_super(self, value: Value, name: str) -> Result:
        cls: StoredDefinition = value.subject
        result = self.classes.in_body(cls, name, 1)
        if result is None:
            self.classes.order(cls)
            return UNKNOWN if cls.leaks == "?" else OUTSIDE
        functions = [member for member in result.values if member.tag in ("F", "W")]
        return Result(tuple(Value("B", function.subject, cls) for function in functions), result.sure)

    def _of_instance(self, value: Value, name: str) -> Result:
        result = self.classes.of_instance(value.subject, name)
        read: list[Result] = []
        others: list[Value] = []
        for member in result.values:
            if member.tag == "B" and is_property(member.subject):
                read.append(self.returned(member.subject, member.detail))
            else:
                others.append(member)
        return joined([*read, Result(tuple(others))], result.sure) if read else result

    def _of_container(self, value: Value, name: str) -> Result:
        return Result((Value("K", value, name),))

    def returned(self, function: StoredDefinition, receiver: StoredDefinition | None) -> Result:
        """The result of a call of a function."""
        if function.returns >= 0:
            said = self.term(function.text, function.returns)
            if receiver is not None and any(value.tag == "X" and value.subject == "Self" for value in said.values):
                return Result((Value("I", receiver),), said.sure)
            return said
        results: list[Result] = []
        for number in function.values:
            is_self = function.text.rows[number][0] == "s" and receiver is not None
            results.append(Result((Value("I", receiver),)) if is_self else self.term(function.text, number))
        if "yields" in function.marks:
            return Result((containers.holding("L", containers.of_all(results)),))
        return certain(joined(results)) if results else OUTSIDE

    def call(self, value: Value) -> Result:
        """The result of a call of a value."""
        if value.tag == "C":
            return Result((Value("I", value.subject),))
        if value.tag in ("F", "B"):
            return self.returned(value.subject, value.detail)
        if value.tag == "W":
            return joined(self.call(result) for result in value.detail)
        if value.tag == "I":
            function = self.classes.function(value.subject, "__call__")
            return self.returned(function, value.subject) if function else self.classes.missing(value.subject)
        if value.tag == "K":
            return containers.called(value.subject, value.detail)
        if value.tag == "G":
            return Result(value.subject)
        return NOTHING if value.tag == "N" else UNKNOWN if value.tag == "?" else OUTSIDE

    def over(self, value: Value) -> Result:
        """The elements that an iteration over a value gives."""
        if value.tag != "I":
            return containers.elements(value)
        function = self.classes.function(value.subject, "__iter__") or self.classes.function(value.subject, "__aiter__")
        if function is None:
            return self._method_result(value, "__getitem__")
        return joined(
            self._method_result(iterator, "__next__") if iterator.tag == "I" else containers.elements(iterator)
            for iterator in self.returned(function, value.subject).values
        )

    def _method_result(self, value: Value, name: str) -> Result:
        function = self.classes.function(value.subject, name)
        return self.returned(function, value.subject) if function else self.classes.missing(value.subject)

    def _each(self, result: Result, what: Callable[[Value], Result]) -> Result:
        return joined([what(value) for value in result.values], result.sure)

    def _unknown(self, _text: StoredFacts, _row: list[Any]) -> Result:
        return UNKNOWN

    def _literal(self, _text: StoredFacts, row: list[Any]) -> Result:
        return Result((Value("N") if row[1] == "None" else Value("V", row[1]),))

    def _name(self, text: StoredFacts, row: list[Any]) -> Result:
        return self.name(text, row[1])

    def _imported(self, text: StoredFacts, row: list[Any]) -> Result:
        place = self._modules.find(text.file.path, row[1])
        if place is None:
            return Result((Value("X", f"{row[1]}.{row[2]}"),)) if row[2] != "Self" else Result((Value("X", "Self"),))
        return self._of_module(Value("M", place), row[2])

    def _module(self, text: StoredFacts, row: list[Any]) -> Result:
        place = self._modules.find(text.file.path, row[1])
        return Result((Value("M", place),), place.sure) if place else Result((Value("X", row[1]),))

    def _definition(self, text: StoredFacts, row: list[Any]) -> Result:
        definition = text.definitions[int(row[1])]
        return Result((Value("C" if definition.kind == "c" else "F", definition),))

    def _decorated(self, text: StoredFacts, row: list[Any]) -> Result:
        """A function, or the result that its decorators are annotated with."""
        function = text.definitions[int(row[1])]
        made: tuple[Value, ...] = ()
        for decorator in self.terms(text, row[2]):
            results = [self.call(value).values for value in decorator.values if value.tag in ("F", "B", "G", "C")]
            made = tuple(value for values in results for value in values if value.tag == "I")
        return Result((Value("W", function, made) if made else Value("F", function),))

    def _just_assigned(self, text: StoredFacts, row: list[Any]) -> Result:
        attribute = text.rows[row[1]]
        for value in self.term(text, attribute[1]).values:
            if value.tag == "I" and self.classes.function(value.subject, attribute[2]) is not None:
                return self.term(text, row[1])
        return self.term(text, row[2])

    def _narrowed(self, text: StoredFacts, row: list[Any]) -> Result:
        """A value of a narrower type. If that type is from outside, the containers known before still hold."""
        before, after = self.term(text, row[1]), self.term(text, row[2])
        if all(value.tag in ("V", "X", "?") for value in after.values):
            kept = tuple(value for value in before.values if value.tag in ("L", "T", "D", "X", "V"))
            return Result(kept, before.sure) if kept else after
        return after

    def _passed_on(self, text: StoredFacts, row: list[Any]) -> Result:
        called = self.term(text, row[1])
        if any(value.tag in ("X", "?") for value in called.values):
            return self.term(text, row[2])
        return self._each(called, self.call)

    def _self(self, text: StoredFacts, row: list[Any]) -> Result:
        return Result((Value("I", text.definitions[row[1]]),))

    def _cls(self, text: StoredFacts, row: list[Any]) -> Result:
        return Result((Value("C", text.definitions[row[1]]),))

    def _super(self, text: StoredFacts, row: list[Any]) -> Result:
        return Result((Value("S", text.definitions[row[1]]),))

    def _attribute(self, text: StoredFacts, row: list[Any]) -> Result:
        return self._each(self.term(text, row[1]), lambda value: self.attribute(value, row[2]))

    def _called(self, text: StoredFacts, row: list[Any]) -> Result:
        return self._each(self.term(text, row[1]), self.call)

    def _typed(self, text: StoredFacts, row: list[Any]) -> Result:
        return self._each(self.term(text, row[1]), self.instance)

    def instance(self, value: Value) -> Result:
        """An instance of a type."""
        if value.tag == "C":
            return Result((Value("I", value.subject),))
        if value.tag == "X":
            last = str(value.subject).rpartition(".")[2]
            return Result((Value("X", "Self") if last == "Self" else Value("V", value.subject),))
        return UNKNOWN if value.tag not in ("N", "L", "T", "D", "I", "G") else Result((value,))

    def _generic(self, text: StoredFacts, row: list[Any]) -> Result:
        given = self.terms(text, row[2])

        def made(value: Value) -> Result:
            container = containers.made(str(value.subject), given) if value.tag == "X" else None
            return container or self.instance(value)

        return self._each(self.term(text, row[1]), made)

    def _union(self, text: StoredFacts, row: list[Any]) -> Result:
        return joined(self.terms(text, row[1]))

    def _element(self, text: StoredFacts, row: list[Any]) -> Result:
        return self._each(self.term(text, row[1]), self.over)

    def _item(self, text: StoredFacts, row: list[Any]) -> Result:
        def taken(value: Value) -> Result:
            if value.tag == "I":
                return self._method_result(value, "__getitem__")
            return Result((value,)) if value.tag in ("C", "X") else containers.item(value)

        return self._each(self.term(text, row[1]), taken)

    def _part(self, text: StoredFacts, row: list[Any]) -> Result:
        def taken(value: Value) -> Result:
            return self.over(value) if value.tag == "I" else containers.part(value, row[2])

        return self._each(self.term(text, row[1]), taken)

    def _entered(self, text: StoredFacts, row: list[Any]) -> Result:
        def entered(value: Value) -> Result:
            if value.tag != "I":
                return containers.elements(value)
            function = self.classes.function(value.subject, "__enter__") or self.classes.function(
                value.subject, "__aenter__"
            )
            return self.returned(function, value.subject) if function else Result((value,))

        return self._each(self.term(text, row[1]), entered)

    def _list(self, text: StoredFacts, row: list[Any]) -> Result:
        return Result((containers.holding("L", containers.of_all(self.terms(text, row[1]))),))

    def _tuple(self, text: StoredFacts, row: list[Any]) -> Result:
        return Result((containers.holding("T", *(part.values for part in self.terms(text, row[1]))),))

    def _dict(self, text: StoredFacts, row: list[Any]) -> Result:
        keys, values = (containers.of_all(self.terms(text, part)) for part in row[1:])
        return Result((containers.holding("D", keys, values),))

    LOOK: ClassVar[Mapping[str, Callable[[Any, Value, str], Result]]] = {
        "M": _of_module,
        "S": _of_super,
        "I": _of_instance,
        "C": lambda self, value, name: self.classes.of_class(value.subject, name),
        "W": _of_wrapped,
        **dict.fromkeys("LTD", _of_container),
    }
    EVALUATE: ClassVar[Mapping[str, Callable[[Any, StoredFacts, list[Any]], Result]]] = {
        "?": _unknown,
        "v": _literal,
        "n": _name,
        "i": _imported,
        "m": _module,
        "d": _definition,
        "s": _self,
        "k": _cls,
        "z": _super,
        "a": _attribute,
        "c": _called,
        "t": _typed,
        "g": _generic,
        "u": _union,
        "e": _element,
        "x": _item,
        "y": _part,
        "w": _entered,
        "l": _list,
        "p": _tuple,
        "D": _dict,
        "@": _decorated,
        "h": _just_assigned,
        "r": _narrowed,
        "q": _passed_on,
    }
