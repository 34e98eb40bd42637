"""The signature of a scene's geometry, and the differences of two scenes, from the evidence of their executions."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from typing import Any, Final

NEAR: Final = 1e-4
"""Share of its size by which a place or a length may differ and still count as equal."""
EXACT: Final = ("type", "vertices", "faces", "smooth_faces", "shape")
PLACED: Final = ("location", "rotation", "scale")


def signature(scene: dict[str, Any]) -> str:
    """A hash of every object's form and place; equal for scenes with the same geometry, to within a millionth."""
    facts = [
        [name, *(facts.get(key) for key in EXACT), *(rounded(facts.get(key)) for key in (*PLACED, "dimensions"))]
        for name, facts in sorted(scene["objects"].items())
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]


def rounded(values: list[float | None] | None) -> list[float | None] | None:
    # Adding zero turns a negative zero into one.
    return None if values is None else [None if value is None else round(value, 5) + 0.0 for value in values]


def differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """The differences of two scenes, one sentence each; empty if the geometry is the same within the tolerance.

    Form is compared by numbers of vertices and faces and by size, because another build may order vertices differently.
    """
    old, new = before["objects"], after["objects"]
    missing = [f"{name} is missing" for name in sorted(old.keys() - new.keys())]
    added = [f"{name} is new" for name in sorted(new.keys() - old.keys())]
    changed = [said for name in sorted(old.keys() & new.keys()) for said in differing(name, old[name], new[name])]
    return missing + added + changed


def differing(name: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    for key in ("type", "vertices", "faces"):
        if old.get(key) != new.get(key):
            yield f"{name} has {key} {new.get(key)}, not {old.get(key)}"
    for key in (*PLACED, "dimensions"):
        if not near(old.get(key), new.get(key)):
            yield f"{name} has {key} {rounded(new.get(key))}, not {rounded(old.get(key))}"


def near(old: list[float | None] | None, new: list[float | None] | None) -> bool:
    if old is None or new is None or len(old) != len(new):
        return old == new
    scale = max([1.0, *(abs(value) for value in old if value is not None)])
    return all(
        a == b or (a is not None and b is not None and math.isclose(a, b, rel_tol=NEAR, abs_tol=NEAR * scale))
        for a, b in zip(old, new, strict=True)
    )
