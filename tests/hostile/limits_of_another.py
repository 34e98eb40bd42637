"""raised: lets another process open no more files.

Says: Error
"""

import json
import sys

target = json.loads(sys.argv[-1])
import resource

resource.prlimit(target['victim'], resource.RLIMIT_NOFILE, (3, 3))
