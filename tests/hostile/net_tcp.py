"""raised: connects to a service of this machine.

Says: PermissionError
"""

import json
import sys

target = json.loads(sys.argv[-1])
import socket

socket.create_connection(('127.0.0.1', target['tcp']), 2).send(b'out')
