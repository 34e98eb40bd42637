"""Counts, times and traces every request, whichever part of the service answers it."""

from __future__ import annotations

import time
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.observing.metrics import Metrics
from harness import tracing

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER: Final = "other"
PROBES: Final = frozenset({"/health", "/ready", "/metrics"})
"""They are asked again and again, and not traced."""


class RequestObserver:
    """ASGI middleware that tells the metrics how each request was answered, and begins its trace or goes on with it."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, looking at the answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif tracing.is_on() and scope["path"] not in PROBES:
            sent = dict(scope["headers"]).get(b"traceparent", b"").decode("latin-1")
            with tracing.span("request", parent=sent or None) as span:
                await self._pass_on(scope, receive, send, span)
        else:
            await self._pass_on(scope, receive, send)

    async def _pass_on(
        self, scope: Scope, receive: Receive, send: Send, span: tracing.TraceSpan = tracing.UNTRACED
    ) -> None:
        """Pass the request on, count it and name its span; also if it raises."""
        begun, status = time.monotonic(), 500

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_and_note)
        finally:
            method, route = method_of(scope), route_of(scope)
            self._metrics.answered(method, route, status, time.monotonic() - begun)
            span.call(f"{method} {route}")
            span.note({"http.request.method": method, "http.route": route, "http.response.status_code": status})


def method_of(scope: Scope) -> str:
    """The method; one name for all that HTTP does not know."""
    method: str = scope["method"]
    return method if method in METHODS else OTHER


def route_of(scope: Scope) -> str:
    """The pattern of the address, such as `/runs/{run_id}`; one name for everything that no operation answers."""
    route: Any = scope.get("route")
    return getattr(route, "path", OTHER)
