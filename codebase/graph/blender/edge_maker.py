"""The maker of Blender's edges.

runs        bpy.ops.x.y(), layout.operator("x.y"), keymap items and other mentions of an operator -> its class
shows       menus, panels, lists, gizmos, tools and nodes that are named by their bl_idname -> the class
reads       attributes, layout.prop(x, "name"), PointerProperty(type=X) -> the class or unit that declares the property
registers   register() -> the classes and modules that it registers
hooks       handlers, timers, message bus, draw functions, drivers, update=, get=, set=, poll=, items= -> the function
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, Final

from codebase.graph.blender.classes_by_name import BlenderLookup, is_property
from codebase.graph.blender.name_tables import (
    CALLBACKS,
    CALLERS,
    DRAWN,
    DRAWN_TOO,
    KEYWORDS,
    NEW,
    OPERATORS,
    PROPERTIES,
)
from codebase.graph.code import Code
from codebase.graph.edge import Certainty, Edge, Gap, SourceText
from codebase.graph.outline.lookup import TextFacts
from codebase.graph.outline.outline_values import Value
from codebase.graph.outline.steps import TOO_FAR
from codebase.graph.outline.things import Class, FunctionThing, ItemsThing, Outside, Text, Thing

CALLED: Final = re.compile(r"(?<![\w.])(\w+)\s*\(")
Targets = Iterator[tuple[int | None, str, Certainty, int]]
"""Targets with kind, certainty and line."""
Site = tuple[int, Value, list[Value], dict[str, Value]]
"""A call: line, function, arguments, keywords."""


class BlenderMaker:
    """Edges that Blender makes from names."""

    name = "blender"
    languages: tuple[str, ...] = ()

    def facts(self, source: SourceText) -> Any:
        """None: the outlines have all it needs."""

    def edges(self, code: Code) -> Iterable[Edge | Gap]:
        return BlenderEdges(code).all()


class BlenderEdges:
    """The edges between all files."""

    def __init__(self, code: Code) -> None:
        self._lookup = BlenderLookup(code)
        self._code = code

    def all(self) -> Iterator[Edge | Gap]:
        for path, text in self._lookup.texts.items() if self._lookup.imports("bpy") else ():
            for rule in (self._calls, self._assignments, self._classes, self._attributes):
                yield from self._edges(text, rule(path, text))
            yield from self._edges(text, self._strings(text))

    def _edges(self, text: TextFacts, targets: Iterator[tuple[int, Targets]]) -> Iterator[Edge | Gap]:
        spent = self._lookup.budget.times
        for unit, several in targets:
            source = text.file.first + unit
            for target, kind, certainty, line in several:
                if target is not None and unit >= 0 and not self._is_inside(source, target):
                    yield Edge(source, target, kind, certainty, line)
            if spent != self._lookup.budget.times and unit >= 0:
                spent = self._lookup.budget.times
                yield Gap(source, self._code.units[source].first, TOO_FAR)

    def _is_inside(self, source: int, target: int) -> bool:
        """True if a unit is a part of the other: a class needs itself anyway."""
        if source == target:
            return True
        inner, outer = self._code.units[source], self._code.units[target]
        return inner.name.startswith(f"{outer.name}.") and self._code.owner(source) is self._code.owner(target)

    def _calls(self, path: str, text: TextFacts) -> Iterator[tuple[int, Targets]]:
        for unit, line, called, given, keywords in text.calls:
            name = called[-1] if called and called[0] in ("a", "n") else ""
            site = line, called, given, keywords
            yield from ((unit, rule(self, path, site)) for names, rule in self.RULES if name in names)

    def _operator(self, path: str, site: Site) -> Targets:
        """`layout.operator("x.y")`, `layout.menu("ID")` and the like, on any receiver."""
        line, called, given, keywords = site
        if called is None or called[0] != "a":
            return
        keyword, place = OPERATORS[called[2]]
        value = keywords.get(keyword) or (given[place] if place < len(given) else None)
        yield from self._by_idname(path, value, line)

    def _new(self, path: str, site: Site) -> Targets:
        """`keymap_items.new("x.y")`, `nodes.new("ID")`; on other receivers only names of operators."""
        line, called, given, keywords = site
        if called is None or called[0] != "a":
            return
        receiver = called[1][-1] if called[1] and called[1][0] in ("a", "n", "p") else ""
        place = NEW.get(receiver, 0)
        value = (given[place] if place < len(given) else None) or keywords.get("idname") or keywords.get("type")
        for target, kind, certainty, at in self._by_idname(path, value, line):
            if receiver in NEW:
                yield target, kind, certainty, at
            elif kind == "runs":
                yield target, kind, "inferred", at

    def _by_idname(self, path: str, value: Value, line: int) -> Targets:
        """The classes with a value as their `bl_idname`."""
        if value and value[0] == "a" and value[2] in ("bl_idname", "__name__"):
            own = [cls for cls in self._lookup.things(path, value[1]) if isinstance(cls, Class)]
            for cls in own:
                yield self._lookup.number(cls), self._kind(cls), sure(own), line
            if own:
                return
        things = self._lookup.things(path, value)
        for thing in things:
            classes = self._lookup.by_id.get(thing.text, []) if isinstance(thing, Text) else []
            for cls in classes:
                certainty = sure(things) if len(classes) == 1 else "inferred"
                yield self._lookup.number(cls), self._kind(cls), certainty, line

    def _kind(self, cls: Class) -> str:
        """The kind of an edge to a class."""
        return "runs" if self._lookup.is_operator(cls) else "shows"

    def _drawing(self, path: str, site: Site) -> Targets:
        """`layout.prop(x, "name")` and the like."""
        line, called, given, keywords = site
        name = called[-1] if called else ""
        if called and called[0] == "n" and name not in ("getattr", "setattr"):
            return
        pairs = [DRAWN[name], DRAWN_TOO[name]] if name in DRAWN_TOO else [DRAWN[name]]
        for of, place in pairs:
            base = given[of] if of < len(given) else keywords.get(KEYWORDS[0])
            text = given[place] if place < len(given) else keywords.get(KEYWORDS[1])
            for thing in self._lookup.things(path, text):
                if isinstance(thing, Text):
                    yield from ((*hit, line) for hit in self._reads(path, ["a", base, thing.text]))
                    yield from self._op(path, ["a", base, thing.text], line)

    def _reads(self, path: str, value: Value) -> Iterator[tuple[int, str, Certainty]]:
        for number, certainty in self._lookup.meet(path, value):
            yield number, "reads", certainty

    def _op(self, path: str, value: Value, line: int) -> Targets:
        """The operator behind an attribute of `bpy.ops`, or behind an attribute whose value is its name."""
        named = value
        while named and named[0] == "a" and named[2] != "bl_idname":
            named = named[1]
        if named and named[0] == "a":
            value = named
            for target, kind, _, at in self._by_idname(path, value, line):
                yield target, kind, "inferred", at
            return
        things = self._lookup.things(path, value)
        for thing in things:
            if isinstance(thing, Outside) and thing.dotted.startswith("bpy.ops."):
                name = ".".join(thing.dotted.split(".")[2:4])
                yield from self._classes_of(name, sure(things), line)
            elif isinstance(thing, Text):
                yield from self._classes_of(thing.text, "by name", line)

    def _classes_of(self, name: str, certainty: Certainty, line: int) -> Targets:
        classes = self._lookup.by_id.get(name, [])
        for cls in classes:
            yield self._lookup.number(cls), self._kind(cls), certainty if len(classes) == 1 else worse(certainty), line

    def _property(self, path: str, site: Site) -> Targets:
        """`PointerProperty(type=X)` and the callbacks of properties."""
        line, called, given, keywords = site
        if not is_property(["c", called, given, keywords]):
            return
        types = self._lookup.things(path, keywords.get("type") or next(iter(given), None))
        for cls in types:
            if isinstance(cls, Class):
                yield self._lookup.number(cls), "reads", sure(types), line
        for name in CALLBACKS:
            yield from self._functions(path, keywords.get(name), line)

    def _functions(self, path: str, value: Value, line: int) -> Targets:
        things = self._lookup.things(path, value)
        for function in things:
            if isinstance(function, FunctionThing):
                yield self._lookup.number(function), "hooks", sure(things), line

    def _callback(self, path: str, site: Site) -> Targets:
        """Functions that are passed to Blender."""
        line, called, given, keywords = site
        name = called[-1] if called else ""
        if name in ("append", "prepend", "insert", "register", "subscribe_rna") and not self._is_blenders(path, called):
            return
        if called and called[0] == "n" and name != "draw_handler_add" and not self._is_blenders(path, called):
            return
        value = (
            keywords.get("notify")
            or keywords.get("function")
            or (given[-1 if name == "insert" else 0] if given else None)
        )
        yield from self._functions(path, value, line)

    def _is_blenders(self, path: str, called: Value) -> bool:
        """True for a function of handlers, timers, the message bus, or of any menu or panel."""
        starts = ("bpy.app.handlers.", "bpy.types.", "bpy.app.timers.", "bpy.msgbus.")
        things = self._lookup.things(path, called)
        if any(isinstance(thing, Outside) and thing.dotted.startswith(starts) for thing in things):
            return True
        bases = self._lookup.things(path, called[1]) if called and called[0] == "a" else ()
        return any(
            isinstance(base, Class) and self._lookup.blender_types(base) & {"Menu", "Panel", "Header"} for base in bases
        )

    def _registers(self, path: str, site: Site) -> Targets:
        """`register_class(X)`, alone or for each class of a list, in its order."""
        line, _, given, keywords = site
        value = next(iter(given), None) or keywords.get("cls")
        yield from self._each(path, value, line)

    def _each(self, path: str, value: Value, line: int) -> Targets:
        """The classes of a value; those of a list are on the lines of its items, if it is in the same file."""
        inner = value[1] if value and value[0] == "e" else value
        for thing in self._lookup.things(path, inner):
            if isinstance(thing, Class):
                yield self._lookup.number(thing), "registers", "exact", line
            for at, cls in self._lookup.parts(thing):
                if isinstance(cls, Class):
                    here = isinstance(thing, ItemsThing) and thing.path == path
                    yield self._lookup.number(cls), "registers", "exact", at if here and at else line

    def _registers_module(self, path: str, site: Site) -> Targets:
        """`module.register()` for each module of a list."""
        line, called, _, _ = site
        match called:
            case ["a", ["e", inner], name]:
                for thing in self._lookup.things(path, inner):
                    for at, module in self._lookup.parts(thing):
                        here = isinstance(thing, ItemsThing) and thing.path == path
                        for function in self._lookup.attribute(module, name):
                            yield self._lookup.number(function), "registers", "exact", at if here and at else line
            case _:
                return

    def _assignments(self, path: str, text: TextFacts) -> Iterator[tuple[int, Targets]]:
        """`driver_namespace["name"] = f`; `properties.name = "ID"` of an operator that opens a menu or panel."""
        for unit, line, target, value in text.assigned:
            match target:
                case ["x", ["a", _, "driver_namespace"], _]:
                    yield unit, self._functions(path, value, line)
                case ["a", ["a", _, "properties"] | ["c", ["a", _, "operator"], _, _], "name" | "idname"]:
                    yield unit, self._by_idname(path, value, line)
                case ["a", base, "expression"] if base:
                    yield unit, self._drivers_in(path, value, line)
                case _:
                    pass

    def _drivers_in(self, path: str, value: Value, line: int) -> Targets:
        """Functions that the expression of a driver calls by their names in the driver namespace."""
        for thing in self._lookup.things(path, value):
            if isinstance(thing, Text):
                called = set(CALLED.findall(thing.text))
                for name, function in self._drivers.items():
                    if name in called:
                        yield self._lookup.number(function), "hooks", "inferred", line

    @functools.cached_property
    def _drivers(self) -> dict[str, FunctionThing]:
        """The functions of the driver namespace by name."""
        drivers: dict[str, FunctionThing] = {}
        for path, text in self._lookup.texts.items():
            for _, _, target, value in text.assigned:
                match target:
                    case ["x", ["a", _, "driver_namespace"], str() as name]:
                        for function in self._lookup.things(path, value):
                            if isinstance(function, FunctionThing):
                                drivers[name] = function
                    case _:
                        pass
        return drivers

    def _classes(self, path: str, text: TextFacts) -> Iterator[tuple[int, Targets]]:
        """Attributes of classes that name another class."""
        for facts in text.classes.values():
            for name in ("bl_parent_id", "bl_menu", "bl_widget", "bl_operator", "bl_gizmo_group", "bl_import_operator"):
                if name in facts["names"]:
                    yield (
                        facts["unit"],
                        self._by_idname(path, facts["names"][name], facts["lines"].get(name, facts["line"])),
                    )

    def _attributes(self, path: str, text: TextFacts) -> Iterator[tuple[int, Targets]]:
        for unit, line, value in text.attributes:
            reads: list[tuple[int | None, str, Certainty, int]] = [(*hit, line) for hit in self._reads(path, value)]
            yield unit, iter([*reads, *self._op(path, value, line)])

    def _strings(self, text: TextFacts) -> Iterator[tuple[int, Targets]]:
        """Names of classes in strings whose use is unknown."""
        for unit, line, name in text.strings:
            if name in self._lookup.by_id:
                yield unit, self._classes_of(name, "by name", line)

    RULES: ClassVar[tuple[tuple[frozenset[str], Callable[[Any, str, Site], Targets]], ...]] = (
        (frozenset(OPERATORS), _operator),
        (frozenset(DRAWN), _drawing),
        (PROPERTIES, _property),
        (frozenset({"new"}), _new),
        (frozenset({"register_class", "register_classes_factory"}), _registers),
        (frozenset({"register"}), _registers_module),
        (CALLERS, _callback),
    )


def sure(things: Iterable[Thing]) -> Certainty:
    """The certainty that a value is one of these."""
    return "exact" if len(list(things)) == 1 else "inferred"


def worse(certainty: Certainty) -> Certainty:
    """The certainty of one of several places."""
    return "inferred" if certainty == "exact" else certainty
