"""Corrects plain mistakes in the published stubs, for every author."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

from app.blenders.stubs.blender_modules import (
    give_properties_a_value,
    make_operators_callable,
    repair_registering,
    repair_types,
)
from app.blenders.stubs.tree import any_type, classes, expression, functions, map_annotations, members

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
"""The parameters of a generic that is published without any. Left bare, its uses are unknown in the strict modes."""

_BUILTINS: Final = frozenset(
    {"bool", "classmethod", "dict", "float", "frozenset", "int", "list", "object", "property", "set", "slice"}
    | {"staticmethod", "str", "tuple", "type"}
)


def repair(tree: ast.Module, module: Path) -> None:
    """Correct plain mistakes in the published stubs, for every author."""
    _drop_docstrings(tree)
    _drop_defaults(tree)
    _annotate_everything(tree)
    map_annotations(tree, _complete_generics)
    if module.parts[:2] == ("bpy", "ops"):
        make_operators_callable(tree)
    if module == Path("bpy", "props", "__init__.pyi"):
        give_properties_a_value(tree)
    if module == Path("bpy", "utils", "__init__.pyi"):
        repair_registering(tree)
    if module == Path("bpy", "types", "__init__.pyi"):
        repair_types(tree)
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
    methods = {id(method) for node in classes(tree) for method in functions(node.body) if not _is_static(method)}
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        positional = [*function.args.posonlyargs, *function.args.args]
        named = positional[1:] if id(function) in methods else positional
        others = [function.args.vararg, function.args.kwarg]
        for argument in (*named, *function.args.kwonlyargs, *filter(None, others)):
            argument.annotation = argument.annotation or any_type()
        function.returns = function.returns or any_type()


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
        return expression(name + _BARE_GENERICS[name]) if name in _BARE_GENERICS else node


def _complete_literal(node: ast.Subscript) -> ast.expr:
    if isinstance(node.slice, ast.Attribute | ast.Name):
        # The alias inside is a Literal already, and wrapping it again is an error to both checkers.
        return node.slice
    # One item alone is an enum that add-ons and settings fill at run time: render engines, view transforms.
    return ast.Name("str") if isinstance(node.slice, ast.Constant) else node


def _complete_generics(annotation: ast.expr) -> ast.expr:
    completed: ast.expr = _GenericCompleter().visit(annotation)
    return completed


def _unshadow(tree: ast.Module) -> None:
    """Spell builtins and `collections.abc` in full if a member of the same name hides them."""
    scopes: list[ast.Module | ast.ClassDef] = [tree, *classes(tree)]
    for scope in scopes:
        hidden = members(scope) & (_BUILTINS | {"collections"})
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
        return expression(f"builtins.{node.id}") if node.id in self._hidden & _BUILTINS else node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        # The target is the member itself, not a use of what it hides.
        node.annotation = self.visit(node.annotation)
        return node
