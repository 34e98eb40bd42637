"""Expressions as plain data that the second pass can look up: values.

None            unknown
s text          a string
n name          a name of the module, or a builtin
m module        what `import module as name` binds
j module name   what `from module import name` binds; the module as written, with its dots
p name          a parameter
i class         an instance of a class of this text: `self`
k class         a class of this text: `cls`
u unit name     a function
t value         an instance of the class that an annotation names
a value name    an attribute
x value key     an item by its key; None if the key is no string
e value         an item of an iteration
c value args keywords    the result of a call
l items         a tuple, list or set: pairs of line and value
d items         a dict with strings as keys: lists of key, line and value
* value         a starred item
+ values        a sum, or a text with values in it
| values        one of these
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Final

from python.parsing import parse_expression

Value = list[Any] | None
MOST_TEXT: Final = 200
MOST_ITEMS: Final = 400
MOST_DEEP: Final = 12
MOST_PARTS: Final = 100
MOST_CHOICES: Final = 8
OPERATIONS: Final[Mapping[type[ast.operator], str]] = {ast.Add: "+", ast.BitOr: "|", ast.BitAnd: "|"}
MOST_OF_MODULE: Final = 10_000
"""Parts of a value of a module's name, such as a list of routes."""


@dataclasses.dataclass
class ValueScope:
    """The names of a function, with their values at a place; `around` is the scope of the function around it."""

    unit: int
    names: dict[str, Value] = dataclasses.field(default_factory=dict[str, Value])
    around: ValueScope | None = None
    is_module: bool = False
    of_class: Mapping[str, Value] | None = None
    """The names of the class with this body; functions inside do not see them."""

    def lookup(self, name: str) -> Value:
        if self.of_class and name in self.of_class:
            return self.of_class[name]
        scope: ValueScope | None = self
        while scope is not None and not scope.is_module:
            if name in scope.names:
                return scope.names[name]
            scope = scope.around
        return ["n", name]


class Values:
    """Reads expressions in a scope."""

    def __init__(self, scope: ValueScope) -> None:
        self.scope = scope

    def read(self, node: ast.AST | None, depth: int = 0) -> Value:
        """The value of an expression."""
        reader = self.READERS.get(type(node))
        if reader is None or depth > MOST_DEEP:
            return None
        return reader(self, node, depth + 1)

    def several(self, nodes: Iterable[ast.AST], depth: int) -> list[Value]:
        return [self.read(node, depth) for node in nodes]

    def of_annotation(self, node: ast.expr | None) -> Value:
        """An instance of the class that an annotation names."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < MOST_TEXT:
            try:
                node = parse_expression(node.value)
            except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError):
                return None
        return ["t", self.read(node)] if isinstance(node, ast.Name | ast.Attribute) else None

    def _constant(self, node: ast.Constant, _depth: int) -> Value:
        return ["s", node.value] if isinstance(node.value, str) and len(node.value) <= MOST_TEXT else None

    def _name(self, node: ast.Name, _depth: int) -> Value:
        return self.scope.lookup(node.id)

    def _attribute(self, node: ast.Attribute, depth: int) -> Value:
        return ["a", self.read(node.value, depth), node.attr]

    def _subscript(self, node: ast.Subscript, depth: int) -> Value:
        key = self.read(node.slice, depth)
        return ["x", self.read(node.value, depth), key[1] if key and key[0] == "s" else None]

    def _call(self, node: ast.Call, depth: int) -> Value:
        keywords = {keyword.arg: self.read(keyword.value, depth) for keyword in node.keywords if keyword.arg}
        return ["c", self.read(node.func, depth), self.several(node.args, depth), keywords]

    def _list(self, node: ast.List | ast.Tuple | ast.Set, depth: int) -> Value:
        return ["l", [[item.lineno, self.read(item, depth)] for item in node.elts[:MOST_ITEMS]]]

    def _starred(self, node: ast.Starred, depth: int) -> Value:
        return ["*", self.read(node.value, depth)]

    def _dict(self, node: ast.Dict, depth: int) -> Value:
        pairs = list(zip(node.keys, node.values, strict=True))[:MOST_ITEMS]
        texts = [
            (key.value, item) for key, item in pairs if isinstance(key, ast.Constant) and isinstance(key.value, str)
        ]
        return ["d", [[key, item.lineno, self.read(item, depth)] for key, item in texts]]

    def _operation(self, node: ast.BinOp, depth: int) -> Value:
        kind = OPERATIONS.get(type(node.op))
        return [kind, self.several((node.left, node.right), depth)] if kind else None

    def _inverted(self, node: ast.UnaryOp, depth: int) -> Value:
        return self.read(node.operand, depth) if isinstance(node.op, ast.Invert) else None

    def _text(self, node: ast.JoinedStr, depth: int) -> Value:
        return ["+", self.several(node.values, depth)]

    def _formatted(self, node: ast.FormattedValue, depth: int) -> Value:
        return self.read(node.value, depth)

    def _choice(self, node: ast.IfExp, depth: int) -> Value:
        return ["|", self.several((node.body, node.orelse), depth)]

    def _either(self, node: ast.BoolOp, depth: int) -> Value:
        return ["|", self.several(node.values, depth)]

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, depth: int) -> Value:
        around, self.scope = self.scope, ValueScope(self.scope.unit, {}, self.scope)
        for part in node.generators:
            bind(self.scope, part.target, iteration_of(self.read(part.iter, depth)))
        item = self.read(node.elt, depth)
        self.scope = around
        return ["l", [[node.lineno, ["|", [item]]]]]

    def _await(self, node: ast.Await | ast.NamedExpr, depth: int) -> Value:
        return self.read(node.value, depth)

    READERS: ClassVar[Mapping[type, Callable[[Any, Any, int], Value]]] = {
        ast.Constant: _constant,
        ast.Name: _name,
        ast.Attribute: _attribute,
        ast.Subscript: _subscript,
        ast.Call: _call,
        ast.List: _list,
        ast.Tuple: _list,
        ast.Set: _list,
        ast.Dict: _dict,
        ast.BinOp: _operation,
        ast.UnaryOp: _inverted,
        ast.JoinedStr: _text,
        ast.FormattedValue: _formatted,
        ast.IfExp: _choice,
        ast.BoolOp: _either,
        ast.ListComp: _comprehension,
        ast.GeneratorExp: _comprehension,
        ast.SetComp: _comprehension,
        ast.Await: _await,
        ast.NamedExpr: _await,
        ast.Starred: _starred,
    }


def is_small(value: Value, most: int = MOST_PARTS) -> bool:
    """True if a value may stand for a name wherever that is read: values of values must not grow without end."""
    count, level, depth = 0, [value], 0
    while level and count <= most and depth <= 2 * MOST_DEEP:
        level = [inner for outer in level for inner in parts(outer)]
        count += len(level)
        depth += 1
    return not level


def parts(value: Value) -> list[Value]:
    """The values that make up a value."""
    match value:
        case ["a" | "x" | "e" | "t" | "*", inner, *_]:
            return [inner]
        case ["c", called, given, keywords]:
            return [called, *given, *keywords.values()]
        case ["l" | "d", items]:
            return [item[-1] for item in items]
        case ["+" | "|", several]:
            return list(several)
        case _:
            return []


def iteration_of(value: Value) -> Value:
    """An item of an iteration over a value; a list that is written out has its own items."""
    return ["e", value] if value else None


def bind(scope: ValueScope, target: ast.expr, value: Value) -> None:
    """Let names of a scope hold a value from here on."""
    if isinstance(target, ast.Name):
        scope.names[target.id] = value if is_small(value) else None
    elif isinstance(target, ast.Tuple | ast.List):
        for place, part in enumerate(target.elts):
            bind(scope, part, part_of(value, place))
    elif isinstance(target, ast.Starred):
        bind(scope, target.value, None)


def part_of(value: Value, place: int) -> Value:
    """One part of a value that is unpacked."""
    match value:
        case ["l", items] if place < len(items):
            return list(items[place][1]) if items[place][1] else None
        case ["e", ["c", ["n", "enumerate"], [inner, *_], _]] if place == 1:
            return iteration_of(inner)
        case ["e", ["l", items]]:
            rows = [part_of(row, place) for _, row in items]
            return ["|", rows] if rows else None
        case _:
            return None


def either(values: Iterable[Value]) -> Value:
    """One of several values; None if the only one is unknown."""
    different: list[Value] = []
    for value in values:
        for choice in value[1] if value and value[0] == "|" else [value]:
            if choice not in different:
                different.append(choice)
    return different[0] if len(different) == 1 else ["|", different[:MOST_CHOICES]] if different else None


def with_old_value(value: Value, name: str, old: Value) -> Value:
    """A value in which the old meaning of a name replaces the name: `patterns = [first] + patterns`."""
    match value:
        case ["n", written] if written == name:
            return old
        case ["+", several]:
            return ["+", [with_old_value(part, name, old) for part in several]]
        case ["l", items]:
            return ["l", [[line, with_old_value(part, name, old)] for line, part in items]]
        case ["*", inner]:
            return ["*", with_old_value(inner, name, old)]
        case ["c", called, given, keywords]:
            return ["c", called, [with_old_value(argument, name, old) for argument in given], keywords]
        case _:
            return value


def is_part(small: Value, big: Value) -> bool:
    """True if a sum adds to another value."""
    if not (small and big and big[0] == "+"):
        return False
    return small in big[1] or (small[0] == "+" and big[1][: len(small[1])] == small[1])


def sum_of(old: Value, more: Value) -> Value:
    """A sum; a sum of sums stays flat."""
    return [*old[:1], [*old[1], more]] if old and old[0] == "+" else ["+", [old, more]]
