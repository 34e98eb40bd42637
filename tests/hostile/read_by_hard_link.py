"""raised|needs_file: the same with a hard link."""

import json
import sys

target = json.loads(sys.argv[-1])
import os

os.link(target['secret'], '../out/after.blend')
