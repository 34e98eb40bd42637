"""raised: takes shared memory that outlives the process.

Says: PermissionError
"""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
if libc.shmget(0, 1 << 20, 0o1600) < 0:
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
