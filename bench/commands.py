"""Runs the examples of the command language through the whole service: counts the proven, checked and short ones.

python -m bench.commands [--blender 4.5] [--show]

proven    the verdict of the service: judges, two Blender processes, a second run, acceptance checks
hollow    every acceptance check of the draft is met by the start scene already
lines     of code of a snippet, without blank ones
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from app.blenders.preparation import blenders_of
from app.drafting.commands import load_examples
from app.jobs.request import GenerateRequest, RenderOptions
from app.jobs.run import Run
from app.service.startup import open_service
from app.settings import Settings, read_settings
from harness.blenders import Blender, choose

AT_ONCE = 2


def main() -> None:
    """Send them all, and print the figures per Blender."""
    parser = argparse.ArgumentParser(description="Send the examples of the command language through the service.")
    parser.add_argument("--blender", help="version, series or label; default: every Blender")
    parser.add_argument("--show", action="store_true", help="print what was not proven, or not checked")
    given = parser.parse_args()
    settings = read_settings()
    found = blenders_of(settings)
    print(f"{'':<10}{'examples':>9}{'proven':>8}{'hollow':>8}{'median lines':>14}{'most':>6}{'s each':>8}")
    for blender in [choose(found, given.blender)] if given.blender else found:
        started = time.monotonic()
        runs = asyncio.run(through_service(settings, blender))
        seconds = (time.monotonic() - started) / len(runs)
        proven = [run for run in runs if run.status == "proven"]
        hollow = [run for run in proven if all(one.get("met_at_start") for one in accepted(run))]
        lines = [sum(bool(line.strip()) for line in run.attempts[-1].snippet.splitlines()) for run in proven]
        median, most = statistics.median(lines), max(lines)
        counts = f"{len(runs):>9}{len(proven):>8}{len(hollow):>8}"
        print(f"{blender.version:<10}{counts}{median:>14g}{most:>6}{seconds:>8.2f}")
        for request, run in zip(load_examples(), runs, strict=True) if given.show else ():
            if run.status != "proven" or run in hollow:
                print(f"    {'hollow' if run in hollow else run.status}: {request}\n        {problem_of(run)}")


async def through_service(settings: Settings, blender: Blender) -> list[Run]:
    """The finished runs of all examples, in order."""
    limit = asyncio.Semaphore(AT_ONCE)
    with tempfile.TemporaryDirectory() as folder:
        own = settings.model_copy(update={"data": Path(folder) / "data"})
        async with open_service(own) as service:

            async def one(request: str) -> Run:
                async with limit:
                    small = RenderOptions(size=64, samples=2)
                    asked = GenerateRequest(request=request, blender=blender.name, render=small)
                    return await service.finished((await service.submit(asked)).id)

            return list(await asyncio.gather(*map(one, load_examples())))


def accepted(run: Run) -> list[dict[str, Any]]:
    """The result of each acceptance check."""
    report = run.attempts[-1].report if run.attempts else None
    return (report or {}).get("evidence", {}).get("accept") or []


def problem_of(run: Run) -> str:
    """The findings of the verdict against a run."""
    if not run.attempts:
        return run.error.message if run.error else ""
    stages = run.attempts[-1].verdict.stages
    return "; ".join(one.message for stage in stages if stage.state == "failed" for one in stage.findings)


if __name__ == "__main__":
    main()
