"""A check of an add-on runs all that it registers, where it is meant to run, and each finding is true."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from app.addons import checking
from app.addons.checked import AddonReport, on_blender
from app.addons.checking import Checking, about_blender, against_api, check_addons, ran_into, weight
from app.addons.discovery import Contents, FoundAddon, addons_in, contents_in_zip
from app.addons.draft import Workshop
from app.addons.permissions import permissions_needed
from app.addons.port import draft_of
from app.blenders.manifests import Manifests
from app.settings import Settings
from app.verdict.verdict import Severity
from harness.addons import CUT_OFF, AddonProblem, FileCoverage, Registration, Use, WrittenFile
from harness.blenders import Blender
from harness.readers.unpacking import files_in_zip
from harness.reading_back import NOT_READ
from harness.sandbox.ladder import strongest
from ingest.manifest import Manifest
from tests.addons.archives import packed, spoilt

FAULTY: Final = Path(__file__).with_name("faulty_addon.txt")
MANIFEST: Final = """schema_version = "1.0.0"
id = "shed"
version = "1.0.0"
name = "Shed"
tagline = "Builds a shed"
maintainer = "Someone"
type = "add-on"
tags = ["Object"]
blender_version_min = "4.2.0"
license = ["SPDX:GPL-3.0-or-later"]
"""
QUIET: Final = "def register():\n    pass\n\n\ndef unregister():\n    pass\n"


async def checked(blender: Blender, home: Path, files: dict[str, str]) -> AddonReport:
    contents = Contents("addon", {name: text.encode() for name, text in files.items()}, {})
    return await check_addons(contents, Checking([blender], Manifests(home).of, strongest(), lambda _: None))


RAN, MISSED = FileCoverage(3, 3, ()), FileCoverage(3, 2, ((2, 2),))


@pytest.mark.blender
@pytest.mark.parametrize(
    ("told", "severity", "said"),
    [
        ({"shed.py": RAN}, Severity.INFO, "The line ran without an error."),
        ({"shed.py": MISSED}, Severity.WARNING, "The line did not run here."),
        ({"shed.py": replace(MISSED, whole=False)}, Severity.WARNING, "It is not known if the line ran here."),
        ({}, Severity.WARNING, "It is not known if the line ran here."),
    ],
)
async def test_a_finding_says_if_its_line_ran_as_far_as_that_is_known(
    blender: Blender,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    told: dict[str, FileCoverage],
    severity: Severity,
    said: str,
) -> None:
    async def use(*_: object, **__: object) -> Registration:
        return Registration(blender.name, 3, None, (), "", 0.1, coverage=told)

    monkeypatch.setattr("app.addons.checking.use_addon", use)
    text = 'bl_info = {"name": "Shed"}; import bpy\nbpy.context.scene.frame_curent\n' + QUIET
    (addon,) = (await checked(blender, settings.home, {"shed.py": text})).addons
    (found,) = addon.findings
    assert (found.line, found.severity) == (2, severity)
    assert found.message.endswith(said)
    assert addon.blenders[0].lines.said == ("0 of 0" if not told else f"{told['shed.py'].ran} of 3")


@pytest.mark.blender
async def test_each_fault_is_found_at_its_line_and_no_near_twin_is(blender: Blender, settings: Settings) -> None:
    source = FAULTY.read_text()
    report = await checked(blender, settings.home, {"kinds.py": source})
    (addon,) = report.addons
    wrong = {number for number, line in enumerate(source.splitlines(), 1) if line.endswith("# !")}
    raised = {one.line: one for one in addon.findings if one.code == "raises"}
    picky = source.splitlines().index("        context.object.name") + 1
    assert raised.keys() - {picky} == wrong
    # The caller sets its index; and what does well in one scene and not in another is a weakness.
    indexed = source.splitlines().index("        context.object.modifiers[self.index]  # !") + 1
    weak = {line for line, one in raised.items() if one.severity is Severity.WARNING}
    assert weak - {picky} == {indexed} and not addon.passed
    (row,) = addon.blenders
    assert row.said == "registers, unregisters and registers again"
    # The one importer's format is known to nobody.
    assert (row.operators.all - row.operators.done, row.draws.done, row.others.done) == (1, 3, 4)
    assert row.not_used == ["Operator KINDS_OT_unknown_format: not for this scene"]
    assert row.settings.done == row.settings.all == 2
    assert row.left_behind == ["frame_change_post handler well", "thread waits"]
    assert row.lines.done > 0.9 * row.lines.all


@pytest.mark.blender
async def test_what_an_addon_lacks_is_named_and_a_window_is_no_part_of_it(blender: Blender, settings: Settings) -> None:
    head = 'import bpy\nbl_info = {"name": "Looks", "blender": (2, 80, 0)}\n'
    menu = 'class LOOKS_MT_m(bpy.types.Menu):\n    bl_label = "M"\n    def draw(self, context):\n        pass\n'
    only = "    if not bpy.app.background:\n        bpy.utils.{}_class(LOOKS_MT_m)\n"
    shy = head + menu + "def register():\n" + only.format("register")
    shy += "def unregister():\n" + only.format("unregister")
    files = {
        "shy.py": shy,
        "other.py": f"{head}import some_other_addon\n{QUIET}",
        "old.py": f"{head}import bgl\n{QUIET}",
        "starts.py": f"{head}import subprocess\nsubprocess.run(['true'])\n{QUIET}",
    }
    found = {addon.module: addon for addon in (await checked(blender, settings.home, files)).addons}
    assert found["shy"].passed and found["shy"].blenders[0].draws.said == "1 of 1"
    errors = {
        name: next((one for one in found[name].findings if one.code == "does-not-register"), None)
        for name in files
        for name in [name.removesuffix(".py")]
    }
    other, old, starts = errors["other"], errors["old"], errors["starts"]
    assert other and other.severity is Severity.ERROR and "another add-on" in str(other.hint)
    assert old is None or (old.severity is Severity.ERROR and old.hint is None)
    assert starts and starts.severity is Severity.WARNING and "sandbox" in str(starts.hint)
    assert not found["starts"].passed


@pytest.mark.blender
async def test_an_operator_can_be_called_by_another_after_it_was_used(blender: Blender, settings: Settings) -> None:
    calling = """
import bpy
bl_info = {"name": "Calls", "blender": (2, 80, 0)}
class CALLS_OT_inner(bpy.types.Operator):
    bl_idname = "calls.inner"
    bl_label = "Inner"
    def execute(self, context):
        context.scene["done"] = 1
        return {"FINISHED"}
class CALLS_OT_outer(bpy.types.Operator):
    bl_idname = "calls.outer"
    bl_label = "Outer"
    def execute(self, context):
        bpy.ops.calls.inner()
        context.scene["done"]
        return {"FINISHED"}
def register():
    bpy.utils.register_class(CALLS_OT_inner)
    bpy.utils.register_class(CALLS_OT_outer)
def unregister():
    bpy.utils.unregister_class(CALLS_OT_outer)
    bpy.utils.unregister_class(CALLS_OT_inner)
"""
    (addon,) = (await checked(blender, settings.home, {"calls.py": calling})).addons
    assert addon.passed and addon.findings == []
    without = calling.replace("bpy.ops.calls.inner()", "pass")
    (addon,) = (await checked(blender, settings.home, {"calls.py": without})).addons
    assert [one.code for one in addon.findings] == ["raises"]


ASKING: Final = """
import bpy, json
bl_info = {"name": "Asks", "blender": (2, 80, 0)}
def needs_name(self, context):
    {"Ready": 1}[self.named]
class ASKS_PG_settings(bpy.types.PropertyGroup):
    named: bpy.props.StringProperty(default="Ready", update=needs_name)
class ASKS_OT_inner(bpy.types.Operator):
    bl_idname = "asks.inner"
    bl_label = "Inner"
    def invoke(self, context, event):
        self.asked = True
        return self.execute(context)
    def execute(self, context):
        if not hasattr(self, "asked"):
            self.report({"ERROR"}, "nobody was asked")
        return {"FINISHED"}
class ASKS_OT_outer(bpy.types.Operator):
    bl_idname = "asks.outer"
    bl_label = "Outer"
    def execute(self, context):
        bpy.ops.asks.inner("INVOKE_DEFAULT")
        return {"FINISHED"}
class ASKS_OT_dialog(bpy.types.Operator):
    bl_idname = "asks.dialog"
    bl_label = "Dialog"
    def draw(self, context):
        if hasattr(self.layout, "template_popup_confirm"):
            self.layout.template_popup_confirm("", text="", cancel_text="Close")
    def invoke(self, context, event):
        return context.window_manager.invoke_props_dialog(self)
    def execute(self, context):
        return {"FINISHED"}
class ASKS_OT_given(bpy.types.Operator):
    bl_idname = "asks.given"
    bl_label = "Given"
    def execute(self, context):
        getattr(context, "asks.given")
class ASKS_OT_data(bpy.types.Operator):
    bl_idname = "asks.data"
    bl_label = "Data"
    text: bpy.props.StringProperty()
    @classmethod
    def poll(cls, context):
        return context.material
    def execute(self, context):
        json.loads(self.text)
        return {"FINISHED"}
class ASKS_PT_outer(bpy.types.Panel):
    bl_label = "Outer"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    @classmethod
    def poll(cls, context):
        return context.mode == "EDIT_LATTICE"
    def draw(self, context):
        pass
class ASKS_PT_inner(bpy.types.Panel):
    bl_label = "Inner"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_parent_id = "ASKS_PT_outer"
    def draw(self, context):
        self.layout.prop(context.scene.asks, "named")
        context.object.no_such_points
classes = (
    ASKS_PG_settings, ASKS_OT_inner, ASKS_OT_outer, ASKS_OT_dialog, ASKS_OT_given, ASKS_OT_data,
    ASKS_PT_outer, ASKS_PT_inner,
)
def register():
    for cls in classes:
        bpy.utils.register_class(cls)
    bpy.types.Scene.asks = bpy.props.PointerProperty(type=ASKS_PG_settings)
def unregister():
    del bpy.types.Scene.asks
    for cls in reversed(classes):
        bpy.utils.unregister_class(cls)
"""
WRITING: Final = """
import bpy, os, shutil
from bpy_extras.io_utils import ExportHelper, ImportHelper
bl_info = {"name": "Writes", "blender": (2, 80, 0)}
def exporter(kind, write):
    class Exports(bpy.types.Operator, ExportHelper):
        bl_idname = f"writes.export_{kind}"
        bl_label = "Export"
        filename_ext = f".{kind}"
        def execute(self, context):
            write(self.filepath)
            return {"FINISHED"}
    return Exports
def text(content):
    def write(path):
        with open(path, "w") as file:
            file.write(content)
    return write
def with_scene(path):
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
TRIANGLE = "v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nf 1 2 3\\n"
class WRITES_OT_IMPORT(bpy.types.Operator, ImportHelper):
    bl_idname = "writes.import_bvh"
    bl_label = "Import"
    filename_ext = ".bvh"
    def execute(self, context):
        with open(self.filepath) as file:
            assert file.read() == "of its own"
        return {"FINISHED"}
class WRITES_OT_save(bpy.types.Operator):
    bl_idname = "writes.save"
    bl_label = "Save"
    def execute(self, context):
        with_scene(os.path.join(os.path.dirname(bpy.data.filepath), "saved.blend"))
        return {"FINISHED"}
classes = [
    WRITES_OT_IMPORT, WRITES_OT_save, exporter("json", text("{}")), exporter("obj", text(TRIANGLE)),
    exporter("bvh", text("of its own")), exporter("blend", with_scene), exporter("own", text("")),
]
register, unregister = bpy.utils.register_classes_factory(classes)
"""
UNREADABLE: Final = (
    ('text("{}")', 'text("{")', ".json"),
    ("text(TRIANGLE)", 'text("")', "it is empty"),
    ('text("of its own")', 'text("another")', "IMPORT"),
    ('exporter("blend", with_scene)', 'exporter("blend", text("no scene"))', ".blend that Exports"),
    ("with_scene(os", "text('none')(os", "_save"),
)


@pytest.mark.blender
async def test_written_files_are_read_by_a_blender_without_the_addon(blender: Blender, settings: Settings) -> None:
    (addon,) = (await checked(blender, settings.home, {"writes.py": WRITING})).addons
    assert addon.passed and addon.findings == []
    # The format of the last is nobody's; the add-on reads one itself.
    assert addon.blenders[0].files.said == "4 of 4" and addon.blenders[0].not_used == []
    twin = WRITING
    for good, wrong, _ in UNREADABLE:
        twin = twin.replace(good, wrong)
    (addon,) = (await checked(blender, settings.home, {"writes.py": twin})).addons
    assert {one.severity for one in addon.findings} == {Severity.ERROR}
    told = [(one.code, one.message) for one in addon.findings]
    for _, wrong, said in UNREADABLE:
        code = "raises" if said == "IMPORT" else "not-readable"
        assert [each for each, message in told if said in message] == [code], (wrong, told)
    assert len(told) == len(UNREADABLE) and addon.blenders[0].files.said == "0 of 4"


def test_a_file_that_was_not_read_back_is_told_and_is_no_fault() -> None:
    addon = FoundAddon("writes.py", "writes", ("writes.py",))
    for problem, findings, told in ((NOT_READ, 0, [f".obj of write: {NOT_READ}"]), ("torn", 1, [])):
        written = (WrittenFile("write", ".stl", ""), WrittenFile("write", ".obj", problem))
        done = Registration("5.0.1", 3, None, (), "", 0.1, written=written)
        row = on_blender(done, [])
        assert (len(list(ran_into(done, addon))), row.files.said, row.not_used) == (findings, "1 of 2", told)


async def test_what_no_time_is_left_for_is_told(manifest: Manifest, monkeypatch: pytest.MonkeyPatch) -> None:
    contents = Contents("addon", {"old.py": b"bl_info = {}\nimport bpy\nbpy.context.scene.layers = 3\n"}, {})
    blender = Blender("module", Path("/none"), "5.0.1", "0", "3.11")
    workshop = Workshop([blender], manifest, strongest(), lambda _: None)
    draft = await draft_of(addons_in(contents)[0], contents, workshop)
    done = Registration("5.0.1", 3, None, (), "", 0.1)
    for seconds, code in ((60.0, "not-there"), (-1.0, "unread")):
        monkeypatch.setattr(checking, "READ_S", seconds)
        assert [one.code async for one in against_api(draft, done, workshop)] == [code]
    monkeypatch.setattr(checking, "ALL_S", -1.0)
    late = await check_addons(contents, Checking([blender], lambda _: manifest, strongest(), lambda _: None))
    assert not late.passed and late.addons[0].blenders[0].said.startswith("not reached")
    assert [one.code for one in late.addons[0].findings] == ["not-reached"]


TWINS: Final = (
    ('"EDIT_LATTICE"', '"OBJECT"', "no_such_points"),
    ('asks.inner("INVOKE_DEFAULT")', "asks.inner()", "nobody was asked"),
    ("context.material", "context.no_such_material", "no_such_material"),
    ('confirm("", text=""', 'confirm("no.such", text=""', "no.such"),
    ('(context, "asks.given")', '(context, "no_member")', "no_member"),
)


@pytest.mark.blender
async def test_what_a_user_cannot_reach_is_no_fault_and_each_near_twin_is(blender: Blender, settings: Settings) -> None:
    (addon,) = (await checked(blender, settings.home, {"asks.py": ASKING})).addons
    # Its caller sets the text.
    assert {(one.severity, one.message.partition(" raises")[0]) for one in addon.findings} <= {
        (Severity.WARNING, "Operator ASKS_OT_data")
    }
    twin = ASKING
    for good, wrong, _ in TWINS:
        twin = twin.replace(good, wrong)
    (addon,) = (await checked(blender, settings.home, {"asks.py": twin})).addons
    for _, wrong, said in TWINS:
        told = [one.message for one in addon.findings if one.code == "raises" and said in one.message]
        known = said != "no.such" or blender.series >= "4.1"
        assert bool(told) == known, (wrong, addon.findings)


@pytest.mark.blender
async def test_an_extension_is_held_to_its_manifest(blender: Blender, settings: Settings) -> None:
    files = {"shed/__init__.py": f"import urllib.request\n{QUIET}", "shed/blender_manifest.toml": MANIFEST}
    (good,) = (await checked(blender, settings.home, files)).addons
    assert good.passed and good.kind == "extension"
    assert [(one.code, one.severity, one.line) for one in good.findings] == [("permission", Severity.WARNING, 1)]
    asked = MANIFEST + '\n[permissions]\nnetwork = "Get the sheds"\n'
    (asking,) = (await checked(blender, settings.home, files | {"shed/blender_manifest.toml": asked})).addons
    assert asking.findings == []
    wrong = MANIFEST.replace("Builds a shed", "Builds a shed.")
    (ended,) = (await checked(blender, settings.home, files | {"shed/blender_manifest.toml": wrong})).addons
    assert not ended.passed and any("tagline" in one.message for one in ended.findings)


@pytest.mark.blender
async def test_an_add_on_that_does_not_register_has_the_reason_at_its_line(
    blender: Blender, settings: Settings
) -> None:
    files = {"shed.py": f'bl_info = {{"name": "Shed"}}\nimport gone_for_good\n{QUIET}'}
    (addon,) = (await checked(blender, settings.home, files)).addons
    (said,) = [one for one in addon.findings if one.code == "does-not-register"]
    assert (said.file, said.line, said.severity) == ("shed.py", 2, Severity.ERROR)
    assert "gone_for_good" in said.message and addon.blenders[0].operators.all == 0


@pytest.mark.parametrize(
    ("archive", "said"),
    [
        (packed(("../shed.py", "")), "leads out of its folder"),
        (packed(("/shed.py", "")), "leads out of its folder"),
        (packed(("shed\\..\\x.py", "")), "leads out of its folder"),
        (packed(("shed.py", "/etc/passwd"), mode=0o120777), "is a link"),
        (packed(("shed.py", ""), mode=0o010644), "is a link or a device"),
        (packed(("C:/shed.py", "")), "leads out of its folder"),
        (packed(("shed\u202eyp.txt", "")), "letters that nobody sees"),
        (packed(("shed/\x1b[31m.py", "")), "letters that nobody sees"),
        (packed((f"shed/{'é' * 128}.py", "")), "too long"),
        (packed(("shed/" + "a/" * 500 + "x.py", "")), "too long"),
        (packed(("shed", ""), ("shed/a/b.py", "")), "both as a file and as a folder"),
        *((spoilt(kind), "cannot be read as a zip") for kind in (zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA)),
        (b"PK no zip", "cannot be read as a zip"),
        (packed(*((f"{number}.py", "") for number in range(5001))), "more than 5000 files"),
    ],
)
def test_an_archive_that_reaches_out_is_refused(archive: bytes, said: str) -> None:
    assert said in str(files_in_zip(archive))


def test_a_plain_archive_is_read() -> None:
    odd = f"shed/{'é' * 120} ü.py"
    archive = packed(("shed/__init__.py", "x = 1\n"), ("shed/..b.py", ""), ("shed/__pycache__/a.pyc", ""), (odd, ""))
    files = contents_in_zip(archive, "shed", None).files
    assert files == {"shed/__init__.py": b"x = 1\n", "shed/..b.py": b"", odd: b""}
    beside = packed(("shed", ""), ("sheds/a.py", ""), mode=0o100644)
    assert contents_in_zip(beside, "shed", None).files == {"shed": b"", "sheds/a.py": b""}


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("import requests", "network"),
        ("from urllib import request", "network"),
        ("from urllib.parse import quote", None),
        ("from bpy_extras.io_utils import ImportHelper", "files"),
        ("open('a', 'w')", "files"),
        ("open('a')", None),
        ("context.window_manager.clipboard = 'x'", "clipboard"),
        ("clipboard = 'x'", None),
        ("def (", None),
        ("import socket", "network"),
        ("from . import socket", None),
        ("from .nodes import socket", None),
        ("from .compat import ImportHelper", None),
        ("w = bpy.context.window_manager\nw.clipboard = 'x'", "clipboard"),
        ("bpy.data.window_managers[0].clipboard = 'x'", "clipboard"),
        ("self.clipboard = []", None),
        ("open(path, mode='w')", "files"),
        ("open(path, mode='rb')", None),
        ("open('wax')", None),
        ("Path(x).open('w')", "files"),
        ("Path(x).open()", None),
        ("io.open(path, 'ab')", "files"),
        ("bpy.ops.image.open(filepath='w.png')", None),
        ("tarfile.open(path, 'w:gz')", "files"),
        ("zipfile.ZipFile(path, 'w')", "files"),
        ("zipfile.ZipFile(path)", None),
        ("zipfile.ZipFile(path).extractall(folder)", "files"),
        ("os.remove(path)", "files"),
        ("collection.remove(path)", None),
        ("import shutil as sh\nsh.copy2(a, b)", "files"),
        ("from shutil import move\nmove(a, b)", "files"),
        ("import copy\ncopy.copy(a)\nrow.move(a, b)", None),
        ("from os import unlink\nunlink(path)", "files"),
        ("Path(x).unlink(missing_ok=True)", "files"),
        ("collection.objects.unlink(ob)", None),
        ("scene.collection.children.unlink(collection=c)", None),
        ("bpy.ops.text.unlink()", None),
    ],
)
def test_the_permissions_that_files_need(text: str, needed: str | None) -> None:
    assert [one.permission for one in permissions_needed("", {"a.py": text})] == ([needed] if needed else [])
    assert permissions_needed(f'[permissions]\n{needed} = "why"', {"a.py": text}) == []
    assert permissions_needed("[", {"a.py": text}) == []


@pytest.mark.parametrize(
    ("use", "severity"),
    [
        (Use("Operator", "a", "raised", AddonProblem("AttributeError", "'Mesh' object has no attribute 'x'")), "error"),
        (Use("Operator", "a", "raised", AddonProblem("IndexError", "out of range")), "error"),
        (Use("Operator", "a", "raised", AddonProblem("IndexError", "out of range"), prepared=True), "warning"),
        (Use("Operator", "a", "raised", AddonProblem("TypeError", 'enum "" not found'), prepared=True), "warning"),
        (Use("Operator", "a", "raised", AddonProblem("JSONDecodeError", "Expecting value"), prepared=True), "warning"),
        (Use("Operator", "a", "raised", AddonProblem("JSONDecodeError", "Expecting value")), "error"),
        (Use("Operator", "a", "finished", AddonProblem("AttributeError", "no")), "warning"),
        (Use("Panel", "a", "raised", AddonProblem("KeyError", "x")), "warning"),
        (Use("Panel", "a", "raised", AddonProblem("UnknownName", "x")), "error"),
        (Use("Operator", "a", "raised", AddonProblem(CUT_OFF, "it was still running")), "warning"),
        (Use("Operator", "a", "ended Blender", AddonProblem("Crashed", "signal 11")), "warning"),
        (Use("Operator", "a", "ended Blender", AddonProblem("EndedEarly", "exit code 3")), "error"),
    ],
)
def test_an_error_weighs_less_if_its_cause_may_lie_elsewhere(use: Use, severity: str) -> None:
    assert weight(use) == severity


def test_folders_without_blender_are_not_read() -> None:
    files = {
        "a/__init__.py": b"bl_info = {}\nimport bpy",
        "a/x.py": b"",
        "a/lib/y.py": b"import re",
        "a/ui/z.py": b"bpy",
    }
    (addon,) = addons_in(Contents("r", files, {}))
    assert set(about_blender(addon, files).paths) == files.keys() - {"a/lib/y.py"}
