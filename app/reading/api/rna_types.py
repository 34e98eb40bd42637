"""The types of the manifest, asked by value: members, properties, collections, and what a property holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from app.reading.api.context_members import CONTEXT, CONTEXT_LISTS, CONTEXT_OF_EDITORS
from app.reading.api.declaration import ANYTHING, Declaration, common_declaration
from app.reading.api.docstrings import value_told
from app.reading.api.values import (
    UNKNOWN,
    Coll,
    EnumOf,
    Many,
    Method,
    Plain,
    PyMember,
    PyObject,
    Rna,
    Value,
)
from ingest.manifest import Manifest, Member, Property, PythonMember, RnaFunction, RnaType

# Types that scripts give members of their own.
_OPEN: Final = frozenset(
    {
        *("Operator", "OperatorProperties", "OperatorMacro", "Macro", "Panel", "Menu", "Header", "UIList"),
        *("PropertyGroup", "PropertyGroupItem", "AddonPreferences", "KeyConfigPreferences", "KeyingSetInfo"),
        *("RenderEngine", "FileHandler", "AssetShelf", "Gizmo", "GizmoGroup", "GizmoProperties", "AnyType"),
        *("bpy_struct", "Struct", "Property", "RnaFunction", "NodeCustomGroup", "NodeInternal", "UnknownType"),
        # Its inputs are those of the node group.
        "NodesModifierProperties",
    }
)

# Types that an add-on may give a property with `bpy.types.X.name = bpy.props...`.
_EXTENSIBLE: Final = (
    *("ID", "Bone", "EditBone", "PoseBone", "BoneCollection", "Strip", "Sequence", "Node", "NodeSocket"),
    *("NodeTreeInterfaceItem", "ViewLayer", "NodesModifier", "TimelineMarker", "PropertyGroup", "View3DShading"),
)

# Members of builds with support for a device only, unlike the wheels that a manifest is dumped from.
_OF_OTHER_BUILDS: Final = (("PreferencesInput", "ndof_"),)

# Node trees whose type is more exact than the declared one.
_TREES: Final = {
    ("Material", "node_tree"): "ShaderNodeTree",
    ("World", "node_tree"): "ShaderNodeTree",
    ("Light", "node_tree"): "ShaderNodeTree",
    ("FreestyleLineStyle", "node_tree"): "ShaderNodeTree",
    ("Texture", "node_tree"): "TextureNodeTree",
    ("Scene", "node_tree"): "CompositorNodeTree",
    ("Scene", "compositing_node_group"): "CompositorNodeTree",
    ("NodesModifier", "node_group"): "GeometryNodeTree",
}

# Members of a collection from `bpy_prop`, its base, which a manifest does not name.
_ON_EVERY_COLLECTION: Final = frozenset({"update", "id_data", "data", "path_from_id", "path_from_module", "as_bytes"})

_OF_GROUPS: Final = frozenset({"add", "remove", "move", "clear"})
"""Functions of a collection of property groups; manifests of older Blenders do not name its type."""

_VECTORS: Final = frozenset(
    {"COORDINATES", "TRANSLATION", "DIRECTION", "VELOCITY", "ACCELERATION", "XYZ", "XYZ_LENGTH"}
)
_PLAIN: Final = {"BOOLEAN": "bool", "INT": "int", "FLOAT": "float", "STRING": "str"}
_NO_MEMBERS: Final[Mapping[str, PythonMember]] = {}


class RnaTypes:
    """The RNA types of one build. Made once for a manifest: lookups are kept."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self._below: dict[str, dict[str, list[tuple[RnaType, Member]]]] = {}

    def member(self, owner: Rna, name: str) -> Declaration | None:
        """The declaration of `owner.name`; None if there is none."""
        if owner.type == "Context":
            return self._member_of_context(name)
        direct = self.manifest.find(owner.type, name)
        if direct:
            return self._declaration(direct, owner, name)
        if any(owner.type == of and name.startswith(prefix) for of, prefix in _OF_OTHER_BUILDS):
            return ANYTHING
        if owner.type not in self.manifest.types or self.is_open(owner.type):
            return ANYTHING
        below = [] if owner.exact else self.members_below(owner.type).get(name, [])
        if not below:
            return None
        declarations = [self._declaration(declared, owner, name) for declared in below]
        return declarations[0] if len(declarations) == 1 else common_declaration(declarations)

    def is_open(self, type_name: str) -> bool:
        """True if scripts give things of this type members of their own."""
        return type_name in _OPEN

    def is_extensible(self, type_name: str) -> bool:
        """True if an add-on may have given the type a property."""
        return any(self.manifest.is_a(type_name, base) for base in _EXTENSIBLE)

    def property(self, type_name: str, name: str) -> Property | None:
        """The property that the type has or inherits."""
        declared = self.manifest.find(type_name, name)
        return declared[1] if declared and isinstance(declared[1], Property) else None

    def subtypes_of(self, type_name: str) -> Iterator[str]:
        """Every type below this one."""
        for below in self.manifest.subtypes.get(type_name, ()):
            yield below
            yield from self.subtypes_of(below)

    def members_below(self, type_name: str) -> dict[str, list[tuple[RnaType, Member]]]:
        """All members of the types below this one, by name, each with the type that declares it."""
        if type_name not in self._below:
            gathered: dict[str, list[tuple[RnaType, Member]]] = {}
            for below in self.subtypes_of(type_name):
                rna_type = self.manifest.types[below]
                for members in (rna_type.properties, rna_type.functions, rna_type.python):
                    for name, member in members.items():
                        gathered.setdefault(name, []).append((rna_type, member))
            self._below[type_name] = gathered
        return self._below[type_name]

    def function(self, method: Method) -> RnaFunction | None:
        """The function of the type that `method` names."""
        rna_type = self.manifest.types.get(method.type)
        return rna_type.functions.get(method.name) if rna_type else None

    def hook(self, type_name: str, name: str) -> RnaFunction | None:
        """The function of the type that a class below it may override."""
        declared = self.manifest.find(type_name, name) if type_name in self.manifest.types else None
        return declared[1] if declared and isinstance(declared[1], RnaFunction) else None

    def value_of(self, prop: Property, declaring: str, owner: Value = UNKNOWN) -> Value:
        """The value of a property, or of an argument or result of a function."""
        match prop.type:
            case "POINTER":
                of = _TREES.get((declaring, prop.name), prop.of)
                sure = owner.sure if isinstance(owner, Rna) else True
                return Rna(of, sure=sure) if of in self.manifest.types else UNKNOWN
            case "COLLECTION":
                item = Rna(prop.of) if prop.of in self.manifest.types else UNKNOWN
                return Coll(item, prop.collection, owner, prop.name)
            case "ENUM" if not prop.flags:
                return EnumOf(declaring, prop.name) if self.property(declaring, prop.name) is prop else Plain("str")
            case "BOOLEAN" | "INT" | "STRING" if not prop.array and not prop.dynamic_array:
                return Plain(_PLAIN[prop.type])
            case "FLOAT" if not prop.dynamic_array:
                return _float_value(prop)
            case _:
                return UNKNOWN

    def member_of_collection(self, owner: Coll, name: str) -> Declaration | None:
        """The member of this name that a collection has; None if there is none."""
        declared = self.manifest.find(owner.type, name) if owner.type else None
        if declared and declared[0].name != "bpy_struct":
            return self._declaration(declared, owner, name)
        if name in _ON_EVERY_COLLECTION:
            return ANYTHING
        for base in ("bpy_prop_collection", "bpy_prop_collection_idprop"):
            members = self.manifest.types[base].python if base in self.manifest.types else _NO_MEMBERS
            if name in members and (base == "bpy_prop_collection" or self._holds_groups(owner)):
                address = f"bpy.types.{base}.{name}"
                return Declaration(PyMember(f"bpy.types.{base}", (name,), owner), address, function=True)
        if name in _OF_GROUPS and "bpy_prop_collection_idprop" not in self.manifest.types and self._holds_groups(owner):
            return ANYTHING
        if "bpy_prop_collection" not in self.manifest.types or (owner.type and owner.type not in self.manifest.types):
            return ANYTHING
        return None

    def _holds_groups(self, owner: Coll) -> bool:
        match owner.of:
            case Rna(type=of):
                return of not in self.manifest.types or self.manifest.is_a(of, "PropertyGroup")
            case _:
                return True

    def _member_of_context(self, name: str) -> Declaration | None:
        if name in CONTEXT_OF_EDITORS:
            return ANYTHING
        declared = self.manifest.find("Context", name)
        if declared:
            return self._declaration(declared, Rna("Context"), name)
        if name not in self.manifest.context:
            return None
        kind, address = self.manifest.context[name], f"bpy.context.{name}"
        single, several = CONTEXT.get(name), CONTEXT_LISTS.get(name)
        if kind.startswith("list of ") or several:
            return Declaration(Many(Rna(several or kind.removeprefix("list of "))), address)
        kind = kind or single or ""
        return Declaration(Rna(kind) if kind in self.manifest.types else UNKNOWN, address)

    def _declaration(self, declared: tuple[RnaType, Member], owner: Value, name: str) -> Declaration:
        declaring, member = declared
        address = f"bpy.types.{declaring.name}.{name}"
        match member:
            case Property():
                value = self.value_of(member, declaring.name, owner)
                return Declaration(value, address, member, member.readonly)
            case RnaFunction():
                return Declaration(Method(declaring.name, name, owner), address, function=True)
            case PythonMember(kind="method" | "function"):
                value = PyMember(f"bpy.types.{declaring.name}", (name,), owner)
                return Declaration(value, address, function=True)
            case PythonMember():
                value = Rna("ID") if name == "id_data" else value_told(self.manifest, member.doc, declaring.name)
                return Declaration(value, address, readonly=member.readonly)


def _float_value(prop: Property) -> Value:
    match prop.subtype, prop.array:
        case _, ():
            return Plain("float")
        case "EULER", (3,):
            return PyObject("mathutils", "Euler")
        case "QUATERNION", (4,):
            return PyObject("mathutils", "Quaternion")
        case "MATRIX", _:
            return PyObject("mathutils", "Matrix")
        case "COLOR" | "COLOR_GAMMA", (3,):
            return PyObject("mathutils", "Color")
        case subtype, (2 | 3 | 4,) if subtype in _VECTORS:
            return PyObject("mathutils", "Vector")
        case _:
            return UNKNOWN
