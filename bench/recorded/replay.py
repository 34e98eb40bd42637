"""Replays recorded answers through the whole service: real questions over HTTP, real Blender, the check of each task.

    python -m bench.tasks FILE --recorded [ANSWERS] [--together 12] [--thinks 0] [--show]

Only the model is recorded. What the service asks, judges, executes and heals is as it is now.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal, get_args

from pydantic import HttpUrl

from app.jobs.run import Run
from app.llm.providers import ProviderSettings
from app.service.service import Service
from app.service.startup import open_service
from app.settings import Settings
from bench.agreement import agreement
from bench.recorded.records import Record, role_of, tasks_in
from bench.recorded.server import MODEL, RecordedAnswers, answering
from bench.task import Task, check_failed, request_for, what_failed
from harness.blenders import Blender

ALONE: Final = 12
"""The number of tasks that are replayed once more one after another, for the seconds of a run alone."""
NEVER_S: Final = 7200.0
DEAD: Final = frozenset({"failed", "interrupted", "cancelled"})
Fate = Literal[
    "proven and right",
    "proven and wrong",
    "right and refused",
    "wrong and refused",
    "disputed, right",
    "disputed, wrong",
    "dead",
    "no answer recorded",
]
FATES: Final[tuple[Fate, ...]] = get_args(Fate)


@dataclass(frozen=True)
class Replayed:
    """The result of a task. `why` says it in words; `first_held` is true if the first draft did what was asked."""

    task: Task
    fate: Fate
    why: str
    run: Run
    first_held: bool

    @property
    def right(self) -> bool:
        """True if the last snippet does what was asked."""
        return "right" in self.fate

    @property
    def tokens(self) -> tuple[int, int]:
        """Tokens of the questions as they are now, and of the answers."""
        calls = self.run.model_calls
        return sum(call.tokens_in for call in calls), sum(call.tokens_out for call in calls)

    @property
    def own_s(self) -> float:
        """Seconds of ours per attempt: from the start of the run to its end, without the waiting for answers."""
        return own_seconds(self.run) / max(len(self.run.attempts), 1)


@dataclass(frozen=True)
class Replay:
    """All tasks with many at once, and seconds per attempt of some of them alone."""

    results: list[Replayed]
    alone_s: list[float]
    together: int
    answers: RecordedAnswers


async def replay(
    settings: Settings,
    blender: Blender,
    tasks: Sequence[Task],
    records: Sequence[Record],
    together: int,
    thinks_s: float = 0.0,
    most_alone: int = ALONE,
) -> Replay:
    """Replay the tasks that have answers, `together` at once, and then the first of them alone."""
    recorded = set(tasks_in(records))
    replayed = [task for task in tasks if task.id in recorded]
    answers = RecordedAnswers(records, {task.id: task.request for task in replayed})
    with tempfile.TemporaryDirectory() as folder, answering(answers, thinks_s) as url:
        sees = any(record.pictures for record in records)
        async with open_service(asking(settings, Path(folder), url, together, sees)) as service:
            service.warmup.start_workers()
            await service.warmup.load()
            await service.warmup.start_checkers()
            places = asyncio.Semaphore(together)
            runs = await asyncio.gather(*(run_of(service, blender, task, places) for task in replayed))
            alone: list[float] = []
            for task in replayed[:most_alone]:
                answers.begin_again(task.id)
                run = await run_of(service, blender, task, places)
                alone.append(own_seconds(run) / max(len(run.attempts), 1))
            ended = zip(replayed, runs, strict=True)
            judged = [await judge(service, blender, task, run, answers.missing) for task, run in ended]
    return Replay(judged, alone, together, answers)


def asking(settings: Settings, data: Path, url: str, together: int, sees: bool) -> Settings:
    """The settings of a service that asks the server of recorded answers and nobody else."""
    table = ProviderSettings(model=MODEL, url=HttpUrl(url), context=65536, images=sees, timeout_s=NEVER_S)
    own = {"data": data, "model_provider": "custom", "providers": {"custom": table}, "parallel_runs": together}
    return settings.model_copy(update={**own, "waiting_runs": 1000, "model_run_s": NEVER_S})


async def run_of(service: Service, blender: Blender, task: Task, places: asyncio.Semaphore) -> Run:
    async with places:
        request = request_for(task, blender).model_copy(update={"drafter": "model"})
        return await service.finished((await service.submit(request)).id)


async def judge(service: Service, blender: Blender, task: Task, run: Run, missing: dict[str, list[str]]) -> Replayed:
    """The result of the task: the end of its run, and its check of the last snippet and of the first."""
    if not run.attempts:
        lacking = missing.get(task.id)
        why = f"no answer is recorded for {lacking[0]}" if lacking else run.error.message if run.error else ""
        return Replayed(task, "no answer recorded" if lacking else "dead", why or run.status, run, False)
    first, last = run.attempts[0].snippet, run.attempts[-1].snippet
    problem = await check_failed(service.tools.engine, blender, task, last)
    first_held = not (problem if first == last else await check_failed(service.tools.engine, blender, task, first))
    if lacking := missing.get(task.id):
        return Replayed(task, "no answer recorded", f"no answer is recorded for {lacking[0]}", run, first_held)
    return Replayed(task, fate_of(run.status, not problem), problem or why_refused(run), run, first_held)


def fate_of(status: str, right: bool) -> Fate:
    """The end of a run that made an attempt, seen together with the check of its task."""
    if status in DEAD:
        return "dead"
    if status == "disputed":
        return "disputed, right" if right else "disputed, wrong"
    if status == "proven":
        return "proven and right" if right else "proven and wrong"
    return "right and refused" if right else "wrong and refused"


def why_refused(run: Run) -> str:
    """The failure of the last attempt, and the reason why no other followed; empty for a proven run."""
    said = what_failed(run)
    return "; ".join(filter(None, [said, run.ended_because])) if said else ""


def critic_pairs(results: Iterable[Replayed]) -> list[tuple[dict[str, Any], bool]]:
    """The scores of the critic for each last snippet, next to the result of the check of its task."""
    pairs: list[tuple[dict[str, Any], bool]] = []
    for result in results:
        scores = result.run.attempts[-1].verdict.measured.get("scores") if result.run.attempts else None
        if scores and "model" in scores:
            pairs.append((scores, result.right))
    return pairs


def own_seconds(run: Run) -> float:
    """Seconds from the start of a run to its end, without the waiting for answers."""
    if not run.started_at or not run.finished_at:
        return 0.0
    whole = datetime.fromisoformat(run.finished_at) - datetime.fromisoformat(run.started_at)
    return max(whole.total_seconds() - sum(call.seconds for call in run.model_calls), 0.0)


def report(replayed: Replay) -> list[str]:
    """The figures, one a line."""
    results, answers = replayed.results, replayed.answers
    if not results:
        return ["no task of the file has recorded answers"]
    counts = Counter(result.fate for result in results)
    tokens = [result.tokens for result in results]
    questions = statistics.mean(len(result.run.model_calls) for result in results)
    lines = [f"{'tasks with answers':<32}{len(results):>6}"]
    lines += [f"{'right at the first draft':<32}{sum(result.first_held for result in results):>6}"]
    lines += [f"{fate:<32}{counts[fate]:>6}" for fate in FATES]
    lines += [f"{name:<32}{value:>6.0f}" for name, value in tokens_a_task(tokens)]
    lines += [f"{f'in, to the {role}':<32}{value:>6.0f}" for role, value in tokens_by_role(results)]
    lines += [f"{'questions a task':<32}{questions:>6.1f}"]
    lines += [f"{'of them as when recorded':<32}{answers.as_recorded:>6} of {answers.given}"]
    at_once = statistics.mean(result.own_s for result in results)
    lines += [f"{f'own seconds, {replayed.together} at once':<32}{at_once:>6.2f} an attempt"]
    if replayed.alone_s:
        alone = statistics.mean(replayed.alone_s)
        lines += [f"{'own seconds, alone':<32}{alone:>6.2f} an attempt ({len(replayed.alone_s)} tasks)"]
    return [*lines, *agreement(critic_pairs(results)).lines(), *missing_lines(answers)]


def tokens_a_task(tokens: Iterable[tuple[int, int]]) -> list[tuple[str, float]]:
    given, got = zip(*tokens, strict=True)
    return [("tokens a task, in", statistics.mean(given)), ("tokens a task, out", statistics.mean(got))]


def tokens_by_role(results: Sequence[Replayed]) -> list[tuple[str, float]]:
    """The tokens of the questions to each role, per task."""
    given: Counter[str] = Counter()
    for call in (call for result in results for call in result.run.model_calls):
        given[role_of(call.prompt)] += call.tokens_in
    return [(role, tokens / len(results)) for role, tokens in given.most_common()]


def missing_lines(answers: RecordedAnswers) -> list[str]:
    """The answers that were asked for and are not recorded, one a line."""
    return [f"no answer is recorded for {place}" for places in answers.missing.values() for place in places]
