"""What values of an add-on stand for: classes by their `bl_idname`, properties of groups and of Blender's own types."""

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
from codebase.graph.outline.things import Class, Collection, Instance, Outside, Parameter, Text, Thing, Things

BPY_TYPES: Final = ("bpy.types.", "bpy_types.")
Registered = tuple[int, str, Value, bool]
"""A property of a type of Blender: the unit that assigns it, path and value, and whether the type is written out."""


class BlenderLookup(Lookup):
    """All outlines, with Blender's names. `hits` are the properties that were met since it was emptied."""

    def __init__(self, code: Code) -> None:
        super().__init__(code)
        self.hits: list[tuple[int, Certainty]] = []
        self._doubt = False
        self.registered: dict[tuple[str, str], Registered] = {}
        self._by_property: dict[str, set[tuple[str, str]]] = defaultdict(set)
        self.by_id: dict[str, list[Class]] = defaultdict(list)
        self.ids: dict[Class, str] = {}
        for cls, facts in self.classes():
            for name in self._ids(cls, facts):
                self.by_id[name].append(cls)
        self.registered = self._registered()
        for of_type, name in self.registered:
            self._by_property[name].add((of_type, name))

    @functools.cache  # noqa: B019
    def blender_types(self, cls: Class) -> frozenset[str]:
        """The types of Blender that a class is derived from."""
        outside = [one.dotted for one in self.line(cls) if isinstance(one, Outside)]
        return frozenset(name.rpartition(".")[2] for name in outside if name.startswith(BPY_TYPES))

    def is_operator(self, cls: Class) -> bool:
        """Whether a class is an operator: by its type, or by its name if that is not known."""
        types = self.blender_types(cls)
        return bool(types & {"Operator", "Macro"}) if types else "." in self.ids.get(cls, "")

    def _ids(self, cls: Class, facts: Mapping[str, Any]) -> list[str]:
        """The names that Blender knows a class by."""
        names: Mapping[str, Value] = facts["names"]
        types = self.blender_types(cls)
        if "bl_idname" in names:
            found = self.text(cls.path, names["bl_idname"])
        else:
            inherited = self.of_class(cls, "bl_idname") if types and not self._base_is_one(cls) else ()
            found = inherited[0].text if len(inherited) == 1 and isinstance(inherited[0], Text) else None
            if found is None and types & IMPLICIT and "bl_idname" not in names:
                found = cls.name.rpartition(".")[2]
        if not found or "AddonPreferences" in types:
            return []
        self.ids[cls] = found
        head, mark, rest = found.partition("_OT_")
        return [found, f"{head.lower()}.{rest}"] if mark else [found]

    def _base_is_one(self, cls: Class) -> bool:
        """Whether a base of a class is a class of Blender's itself, so that its name is not passed on."""
        return any(isinstance(one, Class) and one != cls and self.blender_types(one) for one in self.line(cls))

    def _registered(self) -> dict[tuple[str, str], Registered]:
        """The properties that are assigned to Blender's types: unit, path and value, by type and name."""
        found: dict[tuple[str, str], Registered] = {}
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
                            found.setdefault(key, (text.file.first + unit, path, value, True))
                        elif isinstance(base, Parameter) and base.name in TYPES:
                            key = TYPES[base.name], target[2]
                            found.setdefault(key, (text.file.first + unit, path, value, False))
        return found

    @functools.cached_property
    def preferences(self) -> list[Class]:
        """The classes that hold the preferences of add-ons."""
        return [cls for cls, _ in self.classes() if "AddonPreferences" in self.blender_types(cls)]

    def meet(self, path: str, value: Value) -> list[tuple[int, Certainty]]:
        """The units that declare the properties that a value reads, each with how certain that is."""
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
            case Collection(of):
                return (
                    (of,) if name in ("get", "add", "new", "pop", "active") else (Collection(of),) * (name == "values")
                )
            case _:
                return super().attribute(thing, name)

    def _of_group(self, cls: Class, name: str) -> Things:
        """A property of a class of the add-on, or of the type of Blender that it is derived from."""
        for one in self.line(cls):
            if isinstance(one, Class) and name in (names := self.texts[one.path].classes[one.name]["names"]):
                if not is_property(names[name]):
                    return ()
                self._hit(self.number(one))
                return self.things(one.path, names[name])
        types = sorted(self.blender_types(cls))
        return next((found for of in types if (found := self._of_type(of, name))), ()) if types else ()

    def _of_type(self, of: str, name: str) -> Things:
        """An attribute of one of Blender's types."""
        for key in ((of, name), ("ID", name) if of in ID else (of, name)):
            if key in self.registered:
                number, path, value, is_sure = self.registered[key]
                self.hits.append((number, "exact" if is_sure and not self._doubt else "inferred"))
                return self.things(path, value)
        if of == "Addon" and name == "preferences":
            self._doubt = self._doubt or len(self.preferences) > 1
            return tuple(Instance(one) for one in self.preferences)
        return self._usual(name)

    def _usual(self, name: str) -> Things:
        """What attributes of this name are, whatever they belong to."""
        if name in TYPES:
            return (Instance(Outside(f"bpy.types.{TYPES[name]}")),)
        return (Collection(Outside(f"bpy.types.{COLLECTIONS[name]}")),) if name in COLLECTIONS else ()

    def item(self, thing: Thing, key: str | None) -> Things:
        match thing:
            case Outside(dotted) if dotted.startswith("bpy.data."):
                found = self._usual(dotted.rpartition(".")[2])
                return tuple(Instance(one.of) for one in found if isinstance(one, Collection))
            case _:
                return super().item(thing, key)

    def called(self, path: str, thing: Thing, value: list[Any], depth: int) -> Things:
        match thing:
            case Outside(dotted) if dotted.startswith(BPY_TYPES):
                return (Instance(thing),)
            case Outside("bpy.props.PointerProperty" | "bpy.props.CollectionProperty"):
                given = value[3].get("type") or next(iter(value[2]), None)
                kind = Instance if thing.dotted.endswith("PointerProperty") else Collection
                return tuple(kind(one) for one in self.things(path, given, depth) if isinstance(one, Class | Outside))
            case _:
                return super().called(path, thing, value, depth)

    def _attribute(self, path: str, value: list[Any], depth: int) -> Things:
        bases = self.things(path, value[1], depth)
        found = [one for base in bases for one in self.attribute(self._parameter_of(base), value[2])]
        if not found and (not bases or all(isinstance(base, Parameter) for base in bases)):
            return self._of_unknown(value[2])
        return tuple(dict.fromkeys(found))

    def _parameter_of(self, thing: Thing) -> Thing:
        """What is given for a parameter, by its name."""
        if isinstance(thing, Parameter) and thing.name in TYPES:
            self._doubt = self._doubt or thing.name not in GIVEN
            return Instance(Outside(f"bpy.types.{TYPES[thing.name]}"))
        return thing

    def _of_unknown(self, name: str) -> Things:
        """An attribute of something that is not known: a property that only one of Blender's types has."""
        self._doubt = True
        keys = self._by_property.get(name, set())
        if len(keys) == 1:
            number, path, value, _ = self.registered[next(iter(keys))]
            self.hits.append((number, "by name"))
            return self.things(path, value)
        return self._usual(name)

    def _call(self, path: str, value: list[Any], depth: int) -> Things:
        match value[1]:
            case ["a", _, "operator"] if value[2]:
                named = [one for one in self.things(path, value[2][0], depth) if isinstance(one, Text)]
                return tuple(Instance(cls) for one in named for cls in self.by_id.get(one.text, []))
            case _:
                return super()._call(path, value, depth)


def is_property(value: Value) -> bool:
    """Whether a value is a call like `FloatProperty(...)`."""
    match value:
        case ["c", ["n" | "j", *_, name] | ["a", _, name], _, _]:
            return name in PROPERTIES
        case _:
            return False
