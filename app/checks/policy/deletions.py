"""Tells the deletion of the user's own files from that of files that a script wrote itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from app.checks.policy.forbidden import code_of
from app.checks.policy.origins import origin_of
from app.checks.policy.scopes import NameScope

_PARTS: Final = 200
"""Most parts of a path to look at."""

# Members that lead to the folders of the user, and the start of texts that do.
_USERS_MEMBERS: Final = frozenset({"expanduser", "expandvars", "home", "environ", "getenv", "user_resource"})
_USERS_FOLDERS: Final = re.compile(
    r"~|(?:[A-Za-z]:)?[\\/]+(?:$|(?:home|Users|root|etc|usr|var|opt|Windows|Program Files)\b)"
)

_WRITES: Final = re.compile(r"(?:make|mk)dirs?|touch|write\w*|save\w*|copy\w*|dump|export\w*|\w*_export|render|open")


def deletions_of_users_files(nodes: list[tuple[ast.AST, NameScope]]) -> Iterator[ast.expr]:
    """The functions of calls that delete or move files from a folder of the user, unless the script wrote them."""
    written: set[str] | None = None
    for node, scope in nodes:
        if not isinstance(node, ast.Call) or not _deletes(node, scope):
            continue
        method = isinstance(node.func, ast.Attribute) and node.func.attr in {"unlink", "rmdir"} and not node.args
        path = node.func.value if method and isinstance(node.func, ast.Attribute) else next(iter(node.args), None)
        if path is None:
            continue
        parts = list(_parts(path, scope))
        if any(_leads_to_the_user(part) for part in parts) or origin_of(path, scope) == "bpy.data.filepath":
            written = set(_written(nodes)) if written is None else written
            if not written & {part.id for part in parts if isinstance(part, ast.Name)}:
                yield node.func


def _deletes(call: ast.Call, scope: NameScope) -> bool:
    origin = origin_of(call.func, scope)
    return code_of(origin) == "file-deletion" if origin else getattr(call.func, "attr", "") in {"unlink", "rmdir"}


def _parts(path: ast.expr, scope: NameScope) -> Iterator[ast.AST]:
    """The expressions that a path is made of, names followed to the one value that they have."""
    waiting: list[ast.AST] = [path]
    for _ in range(_PARTS):
        if not waiting:
            return
        part = waiting.pop()
        yield part
        value = scope.only_value(part.id) if isinstance(part, ast.Name) else None
        waiting.extend([value] if isinstance(value, ast.AST) else ast.iter_child_nodes(part))


def _leads_to_the_user(part: ast.AST) -> bool:
    match part:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name in _USERS_MEMBERS
        case ast.Constant(value=str(text)):
            return _USERS_FOLDERS.match(text) is not None
        case _:
            return False


def _written(nodes: list[tuple[ast.AST, NameScope]]) -> Iterator[str]:
    """The names of the paths that the script writes to."""
    for node, scope in nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if _WRITES.fullmatch(name):
                paths: list[ast.AST] = [*node.args, *(word.value for word in node.keywords), node.func]
            case ast.Assign(targets=[ast.Attribute(attr="filepath" | "filepath_raw" | "base_path")], value=value):
                paths = [value]
            case _:
                continue
        for path in paths:
            for part in ast.walk(path):
                if isinstance(part, ast.Name) and isinstance(scope.only_value(part.id), ast.AST):
                    yield part.id
