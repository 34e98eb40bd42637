"""Examples of acceptance checks, for the documentation, the prompt and the tests.

All are about one scene (`tests/snippets/acceptance.py`): it meets each example, and none of the near twins.
"""

from __future__ import annotations

from typing import Final

from app.accept.example import Example
from app.accept.example import example_of as _of
from app.accept.example import part_of as _part
from app.accept.examples_of_relations import RELATIONS

_OBJECTS: Final = [
    _of(
        "object",
        "Add a smooth ring of gold",
        {"name": "Ring", "type": "MESH", "added": True, "materials": ["Gold"], "smooth": True},
        {"materials": ["Gold", "Silver"]},
        'it has no material "Silver" in its slots',
    ),
    _of(
        "object",
        "Its lowest point is on the floor, and it is 5.2 m wide",
        {"type": ["MESH", "CURVE"], "added": True, "extent": {"min": [None, None, 0], "size": [5.2, 5.2, None]}},
        {"extent": {"min": [None, None, 1.5]}},
        "not (any, any, 1.5)",
    ),
    _of(
        "object",
        "It is 5 to 6 m wide and 0.6 m up",
        {"name": "Ring", "dimensions": [{"at_least": 5, "at_most": 6}, None, None], "location": [None, None, 0.6]},
        {"dimensions": [{"at_most": 5}, None, None]},
        "not (at most 5, any, any)",
    ),
    _of(
        "object",
        "At least 98 vertices and exactly 96 faces with modifiers, 8 vertices without",
        {"name": "Cube", "vertices": {"at_least": 98}, "faces": 96, "values": {"data.vertices": 8}},
        {"vertices": {"at_most": 97}},
        "the number of its vertices is 98, not at most 97",
    ),
    _of(
        "object",
        "Turned by 45 degrees, twice as long and flat, 4 m by 2 m by 0.2 m",
        {"name": "Slab", "rotation": [0, 0, 0.785398], "scale": [2, 1, 0.1], "dimensions": [4, 2, 0.2]},
        {"rotation": [0, 0, 0.8]},
        "its rotation is (0, 0, 0.785398), not (0, 0, 0.8)",
    ),
    _of(
        "object",
        "A child, 1 m above its parent",
        {"name": "Lamp", "parent": "Cube", "space": "local", "location": [0, 0, 1]},
        {"space": "world"},
        "its location is (0, 0, 3), not (0, 0, 1)",
    ),
    _of(
        "object",
        "The camera looks at the ring",
        {"which": "camera", "looks_at": "Ring"},
        {"looks_at": "Slab"},
        "not at",
    ),
    _of(
        "object",
        "The slab leans against the plinth",
        {"name": "Slab", "touches": "Plinth"},
        {"touches": "Ring"},
        'it is 4.28 m from "Ring" along x',
    ),
    _of(
        "object",
        "Every light has 200 W",
        {"which": "every", "type": "LIGHT", "values": {"data.energy": 200}},
        {"values": {"data.energy": 100}},
        "data.energy is 200, not 100",
    ),
    _of(
        "object",
        "It is in the collection Props and not selected",
        {"name": "Lamp", "collection": "Props", "selected": False},
        {"selected": True},
        "it is not selected",
    ),
    _of(
        "object", "No text is left", {"type": "FONT", "absent": True}, {"type": "CAMERA"}, 'there is an object "Camera"'
    ),
    _of(
        "object",
        "Two slots, the second of them empty; the first is gold or brass",
        {"name": "Ring", "slots": ["Gold", ""], "materials_any": ["Gold", "Brass"]},
        {"slots": ["", "Gold"]},
        "its slots are (Gold, ), not (, Gold)",
    ),
    _of(
        "object",
        "A subdivision of level 2 instead of the bevel",
        {
            "name": "Cube",
            "modifiers": [
                {"type": "SUBSURF", "name": "Smooth", "values": {"levels": 2}},
                {"type": "BEVEL", "absent": True},
            ],
        },
        _part("modifiers", [{"type": "SUBSURF", "values": {"levels": 3}}]),
        "its SUBSURF modifier: levels is 2, not 3",
    ),
    _of(
        "object",
        "It has no modifier of the name Bevel",
        {"name": "Cube", "without": ["modifiers.Bevel"]},
        {"without": ["modifiers.Smooth"]},
        "it still has modifiers.Smooth",
    ),
    _of(
        "object",
        "It copies the rotation of the cube, but not about x",
        {"name": "Lamp", "constraints": [{"type": "COPY_ROTATION", "values": {"target": "Cube", "use_x": False}}]},
        _part("constraints", [{"type": "COPY_ROTATION", "values": {"target": "Ring"}}]),
        "target is Cube, not Ring",
    ),
    _of(
        "object",
        "Inverse kinematics of two bones",
        {
            "name": "Rig",
            "bones": [
                {
                    "name": "Lower",
                    "parent": "Upper",
                    "constraints": [{"type": "IK", "values": {"target": "Goal", "chain_count": 2}}],
                    "values": {"rotation_mode": "XYZ"},
                },
                {"name": "Tail", "absent": True},
            ],
        },
        _part("bones", [{"name": "Lower", "parent": ""}]),
        'bone "Lower": its parent is Upper, not None',
    ),
    _of(
        "object",
        "It turns evenly from frame 1 to 48, and on and on",
        {
            "name": "Slab",
            "keyframes": [
                {"path": "rotation", "frames": [1, 48], "interpolation": "LINEAR", "modifiers": ["CYCLES"]},
                {"path": "location", "absent": True},
            ],
        },
        _part("keyframes", [{"path": "rotation_euler", "frames": [1, 50]}]),
        "its rotation_euler has keyframes at (1, 48), not at (50)",
    ),
    _of(
        "object",
        "The lower bone's rotation has keyframes at frames 1 and 24",
        {"name": "Rig", "keyframes": [{"path": 'pose.bones["Lower"].rotation', "frames": [1, 24]}]},
        _part("keyframes", [{"path": 'pose.bones["Upper"].rotation', "frames": [1]}]),
        'its pose.bones["Upper"].rotation has no keyframes',
    ),
    _of(
        "object",
        "At frame 48 it has made half a turn",
        {"name": "Slab", "frame": 48, "rotation": [0, 0, 3.14159]},
        {"frame": 24},
        "at frame 24",
    ),
    _of(
        "object",
        "Its x is driven by half the x of the cube",
        {
            "name": "Goal",
            "drivers": [
                {"path": "location", "index": 0, "type": "SCRIPTED", "expression": "var/2", "targets": ["Cube"]},
                {"path": "scale", "absent": True},
            ],
        },
        _part("drivers", [{"path": "location", "expression": "var * 2"}]),
        "the driver of its location: its expression is var / 2, not var * 2",
    ),
    _of(
        "object",
        "Mirrored along x alone, with 500 particles, a property of its own, and no physics",
        {
            "name": "Slab",
            "values": {
                'modifiers["Mirror"].use_axis': [True, False, False],
                'particle_systems["Dust"].settings.count': 500,
                '["shot"]': "SH010",
                "rigid_body": None,
            },
        },
        {"values": {'modifiers["Mirror"].use_axis': [True, True, False]}},
        'modifiers["Mirror"].use_axis is (True, False, False), not (True, True, False)',
    ),
]

_CHANGES: Final = [
    _of(
        "change",
        "Move the cube up by 2 m and take its bevel away",
        {"name": "Cube", "moved": [0, 0, 2], "turned": [0, 0, 0], "scaled": [1, 1, 1], "lost": ["modifiers.Bevel"]},
        {"moved": [0, 0, 3]},
        "it moved by (0, 0, 2), not (0, 0, 3)",
    ),
    _of(
        "change",
        "Leave all other meshes as they are",
        {"which": "every", "type": "MESH", "apart_from": ["Cube", "Old"], "unchanged": True},
        {"apart_from": ["Old"]},
        'object "Cube": ',
    ),
    _of("change", "Delete Old", {"name": "Old", "gone": True}, {"name": "Plinth"}, 'object "Plinth" is still there'),
    _of(
        "change",
        "The plinth keeps its form and place",
        {"name": "Plinth", "same_shape": True, "frame": 24},
        {"name": "Cube"},
        "its bounding box changed",
    ),
]

_COUNTS: Final = [
    _of(
        "count",
        "Add an area light",
        {"type": "LIGHT", "added": True, "values": {"data.type": "AREA"}, "exactly": 1},
        {"added": None, "values": None},
        "there are 2 LIGHT objects, not 1",
    ),
    _of(
        "count",
        "One to three lamps in the collection Props",
        {"name": "Lamp*", "collection": "Props", "at_least": 1, "at_most": 3, "frame": 24},
        {"at_least": 2},
        "not at least 2",
    ),
    _of(
        "count",
        "All that is new is more than 13 m wide together",
        {"type": "MESH", "added": True, "extent": {"size": [{"at_least": 13}, None, None]}},
        {"extent": {"size": [{"at_most": 13}, None, None]}},
        "the size of their extent is (13.7",
    ),
    _of(
        "count",
        "No image called Draft is left",
        {"of": "images", "name": "Draft*", "exactly": 0},
        {"name": "Logo"},
        "there is 1 data block of bpy.data.images called Logo, not 0",
    ),
]

_MATERIALS: Final = [
    _of(
        "material",
        "A new gold, rough to 0.2, seen from the front alone, with a bump of noise of scale 40",
        {
            "name": "Gold",
            "on": "Ring",
            "added": True,
            "inputs": {"Base Color": "#FFC300", "Metallic": 1, "Roughness": 0.2},
            "nodes": ["ShaderNodeBump", {"type": "Noise Texture", "inputs": {"Scale": 40}}],
            "values": {"use_backface_culling": True},
            "frame": 24,
        },
        {"inputs": {"Base Color": [0, 1, 0]}},
        "its Base Color is (1, 0.545724, 0, 1), not (0, 1, 0)",
    ),
    _of(
        "material",
        "No brass is left",
        {"name": "Brass", "absent": True},
        {"name": "Gold"},
        'there is a material "Gold"',
    ),
]

_NODES: Final = [
    _of(
        "nodes",
        "A bump of 0.25 by a noise, on the normal",
        {
            "tree": "material:Gold",
            "nodes": [
                {"type": "ShaderNodeBump", "inputs": {"Strength": 0.25}, "links": {"Height": "ShaderNodeTexNoise"}},
                {"type": "Principled BSDF", "links": {"Normal": "Bump.Normal"}},
            ],
        },
        _part("nodes", [{"type": "ShaderNodeBump", "links": {"Height": "ShaderNodeTexVoronoi"}}]),
        'node "Bump": its Height is linked from Color',
    ),
    _of(
        "nodes",
        "The world shines at 0.5",
        {"tree": "world", "frame": 24, "nodes": [{"type": "ShaderNodeBackground", "inputs": {"Strength": 0.5}}]},
        _part("nodes", [{"type": "ShaderNodeBackground", "inputs": {"Strength": 0.6}}]),
        "its Strength is 0.5, not 0.6",
    ),
    _of(
        "nodes",
        "The node Double multiplies by 2, and there is no cube",
        {
            "tree": "group:Scatter",
            "nodes": [
                {"name": "Double", "inputs": {"Value": 2}, "values": {"operation": "MULTIPLY"}},
                {"type": "GeometryNodeMeshCube", "absent": True},
            ],
        },
        _part("nodes", [{"name": "Double", "values": {"operation": "ADD"}}]),
        "operation is MULTIPLY, not ADD",
    ),
]

_BLOCKS: Final = [
    _of(
        "collection",
        "Lamp is in Props, which is in the scene",
        {"name": "Props", "parent": "Scene Collection", "objects": ["Lamp"]},
        {"objects": ["Lamp", "Cube"]},
        'it has no object "Cube"',
    ),
    _of(
        "collection",
        "No collection Trash",
        {"name": "Trash", "absent": True},
        {"name": "Props"},
        "there is a collection",
    ),
    _of(
        "data",
        "The new light rises to 400 W at frame 20",
        {
            "collection": "lights",
            "name": "Lamp",
            "added": True,
            "frame": 20,
            "keyframes": [{"path": "energy", "frames": [1, 20]}],
            "values": {"energy": 400},
        },
        {"frame": 1},
        "energy is 200, not 400",
    ),
    _of(
        "data",
        "A camera whose lens the cube drives",
        {"collection": "cameras", "drivers": [{"path": "lens", "targets": ["Cube"]}]},
        _part("drivers", [{"path": "lens", "targets": ["Ring"]}]),
        'it reads nothing of "Ring"',
    ),
    _of(
        "data", "Draft is gone", {"collection": "images", "name": "Draft", "absent": True}, {"name": "Logo"}, "is there"
    ),
    _of(
        "scene",
        "48 frames, rendered by Cycles through Camera",
        {"values": {"frame_end": 48, "render.engine": "CYCLES", "camera": "Camera"}},
        {"values": {"frame_end": 50}},
        "frame_end is 48, not 50",
    ),
    _of(
        "scene",
        "Gravity is keyed off at frame 30, and not driven",
        {
            "frame": 30,
            "keyframes": [{"path": "gravity", "frames": [1, 30]}],
            "drivers": [{"path": "gravity", "absent": True}],
            "values": {"gravity": [0, 0, 0]},
        },
        {"frame": 1},
        "gravity is (0, 0, -9.81), not (0, 0, 0)",
    ),
]

_OTHERS: Final = [
    _of(
        "file",
        "Write the names into names.txt",
        {"name": "names.txt", "bytes_at_least": 4, "at_least": 1},
        {"bytes_at_least": 4000},
        "0 files names.txt of at least 4000 bytes were left, not 1",
    ),
    _of(
        "file",
        "No picture is written",
        {"name": "*.png", "absent": True},
        {"name": "*.txt"},
        "there is a file names.txt",
    ),
    _of(
        "registered",
        "An operator Add Tower",
        {"kind": "operator", "name": "mesh.add_tower", "values": {"bl_label": "Add Tower"}},
        {"values": {"bl_label": "Tower"}},
        "its bl_label is Add Tower, not Tower",
    ),
    _of(
        "registered",
        "An operator with the label Add Tower",
        {"kind": "operator", "values": {"bl_label": "Add Tower"}},
        {"kind": "panel"},
        "no panel is registered",
    ),
    _of(
        "registered",
        "A setting of the scene for its floors",
        {"kind": "property", "name": "Scene.tower_floors"},
        {"name": "Scene.tower_levels"},
        "no property Scene.tower_levels is registered",
    ),
    _of(
        "python",
        "The ring floats",
        {"says": "the ring floats", "code": "assert bpy.data.objects['Ring'].location.z > 0"},
        {"code": "assert bpy.data.objects['Ring'].location.z > 3, 'it is too low'"},
        "it is too low",
    ),
]

EXAMPLES: Final[tuple[Example, ...]] = (
    *_OBJECTS, *_CHANGES, *_COUNTS, *_MATERIALS, *_NODES, *_BLOCKS, *_OTHERS, *RELATIONS,
)  # fmt: skip
