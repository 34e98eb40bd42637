"""One job on a snippet, in a Blender that has just loaded its factory settings."""

from __future__ import annotations

from harness.inside import examine, run
from harness.protocol import ExamineJob, RunJob
from harness.sandbox.jail import narrow


def do(job: RunJob | ExamineJob) -> None:
    """Run the snippet, or look at what it left. From here on this process starts no other."""
    if job.call_filter:
        narrow(job.call_filter)
    if isinstance(job, RunJob):
        run.run(job)
    else:
        examine.examine(job)
