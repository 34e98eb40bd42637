"""A real browser, and a service with three artifacts whose runs end at once, without a Blender."""

from __future__ import annotations

import json
import os
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.artifacts.search.index import Filters
from harness.blenders import Blender
from harness.order import MODEL
from tests.quick_service import quick_service
from tests.small_artifacts import draw, open_gallery, proof, publish

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
ARTIFACTS = (
    ("a golden ball", "ball", "gold"),
    ("five blue bars", "bars", "blue"),
    ("an arrow <b>up</b>", "arrow", "green"),
)


GLTF = json.dumps({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{}]}).ljust(64).encode()
EMPTY_GLB = struct.pack("<4sIIII", b"glTF", 2, 20 + len(GLTF), len(GLTF), 0x4E4F534A) + GLTF


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One per file: its driver keeps an event loop running, which the asynchronous tests of other files do not bear."""
    if CHROMIUM is None:
        pytest.skip("there is no chromium; install the Debian package chromium")
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed; pip install -e '.[test]'"
    )
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def url(bare_home: Path, blender: Blender, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the service; what is asked of it ends as tests/quick_service.py says."""
    folder = tmp_path_factory.mktemp("page")
    gallery = open_gallery(folder / "data")
    for place, (words, shape, color) in enumerate(ARTIFACTS):
        publish(gallery, proof(folder / str(place), words, draw(shape, color), run=f"r-{place:016x}"))
    # The scene of the newest one is kept too.
    (folder / MODEL).write_bytes(EMPTY_GLB)
    (arrow,) = gallery.page(Filters(), 1)[0]
    gallery.store.keep_scene(arrow.id, folder)
    gallery.close()
    with quick_service(bare_home, folder / "data") as address:
        yield address


@pytest.fixture
def page(browser: Any, url: str) -> Iterator[Any]:
    """An empty page that fails the test on any error in its console, and on any request to another place."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=url)
    page = context.new_page()
    trouble = listened_to(page, url)
    yield page
    context.close()
    # What is refused has an error as its status, and the browser tells its console.
    assert [said for said in trouble if "status of 422" not in said] == []


def listened_to(page: Any, url: str) -> list[str]:
    """What goes wrong on a page from now on."""
    trouble: list[str] = []

    def hear(said: Any) -> None:
        if said.type in ("error", "warning"):
            trouble.append(said.text)

    def look(asked: Any) -> None:
        if not asked.url.startswith((url, "data:")):
            trouble.append(asked.url)

    def note(error: Any) -> None:
        trouble.append(str(error))

    page.on("console", hear)
    page.on("request", look)
    page.on("pageerror", note)
    return trouble
