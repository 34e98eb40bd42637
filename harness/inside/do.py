"""One job on a snippet, in a Blender that has just loaded its factory settings."""

from __future__ import annotations

from harness.inside import examine, run
from harness.protocol import ExamineJob, RunJob


def do(job: RunJob | ExamineJob) -> None:
    """Run the snippet, or look at what it left."""
    if isinstance(job, RunJob):
        run.run(job)
    else:
        examine.examine(job)
