"""raised: connects to a socket that is a file.

Says: PermissionError
"""

import json
import sys

target = json.loads(sys.argv[-1])
import socket

ours = socket.socket(socket.AF_UNIX)
ours.connect(target['unix'])
ours.send(b'out')
