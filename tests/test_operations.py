"""The rows of operations.toml: each example is read as its row, passes the type checkers, and runs twice in Blender."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from app.drafting.composer import Composer
from app.drafting.composer.composer import compose
from app.drafting.composer.steps import load_steps
from app.drafting.draft import NotUnderstood
from harness.blenders import Blender
from ingest.manifest import Manifest
from tests.strict_types import mypy_says, pyright_says

load_steps()
from app.drafting.composer.steps.operations import rows  # noqa: E402  # its rules stand before those of the others

DRIVER: Final = Path(__file__).parent / "drive_operations.py"
ROWS: Final = rows()
HOLDS: Final[dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("operations_hold.toml").read_text(encoding="utf-8")
)
"""What is so after an example was carried out, by what its row does."""


@pytest.fixture(scope="module")
def snippets(tmp_path_factory: pytest.TempPathFactory, manifest: Manifest) -> Path:
    """A folder with the snippet of each row's example, named by its number, and what must hold after it."""
    folder, composer = tmp_path_factory.mktemp("operations"), Composer()
    for number, row in enumerate(ROWS):
        path = folder / f"row_{number:03}.py"
        path.write_text(composer.draft(row.example, manifest).snippet, encoding="utf-8")
        if row.does in HOLDS:
            path.with_suffix(".holds").write_text(HOLDS[row.does], encoding="utf-8")
    return folder


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.does)
def test_the_example_is_read_as_its_row(row: Any, manifest: Manifest) -> None:
    build, steps = compose(Composer().lexicon(manifest), row.example)
    assert steps == ["operation"]
    assert row.does in " ".join(build.notes)


def test_ruff_and_both_type_checkers_find_nothing(snippets: Path, stubs: Path, home: Path) -> None:
    config = Path(__file__).parents[1] / "pyproject.toml"
    ruff = [sys.executable, "-m", "ruff", "check", "--config", str(config), "--ignore=I001,N801,T201", str(snippets)]
    said = subprocess.run(ruff, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout
    assert mypy_says(snippets, stubs, home) == f"Success: no issues found in {len(ROWS)} source files\n"
    assert pyright_says(snippets, stubs) == (len(ROWS), [])


@pytest.mark.blender
def test_every_row_runs_twice_and_does_what_it_says(snippets: Path, blender: Blender) -> None:
    driver = [str(blender.path), "-I", str(DRIVER), str(snippets)]
    ran = subprocess.run(driver, capture_output=True, text=True, check=False, timeout=300)
    told = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith('{"snippet"')]
    assert len(told) == len(ROWS), ran.stderr[-2000:]
    failed = {ROWS[int(each["snippet"][4:7])].does: each["error"] for each in told if each["error"]}
    assert failed == {}
    assert HOLDS.keys() <= {row.does for row in ROWS}


# What a row reads, with a part of the code, and a near twin that is another request, or none.
TWINS: Final = [
    (
        'remove vertices 0 to 3 of "Crate" from the vertex group "Top"',
        ".remove([vert.index",
        'remove vertices 0 to 3 of "Crate"',
        "bmesh.ops.delete",
    ),
    ('sort the vertex groups of "Body" by name', "vertex_group_sort", 'sort the bones of "Body" by name', None),
    (
        'make the bevel modifier the active one on "Crate"',
        "is_active = True",
        'make the bevel modifier of "Crate" one wide',
        "width = 1.0",
    ),
    (
        'bind the surface deform modifier of "Cloth" to "Body"',
        "surfacedeform_bind",
        'bind the bevel modifier of "Cloth" to "Body"',
        None,
    ),
    (
        'solidify the mesh of "Crate" by 0.1 destructively',
        "bmesh.ops.solidify",
        'solidify "Crate" by 0.1',
        '"SOLIDIFY"',
    ),
    (
        'decimate the mesh itself of "Crate" to 30 %',
        "mesh.decimate(ratio=0.3)",
        'decimate "Crate" to 30 %',
        '"DECIMATE"',
    ),
    (
        'smooth the weights of the vertex group "Top" of "Crate", 10 iterations',
        "vertex_group_smooth(repeat=10)",
        'smooth the weights of the vertex group "Top" of "Crate", 10 colors',
        None,
    ),
    ('parent "Hat" to vertex 5 of "Head"', 'parent_type = "VERTEX"', 'parent "Hat" to bone 5 of "Head"', None),
    (
        'copy the Damped Track constraint from "A" to "B"',
        'constraint_of(a, "DAMPED_TRACK")',
        'copy the Damped Track modifier from "A" to "B"',
        None,
    ),
    ('move the bevel modifier of "Crate" up', "max(place - 1, 0)", 'move the bevel of "Crate" up by 2', None),
    ('exclude "Floor" from the light of "Key"', '"EXCLUDE"', 'exclude "Floor" from the fog of "Key"', None),
    (
        'set the handle type of all points of "Path" to vector',
        '"VECTOR"',
        'set the handle type of all points of "Path" to purple',
        None,
    ),
    ('reverse the direction of the curve "Path"', "switch_direction", 'reverse the color of the curve "Path"', None),
    ('apply the pose of "Rig" as rest pose', "armature_apply", 'apply the pose of "Rig" as a wall', None),
    (
        'limit the IK of the bone "tip" of "Rig" in x from 0 to 150 degrees',
        "ik_max_x = radians(150.0)",
        'limit the IK of the bone "tip" of "Rig" in x from 0 to 150 kg',
        None,
    ),
    (
        'mirror the animation of "Crate" in time around frame 25',
        "-1.0, 25",
        'mirror the animation of "Crate" in time around 25 m',
        None,
    ),
    ('scale the NLA strip "Walk" of "Crate" by 2', ".scale = 2.0", 'scale the NLA track "Walk" of "Crate" by 2', None),
    ("delete the strips on channel 3", "channel == 3", "delete the strips on layer 3", None),
    (
        'quadriflow remesh "Crate" with 5000 faces',
        "target_faces=5000",
        'quadriflow remesh "Crate" with 5000 edges',
        None,
    ),
    ('calculate the mass of "Crate" as concrete', '"Concrete"', 'calculate the mass of "Crate" as cheese', None),
]


@pytest.mark.parametrize(("request_", "code", "twin", "other"), TWINS, ids=[each[0] for each in TWINS])
def test_a_row_is_told_from_its_near_twin(
    request_: str, code: str, twin: str, other: str | None, manifest: Manifest
) -> None:
    composer = Composer()
    assert code in composer.draft(request_, manifest).snippet
    if other is None:
        with pytest.raises(NotUnderstood):
            composer.draft(twin, manifest)
    else:
        snippet = composer.draft(twin, manifest).snippet
        assert other in snippet
        assert code not in snippet


def test_an_operation_says_which_blender_it_needs(manifest: Manifest) -> None:
    old = replace(manifest, version="4.2.9")
    with pytest.raises(NotUnderstood, match=r"needs Blender 4\.3 or newer"):
        Composer().draft('make all strokes of "Sketch" cyclic', old)
    with pytest.raises(NotUnderstood, match="it is no mesh"):
        Composer().draft('add a camera "Eye". Clear all seams of "Eye".', manifest)
