"""raised: would leave a daemon behind that is in no group and no session of ours."""

import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.chdir("/")
        while True:
            time.sleep(1)
    os._exit(0)
os.wait()
