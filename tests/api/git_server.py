"""A server of Git repositories on this machine, by `git http-backend`."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.listening import listening


@contextmanager
def git_server(folder: Path) -> Generator[str, None, None]:
    """The address at which the bare repositories in a folder are served."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self, folder)

        def do_POST(self) -> None:
            answer(self, folder)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with listening(server):
        yield f"http://127.0.0.1:{server.server_port}"


def answer(handler: BaseHTTPRequestHandler, folder: Path) -> None:
    path, _, query = handler.path.partition("?")
    environment = {
        "PATH": os.environ["PATH"],
        "GIT_PROJECT_ROOT": str(folder),
        "GIT_HTTP_EXPORT_ALL": "1",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "*",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "REQUEST_METHOD": handler.command,
        "CONTENT_TYPE": handler.headers.get("Content-Type", ""),
        "HTTP_CONTENT_ENCODING": handler.headers.get("Content-Encoding", ""),
        "GIT_PROTOCOL": handler.headers.get("Git-Protocol", ""),
        "REMOTE_USER": "",
        "REMOTE_ADDR": "127.0.0.1",
    }
    sent = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
    done = subprocess.run(["git", "http-backend"], input=sent, env=environment, capture_output=True, check=True)
    head, _, body = done.stdout.partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
    handler.send_response(int(headers.pop("Status", "200").split()[0]))
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)
