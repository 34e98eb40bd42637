"""raised: opens a door for others.

Says: PermissionError
"""

import socket

socket.socket().bind(('127.0.0.1', 0))
