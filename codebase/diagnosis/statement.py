"""Names that a line of Python uses: those in its statement, and, backwards through the function, their origins.

crash line -> its statement -> names -> the assignments of those names in the function -> the names in them -> ...
                                 |-> parameters: from the callers      |-> self.x: from the methods that set it
"""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal

from python.flow import around, leaves
from python.identifiers import FunctionDef, dotted_end, last_name, parameters

DEPTH: Final = 3
"""The number of assignments through which a value is followed back."""
MOST: Final = 80
"""Names of one line; a table of data has thousands."""
WRITTEN: Final = re.compile(r"[A-Za-z_][\w.\-/]{1,200}")
"""A string that may be the name of something: an operator, a property, a template, a path."""

Use = Literal["call", "name", "attribute", "string"]


@dataclasses.dataclass(frozen=True)
class UsedName:
    """A name that is used on a line, directly (depth 0) or through as many assignments of the function."""

    text: str
    """As written, dotted: `self.tool.name`."""
    use: Use
    line: int
    depth: int
    is_marked: bool = False
    """True if the carets of the traceback are under it."""
    is_local: bool = False
    """True if it begins with a variable of the function, so that only its attributes are defined elsewhere."""

    @property
    def root(self) -> str:
        """The first part of the dotted name."""
        return self.text.partition(".")[0]

    @property
    def last(self) -> str:
        """The last part of the dotted name."""
        return self.text.rpartition(".")[2]


@dataclasses.dataclass(frozen=True)
class LineReading:
    """The names that a line uses, the lines of its statement, and the parameters of the function that reach it."""

    used: tuple[UsedName, ...]
    first: int
    last: int
    parameters: tuple[str, ...]
    is_raise: bool
    """True if the statement raises or asserts: the value that it tests is at fault, not the statement."""
    function: FunctionDef | None = None
    is_passing: bool = True
    """True if `used` has only names that the statement passes to the frame below; False if its call is not visible."""


def read_line(tree: ast.Module, line: int, marked: str = "", below: LineReading | None = None) -> LineReading | None:
    """The names that a line of a module uses; None if there is no statement.

    `below` is the reading of the frame that this line called: then only the arguments of that call are read,
    and of these only those that reach the line below.
    """
    statements = around(tree, line)
    if not statements:
        return None
    *outside, statement = statements
    function = function_around(statements, line)
    first, last = header(statement)
    passed = arguments_for(statement, below) if below is not None else None
    used = list(names_in(head_of(statement) if passed is None else passed, 0, marked))
    guards = [outer for outer in outside if isinstance(outer, ast.If | ast.While)]
    is_raise = isinstance(statement, ast.Raise | ast.Assert)
    if is_raise and guards:
        used += names_in([guards[-1].test], 0)
    parameters: tuple[str, ...] = ()
    if function is not None:
        back = list(backwards(function, used, first))
        used += back
        parameters = tuple(reaching(function, used))
        local = {name for names, _, _ in assignments(function) for name in names} | set(names_given(function))
        used = [dataclasses.replace(name, is_local=name.use != "string" and name.root in local) for name in used]
    is_passing = below is None or passed is not None
    return LineReading(tuple(unique(used)), first, last, parameters, is_raise, function, is_passing)


def arguments_for(statement: ast.stmt, below: LineReading) -> list[ast.AST] | None:
    """Arguments for the parameters that reach the line below; None if there is no call of that function."""
    function = below.function
    if function is None:
        return None
    names = names_given(function)
    is_method = bool(names) and names[0] in ("self", "cls")
    passed: list[ast.AST] | None = None
    for head in head_of(statement):
        for call in (node for node in ast.walk(head) if isinstance(node, ast.Call)):
            name = last_name(call.func)
            if name == function.name or (function.name == "__init__" and name[:1].isupper()):
                passed = passed or []
                positions = dict(zip(names[is_method:], call.args, strict=False))
                positions |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
                spread = [keyword.value for keyword in call.keywords if not keyword.arg]
                spread += [argument for argument in call.args if isinstance(argument, ast.Starred)]
                passed += [argument for name, argument in positions.items() if name in below.parameters] + spread
                if isinstance(call.func, ast.Attribute) and any(name.root == "self" for name in below.used):
                    passed.append(call.func.value)
    return passed


def function_around(statements: list[ast.stmt], line: int) -> FunctionDef | None:
    """The innermost function in whose body a line stands."""
    functions = [node for node in statements if isinstance(node, FunctionDef) and header(node)[1] < line]
    return functions[-1] if functions else None


def header(statement: ast.stmt) -> tuple[int, int]:
    """The first and last line of a statement without its body."""
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
        return [*statement.bases, *(keyword.value for keyword in statement.keywords), *statement.decorator_list]
    if isinstance(statement, FunctionDef):
        return [*statement.decorator_list, *statement.args.defaults, *filter(None, statement.args.kw_defaults)]
    return [
        node
        for node in ast.iter_child_nodes(statement)
        if not isinstance(node, ast.stmt | ast.excepthandler | ast.match_case)
    ]


def names_in(nodes: Iterable[ast.AST], depth: int, marked: str = "") -> Iterator[UsedName]:
    """The names in expressions, the calls among them, and the strings that may be names."""
    plain = re.sub(r"\s", "", marked)
    for node in nodes:
        called = {id(call.func) for call in ast.walk(node) if isinstance(call, ast.Call)}
        parts = {id(attribute.value) for attribute in ast.walk(node) if isinstance(attribute, ast.Attribute)}
        for part in ast.walk(node):
            if isinstance(part, ast.Attribute | ast.Name):
                text = dotted_end(part).lstrip(".")
                if id(part) in parts and isinstance(part, ast.Name) and part.id not in ("self", "cls"):
                    yield UsedName(part.id, "name", part.lineno, depth, bool(plain) and part.id in plain)
                elif text:
                    use: Use = "call" if id(part) in called else "attribute" if "." in text else "name"
                    yield UsedName(text, use, part.lineno, depth, bool(plain) and text in plain)
            elif isinstance(part, ast.Constant) and isinstance(part.value, str) and WRITTEN.fullmatch(part.value):
                yield UsedName(part.value, "string", part.lineno, depth)


def backwards(function: FunctionDef, used: Iterable[UsedName], line: int) -> Iterator[UsedName]:
    """The names that values come from, through the assignments above a line of a function."""
    made = list(assignments(function))
    wanted = {name.root for name in used if name.use != "string"} - {"self", "cls"}
    fields = {name.text for name in used if name.text.startswith(("self.", "cls."))}
    done: set[int] = set()
    for depth in range(1, DEPTH + 1):
        reached = [
            (place, values)
            for place, (targets, values, at) in enumerate(made)
            if place not in done and at <= line and any(target in wanted or target in fields for target in targets)
        ]
        done |= {place for place, _ in reached}
        names = [name for _, values in reached for name in names_in(values, depth)]
        yield from names
        wanted = {name.root for name in names if name.use != "string"} - {"self", "cls"}
        fields = {name.text for name in names if name.text.startswith("self.")}


Assignment = tuple[list[str], list[ast.AST], int]
"""The names that get a value, the expressions of the value, the line."""


def assignments(function: FunctionDef) -> Iterator[Assignment]:
    """Everything in a function that gives a name a value, or changes its value."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            yield [name for target in node.targets for name in targets(target)], [node.value], node.lineno
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
            owner = dotted_end(node.value.func.value).lstrip(".")
            yield [owner], [*node.value.args, *(keyword.value for keyword in node.value.keywords)], node.lineno


def targets(node: ast.expr) -> list[str]:
    """The names that an assignment sets: variables, and attributes of self as `self.x`."""
    if isinstance(node, ast.Tuple | ast.List):
        return [name for element in node.elts for name in targets(element)]
    if isinstance(node, ast.Starred):
        return targets(node.value)
    if isinstance(node, ast.Subscript):
        return targets(node.value)
    text = dotted_end(node).lstrip(".") if isinstance(node, ast.Attribute | ast.Name) else ""
    if text.startswith(("self.", "cls.")):
        return [".".join(text.split(".")[:2])]
    return [text.partition(".")[0]] if text else []


def reaching(function: FunctionDef, used: Iterable[UsedName]) -> Iterator[str]:
    """The parameters of a function that a value may come from."""
    wanted = {name.root for name in used if name.use != "string"}
    yield from (name for name in names_given(function) if name in wanted and name not in ("self", "cls"))


def names_given(function: FunctionDef) -> list[str]:
    """The names of the parameters of a function."""
    return [parameter.arg for parameter in parameters(function.args)]


def may_return_nothing(tree: ast.Module, line: int) -> bool:
    """True if the function that begins on a line returns None on some paths to its end, but not on all."""
    node = next(reversed(around(tree, line)), None)
    inner = list(ast.walk(node)) if isinstance(node, FunctionDef) else []
    if not isinstance(node, FunctionDef) or any(isinstance(part, ast.Yield | ast.YieldFrom) for part in inner):
        return False
    returns = [part for part in inner if isinstance(part, ast.Return)]
    empty = [part for part in returns if part.value is None or getattr(part.value, "value", part) is None]
    return bool(returns) and (bool(empty) or not leaves(node.body))


def unique(used: Iterable[UsedName]) -> Iterator[UsedName]:
    """Each name once, at its smallest depth, and at most `MOST` in all."""
    seen: set[tuple[str, bool]] = set()
    for name in sorted(used, key=lambda name: (name.depth, not name.is_marked)):
        key = (name.text, name.use == "string")
        if key not in seen and len(seen) < MOST:
            seen.add(key)
            yield name
