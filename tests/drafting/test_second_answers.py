"""A second answer of a model about its checks adds and takes away no more than it should."""

from __future__ import annotations

from typing import Any

import pytest

from app.accept import CHECK, Check
from app.checks.accept import acceptance_measures
from app.drafting.derived import Derivation, with_first


def named(*names: str) -> list[Check]:
    return [CHECK.validate_python({"check": "object", "name": name}) for name in names]


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [("AB", "C", "ABC"), ("AB", "", "AB"), ("AB", "A", "AB"), ("AB", "CD", "CD"), ("A", "BCD", "BCD")],
)
def test_good_checks_stay_if_only_the_corrected_ones_are_sent_again(first: str, second: str, kept: str) -> None:
    told = with_first(Derivation(named(*first), ["check 3"]), Derivation(named(*second), []))
    assert told.checks == named(*kept)
    assert told.unread == ([] if set(second) - set(first) else ["check 3"])


@pytest.mark.parametrize(("other", "counts"), [(True, (1, 1, 1)), (False, (2, 0, 0))])
def test_what_was_set_aside_counts_for_a_result_that_meets_nothing_else(
    other: bool, counts: tuple[int, int, int]
) -> None:
    answers = [{"met": False, "seen": "it is red"}, {"met": other, "seen": "", "met_at_start": False}]
    report: dict[str, Any] = {"evidence": {"accept": answers}, "claims": {"registered": []}}
    told = acceptance_measures(named("A", "B"), report, "model", aside={1: "It asks for blue."})["acceptance"]
    assert (told["made"], told["met"], told["aside"]) == counts
