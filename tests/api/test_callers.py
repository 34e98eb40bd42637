"""Callers over HTTP: what is sent twice runs once, each has quotas of his own, and files are not sent twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from app.api.mcp_sessions import MOST_SESSIONS
from tests.quick_service import quick_service

pytestmark = pytest.mark.slow

TOKENS = {"": "the-token-of-the-service", "studio": "0123456789abcdef", "farm": "fedcba9876543210"}


@pytest.fixture(scope="module")
def address(bare_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("callers")
    tokens = folder / "tokens"
    tokens.write_text("".join(f"{name} {token}\n" for name, token in TOKENS.items() if name))
    given: dict[str, Any] = {"token": TOKENS[""], "tokens": tokens, "runs_per_minute": 4}
    with quick_service(bare_home, folder / "data", **given) as address:
        yield address


def client(address: str, name: str) -> httpx2.Client:
    return httpx2.Client(base_url=address, headers={"Authorization": f"Bearer {TOKENS[name]}"}, timeout=60)


def test_what_is_sent_again_with_its_key_is_the_same_run(address: str) -> None:
    with client(address, "") as one, client(address, "studio") as other:
        body, key = {"request": "add a cube"}, {"Idempotency-Key": "order-1"}
        first, again = (one.post("/generate", json=body, headers=key) for _ in range(2))
        assert (first.status_code, again.status_code, again.json()["id"]) == (200, 200, first.json()["id"])
        for path, wrong in (("/generate", {"request": "add a ball"}), ("/validate", {"snippet": "add a cube"})):
            refused = one.post(path, json=wrong, headers=key)
            assert (refused.status_code, refused.json()["code"]) == (422, "idempotency_key_reused")
            assert first.json()["id"] in refused.json()["message"]
        assert other.post("/generate", json=body, headers=key).json()["id"] != first.json()["id"]
        assert one.post("/generate", json=body, headers={"Idempotency-Key": ""}).status_code == 422


def test_a_caller_who_has_had_his_runs_waits_and_others_do_not(address: str) -> None:
    with client(address, "farm") as one, client(address, "") as other:
        sent = [one.post("/generate", json={"request": f"add cube {number}"}) for number in range(5)]
        assert [response.status_code for response in sent] == [200] * 4 + [429]
        assert (sent[-1].json()["code"], sent[-1].headers["Retry-After"]) == ("quota_spent", "60")
        assert other.post("/generate", json={"request": "add a cube"}).status_code == 200


def test_every_token_lets_in_and_no_other(address: str) -> None:
    for name in TOKENS:
        with client(address, name) as one:
            assert one.get("/runs").status_code == 200
    assert httpx2.get(f"{address}/runs", headers={"Authorization": "Bearer studio"}).status_code == 401
    signed = httpx2.post(f"{address}/page/sign-in", data={"token": TOKENS["studio"]})
    assert signed.status_code == 303
    assert httpx2.get(f"{address}/", cookies=signed.cookies).status_code == 200


def test_a_file_that_the_client_has_is_not_sent_again(address: str) -> None:
    with client(address, "") as one:
        run = one.post("/generate", json={"request": "add a gold ball"}, headers={"Idempotency-Key": "order-9"}).json()
        for path in (run["artifact"]["picture"], run["artifact"]["picture"] + "?size=64", run["artifact"]["snippet"]):
            response = one.get(path)
            tag = response.headers["ETag"]
            assert "immutable" in response.headers["Cache-Control"]
            same = one.get(path, headers={"If-None-Match": f'"other", {tag}'})
            assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", tag)
            assert one.get(path, headers={"If-None-Match": '"other"'}).content == response.content


async def runs_by_mcp(address: str, name: str, run_id: str) -> bool:
    """True if a caller's session of MCP sees a run."""
    known = {"Authorization": f"Bearer {TOKENS[name]}"}
    async with (
        httpx2.AsyncClient(headers=known, timeout=120) as http,
        Client(streamable_http_client(f"{address}/mcp", http_client=http)) as session,
    ):
        return not (await session.call_tool("run", {"id": run_id})).is_error


async def test_a_caller_sees_his_own_runs_by_every_way(address: str) -> None:
    with client(address, "farm") as own:
        # The caller before may have had his runs of this minute.
        run = (
            next(iter(own.get("/runs").json()["runs"]), None)
            or own.post("/generate", json={"request": "add a cube"}).json()
        )
    for path in (f"/runs/{run['id']}", f"/runs/{run['id']}/brief", f"/runs/{run['id']}/events", f"/jobs/{run['id']}"):
        seen: list[int] = []
        for name in ("farm", "", "studio"):
            with client(address, name) as caller:
                seen.append(caller.get(path).status_code)
        assert seen == [200, 200, 404], path
    with client(address, "studio") as other:
        assert run["id"] not in other.get("/runs?limit=200").text + other.get("/page/runs").text
        more = other.post("/generate", json={"request": "add a cube", "continues": run["id"]})
        assert (more.status_code, "There is no run" in more.text) == (422, True)
        form = {"snippet": "import bpy", "run": run["id"]}
        assert "There is no run" in other.post("/page/ask", data=form).text
    assert [await runs_by_mcp(address, name, run["id"]) for name in ("farm", "", "studio")] == [True, True, False]


def test_a_session_of_mcp_is_its_callers_alone(address: str) -> None:
    begin: dict[str, Any] = {
        "method": "initialize",
        "params": {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
    }

    def asked(name: str, said: dict[str, Any], session: str = "") -> httpx2.Response:
        headers = {"Accept": "application/json, text/event-stream", "Mcp-Session-Id": session}
        with client(address, name) as caller:
            sent = {key: value for key, value in headers.items() if value}
            return caller.post("/mcp", json={"jsonrpc": "2.0", "id": 1, **said}, headers=sent)

    session = asked("studio", begin).headers["mcp-session-id"]
    tools: dict[str, Any] = {"method": "tools/list", "params": {}}
    assert [asked(name, tools, session).status_code for name in ("farm", "studio")] == [404, 200]
    with client(address, "farm") as other:
        assert other.delete("/mcp", headers={"Mcp-Session-Id": session}).status_code == 404
    assert asked("studio", tools, session).status_code == 200
    # Whoever opens all that he may takes no room of another.
    assert [asked("farm", begin).status_code for _ in range(MOST_SESSIONS + 1)][-2:] == [200, 503]
    assert asked("studio", begin).status_code == 200
