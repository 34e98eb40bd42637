"""raised: connects to a socket without a file.

Says: PermissionError
"""

import json
import sys

target = json.loads(sys.argv[-1])
import socket

ours = socket.socket(socket.AF_UNIX)
ours.connect('\0' + target['abstract'])
ours.send(b'out')
