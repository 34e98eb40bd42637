"""Judges a snippet on one Blender: the static judges, the execution, and the stages that they make."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from app.checks.execution import judge_execution, judge_repeat, judge_scene
from app.checks.render import judge_render
from app.checks.ruff import check_ruff
from app.checks.swallowed import exercise_counts
from app.checks.tool import no_answer, or_warning, read_for
from app.checks.types.check import check_mypy, check_pyright, strict_types_hold
from app.checks.types.unread import check_unread
from app.pipeline.state import Json, Tools
from app.reading import ApiReading, read_api
from app.verdict.rules import Rules
from app.verdict.verdict import Author, Finding, Stage, StageName, StageState, judged, skipped
from app.versions.branches import as_seen_by
from harness.blenders import Blender, BlenderNotAvailable
from harness.folders import remove_tree
from harness.launcher import HarnessFault
from harness.order import Order
from harness.protocol import Outcome
from harness.readers import ReadingFailed
from harness.versions import series_of, version_key

FORBIDDEN: Final = "the snippet is not executed: {}"
LARGEST: Final[dict[StageName, int]] = {"types": 256 << 10, "api": 512 << 10}
"""The longest snippet that a judge reads, in characters; its time grows with the length."""
WHERE_EXECUTED: Final[tuple[StageName, ...]] = (
    "policy", "lint", "types", "api", "execute", "repeat", "scene", "render",
)  # fmt: skip
"""The stages that parse or policy may forbid."""


class FaultRepeated(HarnessFault):
    """A fault of ours that a second try met too: a third would cost time and meet it again."""


def may_pass(error: Exception) -> bool:
    """True if an error is a fault of ours that a second try may not meet."""
    return isinstance(error, HarnessFault) and not isinstance(error, FaultRepeated)


def too_large(name: StageName, snippet: str) -> Stage | None:
    """The skipped stage if the snippet is larger than its judge can read in a few seconds, else None."""
    most = LARGEST[name]
    if len(snippet) <= most:
        return None
    return skipped(name, f"too large: {len(snippet) >> 10} KiB, and this check reads at most {most >> 10} KiB")


async def static_stages(tools: Tools, blender: Blender, snippet: str, author: Author) -> tuple[list[Stage], list[str]]:
    """The stages of the judges that run nothing, side by side, and the addresses of the API that the snippet uses."""
    python, readers = series_of(blender.python), tools.readers
    lint, types, (api, symbols) = await asyncio.gather(
        judge_with(
            "lint", or_warning(check_ruff(snippet, author, tools.rules, python_version=python, readers=readers))
        ),
        judge_types(tools, blender, snippet, author),
        judge_api(tools, blender, snippet, author),
    )
    return [lint, types, api], symbols


async def judge_types(tools: Tools, blender: Blender, snippet: str, author: Author) -> Stage:
    """The stage of both type checkers with the stubs of this Blender's series."""
    if large := too_large("types", snippet):
        return large
    stubs = tools.stubs(blender)
    if not stubs.is_dir():
        return skipped("types", f"no stubs of Blender {blender.series}; run `blendproof blenders install`")
    cache = tools.settings.mypy_cache(blender.series)
    held = author if strict_types_hold(blender.series) else "caller"
    python = series_of(blender.python)
    warm, readers = tools.checkers, tools.readers
    try:
        seen = await readers.ask(as_seen_by, snippet, version_key(blender.version)) if "version" in snippet else snippet
    except ReadingFailed as why:
        return judged("types", [no_answer("types", str(why))])
    return await judge_with(
        "types",
        or_warning(
            check_mypy(seen, held, tools.rules, stubs, cache, python_version=python, warm=warm, readers=readers)
        ),
        or_warning(check_pyright(seen, held, tools.rules, stubs, python_version=python, warm=warm, readers=readers)),
        or_warning(read_for("types", readers, check_unread, seen, python)),
    )


async def judge_api(tools: Tools, blender: Blender, snippet: str, author: Author) -> tuple[Stage, list[str]]:
    """Read the snippet against the manifest of the very build that runs it; answers the stage and the symbols used."""
    if large := too_large("api", snippet):
        return large, []
    try:
        manifest = await asyncio.to_thread(tools.manifests.of, blender)
    except BlenderNotAvailable as error:
        return skipped("api", str(error)), []
    started = time.monotonic()
    try:
        reading = await tools.readers.ask(read_api, snippet, manifest, author, tools.rules)
    except ReadingFailed as why:
        reading = ApiReading([no_answer("the API check", str(why))], [])
    return judged("api", reading.findings, time.monotonic() - started, "no findings"), reading.symbols


async def judge_with(name: Literal["lint", "types"], *checks: Awaitable[list[Finding]]) -> Stage:
    started = time.monotonic()
    parts = await asyncio.gather(*checks)
    findings = [finding for part in parts for finding in part]
    return judged(name, findings, time.monotonic() - started, "no findings")


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
