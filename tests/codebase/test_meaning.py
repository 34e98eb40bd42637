"""Vectors of units: which are made, when, and what a search makes of them."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from app.cli.main import app
from codebase.ask.finding import find
from codebase.errors import NotARepository
from codebase.index import meaning, watching
from codebase.index.indexing import update, without_vectors
from codebase.index.meaning import EmbeddingModel, pack_vectors
from codebase.index.snapshot import load
from codebase.index.store import open_index
from codebase.index.watching import watch
from search.embed import Embedder
from search.exporting import ModelUnusable
from tests.codebase.small import repository, run_git, write

MODEL = EmbeddingModel("fake", "/nowhere")
OTHER = EmbeddingModel("other", "/nowhere")
MEANINGS = {"transparent": 0, "opacity": 0, "see": 0, "through": 0, "sound": 1, "loud": 1, "volume": 1}
"""Words that mean the same have the same number."""
FILES = {
    "look.py": 'def fade(mesh):\n    """Set the opacity."""\n    return loud(mesh)\n',
    "noise.py": "def tune(loud):\n    return loud\n\n\ndef hush():\n    pass\n",
    "tests/test_look.py": "def test_fade():\n    pass\n",
    "README.md": "# Opacity\n",
}


class Encoder:
    """A vector per text from the meanings of its words; what it has read is remembered."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def encode(self, texts: Sequence[str]) -> Any:
        self.read += texts
        rows = np.full((len(texts), 4), -0.01, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word, number in MEANINGS.items():
                row[number] += word in text.lower()
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture(autouse=True)
def encoder(monkeypatch: pytest.MonkeyPatch) -> Encoder:
    """A model that needs no files; its identity is its name."""
    made = Encoder()
    as_any: Any = made

    def opened_model(name: str, home: str) -> Embedder:
        return Embedder(name, f"{name}@1", 4, as_any)

    monkeypatch.setattr(meaning, "opened_model", opened_model)
    return made


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "repository", FILES)


def index(root: Path, folder: Path) -> int:
    return update(root, folder, model=MODEL).embedded


# What is embedded


def test_signatures_and_docstrings_are_embedded_and_bodies_are_not(root: Path, folder: Path, encoder: Encoder) -> None:
    assert index(root, folder) == 3
    assert sorted(encoder.read) == ["def fade(mesh) Set the opacity.", "def hush()", "def tune(loud)"]


def test_only_units_that_changed_are_embedded(root: Path, folder: Path, encoder: Encoder) -> None:
    index(root, folder)
    assert update(root, folder).embedded == 0
    write(root, {"noise.py": "def tune(loud):\n    return loud + 1\n\n\ndef hush(now):\n    pass\n"})
    encoder.read.clear()
    assert update(root, folder).embedded == 1
    assert encoder.read == ["def hush(now)"]


def test_a_rename_and_a_branch_that_comes_back_embed_nothing(root: Path, folder: Path) -> None:
    index(root, folder)
    (root / "look.py").rename(root / "view.py")
    assert update(root, folder).embedded == 0
    run_git(root, "checkout", "-q", "-f", "HEAD")
    assert update(root, folder).embedded == 0
    assert meant(folder) == {"fade", "tune", "hush"}


def meant(folder: Path) -> set[str]:
    """The names of the units that have a vector."""
    snapshot = load(folder)
    assert snapshot.meaning
    places: list[int] = snapshot.meaning.units.tolist()
    return {snapshot.units[place].name for place in places}


def test_an_index_without_a_model_keeps_no_vectors(root: Path, folder: Path, encoder: Encoder) -> None:
    assert update(root, folder).embedded == 0
    assert load(folder).meaning is None and encoder.read == []
    index(root, folder)
    assert load(folder).meaning
    without_vectors(folder)
    assert update(root, folder).embedded == 0 and load(folder).meaning is None


def test_another_model_makes_all_vectors_again(root: Path, folder: Path) -> None:
    index(root, folder)
    done = update(root, folder, model=OTHER)
    found = load(folder).meaning
    assert done.embedded == 3 and found and (found.model, found.identity) == (OTHER, "other@1")


def test_vectors_that_no_unit_has_are_dropped_with_their_contents(root: Path, folder: Path) -> None:
    index(root, folder)
    for number in range(6):
        write(root, {"noise.py": f"def loud_{number}():\n    pass\n"})
        update(root, folder)
    with open_index(folder) as store:
        kept = len(store.vectors())
    assert "loud_5" in meant(folder) and kept <= 5


def test_what_was_embedded_before_a_failure_stays(
    root: Path, folder: Path, encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meaning, "GROUP", 1)
    plain = encoder.encode

    def fails(texts: Sequence[str]) -> Any:
        if "def hush()" in texts:
            raise RuntimeError("no memory")
        return plain(texts)

    monkeypatch.setattr(encoder, "encode", fails)
    done = update(root, folder, model=MODEL)
    assert done.problem and "no memory" in done.problem and meant(folder) == {"fade"}
    monkeypatch.setattr(encoder, "encode", plain)
    assert update(root, folder).embedded == 2


def test_a_search_embeds_a_few_units_and_leaves_the_rest(
    root: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meaning, "GROUP", 1)
    update(root, folder, model=MODEL, most_embedded=0)
    assert load(folder).units and meant(folder) == set()
    assert update(root, folder, most_embedded=1).embedded == 1
    assert update(root, folder).embedded == 2


def test_a_packed_vector_is_near_to_the_vector() -> None:
    vectors = np.random.default_rng(0).standard_normal((5, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    for vector, data in zip(vectors, pack_vectors(vectors), strict=True):
        unpacked = np.frombuffer(data[4:], dtype=np.int8) * np.frombuffer(data[:4], dtype=np.float32)
        assert len(data) == 388 and float(unpacked @ vector) == pytest.approx(1, abs=1e-3)


# What is found


def test_a_question_in_other_words_is_answered_by_meaning(root: Path, folder: Path) -> None:
    question = "transparent"
    assert find(root, folder, question).hits == []
    index(root, folder)
    found = find(root, folder, question)
    assert found.hits[0].name == "fade" and "meaning (place 1)" in found.hits[0].reasons
    assert found.freshness.words_alone is None


def test_a_saved_unit_is_found_by_meaning(root: Path, folder: Path) -> None:
    index(root, folder)
    write(root, {"more.py": "def set_volume():\n    pass\n\n\ndef other():\n    pass\n"})
    assert sorted(hit.name for hit in find(root, folder, "sound").hits) == ["set_volume", "tune"]


def test_without_its_model_an_index_answers_by_words_and_says_so(
    root: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index(root, folder)

    def unusable(name: str, home: str) -> Embedder:
        raise ModelUnusable("The embedding model fake is gone.")

    monkeypatch.setattr(meaning, "opened_model", unusable)
    found = find(root, folder, "opacity of fade")
    assert found.hits[0].name == "fade" and found.freshness.words_alone == "The embedding model fake is gone."
    assert found.freshness.problem is None


def test_vectors_of_another_file_of_the_model_are_not_compared(
    root: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index(root, folder)
    made: Any = Encoder()

    def open_index(name: str, _home: str) -> Embedder:
        return Embedder(name, f"{name}@2", 4, made)

    monkeypatch.setattr(meaning, "opened_model", open_index)
    found = find(root, folder, "transparent")
    assert found.hits == [] and "another file of fake" in str(found.freshness.words_alone)
    assert update(root, folder).embedded == 3
    assert find(root, folder, "transparent").hits[0].name == "fade"


def test_a_judge_has_its_say_on_the_first_units(root: Path, folder: Path) -> None:
    def judge(question: str, texts: Sequence[str]) -> list[float]:
        assert question == "loud" and any("def fade(mesh):" in text and "look.py" in text for text in texts)
        return [float("Set the opacity" in text) for text in texts]

    plain = [hit.name for hit in find(root, folder, "loud").hits]
    judged = find(root, folder, "loud", judge=judge).hits
    assert plain.index("fade") > [hit.name for hit in judged].index("fade")
    assert sorted(plain) == sorted(hit.name for hit in judged)
    assert any("judge (place 1)" in hit.reasons for hit in judged)


def test_the_commands_turn_vectors_on_and_off(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLENDPROOF_DATA", str(tmp_path / "data"))

    def said(*arguments: str) -> str:
        result = CliRunner().invoke(app, ["repo", *arguments])
        return result.stdout + result.stderr

    assert "3 units embedded" in said("add", str(root), "--name", "r", "--vectors")
    assert "def fade(mesh)" in said("search", "r", "transparent")
    assert "embedded" not in said("index", "r", "--no-vectors")
    assert "Nothing was found." in said("search", "r", "transparent")


# Watching


@pytest.fixture
def stop(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    monkeypatch.setattr(watching, "WAIT_MS", 20)
    event = threading.Event()
    guard = threading.Timer(60, event.set)
    guard.start()
    yield event
    event.set()
    guard.cancel()


def test_a_saved_file_is_read_while_its_folder_is_watched(root: Path, folder: Path, stop: threading.Event) -> None:
    watched = watch(root, folder, stop)
    assert next(watched).read == 4
    write(root, {"new.py": "def brand_new():\n    pass\n"})
    assert any("brand_new" in load(folder).definitions for _ in watched)
    stop.set()
    assert list(watched) == []


def test_a_folder_that_is_not_there_cannot_be_watched(folder: Path, stop: threading.Event) -> None:
    with pytest.raises(NotARepository, match="cannot be watched"):
        next(watch(folder / "none", folder, stop))
