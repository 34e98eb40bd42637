"""disk_limit: files that have no name and no descriptor any more, only a page in memory."""

import mmap
import os
import time

kept = []
for _ in range(40):
    with open("mapped", "w+b") as file:
        os.unlink("mapped")
        file.write(os.urandom(1 << 20))
        file.flush()
        kept.append(mmap.mmap(file.fileno(), 4096))
time.sleep(0.5)
