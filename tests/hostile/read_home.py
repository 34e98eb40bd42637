"""needs_file|raised: lists the folder of the service."""

import json
import sys

target = json.loads(sys.argv[-1])
import os

print(os.listdir(target['folder']))
