"""The static checks: each rejects one snippet and accepts its near twin, and nothing leaks in from outside."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from app.checks import tool
from app.checks.failures import CheckerFailed, CheckerStumbled
from app.checks.ruff import check_ruff
from app.checks.tool import Output, Workplace, or_warning, workplace
from app.checks.types import check as type_checks
from app.checks.types.check import check_mypy, check_pyright, strict_types_hold
from app.checks.types.warm.keep import WarmCheckers
from app.verdict.rules import Rules, RulesError, load_rules
from app.verdict.verdict import MOST_FINDINGS, Author, Finding, Severity, shortlist

pytestmark = pytest.mark.slow

Check = Callable[[str, Author], Awaitable[list[Finding]]]


@pytest.fixture(scope="session")
def rules() -> Rules:
    return load_rules()


on_warm_checkers = pytest.mark.asyncio(loop_scope="module")
"""A warm checker says the same as a cold one (test_warm_checkers.py), which takes pyright three seconds of a core."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def warm() -> AsyncGenerator[WarmCheckers]:
    """The checkers that most tests ask."""
    checkers = WarmCheckers(2)
    yield checkers
    await checkers.close()


@pytest.fixture(scope="module")
def mypy(rules: Rules, stubs: Path, mypy_cache: Path, warm: WarmCheckers) -> Check:
    return lambda snippet, author: check_mypy(snippet, author, rules, stubs, mypy_cache, warm=warm)


@pytest.fixture(scope="module")
def pyright(rules: Rules, stubs: Path, warm: WarmCheckers) -> Check:
    return lambda snippet, author: check_pyright(snippet, author, rules, stubs, warm=warm)


@pytest.fixture(scope="module")
def cold_mypy(rules: Rules, stubs: Path, mypy_cache: Path) -> Check:
    return lambda snippet, author: check_mypy(snippet, author, rules, stubs, mypy_cache)


@pytest.fixture(scope="module")
def cold_pyright(rules: Rules, stubs: Path) -> Check:
    return lambda snippet, author: check_pyright(snippet, author, rules, stubs)


def _codes(findings: list[Finding]) -> set[str]:
    return {finding.code for finding in findings}


# --- ruff ---------------------------------------------------------------------------------------------------


async def test_ruff_blocks_an_undefined_name(rules: Rules) -> None:
    use = "print(Vector((0, 0, 1)))\n"
    [finding] = await check_ruff(f"import bpy\n\n{use}", "caller", rules)
    assert (finding.code, finding.severity) == ("F821", Severity.ERROR)
    assert (finding.line, finding.column) == (3, 7)
    assert await check_ruff(f"from mathutils import Vector\n\n{use}", "caller", rules) == []


UNEVALUATED = [
    # An undefined name that nothing evaluates, and its twin, in which it is.
    ('def aim(at: "Turret") -> "Beam": ...', "def aim(at: Turret) -> int: ..."),
    ('from typing import Union\n\ndef aim(at: Union["Turret", None]): ...', "def aim(at: Turret | None): ..."),
    ("from __future__ import annotations\n\ndef aim(at: Turret): ...", "def aim(at=Turret): ..."),
    ('class Notes:\n    at: "Turret"', 'import bpy\n\nclass Notes(bpy.types.PropertyGroup):\n    at: "Turret"'),
    ('"Turret {}".format(1)', 'f"Turret {Turret}"'),
]


@pytest.mark.parametrize(("right", "wrong"), UNEVALUATED)
async def test_ruff_leaves_names_alone_that_nothing_evaluates(rules: Rules, right: str, wrong: str) -> None:
    assert await check_ruff(f"{right}\n", "caller", rules) == []
    assert _codes(await check_ruff(f"{wrong}\n", "caller", rules)) == {"F821"}


async def test_ruff_minds_unused_imports_in_ours_alone(rules: Rules) -> None:
    snippet = "import math\n\nimport bpy\n\nprint(bpy.data)\n"
    assert _codes(await check_ruff(snippet, "commands", rules)) == {"F401"}
    assert await check_ruff(snippet, "model", rules) == []


async def test_ruff_heeds_no_noqa(rules: Rules) -> None:
    snippet = "# ruff: noqa\nprint(missing)  # noqa: F821\n"
    assert _codes(await check_ruff(snippet, "caller", rules)) == {"F821"}


async def test_a_line_with_thousands_of_faults_gets_some_findings(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = await check_ruff("print(" + "a," * MOST_FINDINGS + ")\n", "caller", rules)
    assert (len(few), _codes(few)) == (MOST_FINDINGS, {"F821"})
    many = await check_ruff("print(" + "a," * 3000 + ")\n", "caller", rules)
    assert [one.code for one in many] == ["F821"] * MOST_FINDINGS + ["left-out"]
    monkeypatch.setattr(tool, "MOST_BYTES", 40_000)
    cut = await check_ruff("print(" + "a," * 9000 + ")\n", "caller", rules)
    assert _codes(cut) == {"F821", "not-all-read"} and len(cut) > 10
    assert (cut[-1].code, cut[-1].severity) == ("not-all-read", Severity.WARNING)
    own = await check_ruff("print(" + "a," * 9000 + ")\n", "commands", rules)
    assert (own[-1].code, own[-1].severity) == ("not-all-read", Severity.ERROR)
    (said,) = tool.not_all_read("mypy", Output(-9, "", "", whole=False), "caller", rules)
    assert said.severity is Severity.WARNING
    assert tool.not_all_read("mypy", Output(1, "", ""), "caller", rules) == []


def test_of_too_many_findings_the_errors_are_kept() -> None:
    info = Finding(check="x", code="info", severity=Severity.INFO, message="")
    error = info.model_copy(update={"code": "error", "severity": Severity.ERROR})
    found = shortlist([info] * MOST_FINDINGS + [error])
    assert [one.code for one in found] == ["info"] * (MOST_FINDINGS - 1) + ["error", "left-out"]
    assert shortlist([info, error]) == [info, error]


async def test_ruff_reads_the_python_of_the_target(rules: Rules) -> None:
    snippet = "type Name = str\n"
    assert _codes(await check_ruff(snippet, "caller", rules)) == {"invalid-syntax"}
    assert await check_ruff(snippet, "caller", rules, python_version="3.13") == []


async def test_ruff_asks_nothing_of_ours_that_an_older_blender_cannot_read(rules: Rules) -> None:
    snippet = "from typing import TypeVar\n\nT = TypeVar('T')\n\n\ndef same(value: T) -> T:\n    return value\n"
    assert await check_ruff(snippet, "commands", rules, python_version="3.13") == []
    newer = "def same[T](value: T) -> T:\n    return value\n"
    assert _codes(await check_ruff(newer, "commands", rules, python_version="3.13")) == {"invalid-syntax"}
    assert await check_ruff(newer, "caller", rules, python_version="3.13") == []


# --- mypy and pyright, ours ---------------------------------------------------------------------------------

_OURS_GOOD = """\
import bpy

scene = bpy.context.scene
assert scene is not None
cube = bpy.data.objects.get("Cube") or bpy.data.objects.new("Cube", None)
cube.location = (0.0, 0.0, 1.0)
cube.keyframe_insert(data_path="location", frame=1)
bpy.ops.mesh.primitive_cube_add(size=1.0)
bpy.types.Scene.layer_count = bpy.props.IntProperty(name="Layers")
scene.frame_set(3)
"""

_OURS_BAD = _OURS_GOOD.replace("assert scene is not None\n", "")


@on_warm_checkers
async def test_mypy_wants_ours_to_ask_whether_there_is_a_scene(mypy: Check) -> None:
    assert await mypy(_OURS_GOOD, "cookbook") == []
    [finding] = await mypy(_OURS_BAD, "cookbook")
    assert (finding.code, finding.severity, finding.line) == ("union-attr", Severity.ERROR, 9)


@on_warm_checkers
async def test_pyright_wants_ours_to_ask_whether_there_is_a_scene(pyright: Check) -> None:
    assert await pyright(_OURS_GOOD, "commands") == []
    [finding] = await pyright(_OURS_BAD, "commands")
    assert (finding.code, finding.severity) == ("reportOptionalMemberAccess", Severity.ERROR)
    assert (finding.line, finding.column) == (9, 7)


@on_warm_checkers
@pytest.mark.parametrize("before", ['"éééé"', '"😀"', '"e"'])
async def test_columns_are_characters(before: str, mypy: Check, pyright: Check) -> None:
    line = f"print({before}, missing)"
    by_pyright = next(one for one in await pyright(line, "commands") if "missing" in one.message)
    assert by_pyright.column == line.index("missing") + 1
    by_mypy = next(one for one in await mypy(line, "commands") if "missing" in one.message)
    assert by_mypy.line == 1 and by_mypy.column == (line.index("missing") + 1 if line.isascii() else None)


_PROPERTY_OF_CONTEXT = """\
import bpy

context = bpy.context
area = context.area
print(area.type if area else "no area")
"""


@on_warm_checkers
async def test_the_member_called_property_hides_nothing(mypy: Check, pyright: Check) -> None:
    assert await mypy(_PROPERTY_OF_CONTEXT, "commands") == []
    assert await pyright(_PROPERTY_OF_CONTEXT, "commands") == []


@on_warm_checkers
@pytest.mark.parametrize("comment", ["# mypy: ignore-errors", "# type: ignore", "# pyright: basic"])
async def test_no_comment_silences_a_file(comment: str, mypy: Check, pyright: Check) -> None:
    snippet = f"{comment}\nimport bpy\n\nbpy.context.scene.frame_set(3)\n"
    assert _codes(await mypy(snippet, "commands")) == {"union-attr"}
    assert _codes(await pyright(snippet, "commands")) == {"reportOptionalMemberAccess"}


@on_warm_checkers
async def test_a_needless_ignore_in_ours_is_an_error(mypy: Check, pyright: Check) -> None:
    assert _codes(await mypy("size = 1  # type: ignore[assignment]\n", "commands")) == {"unused-ignore"}
    found = await pyright("size = 1  # pyright: ignore[reportCallIssue]\n", "commands")
    assert _codes(found) == {"reportUnnecessaryTypeIgnoreComment"}


# --- mypy and pyright, theirs -------------------------------------------------------------------------------

_THEIRS_DRIFT = """\
import bpy
def main():
    obj = bpy.context.object
    obj.select = True
    bpy.ops.mesh.primitive_cube_add(radius=2)
    bpy.ops.object.lamp_add(type='SUN')
main()
"""

_THEIRS_RUNS = """\
import bpy
class Settings(bpy.types.PropertyGroup):
    count: bpy.props.IntProperty(default=3)
class OBJECT_OT_mine(bpy.types.Operator):
    bl_idname = "object.mine"
    bl_label = "Mine"
    def execute(self, context):
        return {'FINISHED'}
def main():
    obj = bpy.context.object
    obj.data.vertices[0].co.x = 1
    obj.modifiers.new("Bevel", 'BEVEL').width = 0.1
    print(bpy.path.extensions_image)
    mat = bpy.data.materials.new("M")
    mat.node_tree.nodes["Principled BSDF"].inputs[0].default_value = (1, 0, 0, 1)
    bpy.utils.register_class(OBJECT_OT_mine)
    bpy.ops.object.mine()
    bpy.types.Scene.my_count = bpy.props.IntProperty()
    bpy.context.scene.my_count = 2
    if hasattr(obj, "select"):
        obj.select = True
    if bpy.app.version < (2, 80, 0):
        bpy.context.scene.objects.active = obj
    try:
        bpy.context.scene.update()
    except AttributeError:
        pass
main()
"""


@on_warm_checkers
async def test_removed_api_in_theirs_is_advice(mypy: Check, pyright: Check) -> None:
    found = await mypy(_THEIRS_DRIFT, "caller")
    assert [item.code for item in found] == ["attr-defined", "call-arg", "attr-defined"]
    assert [item.line for item in found] == [4, 5, 6]
    assert {item.severity for item in found} == {Severity.WARNING}
    assert 'for "primitive_cube_add"' in found[1].message
    assert {item.line for item in await pyright(_THEIRS_DRIFT, "model")} == {4, 5, 6}


@on_warm_checkers
async def test_what_the_script_makes_true_is_no_finding(mypy: Check, pyright: Check) -> None:
    assert await mypy(_THEIRS_RUNS, "caller") == []
    assert await pyright(_THEIRS_RUNS, "caller") == []


@on_warm_checkers
async def test_what_does_not_parse_is_a_finding(mypy: Check, pyright: Check, rules: Rules) -> None:
    assert await mypy("x = (\n", "commands")
    assert await pyright("x = (\n", "commands")
    assert await mypy("from . import beside\n\nprint(beside)\n", "commands")
    assert _codes(await check_ruff("x = (\n", "caller", rules)) == {"invalid-syntax"}


async def test_checks_run_side_by_side(cold_mypy: Check) -> None:
    found = await asyncio.gather(*(cold_mypy(_OURS_BAD, "commands") for _ in range(2)))
    assert [_codes(item) for item in found] == [{"union-attr"}] * 2


# --- isolation ----------------------------------------------------------------------------------------------


async def test_settings_of_the_host_do_not_leak_in(
    cold_mypy: Check, cold_pyright: Check, rules: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.ruff.lint]\nignore = ["F821"]\n', encoding="utf-8")
    (tmp_path / "mypy.ini").write_text("[mypy]\nignore_errors = True\n", encoding="utf-8")
    (tmp_path / "pyrightconfig.json").write_text('{"ignore": ["**"]}', encoding="utf-8")
    (tmp_path / ".config" / "mypy").mkdir(parents=True)
    (tmp_path / ".config" / "mypy" / "config").write_text("[mypy]\nignore_errors = True\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert _codes(await check_ruff("print(missing)\n", "caller", rules)) == {"F821"}
    assert "union-attr" in _codes(await cold_mypy(_OURS_BAD, "commands"))
    assert "reportOptionalMemberAccess" in _codes(await cold_pyright(_OURS_BAD, "commands"))


async def test_messages_name_no_path_of_this_machine(cold_pyright: Check, cold_mypy: Check) -> None:
    snippet = "import snippet\nimport gate_missing\n\nsnippet.nothing()\n"
    said = [*await cold_pyright(snippet, "commands"), *await cold_mypy(snippet, "commands")]
    assert said
    assert not any(tempfile.gettempdir() in f"{finding.message}{finding.hint}" for finding in said)


# --- a broken tool ------------------------------------------------------------------------------------------


def _instead(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Have the checks run a Python program in place of their tool."""
    run = Workplace.run

    async def other(place: Workplace, check: str, command: list[str], **options: object) -> Output:
        return await run(place, check, [sys.executable, "-c", program])

    monkeypatch.setattr(Workplace, "run", other)


@pytest.mark.parametrize("program", ["print('garbage')", "raise SystemExit(3)", "import os; os.abort()", "print('{}')"])
async def test_a_broken_tool_is_our_fault(
    program: str, rules: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _instead(monkeypatch, program)
    with pytest.raises(CheckerFailed, match="ruff"):
        await check_ruff("", "caller", rules)
    with pytest.raises(CheckerFailed, match="mypy"):
        await check_mypy("", "caller", rules, tmp_path, tmp_path)
    with pytest.raises(CheckerFailed, match="pyright"):
        await check_pyright("", "caller", rules, tmp_path)


async def test_a_snippet_that_a_checker_does_not_cope_with_gets_a_warning(
    rules: Rules, stubs: Path, tmp_path: Path
) -> None:
    """mypy computes what a constant expression comes to, and no machine has the memory for this one."""
    snippet = "text = 'x' * 100_000_000_000\n"
    with pytest.raises(CheckerStumbled):
        await check_mypy(snippet, "caller", rules, stubs, tmp_path)
    (finding,) = await or_warning(check_mypy(snippet, "caller", rules, stubs, tmp_path))
    assert (finding.check, finding.code, finding.severity) == ("mypy", "no-answer", Severity.WARNING)


async def test_a_missing_node_is_our_fault(rules: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(name: str) -> Path:
        return tmp_path / name

    monkeypatch.setattr(type_checks, "_package_folder", nowhere)
    with pytest.raises(CheckerFailed, match="not installed"):
        await or_warning(check_pyright("", "caller", rules, tmp_path))


async def test_a_tool_that_hangs_is_killed_with_its_children() -> None:
    program = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])"
    began = time.monotonic()
    with workplace("") as place, pytest.raises(CheckerFailed, match="no answer within"):
        await place.run("mypy", [sys.executable, "-c", program], time_limit_s=0.5)
    assert time.monotonic() - began < 10


async def test_a_tool_that_says_too_much_is_ended_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    said = tool.said_by

    async def late(process: asyncio.subprocess.Process) -> tuple[bytes, bytes]:
        # A busy machine: more lies ready than is taken at once, so nothing more is taken from the pipe.
        await asyncio.sleep(0.3)
        return await said(process)

    monkeypatch.setattr(tool, "said_by", late)
    monkeypatch.setattr(tool, "MOST_BYTES", 1000)
    program = "import sys, time; sys.stdout.write({} * 'x\\n'); sys.stdout.flush(); time.sleep({})"
    with workplace("") as place:
        output = await place.run("mypy", [sys.executable, "-c", program.format(5_000_000, 60)], time_limit_s=20)
        assert (output.whole, len(output.stdout) > 900) == (False, True)
        output = await place.run("mypy", [sys.executable, "-c", program.format(400, 0)], time_limit_s=20)
        assert (output.whole, output.status) == (True, 0)


async def test_a_cancelled_check_kills_its_tool(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    program = f"import pathlib, time; time.sleep(1.5); pathlib.Path({str(mark)!r}).touch()"
    with workplace("") as place:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5):
                await place.run("mypy", [sys.executable, "-c", program])
        await asyncio.sleep(1.5)
    assert not mark.exists()


# --- the rules file -----------------------------------------------------------------------------------------

_RULES = """\
[check.mypy]
ours = "blocking"
theirs = "off"
why = "the run is the verdict"

[[rule]]
check = "mypy"
code = "attr-defined"
ours = "advice"
theirs = "advice"
why = "usually right"
"""


def _load(tmp_path: Path, text: str) -> Rules:
    path = tmp_path / "rules.toml"
    path.write_text(text, encoding="utf-8")
    return load_rules(path)


def test_a_rule_overrides_its_check(tmp_path: Path) -> None:
    rules = _load(tmp_path, _RULES)
    assert rules.severity("mypy", "attr-defined", "caller") is Severity.WARNING
    assert rules.severity("mypy", "anything", "commands") is Severity.ERROR
    assert rules.severity("mypy", "anything", "model") is None
    with pytest.raises(KeyError):
        rules.severity("unheard-of", "anything", "model")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (_RULES.replace('"advice"', '"fatal"', 1), "rule.0.ours: Input should be 'blocking', 'advice'"),
        (_RULES + _RULES[_RULES.index("[[rule]]") :], "rule mypy/attr-defined is listed twice"),
        (_RULES.replace('check = "mypy"', 'check = "myqy"'), r"there is no \[check.myqy\]"),
        (_RULES.replace('why = "usually right"\n', ""), "rule.0.why: Field required"),
        (_RULES + "colour = 1\n", "rule.0.colour: Extra inputs"),
        (_RULES + "=", "rules.toml: Invalid"),
    ],
)
def test_a_wrong_rules_file_is_refused(wrong: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=said):
        _load(tmp_path, wrong)


def test_the_rules_of_the_service_are_valid(rules: Rules) -> None:
    assert rules.severity("ruff", "F821", "caller") is Severity.ERROR
    assert rules.severity("repeat", "adds-again", "commands") is Severity.ERROR
    assert rules.severity("repeat", "adds-again", "caller") is Severity.WARNING
    assert rules.severity("render", "blank", "model") is Severity.ERROR


def test_strict_types_are_asked_for_where_the_stubs_are_good() -> None:
    assert [strict_types_hold(series) for series in ("3.4", "4.2", "4.5", "5.0", "10.0")] == [
        False, False, True, True, True,
    ]  # fmt: skip
