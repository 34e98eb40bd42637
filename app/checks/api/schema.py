"""The manifest, asked by value: what a member of a value is, and where it is declared.

Lookups answer with a `Found`, with None where there is certainly no such member, and with an unknown value where the
manifest cannot know.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from app.checks.api.values import (
    UNKNOWN,
    Coll,
    EnumOf,
    Lit,
    Many,
    Method,
    Mod,
    Op,
    OwnSelf,
    Plain,
    PyMember,
    PyObject,
    Rna,
    RnaClass,
    Seq,
    Unknown,
    Value,
    join,
)
from harness.versions import version_key
from ingest.manifest import Function, Manifest, Member, Operator, Property, PythonMember, RnaType

# Types that scripts give members of their own.
_OPEN: Final = frozenset(
    {
        *("Operator", "OperatorProperties", "OperatorMacro", "Macro", "Panel", "Menu", "Header", "UIList"),
        *("PropertyGroup", "PropertyGroupItem", "AddonPreferences", "KeyConfigPreferences", "KeyingSetInfo"),
        *("RenderEngine", "FileHandler", "AssetShelf", "Gizmo", "GizmoGroup", "GizmoProperties", "AnyType"),
        *("bpy_struct", "Struct", "Property", "Function", "NodeCustomGroup", "NodeInternal", "UnknownType"),
    }
)

# Types that an add-on may give a property with `bpy.types.X.name = bpy.props...`.
_EXTENSIBLE: Final = (
    *("ID", "Bone", "EditBone", "PoseBone", "BoneCollection", "Strip", "Sequence", "Node", "NodeSocket"),
    *("NodeTreeInterfaceItem", "ViewLayer", "NodesModifier", "TimelineMarker", "PropertyGroup"),
)

# What the general type of a node tree does not say.
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

# Members of the context whose value is only there in some mode.
_CONTEXT: Final = {
    **dict.fromkeys(("object", "active_object", "edit_object", "pose_object", "sculpt_object"), "Object"),
    **dict.fromkeys(("image_paint_object", "vertex_paint_object", "weight_paint_object"), "Object"),
    "active_pose_bone": "PoseBone",
    "active_action": "Action",
}
_CONTEXT_LISTS: Final = {
    **dict.fromkeys(("selected_objects", "selected_editable_objects", "visible_objects", "editable_objects"), "Object"),
    **dict.fromkeys(("selectable_objects", "objects_in_mode", "objects_in_mode_unique_data"), "Object"),
    **dict.fromkeys(("selected_pose_bones", "visible_pose_bones"), "PoseBone"),
    **dict.fromkeys(("selected_pose_bones_from_active_object",), "PoseBone"),
}

# Members that only some editor has, and that a manifest, dumped without a window, does not tell of.
_CONTEXT_OF_EDITORS: Final = frozenset(
    {
        *(
            "active_file",
            "active_node",
            "active_nla_strip",
            "armature",
            "asset",
            "bone",
            "bookmarks",
            "brush",
            "camera",
        ),
        *(
            "cloth",
            "collision",
            "curve",
            "curves",
            "dynamic_paint",
            "edit_bone",
            "edit_image",
            "edit_mask",
            "edit_text",
        ),
        *("edit_movieclip", "fluid", "id", "lattice", "light", "lightprobe", "line_style", "material", "material_slot"),
        *("mesh", "meta_ball", "particle_settings", "particle_system", "particle_system_editable", "pointcloud"),
        *("pose_bone", "selected_assets", "selected_files", "selected_ids", "selected_nodes", "soft_body", "speaker"),
        *("strip", "strip_modifier", "texture", "texture_node", "texture_slot", "texture_user", "volume", "world"),
        *("texture_user_property", "edit_mask", "button_operator", "button_pointer", "button_prop", "pointer"),
    }
)

# What a collection has from `bpy_prop`, its base, which a manifest does not name.
_ON_EVERY_COLLECTION: Final = frozenset({"update", "id_data", "data", "path_from_id", "path_from_module", "as_bytes"})

_ATTRIBUTE: Final = "attr"
"""An argument that every function of `bpy.props` takes and none tells of."""

_VECTORS: Final = frozenset(
    {"COORDINATES", "TRANSLATION", "DIRECTION", "VELOCITY", "ACCELERATION", "XYZ", "XYZ_LENGTH"}
)
_PLAIN: Final = {"BOOLEAN": "bool", "INT": "int", "FLOAT": "float", "STRING": "str"}

_BELOW_BPY: Final = frozenset({"app", "context", "data", "msgbus", "ops", "path", "props", "types", "utils"})
_MODULES_IN_FULL: Final = ("bmesh", "mathutils", "bpy.props", "bpy.app", "gpu.types", "blf", "bl_math")
"""Modules written in C, whose members the manifest has without exception."""

_BMESH_ITEMS: Final = {
    **dict.fromkeys(("BMVertSeq",), "BMVert"),
    **dict.fromkeys(("BMEdgeSeq",), "BMEdge"),
    **dict.fromkeys(("BMFaceSeq",), "BMFace"),
    **dict.fromkeys(("BMLoopSeq",), "BMLoop"),
}

_DOC_TYPE: Final = re.compile(
    r"^:(?:r?type): +:class:`([\w.]+)`\.?(?: +\(?read-?only\)?)?$", re.MULTILINE | re.IGNORECASE
)
_REGISTERED: Final = re.compile(r"^\w+_(OT|PT|MT|HT|UL|AST|FH|GT|GGT|KSI)_\w+$|^BUILTIN_KSI_|^WorkSpaceTool")
"""Classes that scripts register; a manifest leaves out those of Blender itself."""


_NO_MEMBERS: Final[Mapping[str, PythonMember]] = {}


@dataclass(frozen=True)
class Found:
    """A member: its value, the address of what declares it, and the property where it is one."""

    value: Value
    address: str = ""
    declared_in: str = ""
    property: Property | None = None
    readonly: bool = False
    function: bool = False


ANYTHING: Final = Found(UNKNOWN)


@dataclass(frozen=True)
class Signature:
    """The arguments of a Python function. Not `exact` where its docstring is all that tells how they are given."""

    positional: tuple[str, ...]
    keywords: frozenset[str]
    more_positional: bool
    more_keywords: bool
    exact: bool


class Api:
    """One build's API. Made once for a manifest: what is looked up is kept."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self._below: dict[str, dict[str, list[tuple[RnaType, Member]]]] = {}
        self._signatures: dict[tuple[str, tuple[str, ...]], Signature | None] = {}

    @functools.cached_property
    def version(self) -> tuple[int, ...]:
        return version_key(self.manifest.version)

    @functools.cached_property
    def operator_modules(self) -> frozenset[str]:
        return frozenset(name.partition(".")[0] for name in self.manifest.operators)

    @functools.cached_property
    def families(self) -> Mapping[frozenset[str], str]:
        """The families of identifiers by all their members, to know an enumeration that takes just these."""
        return {frozenset(members): family for family, members in self.manifest.identifiers.items() if len(members) > 1}

    # --- members -------------------------------------------------------------------------------------------

    def member(self, owner: Value, name: str) -> Found | None:
        """What `owner.name` is; None where there is none."""
        if name.startswith(("_", "bl_")) or name == "rna_type":
            return ANYTHING
        match owner:
            case Rna():
                return self.member_of_type(owner, name)
            case Coll():
                return self._member_of_collection(owner, name)
            case PyObject(home=home, name=class_name):
                return self._member_of_class(home, class_name, owner, name)
            case PyMember():
                return self._static_member(owner, name)
            case Mod(name=module):
                return self._member_of_module(module, name)
            case OwnSelf(type="Panel" | "Menu" | "Header") if name == "layout":
                return Found(Rna("UILayout"))
            case _:
                return ANYTHING

    def member_of_type(self, owner: Rna, name: str) -> Found | None:
        if owner.type == "Context":
            return self._member_of_context(name)
        direct = self.manifest.find(owner.type, name)
        if direct:
            return self._found(direct, owner, name)
        if owner.type not in self.manifest.types or self.is_open(owner.type):
            return ANYTHING
        below = [] if owner.exact else self._members_below(owner.type).get(name, [])
        if not below:
            return None
        found = [self._found(each, owner, name) for each in below]
        return found[0] if len(found) == 1 else joined(found)

    def is_open(self, type_name: str) -> bool:
        """Whether scripts give things of this type members of their own."""
        return type_name in _OPEN

    def is_extensible(self, type_name: str) -> bool:
        """Whether an add-on may have given the type a property."""
        return any(self.manifest.is_a(type_name, base) for base in _EXTENSIBLE)

    def names_on(self, owner: Value) -> set[str]:
        """Every member name of a value, to find near ones."""
        match owner:
            case Rna(type="Context"):
                return {*self.manifest.members("Context"), *self.manifest.context}
            case Rna(type=type_name, exact=exact):
                below = {} if exact else self._members_below(type_name)
                return {*self.manifest.members(type_name), *below}
            case Coll(type=type_name):
                return {*self.manifest.members(type_name), *self.manifest.members("bpy_prop_collection")}
            case PyObject(home=home, name=class_name):
                return set(self._class_members(home, class_name))
            case Mod(name="bpy.types"):
                return set(self.manifest.types)
            case Mod(name="bpy.ops"):
                return set(self.operator_modules)
            case Mod(name=module) if module.startswith("bpy.ops."):
                prefix = f"{module.removeprefix('bpy.ops.')}."
                return {name.removeprefix(prefix) for name in self.manifest.operators if name.startswith(prefix)}
            case Mod(name=module) if module in self.manifest.modules:
                return {*self.manifest.modules[module].members, *self._submodules(module)}
            case _:
                return set()

    def property(self, type_name: str, name: str) -> Property | None:
        found = self.manifest.find(type_name, name)
        return found[1] if found and isinstance(found[1], Property) else None

    def subtypes_of(self, type_name: str) -> Iterator[str]:
        """Every type below this one."""
        for below in self.manifest.subtypes.get(type_name, ()):
            yield below
            yield from self.subtypes_of(below)

    def _members_below(self, type_name: str) -> dict[str, list[tuple[RnaType, Member]]]:
        if type_name not in self._below:
            gathered: dict[str, list[tuple[RnaType, Member]]] = {}
            for below in self.subtypes_of(type_name):
                found = self.manifest.types[below]
                for members in (found.properties, found.functions, found.python):
                    for name, member in members.items():
                        gathered.setdefault(name, []).append((found, member))
            self._below[type_name] = gathered
        return self._below[type_name]

    def _found(self, declared: tuple[RnaType, Member], owner: Value, name: str) -> Found:
        declaring, member = declared
        address = f"bpy.types.{declaring.name}.{name}"
        match member:
            case Property():
                value = self.value_of(member, declaring.name, owner)
                return Found(value, address, declaring.name, member, member.readonly)
            case Function():
                return Found(Method(declaring.name, name, owner), address, declaring.name, function=True)
            case PythonMember(kind="method" | "function"):
                value = PyMember(f"bpy.types.{declaring.name}", (name,), owner)
                return Found(value, address, declaring.name, function=True)
            case PythonMember():
                value = Rna("ID") if name == "id_data" else self._from_doc(member.doc, declaring.name)
                return Found(value, address, declaring.name, readonly=member.readonly)

    def _member_of_context(self, name: str) -> Found | None:
        if name in _CONTEXT_OF_EDITORS:
            return ANYTHING
        declared = self.manifest.find("Context", name)
        if declared:
            return self._found(declared, Rna("Context"), name)
        if name not in self.manifest.context:
            return None
        kind, address = self.manifest.context[name], f"bpy.context.{name}"
        single, several = _CONTEXT.get(name), _CONTEXT_LISTS.get(name)
        if kind.startswith("list of ") or several:
            return Found(Many(Rna(several or kind.removeprefix("list of "))), address, "Context")
        kind = kind or single or ""
        return Found(Rna(kind) if kind in self.manifest.types else UNKNOWN, address, "Context")

    def _member_of_collection(self, owner: Coll, name: str) -> Found | None:
        declared = self.manifest.find(owner.type, name) if owner.type else None
        if declared and declared[0].name != "bpy_struct":
            return self._found(declared, owner, name)
        if name in _ON_EVERY_COLLECTION:
            return ANYTHING
        for base in ("bpy_prop_collection", "bpy_prop_collection_idprop"):
            members = self.manifest.types[base].python if base in self.manifest.types else _NO_MEMBERS
            if name in members and (base == "bpy_prop_collection" or self._holds_groups(owner)):
                address = f"bpy.types.{base}.{name}"
                return Found(PyMember(f"bpy.types.{base}", (name,), owner), address, base, function=True)
        if "bpy_prop_collection" not in self.manifest.types or (owner.type and owner.type not in self.manifest.types):
            return ANYTHING
        return None

    def _holds_groups(self, owner: Coll) -> bool:
        match owner.of:
            case Rna(type=of):
                return self.manifest.is_a(of, "PropertyGroup") or of not in self.manifest.types
            case _:
                return True

    def value_of(self, prop: Property, declaring: str, owner: Value = UNKNOWN) -> Value:
        """What the property holds, or the argument or result of a function is."""
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

    # --- modules -------------------------------------------------------------------------------------------

    def _member_of_module(self, module: str, name: str) -> Found | None:
        address = f"{module}.{name}"
        if module == "bpy":
            value = {"context": Rna("Context"), "data": Rna("BlendData")}.get(name, Mod(address))
            known = name in _BELOW_BPY or name.startswith("_")
            return Found(value, address if name in {"context", "data"} else "") if known else None
        if module == "bpy.types":
            return self._type_named(name)
        if module == "bpy.ops":
            return Found(Mod(address)) if name in self.operator_modules else None
        if module.startswith("bpy.ops."):
            operator = address.removeprefix("bpy.ops.")
            return Found(Op(operator), address) if operator in self.manifest.operators else None
        if module == "bpy.app" and name == "version":
            parts = tuple(Lit(part, "int") for part in self.version)
            return Found(Seq("tuple", parts), address)
        if address in self.manifest.modules:
            return Found(Mod(address))
        return self._plain_member(module, name)

    def _type_named(self, name: str) -> Found | None:
        if name in self.manifest.types:
            return Found(RnaClass(name), f"bpy.types.{name}")
        return ANYTHING if _REGISTERED.match(name) else None

    def _plain_member(self, module: str, name: str) -> Found | None:
        known = self.manifest.modules.get(module)
        if known is None:
            return ANYTHING
        member = known.members.get(name)
        if member is None:
            return None
        if member.kind == "data":
            return Found(UNKNOWN, f"{module}.{name}")
        return Found(PyMember(module, (name,), UNKNOWN), f"{module}.{name}", function=True)

    def _submodules(self, module: str) -> Iterator[str]:
        return (name.rpartition(".")[2] for name in self.manifest.modules if name.rpartition(".")[0] == module)

    def knows_all_of(self, module: str) -> bool:
        """Whether what the manifest does not have of a module is certainly not there."""
        return module == "bpy" or any(module == whole or module.startswith(f"{whole}.") for whole in _MODULES_IN_FULL)

    # --- classes and functions in Python -------------------------------------------------------------------

    def python_member(self, member: PyMember) -> PythonMember | None:
        """The manifest's entry of what `member` leads to."""
        members: Mapping[str, PythonMember] = {}
        if member.home.startswith("bpy.types."):
            found = self.manifest.types.get(member.home.removeprefix("bpy.types."))
            members = found.python if found else members
        elif member.home in self.manifest.modules:
            members = self.manifest.modules[member.home].members
        entry: PythonMember | None = None
        for name in member.path:
            entry = members.get(name)
            members = entry.members if entry else _NO_MEMBERS
        return entry

    def _class_members(self, home: str, class_name: str) -> dict[str, PythonMember]:
        module = self.manifest.modules.get(home)
        entry = module.members.get(class_name) if module else None
        if entry is None or module is None:
            return {}
        gathered: dict[str, PythonMember] = {}
        for base in reversed(entry.bases):
            gathered.update(module.members[base].members if base in module.members else {})
        return {**gathered, **entry.members}

    def _bases_known(self, home: str, class_name: str) -> bool:
        module = self.manifest.modules.get(home)
        entry = module.members.get(class_name) if module else None
        return bool(module and entry and all(base in module.members for base in entry.bases))

    def _member_of_class(self, home: str, class_name: str, owner: Value, name: str) -> Found | None:
        member = self._class_members(home, class_name).get(name)
        if member is None:
            return None if self.knows_all_of(home) and self._bases_known(home, class_name) else ANYTHING
        address = f"{home}.{class_name}.{name}"
        if member.kind in {"method", "function"}:
            return Found(PyMember(home, (class_name, name), owner), address, class_name, function=True)
        return Found(self._from_doc(member.doc, home), address, class_name, readonly=member.readonly)

    def _static_member(self, owner: PyMember, name: str) -> Found | None:
        entry = self.python_member(owner)
        if entry is None or entry.kind != "class" or len(owner.path) != 1:
            return ANYTHING
        found = self._member_of_class(owner.home, owner.path[0], UNKNOWN, name)
        return found if found and found.function else ANYTHING

    def result_of_python(self, member: PyMember) -> Value:
        """What a call of it gives back, where its docstring says so."""
        entry = self.python_member(member)
        if entry is None:
            return UNKNOWN
        if entry.kind == "class":
            return PyObject(member.home, member.path[-1]) if len(member.path) == 1 else UNKNOWN
        return self._from_doc(entry.doc, member.home)

    def _from_doc(self, doc: str, home: str) -> Value:
        found = _DOC_TYPE.findall(doc)
        if len(found) != 1:
            return UNKNOWN
        prefix, _, name = found[0].rpartition(".")
        if prefix == "bpy.types":
            return Rna(name) if name in self.manifest.types else UNKNOWN
        module = prefix or home
        known = self.manifest.modules.get(module)
        return PyObject(module, name) if known and name in known.members else UNKNOWN

    def item_of(self, value: PyObject) -> Value:
        """What iterating over an instance gives."""
        item = _BMESH_ITEMS.get(value.name) if value.home == "bmesh.types" else None
        return PyObject(value.home, item) if item else UNKNOWN

    def signature(self, member: PyMember) -> Signature | None:
        """The arguments of a Python function, or None where nothing tells them."""
        key = (member.home, member.path)
        if len(member.path) > 1 and isinstance(member.owner, Unknown):
            key = (f"{member.home} from its class", member.path)
        if key not in self._signatures:
            entry = self.python_member(member)
            extra = (_ATTRIBUTE,) if member.home == "bpy.props" else ()
            bound = len(member.path) == 1 or not isinstance(member.owner, Unknown)
            self._signatures[key] = _signature(entry, bound, extra) if entry and entry.kind != "class" else None
        return self._signatures[key]

    def operator(self, name: str) -> Operator:
        return self.manifest.operators[name]

    def function(self, method: Method) -> Function | None:
        found = self.manifest.types.get(method.type)
        return found.functions.get(method.name) if found else None


def joined(found: Iterable[Found]) -> Found:
    """What is found in several types at once: it has an address only where all agree."""
    each = list(found)
    addresses = {one.address for one in each}
    return Found(
        join(one.value for one in each),
        addresses.pop() if len(addresses) == 1 else "",
        readonly=all(one.readonly for one in each),
        function=all(one.function for one in each),
    )


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


_IN_DOC: Final = re.compile(
    r"^(?:\.\. (?:\w*method|function):: *|BMeshOpFunc )[\w.]*(\(.*\))(?: *->.*)?$", re.MULTILINE
)


_ARGUMENTS_IN_DOC: Final = re.compile(r"^:(?:arg|param|type) (\w+):", re.MULTILINE)


def _signature(entry: PythonMember, bound: bool, extra: tuple[str, ...]) -> Signature | None:
    shown = _IN_DOC.findall(entry.doc)
    text = entry.signature or (shown[0] if len(shown) == 1 else "")
    if not text:
        return None
    try:
        tree = ast.parse(f"def f{text}: ...").body[0]
    except (SyntaxError, ValueError):
        return None
    if not isinstance(tree, ast.FunctionDef):
        return None
    arguments = tree.args
    positional = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    takes_self = entry.kind == "method" and entry.signature and (not entry.static or positional[:1] == ["cls"])
    if takes_self and (bound or entry.static):
        positional = positional[1:]
    named = [*positional, *(argument.arg for argument in arguments.kwonlyargs), *_ARGUMENTS_IN_DOC.findall(entry.doc)]
    return Signature(
        positional=tuple(positional),
        keywords=frozenset([*named, *extra]),
        more_positional=arguments.vararg is not None,
        more_keywords=arguments.kwarg is not None,
        exact=bool(entry.signature),
    )


_apis: list[Api] = []
_APIS_KEPT: Final = 4


def api_of(manifest: Manifest) -> Api:
    """The lookups of a manifest; those of the last few manifests are kept."""
    for api in _apis:
        if api.manifest is manifest:
            return api
    api = Api(manifest)
    _apis.insert(0, api)
    del _apis[_APIS_KEPT:]
    return api


def default_names(api: Api, tree: str) -> Mapping[str, str]:
    """The node type that each name stands for which Blender gives a new node, where only one does."""
    return _default_names(api, tree)


@functools.lru_cache(maxsize=32)
def _default_names(api: Api, tree: str) -> dict[str, str]:
    by_label: dict[str, list[str]] = {}
    for node in api.manifest.nodes.values():
        if tree in node.trees:
            by_label.setdefault(node.label, []).append(node.identifier)
    return {label: names[0] for label, names in by_label.items() if len(names) == 1}
