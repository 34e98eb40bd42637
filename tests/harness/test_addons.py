"""A whole add-on is registered, unregistered and registered again; what it does wrong is told with its place."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from harness.addons import (
    ENDED,
    NOT_TRIED,
    Addon,
    AddonFrame,
    AddonProblem,
    FileCoverage,
    Registration,
    Use,
    launch_addon,
    registration_of,
    use_addon,
    use_on,
)
from harness.blenders import Blender
from harness.inside.untrusted import coverage
from harness.launcher import MESSAGE_LIMIT_BYTES, Events, ProcessEnd
from harness.reading_back import problems_of
from harness.sandbox.ladder import strongest
from tests.harness.in_wheel import run_in_wheel

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
    return await launch_addon(blender, addon, strongest(), tmp_path / "place", None)


@pytest.mark.blender
async def test_an_extension_of_several_files_registers(blender: Blender, tmp_path: Path) -> None:
    done = await registered(blender, shed(blender_manifest__toml=MANIFEST), tmp_path)
    assert done.passed, done
    assert done.said == "registers, unregisters and registers again"
    assert done.left_behind == ("property Scene.shed",)
    assert done.loaded == ("shed/__init__.py", "shed/operators.py")


@pytest.mark.blender
@pytest.mark.parametrize(("name", "passes"), [("Shed", True), ("Barn", False)])
async def test_an_add_on_finds_itself_among_those_installed(
    blender: Blender, tmp_path: Path, name: str, passes: bool
) -> None:
    lookup = f"""
bl_info = {{"name": "Shed", "version": (1, 2), "blender": (2, 80, 0)}}
import addon_utils
version = [m.bl_info["version"] for m in addon_utils.modules() if m.bl_info["name"] == {name!r}][0]

def register():
    assert version == (1, 2)

def unregister():
    pass
"""
    assert (await registered(blender, shed(init=lookup), tmp_path)).passed is passes


@pytest.mark.blender
async def test_a_class_that_stays_registered_is_told_with_its_line(blender: Blender, tmp_path: Path) -> None:
    done = await registered(blender, shed("pass"), tmp_path)
    assert (done.done, done.passed) == (2, False)
    assert done.problem is not None and done.problem.frames[-1].file == "shed/operators.py"
    assert done.problem.frames[-1].line == 9 and "already registered" in done.problem.message
    assert "Operator SHED_OT_build" in done.left_behind


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


USED = """
bl_info = {"name": "Used", "blender": (2, 80, 0)}
import os
import bpy

def operator(name, execute, **more):
    fields = {"bl_idname": f"used.{name}", "bl_label": name, **({"execute": execute} if execute else {}), **more}
    return type(f"USED_OT_{name}", (bpy.types.Operator,), fields)

def panel(name, draw):
    fields = {"bl_label": name, "bl_space_type": "VIEW_3D", "bl_region_type": "UI", "draw": draw}
    return type(f"USED_PT_{name}", (bpy.types.Panel,), fields)

def adds(self, context):
    bpy.ops.mesh.primitive_cube_add()
    return {"FINISHED"}

def counts(self, context):
    return {"FINISHED"} if len(context.scene.objects) == 3 else {"CANCELLED"}

def is_old(self, context):
    context.object.select = True
    return {"FINISHED"}

def looks(self, context):
    context.space_data.region_3d
    return {"FINISHED"}

def reports(self, context):
    self.report({"ERROR"}, "No file")
    return {"CANCELLED"}

def ends(self, context):
    os._exit(3)

def button(name):
    return lambda self, context: self.layout.operator(name) and None

def entry(self, context):
    self.layout.label(text="x", icon="NOT_AN_ICON")

in_edit_mode = classmethod(lambda cls, context: context.mode == "EDIT_MESH")
never = classmethod(lambda cls, context: False)
classes = [
    operator("adds", adds), operator("counts", counts), operator("is_old", is_old), operator("looks", looks),
    operator("reports", reports), operator("edits", counts, poll=in_edit_mode), operator("refuses", is_old, poll=never),
    operator("invoked", None), operator("ends", ends),
    panel("good", button("used.adds")), panel("bad", button("used.gone")),
]

def register():
    for cls in classes:
        bpy.utils.register_class(cls)
    bpy.types.VIEW3D_MT_add.append(entry)

def unregister():
    bpy.types.VIEW3D_MT_add.remove(entry)
    for cls in classes:
        bpy.utils.unregister_class(cls)
"""


@pytest.mark.blender
async def test_what_is_registered_is_used_and_what_raises_is_told_with_its_line(
    blender: Blender, tmp_path: Path
) -> None:
    used = Addon("used", {"used.py": USED.encode()})
    assert (await registered(blender, used, tmp_path)).uses == ()
    done = await use_addon(blender, used, strongest(), tmp_path / "use")
    assert done.passed, done
    how = {one.name.removeprefix("USED_OT_"): one.how for one in done.uses if one.kind == "Operator"}
    assert how == {
        "adds": "finished",
        # Each finds the start scene, not what the one before it left.
        "counts": "finished",
        "edits": "finished",
        # The others are tried all the same.
        "ends": "ended Blender",
        "invoked": "only in a window",
        "is_old": "raised",
        # An area of the screen that nobody sees shows an editor.
        "looks": "finished",
        "refuses": "not for this scene",
        "reports": "reported: Error: No file",
    }
    said = {one.what: one.problem.said for one in done.raising if one.problem}
    line = {text.strip(): number for number, text in enumerate(USED.split("\n"), 1)}
    assert said.pop("Operator USED_OT_ends") == "EndedEarly: the process ended with exit code 3"
    assert said.keys() == {"Operator USED_OT_is_old", "Panel USED_PT_bad", "entry of VIEW3D_MT_add entry"}
    where = f"used.py:{line['context.object.select = True']}: AttributeError"
    assert said["Operator USED_OT_is_old"].startswith(where)
    assert 'there is no operator "used.gone"' in said["Panel USED_PT_bad"]
    assert "NOT_AN_ICON" in said["entry of VIEW3D_MT_add entry"]
    assert "1 drawn" in done.used and "4 finished" in done.used and "Traceback" not in done.output


def end_with(events: Events, signal: int | None = None) -> ProcessEnd:
    nothing = {"text": "", "bytes": 0, "cut_bytes": 0}
    return ProcessEnd(0, signal, 1.0, 1.0, 1, None, 0, events, nothing, nothing, "")


@pytest.mark.parametrize(
    ("stopped_by", "signal", "second"),
    [("time", 9, {}), (None, 11, {"1.obj": "Blender was ended by the signal SIGSEGV"})],
)
def test_a_file_that_the_time_ended_at_has_no_problem(
    stopped_by: str | None, signal: int, second: dict[str, str]
) -> None:
    told = [("opening", 0), ("opened", 0), ("opening", 1)]
    events: Events = [(0.1, {"event": event, "number": number, "problem": "torn"}) for event, number in told]
    end = dataclasses.replace(end_with(events, signal), stopped_by=stopped_by)
    assert problems_of(["0.obj", "1.obj", "2.obj"], end) == {"0.obj": "torn", **second}


BLENDER = Blender("module", Path("/none"), "5.0.1", "0", "3.11")
STEPS: list[dict[str, Any]] = [
    {"event": "addon_step", "step": step} for step in ("register", "unregister", "register again")
]


@pytest.mark.parametrize(
    ("signal", "third"), [(11, ("ended Blender", "Crashed: Blender crashed with signal 11")), (None, ("not tried", ""))]
)
def test_what_blender_does_not_survive_is_told_and_is_no_step(signal: int | None, third: tuple[str, str]) -> None:
    using: dict[str, Any] = {"event": "using", "names": [["Operator", name, ""] for name in "abcd"]}
    told = [*STEPS, {"event": "finished"}, using]
    for number, how in enumerate(("finished", "cancelled")):
        facts = {"problem": None, "situation": "object mode", "prepared": False}
        told += [{"event": "trying", "number": number}, {"event": "used", "number": number, "how": how, **facts}]
    told += [{"event": "trying", "number": 2}]
    done = registration_of(BLENDER, end_with([(0.1, event) for event in told], signal))
    how, said = third
    assert done.passed and [one.how for one in done.uses] == ["finished", "cancelled", how, "not tried"]
    assert [one.problem.said for one in done.raising if one.problem] == ([said] if said else [])
    using["names"] = 3
    assert registration_of(BLENDER, end_with([(0.1, event) for event in told])).uses == ()


def test_only_what_did_well_before_can_be_worse() -> None:
    def done(how: str, kind: str | None = None) -> Registration:
        use = Use("Operator", "a", how, AddonProblem(kind, "no") if kind else None)
        return Registration("5.0.1", 3, None, (), "", 0.1, (), (use,))

    assert done("raised", "TypeError").is_worse_than(done("finished"))
    for before in (done("raised", "TypeError"), done("not for this scene"), done("not tried")):
        assert not done("raised", "TypeError").is_worse_than(before)
    assert not done("raised", "TooLong").is_worse_than(done("finished")), "the machine may have been busy"


@pytest.mark.parametrize(("most", "cut", "last"), [(2, False, False), (1, True, None)])
def test_a_line_behind_the_last_stretch_that_was_told_is_not_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, cut: bool, last: bool | None
) -> None:
    monkeypatch.setattr(coverage, "MOST_RANGES", most)
    file = tmp_path / "a.py"
    file.write_text("a = 1\nif a > 1:\n    a = 2\na = 3\nif a > 3:\n    a = 4\n")
    lines, before = coverage.Coverage(str(tmp_path)), sys.gettrace()
    lines.begin()
    exec(compile(file.read_text(), str(file), "exec"), {})
    lines.pause()
    sys.settrace(before)
    facts = lines.facts()["a.py"]
    assert facts == {"lines": 6, "ran": 4, "missed": [[3, 3], [6, 6]][:most], "cut": cut}
    registered: dict[str, Any] = {"event": "addon_step", "step": "register", "problem": None}
    covered: dict[str, Any] = {"event": "covered", "files": {"a.py": facts}}
    done = registration_of(BLENDER, end_with([(0.1, registered), (0.1, covered)]))
    assert [done.coverage["a.py"].reaches(line) for line in (1, 3, 6)] == [True, False, last]


def test_the_lines_of_many_files_are_told_in_messages_that_are_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coverage, "MOST_IN_ALL", 11)
    for number in range(12):
        (tmp_path / f"{number:02}.py").write_text("a = 1\n")
    facts = coverage.Coverage(str(tmp_path)).facts()
    # Each has one stretch that did not run. The last is not told of, so that nothing is said of it.
    assert list(facts) == [f"{number:02}.py" for number in range(11)]
    events: Events = [(0.1, {"event": "covered", "files": files}) for files in coverage.in_messages(facts)]
    assert len(events) == 2
    done = registration_of(BLENDER, end_with(events))
    assert list(done.coverage) == list(facts)
    ranges = [[100_000 + line, 100_001 + line] for line in range(coverage.MOST_RANGES)]
    longest = {"\u1234" * 1300 + f"{number}.py": {**facts["00.py"], "missed": ranges} for number in range(9)}
    messages = [json.dumps({"event": "covered", "files": files}) for files in coverage.in_messages(longest)]
    assert max(map(len, messages)) < MESSAGE_LIMIT_BYTES


@pytest.mark.parametrize(("crashes", "said"), [(0, [True, False]), (1, [True, None]), (9, [])])
async def test_lines_that_ran_before_blender_ended_are_not_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, crashes: int, said: list[bool | None]
) -> None:
    """A process that ends early tells no lines."""
    waiting = [crashes]

    async def launch(*_: object) -> Registration:
        waiting[0] -= 1
        ended = waiting[0] >= 0
        uses = (
            (Use("Operator", "a", ENDED), Use("Operator", "b", NOT_TRIED))
            if ended
            else (Use("Operator", "b", "finished"),)
        )
        told = {} if ended else {"a.py": FileCoverage(2, 1, ((2, 2),))}
        return Registration("5.0.1", 3, None, (), "", 0.1, (), uses, told)

    monkeypatch.setattr("harness.addons.launch_addon", launch)
    done = await use_on(BLENDER, Addon("a", {}), strongest(), tmp_path, True, None)
    assert [facts.reaches(line) for facts in done.coverage.values() for line in (1, 2)] == said


def test_claims_of_another_form_are_no_pass() -> None:
    steps = [{"event": "addon_step", "step": name, "problem": None} for name in ("register", "unregister")]
    last = {"event": "addon_step", "step": "register again", "problem": None}
    finished = {"event": "finished"}

    def done(*events: Mapping[str, object]) -> Registration:
        return registration_of(BLENDER, end_with([(0.1, dict(event)) for event in events]))

    assert done(*steps, last, finished).passed
    for wrong in ([*steps, last], [*steps, finished], [last, last, last, finished], [finished]):
        assert not done(*wrong).passed
    broken = done({**steps[0], "problem": {"type": 3}}, finished)
    assert broken.problem == AddonProblem("Unreadable", "the process did not tell what went wrong")
    frame = {"file": "a.py", "line": 3, "function": "f", "text": ""}
    told = {"type": "NameError", "message": "name 'x'\n is not defined", "module": None, "frames": [frame]}
    failed = done({**steps[0], "problem": told}, finished)
    assert failed.problem is not None and failed.problem.frames == (AddonFrame("a.py", 3, "f", ""),)
    assert failed.said == "does not register: a.py:3: NameError: name 'x' is not defined"


FITTING: Final = """
import platform, sys
sys.path.insert(0, sys.argv[1])
from harness.inside.untrusted.manifests import fits
own, machine = f"cp{sys.version_info.major}{sys.version_info.minor}", platform.machine()
assert fits(f"slvs-3.2-{own}-{own}-manylinux_2_17_{machine}.manylinux2014_{machine}.whl")
assert fits("six-1.0-py2.py3-none-any.whl")
for other in (f"musllinux_1_2_{machine}", "manylinux_2_17_other", "win_amd64"):
    assert not fits(f"slvs-3.2-{own}-{own}-{other}.whl"), other
assert not fits(f"slvs-3.2-cp39-cp39-manylinux_2_17_{machine}.whl")
"""


@pytest.mark.blender
def test_the_wheels_of_an_extension_fit_this_python_and_machine(blender: Blender, tmp_path: Path) -> None:
    run_in_wheel(blender, FITTING, tmp_path)
