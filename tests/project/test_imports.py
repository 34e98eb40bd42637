"""Imports point one way, and only what runs in Blender imports bpy."""

from __future__ import annotations

import ast

import pytest

from tests.rooms import FROM, PAGE, ROOMS, ROOT, TO, drawing, imported, room_of, sources, wrong_imports


def test_no_import_points_the_wrong_way() -> None:
    wrong = [found for path in sources() for found in wrong_imports(str(path.relative_to(ROOT)), path.read_text())]
    assert wrong == []


def test_a_room_imports_only_rooms_below_it() -> None:
    order = [room for room in ROOMS if room != "harness.inside"]
    upwards = [(room, one) for room in order for one in ROOMS[room].split() if order.index(one) <= order.index(room)]
    assert upwards == []


def test_every_arrow_of_the_table_is_used() -> None:
    used: set[tuple[str, str]] = set()
    for path in sources():
        room = room_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
        used |= {(room, room_of(name)) for _, name in imported(ast.parse(path.read_text()))}
    assert [(room, one) for room, many in ROOMS.items() for one in many.split() if (room, one) not in used] == []


def test_the_page_shows_the_table() -> None:
    shown = PAGE.read_text().partition(FROM)[2].partition(TO)[0]
    assert shown == drawing(), "`python -m tests.rooms` writes it"


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("harness/pool/pool.py", "from app.settings import Settings"),
        ("harness/inside/untrusted/run.py", "from harness.launcher import launch"),
        ("harness/inside/untrusted/run.py", "def f():\n    import app.main"),
        ("harness/sandbox/ladder.py", "from harness.launcher import launch"),
        ("ingest/build.py", "import app"),
        ("app/checks/render.py", "def f():\n    from app.runs.run import Run"),
        ("app/llm/client.py", "from app.errors import BlendproofError"),
        ("search/tables.py", "from ingest.symbol import Symbol"),
        ("app/main.py", "import bpy"),
        ("harness/launcher.py", "from bpy import ops"),
    ],
)
def test_a_wrong_import_is_found(path: str, source: str) -> None:
    assert list(wrong_imports(path, source))


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("app/pipeline/nodes.py", "from harness.launcher import launch"),
        (
            "harness/inside/untrusted/run.py",
            "import bpy\nfrom harness import protocol\nfrom harness.protocol import RunJob",
        ),
        ("harness/launcher.py", "from harness.sandbox.jail import JailSpec"),
        ("ingest/build.py", "from harness.blenders import Blender"),
        ("app/runs/run.py", "def f():\n    from app.verdict.verdict import Verdict"),
        ("ingest/store.py", "from search.tables import Tables"),
    ],
)
def test_its_near_twin_is_not(path: str, source: str) -> None:
    assert list(wrong_imports(path, source)) == []
