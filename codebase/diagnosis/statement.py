"""What a line of Python uses: the names in its statement, and, backwards through the function, where they are from.

crash line -> its statement -> names -> the assignments of those names in the function -> the names in them -> ...
                                 |-> parameters: from the callers      |-> self.x: from the methods that set it
"""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal

Function = ast.FunctionDef | ast.AsyncFunctionDef
DEPTH: Final = 3
"""How many assignments back a value is followed."""
MOST: Final = 80
"""Names of one line; a table of data has thousands."""
WRITTEN: Final = re.compile(r"[A-Za-z_][\w.\-/]{1,200}")
"""A string that may be the name of something: an operator, a property, a template, a path."""

Use = Literal["call", "name", "attribute", "string"]


@dataclasses.dataclass(frozen=True)
class Used:
    """A name that is used on a line, directly (depth 0) or through as many assignments of the function."""

    text: str
    """As written, dotted: `self.tool.name`."""
    use: Use
    line: int
    depth: int
    is_marked: bool = False
    """Whether the carets of the traceback are under it."""
    is_local: bool = False
    """Whether it begins with a variable of the function, so that only its attributes are defined elsewhere."""

    @property
    def root(self) -> str:
        """The first part of the dotted name."""
        return self.text.partition(".")[0]

    @property
    def last(self) -> str:
        """The last part of the dotted name."""
        return self.text.rpartition(".")[2]


@dataclasses.dataclass(frozen=True)
class Reading:
    """What a line uses, the lines of its statement, and which parameters of the function reach it."""

    used: tuple[Used, ...]
    first: int
    last: int
    parameters: tuple[str, ...]
    is_raise: bool
    """Whether the statement is there to raise or assert: what it tests is at fault, not it."""
    function: Function | None = None
    is_passing: bool = True
    """Whether `used` has only what the statement passes to the frame below; False if its call is not to be seen."""


def read_line(tree: ast.Module, line: int, marked: str = "", below: Reading | None = None) -> Reading | None:
    """What a line of a module uses; None if no statement is there.

    `below` is the reading of the frame that this line called: then only what is passed to it is read, of that only what
    reaches the line below.
    """
    statement, function = statement_at(tree, line)
    if statement is None:
        return None
    first, last = header(statement)
    passed = arguments_for(statement, below) if below is not None else None
    used = list(names_in(head_of(statement) if passed is None else passed, 0, marked))
    guards = [one for one in enclosing(tree, statement) if isinstance(one, ast.If | ast.While)]
    is_raise = isinstance(statement, ast.Raise | ast.Assert)
    if is_raise and guards:
        used += names_in([guards[-1].test], 0)
    parameters: tuple[str, ...] = ()
    if function is not None:
        back = list(backwards(function, used, first))
        used += back
        parameters = tuple(reaching(function, used))
        local = {name for names, _, _ in assignments(function) for name in names} | set(given_to(function))
        used = [dataclasses.replace(one, is_local=one.use != "string" and one.root in local) for one in used]
    is_passing = below is None or passed is not None
    return Reading(tuple(unique(used)), first, last, parameters, is_raise, function, is_passing)


def arguments_for(statement: ast.stmt, below: Reading) -> list[ast.AST] | None:
    """What a statement passes for the parameters that reach the line below; None if it has no call of that function."""
    function = below.function
    if function is None:
        return None
    names = given_to(function)
    is_method = bool(names) and names[0] in ("self", "cls")
    found: list[ast.AST] | None = None
    for head in head_of(statement):
        for call in (one for one in ast.walk(head) if isinstance(one, ast.Call)):
            name = dotted(call.func).rpartition(".")[2]
            if name == function.name or (function.name == "__init__" and name[:1].isupper()):
                found = found or []
                positions = dict(zip(names[is_method:], call.args, strict=False))
                positions |= {one.arg: one.value for one in call.keywords if one.arg}
                spread = [one.value for one in call.keywords if not one.arg]
                spread += [one for one in call.args if isinstance(one, ast.Starred)]
                found += [one for name, one in positions.items() if name in below.parameters] + spread
                if isinstance(call.func, ast.Attribute) and any(one.root == "self" for one in below.used):
                    found.append(call.func.value)
    return found


def statement_at(tree: ast.Module, line: int) -> tuple[ast.stmt | None, Function | None]:
    """The innermost statement of a line, and the function that it is in."""
    found: ast.stmt | None = None
    function: Function | None = None
    body: Iterable[ast.AST] = tree.body
    while True:
        inner = next((one for one in body if spans(one, line)), None)
        if inner is None:
            return found, function
        if isinstance(inner, ast.stmt):
            found = inner
        if isinstance(inner, Function) and header(inner)[1] < line:
            function = inner
        body = [
            one for one in ast.iter_child_nodes(inner) if isinstance(one, ast.stmt | ast.excepthandler | ast.match_case)
        ]


def spans(node: ast.AST, line: int) -> bool:
    """Whether a node has lines around this one; a case of a match has none of its own."""
    if isinstance(node, ast.match_case):
        return node.body[0].lineno <= line <= (node.body[-1].end_lineno or 0)
    first: int = getattr(node, "lineno", 0)
    first = min([first, *(one.lineno for one in getattr(node, "decorator_list", []))])
    return first <= line <= (getattr(node, "end_lineno", 0) or 0)


def enclosing(tree: ast.Module, statement: ast.stmt) -> list[ast.stmt]:
    """The statements around a statement, outermost first."""
    around: list[ast.stmt] = []
    body: Iterable[ast.AST] = tree.body
    while True:
        inner = next((one for one in body if spans(one, statement.lineno)), None)
        if inner is None or inner is statement:
            return around
        if isinstance(inner, ast.stmt):
            around.append(inner)
        body = [
            one for one in ast.iter_child_nodes(inner) if isinstance(one, ast.stmt | ast.excepthandler | ast.match_case)
        ]


def header(statement: ast.stmt) -> tuple[int, int]:
    """The first and last line of a statement without the body it may have."""
    # The cases of a `match` are no statements, but their bodies are.
    inner: list[ast.stmt] = (
        statement.cases[0].body if isinstance(statement, ast.Match) else getattr(statement, "body", [])
    )
    last = statement.end_lineno or statement.lineno
    if inner:
        last = max(statement.lineno, min(last, inner[0].lineno - 1))
    return statement.lineno, last


def head_of(statement: ast.stmt) -> list[ast.AST]:
    """The expressions of a statement, without those of its body."""
    if isinstance(statement, ast.ClassDef):
        return [*statement.bases, *(one.value for one in statement.keywords), *statement.decorator_list]
    if isinstance(statement, Function):
        return [*statement.decorator_list, *statement.args.defaults, *filter(None, statement.args.kw_defaults)]
    return [
        one
        for one in ast.iter_child_nodes(statement)
        if not isinstance(one, ast.stmt | ast.excepthandler | ast.match_case)
    ]


def names_in(nodes: Iterable[ast.AST], depth: int, marked: str = "") -> Iterator[Used]:
    """The names in expressions, the calls among them, and the strings that may name something."""
    plain = re.sub(r"\s", "", marked)
    for node in nodes:
        called = {id(one.func) for one in ast.walk(node) if isinstance(one, ast.Call)}
        parts = {id(one.value) for one in ast.walk(node) if isinstance(one, ast.Attribute)}
        for one in ast.walk(node):
            if isinstance(one, ast.Attribute | ast.Name):
                text = dotted(one)
                if id(one) in parts and isinstance(one, ast.Name) and one.id not in ("self", "cls"):
                    yield Used(one.id, "name", one.lineno, depth, bool(plain) and one.id in plain)
                elif text:
                    use: Use = "call" if id(one) in called else "attribute" if "." in text else "name"
                    yield Used(text, use, one.lineno, depth, bool(plain) and text in plain)
            elif isinstance(one, ast.Constant) and isinstance(one.value, str) and WRITTEN.fullmatch(one.value):
                yield Used(one.value, "string", one.lineno, depth)


def dotted(node: ast.expr) -> str:
    """A name with its attributes as written; what stands before a call or an index is left out."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        parts.append(node.id)
    return ".".join(reversed(parts))


def backwards(function: Function, used: Iterable[Used], line: int) -> Iterator[Used]:
    """The names that values come from, through the assignments above a line of a function."""
    made = list(assignments(function))
    wanted = {one.root for one in used if one.use != "string"} - {"self", "cls"}
    fields = {one.text for one in used if one.text.startswith(("self.", "cls."))}
    done: set[int] = set()
    for depth in range(1, DEPTH + 1):
        reached = [
            (place, values)
            for place, (targets, values, at) in enumerate(made)
            if place not in done and at <= line and any(one in wanted or one in fields for one in targets)
        ]
        done |= {place for place, _ in reached}
        found = [one for _, values in reached for one in names_in(values, depth)]
        yield from found
        wanted = {one.root for one in found if one.use != "string"} - {"self", "cls"}
        fields = {one.text for one in found if one.text.startswith("self.")}


Assignment = tuple[list[str], list[ast.AST], int]
"""The names that get a value, the expressions of the value, the line."""


def assignments(function: Function) -> Iterator[Assignment]:
    """Everything in a function that gives a name a value, or changes the one it has."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            yield [name for one in node.targets for name in targets(one)], [node.value], node.lineno
        elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and node.value is not None:
            yield targets(node.target), [node.value], node.lineno
        elif isinstance(node, ast.For | ast.AsyncFor):
            yield targets(node.target), [node.iter], node.lineno
        elif isinstance(node, ast.comprehension):
            yield targets(node.target), [node.iter], node.iter.lineno
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            yield targets(node.optional_vars), [node.context_expr], node.context_expr.lineno
        elif (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and isinstance(node.value.func, ast.Attribute)
        ):
            # `rows.append(make())` changes `rows`.
            owner = dotted(node.value.func.value)
            yield [owner], [*node.value.args, *(one.value for one in node.value.keywords)], node.lineno


def targets(node: ast.expr) -> list[str]:
    """The names that an assignment sets: variables, and attributes of self as `self.x`."""
    if isinstance(node, ast.Tuple | ast.List):
        return [name for one in node.elts for name in targets(one)]
    if isinstance(node, ast.Starred):
        return targets(node.value)
    if isinstance(node, ast.Subscript):
        return targets(node.value)
    text = dotted(node) if isinstance(node, ast.Attribute | ast.Name) else ""
    if text.startswith(("self.", "cls.")):
        return [".".join(text.split(".")[:2])]
    return [text.partition(".")[0]] if text else []


def reaching(function: Function, used: Iterable[Used]) -> Iterator[str]:
    """The parameters of a function that a value may come from."""
    wanted = {one.root for one in used if one.use != "string"}
    yield from (name for name in given_to(function) if name in wanted and name not in ("self", "cls"))


def given_to(function: Function) -> list[str]:
    """The names of the parameters of a function."""
    given = function.args
    names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return names + [one.arg for one in (given.vararg, given.kwarg) if one is not None]


def may_return_nothing(tree: ast.Module, line: int) -> bool:
    """Whether the function that begins on a line has a way to its end on which it returns None, but not on all."""
    node, _ = statement_at(tree, line)
    if not isinstance(node, Function) or any(isinstance(one, ast.Yield | ast.YieldFrom) for one in ast.walk(node)):
        return False
    returns = [one for one in ast.walk(node) if isinstance(one, ast.Return)]
    empty = [one for one in returns if one.value is None or getattr(one.value, "value", one) is None]
    return bool(returns) and (bool(empty) or falls_through(node.body))


def falls_through(body: list[ast.stmt]) -> bool:
    """Whether the end of some statements can be reached."""
    last = body[-1] if body else None
    if isinstance(last, ast.Return | ast.Raise | ast.Continue):
        return False
    if isinstance(last, ast.If):
        return not last.orelse or falls_through(last.body) or falls_through(last.orelse)
    if isinstance(last, ast.With | ast.AsyncWith):
        return falls_through(last.body)
    if isinstance(last, ast.Try):
        ends = [last.orelse or last.body, *(one.body for one in last.handlers)]
        return falls_through(last.finalbody) if last.finalbody else any(map(falls_through, ends))
    if isinstance(last, ast.While):
        return not (isinstance(last.test, ast.Constant) and last.test.value)
    return not isinstance(last, ast.Match)


def unique(used: Iterable[Used]) -> Iterator[Used]:
    """Each name once, as near as it is used, and at most as many as anybody reads."""
    seen: set[tuple[str, bool]] = set()
    for one in sorted(used, key=lambda one: (one.depth, not one.is_marked)):
        key = (one.text, one.use == "string")
        if key not in seen and len(seen) < MOST:
            seen.add(key)
            yield one
