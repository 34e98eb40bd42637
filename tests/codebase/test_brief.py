"""Text for a model on places: within the budget, with the lines that the question is about."""

from __future__ import annotations

import dataclasses

import pytest

from codebase.ask.brief import BYTES, brief
from codebase.ask.finding import UnitHit

HIT = UnitHit(
    "shop.py:10-13",
    "sell",
    "function",
    "def sell(ware)",
    "",
    "",
    1.0,
    (),
    "def sell(ware):\n    wrap(ware)\n\n    pay()",
)


def test_lines_with_words_of_the_question_are_shown_and_others_are_not() -> None:
    assert brief("who has to pay", [HIT]) == "shop.py:10-13 def sell(ware)\n13: pay()".replace("13: ", "13:     ")
    assert brief("the weather", [HIT]) == "shop.py:10-13 def sell(ware)"


@pytest.mark.parametrize("count", [1, 12, 50])
def test_places_stay_within_the_budget(count: int) -> None:
    long = dataclasses.replace(
        HIT, signature=f"def sell({'ware, ' * 200})", text="    pay(ware)  # and pay again\n" * 900
    )
    said = brief("pay", [long, HIT] * count)
    assert BYTES // 2 < len(said.encode()) <= BYTES
    assert said.count("shop.py:10-13") == 2 * count
