"""Each outcome of the closed set is produced by a small file in `tests/snippets`; its docstring names the outcome."""

from __future__ import annotations

import ast
import dataclasses
from pathlib import Path

import pytest

from harness.blenders import Blender
from harness.execution import Order, execute
from harness.launcher import ProcessLimits
from harness.protocol import Outcome

SNIPPETS = sorted(
    path for path in (Path(__file__).parent / "snippets").glob("*.py") if ".setup" not in path.name
)
LIMITS = ProcessLimits(
    wall_s=20, memory_bytes=1536 << 20, disk_bytes=48 << 20, files=200, output_bytes=2 << 20
)
SHORT = dataclasses.replace(LIMITS, wall_s=5)
BOTH_DOORS = {
    "passed",
    "exits_early",
    "raised",
    "endless_loop",
    "prints_without_end",
    "crashes",
    "renders_by_itself",
}


def expected_outcome(snippet: Path) -> str:
    docstring = (
        ast.get_docstring(ast.parse(snippet.read_text())) if "not_parse" not in snippet.name else "raised:"
    )
    return (docstring or "").partition(":")[0]


def order_for(snippet: Path) -> Order:
    setup = snippet.with_suffix(".setup.py")
    return Order(
        snippet=snippet.read_text(),
        setup_snippet=setup.read_text() if setup.exists() else None,
        run_limits=SHORT if expected_outcome(snippet) == "timed_out" else LIMITS,
        examine_limits=LIMITS,
    )


def test_every_outcome_has_a_snippet() -> None:
    assert {expected_outcome(snippet) for snippet in SNIPPETS} == {outcome.value for outcome in Outcome}


@pytest.mark.blender
@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda path: path.stem)
async def test_outcome(snippet: Path, blender: Blender, tmp_path: Path, no_leftovers: None) -> None:
    if snippet.stem == "harness_fault":
        blender = dataclasses.replace(blender, path=Path("/bin/false"))
    report = await execute(blender, order_for(snippet), tmp_path / "job")
    assert report["outcome"] == expected_outcome(snippet), report["reason"]


@pytest.mark.blender
@pytest.mark.parametrize(
    "snippet", [path for path in SNIPPETS if path.stem in BOTH_DOORS], ids=lambda path: path.stem
)
async def test_outcome_through_the_executable(snippet: Path, executable: Blender, tmp_path: Path) -> None:
    report = await execute(executable, order_for(snippet), tmp_path / "job")
    assert report["outcome"] == expected_outcome(snippet), report["reason"]
    assert report["blender"]["kind"] == "executable"
