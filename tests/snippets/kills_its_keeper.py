"""raised: starts a process that leaves the group, and tries to kill the process that watches over both."""
import os
import signal
import time

if os.fork() == 0:
    os.setsid()
    os.execv("/bin/sleep", ["sleep", "1234.5"])
time.sleep(0.2)
os.kill(os.getppid(), signal.SIGKILL)
time.sleep(60)
