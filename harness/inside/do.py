"""Does one job on a snippet, in a Blender that has just loaded its factory settings."""

from __future__ import annotations

from harness.inside.untrusted import assertions, run, whole_addon
from harness.inside.witness import examine, export
from harness.protocol import AddonJob, AssertJob, ExamineJob, ExportJob, RunJob
from harness.sandbox.jail import narrow


def do(job: RunJob | ExamineJob | AssertJob | ExportJob | AddonJob) -> None:
    """Run the snippet, examine or export its scene, run an assertion of the caller, or register an add-on.

    From here on no process is started.
    """
    if job.call_filter:
        narrow(job.call_filter)
    if isinstance(job, RunJob):
        run.run(job)
    elif isinstance(job, ExamineJob):
        examine.examine(job)
    elif isinstance(job, ExportJob):
        export.export(job)
    elif isinstance(job, AddonJob):
        whole_addon.register(job)
    else:
        assertions.make_assertion(job)
