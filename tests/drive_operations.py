"""Runs each snippet of a folder twice in one scene that has something of everything, and prints what failed.

Usage, with the interpreter of the Blender wheel: python -I drive_operations.py FOLDER

Where NAME.holds stands beside NAME.py, its expression must be true after the first run; `obj` gives objects by name.
One line of JSON for each *.py file: {"snippet": name, "error": null or the traceback}
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import tempfile
import traceback
import wave
from math import cos, pi, sin
from pathlib import Path
from typing import Any

import bpy
from mathutils import Vector


def main() -> None:
    """Drive every snippet of the folder, each from the same file."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_files()
        make_scene()
        bpy.ops.wm.save_as_mainfile(filepath=str(Path(folder, "scene.blend")))
        for path in sorted(Path(sys.argv[1]).glob("*.py")):
            error: str | None = None
            try:
                bpy.ops.wm.open_mainfile(filepath=str(Path(folder, "scene.blend")))
                runpy.run_path(str(path), run_name="__main__")
                if (holds := path.with_suffix(".holds")).exists():
                    bpy.context.view_layer.update()
                    expression = holds.read_text(encoding="utf-8")
                    assert eval(expression, {"bpy": bpy, "obj": bpy.data.objects.__getitem__}), expression
                runpy.run_path(str(path), run_name="__main__")
            except BaseException:
                error = traceback.format_exc()
            print(json.dumps({"snippet": path.name, "error": error}), flush=True)


def make_files() -> None:
    """Files that a snippet may read."""
    Path("text.txt").write_text("from a file", encoding="utf-8")
    with wave.open("wind.wav", "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", "not compressed"))
        sound.writeframes(bytes(1600))
    Path("script.py").write_text("print(1)\n", encoding="utf-8")
    Path("logo.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0L9 0L9 9Z"/></svg>', encoding="utf-8"
    )
    image = bpy.data.images.new("written", 8, 8)
    for name in ("a.png", "b.png", "logo.png", "new.png"):
        image.filepath_raw, image.file_format = str(Path(name).resolve()), "PNG"
        image.save()
    font = next(Path(bpy.utils.system_resource("DATAFILES"), "fonts").glob("*.woff2"))
    Path("font.woff2").write_bytes(font.read_bytes())


def make_scene() -> None:
    """Objects of every kind, with what their operations are about."""
    bpy.ops.wm.read_factory_settings()
    scene: Any = bpy.context.scene
    crate: Any = bpy.data.objects["Cube"]
    crate.name = "Crate"
    crate.rotation_euler.x = 0.5
    props = bpy.data.collections.new("Props")
    scene.collection.children.link(props)
    bpy.data.scenes.new("Shot2")
    for kind in ("BEVEL", "SUBSURF", "CORRECTIVE_SMOOTH"):
        crate.modifiers.new(kind.title(), kind)
    mask = crate.data.attributes.new("mask", "FLOAT", "POINT")
    mask.data.foreach_set("value", [0.5] * 8)
    empty = put("Goal", None, (3, 0, 0))
    for kind in ("CHILD_OF", "COPY_LOCATION", "TRACK_TO"):
        constraint = crate.constraints.new(kind)
        constraint.target = empty
    for name in ("Top", "Left", "Nothing"):
        group = crate.vertex_groups.new(name=name)
        if name != "Nothing":
            group.add([0, 1, 2, 3], 0.6, "REPLACE")
    barrel = put("Barrel", crate.data.copy(), (0, 4, 0))
    for kind in ("STRETCH_TO", "LIMIT_DISTANCE"):
        barrel.constraints.new(kind).target = empty
    wheel = put("Wheel", crate.data.copy(), (0, 0, 4))
    wheel.parent = crate
    shirt = put("Shirt", grid(6), (0, 0, 1))
    for kind, setting in (("SURFACE_DEFORM", "target"), ("MESH_DEFORM", "object"), ("LAPLACIANDEFORM", "")):
        modifier: Any = shirt.modifiers.new(kind.title(), kind)
        if setting:
            setattr(modifier, setting, crate)
    anchors = shirt.vertex_groups.new(name="Anchors")
    anchors.add([0, 1, 2], 1.0, "REPLACE")
    shirt.modifiers["Laplaciandeform"].vertex_group = "Anchors"
    put("Roof", grid(3), (8, 0, 0))
    statue = put("Statue", grid(4), (9, 0, 0))
    statue.modifiers.new("Multires", "MULTIRES")
    only(statue)
    for _ in range(2):
        bpy.ops.object.multires_subdivide(modifier="Multires", mode="CATMULL_CLARK")
    statue.modifiers["Multires"].levels = 1
    sea = put("Sea", grid(4), (12, 0, 0))
    sea.modifiers.new("Ocean", "OCEAN").resolution = 2
    sticks_mesh = bpy.data.meshes.new("Sticks")
    sticks_mesh.from_pydata([(1, 0, 0), (1, 0, 1), (1, 0, 2)], [(0, 1), (1, 2)], [])
    sticks = put("Sticks", sticks_mesh, (0, 8, 0))
    only(sticks)
    bpy.ops.object.modifier_add(type="SKIN")
    mouth = put("Mouth", grid(3), (0, -8, 0))
    for name in ("Basis", "Open", "Smile"):
        mouth.shape_key_add(name=name, from_mix=False)
    for point in mouth.data.shape_keys.key_blocks["Open"].points:
        point.co.z += 1
    mouth.modifiers.new("Wave", "WAVE")
    key = put("Key", bpy.data.lights.new("Key", "AREA"), (5, 5, 5))
    key.data.energy = 100
    curve = bpy.data.curves.new("Path", "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("BEZIER")
    spline.bezier_points.add(3)
    for place, point in enumerate(spline.bezier_points):
        point.co = (place, place % 2, 0)
        point.handle_left_type = point.handle_right_type = "AUTO"
    put("Path", curve, (0, 0, -5))
    put("Cage", bpy.data.lattices.new("Cage"), (0, 0, 0))
    title = put("Title", bpy.data.curves.new("Title", "FONT"), (0, 0, 9))
    title.data.body = "Hello"
    hair = bpy.data.hair_curves.new("Hair")
    hair.add_curves([4, 4])
    put("Hair", hair, (0, 0, 0))
    make_rig()
    make_rest(crate)
    animate(barrel)
    scene.timeline_markers.new("Start", frame=5)
    scene.frame_set(1)
    make_data(scene)


def make_rest(crate: Any) -> None:
    """Two cups that face each other, a cup alone, a sketch, and constraints of two kinds."""
    for name, heights in (("Tube", (0, 1, 4, 3)), ("Cup", (0, 1))):
        verts: list[tuple[float, float, float]] = []
        faces: list[tuple[int, ...]] = []
        for height in heights:
            verts += [(cos(turn * pi / 4), sin(turn * pi / 4), height) for turn in range(8)]
        for ring in range(0, len(heights), 2):  # the floor of a cup, and its wall
            low, high = ring * 8, ring * 8 + 8
            faces.append(tuple(range(low, low + 8)))
            faces += [(low + n, low + (n + 1) % 8, high + (n + 1) % 8, high + n) for n in range(8)]
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(verts, [], faces)
        put(name, mesh, (0, 0, 40))
    wheel, sea = bpy.data.objects["Wheel"], bpy.data.objects["Sea"]
    wheel.constraints.new("FOLLOW_PATH").target = bpy.data.objects["Path"]
    sea.constraints.new("ARMATURE")
    crate.data.color_attributes.new("Col", "BYTE_COLOR", "CORNER")
    if bpy.app.version >= (4, 3, 0):
        pencils = bpy.data.grease_pencils_v3 if hasattr(bpy.data, "grease_pencils_v3") else bpy.data.grease_pencils
        data = pencils.new("Sketch")
        for title in ("Ink", "Mask"):
            drawing = data.layers.new(title).frames.new(1).drawing
            drawing.add_strokes([4])
            for place, point in enumerate(drawing.strokes[0].points):
                point.position, point.radius = (place, place % 2, 0), 0.01
        data.materials.append(bpy.data.materials.new("Ink"))
        put("Sketch", data, (0, 0, 0))


def make_rig() -> None:
    """An armature with three bones in a row and one to the side, a constraint and two bone collections."""
    armature = bpy.data.armatures.new("Rig")
    rig = put("Rig", armature, (0, -4, 0))
    only(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    last = None
    for place, name in enumerate(("spine", "mid", "tip")):
        bone = armature.edit_bones.new(name)
        bone.head, bone.tail = (0, 0, place), (0, 0, place + 1)
        bone.parent, bone.use_connect = last, last is not None
        last = bone
    for name, side in (("arm.L", 1),):
        bone = armature.edit_bones.new(name)
        bone.head, bone.tail, bone.parent = (side * 0.2, 0, 1), (side, 0, 1), armature.edit_bones["mid"]
    bpy.ops.object.mode_set(mode="OBJECT")
    for name in ("spine", "tip"):
        rig.pose.bones[name].constraints.new("IK").target = bpy.data.objects["Goal"]
        rig.pose.bones[name].constraints["IK"].influence = 0.0
    arms = armature.collections.new("Arms")
    arms.assign(armature.bones["tip"])
    rig.pose.bones["mid"].rotation_euler.x = 0.3


def animate(barrel: Any) -> None:
    """Keys, an action of its own, a strip and a driver."""
    for frame, place in ((1, 0.0), (10, 5.0), (20, 1.0)):
        barrel.location.x = place
        barrel.keyframe_insert("location", frame=frame)
        barrel.rotation_euler.z = place
        barrel.keyframe_insert("rotation_euler", frame=frame)
    walk = barrel.animation_data.action.copy()
    walk.name = "Walk"
    track = barrel.animation_data.nla_tracks.new()
    track.name = "Base"
    track.strips.new("Walk", 1, walk)


def make_data(scene: Any) -> None:
    """Images, texts, strips, particles, fluids, rigid bodies, materials and the like."""
    image = bpy.data.images.new("Photo", 16, 8)
    image.pack()
    bpy.data.images.new("Skin", 16, 16, tiled=True).use_fake_user = True
    text = bpy.data.texts.new("notes")
    text.write("foo and foo\n")
    red = bpy.data.materials.new("Red")
    red.use_nodes = True
    red.node_tree.nodes.new("ShaderNodeTexNoise").name = "Noise"
    bpy.data.objects["Crate"].data.materials.append(red)
    grass = put("Grass", grid(3), (0, 0, 20))
    only(grass)
    bpy.ops.object.particle_system_add()
    grass.particle_systems[0].settings.count = 5
    dog = put("Dog", grid(3), (0, 0, 25))
    only(dog)
    bpy.ops.object.particle_system_add()
    dog.particle_systems[0].settings.type = "HAIR"
    dog.particle_systems[0].settings.count = 5
    for name in ("A", "B"):
        body = put(name, grid(1), (0, 30, 0))
        only(body)
        bpy.ops.rigidbody.object_add()
    strips = scene.sequence_editor_create()
    strips = strips.strips if hasattr(strips, "strips") else strips.sequences
    for number, name in enumerate(("clip", "other")):
        strip = strips.new_effect(name, "COLOR", number + 1, 10, **span(60))
        strip.color = (1, 0, 0)
    inputs = ("input1", "input2") if bpy.app.version >= (4, 5, 0) else ("seq1", "seq2")
    given: dict[str, Any] = dict(zip(inputs, (strips["clip"], strips["other"]), strict=True))
    cross = strips.new_effect("Cross", "CROSS", 3, 20, **given, **span(30))
    cross.blend_alpha = 1.0
    ref = put("ref", None, (0, 0, 0))
    ref.empty_display_type, ref.data = "IMAGE", image
    bpy.data.objects["Crate"]["speed"] = 2.0
    only(bpy.data.objects["Goal"])
    bpy.ops.object.forcefield_toggle()
    only(bpy.data.objects["A"])
    bpy.data.objects["B"].select_set(True)


def span(frames: int) -> dict[str, int]:
    """The length of a strip as this Blender takes it."""
    return {"length": frames} if bpy.app.version >= (5, 0, 0) else {"frame_end": 10 + frames}


def put(name: str, data: Any, place: tuple[float, float, float]) -> Any:
    """A new object in the scene."""
    obj = bpy.data.objects.new(name, data)
    obj.location = Vector(place)
    bpy.context.collection.objects.link(obj)
    return obj


def grid(cuts: int) -> Any:
    """A mesh of so many quads each way."""
    mesh = bpy.data.meshes.new("Grid")
    side = cuts + 1
    mesh.from_pydata(
        [(x / cuts - 0.5, y / cuts - 0.5, 0) for y in range(side) for x in range(side)],
        [],
        [
            (y * side + x, y * side + x + 1, (y + 1) * side + x + 1, (y + 1) * side + x)
            for y in range(cuts)
            for x in range(cuts)
        ],
    )
    mesh.uv_layers.new(name="UVMap")
    return mesh


def only(obj: Any) -> None:
    """Select an object alone and make it active."""
    bpy.context.view_layer.update()
    for each in bpy.context.view_layer.objects:
        each.select_set(each == obj)
    bpy.context.view_layer.objects.active = obj


if __name__ == "__main__":
    main()
