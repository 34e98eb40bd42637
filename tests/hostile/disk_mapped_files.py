"""disk_limit: files that have no name and no descriptor any more, only a page in memory."""

import ctypes
import os
import time

libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
for _ in range(30):
    with open("mapped", "w+b") as file:
        os.unlink("mapped")
        file.write(os.urandom(1 << 20))
        file.flush()
        # Python's own mmap keeps a descriptor.
        assert libc.mmap(None, ctypes.c_size_t(4096), 1, 1, file.fileno(), ctypes.c_long(0)) != 2**64 - 1
time.sleep(0.5)
