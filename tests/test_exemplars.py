"""The nearest known requests, as a refusal names them."""

from __future__ import annotations

from app.drafting.composer.composer import load_examples
from app.retrieval.exemplars import nearest_exemplars


def test_the_nearest_come_first() -> None:
    request = "Please bevel my cube nicely: width 0.05, 3 segments, and shade it smooth"
    assert nearest_exemplars(request, load_examples())[0].startswith("Add a bevel modifier, width 0.05")


def test_a_rare_word_counts_more_than_common_ones() -> None:
    known = ["add a cube and a plane", "add a torus", "add a cube"]
    assert nearest_exemplars("please add a torus with spikes", known)[0] == "add a torus"


def test_something_is_suggested_where_nothing_is_near() -> None:
    assert nearest_exemplars("立方体を追加", ["add a cube", "add a plane"]) == ["add a cube", "add a plane"]
    assert nearest_exemplars("add a cube", []) == []
