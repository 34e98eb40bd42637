"""The host of the readers. Runs as a process of its own, with one thread, and forks a reader for each text.

`python -I -B host.py ORDER`, ORDER being a JSON object: `control` (the descriptor of a socket), `jail` (a JailSpec or
null), `filter` and `cpu_s`. Each message on the control socket brings a connection, on which the host reads an order
and the reader writes its answer; the connection closes when the reader is gone. A module or the file of a manifest that
an order names is loaded by the host before it forks, so that every later reader has it from the start.
"""

from __future__ import annotations

import functools
import gc
import json
import os
import pickle
import resource
import signal
import socket
import struct
import sys
import traceback
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError

from harness.sandbox.jail import FAILED, JailSpec, confine, narrow, withdraw

HEAD: Final = struct.Struct("<Q")
"""Before an order: the number of its bytes."""
BEGUN: Final = b"b"
"""The host's answer when a reader begins."""
RESULT: Final = b"r"
FAILED_TO_READ: Final = b"f"
FAULT: Final = b"!"
"""Before an answer: the result as JSON, the resource that ran out, or the traceback of a fault of ours."""
MEMORY_BYTES: Final = 1 << 30
"""The memory of a reader beyond the memory of the host."""
CPU_S: Final = 5
"""On the machine of reference; see `pace`."""
WALL_S: Final = 30
"""On a machine that is busy, 5 s of computing may take this long."""
SHOWN_TRACEBACK: Final = 2000

Function = Callable[..., Any]


def main() -> None:
    """Serve until the control socket closes, which it does if the service ends."""
    order: dict[str, Any] = json.loads(sys.argv[1])
    jail = JailSpec(**order["jail"]) if order["jail"] else None
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(fileno=order["control"]) as control:
        while True:
            data, descriptors, _, _ = socket.recv_fds(control, 1, 1)
            if not data:
                return
            with socket.socket(fileno=descriptors[0]) as connection:
                serve(connection, jail, order["filter"], order["cpu_s"])


def serve(connection: socket.socket, jail: JailSpec | None, call_filter: str, cpu_s: int) -> None:
    """Read the order of a connection, and have a fork carry it out."""
    with connection.makefile("rb") as stream:
        head = stream.read(HEAD.size)
        if len(head) < HEAD.size:
            return
        pickled = stream.read(*HEAD.unpack(head))
    try:
        function, arguments = pickle.loads(pickled)  # It is the service that pickled it.
        adapter_of(function)
    except Exception:
        connection.sendall(BEGUN + fault())
        return
    connection.sendall(BEGUN)
    # Pages with objects that the collector never visits stay shared with the readers.
    gc.freeze()
    if os.fork() == 0:
        try:
            restrict(connection.fileno(), jail, call_filter, cpu_s)
            # Looking for garbage among the nodes of a large tree takes half of the time of reading it.
            gc.set_threshold(100_000, 50, 100)
            connection.sendall(answer(function, arguments, too_much(cpu_s)))
            os._exit(0)
        finally:
            # Whatever happens, a reader must not return into the loop of its parent.
            os._exit(FAILED)


def restrict(descriptor: int, jail: JailSpec | None, call_filter: str, cpu_s: int) -> None:
    """Give this process its limits, and take all from it that reading does not need."""
    if jail and jail.namespaces:
        withdraw(jail)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) if sys.platform == "linux" else 0
    limits = {resource.RLIMIT_CPU: cpu_s, resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: 0}
    if pages:
        limits[resource.RLIMIT_AS] = pages * resource.getpagesize() + MEMORY_BYTES
    confine(jail, [descriptor], "/", limits)
    signal.setitimer(signal.ITIMER_REAL, WALL_S)
    if call_filter:
        narrow(call_filter)


def answer(function: Function, arguments: tuple[Any, ...], too_much: str) -> bytes:
    """The result of the function, or the reason why there is none; `too_much` names its limits."""
    try:
        return RESULT + adapter_of(function).dump_json(function(*arguments))
    except RecursionError:
        return FAILED_TO_READ + b"it nests too deep"
    except MemoryError:
        return FAILED_TO_READ + too_much.encode()
    except PydanticSerializationError as error:
        # It says so only in its words if memory runs out while the result is written.
        return FAILED_TO_READ + too_much.encode() if "MemoryError" in str(error) else fault()
    except Exception:
        return fault()


def too_much(cpu_s: int) -> str:
    """The limits of a reader in words."""
    return f"it takes more than {cpu_s} s of computing, {WALL_S} s in all or {MEMORY_BYTES >> 20} MiB of memory"


def fault() -> bytes:
    """The current exception, as an answer."""
    return FAULT + traceback.format_exc()[-SHOWN_TRACEBACK:].encode()


@functools.cache
def adapter_of(function: Function) -> TypeAdapter[Any]:
    """Writes and reads the results of the function."""
    return TypeAdapter(typing.get_type_hints(function)["return"])


if __name__ == "__main__":
    main()
