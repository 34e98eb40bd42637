"""Records what a model answers: sends the tasks of a file through a running service and keeps the answers.

    python -m bench.recorded.record TASKS.jsonl [ANSWERS.jsonl] [--service http://127.0.0.1:8484] [--together 12]
                                    [--only WORD] [--most N] [--source "a capable model"]

A task that has answers in the file is left out, so the command can be stopped and begun again. What no model answered
is not recorded. The service must be set up with that model.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import datetime
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx2

from app.jobs.run import UNFINISHED, Run
from bench.recorded.records import FOLDER, RecordsInvalid, append_records, read_records, records_of, tasks_in
from bench.task import Task, read_tasks

SOURCE: Final = "a capable model"
POLL_S: Final = 1.0


@dataclass(frozen=True)
class Recorder:
    """Sends tasks to a service, and keeps what its model answers in a file."""

    service: str
    file: Path
    source: str
    _writing: threading.Lock = field(default_factory=threading.Lock)

    def record(self, task: Task) -> str:
        """Send one task, wait for the end of its run, keep the answers; says what became of it."""
        try:
            run = self._run_of(task)
        except httpx2.HTTPError as problem:
            return f"{task.id}: not recorded: {problem}"
        day = datetime.datetime.now(datetime.UTC).date().isoformat()
        records = records_of(task.id, run, self.source, day)
        if not run.attempts:
            why = run.error.message if run.error else "it made no attempt"
            return f"{task.id}: not recorded, {run.status}: {why}"
        with self._writing:
            append_records(self.file, records)
        roles = ", ".join(record.role for record in records)
        return f"{task.id}: {run.status}, {len(records)} answers ({roles})"

    def _run_of(self, task: Task) -> Run:
        body: dict[str, object] = {"request": task.request, "drafter": "model"}
        if task.setup:
            body["setup"] = {"snippet": task.setup}
        with httpx2.Client(base_url=self.service, timeout=60) as client:
            answer = client.post("/generate", json=body, headers={"Prefer": "respond-async"}).raise_for_status()
            run = Run.model_validate(answer.json())
            while run.status in UNFINISHED:
                time.sleep(POLL_S)
                run = Run.model_validate(client.get(f"/runs/{run.id}").raise_for_status().json())
        return run


def main() -> None:
    """Record the tasks that have no answers yet."""
    parser = argparse.ArgumentParser(description="Record what a model answers to the tasks of a file.")
    parser.add_argument("tasks", type=Path)
    parser.add_argument("answers", type=Path, nargs="?", help="default: bench/recorded/answers, under the same name")
    parser.add_argument("--service", default="http://127.0.0.1:8484")
    parser.add_argument("--together", type=int, default=12)
    parser.add_argument("--only", default="", help="only tasks whose id contains this")
    parser.add_argument("--most", type=int, help="record at most this many more tasks")
    parser.add_argument("--source", default=SOURCE, help="who answers, in words")
    given = parser.parse_args()
    file: Path = given.answers or FOLDER / f"{given.tasks.stem}.jsonl"
    try:
        done = tasks_in(read_records(file)) if file.exists() else []
    except RecordsInvalid as problem:
        raise SystemExit(str(problem)) from None
    tasks = [task for task in read_tasks(given.tasks) if given.only in task.id and task.id not in done]
    record_all(Recorder(given.service, file, given.source), tasks[: given.most], given.together)


def record_all(recorder: Recorder, tasks: Sequence[Task], together: int) -> None:
    """Record these tasks, `together` at once; each is said when it is done."""
    print(f"{len(tasks)} tasks to {recorder.service}, answers into {recorder.file}", file=sys.stderr, flush=True)
    with concurrent.futures.ThreadPoolExecutor(together) as pool:
        for done in concurrent.futures.as_completed([pool.submit(recorder.record, task) for task in tasks]):
            print(done.result(), flush=True)


if __name__ == "__main__":
    main()
