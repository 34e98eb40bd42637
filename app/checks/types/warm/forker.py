"""mypy with everything imported, which forks a child for each check. Runs as a process of its own.

    service ── check {folder, arguments, environment, limits} ──> forker ── fork ──> child: mypy.main in that folder
            <──────────────────── exit status ────────────────────       <── exit ──    its output: two files there

A child does what `python -m mypy` does, and starts from the same state each time: nothing of one check reaches the
next. The forker itself only reads requests and waits, so it always notices `$/cancelRequest` and the end of its
input; it then kills the children concerned. It runs one thread, as a fork requires.

Uses only the standard library and mypy; started by its path.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import resource
import selectors
import signal
import sys
import traceback
from dataclasses import dataclass
from typing import Any

import mypy.main

LATER_IMPORTS = ("mypy.nativeparse", "ast_serialize", "sqlite3")
"""Modules that mypy imports late. If a release lacks one, the children are only slower."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Child:
    """A running check. `pipe` becomes readable when the child ends, because the child holds the other end."""

    request: int
    pid: int
    pipe: int


class Forker:
    """Handles the messages on standard input until it ends."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._children: dict[int, Child] = {}
        self._selector = selectors.DefaultSelector()
        self._selector.register(0, selectors.EVENT_READ)

    def run(self) -> None:
        """Serve. No child is left when this returns."""
        while True:
            for key, _ in self._selector.select():
                if isinstance(key.data, Child):
                    self._reap(key.data)
                elif not self._listen():
                    for child in self._children.values():
                        kill(child)
                    return

    def _listen(self) -> bool:
        data = os.read(0, 1 << 16)
        self._buffer += data
        while message := self._next_message():
            self._obey(message)
        return bool(data)

    def _next_message(self) -> Json | None:
        head, separator, rest = bytes(self._buffer).partition(b"\r\n\r\n")
        if not separator:
            return None
        length = int(head.partition(b":")[2])
        if len(rest) < length:
            return None
        self._buffer = bytearray(rest[length:])
        message: Json = json.loads(rest[:length])
        return message

    def _obey(self, message: Json) -> None:
        params = message["params"]
        match message["method"]:
            case "check":
                child = fork_check(message["id"], params)
                self._children[child.request] = child
                self._selector.register(child.pipe, selectors.EVENT_READ, child)
            case "$/cancelRequest" if params["id"] in self._children:
                kill(self._children[params["id"]])
            case "initialize":
                answer(message["id"], None)
            case _:
                pass

    def _reap(self, child: Child) -> None:
        self._selector.unregister(child.pipe)
        os.close(child.pipe)
        _, status = os.waitpid(child.pid, 0)
        del self._children[child.request]
        answer(child.request, os.waitstatus_to_exitcode(status))


def fork_check(request: int, params: Json) -> Child:
    """Start a check in a child."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            limit(resource.RLIMIT_CPU, params["cpu_s"], params["cpu_s"] + 1)
            limit(resource.RLIMIT_AS, params["memory_bytes"], params["memory_bytes"])
            check(params["folder"], params["arguments"], params["environment"])
        finally:
            # Whatever happens, a child must not return into the loop of its parent.
            os._exit(70)
    os.close(writing)
    return Child(request, pid, reading)


def check(folder: str, arguments: list[str], environment: dict[str, str]) -> None:
    """Do what `python -m mypy` does, in this process, and end it."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, name, flags in ((0, os.devnull, os.O_RDONLY), (1, "stdout", NEW_FILE), (2, "stderr", NEW_FILE)):
        os.dup2(os.open(name, flags, 0o600), number)
    status = 0
    with (
        open(1, "w", encoding="utf-8", closefd=False) as sys.stdout,
        open(2, "w", encoding="utf-8", closefd=False) as sys.stderr,
    ):
        try:
            mypy.main.main(args=arguments, stdout=sys.stdout, stderr=sys.stderr, clean_exit=True)
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else 1
        except BaseException:
            traceback.print_exc()
            status = 70
    os._exit(status)


NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL


def limit(what: int, soft: int, hard: int) -> None:
    """Lower a limit of this process; a limit that is lower already stays."""
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(what, (soft, hard))


def kill(child: Child) -> None:
    """End a child; the loop notices it by its pipe."""
    os.kill(child.pid, signal.SIGKILL)


def answer(request: int, result: object) -> None:
    """Send the result of a request."""
    body = json.dumps({"jsonrpc": "2.0", "id": request, "result": result}).encode("ascii")
    os.write(1, b"Content-Length: %d\r\n\r\n" % len(body) + body)


def main() -> None:
    """Import what every check needs, and serve."""
    for name in LATER_IMPORTS:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    # Pages with objects that the collector never visits stay shared with the children.
    gc.freeze()
    Forker().run()


if __name__ == "__main__":
    main()
