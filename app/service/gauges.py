"""The figures of a running service that the metrics ask for when they are read."""

from __future__ import annotations

import functools
import shutil

from app.pipeline.state import Tools
from app.service.work import Work
from harness.engine import WORKER_STATES


def show_gauges(tools: Tools, work: Work) -> None:
    """Have the metrics ask for what is under way."""
    ask = tools.metrics.ask_for
    ask("blendproof_runs_waiting", "Runs that wait for a place.", lambda: work.waiting)
    ask("blendproof_runs_working", "Runs that are worked on.", lambda: work.working)
    ask("blendproof_runs_places", "Runs that may be worked on at once.", lambda: tools.settings.parallel_runs)
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
