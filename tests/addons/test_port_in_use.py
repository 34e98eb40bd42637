"""What an add-on does when it is used: what raises there is repaired too, and no repair may break what did well."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.addons import draft as porting
from app.addons.discovery import contents_of
from app.addons.draft import Workshop
from app.addons.port import port
from app.addons.report import PortReport
from app.jobs.budget import Budget
from app.jobs.spending import Spending
from harness.addons import Addon, AddonFrame, AddonProblem, Registration, Use
from harness.blenders import Blender
from harness.sandbox.ladder import strongest
from ingest.manifest import Manifest
from tests.codebase.small import write
from tests.model_server import Reply, model_server, models_at

INFO = 'bl_info = {"name": "Shed", "blender": (2, 79, 0)}\n'
SHED = (
    INFO
    + """import bpy
import random
import bmesh

class SHED_OT_build(bpy.types.Operator):
    bl_idname = "shed.build"
    bl_label = "Build"

    def execute(self, context):
        bm = bmesh.new()
        bmesh.ops.create_cone(bm, segments=random.uniform(3, 6), radius1=1, radius2=1, depth=1)
        bm.free()
        return {"FINISHED"}

class SHED_OT_fail(bpy.types.Operator):
    bl_idname = "shed.fail"
    bl_label = "Fail"

    def execute(self, context):
        raise ValueError("by design")

def register():
    bpy.utils.register_class(SHED_OT_build)
    bpy.utils.register_class(SHED_OT_fail)

def unregister():
    bpy.utils.unregister_class(SHED_OT_fail)
    bpy.utils.unregister_class(SHED_OT_build)
"""
)


@pytest.mark.blender
async def test_what_raises_when_it_is_used_is_repaired_at_its_line(
    manifest: Manifest, blender: Blender, tmp_path: Path
) -> None:
    contents = contents_of(write(tmp_path / "root", {"shed.py": SHED}), "root")
    done = await port(contents, Workshop([blender], manifest, strongest(), lambda _: None))
    (row,) = done.addons[0].registrations
    assert (row.before.used, row.after.used) == ("2 raised", "1 raised, 1 finished")
    assert [one.what for one in row.after.raising] == ["Operator SHED_OT_fail"]
    assert b"segments=int(random.uniform(3, 6))" in done.changed["shed.py"]
    assert done.passed and done.changed["shed.py"].count(b"\n") == SHED.count("\n")


# --- without a Blender --------------------------------------------------------------------------------------

TEXT = INFO + "import bpy\n\ndef a():\n    bpy.context.scene.frame_curent\n\ndef b():\n    bpy.context.scene.update()\n"


async def ported(raises: Callable[[str], dict[str, str]], manifest: Manifest, tmp_path: Path) -> PortReport:
    """Port TEXT where a stand-in for Blender says which of the operators `a` and `b` raises at which mark."""

    async def registered(blender: Blender, addon: Addon, _sandbox: object, _folder: object) -> Registration:
        text = addon.files["shed.py"].decode()
        raised = raises(text)
        uses = tuple(use_of(name, raised.get(name), text) for name in "ab")
        return Registration(blender.name, 3, None, (), "", 0.1, ("shed.py",), uses)

    contents = contents_of(write(tmp_path / "root", {"shed.py": TEXT}), "root")
    blender = Blender("module", Path("/none"), "5.0.1", "0", "3.11")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(porting, "use_addon", registered)
        return await port(contents, Workshop([blender], manifest, strongest(), lambda _: None))


def use_of(name: str, mark: str | None, text: str) -> Use:
    """How an operator did: it raises at the first line with this mark, or finishes without one."""
    if mark is None:
        return Use("Operator", name, "finished")
    line = next(number for number, one in enumerate(text.split("\n"), 1) if mark in one)
    problem = AddonProblem(
        "AttributeError", f"'Scene' object has no attribute '{mark}'", (AddonFrame("shed.py", line, name, ""),)
    )
    return Use("Operator", name, "raised", problem)


async def test_a_guess_is_kept_if_its_operator_no_longer_raises(manifest: Manifest, tmp_path: Path) -> None:
    done = await ported(lambda text: {"a": "frame_curent"} if "frame_curent" in text else {}, manifest, tmp_path)
    assert b"frame_current\n" in done.changed["shed.py"] and done.passed
    assert [one.rule for _, one in done.addons[0].reasons(guess=True)] == ["nearest-attribute"]


async def test_a_guess_by_which_another_operator_raises_is_taken_back(manifest: Manifest, tmp_path: Path) -> None:
    done = await ported(
        lambda text: {"a": "frame_curent"} if "frame_curent" in text else {"b": "view_layer"}, manifest, tmp_path
    )
    assert b"frame_curent\n" in done.changed["shed.py"]
    (file,) = done.addons[0].files
    assert [one.rule for one in file.taken_back] == ["nearest-attribute"]


async def test_a_sure_repair_by_which_what_finished_raises_is_taken_back(manifest: Manifest, tmp_path: Path) -> None:
    done = await ported(lambda text: {"b": "view_layer"} if "view_layer" in text else {}, manifest, tmp_path)
    assert done.changed == {} and done.passed
    assert [one.rule for one in done.addons[0].files[0].taken_back] == ["scene-update"]
    done = await ported(lambda _: {"a": "def a"}, manifest, tmp_path / "twin")
    assert b"view_layer.update()" in done.changed["shed.py"], "another operator raised before too"


# --- with a model -------------------------------------------------------------------------------------------

WOBBLES = INFO + "import bpy\n\n\ndef a():\n    return bpy.context.scene.wobbliness(1)\n\n\ndef register():\n    a()\n"
MODELS = {
    "kept": "return bpy.context.scene.frame_set(1)",
    "still raises": "return bpy.context.scene.wobbliness(2)",
}


@pytest.mark.parametrize("answer", MODELS)
@pytest.mark.parametrize("kind", ["AttributeError", "IndexError"])
async def test_a_model_is_asked_about_what_may_be_gone(
    answer: str, kind: str, manifest: Manifest, tmp_path: Path
) -> None:
    async def registered(blender: Blender, addon: Addon, _sandbox: object, _folder: object) -> Registration:
        frame = AddonFrame("shed.py", 6, "a", "return bpy.context.scene.wobbliness(1)")
        problem = AddonProblem(kind, "'Scene' object has no attribute 'wobbliness'", (frame,))
        is_left = b"wobbliness" in addon.files["shed.py"]
        use = Use("Operator", "a", "raised", problem) if is_left else Use("Operator", "a", "finished")
        return Registration(blender.name, 3, None, (), "", 0.1, ("shed.py",), (use,))

    contents = contents_of(write(tmp_path / "root", {"shed.py": WOBBLES}), "root")
    said = f"It is called frame_set.\n<<BEGIN_UNIT shed.py::a>>\ndef a():\n    {MODELS[answer]}\n<<END>>\n"
    with model_server(Reply(said)) as server, pytest.MonkeyPatch.context() as patch:
        models = models_at(server.url)
        patch.setattr(porting, "use_addon", registered)
        spending = Spending(models, Budget(50_000, 100.0, None))
        workshop = Workshop(
            [Blender("module", Path("/none"), "5.0.1", "0", "3.11")],
            manifest,
            strongest(),
            lambda _: None,
            models=spending,
        )
        try:
            done = await port(contents, workshop)
        finally:
            await models.close()
    asked = kind == "AttributeError"
    assert ["does not go through Operator a" in question for question in server.questions] == [True] * asked
    assert (b"frame_set(1)" in done.changed.get("shed.py", b"")) == (asked and answer == "kept")
    told = [note for note in done.addons[0].notes if "about Operator a was not kept: it helps nothing" in note]
    assert len(told) == (asked and answer != "kept")
