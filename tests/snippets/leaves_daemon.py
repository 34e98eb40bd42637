"""passed: a process it starts leaves the group and would outlive it; it must be gone afterwards."""
import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv("/bin/sleep", ["sleep", "1234.5"])
    os._exit(0)
time.sleep(0.2)
