"""What the tests of the readers have read: functions of a module, as readers take them, and a text."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from pathlib import Path

import filelock
from pydantic_core import PydanticSerializationError


def length(text: str) -> int:
    return len(text)


def compute(rounds: int) -> int:
    number = 0
    for one in range(rounds):
        number ^= one
    return number


def hold(size: int) -> int:
    return len(bytearray(size))


def long(size: int) -> str:
    return "\0" * size


def rest(seconds: float) -> bool:
    time.sleep(seconds)
    return True


def tell(problem: str) -> str:
    raise PydanticSerializationError(f"Error serializing to JSON: {problem}: ")


def die(_text: str) -> int:
    os.kill(os.getpid(), signal.SIGSEGV)
    return 0


def stumble(text: str) -> int:
    raise ValueError(f"not {text}")


def nest(depth: int) -> int:
    return nest(depth - 1) + 1 if depth else 0


def opened(path: str) -> int:
    return len(Path(path).read_bytes())


def written(path: str) -> int:
    return Path(path).write_bytes(b"")


def connected(port: int) -> int:
    with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
        return connection.fileno()


def started(program: str) -> int:
    return subprocess.run([program], check=False).returncode


def finally_in_finally(levels: int) -> str:
    """Blocks that Python compiles twice per level."""
    opened = "".join(f"{' ' * level}try:\n{' ' * level} pass\n{' ' * level}finally:\n" for level in range(levels))
    return f"{opened}{' ' * levels}x = 1\n"


def process() -> int:
    return os.getpid()


def locked(path: str, seconds: float) -> bool:
    """Whether a lock was had, which is then held for some seconds."""
    try:
        with filelock.FileLock(path, timeout=0):
            time.sleep(seconds)
    except filelock.Timeout:
        return False
    return True
