"""Counts and times every request, whichever part of the service answers it."""

from __future__ import annotations

import time
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.observing.metrics import Metrics

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER: Final = "other"


class Observing:
    """ASGI middleware that tells the metrics how each request was answered."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, looking at the answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun, status = time.monotonic(), 500

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            method = scope["method"] if scope["method"] in METHODS else OTHER
            self._metrics.answered(method, route_of(scope), status, time.monotonic() - begun)


def route_of(scope: Scope) -> str:
    """The pattern of the address, such as `/runs/{run_id}`; one name for everything that no operation answers."""
    route: Any = scope.get("route")
    return getattr(route, "path", OTHER)
