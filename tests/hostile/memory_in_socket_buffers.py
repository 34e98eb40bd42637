"""raised: buffers of sockets as large as the kernel allows, which no process shows.

Says: PermissionError
"""

import socket

kept = []
for _ in range(400):
    kept.append(socket.socketpair())
    for end in kept[-1]:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 << 20)
