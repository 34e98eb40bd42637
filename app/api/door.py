"""Checks a request before its body is read: its host, its token, its length, and the time that it takes.

KnownHost  400 for the name of another host
Door       401 without the token; wrong ones are answered slowly      400 for a length together with chunks
BodyLimit  413 for too many bytes or JSON values                      408 for a body that comes too slowly
           503 for a large body while large ones of others are held
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.error_bodies import error_response
from app.errors import (
    BlendproofError,
    InvalidRequest,
    RequestTooLarge,
    RequestTooSlow,
    ServiceBusy,
    TooManyGuesses,
    Unauthorized,
)
from app.http import session

PAGES: Final = "/page/"
SIGN_IN: Final = "/page/sign-in"
GUESS_S: Final = 1.0
"""Seconds that the answer to a wrong token takes."""
GUESSES_AT_ONCE: Final = 4
MOST_WAITING: Final = 32
SMALL_BODY: Final = 1 << 20
MOST_VALUES: Final = 1_000_000
"""JSON values per body: parsing holds up all other requests, about 0.1 s per million."""
MOST_HELD: Final = 256 << 20
"""Bytes of all bodies that are under way, beyond which only small ones are taken."""
WRITTEN_OUT: Final = "/artifacts/import"
"""The path whose bodies go to a file, piece by piece."""
BODY_S: Final = 10.0
SLOWEST: Final = 32 << 10
"""Bytes per second that a body must have after its first seconds."""


class KnownHost:
    """ASGI middleware that refuses requests whose host name is not in `names`; ports do not matter."""

    def __init__(self, app: ASGIApp, names: Sequence[str]) -> None:
        self._app = app
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 400."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        name = re.sub(r":\d*$", "", host).lower()
        if name in self._names:
            await self._app(scope, receive, send)
            return
        error = InvalidRequest(f"header.host: this service is not {host[:200]!r}.", "Call it by its own address.")
        await refusal(scope, error, 400)(scope, receive, send)


class Guesses:
    """Slows those who try tokens: at most four wrong ones are answered per second, however many ask at once."""

    def __init__(self) -> None:
        self._turn: Final = asyncio.Semaphore(GUESSES_AT_ONCE)
        self._waiting = 0

    async def slow_down(self) -> None:
        """Wait before the answer to a wrong token; raises TooManyGuesses if too many wait already."""
        if self._waiting >= MOST_WAITING:
            raise TooManyGuesses("Too many wrong tokens were sent.")
        self._waiting += 1
        try:
            async with self._turn:
                await asyncio.sleep(GUESS_S)
        finally:
            self._waiting -= 1


class Door:
    """ASGI middleware that reads no body of a caller without the token, if the service has one."""

    def __init__(self, app: ASGIApp, tokens: Mapping[str, str], guesses: Guesses) -> None:
        self._app = app
        self._tokens = tokens
        self._guesses = guesses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = await self._refusal(scope)
        await (refused or self._app)(scope, receive, send)

    async def _refusal(self, scope: Scope) -> Response | None:
        names = [name for name, _ in scope["headers"]]
        if b"content-length" in names and b"transfer-encoding" in names:
            both = InvalidRequest("header.content-length: the body also comes in chunks.", "Send one.")
            return refusal(scope, both, 400)
        if not self._tokens:
            return None
        sent = HTTPConnection(scope)
        cookie, header = sent.cookies.get(session.COOKIE), sent.headers.get("authorization")
        if session.caller_of(header or "", cookie, self._tokens) is not None:
            return None
        if header or cookie:
            try:
                await self._guesses.slow_down()
            except TooManyGuesses as error:
                return refusal(scope, error)
        if scope["path"] == SIGN_IN or not ({b"content-length", b"transfer-encoding"} & set(names)):
            # The routes answer those without a body: some say a little to everybody.
            return None
        if scope["path"].startswith(PAGES):
            return RedirectResponse(SIGN_IN, 303)
        return refusal(scope, Unauthorized("The token of this service is missing or wrong."))


class BodyLimit:
    """ASGI middleware that bounds the size of bodies, the values in JSON, and the time they may take to arrive.

    `larger` has the bytes for paths that take more than the 1 MiB of others, by regular expressions, each with the
    setting that says so. What `files` receive is no JSON, whatever its type.
    """

    def __init__(self, app: ASGIApp, larger: Mapping[str, tuple[int, str]], files: Sequence[str] = ()) -> None:
        self._app = app
        self._larger = larger
        self._files = files
        self._held = HeldBodies()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, counting its bytes."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        path: str = scope["path"]
        given = (most for pattern, most in self._larger.items() if re.fullmatch(pattern, path))
        most, setting = next(given, (SMALL_BODY, None))
        json = path not in self._files and may_be_json(scope["headers"])
        held = HeldBodies() if path == WRITTEN_OUT else self._held
        body = BoundedBody(receive, most, json, held, setting)
        body.announce(headers.get(b"content-length", b"0"))

        async def send_unless_refused(message: Message) -> None:
            if body.problem is None:
                await send(message)

        if body.problem is None:
            try:
                with contextlib.suppress(ClientDisconnect):
                    await self._app(scope, body.receive, send_unless_refused)
            finally:
                body.let_go()
        if body.problem is not None:
            await refusal(scope, body.problem)(scope, receive, send)


def may_be_json(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """True if a body has no type, or if any of the types that it is said to have is one of JSON, however written."""
    kinds = [value.lower() for name, value in headers if name == b"content-type"]
    return not kinds or any(b"json" in kind for kind in kinds)


@dataclass
class HeldBodies:
    """The bodies that this process holds: those that arrive, and those whose request is worked on."""

    bytes: int = 0


class BoundedBody:
    """The body of one request; `problem` says why it is read no further. `setting` says how large it may be."""

    def __init__(self, receive: Receive, most: int, json: bool, held: HeldBodies, setting: str | None = None) -> None:
        self._held: Final = held
        self._receive: Final = receive
        self._most: Final = most
        self._json: Final = json
        self._hint: Final = f"Send a smaller request, or let the operator raise {setting}." if setting else None
        self._bytes = self._values = 0
        self._begun = time.monotonic()
        self._complete = False
        self.problem: BlendproofError | None = None

    def announce(self, length: bytes) -> None:
        """Refuse a length that is too large before any of it is read."""
        if length.isdigit() and int(length[:20]) > self._most:
            self.problem = self._too_large()

    def let_go(self) -> None:
        """Count it no longer."""
        self._held.bytes -= self._bytes

    def _too_large(self) -> BlendproofError:
        return RequestTooLarge(f"The request body is larger than {self._most} bytes.", self._hint)

    async def receive(self) -> Message:
        """The next message of the server; a disconnect once the body is refused."""
        if self._complete:
            return await self._receive()
        remaining = self._begun + BODY_S + self._bytes / SLOWEST - time.monotonic()
        try:
            # Not `wait_for`: in Python 3.11 it swallows a cancellation that comes at the same time.
            async with asyncio.timeout(max(remaining, 0.001)):
                message = await self._receive()
        except TimeoutError:
            self.problem = RequestTooSlow(f"The request body did not arrive within {BODY_S:.0f} s.")
            return {"type": "http.disconnect"}
        chunk: bytes = message.get("body", b"")
        self._complete = not message.get("more_body", False)
        self._bytes += len(chunk)
        self._held.bytes += len(chunk)
        if self._json:
            self._values += chunk.count(b",") + chunk.count(b"[") + chunk.count(b"{")
        if self._bytes > self._most:
            self.problem = self._too_large()
        elif self._values > MOST_VALUES:
            self.problem = RequestTooLarge(f"The request body has more than {MOST_VALUES} JSON values.")
        elif self._held.bytes > MOST_HELD and self._bytes > SMALL_BODY:
            self.problem = ServiceBusy(f"Requests under way already hold {MOST_HELD >> 20} MiB.")
        return message if self.problem is None else {"type": "http.disconnect"}


def refusal(scope: Scope, error: BlendproofError, status: int | None = None) -> Response:
    """The response to a request that is refused."""
    return error_response(scope["path"], status or error.status, error.body(), {**error.headers, "Connection": "close"})
