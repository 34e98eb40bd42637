"""The settings that a measurement asks for: drawn from the manifest, each by its label and by its identifier."""

from __future__ import annotations

import random

import pytest

from bench.settings import requests, share, value_of
from ingest.manifest import Manifest, Property
from ingest.symbol import Item


def test_settings_are_drawn_from_the_manifest(manifest: Manifest) -> None:
    asked = list(requests(manifest, 2, random.Random(1)))
    assert asked == list(requests(manifest, 2, random.Random(1))) != list(requests(manifest, 2, random.Random(2)))
    types = [one.type for one in asked]
    assert {"Object", "BevelModifier", "CopyLocationConstraint", "World", "RenderSettings"} < set(types)
    assert max(types.count(one) for one in types) == 2
    assert all(f"set the {one.property} of " in one.requests["identifier"] for one in asked)


def test_both_names_ask_for_the_same(manifest: Manifest) -> None:
    every = {(one.type, one.property): one.requests for one in requests(manifest, 999, random.Random(1))}
    assert every["BevelModifier", "angle_limit"] == {
        "label": 'set the angle of the bevel modifier of "Box" to 0.5',
        "identifier": 'set the angle_limit of the bevel modifier of "Box" to 0.5',
    }
    assert every["BevelModifier", "limit_method"]["label"].endswith('of "Box" to angle')
    assert not any(name in {"name", "rna_type"} or name.startswith("bl_") for _, name in every)


@pytest.mark.parametrize(
    ("prop", "value"),
    [
        (Property("use_x", "BOOLEAN"), "on"),
        (Property("use_x", "BOOLEAN", default=True), "off"),
        (Property("mode", "ENUM", items=(Item("A", "First"), Item("B", "Second"))), "second"),
        (Property("mode", "ENUM", items=(Item("A", "First"),)), ""),
        (Property("levels", "INT", soft_min=0.0, soft_max=2.0), "2"),
        (Property("factor", "FLOAT", soft_min=1.0, soft_max=9.0), "1"),
        (Property("target", "POINTER"), ""),
    ],
)
def test_values_are_within_the_limits(prop: Property, value: str) -> None:
    assert value_of(prop) == value


def test_shares_count_what_came_so_far() -> None:
    assert (share([0, 1, 2, 2], 1), share([0, 1, 2, 2], 2), share([], 1)) == (0.75, 0.5, 0.0)
