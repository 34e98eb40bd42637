"""`addon check`: what is sent of a folder, what is printed in each format, and with which exit code it ends."""

from __future__ import annotations

import contextlib
import json
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app.addons.checked import AddonCheck, AddonFinding, AddonOnBlender, AddonReport, CheckedAddon, Share
from app.cli import addon_checks
from app.cli.addon_checks import archive_of
from app.cli.main import app
from app.errors import ErrorBody
from app.jobs.run import JobStatus
from app.verdict.verdict import Severity

NONE = Share(done=0, all=0)
ROW = AddonOnBlender(
    blender="5.0.1", passed=False, said="registers", operators=Share(done=1, all=2), draws=NONE, others=NONE,
    settings=NONE, lines=Share(done=3, all=4), not_used=["Operator A: not for this scene"], left_behind=[], seconds=1.0,
)  # fmt: skip
RAISES = AddonFinding(
    check="run",
    code="raises",
    severity=Severity.ERROR,
    message="it raises",
    line=7,
    file="shed/a.py",
    blenders=["5.0.1"],
)


def check(passed: bool, error: ErrorBody | None = None) -> AddonCheck:
    addon = CheckedAddon(
        place="shed", module="shed", kind="add-on", passed=passed, blenders=[ROW], findings=[] if passed else [RAISES]
    )
    report = None if error else AddonReport(passed=passed, addons=[addon])
    return AddonCheck.model_validate(
        {
            **dict.fromkeys(("id", "title", "stage", "blender", "created_at", "caller"), "x"),
            **dict.fromkeys(("started_at", "finished_at", "artifact", "repository", "branch")),
            "kind": "addon",
            "status": "proven" if passed else "not_proven",
            "cost": 0.0,
            "error": error,
            "report": report,
        }
    )


def ended(monkeypatch: pytest.MonkeyPatch, made: AddonCheck) -> None:
    """Have every check end so."""

    def connect(*_: object, **__: object) -> contextlib.nullcontext[None]:
        return contextlib.nullcontext()

    def followed(*_: object) -> AddonCheck:
        return made

    monkeypatch.setattr(addon_checks, "connect", connect)
    monkeypatch.setattr(addon_checks, "followed", followed)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "shed"
    (made / ".git").mkdir(parents=True)
    (made / "__pycache__").mkdir()
    for name in ("__init__.py", "a.py", "icon.png", ".git/config", "__pycache__/a.pyc"):
        (made / name).write_text("")
    (made / "link.py").symlink_to("/etc/hostname")
    return made


def test_the_files_of_a_folder_are_sent_as_an_add_on_is_published(folder: Path) -> None:
    sent = zipfile.ZipFile(BytesIO(archive_of(folder))).namelist()
    assert sorted(sent) == ["shed/__init__.py", "shed/a.py", "shed/icon.png"]
    (folder / "__init__.py").unlink()
    assert "a.py" in zipfile.ZipFile(BytesIO(archive_of(folder))).namelist()
    assert zipfile.ZipFile(BytesIO(archive_of(folder / "a.py"))).namelist() == ["a.py"]


@pytest.mark.parametrize(("passed", "code"), [(True, 0), (False, 1)])
def test_a_check_is_printed_with_the_exit_code_of_its_report(
    passed: bool, code: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended(monkeypatch, check(passed))
    done = CliRunner().invoke(app, ["addon", "check", str(folder), "--on", "5.0"])
    assert done.exit_code == code
    assert ("shed/a.py:7: it raises" in done.output) == (not passed) and "not for this scene" in done.output
    written = CliRunner().invoke(app, ["addon", "check", str(folder), "--format", "sarif"])
    (run,) = json.loads(written.stdout)["runs"]
    places: list[Any] = [one["locations"][0]["physicalLocation"] for one in run["results"]]
    assert [place["region"]["startLine"] for place in places] == ([] if passed else [7])
    assert all(place["artifactLocation"]["uri"].endswith("shed/a.py") for place in places)
    annotated = CliRunner().invoke(app, ["addon", "check", str(folder), "--format", "github"])
    assert ("::error " in annotated.stdout) == (not passed)


def test_a_check_that_was_cancelled_elsewhere_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cancelled = check(False).model_copy(update={"status": JobStatus.CANCELLED, "report": None})
    ended(monkeypatch, cancelled)
    done = CliRunner().invoke(app, ["addon", "check", str(folder)])
    assert (done.exit_code, "The check ended as cancelled." in done.output) == (3, True)


def test_what_is_refused_and_what_has_no_add_on_is_wrong_usage(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = ErrorBody(code="addons_refused", message="There is no add-on.", hint="Send one.", details={})
    ended(monkeypatch, check(False, refused))
    done = CliRunner().invoke(app, ["addon", "check", str(folder)])
    assert (done.exit_code, "There is no add-on." in done.output) == (2, True)
    (tmp_path / "empty").mkdir()
    assert CliRunner().invoke(app, ["addon", "check", str(tmp_path / "empty")]).exit_code == 2
