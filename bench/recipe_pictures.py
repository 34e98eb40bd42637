"""Makes the small pictures of recipes, which the page shows beside a refused request.

    python -m bench.recipe_pictures [NAME ...]

All of them unless some are named, on the default Blender. A recipe that changes nothing in the scene has none.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Final

from app.artifacts.pictures import open_own
from app.blenders.preparation import blenders_of
from app.settings import read_settings
from app.web import show
from harness.blenders import choose
from harness.execution import execute
from harness.order import Order
from ingest.cookbook import load_cookbook

FILES: Final = Path(show.__file__).with_name("files")
EDGE_PX: Final = 144


async def main(names: list[str]) -> None:
    """Make the pictures of the recipes with these names."""
    blender = choose(blenders_of(read_settings()), None)
    for recipe in load_cookbook():
        name = Path(recipe.name).stem
        if not names or name in names:
            with tempfile.TemporaryDirectory() as folder:
                evidence = (await execute(blender, Order(recipe.snippet), Path(folder)))["evidence"]
                changes = evidence["changes"]
                if changes and (any(changes["added"].values()) or any(changes["changed"].values())):
                    file = Path(folder) / "examine" / "out" / evidence["render"]["pictures"][0]["file"]
                    open_own(file).resize((EDGE_PX, EDGE_PX)).save(FILES / f"recipe-{name}.webp")
                    print(name)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
