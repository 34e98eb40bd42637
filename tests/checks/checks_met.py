"""Checks that the scene of `test_accept.py` meets, each with a near twin that it does not, and what that says."""

from __future__ import annotations

import math
from typing import Any, Final

LEAN: Final = -0.3240135
"""How far the Y axis of the camera of the factory scene leans along X."""

MET_AND_NOT: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"check": "object", "name": "Cube"}, {"check": "object", "name": "cube"}, 'there is no object "cube"'),
    (
        {"check": "object", "name": "Cube", "type": "MESH"},
        {"check": "object", "name": "Cube", "type": "CURVE"},
        "type is MESH, not CURVE",
    ),
    (
        {"check": "object", "name": "Cube", "location": [0, 0, 1.0005]},
        {"check": "object", "name": "Cube", "location": [0, 0, 1.01]},
        "location is (0, 0, 1)",
    ),
    (
        {"check": "object", "name": "Cube", "rotation": [0, 0, math.pi / 2 - 2 * math.pi]},
        {"check": "object", "name": "Cube", "rotation": [0, 0, -math.pi / 2]},
        "rotation is",
    ),
    (
        {"check": "object", "type": "MESH", "dimensions": [1.86, 1.86, 1.86], "tolerance": 0.2},
        {"check": "object", "type": "MESH", "dimensions": [1.5, 1.5, 1.5], "tolerance": 0.01},
        'object "Cube": its dimensions are',
    ),
    (
        {"check": "object", "name": "Cube", "modifiers": [{"type": "BEVEL", "values": {"width": 0.05, "segments": 3}}]},
        {"check": "object", "name": "Cube", "modifiers": [{"type": "BEVEL", "values": {"width": 0.05, "segments": 4}}]},
        "its BEVEL modifier: segments is 3, not 4",
    ),
    (
        # A value that is the default is no setting that was changed, and is looked at all the same.
        {"check": "object", "name": "Cube", "modifiers": [{"type": "SUBSURF", "values": {"render_levels": 2}}]},
        {"check": "object", "name": "Cube", "modifiers": [{"type": "SUBSURF", "values": {"render_levels": 3}}]},
        "render_levels is 2, not 3",
    ),
    (
        {"check": "object", "name": "Cube", "modifiers": [{"type": "BEVEL"}, {"type": "SUBSURF"}]},
        {"check": "object", "name": "Cube", "modifiers": [{"type": "SUBSURF"}, {"type": "BEVEL"}]},
        "it has no BEVEL modifier there",
    ),
    (
        {"check": "object", "name": "Cube", "materials": ["Red"], "smooth": False},
        {"check": "object", "name": "Cube", "materials": ["Red"], "smooth": True},
        "faces are smooth",
    ),
    (
        {"check": "object", "name": "Child", "parent": "Cube", "collection": "Props"},
        {"check": "object", "name": "Child", "parent": "Cube", "collection": "Collection"},
        "it is in Props, not in Collection",
    ),
    (
        {"check": "object", "type": "EMPTY", "keyframes": [{"path": "location", "frames": [1, 40]}]},
        {"check": "object", "type": "EMPTY", "keyframes": [{"path": "location", "frames": [1, 48]}]},
        "keyframes at (1, 40), not at (48)",
    ),
    (
        {"check": "object", "name": "Child", "keyframes": [{"path": "location", "frames": [20], "absent": True}]},
        {"check": "object", "name": "Child", "keyframes": [{"path": "location", "frames": [20, 40], "absent": True}]},
        "its location has keyframes at (40)",
    ),
    (
        {"check": "change", "name": "Camera", "unchanged": True},
        {"check": "change", "name": "Panel", "unchanged": True},
        'object "Panel": its material "Paint" changed',
    ),
    (
        {"check": "object", "added": True, "parent": "Cube"},
        {"check": "object", "added": True, "parent": "Child"},
        "its parent is Cube, not Child",
    ),
    (
        {"check": "change", "name": "Cube", "moved": [None, None, {"at_least": 0.5}], "scaled": [1, None, 1]},
        {"check": "change", "name": "Cube", "moved": [None, None, {"at_least": 1.5}]},
        "it moved by (0, 0, 1), not (any, any, at least 1.5)",
    ),
    (
        {"check": "change", "name": "Cube", "same_shape": True, "tolerance": 1.5},
        {"check": "change", "name": "Cube", "same_shape": True, "tolerance": 0.9},
        "its bounding box changed",
    ),
    (
        {"check": "object", "name": "Light", "values": {"data.energy": 1000}},
        {"check": "object", "name": "Light", "values": {"data.energi": 1000}},
        "it has no property data.energi",
    ),
    (
        {"check": "object", "name": "Cube", "values": {"modifiers[0].width": 0.05, "data.vertices[0].co": [1, 1, 1]}},
        {"check": "object", "name": "Cube", "values": {"modifiers[99].width": 0.05, "data.vertices": 9}},
        'it has no property modifiers[99].width; object "Cube": data.vertices is',
    ),
    (
        # The camera is turned about all axes, so a row of its matrix differs from the column.
        {
            "check": "object",
            "name": "Camera",
            "values": {"matrix_world.translation.x": 7.3589, "matrix_world[0][1]": LEAN},
        },
        {"check": "object", "name": "Camera", "values": {"matrix_world.determinant": 1, "matrix_world[1][0]": LEAN}},
        'it has no property matrix_world.determinant; object "Camera": matrix_world[1][0] is',
    ),
    *(
        (
            {"check": "object", "name": name, "values": {path: met}},
            {"check": "object", "name": name, "values": {path: twin}},
            path.replace("'", '"'),
        )
        for name, path, met, twin in (
            ("Cube", 'modifiers["Half"].use_axis', [False, True, False], [True, True, False]),
            ("Cube", "modifiers['Half'].use_axis", [0.0, 1.0, 0], [0, 0, 0]),
            ("Cube", "modifiers", 3, 2),
            ("Cube", "modifiers", {"at_least": 3}, {"at_most": 2}),
            ("Cube", 'modifiers["Smooth"].levels', {"at_least": 1, "at_most": 3}, {"at_least": 3}),
            ("Cube", "location", [0, 0, {"at_least": 0.5}], [0, 0, {"at_most": 0.5}]),
            ("Cube", 'modifiers["Gone"]', None, 1),
            ("Cube", "rigid_body", None, "Cube"),
            ("Cube", 'modifiers["Smooth"].subdivision_type', "catmull-clark", "Simple"),
            ("Child", "lock_location", [True, False, True], [True, False, False]),
            ("Child", "parent", "Cube", None),
            ("Child", "users_collection", ["Props"], ["Collection"]),
            ("Child", "users_collection", 1, 2),
            ("Child", "data", None, "Child"),
            ("Light", "rotation_quaternion", [0, -1, 0, 0], [0, 0, 1, 0]),
            ("Light", "rotation_mode", "quaternion", "XYZ"),
            ("Light", "data.color", "#FFBC00", "#FFBCFF"),
            ("Light", "data.color", [1, 0.5, 0], [1, 0.5, 0.1]),
            ("Light", '["take"]', 3, 4),
            ("Light", '["gone"]', None, 3),
            ("Light", "hide_render", False, None),
        )
    ),
    (
        {"check": "scene", "values": {"tool_settings.snap_elements_base": ["VERTEX", "EDGE"]}},
        {"check": "scene", "values": {"tool_settings.snap_elements_base": ["VERTEX"]}},
        "snap_elements_base is (EDGE, VERTEX)",
    ),
    (
        {
            "check": "nodes",
            "tree": "material:Red",
            "nodes": [{"type": "ShaderNodeMixShader", "inputs": {"Factor": 0.5}}],
        },
        {"check": "nodes", "tree": "material:Red", "nodes": [{"name": "Blend", "inputs": {"Fac": 0.7}}]},
        "is 0.5, not 0.7",
    ),
    (
        {"check": "nodes", "tree": "material:Red", "nodes": [{"type": "Mix Shader"}]},
        {"check": "nodes", "tree": "material:Red", "nodes": [{"type": "Mix Shader"}, {"type": "Mix Shader"}]},
        "it has no node Mix Shader besides",
    ),
    (
        {
            "check": "nodes",
            "tree": "material:Red",
            "nodes": [{"type": "ShaderNodeOutputMaterial", "links": {"0": "Principled BSDF"}}],
        },
        {"check": "nodes", "tree": "material:Blue", "nodes": [{"type": "ShaderNodeOutputMaterial"}]},
        "there is no node tree material:Blue in use",
    ),
    (
        {"check": "count", "type": "MESH", "name": "Cu*", "at_least": 1, "at_most": 1},
        {"check": "count", "type": "MESH", "at_least": 2},
        "there is 1 MESH object, not at least 2",
    ),
    (
        {"check": "material", "on": "Cube", "inputs": {"Base Color": [1, 0, 0]}},
        {"check": "material", "on": "Cube", "inputs": {"Base Color": [0, 1, 0]}},
        'material "Red": its Base Color is (1, 0, 0, 1)',
    ),
    (
        {"check": "material", "name": "Red", "nodes": ["ShaderNodeBsdfPrincipled"]},
        {"check": "material", "name": "Red", "nodes": ["ShaderNodeTexNoise"]},
        "it has no node ShaderNodeTexNoise",
    ),
    (
        {"check": "collection", "name": "Props", "parent": "Scene Collection", "objects": ["Child"]},
        {"check": "collection", "name": "Props", "objects": ["Cube"]},
        'it has no object "Cube"',
    ),
    (
        {"check": "scene", "values": {"frame_end": 40, "camera": "Camera"}},
        {"check": "scene", "values": {"frame_end": 41}},
        "frame_end is 40, not 41",
    ),
    (
        {"check": "python", "says": "red", "code": "assert bpy.data.materials['Red'].users == 1"},
        {"check": "python", "says": "blue", "code": "assert 'Blue' in bpy.data.materials, 'no blue'"},
        "no blue",
    ),
]
