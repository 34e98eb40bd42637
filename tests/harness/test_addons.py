"""A whole add-on is registered, unregistered and registered again; what it does wrong is told with its place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from harness.addons import Addon, Frame, Problem, Registration, register_addon, registration_of
from harness.blenders import Blender
from harness.launcher import Events, ProcessEnd
from harness.sandbox.ladder import strongest

OPERATORS = """
import bpy

class SHED_OT_build(bpy.types.Operator):
    bl_idname = "shed.build"
    bl_label = "Build"

def register():
    bpy.utils.register_class(SHED_OT_build)

def unregister():
    {unregister}
"""
INIT = """
bl_info = {"name": "Shed", "blender": (2, 80, 0)}
import getpass
import bpy
import gpu
from . import operators
from .operators import SHED_OT_build

log = f"shed-{getpass.getuser()}.log"
shader = gpu.shader.from_builtin("UNIFORM_COLOR")

class Preferences(bpy.types.AddonPreferences):
    bl_idname = __package__
    size: bpy.props.IntProperty(default=3)

def register():
    bpy.utils.register_class(Preferences)
    assert bpy.context.preferences.addons[__package__].preferences.size == 3
    bpy.types.Scene.shed = bpy.props.IntProperty()
    operators.register()

def unregister():
    operators.unregister()
    bpy.utils.unregister_class(Preferences)
"""
MANIFEST = b"""schema_version = "1.0.0"
id = "shed"
version = "1.0.0"
name = "Shed"
tagline = "Builds a shed"
maintainer = "Someone"
type = "add-on"
blender_version_min = "4.2.0"
license = ["SPDX:GPL-3.0-or-later"]
"""
GOOD = "bpy.utils.unregister_class(SHED_OT_build)"


def shed(unregister: str = GOOD, init: str = INIT, **more: bytes) -> Addon:
    files = {"shed/__init__.py": init.encode(), "shed/operators.py": OPERATORS.format(unregister=unregister).encode()}
    return Addon("shed", files | {f"shed/{name.replace('__', '.')}": content for name, content in more.items()})


async def registered(blender: Blender, addon: Addon, tmp_path: Path) -> Registration:
    return await register_addon(blender, addon, strongest(), tmp_path / "place")


@pytest.mark.blender
async def test_an_extension_of_several_files_registers(blender: Blender, tmp_path: Path) -> None:
    done = await registered(blender, shed(blender_manifest__toml=MANIFEST), tmp_path)
    assert done.passed, done
    assert done.said == "registers, unregisters and registers again"
    assert done.left == ("property Scene.shed",)
    assert done.loaded == ("shed/__init__.py", "shed/operators.py")


@pytest.mark.blender
async def test_a_class_that_stays_registered_is_told_with_its_line(blender: Blender, tmp_path: Path) -> None:
    done = await registered(blender, shed("pass"), tmp_path)
    assert (done.done, done.passed) == (2, False)
    assert done.problem is not None and done.problem.frames[-1].file == "shed/operators.py"
    assert done.problem.frames[-1].line == 9 and "already registered" in done.problem.message
    assert "Operator SHED_OT_build" in done.left


@pytest.mark.blender
async def test_an_add_on_that_reaches_out_or_ends_the_process_has_not_passed(blender: Blender, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    source = f"""
import os, socket
for call in (lambda: open({str(outside)!r}, "w"), lambda: socket.create_connection(("127.0.0.1", 9), 1)):
    try:
        call()
    except OSError:
        continue
    print("reached")
os._exit(0)
"""
    done = await registered(blender, shed(init=source), tmp_path)
    assert (done.done, done.output) == (0, "") and not outside.exists()
    assert done.said == "does not register: EndedEarly: the process ended with exit code 0"


def end_with(events: Events) -> ProcessEnd:
    nothing = {"text": "", "bytes": 0, "cut_bytes": 0}
    return ProcessEnd(0, None, 1.0, 1.0, 1, None, 0, events, nothing, nothing, "")


def test_claims_of_another_form_are_no_pass() -> None:
    blender = Blender("module", Path("/none"), "5.0.1", "0", "3.11")
    steps = [{"event": "addon_step", "step": name, "problem": None} for name in ("register", "unregister")]
    last = {"event": "addon_step", "step": "register again", "problem": None}
    finished = {"event": "finished"}

    def done(*events: Mapping[str, object]) -> Registration:
        return registration_of(blender, end_with([(0.1, dict(event)) for event in events]))

    assert done(*steps, last, finished).passed
    for wrong in ([*steps, last], [*steps, finished], [last, last, last, finished], [finished]):
        assert not done(*wrong).passed
    broken = done({**steps[0], "problem": {"type": 3}}, finished)
    assert broken.problem == Problem("Unreadable", "the process did not tell what went wrong")
    frame = {"file": "a.py", "line": 3, "function": "f", "text": ""}
    told = {"type": "NameError", "message": "name 'x'\n is not defined", "module": None, "frames": [frame]}
    failed = done({**steps[0], "problem": told}, finished)
    assert failed.problem is not None and failed.problem.frames == (Frame("a.py", 3, "f", ""),)
    assert failed.said == "does not register: a.py:3: NameError: name 'x' is not defined"
