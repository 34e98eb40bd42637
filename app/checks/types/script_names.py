"""Names of a script of which it knows more than a type checker.

Blender lets a script add properties to `bpy.types.Scene`, register operators under `bpy.ops`, and ask for the
version or for an attribute before using it. Stubs know none of that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from python.guards import idle_questions
from python.identifiers import dotted
from python.parsing import parse_python

_NAMING_CALLS = frozenset({"delattr", "getattr", "hasattr", "setattr"})
_FORGIVING = frozenset({"AttributeError", "Exception", "KeyError", "TypeError"})


@dataclass(frozen=True)
class ScriptNames:
    """The names and lines of one script that affect the remarks of a type checker.

    `registered`: attributes the script gives to Blender's types or its own property groups. `asked_for`:
    attributes named in hasattr and the like. `operators`: both parts of the operator ids it registers.
    `classes`: classes it defines. `guarded`: lines that run only on some versions, or whose failure is
    caught. `operator_calls`: lines of calls under `bpy.ops`. `property_annotations`: lines that declare a
    property as `name: bpy.props.X(...)`.
    """

    registered: frozenset[str]
    asked_for: frozenset[str]
    operators: frozenset[str]
    classes: frozenset[str]
    guarded: frozenset[int]
    operator_calls: frozenset[int]
    property_annotations: frozenset[int]


def script_names(snippet: str) -> ScriptNames:
    """Read a snippet without running it. One that does not parse yields no names."""
    try:
        nodes = list(ast.walk(parse_python(snippet)))
    except (SyntaxError, ValueError, RecursionError):
        nodes = []
    calls, idle = [node for node in nodes if isinstance(node, ast.Call)], idle_questions(nodes)
    return ScriptNames(
        registered=frozenset(_registered(nodes)),
        asked_for=frozenset(_asked_for([call for call in calls if call not in idle])),
        operators=frozenset(_operators(nodes)),
        classes=frozenset(node.name for node in nodes if isinstance(node, ast.ClassDef)),
        guarded=frozenset(_guarded(nodes)),
        operator_calls=_lines([node for node in calls if dotted(node.func).startswith("bpy.ops.")]),
        property_annotations=_lines(_property_declarations(nodes)),
    )


def _lines(nodes: Iterable[ast.expr | ast.stmt]) -> frozenset[int]:
    ends = [(node.lineno, node.end_lineno or node.lineno) for node in nodes]
    return frozenset(line for first, last in ends for line in range(first, last + 1))


def _registered(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Attribute(value=owner, attr=name, ctx=ast.Store() | ast.Del()):
                if dotted(owner).startswith("bpy.types."):
                    yield name
            case _:
                pass
    for declaration in _property_declarations(nodes):
        target = declaration.target
        yield target.attr if isinstance(target, ast.Attribute) else dotted(target)


def _asked_for(calls: list[ast.Call]) -> Iterator[str]:
    for call in calls:
        match call.args:
            case [_, ast.Constant(value=str(name)), *_] if dotted(call.func) in _NAMING_CALLS:
                yield name
            case _:
                pass


def _operators(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id="bl_idname")], value=ast.Constant(value=str(idname))):
                yield from idname.split(".")
            case _:
                pass


def _guarded(nodes: list[ast.AST]) -> Iterator[int]:
    for node in nodes:
        if isinstance(node, ast.If) and _asks_version(node.test):
            yield from _lines([*node.body, *node.orelse])
        elif isinstance(node, ast.IfExp) and _asks_version(node.test):
            yield from _lines([node.body, node.orelse])
        elif isinstance(node, ast.Try) and any(map(_forgives, node.handlers)):
            yield from _lines(node.body)


def _asks_version(test: ast.expr) -> bool:
    return any(dotted(node).startswith("bpy.app.version") for node in ast.walk(test))


def _forgives(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return bool(_FORGIVING & {dotted(kind) for kind in caught})


def _property_declarations(nodes: list[ast.AST]) -> Iterator[ast.AnnAssign]:
    """`name: bpy.props.FloatProperty(...)`, Blender's way to declare a property, which no type checker accepts."""
    for node in nodes:
        match node:
            case ast.AnnAssign(annotation=ast.Call(func=function)) if dotted(function).endswith("Property"):
                yield node
            case _:
                pass
