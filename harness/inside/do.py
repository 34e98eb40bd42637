"""Does one job on a snippet, in a Blender that has just loaded its factory settings."""

from __future__ import annotations

from harness.inside import assertions, examine, run
from harness.protocol import AssertJob, ExamineJob, RunJob
from harness.sandbox.jail import narrow


def do(job: RunJob | ExamineJob | AssertJob) -> None:
    """Run the snippet, examine what it left, or run an assertion of the caller. From here on it starts no process."""
    if job.call_filter:
        narrow(job.call_filter)
    if isinstance(job, RunJob):
        run.run(job)
    elif isinstance(job, ExamineJob):
        examine.examine(job)
    else:
        assertions.make_assertion(job)
