"""The meaning of the names of a request in one Blender: labels and identifiers of its manifest, joined with words.toml.

kind("uv sphere")               the operator that adds it, its arguments, the types of the object and its data
part("bevel modifier")          the identifier and type of a modifier, constraint, ...
find("BevelModifier", "width")  the property, with its path through the structs of the type
node("noise texture")           the node types of that name
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.drafting.commands.words import WORDS, plain
from ingest.manifest import Manifest, NodeType, Property

Fits = Callable[[Property], bool]
"""A function that is true if a property takes the given value."""

DEPTH: Final = 2
"""The number of structs between the named thing and a property, at most."""
_LETTERS: Final = ("x", "y", "z", "w")
_DATA_OF_OBJECTS: Final = {
    "mesh": ("MESH", "Mesh"), "curve": ("CURVE", "Curve"), "surface": ("SURFACE", "SurfaceCurve"),
    "text": ("FONT", "TextCurve"), "armature": ("ARMATURE", "Armature"), "camera": ("CAMERA", "Camera"),
    "metaball": ("META", "MetaBall"), "lattice": ("LATTICE", "Lattice"), "speaker": ("SPEAKER", "Speaker"),
    "empty": ("EMPTY", ""), "effector": ("EMPTY", ""), "volume": ("VOLUME", "Volume"), "light": ("LIGHT", "Light"),
    "lightprobe": ("LIGHT_PROBE", "LightProbe"), "grease": ("GREASEPENCIL", "GreasePencil"),
    "pointcloud": ("POINTCLOUD", "PointCloud"), "curves": ("CURVES", "Curves"),
}  # fmt: skip
"""Type of an object and of its data, by the first word of the operator that adds it."""
_ADDING: Final = ("mesh.primitive_", "curve.primitive_", "surface.primitive_", "object.")
_ITEM_NAMES: Final = {
    "object.light_add": "{} light", "object.empty_add": "{} empty", "object.effector_add": "{} force field",
    "object.lightprobe_add": "{} light probe", "object.metaball_add": "{} metaball",
    "object.grease_pencil_add": "{} grease pencil",
}  # fmt: skip
"""The name of the added object, made from an item of an operator's `type`."""
OBJECT_TYPES: Final = {
    "mesh": "MESH", "meshes": "MESH", "light": "LIGHT", "lights": "LIGHT", "lamp": "LIGHT", "camera": "CAMERA",
    "cameras": "CAMERA", "curve": "CURVE", "curves": "CURVE", "empty": "EMPTY", "empties": "EMPTY", "text": "FONT",
    "texts": "FONT", "armature": "ARMATURE", "armatures": "ARMATURE", "rig": "ARMATURE", "lattice": "LATTICE",
    "lattices": "LATTICE", "metaball": "META", "metaballs": "META", "surface": "SURFACE", "speaker": "SPEAKER",
}  # fmt: skip
"""The words for the types of objects."""
DATA_OF_TYPES: Final = {kind: data for kind, data in _DATA_OF_OBJECTS.values() if kind != "EMPTY"}
"""The type of the data of each type of object."""
NEAR: Final = {
    "Scene": {"render", "cycles", "view_settings", "unit_settings", "display_settings"},
    "Object": {"rigid_body"},
}
"""Structs whose settings may be named without the struct; "strength" alone is not that of a force field."""
FAMILIES: Final = {"modifier": "modifiers", "constraint": "constraints", "effect": "shader_effects"}
"""Families of identifiers by the noun after their labels."""


@dataclass(frozen=True)
class Kind:
    """An object that can be added."""

    operator: str
    arguments: tuple[tuple[str, str], ...]
    """Arguments that make it this kind, such as `type="SUN"`."""
    object_type: str
    data_type: str
    """Type of its data in `bpy.types`, or empty."""


@dataclass(frozen=True)
class PartKind:
    """A modifier, constraint, ... that can be added to an object."""

    family: str
    identifier: str
    label: str
    type: str


@dataclass(frozen=True)
class PropertyPath:
    """A property of a thing, with the path to it."""

    path: tuple[str, ...]
    prop: Property
    owner: str
    """The type that holds it."""
    index: int | None = None
    """The index in a vector, if one component was named."""

    @property
    def dotted_path(self) -> str:
        """Its path as Blender writes it, such as `settings.mass` or `location[2]`."""
        place = f"[{self.index}]" if self.index is not None else ""
        return ".".join(self.path) + place


class Names:
    """The names of one Blender; built in a few milliseconds, and cached per type when they are first needed."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest: Final = manifest
        self._reachable: Final[dict[str, dict[str, list[tuple[tuple[int, int], PropertyPath]]]]] = {}

    def kind(self, words: str) -> Kind | None:
        """The object of this name."""
        named = plain(words)
        return self._kinds.get(named) or self._kinds.get(WORDS["kinds"].get(named, ""))

    @functools.cached_property
    def _kinds(self) -> dict[str, Kind]:
        found: dict[str, Kind] = {}
        for operator in self.manifest.operators.values():
            if not operator.name.endswith("_add") or not operator.name.startswith(_ADDING):
                continue
            first = operator.name.split(".")[0 if operator.name.startswith(("mesh", "curve", "surface")) else 1]
            types = _DATA_OF_OBJECTS.get(first.removesuffix("_add").split("_")[0])
            if types is None or "location" not in operator.arguments:
                continue
            found.setdefault(plain(operator.label.removeprefix("Add ")), Kind(operator.name, (), *types))
            kind = operator.arguments.get("type")
            for item in kind.items if kind else ():
                label = _ITEM_NAMES.get(operator.name)
                if label:
                    data = f"{item.name}Light" if f"{item.name}Light" in self.manifest.types else types[1]
                    made = Kind(operator.name, (("type", item.identifier),), types[0], data)
                    found[plain(label.format(item.name))] = made
        found["lattice"] = Kind("object.add", (("type", "LATTICE"),), "LATTICE", "Lattice")
        return found

    def kinds(self) -> list[str]:
        """The names of the objects that are added most."""
        rare = ("force field", "grease pencil", "light probe", "metaball", "surface", "image", "curves", "empty")
        return sorted(name for name in self._kinds if not any(word in name for word in rare))

    def part(self, words: str) -> PartKind | None:
        """The modifier or constraint of this name, including its noun: "bevel modifier"."""
        named = WORDS["parts"].get(plain(words), plain(words))
        label, _, noun = named.rpartition(" ")
        family = FAMILIES.get(noun)
        found = [
            part for part in self._parts.get(family or "", ()) if label in {plain(part.label), plain(part.identifier)}
        ]
        if len(found) > 1:
            # Modifiers of grease pencil and of meshes share labels.
            found = [part for part in found if not part.identifier.startswith("GREASE_PENCIL")] or found
        return found[0] if found else None

    @functools.cached_property
    def _parts(self) -> dict[str, list[PartKind]]:
        return {
            family: [PartKind(family, entry.identifier, entry.label, entry.type) for entry in identifiers.values()]
            for family, identifiers in self.manifest.identifiers.items()
        }

    def nodes(self, words: str, tree: str) -> list[NodeType]:
        """The node types with this label or identifier that trees of this type can hold."""
        named = plain(words).removesuffix(" node")
        return [
            node for node in self.manifest.nodes.values()
            if (tree in node.trees and plain(node.label) in {named, f"{named} texture"})
            or named == plain(node.identifier)
        ]  # fmt: skip

    def find(self, type_name: str, words: str, fits: Fits | None = None) -> list[PropertyPath]:
        """The properties of a type with this name that fit, of the best rank only; several of them are ambiguous."""
        either = WORDS["either"].get(plain(words), ())
        if several := [path for name in either for path in self.find(type_name, name, fits)]:
            return several
        for named in _wordings(words):
            ranked = [
                (rank, path) for rank, path in self._paths(type_name).get(named, []) if not fits or fits(path.prop)
            ]
            if ranked:
                best = min(rank for rank, _ in ranked)
                return [found for rank, found in ranked if rank == best]
        return self._component(type_name, words)

    def _component(self, type_name: str, words: str) -> list[PropertyPath]:
        """A component of a vector: "location z" or "z location"."""
        first, *rest = plain(words).split() or [""]
        *front, last = plain(words).split() or [""]
        for letter, others in ((last, front), (first, rest)):
            if letter in _LETTERS and others:
                found = self.find(type_name, " ".join(others))
                index = _LETTERS.index(letter)
                if len(found) == 1 and found[0].prop.array and found[0].prop.array[0] > index:
                    whole = found[0]
                    return [PropertyPath(whole.path, whole.prop, whole.owner, index)]
        return []

    def settings(self, type_name: str) -> list[str]:
        """The labels of a type's own settable properties."""
        return sorted({
            prop.label for found in self.manifest.lineage(type_name) for prop in found.properties.values()
            if _settable(prop) and prop.label
        })  # fmt: skip

    def properties(self, type_name: str) -> Iterator[Property]:
        """The properties of a type and its bases that can be set."""
        for found in self.manifest.lineage(type_name):
            yield from filter(_settable, found.properties.values())

    def property(self, type_name: str, name: str) -> Property | None:
        """A property of a type by its identifier."""
        found = self.manifest.find(type_name, name)
        return found[1] if found and isinstance(found[1], Property) else None

    def _paths(self, type_name: str) -> dict[str, list[tuple[tuple[int, int], PropertyPath]]]:
        """Every property that can be reached from a type, by each of its names, with a rank; lower is better."""
        if type_name not in self._reachable:
            named: dict[str, list[tuple[tuple[int, int], PropertyPath]]] = {}
            for found, ways in self._below(type_name, (), ()):
                near = NEAR.get(type_name)
                first, *below = found.path
                apart = near is not None and bool(below) and (len(below) > 1 or first not in near)
                for rank, name in _names_of(found.prop, ways, alone=not apart):
                    named.setdefault(name, []).append(((len(found.path), rank), found))
            self._reachable[type_name] = named
        return self._reachable[type_name]

    def _below(
        self, type_name: str, path: tuple[str, ...], ways: tuple[str, ...]
    ) -> Iterator[tuple[PropertyPath, tuple[str, ...]]]:
        for declared in self.manifest.lineage(type_name):
            for prop in declared.properties.values():
                if _settable(prop):
                    yield PropertyPath((*path, prop.name), prop, type_name), ways
                if prop.type == "POINTER" and len(path) < DEPTH and self.is_struct(prop):
                    own = (plain(prop.name), plain(prop.label))
                    yield from self._below(prop.of, (*path, prop.name), own)

    def is_struct(self, prop: Property) -> bool:
        """True if a pointer leads to a part of the thing itself."""
        return (
            prop.of in self.manifest.types
            and prop.name not in {"rna_type", "animation_data", "preview", "id_data"}
            and not self.manifest.is_a(prop.of, "ID")
            and not self.manifest.is_a(prop.of, "Node")
        )


def _settable(prop: Property) -> bool:
    return not prop.readonly and prop.type != "COLLECTION" and prop.name != "rna_type"


def _names_of(prop: Property, ways: tuple[str, ...], *, alone: bool) -> Iterator[tuple[int, str]]:
    """The names of a property with their ranks: identifier, label, and both after the name of its struct.

    Unless `alone`, only names that begin with the struct, as in "field strength".
    """
    name, label = plain(prop.name), plain(prop.label)
    if alone:
        yield 0, name
    if alone and label != name and not name.startswith("stamp "):
        yield 1, label
    if alone and name.startswith("use "):
        yield 2, name.removeprefix("use ")
    for way in ways:
        yield 0, f"{way} {name}"
        yield 1, f"{way} {label}"


def _wordings(words: str) -> Iterator[str]:
    """A name as written, then as words.toml translates it, then in the singular and plural."""
    named = plain(words)
    yield named
    if named in WORDS["properties"]:
        yield plain(WORDS["properties"][named])
    yield named.removesuffix("s") if named.endswith("s") else f"{named}s"


def item_of(items: Sequence[Any], words: str) -> str | None:
    """The identifier of the item with this label or identifier."""
    named = plain(words)
    for item in items:
        if named in {plain(item.identifier), plain(item.name)}:
            return str(item.identifier)
    return None
