"""A well-known name that is used and never imported: `bpy`, `math`, `Vector` and their like."""

from __future__ import annotations

import ast
import re
from typing import Final

from app.checks.verdict import Verdict

IMPORTS: Final = {
    **{name: f"import {name}" for name in ("bpy", "bmesh", "math", "mathutils", "random", "os", "sys", "json")},
    **{name: f"from mathutils import {name}" for name in ("Color", "Euler", "Matrix", "Quaternion", "Vector")},
    "Path": "from pathlib import Path",
}
"""Names that mean one thing in a Blender script, with the statement that brings them in."""

UNDEFINED: Final = re.compile(r"[Uu]ndefined name `(\w+)`|name '(\w+)' is not defined")


def add_missing_imports(snippet: str, verdict: Verdict) -> tuple[str, list[str]]:
    """Import the well-known names that a finding says are undefined."""
    said = [match.group(1) or match.group(2) for f in verdict.findings() for match in UNDEFINED.finditer(f.message)]
    missing = [name for name in dict.fromkeys(said) if name in IMPORTS]
    if not missing:
        return snippet, []
    lines = snippet.splitlines(keepends=True)
    place = first_code_line(snippet)
    added = [f"{IMPORTS[name]}\n" for name in missing]
    reasons = [f"`{name}` is used and never imported: added `{IMPORTS[name]}`" for name in missing]
    return "".join([*lines[:place], *added, *lines[place:]]), reasons


def first_code_line(snippet: str) -> int:
    """Index of the line before which an import may stand: after the docstring and `from __future__` imports."""
    place = 0
    for index, statement in enumerate(ast.parse(snippet).body):
        docstring = index == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if not (docstring or future):
            break
        place = statement.end_lineno or place
    return place
