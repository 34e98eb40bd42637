"""The two warm checkers, each in a process that answers requests: mypy in a forker, pyright as a language server.

Both answer within their time limit or raise `CheckerStumbled`, and `PeerLost` if the process ends during a check. A
check that is cancelled or too slow is killed at once: with mypy only the child, with pyright the whole server.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Self

from app.checks.failures import CheckerStumbled, CheckerTooSlow
from app.checks.tool import (
    CPU_LIMIT_S,
    MEMORY_BYTES,
    MOST_BYTES,
    SNIPPET,
    TIME_LIMIT_S,
    Output,
    Workplace,
    check_computed,
    output_of,
)
from app.checks.types.warm.peer import Json, Peer, PeerLost
from harness.readers.pace import computing_s

_FORKER: Final = Path(__file__).with_name("forker.py")
_TETHER: Final = Path(__file__).with_name("tether.py")
_START_LIMIT_S: Final = 30.0
_LOOK_S: Final = 0.25
_HINT: Final = 4
"""Severity of what editors grey out; pyright's command line does not report it."""


class _CheckerServer:
    """The common part of both: a process, and its start."""

    def __init__(self, peer: Peer, time_limit_s: float) -> None:
        self._peer = peer
        self._time_limit_s = time_limit_s

    @property
    def alive(self) -> bool:
        """True if it can take requests."""
        return self._peer.alive

    @property
    def memory_bytes(self) -> int:
        """Resident memory, without children."""
        return self._peer.memory_bytes

    async def end(self) -> None:
        """End the process and remove its files."""
        await self._peer.end()

    async def _shake_hands(self, params: Json) -> None:
        try:
            async with asyncio.timeout(_START_LIMIT_S):
                await self._peer.request("initialize", params)
        except TimeoutError:
            await self.end()
            raise PeerLost(f"not ready within {_START_LIMIT_S:g} s") from None
        except BaseException:
            await self.end()
            raise

    async def _computed(self, cpu_s: float) -> None:
        """Wait until the process has computed for this long; a process has no event for that."""
        begun = self._peer.cpu_s
        while self._peer.cpu_s - begun < cpu_s:  # noqa: ASYNC110
            await asyncio.sleep(_LOOK_S)


class MypyServer(_CheckerServer):
    """mypy for any stubs and settings, because each check brings its own; several checks at a time."""

    @classmethod
    async def start(cls, *, time_limit_s: float = TIME_LIMIT_S) -> Self:
        """Start the process. Raises `PeerLost` if it does not come up."""
        server = cls(await Peer.start([sys.executable, "-I", str(_FORKER)], {}), time_limit_s)
        await server._shake_hands({})
        return server

    async def check(self, place: Workplace, arguments: Sequence[str], environment: dict[str, str]) -> Output:
        """Run mypy in the folder of the snippet, as `Workplace.run` does."""
        params = {
            "folder": str(place.folder),
            "arguments": list(arguments),
            "environment": place.environment(environment),
            "cpu_s": computing_s(CPU_LIMIT_S),
            "memory_bytes": MEMORY_BYTES,
        }
        try:
            async with asyncio.timeout(self._time_limit_s):
                status = await self._peer.request("check", params)
        except TimeoutError:
            raise CheckerTooSlow("mypy", f"no answer within {self._time_limit_s:g} s") from None
        check_computed("mypy", status)
        return output_of(status, _first_bytes(place.folder / "stdout"), _first_bytes(place.folder / "stderr"))


class PyrightServer(_CheckerServer):
    """pyright for one set of stubs and settings; one check at a time.

    The snippet is a document in memory, opened for the check and closed after it. On disk, in a folder of the server's
    own, are the settings and an empty file at the document's path.
    """

    @classmethod
    async def start(cls, command: Sequence[str], settings: str, *, time_limit_s: float = TIME_LIMIT_S) -> Self:
        """Start `command`, a language server. Raises `PeerLost` if it does not come up."""
        tethered = [sys.executable, "-I", "-S", str(_TETHER), str(os.getpid()), *command, "--stdio"]
        server = cls(await Peer.start(tethered, {"pyrightconfig.json": settings, SNIPPET: ""}), time_limit_s)
        folder = server.folder.as_uri()
        capabilities = {"textDocument": {"diagnostic": {"dynamicRegistration": False}}}
        workspace = {"rootUri": folder, "workspaceFolders": [{"uri": folder, "name": "snippet"}]}
        await server._shake_hands({"processId": os.getpid(), "capabilities": capabilities, **workspace})
        server._peer.notify("initialized", {})
        return server

    @property
    def folder(self) -> Path:
        """The folder that the snippet seems to be in."""
        return self._peer.folder

    async def check(self, snippet: str) -> list[Any]:
        """The diagnostics on a snippet in the form of the protocol, without those that editors only grey out."""
        uri = (self.folder / SNIPPET).as_uri()
        document = {"uri": uri, "languageId": "python", "version": 1, "text": snippet}
        computed = False

        async def watch() -> None:
            nonlocal computed
            await self._computed(computing_s(CPU_LIMIT_S))
            computed = True
            asking.reschedule(asyncio.get_running_loop().time())

        try:
            async with asyncio.timeout(self._time_limit_s) as asking:
                watching = asyncio.create_task(watch())
                try:
                    self._peer.notify("textDocument/didOpen", {"textDocument": document})
                    report = await self._peer.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
                finally:
                    watching.cancel()
        except TimeoutError:
            await self.end()
            limit = (
                f"after {computing_s(CPU_LIMIT_S)} s of computing" if computed else f"within {self._time_limit_s:g} s"
            )
            raise CheckerTooSlow("pyright", f"no answer {limit}") from None
        except BaseException:
            # It may be busy with this snippet for long, and cannot be told to stop.
            await self.end()
            raise
        self._peer.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        try:
            return [item for item in report["items"] if item["severity"] != _HINT]
        except (TypeError, KeyError) as error:
            raise CheckerStumbled("pyright", f"no readable answer: {error!r}") from error


def _first_bytes(file: Path) -> bytes:
    """The beginning of a file: as much as is read of a tool's output, and one byte more if there is more."""
    try:
        with file.open("rb") as stream:
            return stream.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return b""
