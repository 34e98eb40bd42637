"""What every request needs before it is read: a host name of ours, and a body that is not too large."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence

from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import InvalidRequest, RequestTooLarge


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
        await JSONResponse(error.body().model_dump(), status_code=400)(scope, receive, send)


class BodyLimit:
    """ASGI middleware that answers 413 once more than `max_bytes` of body are announced or have arrived.

    `larger` has the paths with another limit.
    """

    def __init__(self, app: ASGIApp, max_bytes: int, larger: Mapping[str, int]) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, counting its bytes."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._larger.get(scope["path"], self._max_bytes)
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > most:
            await self._refuse(scope, receive, send, most)
            return
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return message if received <= most else {"type": "http.disconnect"}

        async def unless_too_large(message: Message) -> None:
            if received <= most:
                await send(message)

        with contextlib.suppress(ClientDisconnect):
            await self._app(scope, counted, unless_too_large)
        if received > most:
            await self._refuse(scope, receive, send, most)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, most: int) -> None:
        error = RequestTooLarge(f"The request body is larger than {most} bytes.")
        await JSONResponse(error.body().model_dump(), status_code=error.status)(scope, receive, send)
