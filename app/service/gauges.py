"""The figures of a running service that the metrics ask for when they are read."""

from __future__ import annotations

import functools
import shutil

from app.jobs.kinds import GROUPS
from app.pipeline.state import Tools
from app.service.work import Work
from harness.engine import WORKER_STATES


def show_gauges(tools: Tools, work: Work) -> None:
    """Have the metrics ask for what is under way."""
    ask = tools.metrics.ask_for
    for group in GROUPS:
        label = {"group": group.name}
        ask("blendproof_jobs_waiting", "Jobs that wait for a place.", functools.partial(work.waiting, group), **label)
        ask("blendproof_jobs_working", "Jobs that are worked on.", functools.partial(work.working, group), **label)
        ask(
            "blendproof_jobs_places",
            "Jobs that may be worked on at once.",
            functools.partial(work.places, group),
            **label,
        )
    ask("blendproof_artifacts", "Artifacts that are kept.", tools.artifacts.count)
    ask("blendproof_disk_free_bytes", "Room on the disk of the data folder.", functools.partial(free_bytes, tools))
    for state in WORKER_STATES:
        ask("blendproof_workers", "Warm Blenders.", functools.partial(count_workers, tools, state), state=state)


def free_bytes(tools: Tools) -> int:
    """Room on the disk of the data folder."""
    return shutil.disk_usage(tools.settings.data_folder).free


def count_workers(tools: Tools, state: str) -> int:
    """The number of warm Blenders are in this state."""
    return sum(worker["state"] == state for worker in tools.engine.facts().workers)
