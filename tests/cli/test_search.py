"""GET /search, GET /symbols/{address}, the commands of the index: what is found, and what is said if nothing is."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from typer.testing import CliRunner, Result

from app.cli.doctor import index as index_signs
from app.cli.main import app
from app.retrieval import directory as directory_module
from app.retrieval import retriever as retriever_module
from app.settings import Settings
from ingest.reference_store import ingest_lock
from tests.api.error_bodies import assert_error
from tests.fixtures import serving
from tests.reference import serving as serving_pages
from tests.small_index import MODEL, SYMBOLS, source, use_embedder, write_index, write_words

pytestmark = pytest.mark.slow

SUBSURF = "bpy.types.SubsurfModifier"


@pytest.fixture
def small_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings with a folder of the test's own: no Blender, and no index yet."""
    use_embedder(monkeypatch)
    return Settings(home=tmp_path / "home", embedding_model=MODEL)


@pytest.fixture
async def reader(small_home: Settings) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of a service with the small index."""
    write_index(small_home.index_folder)
    async with serving(small_home) as client:
        yield client


# HTTP


async def test_a_search_answers_symbols_with_reasons(reader: httpx2.AsyncClient) -> None:
    response = await reader.get("/search", params={"q": "SUBSURF", "limit": 3})
    body = response.json()
    assert (response.status_code, body["query"], body["kind"]) == (200, "SUBSURF", "symbols")
    assert (body["reference"]["name"], body["reference"]["dense"]) == ("5.0.1", True)
    assert len(body["hits"]) == 3
    first = body["hits"][0]
    assert (first["symbol"]["address"], first["why"][0]) == (SUBSURF, "the request writes SUBSURF")
    assert all(hit["why"] for hit in body["hits"])


@pytest.mark.parametrize("query", ["🙂", '" * ( ) : ^ ~', "AND OR NOT", "a\x00b", "the of to", "a\nb", "x" * 2000])
async def test_a_strange_query_is_answered(query: str, reader: httpx2.AsyncClient) -> None:
    response = await reader.get("/search", params={"q": query})
    assert (response.status_code, response.json()["query"]) == (200, query)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/search", "query.q"),
        ("/search?q=", "query.q"),
        ("/search?q=%20%0A", "query.q"),
        ("/search?q=" + "x" * 2001, "query.q"),
        ("/search?q=x&limit=0", "query.limit"),
        ("/search?q=x&limit=51", "query.limit"),
        ("/search?q=x&kind=pictures", "query.kind"),
        ("/search?q=x&blender=" + "5" * 61, "query.blender"),
        ("/search?q=x&blender=1.0", "there is 5.0.1"),
        ("/symbols/bpy.types.Object?blender=1.0", "there is 5.0.1"),
        ("/symbols/" + "x" * 201, "path.address"),
    ],
)
async def test_bad_queries_are_named(path: str, said: str, reader: httpx2.AsyncClient) -> None:
    assert said in assert_error(await reader.get(path), 422, "invalid_request")["message"]


@pytest.mark.parametrize("written", [SUBSURF, "SubsurfModifier", "SUBSURF"])
async def test_a_symbol_is_given_whole(written: str, reader: httpx2.AsyncClient) -> None:
    response = await reader.get(f"/symbols/{written}")
    assert response.status_code == 200
    assert (response.json()["address"], response.json()["aliases"]) == (SUBSURF, ["SUBSURF", "Subdivision Surface"])


@pytest.mark.parametrize(
    ("written", "nearest"),
    [
        ("bpy.types.SubsurfModifer", [SUBSURF]),
        ("subsurfmodifer", [SUBSURF]),
        ("the%20SubsurfModifier", [SUBSURF]),
        ("%F0%9F%99%82", []),
        ("%00", []),
        ("..", []),
        ("x" * 200, []),
    ],
)
async def test_a_wrong_address_is_not_found_and_near_ones_are_named(
    written: str, nearest: list[str], reader: httpx2.AsyncClient
) -> None:
    # Asked for as it stands: a client resolves dots before it sends them.
    address = reader.base_url.copy_with(raw_path=f"/symbols/{written.replace('..', '%2e%2e')}".encode())
    error = assert_error(await reader.get(address), 404, "symbol_not_found")
    assert error["details"]["nearest"][:1] == nearest
    assert "5.0.1" in error["message"]


async def test_a_path_is_no_address(reader: httpx2.AsyncClient) -> None:
    for path in ("/symbols/..%2f..%2fetc%2fpasswd", "/symbols/"):
        assert_error(await reader.get(path), 404, "not_found")


async def test_each_version_has_its_own_symbols(small_home: Settings) -> None:
    old = [symbol for symbol in SYMBOLS if symbol.address != SUBSURF]
    write_index(small_home.index_folder, source("4.4-published", old), source("5.0.1"))
    async with serving(small_home) as client:
        newest = (await client.get("/search?q=SUBSURF")).json()
        named = (await client.get("/search?q=SUBSURF&blender=4.4")).json()
        missing = await client.get(f"/symbols/{SUBSURF}?blender=4.4")
    assert (newest["reference"]["name"], named["reference"]["name"]) == ("5.0.1", "4.4-published")
    assert newest["hits"][0]["symbol"]["address"] == SUBSURF
    assert "4.4-published" in assert_error(missing, 404, "symbol_not_found")["message"]


async def test_without_an_index_it_is_said_who_must_do_what(small_home: Settings) -> None:
    async with serving(small_home) as client:
        for path in ("/search?q=cube", "/search?q=cube&blender=5.0", "/symbols/bpy.types.Object"):
            error = assert_error(await client.get(path), 503, "index_not_ready")
            assert "blendproof ingest blender" in error["message"] + error["hint"]
        part = (await client.get("/health")).json()["parts"]["index"]
        assert part["state"] == "degraded"
        assert "blendproof ingest blender" in part["message"]
        # What is ingested meanwhile is taken up without a restart.
        write_words(small_home.index_folder)
        by_words = (await client.get("/search?q=split+the+faces")).json()
        part = (await client.get("/health")).json()["parts"]["index"]
        assert (by_words["reference"]["dense"], by_words["hits"][0]["symbol"]["address"]) == (False, SUBSURF)
        assert (part["state"], "by words alone" in part["message"]) == ("degraded", True)
        write_index(small_home.index_folder)
        assert (await client.get("/search?q=SUBSURF")).json()["reference"]["dense"]
        assert (await client.get("/health")).json()["parts"]["index"]["state"] == "ok"


async def test_an_index_of_another_model_is_said(small_home: Settings) -> None:
    write_index(small_home.index_folder)
    async with serving(small_home.model_copy(update={"embedding_model": "other"})) as client:
        error = assert_error(await client.get("/search?q=cube"), 503, "index_not_ready")
        part = (await client.get("/health")).json()["parts"]["index"]
    assert "BLENDPROOF_EMBEDDING_MODEL" in error["message"]
    assert (part["state"], "BLENDPROOF_EMBEDDING_MODEL" in part["message"]) == ("degraded", True)


async def test_a_damaged_index_is_said(small_home: Settings) -> None:
    write_index(small_home.index_folder)
    (small_home.index_folder / "index.json").write_text("[]")
    async with serving(small_home) as client:
        assert_error(await client.get("/search?q=cube"), 503, "index_not_ready")
        assert (await client.get("/health")).json()["parts"]["index"]["state"] == "degraded"


async def test_the_service_answers_while_an_index_is_loaded(
    small_home: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = directory_module.open_directory

    go_on, began = threading.Event(), threading.Event()

    def slowly(*arguments: Any) -> Any:
        began.set()
        assert go_on.wait(120)
        return opened(*arguments)

    monkeypatch.setattr(retriever_module, "open_directory", slowly)
    write_index(small_home.index_folder)
    async with serving(small_home) as client:
        searches = [asyncio.create_task(client.get("/search?q=SUBSURF")) for _ in range(5)]
        assert await asyncio.to_thread(began.wait, 120)
        assert (await client.get("/health")).status_code == 200
        assert not any(task.done() for task in searches)
        go_on.set()
        assert {response.status_code for response in await asyncio.gather(*searches)} == {200}


async def test_fifty_searches_at_once_are_all_answered(reader: httpx2.AsyncClient) -> None:
    queries = ["SUBSURF", "uv sphere", "split the faces", "round off corners", "🙂"] * 10
    responses = await asyncio.gather(*(reader.get("/search", params={"q": query}) for query in queries))
    assert [(one.status_code, one.json()["query"]) for one in responses] == [(200, query) for query in queries]
    assert responses[0].json()["hits"] == responses[5].json()["hits"]


# The command line


def blendproof(*arguments: str, home: Path, **environment: str) -> Result:
    given = {"BLENDPROOF_HOME": str(home), "BLENDPROOF_EMBEDDING_MODEL": MODEL, **environment}
    return CliRunner().invoke(app, list(arguments), env=given)


@pytest.fixture
def words_home(tmp_path: Path) -> Path:
    """A home with the small index by words alone, which needs no embedding model."""
    write_words(tmp_path / "home" / "index")
    return tmp_path / "home"


def test_a_hit_is_a_line_and_the_reason_is_talk(words_home: Path) -> None:
    done = blendproof("search", "split the faces, SUBSURF", home=words_home)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0] == f"{SUBSURF}\tSplit faces into smaller parts. It looks smoother"
    assert all(line.startswith("bpy.") and line.count("\t") == 1 for line in done.stdout.splitlines())
    assert "the request writes SUBSURF" in done.stderr
    as_json = blendproof("search", "SUBSURF", "--json", "--limit", "1", home=words_home)
    assert json.loads(as_json.stdout)[0]["symbol"]["address"] == SUBSURF


def test_nothing_found_is_1(words_home: Path) -> None:
    done = blendproof("search", "zzzz", home=words_home)
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", "Nothing was found.\n")
    as_json = blendproof("search", "zzzz", "--json", home=words_home)
    assert (as_json.exit_code, json.loads(as_json.stdout)) == (1, [])


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("search",), 2, "Missing argument"),
        (("search", " \n"), 2, "There is nothing to look for."),
        (("search", "x", "--limit", "0"), 2, "--limit"),
        (("search", "x", "--blender", "1.0"), 2, "there is 5.0.1"),
        (("ingest", "docs"), 2, "Missing argument"),
        (("ingest", "docs", "/nowhere"), 3, "/nowhere is not a folder or archive"),
        (("ingest", "blender"), 3, "blendproof blenders install"),
        (("ingest", "blender", "--blender", "9.9"), 3, "blendproof blenders install"),
    ],
)
def test_what_is_wrong_is_said(arguments: tuple[str, ...], code: int, said: str, words_home: Path) -> None:
    done = blendproof(*arguments, home=words_home)
    assert done.exit_code == code, done.output
    assert said in " ".join(done.output.split())
    assert done.stdout == ""


def test_without_an_index_a_search_is_3_and_says_what_to_do(tmp_path: Path) -> None:
    done = blendproof("search", "cube", home=tmp_path)
    assert (done.exit_code, done.stdout) == (3, "")
    assert "Run `blendproof ingest blender`" in done.stderr


def test_what_is_no_reference_is_refused_and_the_index_stays(words_home: Path, tmp_path: Path) -> None:
    before = (words_home / "index" / "index.json").read_bytes()
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / "cut.zip").write_bytes(b"PK\x03\x04" + bytes(200))
    with serving_pages(tmp_path / "empty") as site:
        for where in (str(tmp_path / "empty"), str(tmp_path / "notes.txt"), str(tmp_path / "cut.zip"), site.address):
            done = blendproof("ingest", "docs", where, home=words_home)
            assert (done.exit_code, done.stdout) == (3, ""), done.output
            assert where in done.stderr
            assert "The index is unchanged" in done.stderr
    assert (words_home / "index" / "index.json").read_bytes() == before


@pytest.mark.slow
def test_a_model_that_is_none_is_named(words_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_embedder(monkeypatch)
    write_index(words_home / "index")
    done = blendproof("search", "cube", home=words_home, BLENDPROOF_CROSS_ENCODER=str(words_home))
    assert (done.exit_code, done.stdout) == (3, "")
    assert f"{words_home} cannot be loaded" in " ".join(done.stderr.split())
    assert "ingest" not in done.stderr


@pytest.mark.slow
def test_a_search_is_piped_and_its_bytes_may_be_no_text(words_home: Path) -> None:
    environment = {**os.environ, "BLENDPROOF_HOME": str(words_home)}
    command = [os.fsencode(Path(sys.executable).with_name("blendproof")), b"search", b"faces \xff\xfe"]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().splitlines()[0].startswith(f"{SUBSURF}\t")


def test_an_index_that_is_being_filled_is_searched(words_home: Path) -> None:
    with ingest_lock(words_home / "index"):
        assert blendproof("search", "SUBSURF", home=words_home).exit_code == 0


def test_the_doctor_looks_at_the_index(small_home: Settings) -> None:
    def states() -> list[tuple[str, bool]]:
        return [(sign.state, bool(sign.mend)) for sign in index_signs(small_home)]

    assert states() == [("warning", True)]
    write_words(small_home.index_folder)
    assert states() == [("warning", True)]
    write_index(small_home.index_folder)
    assert states() == [("ok", False)]
    other = small_home.model_copy(update={"embedding_model": "other"})
    assert [sign.state for sign in index_signs(other)] == ["ok", "broken"]
    (small_home.index_folder / "index.json").write_text("{")
    assert states() == [("broken", True)]
