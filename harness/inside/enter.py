"""The entry point: `python enter.py JOB` with the bpy wheel, `blender -b --python enter.py -- JOB` with a binary.

Reads the job file named by the last argument and does the job: in this process or, for a warm job, in processes that it
forks. A Blender with a window does it when its window is open.
"""

import os
import sys
import types


def main() -> None:
    """Do the job and end the process, without Blender's own clean-up, which no result needs; or have it done later."""
    job_file = sys.argv[-1]
    # Python cannot look for the package itself: the folder above it may be out of reach.
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for name in ("harness", "python"):
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = [os.path.join(root, name)]
    from harness import protocol

    with open(job_file, encoding="utf-8") as file:
        job = protocol.job_from_json(file.read())
    if isinstance(job, protocol.ManifestJob):
        from harness.inside.api import manifest

        manifest.dump(job)
    elif isinstance(job, protocol.WaitJob):
        from harness.inside.warm import wait

        wait.wait(job)
    else:
        import bpy

        from harness.inside import do

        # The file names the purpose of this process.
        os.remove(job_file)
        bpy.ops.wm.read_factory_settings()
        if not bpy.app.background:
            do.do_in_window(job, end)
            return
        for _ in do.do(job):
            pass
    end()


def end() -> None:
    """End the process."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


main()
