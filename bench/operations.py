"""How many of Blender's operations the composer drafts when they are asked for by the labels of their operators.

    python -m bench.operations [--show] [--blender 4.5]

The requests of operations.txt were written from the lists of operators (bpy.ops) of the object, mesh, UV, curve,
armature, pose, animation, physics, image, text, sequencer and grease pencil modules, before operations.toml was. Some
need a window, or what no request can say; those should be refused. What is drafted is not judged here, but in
tests/test_operations.py.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from app.blenders import blenders_of
from app.drafting.composer import Composer
from app.drafting.draft import NotUnderstood
from app.manifests import Manifests
from app.settings import read_settings
from bench.wordings import code_of, print_row
from harness.blenders import choose

ENDINGS = ("drafted", "refused")


def main() -> None:
    """Draft every request and print how many of each section were drafted."""
    parser = argparse.ArgumentParser(description="Measure how many of Blender's operations the composer drafts.")
    parser.add_argument("--show", action="store_true", help="print every request that is refused")
    parser.add_argument("--blender", help="version, series or label; the default Blender unless given")
    given = parser.parse_args()
    settings = read_settings()
    manifest = Manifests(settings.home).of(choose(blenders_of(settings), given.blender))
    composer, total = Composer(), Counter[str]()
    text = Path(__file__).with_name("operations.txt").read_text(encoding="utf-8")
    print(f"{'':72}" + "".join(f"{ending:>9}" for ending in ENDINGS))
    for section in text.split("\n# ")[1:]:
        title, *requests = section.strip().split("\n")
        count: Counter[str] = Counter()
        for request in requests:
            drafted = code_of(composer, manifest, request)
            count["refused" if isinstance(drafted, NotUnderstood) else "drafted"] += 1
            if given.show and isinstance(drafted, NotUnderstood):
                print(f"refused: {request}\n    {drafted.reason}")
        print_row(title, count, ENDINGS, width=64)
        total += count
    print_row("all", total, ENDINGS, width=64)


if __name__ == "__main__":
    main()
