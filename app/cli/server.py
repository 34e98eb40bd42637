"""The service behind a port: opened before it is served, so that its problems are reported clearly."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import threading
from collections.abc import Callable, Generator
from types import FrameType
from typing import cast

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from app.errors import PortTaken
from app.main import create_app
from app.service.service import Service
from app.service.startup import open_service
from app.settings import Settings, http_address

STOP_GRACE_S = 5
HEADERS_S = 10.0
"""Seconds from the first byte of a connection, or of a further request on it, to the end of the headers."""
UNREAD_S = 30.0
"""Seconds in which the caller must take something of an answer that waits for it."""


async def serve(settings: Settings, on_started: Callable[[str, Server], None], *, for_one_call: bool = False) -> None:
    """Serve until a signal or `should_exit` ends it. `on_started` gets the address once requests are answered.

    Everything that requests need is loaded ahead, unless the service is for one call, which loads only what it needs.
    Raises the errors of `open_service`, and PortTaken.
    """
    with listen(settings) as listener:
        async with open_service(settings) as service:
            host, port = listener.getsockname()[:2]
            server = Server(service)

            warming: list[asyncio.Task[None]] = []

            def started() -> None:
                on_started(http_address(host, port), server)
                service.warmup.start_workers()
                if not for_one_call:
                    # During the start it would delay the first answer.
                    warming.append(asyncio.create_task(warm(service)))

            server.when_started = started
            with signals_stop_the_server_only():
                await server.serve([listener])
            for task in warming:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task


async def warm(service: Service) -> None:
    """Load and start everything that the first request would wait for, until done or cancelled."""
    checkers = asyncio.create_task(service.warmup.start_checkers())
    loading = asyncio.create_task(service.warmup.load())
    try:
        await asyncio.shield(loading)
        await checkers
    finally:
        checkers.cancel()
        # One of its threads uses the service, which is closed next.
        await asyncio.wait([loading, checkers])


@contextlib.contextmanager
def signals_stop_the_server_only() -> Generator[None, None, None]:
    """Ignore repeated signals: uvicorn raises the one that stopped it again, before the service is closed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kept = {number: signal.signal(number, heard_already) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


def heard_already(_number: int, _frame: FrameType | None) -> None:
    """Do nothing."""


def listen(settings: Settings) -> socket.socket:
    """A socket on the address of the settings; raises PortTaken."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Named as TCP: only then does asyncio send without delay; head and body of an answer would come 40 ms apart.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        raise PortTaken(f"{settings.host}:{settings.port} cannot be listened on: {error.strerror}.") from error
    return listener


class Protocol(H11Protocol):
    """HTTP/1.1 that closes connections whose headers come too slowly, or whose answers are not read; uvicorn itself
    waits for both without end."""

    _deadline: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Expect headers."""
        super().connection_made(transport)
        # So that writing pauses as soon as anything waits to be read, however little.
        transport.set_write_buffer_limits(0)
        self._deadline = self.loop.call_later(HEADERS_S, self._close_without_request)

    def data_received(self, data: bytes) -> None:
        """Stop the clock if a request has begun with this, otherwise let it run."""
        super().data_received(data)
        if self._under_way():
            self._stop_the_clock()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEADERS_S, self._close_without_request)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop_the_clock()
        self._stop_expecting()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait for the caller to read, but not forever."""
        super().pause_writing()
        self._expect_reading()

    def resume_writing(self) -> None:
        """All was read."""
        self._stop_expecting()
        super().resume_writing()

    def _expect_reading(self) -> None:
        self._unread = self.loop.call_later(UNREAD_S, self._see_reading, self.transport.get_write_buffer_size())

    def _see_reading(self, before: int) -> None:
        if self.transport.get_write_buffer_size() < before:
            self._expect_reading()
        else:
            self.transport.abort()

    def _stop_expecting(self) -> None:
        if self._unread is not None:
            self._unread.cancel()

    def _under_way(self) -> bool:
        cycle = cast("RequestResponseCycle | None", self.cycle)
        return cycle is not None and not cycle.response_complete

    def _stop_the_clock(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _close_without_request(self) -> None:
        self._deadline = None
        if not self._under_way():
            self.transport.close()


class Server(uvicorn.Server):
    """uvicorn, which also tells the service that it is about to stop, so that no request waits for a run any more."""

    def __init__(self, service: Service) -> None:
        config = uvicorn.Config(
            create_app(service),
            http=Protocol,
            lifespan="off",
            log_config=None,
            timeout_graceful_shutdown=STOP_GRACE_S,
        )
        super().__init__(config)
        self._service = service
        self.when_started: Callable[[], None] = lambda: None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer requests."""
        await super().startup(sockets)
        self.when_started()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal to stop."""
        self._service.say_stopping()
        super().handle_exit(sig, frame)
