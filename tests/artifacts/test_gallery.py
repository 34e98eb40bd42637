"""What was proven is found again: by words, by picture, by what is like it; its index is only a copy of the files."""

from __future__ import annotations

import asyncio
import io
import json
import shutil
import struct
import tarfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import pytest
from PIL import Image

from app.artifacts.exemplars import WithheldRequests
from app.artifacts.gallery import Gallery
from app.artifacts.pictures import open_upload
from app.artifacts.search.clip import NO_WEIGHTS, Clip
from app.artifacts.search.hits import HitPage
from app.artifacts.search.index import ArtifactIndex, Filters, words_in
from app.artifacts.search.text import thing_in
from app.artifacts.store import archive
from app.artifacts.store.artifact import imported_id
from app.artifacts.store.embeddings import VectorKind, write_vector
from app.artifacts.store.store import ArtifactStore
from app.errors import ArchiveRefused, ArtifactNotFound, PictureRefused
from app.settings import Settings
from search.embed import open_embedder
from search.encoder import Vectors
from search.exporting import PACKAGED, ModelUnusable
from tests.fixtures import serving
from tests.small_artifacts import SCENES, draw, open_gallery, proof, publish, scenes
from tests.small_index import embedder

pytestmark = pytest.mark.slow


@pytest.fixture
def gallery(tmp_path: Path) -> Iterator[Gallery]:
    gallery = open_gallery(tmp_path)
    for one in scenes(tmp_path):
        publish(gallery, one)
    yield gallery
    gallery.close()


class QuickClip(Clip):
    """Makes vectors of colours, without a model."""

    def __init__(self) -> None:
        super().__init__("quick", "weights", Path("unused"))

    def begin(self, then: Callable[[], None]) -> bool:
        self.identity, self.dimensions = "quick@1", 3
        return True

    def _model(self) -> Any:
        return None

    def _vector(self, content: Image.Image | str) -> Vectors:
        return np.array([1.0, 0.0, 0.0], dtype=np.float32)


def settle(gallery: Gallery) -> None:
    for _ in range(5):
        gallery.settled()


def test_pictures_of_a_large_import_get_their_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = ArtifactStore(tmp_path / "here")
    made = [here.publish(proof(tmp_path, f"ball {place}", draw("ball", "red"))) for place in range(5)]
    content = b"".join(archive.export(here, [one.id for one in made if one]))
    monkeypatch.setattr("app.artifacts.search.upkeep.CHUNK", 2)
    there = open_gallery(tmp_path / "there", QuickClip())
    publish(there, proof(tmp_path, "first", draw("bars", "red")))
    there.import_archive(io.BytesIO(content))
    settle(there)
    vectors = list((tmp_path / "there" / "artifacts").glob("*/embeddings/picture.npz"))
    there.close()
    assert len(vectors) == 6


def test_what_is_left_of_a_refused_archive_is_found(tmp_path: Path) -> None:
    here = ArtifactStore(tmp_path / "here")
    made = [here.publish(proof(tmp_path, words, draw("ball", "red"))) for words in ("a ball", "a box")]
    ids = [one.id for one in made if one]
    # Without the blocks that end an archive, and with a file that no artifact has.
    content = b"".join(archive.export(here, ids)).rstrip(b"\0")
    content += b"\0" * (-len(content) % 512) + tarfile.TarInfo("evil").tobuf() + b"\0" * 1024
    there = open_gallery(tmp_path / "there")
    with pytest.raises(ArchiveRefused):
        there.import_archive(io.BytesIO(content))
    there.settled()
    found = there.ids(Filters())
    there.close()
    assert found == [imported_id(ids[0])]


def test_what_is_deleted_while_it_is_indexed_takes_nothing_else_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gallery = open_gallery(tmp_path)
    made = [gallery.store.publish(proof(tmp_path, f"ball {place}", draw("ball", "red"))) for place in range(3)]
    ids = [one.id for one in made if one]

    def write_where_it_is(folder: Path, kind: VectorKind, identity: str, source: str, vector: Vectors) -> None:
        if folder.name == ids[1]:
            shutil.rmtree(folder)
        write_vector(folder, kind, identity, source, vector)

    monkeypatch.setattr("app.artifacts.search.rows.write_vector", write_where_it_is)
    gallery.index_soon(ids)
    gallery.settled()
    found = gallery.ids(Filters())
    problem = gallery.index_problem
    gallery.close()
    assert (sorted(found), problem) == (sorted([ids[0], ids[2]]), None)


def test_what_could_not_be_indexed_is_tried_again_with_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gallery = open_gallery(tmp_path)
    made = [gallery.store.publish(proof(tmp_path, f"ball {place}", draw("ball", "red"))) for place in range(3)]
    before, first, second = (one.id for one in made if one)
    gallery.index_soon([before])
    gallery.settled()
    gallery._upkeep.index.remove([first, second])  # pyright: ignore[reportPrivateUsage]
    put, failing = gallery._upkeep.index.put, [True]  # pyright: ignore[reportPrivateUsage]

    def fail_once(rows: Any) -> None:
        if failing:
            failing.clear()
            raise OSError("no space left")
        put(rows)

    monkeypatch.setattr(gallery._upkeep.index, "put", fail_once)  # pyright: ignore[reportPrivateUsage]
    gallery.index_soon([first])
    gallery.settled()
    problem = gallery.index_problem
    gallery.index_soon([second])
    gallery.settled()
    found, left = gallery.ids(Filters()), gallery.index_problem
    gallery.close()
    assert problem and "no space left" in problem and left is None
    assert sorted(found) == sorted([before, first, second])


def test_a_picture_that_unfolds_to_very_many_pixels_is_brought_down() -> None:
    out = io.BytesIO()
    Image.new("1", (8000, 4000), 1).save(out, "PNG")
    assert len(out.getvalue()) < 16_384
    assert open_upload(out.getvalue()).size == (2048, 1024)
    small = io.BytesIO()
    draw("ball", "red").save(small, "PNG")
    assert open_upload(small.getvalue()).tobytes() == draw("ball", "red").tobytes()


def titles(found: HitPage) -> list[str]:
    return [hit.artifact.title for hit in found.hits]


def test_words_find_what_was_asked_for_so(gallery: Gallery) -> None:
    found = gallery.search_words("five bars", Filters(), 10)
    assert titles(found)[0] == "put five blue bars in a row"
    assert found.hits[0].why[0].startswith("shares words")
    assert found.missing == [NO_WEIGHTS]
    assert gallery.search_words("zebra", Filters(), 10).hits == []


def test_a_search_goes_on_page_by_page(gallery: Gallery, tmp_path: Path) -> None:
    for place in range(5):
        publish(gallery, proof(tmp_path / "more", f"a ball number {place}", draw("ball", "red"), run=f"r-{place}"))
    whole = titles(gallery.search_words("ball", Filters(), 6))
    parts = [titles(gallery.search_words("ball", Filters(), 2, offset)) for offset in (0, 2, 4)]
    assert [title for part in parts for title in part] == whole and len(set(whole)) == 6
    first, following = gallery.page(Filters(), 3)
    second, end = gallery.page(Filters(), 10, following)
    assert [one.title for one in [*first, *second]][:2] == ["a ball number 4", "a ball number 3"]
    assert (len(first), len(second), end) == (3, 5, None)
    with pytest.raises(ArtifactNotFound):
        gallery.page(Filters(), 3, "a-0000000000000000")


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(blender="4.5"), [1]),
        (Filters(blender="4.5.3"), [1]),
        (Filters(blender="4"), []),
        (Filters(engine="eevee"), [1]),
        (Filters(engine="CYCLES"), [2, 0]),
        (Filters(object_type="curve"), [2]),
        (Filters(symbol="bpy.types.Curve"), [2]),
        (Filters(symbol="bpy.types.Cur"), []),
        (Filters(tag="bevel", object_type="MESH"), [1, 0]),
        (Filters(since="2020-01-01"), [2, 1, 0]),
        (Filters(until="2020-01-01"), []),
        (Filters(tag="x' OR '1' = '1"), []),
    ],
)
def test_filters(filters: Filters, expected: list[int], gallery: Gallery) -> None:
    wanted = [SCENES[place][0] for place in expected]
    assert [artifact.title for artifact in gallery.page(filters, 10)[0]] == wanted
    assert set(titles(gallery.search_words("a the in ball bars curve", filters, 10))) == set(wanted)
    assert set(titles(gallery.search_picture(draw("ball", "gold"), filters, 10))) <= set(wanted)


def test_a_picture_finds_the_same_scene_at_another_size_first(gallery: Gallery, tmp_path: Path) -> None:
    for place, (color, shift) in enumerate((("gold", 6), ("goldenrod", 0), ("gold", -6), ("red", 0))):
        near = draw("ball", color, 128, shift)
        publish(gallery, proof(tmp_path / "near", f"a near ball {place}", near, run=f"r-{place}"))
    found = gallery.search_picture(draw("ball", "gold", 333), Filters(), 10)
    assert titles(found)[0] == "add a golden ball"
    assert "same picture" in found.hits[0].why[0]
    assert "put five blue bars in a row" not in titles(found)


def test_similar_ones_are_those_like_it_and_not_itself(gallery: Gallery, tmp_path: Path) -> None:
    twin = publish(gallery, proof(tmp_path / "twin", "again", draw("ball", "gold", 200), run="r-9"))[0]
    ball = publish(gallery, proof(tmp_path / "ball", "a golden arrow", draw("arrow", "gold"), run="r-8"))[0]
    found = titles(gallery.similar(twin, 5))
    assert found[0] == "add a golden ball" and "again" not in found
    assert "add a golden ball" in titles(gallery.similar(ball, 5))
    with pytest.raises(ArtifactNotFound):
        gallery.similar("a-0000000000000000", 5)


def test_the_filters_are_asked_once_a_search(gallery: Gallery, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gallery.close()
    again = open_gallery(tmp_path, QuickClip())
    settle(again)
    asked: list[Filters] = []
    passing = ArtifactIndex.passing

    def counted(index: ArtifactIndex, filters: Filters) -> set[str] | None:
        asked.append(filters)
        return passing(index, filters)

    monkeypatch.setattr(ArtifactIndex, "passing", counted)
    for filters, expected in ((Filters(engine="eevee"), 1), (Filters(engine="none"), 0)):
        assert len(again.search_words("five blue bars", filters, 9).hits) == expected
        assert len(again.search_picture(draw("bars", "blue"), filters, 9).hits) == expected
    again.close()
    assert len(asked) == 4


def test_what_is_deleted_is_not_found(gallery: Gallery) -> None:
    artifact = gallery.page(Filters(blender="4.5"), 1)[0][0]
    gallery.delete(artifact.id)
    gallery.settled()
    assert gallery.search_words("five blue bars", Filters(blender="4.5"), 5).hits == []
    assert len(gallery.ids(Filters())) == 2


def damage_index(folder: Path, how: str) -> None:
    if how == "gone":
        shutil.rmtree(folder)
    elif how == "half a file":
        (folder / "index.json").write_text('{"schema": 1, "tab')
    elif how == "another schema":
        (folder / "index.json").write_text(json.dumps({"schema": 99}))
    else:
        for file in folder.rglob("*.lance"):
            if file.is_file():
                file.unlink()


@pytest.mark.parametrize("how", ["gone", "half a file", "another schema", "no data"])
def test_a_lost_index_is_made_again_from_the_files(how: str, gallery: Gallery, tmp_path: Path) -> None:
    gallery.close()
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / "artifacts").rglob("*.npz")}
    assert len(before) == 3
    damage_index(tmp_path / "gallery", how)
    again = open_gallery(tmp_path)
    assert titles(again.search_words("five bars", Filters(), 10))[0] == "put five blue bars in a row"
    assert len(again.page(Filters(), 10)[0]) == 3
    assert {file: file.stat().st_mtime_ns for file in before} == before
    again.close()


def test_an_index_that_is_behind_catches_up(gallery: Gallery, tmp_path: Path) -> None:
    gallery.close()
    store = gallery.store
    store.delete(sorted(store.ids())[0])
    store.publish(proof(tmp_path / "new", "a purple teapot", draw("arrow", "purple"), run="r-7"))
    again = open_gallery(tmp_path)
    assert titles(again.search_words("purple teapot", Filters(), 1)) == ["a purple teapot"]
    assert set(again.ids(Filters())) == store.ids()
    again.close()


def test_an_index_that_is_lost_while_the_service_runs_is_made_again(gallery: Gallery, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "gallery")
    with pytest.raises(Exception, match="made again"):
        gallery.search_words("ball", Filters(), 1)
    gallery.settled()
    assert titles(gallery.search_words("golden ball", Filters(), 1)) == ["add a golden ball"]


def test_another_text_model_embeds_everything_again(gallery: Gallery, tmp_path: Path) -> None:
    gallery.close()
    other = Gallery(
        gallery.store, tmp_path / "gallery", Clip("x", None, tmp_path), lambda: embedder("other"), WithheldRequests([])
    )
    other.start()
    other.settled()
    assert titles(other.search_words("five bars", Filters(), 1)) == ["put five blue bars in a row"]
    other.close()


def test_without_a_text_model_words_still_find(tmp_path: Path) -> None:
    def no_model() -> Any:
        raise ModelUnusable("the model is not there")

    gallery = open_gallery(tmp_path)
    publish(gallery, proof(tmp_path, "a golden ball", draw("ball", "gold")))
    gallery.close()
    bare = Gallery(gallery.store, tmp_path / "gallery", Clip("x", None, tmp_path), no_model, WithheldRequests([]))
    bare.start()
    bare.settled()
    found = bare.search_words("golden", Filters(), 5)
    assert titles(found) == ["a golden ball"]
    assert "the model is not there" in found.missing
    assert bare.exemplars("a golden ball", None, 3) == []
    bare.close()


def test_identifiers_are_taken_apart() -> None:
    assert list(words_in(["bpy.ops.mesh.primitive_uv_sphere_add", "SubsurfModifier", "HTTPNode2"])) == [
        "bpy", "ops", "mesh", "primitive", "uv", "sphere", "add", "subsurf", "modifier", "http", "node", "2",
    ]  # fmt: skip


# Pictures that are sent


def png(width: int, height: int, data: bytes = b"") -> bytes:
    """A PNG that says it is so large, with this for its content."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def encoded(picture: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


BAD_PICTURES = {
    "empty": (b"", "empty"),
    "text": (b"hello", "not a picture"),
    "a script": (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "not a picture"),
    "10,000 px wide": (png(10_000, 10), "10000 x 10 px"),
    "a bomb": (png(60_000, 60_000, zlib.compress(bytes(1 << 20))), "too large|60000"),
    "many pixels": (png(8000, 8000), "8000 x 8000 px"),
    "cut off": (encoded(draw("ball", "red", 256))[:900], "damaged"),
    "nothing in it": (png(64, 64), "damaged"),
    "PostScript": (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n", "not a picture"),
}


@pytest.mark.parametrize("case", BAD_PICTURES)
def test_a_bad_picture_is_refused(case: str) -> None:
    data, said = BAD_PICTURES[case]
    with pytest.raises(PictureRefused, match=said):
        open_upload(data)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "BMP"])
def test_its_good_twin_is_taken(kind: str) -> None:
    picture = open_upload(encoded(draw("ball", "red", 256), kind))
    assert (picture.mode, picture.size) == ("RGB", (256, 256))


def test_what_can_be_seen_through_shows_grey() -> None:
    assert open_upload(encoded(Image.new("RGBA", (8, 8), (255, 0, 0, 0)))).getpixel((4, 4)) == (128, 128, 128)


# Over HTTP


@pytest.fixture
async def served(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A client of a service with the three scenes."""
    from tests.small_index import use_embedder

    use_embedder(monkeypatch)
    async with serving(settings) as client:
        gallery = service_of(client).tools.gallery
        for one in scenes(tmp_path):
            await asyncio.to_thread(publish, gallery, one)
        yield client


def service_of(client: httpx2.AsyncClient) -> Any:
    transport: Any = client._transport  # pyright: ignore[reportPrivateUsage]
    return transport.app.state.service


async def test_artifacts_are_searched_over_http(served: httpx2.AsyncClient) -> None:
    words = (await served.get("/search", params={"q": "golden ball", "kind": "artifacts", "engine": "cycles"})).json()
    assert words["hits"][0]["artifact"]["title"] == "add a golden ball"
    assert (words["kind"], words["query"], words["missing"]) == ("artifacts", "golden ball", [NO_WEIGHTS])
    body = encoded(draw("bars", "blue", 300), "JPEG", quality=90)
    picture = (await served.post("/search?blender=4.5", files={"picture": ("x.jpg", body)})).json()
    assert [hit["artifact"]["title"] for hit in picture["hits"]] == ["put five blue bars in a row"]
    artifact = picture["hits"][0]["artifact"]["id"]
    assert (await served.get(f"/artifacts/{artifact}/similar")).json()["query"] == artifact
    listed = (await served.get("/artifacts?limit=2")).json()
    rest = (await served.get(f"/artifacts?limit=2&before={listed['next']}")).json()
    assert [len(listed["artifacts"]), len(rest["artifacts"]), rest["next"]] == [2, 1, None]
    last = listed["artifacts"][-1]["id"]
    assert (await served.get(f"/artifacts?limit=2&before={last}")).json() == rest
    await served.delete(f"/artifacts/{last}")
    assert (await served.get(f"/artifacts?limit=2&before={listed['next']}")).json() == rest
    assert (await served.get(f"/artifacts?limit=2&before={last}")).json()["code"] == "artifact_not_found"
    health = (await served.get("/health")).json()["parts"]
    assert (health["clip"]["state"], health["gallery"]["state"]) == ("off", "ok")


@pytest.mark.parametrize("case", ["empty", "text", "10,000 px wide", "a bomb"])
async def test_a_bad_picture_gets_a_clear_error(case: str, served: httpx2.AsyncClient) -> None:
    response = await served.post("/search", files={"picture": ("x.png", BAD_PICTURES[case][0])})
    assert (response.status_code, response.json()["code"]) == (422, "picture_refused")
    assert response.json()["hint"]


async def test_artifacts_travel_and_are_deleted_over_http(served: httpx2.AsyncClient) -> None:
    packed = (await served.get("/artifacts/export?object_type=CURVE")).content
    artifact = (await served.get("/artifacts?object_type=CURVE")).json()["artifacts"][0]["id"]
    gone = await served.delete(f"/artifacts/{artifact}")
    assert (gone.status_code, gone.json()["id"]) == (200, artifact)
    assert (await served.get(f"/artifacts/{artifact}")).status_code == 404
    brought = await served.post("/artifacts/import", content=packed, headers={"Content-Type": "application/x-tar"})
    kept = imported_id(artifact)
    assert brought.json() == {"new": [kept], "known": []}
    details = (await served.get(f"/artifacts/{kept}")).json()
    assert ([seen["origin"] for seen in details["sightings"]], details["proven"]) == (["import"], "elsewhere")
    # The address of what was proven here never leads to an import.
    missing = await served.get(f"/artifacts/{artifact}.png")
    assert (missing.status_code, kept in missing.json()["hint"]) == (404, True)
    refused = await served.post("/artifacts/import", content=b"no archive at all")
    assert (refused.status_code, refused.json()["code"]) == (422, "archive_refused")


async def test_a_page_of_another_site_may_not_write(served: httpx2.AsyncClient) -> None:
    artifact = (await served.get("/artifacts")).json()["artifacts"][0]["id"]
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}):
        for method, path in (
            ("DELETE", f"/artifacts/{artifact}"),
            ("POST", "/artifacts/import"),
            ("POST", "/page/ask"),
        ):
            refused = await served.request(method, path, headers=headers)
            assert refused.status_code == 403, (method, path, headers)
    own = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert (await served.delete(f"/artifacts/{artifact}", headers=own)).status_code == 200


@pytest.mark.parametrize(
    ("request_", "thing"),
    [
        ("Add a red cube of size 1.5 at (0, 0, 1)", "a red cube"),
        ("Create a torus called Ring, major radius 2, with a gold material", "a torus with a gold material"),
        ("Set the roughness to 0.5", "Set the roughness to"),
        ("Add at 2", "Add at 2"),
    ],
)
def test_a_request_is_about_a_thing(request_: str, thing: str) -> None:
    assert thing_in(request_) == thing


def test_other_words_for_a_thing_find_it(home: Path, tmp_path: Path) -> None:
    real = open_embedder(home, PACKAGED)
    store = ArtifactStore(tmp_path / "artifacts")
    gallery = Gallery(store, tmp_path / "gallery", Clip("x", None, tmp_path), lambda: real, WithheldRequests([]))
    gallery.start()
    cube, _ = publish(
        gallery,
        proof(tmp_path / "0", "Add a red cube of size 1.5 at (0, 0, 1)", draw("ball", "red"), run="r-0"),
        proof(tmp_path / "1", "Set the camera to (7, -7, 5)", draw("bars", "blue"), run="r-1"),
    )
    found = gallery.search_words("crimson box", Filters(), 5).hits
    assert [hit.artifact.id for hit in found] == [cube] and "near in meaning" in found[0].why[0]
    assert gallery.search_words("cat", Filters(), 5).hits == []
    gallery.close()
