"""The command `check`: by a running service, and in this process if there is none."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.cli.main import app
from harness.blenders import Blender
from tests.quick_service import quick_service

pytestmark = [pytest.mark.slow, pytest.mark.blender]

OLD = "import bpy\nobj = bpy.context.object\nobj.select = True\n"
GOOD = OLD.replace("select = True", "select_set(True)")


@pytest.fixture
def files(tmp_path: Path, home: Path, blender: Blender, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with scripts; settings whose address nobody listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("BLENDPROOF_PORT", str(free.getsockname()[1]))
    monkeypatch.setenv("BLENDPROOF_HOME", str(home))
    monkeypatch.setenv("BLENDPROOF_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.py").write_text(OLD)
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "plain.py").write_text("x = (\n")
    return tmp_path


def check(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["check", *arguments])


def test_without_a_service_it_is_checked_here_and_pyright_is_said_to_be_left_out(files: Path) -> None:
    wrong = check(".")
    assert wrong.exit_code == 1 and "old.py:3:5: error: `Object.select` is gone" in wrong.stdout
    assert "pyright is left out" in wrong.stderr and "1 of 2 passed; nothing was executed" in wrong.stderr
    assert "plain.py" not in wrong.stdout and not (files / "data").exists()
    assert check("good.py").exit_code == 0
    assert check("plain.py").exit_code == 1
    assert check("good.py", "--blender", "1.0").exit_code == 2
    many = check("good.py", "--on", ",".join(f"5.{minor}" for minor in range(10)))
    (files / "long.py").write_text("#" * (1 << 20) + OLD)
    for refused, said in (
        (many, "verify_on: List should have at most 8"),
        (check("long.py"), "snippet: String should"),
    ):
        assert refused.exit_code == 2 and said in refused.stderr and "fault of Blendproof" not in refused.stderr


def test_a_running_service_is_asked_and_the_formats_are_those_of_validate(files: Path, home: Path) -> None:
    with quick_service(home, files / "of-service") as url:
        as_json = check("old.py", "good.py", "--format", "json", "--url", url)
        on_github = check("old.py", "--format", "github", "--url", url)
    told = json.loads(as_json.stdout)["files"]
    assert [(one["file"], one["check"]["passed"]) for one in told] == [("old.py", False), ("good.py", True)]
    assert "::error file=old.py,line=3,col=5" in on_github.stdout and "pyright" not in on_github.stderr
    assert check("good.py", "--url", url).exit_code == 3
