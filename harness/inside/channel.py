"""The channel to the launcher: events out, a newline back per saved file."""

from __future__ import annotations

import json
import socket
from typing import Any

from harness.protocol import EventName


class Channel:
    """The socket that this process inherited."""

    def __init__(self, descriptor: int) -> None:
        self._socket = socket.socket(fileno=descriptor)

    def send(self, event: str, **facts: Any) -> None:
        """Report an event."""
        self._socket.sendall(json.dumps({"event": event, **facts}).encode() + b"\n")

    def send_saved(self, name: str) -> None:
        """Report a saved file, and wait until the launcher has taken it away."""
        self.send(EventName.SAVED, name=name)
        self._socket.recv(1)
