"""One place of a snippet: what is named there, what may be written there, and how that differs between Blenders."""

from __future__ import annotations

import pytest

from app.reading.place.named import address_at, differences, gone, symbol_of
from app.reading.place.offers import offers_at
from app.reading.place.unfinished import open_at_end
from ingest.manifest import Manifest

pytestmark = pytest.mark.blender

START = """import bpy
mat = bpy.data.materials.new("M")
mat.use_nodes = True
node = mat.node_tree.nodes["Principled BSDF"]
obj = bpy.context.object
"""


def offered(written: str, manifest: Manifest, after: str = "") -> list[str]:
    """The labels that are offered behind what is written."""
    text = START + written
    lines = text.split("\n")
    return [offer.label for offer in offers_at(text + after, len(lines), len(lines[-1]) + 1, manifest)]


@pytest.mark.parametrize(
    ("written", "after", "label", "near_twin"),
    [
        ("bpy.ops.mesh.primitive_torus_add(", "", "major_radius=", "radius="),
        ("bpy.ops.mesh.primitive_torus_add(align='", "", "CURSOR", "GLOBAL"),
        ("bpy.ops.mesh.", "\nprint(1)\n", "primitive_torus_add", "primitive_torus"),
        ("obj.display_type = '", "", "WIRE", "MESH"),
        ("if obj.type == '", "\nx = 1\n", "MESH", "WIRE"),
        ("mat.node_tree.nodes.new('Shader", "", "ShaderNodeTexNoise", "CompositorNodeBlur"),
        ("node.inputs['", "", "Base Color", "BSDF"),
        ("node.outputs['", "", "BSDF", "Base Color"),
        ("m = obj.modifiers.new('x', 'BEVEL')\nm.", "", "limit_method", "levels"),
        ("def f():\n    try:\n        obj.", "\n    except ValueError:\n        pass\n", "select_set", "select"),
    ],
)
def test_what_fits_is_offered(written: str, after: str, label: str, near_twin: str, manifest: Manifest) -> None:
    labels = offered(written, manifest, after)
    assert label in labels and near_twin not in labels


def test_nothing_is_offered_where_nothing_is_known(manifest: Manifest) -> None:
    assert offered("unknown.", manifest) == [] == offered("((", manifest)
    assert offered("def (:\n", manifest) == []


def test_open_quotes_and_brackets_are_known() -> None:
    assert open_at_end("f(a, [1, 'x") == ("'", "])")
    assert open_at_end("f(a)  # ( '\n") == ("", "")
    assert open_at_end('x = """a\n(') == ('"""', "")
    assert open_at_end("'it\\'s' + (") == ("", ")")


def test_what_is_named_has_an_address_also_if_it_is_gone(manifest: Manifest) -> None:
    text = f"{START}bpy.ops.mesh.primitive_torus_add(align='WORLD')\nobj.select = True\nobj.select_set(True)\n"
    assert address_at(text, 6, 20, manifest) == "bpy.ops.mesh.primitive_torus_add"
    assert address_at(text, 6, 35, manifest) == "bpy.ops.mesh.primitive_torus_add"
    assert address_at(text, 8, 6, manifest) == "bpy.types.Object.select_set"
    assert address_at(text, 1, 1, manifest) == "" == address_at("x = (", 1, 1, manifest)
    old = address_at(text, 7, 6, manifest)
    assert symbol_of(old, manifest) is None and "2.80" in gone(old, manifest)
    assert gone("bpy.types.Object.nothing_ever", manifest) == ""


def test_differences_name_what_is_not_there(manifest: Manifest) -> None:
    engine = symbol_of("bpy.types.RenderSettings.engine", manifest)
    assert engine and differences(engine, engine) == []
    assert differences(engine, None) == ["it is not there"]
    assert symbol_of("bpy.types.Object.nothing_ever", manifest) is None
