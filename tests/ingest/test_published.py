"""Reading a whole reference from a folder, an archive or the web, with everything that can be wrong with it."""

from __future__ import annotations

import asyncio
import contextlib
import email.utils
import io
import tarfile
import time
import zipfile
from collections.abc import Generator
from pathlib import Path

import pytest

from ingest import source as source_module
from ingest import unpacked, website
from ingest.inventory import InventoryInvalid
from ingest.published import (
    ENUM_PAGE,
    HEADING,
    NAME_OF_PAGE,
    NAMED_TWICE,
    NOT_IN_PAGE,
    NOT_PYTHON,
    PAGE_FAILED,
    UNREADABLE,
    PublishedReference,
    open_source,
    read_published,
)
from ingest.source import SourceNotAvailable
from ingest.website import Manners
from tests.reference import OBJECTS, Reply, Site, inventory_bytes, serving, write_reference

HASTY = Manners(first_wait_s=0.001)
ALL_PAGES = sorted(
    [
        "bpy.context.html",
        "bpy.ops.lantern.html",
        "bpy.types.Fixture.html",
        "bpy.types.Lantern.html",
        "bpy.types.html",
        "bpy_types_enum_items/glow_items.html",
        "wick.html",
    ]
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_reference(tmp_path / "reference")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def site(folder: Path) -> Generator[Site]:
    with serving(folder) as site:
        yield site


def read(where: str | Path, cache: Path = Path("unused"), manners: Manners = HASTY) -> PublishedReference:
    """The whole reference; the account must be complete whatever went wrong."""
    told: list[tuple[int, int]] = []

    async def run() -> PublishedReference:
        async with open_source(str(where), cache, manners) as source:
            return await read_published(source, lambda done, total: told.append((done, total)))

    published = asyncio.run(run())
    assert told == [(done, published.pages) for done in range(1, published.pages + 1)]
    return published


def addresses(published: PublishedReference) -> set[str]:
    return {symbol.address for symbol in published.symbols}


def add_objects(folder: Path, lines: str) -> None:
    (folder / "objects.inv").write_bytes(inventory_bytes(OBJECTS + lines))


# The account


def test_every_object_is_a_symbol_or_skipped_with_a_reason(folder: Path) -> None:
    published = read(folder)
    assert published.objects == len(OBJECTS.splitlines())
    assert [symbol.address for symbol in published.symbols] == [
        line.split()[0] for line in OBJECTS.splitlines() if " py:" in line
    ]
    assert published.skipped == {
        NAME_OF_PAGE: ("bpy.context", "bpy.types.Lantern"),
        ENUM_PAGE: ("bpy_types_enum_items/glow_items", "rna_enum_glow_items"),
        HEADING: ("info_lighting",),
        NOT_PYTHON: ("glow",),
    }
    assert published.failed_pages == {}
    assert published.pages == len(ALL_PAGES)


def test_the_reference_says_of_which_blender_it_is(folder: Path) -> None:
    published = read(folder)
    assert (published.series, published.version) == ("9.1", "9.1.2")
    assert published.symbols[1].page == "https://docs.blender.org/api/9.1/bpy.types.Fixture.html#bpy.types.Fixture"


def test_neighbours_that_are_no_symbols_are_left_out(folder: Path) -> None:
    published = read(folder)
    known = addresses(published)
    assert all(address in known for symbol in published.symbols for address in symbol.see_also)
    assert any(symbol.see_also for symbol in published.symbols)


def test_what_cannot_be_a_symbol_is_counted(folder: Path) -> None:
    add_objects(
        folder,
        "bpy.lost py:module 0 lost.html#module-$ -\n"
        "bpy.types.Lantern.lost py:attribute 1 bpy.types.Lantern.html#$ -\n"
        "bpy.types.Lantern.fuel py:attribute 1 bpy.types.Lantern.html#$ -\n"
        "no entry at all\n",
    )
    published = read(folder)
    assert published.skipped[PAGE_FAILED] == ("bpy.lost",)
    assert published.skipped[NOT_IN_PAGE] == ("bpy.types.Lantern.lost",)
    assert published.skipped[NAMED_TWICE] == ("bpy.types.Lantern.fuel",)
    assert published.skipped[UNREADABLE] == ("no entry at all",)
    assert published.objects == len(OBJECTS.splitlines()) + 4
    assert published.failed_pages == {"lost.html": "cannot be opened: No such file or directory"}


def test_a_page_that_cannot_be_understood_does_not_stop_the_rest(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(article: bytes) -> None:
        raise ValueError("odd")

    monkeypatch.setattr("ingest.published.read_enum_items", fail)
    published = read(folder)
    assert published.failed_pages == {"bpy_types_enum_items/glow_items.html": "cannot be understood (ValueError: odd)"}
    assert len(published.symbols) == OBJECTS.count(" py:")


def test_a_page_without_an_article_and_one_too_large(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "wick.html").write_text("<p>Moved</p>")
    monkeypatch.setattr(source_module, "MAX_PAGE_BYTES", 5000)
    assert read(folder).failed_pages == {
        "bpy.types.Lantern.html": "has more than 5,000 bytes",
        "wick.html": "has no article",
    }


# Folders and archives


@pytest.mark.parametrize("inside", [".", "objects.inv", "index.html", ".."])
def test_a_folder_may_be_named_by_what_is_in_it_or_around_it(folder: Path, inside: str) -> None:
    assert len(read(folder / inside).symbols) == OBJECTS.count(" py:")


def zip_of(folder: Path, path: Path, top: str = "") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*.*")):
            archive.write(file, f"{top}{file.relative_to(folder)}")
    return path


def tar_of(folder: Path, path: Path, top: str = ".") -> Path:
    with tarfile.open(path, "w:xz") as archive:
        archive.add(folder, top)
    return path


@pytest.mark.parametrize("top", ["", "reference-9.1/"])
def test_a_zip_says_the_same_as_its_folder(folder: Path, tmp_path: Path, top: str) -> None:
    assert read(zip_of(folder, tmp_path / "reference.zip", top)) == read(folder)


@pytest.mark.parametrize("top", [".", "reference-9.1"])
def test_a_tar_says_the_same_as_its_folder(folder: Path, tmp_path: Path, top: str) -> None:
    assert read(tar_of(folder, tmp_path / "reference.tar.xz", top)) == read(folder)


def test_what_is_missing_in_an_archive_is_reported(folder: Path, tmp_path: Path) -> None:
    (folder / "wick.html").unlink()
    (folder / "bpy.context.html").write_text("<p>Moved</p>")
    published = read(tar_of(folder, tmp_path / "reference.tar.xz"))
    assert published.failed_pages == {
        "bpy.context.html": "has no article",
        "wick.html": "is not in the archive",
    }


def test_a_damaged_archive_is_refused(folder: Path, tmp_path: Path) -> None:
    path = tar_of(folder, tmp_path / "reference.tar.xz")
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(SourceNotAvailable, match=r"is damaged, or not a \.zip or \.tar file"):
        read(path)
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(SourceNotAvailable, match=r"notes\.txt is damaged, or no"):
        read(tmp_path / "notes.txt")


def test_nothing_leads_out_of_the_reference(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.html").write_text("<article><p id='s'>secret</p></article>")
    (folder / "link.html").symlink_to(tmp_path / "secret.html")
    lines = [
        f"bpy.s{number} py:data 1 {page}#s -"
        for number, page in enumerate(
            ["../secret.html", "%2e%2e/secret.html", f"{tmp_path}/secret.html", "file:secret.html", "link.html"]
        )
    ]
    add_objects(folder, "\n".join(lines) + "\n")
    published = read(folder)
    assert set(published.failed_pages.values()) == {"leads out of the reference"}
    assert len(published.failed_pages) == len(lines)


@pytest.mark.parametrize("name", ["../escaped.html", "/escaped.html", "a\\..\\escaped.html"])
def test_an_archive_with_a_member_outside_is_refused(folder: Path, tmp_path: Path, name: str) -> None:
    archived = tmp_path / "reference.tar.gz"
    with tarfile.open(archived, "w:gz") as archive:
        archive.add(folder, ".")
        member = tarfile.TarInfo(name)
        member.size = 1
        archive.addfile(member, io.BytesIO(b"x"))
    with pytest.raises(SourceNotAvailable, match=r"refused: its member .* leads out of it"):
        read(archived)
    assert not (tmp_path / "escaped.html").exists()


def test_an_archive_with_too_many_pages_is_refused(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacked, "MAX_PAGES", 3)
    with pytest.raises(SourceNotAvailable, match="more than 3 pages"):
        read(zip_of(folder, tmp_path / "reference.zip"))


def test_what_is_no_reference_is_named(folder: Path, tmp_path: Path) -> None:
    (folder / "objects.inv").unlink()
    with pytest.raises(SourceNotAvailable, match=r"has no objects\.inv: give the folder that contains it"):
        read(folder)
    with pytest.raises(SourceNotAvailable, match=r"has no objects\.inv: it is not a complete reference"):
        read(zip_of(folder, tmp_path / "reference.zip"))
    with pytest.raises(SourceNotAvailable, match="is not a folder or archive here, nor an address"):
        read("docs.example.org/api/9.1")


# The web


def test_the_web_says_the_same_as_the_folder(site: Site, folder: Path, cache: Path) -> None:
    published = read(site.address, cache)
    assert addresses(published) == addresses(read(folder))
    assert published.home == site.address
    assert published.symbols[1].page == f"{site.address}bpy.types.Fixture.html#bpy.types.Fixture"
    assert site.pages() == sorted([*ALL_PAGES, "objects.inv"])
    assert {seen.agent.partition("/")[0] for seen in site.seen} == {"blendproof"}


@pytest.mark.parametrize("ending", ["", "index.html", "objects.inv", "bpy.types.html?highlight=lantern#x"])
def test_an_address_may_be_that_of_a_file(site: Site, cache: Path, ending: str) -> None:
    assert read(site.address + ending, cache).home == site.address
    assert read(site.address.rstrip("/"), cache).home == site.address


def test_pages_are_fetched_from_where_a_redirect_leads(site: Site, cache: Path) -> None:
    latest = site.address.replace("/9.1/", "/latest/")
    site.replies["/api/latest/objects.inv"] = [Reply(302, (("Location", "/api/9.1/objects.inv"),))]
    published = read(latest, cache)
    assert published.home == site.address
    assert len(site.pages(404)) == 0


def test_an_unchanged_page_is_not_sent_again(site: Site, folder: Path, cache: Path) -> None:
    first = read(site.address, cache)
    site.seen.clear()
    assert read(site.address, cache) == first
    assert site.pages(304) == ALL_PAGES
    site.seen.clear()
    wick = folder / "wick.html"
    wick.write_text(wick.read_text().replace("Several cords", "Many cords"))
    descriptions = [symbol.description for symbol in read(site.address, cache).symbols]
    assert "Many cords" in descriptions
    assert site.pages() == ["objects.inv", "wick.html"]


def test_an_interrupted_ingest_goes_on_where_it_stopped(site: Site, cache: Path) -> None:
    async def interrupted() -> None:
        def stop(done: int, total: int) -> None:
            if done == 4:
                raise KeyboardInterrupt

        async with open_source(site.address, cache, Manners(in_flight=1)) as source:
            await read_published(source, stop)

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(interrupted())
    kept = list(cache.rglob("*.gz"))
    assert 4 <= len(kept) < len(ALL_PAGES)
    assert not list(cache.rglob("*.part"))
    site.seen.clear()
    assert len(read(site.address, cache).symbols) == OBJECTS.count(" py:")
    assert len(site.pages(304)) == len(kept)


def test_a_damaged_page_in_the_cache_is_fetched_again(site: Site, cache: Path) -> None:
    first = read(site.address, cache)
    for number, path in enumerate(sorted(cache.rglob("*.gz"))):
        path.write_bytes([b"", b"rubbish", path.read_bytes()[:-20]][number % 3])
    site.seen.clear()
    assert read(site.address, cache) == first
    assert site.pages() == sorted([*ALL_PAGES, "objects.inv"])


BUSY = [Reply(status) for status in (503, 429, 500)]


def test_a_busy_server_is_asked_again(site: Site, cache: Path) -> None:
    site.replies["wick.html"] = [*BUSY, Reply(200, body=b"<article>x</article>")]
    site.replies["objects.inv"] = [Reply(0), Reply(200, body=inventory_bytes())]
    published = read(site.address, cache)
    assert published.failed_pages == {}
    assert [seen.status for seen in site.seen if seen.page == "wick.html"] == [503, 429, 500, 200]


@pytest.mark.parametrize(
    ("reply", "tries", "reason"),
    [
        (Reply(404), 1, "was answered with 404 Not Found"),
        (Reply(403), 1, "was answered with 403 Forbidden"),
        (Reply(503), 4, "was answered with 503 Service Unavailable, 4 times"),
        (Reply(0), 4, "was not answered (peer closed connection without sending complete message body "
            "(received 12 bytes, expected 1000)), 4 times"),
        (Reply(429, (("Retry-After", "3600"),)), 1, "was answered with 429 Too Many Requests, "
            "and the server asks to wait 3600 s"),
        (Reply(200, (("Content-Encoding", "gzip"),), b"no gzip"), 1, "cannot be fetched: "
            "Error -3 while decompressing data: incorrect header check"),
        (Reply(302, (("Location", "wick.html"),)), 21, "cannot be fetched: Exceeded maximum allowed redirects."),
        (Reply(200, body=b"<p>Sign in first</p>"), 1, "has no article"),
    ],
)  # fmt: skip
def test_a_page_that_fails_for_good_is_reported(site: Site, cache: Path, reply: Reply, tries: int, reason: str) -> None:
    site.replies["wick.html"] = [reply]
    published = read(site.address, cache)
    assert published.failed_pages == {"wick.html": reason}
    assert sum(seen.page == "wick.html" for seen in site.seen) == tries
    assert len(published.symbols) == OBJECTS.count(" py:") - len(published.skipped[PAGE_FAILED])
    assert len(list(cache.rglob("*.gz"))) == len(ALL_PAGES) - 1


def test_a_page_without_end_is_refused(site: Site, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(website, "MAX_PAGE_BYTES", 5000)
    assert read(site.address, cache).failed_pages == {"bpy.types.Lantern.html": "has more than 5,000 bytes"}


def test_a_kept_page_stands_in_while_the_server_is_away(site: Site, cache: Path) -> None:
    first = read(site.address, cache)
    site.replies.update({page: [Reply(503)] for page in ALL_PAGES})
    assert read(site.address, cache) == first


def test_a_server_that_is_gone_is_left_in_peace(site: Site, cache: Path) -> None:
    site.replies.update({page: [Reply(503)] for page in ALL_PAGES})
    manners = Manners(in_flight=1, tries=2, first_wait_s=0.001, failures_in_a_row=3)
    published = read(site.address, cache, manners)
    assert published.symbols == ()
    assert len(published.failed_pages) == len(ALL_PAGES)
    reasons = list(published.failed_pages.values())
    assert reasons[-1] == "was not requested, because the server has stopped answering; run the ingest again"
    assert len(site.pages(503)) < 2 * len(ALL_PAGES)


def test_the_server_is_left_alone_for_as_long_as_it_asks(site: Site, cache: Path) -> None:
    a_date = email.utils.format_datetime(email.utils.localtime())
    site.replies["wick.html"] = [
        Reply(429, (("Retry-After", "1"),)),
        Reply(503, (("Retry-After", a_date),)),
        Reply(503, (("Retry-After", "soon"),)),
        Reply(200, body=b"<article>x</article>"),
    ]
    started = time.monotonic()
    assert read(site.address, cache, Manners(in_flight=1, first_wait_s=0.001)).failed_pages == {}
    assert time.monotonic() - started >= 1.0


def test_only_so_many_requests_are_in_flight(site: Site, cache: Path) -> None:
    read(site.address, cache, Manners(in_flight=2))
    assert site.most_in_flight <= 2


@pytest.mark.parametrize(
    ("reply", "error", "message"),
    [
        (Reply(404), SourceNotAvailable, r"objects\.inv was answered with 404 Not Found\. Give the address"),
        (Reply(503), SourceNotAvailable, r"503 Service Unavailable, 4 times\. Check the address and the network"),
        (Reply(200, body=b"<!doctype html>"), InventoryInvalid, "not a Sphinx inventory"),
        (Reply(200, body=inventory_bytes()[:-30]), InventoryInvalid, "ends in the middle"),
        (Reply(200, body=bytes(17 * 1024 * 1024)), SourceNotAvailable, "has more than 16,777,216 bytes"),
    ],
)
def test_an_address_without_a_usable_inventory_is_refused(
    site: Site, cache: Path, reply: Reply, error: type[Exception], message: str
) -> None:
    site.replies["objects.inv"] = [reply]
    with pytest.raises(error, match=message):
        read(site.address, cache)
    assert not cache.exists()


def test_addresses_that_lead_nowhere_are_named(site: Site, cache: Path) -> None:
    with pytest.raises(SourceNotAvailable, match="https:// names no host"):
        read("https://", cache)
    port = site.address.split(":")[2].split("/")[0]
    with pytest.raises(SourceNotAvailable, match=r"was not answered .*, 4 times"):
        read(f"https://127.0.0.1:{port}/", cache)


def test_a_cache_that_cannot_be_written_ends_the_ingest(site: Site, cache: Path) -> None:
    cache.write_text("a file where the folder should be")
    with pytest.raises(SourceNotAvailable, match=r"Pages cannot be kept in .*: Not a directory"):
        read(site.address, cache)


def test_a_full_disk_leaves_no_part_of_a_page(site: Site, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(SourceNotAvailable, match="No space left on device"):
        read(site.address, cache)
    assert not [path for path in cache.rglob("*") if path.is_file()]


def test_references_at_different_addresses_share_no_cache(folder: Path, cache: Path) -> None:
    with contextlib.ExitStack() as stack:
        for site in (stack.enter_context(serving(folder)), stack.enter_context(serving(folder))):
            read(site.address, cache)
            assert site.pages(304) == []
    assert len(list(cache.iterdir())) == 2
