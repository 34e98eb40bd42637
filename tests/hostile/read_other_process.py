"""needs_file|raised: reads the environment of another process of the same user."""

import json
import sys

target = json.loads(sys.argv[-1])
print(open(f"/proc/{target['victim']}/environ").read())
