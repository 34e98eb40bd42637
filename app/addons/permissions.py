"""Compares the permissions that an extension asks for with what its files do."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.verdict.parse import syntax_tree

MODULES: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("urllib.request", "http.client", "requests", "socket", "ftplib", "smtplib", "httpx", "aiohttp", "websockets"),
        "network",
    ),
    **dict.fromkeys(("sounddevice", "pyaudio"), "microphone"),
}
"""The permission per module that needs one."""
HELPERS: Final = frozenset({"ImportHelper", "ExportHelper"})
WRITING: Final = frozenset(
    {"write_text", "write_bytes", "mkdir", "makedirs", "unlink", "rmtree", "copyfile", "copytree"}
)
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
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names]
            base = node.module or "" if isinstance(node, ast.ImportFrom) and not node.level else ""
            dotted = [f"{base}.{name}".strip(".") for name in names] + ([base] if base else [])
            for module, permission in MODULES.items():
                if any(name == module or name.startswith(f"{module}.") for name in dotted):
                    yield permission, node.lineno
            if HELPERS & set(names):
                yield "files", node.lineno
        elif isinstance(node, ast.Call) and writes(node):
            yield "files", node.lineno
        elif isinstance(node, ast.Attribute) and node.attr == "clipboard":
            yield "clipboard", node.lineno


def writes(call: ast.Call) -> bool:
    """True if a call opens a file to write it, or changes a folder."""
    if isinstance(call.func, ast.Name) and call.func.id == "open":
        mode = call.args[1] if len(call.args) > 1 else None
        return isinstance(mode, ast.Constant) and isinstance(mode.value, str) and bool(set("wax+") & set(mode.value))
    return isinstance(call.func, ast.Attribute) and call.func.attr in WRITING
