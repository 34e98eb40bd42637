"""The symbols and exemplars of a prompt: what a line says, what fits, and which exemplar helps."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, cast

import pytest

from app.drafting.material import PromptMaterial, room_beside, symbol_tokens, with_names_of, write_material
from app.drafting.technique import technique
from app.llm.message import tokens_of
from app.prompting.entries import Entries
from app.prompting.exemplar import Exemplar
from app.prompting.shown import write_symbols
from harness.readers import Readers, ReadingFailed
from ingest.manifest import Manifest, NodeType, Operator, Property, Socket
from ingest.symbol import Item
from ingest.ways import Ways, ways_of
from tests.small_manifest import enum, number, small_manifest

BEVEL = "bpy.types.BevelModifier"
FACTOR = NodeType(
    "ShaderNodeTexNoise",
    "Noise Texture",
    ("ShaderNodeTree",),
    (Socket("Scale", "Scale", "NodeSocketFloat", 5.0), Socket("W", "W", "NodeSocketFloat", 0.0, enabled=False)),
    (Socket("Fac", "Factor", "NodeSocketFloat"),),
)


def with_factor() -> Manifest:
    """A build whose noise texture has a socket that was called Fac once."""
    manifest = small_manifest()
    return dataclasses.replace(manifest, nodes={**manifest.nodes, FACTOR.identifier: FACTOR})


def written(*addresses: str, request: str = "bevel", room: int = 500) -> str:
    return str(write_symbols(addresses, request, ways_of(with_factor()), room))


def test_symbols_are_shown_by_class_with_the_way_to_it() -> None:
    said = written(f"{BEVEL}.segments", "bpy.types.SceneEEVEE.samples", f"{BEVEL}.width").splitlines()[1:]
    assert said == [
        "BevelModifier: Object.modifiers.new(name, 'BEVEL')",
        "  segments: int in [1, 1000]",
        "  width: float",
        "SceneEEVEE: Scene.eevee",
        "  samples: int",
    ]


def test_no_default_is_shown_that_a_new_node_may_not_have() -> None:
    entries = Entries(ways_of(with_factor()), "")
    mode, width = enum("mode", "A", "B", default="B"), number("width", default=2.0)
    assert (entries.holds(mode), entries.holds(mode, of_a_node=True)) == ("'A'|'B' = 'B'", "'A'|'B'")
    # RNA names the first item if nobody gave a default.
    assert entries.holds(enum("mode", "A", "B", default="A")) == "'A'|'B'"
    assert entries.holds(width, of_a_node=True) == entries.holds(width) == "float = 2"


def test_items_that_depend_on_the_scene_are_not_shown_as_one() -> None:
    entries = Entries(ways_of(with_factor()), "")
    assert entries.argument_items([enum("type", "DEFAULT")]) == ""
    assert entries.argument_items([enum("type", "DEFAULT", "A")]) == "; type: 'DEFAULT'|'A'"


def test_what_a_heading_shows_needs_no_line() -> None:
    section = write_symbols(["bpy.types.SceneEEVEE.samples", "bpy.types.Scene.eevee"], "", ways_of(with_factor()), 500)
    assert section.addresses == ["bpy.types.SceneEEVEE.samples", "bpy.types.Scene.eevee"]
    assert "  eevee" not in str(section)
    assert "  eevee: SceneEEVEE" in written("bpy.types.Scene.eevee")


def test_nothing_is_shown_that_the_build_lacks() -> None:
    assert (
        written("bpy.types.BevelModifier.profile_type", "bpy.types.Nothing", "bpy.ops.mesh.gone", "bmesh.ops.no") == ""
    )
    assert "create_cube(" in written("bmesh.ops.create_cube")
    assert "bpy.ops\n  mesh.primitive_cube_add(" in written("bpy.ops.mesh.primitive_cube_add")
    assert "object: Object" in written("bpy.context.object")


def test_the_best_are_kept_when_room_is_short() -> None:
    order = [f"{BEVEL}.segments", "bpy.types.Object.pass_index", "bpy.types.Object.location"]
    whole, short = (write_symbols(order, "", ways_of(with_factor()), room) for room in (500, 70))
    assert whole.addresses == order
    assert short.addresses == order[: len(short.addresses)] != order
    assert tokens_of(str(short)) <= 70


def test_sockets_have_the_names_of_the_build() -> None:
    said = written("bpy.types.ShaderNodeTexNoise")
    assert "nodes.new('ShaderNodeTexNoise')" in said
    assert "inputs: Scale=5; in other modes: W" in said
    assert "outputs: Factor" in said and "Fac," not in said


def test_items_that_the_request_names_go_first() -> None:
    many = tuple(Item(f"ITEM_NUMBER_{count}", f"Number {count}") for count in range(30))
    entries = Entries(ways_of(with_factor()), "the thirtieth: 29")
    assert entries.items(many).startswith("'ITEM_NUMBER_29'|'ITEM_NUMBER_0'") and "30 in all" in entries.items(many)
    assert entries.items(many[:2]) == "'ITEM_NUMBER_0'|'ITEM_NUMBER_1'"


@pytest.mark.parametrize(
    ("prop", "said"),
    [
        (number("x", min=0.0, max=1.0, default=0.5), "float in [0, 1] = 0.5"),
        (number("x", min=0.0, soft_max=1.0, default=0.001), "float >= 0 = 0.001"),
        (number("x", min=-1e9, max=1e9), "float"),
        (number("x", subtype="ANGLE", default=1.5), "float radians = 1.5"),
        (Property("x", "BOOLEAN", array=(3,), default=[True, False, False]), "bool[3] = (True, False, False)"),
        (Property("x", "BOOLEAN", readonly=True), "bool, read-only"),
    ],
)
def test_limits_and_defaults_are_short(prop: Property, said: str) -> None:
    assert Entries(ways_of(with_factor()), "").holds(prop) == said


def test_an_operator_of_many_arguments_shows_those_that_are_named() -> None:
    arguments = {f"argument_{count}": number(f"argument_{count}") for count in range(40)}
    named = number("global_scale", label="Scale")
    operator = Operator("wm.stl_export", "", "", {**arguments, "global_scale": named})
    entries = Entries(ways_of(with_factor()), "export it at scale 1000")
    assert entries.operator(operator) == "wm.stl_export(global_scale=...); 40 more arguments"
    few = Operator("wm.stl_export", "", "", {"a": number("a"), "global_scale": named})
    assert entries.operator(few) == "wm.stl_export(a=..., global_scale=...)"


SNIPPET = '''"""Round the edges."""
import bpy
import math
from mathutils import Vector

UP = Vector((0, 0, 1))
UNUSED = 3

def placed(name):
    """Return the object of this name."""
    return bpy.data.objects.get(name)

def round_off(obj):
    if bpy.app.version < (4, 4, 0):
        obj.old_way()
    if obj.mode is None:  # before Blender 5.0
        obj.use_nodes = True
    bevel = obj.modifiers.new("Bevel", "BEVEL")
    bevel.width: float = 0.1 if bpy.app.version >= (5, 0, 0) else 0.2
    assert bevel is not None
    bevel.segments = 3
    placed(UP)
''' + "".join(f"\ndef other_{count}():\n    print({'x' * 60!r})\n" for count in range(20))


def test_a_snippet_is_cut_to_its_technique() -> None:
    cut = technique(SNIPPET, [5, 0, 1], ["width", "segments"])
    assert cut == (
        "# placed() is not shown. Return the object of this name.\n"
        "from mathutils import Vector\n"
        "UP = Vector((0, 0, 1))\n\n"
        "def round_off(obj):\n"
        "    bevel = obj.modifiers.new('Bevel', 'BEVEL')\n"
        "    bevel.width = 0.1\n"
        "    bevel.segments = 3\n"
        "    placed(UP)"
    )
    older = technique(SNIPPET, [4, 2, 0], ["width", "segments"])
    assert "obj.old_way()" in older and "obj.use_nodes = True" in older and "0.2" in older


def test_a_snippet_that_shows_nothing_of_it_is_none() -> None:
    assert technique(SNIPPET, [5, 0, 1], ["location", "name"]) == ""
    assert technique("def (", [5, 0, 1], []) == ""
    assert technique("import bpy\nbpy.data.objects", [5, 0, 1], []) == "import bpy\nbpy.data.objects"


def test_an_exemplar_says_sockets_as_the_build_does() -> None:
    manifest = with_factor()
    code = "n = nodes.new('ShaderNodeTexNoise')\nx = n.outputs['{}']"
    assert with_names_of(code.format("Fac"), manifest) == code.format("Factor")
    assert with_names_of(code.format("Factor"), manifest) == code.format("Factor")
    assert with_names_of(code.format("Own"), manifest) == code.format("Own")
    assert with_names_of(code.replace("TexNoise", "TexMusgrave"), manifest) == ""


class Reading:
    """A reader in this process; it fails on texts that say so."""

    async def ask(self, function: Callable[..., str], *arguments: Any) -> str:
        if "too deep" in arguments[0]:
            raise ReadingFailed("it nests too deep")
        return function(*arguments)


def material(*exemplars: Exemplar) -> PromptMaterial:
    return PromptMaterial([f"{BEVEL}.segments"], exemplars, ways_of(with_factor()))


def exemplar(name: str, nearness: float, snippet: str = "") -> Exemplar:
    return Exemplar(name, name, nearness, snippet or f"import bpy\n{name}.{name}_one({name}_two, {name}_three)")


@pytest.mark.parametrize(
    ("found", "titles"),
    [
        ([exemplar("near", 0.54), exemplar("far", 0.52)], ["near"]),
        ([exemplar("one", 0.9), exemplar("two", 0.8), exemplar("three", 0.7)], ["one"]),
        ([exemplar("deep", 0.9, "too deep"), exemplar("two", 0.8)], ["two"]),
        ([exemplar("gone", 0.9, "nodes.new('ShaderNodeTexMusgrave')")], []),
    ],
)
async def test_one_exemplar_is_shown_if_it_is_near(found: list[Exemplar], titles: list[str]) -> None:
    sections = await write_material(cast(Readers, Reading()), material(*found), "bevel", 2_000)
    assert [line[2:] for line in sections.exemplars.splitlines() if line.startswith("# ")] == titles
    assert sections.said == f"shown 1 symbols and {len(titles)} recipes"


async def test_what_does_not_fit_is_left_out() -> None:
    readers, one = cast(Readers, Reading()), material(exemplar("one", 0.9))
    assert (await write_material(readers, one, "bevel", 10)).said == "shown 0 symbols and 0 recipes"
    unknown = PromptMaterial([f"{BEVEL}.segments"], [exemplar("one", 0.9)], None)
    assert (await write_material(readers, unknown, "bevel", 2_000)).symbols == ""


def test_a_prompt_keeps_to_eight_thousand_tokens() -> None:
    assert room_beside(1_500, 24_000) == 6_500
    assert room_beside(1_500, 4_000) == 2_500
    assert room_beside(20_000, 24_000) == 1_000
    assert room_beside(30_000, 24_000) == 0


def test_a_request_of_more_parts_gets_more_symbols() -> None:
    assert symbol_tokens("bevel it") < symbol_tokens("bevel it, 3 segments, and shade it smooth") <= 4_000


def test_every_entry_of_a_build_can_be_written(manifest: Manifest) -> None:
    ways = Ways(manifest)
    every = [f"bpy.types.{name}.{member}" for name, one in manifest.types.items() for member in one.properties]
    some = [*every[::40], *(f"bpy.ops.{name}" for name in list(manifest.operators)[::40])]
    section = write_symbols(some, "a scale", ways, 1_000_000)
    assert set(section.addresses) == set(some)
