"""raised: sends a datagram.

Says: PermissionError
"""

import json
import sys

target = json.loads(sys.argv[-1])
import socket

socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'out', ('127.0.0.1', target['udp']))
