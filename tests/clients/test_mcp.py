"""The MCP server, asked by the client of the SDK on standard input and output and over streamable HTTP."""

from __future__ import annotations

import base64
import io
import json
import os
import sys
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import anyio
import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, ImageContent, TextContent
from PIL import Image
from pydantic import SecretStr

from app.api.examples import example
from clients.mcp.server import mcp_server
from clients.mcp.service import RemoteService, ToolFailed
from clients.mcp.tools import TOOLS
from harness.blenders import Blender
from tests.quick_service import quick_service

pytestmark = pytest.mark.slow

TOKEN = "s3cret"
LET_IN = {"Authorization": f"Bearer {TOKEN}"}
CHARACTERS_A_TOKEN = 3.5
WAYS = ("http", "http legacy", "stdio")


def tokens(content: Any) -> float:
    """About how many tokens a model reads."""
    text = content if isinstance(content, str) else json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    return len(text) / CHARACTERS_A_TOKEN


@pytest.fixture(scope="module")
def url(bare_home: Path, blender: Blender, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data = tmp_path_factory.mktemp("mcp") / "data"
    with quick_service(bare_home, data, token=SecretStr(TOKEN)) as url:
        yield url


@asynccontextmanager
async def connected(url: str, way: str = "http") -> AsyncGenerator[Client]:
    """A client of the SDK."""
    if way == "stdio":
        environment = {**os.environ, "BLENDPROOF_TOKEN": TOKEN}
        command = ["-m", "app.cli.main", "mcp", "--url", url]
        target: Any = StdioServerParameters(command=sys.executable, args=command, env=environment)
        async with Client(target) as client:
            yield client
        return
    async with httpx2.AsyncClient(headers=LET_IN, timeout=120) as http:
        target = streamable_http_client(f"{url}/mcp", http_client=http)
        async with Client(target, mode="legacy" if "legacy" in way else "auto") as client:
            yield client


def text_of(answer: CallToolResult) -> str:
    assert isinstance(answer.content[0], TextContent)
    return answer.content[0].text


async def until(look: Callable[[], Any]) -> None:
    with anyio.fail_after(120):
        while not look():  # noqa: ASYNC110 - another process has to come so far
            await anyio.sleep(0.02)


def runs(url: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = httpx2.get(f"{url}/runs", headers=LET_IN, timeout=120).json()["runs"]
    return found


def test_the_tools_are_few_and_their_schemas_small() -> None:
    listed = [one.listed(name).model_dump(mode="json", by_alias=True, exclude_none=True) for name, one in TOOLS.items()]
    print(f"{len(TOOLS)} tools, about {tokens(listed):.0f} tokens")
    assert len(TOOLS) <= 8 and tokens(listed) < 2100
    for one in listed:
        assert one["description"] and "title" not in json.dumps(one["inputSchema"])


@pytest.mark.parametrize("way", WAYS)
async def test_a_run_is_followed_and_answered_in_short_or_cancelled(way: str, url: str) -> None:
    told: list[str] = []
    scope = anyio.CancelScope()

    async def stop(progress: float, total: float | None, message: str | None) -> None:
        scope.cancel(f"{progress} of {total}: {message}")

    async def say(progress: float, total: float | None, message: str | None) -> None:
        told.append(f"{progress:g} {message}")
        assert total is None

    async with connected(url, way) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == set(TOOLS)
        answer = await client.call_tool("generate", {"request": "a red tower"}, progress_callback=say)
        with scope:
            await client.call_tool("generate", {"request": "an endless tower"}, progress_callback=stop)
        assert scope.cancelled_caught
        await until(lambda: runs(url)[0]["status"] == "cancelled")
        # The connection is still good.
        assert not (await client.call_tool("run", {"id": runs(url)[0]["id"]})).is_error
    assert told == ["1 draft", "2 attempt 1: check and execute", "3 attempt 1 passed"]
    brief = answer.structured_content
    assert (brief["status"], answer.is_error) == ("proven", False)
    assert brief["snippet"] == "# a red tower\nimport bpy\n"
    assert text_of(answer).startswith("```python\n# a red tower\nimport bpy\n```\n\nProven on Blender")
    assert brief["id"] in text_of(answer) and brief["artifact"] in text_of(answer)


async def test_a_long_answer_is_cut_and_had_whole_by_its_id(url: str) -> None:
    async with connected(url) as client:
        answer = await client.call_tool("generate", {"request": "a long and wrong tower"})
        brief = answer.structured_content
        assert max(tokens(text_of(answer)), tokens(brief)) < 1200
        assert brief["snippet"].endswith("\n") and "at the end of the snippet" in brief["left_out"][0]
        assert "line 2: there is no bpy" in brief["findings"][0] and "Not proven" in brief["said"]
        whole = text_of(await client.call_tool("run", {"id": brief["id"], "part": "snippet"}))
        verdict = text_of(await client.call_tool("run", {"id": brief["id"], "part": "verdict"}))
        attempts = text_of(await client.call_tool("run", {"id": brief["id"], "part": "attempts"}))
    assert whole.startswith(brief["snippet"]) and len(whole) > 2 * len(brief["snippet"])
    assert "execute failed: line 2: there is no bpy" in verdict and "parse passed" in verdict
    assert "Attempt 1 by commands: failed at execute\n- as it was read" in attempts


async def test_a_run_is_gone_on_from_and_a_snippet_judged(url: str) -> None:
    async with connected(url) as client:
        first = (await client.call_tool("generate", {"request": "a red tower"})).structured_content
        second = await client.call_tool("generate", {"request": "taller", "continues": first["id"]})
        judged = await client.call_tool("validate", {"snippet": "import bpy  # mine\n", "heal": True})
    assert second.structured_content["snippet"].startswith("# 'a red tower.\\ntaller.'\n# a red tower\n")
    assert "mine" in judged.structured_content["snippet"]


async def test_pictures_fit_and_come_as_pictures(url: str) -> None:
    async with connected(url) as client:
        made = await client.call_tool("generate", {"request": "a red tower"})
        small, run = made.content[1], made.structured_content
        assert isinstance(small, ImageContent)
        assert max(Image.open(io.BytesIO(base64.b64decode(small.data))).size) == 256
        without = await client.call_tool("validate", {"snippet": "import bpy  # seen\n", "picture": False})
        assert (len(without.content), without.structured_content["status"]) == (1, "proven")
        sizes: list[tuple[int, int]] = []
        for asked in (
            {"id": run["artifact"]},
            {"id": run["artifact"], "size": 100},
            {"id": run["artifact"], "part": "sheet"},
        ):
            shown = (await client.call_tool("artifact", asked)).content[0]
            assert isinstance(shown, ImageContent) and shown.mime_type == "image/png"
            sizes.append(Image.open(io.BytesIO(base64.b64decode(shown.data))).size)
        shown = (await client.call_tool("run", {"id": run["id"], "part": "picture"})).content[0]
        about = text_of(await client.call_tool("artifact", {"id": run["artifact"], "part": "about"}))
        snippet = text_of(await client.call_tool("artifact", {"id": run["artifact"], "part": "snippet"}))
    assert sizes[:2] == [(512, 512), (100, 100)] and max(sizes[2]) == 512
    assert isinstance(shown, ImageContent)
    assert "Objects: Ball" in about and snippet == "# a red tower\nimport bpy\n"


WRONG: Final[tuple[tuple[str, dict[str, Any], str], ...]] = (
    ("generate", {}, "request: Field required"),
    ("generate", {"request": "x", "blendr": "5.0"}, "blendr: `generate` has no such argument; it takes blender, "),
    ("generate", {"request": "x", "blender": "1.0"}, "no Blender 1.0"),
    ("generate", {"request": "x", "continues": "r-none"}, "There is no run r-none"),
    ("generate", {"request": "x" * 5000}, "body.request"),
    ("generate", {"request": "an unknown tower"}, "docs/models.md"),
    ("run", {"id": "r-none"}, "There is no run r-none"),
    ("run", {"id": "../runs"}, "is no id"),
    ("run", {"id": ".."}, "is no id"),
    ("artifact", {"id": "a-0000000000000000"}, "no artifact"),
    ("search", {"query": "x", "kind": "songs"}, "kind: Input should be"),
    ("search", {"query": " "}, "query.q"),
    ("symbol", {"address": "bpy.types.Object"}, "ingest"),
)


async def test_what_is_wrong_is_an_answer_that_says_what_to_do(url: str) -> None:
    async with connected(url) as client:
        for tool, arguments, said in WRONG:
            answer = await client.call_tool(tool, arguments)
            assert answer.is_error and said in text_of(answer), (tool, arguments, text_of(answer))


async def test_resources_and_the_prompt(url: str) -> None:
    async with connected(url) as client:
        run = (await client.call_tool("generate", {"request": "a red tower"})).structured_content
        await until(lambda: httpx2.get(f"{url}/artifacts", headers=LET_IN, timeout=120).json()["artifacts"])
        listed = (await client.list_resources()).resources
        assert [one.uri for one in listed[:2]] == [
            "blendproof://cookbook",
            f"blendproof://artifacts/{run['artifact']}/snippet.py",
        ]
        read: dict[str, Any] = {}
        for uri in (
            "cookbook", "cookbook/modelling/spiral_staircase.py", f"artifacts/{run['artifact']}/snippet.py",
            f"artifacts/{run['artifact']}/picture.png", f"runs/{run['id']}",
        ):  # fmt: skip
            read[uri.rpartition("/")[2]] = (await client.read_resource(f"blendproof://{uri}")).contents[0]
        assert (
            "modelling/spiral_staircase" in read["cookbook"].text and "import bpy" in read["spiral_staircase.py"].text
        )
        assert read["snippet.py"].text == "# a red tower\nimport bpy\n"
        assert Image.open(io.BytesIO(base64.b64decode(read["picture.png"].blob))).size == (640, 640)
        for uri in ("blendproof://settings", "blendproof://cookbook/../../x.py", "blendproof://cookbook/a/b.py"):
            with pytest.raises(MCPError, match=r"There is no (resource|recipe)"):
                await client.read_resource(uri)
        asked = await client.get_prompt("solve", {"task": "a lamp"})
        assert isinstance(asked.messages[0].content, TextContent) and "a lamp" in asked.messages[0].content.text
        with pytest.raises(MCPError, match="`task` must be given"):
            await client.get_prompt("solve", {})


def test_the_door_has_the_token_and_the_limits_of_the_service(url: str) -> None:
    kind = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}

    def post(content: bytes, **headers: str) -> httpx2.Response:
        return httpx2.post(f"{url}/mcp", content=content, headers={**kind, **headers}, timeout=120)

    refused = [post(b"{}"), httpx2.get(f"{url}/mcp", timeout=120), post(b"{}", Authorization="Bearer wrong")]
    assert [(answer.status_code, answer.json()["code"]) for answer in refused] == [(401, "unauthorized")] * 3
    assert post(b"{}", Origin="http://evil.example", **LET_IN).status_code == 403
    assert post(b"[" + b"1," * 1_000_001 + b"1]", **LET_IN).status_code == 413
    for content in (b"", b"{", b"[]", b"\xff", b"9" * 5000, b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'):
        assert 400 <= post(content, **LET_IN).status_code < 500, content


HIT: dict[str, Any] = {
    "citation": "export/mesh.py:40-52", "name": "export_mesh", "kind": "function", "signature": "def export_mesh(mesh)",
    "reasons": ["words (place 1)"], "text": "def export_mesh(mesh):\n" + "    pass\n" * 200,
}  # fmt: skip
FRESH: dict[str, Any] = {"commit": "4f0c2a9d", "was_stale": True, "read": 1}
REPOSITORIES: dict[str, Any] = {
    "GET /repositories": {"repositories": [{"name": "my-addon", "root": "/srv/my-addon", "url": None}]},
    "POST /repositories/my-addon/search": {
        "hits": [HIT], "files": [], "freshness": FRESH, "brief": "export/mesh.py:40-52 def export_mesh(mesh)\n",
    },
    "POST /repositories/my-addon/ask": {
        "status": "answered", "text": "It does [export/mesh.py:40-52].", "note": "", "passages": [HIT],
        "struck": [{"citation": "a.py:1-2", "reason": "it was not shown"}], "freshness": FRESH,
    },
    "GET /repositories/my-addon/structure": {"text": "export/  3 files", "freshness": FRESH},
    "GET /repositories/my-addon/graph": example("RELATED"),
    "POST /repositories/my-addon/diagnose": example("DIAGNOSIS"),
    "POST /addons": example("ADDON_QUEUED"),
    "GET /addons/k-0123456789abcdef": example("ADDON_CHECK"),
}  # fmt: skip


async def test_repositories_are_listed_searched_and_asked() -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        found = REPOSITORIES.get(f"{request.method} {request.url.path}")
        missing: dict[str, Any] = {
            "code": "not_found",
            "message": "There is no such repository.",
            "hint": "List them.",
            "details": {},
        }
        return httpx2.Response(200 if found else 404, json=found or missing)

    async def reached() -> httpx2.AsyncClient:
        return httpx2.AsyncClient(transport=httpx2.MockTransport(answer), base_url="http://service")

    async with Client(mcp_server(RemoteService(reached), "1")) as client:

        async def ask(**arguments: Any) -> CallToolResult:
            return await client.call_tool("repository", arguments)

        listed, shape = text_of(await ask(do="list")), text_of(await ask(do="structure", name="my-addon"))
        found = text_of(await ask(name="my-addon", question="where is the mesh exported?"))
        explained = text_of(await ask(name="my-addon", question="where?", do="ask"))
        wrong = [await ask(name="other", question="x"), await ask(question="x"), await ask(name="my-addon")]
        callers = text_of(await ask(name="my-addon", question="Exporter.write", do="callers"))
        suspects = text_of(await ask(name="my-addon", question="Traceback ...", do="diagnose"))
        checked = text_of(await ask(name="my-addon", do="check"))
    assert checked.splitlines()[0] == "shed: did not pass" and "3 of 4 operators" in checked
    assert "error shed/operators.py:12 Operator SHED_OT_smooth raises" in checked
    assert callers.startswith("export/menu.py:5-9 save calls Exporter.write (exact, export/menu.py:8)")
    assert suspects.startswith("Suspect (likely): kiln/util.py:1-2 soften: it broke here")
    assert listed == "my-addon: /srv/my-addon" and shape == "export/  3 files"
    assert found.startswith("export/mesh.py:40-52 def export_mesh(mesh)\n") and len(found) < 4300
    assert "[export/mesh.py:40-52]" in explained and "Struck out: a.py:1-2: it was not shown" in explained
    assert all(one.is_error for one in wrong) and "no such repository" in text_of(wrong[0])


async def test_a_cancelled_check_of_add_ons_is_cancelled_in_the_service() -> None:
    asked: list[str] = []
    scope = anyio.CancelScope()

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(f"{request.method} {request.url.path}")
        return httpx2.Response(200, json=example("ADDON_QUEUED"))

    async def reached() -> httpx2.AsyncClient:
        return httpx2.AsyncClient(transport=httpx2.MockTransport(answer), base_url="http://service")

    async def stop(_number: int, _stage: str) -> None:
        scope.cancel("it takes too long")

    with scope:
        await RemoteService(reached).check({"archive": ""}, stop)
    assert scope.cancelled_caught and asked == ["POST /addons", f"DELETE /jobs/{example('ADDON_QUEUED')['id']}"]


async def test_a_page_in_place_of_an_answer_is_no_service() -> None:
    async def reached() -> httpx2.AsyncClient:
        page = httpx2.MockTransport(lambda _: httpx2.Response(200, text="<html>"))
        return httpx2.AsyncClient(transport=page, base_url="http://service")

    with pytest.raises(ToolFailed, match="is not a Blendproof service: it answers 200"):
        await RemoteService(reached).get("/runs/r-1")
    assert await RemoteService(reached).text("/runs/r-1") == "<html>"
