"""no_result: saves the scene itself, says so in the harness's place, and raises afterwards."""
import os
import stat
import time

import bpy

bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath("../out/after.blend"), copy=True)
for descriptor in range(3, 256):
    try:
        if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
            os.write(descriptor, b'{"event": "snippet_ended", "exception": null}\n')
            os.write(descriptor, b'{"event": "saved", "name": "after.blend"}\n')
    except OSError:
        pass
time.sleep(0.3)
raise RuntimeError("this failed")
