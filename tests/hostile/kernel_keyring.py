"""raised: leaves a message in the keyring of the user.

Says: PermissionError
"""

import ctypes
import os
import platform

libc = ctypes.CDLL(None, use_errno=True)


def call(x86_64, aarch64, *arguments):
    number = x86_64 if platform.machine() == "x86_64" else aarch64
    longs = [ctypes.c_long(part) if isinstance(part, int) else part for part in arguments]
    if libc.syscall(ctypes.c_long(number), *longs) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


call(248, 217, b'user', b'message', b'x', 1, -4)
