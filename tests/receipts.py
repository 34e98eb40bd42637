"""The receipts of the cookbook: the scene and the picture that each recipe makes."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from app.artifacts import geometry
from app.artifacts.pictures import bits_apart, looks_of, open_own
from app.artifacts.replay import ALIKE_BITS
from harness.protocol import Outcome, RenderSettings
from ingest.cookbook import CookbookRecipe

RECEIPTS: Final = Path(__file__).resolve().parents[1] / "cookbook" / "receipts.json"
RENDER: Final = RenderSettings(size_px=96, samples=4)
NEAR: Final = 0.002
"""Share by which a measure may differ, and the difference that is always allowed: twice the last kept digit."""
Receipts = dict[str, dict[str, dict[str, Any]]]


def read_receipts() -> Receipts:
    """All receipts, by series of Blender and recipe."""
    kept: Receipts = json.loads(RECEIPTS.read_text()) if RECEIPTS.exists() else {}
    return kept


def receipt_of(recipe: CookbookRecipe, report: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The receipt of an execution in `folder`, with the pictures of RENDER."""
    receipt: dict[str, Any] = {
        "snippet": hashlib.sha256(recipe.snippet.encode()).hexdigest()[:16],
        "outcome": report["outcome"],
    }
    if report["outcome"] == Outcome.PASSED:
        evidence = report["evidence"]
        receipt["geometry"] = geometry.signature(evidence["scene"])
        receipt["measures"] = measures(evidence["scene"]["objects"].values())
        if not evidence["render"]["nothing_to_render"]:
            file = folder / "examine" / "out" / evidence["render"]["pictures"][0]["file"]
            receipt["picture"] = looks_of(open_own(file)).phash
    return receipt


def measures(objects: Collection[dict[str, Any]]) -> list[float]:
    """The numbers of objects, vertices and faces, and the sums of their places and of their sizes along each axis.

    Another processor rounds differently, so vertices may differ in the last bit, but these measures hardly do.
    """
    counts = [len(objects), *(sum(one.get(key) or 0 for one in objects) for key in ("vertices", "faces"))]
    sums = [
        sum((one.get(key) or (0.0, 0.0, 0.0))[axis] or 0.0 for one in objects)
        for key in ("location", "dimensions")
        for axis in range(3)
    ]
    return [*counts, *(round(value, 3) + 0.0 for value in sums)]


def differs(was: dict[str, Any] | None, now: dict[str, Any]) -> str:
    """What differs from a receipt, in words; empty if nothing does."""
    if was is None:
        return "it has no receipt"
    if was["snippet"] != now["snippet"]:
        return "it has changed since its receipt"
    if now["outcome"] != was["outcome"]:
        return f"it ended as {now['outcome']}, not {was['outcome']}"
    if now.get("geometry") != was.get("geometry") and not near(now.get("measures"), was.get("measures")):
        return "its geometry differs"
    if ("picture" in was) != ("picture" in now) or (
        "picture" in was and bits_apart(was["picture"], now["picture"]) > ALIKE_BITS
    ):
        return "its picture differs"
    return ""


def near(now: list[float] | None, was: list[float] | None) -> bool:
    """Whether two lists of measures are equal to within a thousandth."""
    if now is None or was is None or len(now) != len(was):
        return now == was
    return all(math.isclose(a, b, rel_tol=NEAR, abs_tol=NEAR) for a, b in zip(now, was, strict=True))
