"""Looks up the things behind the values of a text, through the imports of the repository."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, Final, TypeVar

from codebase.graph.code import Code, CodeFile
from codebase.graph.modules import Modules
from codebase.graph.outline.maker import NAME
from codebase.graph.outline.outline_values import Value
from codebase.graph.outline.steps import StepBudget
from codebase.graph.outline.things import (
    CallThing,
    Class,
    CollectionThing,
    FunctionThing,
    Instance,
    ItemsThing,
    ModuleThing,
    Outside,
    Pairs,
    ParameterThing,
    Text,
    Thing,
    Things,
)

SAME: Final = {"reversed", "sorted", "list", "tuple", "set", "frozenset", "iter", "functools.partial", "str"}
"""Functions that return their first argument, as far as names go."""
MOST_THINGS: Final = 400
Result = TypeVar("Result")


@dataclasses.dataclass(frozen=True)
class TextFacts:
    """The outline of one file."""

    file: CodeFile
    names: Mapping[str, Value]
    lines: Mapping[str, int]
    stars: list[str]
    classes: Mapping[str, Mapping[str, Any]]
    returns: Mapping[int, Value]
    decorators: list[tuple[int, int, Value]]
    calls: list[tuple[int, int, Value, list[Value], dict[str, Value]]]
    attributes: list[tuple[int, int, Value]]
    assigned: list[tuple[int, int, Value, Value]]
    strings: list[tuple[int, int, str]]

    @functools.cached_property
    def properties(self) -> set[int]:
        """The units of methods that are read like attributes."""
        marks = (["n", "property"], ["n", "cached_property"], ["a", ["n", "functools"], "cached_property"])
        return {unit for unit, _, value in self.decorators if value in marks}


def facts_of(file: CodeFile, facts: dict[str, Any]) -> TextFacts:
    """The outline of a file as an index returns it."""
    returns: dict[int, Value] = dict(facts["returns"])
    return TextFacts(file, **{name: facts[name] for name in facts if name != "returns"}, returns=returns)


class Lookup:
    """All outlines, and the things behind their values. Frameworks add their own attributes and items."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.texts = {file.path: facts_of(file, facts) for file, facts in code.facts(NAME)}
        self._modules = Modules(code.files)
        self._named: dict[tuple[str, str], Things] = {}
        self.budget = StepBudget()

    def imports(self, *packages: str) -> bool:
        """True if a module of the repository imports one of these packages at its top."""
        tops = {
            value[1].partition(".")[0]
            for text in self.texts.values()
            for value in text.names.values()
            if value and value[0] in ("m", "j")
        }
        return bool(tops & set(packages))

    def classes(self) -> Iterator[tuple[Class, Mapping[str, Any]]]:
        """The classes that have a unit."""
        for path, text in self.texts.items():
            yield from ((Class(path, name), facts) for name, facts in text.classes.items() if facts["unit"] >= 0)

    def number(self, thing: Thing) -> int | None:
        """The unit of a thing of the repository."""
        match thing:
            case Class(path, name):
                unit = self.texts[path].classes[name]["unit"]
                return self.texts[path].file.first + unit if unit >= 0 else None
            case FunctionThing(path, unit):
                return self.texts[path].file.first + unit if unit >= 0 else None
            case Instance(Class() as of):
                return self.number(of)
            case ModuleThing(path):
                return self.code.unit(path, "")
            case _:
                return None

    def things(self, path: str, value: Value) -> Things:
        """The things behind a value in a text; none if they are unknown, are being read, or the budget is spent."""
        if value is None or not self.budget.enter(id(value)):
            return ()
        read: Callable[[str, list[Any]], Things] = getattr(self, self.KINDS[value[0]])
        things = read(path, value)
        self.budget.leave()
        return things

    def follow(self, read: Callable[[str, Value], Result], path: str, value: Value) -> Result | None:
        """The result of `read` for a value; None if it is reading it already, or if the budget is spent."""
        if not self.budget.enter((read.__name__, id(value))):
            return None
        result = read(path, value)
        self.budget.leave()
        return result

    def text(self, path: str, value: Value) -> str | None:
        """The string that a value stands for; None unless it is exactly one string."""
        things = self.things(path, value)
        return things[0].text if len(things) == 1 and isinstance(things[0], Text) else None

    def name(self, path: str, name: str) -> Things:
        """The things behind a name of a module."""
        key = path, name
        if key in self._named:
            return self._named[key]
        if not self.budget.enter(key):
            return ()
        things = self._name(path, name)
        if self.budget.leave():
            self._named[key] = things
        return things

    def _name(self, path: str, name: str) -> Things:
        text = self.texts.get(path)
        if text is None:
            return ()
        if name in text.names:
            return self.things(path, text.names[name])
        for star in text.stars:
            place = self._modules.find(path, star)
            things = self.name(place.file, name) if place and place.file and place.file != path else ()
            if things and not isinstance(things[0], Outside):
                return things
        return (Outside(name),)

    def attribute(self, thing: Thing, name: str) -> Things:
        """The things behind an attribute of a thing."""
        match thing:
            case ModuleThing(path):
                return self._member(path, name)
            case Class():
                return self.of_class(thing, name)
            case Instance(Class() as of):
                return several(part for member in self.of_class(of, name) for part in self._of_object(member))
            case Outside(dotted):
                place = self._modules.find("", f"{dotted}.{name}")
                return (ModuleThing(place.file),) if place and place.file else (Outside(f"{dotted}.{name}"),)
            case Text() if name == "value":
                return (thing,)
            case CallThing(path, dotted, value):
                return (CallThing(path, f"{dotted}().{name}", value),)
            case _:
                return ()

    def _member(self, path: str, name: str) -> Things:
        """A name of a module, or a module inside a package."""
        text = self.texts.get(path)
        if text is not None and name in text.names:
            return self.name(path, name)
        place = self._modules.find(path, f".{name}") if path.endswith(("__init__.py", "__init__.pyi")) else None
        if place and place.file:
            return (ModuleThing(place.file),)
        things = self.name(path, name)
        return () if things == (Outside(name),) else things

    def _of_object(self, thing: Thing) -> Things:
        """The result of reading an attribute of an object: the result of a property, anything else as it is."""
        if isinstance(thing, FunctionThing) and thing.unit in self.texts[thing.path].properties:
            return self.things(thing.path, self.texts[thing.path].returns.get(thing.unit))
        return (thing,)

    def of_class(self, cls: Class, name: str) -> Things:
        """A name of the body of a class or of its bases."""
        for base in self.line(cls):
            if isinstance(base, Class) and name in self.texts[base.path].classes[base.name]["names"]:
                return self.things(base.path, self.texts[base.path].classes[base.name]["names"][name])
        return ()

    def line(self, cls: Class) -> list[Class | Outside]:
        """A class and all its bases, near ones first."""
        lineage: list[Class | Outside] = []
        queue: list[Class | Outside] = [cls]
        while queue and len(lineage) < MOST_THINGS:
            cls_or_name = queue.pop(0)
            if cls_or_name in lineage:
                continue
            lineage.append(cls_or_name)
            if isinstance(cls_or_name, Class):
                bases = self.texts[cls_or_name.path].classes[cls_or_name.name]["bases"]
                things = [thing for base in bases for thing in self.things(cls_or_name.path, base)]
                queue += [thing for thing in things if isinstance(thing, Class | Outside)]
        return lineage

    def item(self, thing: Thing, key: str | None) -> Things:
        """The things that a subscript returns."""
        match thing:
            case CollectionThing(of):
                return (Instance(of),)
            case Pairs(path, items) if key is not None:
                return tuple(thing for name, _, value in items if name == key for thing in self.things(path, value))
            case _:
                return ()

    def parts(self, thing: Thing) -> list[tuple[int, Thing]]:
        """The things of an iteration over a thing, each with its line, which is 0 if it is not in a list."""
        match thing:
            case CollectionThing(of):
                return [(0, Instance(of))]
            case Pairs(path, items):
                return [(line, part) for _, line, value in items for part in self.things(path, value)]
            case ItemsThing(path, items) if self.budget.enter(id(items)):
                parts: list[tuple[int, Thing]] = []
                for line, value in items:
                    if value and value[0] == "*":
                        parts += [part for inner in self.things(path, value[1]) for part in self.parts(inner)]
                    else:
                        parts += [(line, part) for part in self.things(path, value)]
                self.budget.leave()
                return parts
            case _:
                return []

    def result(self, path: str, thing: Thing, value: list[Any]) -> Things:
        """The result of a call."""
        match thing:
            case Class():
                return (Instance(thing),)
            case FunctionThing(other, unit):
                return self.things(other, self.texts[other].returns.get(unit))
            case Outside(dotted) if dotted in SAME and value[2]:
                return self.things(path, value[2][0])
            case Outside(dotted):
                return (CallThing(path, dotted, value),)
            case CallThing(_, dotted):
                return (CallThing(path, dotted, value),)
            case _:
                return ()

    def _text(self, _path: str, value: list[Any]) -> Things:
        return (Text(value[1]),)

    def _of_name(self, path: str, value: list[Any]) -> Things:
        return self.name(path, value[1])

    def _import(self, path: str, value: list[Any]) -> Things:
        """`import a.b as c` binds that module, `import a.b` its top."""
        place = self._modules.find(path, value[1])
        return (ModuleThing(place.file),) if place and place.file else (Outside(value[1]),)

    def _import_from(self, path: str, value: list[Any]) -> Things:
        _, module, name = value
        place = self._modules.find(path, module)
        if place is None:
            return (Outside(f"{module}.{name}"),) if not module.startswith(".") else ()
        if place.file is not None and place.file != path:
            things = self._member(place.file, name)
            if things:
                return things
        inner = self._modules.inner(place, name)
        return (ModuleThing(inner.file),) if inner and inner.file else ()

    def _parameter(self, _path: str, value: list[Any]) -> Things:
        return (ParameterThing(value[1]),)

    def _instance(self, path: str, value: list[Any]) -> Things:
        return (Instance(Class(path, value[1])),)

    def _class(self, path: str, value: list[Any]) -> Things:
        return (Class(path, value[1]),)

    def _function(self, path: str, value: list[Any]) -> Things:
        return (FunctionThing(path, value[1], value[2]),)

    def _typed(self, path: str, value: list[Any]) -> Things:
        classes = self.things(path, value[1])
        return tuple(Instance(cls) for cls in classes if isinstance(cls, Class | Outside))

    def _attribute(self, path: str, value: list[Any]) -> Things:
        return several(part for base in self.things(path, value[1]) for part in self.attribute(base, value[2]))

    def _item(self, path: str, value: list[Any]) -> Things:
        return several(part for base in self.things(path, value[1]) for part in self.item(base, value[2]))

    def _iterated(self, path: str, value: list[Any]) -> Things:
        return several(part for base in self.things(path, value[1]) for _, part in self.parts(base))

    def _call(self, path: str, value: list[Any]) -> Things:
        called = self.things(path, value[1])
        return several(part for thing in called for part in self.result(path, thing, value))

    def _items(self, path: str, value: list[Any]) -> Things:
        return (ItemsThing(path, value[1]),)

    def _pairs(self, path: str, value: list[Any]) -> Things:
        return (Pairs(path, value[1]),)

    def _sum(self, path: str, value: list[Any]) -> Things:
        """Texts joined to one text, or lists joined to one list."""
        parts = [self.things(path, part) for part in value[1]]
        if all(len(part) == 1 and isinstance(part[0], Text) for part in parts):
            return (Text("".join(part[0].text for part in parts if isinstance(part[0], Text))),)
        lists = [thing for things in parts for thing in things if isinstance(thing, ItemsThing)]
        if lists:
            return (
                (ItemsThing(lists[0].path, [item for items in lists for item in items.items]),)
                if same(lists)
                else tuple(lists)
            )
        return ()

    def _either(self, path: str, value: list[Any]) -> Things:
        return several(thing for choice in value[1] for thing in self.things(path, choice))

    def _starred(self, path: str, value: list[Any]) -> Things:
        return self.things(path, value[1])

    KINDS: ClassVar[Mapping[str, str]] = {
        "s": "_text",
        "n": "_of_name",
        "m": "_import",
        "j": "_import_from",
        "p": "_parameter",
        "i": "_instance",
        "k": "_class",
        "u": "_function",
        "t": "_typed",
        "a": "_attribute",
        "x": "_item",
        "e": "_iterated",
        "c": "_call",
        "l": "_items",
        "d": "_pairs",
        "+": "_sum",
        "|": "_either",
        "*": "_starred",
    }
    """The methods by the marks of values; by name, so that a framework may override them."""


def several(things: Iterable[Thing]) -> Things:
    """Each thing once, and not more than `MOST_THINGS`."""
    return tuple(dict.fromkeys(things))[:MOST_THINGS]


def same(lists: list[ItemsThing]) -> bool:
    """True if all lists are in one text."""
    return all(items.path == lists[0].path for items in lists)
