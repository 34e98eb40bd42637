"""Does one job on a snippet, in a Blender that has just loaded its factory settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from harness.inside.untrusted import assertions, own_window, run, whole_addon
from harness.inside.witness import examine, export, read_back
from harness.protocol import AddonJob, AssertJob, ExamineJob, ExportJob, ReadBackJob, RunJob
from harness.sandbox.jail import narrow

JobInBlender = RunJob | ExamineJob | AssertJob | ExportJob | ReadBackJob | AddonJob


def do_in_window(job: JobInBlender, end: Callable[[], None]) -> None:
    """Do the job as soon as Blender's window is open, and then call `end`."""
    own_window.when_open(lambda: do(job), end)


def do(job: JobInBlender) -> Iterable[None]:
    """Run the snippet, examine or export its scene, run an assertion of the caller, or register an add-on.

    From here on no process is started. The job is done when the result is at its end; a window is drawn at each step.
    """
    if job.call_filter:
        narrow(job.call_filter)
    if isinstance(job, RunJob):
        run.run(job)
    elif isinstance(job, ExamineJob):
        examine.examine(job)
    elif isinstance(job, ExportJob):
        export.export(job)
    elif isinstance(job, ReadBackJob):
        read_back.read_back(job)
    elif isinstance(job, AddonJob):
        return whole_addon.register(job)
    else:
        assertions.make_assertion(job)
    return ()
