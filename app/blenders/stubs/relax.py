"""Gives up what the stubs cannot know about a script: what is present, and of which subclass it is."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

from app.blenders.stubs.tree import any_type, classes, map_results, members, without_none
from python.parsing import parse_python

_TOO_WIDE: Final = frozenset({"ID", "bpy_prop_collection", "bpy_struct"})
"""Bases of nearly everything: given the members of their subclasses, every class would have every member."""

_OPEN: Final = frozenset({"AddonPreferences", "Gizmo", "ImagePreviewCollection", "OperatorProperties", "PropertyGroup"})
"""Types whose members only the script or the running Blender knows."""


def relax(tree: ast.Module, module: Path) -> None:
    """Give up what the stubs cannot know about a script: what is present, and of which subclass it is."""
    map_results(tree, _relax_result)
    for node in classes(tree):
        if node.name in _OPEN:
            node.body += parse_python(_ANY_MEMBER).body
    if module == Path("bpy", "types", "__init__.pyi"):
        _lift_members(tree)


_ANY_MEMBER: Final = """\
def __getattr__(self, name: str) -> typing.Any: ...
def __setattr__(self, name: str, value: typing.Any) -> None: ...
"""


def _relax_result(annotation: ast.expr) -> ast.expr:
    bare = without_none(annotation)
    if isinstance(bare, ast.BinOp):
        return any_type()
    relaxed: ast.expr = _IdRelaxer().visit(bare)
    return relaxed


class _IdRelaxer(ast.NodeTransformer):
    """`ID` stands for any of forty kinds of data, so a value of that type may have any of their members."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return any_type() if node.id == "ID" else node


def _lift_members(tree: ast.Module) -> None:
    """Give each polymorphic base the members of its subclasses, as Any.

    A script holds a `Node` and sets what only a `ShaderNodeMath` has. Lifting lets it, and still sees a name
    that no node of this Blender has.
    """
    named = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    own = {name: members(node) for name, node in named.items()}
    below: dict[str, set[str]] = {name: set() for name in named}
    for name in named:
        for base in _ancestors(name, named):
            below[base] |= own[name]
    for name, node in named.items():
        lifted = sorted(below[name] - own[name])
        if name not in _TOO_WIDE and lifted:
            node.body += [ast.AnnAssign(ast.Name(member), any_type(), None, 1) for member in lifted]


def _ancestors(name: str, named: dict[str, ast.ClassDef]) -> set[str]:
    bases = {ast.unparse(base) for base in named[name].bases} & named.keys()
    return bases.union(*(_ancestors(base, named) for base in bases))
