"""raised|passed|needs_file: changes mode, times and length of a file of the service."""

import json
import sys

target = json.loads(sys.argv[-1])
import os

path = target["secret"]
for step in (lambda: os.chmod(path, 0o777), lambda: os.utime(path, (1, 1)), lambda: os.truncate(path, 0)):
    try:
        step()
    except OSError as error:
        print(error)
