"""Imports point one way, and only what runs in Blender imports bpy."""

from __future__ import annotations

import pytest

from tests.rooms import (
    FROM,
    MOST_FLOORS,
    PAGE,
    ROOMS,
    ROOT,
    TO,
    drawing,
    floors_of,
    imported,
    imports_of_all,
    room_of,
    sources,
    wrong_imports,
)


def test_no_import_points_the_wrong_way() -> None:
    wrong = [found for path in sources() for found in wrong_imports(str(path.relative_to(ROOT)), path.read_text())]
    assert wrong == []


def test_a_room_imports_only_rooms_below_it() -> None:
    order = list(ROOMS)
    upwards = [
        (room, other) for room in order for other in ROOMS[room].split() if order.index(other) <= order.index(room)
    ]
    assert upwards == []


def test_every_arrow_of_the_table_is_used() -> None:
    used: set[tuple[str, str]] = set()
    for path in sources():
        room = room_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
        used |= {(room, room_of(name)) for _, name in imported(path.read_text())}
    assert [(room, other) for room, many in ROOMS.items() for other in many.split() if (room, other) not in used] == []


def test_the_page_shows_the_table() -> None:
    shown = PAGE.read_text().partition(FROM)[2].partition(TO)[0]
    assert shown == drawing(), "`python -m tests.rooms` writes it"


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("harness/pool/pool.py", "from app.settings import Settings"),
        ("harness/inside/untrusted/run.py", "from harness.launcher import launch"),
        ("harness/inside/untrusted/run.py", "def f():\n    import app.main"),
        ("harness/inside/witness/examine.py", "from harness.inside.untrusted.hooks import hooks_of"),
        ("harness/inside/untrusted/claimed.py", "def f():\n    from harness.inside.witness import accept"),
        ("harness/inside/scene/describe.py", "from harness.inside.witness.picture import render"),
        ("app/healing/heal.py", "from app.checks.policy import check_policy"),
        ("app/healing/model.py", "def f():\n    from app.drafting.draft import Draft"),
        ("app/reading/usage/calls.py", "from app.checks.tool import read_for"),
        ("codebase/tree/git.py", "from codebase.index.store import Index"),
        ("codebase/index/store.py", "from codebase.ask.finding import find"),
        ("app/web/pages.py", "from app.api.common import TheCaller"),
        ("harness/sandbox/ladder.py", "from harness.launcher import launch"),
        ("ingest/build.py", "import app"),
        ("app/checks/render.py", "def f():\n    from app.jobs.run import Run"),
        ("app/llm/models.py", "from app.errors import BlendproofError"),
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
        ("harness/inside/witness/examine.py", "from harness.inside.scene.describe import describe"),
        ("harness/inside/untrusted/claimed.py", "from harness.inside.scene.settings import plain"),
        ("app/healing/heal.py", "from app.reading.survey import Survey\nfrom app.verdict.verdict import Finding"),
        ("app/reading/usage/calls.py", "from app.verdict.parse import syntax_tree"),
        ("codebase/index/files.py", "from codebase.tree.git import git"),
        ("app/web/pages.py", "from app.http.requests import caller_of"),
        ("harness/launcher.py", "from harness.sandbox.jail import JailSpec"),
        ("ingest/build.py", "from harness.blenders import Blender"),
        ("app/jobs/run.py", "def f():\n    from app.verdict.verdict import Verdict"),
        ("ingest/reference_store.py", "from search.tables import Tables"),
    ],
)
def test_its_near_twin_is_not(path: str, source: str) -> None:
    assert list(wrong_imports(path, source)) == []


def test_no_package_has_more_floors_than_one_can_hold_in_mind() -> None:
    imports = imports_of_all()
    packages = {name.rpartition(".")[0] for name in imports} - {""}
    tall = {package: max(floors_of(package, imports).values(), default=0) for package in packages}
    assert {package: floors for package, floors in tall.items() if floors > MOST_FLOORS} == {}


STACK = {f"house.floor_{number}": [f"house.floor_{number - 1}.Name"] for number in range(1, MOST_FLOORS + 1)}


def test_a_package_of_too_many_floors_is_found() -> None:
    assert max(floors_of("house", {"house.floor_0": [], **STACK}).values()) == MOST_FLOORS + 1


def test_its_near_twin_has_as_many_as_it_may() -> None:
    twin = {**STACK, f"house.floor_{MOST_FLOORS}": ["house.floor_0.Name"]}
    assert max(floors_of("house", {"house.floor_0": [], **twin}).values()) == MOST_FLOORS


def test_a_circle_is_found() -> None:
    with pytest.raises(ValueError, match="a circle among floor_0, floor_1"):
        floors_of("house", {"house.floor_0": ["house.floor_1.name"], "house.floor_1": ["house.floor_0.name"]})
