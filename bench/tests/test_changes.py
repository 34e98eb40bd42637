"""The bench of changes: hidden checks tell a right change from a wrong one, and a wrong one is not accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.repositories.changing import loop
from bench.changes import case_of, names, result_of
from harness.sandbox.ladder import strongest


@pytest.mark.slow
async def test_a_right_change_is_accepted(tmp_path: Path) -> None:
    done = await result_of("cache_kwargs", case_of("cache_kwargs"), tmp_path, strongest())
    assert (done.made.status, done.right, done.wrongly, done.applied) == ("accepted", True, False, [True])


@pytest.mark.slow
async def test_a_wrong_change_is_not_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "ROUNDS", 1)
    done = await result_of("hostile_masks", case_of("hostile_masks"), tmp_path, strongest(), blind=True)
    assert (done.made.status, done.right, done.stopped_by) == ("failed", False, "evidence")


def test_every_case_is_whole() -> None:
    cases = [case_of(name) for name in names()]
    assert len(cases) >= 24 and all(case.plan and case.patch and case.review for case in cases)
