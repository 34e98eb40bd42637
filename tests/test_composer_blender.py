"""What the composer writes, proven: it satisfies mypy and pyright at their strictest, and is right in Blender."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from app.drafting.composer import Composer
from app.drafting.composer.composer import load_examples
from harness.blenders import Blender
from ingest.manifest import manifest_of
from tests.assembled import BUILT, Parts
from tests.strict_types import mypy_says, pyright_says

pytestmark = pytest.mark.blender

DRIVER = Path(__file__).parent / "drive_snippets.py"

RIGHT_ANGLE = 1.5708

# A request, and what the scene then holds: a path into what drive_snippets.py tells, and the value there.
# The scene of the factory settings has a cube, 2 m wide, with the material "Material".
FACTS: list[tuple[str, dict[str, object]]] = [
    ('Move all lights to the collection "Lights" and hide it in renders', {"counts/objects": 3}),
    ("Delete the smallest object", {"counts/objects": 2}),
    (
        "Animate the cube's z location from 0 at frame 10 to 3 at frame 30. Shift its keys to start at frame 1.",
        {"counts/objects": 3},
    ),
    (
        "Add an array modifier to the cube. Set the count of all array modifiers to 4.",
        {"objects/Cube/modifiers/Array/type": "ARRAY"},
    ),
    ("Move the cube to a new collection Small. Move collection Small into Big.", {"counts/objects": 3}),
    (
        "Add an extra cube called Left 4 m to the left of the cube. Add a plane called Base under it.",
        {"objects/Left/location": [-4.0, 0.0, 0.0], "objects/Base/location": [-4.0, 0.0, -1.0]},
    ),
    ("Parent the light to the camera. Remove the camera and its children.", {"counts/objects": 1}),
    ("Remove all uv maps from the cube, and hide the cube. Unhide everything.", {"counts/objects": 3}),
    (
        (
            "Delete every empty collection and purge orphaned meshes recursively. Print how many data blocks"
            " were removed in total."
        ),
        {"counts/objects": 3},
    ),
    (
        (
            'Set up a pie menu called "Views" with front and top views. It opens with Shift+Q. Add the '
            "operator that calls it to the View menu too."
        ),
        {"counts/objects": 3},
    ),
    (
        "Add a solidify of 3 mm to the cube. The solidify should have its offset at 1.",
        {"objects/Cube/modifiers/Solidify/type": "SOLIDIFY"},
    ),
    (
        (
            'Sort all objects into collections by material. Set the custom property "lod" to 2 on all meshes'
            " with more than 5 faces."
        ),
        {"objects/Cube/marks/lod": "2"},
    ),
    (
        ('Select all objects named "Cube" or ending with "_x". Call bpy.ops.object.shade_smooth on every mesh.'),
        {"objects/Cube/smooth": 6},
    ),
    ('Put the cube in a new collection "Trees". Duplicate the collection "Trees" as "Trees_B".', {"counts/objects": 4}),
    (
        (
            'Make a new scene "Shots" with a frame range of 1 to 240 at 30 fps. Link the cube into it. In '
            "the new scene set the resolution to 640 by 480."
        ),
        {"counts/objects": 3},
    ),
    (
        (
            'Create the structure of collections "ENV" with "Terrain" and "Plants" in it, and "CHR" with '
            '"Crowd". Exclude "Crowd" from the view layer.'
        ),
        {"counts/objects": 3},
    ),
    (
        ("Before saving, remove all unused materials. Give all actions, materials and node groups a fake user."),
        {"counts/objects": 3},
    ),
    (
        "Rename all lights to LGT_ plus their type. Delete all empties and print how many were deleted.",
        {"counts/objects": 3},
    ),
    (
        'Rename all meshes to "SM_" plus their old name in lowercase plus "_" plus a two-digit number',
        {"objects/SM_cube_01/vertices": 8},
    ),
    (
        (
            'Duplicate the scene as "Low" with linked objects. In the new scene set the resolution '
            "percentage to 50 and turn off motion blur. Keep the original scene active."
        ),
        {"counts/objects": 3},
    ),
    (
        (
            'Create a pie menu called "Views" with front, right and top views plus camera view. It opens '
            "with Shift+Q in the 3D view."
        ),
        {"counts/objects": 3},
    ),
    (
        ("Register a shortcut Ctrl+Shift+H that hides all unselected objects, and Alt+Shift+J that shows all objects."),
        {"counts/objects": 3},
    ),
    (
        'Give every mesh a string property "sku" with the value "SKU-" and a running number from 100',
        {"objects/Cube/marks/sku": "SKU-100"},
    ),
    (
        ("key the z location of the cube: 0 at frame 1, 2 at frame 20. Set the scene range to that of its action."),
        {"counts/objects": 3},
    ),
    (
        (
            'Add a sphere "Ball" at (0, 0, 4). Give the object with the most faces a custom property "big" '
            "with the value 1."
        ),
        {"objects/Ball/marks/big": "1"},
    ),
    (
        (
            'Put all meshes in a collection called "Props" and color it green. Sort all lights into "LGT" '
            'and all cameras into "CAM".'
        ),
        {"counts/objects": 3},
    ),
    (
        'Move all objects above z = 2 down by 3 and give them a custom property "low" with the value 2.',
        {"counts/objects": 3},
    ),
    (
        (
            'Create two collections named "GEO" and "LGT" inside a collection "SHOT". Sort all meshes into '
            '"GEO" and all lights into "LGT". Then make "GEO" unselectable.'
        ),
        {"counts/objects": 3},
    ),
    (
        (
            'Add a property group with a float "spacing" from 0.1 to 10 and a boolean "random rotation". '
            'Attach it to the scene as "scatter_props" and draw both in a panel called "Scatter" in the '
            'sidebar tab "Layout".'
        ),
        {"counts/objects": 3},
    ),
    (
        (
            'Write an operator "object.drop" labelled "Drop" that deletes the selected objects. Show it in '
            "the object menu. It should only be enabled when something is selected."
        ),
        {"counts/objects": 3},
    ),
    (
        (
            "Print the current frame before every render. Find all objects whose scale is not 1 and select "
            "them. Apply their scale."
        ),
        {"counts/objects": 3},
    ),
    (
        "Give the cube an array of 3 along X, 3 m apart. Then add an array of 2 along Y, 4 m apart.",
        {"objects/Cube/modifiers/Array/type": "ARRAY", "objects/Cube/modifiers/Array 2/type": "ARRAY"},
    ),
    ("Use a sky texture for the world, sun elevation 25 degrees. Make the sun disc invisible.", {"counts/objects": 3}),
    (
        "The emission strength of the cube should be 4, color red. In the viewport it should display with alpha 0.3.",
        {"counts/objects": 3},
    ),
    ("Select the top face of the cube and separate it into a new object.", {"counts/objects": 4}),
    ("delete the faces of the cube with an area larger than 3 above z = 0.5", {"objects/Cube/vertices": 8}),
    (
        'Add a bezier circle "Profile" with radius 0.1 and a path called "Rail" that is 5 m long.'
        ' Use "Profile" as the bevel object of "Rail" and fill the caps of "Rail". Convert "Rail" to a mesh.',
        {"counts/objects": 5},
    ),
    ("Cut the cube in half at the x = 0 plane and keep the positive side.", {"objects/Cube/vertices": 8}),
    (
        "Light the scene with a sun called Sky of strength 3 at 60° elevation from the west.",
        {"counts/objects": 4},
    ),
    (
        (
            'Parent the cube to an empty "Pivot" at (0, 0, 3). Add a shape key "Up" to the cube and'
            " move its top vertices up by 1 m in it."
        ),
        {"counts/objects": 4, "objects/Cube/vertices": 8},
    ),
    (
        (
            'Build an armature "Arm" with two bones: "Upper" from (0, 0, 0) to (0, 0, 1.2) and'
            ' "Lower" from there to (0, 0, 2.2), connected to its parent.'
        ),
        {"counts/objects": 4},
    ),
    ("delete faces 3 to 5 of the cube", {"objects/Cube/vertices": 7}),
    ("set 3D cursor to (1, 2, 0) and move the origin of the cube there", {"objects/Cube/location": [1, 2, 0]}),
    (
        'Make a node group "Inflate" that moves every vertex along its normal by the input "Amount". Put it'
        " on the cube as"
        " a modifier and set the amount to 0.2. The camera should see a red background instead of the world.",
        {"objects/Cube/modifiers/Inflate/type": "NODES"},
    ),
    (
        'Add a bezier circle "Fence" of radius 3. Geometry nodes for "Fence": instance the cube along the curve every 2'
        ' metres. Expose the spacing as a group input called "Spacing" with 2 m as the default.',
        {"counts/objects": 4},
    ),
    ("freestyle outlines on, 2 px thick, dark grey. Fisheye camera, field of view 170 degrees.", {"counts/objects": 3}),
    ("The light should not cast shadows of the cube (shadow linking). Lens shift up 0.1.", {"counts/objects": 3}),
    ("scale the UVs of the cube by 3 in U and 2 in V. Then rotate them by 45 degrees.", {"objects/Cube/vertices": 8}),
    ("pack the UV islands of the cube with margin 0.005, rotation allowed", {"objects/Cube/vertices": 8}),
    (
        "Create the active object if missing, add a Subdivision Surface modifier (levels=2), and shade smooth.",
        {
            "counts/objects": 3,
            "objects/Cube/modifiers/Subdivision Surface/type": "SUBSURF",
            "objects/Cube/modifiers/Subdivision Surface/levels": 2,
            "objects/Cube/modifiers/Subdivision Surface/render_levels": 2,
            "objects/Cube/smooth": 6,
        },
    ),
    (
        "Add a red cube of size 1.5 at (0, 0, 1)",
        {
            "counts/objects": 4,
            "active": "Cube.001",
            "objects/Cube.001/size": [1.5, 1.5, 1.5],
            "objects/Cube.001/location": [0, 0, 1],
            "objects/Cube.001/materials": ["Red"],
            "materials/Red/inputs/Base Color": [1, 0, 0, 1],
            "materials/Red/viewport": [1, 0, 0, 1],
            "objects/Cube/materials": ["Material"],
        },
    ),
    (
        "Add a UV sphere with radius 2 and 64 segments",
        {
            "objects/Sphere/size": [4, 4, 4],
            "objects/Sphere/vertices": 64 * 15 + 2,
            "objects/Sphere/smooth": 0,
        },
    ),
    (
        "Add a cylinder 3 m tall with radius 0.5, colour #ff8800",
        {
            "objects/Cylinder/size": [1, 1, 3],
            "objects/Cylinder/vertices": 64,
            "materials/#FF8800/inputs/Base Color": [1, 0.2462, 0, 1],
        },
    ),
    (
        "Create a torus called Ring, major radius 2, minor radius 0.3, with a shiny gold-coloured metallic material",
        {
            "objects/Ring/size": [4.6, 4.6, 0.6],
            "objects/Ring/faces": 48 * 12,
            "materials/Shiny Gold-Coloured Metallic/inputs/Metallic": 1,
            "materials/Shiny Gold-Coloured Metallic/inputs/Roughness": 0.1,
            "materials/Shiny Gold-Coloured Metallic/inputs/Base Color": [1, 0.552, 0.107, 1],
        },
    ),
    (
        "Add a cone with base radius 1, top radius 0.5 and height 3",
        {"objects/Cone/size": [2, 2, 3], "objects/Cone/vertices": 64},
    ),
    (
        'Add a plane called "Floor" and give it a dark grey material with roughness 0.9',
        {
            "objects/Floor/size": [2, 2, 0],
            "materials/Dark Grey/inputs/Roughness": 0.9,
            "materials/Dark Grey/inputs/Base Color": [0.0513, 0.0513, 0.0513, 1],
        },
    ),
    (
        "Add a sphere, rotated 45 degrees around the Z axis, scaled by (1, 1, 2)",
        {"objects/Sphere/rotation": [0, 0, RIGHT_ANGLE / 2], "objects/Sphere/scale": [1, 1, 2]},
    ),
    (
        "Add a bevel modifier, width 0.05, 3 segments, to the cube and shade smooth.",
        {
            "objects/Cube/modifiers/Bevel/width": 0.05,
            "objects/Cube/modifiers/Bevel/segments": 3,
            "objects/Cube/smooth": 6,
        },
    ),
    (
        'Duplicate the material "Material" as "Copy", roughness 0.8, and assign it to the cube',
        {"objects/Cube/materials": ["Copy"], "materials/Copy/inputs/Roughness": 0.8, "counts/materials": 3},
    ),
    (
        'Roughness of the materials "Material" and "Dots Stroke" to 0.3. Make slot 1 of the cube the active one.'
        " Set the interpolation of every image texture in the file to closest."
        " Gradient world: black at the bottom, blue at the top.",
        {"materials/Material/inputs/Roughness": 0.3},
    ),
    (
        'Slot 2 of the cube: new material "Trim" in red. Noise into the roughness of the cube, mapping node scale 2.'
        " Make the cube's texture use object coordinates."
        " Make the material of the cube single user and name the copy Own.",
        {"objects/Cube/materials": ["Own", "Trim"], "materials/Trim/inputs/Base Color": [1, 0, 0, 1]},
    ),
    (
        "Noise into the roughness of the cube. Rotate the texture of the cube by 90 degrees."
        " Scale the texture mapping of the cube to 3."
        ' Remove the animation from the material "Material".',
        {"objects/Cube/materials": ["Material"]},
    ),
    (
        "Set the roughness of all materials on the cube to 0.15.",
        {"materials/Material/inputs/Roughness": 0.15},
    ),
    (
        "Make the cube green",
        {"objects/Cube/materials": ["Green"], "materials/Green/inputs/Base Color": [0, 1, 0, 1]},
    ),
    ("Move the cube to (0, 0, 2)", {"objects/Cube/location": [0, 0, 2], "counts/objects": 3}),
    (
        "Add a mirror modifier on the X and Y axes",
        {"objects/Cube/modifiers/Mirror/use_axis": [True, True, False]},
    ),
    (
        "Add an array modifier with count 5 and constant offset (2, 0, 0)",
        {
            "objects/Cube/modifiers/Array/count": 5,
            "objects/Cube/modifiers/Array/constant_offset_displace": [2, 0, 0],
            "objects/Cube/modifiers/Array/use_constant_offset": True,
            "objects/Cube/modifiers/Array/use_relative_offset": False,
        },
    ),
    (
        "Add a simple deform modifier, bend 90 degrees, on the X axis",
        {
            "objects/Cube/modifiers/Simple Deform/deform_method": "BEND",
            "objects/Cube/modifiers/Simple Deform/angle": RIGHT_ANGLE,
            "objects/Cube/modifiers/Simple Deform/deform_axis": "X",
        },
    ),
    (
        "Add a monkey with a subdivision surface modifier (levels=2) and smooth shading",
        {"objects/Suzanne/smooth": 500, "objects/Suzanne/modifiers/Subdivision Surface/levels": 2},
    ),
    (
        'Turn "Light" into a softbox: rectangular area light 2 x 0.5 m, stays where it is but points at the origin',
        {"counts/objects": 3},
    ),
    ('New view layer "FG" with only the collection "Collection"; no shadow from Light', {"counts/objects": 3}),
    ('Add a softbox "Key" at (3, -3, 4) that always aims at the cube via a Track To constraint', {"counts/objects": 4}),
    ("put the cube in rigid body collision layers 1 and 3 only", {"counts/objects": 3}),
    (
        "Three area lights: Key (400 W, at (3, -3, 4)), Fill (100 W) and Rim (250 W). All of them point at the origin.",
        {"counts/objects": 6},
    ),
    (
        'Create the empty "Target" at (2, -1, 1). '
        'Make an armature "Arm" with three bones Upper, Lower and Hand in a chain along X, each 1 m long. '
        'Add an IK constraint to Hand with chain length 2 and "Target" as target.',
        {"counts/objects": 5},
    ),
    ("the cube: visible until frame 20, hidden from 21 to 39, visible again at 40", {"counts/objects": 3}),
    ("wind empty at (0, -5, 1) blowing along +Y, strength 30, noise 2", {"counts/objects": 4}),
    (
        "Write an operator object.go_up that moves the selected objects up by 1 m. Add it to the object menu.",
        {"objects/Cube/location": [0, 0, 0]},
    ),
    (
        'Add a text strip "T" from frame 1 to 60 on channel 1. Cut it at frame 30 and delete the right part.',
        {"counts/objects": 3},
    ),
    (
        "Add a driver to the X location of the cube so that it equals the Z location of the camera divided by 2. "
        "Clamp it to the range 0 to 1.",
        {"objects/Cube/location": [1, 0, 0]},
    ),
    (
        "The cube is cloth with effector weights gravity 0.5. Bake it from frame 1 to 3. Free its bake.",
        {"objects/Cube/modifiers/Cloth/type": "CLOTH"},
    ),
    (
        'Armature "Rig" with two bones, "root" from (0,0,0) to (0,0,1) and "arm.L" from (0.2,0,1) to (1,0,1).'
        ' Symmetrize the bones of "Rig" from left to right. Copy rotation constraint on the bone "arm.R" of "Rig",'
        ' target bone "root" of the same rig, local space both. Apply the pose of "Rig" as rest pose.',
        {"counts/objects": 4},
    ),
    (
        'key the z location of the cube: 0 at frame 1, 2 at frame 20. The first two keys ease out, quad. Markers: "a"'
        ' at 1, "b" at 20. Give its action a fake user. Noise modifier on the z location of the cube. Restrict it to'
        " frames 5 to 9.",
        {"counts/objects": 3},
    ),
    (
        'Add a sphere "Ball" at (0, 0, 3). Generic spring constraint between the cube and "Ball", springs on all axes'
        " with stiffness 30. Let the simulation end at frame 40. Effector weights of the rigid bodies: gravity 0.5.",
        {"counts/objects": 5},
    ),
    (
        "Add an empty. Parent it to the cube, keeping its position. Unparent it and keep its world transform.",
        {"counts/objects": 4},
    ),
]

REQUESTS = list(
    dict.fromkeys([*load_examples(), *(request for request, _ in FACTS), *(request for request, _ in BUILT)])
)


@pytest.fixture(scope="module")
def snippets(tmp_path_factory: pytest.TempPathFactory, home: Path, blender: Blender) -> Path:
    """A folder with the snippet of each request, `snippet_000.py` for the first."""
    folder = tmp_path_factory.mktemp("snippets")
    manifest = manifest_of(home, blender)
    composer = Composer()
    for index, request in enumerate(REQUESTS):
        (folder / file_name(index)).write_text(composer.draft(request, manifest).snippet, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def driven(snippets: Path, blender: Blender) -> dict[str, dict[str, Any]]:
    """What each request did in Blender, from one process that ran them all."""
    ran = subprocess.run(
        [str(blender.path), "-I", str(DRIVER), str(snippets)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    told = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith('{"snippet"')]
    assert len(told) == len(REQUESTS), ran.stderr[-2000:]
    by_name = {each["snippet"]: each for each in told}
    return {request: by_name[file_name(index)] for index, request in enumerate(REQUESTS)}


def file_name(index: int) -> str:
    return f"snippet_{index:03}.py"


def test_mypy_finds_nothing_at_its_strictest(snippets: Path, stubs: Path, home: Path) -> None:
    said = mypy_says(snippets, stubs, home)
    assert said == f"Success: no issues found in {len(REQUESTS)} source files\n", said


def test_pyright_finds_nothing_at_its_strictest(snippets: Path, stubs: Path) -> None:
    assert pyright_says(snippets, stubs) == (len(REQUESTS), [])


@pytest.mark.parametrize("request_", REQUESTS)
def test_runs_and_a_second_run_changes_nothing(request_: str, driven: dict[str, dict[str, Any]]) -> None:
    assert driven[request_]["error"] is None
    first, second = driven[request_]["runs"]
    assert first == second
    assert all(each["valid"] for each in first["objects"].values())


@pytest.mark.parametrize(("request_", "facts"), FACTS, ids=[request for request, _ in FACTS])
def test_does_what_was_asked(request_: str, facts: dict[str, object], driven: dict[str, dict[str, Any]]) -> None:
    found = {path: at(driven[request_]["runs"][-1], path) for path in facts}
    assert found == facts


@pytest.mark.parametrize(("request_", "parts"), BUILT, ids=[request for request, _ in BUILT])
def test_parts_are_where_they_belong(request_: str, parts: Parts, driven: dict[str, dict[str, Any]]) -> None:
    objects = driven[request_]["runs"][-1]["objects"]
    for name, (middle, size) in parts.items():
        assert objects[name]["location"] == pytest.approx(middle, abs=1e-3), name
        assert objects[name]["size"] == pytest.approx(size, abs=1e-3), name


def at(told: Any, path: str) -> Any:
    """The value at "objects/Cube/size"."""
    for key in path.split("/"):
        told = told[key]
    return told
