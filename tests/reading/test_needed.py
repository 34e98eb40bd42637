"""Settings without effect: what the API check must say, the near twin that it must accept, and when it says nothing."""

# ruff: noqa: E501
# Twins are side by side, one pair per line, so that readers see the difference.

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from app.reading import check_api, needs
from app.reading.usage.needed import CODE, required_settings
from app.verdict.rules import load_rules
from app.verdict.verdict import Finding, Severity
from harness.blenders import Blender
from ingest.manifest import Manifest, Property

RULES = load_rules()
BEGIN = """\
import bpy
scene = bpy.context.scene
obj = bpy.data.objects.new("a", None)
"""
ARRAY = 'm = obj.modifiers.new("A", "ARRAY")\n'
LIMIT = 'c = obj.constraints.new("LIMIT_LOCATION")\n'
CAMERA = 'cam = bpy.data.cameras.new("c")\n'


def findings(snippet: str, manifest: Manifest) -> list[Finding]:
    found = check_api(BEGIN + snippet, manifest, lambda code: RULES.severity("api", code, "model"))
    return [finding for finding in found if finding.code == CODE]


# What must be said of, its twin that must be accepted, and what it needs.
TWINS = [
    (f"{ARRAY}m.constant_offset_displace = (2, 0, 0)", f"{ARRAY}m.constant_offset_displace = (2, 0, 0)\nm.use_constant_offset = True", "use_constant_offset = True"),
    (f"{ARRAY}m.merge_threshold = 0.1", f"{ARRAY}m.use_merge_vertices = True\nm.merge_threshold = 0.1", "use_merge_vertices = True"),
    ('obj.modifiers.new("B", "BEVEL").width_pct = 10', 'b = obj.modifiers.new("B", "BEVEL")\nb.offset_type = "PERCENT"\nb.width_pct = 10', "offset_type = 'PERCENT'"),
    ('obj.modifiers.new("C", "CAST").size = 2', 'm = obj.modifiers.new("C", "CAST")\nm.use_radius_as_size = False\nm.size = 2', "use_radius_as_size = False"),
    ('m = obj.modifiers.new("D", "DECIMATE")\nm.angle_limit = 0.1', 'm = obj.modifiers.new("D", "DECIMATE")\nm.decimate_type = "DISSOLVE"\nm.angle_limit = 0.1', "decimate_type = 'DISSOLVE'"),
    (f"{LIMIT}c.max_x = 1", f"{LIMIT}c.max_x = 1\nc.use_max_x = True", "use_max_x = True"),
    (f"{LIMIT}c.use_max_x = True\nc.max_x, c.min_x = 1, 0.5", f"{LIMIT}c.use_max_x = c.use_min_x = True\nc.max_x, c.min_x = 1, 0.5", "use_min_x = True"),
    ("scene.frame_preview_start = 5", "scene.frame_preview_start = 5\nscene.use_preview_range = True", "use_preview_range = True"),
    ('p = obj.pose.bones["b"]\np.ik_max_x = 1', 'p = obj.pose.bones["b"]\np.use_ik_limit_x = True\np.ik_max_x = 1', "use_ik_limit_x = True"),
    ("obj.rigid_body.collision_margin = 0.1", "obj.rigid_body.use_margin = True\nobj.rigid_body.collision_margin = 0.1", "use_margin = True"),
    ("obj.rigid_body_constraint.limit_lin_x_upper = 2", "obj.rigid_body_constraint.use_limit_lin_x = True\nobj.rigid_body_constraint.limit_lin_x_upper = 2", "use_limit_lin_x = True"),
    ("obj.field.distance_max = 2", "f = obj.field\nf.use_max_distance = True\nobj.field.distance_max = 2", "use_max_distance = True"),
    (f"{CAMERA}cam.dof.aperture_fstop = 1.4", f"{CAMERA}cam.dof.aperture_fstop = 1.4\ncam.dof.use_dof = True", "use_dof = True"),
    (f"{CAMERA}cam.ortho_scale = 5", f"{CAMERA}cam.type = 'ORTHO'\ncam.ortho_scale = 5", "type = 'ORTHO'"),
    ('bpy.data.lights.new("l", "AREA").size_y = 2', 'l = bpy.data.lights.new("l", "AREA")\nl.shape = "ELLIPSE"\nl.size_y = 2', ""),
    ('bpy.data.worlds.new("w").mist_settings.depth = 9', 'w = bpy.data.worlds.new("w").mist_settings\nw.use_mist = True\nw.depth = 9', "use_mist = True"),
    ("scene.render.border_max_x = 0.5", "scene.render.use_border = True\nscene.render.border_max_x = 0.5", "use_border = True"),
    ("scene.cycles.camera_cull_margin = 0.5", "scene.cycles.use_camera_cull = True\nscene.cycles.camera_cull_margin = 0.5", "use_camera_cull = True"),
    ("obj.instance_collection = bpy.data.collections.new('c')", "obj.instance_collection = bpy.data.collections.new('c')\nobj.instance_type = 'COLLECTION'", "instance_type = 'COLLECTION'"),
    ("def f(t: bpy.types.TextStrip) -> None:\n    t.box_margin = 0.1", "def f(t: bpy.types.TextStrip) -> None:\n    t.use_box = True\n    t.box_margin = 0.1", "use_box = True"),
]  # fmt: skip


@pytest.mark.parametrize(("wrong", "right", "needed"), TWINS)
def test_what_has_no_effect_is_said_and_its_twin_is_not(
    wrong: str, right: str, needed: str, manifest: Manifest
) -> None:
    [finding] = findings(wrong, manifest)
    assert finding.severity is Severity.WARNING
    assert needed in (finding.hint or "") and finding.line is not None and finding.line > 3
    assert findings(right, manifest) == []


@pytest.mark.parametrize(
    "snippet",
    [
        # It may be set elsewhere.
        f"{CAMERA}cam.dof.aperture_fstop = 1.4\nsetup = bpy.data.cameras['c'].dof\nsetup.use_dof = True",
        f"{CAMERA}cam.dof.aperture_fstop = 1.4\nsetattr(cam.dof, 'use_dof', True)",
        f"{CAMERA}for name, value in {{'focus_distance': 2}}.items():\n    setattr(cam.dof, name, value)\ncam.dof.aperture_fstop = 1.4",
        f"{CAMERA}cam.dof.aperture_fstop = 1.4\ncam.dof.driver_add('use_dof')",
        f"{CAMERA}cam.dof.aperture_fstop = 1.4\nfrom studio import prepare\nprepare(cam)",
        f"{CAMERA}cam.dof.aperture_fstop = 1.4\nfrom studio import prepare\nprepare(dof=cam.dof)",
        f"{CAMERA}cam.dof.aperture_fstop = 1.4\ndef on(dof):\n    dof.use_dof = True\non(cam.dof)",
        # What it is, is not sure.
        "def f(dof):\n    dof.aperture_fstop = 1.4",
        "obj.modifiers['Bevel'].width_pct = 10",
        # A new one has it already.
        'obj.modifiers.new("B", "BEVEL").angle_limit = 0.5',
        "scene.cycles.adaptive_threshold = 0.1",
        'obj.modifiers.new("S", "SOFT_BODY").settings.goal_spring = 0.5',
        # Nothing is wanted of it.
        f"{CAMERA}cam.dof.focus_object = None",
        f"{CAMERA}cam.sensor_height = 24.0",
        # This build may not get there.
        f"{CAMERA}if hasattr(cam.dof, 'x'):\n    cam.dof.aperture_fstop = 1.4",
    ],
)  # fmt: skip
def test_nothing_is_said_without_being_sure(snippet: str, manifest: Manifest) -> None:
    assert findings(snippet, manifest) == []


def test_it_is_said_of_one_thing_though_another_type_has_a_setting_of_that_name(manifest: Manifest) -> None:
    other = 'l = obj.constraints.new("LIMIT_SCALE")\nl.use_max_x = True\n'
    assert len(findings(f"{other}{LIMIT}c.max_x = 1", manifest)) == 1


def test_what_is_only_kept_apart_is_not_asked_for() -> None:
    assert needs()["ArrayModifier.offset_object"] == {"use_object_offset": True, "use_relative_offset": False}
    assert required_settings("ArrayModifier.offset_object") == {"use_object_offset": True}
    assert required_settings("CastModifier.size") == {"use_radius_as_size": False}
    assert required_settings("SoftBodySettings.goal_min") == required_settings("Nothing.at_all") == {}


def test_every_row_is_of_this_blender(manifest: Manifest) -> None:
    for setting, needed in needs().items():
        type_name, _, name = setting.partition(".")
        assert manifest.find(type_name, name), setting
        for other, value in needed.items():
            found = manifest.find(type_name, other)
            assert found and isinstance(found[1], Property), f"{type_name}.{other}"
            items = {item.identifier for item in found[1].items}
            assert value in items if isinstance(value, str) else found[1].type == "BOOLEAN", f"{type_name}.{other}"
            assert name != other, setting


@pytest.mark.blender
def test_a_new_one_is_as_the_manifest_says(blender: Blender, manifest: Manifest, tmp_path: Path) -> None:
    """A switch that is on by itself would make the remark wrong: of each modifier and constraint, what a new one has."""
    made = {
        one.type: (f'obj.{family}.new({name}"{identifier}")')
        for family, name in (("modifiers", '"a", '), ("constraints", ""))
        for identifier, one in manifest.identifiers[family].items()
        if one.type and any(setting.startswith(f"{one.type}.") for setting in needs())
    }
    assert len(made) > 20
    script = tmp_path / "new.py"
    wanted = {
        type_name: sorted(
            {name for setting in needs() if setting.startswith(f"{type_name}.") for name in required_settings(setting)}
        )
        for type_name in made
    }
    lines = ["import bpy, json", "has = {}"]
    for type_name, new in made.items():
        data = 'bpy.data.meshes.new("m")'
        data = 'bpy.data.volumes.new("v")' if type_name == "MeshToVolumeModifier" else data
        lines += [f'obj = bpy.data.objects.new("o", {data})', f"new = {new}"]
        lines += [f'has["{type_name}.{name}"] = new.{name}' for name in wanted[type_name]]
    script.write_text("\n".join([*lines, "print(json.dumps(has))"]))
    done = subprocess.run([str(blender.path), "-I", str(script)], capture_output=True, text=True, check=True)
    has: dict[str, bool | str] = json.loads(done.stdout.splitlines()[-1])
    for setting, value in has.items():
        type_name, _, name = setting.partition(".")
        found = manifest.find(type_name, name)
        assert found and isinstance(found[1], Property) and found[1].default == value, setting
