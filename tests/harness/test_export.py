"""The scene as glTF, and pictures through one camera, on a warm Blender (test_pool.py)."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from harness.blenders import Blender
from harness.engines.local import made
from harness.folders import Folders
from harness.order import MODEL, SCENE, Order
from harness.protocol import RenderSettings
from tests.lending import Lending

SMALL = RenderSettings(size_px=64, samples=1)
BOX = """
import bpy
bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, {height}))
box = bpy.context.object
box.name = "Box"
box["secret"] = "hush"
bpy.data.texts.new("startup.py").write("raise SystemExit('hush')")
bpy.ops.mesh.primitive_uv_sphere_add()
bpy.context.object.name = "Unseen"
bpy.context.object.hide_render = True
"""


def gltf(content: bytes) -> dict[str, Any]:
    """The JSON of a .glb file."""
    magic, version, length, size = struct.unpack_from("<4sIII", content)
    assert (magic, version, length) == (b"glTF", 2, len(content))
    facts: dict[str, Any] = json.loads(content[20 : 20 + size])
    return facts


async def test_the_glb_holds_what_a_picture_shows_and_nothing_else(
    lending: Lending, blender: Blender, tmp_path: Path
) -> None:
    order = Order(BOX.format(height=0), render=SMALL, keep_scene=True)
    report = await lending.execute(blender, order, tmp_path / "kept")
    assert report["outcome"] == "passed", report["reason"]
    files = made(Folders(tmp_path / "kept", tmp_path / "kept"), order)
    assert {SCENE, MODEL} < set(files) and b"hush" not in files[MODEL]
    assert [node["name"] for node in gltf(files[MODEL])["nodes"]] == ["Box"], "not the cube of every new Blender"
    plain = Order(BOX.format(height=0), render=SMALL)
    await lending.execute(blender, plain, tmp_path / "plain")
    assert set(made(Folders(tmp_path / "plain", tmp_path / "plain"), plain)) == {"three_quarter.png"}


@pytest.mark.parametrize(("height", "lit"), [(0, "lower"), (3, "upper")])
async def test_a_box_to_frame_makes_a_move_seen(
    lending: Lending, blender: Blender, tmp_path: Path, height: float, lit: str
) -> None:
    order = Order(BOX.format(height=height), render=SMALL, framed=(-0.5, -0.5, -0.5, 0.5, 0.5, 3.5))
    report = await lending.execute(blender, order, tmp_path / "made")
    assert report["outcome"] == "passed", report["reason"]
    picture = Image.open(tmp_path / "made" / "examine" / "out" / "three_quarter.png").convert("L")
    spread = {
        name: max(tones) - min(tones)
        for name, box in (("upper", (0, 0, 64, 28)), ("lower", (0, 36, 64, 64)))
        if (tones := picture.crop(box).tobytes())
    }
    assert max(spread, key=lambda name: spread[name]) == lit, spread
