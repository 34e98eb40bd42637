"""passed: a pair of sockets, a pipe, a child process, a thread, an event loop."""

import asyncio
import os
import socket
import subprocess
import threading

ours, theirs = socket.socketpair()
ours.send(b"in")
assert theirs.recv(2) == b"in"
assert subprocess.run(["/bin/echo", "in"], capture_output=True, check=True).stdout == b"in\n"
child = os.fork()
if child == 0:
    os._exit(3)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
thread = threading.Thread(target=len, args=("",))
thread.start()
thread.join()
asyncio.new_event_loop().run_until_complete(asyncio.sleep(0))
child = subprocess.Popen(["/bin/sleep", "60"])
child.kill()
assert child.wait() == -9
