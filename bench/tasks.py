"""Counts the tasks that the service does right: a file of requests, each with a start scene and a check of the result.

    python -m bench.tasks [FILE] [--only WORD] [--warm | --draft | --recorded] [--show] [--blender 4.5]

Each line of FILE is a JSON object: id, area, style (a: a terse command, b: several steps, c: an open request), request,
setup and check (Python; `check(bpy)` raises if the result is wrong), min_version, max_version.

Without a switch each request goes through the service, and the check then runs in Blender, in the sandbox, after the
setup and the snippet. `--warm` leaves out the service and the sandbox: commands are drafted, one warm Blender runs
snippet and check. `--draft` only drafts. `--recorded` replays what a capable model once answered; see
bench/recorded/replay.py. `--show` prints what became of each task, `--save` keeps the snippets.

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

from app.blenders.manifests import Manifests
from app.blenders.preparation import blenders_of
from app.drafting.commands import Commands
from app.drafting.draft import NotUnderstood
from app.service.service import Service
from app.service.startup import open_service
from app.settings import Settings, read_settings
from bench.recorded.records import FOLDER, RecordsInvalid, read_records
from bench.recorded.replay import replay, report
from bench.task import TASKS, Task, check_failed, read_tasks, request_for, what_failed
from harness.blenders import Blender, choose

STYLES: Final = {"a": "terse", "b": "steps", "c": "open"}
Ending = Literal["held", "wrong", "not_proven", "refused"]


@dataclasses.dataclass(frozen=True)
class Result:
    """The result of a task; `why` says it in words, `seconds` is from request to verdict."""

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
    parser.add_argument("--recorded", type=Path, nargs="?", const=FOLDER, help="replay recorded answers")
    parser.add_argument("--together", type=int, default=12, help="recorded tasks at once")
    parser.add_argument("--thinks", type=float, default=0.0, help="seconds that a recorded answer takes")
    parser.add_argument("--blender", help="version, series or label; default: the default Blender")
    parser.add_argument("--save", type=Path, help="keep the snippets in this folder")
    options = parser.parse_args()
    settings = read_settings()
    blender = choose(blenders_of(settings), options.blender)
    tasks = [task for task in read_tasks(options.file) if options.only in task.id and task.fits(blender)]
    if options.recorded:
        replay_recorded(settings, blender, tasks, options)
        return
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


def replay_recorded(settings: Settings, blender: Blender, tasks: Sequence[Task], options: argparse.Namespace) -> None:
    """Replay the recorded answers to these tasks and print the figures."""
    file = options.recorded / f"{options.file.stem}.jsonl" if options.recorded.is_dir() else options.recorded
    try:
        records = read_records(file)
    except RecordsInvalid as problem:
        raise SystemExit(str(problem)) from None
    replayed = asyncio.run(replay(settings, blender, tasks, records, options.together, options.thinks))
    for result in replayed.results if options.show else []:
        print(f"{result.fate:<20} {result.task.id}: {result.task.request}\n{'':21}{result.why}")
    print("\n".join(report(replayed)))


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
            return [await one_run(service, blender, task) for task in tasks]


async def one_run(service: Service, blender: Blender, task: Task) -> Result:
    """One request through the service, and its check."""
    started = time.monotonic()
    run = await service.finished((await service.submit(request_for(task, blender))).id)
    seconds = time.monotonic() - started
    if run.status == "refused":
        return Result(task, "refused", run.error.message if run.error else "", seconds)
    snippet = run.attempts[-1].snippet if run.attempts else ""
    if run.status != "proven":
        return Result(task, "not_proven", what_failed(run) or run.status, seconds, snippet)
    problem = await check_failed(service.tools.engine, blender, task, snippet)
    return Result(task, "wrong" if problem else "held", problem, seconds, snippet)


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
