"""no_result: leaves a scene that is none, and speaks for the harness."""

import os
import stat

with open("../out/after.blend", "wb") as file:
    file.write(b"BLENDER-v500" + bytes(4096))
for descriptor in range(3, 256):
    try:
        if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
            os.write(descriptor, b'{"event": "saved", "name": "after.blend"}\n')
    except OSError:
        pass
os._exit(0)
