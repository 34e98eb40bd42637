"""Counts the old scripts that are proven after healing, each sent to a warm service as a user would send it.

    python -m bench.healing_proven [FOLDER] [--working | --lacking] [--only NAME] [--blender SERIES] [--show]
                                   [--save FOLDER]

`bench.healing` asks whether a healed script runs; here every judge has its say. The aims: of the scripts that can be
healed 85 % are proven. With `--working` the folder holds scripts that are right: at most 0.5 % of them may end without
proof. What lacks a scene, a file, arguments or a window counts apart: only its sender can supply that. With `--lacking`
the folder holds such scripts, by default `bench/lacking_scripts`, and each begins with the outcome that is right: the
aim is 85 %.

The scripts of `bench/fresh_scripts` were written before the rules of that time were mended for them.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.blenders.preparation import blenders_of
from app.jobs.request import ValidateRequest
from app.jobs.run import Run
from app.service.service import Service
from app.service.startup import open_service
from app.settings import Settings, read_settings
from bench.healing import era_of
from harness.blenders import choose

SCRIPTS: Final = Path(__file__).with_name("fresh_scripts")
LACKING: Final = Path(__file__).with_name("lacking_scripts")
_AIM: Final = 0.85
_FALSE_ALARMS: Final = 0.005


@dataclass(frozen=True)
class Sent:
    """One script that was sent, and its run."""

    name: str
    era: str
    run: Run
    text: str

    @property
    def ending(self) -> str:
        """`proven`, what it needs from its sender, or `not_proven`."""
        report = self.run.attempts[-1].report if self.run.attempts else None
        outcome = str(report["outcome"]) if report else ""
        return outcome if outcome.startswith("needs_") else str(self.run.status)

    def why(self) -> Iterator[str]:
        """The findings that keep it from being proven."""
        for stage in self.run.attempts[-1].verdict.stages if self.run.attempts else ():
            if stage.state == "failed":
                yield from (f"{stage.name} line {one.line}: {one.message}" for one in stage.findings[:3])


def main() -> None:
    """Send every script and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--lacking", action="store_true", help="the scripts lack something: count the right outcomes")
    parser.add_argument("--working", action="store_true", help="the scripts are right: count false alarms")
    parser.add_argument("--only", default="", help="only scripts whose name contains this")
    parser.add_argument("--blender", help="version, series or label; default: the default Blender")
    parser.add_argument("--show", action="store_true", help="print what keeps a script from being proven")
    parser.add_argument("--save", type=Path, help="keep the healed scripts in this folder")
    options = parser.parse_args()
    settings = read_settings()
    blender = choose(blenders_of(settings), options.blender)
    folder: Path = options.folder or (LACKING if options.lacking else SCRIPTS)
    files = [file for file in sorted(folder.rglob("*.py")) if options.only in file.stem]
    sent = asyncio.run(send_all(settings, files, blender.name))
    for one in sent:
        if options.save and one.run.attempts:
            options.save.mkdir(parents=True, exist_ok=True)
            (options.save / f"{one.name}.py").write_text(one.run.attempts[-1].snippet, encoding="utf-8")
        if options.show and one.ending != "proven":
            print(f"  {one.name}: {one.ending}", *one.why(), sep="\n      ")
    print(f"Blender {blender.version}: {len(sent)} scripts")
    for line in outcomes(sent) if options.lacking else shares(sent, options.working):
        print(line)


async def send_all(settings: Settings, files: Sequence[Path], blender: str) -> list[Sent]:
    """Send the scripts to a service of our own, one after another."""
    with tempfile.TemporaryDirectory() as folder:
        async with open_service(settings.model_copy(update={"data": Path(folder)})) as service:
            await service.warmup.load()
            await service.warmup.start_checkers()
            return [await send(service, file, blender) for file in files]


async def send(service: Service, file: Path, blender: str) -> Sent:
    text = await asyncio.to_thread(file.read_text, "utf-8")
    request = ValidateRequest(snippet=text, heal=True, blender=blender, max_attempts=0)
    return Sent(file.stem, era_of(text), await service.finished((await service.submit(request)).id), text)


def outcomes(sent: Sequence[Sent]) -> Iterator[str]:
    """Each script whose outcome is not the one that it begins with, and the share of the others, with the aim."""
    wrong = [one for one in sent if not one.text.startswith(f'"""{one.ending}:')]
    for one in wrong:
        yield f"  {one.name}: {one.ending}"
    right = len(sent) - len(wrong)
    yield f"  the right outcome: {right} of {len(sent)}, {right / max(len(sent), 1):.1%} (aim: {_AIM:.0%})"


def shares(sent: Sequence[Sent], working: bool) -> Iterator[str]:
    """The share that is proven, by era and in total, with the aim."""
    healable = [one for one in sent if not one.ending.startswith("needs_")]
    for era in sorted({one.era for one in healable}):
        of = [one for one in healable if one.era == era]
        yield f"  {era:<12} {sum(one.ending == 'proven' for one in of):>3} of {len(of)} proven"
    proven = sum(one.ending == "proven" for one in healable)
    share = proven / max(len(healable), 1)
    yield f"  {'all':<12} {proven:>3} of {len(healable)} proven: {share:.1%} (aim: {_AIM:.0%})"
    for ending, count in collections.Counter(one.ending for one in sent).most_common():
        yield f"  {ending:<20} {count:>3}"
    if working:
        alarms = 1 - proven / max(len(sent), 1)
        yield f"  false alarms on working scripts: {alarms:.1%} (aim: at most {_FALSE_ALARMS:.1%})"


if __name__ == "__main__":
    main()
