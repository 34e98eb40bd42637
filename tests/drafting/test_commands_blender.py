"""The examples of the command language in Blender: each runs, does what its own checks say, and runs again."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.drafting.commands import Commands, load_examples
from harness.blenders import Blender
from ingest.manifest import Manifest
from tests.drafting.commands_in_blender import HOLLOW, job_of, run_jobs
from tests.drafting.installed import blender_of
from tests.strict_types import mypy_says, pyright_says

pytestmark = pytest.mark.blender

COMMANDS = Commands()
MOST_HOLLOW = 0.05
"""The share of examples whose checks the start may meet already."""


@pytest.mark.parametrize("series", ["4.2", "4.5", "5.0", "5.2"])
def test_each_example_does_what_its_checks_say(series: str, home: Path, tmp_path: Path) -> None:
    blender, manifest = blender_of(home, series)
    examples = load_examples()
    jobs = [job_of(COMMANDS.draft(request, manifest)) for request in examples]
    told = run_jobs(blender, jobs, tmp_path)
    hollow = [request for request, one in zip(examples, told, strict=True) if HOLLOW in one["message"]]
    wrong = [
        f"{request}: {one['failed']}: {one['message']}"
        for request, one in zip(examples, told, strict=True)
        if one["failed"] and request not in hollow
    ]
    assert wrong == []
    assert len(hollow) <= MOST_HOLLOW * len(examples), hollow


def test_a_check_that_is_not_met_is_found(blender: Blender, manifest: Manifest, tmp_path: Path) -> None:
    right, wrong = (COMMANDS.draft(f"Move the cube to (0, 0, {height})", manifest) for height in (2, 3))
    swapped = job_of(right) | {"snippet": wrong.snippet}
    hollow = job_of(COMMANDS.draft("Move the cube to (0, 0, 0)", manifest))
    told = run_jobs(blender, [job_of(right), swapped, hollow], tmp_path)
    assert [one["failed"] for one in told] == [None, "check", "check"]
    assert "its location is (0, 0, 3), not (0, 0, 2)" in told[1]["message"] and HOLLOW in told[2]["message"]


def test_the_examples_pass_both_type_checkers_at_their_strictest(
    home: Path, stubs: Path, manifest: Manifest, tmp_path: Path
) -> None:
    examples = load_examples()
    for number, request in enumerate(examples):
        (tmp_path / f"example_{number}.py").write_text(COMMANDS.draft(request, manifest).snippet, encoding="utf-8")
    assert "Success: no issues found" in mypy_says(tmp_path, stubs, home)
    read, findings = pyright_says(tmp_path, stubs)
    assert (read, findings) == (len(examples), [])
