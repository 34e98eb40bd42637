"""Errors that Blender swallows are found at their lines, and add-ons are registered; a near twin of each is right."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from app.checks.execution import judge_execution
from app.checks.swallowed import exercise_counts
from app.verdict.rules import load_rules
from app.verdict.verdict import Severity
from harness.blenders import Blender
from harness.execution import execute
from harness.launcher import ProcessLimits
from harness.order import Order
from harness.pool.pool import Pool
from harness.protocol import RenderSettings
from harness.sandbox.ladder import strongest

RULES = load_rules()
SMALL = RenderSettings(size_px=32, samples=1)
LIMITS = ProcessLimits(wall_s=30)

Wrong = tuple[str, int]
"""The code of a finding and its line."""


@dataclasses.dataclass(frozen=True)
class Case:
    """A snippet, what is wrong with it, and the replacements that make its right twin."""

    name: str
    snippet: str
    wrong: list[Wrong]
    mended: list[tuple[str, str]]


PROPERTY_CALLBACKS = Case(
    "property callbacks",
    """
import bpy

def lift(self, context):
    self.location.zz = self.lift_height

bpy.types.Object.lift_height = bpy.props.FloatProperty(update=lift)
bpy.types.Object.corners = bpy.props.IntProperty(get=lambda self: len(self.data.vertexes))
bpy.context.object.lift_height = 2.0
print(bpy.context.object.corners)
""",
    [("swallowed-error", 5), ("swallowed-error", 8)],
    [("location.zz", "location.z"), ("vertexes", "vertices")],
)
ANSWERS = Case(
    "answers of property callbacks",
    """
import bpy

def kinds(self, context):
    return [("OAK", "Oak")]

bpy.types.Scene.tree_kind = bpy.props.EnumProperty(items=kinds)
print(bpy.context.scene.tree_kind)
""",
    [("swallowed-error", 4)],
    [('"Oak")', '"Oak", "")')],
)
HANDLERS = Case(
    "handlers",
    """
import bpy
from bpy.app.handlers import persistent

def spin(scene, depsgraph=None):
    bpy.data.objects["Cube"].rotation_euler.z = scene.frame * 0.1

@persistent
def opened(path):
    bpy.context.scene.cursor.position = (0, 0, 0)

def before_saving(*_):
    bpy.data.objects["Cub"].hide_render = False

spinning = bpy.app.handlers.frame_change_pre
spinning.append(spin)
bpy.app.handlers.load_post.append(persistent(opened))
bpy.app.handlers.save_pre.append(before_saving)
""",
    [("swallowed-error", 6), ("swallowed-error", 13), ("swallowed-error", 10)],
    [("scene.frame *", "scene.frame_current *"), ("cursor.position", "cursor.location"), ('"Cub"', '"Cube"')],
)
TIMERS = Case(
    "timers",
    """
import bpy, functools

def blink(name):
    light = bpy.data.lights[name]
    light.power = 10
    return 0.5

bpy.app.timers.register(functools.partial(blink, "Light"), first_interval=3.0)
""",
    [("swallowed-error", 6)],
    [("light.power", "light.energy")],
)
DRIVERS = Case(
    "drivers",
    """
import bpy

cube, lamp = bpy.data.objects["Cube"], bpy.data.objects["Light"]
height = cube.driver_add("location", 2).driver
height.expression = "sin(frame / 8) * amplitude"
width = cube.driver_add("scale", 0).driver
source = width.variables.new()
source.name = "energy"
source.targets[0].id = lamp
source.targets[0].data_path = "data.watts"
width.expression = "energy / 1000"
""",
    [("invalid-driver", 6), ("invalid-driver", 12)],
    [(" * amplitude", " * 2"), ("data.watts", "data.energy")],
)
PANEL = Case(
    "a panel",
    """
import bpy

class OBJECT_OT_level(bpy.types.Operator):
    bl_idname = "object.level_it"
    bl_label = "Level"
    axis: bpy.props.EnumProperty(items=[("X", "X", ""), ("Z", "Z", "")])

    def execute(self, context):
        return {"FINISHED"}

class VIEW3D_PT_level(bpy.types.Panel):
    bl_label = "Level"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    @classmethod
    def poll(cls, context):
        return context.object is not None

    def rows(self, context):
        yield self.layout.row(align=True), context.object

    def draw(self, context):
        for row, thing in self.rows(context):
            row.prop(thing, "locations")
            row.prop(context.scene.eevee, "use_bloom_", text="Bloom")
            row.operator("object.level_them", icon="OBJECT_DATA").axis = "Z"
        self.layout.operator("object.level_it", icon="OBJECT_DATUM")
        self.layout.label(text=context.space_data.type)

for cls in (OBJECT_OT_level, VIEW3D_PT_level):
    bpy.utils.register_class(cls)
""",
    [
        ("unknown-name-drawn", 26),
        ("unknown-name-drawn", 27),
        ("unknown-name-drawn", 28),
        ("swallowed-error", 29),
    ],
    [("locations", "location"), ("use_bloom_", "taa_samples"), ("level_them", "level_it"), ("DATUM", "DATA")],
)
OVERLAY = Case(
    "an overlay",
    """
import blf, bpy, gpu
from gpu_extras.batch import batch_for_shader

def frame():
    width = gpu.state.viewport_get()[2]
    shader = gpu.shader.from_builtin("2D_FLAT_COLOR")
    batch = batch_for_shader(shader, "LINES", {"pos": [(0, 0), (width, 9)]})
    shader.uniform_float("color", (1, 0, 0, 1))
    batch.draw(shader)

def title(prefix):
    blf.position(0, 20, 20, 0)
    blf.draw(0, prefix + bpy.context.scene.title)

def at_the_right():
    blf.position(0, bpy.context.region.width - 20, 20, 0)

for callback, args in ((frame, ()), (title, ("Scene: ",)), (at_the_right, ())):
    bpy.types.SpaceView3D.draw_handler_add(callback, args, "WINDOW", "POST_PIXEL")
""",
    [("swallowed-error", 7), ("swallowed-error", 14)],
    [("2D_FLAT_COLOR", "FLAT_COLOR"), ("scene.title", "scene.name")],
)
ADDON = Case(
    "an add-on that cannot be enabled",
    """
bl_info = {"name": "Stairs", "blender": (3, 0, 0), "category": "Mesh"}
import bpy

class Steps(bpy.types.PropertyGroup):
    count: bpy.props.IntProperty(default=5)

class AddStairs(bpy.types.Operator):
    bl_idname = "stairs"
    bl_label = "Stairs"

    def execute(self, context):
        return {"FINISHED"}

def entry(self, context):
    self.layout.operator(AddStairs.bl_idname)

def register():
    bpy.utils.register_class(Steps)
    bpy.utils.register_class(AddStairs)
    bpy.types.Scene.steps = bpy.props.PointerProperty(type=Steps)
    bpy.types.VIEW3D_MT_mesh_add.append(entry)

def unregister():
    bpy.types.VIEW3D_MT_mesh_add.remove(entry)
    del bpy.types.Scene.steps
    bpy.utils.unregister_class(AddStairs)
    bpy.utils.unregister_class(Steps)
""",
    [("registration-raises", 20)],
    [('"stairs"', '"mesh.stairs"')],
)
FACTORY = Case(
    "an add-on whose register is made",
    """
bl_info = {"name": "Dots", "blender": (3, 0, 0), "category": "Mesh"}
import bpy

class DOTS_PT_side(bpy.types.Panel):
    bl_label = "Dots"
    bl_space_type = "VIEW_3D"
    bl_region_type = "SIDE"

    def draw(self, context):
        self.layout.label(text="Dots")

register, unregister = bpy.utils.register_classes_factory((DOTS_PT_side,))
""",
    [("registration-raises", 13)],
    [('"SIDE"', '"UI"')],
)
NEVER = Case(
    "an add-on without register",
    """
import bpy
bl_info = {"name": "None", "blender": (3, 0, 0), "category": "Mesh"}

def register(cls):
    bpy.utils.register_class(cls)

def unregister():
    print("bye")
""",
    [("incomplete-addon", 3)],
    [("register(cls)", "register()"), ("    bpy.utils.register_class(cls)", "    pass")],
)
CASES = [PROPERTY_CALLBACKS, ANSWERS, HANDLERS, TIMERS, DRIVERS, PANEL, OVERLAY, ADDON, FACTORY, NEVER]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Pool | None]:
    """A warm Blender for all of them."""
    made = Pool(tmp_path_factory.mktemp("pool"), strongest(), 1) if strongest().keeps_forks_apart else None
    yield made
    if made:
        await made.close()


on_warm_blender = pytest.mark.asyncio(loop_scope="module")


async def report_on(snippet: str, blender: Blender, pool: Pool | None, folder: Path) -> dict[str, Any]:
    order = Order(snippet=snippet, render=SMALL, run_limits=LIMITS, examine_limits=LIMITS)
    report = await execute(blender, order, folder, pool=pool)
    assert report["outcome"] == "passed", report["reason"]
    return report


def found(report: dict[str, Any], *severities: Severity) -> list[Wrong]:
    stage = judge_execution(report, "model", RULES)
    return [(one.code, one.line or 0) for one in stage.findings if one.severity in severities]


@pytest.mark.blender
@on_warm_blender
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_what_blender_swallows_fails_at_its_line(
    case: Case, blender: Blender, pool: Pool | None, tmp_path: Path
) -> None:
    report = await report_on(case.snippet, blender, pool, tmp_path / "wrong")
    assert found(report, Severity.ERROR, Severity.WARNING) == case.wrong
    twin = case.snippet
    for wrong, right in case.mended:
        assert wrong in twin
        twin = twin.replace(wrong, right)
    report = await report_on(twin, blender, pool, tmp_path / "right")
    assert found(report, Severity.ERROR, Severity.WARNING) == []


HANDLED = """
import logging, traceback
import bpy

def redraw(self, context):
    area = context.area
    area.tag_redraw()

bpy.types.Object.shown = bpy.props.BoolProperty(update=redraw)
bpy.context.object.shown = True

def rename(self, context):
    try:
        self.label = "x"
    except AttributeError:
        traceback.print_exc()
        logging.exception("as expected")

class Fails(bpy.types.Operator):
    bl_idname = "test.fails"
    bl_label = "Fails"

    def execute(self, context):
        raise ValueError("as expected")

bpy.types.Object.tag_name = bpy.props.StringProperty(update=rename)
bpy.context.object.tag_name = "a"
bpy.utils.register_class(Fails)
try:
    bpy.ops.test.fails()
except RuntimeError:
    print("it failed")
"""


@pytest.mark.blender
@on_warm_blender
async def test_an_error_that_the_snippet_handles_or_that_needs_a_window_is_not_swallowed(
    blender: Blender, pool: Pool | None, tmp_path: Path
) -> None:
    report = await report_on(HANDLED, blender, pool, tmp_path)
    assert "as expected" in report["claims"]["stderr"]["text"]
    assert found(report, *Severity) == [("not-exercised", 7)]
    assert exercise_counts(report) == {
        "operators": {"registered": 1, "ran": 1},
        "callbacks": {"registered": 2, "ran": 2},
    }


UNTIDY = """
bl_info = {"name": "Notes", "blender": (3, 0, 0), "category": "Object"}
import bpy

class NOTES_OT_add(bpy.types.Operator):
    bl_idname = "notes.add"
    bl_label = "Add"

    @classmethod
    def poll(cls, context):
        return context.area.type == "VIEW_3D"

    def execute(self, context):
        return {"FINISHED"}

def on_frame(scene):
    scene.note = str(scene.frame_current)

def overlay():
    print("drawn")

def on_file(path):
    print("opened")

def register():
    bpy.utils.register_class(NOTES_OT_add)
    bpy.types.Scene.note = bpy.props.StringProperty()
    if on_frame not in bpy.app.handlers.frame_change_post:
        bpy.app.handlers.frame_change_post.append(on_frame)
    bpy.app.handlers.render_pre.append(on_file)
    register.overlay = bpy.types.SpaceView3D.draw_handler_add(overlay, (), "WINDOW", "POST_PIXEL")

def unregister():
    bpy.utils.unregister_class(NOTES_OT_add)
    bpy.app.handlers.render_pre.remove(on_file)
    bpy.types.SpaceView3D.draw_handler_remove(register.overlay, "WINDOW")
    del bpy.types.Scene.note

if __name__ == "__main__":
    register()
"""


@pytest.mark.blender
@on_warm_blender
async def test_what_is_left_behind_and_what_never_ran_is_said(
    blender: Blender, pool: Pool | None, tmp_path: Path
) -> None:
    report = await report_on(UNTIDY, blender, pool, tmp_path / "untidy")
    assert found(report, Severity.WARNING, Severity.ERROR) == [("left-behind", 16)]
    assert found(report, Severity.INFO) == [("not-exercised", 11), ("never-ran", 5), ("never-ran", 22)]
    assert ["property", "Scene.note"] in report["claims"]["addon"]["registered"]
    assert exercise_counts(report)["handlers"] == {"registered": 2, "ran": 1}
    undone = "    bpy.app.handlers.frame_change_post.remove(on_frame)\n    del bpy.types.Scene.note"
    tidy = UNTIDY.replace("    del bpy.types.Scene.note", undone)
    report = await report_on(tidy, blender, pool, tmp_path / "tidy")
    assert found(report, Severity.WARNING, Severity.ERROR) == []


HANGS = """
import bpy

def wait_for_it(scene):
    while scene.frame_current > 2:
        pass

bpy.app.handlers.frame_change_post.append(wait_for_it)
"""


@pytest.mark.blender
@on_warm_blender
async def test_a_handler_that_does_not_end_is_told_and_is_no_time_out(
    blender: Blender, pool: Pool | None, tmp_path: Path
) -> None:
    report = await report_on(HANGS, blender, pool, tmp_path)
    assert found(report, Severity.ERROR) in ([("never-ends", 5)], [("never-ends", 6)])
