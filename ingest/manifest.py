"""The manifest: the API of one Blender build, in its own description. `harness.inside.api.manifest` writes it.

Manifest
├── types        RnaType by name         properties, functions, Python members; `find` walks up to the bases
├── operators    Operator by name        such as "mesh.primitive_uv_sphere_add"
├── nodes        NodeType by identifier  the trees it can be in, its sockets
├── identifiers  Identifier by family    modifiers, constraints, lights, textures, engines, ...
├── context      members of the context that the open screen adds
└── modules      Module by name          bmesh, mathutils, gpu, bpy.utils, ... from their docstrings
"""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, SupportsIndex, TypeVar

from harness.blenders import Blender, BlenderNotAvailable
from harness.dump import dump_manifest
from harness.protocol import MANIFEST_SCHEMA
from harness.versions import series_of
from ingest.symbol import Item

MANIFESTS_KEPT: Final = 4


class ManifestUnreadable(Exception):
    """A manifest file cannot be read. The message says what to do."""


@dataclasses.dataclass(frozen=True)
class Property:
    """A property of a type, or an argument of a function or an operator."""

    name: str
    type: str
    """BOOLEAN, INT, FLOAT, STRING, ENUM, POINTER or COLLECTION."""
    label: str = ""
    description: str = ""
    subtype: str = ""
    unit: str = ""
    default: Any = None
    array: tuple[int, ...] = ()
    """Size in each dimension; empty for a single value."""
    dynamic_array: bool = False
    min: float | None = None
    max: float | None = None
    soft_min: float | None = None
    soft_max: float | None = None
    length_max: int = 0
    items: tuple[Item, ...] = ()
    flags: bool = False
    """True if an enumeration holds a set of items."""
    open: bool = False
    """True if an enumeration may accept strings that are not in `items`."""
    of: str = ""
    """The type that a pointer or a collection holds."""
    collection: str = ""
    """The type of a collection itself, with its own functions, such as ObjectModifiers."""
    readonly: bool = False
    never_none: bool = False
    hidden: bool = False
    deprecated: str = ""
    required: bool = False
    output: bool = False


@dataclasses.dataclass(frozen=True)
class RnaFunction:
    """A function of a type."""

    name: str
    description: str
    parameters: Mapping[str, Property]
    static: bool = False
    of_type: bool = False

    @property
    def arguments(self) -> tuple[Property, ...]:
        """The parameters that a caller passes, in order."""
        return tuple(parameter for parameter in self.parameters.values() if not parameter.output)

    @property
    def results(self) -> tuple[Property, ...]:
        """The values that it returns, in order."""
        return tuple(parameter for parameter in self.parameters.values() if parameter.output)


@dataclasses.dataclass(frozen=True)
class PythonMember:
    """Something that Python sees outside RNA: kind is class, function, method, attribute or data."""

    name: str
    kind: str
    doc: str = ""
    signature: str = ""
    static: bool = False
    readonly: bool = False
    bases: tuple[str, ...] = ()
    members: Mapping[str, PythonMember] = dataclasses.field(default_factory=dict[str, "PythonMember"])


@dataclasses.dataclass(frozen=True)
class RnaType:
    """A type of `bpy.types`, with only its own members; `Manifest.find` searches the bases too."""

    name: str
    base: str
    label: str
    description: str
    properties: Mapping[str, Property]
    functions: Mapping[str, RnaFunction]
    python: Mapping[str, PythonMember]


@dataclasses.dataclass(frozen=True)
class Operator:
    """An operator; `name` is the part after `bpy.ops.`."""

    name: str
    label: str
    description: str
    arguments: Mapping[str, Property]


@dataclasses.dataclass(frozen=True)
class Socket:
    """A socket of a node. `in_some_modes` is true if a new node does not have it."""

    identifier: str
    name: str
    type: str
    default: Any = None
    enabled: bool = True
    in_some_modes: bool = False


@dataclasses.dataclass(frozen=True)
class NodeType:
    """A node type. `varies` is true if it can have other sockets too."""

    identifier: str
    label: str
    trees: tuple[str, ...]
    inputs: tuple[Socket, ...] = ()
    outputs: tuple[Socket, ...] = ()
    varies: bool = True


@dataclasses.dataclass(frozen=True)
class Identifier:
    """A string that names the thing to make, such as SUBSURF; `type` is the resulting class, if known."""

    identifier: str
    label: str
    description: str
    type: str


@dataclasses.dataclass(frozen=True)
class ApiModule:
    """A module of the API outside RNA."""

    name: str
    doc: str
    members: Mapping[str, PythonMember]


Member = Property | RnaFunction | PythonMember


@dataclasses.dataclass(frozen=True)
class Manifest:
    """The API of one build; see the module's drawing."""

    version: str
    build_hash: str
    templates: str
    """The folder of this Blender's example scripts, or empty."""
    types: Mapping[str, RnaType]
    operators: Mapping[str, Operator]
    nodes: Mapping[str, NodeType]
    identifiers: Mapping[str, Mapping[str, Identifier]]
    context: Mapping[str, str]
    modules: Mapping[str, ApiModule]
    file: Path | None = dataclasses.field(default=None, compare=False)
    """The file that it was read from."""

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        if self.file is None:
            return super().__reduce_ex__(protocol)
        # Another process reads the file itself, once.
        return kept_manifest, (self.file, self.file.stat().st_mtime_ns)

    @property
    def series(self) -> str:
        """The first two parts of the version, such as 5.0."""
        return series_of(self.version)

    def lineage(self, type_name: str) -> Iterator[RnaType]:
        """The type and its bases, nearest first, `bpy_struct` last."""
        name = type_name
        while name in self.types:
            yield self.types[name]
            name = self.types[name].base
        if type_name != "bpy_struct" and "bpy_struct" in self.types and not type_name.startswith("bpy_"):
            yield self.types["bpy_struct"]

    def is_a(self, type_name: str, base: str) -> bool:
        """True if the type is `base` or below it."""
        return any(base_type.name == base for base_type in self.lineage(type_name))

    def find(self, type_name: str, member: str) -> tuple[RnaType, Member] | None:
        """The member of a type, with the type that declares it, or None."""
        for found in self.lineage(type_name):
            for members in (found.properties, found.functions, found.python):
                if member in members:
                    return found, members[member]
        return None

    def members(self, type_name: str) -> Iterator[str]:
        """The names of all members of a type and its bases."""
        for found in self.lineage(type_name):
            yield from found.properties
            yield from found.functions
            yield from found.python

    @functools.cached_property
    def subtypes(self) -> Mapping[str, tuple[str, ...]]:
        """The types directly below each type."""
        below: dict[str, list[str]] = {}
        for found in self.types.values():
            below.setdefault(found.base, []).append(found.name)
        return {name: tuple(names) for name, names in below.items()}


def manifest_of(home: Path, blender: Blender) -> Manifest:
    """The manifest of an installed Blender; dumped now if it is not kept yet, and again if it is damaged.

    Raises BlenderNotAvailable.
    """
    file = dump_manifest(home, blender)
    try:
        return read_manifest(file)
    except ManifestUnreadable:
        file.unlink(missing_ok=True)
    try:
        return read_manifest(dump_manifest(home, blender))
    except ManifestUnreadable as error:
        raise BlenderNotAvailable(f"Blender {blender.version} dumped an unreadable manifest: {error}") from error


def read_manifest(file: Path) -> Manifest:
    """The manifest in a file, read in about 0.2 s. Raises ManifestUnreadable."""
    again = "Remove it and run `blendproof ingest blender`."
    try:
        facts: dict[str, Any] = json.loads(file.read_bytes())
        if facts["schema"] != MANIFEST_SCHEMA:
            raise ManifestUnreadable(f"{file} has schema {facts['schema']}, not {MANIFEST_SCHEMA}. {again}")
        return dataclasses.replace(from_json(facts), file=file)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ManifestUnreadable(f"{file} is not a manifest ({type(error).__name__}: {error}). {again}") from error


@functools.lru_cache(maxsize=8)
def kept_manifest(file: Path, _written_ns: int) -> Manifest:
    """The manifest in a file as it was written then, read once by a process."""
    return read_manifest(file)


def from_json(facts: dict[str, Any]) -> Manifest:
    """The manifest from the dumped object."""
    return Manifest(
        version=facts["version"],
        build_hash=facts["build_hash"],
        templates=facts["templates"],
        types={name: rna_type(name, type_facts) for name, type_facts in facts["types"].items()},
        operators={
            name: Operator(name, one["label"], one["description"], properties(one["arguments"]))
            for name, one in facts["operators"].items()
        },
        nodes={name: node_type(name, node) for name, node in facts["nodes"].items()},
        identifiers={
            family: {
                name: Identifier(name, one["label"], one.get("description", ""), one["type"])
                for name, one in members.items()
            }
            for family, members in facts["identifiers"].items()
        },
        context=facts["context"],
        modules={
            name: ApiModule(name, one["doc"], python_members(one["members"])) for name, one in facts["modules"].items()
        },
    )


def rna_type(name: str, facts: dict[str, Any]) -> RnaType:
    return RnaType(
        name=name,
        base=facts["base"],
        label=facts["label"],
        description=facts["description"],
        properties=properties(facts["properties"]),
        functions={
            function: RnaFunction(
                function,
                function_facts["description"],
                properties(function_facts["parameters"]),
                function_facts["static"],
                function_facts["of_type"],
            )
            for function, function_facts in facts["functions"].items()
        },
        python=python_members(facts["python"]),
    )


def properties(facts: dict[str, dict[str, Any]]) -> dict[str, Property]:
    return {name: property_of(name, property_facts) for name, property_facts in facts.items()}


def property_of(name: str, facts: dict[str, Any]) -> Property:
    known = dict(facts)
    known["array"] = tuple(known.get("array", ()))
    known["items"] = tuple(Item(*item) for item in known.get("items", ()))
    return Property(name=name, **known)


def node_type(name: str, facts: dict[str, Any]) -> NodeType:
    return NodeType(
        identifier=name,
        label=facts["label"],
        trees=tuple(facts["trees"]),
        inputs=sockets(facts.get("inputs", {})),
        outputs=sockets(facts.get("outputs", {})),
        varies=facts.get("varies", True),
    )


def sockets(facts: dict[str, dict[str, Any]]) -> tuple[Socket, ...]:
    return tuple(Socket(identifier=identifier, **one) for identifier, one in facts.items())


def python_members(facts: dict[str, dict[str, Any]]) -> dict[str, PythonMember]:
    return {name: python_member(name, member) for name, member in facts.items()}


def python_member(name: str, facts: dict[str, Any]) -> PythonMember:
    return PythonMember(
        name=name,
        kind=facts["kind"],
        doc=facts["doc"],
        signature=facts.get("signature", ""),
        static=facts.get("static", False),
        readonly=facts.get("readonly", False),
        bases=tuple(facts.get("bases", ())),
        members=python_members(facts.get("members", {})),
    )


Made = TypeVar("Made")


def once_per_manifest(make: Callable[[Manifest], Made]) -> Callable[[Manifest], Made]:
    """A function that makes something of a manifest, with its results for the last few kept."""
    kept: list[tuple[Manifest, Made]] = []

    @functools.wraps(make)
    def made(manifest: Manifest) -> Made:
        for one, known in kept:
            if one is manifest:
                return known
        new = make(manifest)
        kept.insert(0, (manifest, new))
        del kept[MANIFESTS_KEPT:]
        return new

    return made
