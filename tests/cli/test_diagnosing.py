"""The command that diagnoses logs: what it prints, remembers, and says if something is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.repositories.blender_side import blender_facts, nearest, rename_facts
from codebase.diagnosis.diagnose import diagnose
from codebase.tracebacks.error import Error
from harness.blenders import Blender
from tests.cli.calling import call
from tests.codebase.small import write
from tests.small_manifest import small_manifest

OPS = """\
import bpy
from .util import soften


def glaze(ob):
    ob.pass_idx = 3
    return soften(ob)
"""
UTIL = "def soften(ob):\n    return ob.parent.name\n"
FILES = {"kiln/__init__.py": "", "kiln/ops.py": OPS, "kiln/util.py": UTIL}
LOG = """\
Error: Python: Traceback (most recent call last):
  File "C:\\addons\\kiln\\ops.py", line 7, in glaze
    return soften(ob)
  File "C:\\addons\\kiln\\util.py", line 9, in soften
    return ob.parent.name
AttributeError: 'NoneType' object has no attribute 'name'
"""


OTHER = """\
Traceback (most recent call last):
  File "/srv/bakery/util.py", line 2, in knead
    return 1 / 0
ZeroDivisionError: division by zero
"""


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own, and no Blender."""
    monkeypatch.setenv("BLENDPROOF_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("BLENDPROOF_HOME", str(tmp_path / "home"))
    call("add", write(tmp_path / "kiln", FILES), "--name", "kiln")


def test_a_log_leads_to_crash_lines_and_suspects(tmp_path: Path) -> None:
    done = call("diagnose", "kiln", text=LOG)
    assert done.exit_code == 0, done.stderr
    assert "kiln/util.py:2  soften  (the printed line, which the log has at 9)" in done.stdout
    assert "  >     2     return ob.parent.name" in done.stdout
    assert "called by kiln/ops.py:7  glaze  (calls, exact)" in done.stdout
    assert "kiln/util.py:1-2  soften: it broke here" in done.stdout
    (tmp_path / "log.txt").write_text(LOG)
    body = json.loads(call("diagnose", "kiln", tmp_path / "log.txt", "--json").stdout)
    assert body["crashes"][0]["citation"] == "kiln/util.py:2"
    assert body["crashes"][0]["around"] == UTIL.rstrip("\n")
    assert f"diagnosis {body['id']}" in done.stdout


def test_a_confirmed_diagnosis_comes_back(tmp_path: Path) -> None:
    given = json.loads(call("diagnose", "kiln", "--json", text=LOG).stdout)["id"]
    done = call("diagnose", "kiln", "--confirm", given, "kiln/ops.py:7", "--note", "no parent")
    assert (done.exit_code, done.stderr) == (0, "remembered: AttributeError in soften is from kiln/ops.py:7\n")
    again = call("diagnose", "kiln", text=LOG).stdout
    assert "same place: AttributeError" in again and "-> kiln/ops.py:7 no parent" in again
    issues = write(tmp_path / "issues", {"a.json": json.dumps([{"error": LOG, "solution": "Set a parent."}])})
    assert "Set a parent." in call("diagnose", "kiln", "--issues", issues / "a.json", text=LOG).stdout


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    given = json.loads(call("diagnose", "kiln", "--json", text=LOG).stdout)["id"]
    (tmp_path / "no.json").write_text("[]")
    for arguments, text, code, said in (
        ((), " ", 2, "The log is empty."),
        ((), "all is well", 1, "The log holds no error"),
        ((), OTHER, 1, "in this repository"),
        ((tmp_path / "none.txt",), "", 2, "cannot be read"),
        (("--issues", tmp_path / "no.json"), LOG, 2, "no entry has an error and a solution"),
        (("--confirm", "d-0", "kiln/ops.py:7"), "", 2, "There is no diagnosis d-0"),
        (("--confirm", given, "kiln/ops.py:99"), "", 2, "has 7 lines"),
        (("--confirm", given, "kiln/oops.py:9"), "", 2, "names no file"),
        (("--confirm", given, "../../etc/passwd:1"), "", 2, "names no file"),
    ):
        done = call("diagnose", "kiln", *arguments, text=text)
        assert (done.exit_code, said in done.stderr) == (code, True), (arguments, done.stderr)


def test_the_api_of_a_blender_speaks_near_a_crash_only(tmp_path: Path) -> None:
    text = (
        "import bpy\n\n\ndef glaze():\n    ob = bpy.data.objects['Pot']\n    ob.pass_idx = 3\n" + "\n" * 60 + "ob = 1\n"
    )
    root = write(tmp_path / "api", {"a.py": text + "bpy.data.objects['Pot'].pass_idx\n"})
    log = 'Traceback (most recent call last):\n  File "a.py", line {}, in {}\n    {}\nValueError: no\n'
    manifest = small_manifest()
    near = diagnose(root, tmp_path / "index", log.format(6, "glaze", "ob.pass_idx = 3")).crashes
    drift, _ = blender_facts(root, near, manifest)
    assert [one.citation for one in drift] == ["a.py:6"] and "pass_idx" in drift[0].says
    _, symbols = blender_facts(root, diagnose(root, tmp_path / "index", log.format(5, "glaze", "")).crashes, manifest)
    assert all(one.blender == manifest.version for one in symbols)
    far = diagnose(root, tmp_path / "index", log.format(40, "<module>", "")).crashes
    assert blender_facts(root, far, manifest)[0] == []


def test_a_renamed_name_in_a_message_is_told_for_the_blender_of_the_log() -> None:
    gone = Error("AttributeError", "'Action' object has no attribute 'fcurves'", (), 1)
    assert [one.symbol for one in rename_facts([gone], [], "5.0.1")] and not list(rename_facts([gone], [], "4.2.0"))
    other = Error("AttributeError", "'Action' object has no attribute 'name'", (), 1)
    assert not list(rename_facts([other], [], "5.0.1"))


def test_the_nearest_blender_is_asked() -> None:
    several = [Blender("module", Path("/x"), version, "", "3.11") for version in ("5.0.1", "4.2.3", "4.5.0")]
    for asked, chosen in ((None, "5.0.1"), ("4.2", "4.2.3"), ("4.3.1", "4.5.0"), ("4.5.0", "4.5.0"), ("5.2", "5.0.1")):
        found = nearest(several, asked)
        assert found is not None and found.version == chosen, asked
    assert nearest([], "5.0") is None
