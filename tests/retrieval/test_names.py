"""Finding symbols by how they are written, and by what the user interface calls them."""

from __future__ import annotations

import pytest

from app.retrieval.symbol_names import NameIndex
from ingest.naming import names_of
from tests.small_index import (
    SYMBOLS,
)

SUBSURF = "bpy.types.SubsurfModifier"
UV_SPHERE = "bpy.ops.mesh.primitive_uv_sphere_add"
KEYFRAME = "bpy.types.bpy_struct.keyframe_insert"


@pytest.fixture(scope="module")
def names() -> NameIndex:
    return NameIndex(map(names_of, SYMBOLS))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (UV_SPHERE, {UV_SPHERE}),
        ("mesh.primitive_uv_sphere_add", {UV_SPHERE}),
        ("primitive_uv_sphere_add", {UV_SPHERE}),
        ("call bpy.ops.mesh.primitive_uv_sphere_add() twice", {UV_SPHERE}),
        ("SubsurfModifier", {SUBSURF}),
        ("subsurfmodifier", {SUBSURF}),
        ("SUBSURF", {SUBSURF}),
        ("a SUBSURF on it", {SUBSURF}),
        ("keyframe_insert", {KEYFRAME}),
        ("bpy_struct.keyframe_insert", {KEYFRAME}),
        ("levels", {f"{SUBSURF}.levels"}),
        # An ordinary word within a sentence is not code.
        ("the levels of a building", set[str]()),
        ("put an object there", set[str]()),
        ("bpy.types.Nothing", set[str]()),
        ("", set[str]()),
    ],
)
def test_what_is_written_as_in_a_script_is_found(query: str, expected: set[str], names: NameIndex) -> None:
    assert {SYMBOLS[row].address for row in names.by_spelling(query)} == expected


@pytest.mark.parametrize(
    ("query", "address", "name", "whole"),
    [
        ("uv sphere", UV_SPHERE, "uv sphere", True),
        ("UV Spheres", UV_SPHERE, "uv sphere", True),
        ("add a UV sphere", UV_SPHERE, "uv sphere", False),
        ("add uv sphere", UV_SPHERE, "add uv sphere", True),
        ("subdivision surface", SUBSURF, "subdivision surface", True),
        ("Subdivision Surfaces", SUBSURF, "subdivision surface", True),
        ("subdivision surface modifier", SUBSURF, "subdivision surface modifier", True),
        ("put a bevel on the cube", "bpy.types.BevelModifier", "bevel", False),
        ("metaball", "bpy.types.MetaBall", "metaball", True),
    ],
)
def test_what_the_user_interface_calls_it_is_found(
    query: str, address: str, name: str, whole: bool, names: NameIndex
) -> None:
    called = {SYMBOLS[row].address: found for row, found in names.by_label(query).items()}
    assert called[address][0] == name
    assert (called[address][1] == 1.0) == whole


def test_a_phrase_that_names_too_many_symbols_names_none(names: NameIndex) -> None:
    assert names.by_label("gadget") == {}
    assert len(NameIndex(map(names_of, SYMBOLS[:-2])).by_label("gadget")) == 5


def test_a_word_like_add_names_nothing_by_itself(names: NameIndex) -> None:
    assert names.by_label("add the modifier") == {}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Object", "bpy.types.Object"),
        ("SUBSURF", SUBSURF),
        ("mesh.primitive_uv_sphere_add", UV_SPHERE),
        ("types.Object", "bpy.types.Object"),
        ("object", "bpy.ops.object"),
        ("please give me bpy.types.Object", None),
        ("", None),
    ],
)
def test_one_symbol_is_written_so_or_none(written: str, expected: str | None, names: NameIndex) -> None:
    row = names.row_of(written)
    assert (SYMBOLS[row].address if row is not None else None) == expected


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [
        ("bpy.types.SubsurfModifer", SUBSURF),
        ("subsurfmodifer", SUBSURF),
        ("mesh.primitive_uv_spere_add", UV_SPHERE),
        ("bpy.types.Mesh.levels", f"{SUBSURF}.levels"),
        ("bpy.types.Object.object", "bpy.types.BooleanModifier.object"),
    ],
)
def test_a_wrong_address_gets_near_ones(wrong: str, nearest: str, names: NameIndex) -> None:
    assert nearest in names.near(wrong)


@pytest.mark.parametrize("wrong", ["", "🙂", "../../etc/passwd", "x" * 200])
def test_what_is_like_nothing_gets_no_near_ones(wrong: str, names: NameIndex) -> None:
    assert names.near(wrong) == []
