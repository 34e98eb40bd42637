"""Checks of models, resolved against a build and the start scene: a broken one, and a near twin that is not."""

from __future__ import annotations

from typing import Any

import pytest

from app.accept import CHECK
from app.accept.examples import EXAMPLES
from app.drafting.resolving import CheckResolver
from ingest.manifest import Manifest

pytestmark = pytest.mark.blender

LIGHT: dict[str, Any] = {"check": "object", "name": "Lamp", "type": "LIGHT"}
TEXT: dict[str, Any] = {"check": "object", "type": "FONT"}
CUBE: dict[str, Any] = {"check": "object", "name": "Cube"}
GOLD: dict[str, Any] = {"check": "material", "name": "Gold"}
BROKEN_AND_NOT: list[tuple[dict[str, Any], str, dict[str, Any]]] = [
    (
        {**TEXT, "values": {"data.align": "CENTER"}},
        "TextCurve has no align; near it: align_x, align_y",
        {**TEXT, "values": {"data.align_x": "center"}},
    ),
    (
        {**TEXT, "values": {"data.align_x": "CENTRE"}},
        'data.align_x has no item "CENTRE"; near it: CENTER',
        {**TEXT, "values": {"data.align_x": "Center"}},
    ),
    # The lamp may be one of another type; that is what the check is about.
    (
        {**LIGHT, "values": {"data.spot_sice": 1}},
        "Light has no spot_sice; near it: spot_size",
        {**LIGHT, "values": {"data.spot_size": 1}},
    ),
    (
        {**CUBE, "modifiers": [{"type": "BEVEL", "values": {"widht": 1}}]},
        "BevelModifier has no widht; near it: width",
        {**CUBE, "modifiers": [{"type": "BEVEL", "values": {"width": 1}}]},
    ),
    (
        {**CUBE, "constraints": [{"type": "TRACK_TOO"}]},
        "no constraint is of type TRACK_TOO; near it: TRACK_TO",
        {**CUBE, "constraints": [{"type": "TRACK_TO"}]},
    ),
    (
        {**CUBE, "values": {"location.width": 1}},
        "location is a value and has no width",
        {**CUBE, "values": {"location.x": 1, "matrix_world.translation.z": 2, "matrix_world[0][3]": 1, '["shot"]': 1}},
    ),
    ({**CUBE, "values": {"tower.levels": 1}}, "Object has no tower", {**CUBE, "values": {"wheel.levels": 1}}),
    (
        {"check": "change", "name": "Cubus", "moved": [1, 0, 0]},
        'the scene before has no object "Cubus"; there: Camera, Cube, Light',
        {"check": "change", "name": "Cube", "moved": [1, 0, 0]},
    ),
    (
        {**GOLD, "inputs": {"Roughnes": 1}},
        'a Principled BSDF node has no input "Roughnes"; near it: Roughness, Coat Roughness',
        {**GOLD, "inputs": {"Roughness": 1, "Emission": "#ffffff", "4": 1}},
    ),
    (
        {**GOLD, "nodes": ["Noise Textur"]},
        "no node is of type Noise Textur; near it: Noise Texture, White Noise Texture",
        {**GOLD, "nodes": ["Noise Texture", "TEX_NOISE", "ShaderNodeBump"]},
    ),
    (
        {"check": "scene", "values": {"render.resolution_z": 3}},
        "RenderSettings has no resolution_z",
        {"check": "scene", "values": {"render.resolution_x": 3, "cycles.samples": 12}},
    ),
    (
        {**CUBE, "keyframes": [{"path": "hide"}]},
        "Object has no hide; near it: hide_render, hide_select, hide_viewport",
        {**CUBE, "keyframes": [{"path": "hide_render"}, {"path": "rotation"}, {"path": "data.shape_keys.eval_time"}]},
    ),
    (
        {"check": "data", "collection": "images", "name": "Sky", "values": {"widht": 3}},
        "Image has no widht",
        {"check": "data", "collection": "images", "name": "Sky", "values": {"size": [1, 2]}},
    ),
    (
        {**CUBE, "bones": [{"name": "Arm", "values": {"rotation_mode": "QUAT"}}]},
        'rotation_mode has no item "QUAT"',
        {**CUBE, "bones": [{"name": "Arm", "values": {"rotation_mode": "QUATERNION", "bone.use_deform": True}}]},
    ),
]


@pytest.mark.parametrize(("broken", "why", "twin"), BROKEN_AND_NOT)
def test_what_leads_nowhere_is_broken_and_its_near_twin_is_not(
    manifest: Manifest, broken: dict[str, Any], why: str, twin: dict[str, Any]
) -> None:
    start = {"Cube": "MESH", "Light": "LIGHT", "Camera": "CAMERA"}
    resolver = CheckResolver(manifest, "Give the cube a wheel of 4 levels", start)
    assert why in resolver.why_broken(CHECK.validate_python(broken))
    assert resolver.why_broken(CHECK.validate_python(twin)) == ""


def test_the_examples_of_the_language_lead_somewhere(manifest: Manifest) -> None:
    resolver = CheckResolver(manifest, "Set the tower of the scene")
    broken = {one.says: why for one in EXAMPLES if (why := resolver.why_broken(CHECK.validate_python(one.check)))}
    assert broken == {}
