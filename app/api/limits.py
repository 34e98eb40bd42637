"""Bounds the size of a request body, whatever its headers claim."""

from __future__ import annotations

import contextlib

from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import RequestTooLarge


class BodyLimit:
    """ASGI middleware that answers 413 once more than `max_bytes` of body are announced or have come."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, counting what it brings."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > self._max_bytes:
            await self._refuse(scope, receive, send)
            return
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return message if received <= self._max_bytes else {"type": "http.disconnect"}

        async def unless_too_large(message: Message) -> None:
            if received <= self._max_bytes:
                await send(message)

        with contextlib.suppress(ClientDisconnect):
            await self._app(scope, counted, unless_too_large)
        if received > self._max_bytes:
            await self._refuse(scope, receive, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        error = RequestTooLarge(f"The request body is larger than {self._max_bytes} bytes.")
        await JSONResponse(error.body().model_dump(), status_code=error.status)(scope, receive, send)
