"""Finds functions and modules of others that a snippet replaces, so that other code calls functions of the snippet."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import Final

from app.checks.policy.constants import text_of
from app.checks.policy.origins import origin_of
from app.checks.policy.remark import PolicyRemark
from app.checks.policy.scopes import NameScope

_CODE: Final = "runs-unseen"
_OF_BLENDER: Final = ("bpy.ops", "bpy.utils", "bpy.path", "bpy_types", "bpy_extras", "bmesh.ops")
"""Parts of Blender's modules that hold functions; others hold settings, such as `bpy.context.scene`."""
_PARTS: Final = frozenset({"ops", "data", "context", "types", "utils", "app", "path", "props", "msgbus", "__class__"})
"""The parts of `bpy` itself."""
_SETTINGS: Final = frozenset(
    {
        *("sys.stdout", "sys.stderr", "sys.stdin", "sys.argv", "sys.path", "sys.dont_write_bytecode"),
        *("sys.tracebacklimit", "sys.last_traceback", "sys.ps1", "sys.ps2", "os.environ", "warnings.showwarning"),
        *("logging.raiseExceptions", "logging.lastResort", "decimal.DefaultContext", "readline.parse_and_bind"),
    }
)
"""Members of Python's own modules that users are meant to set."""
_NOTED_ELSEWHERE: Final = frozenset({"sys.excepthook", "sys.modules"})


def replacing_remarks(nodes: list[tuple[ast.AST, NameScope]]) -> Iterator[PolicyRemark]:
    """A remark on each member of a module of Python or Blender that is set to something else."""
    for node, scope in nodes:
        match node:
            case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
                yield from _replaced(node, origin_of(node, scope))
            case ast.Call(func=ast.Name(id="setattr" | "delattr" as name), args=[owner, member, *_]):
                text = text_of(member, scope) if scope.binding(name) is None else None
                module = origin_of(owner, scope)
                if text is not None and module is not None:
                    yield from _replaced(node, f"{module}.{text}")
            case _:
                pass


def _replaced(node: ast.expr, origin: str | None) -> Iterator[PolicyRemark]:
    if origin is not None and origin not in _NOTED_ELSEWHERE and _is_of_others(origin):
        yield PolicyRemark.on(node, _CODE, f"Replacing {origin}")


def _is_of_others(origin: str) -> bool:
    """True if the origin is a member of one of Python's modules, or a part of Blender's."""
    owner, _, member = origin.rpartition(".")
    package = origin.partition(".")[0]
    if package in ("bpy", "bmesh", "bpy_types", "bpy_extras"):
        return (owner == "bpy" and member in _PARTS) or origin.startswith(_OF_BLENDER)
    # A class may stand for its instance, whose attributes anyone may set.
    of_a_class = any(part[:1].isupper() for part in owner.split("."))
    return bool(owner) and package in sys.stdlib_module_names and not of_a_class and origin not in _SETTINGS
