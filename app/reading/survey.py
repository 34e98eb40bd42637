"""Surveys a snippet before its values are read: the names that it registers, asks for, defines and guards."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from python.guards import answers_in, asks_the_api, idle_questions
from python.identifiers import FunctionDef, last_name
from python.scopes import stored_names

_NAMING_CALLS: Final = frozenset({"hasattr", "getattr", "setattr", "delattr"})
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True)
class Survey:
    """The names in one snippet that affect which remarks are possible."""

    registered: frozenset[str]
    """Attributes that it adds to Blender's types, and properties that its classes declare."""
    registered_on: frozenset[tuple[str, str]]
    """Types of Blender, each with the name of a property that it adds to it."""
    attributes: frozenset[str]
    """Names that stand after a dot anywhere."""
    made: frozenset[str]
    """Collections in which it makes something: `materials` for `bpy.data.materials.new(...)`."""
    asked_for: frozenset[str]
    """Strings whose presence it tests before use."""
    operators: frozenset[str]
    """Operators and other classes that it registers, by `bl_idname`."""
    bases: frozenset[str]
    """The last parts of the base classes of its classes."""
    classes: frozenset[str]
    written: frozenset[str]
    """Attributes that it assigns to anything; `*` if it assigns a computed name."""
    own_members: frozenset[str]
    """Attributes that it assigns to anything, and names that its classes define."""
    unsettled: frozenset[str]
    """Names that a function may rebind outside itself: global and nonlocal ones."""
    mentioned: frozenset[str]
    """Words in its strings, and the keywords of its calls."""
    adds_addons: bool
    answers: frozenset[str]
    """Names that hold the answer to a test of Blender's version or API."""

    def asks(self, test: ast.expr) -> bool:
        """True if a condition tests Blender's version or its features, so that both branches may be right."""
        return asks_the_api(test, self.answers, self.registered)

    def among(self, others: Survey | None) -> Survey:
        """The same for one file of a package, whose other files register, define and ask too."""
        if others is None:
            return self
        return dataclasses.replace(
            self,
            registered=self.registered | others.registered,
            registered_on=self.registered_on | others.registered_on,
            made=self.made | others.made,
            asked_for=self.asked_for | others.asked_for,
            operators=self.operators | others.operators,
            bases=self.bases | others.bases,
            classes=self.classes | others.classes,
            written=self.written | others.written,
            own_members=self.own_members | others.own_members,
            adds_addons=self.adds_addons or others.adds_addons,
            answers=self.answers | others.answers,
        )


def survey(tree: ast.Module) -> Survey:
    """Read a whole tree once."""
    nodes = list(ast.walk(tree))
    registered = frozenset(_registered(nodes))
    return Survey(
        registered=registered,
        registered_on=frozenset(_registered_on(nodes)),
        attributes=frozenset(node.attr for node in nodes if isinstance(node, ast.Attribute)),
        made=frozenset(_made(nodes)),
        asked_for=frozenset(_asked_for(nodes)),
        operators=frozenset(_idnames(nodes)),
        bases=frozenset(_bases(nodes)),
        classes=frozenset(node.name for node in nodes if isinstance(node, ast.ClassDef)),
        written=frozenset(_written(nodes)),
        own_members=frozenset([*_written(nodes), *_defined_in_classes(nodes)]),
        unsettled=frozenset(
            name for node in nodes if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names
        ),
        mentioned=frozenset(_mentioned(nodes)),
        adds_addons=any(last_name(node) in {"addon_enable", "addon_install", "addon_utils"} for node in nodes),
        answers=answers_in(nodes, registered),
    )


def _registered(nodes: list[ast.AST]) -> Iterator[str]:
    values = set(_names_of_values(nodes))
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()) if name in values:
                pass
            case ast.Attribute(value=owner, attr=name, ctx=ast.Store() | ast.Del()) if _is_class(owner):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=str(name)), *_]):
                yield name
            case _:
                pass


def _registered_on(nodes: list[ast.AST]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        match node:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Attribute(value=types, attr=of), attr=name)],
                value=ast.Call(func=function),
            ) if last_name(types) == "types" and last_name(function).endswith("Property"):
                yield of, name
            case ast.Call(
                func=ast.Name(id="setattr"),
                args=[ast.Attribute(value=types, attr=of), ast.Constant(value=str(name)), ast.Call(func=function)],
            ) if last_name(types) == "types" and last_name(function).endswith("Property"):
                yield of, name
            case _:
                pass


def _made(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=collection, attr="new")):
                yield last_name(collection)
            case _:
                pass


def _names_of_values(nodes: list[ast.AST]) -> Iterator[str]:
    """Names in capitals that stand for a part of the scene and for no class: `R = bpy.context.scene.render`."""
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Attribute(attr=attr)) if (
                name[:1].isupper() and not attr[:1].isupper()
            ):
                yield name
            case _:
                pass


def _is_class(owner: ast.expr) -> bool:
    """`bpy.types.Scene`, `types.Scene`, or a bare name in capitals, as classes have."""
    match owner:
        case ast.Attribute(value=inner) if last_name(inner) == "types":
            return True
        case ast.Name(id=name):
            return name[:1].isupper()
        case _:
            return False


def _asked_for(nodes: list[ast.AST]) -> Iterator[str]:
    idle = idle_questions(nodes)
    for node in (node for node in nodes if node not in idle):
        match node:
            case ast.Call(func=function, args=[_, ast.Constant(value=str(name)), *_]) if (
                last_name(function) in _NAMING_CALLS
            ):
                yield name
            case ast.Call(func=ast.Attribute(attr="get" | "find"), args=[ast.Constant(value=str(name)), *_]):
                yield name
            case ast.Compare(left=ast.Constant(value=str(name)), ops=[ast.In() | ast.NotIn()]):
                yield name
            case _:
                pass


def _idnames(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id="bl_idname")], value=ast.Constant(value=str(idname)))
                | ast.AnnAssign(target=ast.Name(id="bl_idname"), value=ast.Constant(value=str(idname)))
            ):
                yield idname
            case _:
                pass


def _bases(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            yield from (last_name(base) for base in node.bases)


def _written(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=str(name)), *_]):
                yield name
            case ast.Call(func=ast.Name(id="setattr" | "exec" | "eval")):
                yield "*"
            case _:
                pass


def _defined_in_classes(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            for statement in node.body:
                if isinstance(statement, FunctionDef):
                    yield statement.name
                else:
                    yield from stored_names([statement])


def _mentioned(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Constant(value=str(text)):
                yield from _WORD.findall(text)
            case ast.keyword(arg=str(name)) | ast.Attribute(attr="__annotations__" as name):
                yield name
            case _:
                pass
