"""Names as a syntax tree has them: dotted ones, and those of parameters and imports."""

from __future__ import annotations

import ast

FunctionDef = ast.FunctionDef | ast.AsyncFunctionDef
FunctionNode = FunctionDef | ast.Lambda
Definition = FunctionDef | ast.ClassDef


def dotted(node: ast.AST | None) -> str:
    """`a.b.c` for a chain of attributes of a name; empty for anything else."""
    text = dotted_end(node)
    return "" if text.startswith(".") else text


def dotted_end(node: ast.AST | None) -> str:
    """The same; for attributes of anything but a name, those with a dot before: `.b` for `f().b`."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id if isinstance(node, ast.Name) else "", *reversed(names)])


def last_name(node: ast.AST) -> str:
    """A name, or the last part of a dotted one; empty for anything else."""
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name) | ast.alias(name=name):
            return name
        case _:
            return ""


def decorator_names(node: Definition) -> list[str]:
    """The last names of the decorators, called or not: `setter` for `@x.setter`."""
    return [last_name(mark.func if isinstance(mark, ast.Call) else mark) for mark in node.decorator_list]


def root_name(node: ast.AST) -> str:
    """The name that an expression such as `camera.dof.items[0]` begins with; empty if it does not begin with a name."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def parameters(given: ast.arguments) -> list[ast.arg]:
    """The parameters of a function, `*args` and `**kwargs` last."""
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return [parameter for parameter in every if parameter is not None]


def own_name(alias: ast.alias) -> str:
    """The name that a part of an import statement binds."""
    return alias.asname or alias.name.partition(".")[0]
