"""timed_out: forks as fast as it can, and hears of nothing."""

import os

while True:
    try:
        os.fork()
    except OSError:
        pass
