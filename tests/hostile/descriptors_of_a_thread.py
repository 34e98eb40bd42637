"""raised: a thread whose descriptors are its own, and with them as many again.

Says: Operation not permitted
"""

import ctypes
import os
import platform

number = {"x86_64": 436, "aarch64": 436}[platform.machine()]
libc = ctypes.CDLL(None, use_errno=True)
if libc.syscall(ctypes.c_long(number), ctypes.c_long(250), ctypes.c_long(251), ctypes.c_long(2)) < 0:
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
