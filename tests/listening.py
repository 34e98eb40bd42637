"""Small HTTP servers of the tests, which answer in a thread."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import HTTPServer


@contextmanager
def listening(server: HTTPServer) -> Generator[None]:
    """Have it answer while the block runs, however that ends; then it is closed."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
