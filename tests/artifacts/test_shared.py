"""Artifacts on an object store that several services share: the same for all, whole or not at all."""

from __future__ import annotations

import dataclasses
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import ValidationError

from app.artifacts.exemplars import WithheldRequests
from app.artifacts.gallery import Gallery
from app.artifacts.search.clip import Clip
from app.artifacts.search.index import Filters
from app.artifacts.search.location import ShelfPlace
from app.artifacts.search.upkeep import Sharing
from app.artifacts.store import shared
from app.artifacts.store.artifact import Sighting
from app.artifacts.store.record_files import replace_file
from app.artifacts.store.shared import SharedArtifacts
from app.errors import ArtifactNotFound, StorageFailed
from app.jobs import shelf as shelves
from app.jobs.shelf import Shelf
from app.settings import Settings
from harness.order import SCENE
from tests.objects import Gate, ObjectServer
from tests.small_artifacts import asked_to_keep, draw, proof
from tests.small_index import embedder

pytestmark = pytest.mark.slow

Open = Callable[[str], SharedArtifacts]


@pytest.fixture
def away_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelves, "PATIENCE", timedelta(seconds=1))


@pytest.fixture(params=["file", "s3"])
def opened(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, away_soon: None) -> Open:
    """Opens the artifacts as another service has them."""
    address = f"file://{tmp_path}/shelf"
    if request.param == "s3":
        server: ObjectServer = request.getfixturevalue("objects")
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        address = f"s3://tests/{tmp_path.name}"
    return lambda name: SharedArtifacts(tmp_path / name, Shelf(address))


def test_what_one_service_publishes_another_one_has(opened: Open, tmp_path: Path) -> None:
    one, other = opened("one"), opened("other")
    made = one.publish(proof(tmp_path, "add a golden ball", draw("ball", "gold"), views=2))
    assert made is not None
    assert other.has(made.id) and other.ids() == {made.id}
    assert other.read(made.id) == made and other.is_whole(made.id)
    assert other.view(made.id, "front") == one.view(made.id, "front")
    again = other.publish(proof(tmp_path, "a ball of gold", draw("ball", "gold"), views=2, run="r-2", snippet=SNIPPET))
    assert again is not None and again.id == made.id
    assert [seen.run for seen in one.details(made.id).sightings] == ["r-0000000000000001", "r-2"]
    one.delete(made.id)
    assert not other.has(made.id) and other.ids() == set()
    with pytest.raises(ArtifactNotFound):
        other.content(made.id, "picture.png")


def test_a_scene_is_sent_with_the_rest_and_added_to_what_is_there(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = opened("one"), opened("other")
    sent: list[str] = []
    put = Shelf.put

    def note(shelf: Shelf, name: str, content: bytes) -> None:
        sent.append(name.rpartition("/")[2])
        put(shelf, name, content)

    monkeypatch.setattr(Shelf, "put", note)
    with_scene = asked_to_keep(tmp_path, b"BLENDER")
    made = one.publish(with_scene)
    assert made and other.scene(made.id) == b"BLENDER"
    assert len([name for name in sent if name.endswith(".blend")]) == sent.count("picture.png") == 1
    # One that is there already is not sent again, and one that is not is added for all.
    one.publish(with_scene)
    assert sent.count("picture.png") == 1
    later = proof(tmp_path / "later", "a red ball", draw("ball", "red"))
    plain = one.publish(later)
    assert plain and other.details(plain.id).scene is None
    (later.pictures / SCENE).write_bytes(b"ANOTHER")
    asked = dataclasses.replace(later, order=dataclasses.replace(later.order, keep_scene=True))
    # A scene that could not be sent is sent when it is asked for again.
    with monkeypatch.context() as away, pytest.raises(StorageFailed):
        away.setattr(Shelf, "put", refuse)
        one.publish(asked)
    one.publish(asked)
    assert other.scene(plain.id) == b"ANOTHER"


def refuse(_shelf: Shelf, _name: str, _content: bytes) -> None:
    raise StorageFailed("The object store failed: it is away")


SNIPPET = "# add a golden ball\nimport bpy\n"


def test_threads_that_copy_the_same_file_do_not_meet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both = threading.Barrier(2, timeout=10)

    def fsync(_: int) -> None:
        both.wait()

    monkeypatch.setattr(os, "fsync", fsync)
    with ThreadPoolExecutor(2) as pool:
        for written in [pool.submit(replace_file, tmp_path / "r-1.json", b"seen") for _ in range(2)]:
            written.result()
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("r-1.json", b"seen")]


def test_the_first_sighting_and_the_most_recent_ones_are_kept(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "MOST_SEEN", 8)
    one = opened("one")
    made = one.publish(proof(tmp_path, "add a golden ball", draw("ball", "gold")))
    assert made is not None
    runs = [f"r-{letter}" for letter in "abcdefghij"]
    kept: list[list[str]] = []
    for run in runs:
        one.see(made.id, Sighting(run=run, origin="run", title="x", request=None, at=f"2100-{run}"))
        kept.append([seen.run for seen in opened(f"after-{run}").details(made.id).sightings])
    first = "r-0000000000000001"
    assert kept[:8] == [[first, *runs[:many]] for many in range(1, 9)]
    assert kept[9] == [first, *runs[2:]]


def test_services_that_publish_the_same_at_once_make_one_whole_artifact(opened: Open, tmp_path: Path) -> None:
    stores = [opened(name) for name in ("one", "two", "three")]
    proofs = [
        proof(tmp_path / str(number), f"words {number}", draw("ball", "gold"), run=f"r-{number}", snippet=SNIPPET)
        for number in range(3)
    ]
    with ThreadPoolExecutor(3) as pool:
        made = list(pool.map(SharedArtifacts.publish, stores, proofs))
    ids = {one.id for one in made if one}
    assert len(ids) == 1
    artifact_id = ids.pop()
    records = [store.read(artifact_id) for store in stores]
    assert records[0] == records[1] == records[2]
    assert all(store.is_whole(artifact_id) for store in stores)
    assert {seen.run for seen in stores[0].sightings(artifact_id)} == {"r-0", "r-1", "r-2"}


def test_what_was_not_written_to_its_end_is_no_artifact(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = opened("one"), opened("other")
    put = Shelf.put

    def fail(shelf: Shelf, name: str, content: bytes) -> None:
        if name.endswith("report.json"):
            raise StorageFailed("The object store failed.")
        put(shelf, name, content)

    made = proof(tmp_path, "add a golden ball", draw("ball", "gold"))
    with monkeypatch.context() as patch:
        patch.setattr(Shelf, "put", fail)
        with pytest.raises(StorageFailed):
            one.publish(made)
    assert one.ids() == other.ids() == set()
    # The run that is resumed publishes it.
    published = one.publish(made)
    assert published is not None and other.is_whole(published.id)


def test_a_copy_that_is_damaged_is_made_again_to_publish(opened: Open, tmp_path: Path) -> None:
    one, other = opened("one"), opened("other")
    made = one.publish(proof(tmp_path, "add a golden ball", draw("ball", "gold")))
    assert made is not None
    other.read(made.id)
    (other.folder / made.id / "picture.png").write_bytes(b"no picture")
    assert other.is_whole(made.id)
    assert other.content(made.id, "picture.png") == one.content(made.id, "picture.png")


def test_what_is_set_aside_leaves_nothing_on_the_shelf(opened: Open, tmp_path: Path) -> None:
    one = opened("one")
    made = [one.publish(proof(tmp_path, words, draw("ball", words))) for words in ("gold", "red")]
    first, other = (artifact.id for artifact in made if artifact)
    assert one.set_aside(first).is_dir()
    names = [one._shelf.names(f"artifacts/{name}") for name in (first, other)]  # pyright: ignore[reportPrivateUsage]
    assert not names[0] and names[1] and one.ids() == {other}


@pytest.mark.parametrize("address", ["file://share/folder", "file:share", "s3:///folder", "s3://user@bucket"])
def test_an_address_of_no_object_store_is_named(address: str, tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="write an address such as s3://bucket/folder"):
        Settings.model_validate({"home": tmp_path, "artifacts": address})


@pytest.mark.parametrize("address", ["file:///share/folder", "s3://bucket", "s3://bucket/folder"])
def test_an_address_of_an_object_store_is_taken(address: str, tmp_path: Path) -> None:
    assert Settings.model_validate({"home": tmp_path, "artifacts": address}).artifacts == address


def test_a_folder_that_cannot_be_an_object_store_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(StorageFailed, match="object store"):
        Shelf(f"file://{tmp_path}/a%20b")


def test_an_object_store_that_is_away_is_waited_for_and_then_a_clear_error(
    objects: ObjectServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, away_soon: None
) -> None:
    gate = Gate(objects.address)
    for name, value in {**objects.environment, "AWS_ENDPOINT": gate.address}.items():
        monkeypatch.setenv(name, value)
    store = SharedArtifacts(tmp_path / "one", Shelf(f"s3://tests/{tmp_path.name}"))
    made = proof(tmp_path, "add a golden ball", draw("ball", "gold"))
    with pytest.raises(StorageFailed, match="object store") as told:
        store.publish(made)
    assert "BLENDPROOF_ARTIFACTS" in told.value.shown_hint
    assert store.count() == 0
    monkeypatch.setattr(shelves, "PATIENCE", timedelta(seconds=60))
    patient = SharedArtifacts(tmp_path / "two", Shelf(f"s3://tests/{tmp_path.name}"))
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(patient.publish, made)
        gate.open()
        published = waiting.result(timeout=60)
    assert published is not None and store.ids() == {published.id}
    gate.close()


def test_what_was_told_while_nobody_heard_is_indexed_afterwards(tmp_path: Path) -> None:
    def gallery(name: str, writes: bool) -> Gallery:
        shelf = Shelf(f"file://{tmp_path}/shelf")
        store, clip, deaf = SharedArtifacts(tmp_path / name, shelf), Clip("x", None, tmp_path), Sharing(lambda _: None)
        made = Gallery(store, ShelfPlace(shelf), clip, embedder, WithheldRequests([]), deaf)
        made.share(writes)
        made.settled()
        return made

    writer, reader = gallery("one", writes=True), gallery("other", writes=False)
    made = reader.publish(proof(tmp_path / "ball", "add a golden ball", draw("ball", "gold")))
    assert made is not None
    writer.settled()
    assert writer.ids(Filters()) == []
    writer.missed()
    writer.settled()
    reader.missed()
    reader.settled()
    assert writer.ids(Filters()) == reader.ids(Filters()) == [made.id]
    for one in (writer, reader):
        one.close()


async def test_of_several_services_one_writes_the_index_and_all_search(opened: Open, tmp_path: Path) -> None:
    galleries: list[Gallery] = []

    def tell(news: str) -> None:
        for one in galleries:
            one.hear(news)

    def gallery(name: str) -> Gallery:
        store, clip = opened(name), Clip("x", None, tmp_path)
        shelf = store._shelf  # pyright: ignore[reportPrivateUsage]
        made = Gallery(store, ShelfPlace(shelf), clip, embedder, WithheldRequests([]), Sharing(tell))
        galleries.append(made)
        return made

    writer, reader = gallery("one"), gallery("other")
    for one, writes in ((writer, True), (reader, False)):
        one.share(writes)
    writer.settled()
    for picture, words in (("ball", "add a golden ball"), ("bars", "five golden bars")):
        reader.publish(proof(tmp_path / picture, words, draw(picture, "gold")))
    writer.settled()
    reader.share(False)
    reader.settled()
    for one in galleries:
        assert [hit.artifact.title for hit in one.search_words("golden ball", Filters(), 1).hits] == [
            "add a golden ball"
        ]
    first = writer.search_words("golden ball", Filters(), 1).hits[0].artifact
    # The vectors that only the writer made are found by the reader too.
    assert [hit.artifact.title for hit in reader.similar(first.id, 5).hits] == ["five golden bars"]
    # The writer dies, and with it what it was told.
    writer.close()
    galleries.remove(writer)
    reader.publish(proof(tmp_path / "last", "a triangle", draw("triangle", "red")))
    reader.share(True)
    reader.settled()
    assert len(reader.ids(Filters())) == 3
    reader.delete(first.id)
    reader.settled()
    assert len(reader.ids(Filters())) == 2
    reader.close()
