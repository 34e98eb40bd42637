"""raised: talks to the kernel about networks.

Says: PermissionError
"""

import socket

socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
