"""The line to the launcher: events out, a newline back for each saved file. And what this Blender is."""

from __future__ import annotations

import json
import platform
import socket
from typing import Any

import bpy

from harness.protocol import Event


class Channel:
    """The socket this process inherited."""

    def __init__(self, descriptor: int) -> None:
        self._socket = socket.socket(fileno=descriptor)

    def send(self, event: str, **facts: Any) -> None:
        """Say what happened."""
        self._socket.sendall(json.dumps({"event": event, **facts}).encode() + b"\n")

    def send_saved(self, name: str) -> None:
        """Say that a file was saved, and wait until the launcher has taken it away."""
        self.send(Event.SAVED, name=name)
        self._socket.recv(1)


def blender_facts() -> dict[str, Any]:
    """Version, build hash and Python of the Blender this runs in."""
    return {
        "version": ".".join(str(part) for part in bpy.app.version),
        "version_string": bpy.app.version_string,
        "build_hash": bpy.app.build_hash.decode("ascii", "replace"),
        "python": platform.python_version(),
    }
