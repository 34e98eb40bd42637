"""raised: kills another process of the same user.

Says: Error
"""

import json
import sys

target = json.loads(sys.argv[-1])
import os
import signal

os.kill(target['victim'], signal.SIGKILL)
