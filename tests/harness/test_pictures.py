"""What the pictures of an execution show, and what the evidence says of them, on a warm Blender (test_pool.py)."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageStat

from app.checks.render import judge_render
from app.jobs.request import GENERATED, RenderOptions
from app.verdict.rules import load_rules
from harness.blenders import Blender
from harness.order import Order
from harness.protocol import RenderSettings
from tests.lending import Lending

SHEET = RenderSettings(size_px=64, samples=1, views=("camera", "three_quarter", "face"))

IN_SURROUNDINGS = """
import bpy
bpy.ops.mesh.primitive_plane_add(size=50)
bpy.context.object.name = "Field"
bpy.ops.mesh.primitive_uv_sphere_add(radius=80)
bpy.context.object.name = "Sky"
bpy.ops.mesh.primitive_cylinder_add(radius=0.2, depth=3, location=(0, 0, 1.5))
bpy.context.object.name = "Post"
bpy.ops.mesh.primitive_cone_add(radius1=0.1, depth=0.4, location=(30, 30, 0))
tuft = bpy.context.object
tuft.name = "Tuft"
herd = bpy.data.collections.new("Herd")
bpy.context.scene.collection.children.link(herd)
herd.objects.link(tuft)
for x in (-0.5, 0.6):
    bpy.ops.object.collection_instance_add(collection="Herd", location=(x - 30, -30, 0.2))
"""
"""A post and two tufts, of which the first is put away, on a field under a sky."""

FLAT_LETTERING = """
import bpy
bpy.ops.mesh.primitive_torus_add(major_radius=0.3, minor_radius=0.1, location=(0, 0, 0.8))
bpy.ops.object.text_add(location=(-1, -2, 0))
bpy.context.object.data.body = "It lies here"
glow = bpy.data.materials.new("Glow")
glow.use_nodes = True
glow.node_tree.nodes["Principled BSDF"].inputs["Emission Strength"].default_value = 1
bpy.data.objects["Torus"].data.materials.append(glow)
"""

THROUGH_A_CAMERA = """
import bpy
bpy.ops.mesh.primitive_cube_add(size=1)
bpy.ops.mesh.primitive_plane_add(size=40, location=(0, 0, -0.5))
bpy.ops.object.camera_add(location=(0, -4, 0), rotation=({tilt}, 0, 0))
bpy.context.scene.camera = bpy.context.object
"""


async def picture(lending: Lending, blender: Blender, snippet: str, folder: Path) -> dict[str, Any]:
    """What the evidence says of the pictures."""
    report = await lending.execute(blender, Order(snippet, render=SHEET), folder)
    assert report["outcome"] == "passed", report["reason"]
    render: dict[str, Any] = report["evidence"]["render"]
    return render


@pytest.mark.blender
async def test_surroundings_are_named_and_do_not_widen_the_frame(
    lending: Lending, blender: Blender, tmp_path: Path
) -> None:
    render = await picture(lending, blender, IN_SURROUNDINGS, tmp_path)
    assert render["surroundings"] == {"Field": "ground", "Sky": "enclosure", "Tuft": "instance source"}
    assert "Post" in render["subject"] and len(render["subject"]) == 3
    assert [one["view"] for one in render["pictures"]] == ["three_quarter", "front"]
    # The sky is left out, so the post is lit, and it takes up the height of the picture.
    with Image.open(tmp_path / "examine" / "out" / "front.png") as front:
        post = ImageStat.Stat(front.convert("L").crop((31, 8, 33, 50)))
    assert post.mean[0] > 60


@pytest.mark.blender
async def test_flat_lettering_is_in_the_picture_beside_a_thing_that_glows(
    lending: Lending, blender: Blender, tmp_path: Path
) -> None:
    render = await picture(lending, blender, FLAT_LETTERING, tmp_path)
    assert (render["subject"], render["surroundings"]) == (["Text", "Torus"], {})
    # What glows is not taken for the light of the scene, which would leave all else dark.
    assert render["lights"] == "harness"
    with Image.open(tmp_path / "examine" / "out" / "three_quarter.png") as shown:
        # The torus is in the upper half alone.
        lower = ImageStat.Stat(shown.convert("L").crop((0, 36, 64, 64))).stddev[0]
    assert lower > 3


@pytest.mark.blender
@pytest.mark.parametrize(("tilt", "share"), [(1.5708, 1.0), (-1.5708, 0.0)])
async def test_the_snippets_camera_comes_first_and_what_it_sees_is_measured_without_the_ground(
    tilt: float, share: float, lending: Lending, blender: Blender, tmp_path: Path
) -> None:
    render = await picture(lending, blender, THROUGH_A_CAMERA.format(tilt=tilt), tmp_path)
    assert [(one["view"], one["camera"]) for one in render["pictures"]] == [
        ("camera", "scene"),
        ("three_quarter", "harness"),
        ("front", "harness"),
    ]
    assert (render["subject"], render["surroundings"]) == (["Cube.001"], {"Plane": "ground"})
    assert [one["subject_in_frame"] for one in render["pictures"]] == [share, 1.0, 1.0]


FALLING = """
import bpy
bpy.ops.mesh.primitive_cube_add(location=(0, 0, 9))
bpy.ops.rigidbody.world_add()
bpy.ops.rigidbody.object_add(type='ACTIVE')
bpy.context.scene.frame_set(10)
"""


@pytest.mark.blender
async def test_a_simulation_is_played_up_to_the_frames_that_are_named(
    lending: Lending, blender: Blender, tmp_path: Path
) -> None:
    settings = RenderSettings(size_px=32, samples=1, engine="workbench", frames=2)
    check: dict[str, Any] = {"check": "object", "name": "Cube.001", "values": {}}
    named = ({**check, "frame": 10}, {**check, "frame": 20})
    report = await lending.execute(blender, Order(FALLING, render=settings, accept=named), tmp_path)
    assert report["outcome"] == "passed", report["reason"]
    frames = report["evidence"]["render"]["frames"]
    assert [one["frame"] for one in frames] == [10, 20]
    heights = [one["moved"]["Cube.001"][2] for one in frames]
    assert 9 > heights[0] > heights[1], heights
    # The checks had it played, so the view at this frame shows it where it has fallen.
    out = tmp_path / "examine" / "out"
    assert (out / "frame_0010.png").read_bytes() == (out / "three_quarter.png").read_bytes()


@pytest.mark.blender
@pytest.mark.parametrize("views", [(), ("three_quarter",)])
async def test_a_scene_is_described_without_pictures_if_no_view_is_asked_for(
    views: tuple[str, ...], lending: Lending, blender: Blender, tmp_path: Path
) -> None:
    order = Order("import bpy\n", render=RenderSettings(size_px=16, samples=1, engine="workbench", views=views))
    evidence = (await lending.execute(blender, order, tmp_path))["evidence"]
    assert "Cube" in evidence["scene"]["objects"]
    assert (len(evidence["render"]["pictures"]), evidence["render"]["nothing_to_render"]) == (len(views), not views)


LIT_LATER = """
import bpy
for obj in list(bpy.data.objects):
    bpy.data.objects.remove(obj)
bpy.context.scene.world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0
bpy.ops.mesh.primitive_cube_add()
bpy.ops.object.light_add(location=(2, -3, 5))
light = bpy.context.object.data
for frame, watts in (1, {first}), (21, {last}):
    light.energy = watts
    light.keyframe_insert("energy", frame=frame)
bpy.context.scene.frame_set(1)
"""
"""A cube in the dark; the keyframes are in the data of a light."""


@pytest.mark.blender
@pytest.mark.parametrize(("first", "last", "taken"), [(0.001, 900, [11]), (0.001, 0.001, [11]), (900, 0, [])])
async def test_what_shows_nothing_now_is_looked_at_later(
    lending: Lending, blender: Blender, tmp_path: Path, first: float, last: float, taken: list[int]
) -> None:
    order = Order(LIT_LATER.format(first=first, last=last), render=RenderSettings(size_px=64, samples=1))
    report = await lending.execute(blender, order, tmp_path)
    frames = report["evidence"]["render"]["frames"]
    assert [one["frame"] for one in frames] == taken
    lit = [
        ImageStat.Stat(Image.open(tmp_path / "examine" / "out" / one["file"]).convert("L")).stddev[0] > 1
        for one in frames
    ]
    assert lit == [last > 1] * len(taken)


@pytest.mark.blender
async def test_an_animation_of_a_light_has_its_frames(lending: Lending, blender: Blender, tmp_path: Path) -> None:
    order = Order(LIT_LATER.format(first=900, last=0), render=RenderSettings(size_px=64, samples=1, frames=2))
    report = await lending.execute(blender, order, tmp_path)
    assert [one["frame"] for one in report["evidence"]["render"]["frames"]] == [1, 21]


@pytest.mark.blender
@pytest.mark.parametrize("kind", ["FFMPEG", "PNG"])
async def test_a_scene_whose_output_is_a_movie_is_described(
    lending: Lending, blender: Blender, tmp_path: Path, kind: str
) -> None:
    snippet = (
        "import bpy\nsettings = bpy.context.scene.render.image_settings\n"
        f"if hasattr(settings, 'media_type'):\n    settings.media_type = {'VIDEO' if kind == 'FFMPEG' else 'IMAGE'!r}\n"
        f"settings.file_format = {kind!r}\nbpy.ops.mesh.primitive_cone_add()\n"
    )
    report = await lending.execute(blender, Order(snippet, render=RenderSettings(size_px=64, samples=1)), tmp_path)
    assert report["evidence"]["scene"]["faults"] == []
    assert "Cone" in report["evidence"]["scene"]["objects"]


@pytest.mark.blender
@pytest.mark.parametrize(("further", "sizes"), [(32, [64, 32, 32]), (None, [64, 64, 64])])
async def test_pictures_after_the_first_may_be_smaller(
    lending: Lending, blender: Blender, tmp_path: Path, further: int | None, sizes: list[int]
) -> None:
    order = Order(THROUGH_A_CAMERA.format(tilt=1.57), render=dataclasses.replace(SHEET, further_px=further))
    report = await lending.execute(blender, order, tmp_path)
    render, made = report["evidence"]["render"], tmp_path / "examine" / "out"
    assert [Image.open(made / one["file"]).convert("L").width for one in render["pictures"]] == sizes
    assert judge_render(report, made, "model", load_rules()).findings == []


@pytest.mark.parametrize(
    ("given", "further"), [({}, GENERATED.further_px), ({"size": 300}, None), ({"size": 300, "further": 99}, 99)]
)
def test_whoever_gives_a_size_gives_that_of_all_pictures(given: dict[str, int], further: int | None) -> None:
    assert RenderOptions.model_validate(given).settings(GENERATED).further_px == further
