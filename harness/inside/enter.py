"""The way in, through both doors: `python enter.py JOB` with the bpy wheel, `blender -b --python enter.py -- JOB`.

Reads the job file named by the last argument and does what it says, in this process.
"""

import importlib.util
import os
import sys


def main() -> None:
    """Do the job; the process ends here, without Blender's own clean-up, which no result waits for."""
    job_file = sys.argv[-1]
    make_importable("harness", os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from harness import protocol

    with open(job_file, encoding="utf-8") as file:
        job = protocol.job_from_json(file.read())
    if isinstance(job, protocol.ManifestJob):
        from harness.inside import manifest

        manifest.dump(job)
    else:
        from harness.inside import assertions, examine, run

        if isinstance(job, protocol.RunJob):
            run.run(job)
        elif isinstance(job, protocol.AssertJob):
            assertions.make_assertions(job)
        else:
            examine.examine(job)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def make_importable(name: str, folder: str) -> None:
    """Import a package from its folder. Its parent, which a sandbox may keep from being listed, is not on the path."""
    spec = importlib.util.spec_from_file_location(
        name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    assert spec is not None and spec.loader is not None
    sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])


main()
