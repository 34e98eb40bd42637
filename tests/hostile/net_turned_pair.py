"""raised: turns one end of a pair to a socket outside.

Says: PermissionError
"""

import json
import sys

target = json.loads(sys.argv[-1])
import socket

ours, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
ours.sendto(b'out', target['datagram'])
