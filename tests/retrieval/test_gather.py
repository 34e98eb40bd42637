"""What is gathered for the parts of a request: settings of the classes that it names, and the ways to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.retrieval.modelling import LEAST_SCORE, OF_MODELLING
from app.retrieval.retriever import Retriever
from ingest.symbol import Symbol
from ingest.ways import ways_of
from search.clauses import parts_of
from search.stems import stems
from tests.small_index import SYMBOLS, open_small, source, write_index, write_words
from tests.small_manifest import small_manifest

LEVELS, WIDTH = "bpy.types.SubsurfModifier.levels", "bpy.types.BevelModifier.width"
MODIFIERS = "bpy.types.Object.modifiers"
MORE = (
    Symbol(WIDTH, "attribute", label="Width", description="Size of the cut"),
    Symbol(MODIFIERS, "attribute", label="Modifiers"),
    Symbol("bmesh.ops.create_cube", "function", label="Create Cube"),
    Symbol("bmesh.new", "function"),
)


@pytest.fixture
def retriever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Retriever:
    write_index(tmp_path / "index", source(symbols=[*SYMBOLS, *MORE]))
    return open_small(tmp_path / "index", monkeypatch)


def test_a_request_is_split_into_its_parts() -> None:
    said = "Add a bevel, 3 segments, and shade smooth. Then delete the light"
    assert parts_of(said)[1:] == [
        "Add a bevel, 3 segments, and shade smooth.",
        "Then delete the light",
        "Add a bevel",
        "3 segments",
        "and shade smooth",
    ]
    assert parts_of("Add a bevel") == ["Add a bevel"]
    assert len(parts_of(", ".join(f"set value {number}" for number in range(99)))) == 8


def test_words_are_compared_without_their_endings() -> None:
    assert stems("Clipped colours") == stems("clipping color")
    assert stems("use") != stems("user")


def test_what_a_request_says_of_a_class_is_found_with_the_way_to_it(retriever: Retriever) -> None:
    manifest = small_manifest()
    found = {one.address: one for one in retriever.gather("bevel modifier, width 0.1", manifest, 50)}
    assert found[WIDTH].score > found["bpy.types.BevelModifier.segments"].score
    assert found[WIDTH].why == 'the request says "width" of BevelModifier'
    assert found[MODIFIERS].why == "it leads to BevelModifier"
    other = {one.address: one.score for one in retriever.gather("bevel modifier, 3 segments", manifest, 50)}
    assert other["bpy.types.BevelModifier.segments"] > other.get(WIDTH, 0.0)


def test_what_a_recipe_near_to_a_part_uses_is_found(retriever: Retriever) -> None:
    sphere = "bpy.ops.mesh.primitive_uv_sphere_add"
    near = {one.address: one.why for one in retriever.gather("soften the borders, put a ball in", small_manifest(), 50)}
    assert near[sphere] == '"put a ball into the scene" uses it'
    far = {one.address: one.why for one in retriever.gather("soften the borders", small_manifest(), 50)}
    assert far.get(sphere) != near[sphere]


def test_a_request_for_a_shape_gets_what_models_shapes(retriever: Retriever) -> None:
    shape = {one.address: one for one in retriever.gather("Use bmesh.ops.create_cube", small_manifest(), 50)}
    assert shape["bmesh.new"].why == "modelling uses it"
    assert all(one.score >= LEAST_SCORE or one.address in OF_MODELLING for one in shape.values())
    other = retriever.gather("bevel modifier, width 0.1", small_manifest(), 50)
    assert "modelling uses it" not in {one.why for one in other}


def test_no_more_than_were_asked_for(retriever: Retriever) -> None:
    every = retriever.gather("bevel modifier, width 0.1", small_manifest(), 50)
    assert retriever.gather("bevel modifier, width 0.1", small_manifest(), 2) == every[:2]
    assert retriever.gather("", small_manifest(), 50) == []


def test_without_vectors_it_is_gathered_by_words(tmp_path: Path) -> None:
    write_words(tmp_path / "index", source(symbols=[*SYMBOLS, *MORE]))
    retriever = Retriever(tmp_path / "index", tmp_path, "no-such-model")
    found = [one.address for one in retriever.gather("bevel modifier, width 0.1", small_manifest(), 50)]
    assert {WIDTH, MODIFIERS, "bpy.types.BevelModifier"} <= set(found)


def test_the_ways_of_a_build() -> None:
    ways = ways_of(small_manifest())
    assert [step.address for step in ways.to("SceneEEVEE")] == ["bpy.types.Scene.eevee"]
    assert [step.member for step in ways.to("SubsurfModifier")] == ["modifiers"]
    assert ways.to("SpaceView3D") == ways.to("NoSuchType") == []
