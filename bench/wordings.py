"""How the composer reads what people say, against what it writes for the plain wording of the same.

    python -m bench.wordings [AREA] [--every 10] [--show] [--blender 4.5]

`bench/wordings/` holds pairs by area: `said`, a request as somebody words it, and `plain`, the same in the wording that
the composer reads best. For each pair:

    same       both lead to the same code
    other      to another one: as good in most cases, and wrong in some, so look at them with --show
    refused    the composer does not read what was said
    lost       it does not read the plain wording any more: a capability went away
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from app.blenders import blenders_of
from app.drafting.composer import Composer
from app.drafting.draft import NotUnderstood
from app.drafting.rewording.reworder import bare_code
from app.manifests import Manifests
from app.settings import read_settings
from harness.blenders import choose
from ingest.manifest import Manifest

WORDINGS: Final = Path(__file__).with_name("wordings")
ENDINGS: Final = ("same", "other", "refused", "lost")


def main() -> None:
    """Draft both sides of the pairs and print how many of each area ended how."""
    parser = argparse.ArgumentParser(description="Measure how the composer reads what people say.")
    parser.add_argument("area", nargs="?", default="", help="one of the files in bench/wordings; all unless given")
    parser.add_argument("--every", type=int, default=1, help="take one pair of so many")
    parser.add_argument("--show", action="store_true", help="print every pair that did not end as the same code")
    parser.add_argument("--blender", help="version, series or label; the default Blender unless given")
    given = parser.parse_args()
    settings = read_settings()
    manifest = Manifests(settings.home).of(choose(blenders_of(settings), given.blender))
    composer = Composer()
    total: Counter[str] = Counter()
    print(f"{'':20}" + "".join(f"{ending:>9}" for ending in ENDINGS))
    for file in sorted(WORDINGS.glob(f"{given.area or '*'}.jsonl")):
        count: Counter[str] = Counter()
        for said, plain in read_pairs(file)[:: given.every]:
            ending, why = ending_of(composer, manifest, said, plain)
            count[ending] += 1
            if given.show and ending != "same":
                print(f"{ending}: {said}\n    plain: {plain}" + (f"\n    {why}" if why else ""))
        print_row(file.stem, count)
        total += count
    print_row("all", total)


def read_pairs(file: Path) -> list[tuple[str, str]]:
    """What was said and its plain wording, in the order of the file."""
    facts: list[dict[str, str]] = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [(each["said"], each["plain"]) for each in facts]


def ending_of(composer: Composer, manifest: Manifest, said: str, plain: str) -> tuple[str, str]:
    """How one pair ended, and the composer's reason where it refused."""
    wanted = code_of(composer, manifest, plain)
    if isinstance(wanted, NotUnderstood):
        return "lost", wanted.reason
    written = code_of(composer, manifest, said)
    if isinstance(written, NotUnderstood):
        return "refused", written.reason
    return ("same" if written == wanted else "other"), ""


def code_of(composer: Composer, manifest: Manifest, request: str) -> str | NotUnderstood:
    """The code for a request, without what it says about itself and about the request; or the refusal."""
    try:
        snippet = composer.draft(request, manifest).snippet
    except NotUnderstood as refusal:
        return refusal
    return bare_code(snippet, request)


def print_row(name: str, count: Counter[str], endings: Sequence[str] = ENDINGS, width: int = 12) -> None:
    """One line of a table: how many there were, and which share of them ended how."""
    asked = max(1, count.total())
    print(f"{name:<{width}}{count.total():>6}  " + "".join(f"{count[ending] / asked:>9.1%}" for ending in endings))


if __name__ == "__main__":
    main()
