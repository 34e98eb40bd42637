"""Writes the table of recipes by Blenders: those that hold, and the reasons why others do not.

    python -m bench.matrix [--on 3.4,4.2,4.5,5.0] [--only WORD,WORD] [--write FILE]

Each recipe is judged like a draft of the service: policy, ruff, both type checkers, the API check against the manifest
of that build, and two executions in the sandbox with a picture. A recipe holds if no stage fails. `--write` writes the
table as Markdown.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from app.checks.policy import check_policy
from app.checks.static_stages import static_stages
from app.pipeline.judges import executed_stages, write_files
from app.pipeline.state import Tools
from app.service.startup import open_service
from app.settings import Settings, read_settings
from app.verdict.verdict import Author, Severity, Stage, StageState, judged
from harness.blenders import Blender, choose
from harness.order import Order
from harness.protocol import RenderSettings
from ingest.cookbook import CookbookRecipe, load_cookbook

AUTHOR: Final[Author] = "cookbook"
PICTURE: Final = RenderSettings(size_px=96, samples=4)
AT_A_TIME: Final = 2


@dataclasses.dataclass(frozen=True)
class Cell:
    """The result of a recipe on a Blender; `why` is empty if it holds."""

    recipe: str
    blender: str
    why: str
    seconds: float


def main() -> None:
    """Judge every recipe on every Blender and print the table."""
    parser = argparse.ArgumentParser(description="Which recipes of the cookbook hold on which Blender.")
    parser.add_argument("--on", default="", help="versions, series or labels; default: every Blender")
    parser.add_argument("--only", default="", help="only recipes whose name contains one of these words")
    parser.add_argument("--write", type=Path, help="write the table as Markdown to this file")
    options = parser.parse_args()
    recipes = [recipe for recipe in load_cookbook() if any(word in recipe.name for word in options.only.split(","))]
    wanted = [name for name in options.on.split(",") if name]
    cells = asyncio.run(judge_all(read_settings(), recipes, wanted))
    for cell in cells:
        if cell.why:
            print(f"{cell.blender:<10} {cell.recipe}: {cell.why}")
    print()
    for blender in dict.fromkeys(cell.blender for cell in cells):
        own = [cell for cell in cells if cell.blender == blender]
        held, seconds = sum(not cell.why for cell in own), sum(cell.seconds for cell in own)
        print(f"{blender:<10} {held:>3} of {len(own)} hold, {seconds / len(own):.1f} s per recipe")
    if options.write:
        options.write.write_text(markdown(cells), encoding="utf-8")


async def judge_all(settings: Settings, recipes: Sequence[CookbookRecipe], wanted: Sequence[str]) -> list[Cell]:
    """Every recipe on every requested Blender, one Blender after another."""
    with tempfile.TemporaryDirectory() as folder:
        own = settings.model_copy(update={"data": Path(folder) / "data"})
        async with open_service(own) as service:
            tools = service.tools
            blenders = [choose(tools.blenders, name) for name in wanted] or tools.blenders
            cells: list[Cell] = []
            for blender in blenders:
                turn = asyncio.Semaphore(AT_A_TIME)
                jobs = [judge(tools, blender, recipe, Path(folder), turn) for recipe in recipes]
                cells += await asyncio.gather(*jobs)
            return cells


async def judge(tools: Tools, blender: Blender, recipe: CookbookRecipe, folder: Path, turn: asyncio.Semaphore) -> Cell:
    """One recipe on one Blender."""
    async with turn:
        started = time.monotonic()
        place = folder / blender.version / recipe.name.replace("/", "__")
        stages, executed = await asyncio.gather(
            checked(tools, blender, recipe.snippet), execution(tools, blender, recipe.snippet, place)
        )
        cell = Cell(recipe.name, blender.version, what_failed([*stages, *executed]), time.monotonic() - started)
        print(f"{cell.blender:<10} {cell.seconds:5.1f} s  {cell.recipe}: {cell.why or 'holds'}", file=sys.stderr)
        return cell


async def checked(tools: Tools, blender: Blender, snippet: str) -> list[Stage]:
    """The stages that read the snippet."""

    def severity(code: str) -> Severity | None:
        return tools.rules.severity("policy", code, AUTHOR)

    policy = judged("policy", await asyncio.to_thread(check_policy, snippet, severity))
    return [policy, *(await static_stages(tools, blender, snippet, AUTHOR))[0]]


async def execution(tools: Tools, blender: Blender, snippet: str, folder: Path) -> list[Stage]:
    """The stages that run it."""
    executed = await tools.engine.execute(Order(snippet, render=PICTURE), blender)
    write_files(folder, executed.files)
    return executed_stages(executed.report, folder, AUTHOR, tools.rules)


def what_failed(stages: Sequence[Stage]) -> str:
    """The stages that failed, each with its first finding; empty if none did."""
    failed = [stage for stage in stages if stage.state is StageState.FAILED]
    # An execution shows more than the checks that only read.
    failed.sort(key=lambda stage: stage.name != "execute")
    return "; ".join(f"{stage.name}: {first_error(stage)}" for stage in failed)


def first_error(stage: Stage) -> str:
    """The first finding of a stage that failed, in one line, with the line of the snippet."""
    for finding in stage.findings:
        if finding.severity is Severity.ERROR:
            where = f"line {finding.line}: " if finding.line else ""
            return where + " ".join(finding.message.split())
    return stage.reason


def markdown(cells: Sequence[Cell]) -> str:
    """The table, and below it the reasons for recipes that do not hold."""
    blenders = list(dict.fromkeys(cell.blender for cell in cells))
    by_recipe: dict[str, dict[str, str]] = {}
    for cell in cells:
        by_recipe.setdefault(cell.recipe, {})[cell.blender] = cell.why
    lines = [
        "# matrix: the cookbook on every Blender",
        "",
        "Made by `python -m bench.matrix --write docs/measurements/matrix.md`. A recipe holds if no stage of the",
        "verdict fails: policy, ruff, both type checkers (at their strictest if the stubs of the series allow it),",
        "the API check, two executions in the sandbox, the scene and its picture.",
        "",
        f"| recipe | {' | '.join(blenders)} |",
        f"| --- |{' --- |' * len(blenders)}",
    ]
    for recipe, whys in by_recipe.items():
        marks = ("holds" if not whys[blender] else "**no**" for blender in blenders)
        lines.append(f"| `{recipe}` | {' | '.join(marks)} |")
    sums = (f"{sum(not whys[blender] for whys in by_recipe.values())} of {len(by_recipe)}" for blender in blenders)
    lines += [f"| in all | {' | '.join(sums)} |", ""]
    failed = [cell for cell in cells if cell.why]
    if failed:
        lines += ["## Recipes that do not hold, and why", ""]
        lines += [f"- {cell.blender} `{cell.recipe}`: {cell.why}" for cell in failed]
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
