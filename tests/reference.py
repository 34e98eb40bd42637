"""A small reference that imitates the published one: the pages of tests/pages, and a web server that gives them."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import http.server
import shutil
import socket
import threading
import zlib
from collections.abc import Generator
from pathlib import Path
from typing import Final

from tests.listening import listening

PAGES: Final = Path(__file__).with_name("pages")
OBJECTS: Final = (PAGES / "objects.txt").read_text()


def inventory_bytes(
    objects: str = OBJECTS, project: str = "Blender 9.1.2 LTS Python API", version: str = "9.1"
) -> bytes:
    header = (
        "# Sphinx inventory version 2\n"
        f"# Project: {project}\n"
        f"# Version: {version}\n"
        "# The remainder of this file is compressed using zlib.\n"
    )
    return header.encode() + zlib.compress(objects.encode())


def write_reference(folder: Path) -> Path:
    """Put the whole reference into a folder."""
    shutil.copytree(PAGES, folder, dirs_exist_ok=True)
    (folder / "objects.txt").unlink()
    (folder / "objects.inv").write_bytes(inventory_bytes())
    return folder


@dataclasses.dataclass(frozen=True)
class Reply:
    """What the server says instead of giving the page; status 0 ends the connection in the middle."""

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""


@dataclasses.dataclass(frozen=True)
class LoggedRequest:
    """One request that the server saw, and the status it gave."""

    page: str
    status: int
    agent: str


@dataclasses.dataclass
class Site:
    """A web server on loopback. Requests for a page use up its replies, of which the last one stays."""

    folder: Path
    address: str = ""
    prefix: str = "/api/9.1/"
    replies: dict[str, list[Reply]] = dataclasses.field(default_factory=dict[str, list[Reply]])
    seen: list[LoggedRequest] = dataclasses.field(default_factory=list[LoggedRequest])
    in_flight: int = 0
    most_in_flight: int = 0
    lock: threading.Lock = dataclasses.field(default_factory=threading.Lock)

    def pages(self, status: int = 200) -> list[str]:
        """The pages that were answered with this status, each as often as it was."""
        return sorted(seen.page for seen in self.seen if seen.status == status)


@contextlib.contextmanager
def serving(folder: Path) -> Generator[Site]:
    """Serve a folder under /api/9.1/ on loopback."""
    site = Site(folder)

    class Handler(_Handler):
        pass

    Handler.site = site
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.address = f"http://127.0.0.1:{server.server_port}{site.prefix}"
    with listening(server):
        yield site


class _Handler(http.server.BaseHTTPRequestHandler):
    site: Site
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        with self.site.lock:
            self.site.in_flight += 1
            self.site.most_in_flight = max(self.site.most_in_flight, self.site.in_flight)
        reply = self._reply()
        with self.site.lock:
            page = self.path.removeprefix(self.site.prefix)
            self.site.seen.append(LoggedRequest(page, reply.status, self.headers["User-Agent"]))
            self.site.in_flight -= 1
        self._send(reply)

    def _reply(self) -> Reply:
        page = self.path.removeprefix(self.site.prefix)
        with self.site.lock:
            replies = self.site.replies.get(page, [])
            if replies:
                return replies.pop(0) if len(replies) > 1 else replies[0]
        path = self.site.folder / page
        if not self.path.startswith(self.site.prefix) or not path.is_file():
            return Reply(404)
        content = path.read_bytes()
        tag = f'"{hashlib.sha256(content).hexdigest()}"'
        if self.headers["If-None-Match"] == tag:
            return Reply(304)
        return Reply(200, (("ETag", tag),), content)

    def _send(self, reply: Reply) -> None:
        if reply.status == 0:
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<article>cut")
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response(reply.status)
        for name, value in reply.headers:
            self.send_header(name, value)
        if reply.status != 304:
            self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body)

    def log_message(self, format: str, *args: object) -> None:
        pass
