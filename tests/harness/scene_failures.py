"""A table of failures that lack something of the scene.

Most exceptions and messages are those of Blender 5.0.1 in background. A few are those of 3.4, and about a
dozen rows only test a pattern that messages follow.
"""

from __future__ import annotations

from tests.failures import (
    EMPTY,
    MADE,
    Case,
    index,
    key,
    none_has_no,
    poll,
)

SCENE: list[tuple[str, Case]] = [
    (
        "a grease pencil object as the active object",
        Case(
            "ob = bpy.context.active_object\nfor layer in ob.data.layers:\n    pass",
            "AttributeError",
            "'Mesh' object has no attribute 'layers'",
            line=3,
        ),
    ),
    (
        "a grease pencil object as the active object",
        Case(
            "bpy.ops.object.mode_set(mode='PAINT_GREASE_PENCIL')",
            "TypeError",
            "Converting py args to operator properties: enum \"PAINT_GREASE_PENCIL\" not found in ('OBJECT', 'EDIT')",
        ),
    ),
    (
        "an armature as the active object",
        Case(
            "def names(ob):\n    return [bone.name for bone in ob.data.bones]\nnames(bpy.context.object)",
            "AttributeError",
            "'Mesh' object has no attribute 'bones'",
            line=3,
        ),
    ),
    (
        "an armature as the active object",
        Case(
            "class Rig(bpy.types.Operator):\n    def execute(self, context):\n        context.object.data.bones\n"
            "bpy.ops.my.rig()",
            "RuntimeError",
            'Error: Python: Traceback (most recent call last):\n  File "snippet.py", line 4, in execute\n'
            "AttributeError: 'Mesh' object has no attribute 'bones'\nLocation: /bpy/ops.py:109\n",
        ),
    ),
    # A function that is written on the line belongs to its statement.
    (
        "a selected object",
        Case(
            "sel = [o for o in bpy.context.selected_objects if o.type == 'CURVE']\nmax(sel, key=lambda o: o.name)",
            "ValueError",
            EMPTY,
        ),
    ),
    (
        "a selection of 2 objects",
        Case(
            "a, b = bpy.context.selected_objects[:2]", "ValueError", "not enough values to unpack (expected 2, got 1)"
        ),
    ),
    (
        "something in `bpy.context.scene.sequence_editor.strips`",
        Case(
            "strips = bpy.context.scene.sequence_editor.strips\nmax(strip.frame_final_end for strip in strips)",
            "ValueError",
            EMPTY,
        ),
    ),
    ('object "Rig"', Case("bpy.data.objects['Rig']", "KeyError", key("Rig"))),
    ('object "Rig"', Case("name = 'Rig'\nbpy.data.objects[name].select_set(True)", "KeyError", key("Rig"))),
    ('object "Rig"', Case("scene = bpy.context.scene\nscene.objects['Rig']", "KeyError", key("Rig"))),
    ('object "Rig"', Case("D = bpy.data\na = 1; D.objects['Rig']; b = 2", "KeyError", key("Rig"))),
    (
        'object "Rig"',
        Case("from bpy import data\nif data.objects['Rig']:\n    pass", "KeyError", key("Rig"), 3),
    ),
    (
        'object "Rig"',
        Case("rig = bpy.data.objects.get('Rig')\nrig.data", "AttributeError", none_has_no("data")),
    ),
    (
        'object "Rig"',
        Case(
            "NAME = 'Rig'\ndef f():\n    rig = bpy.data.objects.get(NAME)\n    rig.data\nf()",
            "AttributeError",
            none_has_no("data"),
            5,
        ),
    ),
    (
        "a curve as the active object",
        Case("C = bpy.context\ncurve = C.active_object\nassert curve.type == 'CURVE'", "AssertionError", ""),
    ),
    (
        'object "Rig"',
        Case(
            "def f(context):\n    a = context.scene.objects.get('Rig')\n    a.location.x = 1\nf(bpy.context)",
            "AttributeError",
            none_has_no("location"),
            4,
        ),
    ),
    (
        'object "Rig"',
        Case(
            "bpy.context.collection.objects.link(bpy.data.objects.get('Rig'))",
            "TypeError",
            'CollectionObjects.link(): error with argument 1, "object" -  '
            "Function.object does not support a 'None' assignment Object type",
        ),
    ),
    ('collection "Props"', Case("bpy.data.collections['Props']", "KeyError", key("Props"))),
    ('material "Wood"', Case("bpy.data.materials['Wood'].use_nodes = True", "KeyError", key("Wood"))),
    (
        'bone "Hand.L"',
        Case("ob = bpy.data.objects['Rig']\nob.pose.bones['Hand.L']", "KeyError", key("Hand.L")),
    ),
    ('vertex group "Top"', Case("bpy.context.object.vertex_groups['Top']", "KeyError", key("Top"))),
    ("an armature", Case("bpy.data.armatures[0].bones", "IndexError", index(0, 0))),
    (
        "an object for which o.type == 'ARMATURE'",
        Case(
            "[o for o in bpy.data.objects if o.type == 'ARMATURE'][0]",
            "IndexError",
            "list index out of range",
        ),
    ),
    (
        "an object for which o.type == 'ARMATURE'",
        Case("next(o for o in bpy.data.objects if o.type == 'ARMATURE')", "StopIteration", ""),
    ),
    ("a selected object", Case("bpy.context.selected_objects[1]", "IndexError", "list index out of range")),
    (
        "a selected object",
        Case("sel = bpy.context.selected_objects\nsel[1].name", "IndexError", "list index out of range"),
    ),
    (
        "a selected pose bone",
        Case("bpy.context.selected_pose_bones[0]", "TypeError", "'NoneType' object is not subscriptable"),
    ),
    (
        "an active object",
        Case("bpy.ops.object.delete()\nbpy.context.active_object.data", "AttributeError", none_has_no("data")),
    ),
    (
        "an active object",
        Case("bpy.ops.object.delete()\nob = bpy.context.object\nob.name", "AttributeError", none_has_no("name")),
    ),
    (
        'an armature called "Cube"',
        Case("ob = bpy.data.objects['Cube']\nob.pose.bones['Hand.L']", "AttributeError", none_has_no("bones")),
    ),
    (
        "an armature as the active object",
        Case("bpy.context.object.pose.bones['Hand.L']", "AttributeError", none_has_no("bones")),
    ),
    (
        "an armature as the active object",
        Case("bpy.context.object.data.bones", "AttributeError", "'Mesh' object has no attribute 'bones'"),
    ),
    (
        "an armature as the active object",
        Case(
            "bpy.ops.object.mode_set(mode='POSE')",
            "TypeError",
            "Converting py args to operator properties: enum \"POSE\" not found in ('OBJECT', 'EDIT')",
        ),
    ),
    (
        "a selected pose bone",
        Case(
            "for b in bpy.context.selected_pose_bones:\n    b.name",
            "TypeError",
            "'NoneType' object is not iterable",
            2,
        ),
    ),
    (
        'modifier "Bevel"',
        Case("bpy.context.object.modifiers.get('Bevel').width", "AttributeError", none_has_no("width")),
    ),
    (
        "shape keys on the object",
        Case("bpy.context.object.data.shape_keys.key_blocks", "AttributeError", none_has_no("key_blocks")),
    ),
    (
        "an armature in pose mode (bpy.ops.pose.select_all)",
        Case("bpy.ops.pose.select_all()", "RuntimeError", poll("pose.select_all")),
    ),
    (
        "a mesh in edit mode (bpy.ops.mesh.bevel)",
        Case("bpy.ops.mesh.bevel(offset=0.1)", "RuntimeError", poll("mesh.bevel")),
    ),
    (
        "an active object, in the right mode (bpy.ops.object.mode_set)",
        Case("bpy.ops.object.mode_set(mode='EDIT')", "RuntimeError", poll("object.mode_set")),
    ),
    (
        "a mesh in edit mode",
        Case("import bmesh\nbmesh.from_edit_mesh(ob.data)", "ValueError", "The mesh must be in editmode"),
    ),
    (
        "a mesh as the active object",
        Case("bm.from_mesh(bpy.context.object.data)", "TypeError", "expected 'Mesh' type found 'PointLight' instead"),
    ),
    (
        "a curve as the active object",
        Case(
            "me = bpy.context.selected_objects[0].data\nme.splines",
            "AttributeError",
            "'Mesh' object has no attribute 'splines'",
        ),
    ),
    (
        'a curve called "Path"',
        Case("bpy.data.objects['Path'].data.splines[0]", "AttributeError", "'Mesh' object has no attribute 'splines'"),
    ),
    (
        "a selected object",
        Case("x / len(bpy.context.selected_objects)", "ZeroDivisionError", "division by zero"),
    ),
    (
        "a selected element of the mesh",
        Case("max(v.co.z for v in mesh.vertices if v.select)", "ValueError", EMPTY),
    ),
    (
        "an object for which o.type == 'CURVE'",
        Case(
            "path = None\nfor o in bpy.data.objects:\n    if o.type == 'CURVE':\n        path = o\npath.data",
            "AttributeError",
            none_has_no("data"),
        ),
    ),
    (
        "an object for which o.type == 'CURVE'",
        Case(
            "def find():\n  for o in bpy.context.scene.objects:\n    if o.type == 'CURVE': return o\nfind().data",
            "AttributeError",
            none_has_no("data"),
        ),
    ),
    (
        "an object for which o.type == 'CURVE'",
        Case(
            "for o in bpy.data.objects:\n    if o.type == 'CURVE':\n        path = o\npath.data",
            "NameError",
            "name 'path' is not defined",
        ),
    ),
    (
        'something in the scene: it says "Please select an armature"',
        Case("raise Exception('Please select an armature')", "Exception", "Please select an armature"),
    ),
    (
        "something in the scene: it says \"Object 'Hull' not found\"",
        Case(f"{MADE}raise ValueError(f'Object {{n!r}} not found')", "ValueError", "Object 'Hull' not found"),
    ),
    (
        'something in the scene: it says "no camera in the scene"',
        Case("assert scene.camera, 'no camera in the scene'", "AssertionError", "no camera in the scene"),
    ),
    (
        'something in the scene: it says "The active object is not a mesh"',
        Case("import sys\nprint('The active object is not a mesh')\nsys.exit(1)", "SystemExit", "1"),
    ),
    (
        'something in the scene: it says "Select two objects first"',
        Case("import sys\nsys.exit('Select two objects first')", "SystemExit", "Select two objects first"),
    ),
    (
        'something in the scene: it says "No armature selected"',
        Case(
            "class Pose(bpy.types.Operator):\n    bl_idname = 'mine.pose'\nbpy.ops.mine.pose()",
            "RuntimeError",
            "Error: No armature selected",
        ),
    ),
    (
        'custom property "speed" on bpy.context.object',
        Case("bpy.context.object['speed']", "KeyError", 'bpy_struct[key]: key "speed" not found'),
    ),
]
