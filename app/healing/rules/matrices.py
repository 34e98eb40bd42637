"""`matrix * vector` is `matrix @ vector` since 2.80."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.sight import Sight
from app.reading.api.values import Plain, options

_ROTATIONS: Final = frozenset({"Matrix", "Quaternion"})
_MAKES_MATRIX: Final = frozenset(
    {"to_matrix", "to_4x4", "to_3x3", "to_2x2", "inverted", "inverted_safe", "transposed", "normalized"}
)
_ONLY_ROTATIONS_HAVE: Final = frozenset({"to_track_quat", "to_quaternion", "to_matrix", "to_4x4", "to_3x3"})
"""Methods that no other class of Python or Blender has."""
_MATRIX_MEMBERS: Final = frozenset({"matrix_world", "matrix_local", "matrix_basis", "matrix_parent_inverse"})
_PLACES: Final = frozenset({"co", "coord", "vec", "vector", "loc", "location", "pos", "position", "point"})
"""Names that no number has."""
_NOT: Final = "supported between"


@rule("2.80: `matrix * vector` is `matrix @ vector`")
def matrix_product(sight: Sight) -> Iterator[TreeEdit]:
    if not any(isinstance(product.operator, cst.Multiply) for product in sight.all(cst.BinaryOperation)):
        return
    kinds = _Kinds(sight)
    reason = "a matrix is multiplied with `@` since 2.80"
    for product in sight.all(cst.BinaryOperation):
        if (
            isinstance(product.operator, cst.Multiply)
            and not sight.is_guarded(product)
            and _is_product(sight, kinds, product)
        ):
            left, right = sight.code(product.left), sight.code(product.right)
            yield sight.replace(product, f"{left} @ {right}", reason)
    for statement in sight.all(cst.AugAssign):
        if (
            isinstance(statement.operator, cst.MultiplyAssign)
            and kinds.of(statement.target) in _ROTATIONS
            and kinds.of(statement.value) in _ROTATIONS
        ):
            source = f"{sight.code(statement.target)} @= {sight.code(statement.value)}"
            yield sight.instead(statement, source, reason=reason)


def _is_product(sight: Sight, kinds: _Kinds, product: cst.BinaryOperation) -> bool:
    left, right = kinds.of(product.left), kinds.of(product.right)
    if left in _ROTATIONS and right in _ROTATIONS | {"Vector"}:
        return True
    if not sight.fails_at(product) or sight.trouble is None or _NOT not in sight.trouble.message:
        return False
    # The exception says that a product of matrices failed here; a product with a number is not one of them.
    products = [node for node in sight.all(cst.BinaryOperation) if isinstance(node.operator, cst.Multiply)]
    only = sum(sight.fails_at(node) for node in products) == 1
    return only or left in _ROTATIONS or (right in _ROTATIONS | {"Vector"} and not _is_number(sight, product.left))


def _is_number(sight: Sight, node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Integer | cst.Float) or any(
        isinstance(value, Plain) for value in options(sight.value(node))
    )


class _Kinds:
    """The class of `mathutils` that each expression certainly has, or an empty string."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self._known: dict[cst.BaseExpression, str] = {}
        self._assigned: dict[tuple[cst.FunctionDef | None, str], list[cst.BaseExpression | None]] = {}
        for assign in sight.all(cst.Assign):
            for target in assign.targets:
                self._note(target.target, assign.value)
        # Names that are bound in another way can be anything.
        bound: list[cst.BaseExpression] = []
        bound += [loop.target for loop in sight.all(cst.For)]
        bound += [loop.target for loop in sight.all(cst.CompFor)]
        bound += [assign.target for assign in sight.all(cst.AugAssign)]
        bound += [assign.target for assign in sight.all(cst.AnnAssign)]
        for name in bound:
            self._note(name, None)
        for parameter in sight.all(cst.Param):
            self._note(parameter.name, None)

    def _note(self, target: cst.BaseExpression, value: cst.BaseExpression | None) -> None:
        if isinstance(target, cst.Tuple | cst.List):
            for part in target.elements:
                self._note(part.value, None)
        elif isinstance(target, cst.Name):
            key = (self._sight.function(target), target.value)
            self._assigned.setdefault(key, []).append(value)

    def of(self, node: cst.BaseExpression) -> str:
        """The class of an expression."""
        if node not in self._known:
            # A value that depends on itself would recurse.
            self._known[node] = ""
            self._known[node] = self._sight.of_mathutils(node) or self._of(node)
        return self._known[node]

    def _of(self, node: cst.BaseExpression) -> str:
        match node:
            case cst.BinaryOperation(left=left, operator=operator, right=right):
                return self._of_operation(self.of(left), operator, self.of(right))
            case cst.Attribute(value=owner, attr=cst.Name(value=name)):
                return self._of_member(owner, name)
            case cst.Call(func=cst.Attribute() as function):
                return self._of_call(function)
            case cst.Call(func=cst.Name(value=name)) if name in {"Vector", "Matrix", "Quaternion", "Euler"}:
                return name
            case cst.Name(value=name):
                given = self._assigned.get((self._sight.function(node), name), [])
                found = {self.of(value) if value is not None else "" for value in given}
                if name in _PLACES and found <= {"", "Vector"}:
                    return "Vector"
                # A name that is given a rotation anew may be either kind, and both are multiplied alike.
                return found.pop() if len(found) == 1 else "Matrix" if found and found <= _ROTATIONS else ""
            case _:
                return ""

    def _of_operation(self, first: str, operator: cst.BaseBinaryOp, second: str) -> str:
        if isinstance(operator, cst.MatrixMultiply | cst.Multiply):
            return second if first in _ROTATIONS and second in _ROTATIONS | {"Vector"} else ""
        return first if first == second else ""

    def _of_member(self, owner: cst.BaseExpression, name: str) -> str:
        # A class of the snippet may have a member of that name.
        known = any(self._sight.may_be(owner, kind) for kind in ("Object", "MeshVertex", "BezierSplinePoint"))
        if name in self._sight.survey.own_members and not known:
            return ""
        return "Matrix" if name in _MATRIX_MEMBERS else "Vector" if name == "co" else ""

    def _of_call(self, function: cst.Attribute) -> str:
        name = function.attr.value
        if self._sight.code(function.value).removeprefix("mathutils.") == "Matrix":
            return "Matrix"
        if name in _ONLY_ROTATIONS_HAVE and name not in self._sight.survey.own_members:
            return "Quaternion" if "quat" in name else "Matrix"
        inner = self.of(function.value)
        if name in _MAKES_MATRIX and (inner == "Matrix" or (name == "to_matrix" and inner in {"Euler", "Quaternion"})):
            return "Matrix"
        return inner if name == "copy" else ""
