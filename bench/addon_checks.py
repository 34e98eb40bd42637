"""Checks public add-ons, and counts what was used of them and what was found.

    python -m bench.addon_checks [--on 4.2,4.5,5.0] CLONE[:PLACE] ...

CLONE is a Git working tree or a folder, PLACE an add-on in it; without one, all of its add-ons. Prints per add-on and
Blender how far it came, the shares and the seconds, then the errors and warnings, and the totals. Whether a finding is
true, nobody but a reader can tell.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import time
from pathlib import Path

from app.addons.checked import AddonOnBlender, AddonReport, Share
from app.addons.checking import Checking, check_addons
from app.addons.discovery import contents_of
from app.blenders.manifests import Manifests
from app.blenders.preparation import blenders_of
from app.errors import AddonsRefused
from app.settings import read_settings
from app.verdict.verdict import Severity
from harness.blenders import choose
from harness.sandbox.ladder import strongest

SHARES = ("operators", "draws", "others", "settings", "files", "lines")


def main() -> None:
    """Check each and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="+", metavar="CLONE[:PLACE]")
    parser.add_argument("--on", default="5.0")
    asked = parser.parse_args()
    settings = read_settings()
    blenders = [choose(blenders_of(settings), name) for name in asked.on.split(",")]
    checking = Checking(blenders, Manifests(settings.home).of, strongest(), lambda _: None)
    rows: list[AddonOnBlender] = []
    for clone in asked.clones:
        root, _, place = clone.partition(":")
        began = time.monotonic()
        try:
            report = asyncio.run(check_addons(contents_of(Path(root), Path(root).name), checking, place))
        except AddonsRefused as error:
            print(f"{clone}: {error}")
            continue
        show(report, time.monotonic() - began)
        rows += [row for addon in report.addons for row in addon.blenders]
    totals(rows)


def show(report: AddonReport, seconds: float) -> None:
    """A line per add-on and Blender, and one per finding."""
    for addon in report.addons:
        print(f"{addon.place or addon.module} ({addon.kind}): {'passed' if addon.passed else 'did not pass'}")
        for row in addon.blenders:
            shares = ", ".join(f"{name} {getattr(row, name).said}" for name in SHARES)
            print(f"  {row.blender}: {row.said[:150]}; {shares}; {row.seconds:.1f} s")
        for one in addon.findings:
            if one.severity is not Severity.INFO:
                print(f"    {one.severity} {one.code} {one.file}:{one.line} {one.message[:160]} {one.blenders}")
    print(f"  {seconds:.1f} s for all")


def totals(rows: list[AddonOnBlender]) -> None:
    """The sums of all shares per Blender."""
    by_blender: dict[str, list[AddonOnBlender]] = collections.defaultdict(list)
    for row in rows:
        by_blender[row.blender].append(row)
    for blender, each in by_blender.items():
        well = sum(row.said.startswith("registers") for row in each)
        sums = {name: summed([getattr(row, name) for row in each]) for name in SHARES}
        shares = ", ".join(f"{name} {share.said}" for name, share in sums.items())
        print(f"{blender}: {well} of {len(each)} register, {sum(row.passed for row in each)} pass; {shares}")


def summed(shares: list[Share]) -> Share:
    return Share(done=sum(share.done for share in shares), all=sum(share.all for share in shares))


if __name__ == "__main__":
    main()
