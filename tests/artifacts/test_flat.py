"""Vectors and hashes are compared in memory as they are in the table on disk, whatever was written or removed."""

from __future__ import annotations

import dataclasses
import gc
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.artifacts.search import index as index_module
from app.artifacts.search.index import ArtifactIndex, Filters, IndexRow, VectorModels
from search import tables
from search.encoder import Vectors

CHANCE = np.random.default_rng(3)
MODELS = VectorModels(text="t", text_length=8, picture="p", picture_length=4)


def direction(length: int) -> Vectors:
    vector = CHANCE.normal(size=length).astype(np.float32)
    return vector / np.float32(np.linalg.norm(vector))


def row(place: int, *, picture: bool = True) -> IndexRow:
    return IndexRow(
        id=f"a-{place:016x}",
        created_at=f"2026-01-{place % 28 + 1:02}T00:00:00Z",
        version="5.0.1",
        series="5.0",
        engine="CYCLES" if place % 2 else "BLENDER_EEVEE",
        kind="still",
        words=f"ball {place}",
        title=f"ball {place}",
        symbols=[],
        object_types=["MESH"],
        tags=[],
        hashes=CHANCE.bytes(16),
        small=CHANCE.bytes(768),
        picture_sha256="",
        offered=True,
        text=direction(8),
        picture=direction(4) if picture else None,
    )


def both(folder: Path) -> tuple[ArtifactIndex, ArtifactIndex]:
    """The index in a folder, once in memory and once on disk alone."""
    in_memory, on_disk = ArtifactIndex(folder), ArtifactIndex(folder)
    in_memory.open()
    in_memory.hold()
    on_disk.open()
    return in_memory, on_disk


def assert_same(first: ArtifactIndex, second: ArtifactIndex, filters: Filters) -> None:
    for column, length in (("text", 8), ("picture", 4)):
        wanted = direction(length)
        one, other = (each.by_vector(column, wanted, filters, 7) for each in (first, second))
        assert list(one) == list(other)
        assert list(one.values()) == pytest.approx(list(other.values()), abs=1e-5)
    hashes = CHANCE.bytes(16)
    one_hash, other_hash = (each.by_hash(hashes, filters, 7) for each in (first, second))
    assert [near.bits for near in one_hash.values()] == [near.bits for near in other_hash.values()]
    for artifact, near in one_hash.items():
        if artifact in other_hash:
            assert np.array_equal(near.small, other_hash[artifact].small)


@pytest.mark.parametrize("filters", [Filters(), Filters(engine="cycles"), Filters(blender="3.6")])
def test_memory_and_disk_find_the_same(tmp_path: Path, filters: Filters) -> None:
    index = ArtifactIndex(tmp_path)
    index.make(MODELS, [[row(place, picture=place % 5 != 0) for place in range(40)]])
    in_memory, on_disk = both(tmp_path)
    assert_same(in_memory, on_disk, filters)


def test_memory_follows_what_is_written_and_removed(tmp_path: Path) -> None:
    index = ArtifactIndex(tmp_path)
    index.make(MODELS, [[row(place) for place in range(10)]])
    index.hold()
    changed = dataclasses.replace(row(3), text=direction(8))
    index.put([changed, row(10, picture=False), row(11)])
    index.remove([f"a-{5:016x}", f"a-{11:016x}"])
    again = ArtifactIndex(tmp_path)
    again.open()
    assert_same(index, again, Filters())
    assert changed.text is not None
    assert next(iter(index.by_vector("text", changed.text, Filters(), 1))) == changed.id


def test_filters_are_asked_again_after_a_write(tmp_path: Path) -> None:
    index = ArtifactIndex(tmp_path)
    index.make(MODELS, [[row(place) for place in range(10)]])
    index.hold()
    for filters in (Filters(engine="cycles"), Filters(until="3000")):
        before = index.passing(filters)
        assert before is not None and index.passing(filters) is before
        index.remove(sorted(before)[:1])
        assert index.passing(filters) == before - {min(before)}
        index.put([row(int(min(before)[2:], 16))])
        assert index.passing(filters) == before
    assert index.passing(Filters()) is None


def test_an_empty_index_finds_nothing_and_takes_what_comes(tmp_path: Path) -> None:
    index = ArtifactIndex(tmp_path)
    index.make(MODELS, [])
    index.hold()
    assert index.by_vector("text", direction(8), Filters(), 5) == {}
    assert index.by_hash(bytes(16), Filters(), 5) == {}
    index.put([row(1)])
    assert list(index.by_hash(bytes(16), Filters(), 5)) == [row(1).id]


def test_more_than_memory_is_to_hold_stay_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "HELD_AT_MOST", 3)
    index = ArtifactIndex(tmp_path)
    index.make(MODELS, [[row(place) for place in range(3)]])
    index.hold()
    index.put([row(3)])
    again = ArtifactIndex(tmp_path)
    again.open()
    again.hold()
    assert_same(index, again, Filters())
    assert len(index.by_vector("text", direction(8), Filters(), 9)) == 4


def merged_and_open(folder: Path) -> list[str]:
    """The files below a folder that are gone and that this process still holds open."""
    # One of them listed the folder and is closed by now.
    targets = [str(one.readlink()) for one in Path("/proc/self/fd").iterdir() if one.is_symlink()]
    return [one for one in targets if one.startswith(str(folder)) and one.endswith(" (deleted)")]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which files a process has open")
def test_files_that_were_merged_away_are_not_kept_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "VERSIONS_KEPT", 4)

    def tidy(table: Any, versions: int = 4) -> bool:
        return tables.tidy(table, versions)

    monkeypatch.setattr(index_module, "tidy", tidy)
    writing, following = ArtifactIndex(tmp_path), ArtifactIndex(tmp_path)
    # Smaller files are read at once and closed.
    many = " ".join(f"word{number}" for number in range(4000))
    writing.make(MODELS, [[dataclasses.replace(row(0), words=many)]])
    for place in range(1, 60):
        writing.put([row(place)])
        following.refresh(0)
        for one in (writing, following):
            assert one.by_words(f"ball {place}", Filters(), 1).keys() == {f"a-{place:016x}"}
    # What the last merges took is closed when its table is collected; of fifteen merges, sixteen files stayed open.
    for _ in range(100):
        gc.collect()
        if len(merged_and_open(tmp_path)) <= 4:
            break
        time.sleep(0.1)
    assert len(merged_and_open(tmp_path)) <= 4
