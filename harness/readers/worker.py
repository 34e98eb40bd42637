"""A worker: a process that reads the texts of one place for long, and keeps the results in memory.

`python -I -B worker.py ORDER`, ORDER being a JSON object: `control` (the descriptor of a socket), `jail` (a JailSpec or
null), `memory_bytes` and `file_bytes`. It confines itself before it reads anything. Each order on the socket is a
function, its arguments and its time limit, pickled; the worker answers BEGUN, then the result as readers do. An order
that takes longer ends the worker.
"""

from __future__ import annotations

import json
import os
import pickle
import resource
import signal
import socket
import sys
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from harness.readers.host import BEGUN, HEAD, adapter_of, answer, fault
from harness.sandbox import rlimits
from harness.sandbox.jail import JailSpec, restrict, withdraw


def main() -> None:
    """Serve until the socket closes, which it does if the service ends."""
    order: dict[str, Any] = json.loads(sys.argv[1])
    rlimits.apply(limits(order["memory_bytes"], order["file_bytes"]))
    if order["jail"]:
        jail = JailSpec(**order["jail"])
        if jail.namespaces:
            withdraw(jail)
        restrict(jail)
    too_much = f"it takes more than {order['memory_bytes'] >> 20} MiB of memory"
    with socket.socket(fileno=order["control"]) as control, control.makefile("rb") as stream:
        while head := stream.read(HEAD.size):
            said = answer_to(control, stream.read(*HEAD.unpack(head)), too_much)
            control.sendall(HEAD.pack(len(said)) + said)


def limits(memory_bytes: int, file_bytes: int) -> dict[int, int]:
    """The kernel's limits on the worker, and on each program that it starts."""
    found = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: file_bytes}
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        found[resource.RLIMIT_AS] = pages * resource.getpagesize() + memory_bytes
    return found


def answer_to(control: socket.socket, pickled: bytes, too_much: str) -> bytes:
    """The answer to an order."""
    control.sendall(BEGUN)
    try:
        function, arguments, limit_s = pickle.loads(pickled)  # It is the service that pickled it.
        adapter_of(function)
    except Exception:
        return fault()
    # Nothing catches it: a worker that took too long is gone, in the middle of its work.
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    try:
        return answer(function, arguments, too_much)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


if __name__ == "__main__":
    # Programs that it starts belong to its session, which the service ends as a whole.
    os.chdir("/")
    main()
