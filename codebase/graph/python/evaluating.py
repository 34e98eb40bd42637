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
    Definition,
    Result,
    Text,
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
        self.texts: dict[str, Text] = {file.path: text_of(file, facts) for file, facts in files}
        self.classes = Classes(self.term)
        self._depth = 0
        self._stars: set[tuple[str, str]] = set()

    def term(self, text: Text, number: int) -> Result:
        """What a term may be. A term that depends on itself is nothing more than the rest of what it may be."""
        known = text.known.get(number)
        if known is not None:
            return known
        if self._depth > MAX_DEPTH:
            return UNKNOWN
        text.known[number] = NOTHING
        self._depth += 1
        try:
            row = text.rows[number]
            found = self.EVALUATE[row[0]](self, text, row)
        finally:
            self._depth -= 1
        text.known[number] = found
        return found

    def terms(self, text: Text, numbers: list[int]) -> list[Result]:
        return [self.term(text, number) for number in numbers]

    def name(self, text: Text, name: str) -> Result:
        """A name of a module, as code inside it sees it."""
        if name in text.members:
            return self.term(text, text.members[name])
        found = self._starred(text, name)
        if found is not None:
            return found
        return Result((Value("X", name),)) if name in BUILTINS else UNKNOWN

    def _starred(self, text: Text, name: str) -> Result | None:
        """A name that a star import brings."""
        outside = None
        for module in text.stars:
            place = self._modules.find(text.file.path, module)
            source = self.texts.get(place.file or "") if place else None
            if source is None:
                outside = OUTSIDE
            elif name in source.exported if source.exported is not None else not name.startswith("_"):
                found = self.public(source, name)
                if found is not None and found != OUTSIDE:
                    return found
                outside = outside or found
        return outside

    def public(self, text: Text, name: str) -> Result | None:
        """An attribute of a module; None if the module has none of this name."""
        if name in text.members:
            found = self.term(text, text.members[name])
            return found if found.values else None
        key = text.file.path, name
        if key in self._stars:
            return None
        self._stars.add(key)
        brought = self._starred(text, name)
        self._stars.discard(key)
        return brought

    def attribute(self, value: Value, name: str) -> Result:
        """An attribute of a value."""
        look = self.LOOK.get(value.tag)
        if look is not None:
            return look(self, value, name)
        if value.tag == "X" and value.one:
            return Result((Value("X", f"{value.one}.{name}"),))
        return NOTHING if value.tag == "N" else UNKNOWN if value.tag == "?" else OUTSIDE

    def _of_wrapped(self, value: Value, name: str) -> Result:
        return joined(self.attribute(one, name) for one in value.two)

    def _of_module(self, value: Value, name: str) -> Result:
        place: ModulePlace = value.one
        text = self.texts.get(place.file or "")
        found = self.public(text, name) if text else None
        if found is not None and found.values != OUTSIDE.values:
            return found if place.sure else found._replace(sure=False)
        inner = self._modules.inner(place, name)
        if inner is not None:
            return Result((Value("M", inner),), inner.sure)
        return found or (UNKNOWN if text else OUTSIDE)

    def _of_super(self, value: Value, name: str) -> Result:
        cls: Definition = value.one
        found = self.classes.in_body(cls, name, 1)
        if found is None:
            self.classes.order(cls)
            return UNKNOWN if cls.leaks == "?" else OUTSIDE
        functions = [one for one in found.values if one.tag in ("F", "W")]
        return Result(tuple(Value("B", one.one, cls) for one in functions), found.sure)

    def _of_instance(self, value: Value, name: str) -> Result:
        found = self.classes.of_instance(value.one, name)
        read = [self.returned(one.one, one.two) for one in found.values if one.tag == "B" and is_property(one.one)]
        others = tuple(one for one in found.values if not (one.tag == "B" and is_property(one.one)))
        return joined([*read, Result(others)], found.sure) if read else found

    def _of_container(self, value: Value, name: str) -> Result:
        return Result((Value("K", value, name),))

    def returned(self, function: Definition, receiver: Definition | None) -> Result:
        """What a call of a function gives."""
        if function.returns >= 0:
            said = self.term(function.text, function.returns)
            if receiver is not None and any(one.tag == "X" and one.one == "Self" for one in said.values):
                return Result((Value("I", receiver),), said.sure)
            return said
        found: list[Result] = []
        for number in function.values:
            is_self = function.text.rows[number][0] == "s" and receiver is not None
            found.append(Result((Value("I", receiver),)) if is_self else self.term(function.text, number))
        if "yields" in function.marks:
            return Result((containers.holding("L", containers.of_all(found)),))
        return certain(joined(found)) if found else OUTSIDE

    def call(self, value: Value) -> Result:
        """What a call of a value gives."""
        if value.tag == "C":
            return Result((Value("I", value.one),))
        if value.tag in ("F", "B"):
            return self.returned(value.one, value.two)
        if value.tag == "W":
            return joined(self.call(one) for one in value.two)
        if value.tag == "I":
            function = self.classes.function(value.one, "__call__")
            return self.returned(function, value.one) if function else self.classes.missing(value.one)
        if value.tag == "K":
            return containers.called(value.one, value.two)
        if value.tag == "G":
            return Result(value.one)
        return NOTHING if value.tag == "N" else UNKNOWN if value.tag == "?" else OUTSIDE

    def over(self, value: Value) -> Result:
        """What an iteration over a value gives."""
        if value.tag != "I":
            return containers.elements(value)
        function = self.classes.function(value.one, "__iter__") or self.classes.function(value.one, "__aiter__")
        if function is None:
            return self._method_result(value, "__getitem__")
        found = [
            self._method_result(one, "__next__") if one.tag == "I" else containers.elements(one)
            for one in self.returned(function, value.one).values
        ]
        return joined(found)

    def _method_result(self, value: Value, name: str) -> Result:
        function = self.classes.function(value.one, name)
        return self.returned(function, value.one) if function else self.classes.missing(value.one)

    def _each(self, result: Result, what: Callable[[Value], Result]) -> Result:
        return joined([what(value) for value in result.values], result.sure)

    def _unknown(self, _text: Text, _row: list[Any]) -> Result:
        return UNKNOWN

    def _literal(self, _text: Text, row: list[Any]) -> Result:
        return Result((Value("N") if row[1] == "None" else Value("V", row[1]),))

    def _name(self, text: Text, row: list[Any]) -> Result:
        return self.name(text, row[1])

    def _imported(self, text: Text, row: list[Any]) -> Result:
        place = self._modules.find(text.file.path, row[1])
        if place is None:
            return Result((Value("X", f"{row[1]}.{row[2]}"),)) if row[2] != "Self" else Result((Value("X", "Self"),))
        return self._of_module(Value("M", place), row[2])

    def _module(self, text: Text, row: list[Any]) -> Result:
        place = self._modules.find(text.file.path, row[1])
        return Result((Value("M", place),), place.sure) if place else Result((Value("X", row[1]),))

    def _definition(self, text: Text, row: list[Any]) -> Result:
        found = text.definitions[int(row[1])]
        return Result((Value("C" if found.kind == "c" else "F", found),))

    def _decorated(self, text: Text, row: list[Any]) -> Result:
        """A function, or what its decorators say that they make of it."""
        function = text.definitions[int(row[1])]
        made: tuple[Value, ...] = ()
        for decorator in self.terms(text, row[2]):
            results = [self.call(one).values for one in decorator.values if one.tag in ("F", "B", "G", "C")]
            made = tuple(value for values in results for value in values if value.tag == "I")
        return Result((Value("W", function, made) if made else Value("F", function),))

    def _just_assigned(self, text: Text, row: list[Any]) -> Result:
        attribute = text.rows[row[1]]
        for value in self.term(text, attribute[1]).values:
            if value.tag == "I" and self.classes.function(value.one, attribute[2]) is not None:
                return self.term(text, row[1])
        return self.term(text, row[2])

    def _narrowed(self, text: Text, row: list[Any]) -> Result:
        """Of what is narrowed to a type from outside, what is known of it still holds."""
        before, after = self.term(text, row[1]), self.term(text, row[2])
        if all(value.tag in ("V", "X", "?") for value in after.values):
            kept = tuple(value for value in before.values if value.tag in ("L", "T", "D", "X", "V"))
            return Result(kept, before.sure) if kept else after
        return after

    def _passed_on(self, text: Text, row: list[Any]) -> Result:
        called = self.term(text, row[1])
        if any(value.tag in ("X", "?") for value in called.values):
            return self.term(text, row[2])
        return self._each(called, self.call)

    def _self(self, text: Text, row: list[Any]) -> Result:
        return Result((Value("I", text.definitions[row[1]]),))

    def _cls(self, text: Text, row: list[Any]) -> Result:
        return Result((Value("C", text.definitions[row[1]]),))

    def _super(self, text: Text, row: list[Any]) -> Result:
        return Result((Value("S", text.definitions[row[1]]),))

    def _attribute(self, text: Text, row: list[Any]) -> Result:
        return self._each(self.term(text, row[1]), lambda value: self.attribute(value, row[2]))

    def _called(self, text: Text, row: list[Any]) -> Result:
        return self._each(self.term(text, row[1]), self.call)

    def _typed(self, text: Text, row: list[Any]) -> Result:
        return self._each(self.term(text, row[1]), self.instance)

    def instance(self, value: Value) -> Result:
        """An instance of a type."""
        if value.tag == "C":
            return Result((Value("I", value.one),))
        if value.tag == "X":
            last = str(value.one).rpartition(".")[2]
            return Result((Value("X", "Self") if last == "Self" else Value("V", value.one),))
        return UNKNOWN if value.tag not in ("N", "L", "T", "D", "I", "G") else Result((value,))

    def _generic(self, text: Text, row: list[Any]) -> Result:
        given = self.terms(text, row[2])

        def made(value: Value) -> Result:
            found = containers.made(str(value.one), given) if value.tag == "X" else None
            return found or self.instance(value)

        return self._each(self.term(text, row[1]), made)

    def _union(self, text: Text, row: list[Any]) -> Result:
        return joined(self.terms(text, row[1]))

    def _element(self, text: Text, row: list[Any]) -> Result:
        return self._each(self.term(text, row[1]), self.over)

    def _item(self, text: Text, row: list[Any]) -> Result:
        def taken(value: Value) -> Result:
            if value.tag == "I":
                return self._method_result(value, "__getitem__")
            return Result((value,)) if value.tag in ("C", "X") else containers.item(value)

        return self._each(self.term(text, row[1]), taken)

    def _part(self, text: Text, row: list[Any]) -> Result:
        def taken(value: Value) -> Result:
            return self.over(value) if value.tag == "I" else containers.part(value, row[2])

        return self._each(self.term(text, row[1]), taken)

    def _entered(self, text: Text, row: list[Any]) -> Result:
        def entered(value: Value) -> Result:
            if value.tag != "I":
                return containers.elements(value)
            function = self.classes.function(value.one, "__enter__") or self.classes.function(value.one, "__aenter__")
            return self.returned(function, value.one) if function else Result((value,))

        return self._each(self.term(text, row[1]), entered)

    def _list(self, text: Text, row: list[Any]) -> Result:
        return Result((containers.holding("L", containers.of_all(self.terms(text, row[1]))),))

    def _tuple(self, text: Text, row: list[Any]) -> Result:
        return Result((containers.holding("T", *(one.values for one in self.terms(text, row[1]))),))

    def _dict(self, text: Text, row: list[Any]) -> Result:
        keys, values = (containers.of_all(self.terms(text, part)) for part in row[1:])
        return Result((containers.holding("D", keys, values),))

    LOOK: ClassVar[Mapping[str, Callable[[Any, Value, str], Result]]] = {
        "M": _of_module,
        "S": _of_super,
        "I": _of_instance,
        "C": lambda self, value, name: self.classes.of_class(value.one, name),
        "W": _of_wrapped,
        **dict.fromkeys("LTD", _of_container),
    }
    EVALUATE: ClassVar[Mapping[str, Callable[[Any, Text, list[Any]], Result]]] = {
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
