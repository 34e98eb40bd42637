"""Corrections of the stubs of single modules of Blender: `bpy.ops`, `bpy.props`, `bpy.utils`, `bpy.types`."""

from __future__ import annotations

import ast
from typing import Final

from app.blenders.stubs.tree import (
    any_type,
    classes,
    expression,
    functions,
    map_annotations,
    map_results,
    members,
    union_members,
    without_none,
)
from python.parsing import parse_python

_NEVER_NONE: Final = frozenset({"bool", "float", "int", "set", "str"})
_NEVER_NONE_FROM: Final = ("typing.Literal", "mathutils.", "bpy.stub_internal.rna_enums.", "bpy_prop_array")
_NEVER_NONE_TO: Final = ("_NodeInputs", "_NodeOutputs")


def make_operators_callable(tree: ast.Module) -> None:
    """Operators are published as classes whose `__new__` returns None: make each a callable object."""
    map_annotations(tree, _macro_step_as_any)
    body: list[ast.stmt] = []
    for node in tree.body:
        body.append(node)
        if isinstance(node, ast.ClassDef) and "bpy.ops._BPyOpsSubModOp" in map(ast.unparse, node.bases):
            body.append(ast.AnnAssign(ast.Name(node.name), ast.Name(f"_{node.name}"), None, 1))
            node.name = f"_{node.name}"
            for method in functions(node.body):
                _make_call(method)
    tree.body = body


def _macro_step_as_any(annotation: ast.expr) -> ast.expr:
    """A macro takes the settings of its steps as dictionaries; the stubs name the operators as types."""
    return any_type() if ast.unparse(annotation).startswith("bpy.ops.") else annotation


def _make_call(method: ast.FunctionDef) -> None:
    if method.name == "__new__":
        method.name = "__call__"
        method.args.posonlyargs[0].arg = "self"
        method.returns = expression("set[str]")


def give_properties_a_value(tree: ast.Module) -> None:
    """`bpy.props.IntProperty()` is published as returning None; scripts assign what it returns."""
    for function in functions(tree.body):
        if function.name.endswith("Property") and function.name != "RemoveProperty":
            function.returns = any_type()


def repair_registering(tree: ast.Module) -> None:
    """The types of classes that can be registered are published with gaps, and the factory as returning None."""
    for function in functions(tree.body):
        if function.name in {"register_class", "unregister_class"}:
            [*function.args.posonlyargs, *function.args.args][0].annotation = expression("type[typing.Any]")
        if function.name == "register_classes_factory":
            function.returns = expression("tuple[_abc.Callable[[], None], _abc.Callable[[], None]]")


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
    if "__set__" not in members(node):
        mended = parse_python(_ARRAY).body[0]
        assert isinstance(mended, ast.ClassDef)
        node.bases, node.body = mended.bases, mended.body


def _repair_bases(node: ast.ClassDef) -> None:
    """5.1 publishes `(bpy_prop, bpy_prop_collection[X])`, an order that leaves the class without any base."""
    if any(ast.unparse(base).startswith("bpy_prop_collection") for base in node.bases):
        node.bases = [base for base in node.bases if ast.unparse(base) != "bpy_prop"]


def repair_types(tree: ast.Module) -> None:
    for node in classes(tree):
        _repair_bases(node)
        if node.name == "bpy_prop_array":
            _repair_array(node)
        if node.name in {"bpy_prop_collection", "bpy_prop_collection_idprop"}:
            # Published as returning the type of the default alone: objects.get("Cube") would always be None.
            wrong = [method for method in functions(node.body) if method.name == "get"]
            others = [item for item in node.body if item not in wrong]
            node.body = [*others, *parse_python(_COLLECTION_GET).body]
        if node.name == "bpy_prop_collection_idprop":
            node.bases = [expression("bpy_prop_collection[_GenericType1]"), *node.bases[1:]]
        for member, annotation in _RETYPED.get(node.name, {}).items():
            _retype(node, member, annotation)
        if node.name == "BlendDataLibraries":
            _give_libraries_their_contents(node)
        for method in functions(node.body):
            if method.name in {"keyframe_insert", "keyframe_delete"}:
                # Blender takes `data_path` by name as well; the stubs of 5.0 declare it positional only.
                method.args.args = [*method.args.posonlyargs, *method.args.args]
                method.args.posonlyargs = []
    map_results(tree, _drop_impossible_none)


_RETYPED: Final = {
    "Image": {
        "pixels": "bpy_prop_array[float]",  # Published as one float.
        "colorspace_settings": "ColorManagedInputColorspaceSettings",  # Never None.
    },
    "ID": {"library": "Library | None"},  # None if the data is of this file.
    # Published with the items of another configuration of colors.
    "ColorManagedInputColorspaceSettings": {"name": "str"},
    "ColorManagedSequencerColorspaceSettings": {"name": "str"},
}
"""Members whose published type is another one than they have."""


def _give_libraries_their_contents(node: ast.ClassDef) -> None:
    """`bpy.data.libraries.load()` is published as returning None; scripts open it and get what is there and wanted."""
    for method in functions(node.body):
        if method.name == "load":
            method.returns = expression("typing.ContextManager[tuple[typing.Any, typing.Any]]")


def _retype(node: ast.ClassDef, member: str, annotation: str) -> None:
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and ast.unparse(item.target) == member:
            item.annotation = expression(annotation)
        elif isinstance(item, ast.FunctionDef) and item.name == member:
            item.returns = expression(annotation)


def _drop_impossible_none(annotation: ast.expr) -> ast.expr:
    """Numbers, strings, enums and vectors in Blender data are never None; some are published as optional."""
    bare = without_none(annotation)
    return bare if all(_never_none(ast.unparse(member)) for member in union_members(bare)) else annotation


def _never_none(name: str) -> bool:
    return name in _NEVER_NONE or name.startswith(_NEVER_NONE_FROM) or name.endswith(_NEVER_NONE_TO)
