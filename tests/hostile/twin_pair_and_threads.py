"""passed: a pair of sockets, a pipe, a thread, an event loop."""

import asyncio
import os
import socket
import threading

ours, theirs = socket.socketpair()
ours.send(b"in")
assert theirs.recv(2) == b"in"
reading, writing = os.pipe()
os.write(writing, b"in")
assert os.read(reading, 2) == b"in"
thread = threading.Thread(target=len, args=("",))
thread.start()
thread.join()
asyncio.new_event_loop().run_until_complete(asyncio.sleep(0))
