"""The functions, classes and properties that a snippet defines."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from app.reading.api.values import (
    UNKNOWN,
    Coll,
    OwnClass,
    OwnFunction,
    OwnSelf,
    Plain,
    PyMember,
    Rna,
    RnaClass,
    Unknown,
    Value,
)
from app.reading.nearest import did_you_mean, nearest
from app.reading.own.passing import OwnDefinition
from app.reading.remark import Fault
from app.reading.usage.fits import Judge

_MOST_BASES: Final = 8
_PLAIN_PROPERTIES: Final = {
    "BoolProperty": "bool",
    "IntProperty": "int",
    "FloatProperty": "float",
    "StringProperty": "str",
}


@dataclass
class ClassFacts:
    """A class of the snippet: its RNA type, the names of its bases."""

    type: str
    bases: tuple[str, ...]
    is_closed: bool
    """True if all its bases are known."""
    declared: dict[str, Value] = field(default_factory=dict[str, Value])
    """The values of the properties that it declares."""


class SnippetDefinitions:
    """Knows the functions of a snippet from the start; its classes and properties are added as they are read."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.functions: Mapping[str, OwnDefinition] = {}
        self.classes: dict[str, ClassFacts] = {}
        self.registered: dict[tuple[str, str], Value] = {}
        """The values of the properties that the snippet adds to Blender's types, by type and name."""

    def add_class(self, node: ast.ClassDef, bases: Iterable[Value]) -> str:
        """Add a class with these bases; returns its RNA type: its own, or that of the classes it is mixed into."""
        known = [base for base in bases if isinstance(base, RnaClass | OwnClass)]
        types = [base.type for base in known if base.type != "object"]
        mixed = {facts.type for facts in self.classes.values() if node.name in facts.bases and facts.type != "object"}
        type_name = types[0] if types else mixed.pop() if len(mixed) == 1 else "object"
        names = tuple(base.name for base in known if isinstance(base, OwnClass))
        is_closed = len(known) == len(node.bases) and not node.decorator_list
        self.classes[node.name] = ClassFacts(type_name, names, is_closed)
        return type_name

    def base_of(self, definition: OwnDefinition) -> str:
        """The RNA type of the class whose method this is; empty for a function."""
        facts = self.classes.get(definition.class_name)
        return facts.type if facts else "object" if definition.class_name else ""

    def called(self, function: ast.expr, value: Value) -> OwnDefinition | None:
        """The function of the snippet that this expression, which has this value, leads to."""
        match value, function:
            case OwnFunction(name=name), _:
                return self.functions.get(name)
            case Unknown(), ast.Attribute(attr=name) if name in self.functions:
                return self.functions[name] if self.functions[name].class_name else None
            case _:
                return None

    def member(self, owner: Value, name: str) -> Value | None:
        """The member of this name that the snippet itself gives to the owner; None if the manifest is to be asked."""
        match owner:
            case OwnSelf(type=base, name=class_name) | OwnClass(type=base, name=class_name):
                return self._member_of_class(owner, base, class_name, name)
            case Rna(type=type_name):
                is_a, find = self._judge.api.manifest.is_a, self._judge.api.manifest.find
                if self.registered and not find(type_name, name):
                    for (of, registered), value in self.registered.items():
                        if registered == name and is_a(type_name, of):
                            return value
                return None
            case _:
                return None

    def _member_of_class(self, owner: Value, base: str, class_name: str, name: str) -> Value | None:
        lineage = list(self._lineage(class_name))
        for ancestor in lineage:
            if isinstance(owner, OwnSelf) and name in self.classes[ancestor].declared:
                return self.classes[ancestor].declared[name]
        definition = self.functions.get(name)
        if definition and definition.class_name in lineage:
            return OwnFunction(name)
        own, types = self._judge.survey.own_members, self._judge.api.manifest.types
        return UNKNOWN if name in own or base not in types else None

    def _lineage(self, class_name: str, depth: int = 0) -> Iterator[str]:
        facts = self.classes.get(class_name)
        if facts and depth < _MOST_BASES:
            yield class_name
            for base in facts.bases:
                yield from self._lineage(base, depth + 1)

    def undeclared(self, owner: Value, name: str) -> Fault | None:
        """The fault of a property that no class of the snippet declares; only likely, as others may add it."""
        match owner:
            case OwnSelf(type="PropertyGroup", name=class_name):
                lineage = [self.classes[ancestor] for ancestor in self._lineage(class_name)]
            case _:
                return None
        survey = self._judge.survey
        known = {declared for facts in lineage for declared in facts.declared}
        dynamic = "__annotations__" in survey.mentioned or not all(facts.is_closed for facts in lineage)
        find = self._judge.api.manifest.find
        if not known or dynamic or find("PropertyGroup", name) or name.startswith(("_", "bl_")):
            return None
        if name in survey.own_members | survey.asked_for:
            return None
        hint = did_you_mean(nearest(name, known)) or f"It declares {', '.join(sorted(known)[:8])}."
        return Fault("likely-unknown-attribute", f"The class {class_name} declares no property `{name}`", hint)


def property_value(function: Value, pointed: Value | None, name: str) -> Value:
    """The value of a property that a function of `bpy.props` declares; `pointed` is its argument `type`, if given."""
    match function:
        case PyMember(home="bpy.props", path=("PointerProperty",)) if pointed is not None:
            return pointed
        case PyMember(home="bpy.props", path=("CollectionProperty",)) if pointed is not None:
            return Coll(pointed, "", UNKNOWN, name) if pointed != UNKNOWN else UNKNOWN
        case PyMember(home="bpy.props", path=(kind,)) if kind in _PLAIN_PROPERTIES:
            return Plain(_PLAIN_PROPERTIES[kind])
        case _:
            return UNKNOWN
