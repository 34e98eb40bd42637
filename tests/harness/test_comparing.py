"""What the witness compares and asks: what it did not read is not gone, and what a snippet makes odd still counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.blenders import Blender
from tests.harness.in_wheel import run_in_wheel

BEGIN = """
import os
import sys
sys.path.insert(0, sys.argv[1])
import bpy
os.chdir(os.path.dirname(__file__))
bpy.ops.wm.read_factory_settings()
cube, scene = bpy.data.objects["Cube"], bpy.context.scene
"""

COMPARED = """
from harness.inside.scene import contents
from harness.inside.scene.contents import BlockReference
from harness.inside.witness.differences import differences

def paths(before, after, unread=frozenset()):
    return {one["name"]: "gone" if one["gone"] else one["paths"] for one in differences(before, after, unread)}

mask = cube.modifiers.new("Mask", "MASK")
wire = bpy.data.curves.new("Wire", "CURVE")
wire.use_fake_user, wire.dimensions = True, "2D"
before, unread = contents.contents()
assert not unread
assert paths(before, contents.contents()[0]) == {}
mask.mode, wire.dimensions, cube.scale.x = "ARMATURE", "3D", 2
bpy.context.view_layer.update()
after, _ = contents.contents()
told = paths(before, after)
assert told == {"Wire": ["fill_mode", "dimensions"], "Cube": ["scale", 'modifiers["Mask"].mode']}, told

# What was not read in time is left out, also under its next number.
assert set(paths(after, {}).values()) == {"gone"} and len(paths(after, {})) == len({name for _, name in after})
contents.SECONDS = -1.0
none, unread = contents.contents()
assert none == {} and unread == set(after)
assert paths(after, none, unread) == {}
assert paths({("objects", "A"): {}, ("objects", "B"): {}}, {}, {("objects", "A.001")}) == {"B": "gone"}

# A reference is that of a renamed block of the same kind.
assert contents.reference_to(bpy.data.lights["Light"]) == ("lights", "Light")
for kind, told in (("materials", {}), ("objects", {"Cube": ["made_of"]})):
    old, new = BlockReference(kind, "Old"), BlockReference(kind, "Old.001")
    first = {("objects", "Cube"): {"made_of": old}, ("materials", "Old"): {}}
    second = {("objects", "Cube"): {"made_of": new}, ("materials", "Old.001"): {}}
    assert paths(first, second) == told, (kind, paths(first, second))
"""

ODD = """
from harness.inside.scene.describe import describe
from harness.inside.witness.accept import look_at
from harness.inside.witness.examine import answered
common = {"tolerance": 0.01, "values": {}}
start = describe()
material = bpy.data.materials.new("Loop")
material.use_nodes = True
nodes, links = material.node_tree.nodes, material.node_tree.links
shader = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
one, other, noise = (nodes.new(name) for name in ("NodeReroute", "NodeReroute", "ShaderNodeTexNoise"))
links.new(one.outputs[0], other.inputs[0])
links.new(other.outputs[0], one.inputs[0])
links.new(other.outputs[0], shader.inputs["Roughness"])
links.new(noise.outputs[0], shader.inputs["Metallic"])
cube.location.x = float("nan")
bpy.context.view_layer.update()
fed = {"check": "material", "name": "Loop", "inputs": {}, **common}
checks = [
    {**fed, "nodes": [{"type": "BSDF_PRINCIPLED", "links": {"Roughness": "ShaderNodeTexNoise"}}]},
    {**fed, "nodes": [{"type": "BSDF_PRINCIPLED", "links": {"Metallic": "ShaderNodeTexNoise"}}]},
    {"check": "object", "name": "Cube", "looks_at": [0, 0, 5], **common},
    {"check": "change", "name": "Cube", "moved": [1, 0, 0], **common},
]
before, seen = look_at(checks, start, start), look_at(checks, start, describe())
told = [answered(*pair) for pair in zip(seen, before)]
assert [one["met"] for one in told] == [False, True, False, False], told
assert not any("broken" in one or "raised" in one for one in told), told
assert "linked from nothing" in told[0]["seen"] and "no number" in told[2]["seen"], told
assert seen[3]["raised"] and not before[3].get("raised"), (seen[3], before[3])
# A check that fails on the start too is not one that can be made.
assert answered(seen[3], seen[3])["broken"]
"""

MANY = """
from harness.inside.scene import names
from harness.inside.scene.describe import describe
from harness.inside.witness import accept
for number in range(400):
    scene.collection.objects.link(bpy.data.objects.new(f"Empty {number}", None))
facts, own, asked = describe(), names.title, []
names.title = lambda block: asked.append(block) or own(block)
show, shown = accept.Moments.show, []
accept.Moments.show = lambda self, frame: shown.append(frame) or show(self, frame)
every = {"check": "object", "which": "every", "type": "EMPTY", "tolerance": 0.01, "values": {}}
checks = [
    {**every, "collection": "Scene Collection", "location": [0, 0, 0]},
    {**every, "at_rest": True, "parent": ""},
    {**every, "collection": "Elsewhere"},
]
assert [one["met"] for one in accept.look_at(checks, facts, facts)] == [True, True, False]
assert len(asked) < 10 * 400 and len(shown) < 10, (len(asked), len(shown))
"""

FAULTY_START = """
from harness.inside.witness import examine
from harness.protocol import ExamineJob, RenderSettings
saved = os.path.abspath("saved.blend")
bpy.ops.wm.save_as_mainfile(filepath=saved)
own, turns, kept = examine.inventory, [], []

def inventory():
    turns.append("")
    if len(turns) == FAULTY:
        raise KeyError("unforeseen")
    return own()

class Channel:
    def send(self, *_, **__):
        pass

examine.inventory = inventory
examine.write = lambda evidence, *_: kept.append(evidence)
job = ExamineJob(saved, saved, saved, True, RenderSettings(views=()), 1.0, [], None, os.getcwd(), "", 0)
examine.look(job, Channel())
told = [fault["of"] for fault in kept[0]["after"]["faults"]]
assert len(told) == (FAULTY > 0), told
"""

GLOWS = """
from harness.inside.witness.light import glows
group = bpy.data.node_groups.new("Glow", "ShaderNodeTree")
material = cube.data.materials[0]
material.use_nodes = True
material.node_tree.nodes.new("ShaderNodeGroup").node_tree = group
assert not glows(scene)
group.nodes.new("ShaderNodeEmission")
assert glows(scene)
"""

REGISTERED = """
from harness.inside.untrusted import run
class Base(bpy.types.Operator):
    bl_idname, bl_label = "shed.base", "Base"
class Child(Base):
    bl_idname, bl_label = "shed.child", "Child"
before = run.registered_names()
bpy.utils.register_class(Child)
assert run.newly_registered(before) == [["Operator", "Child"]], run.newly_registered(before)
"""


@pytest.mark.blender
@pytest.mark.parametrize(
    "source",
    [COMPARED, ODD, MANY, *(f"FAULTY = {turn}\n{FAULTY_START}" for turn in (0, 1, 2)), GLOWS, REGISTERED],
    ids=["compared", "odd", "many", "no fault", "start", "again", "glows", "registered"],
)
def test_the_witness_compares_what_there_is(source: str, blender: Blender, tmp_path: Path) -> None:
    run_in_wheel(blender, BEGIN + source, tmp_path)
