"""Replays the cookbook: does each recipe still make the scene and the picture that its receipt says?

    python -m bench.replay [--write] [--blender 5.0]

`cookbook/receipts.json` holds, by series of Blender and recipe, the signature and the measures of the geometry and the
hash of a small picture. `--write` writes those of this Blender; without it, differences are listed and the exit status
is 1. A changed or new recipe needs `--write`. The tests replay those of the default Blender.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import math
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from app.artifacts import geometry
from app.artifacts.pictures import bits_apart, looks_of, open_own
from app.artifacts.replay import ALIKE_BITS
from app.blenders.preparation import blenders_of
from app.settings import read_settings
from harness.blenders import Blender, choose
from harness.execution import execute
from harness.order import Order
from harness.protocol import Outcome, RenderSettings
from ingest.cookbook import Recipe, load_cookbook

RECEIPTS: Final = Path(__file__).resolve().parents[1] / "cookbook" / "receipts.json"
RENDER: Final = RenderSettings(size_px=96, samples=4)
NEAR: Final = 0.002
"""Share by which a measure may differ, and the difference that is always allowed: twice the last kept digit."""

Receipts = dict[str, dict[str, dict[str, Any]]]


def main() -> None:
    """Execute every recipe, and compare or write."""
    parser = argparse.ArgumentParser(description="Replay the cookbook.")
    parser.add_argument("--write", action="store_true", help="write the receipts of this Blender")
    parser.add_argument("--blender", help="version or series; default: the default Blender")
    given = parser.parse_args()
    settings = read_settings()
    blender = choose(blenders_of(settings), given.blender)
    kept = read_receipts()
    made = asyncio.run(replay_all(blender))
    if given.write:
        kept[blender.series] = made
        RECEIPTS.write_text(as_lines(kept) + "\n")
        print(f"{len(made)} receipts of Blender {blender.series} written")
        return
    differing = {
        name: said for name, now in made.items() if (said := differs(kept.get(blender.series, {}).get(name), now))
    }
    for name, said in sorted(differing.items()):
        print(f"{name}: {said}")
    same = len(made) - len(differing)
    print(f"{same} of {len(made)} recipes match their receipts, on Blender {blender.version}")
    sys.exit(1 if differing else 0)


def read_receipts() -> Receipts:
    """All receipts, by series of Blender and recipe."""
    kept: Receipts = json.loads(RECEIPTS.read_text()) if RECEIPTS.exists() else {}
    return kept


def as_lines(receipts: Receipts) -> str:
    """The receipts as JSON, one per line."""
    series = [
        f"{json.dumps(one)}: {{\n"
        + ",\n".join(f"{json.dumps(name)}: {json.dumps(receipts[one][name])}" for name in sorted(receipts[one]))
        + "\n}"
        for one in sorted(receipts)
    ]
    return "{\n" + ",\n".join(series) + "\n}"


async def replay_all(blender: Blender) -> dict[str, dict[str, Any]]:
    """The present receipt of each recipe, by name."""
    made: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, recipe in enumerate(load_cookbook()):
            made[recipe.name] = await replay(recipe, blender, Path(folder) / str(number))
    return made


async def replay(recipe: Recipe, blender: Blender, folder: Path) -> dict[str, Any]:
    return receipt_of(recipe, await execute(blender, Order(recipe.snippet, render=RENDER), folder), folder)


def receipt_of(recipe: Recipe, report: dict[str, Any], folder: Path) -> dict[str, Any]:
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


if __name__ == "__main__":
    main()
