"""The agreement of a critic with the truth."""

from __future__ import annotations

from typing import Any

import pytest

from bench.agreement import agreement


def scores(accepted: float) -> dict[str, Any]:
    return {
        "accepted": accepted,
        "model": {"weakest": ["a"], "request": {"score": accepted}, "effects": {"score": 1.0}},
    }


def test_a_critic_that_tells_right_from_wrong_agrees_and_one_that_praises_all_does_not() -> None:
    truth = [True, True, True, False]
    sharp = agreement([(scores(1.0 if right else 0.5), right) for right in truth])
    mild = agreement([(scores(1.0), right) for right in truth])
    assert (sharp.share, sharp.wrong_refused, sharp.ranked, sharp.full_marks) == (1.0, 1, 1.0, 3)
    assert (mild.share, mild.wrong_accepted, mild.ranked, mild.full_marks) == (0.75, 1, 0.5, 4)
    assert "4 of 4 (100%)" in sharp.lines()[0] and "3 of 4 (75%)" in mild.lines()[0]


@pytest.mark.parametrize(("truth", "said"), [([], ["the critic judged none"]), ([True], None)])
def test_without_wrong_ones_nothing_is_ranked(truth: list[bool], said: list[str] | None) -> None:
    found = agreement([(scores(0.75), right) for right in truth])
    assert found.ranked is None
    assert found.lines() == (said or found.lines())
