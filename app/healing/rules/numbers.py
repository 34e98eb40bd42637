"""Floats where Blender and Python take whole numbers, and one number of Blender's version."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.sight import Sight, keyword

_FOUND: Final = re.compile(r"takes a whole number, not (?:the|a) float")
_NAMED: Final = re.compile(r'(?:keyword "|\.)(\w+)"? expected an int\b.*, not float')
_PLACED: Final = re.compile(r"\.(\w+)\(\): error with argument (\d+),")


@rule("`frame_set(24 / 2)`: `int` cuts off what Python before 3.10 cut off by itself")
def whole_numbers(sight: Sight) -> Iterator[TreeEdit]:
    found = [node for fault, node in sight.faults if fault.code == "wrong-type" and _FOUND.search(fault.message)]
    values = [node for node in found if isinstance(node, cst.BaseExpression)]
    for value in dict.fromkeys(value for value in [*values, *_refused_values(sight)] if not _is_whole(value)):
        yield sight.replace(value, _whole(sight, value), "a whole number is taken here, and no float since Python 3.10")


def _is_whole(value: cst.BaseExpression) -> bool:
    """True if an expression is a whole number as it is written."""
    call = isinstance(value, cst.Call) and isinstance(value.func, cst.Name) and value.func.value in {"int", "len"}
    return call or isinstance(value, cst.Integer)


def _whole(sight: Sight, value: cst.BaseExpression) -> str:
    return str(int(value.evaluated_value)) if isinstance(value, cst.Float) else f"int({sight.code(value)})"


def _refused_values(sight: Sight) -> Iterator[cst.BaseExpression]:
    """The values that the execution refused as floats."""
    said = sight.trouble.message if sight.trouble else ""
    named = _NAMED.search(said)
    placed = _PLACED.search(said) if named else None
    for call in sight.all(cst.Call):
        if not sight.fails_at(call):
            continue
        given = keyword(call, named[1]) if named else None
        if given is not None:
            yield given.value
        elif placed and isinstance(call.func, cst.Attribute) and call.func.attr.value == placed[1]:
            yield from (argument.value for argument in call.args[int(placed[2]) - 1 : int(placed[2])])
        elif "'float' object cannot be interpreted" in said and sight.code(call.func) == "range":
            yield from (argument.value for argument in call.args)
    for assign in sight.all(cst.Assign):
        target = assign.targets[0].target
        if named and isinstance(target, cst.Attribute) and target.attr.value == named[1] and sight.fails_at(assign):
            yield assign.value
    for element in sight.all(cst.Index):
        if "indices must be integers" in said and sight.fails_at(element) and _divides(element.value):
            yield element.value


def _divides(value: cst.BaseExpression) -> bool:
    """True if an expression is a division, or is computed with one."""
    if not isinstance(value, cst.BinaryOperation):
        return False
    return isinstance(value.operator, cst.Divide) or _divides(value.left) or _divides(value.right)


_PART: Final = re.compile(r"bpy\.app\.version\[1\]\s*(<|>=)\s*(\d\d)\b")


@rule("3.0: `bpy.app.version[1] < 62`: the second number of a version began anew, so the whole version is compared")
def version_parts(sight: Sight) -> Iterator[TreeEdit]:
    if sight.api.version < (3, 0):
        return
    for comparison in sight.all(cst.Comparison):
        if not _PART.fullmatch(sight.code(comparison)):
            continue
        test: cst.BaseExpression = comparison
        while isinstance(outer := sight.parent(test), cst.BooleanOperation):
            test = outer
        source = sight.code(test)
        # Together with a first number above 2, or equal to it, the author has thought of what came later.
        if re.search(r"version\[0\]\s*(?:==|>|<\s*3|<=\s*2)", source):
            continue
        reason = "a second number above 9 is of 2.x: the whole version is compared"
        yield sight.replace(test, _PART.sub(r"bpy.app.version \1 (2, \2)", source), reason)
