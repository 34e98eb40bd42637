"""Executes a snippet on one Blender, and makes the stages that only an execution can judge."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from app.checks.execution import judge_execution, judge_repeat, judge_scene
from app.checks.policy.signs import ASKS
from app.checks.render import judge_render
from app.checks.swallowed import exercise_counts
from app.pipeline.state import Json, Tools
from app.verdict.rules import Rules
from app.verdict.verdict import Author, Stage, StageName, StageState, skipped
from harness.blenders import Blender
from harness.folders import remove_tree
from harness.launcher import HarnessFault
from harness.order import Order
from harness.protocol import Outcome

FORBIDDEN: Final = "the snippet is not executed: {}"
WHERE_EXECUTED: Final[tuple[StageName, ...]] = (
    "policy", "lint", "types", "api", "execute", "repeat", "scene", "render",
)  # fmt: skip
"""The stages that parse or policy may forbid."""


class FaultRepeated(HarnessFault):
    """A fault of ours that a second try met too: a third would cost time and meet it again."""


def may_pass(error: Exception) -> bool:
    """True if an error is a fault of ours that a second try may not meet."""
    return isinstance(error, HarnessFault) and not isinstance(error, FaultRepeated)


async def execute_on(tools: Tools, blender: Blender, order: Order, folder: Path, *, warm: bool = True) -> Json:
    """The report of an execution, whose pictures are in `folder` then; raises HarnessFault if there is none."""
    executed = await tools.engine.execute(order, blender, warm=warm)
    report = executed.report
    tools.metrics.executed(report["outcome"], blender.name)
    if report["outcome"] == Outcome.HARNESS_FAULT:
        twice = report["evidence"]["examined_again"] is not None
        raise FaultRepeated(report["reason"]) if twice else HarnessFault(report["reason"])
    await asyncio.to_thread(write_files, folder, executed.files)
    return report


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Have these files in the folder and no others: an interrupted run may have left some."""
    if folder.exists():
        remove_tree(folder)
    folder.mkdir(parents=True)
    now = time.time_ns()
    for place, (name, content) in enumerate(files.items()):
        if Path(name).name != name:
            raise HarnessFault(f"{name[:100]!r} is no name of a picture")
        file = folder / name
        file.write_bytes(content)
        # The order of the files is that of their ages, which a clock may be too coarse for.
        os.utime(file, ns=(now + place, now + place))


def executed_stages(
    report: Json, pictures: Path, author: Author, rules: Rules, snippet: str | None = None
) -> list[Stage]:
    """The stages that only an execution can judge."""
    return [
        judge_execution(report, author, rules),
        judge_repeat(report, author, rules),
        judge_scene(report, author, rules, snippet),
        judge_render(report, pictures, author, rules),
    ]


def asks_where(stages: Sequence[Stage]) -> bool:
    """True if policy found that the snippet itself asks where it runs; a finding on other code has no line."""
    found = (finding for stage in stages if stage.name == "policy" for finding in stage.findings)
    return any(finding.code == ASKS and finding.line is not None for finding in found)


def forbidden_stages(stages: Sequence[Stage]) -> list[Stage]:
    """The stages that are left out because one of these failed."""
    failed = next(stage for stage in stages if stage.state is StageState.FAILED)
    done = {stage.name for stage in stages}
    return [skipped(name, FORBIDDEN.format(f"{failed.name} failed")) for name in WHERE_EXECUTED if name not in done]


def measurements(report: Json | None) -> dict[str, Any]:
    """The figures of a report taken outside the process that ran the snippet, and the claim `exercised`."""
    if report is None:
        return {}
    evidence = report["evidence"]
    figures: dict[str, Any] = {
        "timings": evidence["timings"],
        "processes": evidence["processes"],
        "isolation": report["isolation"],
    }
    called = exercise_counts(report)
    return {**figures, "exercised": called} if called else figures
