"""The tasks of a file: each a request with its start scene and a check of the result."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from app.jobs.request import GenerateRequest, Setup
from app.jobs.run import Run
from app.verdict.verdict import StageState
from harness.blenders import Blender
from harness.engine import Engine
from harness.order import Order
from harness.protocol import Outcome, RenderSettings
from harness.versions import version_key

TASKS: Final = Path(__file__).parent / "tasks.jsonl"


@dataclass(frozen=True)
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
        """True if the task is for this Blender."""
        version = version_key(blender.version)
        return version >= self.min_version and (self.max_version is None or version <= self.max_version)


def read_tasks(file: Path) -> list[Task]:
    """The tasks of a file, in order."""
    tasks: list[Task] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        facts: dict[str, Any] = json.loads(line)
        facts["min_version"] = tuple(facts["min_version"])
        facts["max_version"] = tuple(facts["max_version"]) if facts["max_version"] else None
        tasks.append(Task(**facts))
    return tasks


def request_for(task: Task, blender: Blender) -> GenerateRequest:
    """The task as the service is asked it."""
    setup = Setup(snippet=task.setup) if task.setup else None
    return GenerateRequest(request=task.request, setup=setup, blender=blender.name)


def what_failed(run: Run) -> str:
    """The failed stages of the last attempt, each with its first two findings; empty if there are none."""
    stages = run.attempts[-1].verdict.stages if run.attempts else []
    failed = [stage for stage in stages if stage.state is StageState.FAILED]
    return "; ".join(f"{stage.name}: {finding.message}" for stage in failed for finding in stage.findings[:2])


async def check_failed(engine: Engine, blender: Blender, task: Task, snippet: str) -> str:
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
    report = (await engine.execute(order, blender)).report
    exception = report["claims"]["exception"]
    if exception:
        return f"{exception['type']}: {exception['message']}"
    return "" if report["outcome"] == Outcome.PASSED else f"{report['outcome']}: {report['reason']}"
