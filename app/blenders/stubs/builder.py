"""Builds the two stub trees that the type checkers read, out of a published fake-bpy-module.

    fake-bpy-module-X.Y ── repair ──> strict/    for snippets that we wrote
                              └───── relax ──> relaxed/   for snippets by a model or a caller

The published stubs contain plain mistakes that flag correct code: operators that return None, a member called
`property` that hides the builtin decorator, lookups whose result type is that of their default. `strict/` is
the published stubs with those repaired. `relaxed/` further gives up what the stubs cannot know about a script
by somebody else: whether something optional is there, and which subclass a polymorphic member holds.

Packages are laid out as `bpy/`, not `bpy-stubs/`: mypy finds the latter only in site-packages.
"""

from __future__ import annotations

import ast
import csv
import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.checks.types.check import RELAXED, STRICT

_STAMP: Final = "stamp.json"

_BARE_GENERICS: Final = {
    "dict": "[typing.Any, typing.Any]",
    "frozenset": "[typing.Any]",
    "list": "[typing.Any]",
    "set": "[typing.Any]",
    "tuple": "[typing.Any, ...]",
    "type": "[typing.Any]",
    "collections.abc.Callable": "[..., typing.Any]",
    "collections.abc.Iterable": "[typing.Any]",
    "collections.abc.Iterator": "[typing.Any]",
    "collections.abc.Mapping": "[typing.Any, typing.Any]",
    "collections.abc.MutableMapping": "[typing.Any, typing.Any]",
    "collections.abc.MutableSequence": "[typing.Any]",
    "collections.abc.Sequence": "[typing.Any]",
}
"""What a generic without parameters stands for. Left bare, the strict modes call every use of it unknown."""

_BUILTINS: Final = frozenset(
    {"bool", "classmethod", "dict", "float", "frozenset", "int", "list", "object", "property", "set", "slice"}
    | {"staticmethod", "str", "tuple", "type"}
)

_NEVER_NONE: Final = frozenset({"bool", "float", "int", "set", "str"})
_NEVER_NONE_FROM: Final = ("typing.Literal", "mathutils.", "bpy.stub_internal.rna_enums.", "bpy_prop_array")
_NEVER_NONE_TO: Final = ("_NodeInputs", "_NodeOutputs")

_TOO_WIDE: Final = frozenset({"ID", "bpy_prop_collection", "bpy_struct"})
"""Bases of nearly everything: given the members of their subclasses, every class would have every member."""

_OPEN: Final = frozenset({"AddonPreferences", "Gizmo", "ImagePreviewCollection", "OperatorProperties", "PropertyGroup"})
"""Types whose members only the script or the running Blender knows."""

_NUMPY: Final = """\
import collections.abc
import typing
import typing_extensions

_Shape = typing_extensions.TypeVar("_Shape", default=typing.Any)
_Item = typing_extensions.TypeVar("_Item", default=typing.Any)

class ndarray(typing.Generic[_Shape, _Item]):
    def __getattr__(self, name: str) -> typing.Any: ...
    def __getitem__(self, key: typing.Any, /) -> typing.Any: ...
    def __setitem__(self, key: typing.Any, value: typing.Any, /) -> None: ...
    def __iter__(self) -> collections.abc.Iterator[typing.Any]: ...
    def __len__(self) -> int: ...

def __getattr__(name: str) -> typing.Any: ...
"""

_NUMPY_TYPING: Final = """\
import typing
import typing_extensions
from numpy import ndarray

_Item = typing_extensions.TypeVar("_Item", default=typing.Any)

ArrayLike: typing.TypeAlias = typing.Any
DTypeLike: typing.TypeAlias = typing.Any

class NDArray(ndarray[typing.Any, _Item]): ...
"""
"""Blender brings numpy, the service need not: an open stub stands in, so that unions keep their meaning."""

_GENERIC_HEADER: Final = re.compile(r"^(\s*(?:class|def) \w+)\[([^\]]*)\]", re.MULTILINE)
_TYPE_STATEMENT: Final = re.compile(r"^type (\w+) =", re.MULTILINE)


class StubsError(Exception):
    """The source folder holds no fake-bpy-module, or more than one."""


def build_stubs(source: Path, folder: Path) -> None:
    """Write `folder/strict` and `folder/relaxed` from the fake-bpy-module installed or unpacked in `source`.

    Does nothing when `folder` was already built from the same release by the same builder. The trees appear
    whole or not at all. Takes some ten seconds. Raises `StubsError` if `source` does not hold exactly one
    fake-bpy-module.
    """
    release = _find_release(source)
    stamp = {"builder": _builder_version(), "source": release.name}
    if _read_stamp(folder) == stamp:
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as scratch:
        built = Path(scratch, "built")
        _write_trees(source, release.files, built)
        (built / _STAMP).write_text(json.dumps(stamp), encoding="utf-8")
        _put_in_place(built, folder, Path(scratch, "old"))


def built_from(folder: Path) -> str | None:
    """The release, such as `fake_bpy_module_5_0-20260730`, that this builder made the folder from; None otherwise."""
    match _read_stamp(folder):
        case {"builder": str(builder), "source": str(source)} if builder == _builder_version():
            return source
        case _:
            return None


@dataclass(frozen=True)
class _Release:
    """A published fake-bpy-module: its name with the version, and its stub files relative to the source."""

    name: str
    files: list[Path]


def _find_release(source: Path) -> _Release:
    # The record of installed files, because site-packages holds the stubs of other packages too.
    found = sorted(source.glob("fake_bpy_module*.dist-info"))
    if len(found) != 1:
        raise StubsError(f"expected one fake-bpy-module in {source}, found {len(found)}")
    with (found[0] / "RECORD").open(encoding="utf-8", newline="") as record:
        files = [Path(row[0]) for row in csv.reader(record) if row and row[0].endswith(".pyi")]
    if not files:
        raise StubsError(f"{found[0].name} records no stub files")
    return _Release(name=found[0].name.removesuffix(".dist-info"), files=files)


def _builder_version() -> str:
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()


def _read_stamp(folder: Path) -> object:
    try:
        return json.loads((folder / _STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _put_in_place(built: Path, folder: Path, old: Path) -> None:
    if folder.exists():
        folder.rename(old)
    built.rename(folder)


def _write_trees(source: Path, files: list[Path], built: Path) -> None:
    for file in files:
        module = Path(file.parts[0].removesuffix("-stubs"), *file.parts[1:])
        tree = _parse(Path(source, file).read_text(encoding="utf-8"))
        _repair(tree, module)
        _write(built / STRICT / module, ast.unparse(ast.fix_missing_locations(tree)))
        _relax(tree, module)
        _write(built / RELAXED / module, ast.unparse(ast.fix_missing_locations(tree)))
    for flavour in (STRICT, RELAXED):
        _write(built / flavour / "numpy" / "__init__.pyi", _NUMPY)
        _write(built / flavour / "numpy" / "typing.pyi", _NUMPY_TYPING)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # mypy reports what is wrong inside stubs as well, and no snippet is to blame for that.
    path.write_text(f"# mypy: ignore-errors\n{text}\n", encoding="utf-8")


# --- reading ----------------------------------------------------------------------------------------------


def _parse(text: str) -> ast.Module:
    """Parse a stub that may use the generics of Python 3.12, which the 3.11 parser refuses."""
    generics: dict[int, list[str]] = {}

    def note_and_drop(match: re.Match[str]) -> str:
        line = text.count("\n", 0, match.start(1)) + match.group(1).count("\n") + 1
        generics[line] = [parameter.split(":")[0].strip() for parameter in match.group(2).split(",")]
        return match.group(1)

    # Lines keep their numbers, so that each generic header is found again in the tree.
    old_style = _GENERIC_HEADER.sub(note_and_drop, text)
    tree = ast.parse(_TYPE_STATEMENT.sub(r"\1: typing.TypeAlias =", old_style))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.lineno in generics:
            node.bases.append(_expression(f"typing.Generic[{', '.join(generics[node.lineno])}]"))
    variables = sorted({name for names in generics.values() for name in names})
    _add_to_head(tree, [f"{name} = typing_extensions.TypeVar({name!r}, default=typing.Any)" for name in variables])
    return tree


def _add_to_head(tree: ast.Module, statements: list[str]) -> None:
    """Put statements behind the imports; names in a stub need no order, but a reader expects it."""
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    others = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
    needed = ast.parse("import builtins, typing, typing_extensions\nfrom collections import abc as _abc").body
    tree.body = [*needed, *imports, *ast.parse("\n".join(statements)).body, *others]


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _any() -> ast.expr:
    return _expression("typing.Any")


def _map_annotations(tree: ast.AST, change: Callable[[ast.expr], ast.expr]) -> None:
    """Change every type: of what a script reads, and of the parameters."""
    _map_results(tree, change)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.annotation:
            node.annotation = change(node.annotation)


def _map_results(tree: ast.AST, change: Callable[[ast.expr], ast.expr]) -> None:
    """Change the types of what a script reads: attributes and returned values."""
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign):
            node.annotation = change(node.annotation)
        elif isinstance(node, ast.FunctionDef) and node.returns:
            node.returns = change(node.returns)


def _union_members(annotation: ast.expr) -> list[ast.expr]:
    if isinstance(annotation, ast.BinOp):
        return [*_union_members(annotation.left), *_union_members(annotation.right)]
    return [annotation]


def _is_none(annotation: ast.expr) -> bool:
    return isinstance(annotation, ast.Constant) and annotation.value is None


def _without_none(annotation: ast.expr) -> ast.expr:
    kept = [member for member in _union_members(annotation) if not _is_none(member)]
    return _expression(" | ".join(map(ast.unparse, kept))) if kept else annotation


def _classes(tree: ast.AST) -> Iterator[ast.ClassDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def _functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    return (node for node in body if isinstance(node, ast.FunctionDef))


def _members(node: ast.ClassDef | ast.Module) -> set[str]:
    annotated = {
        item.target.id for item in node.body if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
    }
    imported = {
        alias.asname for item in node.body if isinstance(item, ast.ImportFrom) for alias in item.names if alias.asname
    }
    defined = {item.name for item in node.body if isinstance(item, ast.FunctionDef | ast.ClassDef)}
    return annotated | imported | defined


# --- repairing --------------------------------------------------------------------------------------------


def _repair(tree: ast.Module, module: Path) -> None:
    """Mend what is plainly wrong in the published stubs, whoever wrote the snippet."""
    _drop_docstrings(tree)
    _drop_defaults(tree)
    _annotate_everything(tree)
    _map_annotations(tree, _complete_generics)
    if module.parts[:2] == ("bpy", "ops"):
        _make_operators_callable(tree)
    if module == Path("bpy", "props", "__init__.pyi"):
        _give_properties_a_value(tree)
    if module == Path("bpy", "utils", "__init__.pyi"):
        _repair_registering(tree)
    if module == Path("bpy", "types", "__init__.pyi"):
        _repair_types(tree)
    _unshadow(tree)


def _drop_docstrings(tree: ast.Module) -> None:
    """Checkers do not read them, and they are half of the bytes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [item for item in node.body if not _is_string(item)] or [ast.Expr(ast.Constant(...))]


def _is_string(item: ast.stmt) -> bool:
    return isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant) and isinstance(item.value.value, str)


def _drop_defaults(tree: ast.Module) -> None:
    """A stub need not say them, and some are of another type than their parameter."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arguments):
            node.defaults = [ast.Constant(...) for _ in node.defaults]
            node.kw_defaults = [default and ast.Constant(...) for default in node.kw_defaults]


def _annotate_everything(tree: ast.Module) -> None:
    """The strict modes refuse every call of a function that has a parameter without a type."""
    methods = {id(method) for node in _classes(tree) for method in _functions(node.body) if not _is_static(method)}
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        positional = [*function.args.posonlyargs, *function.args.args]
        named = positional[1:] if id(function) in methods else positional
        others = [function.args.vararg, function.args.kwarg]
        for argument in (*named, *function.args.kwonlyargs, *filter(None, others)):
            argument.annotation = argument.annotation or _any()
        function.returns = function.returns or _any()


def _is_static(function: ast.FunctionDef) -> bool:
    return any(ast.unparse(decorator) == "staticmethod" for decorator in function.decorator_list)


class _GenericCompleter(ast.NodeTransformer):
    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if ast.unparse(node.value) == "typing.Literal":
            return _complete_literal(node)
        node.slice = self.visit(node.slice)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._complete(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return self._complete(node)

    def _complete(self, node: ast.expr) -> ast.expr:
        name = ast.unparse(node)
        return _expression(name + _BARE_GENERICS[name]) if name in _BARE_GENERICS else node


def _complete_literal(node: ast.Subscript) -> ast.expr:
    if isinstance(node.slice, ast.Attribute | ast.Name):
        # The alias inside is a Literal already, and wrapping it again is an error to both checkers.
        return node.slice
    # One item alone is an enum that add-ons and settings fill at run time: render engines, view transforms.
    return ast.Name("str") if isinstance(node.slice, ast.Constant) else node


def _complete_generics(annotation: ast.expr) -> ast.expr:
    completed: ast.expr = _GenericCompleter().visit(annotation)
    return completed


def _make_operators_callable(tree: ast.Module) -> None:
    """Operators are published as classes whose `__new__` returns None: make each a callable object."""
    _map_annotations(tree, _macro_step_as_any)
    body: list[ast.stmt] = []
    for node in tree.body:
        body.append(node)
        if isinstance(node, ast.ClassDef) and "bpy.ops._BPyOpsSubModOp" in map(ast.unparse, node.bases):
            body.append(ast.AnnAssign(ast.Name(node.name), ast.Name(f"_{node.name}"), None, 1))
            node.name = f"_{node.name}"
            for method in _functions(node.body):
                _make_call(method)
    tree.body = body


def _macro_step_as_any(annotation: ast.expr) -> ast.expr:
    """A macro takes the settings of its steps as dictionaries; the stubs name the operators as types."""
    return _any() if ast.unparse(annotation).startswith("bpy.ops.") else annotation


def _make_call(method: ast.FunctionDef) -> None:
    if method.name == "__new__":
        method.name = "__call__"
        method.args.posonlyargs[0].arg = "self"
        method.returns = _expression("set[str]")


def _give_properties_a_value(tree: ast.Module) -> None:
    """`bpy.props.IntProperty()` is published as returning None; scripts assign what it returns."""
    for function in _functions(tree.body):
        if function.name.endswith("Property") and function.name != "RemoveProperty":
            function.returns = _any()


def _repair_registering(tree: ast.Module) -> None:
    """What can be registered is published as a list with gaps, and the factory as returning None."""
    for function in _functions(tree.body):
        if function.name in {"register_class", "unregister_class"}:
            [*function.args.posonlyargs, *function.args.args][0].annotation = _expression("type[typing.Any]")
        if function.name == "register_classes_factory":
            function.returns = _expression("tuple[_abc.Callable[[], None], _abc.Callable[[], None]]")


_COLLECTION_GET: Final = """\
@typing.overload
def get(self, key: str | tuple[str, str | None], /) -> _GenericType1 | None: ...
@typing.overload
def get(
    self, key: str | tuple[str, str | None], default: _GenericType2, /
) -> _GenericType1 | _GenericType2: ...
"""


_ARRAY: Final = """\
class bpy_prop_array(bpy_prop, typing.Generic[_GenericType1]):
    def __get__(self, instance: typing.Any, owner: typing.Any) -> bpy_prop_array[_GenericType1]: ...
    def __set__(self, instance: typing.Any, value: _abc.Iterable[_GenericType1]) -> None: ...
    def __iter__(self) -> _abc.Iterator[_GenericType1]: ...
    def __len__(self) -> int: ...
    @typing.overload
    def __getitem__(self, key: int, /) -> _GenericType1: ...
    @typing.overload
    def __getitem__(self, key: slice, /) -> list[_GenericType1]: ...
    def __setitem__(self, key: typing.Any, value: typing.Any, /) -> None: ...
    def foreach_get(self, seq: typing.Any, /) -> None: ...
    def foreach_set(self, seq: typing.Any, /) -> None: ...
"""


def _repair_array(node: ast.ClassDef) -> None:
    """From 5.1 on arrays are published without their items: neither a type nor a way to reach them."""
    if "__set__" not in _members(node):
        mended = ast.parse(_ARRAY).body[0]
        assert isinstance(mended, ast.ClassDef)
        node.bases, node.body = mended.bases, mended.body


def _repair_bases(node: ast.ClassDef) -> None:
    """5.1 publishes `(bpy_prop, bpy_prop_collection[X])`, an order that leaves the class without any base."""
    if any(ast.unparse(base).startswith("bpy_prop_collection") for base in node.bases):
        node.bases = [base for base in node.bases if ast.unparse(base) != "bpy_prop"]


def _repair_types(tree: ast.Module) -> None:
    for node in _classes(tree):
        _repair_bases(node)
        if node.name == "bpy_prop_array":
            _repair_array(node)
        if node.name in {"bpy_prop_collection", "bpy_prop_collection_idprop"}:
            # Published as returning the type of the default alone: objects.get("Cube") would always be None.
            wrong = [method for method in _functions(node.body) if method.name == "get"]
            others = [item for item in node.body if item not in wrong]
            node.body = [*others, *ast.parse(_COLLECTION_GET).body]
        if node.name == "bpy_prop_collection_idprop":
            node.bases = [_expression("bpy_prop_collection[_GenericType1]"), *node.bases[1:]]
        for member, annotation in _RETYPED.get(node.name, {}).items():
            _retype(node, member, annotation)
        if node.name == "BlendDataLibraries":
            _give_libraries_their_contents(node)
        for method in _functions(node.body):
            if method.name in {"keyframe_insert", "keyframe_delete"}:
                # Blender takes `data_path` by name as well; the stubs of 5.0 declare it positional only.
                method.args.args = [*method.args.posonlyargs, *method.args.args]
                method.args.posonlyargs = []
    _map_results(tree, _drop_impossible_none)


_RETYPED: Final = {
    "Image": {
        "pixels": "bpy_prop_array[float]",  # Published as one float.
        "colorspace_settings": "ColorManagedInputColorspaceSettings",  # Never None.
    },
    "ID": {"library": "Library | None"},  # None where the data is of this file.
    # Published with the items of another configuration of colors.
    "ColorManagedInputColorspaceSettings": {"name": "str"},
    "ColorManagedSequencerColorspaceSettings": {"name": "str"},
}
"""Members whose published type is another one than they have."""


def _give_libraries_their_contents(node: ast.ClassDef) -> None:
    """`bpy.data.libraries.load()` is published as returning None; scripts open it and get what is there and wanted."""
    for method in _functions(node.body):
        if method.name == "load":
            method.returns = _expression("typing.ContextManager[tuple[typing.Any, typing.Any]]")


def _retype(node: ast.ClassDef, member: str, annotation: str) -> None:
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and ast.unparse(item.target) == member:
            item.annotation = _expression(annotation)
        elif isinstance(item, ast.FunctionDef) and item.name == member:
            item.returns = _expression(annotation)


def _drop_impossible_none(annotation: ast.expr) -> ast.expr:
    """Numbers, strings, enums and vectors in Blender data are never None; some are published as optional."""
    bare = _without_none(annotation)
    return bare if all(_never_none(ast.unparse(member)) for member in _union_members(bare)) else annotation


def _never_none(name: str) -> bool:
    return name in _NEVER_NONE or name.startswith(_NEVER_NONE_FROM) or name.endswith(_NEVER_NONE_TO)


def _unshadow(tree: ast.Module) -> None:
    """Spell builtins and `collections.abc` in full where a member of the same name hides them."""
    scopes: list[ast.Module | ast.ClassDef] = [tree, *_classes(tree)]
    for scope in scopes:
        hidden = _members(scope) & (_BUILTINS | {"collections"})
        if hidden:
            change = _Unshadower(hidden)
            for item in scope.body:
                change.visit(item)


class _Unshadower(ast.NodeTransformer):
    def __init__(self, hidden: set[str]) -> None:
        self._hidden = hidden

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if "collections" in self._hidden and ast.unparse(node) == "collections.abc":
            return ast.Name("_abc")
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return _expression(f"builtins.{node.id}") if node.id in self._hidden & _BUILTINS else node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        # The target is the member itself, not a use of what it hides.
        node.annotation = self.visit(node.annotation)
        return node


# --- relaxing ---------------------------------------------------------------------------------------------


def _relax(tree: ast.Module, module: Path) -> None:
    """Give up what the stubs cannot know about a script: what is present, and of which subclass it is."""
    _map_results(tree, _relax_result)
    for node in _classes(tree):
        if node.name in _OPEN:
            node.body += ast.parse(_ANY_MEMBER).body
    if module == Path("bpy", "types", "__init__.pyi"):
        _lift_members(tree)


_ANY_MEMBER: Final = """\
def __getattr__(self, name: str) -> typing.Any: ...
def __setattr__(self, name: str, value: typing.Any) -> None: ...
"""


def _relax_result(annotation: ast.expr) -> ast.expr:
    bare = _without_none(annotation)
    if isinstance(bare, ast.BinOp):
        return _any()
    relaxed: ast.expr = _IdRelaxer().visit(bare)
    return relaxed


class _IdRelaxer(ast.NodeTransformer):
    """`ID` stands for any of forty kinds of data, so a value of that type may have any of their members."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return _any() if node.id == "ID" else node


def _lift_members(tree: ast.Module) -> None:
    """Give each polymorphic base the members of its subclasses, as Any.

    A script holds a `Node` and sets what only a `ShaderNodeMath` has. Lifting lets it, and still sees a name
    that no node of this Blender has.
    """
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    own = {name: _members(node) for name, node in classes.items()}
    below: dict[str, set[str]] = {name: set() for name in classes}
    for name in classes:
        for base in _ancestors(name, classes):
            below[base] |= own[name]
    for name, node in classes.items():
        lifted = sorted(below[name] - own[name])
        if name not in _TOO_WIDE and lifted:
            node.body += [ast.AnnAssign(ast.Name(member), _any(), None, 1) for member in lifted]


def _ancestors(name: str, classes: dict[str, ast.ClassDef]) -> set[str]:
    bases = {ast.unparse(base) for base in classes[name].bases} & classes.keys()
    return bases.union(*(_ancestors(base, classes) for base in bases))
