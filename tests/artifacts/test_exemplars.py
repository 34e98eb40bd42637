"""Which proven snippets are shown to the drafter, and which are withheld."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.artifacts.exemplars import load_withheld, merge, nearly_same
from app.artifacts.gallery import Gallery
from app.artifacts.search.hits import HitPage
from app.artifacts.search.index import Filters
from app.artifacts.store import archive
from app.artifacts.store.store import sighting_of
from app.prompting.exemplar import Exemplar
from tests.small_artifacts import draw, open_gallery, proof, publish, scenes


@pytest.fixture
def gallery(tmp_path: Path) -> Iterator[Gallery]:
    gallery = open_gallery(tmp_path)
    for one in scenes(tmp_path):
        publish(gallery, one)
    yield gallery
    gallery.close()


def titles(found: HitPage) -> list[str]:
    return [hit.artifact.title for hit in found.hits]


def test_what_was_proven_here_is_an_exemplar(gallery: Gallery) -> None:
    assert [one.title for one in gallery.exemplars("a golden ball", "5.0", 3)] == ["add a golden ball"]
    assert gallery.exemplars("a golden ball", "4.5", 3) == []
    assert gallery.exemplars("knit sweaters", "5.0", 3) == []


def test_an_import_is_no_exemplar_but_what_a_replay_proves_here_is(gallery: Gallery, tmp_path: Path) -> None:
    there = open_gallery(tmp_path / "there")
    packed = b"".join(archive.export(gallery.store, sorted(gallery.store.ids())))
    new, _ = archive.import_archive(there.store, io.BytesIO(packed))
    there.index_soon(new)
    there.settled()
    assert titles(there.search_words("golden ball", Filters(), 1)) == ["add a golden ball"]
    assert there.exemplars("a golden ball", None, 3) == []
    ball = there.search_words("golden ball", Filters(), 1).hits[0].artifact
    there.see(ball.id, sighting_of("replay", ball))
    there.settled()
    assert there.exemplars("a golden ball", None, 3) == []
    publish(there, proof(tmp_path / "replayed", "add a golden ball", draw("ball", "gold")))
    assert [one.name for one in there.exemplars("a golden ball", None, 3)] == [f"a-{ball.id[2:]}"]
    there.close()


def test_what_a_benchmark_asks_is_never_an_exemplar(tmp_path: Path) -> None:
    gallery = open_gallery(tmp_path, withheld=("Add a golden ball with a bevel",))
    code = "import bpy\nbpy.ops.mesh.primitive_{}_add()\n"
    asked = proof(tmp_path, "add a golden ball, with a bevel!", draw("ball", "gold"), snippet=code.format("ball"))
    twin = proof(tmp_path, "add a golden box with a lid", draw("bars", "gold"), snippet=code.format("box"), run="r-2")
    publish(gallery, asked, twin)
    assert [one.title for one in gallery.exemplars("a golden ball with a bevel", None, 5)] == [
        "add a golden box with a lid"
    ]
    # A snippet that answers the benchmark under another name is always withheld, from every caller.
    publish(gallery, proof(tmp_path, "Add a golden ball with a bevel", draw("bars", "gold"), snippet=code.format("box"),
                           run="r-3"))  # fmt: skip
    assert gallery.exemplars("a golden box with a lid", None, 5) == []
    assert len(gallery.search_words("golden", Filters(), 5).hits) == 2
    gallery.close()


def test_near_duplicates_are_offered_once(tmp_path: Path) -> None:
    gallery = open_gallery(tmp_path)
    snippet = '"""{}"""\nimport bpy\n\ndef main() -> None:\n    bpy.ops.mesh.primitive_cube_add(size={})\n\nmain()\n'
    for size in (1, 2, 3):
        words = f"add a cube of size {size}"
        publish(
            gallery, proof(tmp_path, words, draw("ball", "red"), snippet=snippet.format(words, size), run=f"r-{size}")
        )
    publish(gallery, proof(tmp_path, "add a cube and a light of size 2", draw("bars", "red"), run="r-9",
                           snippet="import bpy\nbpy.ops.object.light_add(type='SUN')\n"))  # fmt: skip
    offered = gallery.exemplars("add a cube of size 2", None, 5)
    assert [one.title for one in offered] == ["add a cube of size 2", "add a cube and a light of size 2"]
    gallery.close()


def test_the_nearest_of_all_sources_come_first_without_near_duplicates() -> None:
    cube, again = (
        "import bpy\nbpy.ops.mesh.primitive_cube_add(size=1)\n",
        "import bpy\nbpy.ops.mesh.primitive_cube_add()\n",
    )
    torus = "import bpy\nbpy.ops.mesh.primitive_torus_add()\n"
    found = [Exemplar("a", "a", 0.5, cube), Exemplar("b", "b", 0.9, again), Exemplar("c", "c", 0.7, torus)]
    assert [one.name for one in merge(found, 3)] == ["b", "c", "a"]
    assert nearly_same(again, "# a comment\n" + again) and not nearly_same(cube, torus)


def test_the_requests_that_are_withheld_are_read(tmp_path: Path) -> None:
    lines, rows = tmp_path / "tasks.txt", tmp_path / "tasks.jsonl"
    lines.write_text("add a cube\n\nadd a torus\n")
    rows.write_text('{"id": 1, "request": "add a cube"}\n')
    assert load_withheld(lines).covers("Add a TORUS.", None)
    assert load_withheld(rows).covers("add a cube", None)
    assert not load_withheld(rows).covers("add a torus", None)


def test_every_task_of_the_benchmarks_here_is_withheld() -> None:
    files = sorted((Path(__file__).parents[2] / "bench").glob("tasks*.jsonl"))
    withheld = load_withheld(None)
    for file in files:
        for line in file.read_text().splitlines():
            assert withheld.covers(json.loads(line)["request"], None)
