"""Judges the syntax tree of a snippet node by node."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Set

from app.checks.executed import READS_CODE, RUNS_CODE, code_in
from app.checks.policy.constants import text_of
from app.checks.policy.deletions import deletions_of_users_files
from app.checks.policy.forbidden import CODE_OF, GUARDED, code_of
from app.checks.policy.loops import loop_remarks, loops_ended_by_exception
from app.checks.policy.origins import gets_unknown, is_all_names, origin_of
from app.checks.policy.remark import PolicyRemark
from app.checks.policy.replacing import replacing_remarks
from app.checks.policy.scopes import NameScope, scoped_nodes
from app.checks.policy.signs import sign_remarks
from app.checks.policy.timers import timer_remarks
from app.verdict.coping import coping
from app.verdict.parse import syntax_tree
from app.verdict.verdict import Finding, Severity, shortlist

_CHAINED = ast.Name | ast.Attribute | ast.Call | ast.Subscript


def check_policy(
    snippet: str, severity: Callable[[str], Severity | None], tree: ast.Module | None = None
) -> list[Finding]:
    """The findings of the policy check, in source order, at most one per code and line.

    `severity` weighs a code of `REASONS`; None drops it. A snippet that does not parse has no findings here,
    because the parse check reports it; one that nests too deep to be followed is refused. `tree` is its syntax tree, if
    it was read before.
    """
    return coping("policy", lambda: _findings(snippet, severity, tree or syntax_tree(snippet)), Severity.ERROR)


def _findings(snippet: str, severity: Callable[[str], Severity | None], tree: ast.Module | None) -> list[Finding]:
    if tree is None:
        return []
    lines = re.split(r"\r\n|\r|\n", snippet)
    first_on_line: dict[tuple[int, str], Finding] = {}
    for remark in sorted(_remarks(tree), key=lambda remark: (remark.line, remark.byte_offset)):
        weight = severity(remark.code)
        if weight is not None and (remark.line, remark.code) not in first_on_line:
            first_on_line[remark.line, remark.code] = remark.finding(weight, lines)
    return shortlist(list(first_on_line.values()))


def _remarks(tree: ast.Module) -> Iterator[PolicyRemark]:
    nodes = _with_executed(scoped_nodes(tree))
    inside_a_chain: set[ast.AST] = set()
    ended_by_exception = {loop for node, scope in nodes for loop in loops_ended_by_exception(node, scope)}
    users = set(deletions_of_users_files(nodes))
    own = {node.name for node, _ in nodes if isinstance(node, ast.FunctionDef)}
    for node, _ in nodes:
        for mentioned in _mentioned(node):
            parts = list(ast.walk(mentioned))
            # An annotation or the name of an exception does nothing unless it calls something.
            inside_a_chain.update(parts if not any(isinstance(part, ast.Call) for part in parts) else ())
    for node, scope in nodes:
        if isinstance(node, ast.ImportFrom):
            yield from _star_import_remarks(node)
        elif isinstance(node, ast.While | ast.For) and node not in ended_by_exception:
            yield from loop_remarks(node, scope)
        elif isinstance(node, ast.Call):
            yield from _call_remarks(node, scope, own, users)
        if isinstance(node, _CHAINED) and node not in inside_a_chain:
            yield from _origin_remarks(node, scope, inside_a_chain, users)
    yield from timer_remarks(nodes)
    yield from sign_remarks(nodes)
    yield from replacing_remarks(nodes)


def _with_executed(nodes: list[tuple[ast.AST, NameScope]]) -> list[tuple[ast.AST, NameScope]]:
    """The nodes, and those of code in texts that are executed: in the scope and at the place of the call."""
    waiting = nodes
    while waiting:
        executed: list[tuple[ast.AST, NameScope]] = []
        for node, scope in waiting:
            if isinstance(node, ast.Call) and node.args and origin_of(node.func, scope) in READS_CODE:
                tree = syntax_tree(code_in(node.args[0]) or "")
                for part in ast.walk(tree) if tree else ():
                    if isinstance(part, ast.expr | ast.stmt):
                        part.lineno, part.col_offset = node.lineno, node.col_offset
                executed += scoped_nodes(tree, scope) if tree else []
        nodes, waiting = [*nodes, *executed], executed
    return nodes


def _mentioned(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.arg(annotation=ast.expr() as mentioned) | ast.AnnAssign(annotation=mentioned):
            yield mentioned
        case ast.FunctionDef(returns=ast.expr() as mentioned) | ast.ExceptHandler(type=ast.expr() as mentioned):
            yield mentioned
        case _:
            pass


def _origin_remarks(
    node: ast.expr, scope: NameScope, inside_a_chain: set[ast.AST], users: Set[ast.AST]
) -> Iterator[PolicyRemark]:
    """The remark on one whole chain such as `a.b.c`; its inner links are marked so that they are not judged again."""
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
        return
    origin = origin_of(node, scope)
    if origin is None:
        return
    inside_a_chain.update(_inner_links(node))
    code = "user-files" if node in users else code_of(origin)
    if code is not None:
        yield PolicyRemark.on(node, code, origin)


def _inner_links(node: ast.expr) -> Iterator[ast.expr]:
    link: ast.expr = node
    while True:
        match link:
            case ast.Attribute(value=inner) | ast.Call(func=ast.Attribute() as inner):
                yield inner
                link = inner
            case ast.Call(func=ast.Name() as inner):
                # getattr(os, "path"): the module is an argument, but still part of the chain.
                yield from (inner, *link.args[:1])
                return
            case _:
                return


def _star_import_remarks(node: ast.ImportFrom) -> Iterator[PolicyRemark]:
    code = CODE_OF.get(node.module or "")
    if code is not None and node.names[0].name == "*":
        yield PolicyRemark.on(node, code, node.module or "")


def _call_remarks(call: ast.Call, scope: NameScope, own: Set[str], users: Set[ast.AST]) -> Iterator[PolicyRemark]:
    function = origin_of(call.func, scope)
    if function in RUNS_CODE and call.args and not isinstance(call.args[0], ast.Constant):
        yield PolicyRemark.on(call, "dynamic-code", function.removeprefix("builtins."))
    elif function == "builtins.getattr" and _reads_unknown_member(call, scope):
        yield PolicyRemark.on(call, "dynamic-code", "This getattr")
    elif gets_unknown(call, scope) in GUARDED:
        yield PolicyRemark.on(call, "dynamic-code", "This getter")
    elif _calls_unknown_item(call, scope):
        yield PolicyRemark.on(call, "dynamic-code", "This item of all names")
    elif _searches_all_classes(call):
        yield PolicyRemark.on(call, "dynamic-code", "This search through all classes")
    elif function is None and _looks_like_path_deletion(call, scope, own):
        yield PolicyRemark.on(call, "user-files" if call.func in users else "file-deletion", "This call on a path")


def _reads_unknown_member(call: ast.Call, scope: NameScope) -> bool:
    """True if a member that the syntax does not name is read of a module with forbidden members."""
    module = origin_of(call.args[0], scope) if len(call.args) > 1 else None
    return module in GUARDED and text_of(call.args[1], scope) is None


def _calls_unknown_item(call: ast.Call, scope: NameScope) -> bool:
    """True for `globals()[name]()` and `os.__dict__[name]()`, if the syntax does not say which name."""
    match call.func:
        case ast.Subscript(value=held, slice=key) if text_of(key, scope) is None:
            if isinstance(held, ast.Call) and not held.args and is_all_names(held.func, scope):
                return True
            owner, _, members = (origin_of(held, scope) or "").rpartition(".")
            return members == "__dict__" and owner in GUARDED
        case _:
            return False


def _searches_all_classes(call: ast.Call) -> bool:
    """True for `object.__subclasses__()`, which has every class; that of a class of Blender's is common."""
    match call.func:
        case ast.Attribute(value=ast.Name(id="object"), attr="__subclasses__"):
            return True
        case ast.Attribute(value=base, attr="__subclasses__"):
            parts = ast.walk(base)
            return any(isinstance(part, ast.Attribute) and part.attr in ("__base__", "__mro__") for part in parts)
        case _:
            return False


def _method(call: ast.Call, scope: NameScope) -> str | None:
    """The method that a call calls, even if `getattr` gives it."""
    match call.func:
        case ast.Attribute(attr=name):
            return name
        case ast.Call(func=ast.Name(id="getattr"), args=[_, name]):
            return text_of(name, scope)
        case _:
            return None


def _looks_like_path_deletion(call: ast.Call, scope: NameScope, own: Set[str]) -> bool:
    """Path.unlink() and Path.rmdir() take only `missing_ok`; unlink() of a collection needs an object."""
    return (
        _method(call, scope) in {"unlink", "rmdir"} - own
        and not call.args
        and all(argument.arg in {"missing_ok", None} for argument in call.keywords)
    )
