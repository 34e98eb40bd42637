"""The values that type hints declare."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from app.reading.api.values import NOTHING, UNKNOWN, Many, Value, instance_of, join
from python.parsing import parse_expression

_MANY: Final = frozenset({"list", "set", "frozenset", "iterable", "iterator", "sequence", "collection"})

Look = Callable[[ast.expr], Value]
"""The value of an expression, without remarks."""


def hinted_value(hint: ast.expr | None, look: Look) -> Value:
    """The value that a type hint declares."""
    match hint:
        case ast.Constant(value=str(text)):
            try:
                return hinted_value(parse_expression(text), look)
            except (SyntaxError, ValueError, RecursionError):
                return UNKNOWN
        case ast.Constant(value=None):
            return NOTHING
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return join([hinted_value(left, look), hinted_value(right, look)])
        case ast.Subscript(value=ast.Name(id=generic) | ast.Attribute(attr=generic), slice=inner):
            return _hinted_generic(generic, inner, look)
        case ast.Attribute() | ast.Name():
            return instance_of(look(hint))
        case _:
            return UNKNOWN


def _hinted_generic(generic: str, inner: ast.expr, look: Look) -> Value:
    match generic, inner:
        case "Optional", _:
            return join([hinted_value(inner, look), NOTHING])
        case "Union", ast.Tuple(elts=parts):
            return join(hinted_value(part, look) for part in parts)
        case _, ast.Tuple():
            return UNKNOWN
        case name, _ if name.lower() in _MANY:
            return Many(hinted_value(inner, look))
        case _:
            return UNKNOWN
