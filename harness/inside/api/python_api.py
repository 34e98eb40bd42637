"""Python's view of Blender apart from RNA: modules, classes and members, with their docstrings."""

import importlib
import inspect
import types
from collections.abc import Iterator
from typing import Any

import bpy

MODULES = (
    "bpy", "bpy.app", "bpy.app.handlers", "bpy.app.icons", "bpy.app.timers", "bpy.app.translations", "bpy.msgbus",
    "bpy.path", "bpy.props", "bpy.utils", "bpy.utils.previews", "bpy.utils.units",
    "bmesh", "bmesh.geometry", "bmesh.ops", "bmesh.types", "bmesh.utils",
    "mathutils", "mathutils.bvhtree", "mathutils.geometry", "mathutils.interpolate", "mathutils.kdtree",
    "mathutils.noise",
    "bpy_extras", "bpy_extras.anim_utils", "bpy_extras.asset_utils", "bpy_extras.bmesh_utils",
    "bpy_extras.id_map_utils", "bpy_extras.image_utils", "bpy_extras.io_utils",
    "bpy_extras.keyconfig_utils", "bpy_extras.mesh_utils",
    "bpy_extras.node_shader_utils", "bpy_extras.node_utils", "bpy_extras.object_utils", "bpy_extras.view3d_utils",
    "gpu", "gpu.capabilities", "gpu.matrix", "gpu.platform", "gpu.select", "gpu.shader", "gpu.state", "gpu.texture",
    "gpu.types", "gpu_extras", "gpu_extras.batch", "gpu_extras.presets",
    "aud", "bl_math", "blf", "idprop.types", "imbuf", "imbuf.types",
)  # fmt: skip

BASE_TYPES = (
    "bpy_func", "bpy_prop", "bpy_prop_array", "bpy_prop_collection", "bpy_prop_collection_idprop", "bpy_struct",
)  # fmt: skip
"""Classes of `bpy.types` that are below RNA."""

DOC_LIMIT = 6000


def modules() -> dict[str, Any]:
    """Every module of this Blender's API, by name."""
    found: dict[str, Any] = {}
    for name in MODULES:
        module = load(name)
        if module is not None:
            found[name] = {"doc": doc(module), "members": members(module, name)}
    return found


def load(name: str) -> Any:
    """The module, or the object that stands for one, such as `bpy.app`; None if this Blender has none."""
    try:
        return importlib.import_module(name)
    except Exception:
        owner, _, leaf = name.rpartition(".")
        return getattr(load(owner), leaf, None) if owner else None


def members(owner: Any, address: str) -> dict[str, Any]:
    names = [name for name in dir(owner) if not name.startswith("_") and f"{address}.{name}" not in MODULES]
    values = {name: getattr(owner, name, None) for name in names}
    public = getattr(owner, "__all__", None) or ()
    own = {name: value for name, value in values.items() if name in public or is_own(value, owner, address)}
    described = {name: describe(value) for name, value in own.items()}
    return {name: facts for name, facts in described.items() if facts}


def is_own(value: Any, owner: Any, address: str) -> bool:
    """True if the module defines this and did not import it. A value written in C belongs to the module it is in."""
    if isinstance(value, types.ModuleType):
        return False
    if not hasattr(owner, "__file__"):
        return True
    return getattr(value, "__module__", None) == address


def describe(value: Any) -> dict[str, Any]:
    """The facts of a member; empty if scripts do not use it."""
    if inspect.isclass(value):
        if getattr(value, "bl_rna", None):
            return {}
        return {"kind": "class", "doc": doc(value), "bases": bases(value), "members": class_members(value)}
    if callable(value):
        return {"kind": "function", "doc": doc(value), "signature": signature(value)}
    return {"kind": "data", "doc": "", "value": type(value).__name__}


def class_members(cls: Any) -> dict[str, Any]:
    return {name: facts for name, value in own_members(cls) if (facts := describe_member(value))}


def own_members(cls: Any) -> Iterator[tuple[str, Any]]:
    """The members that the class declares, and those of plain Python classes between it and its RNA base."""
    added = [base for base in cls.__mro__[1:] if base.__module__.endswith("bpy_types") and not hasattr(base, "bl_rna")]
    for declaring in (cls, *added):
        members: dict[str, Any] = dict(declaring.__dict__)
        yield from ((name, value) for name, value in members.items() if not name.startswith("_"))


def describe_member(value: Any) -> dict[str, Any]:
    if inspect.isgetsetdescriptor(value) or inspect.ismemberdescriptor(value):
        return {"kind": "attribute", "doc": doc(value)}
    if isinstance(value, property):
        return {"kind": "attribute", "doc": doc(value), "readonly": value.fset is None}
    bound = isinstance(value, (classmethod, staticmethod))
    function: Any = getattr(value, "__func__", value)
    if callable(function) and not inspect.isclass(value):
        shape = {"static": True} if bound else {}
        return {"kind": "method", "doc": doc(function), "signature": signature(function), **shape}
    return {}


def bases(cls: Any) -> list[str]:
    return [base.__name__ for base in cls.__mro__[1:] if base is not object]


def doc(value: Any) -> str:
    text = getattr(value, "__doc__", None)
    return inspect.cleandoc(text)[:DOC_LIMIT] if isinstance(text, str) else ""


def signature(value: Any) -> str:
    """The arguments of a function written in Python; empty for the rest, whose docstring begins with them."""
    try:
        return str(inspect.signature(value)) if isinstance(value, types.FunctionType) else ""
    except (ValueError, TypeError):
        return ""


def add_members(rna_types: dict[str, Any]) -> None:
    """Add to each RNA type its Python members, and add the classes that are below RNA."""
    for name, facts in rna_types.items():
        cls = getattr(bpy.types, name, None)
        if cls is None:
            facts["python"] = {}
            continue
        known = facts["properties"].keys() | facts["functions"].keys()
        added = {member: said for member, said in class_members(cls).items() if member not in known}
        facts["python"] = {member: said for member, said in added.items() if not member.startswith("bl_")}
    for name in BASE_TYPES:
        cls = getattr(bpy.types, name, None)
        if cls is not None:
            base = next((above for above in bases(cls) if above in BASE_TYPES), "")
            nothing: dict[str, Any] = {"base": base, "label": "", "properties": {}, "functions": {}}
            rna_types[name] = {**nothing, "description": doc(cls), "python": class_members(cls)}
