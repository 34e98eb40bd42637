"""What is refused before a body is read, and how slowly wrong tokens and slow senders are answered."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr
from starlette.types import ASGIApp, Message
from uvicorn.config import Config
from uvicorn.server import ServerState

from app.api import door
from app.api.door import BoundedBody, Guesses, HeldBodies
from app.cli import server
from app.cli.server import Protocol
from app.errors import RequestTooLarge, RequestTooSlow, ServiceBusy, TooManyGuesses
from app.settings import Settings
from tests.fixtures import serving

JSON = {"Content-Type": "application/json"}


async def test_no_body_is_read_without_the_token(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "GUESS_S", 0.2)
    guarded = settings.model_copy(update={"token": SecretStr("s3cret")})
    seen: list[int] = []

    async def counted(self: BoundedBody) -> Message:
        message = await reading(self)
        seen.append(len(message.get("body", b"")))
        return message

    reading = BoundedBody.receive
    monkeypatch.setattr(BoundedBody, "receive", counted)
    async with serving(guarded) as client:
        for path in ("/generate", "/symbols/diff", "/artifacts/import", "/page/ask"):
            refused = await client.post(path, content=b"[" * 1000, headers=JSON)
            assert refused.status_code == (303 if path == "/page/ask" else 401), path
        assert not seen
        begun = time.monotonic()
        wrong = await client.post("/generate", content=b"{}", headers={**JSON, "Authorization": "Bearer no"})
        assert wrong.status_code == 401 and time.monotonic() - begun >= 0.2
        right = await client.post("/generate", content=b"{}", headers={**JSON, "Authorization": "Bearer s3cret"})
        assert right.status_code == 422 and seen


async def test_wrong_tokens_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "GUESS_S", 0.05)
    guesses = Guesses()

    async def guess() -> str:
        try:
            await guesses.slow_down()
        except TooManyGuesses:
            return "refused"
        return "answered"

    begun = time.monotonic()
    results = await asyncio.gather(*(guess() for _ in range(40)))
    assert results.count("refused") == 40 - door.MOST_WAITING
    assert time.monotonic() - begun >= 0.05 * door.MOST_WAITING / door.GUESSES_AT_ONCE
    assert await guess() == "answered"


async def received(body: BoundedBody) -> int:
    """Read a body to its end, as the application does; the number of its messages."""
    count = 0
    while (message := await body.receive())["type"] == "http.request":
        count += 1
        if not message["more_body"]:
            break
    return count


def body_of(*chunks: bytes, most: int = 1000, pause: float = 0.0) -> BoundedBody:
    messages = [{"type": "http.request", "body": one, "more_body": True} for one in chunks]
    messages[-1]["more_body"] = False

    async def receive() -> Message:
        await asyncio.sleep(pause)
        return messages.pop(0)

    return BoundedBody(receive, most, json=True, held=HeldBodies())


async def test_bodies_are_bounded_in_bytes_values_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "MOST_VALUES", 50)
    monkeypatch.setattr(door, "BODY_S", 0.3)
    long, short = json.dumps([1] * 60).encode(), json.dumps([1] * 40).encode()
    cases: list[tuple[list[bytes], float, type[Exception] | None]] = [
        ([b"x" * 600, b"x" * 600], 0, RequestTooLarge),
        ([b"x" * 500, b"x" * 500], 0, None),
        ([long], 0, RequestTooLarge),
        ([short], 0, None),
        ([b"x", b"x"], 1, RequestTooSlow),
        ([b"x", b"x"], 0, None),
    ]
    for chunks, pause, problem in cases:
        body = body_of(*chunks, pause=pause)
        await received(body)
        assert type(body.problem) is (problem or type(None))


@pytest.mark.parametrize(
    ("kinds", "counted"),
    [
        ([], True),
        ([b"application/json"], True),
        ([b"application/JSON"], True),
        ([b"application/vnd.x+JSON"], True),
        ([b"application/json", b"text/plain"], True),
        ([b"application/x-tar"], False),
        ([b"text/plain", b"image/png"], False),
    ],
)
async def test_values_are_counted_however_json_is_announced(
    kinds: list[bytes], counted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "MOST_VALUES", 50)
    sent = [{"type": "http.request", "body": json.dumps([1] * 60).encode(), "more_body": False}]
    told: list[Any] = []

    async def receive() -> Message:
        return sent.pop()

    async def send(message: Any) -> None:
        told.append(message.get("status", 0))

    async def read(scope: Any, receive: Any, send: Any) -> None:
        kind = (await receive())["type"]
        await send({"type": "http.response.start", "status": 200 if kind == "http.request" else 0, "headers": []})

    scope = {"type": "http", "method": "POST", "path": "/x", "headers": [(b"content-type", kind) for kind in kinds]}
    await door.BodyLimit(read, {})(scope, receive, send)
    assert told[0] == (413 if counted else 200)


@pytest.mark.parametrize(("path", "status"), [("/artifacts/import", 422), ("/generate", 413)])
async def test_an_archive_without_a_type_is_no_json(
    path: str, status: int, client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "MOST_VALUES", 50)
    assert (await client.post(path, content=b"[" * 60)).status_code == status


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("/repositories/shop/diagnose", "let the operator raise BLENDPROOF_MAX_BODY_BYTES."),
        ("/artifacts/import", "let the operator raise BLENDPROOF_MAX_ARCHIVE_BYTES."),
        ("/repositories/shop/changes", "Send a smaller request."),
    ],
)
async def test_a_body_that_is_too_large_names_the_setting_that_helps(
    path: str, hint: str, client: httpx2.AsyncClient
) -> None:
    told = await client.post(path, content=b"{}", headers={**JSON, "Content-Length": str(1 << 40)})
    assert told.status_code == 413 and told.json()["hint"].endswith(hint)


@pytest.mark.parametrize(("asked", "status"), [("diagnose", 404), ("changes", 413)])
async def test_a_log_of_a_million_characters_fits_in_a_body(
    asked: str, status: int, client: httpx2.AsyncClient
) -> None:
    body = json.dumps({"log": "error\n" * 166_000 + "\x1b" * 4000})
    assert len(body) > (1 << 20)
    assert (await client.post(f"/repositories/none/{asked}", content=body, headers=JSON)).status_code == status


async def test_large_bodies_together_are_bounded_and_small_ones_let_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "MOST_HELD", 5000)
    monkeypatch.setattr(door, "SMALL_BODY", 100)
    held = HeldBodies()

    async def sent(size: int) -> BoundedBody:
        async def receive() -> Message:
            return {"type": "http.request", "body": b"x" * size, "more_body": False}

        body = BoundedBody(receive, 10_000, json=True, held=held)
        await body.receive()
        return body

    first, second, small = await sent(3000), await sent(3000), await sent(100)
    assert (first.problem, type(second.problem), small.problem) == (None, ServiceBusy, None)
    for body in (first, second, small):
        body.let_go()
    assert held.bytes == 0 and (await sent(3000)).problem is None


async def test_a_request_that_is_ended_as_a_message_comes_is_not_gone_on_with() -> None:
    for steps in range(4):
        come = asyncio.Event()

        async def receive(come: asyncio.Event = come) -> Message:
            await come.wait()
            return {"type": "http.request", "body": b"x", "more_body": False}

        reading = asyncio.create_task(BoundedBody(receive, 1000, json=True, held=HeldBodies()).receive())
        await asyncio.sleep(0.001)
        come.set()
        for _ in range(steps):
            await asyncio.sleep(0)
        if reading.cancel():
            with pytest.raises(asyncio.CancelledError):
                await reading
        else:
            assert (await reading)["body"] == b"x"


async def test_a_length_together_with_chunks_is_refused(client: httpx2.AsyncClient) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        yield b"{}"

    both = {**JSON, "Content-Length": "2", "Transfer-Encoding": "chunked"}
    assert (await client.post("/generate", content=chunks(), headers=both)).status_code == 400
    assert (await client.post("/generate", content=chunks(), headers=JSON)).status_code == 422


class Transport:
    """As much of a connection as the protocol uses."""

    def __init__(self) -> None:
        self.closed = self.aborted = False
        self.unread = 0

    def set_write_buffer_limits(self, _high: int) -> None: ...

    def get_write_buffer_size(self) -> int:
        return self.unread

    def abort(self) -> None:
        self.aborted = True

    def get_extra_info(self, _name: str) -> Any:
        return None

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def write(self, _data: bytes) -> None: ...

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


async def never(_scope: Any, receive: Any, _send: Any) -> None:
    """Answer nothing."""
    await receive()


def connected(app: ASGIApp) -> tuple[Protocol, Transport]:
    """A protocol with an open connection."""
    protocol = Protocol(Config(app, log_config=None, lifespan="off"), ServerState(), {})
    transport = Transport()
    protocol.connection_made(transport)  # type: ignore[arg-type]
    return protocol, transport


async def test_a_connection_without_headers_is_closed(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "HEADERS_S", 0.2)

    async def after(first: bytes) -> bool:
        protocol, transport = connected(never)
        for byte in range(len(first)):
            protocol.data_received(first[byte : byte + 1])
        await asyncio.sleep(0.3)
        return transport.closed

    assert await after(b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ")
    assert not await after(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n")


async def test_a_caller_who_reads_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "UNREAD_S", 0.1)
    for reads, ends in ((0, True), (10, False)):
        protocol, transport = connected(never)
        transport.unread = 1000
        protocol.pause_writing()
        for _ in range(5):
            await asyncio.sleep(0.06)
            transport.unread -= reads
        assert transport.aborted is ends
        protocol.connection_lost(None)
    _, transport = connected(never)
    await asyncio.sleep(0.2)
    assert not transport.aborted


async def test_the_documentation_runs_only_its_own_script(client: httpx2.AsyncClient) -> None:
    shown = await client.get("/docs")
    policy = shown.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "script-src 'self' 'sha256-" in policy
    assert "'unsafe-inline'" not in policy.partition("style-src")[0]
