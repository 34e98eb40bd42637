"""Imports point one way, and only what runs in Blender imports bpy.

app -> harness, ingest; ingest -> harness; harness/inside -> the protocol and the jail
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OURS = {"app", "harness", "ingest", "tests", "bench"}
BLENDER = {"bpy", "bmesh", "mathutils", "bpy_extras", "gpu", "blf", "aud", "idprop"}
ALLOWED = {
    "app": {"app", "harness", "ingest"},
    "ingest": {"ingest", "harness"},
    "harness": {"harness"},
    "harness/inside": {"harness.protocol", "harness.inside", "harness.sandbox.jail"},
}


def wrong_imports(path: str, source: str) -> Iterator[str]:
    """Each import that the file at this path (relative to the project) must not make, as `path:line: name`."""
    inside = path.startswith("harness/inside/")
    allowed = ALLOWED["harness/inside"] if inside else ALLOWED[path.partition("/")[0]]
    for line, name in imported(ast.parse(source)):
        top = name.partition(".")[0]
        may_not = top in OURS and not any(name == one or name.startswith(f"{one}.") for one in allowed)
        if may_not or (top in BLENDER and not inside):
            yield f"{path}:{line}: {name}"


def imported(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            module = node.module or ""
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)


def test_no_import_points_the_wrong_way() -> None:
    files = [path for folder in ("app", "harness", "ingest") for path in (ROOT / folder).rglob("*.py")]
    assert len(files) > 40
    wrong = [found for path in files for found in wrong_imports(str(path.relative_to(ROOT)), path.read_text())]
    assert wrong == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("harness/pool.py", "from app.settings import Settings"),
        ("harness/inside/run.py", "from harness.launcher import launch"),
        ("harness/inside/run.py", "def f():\n    import app.main"),
        ("ingest/build.py", "import app"),
        ("app/main.py", "import bpy"),
        ("harness/launcher.py", "from bpy import ops"),
    ],
)
def test_a_wrong_import_is_found(path: str, source: str) -> None:
    assert list(wrong_imports(path, source))


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("app/main.py", "from harness.launcher import launch"),
        (
            "harness/inside/run.py",
            "import bpy\nfrom harness import protocol\nfrom harness.protocol import RunJob",
        ),
        ("ingest/build.py", "from harness.blenders import Blender"),
    ],
)
def test_its_near_twin_is_not(path: str, source: str) -> None:
    assert list(wrong_imports(path, source)) == []
