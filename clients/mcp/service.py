"""One Blendproof service over HTTP: what it answers, and the runs that are followed there."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any, Final

import anyio
import httpx2

Say = Callable[[int, str], Awaitable[None]]
"""Takes the number of an event of a run, and what it says."""
TIMEOUT: Final = httpx2.Timeout(120.0, connect=10.0)
SILENCE_S: Final = 60.0
"""A stream of events is pinged every 15 s."""
AGAIN_S: Final = 0.5
BRIEF_LENGTH: Final = 3500
"""Characters of a run in short: with ids and links, it stays below 1,200 tokens."""


class ToolFailed(Exception):
    """The task cannot be done; the message says why and what to do, to a model."""


class NotThere(ToolFailed):
    """The thing that was asked for is not there."""


def http_client(url: str, token: str | None) -> httpx2.AsyncClient:
    """A client for the service at this address; raises httpx2.InvalidURL."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return httpx2.AsyncClient(base_url=url, headers=headers, timeout=TIMEOUT, trust_env=False)


class RemoteService:
    """A service; methods raise ToolFailed. `reached` answers the connection to it, or raises ToolFailed.

    `begin` is called when a tool will probably be called soon.
    """

    def __init__(
        self, reached: Callable[[], Awaitable[httpx2.AsyncClient]], begin: Callable[[], None] = lambda: None
    ) -> None:
        self._reached: Final = reached
        self.begin: Final = begin

    async def get(self, path: str, **query: Any) -> Any:
        """The JSON at a path; what is None in the query is left out."""
        return await self._json("GET", path, params=given(query))

    async def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """The JSON that answers a body."""
        return await self._json("POST", path, json=body)

    async def text(self, path: str) -> str:
        """The text at a path."""
        return (await self._send("GET", path)).text

    async def content(self, path: str, **query: Any) -> bytes:
        """The bytes at a path."""
        return (await self._send("GET", path, params=given(query))).content

    async def run(self, path: str, body: Mapping[str, Any], say: Say) -> dict[str, Any]:
        """Begin a run, tell what happens in it, and answer it in short when it has ended.

        If this is cancelled, the run is too.
        """
        async with self._begun(path, body) as begun:
            await self._follow(begun["id"], say)
            brief: dict[str, Any] = await self.get(f"/runs/{begun['id']}/brief", length=BRIEF_LENGTH)
        return brief

    async def check(self, body: Mapping[str, Any], say: Say) -> dict[str, Any]:
        """Begin a check of add-ons, tell its stages, and answer it when it has ended.

        If this is cancelled, the check is too.
        """
        async with self._begun("/addons", body) as begun:
            found, number, stage = begun, 0, ""
            while found["finished_at"] is None:
                if found["stage"] != stage:
                    number, stage = number + 1, found["stage"]
                    await say(number, stage)
                await anyio.sleep(AGAIN_S)
                found = await self.get(f"/addons/{found['id']}")
        return found

    @contextlib.asynccontextmanager
    async def _begun(self, path: str, body: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        """A job that is begun, and cancelled if this is."""
        begun: dict[str, Any] = {}
        # Before its id is known, it would be left alone.
        with anyio.CancelScope(shield=True):
            begun = await self._json("POST", path, json=given(body), headers={"Prefer": "respond-async"})
        try:
            yield begun
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True), contextlib.suppress(ToolFailed):
                await self._send("DELETE", f"/jobs/{begun['id']}")
            raise

    async def _follow(self, run_id: str, say: Say) -> None:
        """Tell the events of a run until it has ended; a connection that is lost is made again."""
        number, ended = 0, False
        while True:
            headers = {"Last-Event-ID": str(number), "Accept": "text/event-stream"}
            address, patience = f"/runs/{run_id}/events", httpx2.Timeout(SILENCE_S)
            try:
                http = await self._reached()
                async with http.stream("GET", address, headers=headers, timeout=patience) as response:
                    if response.status_code != 200:
                        return
                    async for line in response.aiter_lines():
                        name, _, value = line.partition(": ")
                        if name == "id":
                            number = int(value)
                        elif name == "data" and (text := json.loads(value).get("text")):
                            await say(number, text)
                        ended = ended or (name, value) == ("event", "ended")
            except httpx2.HTTPError as error:
                # Raises if the service does not answer at all.
                await self._send("GET", f"/runs/{run_id}/brief")
                await say(number, f"the connection was lost ({type(error).__name__}); it is made again")
            if ended:
                return
            await anyio.sleep(AGAIN_S)

    async def _send(self, method: str, path: str, **options: Any) -> httpx2.Response:
        http = await self._reached()
        try:
            response = await http.request(method, path, **options)
        except httpx2.HTTPError as error:
            where = f"The service at {http.base_url} does not answer"
            raise ToolFailed(f"{where}: {error or type(error).__name__}. Start it with `blendproof serve`.") from error
        if response.is_success:
            return response
        raise (NotThere if response.status_code == 404 else ToolFailed)(problem_of(response))

    async def _json(self, method: str, path: str, **options: Any) -> Any:
        response = await self._send(method, path, **options)
        try:
            return response.json()
        except ValueError:
            raise ToolFailed(problem_of(response)) from None


def problem_of(response: httpx2.Response) -> str:
    """The words of a service on what was wrong, with what to do."""
    try:
        body = response.json()
        message, hint, details = body["message"], body["hint"], body["details"]
    except (ValueError, KeyError, TypeError):
        return f"The server at {response.url} is not a Blendproof service: it answers {response.status_code}."
    lines = [f"{message} {hint}"]
    lines += [f"Nearest: {', '.join(details['nearest'])}"] if details.get("nearest") else []
    return "\n".join(lines)


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that are not None."""
    return {name: value for name, value in values.items() if value is not None}
