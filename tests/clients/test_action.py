"""The action and the hooks for CI: valid by their schemas, and their scripts run as far as no runner is needed."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from app.cli.command_table import COMMANDS
from app.cli.formats import JudgedFile, write_evidence
from app.cli.late import command_at
from app.cli.summary import as_markdown, cell
from app.jobs.run import JobStatus
from tests.cli.judged import ENUM, judged
from tests.project.schemas import schema_problems

ROOT = Path(__file__).parents[2]
ACTION = ROOT / "clients" / "action"
HOOKS = ROOT / ".pre-commit-hooks.yaml"
ODD = "scripts/it's; $(touch here) a|b.py"


def read_yaml(text: str) -> Any:
    return YAML(typ="safe").load(text)  # pyright: ignore[reportUnknownMemberType]


@pytest.mark.parametrize(("old", "new"), [("using: composite", "using: compose"), ("shell: bash", "shel: bash")])
def test_the_action_is_valid_and_its_near_twin_is_not(old: str, new: str, tmp_path: Path) -> None:
    text = (ACTION / "action.yml").read_text()
    assert schema_problems("github-actions", text, tmp_path) == ""
    assert old in text and schema_problems("github-actions", text.replace(old, new), tmp_path)


def unguarded(action: Any) -> list[str]:
    """The steps whose script an input could become a part of: inputs belong into the environment."""
    return [step["name"] for step in action["runs"]["steps"] if "${{" in step.get("run", "")]


def test_what_follows_waits_for_the_scripts_that_were_found() -> None:
    """With `!cancelled()` a step runs after a failure too, when the outputs of the first step are empty."""
    steps = read_yaml((ACTION / "action.yml").read_text())["runs"]["steps"]
    after = [step for step in steps if "!cancelled()" in step.get("if", "") and "inputs.addon" not in step["if"]]
    guards = ("steps.find.outcome == 'success'", "steps.report.outputs.sarif")
    assert len(after) == 4 and all(any(guard in step["if"] for guard in guards) for step in after)


def test_a_report_is_shown_if_there_is_one(tmp_path: Path) -> None:
    steps = read_yaml((ACTION / "action.yml").read_text())["runs"]["steps"]
    (script,) = (step["run"] for step in steps if step.get("id") == "report")
    outputs, report = tmp_path / "outputs", tmp_path / "blendproof.sarif"
    for told in ("", f"sarif={report}\n"):
        outputs.write_text("")
        environment = {**os.environ, "EVIDENCE": str(tmp_path), "GITHUB_OUTPUT": str(outputs)}
        subprocess.run(["bash", "-euo", "pipefail", "-c", script], env=environment, check=True)
        assert outputs.read_text() == told
        report.write_text("{}")


def test_no_input_becomes_a_part_of_a_script() -> None:
    text = (ACTION / "action.yml").read_text()
    assert unguarded(read_yaml(text)) == []
    worse = text.replace('bash "$GITHUB_ACTION_PATH/find.sh"', 'bash find.sh "${{ inputs.scripts }}"')
    assert unguarded(read_yaml(worse)) == ["Find the scripts"]


def test_the_hooks_are_commands_that_there_are() -> None:
    for hook in read_yaml(HOOKS.read_text()):
        program, *words = shlex.split(hook["entry"])
        options = [word for word in words if word.startswith("-")]
        name = " ".join(word for word in words if word not in options)
        known = {option for parameter in command_at(COMMANDS[name].place).params for option in parameter.opts}
        assert program == "blendproof" and set(options) <= known and hook["require_serial"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with two scripts, one of an odd name, and a text."""
    folder = tmp_path / "project"
    (folder / "scripts").mkdir(parents=True)
    for name in ("scripts/a.py", ODD, "scripts/notes.txt"):
        (folder / name).write_text("import bpy\n")
    git(folder, "init", "--quiet")
    commit(folder)
    return folder


def git(folder: Path, *command: str) -> None:
    own = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *own, *command], cwd=folder, check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "x")


def step(script: str, project: Path, **environment: str) -> tuple[int, str, dict[str, str]]:
    """Run a script of the action in a project: its status, what it says, its outputs."""
    runner = project.parent / "runner"
    runner.mkdir(exist_ok=True)
    outputs = runner / "outputs"
    outputs.write_text("")
    given = {"RUNNER_TEMP": str(runner), "GITHUB_OUTPUT": str(outputs), "GITHUB_WORKSPACE": str(project)}
    done = subprocess.run(
        ["bash", str(ACTION / script)],
        cwd=project,
        env={"PATH": os.environ["PATH"], "ON": "", "IMAGE": "image", **given, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    told = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
    return done.returncode, done.stdout + done.stderr, told


def test_scripts_are_found_by_pathspec_or_by_what_changed(project: Path) -> None:
    status, _, first = step("find.sh", project, SCRIPTS="scripts/*.py\n", SINCE="")
    assert (status, first["count"]) == (0, "2")
    assert sorted(Path(first["list"]).read_text().split("\0")) == ["", "scripts/a.py", ODD]
    (project / "scripts" / "a.py").write_text("import bpy, sys\n")
    commit(project)
    _, _, changed = step("find.sh", project, SCRIPTS="scripts/*.py", SINCE="HEAD~1")
    assert (changed["count"], Path(changed["list"]).read_text()) == ("1", "scripts/a.py\0")
    _, said, none = step("find.sh", project, SCRIPTS="other/*.py", SINCE="")
    assert none["count"] == "0" and "No script" in said
    keys = {step("find.sh", project, SCRIPTS="scripts/a.py", SINCE="", ON=on)[2]["key"] for on in ("", "4.5", "4.5")}
    assert len(keys) == 2 and changed["key"] in keys


@pytest.mark.parametrize(
    ("given", "said"),
    [({"SCRIPTS": " \n", "SINCE": ""}, "is empty"), ({"SCRIPTS": "*", "SINCE": "0123456"}, "fetch-depth: 0")],
)
def test_a_wrong_input_is_named(given: dict[str, str], said: str, project: Path) -> None:
    status, told, _ = step("find.sh", project, **given)
    assert status == 2 and said in told


def test_the_container_gets_the_scripts_by_their_names_and_nothing_else(project: Path, tmp_path: Path) -> None:
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    docker = bin_folder / "docker"
    docker.write_text(f"#!{sys.executable}\nimport sys\nprint(*sys.argv[1:], sep='\\n')\nsys.exit(1)\n")
    docker.chmod(0o755)
    _, _, found = step("find.sh", project, SCRIPTS="scripts/*.py", SINCE="")
    given = {"LIST": found["list"], "EVIDENCE": found["evidence"], "PATH": f"{bin_folder}:{os.environ['PATH']}"}
    status, said, _ = step("judge.sh", project, **given, ON="4.2,5.0")
    lines = said.splitlines()
    assert status == 1 and lines[:4] == ["run", "--rm", "--network", "none"]
    assert lines[lines.index("image") :] == [
        "image", "validate", "--on=4.2,5.0", "--format", "github", "--output", "/evidence", "--", "scripts/a.py", ODD,
    ]  # fmt: skip
    assert f"{project}:/project:ro" in lines and not (project / "here").exists()
    assert "--on" not in step("judge.sh", project, **given)[1]
    status, said, _ = step("addon.sh", project, **given, ON="4.2,5.0", ADDON="my $(touch here) addon")
    lines = said.splitlines()
    assert status == 1 and lines[:4] == ["run", "--rm", "--network", "none"]
    assert lines[lines.index("image") :] == [
        "image", "addon", "check", "--on=4.2,5.0", "--format", "github", "--", "my $(touch here) addon",
    ]  # fmt: skip
    assert not (project / "here").exists()


# The summary


def test_the_summary_has_a_row_per_script_with_its_error_and_picture(tmp_path: Path) -> None:
    good = judged("scripts/a.py", status=JobStatus.PROVEN)
    write_evidence(good, b"PNG", tmp_path)
    said = as_markdown([good, judged("scripts/b|c.py", ENUM)], tmp_path)
    rows = said.replace("\\", "").splitlines()
    assert rows[0] == "**1 of 2 scripts are proven.**"
    assert rows[4].startswith("| scripts/a.py | 5.0.1 | proven |  | scripts/a.py/picture.png |")
    assert "| not proven | line 3: there is no 'BLENDER_EEVEE_NEXT' |  |" in rows[5]
    assert r"scripts\/b\|c\.py" in said


def test_nothing_in_a_name_means_anything_to_markdown() -> None:
    assert cell("a `b` | <img src=x>\n# c") == r"a \`b\` \| \<img src\=x\> \# c"
    assert cell("plain words") == "plain words"
    assert len(cell("x" * 1000)) == 200
    assert isinstance(judged("a.py"), JudgedFile)
