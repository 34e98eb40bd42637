"""Finding symbols: legs and their ranking, the reference that is searched, the cross-encoder."""

from __future__ import annotations

import importlib
import json
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from app.retrieval.cross import rerank
from app.retrieval.directory import choose_reference
from app.retrieval.rank import SymbolEvidence, rank
from app.retrieval.retriever import CROSS_DEPTH, Retriever, SymbolMatch
from ingest.reference_store import Catalogue, IndexedReference, ReferenceNotIndexed
from ingest.symbol import Symbol
from search import torchvision_schemas
from search.cross import CrossEncoder
from search.exporting import ModelUnusable
from tests.small_index import (
    SYMBOLS,
    open_small,
    write_index,
)

SUBSURF = "bpy.types.SubsurfModifier"
UV_SPHERE = "bpy.ops.mesh.primitive_uv_sphere_add"
BEVEL = "bpy.types.BevelModifier"
KEYFRAME = "bpy.types.bpy_struct.keyframe_insert"


def addresses(hits: list[SymbolMatch]) -> list[str]:
    return [hit.symbol.address for hit in hits]


# Ranking


@pytest.fixture(scope="module")
def small_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small") / "index"
    write_index(folder)
    return folder


@pytest.fixture
def small(small_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Retriever:
    return open_small(small_folder, monkeypatch)


@pytest.mark.parametrize(
    ("legs", "query", "first"),
    [
        (("spelled",), "SUBSURF", SUBSURF),
        (("called",), "a metaball", "bpy.types.MetaBall"),
        (("asked",), "please round off the sharp corners", "bpy.types.BevelModifier"),
        (("voted",), "round off corners", "bpy.types.BevelModifier"),
        (("worded",), "borders", "bpy.types.BevelModifier"),
        (("meant",), "split faces into smaller parts", SUBSURF),
        (("written",), "operand", "bpy.types.BooleanModifier.object"),
        (("meant", "owned"), "Subdivisions shown", f"{SUBSURF}.levels"),
    ],
)
def test_each_leg_finds_by_itself(legs: tuple[str, ...], query: str, first: str, small: Retriever) -> None:
    directory = small.directory()
    ranked = rank(directory, query, small.embed(query, directory), legs)
    assert directory.addresses[ranked[0][0]] == first
    assert ranked[0][1] > 0


def test_legs_that_are_not_used_do_no_work(small: Retriever) -> None:
    directory = small.directory()
    assert rank(directory, "SUBSURF", small.embed("SUBSURF", directory), ()) == []


def test_words_and_names_are_enough_without_a_vector(small: Retriever) -> None:
    ranked = rank(small.directory(), "split faces", None)
    assert small.directory().addresses[ranked[0][0]] == SUBSURF
    assert all(evidence.meant == evidence.asked == 0 for _, _, evidence in ranked)


def test_a_recipe_is_no_question_but_a_known_answer(small: Retriever) -> None:
    """Most of what a whole snippet uses is not relevant, so it is shown in full instead."""
    assert small.search("put a ball into the scene", limit=1)[0].why != ('answers "put a ball into the scene"',)
    answer = small.exemplars("put a ball there")[0]
    assert (answer.name, answer.title) == ("cookbook/ball", "put a ball into the scene")
    assert answer.snippet.startswith("import bpy")


def test_the_reason_is_true(small: Retriever) -> None:
    assert first_reason(small, "round off sharp corners", BEVEL) == 'answers "round off sharp corners"'
    far = 'answers "round off sharp corners", which is not near to the request'
    assert first_reason(small, "a round kitchen table with chairs please", BEVEL) == far
    assert first_reason(small, "SUBSURF", SUBSURF) == "the request writes SUBSURF"
    assert first_reason(small, "metaballs", "bpy.types.MetaBall") == 'the request names "metaball"'


def first_reason(retriever: Retriever, query: str, address: str) -> str:
    return next(hit.why[0] for hit in retriever.search(query, limit=50) if hit.symbol.address == address)


@pytest.mark.parametrize(
    "query",
    [
        "🙂",
        "AND OR NOT",
        '" * ( ) : ^ ~ \\',
        "it's",
        "%' OR 1=1 --",
        "the of to",
        "a\x00b",
        "\udcff",
        "x" * 5000,
        "a\nb\tc",
    ],
)
def test_a_strange_query_is_a_query(query: str, small: Retriever) -> None:
    hits = small.search(query, limit=50)
    assert len(hits) <= len(SYMBOLS)
    assert all(hit.why for hit in hits)


@pytest.mark.parametrize("query", ["", " \n"])
def test_a_query_that_says_nothing_finds_nothing(query: str, small: Retriever) -> None:
    assert small.search(query) == []
    assert small.exemplars(query) == []


def test_the_best_is_first_and_no_symbol_is_there_twice(small: Retriever) -> None:
    hits = small.search("split the faces of the object into smaller parts", limit=20)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert len(set(addresses(hits))) == len(hits)
    assert addresses(small.search("split the faces of the object into smaller parts", limit=3)) == addresses(hits)[:3]


# References


def reference(name: str) -> IndexedReference:
    series = ".".join(name.removesuffix("-published").split(".")[:2])
    return IndexedReference(name, series, "", "", "", "", 1, 1, True, "")


@pytest.mark.parametrize(
    ("there", "wanted", "chosen"),
    [
        (["4.4-published", "5.0.1"], None, "5.0.1"),
        (["5.1-published", "5.0.1"], None, "5.0.1"),
        (["4.2.9", "4.2.10"], None, "4.2.10"),
        (["4.10.0", "4.9.5"], None, "4.10.0"),
        (["4.2-published", "4.4-published"], None, "4.4-published"),
        (["5.0-published", "5.0.1"], "5.0", "5.0.1"),
        (["5.0-published", "5.0.1"], "5.0-published", "5.0-published"),
        (["5.0-published", "5.0.1"], "5.0.1", "5.0.1"),
        (["4.4-published", "5.0.1"], "4.4", "4.4-published"),
        (["4.2.3", "5.0.1"], "4.2", "4.2.3"),
        (["5.0.1"], "", "5.0.1"),
    ],
)
def test_the_reference_is_chosen(there: list[str], wanted: str | None, chosen: str) -> None:
    catalogue = Catalogue("m@1", {name: reference(name) for name in there})
    assert choose_reference(catalogue, wanted).name == chosen


@pytest.mark.parametrize("wanted", ["5", "5.0.2", "4.4", "published", "5.0'"])
def test_an_unknown_reference_is_named_with_those_there_are(wanted: str) -> None:
    catalogue = Catalogue("m@1", {"5.0.1": reference("5.0.1")})
    with pytest.raises(ReferenceNotIndexed, match=r"there is 5\.0\.1\."):
        choose_reference(catalogue, wanted)


def test_many_threads_find_the_same(small_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    retriever = open_small(small_folder, monkeypatch)
    queries = ["SUBSURF", "uv sphere", "round off corners", "keyframe_insert"] * 10
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(retriever.search, queries))
    assert found == [retriever.search(query) for query in queries]
    assert addresses(found[0])[0] == SUBSURF


# The cross-encoder


class Judge:
    """What sentence-transformers makes of a model: here it likes what stands last."""

    num_labels = 1

    def predict(self, pairs: list[tuple[str, str]], **_: Any) -> list[float]:
        return [place / len(pairs) for place in range(len(pairs))]


class Rows:
    def symbols(self, rows: list[int]) -> list[Symbol]:
        return [Symbol(f"bpy.types.T{row}", "class") for row in rows]


def ranked_rows(count: int) -> list[tuple[int, float, SymbolEvidence]]:
    return [(row, 1 - row / 1000, SymbolEvidence()) for row in range(count)]


def test_only_the_first_are_put_in_another_order(monkeypatch: pytest.MonkeyPatch) -> None:
    cross = CrossEncoder("judge")
    monkeypatch.setattr(cross, "_load", Judge)
    directory: Any = Rows()
    better = rerank(cross, "cube", ranked_rows(50), CROSS_DEPTH, directory)
    assert [row for row, _, _ in better] == [*range(29, -1, -1), *range(30, 50)]
    assert rerank(cross, "cube", [], CROSS_DEPTH, directory) == []


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cross-encoder of one layer with random weights, as sentence-transformers reads them."""
    torchvision_schemas.declare()
    # Its classes are made when they are asked for, so no checker can see them.
    transformers: Any = importlib.import_module("transformers")
    folder = tmp_path_factory.mktemp("cross")
    letters = "abcdefghijklmnopqrstuvwxyz"
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters)]
    (folder / "vocab.txt").write_text("\n".join(vocabulary))
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        num_labels=1,
    )
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    yield folder


@pytest.mark.slow
def test_a_real_cross_encoder_has_its_say(
    tiny_model: Path, small_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = open_small(small_folder, monkeypatch).search("split the faces", limit=50)
    crossed = open_small(small_folder, monkeypatch, str(tiny_model))
    assert crossed.has_cross_encoder
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(crossed.search, ["split the faces"] * 8, [None] * 8, [50] * 8))
    assert all(addresses(one) == addresses(found[0]) for one in found)
    assert sorted(addresses(found[0])) == sorted(addresses(plain))
    gains = {hit.symbol.address: hit.score for hit in found[0]}
    assert all(0 < gains[hit.symbol.address] - hit.score < 0.3 for hit in plain)


@pytest.mark.slow
def test_a_cross_encoder_that_is_none_is_said(
    tiny_model: Path, tmp_path: Path, small_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    two = tmp_path / "two"
    shutil.copytree(tiny_model, two)
    facts = json.loads((two / "config.json").read_text())
    facts["id2label"], facts["label2id"] = {"0": "no", "1": "yes"}, {"no": 0, "yes": 1}
    (two / "config.json").write_text(json.dumps(facts))
    for folder in (tmp_path / "empty", tmp_path / "nowhere", two):
        with pytest.raises(ModelUnusable, match="BLENDPROOF_CROSS_ENCODER"):
            open_small(small_folder, monkeypatch, str(folder)).search("split the faces")
