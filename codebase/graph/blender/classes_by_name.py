"""Meanings of values in an add-on: classes by their `bl_idname`, properties of groups and of Blender's own types."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

from codebase.graph.blender.name_tables import COLLECTIONS, GIVEN, ID, IMPLICIT, PROPERTIES, TYPES
from codebase.graph.code import Code
from codebase.graph.edge import Certainty
from codebase.graph.outline.lookup import Lookup
from codebase.graph.outline.outline_values import Value
from codebase.graph.outline.things import Class, CollectionThing, Instance, Outside, ParameterThing, Text, Thing, Things

BPY_TYPES: Final = ("bpy.types.", "bpy_types.")
TypeProperty = tuple[int, str, Value, bool]
"""A property of a type of Blender: the unit that assigns it, path and value, and True if the type is written out."""


class BlenderLookup(Lookup):
    """All outlines, with Blender's names. `hits` are the properties that were read since it was emptied."""

    def __init__(self, code: Code) -> None:
        super().__init__(code)
        self.hits: list[tuple[int, Certainty]] = []
        self._doubt = False
        self._types: dict[Class, frozenset[str]] = {}
        self.registered: dict[tuple[str, str], TypeProperty] = {}
        self._by_property: dict[str, set[tuple[str, str]]] = defaultdict(set)
        self.by_id: dict[str, list[Class]] = defaultdict(list)
        self.ids: dict[Class, str] = {}
        for cls, facts in self.classes():
            for name in self._ids(cls, facts):
                self.by_id[name].append(cls)
        self.registered = self._type_properties()
        for of_type, name in self.registered:
            self._by_property[name].add((of_type, name))

    def blender_types(self, cls: Class) -> frozenset[str]:
        """The types of Blender that a class is derived from."""
        if cls not in self._types:
            outside = [base.dotted for base in self.line(cls) if isinstance(base, Outside)]
            self._types[cls] = frozenset(name.rpartition(".")[2] for name in outside if name.startswith(BPY_TYPES))
        return self._types[cls]

    def is_operator(self, cls: Class) -> bool:
        """True if a class is an operator: by its type, or by its name if the type is unknown."""
        types = self.blender_types(cls)
        return bool(types & {"Operator", "Macro"}) if types else "." in self.ids.get(cls, "")

    def _ids(self, cls: Class, facts: Mapping[str, Any]) -> list[str]:
        """The names by which Blender knows a class."""
        names: Mapping[str, Value] = facts["names"]
        types = self.blender_types(cls)
        if "bl_idname" in names:
            name = self.text(cls.path, names["bl_idname"])
        else:
            inherited = self.of_class(cls, "bl_idname") if types and not self._base_is_one(cls) else ()
            name = inherited[0].text if len(inherited) == 1 and isinstance(inherited[0], Text) else None
            if name is None and types & IMPLICIT and "bl_idname" not in names:
                name = cls.name.rpartition(".")[2]
        if not name or "AddonPreferences" in types:
            return []
        self.ids[cls] = name
        head, mark, rest = name.partition("_OT_")
        return [name, f"{head.lower()}.{rest}"] if mark else [name]

    def _base_is_one(self, cls: Class) -> bool:
        """True if a base of a class is a class of Blender itself, so that its name is not inherited."""
        return any(isinstance(base, Class) and base != cls and self.blender_types(base) for base in self.line(cls))

    def _type_properties(self) -> dict[tuple[str, str], TypeProperty]:
        """The properties that are assigned to Blender's types: unit, path and value, by type and name."""
        properties: dict[tuple[str, str], TypeProperty] = {}
        for path, text in self.texts.items():
            sites = [(unit, target, value) for unit, _, target, value in text.assigned]
            for unit, _, called, given, _ in text.calls:
                if called == ["n", "setattr"] and len(given) == 3:
                    sites += [
                        (unit, ["a", given[0], name.text], given[2])
                        for name in self.things(path, given[1])
                        if isinstance(name, Text)
                    ]
            for unit, target, value in sites:
                if target and target[0] == "a" and is_property(value):
                    for base in self.things(path, target[1]):
                        if isinstance(base, Outside) and base.dotted.startswith(BPY_TYPES):
                            key = base.dotted.rpartition(".")[2], target[2]
                            properties.setdefault(key, (text.file.first + unit, path, value, True))
                        elif isinstance(base, ParameterThing) and base.name in TYPES:
                            key = TYPES[base.name], target[2]
                            properties.setdefault(key, (text.file.first + unit, path, value, False))
        return properties

    @functools.cached_property
    def preferences(self) -> list[Class]:
        """The classes that hold the preferences of add-ons."""
        return [cls for cls, _ in self.classes() if "AddonPreferences" in self.blender_types(cls)]

    def meet(self, path: str, value: Value) -> list[tuple[int, Certainty]]:
        """The units that declare the properties that a value reads, each with its certainty."""
        self.hits, self._doubt = [], False
        self.things(path, value)
        return self.hits

    def _hit(self, number: int | None) -> None:
        if number is not None:
            self.hits.append((number, "inferred" if self._doubt else "exact"))

    def attribute(self, thing: Thing, name: str) -> Things:
        match thing:
            case Instance(Class() as of):
                return self._of_group(of, name) or super().attribute(thing, name)
            case Instance(Outside(dotted)):
                return self._of_type(dotted.rpartition(".")[2], name)
            case Outside("bpy.context"):
                return self._of_type("Context", name)
            case Outside(dotted) if (
                dotted.startswith(BPY_TYPES) and (dotted.rpartition(".")[2], name) in self.registered
            ):
                return self._of_type(dotted.rpartition(".")[2], name)
            case CollectionThing(of):
                return (
                    (of,)
                    if name in ("get", "add", "new", "pop", "active")
                    else (CollectionThing(of),) * (name == "values")
                )
            case _:
                return super().attribute(thing, name)

    def _of_group(self, cls: Class, name: str) -> Things:
        """A property of a class of the add-on, or of the type of Blender that it is derived from."""
        for base in self.line(cls):
            if isinstance(base, Class) and name in (names := self.texts[base.path].classes[base.name]["names"]):
                if not is_property(names[name]):
                    return ()
                self._hit(self.number(base))
                return self.things(base.path, names[name])
        types = sorted(self.blender_types(cls))
        return next((things for of in types if (things := self._of_type(of, name))), ()) if types else ()

    def _of_type(self, of: str, name: str) -> Things:
        """An attribute of one of Blender's types."""
        for key in ((of, name), ("ID", name) if of in ID else (of, name)):
            if key in self.registered:
                number, path, value, is_sure = self.registered[key]
                self.hits.append((number, "exact" if is_sure and not self._doubt else "inferred"))
                return self.things(path, value)
        if of == "Addon" and name == "preferences":
            self._doubt = self._doubt or len(self.preferences) > 1
            return tuple(Instance(cls) for cls in self.preferences)
        return self._usual(name)

    def _usual(self, name: str) -> Things:
        """The usual meaning of attributes of this name, whatever they belong to."""
        if name in TYPES:
            return (Instance(Outside(f"bpy.types.{TYPES[name]}")),)
        return (CollectionThing(Outside(f"bpy.types.{COLLECTIONS[name]}")),) if name in COLLECTIONS else ()

    def item(self, thing: Thing, key: str | None) -> Things:
        match thing:
            case Outside(dotted) if dotted.startswith("bpy.data."):
                things = self._usual(dotted.rpartition(".")[2])
                return tuple(Instance(thing.of) for thing in things if isinstance(thing, CollectionThing))
            case _:
                return super().item(thing, key)

    def result(self, path: str, thing: Thing, value: list[Any]) -> Things:
        match thing:
            case Outside(dotted) if dotted.startswith(BPY_TYPES):
                return (Instance(thing),)
            case Outside("bpy.props.PointerProperty" | "bpy.props.CollectionProperty"):
                given = value[3].get("type") or next(iter(value[2]), None)
                kind = Instance if thing.dotted.endswith("PointerProperty") else CollectionThing
                return tuple(kind(of) for of in self.things(path, given) if isinstance(of, Class | Outside))
            case _:
                return super().result(path, thing, value)

    def _attribute(self, path: str, value: list[Any]) -> Things:
        bases = self.things(path, value[1])
        results = [result for base in bases for result in self.attribute(self._parameter_of(base), value[2])]
        if not results and (not bases or all(isinstance(base, ParameterThing) for base in bases)):
            return self._of_unknown(value[2])
        return tuple(dict.fromkeys(results))

    def _parameter_of(self, thing: Thing) -> Thing:
        """The usual argument for a parameter, by its name."""
        if isinstance(thing, ParameterThing) and thing.name in TYPES:
            self._doubt = self._doubt or thing.name not in GIVEN
            return Instance(Outside(f"bpy.types.{TYPES[thing.name]}"))
        return thing

    def _of_unknown(self, name: str) -> Things:
        """An attribute of an unknown object: a property that only one of Blender's types has."""
        self._doubt = True
        keys = self._by_property.get(name, set())
        if len(keys) == 1:
            number, path, value, _ = self.registered[next(iter(keys))]
            self.hits.append((number, "by name"))
            return self.things(path, value)
        return self._usual(name)

    def _call(self, path: str, value: list[Any]) -> Things:
        match value[1]:
            case ["a", _, "operator"] if value[2]:
                named = [text for text in self.things(path, value[2][0]) if isinstance(text, Text)]
                return tuple(Instance(cls) for text in named for cls in self.by_id.get(text.text, []))
            case _:
                return super()._call(path, value)


def is_property(value: Value) -> bool:
    """True if a value is a call like `FloatProperty(...)`."""
    match value:
        case ["c", ["n" | "j", *_, name] | ["a", _, name], _, _]:
            return name in PROPERTIES
        case _:
            return False
