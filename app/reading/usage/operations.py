"""Arithmetic and comparisons of values."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any, Final

from app.reading.api.values import UNKNOWN, EnumOf, Lit, Plain, PyObject, Value, constant, literal, options
from app.reading.remark import Fault
from app.reading.usage.fits import Judge, Slot

_COMPARISONS: Final[dict[type[ast.cmpop], Callable[[Any, Any], Any]]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_ARITHMETIC: Final[dict[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda a, b: a / b,
}
_HUGE: Final = 1e12


def arithmetic(first: Value, op: ast.operator, second: Value) -> Value:
    """The result of `first op second`; unknown from 1e12 on."""
    work = _ARITHMETIC.get(type(op))
    match first, second:
        case Lit(value=a, kind="int" | "float"), Lit(value=b, kind="int" | "float") if work:
            try:
                result = work(a, b)
            except (ArithmeticError, ValueError):
                return UNKNOWN
            return literal(result) if abs(result) < _HUGE else UNKNOWN
        case Lit(kind="int" | "float") | Plain(kind="int" | "float"), Lit(kind="int" | "float") | Plain(
            kind="int" | "float"
        ) if work:
            whole = first.kind == second.kind == "int" and not isinstance(op, ast.Div)
            return Plain("int" if whole else "float")
        case PyObject(home="mathutils"), PyObject(home="mathutils") if first == second and not isinstance(
            op, ast.Mult | ast.MatMult
        ):
            return first
        case _:
            return UNKNOWN


def unary(op: ast.unaryop, value: Value) -> Value:
    """The result of `op value`."""
    match op, value:
        case ast.USub(), Lit(value=number, kind="int" | "float"):
            return literal(-number)
        case ast.UAdd(), Lit(kind="int" | "float"):
            return value
        case ast.Not(), _:
            known = constant(value)
            return literal(not known[0]) if known else Plain("bool")
        case ast.USub(), Plain(kind="int" | "float"):
            return value
        case _:
            return UNKNOWN


def comparison(first: Value, op: ast.cmpop, second: Value) -> Value:
    """The result of `first op second`."""
    a, b, work = constant(first), constant(second), _COMPARISONS.get(type(op))
    if a and b and work:
        try:
            return literal(bool(work(a[0], b[0])))
        except TypeError:
            return UNKNOWN
    return Plain("bool")


def comparison_fault(judge: Judge, enumeration: Value, other: Value) -> Fault | None:
    """The fault of a comparison of an enumeration with a value that it never has."""
    slots: list[Slot] = []
    for option in options(enumeration):
        prop = judge.api.rna.property(option.type, option.name) if isinstance(option, EnumOf) else None
        if not isinstance(option, EnumOf) or prop is None:
            return None
        slots.append(Slot(prop, f"bpy.types.{option.type}.{option.name}", "property"))
    faults = [judge.never_equal(slot, value) for slot in slots for value in options(other)]
    return faults[0] if faults and all(faults) else None
