"""The service over HTTP. Standard library only, no bpy: this is what runs in a thread.

ask ─> POST, 202 ─> poll the run, saying its stage ─> the finished run, or ExtensionProblem
"""

from __future__ import annotations

import contextlib
import dataclasses
import http.client
import json
import threading
import time
from collections.abc import Callable
from typing import Any, Final, cast
from urllib.parse import SplitResult, urlsplit

Json = dict[str, Any]

LOCAL: Final = ("localhost", "127.0.0.1", "::1")
POLL_S: Final = 0.5
MOST_BYTES: Final = 96 << 20
"""The largest answer that is read."""
UNFINISHED: Final = ("queued", "running")
TO_START: Final = "Start it with `blendproof serve`, or correct the address in the preferences of this extension."


class ExtensionProblem(Exception):
    """The reason why something was not done, and what to do about it, for the user to read."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message: Final = message
        self.hint: Final = hint


class Stopped(Exception):
    """The user wants no answer any more."""


@dataclasses.dataclass(frozen=True)
class ServiceClient:
    """A service: its address, its token (empty if it has none), and the seconds to wait for an answer and for a run."""

    address: str
    token: str
    answer_s: float
    run_s: float

    @property
    def is_local(self) -> bool:
        """True if it is on this machine, so that reaching it is not going online."""
        return place_of(self.address).hostname in LOCAL

    def read(self, path: str) -> Json:
        """A JSON object of the service. Raises ExtensionProblem."""
        return as_json(self._ask("GET", path))

    def download(self, path: str) -> bytes:
        """A file of the service. Raises ExtensionProblem."""
        return self._ask("GET", path)

    def run(self, path: str, body: Json, say: Callable[[str], None], stopped: threading.Event) -> Json:
        """Ask for a run, and wait for its end; `say` is told its stages. Raises ExtensionProblem and Stopped.

        A run that is stopped is cancelled in the service too; one that takes too long goes on there.
        """
        say("sending")
        run = as_json(self._ask("POST", path, body))
        until = time.monotonic() + self.run_s
        while run["status"] in UNFINISHED:
            say(run["stage"] or run["status"])
            if stopped.wait(POLL_S):
                with contextlib.suppress(ExtensionProblem):
                    self._ask("DELETE", f"/runs/{run['id']}")
                raise Stopped
            if time.monotonic() > until:
                raise ExtensionProblem(
                    f"It took longer than {self.run_s:.0f} s.", "It goes on; find it in the history."
                )
            run = self.read(f"/runs/{run['id']}")
        return run

    def _ask(self, method: str, path: str, body: Json | None = None) -> bytes:
        """The body of the answer. Raises ExtensionProblem, also for what the service refuses."""
        place = place_of(self.address)
        content = None if body is None else json.dumps(body).encode()
        headers = {"Accept": "*/*", "Prefer": "respond-async", "Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        connection = connection_to(place, self.answer_s)
        try:
            connection.request(method, place.path.rstrip("/") + path, content, headers)
            answer = connection.getresponse()
            told = answer.read(MOST_BYTES + 1)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ExtensionProblem(f"No service answers at {self.address} ({reason(error)}).", TO_START) from error
        finally:
            connection.close()
        if len(told) > MOST_BYTES:
            raise ExtensionProblem(f"The answer of {self.address}{path} is larger than {MOST_BYTES >> 20} MiB.")
        if answer.status >= 300:
            raise refusal(self.address, answer.status, told)
        return told


def place_of(address: str) -> SplitResult:
    """The parts of an address. Raises ExtensionProblem."""
    try:
        place = urlsplit(address.strip())
        # A port that is none raises only when it is asked for.
        if place.scheme in ("http", "https") and place.hostname and place.port != 0:
            return place
    except ValueError:
        pass
    raise ExtensionProblem(f"{address!r} is no address of a service.", "Write it as http://127.0.0.1:8484.")


def connection_to(place: SplitResult, timeout_s: float) -> http.client.HTTPConnection:
    """A connection that is not open yet. Redirects are not followed, so the token goes nowhere else."""
    kind = http.client.HTTPSConnection if place.scheme == "https" else http.client.HTTPConnection
    return kind(place.hostname or "", place.port, timeout=timeout_s)


def reason(error: Exception) -> str:
    """The reason of a failure, in few words."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, ConnectionRefusedError):
        return "connection refused"
    return str(error) or type(error).__name__


def refusal(address: str, status: int, answer: bytes) -> ExtensionProblem:
    """The words of the service on a request that it refuses; its errors have a message and a hint."""
    try:
        body = as_json(answer)
        return ExtensionProblem(str(body["message"]), str(body["hint"]))
    except (ExtensionProblem, KeyError):
        return ExtensionProblem(f"{address} answers {status}, and not as Blendproof does.", TO_START)


def as_json(answer: bytes) -> Json:
    """A JSON object. Raises ExtensionProblem."""
    try:
        content: Any = json.loads(answer)
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise ExtensionProblem(
            "The answer is not that of a Blendproof service.", "Correct the address in the preferences."
        )
    return cast(Json, content)
