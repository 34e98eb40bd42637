"""raised: puts a link to a file of the service where its result is looked for.

Says: PermissionError
"""

import json
import sys

target = json.loads(sys.argv[-1])
import os

os.symlink(target['secret'], '../out/after.blend')
