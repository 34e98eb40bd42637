"""The Python modules of the manifest, asked by value: members of modules and classes, what calls take and give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from app.reading.api.declaration import ANYTHING, Declaration
from app.reading.api.docstrings import Signature, signature_of, value_told
from app.reading.api.values import UNKNOWN, PyMember, PyObject, Unknown, Value
from ingest.manifest import Manifest, PythonMember

_MODULES_IN_FULL: Final = ("bmesh", "mathutils", "bpy.props", "bpy.app", "gpu.types", "blf", "bl_math")
"""Modules written in C, whose members the manifest has without exception."""

_BMESH_ITEMS: Final = {
    **dict.fromkeys(("BMVertSeq",), "BMVert"),
    **dict.fromkeys(("BMEdgeSeq",), "BMEdge"),
    **dict.fromkeys(("BMFaceSeq",), "BMFace"),
    **dict.fromkeys(("BMLoopSeq",), "BMLoop"),
}

_ATTRIBUTE: Final = "attr"
"""An argument that every function of `bpy.props` takes and none tells of."""

_NO_MEMBERS: Final[Mapping[str, PythonMember]] = {}


class PythonModules:
    """The Python modules of one build. Made once for a manifest: lookups are kept."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self._signatures: dict[tuple[str, tuple[str, ...]], Signature | None] = {}

    def member_of_module(self, module: str, name: str) -> Declaration | None:
        """The declaration of `module.name`; None if there is none."""
        known = self.manifest.modules.get(module)
        if known is None:
            return ANYTHING
        member = known.members.get(name)
        if member is None:
            return None
        if member.kind == "data":
            return Declaration(UNKNOWN, f"{module}.{name}")
        return Declaration(PyMember(module, (name,), UNKNOWN), f"{module}.{name}", function=True)

    def submodules(self, module: str) -> Iterator[str]:
        """The names of the modules directly below."""
        return (name.rpartition(".")[2] for name in self.manifest.modules if name.rpartition(".")[0] == module)

    def knows_all_of(self, module: str) -> bool:
        """True if a member of a module that the manifest lacks certainly does not exist."""
        return module == "bpy" or any(module == whole or module.startswith(f"{whole}.") for whole in _MODULES_IN_FULL)

    def entry(self, member: PyMember) -> PythonMember | None:
        """The manifest's entry of what `member` leads to."""
        members: Mapping[str, PythonMember] = {}
        if member.home.startswith("bpy.types."):
            rna_type = self.manifest.types.get(member.home.removeprefix("bpy.types."))
            members = rna_type.python if rna_type else members
        elif member.home in self.manifest.modules:
            members = self.manifest.modules[member.home].members
        entry: PythonMember | None = None
        for name in member.path:
            entry = members.get(name)
            members = entry.members if entry else _NO_MEMBERS
        return entry

    def class_members(self, home: str, class_name: str) -> dict[str, PythonMember]:
        """The members of a class of this module, with those of its bases."""
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

    def member_of_class(self, home: str, class_name: str, owner: Value, name: str) -> Declaration | None:
        """The member of this name that an instance of the class has; None if there is certainly none."""
        member = self.class_members(home, class_name).get(name)
        if member is None:
            return None if self.knows_all_of(home) and self._bases_known(home, class_name) else ANYTHING
        address = f"{home}.{class_name}.{name}"
        if member.kind in {"method", "function"}:
            return Declaration(PyMember(home, (class_name, name), owner), address, function=True)
        return Declaration(value_told(self.manifest, member.doc, home), address, readonly=member.readonly)

    def static_member(self, owner: PyMember, name: str) -> Declaration | None:
        """The member of this name that a class has, or another member that is no instance."""
        entry = self.entry(owner)
        if entry is None or entry.kind != "class" or len(owner.path) != 1:
            return ANYTHING
        member = self.member_of_class(owner.home, owner.path[0], UNKNOWN, name)
        return member if member and member.function else ANYTHING

    def result(self, member: PyMember) -> Value:
        """The result of a call, if the docstring documents it."""
        entry = self.entry(member)
        if entry is None:
            return UNKNOWN
        if entry.kind == "class":
            return PyObject(member.home, member.path[-1]) if len(member.path) == 1 else UNKNOWN
        return value_told(self.manifest, entry.doc, member.home)

    def item_of(self, value: PyObject) -> Value:
        """The items that iterating over an instance gives."""
        item = _BMESH_ITEMS.get(value.name) if value.home == "bmesh.types" else None
        return PyObject(value.home, item) if item else UNKNOWN

    def signature(self, member: PyMember) -> Signature | None:
        """The arguments of a Python function, or None if nothing describes them."""
        key = (member.home, member.path)
        if len(member.path) > 1 and isinstance(member.owner, Unknown):
            key = (f"{member.home} from its class", member.path)
        if key not in self._signatures:
            entry = self.entry(member)
            extra = (_ATTRIBUTE,) if member.home == "bpy.props" else ()
            bound = len(member.path) == 1 or not isinstance(member.owner, Unknown)
            self._signatures[key] = signature_of(entry, bound, extra) if entry and entry.kind != "class" else None
        return self._signatures[key]
