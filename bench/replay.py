"""Replays the cookbook: does each recipe still make the scene and the picture that its receipt says?

    python -m bench.replay [--write] [--blender 5.0]

`cookbook/receipts.json` holds, by series of Blender and recipe, the signature and the measures of the geometry and the
hash of a small picture. `--write` writes those of this Blender; without it, differences are listed and the exit status
is 1. A changed or new recipe needs `--write`. The tests replay those of the default Blender.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from app.blenders.preparation import blenders_of
from app.settings import read_settings
from harness.blenders import Blender, choose
from harness.execution import execute
from harness.order import Order
from ingest.cookbook import CookbookRecipe, load_cookbook
from tests.receipts import RECEIPTS, RENDER, Receipts, differs, read_receipts, receipt_of


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


async def replay(recipe: CookbookRecipe, blender: Blender, folder: Path) -> dict[str, Any]:
    return receipt_of(recipe, await execute(blender, Order(recipe.snippet, render=RENDER), folder), folder)


if __name__ == "__main__":
    main()
