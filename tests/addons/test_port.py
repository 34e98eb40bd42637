"""Add-ons of an older Blender are ported: what is changed and why, what is proven, and that nothing else is touched."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.addons import discovery
from app.addons import draft as porting
from app.addons.discovery import Contents, addons_in, contents_in_zip, contents_of, source_of
from app.addons.draft import Workshop
from app.addons.port import port
from app.addons.report import PortReport
from app.cli.main import app
from app.errors import AddonsRefused
from app.healing.package import facts_of, packages
from app.repositories.testing import TestPlan
from harness.addons import Registration
from harness.blenders import Blender
from harness.readers import Readers, unpacking
from harness.sandbox.ladder import strongest
from harness.suites import Interpreter, Suite
from ingest.manifest import Manifest
from tests.addons.archives import packed
from tests.addons.registering import INFO, Registers
from tests.codebase.small import repository, run_git, write

SHED = {
    "shed/__init__.py": INFO
    + """import bpy
from . import draw, panel

def register():
    bpy.utils.register_module(__name__)
    bpy.types.INFO_MT_mesh_add.append(panel.entry)

def unregister():
    bpy.types.INFO_MT_mesh_add.remove(panel.entry)
    bpy.utils.unregister_module(__name__)
""",
    "shed/panel.py": """import bpy
from .settings import Settings

class Panel:
    pass

class NotForBlender(Panel):
    pass

class SHED_PT_panel(bpy.types.Panel):
    bl_label = "Shed"
    bl_space_type = "VIEW_3D"
    bl_region_type = "TOOLS"
    bl_category = "Shed"

    def draw(self, context):
        pass

class SHED_OT_build(bpy.types.Operator):
    bl_idname = "shed.build"
    bl_label = "Build"
    size = bpy.props.IntProperty()
    settings = bpy.props.PointerProperty(type=Settings)

    def execute(self, context):
        place(context, bpy.data.objects.new("Shed", None))
        return {"FINISHED"}

def place(context, shed):
    context.scene.objects.link(shed)

def entry(self, context):
    self.layout.operator("shed.build")
""",
    "shed/settings.py": """import bpy

class Settings(bpy.types.PropertyGroup):
    roof = bpy.props.IntProperty()

bpy.utils.register_class(Settings)
""",
    "shed/draw.py": """import bgl

def draw():
    bgl.glLineWidth(2)
""",
    "README.md": "# Shed\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "shed-master", SHED)


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["repo", *arguments])


@pytest.fixture
def cli(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands with a data folder of the test's own."""
    monkeypatch.setenv("BLENDPROOF_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("BLENDPROOF_HOME", str(home))


@pytest.mark.blender
@pytest.mark.usefixtures("cli", "made_once")
def test_an_add_on_of_several_files_is_ported_on_a_branch(root: Path, blender: Blender) -> None:
    before = run_git(root, "rev-parse", "HEAD").strip()
    write(root, {"shed/panel.py": "the caller is at work\n"})
    index = (root / ".git/index").read_bytes()
    assert call("add", str(root)).exit_code == 0
    done = call("port", "shed-master", "--to", blender.series, "--branch", "--json")
    assert done.exit_code == 0, done.output
    body = json.loads(done.stdout)
    (addon,) = body["addons"]
    (row,) = addon["registrations"]
    assert row["before"]["done"] == 0 and row["after"]["done"] == 3
    assert row["before"]["problem"]["message"] == "No module named 'bgl'"
    rules = {reason["rule"] for file in addon["files"] for hunk in file["hunks"] for reason in hunk["reasons"]}
    assert {"register-module", "renamed-classes", "class-annotations", "panel-region", "scene-link"} <= rules
    assert body["branch"] == f"blendproof/port-{blender.version}" and body["passed"]
    names = run_git(root, "diff", "--name-only", before, body["branch"]).split()
    assert names == ["shed/__init__.py", "shed/draw.py", "shed/panel.py", "shed/settings.py"]
    changed = run_git(root, "show", f"{body['branch']}:shed/__init__.py")
    assert "from .settings import (\n        Settings,\n    )" in changed and "NotForBlender" not in changed
    message = run_git(root, "log", "-1", "--format=%B", body["branch"])
    assert "shed/draw.py:1: `bgl` is gone since 5.0, and nothing here uses it [unused-bgl]" in message
    assert run_git(root, "rev-parse", "HEAD").strip() == before and (root / ".git/index").read_bytes() == index
    assert (root / "shed/panel.py").read_text() == "the caller is at work\n"


@pytest.mark.usefixtures("cli", "blender")
def test_what_cannot_be_ported_is_refused(tmp_path: Path, root: Path) -> None:
    plain = write(tmp_path / "plain", {"shed.py": INFO, "empty/none.py": ""})
    for place in (root, plain):
        assert call("add", str(place)).exit_code == 0
    for arguments, said, code in (
        (("plain", "--to", "5.0", "--branch"), "needs a Git repository with a commit", 2),
        (("shed-master", "--to", "1.0"), "There is no Blender 1.0 here", 2),
        (("nothing", "--to", "5.0"), "There is no repository nothing", 2),
    ):
        done = call("port", *arguments)
        assert (done.exit_code, said in " ".join(done.stderr.split())) == (code, True), done.stderr
    with pytest.raises(AddonsRefused, match="no add-on in plain at empty"):
        addons_in(contents_of(plain, "plain"), "empty")


# --- without a Blender --------------------------------------------------------------------------------------


async def ported(
    files: Mapping[str, str | bytes], registers: Registers, manifest: Manifest, tmp_path: Path
) -> PortReport:
    root = write(tmp_path / "root", files)
    blender = Blender("module", Path("/none"), "5.0.1", "0", "3.11")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(porting, "use_addon", registers)
        return await port(contents_of(root, "root"), Workshop([blender], manifest, strongest(), lambda _: None))


async def test_an_add_on_that_is_right_is_left_as_it_is(manifest: Manifest, tmp_path: Path) -> None:
    files = {"shed.py": INFO + "import bpy\n\ndef register():\n    bpy.context.view_layer.update()\n"}
    done = await ported(files, Registers(), manifest, tmp_path)
    assert (done.patch, done.changed, done.passed) == ("", {}, True)
    assert done.addons[0].files == []


async def test_a_guess_is_made_only_at_the_line_that_raised(manifest: Manifest, tmp_path: Path) -> None:
    text = "import bpy\n\ndef register():\n    bpy.context.scene.frame_curent\n"
    text += "\ndef never():\n    bpy.context.scene.frame_strt\n"
    registers = Registers("frame_curent")
    done = await ported({"shed.py": INFO + text}, registers, manifest, tmp_path)
    assert done.passed and b"scene.frame_current\n" in done.changed["shed.py"]
    assert b"scene.frame_strt\n" in done.changed["shed.py"]
    (file,) = done.addons[0].files
    assert [(one.rule, one.guess) for one in file.hunks[0].reasons] == [("nearest-attribute", True)]
    assert [(one.line, "frame_strt" in one.message) for one in file.remaining] == [(8, True)]


async def test_a_guess_that_does_not_help_is_taken_back(manifest: Manifest, tmp_path: Path) -> None:
    text = "import bpy\n\ndef register():\n    bpy.context.scene.frame_curent\n"
    done = await ported({"shed.py": INFO + text}, Registers("frame_cur"), manifest, tmp_path)
    assert not done.passed and done.patch == ""
    assert [one.rule for one in done.addons[0].files[0].taken_back] == ["nearest-attribute"]


async def test_repairs_by_which_an_add_on_no_longer_registers_are_taken_back(
    manifest: Manifest, tmp_path: Path
) -> None:
    files = {
        "shed/__init__.py": INFO + "import bpy\nfrom . import a, b\n",
        "shed/a.py": "import bpy\n\ndef f():\n    bpy.context.scene.update()\n",
        "shed/b.py": "import bpy\n\ndef f():\n    bpy.context.user_preferences.edit\n",
    }
    done = await ported(files, Registers("view_layer.update"), manifest, tmp_path)
    assert done.passed and list(done.changed) == ["shed/b.py"]
    taken = {file.path: [one.rule for one in file.taken_back] for file in done.addons[0].files}
    assert taken == {"shed/a.py": ["scene-update"], "shed/b.py": []}


async def test_a_file_for_other_blenders_is_left_alone(manifest: Manifest, tmp_path: Path) -> None:
    old = "import bgl\n\ndef draw():\n    bgl.glLineWidth(2)\n"
    init = "import bpy\nif bpy.app.version >= (3, 4):\n    from . import new\nelse:\n    from . import old\n"
    files = {"shed/__init__.py": INFO + init, "shed/old.py": old, "shed/new.py": "", "shed/tool.py": old}

    class OnlyNew(Registers):
        async def __call__(self, *given: object) -> Registration:
            done = await super().__call__(*given)  # type: ignore[arg-type]
            return Registration(done.blender, 3, None, (), "", 0.1, ("shed/__init__.py", "shed/new.py"))

    done = await ported(files, OnlyNew(), manifest, tmp_path)
    assert list(done.changed) == ["shed/tool.py"]
    left = {file.path: file.remaining[0].message for file in done.addons[0].files if file.remaining}
    assert left == {"shed/old.py": "It is imported only for other Blenders, and is left as it is."}


async def test_names_that_another_file_registers_are_not_old(manifest: Manifest, tmp_path: Path) -> None:
    files = {
        "shed/__init__.py": INFO + "import bpy\nfrom . import a\nbpy.types.Object.select = bpy.props.BoolProperty()\n",
        "shed/a.py": "import bpy\nob = bpy.context.object\nob.select = True\nob.hide = True\n",
    }
    done = await ported(files, Registers(), manifest, tmp_path)
    changed = done.changed["shed/a.py"].decode()
    assert "ob.select = True" in changed and "ob.hide_set(True)" in changed


async def test_line_ends_marks_and_encodings_stay(manifest: Manifest, tmp_path: Path) -> None:
    line = "bpy.context.scene.update()"
    files: dict[str, str | bytes] = {
        "shed/__init__.py": INFO.encode() + b"import bpy\r\n# \xc3\xa9\r\n" + line.encode() + b"\r\n\r\nx = 1",
        "shed/latin.py": b"# -*- coding: latin-1 -*-\n# \xe9\nimport bpy\n" + line.encode() + b"\n",
        "shed/bom.py": b"\xef\xbb\xbfimport bpy\n" + line.encode() + b"\n",
        "shed/comment.py": b"# \xe9\nimport bpy\n" + line.encode() + b"\n",
        "shed/broken.py": b"e = '\xe9'\nimport bpy\n" + line.encode() + b"\n",
    }
    done = await ported(files, Registers(), manifest, tmp_path)
    new = b"bpy.context.view_layer.update()"
    for path in ("shed/__init__.py", "shed/latin.py", "shed/bom.py", "shed/comment.py"):
        content = files[path]
        assert isinstance(content, bytes) and done.changed[path] == content.replace(line.encode(), new)
    (broken,) = [file for file in done.addons[0].files if file.path == "shed/broken.py"]
    assert "encoding cannot be read" in broken.remaining[0].message and broken.path not in done.changed


def test_add_ons_are_found_by_what_marks_them() -> None:
    manifest = b'schema_version = "1.0.0"\nid = "roof_tools"\n'
    files = {
        "__init__.py": b"",
        "tool.py": INFO.encode(),
        "not_one.py": b"info = 1\n# bl_info = {}\n",
        "shed/__init__.py": INFO.encode(),
        "shed/inner.py": INFO.encode(),
        "extensions/roof-master/__init__.py": b"",
        "extensions/roof-master/blender_manifest.toml": manifest,
        "tests/test_tool.py": INFO.encode(),
    }
    found = addons_in(Contents("root", files, {}))
    assert [(one.place, one.module) for one in found] == [
        ("extensions/roof-master", "roof_tools"),
        ("shed", "shed"),
        ("tool.py", "tool"),
    ]
    assert found[0].build(files).is_extension and not found[1].build(files).is_extension
    assert set(found[1].build(files).files) == {"shed/__init__.py", "shed/inner.py"}
    for line, name in ((b"from roof.a import x", "roof"), (b"from os.a import x", "x"), (b"from roof.c import x", "x")):
        own = {"__init__.py": INFO.encode(), "a/b.py": line}
        assert [one.module for one in addons_in(Contents("x", own, {}))] == [name]
    whole = addons_in(Contents("my-shed-master", {"__init__.py": INFO.encode(), "a/b.py": b""}, {}))
    assert [(one.place, one.module, one.path_of("my_shed/a/b.py")) for one in whole] == [("", "my_shed", "a/b.py")]


async def test_modules_beside_add_ons_are_found_by_them_and_healed_once(manifest: Manifest, tmp_path: Path) -> None:
    line = "import bpy\nbpy.context.scene.update()\n"
    files = {
        "scripts/addons/roof.py": INFO + "import tools.a\n",
        "scripts/addons/shed/__init__.py": INFO + "import tools.a\n",
        "scripts/modules/tools/a.py": line,
        "modules/other.py": line,
    }
    contents = Contents("root", {path: text.encode() for path, text in files.items()}, {})
    built = [set(addon.build(contents.files).files) for addon in addons_in(contents)]
    assert built == [{"tools/a.py", "roof.py"}, {"tools/a.py", "shed/__init__.py"}]
    done = await ported(files, Registers("scene.update"), manifest, tmp_path)
    assert done.passed and list(done.changed) == ["scripts/modules/tools/a.py"]
    assert [[file.path for file in addon.files] for addon in done.addons] == [["scripts/modules/tools/a.py"], []]


def test_a_zip_is_read_and_one_that_leads_out_is_refused(readers: Readers) -> None:
    good = packed(("shed/__init__.py", INFO))
    assert [one.module for one in addons_in(contents_in_zip(good, "shed", readers))] == ["shed"]
    for archive, said in ((packed(("../shed.py", INFO)), "leads out of its folder"), (b"no zip", "cannot be read")):
        with pytest.raises(AddonsRefused, match=f"The archive of shed: it .*{said}"):
            contents_in_zip(archive, "shed", readers)


def test_an_archive_is_unpacked_in_parts(monkeypatch: pytest.MonkeyPatch, readers: Readers) -> None:
    zeros = io.BytesIO()
    with zipfile.ZipFile(zeros, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("shed/zeros", bytes(40 << 20))
        made.writestr("shed/last", "x")
    found = contents_in_zip(zeros.getvalue(), "shed", readers).files
    assert {path: len(data) for path, data in found.items()} == {"shed/zeros": 40 << 20, "shed/last": 1}
    files = {"none": "", "a": "123456", "b": "7", "empty": "", "c": "8" * 20, "__pycache__/d": "9" * 9, "e": "0" * 6}
    archive = packed(*files.items(), ("last", ""))
    for size in range(1, 50):
        for module in (discovery, unpacking):
            monkeypatch.setattr(module, "PART_BYTES", size)
        found = contents_in_zip(archive, "shed", None).files
        assert {path: data.decode() for path, data in found.items()} == {
            path: text for path, text in [*files.items(), ("last", "")] if "__pycache__" not in path
        }


def test_the_modules_of_an_add_on_come_in_the_order_of_their_imports() -> None:
    files = {
        "__init__.py": "from . import ui\nfrom shed.late import *\nimport os, outer\n"
        "try:\n    reload(again)\nexcept:\n    from . import again\n",
        "ui/__init__.py": "from ..base import A\nfrom .panels import B\nclass U(B): pass\n",
        "ui/panels.py": "from .. import ui\nclass B: pass\n",
        "base.py": "class A: pass\n",
        "late.py": "try:\n    from . import maybe\nexcept ImportError:\n    pass\nclass L: pass\n",
        "maybe.py": "try:\n    reload(again)\nexcept NameError:\n    from . import again\nclass M: pass\n",
        "again.py": "class N: pass\n",
        "unused.py": "class X: pass\n",
    }
    facts = {path: found for path, text in files.items() if (found := facts_of(text))}
    seen = packages(facts, "shed")
    assert list(seen["__init__.py"].classes) == ["base", "ui.panels", "ui", "late", "again", ""]
    assert {path for path, one in seen.items() if one.sometimes} == {"maybe.py"}
    assert facts_of("def f(:\n") is None


def test_a_source_in_no_encoding_is_not_read() -> None:
    assert isinstance(source_of(b"x = 1\n"), object) and not isinstance(source_of(b"x = 1\n"), str)
    found = source_of(b"# caf\xe9\nx = '\xc3\xa9'\n")
    assert not isinstance(found, str) and found.encode(found.text + "y = 1\n") == b"# caf\xe9\nx = '\xc3\xa9'\ny = 1\n"
    assert isinstance(source_of(b"\xff"), str) and isinstance(source_of(b"# coding: nothing\n"), str)


async def test_the_repository_s_own_tests_are_run_before_and_after(manifest: Manifest, tmp_path: Path) -> None:
    source = INFO + "import bpy\n\ndef f():\n    bpy.context.scene.update()\n"
    check = 'self.assertIn("scene.update", open("shed.py").read())'
    test = f"import unittest\nclass T(unittest.TestCase):\n    def test_it(self): {check}\n"
    root = write(tmp_path / "root", {"shed.py": source, "test_shed.py": test})
    plan = TestPlan(Suite("unittest", ("python", "-m", "unittest")), Interpreter(Path(sys.executable)), "unittest")
    blender = Blender("module", Path("/none"), "5.0.1", "0", "3.11")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(porting, "use_addon", Registers())
        workshop = Workshop([blender], manifest, strongest(), lambda _: None, tests=plan)
        done = await port(contents_of(root, "root"), workshop)
    assert done.tests.compared is not None and done.tests.compared.broken == ["test_shed.T.test_it"]
    assert done.addons[0].passed and not done.passed


def test_more_than_fits_is_refused_before_it_is_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "shed/panel.py" in contents_of(root, "shed").files
    monkeypatch.setattr("app.addons.discovery.files_of", None)
    with pytest.raises(AddonsRefused, match="The files of shed take more than 0 MB"):
        contents_of(root, "shed", 100)
