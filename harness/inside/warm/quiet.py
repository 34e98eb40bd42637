"""Brings a Blender down to one thread, so that it can be forked.

A fork keeps only the thread that forks. The work of the others is never done in the child: it renders on one core, and
writing an OpenEXR file never ends. So the libraries that keep threads are made to end them; each starts new ones
when it needs them. Their functions have a version in their names, so the names are looked up in the library files.
"""

from __future__ import annotations

import contextlib
import ctypes
import re
from typing import Any

OPENEXR_THREADS = rb"_ZN\w*setGlobalThreadCountEi"
TBB_GET = rb"_ZN3tbb\w*3getERNS\w*task_scheduler_handleE"
TBB_FINALIZE = rb"_ZN3tbb\w*8finalizeERNS\w*task_scheduler_handleEl"
WITHOUT_THROWING = 1


def quiesce() -> None:
    """End the threads of OpenEXR and of TBB. The keeper counts whether one thread is left."""
    for path in loaded_libraries():
        with contextlib.suppress(OSError, AttributeError):
            if "OpenEXR" in path or "IlmImf" in path:
                end_openexr(path)
            elif "libtbb.so" in path:
                end_tbb(path)


def end_openexr(path: str) -> None:
    for name in exported(path, OPENEXR_THREADS):
        getattr(ctypes.CDLL(path), name)(0)


def end_tbb(path: str) -> None:
    library = ctypes.CDLL(path)
    for get, finalize in zip(exported(path, TBB_GET), exported(path, TBB_FINALIZE), strict=True):
        handle = ctypes.c_void_p(0)
        getattr(library, get)(ctypes.byref(handle))
        end: Any = getattr(library, finalize)
        end.argtypes = [ctypes.c_void_p, ctypes.c_ssize_t]
        end(ctypes.addressof(handle), WITHOUT_THROWING)


def exported(path: str, pattern: bytes) -> list[str]:
    """The exported names of a library that match the pattern."""
    with open(path, "rb") as file:
        return sorted({name.decode() for name in re.findall(pattern, file.read())})


class LibraryInfo(ctypes.Structure):
    """The beginning of the dynamic linker's record of a library; see `dl_iterate_phdr(3)`."""

    _fields_ = (("address", ctypes.c_void_p), ("name", ctypes.c_char_p))


VISIT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(LibraryInfo), ctypes.c_size_t, ctypes.c_void_p)


def loaded_libraries() -> list[str]:
    """The paths of the libraries in this process, from the dynamic linker because /proc may be out of reach."""
    found: list[str] = []

    def take(info: Any, _size: int, _data: Any) -> int:
        found.append((info.contents.name or b"").decode(errors="replace"))
        return 0

    ctypes.CDLL(None).dl_iterate_phdr(VISIT(take), None)
    return found
