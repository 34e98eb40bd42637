"""Compares the permissions that an extension asks for with what its files do."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.verdict.parse import syntax_tree
from python.identifiers import dotted_end, last_name

MODULES: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("urllib.request", "http.client", "requests", "socket", "ftplib", "smtplib", "httpx", "aiohttp", "websockets"),
        "network",
    ),
    **dict.fromkeys(("sounddevice", "pyaudio"), "microphone"),
}
"""The permission per module that needs one."""
HELPERS: Final = frozenset({"ImportHelper", "ExportHelper"})
WRITING: Final = frozenset({"write_text", "write_bytes", "mkdir", "makedirs", "rmdir", "extractall"})
"""Methods that change files, whatever has them."""
CHANGING: Final[Mapping[str, frozenset[str]]] = {
    "os": frozenset({"remove", "unlink", "rename", "renames", "replace", "removedirs"}),
    "shutil": frozenset(
        {"copy", "copy2", "copyfile", "copyfileobj", "copytree", "move", "rmtree", "make_archive", "unpack_archive"}
    ),
}
"""Functions that change files, by module: others have methods of these names too."""
_WRITING_MODE: Final = re.compile(r"(?=.*[wax+])[rwaxbtU+]+([:|]\w*)?")
DOES: Final[Mapping[str, str]] = {
    "network": "reaches the network",
    "files": "reads or writes files",
    "clipboard": "uses the clipboard",
    "microphone": "records sound",
}


@dataclass(frozen=True)
class NeededPermission:
    """A permission that the manifest lacks, and the first line that needs it."""

    permission: str
    path: str
    line: int


def permissions_needed(manifest: str, texts: dict[str, str]) -> list[NeededPermission]:
    """The permissions that a manifest lacks; empty if it cannot be read. For a reader."""
    try:
        asked: Any = tomllib.loads(manifest).get("permissions", {})
    except (tomllib.TOMLDecodeError, RecursionError):
        return []
    needed: dict[str, NeededPermission] = {}
    for path, text in texts.items():
        tree = syntax_tree(text)
        for permission, line in uses_of(tree) if tree else ():
            if permission not in asked:
                needed.setdefault(permission, NeededPermission(permission, path, line))
    return list(needed.values())


def uses_of(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The permissions that the nodes of a file need, each with its line."""
    nodes = list(ast.walk(tree))
    imported = dict(pair for node in nodes for pair in _imported(node))
    managers = {"window_manager", "wm"} | {
        last_name(target)
        for node in nodes
        if isinstance(node, ast.Assign) and last_name(node.value) == "window_manager"
        for target in node.targets
    }
    for node in nodes:
        # The add-on brings what an import with dots names.
        if isinstance(node, ast.Import | ast.ImportFrom) and not getattr(node, "level", 0):
            names = [alias.name for alias in node.names]
            base = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            whole = [f"{base}.{name}".strip(".") for name in names] + ([base] if base else [])
            for module, permission in MODULES.items():
                if any(name == module or name.startswith(f"{module}.") for name in whole):
                    yield permission, node.lineno
            if HELPERS & set(names):
                yield "files", node.lineno
        elif isinstance(node, ast.Call) and writes(node, imported):
            yield "files", node.lineno
        elif isinstance(node, ast.Attribute) and node.attr == "clipboard" and _is_manager(node.value, managers):
            yield "clipboard", node.lineno


def _imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that an import binds, each with what it stands for, dotted."""
    match node:
        case ast.Import(names=names):
            yield from ((alias.asname, alias.name) for alias in names if alias.asname)
        case ast.ImportFrom(module=str(module), names=names, level=0):
            yield from ((alias.asname or alias.name, f"{module}.{alias.name}") for alias in names)
        case _:
            pass


def _is_manager(node: ast.expr, managers: set[str]) -> bool:
    """True if an expression is a window manager."""
    listed = isinstance(node, ast.Subscript) and last_name(node.value) == "window_managers"
    return listed or last_name(node) in managers


def writes(call: ast.Call, imported: Mapping[str, str]) -> bool:
    """True if a call opens a file to write it, or changes a file or folder."""
    first, dot, rest = dotted_end(call.func).partition(".")
    whole = f"{imported.get(first, first)}{dot}{rest}"
    module, _, name = whole.rpartition(".")
    if name in CHANGING.get(module, ()):
        return True
    if name == "unlink":
        # Collections of Blender, too, have a method of this name, which takes a thing; an operator has one without.
        plain = not call.args and all(given.arg == "missing_ok" for given in call.keywords)
        return plain and "." in whole and first != "bpy"
    if name in {"open", "ZipFile"}:
        # Of `path.open("w")` the mode comes first.
        given = call.args[0 if "." in whole and name == "open" else 1 : 2]
        given += [each.value for each in call.keywords if each.arg == "mode"]
        modes = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        return any(map(_WRITING_MODE.fullmatch, modes))
    return "." in whole and name in WRITING
