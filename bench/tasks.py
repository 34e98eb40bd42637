"""How many tasks the service does correctly: a file of requests, each with a start scene and a check of the result.

    python -m bench.tasks [FILE] [--only WORD] [--warm | --draft] [--show] [--blender 4.5]

Each line of FILE is a JSON object: id, area, style (a: a terse command, b: several steps, c: an open request), request,
setup and check (Python; `check(bpy)` raises if the result is wrong), min_version, max_version.

Without a switch each request goes through the service, and the check then runs in Blender, in the sandbox, after the
setup and the snippet. `--warm` leaves out the service and the sandbox: commands are drafted, one warm Blender runs
snippet and check. `--draft` only drafts. `--show` prints what became of each task, `--save` keeps the snippets.

    answered   a snippet came back as proven (with --warm: was drafted)
    held       its check passed
    wrong      proven, and the check failed
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from app.blenders.blenders import blenders_of
from app.blenders.manifests import Manifests
from app.drafting.commands import Commands
from app.drafting.draft import NotUnderstood
from app.runs.request import GenerateRequest, Setup
from app.service.service import Service
from app.service.startup import open_service
from app.settings import Settings, read_settings
from harness.blenders import Blender, choose
from harness.execution import execute
from harness.order import Order
from harness.protocol import RenderSettings
from harness.sandbox.ladder import strongest
from harness.versions import version_key

TASKS: Final = Path(__file__).parent / "tasks.jsonl"
STYLES: Final = {"a": "terse", "b": "steps", "c": "open"}
Ending = Literal["held", "wrong", "not_proven", "refused"]


@dataclasses.dataclass(frozen=True)
class Task:
    """A request with its start scene and the check of its result."""

    id: str
    area: str
    style: str
    request: str
    setup: str
    check: str
    min_version: tuple[int, ...]
    max_version: tuple[int, ...] | None

    def fits(self, blender: Blender) -> bool:
        """Whether the task is for this Blender."""
        version = version_key(blender.version)
        return version >= self.min_version and (self.max_version is None or version <= self.max_version)


@dataclasses.dataclass(frozen=True)
class Result:
    """What became of a task; `why` says it in words, `seconds` is from request to verdict."""

    task: Task
    ending: Ending
    why: str
    seconds: float
    snippet: str = ""


def main() -> None:
    """Run the tasks and print the figures."""
    parser = argparse.ArgumentParser(description="Run a file of tasks and print how many came out right.")
    parser.add_argument("file", type=Path, nargs="?", default=TASKS)
    parser.add_argument("--only", default="", help="only tasks whose id contains this")
    parser.add_argument("--warm", action="store_true", help="one warm Blender, without service and sandbox")
    parser.add_argument("--draft", action="store_true", help="draft only")
    parser.add_argument("--show", action="store_true", help="print what became of each task")
    parser.add_argument("--blender", help="version, series or label; default: the default Blender")
    parser.add_argument("--save", type=Path, help="keep the snippets in this folder")
    options = parser.parse_args()
    settings = read_settings()
    blender = choose(blenders_of(settings), options.blender)
    tasks = [task for task in read_tasks(options.file) if options.only in task.id and task.fits(blender)]
    if options.draft or options.warm:
        results = drafted(settings, blender, tasks, run=not options.draft)
    else:
        results = asyncio.run(through_service(settings, blender, tasks))
    if options.save:
        options.save.mkdir(parents=True, exist_ok=True)
        for result in results:
            if result.snippet:
                (options.save / f"{result.task.id.replace('-', '_')}.py").write_text(result.snippet, encoding="utf-8")
    if options.show:
        for result in results:
            print(f"{result.ending:<10} {result.task.id}: {result.task.request}\n{'':11}{result.why}")
    for line in table(results):
        print(line)


def read_tasks(file: Path) -> list[Task]:
    """The tasks of a file, in order."""
    tasks: list[Task] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        facts: dict[str, Any] = json.loads(line)
        facts["min_version"] = tuple(facts["min_version"])
        facts["max_version"] = tuple(facts["max_version"]) if facts["max_version"] else None
        tasks.append(Task(**facts))
    return tasks


def drafted(settings: Settings, blender: Blender, tasks: Sequence[Task], *, run: bool) -> list[Result]:
    """Draft each request; with `run`, run snippet and check in one warm Blender."""
    commands, manifest = Commands(), Manifests(settings.home).of(blender)
    refused: list[Result] = []
    written: list[tuple[Task, str, float]] = []
    for task in tasks:
        started = time.monotonic()
        try:
            snippet = commands.draft(task.request, manifest).snippet
        except NotUnderstood as refusal:
            refused.append(Result(task, "refused", refusal.reason, time.monotonic() - started))
        else:
            written.append((task, snippet, time.monotonic() - started))
    if run:
        ended = in_warm_blender(blender, written)
    else:
        ended = [Result(task, "held", "drafted, not run", seconds, snippet) for task, snippet, seconds in written]
    order = {task.id: place for place, task in enumerate(tasks)}
    return sorted([*refused, *ended], key=lambda result: order[result.task.id])


def in_warm_blender(blender: Blender, written: Sequence[tuple[Task, str, float]]) -> list[Result]:
    """Run the snippets and their checks, one after another, each in a fork."""
    jobs = [{"setup": task.setup, "snippet": snippet, "check": task.check} for task, snippet, _ in written]
    with tempfile.TemporaryDirectory() as folder:
        given, told = Path(folder) / "jobs.json", Path(folder) / "results.json"
        given.write_text(json.dumps(jobs), encoding="utf-8")
        script = Path(__file__).with_name("tasks_in_blender.py")
        subprocess.run([blender.path, str(script), str(given), str(told)], check=True, capture_output=True)
        endings: list[dict[str, Any]] = json.loads(told.read_text(encoding="utf-8"))
    results: list[Result] = []
    for (task, snippet, _), end in zip(written, endings, strict=True):
        names: dict[str | None, Ending] = {None: "held", "check": "wrong"}
        why = f"{end['failed']}: {end['message']}" if end["failed"] else ""
        results.append(Result(task, names.get(end["failed"], "not_proven"), why, end["seconds"], snippet))
    return results


async def through_service(settings: Settings, blender: Blender, tasks: Iterable[Task]) -> list[Result]:
    """Send each request to a warm service, then run the check of what was proven."""
    with tempfile.TemporaryDirectory() as folder:
        own = settings.model_copy(update={"data": Path(folder) / "data"})
        async with open_service(own) as service:
            await service.warmup.load()
            await service.warmup.start_checkers()
            return [await one_run(service, blender, task, Path(folder) / task.id) for task in tasks]


async def one_run(service: Service, blender: Blender, task: Task, folder: Path) -> Result:
    """One request through the service, and its check."""
    started = time.monotonic()
    setup = Setup(snippet=task.setup) if task.setup else None
    request = GenerateRequest(request=task.request, setup=setup, blender=blender.name)
    run = await service.finished((await service.submit(request)).id)
    seconds = time.monotonic() - started
    if run.status == "refused":
        return Result(task, "refused", run.error.message if run.error else "", seconds)
    snippet = run.attempts[-1].snippet if run.attempts else ""
    if run.status != "proven":
        failed = [stage for stage in run.attempts[-1].verdict.stages if stage.state == "failed"] if run.attempts else []
        said = [f"{stage.name}: {finding.message}" for stage in failed for finding in stage.findings[:2]]
        return Result(task, "not_proven", "; ".join(said) or run.status, seconds, snippet)
    problem = await check_failed(blender, task, snippet, folder)
    return Result(task, "wrong" if problem else "held", problem, seconds, snippet)


async def check_failed(blender: Blender, task: Task, snippet: str, folder: Path) -> str:
    """Run the snippet and then the check, in the sandbox; return what the check raised, or an empty string."""
    script = (
        f"import bpy\nexec(compile({snippet!r}, 'made.py', 'exec'), {{'__name__': '__main__'}})\n"
        f"space = {{'__name__': 'check'}}\nexec(compile({task.check!r}, 'check.py', 'exec'), space)\n"
        "space['check'](bpy)\n"
    )
    order = Order(
        snippet=script,
        setup_snippet=task.setup or None,
        render=RenderSettings(size_px=32, samples=1, engine="workbench"),
    )
    report = await execute(blender, order, folder, strongest())
    exception = report["claims"]["exception"]
    return f"{exception['type']}: {exception['message']}" if exception else ""


def table(results: Sequence[Result]) -> list[str]:
    """The figures by area, by style, and in total."""
    groups: list[tuple[str, Callable[[Result], bool]]] = [
        *((area, lambda each, area=area: each.task.area == area) for area in sorted({r.task.area for r in results})),
        *((STYLES[style], lambda each, style=style: each.task.style == style) for style in STYLES),
        ("all", lambda each: True),
    ]
    lines = [f"{'':<12}{'tasks':>6}{'answered':>10}{'held':>12}{'wrong':>12}{'refused':>9}{'median s':>10}"]
    for name, belongs in groups:
        of = [result for result in results if belongs(result)]
        if not of:
            continue
        held = sum(result.ending == "held" for result in of)
        wrong = sum(result.ending == "wrong" for result in of)
        refused = sum(result.ending == "refused" for result in of)
        median = statistics.median(result.seconds for result in of)
        lines.append(
            f"{name:<12}{len(of):>6}{held + wrong:>10}{held:>6} {held / len(of):>5.0%}"
            f"{wrong:>6} {wrong / len(of):>5.0%}{refused:>9}{median:>10.2f}"
        )
    return lines


if __name__ == "__main__":
    main()
