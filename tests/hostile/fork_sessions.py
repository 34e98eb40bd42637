"""raised: forks, and each child leaves its session."""

import os
import time

while True:
    if os.fork() == 0:
        os.setsid()
        time.sleep(600)
