"""needs_file|raised: reads a file of the service."""

import json
import sys

target = json.loads(sys.argv[-1])
print(open(target['secret']).read())
