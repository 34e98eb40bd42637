"""Code that is meant for some Blenders only, because it runs under a test of their version or API or catches errors.

if hasattr(x, "y"): ...                 both branches
if bpy.app.version < (2, 80): return    the code behind it, too
OLD = bpy.app.version < (2, 80)         a name that holds the answer tests like the question
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final

from python.flow import blocks, leaves
from python.identifiers import last_name, own_name

_ASKING_CALLS: Final = frozenset({"hasattr", "getattr", "dir", "vars", "callable", "is_registered_node_type"})
_ANSWERING_CALLS: Final = frozenset({"hasattr", "callable", "is_registered_node_type"})
_CONVERSIONS: Final = frozenset({"bool", "int", "float", "tuple", "list", "str"})
_ABSENT: Final = frozenset({"AttributeError", "ImportError", "ModuleNotFoundError"})
_FORGIVEN: Final = _ABSENT | {"KeyError", "TypeError", "ValueError", "RuntimeError", "IndexError", "LookupError"}
_FORGIVES_ALL: Final = frozenset({"Exception", "BaseException"})
_ABOUT_VERSIONS: Final = re.compile(
    r"(?<!con)(?<!in)(?<!sub)(?<!di)(?<!re)version|blender_?[2-9]|bl_?[2-9]\d|is_(?:4|5)|legacy|is_old|is_new",
    re.IGNORECASE,
)
_ABOUT_THE_API: Final = frozenset({"bl_rna", "rna_type", "enum_items", "inputs", "outputs", "addons", "properties"})
_ROUNDS: Final = 3
"""The length of a chain of names that hold an answer."""

Asks = Callable[[ast.expr], bool]
Truth = Callable[[ast.expr], bool | None]


def forgives(handlers: Iterable[ast.ExceptHandler]) -> bool:
    """True if these handlers catch the exceptions of a wrong use of the API."""
    return any(_caught(handler) & (_FORGIVEN | _FORGIVES_ALL) for handler in handlers)


def suppresses(item: ast.withitem) -> bool:
    """True if a `with` catches exceptions, as contextlib.suppress does."""
    return isinstance(item.context_expr, ast.Call) and last_name(item.context_expr.func) == "suppress"


def asks_the_api(test: ast.expr, answers: Collection[str] = (), own: Collection[str] = ()) -> bool:
    """True if a condition tests Blender's version or its features, so that both branches may be right.

    `answers` are names that hold the answer to such a test, `own` are properties that the code itself registers.
    """
    return any(_asks(node, answers, own) for node in ast.walk(test))


def answers_in(nodes: Iterable[ast.AST], own: Collection[str]) -> frozenset[str]:
    """The names that hold the answer to a test of Blender, and the functions that return one; nothing else binds them.

    So does a name that is given a constant in a branch of such a test, or where a failed import is caught.
    """
    nodes = list(nodes)
    found: frozenset[str] = frozenset()
    for _ in range(_ROUNDS):
        answering, plain, other = _bindings(nodes, found, own)
        more = frozenset(name for name in answering if answering[name] + plain[name] == other[name])
        if more == found:
            break
        found = more
    return found


def _bindings(
    nodes: list[ast.AST], answers: Collection[str], own: Collection[str]
) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """The number of times that each name is bound to an answer, to a constant or an import, and altogether."""

    def asks(test: ast.expr) -> bool:
        return asks_the_api(test, answers, own)

    decided = {inner for part in [*guarded_parts(nodes, asks), *_tried(nodes)] for inner in ast.walk(part)}
    answering, plain, every = Counter[str](), Counter[str](), Counter[str]()
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name) | ast.Attribute(attr=name)], value=ast.Constant()):
                (answering if node in decided else plain)[name] += 1
            case ast.Assign(targets=[ast.Name(id=name) | ast.Attribute(attr=name)], value=value) if _is_answer(
                value, asks
            ):
                answering[name] += 1
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=value) if _is_answer(value, asks):
                answering.update(part.id for part in parts if isinstance(part, ast.Name))
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                bound = [own_name(alias) for alias in names]
                plain.update(bound)
                every.update(bound)
            case ast.FunctionDef(name=name) if _returns_answer(node, asks):
                answering[name] += 1
            case _:
                pass
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
                every[name] += 1
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                every[name] += 1
            case _:
                pass
    return answering, plain, every


def _is_answer(value: ast.expr, asks: Asks) -> bool:
    """True if an expression is a version or the answer to a question, and not only made with the help of one."""
    match value:
        case ast.Compare():
            return asks(value)
        case ast.Attribute() | ast.Name():
            return asks(value)
        case ast.Subscript(value=inner) | ast.UnaryOp(operand=inner):
            return _is_answer(inner, asks)
        case ast.BoolOp(values=parts):
            return any(_is_answer(part, asks) for part in parts)
        case ast.IfExp(test=test, body=ast.Constant(), orelse=ast.Constant()):
            return asks(test)
        case ast.Call(func=function, args=args):
            name = last_name(function)
            given = name in _CONVERSIONS and any(_is_answer(argument, asks) for argument in args)
            return given or (asks(value) if name in _ANSWERING_CALLS else asks(function))
        case _:
            return False


def _returns_answer(function: ast.FunctionDef, asks: Asks) -> bool:
    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    return bool(returned) and all(value is not None and _is_answer(value, asks) for value in returned)


def _tried(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The statements and handlers of each `try` that finds out if something is there."""
    for node in nodes:
        if isinstance(node, ast.Try):
            imports = isinstance(node.body[0], ast.Import | ast.ImportFrom) and forgives(node.handlers)
            if imports or any(_caught(handler) & _ABSENT for handler in node.handlers):
                yield from [*node.body, *node.orelse, *node.handlers]


def guarded_parts(nodes: Iterable[ast.AST], asks: Asks, truth: Truth = lambda _test: None) -> Iterator[ast.AST]:
    """The parts of code that run only under a condition on Blender's version or API, dead or not.

    A part that certainly runs in this Blender, by the `truth` of the condition, is not among them.
    """
    for node in nodes:
        match node:
            case ast.If(test=test, body=body, orelse=orelse) if asks(test):
                yield from _unless(truth(test), body, orelse)
            case ast.IfExp(test=test, body=yes, orelse=no) if asks(test):
                yield from _unless(truth(test), [yes], [no])
            case ast.While(test=test, body=body) if asks(test):
                yield from body
            case ast.Match(subject=subject, cases=cases) if asks(subject):
                yield from (part for case in cases for part in case.body)
            case ast.BoolOp(values=values):
                first = next((place for place, value in enumerate(values) if asks(value)), len(values))
                yield from values[first + 1 :]
            case _:
                pass
        for block in blocks(node):
            yield from _behind_exits(block, asks, truth)


def _unless(truth: bool | None, yes: Iterable[ast.AST], no: Iterable[ast.AST]) -> Iterator[ast.AST]:
    if truth is not True:
        yield from yes
    if truth is not False:
        yield from no


def _behind_exits(block: list[ast.stmt], asks: Asks, truth: Truth) -> Iterator[ast.AST]:
    """The statements behind a condition of which one branch leaves the block: they are its other branch."""
    for place, statement in enumerate(block):
        if isinstance(statement, ast.If) and asks(statement.test):
            yes, no = leaves(statement.body), leaves(statement.orelse)
            if yes != no and truth(statement.test) is not no:
                yield from block[place + 1 :]
                return


def _asks(node: ast.AST, answers: Collection[str], own: Collection[str]) -> bool:
    match node:
        case ast.Call(func=function, args=[_, ast.Constant(value=name), *_]) if name in own:
            return False
        case ast.Call(func=function):
            return last_name(function) in _ASKING_CALLS
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name in answers or bool(_ABOUT_VERSIONS.search(name))
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[container]):
            return any(last_name(part) in _ABOUT_THE_API for part in ast.walk(container))
        case _:
            return False


def _caught(handler: ast.ExceptHandler) -> set[str]:
    if handler.type is None:
        return set(_FORGIVES_ALL)
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return {last_name(kind) for kind in kinds}


def idle_questions(nodes: Iterable[ast.AST]) -> set[ast.AST]:
    """The calls of `hasattr` and `getattr` and the comparisons that stand alone or are only printed.

    Their answers are not read, so they guard nothing.
    """
    idle: set[ast.AST] = set()
    for node in nodes:
        match node:
            case ast.Expr(value=value):
                idle |= {value}
            case ast.Call(func=ast.Name(id="print"), args=args):
                idle |= {*args}
            case _:
                pass
    return {node for node in idle if isinstance(node, ast.Compare) or _is_question(node)}


def _is_question(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"hasattr", "getattr"}
