"""The way in, through both doors: `python enter.py JOB` with the bpy wheel, `blender -b --python enter.py -- JOB`.

Reads the job file named by the last argument and does what it says, in this process.
"""

import os
import sys


def main() -> None:
    """Do the job; the process ends here, without Blender's own clean-up, which no result waits for."""
    job_file = sys.argv[-1]
    project = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.path.insert(0, project)
    from harness import protocol

    with open(job_file, encoding="utf-8") as file:
        job = protocol.job_from_json(file.read())
    if isinstance(job, protocol.ManifestJob):
        from harness.inside import manifest

        manifest.dump(job)
    else:
        from harness.inside import examine, run

        # A snippet must not find our modules on its path.
        sys.path.remove(project)
        if isinstance(job, protocol.RunJob):
            run.run(job)
        else:
            examine.examine(job)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


main()
