"""The pages of repositories, the picture of who uses what, and addresses that are none."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx2
import pytest
from pydantic import HttpUrl

from app.llm.providers import ProviderSettings
from app.settings import Settings
from app.web.edges import HIGH, WIDE, edge_picture
from codebase.ask.relations import CitedUnit, Relation
from harness.blenders import Blender
from tests.fixtures import serving
from tests.model_server import MODEL, ModelServer, Reply, model_server

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
SHOP = 'def sell(ware):\n    """Hand over a ware."""\n    return wrap(ware)\n\n\ndef wrap(ware):\n    return ware\n'


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server(Reply('{"places": [1]}')) as server:
        yield server


@pytest.fixture
async def client(
    bare_home: Path, blender: Blender, tmp_path: Path, server: ModelServer
) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of a service with a model, which may add what lies in `allowed`, where there is a shop."""
    shop = tmp_path / "allowed" / "shop"
    shop.mkdir(parents=True)
    (shop / "shop.py").write_text(SHOP)
    settings = Settings(
        home=bare_home, data=tmp_path / "data", repositories=[tmp_path / "allowed"], warm_workers=0, warm_checkers=0,
        providers={"custom": ProviderSettings(model=MODEL, url=HttpUrl(server.url))},
    )  # fmt: skip
    async with serving(settings) as client:
        yield client


async def test_a_repository_is_added_searched_drawn_and_refused(
    client: httpx2.AsyncClient, tmp_path: Path, server: ModelServer
) -> None:
    empty = await client.get("/page/repositories")
    assert "No repository yet" in empty.text
    for place, said in (
        ("/etc", 'role="alert"'), ("", "Nothing was given to add"), ("dev@host:shop.git", "cannot be cloned"),
        ("~no-such-user/shop", "is not absolute"),
    ):  # fmt: skip
        refused = await client.post("/page/repositories", data={"place": place})
        assert refused.status_code == 422 and said in refused.text
    added = await client.post("/page/repositories", data={"place": str(tmp_path / "allowed" / "shop")})
    assert (added.status_code, added.headers["location"]) == (303, "/page/repositories/shop")
    found = await client.get("/page/repositories/shop", params={"q": "who hands over a ware"})
    assert "shop.py:1-3" in found.text and "Hand over a ware" in found.text
    assert server.asked == [], "any site can make a browser read an address"
    sent = await client.post("/page/repositories/shop/ask", data={"words": "who hands over a ware"})
    assert "shop.py:1-3" in sent.text and len(server.asked) == 1
    drawn = await client.get("/page/repositories/shop", params={"symbol": "wrap"})
    assert drawn.text.count("<rect") == 2 and ">sell</text>" in drawn.text
    unknown = await client.get("/page/repositories/shop", params={"symbol": "unwrap"})
    assert unknown.status_code >= 400 and 'role="alert"' in unknown.text
    log = 'Traceback (most recent call last):\n  File "shop.py", line 3, in sell\n    return wrap(ware)\nTypeError: no'
    led = await client.post("/page/repositories/shop/ask", data={"words": log, "do": "explain"})
    assert "TypeError" in led.text and "shop.py:3" in led.text
    unsaid = await client.post("/page/repositories/shop/change", data={"words": " "})
    assert unsaid.status_code == 422 and "The change to make is not said" in unsaid.text
    unsaid = await client.post("/page/repositories/shop/change", data={"kind": "port"})
    assert unsaid.status_code == 422 and "The Blender to port to is not said" in unsaid.text
    for words, too_long in (("dear\r\n" * 4_000, False), ("x" * 20_001, True)):
        sent = await client.post("/page/repositories/shop/change", data={"words": words})
        assert (sent.status_code == 422) == too_long, sent.text
        assert not too_long or ("has 20,001 characters; at most 20,000 are read" in sent.text and words in sent.text)
    assert "no repository" in (await client.get("/page/repositories/none")).text


async def test_a_wrong_address_is_a_page_for_a_browser_alone(client: httpx2.AsyncClient) -> None:
    for path in ("/page/nothing", "/nothing"):
        page = await client.get(path, headers=BROWSER)
        assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
        assert "There is no such page." in page.text and "default-src 'none'" in page.headers["content-security-policy"]
        assert (await client.get(path)).json()["code"] == "not_found"
    # What is an address answers the same to whoever asks.
    assert (await client.get("/runs/r-0000", headers=BROWSER)).json()["code"] == "run_not_found"


def related(name: str, certainty: str = "exact") -> Relation:
    return Relation(CitedUnit(f"shop.py:{name}", name, "function"), 1, name, "calls", "wrap", certainty, "shop.py:1")


def test_what_uses_is_left_and_what_is_used_right() -> None:
    symbol = CitedUnit("shop.py:6-7", "wrap", "function")
    drawn = edge_picture(symbol, [related("sell"), related("give", "by name")], [related("cut")])
    middle, sell, give, cut = drawn.boxes
    assert sell.x == give.x == 0 < middle.x < cut.x and give.y - sell.y > HIGH
    assert (sell.sure, give.sure, middle.line) == (True, False, "")
    assert drawn.width == cut.x + WIDE and drawn.left_out == 0
    alone = edge_picture(symbol, [], [])
    assert (len(alone.boxes), alone.width, alone.height) == (1, WIDE, HIGH)
    assert edge_picture(symbol, [related(str(number)) for number in range(20)], []).left_out == 6
