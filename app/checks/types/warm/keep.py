"""Keeps checkers warm: starts them when they are first needed, and ends them by fixed rules.

The life of a kept server:

    absent ── asked ──> starting ── it answers ──> ready <── asked, done ──> busy
      ^ ^                  │  │                      │                        │
      │ └─── cancelled ────┘  └─ cannot ─> resting   │ used less than others  │ it died, hung or was cancelled
      │                                       │      │                        │ (pyright), or has grown or worked
      └────────── rest is over, asked ────────┘      │                        │ too much
      ^                                              v                        v
      └──────────────────────────────────────────────┴────────────────────────┘
    any ── close ──> closed

If no server is available (resting, closed, died during the check, or all permitted servers are busy), the caller is
told so and falls back to a process of its own: the answers are the same, only later.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

import structlog

from app.checks.tool import Output, Workplace
from app.checks.types.warm.peer import PeerLost
from app.checks.types.warm.servers import MypyServer, PyrightServer

log = structlog.get_logger()


class KeptServer(Protocol):
    """A server that can be kept."""

    @property
    def alive(self) -> bool:
        """True if it can be asked."""
        ...

    @property
    def memory_bytes(self) -> int:
        """The memory that it uses."""
        ...

    async def end(self) -> None:
        """End it; may be called again."""
        ...


class Phase(StrEnum):
    """The phase of a kept server's life."""

    ABSENT = "absent"
    STARTING = "starting"
    READY = "ready"
    BUSY = "busy"
    RESTING = "resting"
    CLOSED = "closed"


@dataclass(frozen=True)
class ServerLimits:
    """Limits after which a server is ended: checks and memory. A failed start is repeated after a rest."""

    checks: int = 1000
    memory_bytes: int = 1024 << 20
    rest_s: float = 30.0


AnyServer = TypeVar("AnyServer", bound=KeptServer)


class WarmServer(Generic[AnyServer]):
    """One server across restarts. `at_once` checks may use it at the same time; others wait."""

    def __init__(
        self,
        name: str,
        start: Callable[[], Awaitable[AnyServer]],
        *,
        at_once: int,
        limits: ServerLimits,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.users = 0
        """Checks that run or wait for a place."""
        self._asking = 0
        self._name = name
        self._start = start
        self._limits = limits
        self._clock = clock
        self._places = asyncio.Semaphore(at_once)
        self._starting = asyncio.Lock()
        self._server: AnyServer | None = None
        self._checks = 0
        self._rest_until = 0.0
        self._closed = False

    @property
    def phase(self) -> Phase:
        """The current phase of its life."""
        if self._closed:
            return Phase.CLOSED
        if self._server is not None and self._server.alive:
            return Phase.BUSY if self._asking else Phase.READY
        if self._starting.locked():
            return Phase.STARTING
        return Phase.RESTING if self._clock() < self._rest_until else Phase.ABSENT

    @property
    def memory_bytes(self) -> int:
        """The memory of the current server."""
        return self._server.memory_bytes if self._server else 0

    @contextlib.asynccontextmanager
    async def using(self) -> AsyncGenerator[AnyServer, None]:
        """A server for one request, started if needed. Raises `PeerLost` if there is none."""
        self.users += 1
        try:
            async with self._places:
                self._asking += 1
                try:
                    server = await self._living()
                    self._checks += 1
                    yield server
                finally:
                    self._asking -= 1
                    if not self._asking and self._spent():
                        await self._end("it has worked or grown enough")
        finally:
            self.users -= 1

    async def close(self) -> None:
        """End it; it does not start again."""
        self._closed = True
        async with self._starting:
            await self._end("closed")

    async def _living(self) -> AnyServer:
        async with self._starting:
            if self._closed:
                raise PeerLost("closed")
            if self._server is not None and self._server.alive:
                return self._server
            await self._end("it died, hung or was cancelled")
            if self._clock() < self._rest_until:
                raise PeerLost("its last start failed a short while ago")
            try:
                self._server = await self._start()
            except PeerLost as error:
                self._rest_until = self._clock() + self._limits.rest_s
                log.warning("warm checker not started", checker=self._name, problem=str(error))
                raise
            self._checks = 0
            log.info("warm checker started", checker=self._name)
            return self._server

    def _spent(self) -> bool:
        return self._checks >= self._limits.checks or self.memory_bytes > self._limits.memory_bytes

    async def _end(self, reason: str) -> None:
        server, self._server = self._server, None
        if server is not None:
            log.info("warm checker ended", checker=self._name, reason=reason, checks=self._checks)
            await server.end()


MYPY_AT_ONCE: Final = 8


class WarmCheckers:
    """mypy, and a limited number of pyrights. Each method returns None if its checker is not available warm."""

    def __init__(self, pyrights: int) -> None:
        self._most = pyrights
        self._mypy = WarmServer("mypy", MypyServer.start, at_once=MYPY_AT_ONCE, limits=ServerLimits())
        self._pyrights: dict[Hashable, WarmServer[PyrightServer]] = {}
        """By stubs and settings, the least recently used first."""

    async def mypy(self, place: Workplace, arguments: Sequence[str], environment: Mapping[str, str]) -> Output | None:
        """The output of mypy in a folder, with that environment."""
        try:
            async with self._mypy.using() as server:
                return await server.check(place, arguments, dict(environment))
        except PeerLost as error:
            log.warning("mypy runs cold", problem=str(error))
            return None

    async def pyright(
        self, command: Sequence[str], settings: str, stubs: Path, snippet: str
    ) -> tuple[Workplace, list[Any]] | None:
        """The diagnostics of pyright on a snippet, and the folder that they refer to."""
        try:
            async with self._pyright(command, settings, stubs).using() as server:
                return Workplace(server.folder), await server.check(snippet)
        except PeerLost as error:
            log.warning("pyright runs cold", problem=str(error))
            return None

    @property
    def memory_bytes(self) -> dict[str, int]:
        """Resident memory of mypy's process and of all of pyright's."""
        return {
            "mypy": self._mypy.memory_bytes,
            "pyright": sum(kept.memory_bytes for kept in self._pyrights.values()),
        }

    async def close(self) -> None:
        """End every server; none starts again."""
        self._most = 0
        kept, self._pyrights = list(self._pyrights.values()), {}
        await asyncio.gather(self._mypy.close(), *(server.close() for server in kept))

    def _pyright(self, command: Sequence[str], settings: str, stubs: Path) -> WarmServer[PyrightServer]:
        # Rebuilt stubs are another folder, which the server of the old ones has not read.
        status = stubs.stat()
        key = (settings, status.st_ino, status.st_mtime_ns)
        kept = self._pyrights.pop(key, None) or self._new_pyright(command, settings)
        self._pyrights[key] = kept
        return kept

    def _new_pyright(self, command: Sequence[str], settings: str) -> WarmServer[PyrightServer]:
        leaving = self._least_used() if len(self._pyrights) >= self._most else None

        async def start() -> PyrightServer:
            if leaving is not None:
                await leaving.close()
            return await PyrightServer.start(command, settings)

        return WarmServer("pyright", start, at_once=1, limits=ServerLimits())

    def _least_used(self) -> WarmServer[PyrightServer]:
        """Remove and return the idle pyright that was least recently used."""
        idle = next((key for key, kept in self._pyrights.items() if not kept.users), None)
        if idle is None:
            raise PeerLost(f"all {self._most} permitted servers are busy")
        return self._pyrights.pop(idle)
