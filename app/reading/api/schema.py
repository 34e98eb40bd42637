"""The manifest, asked by value: the members of a value, and where they are declared.

    member ─┬─> rna_types.py        types and collections    context_members.py  members that a manifest cannot have
            └─> python_modules.py   modules and classes      docstrings.py       types and arguments in texts

Lookups answer with a `Declaration`, with None if there is certainly no such member, and with an unknown value if the
manifest cannot know.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Final

from app.reading.api.declaration import ANYTHING, Declaration
from app.reading.api.python_modules import PythonModules
from app.reading.api.rna_types import RnaTypes
from app.reading.api.values import (
    Coll,
    Lit,
    Mod,
    Op,
    OwnSelf,
    PyMember,
    PyObject,
    Rna,
    RnaClass,
    Seq,
    Value,
)
from harness.versions import version_key
from ingest.manifest import Manifest, Operator, once_per_manifest

_BELOW_BPY: Final = frozenset({"app", "context", "data", "msgbus", "ops", "path", "props", "types", "utils"})
_REGISTERED: Final = re.compile(r"^\w+_(OT|PT|MT|HT|UL|AST|FH|GT|GGT|KSI)_\w+$|^BUILTIN_KSI_|^WorkSpaceTool")
"""Classes that scripts register; a manifest leaves out those of Blender itself."""


class Api:
    """One build's API. Made once for a manifest: lookups are kept."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self.rna = RnaTypes(manifest)
        self.python = PythonModules(manifest)

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

    def member(self, owner: Value, name: str) -> Declaration | None:
        """The declaration of `owner.name`; None if there is none."""
        if name.startswith(("_", "bl_")) or name == "rna_type":
            return ANYTHING
        match owner:
            case Rna():
                return self.rna.member(owner, name)
            case Coll():
                return self.rna.member_of_collection(owner, name)
            case PyObject(home=home, name=class_name):
                return self.python.member_of_class(home, class_name, owner, name)
            case PyMember():
                return self.python.static_member(owner, name)
            case Mod(name=module):
                return self._member_of_module(module, name)
            case OwnSelf(type=base):
                # Whatever a class of the snippet adds cannot be seen from here.
                return (
                    self.rna.member(Rna(base, exact=True), name) if base in self.manifest.types else None
                ) or ANYTHING
            case _:
                return ANYTHING

    def names_on(self, owner: Value) -> set[str]:
        """Every member name of a value, to find near ones."""
        match owner:
            case Rna(type="Context"):
                return {*self.manifest.members("Context"), *self.manifest.context}
            case Rna(type=type_name, exact=exact):
                below = {} if exact else self.rna.members_below(type_name)
                return {*self.manifest.members(type_name), *below}
            case Coll(type=type_name):
                return {*self.manifest.members(type_name), *self.manifest.members("bpy_prop_collection")}
            case PyObject(home=home, name=class_name):
                return set(self.python.class_members(home, class_name))
            case Mod(name="bpy.types"):
                return set(self.manifest.types)
            case Mod(name="bpy.ops"):
                return set(self.operator_modules)
            case Mod(name=module) if module.startswith("bpy.ops."):
                prefix = f"{module.removeprefix('bpy.ops.')}."
                return {name.removeprefix(prefix) for name in self.manifest.operators if name.startswith(prefix)}
            case Mod(name=module) if module in self.manifest.modules:
                return {*self.manifest.modules[module].members, *self.python.submodules(module)}
            case _:
                return set()

    def operator(self, name: str) -> Operator:
        return self.manifest.operators[name]

    def _member_of_module(self, module: str, name: str) -> Declaration | None:
        address = f"{module}.{name}"
        if module == "bpy":
            value = {"context": Rna("Context"), "data": Rna("BlendData")}.get(name, Mod(address))
            known = name in _BELOW_BPY or name.startswith("_")
            return Declaration(value, address if name in {"context", "data"} else "") if known else None
        if module == "bpy.types":
            return self._type_named(name)
        if module == "bpy.ops":
            return Declaration(Mod(address)) if name in self.operator_modules else None
        if module.startswith("bpy.ops."):
            operator = address.removeprefix("bpy.ops.")
            return Declaration(Op(operator), address) if operator in self.manifest.operators else None
        if module == "bpy.app" and name == "version":
            parts = tuple(Lit(part, "int") for part in self.version)
            return Declaration(Seq("tuple", parts), address)
        if address in self.manifest.modules:
            return Declaration(Mod(address))
        return self.python.member_of_module(module, name)

    def _type_named(self, name: str) -> Declaration | None:
        if name in self.manifest.types:
            return Declaration(RnaClass(name), f"bpy.types.{name}")
        return ANYTHING if _REGISTERED.match(name) else None


@once_per_manifest
def api_of(manifest: Manifest) -> Api:
    """The lookups of a manifest."""
    return Api(manifest)
