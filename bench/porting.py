"""Counts the add-ons of older Blenders that register after they were ported.

    python -m bench.porting --to 5.0 CLONE [CLONE:PLACE ...]

CLONE is a Git working tree or a folder, PLACE an add-on in it; without one, all of its add-ons. It only reads them and
prints per add-on how far it came before and after, what was changed by which rules, and the seconds; then the totals.
Whether a change is right, nobody but a reader can tell: `--patches FOLDER` writes them to be read.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import sys
from pathlib import Path

from app.addons.discovery import contents_of
from app.addons.draft import Workshop
from app.addons.port import port
from app.addons.report import PortedAddon, PortReport
from app.blenders.manifests import Manifests
from app.blenders.preparation import blenders_of
from app.errors import AddonsRefused
from app.settings import read_settings
from codebase.errors import RepositoryError
from harness.blenders import choose
from harness.sandbox.ladder import strongest


def main() -> None:
    """Port each and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="+", metavar="CLONE[:PLACE]")
    parser.add_argument("--to", default="5.0")
    parser.add_argument("--patches", type=Path)
    asked = parser.parse_args()
    settings = read_settings()
    target = choose(blenders_of(settings), asked.to)
    workshop = Workshop([target], Manifests(settings.home).of(target), strongest(), lambda _: None)
    every: list[PortedAddon] = []
    for clone in asked.clones:
        root, _, place = clone.partition(":")
        try:
            done = asyncio.run(port(contents_of(Path(root), Path(root).name), workshop, place))
        except (AddonsRefused, RepositoryError) as error:
            print(f"{clone}: {error}", file=sys.stderr)
            continue
        every += done.addons
        show(done)
        if asked.patches:
            asked.patches.mkdir(parents=True, exist_ok=True)
            (asked.patches / f"{len(every)}.patch").write_text(done.patch, errors="surrogateescape")
    totals(every)


def show(done: PortReport) -> None:
    """One line per add-on."""
    for addon in done.addons:
        row = addon.registrations[0]
        rules = collections.Counter(
            reason.rule for file in addon.files for hunk in file.hunks for reason in hunk.reasons
        )
        changes = ", ".join(f"{rule} {count}" for rule, count in rules.most_common())
        commit = f" at {done.commit[:12]}" if done.commit else ""
        print(f"{done.repository}{commit} {addon.place or '.'} ({addon.seconds:.0f} s)")
        print(f"  before: {row.before.said}; used: {row.before.used or 'nothing'}")
        print(f"  after:  {row.after.said}; used: {row.after.used or 'nothing'}\n  rules:  {changes or 'none'}")
        for use in row.after.raising:
            print(f"  {use.what}: {use.problem.said if use.problem else use.how}")


def totals(every: list[PortedAddon]) -> None:
    """The numbers that registered before, and after."""
    failed = [one for one in every if not one.registrations[0].before.passed]
    print(f"{len(every)} add-ons; {len(failed)} did not register; {sum(one.passed for one in failed)} of these do now")
    rows = [one.registrations[0] for one in every]
    before, after = sum(len(row.before.raising) for row in rows), sum(len(row.after.raising) for row in rows)
    print(f"panels, menus and operators that raise when used: {before} before, {after} after")
    spoilt = [one.place for one in every if one.registrations[0].worse]
    print(f"{len(spoilt)} come less far than before{': ' if spoilt else ''}{', '.join(spoilt)}")


if __name__ == "__main__":
    main()
