"""raised|needs_file: makes a file beside one of the service."""

import json
import sys

target = json.loads(sys.argv[-1])
open(target['folder'] + '/planted', 'w').write('planted')
