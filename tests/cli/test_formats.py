"""Verdicts in the forms of other tools: GitHub's workflow commands and SARIF 2.1.0."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.cli.formats import JudgedFile, as_github, as_json, as_sarif, as_text, write_evidence
from app.cli.snippets import finish, write_healed
from app.errors import ErrorBody
from app.jobs.run import JobStatus, MatrixRow
from app.pipeline.across import across
from app.verdict.verdict import STAGES, Finding, Severity, StageState, make_verdict
from app.verdict.verdict import judged as stage_of
from tests.cli.judged import ENUM, WHOLE, judged

BINARIES = Path(sys.executable).parent


def test_a_proven_run_of_whose_request_nothing_was_checked_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    said = "Nothing of the request was checked: it carries no acceptance checks."
    for kind, unchecked in (("generate", said), ("generate", None), ("validate", said)):
        run = judged("a.py", status=JobStatus.PROVEN).run.model_copy(update={"kind": kind, "error": None})
        run.attempts[-1].verdict.measured["acceptance"] = {"unchecked": unchecked}
        finish(run, show_verdict=True)
        assert (said in " ".join(capsys.readouterr().err.split())) == (kind == "generate" and unchecked is not None)


ODD = Finding(check="mypy", code="x", severity=Severity.ERROR, message="100%\r\n::error::no, really", line=1)


def test_annotations_stand_on_their_lines() -> None:
    lines = as_github([judged("scripts/a.py", ENUM, WHOLE)]).splitlines()
    assert lines == [
        "::error file=scripts/a.py,line=3,col=5,title=api/unknown-enum-item::"
        "there is no 'BLENDER_EEVEE_NEXT'%0AWrite 'BLENDER_EEVEE'.",
        "::warning file=scripts/a.py,title=repeat/adds-again::it adds Cube.001 each time",
        "scripts/a.py: not proven on Blender 5.0.1",
    ]


def row(blender: str, *findings: Finding) -> MatrixRow:
    verdict = make_verdict([stage_of(name, list(findings) if name == "api" else []) for name in STAGES], {})
    facts: dict[str, Any] = {"build_hash": "a", "problem": None, "report": None, "picture": None, "seconds": 1.0}
    return MatrixRow(attempt=1, blender=blender, proven=verdict.passed, verdict=verdict, **facts)


def test_what_fails_on_one_blender_of_several_names_it() -> None:
    run = judged("a.py").run.model_copy(update={"matrix": [row("4.5.15"), row("5.0.1", ENUM)]})
    first, _ = as_github([JudgedFile(Path("a.py"), run)]).splitlines()
    assert first.startswith("::error file=a.py,line=3,col=5,title=api/unknown-enum-item::on Blender 5.0.1: there is no")


def test_what_was_skipped_on_one_blender_is_not_said_to_have_passed_there() -> None:
    first, second, third = row("5.0.1"), row("5.2.0"), row("4.5.15")
    assert second.verdict
    for stage in second.verdict.stages:
        if stage.name == "types":
            stage.state, stage.reason = StageState.SKIPPED, "no stubs"
    reasons = {stage.name: stage.reason for stage in across([first, second, third]).stages}
    assert reasons["types"] == "on 2 of 3 Blenders; skipped on 5.2.0: no stubs"
    assert reasons["api"] == "on each of 3 Blenders"


def test_no_text_and_no_name_becomes_a_command_of_its_own() -> None:
    said = as_github([judged("scripts/::warning::a,b:c.py", ODD)])
    assert said.splitlines() == [
        "::error file=scripts/%3A%3Awarning%3A%3Aa%2Cb%3Ac.py,line=1,title=mypy/x::100%25%0D%0A: :error: :no, really",
        "scripts/: :warning: :a,b:c.py: not proven on Blender 5.0.1",
    ]


def test_what_is_proven_has_no_error_and_what_ended_otherwise_has_one() -> None:
    assert "::error" not in as_github([judged("a.py", status=JobStatus.PROVEN)])
    assert as_github([judged("a.py", WHOLE, status=JobStatus.NOT_PROVEN)]).count("::error") == 1
    failed = judged("a.py", status=JobStatus.FAILED)
    body = ErrorBody(code="run_failed", message="Blender is gone.", hint="Try again.", details={})
    lost = JudgedFile(failed.file, failed.run.model_copy(update={"attempts": [], "error": body}))
    assert "::error file=a.py,title=run/run_failed::Blender is gone.%0ATry again." in as_github([lost])
    (run,) = json.loads(as_sarif([lost]))["runs"]
    assert run["invocations"] == [{"executionSuccessful": False}]


TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
PLACE = {
    "type": "object",
    "required": ["uri"],
    "properties": {"uri": {"type": "string", "format": "uri-reference", "pattern": r"^[!-~]+$"}},
}
RESULT = {
    "type": "object",
    "required": ["ruleId", "ruleIndex", "level", "message", "locations"],
    "properties": {
        "level": {"enum": ["none", "note", "warning", "error"]},
        "ruleIndex": {"type": "integer", "minimum": 0},
        "message": TEXT,
        "locations": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["physicalLocation"],
                "properties": {
                    "physicalLocation": {
                        "type": "object",
                        "required": ["artifactLocation", "region"],
                        "properties": {
                            "artifactLocation": PLACE,
                            "region": {
                                "type": "object",
                                "required": ["startLine"],
                                "properties": {
                                    "startLine": {"type": "integer", "minimum": 1},
                                    "startColumn": {"type": "integer", "minimum": 1},
                                },
                                "additionalProperties": False,
                            },
                        },
                        "additionalProperties": False,
                    }
                },
            },
        },
    },
}
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "properties": {
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id", "shortDescription"],
                                            "properties": {"shortDescription": TEXT},
                                        },
                                    }
                                },
                            }
                        },
                    },
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "results": {"type": "array", "items": RESULT},
                    "invocations": {"type": "array", "items": {"required": ["executionSuccessful"]}},
                    "artifacts": {"type": "array", "uniqueItems": True, "items": {"properties": {"location": PLACE}}},
                },
            },
        },
    },
}
"""The part of the SARIF 2.1.0 standard that we use, in our words."""


def problems(log: dict[str, Any], folder: Path) -> list[str]:
    """What is wrong with a SARIF log, by that part of the standard, and rules that are not at their index."""
    (folder / "schema.json").write_text(json.dumps(SARIF))
    (folder / "log.json").write_text(json.dumps(log))
    files = [str(folder / "schema.json"), str(folder / "log.json")]
    command = [str(BINARIES / "check-jsonschema"), "--schemafile", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = [done.stdout] if done.returncode else []
    for run in log["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        found += [f"{one['ruleId']}: not there" for one in run["results"] if rules[one["ruleIndex"]] != one["ruleId"]]
    return found


def test_sarif_is_as_the_standard_says(tmp_path: Path) -> None:
    log = json.loads(as_sarif([judged("scripts/a b.py", ENUM, WHOLE, ODD), judged("c.py", ENUM)]))
    assert problems(log, tmp_path) == []
    (run,) = log["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [
        "api/unknown-enum-item",
        "mypy/x",
        "repeat/adds-again",
    ]
    first = run["results"][0]
    where = first["locations"][0]["physicalLocation"]
    assert where["artifactLocation"] == {"uri": "scripts/a%20b.py", "uriBaseId": "%SRCROOT%"}
    assert (where["region"], first["level"]) == ({"startLine": 3, "startColumn": 5}, "error")
    assert "Write 'BLENDER_EEVEE'." in first["message"]["text"]
    assert len(run["results"]) == 4 and len(run["artifacts"]) == 2
    assert problems(json.loads(as_sarif([judged("a.py", status=JobStatus.PROVEN)])), tmp_path) == []


@pytest.mark.parametrize("wrong", ["level", "ruleIndex", "message"])
def test_a_wrong_sarif_is_found(wrong: str, tmp_path: Path) -> None:
    log = json.loads(as_sarif([judged("a.py", ENUM, WHOLE)]))
    result = log["runs"][0]["results"][0]
    result[wrong] = {"level": "bad", "ruleIndex": 1, "message": {"text": ""}}[wrong]
    assert problems(log, tmp_path)


def test_text_names_each_file_only_where_there_are_several() -> None:
    one, two = judged("a.py", ENUM), judged("b.py")
    assert "a.py" not in as_text([one])
    assert "a.py: not proven on Blender 5.0.1\n" in as_text([one, two])
    assert [part["file"] for part in json.loads(as_json([one, two]))["files"]] == ["a.py", "b.py"]


def test_evidence_stays_below_its_folder(tmp_path: Path) -> None:
    write_evidence(judged("../x/a.py", ENUM), b"PNG", tmp_path / "out")
    write_evidence(judged("/etc/b.py"), None, tmp_path / "out")
    files = sorted(str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file())
    assert files == [
        *("out/_root/etc/b.py/report.json", "out/_root/etc/b.py/run.json"),
        *("out/_up/x/a.py/picture.png", "out/_up/x/a.py/report.json", "out/_up/x/a.py/run.json"),
    ]


def test_a_name_that_is_no_text_has_an_address() -> None:
    log = json.loads(as_sarif([judged(os.fsdecode(b"scripts/\xe9 \xc3\xa9.py"), ENUM)]))
    assert log["runs"][0]["artifacts"][0]["location"]["uri"] == "scripts/%E9%20%C3%A9.py"


def test_only_what_is_proven_is_written_into_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, old, new = tmp_path / "old.py", "import bpy\r\n", "import bpy\r\nprint(bpy)\r\n"
    file.write_bytes(old.encode())
    run = judged("old.py").run.model_copy(update={"snippet": new})
    run.attempts[-1].notes[:] = ["line 2: it is printed"]
    write_healed(file, old, run)
    assert file.read_bytes() == old.encode()
    write_healed(file, old, run.model_copy(update={"status": JobStatus.PROVEN}))
    assert file.read_bytes() == new.encode()
    assert f"{file}: line 2: it is printed" in " ".join(capsys.readouterr().err.split())
