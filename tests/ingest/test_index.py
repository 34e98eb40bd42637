"""The index on disk: filled step by step, taken up again, never without what it had before."""

from __future__ import annotations

import dataclasses
import errno
import json
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from ingest import build as build_module
from ingest import reference_store as store
from ingest.reference_store import (
    Catalogue,
    Database,
    IndexBusy,
    IndexStorageFailed,
    ReferenceIndexUnusable,
    ingest_lock,
    read_catalogue,
)
from ingest.symbol import Symbol
from search.exporting import ModelUnusable
from search.tables import text_digest
from tests.lamp_reference import (
    COUNT,
    TEXTS,
    FakeEmbedder,
    answers,
    catalogue,
    fill,
    opened,
    source,
    symbols,
)

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "index"


@pytest.fixture
def embedder() -> FakeEmbedder:
    return FakeEmbedder()


def tables(folder: Path) -> set[str]:
    return {path.name.removesuffix(".lance") for path in folder.glob("*.lance")}


def named(folder: Path) -> set[str]:
    """The tables that should be there when nothing is left over."""
    found = {"vectors"}
    for one in catalogue(folder).references.values():
        found |= {one.symbols_table, one.questions_table}
    return found


# Step by step


def test_words_are_published_before_vectors(folder: Path, embedder: FakeEmbedder) -> None:
    seen: list[tuple[str, int, int]] = []

    def progress(step: str, done: int, total: int) -> None:
        if step == "embedding" and not done:
            answers(opened(folder))
        seen.append((step, done, total))

    assert read_catalogue(folder) is None
    built = fill(folder, embedder, progress=progress)
    assert (built.embedded, built.known, built.unchanged) == (TEXTS, 0, False)
    assert (built.reference.symbols, built.reference.questions, built.reference.dense) == (COUNT, 2, True)
    assert catalogue(folder) == Catalogue("fake@1", {"9.1.0": built.reference})
    answers(opened(folder), embedder)
    assert ("embedding", 0, TEXTS) in seen and ("embedding", TEXTS, TEXTS) in seen


def test_the_same_again_is_unchanged_and_embeds_nothing(folder: Path, embedder: FakeEmbedder) -> None:
    first = fill(folder, embedder)
    again = fill(folder, embedder)
    assert again.unchanged and (again.embedded, again.known) == (0, TEXTS)
    assert again.reference == first.reference
    assert len(embedder.embedded) == TEXTS


def test_only_what_changed_is_embedded(folder: Path, embedder: FakeEmbedder) -> None:
    fill(folder, embedder)
    embedder.embedded.clear()
    built = fill(folder, embedder, source(listed=symbols(changed="New words.")))
    assert embedder.embedded == ["lamp: part 0. New words."]
    assert (built.embedded, built.known, built.unchanged) == (1, TEXTS - 1, False)
    answers(opened(folder), embedder)
    assert opened(folder).symbols([0])[0].description == "New words."


def test_what_is_not_embedded_may_change_too(folder: Path, embedder: FakeEmbedder) -> None:
    fill(folder, embedder)
    typed = [dataclasses.replace(symbol, type="int") for symbol in symbols()]
    built = fill(folder, embedder, source(listed=typed))
    assert (built.embedded, built.unchanged) == (0, False)
    assert opened(folder).symbols([3])[0].type == "int"


def test_references_stand_side_by_side(folder: Path, embedder: FakeEmbedder) -> None:
    fill(folder, embedder)
    fill(folder, embedder, source("8.4-published", symbols(changed="Older.")))
    assert list(catalogue(folder).references) == ["9.1.0", "8.4-published"]
    assert len(embedder.embedded) == TEXTS + 1
    answers(opened(folder), embedder)
    answers(opened(folder, "8.4-published"), embedder)


def test_a_reference_may_answer_no_question(folder: Path, embedder: FakeEmbedder) -> None:
    built = fill(folder, embedder, source(questions=()))
    assert (built.reference.questions, built.embedded) == (0, COUNT)
    directory = opened(folder)
    assert directory.by_words("says 7", 5) and directory.wordings == ()
    assert directory.wordings_by_words("lamp", 5) == {}


def test_texts_that_are_alike_are_embedded_once(folder: Path, embedder: FakeEmbedder) -> None:
    twins = [Symbol(f"bpy.lamp.{spelled}", "function", description="Same.") for spelled in ("turn_on", "turn.on")]
    alike = [dataclasses.replace(twins[0], address=f"bpy.{space}.lamp.turn") for space in ("a", "b", "c")]
    built = fill(folder, embedder, source(listed=alike, questions=()))
    assert built.embedded == len(embedder.embedded) == 1


@pytest.mark.parametrize("name", ["9.1 beta/2", "..", "it's", "é-published"])
def test_any_name_of_a_reference_can_be_kept(folder: Path, embedder: FakeEmbedder, name: str) -> None:
    fill(folder, embedder, source(name))
    answers(opened(folder, name), embedder)
    assert set(folder.parent.iterdir()) == {folder}


def test_a_model_with_a_quote_in_its_name(folder: Path) -> None:
    quoted = FakeEmbedder("it's \"a\" model' OR 1=1 --@1")
    fill(folder, quoted)
    fill(folder, FakeEmbedder("other@1"), source("8.4.0"))
    built = fill(folder, quoted, source(listed=symbols(changed="New words.")))
    assert built.embedded == 1
    answers(opened(folder), quoted)


# Interrupted


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_module, "KEPT_AT_ONCE", 10)


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), ModelUnusable("failed"), MemoryError()])
@pytest.mark.usefixtures("small_steps")
def test_an_interrupted_ingest_is_taken_up_again(folder: Path, embedder: FakeEmbedder, failure: BaseException) -> None:
    embedder.fails_at, embedder.failure = "part 42", failure
    with pytest.raises(type(failure)):
        fill(folder, embedder)
    done = len(embedder.embedded)
    assert 0 < done < TEXTS
    answers(opened(folder))
    embedder.fails_at = ""
    built = fill(folder, embedder)
    assert (built.embedded, built.known) == (TEXTS - done, done)
    assert len(embedder.embedded) == len(set(embedder.embedded)) == TEXTS
    answers(opened(folder), embedder)


@pytest.mark.usefixtures("small_steps")
def test_an_interrupted_ingest_leaves_the_previous_index(folder: Path, embedder: FakeEmbedder) -> None:
    before = fill(folder, embedder).reference
    reader = opened(folder)
    anew = [dataclasses.replace(symbol, description=f"{symbol.description} Anew.") for symbol in symbols()]
    embedder.fails_at, embedder.failure = "part 42. It says 42. Anew", KeyboardInterrupt()
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            fill(folder, embedder, source(listed=anew))
        assert catalogue(folder).references["9.1.0"] == before
        answers(reader, embedder)
        answers(opened(folder), embedder)
    embedder.fails_at = ""
    fill(folder, embedder, source(listed=anew))
    assert opened(folder).symbols([42])[0].description == "It says 42. Anew."


def test_two_ingests_at_once(folder: Path, embedder: FakeEmbedder) -> None:
    hold = "import sys\nfrom pathlib import Path\nfrom ingest.reference_store import ingest_lock\n"
    hold += "with ingest_lock(Path(sys.argv[1])):\n    print('held', flush=True)\n    sys.stdin.read()\n"
    command = [sys.executable, "-c", hold, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline() == b"held\n"
        with pytest.raises(IndexBusy, match="Another ingest is running"):
            fill(folder, embedder)
        # Killed, as by a power cut: what it held is free again.
        other.kill()
    assert other.returncode
    fill(folder, embedder)
    with ingest_lock(folder), pytest.raises(IndexBusy):
        fill(folder, embedder)


# What a reader has open


def test_what_an_ingest_replaces_stays_until_the_next(folder: Path, embedder: FakeEmbedder) -> None:
    fill(folder, embedder)
    reader = opened(folder)
    fill(folder, embedder, source(listed=symbols(changed="Second.")))
    answers(reader, embedder)
    assert reader.symbols([0])[0].description == "It says 0."
    second = opened(folder)
    fill(folder, embedder, source("8.4.0"))
    answers(second, embedder)
    assert tables(folder) >= named(folder)
    gone = {reader.reference.symbols_table, reader.reference.questions_table}
    assert not gone & tables(folder)


def test_nothing_else_piles_up(folder: Path, embedder: FakeEmbedder) -> None:
    (folder / "symbols-half.lance" / "data").mkdir(parents=True)
    for turn in range(6):
        fill(folder, embedder, source(listed=symbols(changed=f"Turn {turn}.")))
        assert len(tables(folder) - named(folder)) <= 4
    assert not (folder / "symbols-half.lance").exists()


# Storage


def no_space(self: Database, *_: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def no_space_in_lance(self: Database, *_: Any) -> None:
    raise RuntimeError("lance error: LanceError(IO): No space left on device (os error 28), /x.rs:1\nmore")


def nothing_said(self: Database, *_: Any) -> None:
    raise RuntimeError


@pytest.mark.parametrize("failure", [no_space, no_space_in_lance, nothing_said])
@pytest.mark.parametrize("step", ["write_symbols", "write_questions", "keep_vectors"])
def test_a_full_disk_leaves_the_previous_index(
    folder: Path, embedder: FakeEmbedder, monkeypatch: pytest.MonkeyPatch, step: str, failure: Any
) -> None:
    fill(folder, embedder)
    changed = source(listed=symbols(changed="New words."))
    with monkeypatch.context() as patch:
        patch.setattr(Database, step, failure)
        with pytest.raises(IndexStorageFailed, match=r"could not be written: .*until then the old index is used"):
            fill(folder, embedder, changed)
    answers(opened(folder), embedder)
    assert fill(folder, embedder, changed).embedded == (1 if step == "keep_vectors" else 0)
    assert fill(folder, embedder, source("8.4.0")).reference.dense
    words = {
        table for table in tables(folder) - named(folder) if table.startswith(("symbols-8.4.0", "questions-8.4.0"))
    }
    assert tables(folder) == named(folder) | words


def test_a_catalogue_that_cannot_be_written(
    folder: Path, embedder: FakeEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(folder, embedder)
    before = (folder / "index.json").read_bytes()
    changed = source(listed=symbols(changed="New words."))
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", no_space)
        with pytest.raises(IndexStorageFailed, match="No space left"):
            fill(folder, embedder, changed)
    assert (folder / "index.json").read_bytes() == before
    answers(opened(folder), embedder)
    fill(folder, embedder, changed)
    assert {path.name for path in folder.iterdir() if path.suffix != ".lance"} == {"index.json", "lock"}


def test_a_folder_that_cannot_be_made(tmp_path: Path, embedder: FakeEmbedder) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(IndexStorageFailed, match="could not be written"):
        fill(tmp_path / "file" / "index", embedder)


# An index that cannot be used


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "JSONDecodeError"),
        ("{", "JSONDecodeError"),
        ("\x00\x01", "JSONDecodeError"),
        ("[]", "cannot be read"),
        ("null", "cannot be read"),
        ("{}", "schema"),
        ('{"schema": 99, "model": "m", "references": {}}', "has schema 99, this program reads 1"),
        ('{"schema": 1}', "references"),
        ('{"schema": 1, "model": "m", "references": []}', "cannot be read"),
        ('{"schema": 1, "model": "m", "references": {"9.1.0": {"other": 1}}}', "cannot be read"),
    ],
)
def test_an_index_of_another_kind_says_what_to_do(
    folder: Path, embedder: FakeEmbedder, content: str, said: str
) -> None:
    folder.mkdir()
    (folder / "index.json").write_text(content)
    for use in (lambda: read_catalogue(folder), lambda: fill(folder, embedder)):
        with pytest.raises(ReferenceIndexUnusable) as unusable:
            use()
        assert said in str(unusable.value) and str(folder) in str(unusable.value)
        assert "Remove that folder and run `blendproof ingest blender`" in str(unusable.value)
    assert (folder / "index.json").read_text() == content


def remove(table: Path) -> None:
    for file in sorted(table.rglob("*"), reverse=True):
        file.unlink() if file.is_file() else file.rmdir()
    table.rmdir()


def remove_data(table: Path) -> None:
    remove(table / "data")


def cut_data(table: Path) -> None:
    for file in (table / "data").iterdir():
        file.write_bytes(file.read_bytes()[:40])


@pytest.mark.parametrize("damage", [remove, remove_data, cut_data])
@pytest.mark.parametrize("which", ["symbols_table", "questions_table"])
def test_a_damaged_table_says_what_to_do(folder: Path, embedder: FakeEmbedder, which: str, damage: Any) -> None:
    reference = fill(folder, embedder).reference
    damage(folder / f"{getattr(reference, which)}.lance")
    with pytest.raises(ReferenceIndexUnusable) as unusable:
        opened(folder)
    assert f"{folder} cannot be" in str(unusable.value)
    assert "Remove that folder and run `blendproof ingest blender`" in str(unusable.value)


# Another model


@pytest.mark.usefixtures("small_steps")
def test_an_index_by_another_model_stays_until_the_new_one_is_whole(folder: Path, embedder: FakeEmbedder) -> None:
    fill(folder, embedder)
    fill(folder, embedder, source("8.4.0"))
    before = catalogue(folder)
    other = FakeEmbedder("other@1", 4)
    other.fails_at, other.failure = "part 42", KeyboardInterrupt()
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            fill(folder, other)
        assert catalogue(folder) == before
        answers(opened(folder), embedder)
        answers(opened(folder, "8.4.0"), embedder)
    other.fails_at = ""
    built = fill(folder, other)
    assert built.embedded < TEXTS
    assert catalogue(folder).model == "other@1"
    answers(opened(folder), other)
    # Its vectors fit no query any more, its words do.
    answers(opened(folder, "8.4.0"))
    assert fill(folder, other, source("8.4.0")).embedded == 0
    answers(opened(folder, "8.4.0"), other)


def test_going_back_to_a_model_embeds_nothing_again(folder: Path, embedder: FakeEmbedder) -> None:
    fill(folder, embedder)
    fill(folder, FakeEmbedder("other@1"))
    assert fill(folder, embedder).embedded == 0
    answers(opened(folder), embedder)


# Vectors that are remembered


def remembered(folder: Path) -> int:
    return Database(folder).vectors_kept()


def test_vectors_do_not_grow_without_bound(folder: Path, embedder: FakeEmbedder) -> None:
    fill(folder, embedder, source("8.4.0"))
    for turn in range(8):
        turned = [dataclasses.replace(symbol, description=f"Turn {turn}.") for symbol in symbols()]
        assert fill(folder, embedder, source(listed=turned)).embedded == COUNT
        # Twice what two references and the new one use, and what was just added.
        assert remembered(folder) <= 7 * TEXTS + COUNT
    assert len(embedder.embedded) == TEXTS + 8 * COUNT
    embedder.embedded.clear()
    # What a reference uses was not forgotten.
    assert fill(folder, embedder, source("8.4.0", symbols(changed="New words."))).embedded == 1


def test_only_what_is_needed_is_remembered_when_it_is_too_much(folder: Path, embedder: FakeEmbedder) -> None:
    for turn in range(4):
        turned = [dataclasses.replace(symbol, description=f"Turn {turn}.") for symbol in symbols()]
        fill(folder, embedder, source(listed=turned))
    before = sum(1 for _ in (folder / "vectors.lance" / "data").iterdir())
    Database(folder).forget_vectors("fake@1", {text_digest("who's there"), "unknown"})
    assert remembered(folder) == 1
    assert sum(1 for _ in (folder / "vectors.lance" / "data").iterdir()) == 1 < before
    Database(folder).forget_vectors("fake@1", set())
    assert remembered(folder) == 0
    assert fill(folder, embedder).embedded == TEXTS


def test_many_small_writes_are_put_together(folder: Path, embedder: FakeEmbedder) -> None:
    for turn in range(6):
        fill(folder, embedder, source(listed=symbols(changed=f"Turn {turn}.")))
        Database(folder).tidy_vectors(2)
        assert sum(1 for _ in (folder / "vectors.lance" / "_versions").iterdir()) <= 3
    assert remembered(folder) == TEXTS + 5
    assert fill(folder, embedder, source(listed=symbols(changed="Turn 2."))).embedded == 0


@pytest.fixture(autouse=True)
def no_locks_left(folder: Path) -> Generator[None, None, None]:
    """Whatever happened, the next ingest can begin."""
    yield
    if folder.is_dir():
        with ingest_lock(folder):
            pass


def test_the_catalogue_is_one_readable_file(folder: Path, embedder: FakeEmbedder) -> None:
    fill(folder, embedder)
    facts = json.loads((folder / "index.json").read_text())
    assert facts["schema"] == store.INDEX_SCHEMA and facts["model"] == "fake@1"
    assert facts["references"]["9.1.0"]["source"] == "Blender 9.1.0"
