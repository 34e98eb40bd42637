"""A retriever whose index is missing, damaged, replaced or not yet whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.retrieval.directory import choose_reference
from app.retrieval.retriever import Retriever, SymbolMatch, model_problem
from ingest.reference_store import Database, ReferenceIndexUnusable, read_catalogue
from ingest.symbol import Symbol
from tests.small_index import (
    MODEL,
    SYMBOLS,
    open_small,
    source,
    use_embedder,
    write_index,
    write_words,
)

SUBSURF = "bpy.types.SubsurfModifier"


def addresses(hits: list[SymbolMatch]) -> list[str]:
    return [hit.symbol.address for hit in hits]


def test_without_an_index_it_is_said_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ReferenceIndexUnusable, match=r"Nothing is indexed yet\. Run `blendproof ingest blender`"):
        Retriever(tmp_path / "index", tmp_path, MODEL).search("cube")


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"schema": 99}', '{"schema": 1, "model": "m", "references": {"5": {}}}']
)
def test_a_damaged_catalogue_is_unusable_and_no_crash(content: str, tmp_path: Path) -> None:
    (tmp_path / "index.json").write_text(content)
    with pytest.raises(ReferenceIndexUnusable, match="blendproof ingest blender"):
        Retriever(tmp_path, tmp_path, MODEL).search("cube")


def test_a_new_index_is_taken_up_and_the_old_tables_may_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "index"
    retriever = open_small(folder, monkeypatch)
    write_index(folder)
    before = retriever.directory()
    for number in range(3):
        added = Symbol(f"bpy.types.Novelty{number}", "class", label="Novelty")
        write_index(folder, source(symbols=[*SYMBOLS, added]))
        assert addresses(retriever.search("novelty"))[0] == added.address
    # Two ingests later its tables are gone, and this is what a reader meets that is still at it.
    with pytest.raises((OSError, RuntimeError, ValueError)):
        before.symbols([0])
    assert retriever.reference().symbols == len(SYMBOLS) + 1
    assert choose_reference(retriever.catalogue(), "5.0") == retriever.reference()


def test_tables_that_go_under_a_reader_are_opened_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "index"
    write_index(folder)
    retriever = open_small(folder, monkeypatch)
    found = retriever.search("SUBSURF")
    broken = retriever.directory()
    monkeypatch.setattr(broken, "_symbols", BrokenTable())
    assert retriever.search("SUBSURF") == found
    assert retriever.directory() is not broken


class BrokenTable:
    def search(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("lance error: Not found")


def test_tables_that_are_gone_are_said_and_taken_up_when_they_are_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "index"
    write_index(folder)
    retriever = open_small(folder, monkeypatch)
    table = folder / f"{retriever.reference().symbols_table}.lance"
    assert retriever.search("SUBSURF")
    table.rename(tmp_path / "aside")
    for ask in (retriever.search, retriever.symbol):
        with pytest.raises(ReferenceIndexUnusable, match="blendproof ingest blender"):
            ask("SUBSURF")
    (tmp_path / "aside").rename(table)
    assert addresses(retriever.search("SUBSURF"))[0] == SUBSURF


def test_an_index_of_another_model_is_not_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "index"
    write_index(folder)
    use_embedder(monkeypatch)
    other = Retriever(folder, tmp_path, "other")
    with pytest.raises(ReferenceIndexUnusable, match=r"shared-words@1.*other@1.*BLENDPROOF_EMBEDDING_MODEL"):
        other.search("cube")
    symbol = other.symbol("SUBSURF")
    assert symbol and symbol.address == SUBSURF
    catalogue = read_catalogue(folder)
    assert catalogue and model_problem(catalogue, "other") and not model_problem(catalogue, MODEL)


def test_an_interrupted_ingest_is_searched_by_words(tmp_path: Path) -> None:
    write_words(tmp_path / "index")
    # No model is loaded for it: there is none of this name.
    retriever = Retriever(tmp_path / "index", tmp_path, "no-such-model")
    assert addresses(retriever.search("split the faces"))[0] == SUBSURF
    assert addresses(retriever.search("soften the borders"))[0] == "bpy.types.BevelModifier"
    assert retriever.search("zzzz qqqq") == []
    assert retriever.exemplars("put a ball into the scene") == []


def test_a_reference_that_answers_no_question_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_index(tmp_path / "index", source(questions=[]))
    retriever = open_small(tmp_path / "index", monkeypatch)
    assert addresses(retriever.search("split the faces"))[0] == SUBSURF
    assert retriever.exemplars("split the faces") == []


def test_an_index_of_0_1_has_no_names_and_finds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "index"
    write_index(folder)
    asked = ("SUBSURF", "uv sphere", "mesh.primitive_uv_sphere_add")
    now = [addresses(open_small(folder, monkeypatch).search(query)) for query in asked]
    catalogue = read_catalogue(folder)
    assert catalogue
    (reference,) = catalogue.references.values()
    Database(folder).open(reference.symbols_table).drop_columns(["spellings", "phrases"])
    assert [addresses(open_small(folder, monkeypatch).search(query)) for query in asked] == now
    assert now[0][0] == SUBSURF
