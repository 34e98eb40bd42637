"""raised|needs_file: writes over a file of the service."""

import json
import sys

target = json.loads(sys.argv[-1])
open(target['secret'], 'w').write('changed')
