"""no_result: speaks null bytes in the harness's place."""

import os

for descriptor in range(3, 256):
    try:
        os.write(descriptor, b"\0" * 100 + b"\n")
    except OSError:
        pass
