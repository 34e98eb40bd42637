"""Writes the findings on files in the formats that other tools read.

text     for people: one verdict per file
json     one document with every run
github   annotations on the lines of a pull request, as workflow commands
sarif    SARIF 2.1.0, for code scanning and editors
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import Any, Final, Literal, Protocol
from urllib.parse import quote

from app.jobs.run import Dispute, JobStatus, Run
from app.observing.foreign import document, shown, visible
from app.pipeline.across import across
from app.verdict.of_blender import ONLY_RAN, only_ran
from app.verdict.rules import Rules, load_rules
from app.verdict.verdict import Finding, Severity

Format = Literal["text", "json", "github", "sarif"]


class FoundIn(Protocol):
    """A file, or what has no file of its own, with its findings."""

    @property
    def name(self) -> str: ...

    @property
    def summary(self) -> str:
        """The result, in one line."""
        ...

    @property
    def blender(self) -> str: ...

    @property
    def broken(self) -> bool:
        """True if it could not be judged."""
        ...

    def findings(self) -> Sequence[Finding]:
        """The findings on it."""
        ...


@dataclass(frozen=True)
class JudgedFile:
    """One file and its run."""

    file: Path
    run: Run

    @property
    def name(self) -> str:
        return name_of(self.file)

    @property
    def blender(self) -> str:
        return self.run.blender

    @property
    def broken(self) -> bool:
        return self.run.status in (JobStatus.FAILED, JobStatus.INTERRUPTED)

    @property
    def summary(self) -> str:
        """The end of the run, in one line."""
        return said_of(self.run)

    def findings(self) -> list[Finding]:
        """The findings on the last attempt, on all Blenders of a matrix; without a verdict, how the run ended."""
        verdict = self.run.attempts[-1].verdict if self.run.attempts else None
        if self.run.matrix:
            verdict = across(self.run.matrix)
        found = verdict.findings() if verdict else []
        if self.run.status is JobStatus.PROVEN or any(one.severity is Severity.ERROR for one in found):
            return found
        said = self.run.error
        return [
            *found,
            Finding(
                check="run",
                code=said.code if said else self.run.status.value,
                severity=Severity.ERROR,
                message=said.message if said else f"the run ended as {self.summary}",
                hint=said.hint if said else None,
            ),
        ]


def name_of(path: Path) -> str:
    """The path with forward slashes, relative to the current folder if the file is below it."""
    folder = Path.cwd()
    return (path.relative_to(folder) if path.is_relative_to(folder) else path).as_posix()


def said_of(run: Run) -> str:
    """The end of a run, in one line."""
    if run.status is JobStatus.PROVEN and only_ran(run.attempts[-1].verdict):
        return f"{ONLY_RAN} (Blender {run.blender})"
    return f"{run.status.replace('_', ' ')} on Blender {run.blender}"


def write_evidence(judged: JudgedFile, picture: bytes | None, folder: Path) -> None:
    """Write the evidence on a file below `folder`, in a folder named like the file: the run, and if they exist the
    report of its last execution and the picture. In a path, `..` becomes `_up`, and `/` at its beginning `_root`.
    Raises OSError.
    """
    own = evidence_folder(judged, folder)
    own.mkdir(parents=True, exist_ok=True)
    (own / "run.json").write_text(judged.run.model_dump_json(indent=1), encoding="utf-8")
    report = judged.run.attempts[-1].report if judged.run.attempts else None
    (own / "report.json").write_text(json.dumps(report, indent=1), encoding="utf-8")
    if picture:
        (own / "picture.png").write_bytes(picture)


def evidence_folder(judged: JudgedFile, folder: Path) -> Path:
    """The folder below `folder` with the evidence on a file."""
    parts = [{"/": "_root", "..": "_up"}.get(part, part) for part in PurePosixPath(judged.name).parts]
    return folder.joinpath(*parts)


def as_text(all_judged: Sequence[JudgedFile]) -> str:
    """The verdict of each file, one line per stage, with the findings below it."""
    parts: list[str] = []
    for judged in all_judged:
        heading = [shown(f"{judged.name}: {judged.summary}")] if len(all_judged) > 1 else []
        parts.append("\n".join([*heading, *verdict_lines(judged.run)]))
    return "\n\n".join(parts)


def verdict_lines(run: Run) -> Iterator[str]:
    """The verdict of the last attempt, one line per stage, with the findings below it."""
    if not run.attempts:
        return
    for stage in run.attempts[-1].verdict.stages:
        yield shown(f"{stage.name:<8} {stage.state:<8} {stage.reason}".rstrip())
        for finding in stage.findings:
            where = f"line {finding.line}: " if finding.line else ""
            yield shown(f"           {finding.severity}: {where}{finding.message} [{finding.check}/{finding.code}]")
            if finding.hint:
                yield shown(f"           hint: {finding.hint}")


def dispute_lines(dispute: Dispute) -> Iterator[str]:
    """Both views of what is in dispute."""
    yield f"in dispute: attempt {dispute.attempt} is not proven, because of this:"
    yield from (shown(f"  - {one}") for one in dispute.findings)
    yield shown(f"a model holds that nothing is wrong with it, which nothing has checked: {dispute.reason}")


def as_json(all_judged: Sequence[JudgedFile]) -> str:
    """Every file with its whole run."""
    files = [{"file": judged.name, "run": judged.run.model_dump(mode="json")} for judged in all_judged]
    return document({"files": files})


def as_github(all_judged: Sequence[FoundIn]) -> str:
    """One annotation per finding, and one line per file, which GitHub shows in the log."""
    commands = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
    lines: list[str] = []
    for judged in all_judged:
        for finding in judged.findings():
            place = {"file": judged.name, "line": finding.line, "col": finding.column if finding.line else None}
            marks = {**place, "title": f"{finding.check}/{finding.code}"}
            written = ",".join(f"{key}={in_property(str(value))}" for key, value in marks.items() if value is not None)
            lines.append(f"::{commands[finding.severity]} {written}::{in_data(with_hint(finding))}")
        lines.append(in_log(f"{judged.name}: {judged.summary}"))
    return "\n".join(lines)


def in_data(text: str) -> str:
    """The text of a workflow command, which ends with its line. What looks like a command in it looks like none."""
    return visible(text.replace("::", ": :").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def in_property(text: str) -> str:
    """A property of a workflow command, which ends at a comma or a colon."""
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return visible(escaped.replace(":", "%3A").replace(",", "%2C"))


def in_log(text: str) -> str:
    """A line that is not a workflow command, for any file name."""
    return in_data(text).replace("::", ": :")


def with_hint(finding: Finding) -> str:
    return f"{finding.message}\n{finding.hint}" if finding.hint else finding.message


SOURCE: Final = "%SRCROOT%"
LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def as_sarif(all_judged: Sequence[FoundIn]) -> str:
    """One SARIF log with one run of the tool over all files."""
    pairs = [(judged, finding) for judged in all_judged for finding in judged.findings()]
    ids = sorted({rule_id(finding) for _, finding in pairs})
    numbers = {name: number for number, name in enumerate(ids)}
    rules = load_rules()
    broken = [judged for judged in all_judged if judged.broken]
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "Blendproof",
                        "semanticVersion": version("blendproof"),
                        "rules": [described(name, rules) for name in ids],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {SOURCE: {"description": {"text": "The folder of the call."}}},
                "invocations": [{"executionSuccessful": not broken}],
                "artifacts": [{"location": location(judged)} for judged in all_judged],
                "results": [result(judged, finding, numbers) for judged, finding in pairs],
            }
        ],
    }
    return document(log)


def rule_id(finding: Finding) -> str:
    return f"{finding.check}/{finding.code}"


def described(name: str, rules: Rules) -> dict[str, Any]:
    """The description of a rule: its reason."""
    check, _, code = name.partition("/")
    why = rules.why(check, code) or f"A finding of the check {check}."
    return {"id": name, "shortDescription": {"text": why}}


def result(judged: FoundIn, finding: Finding, numbers: dict[str, int]) -> dict[str, Any]:
    """One finding."""
    # A finding on the whole file is shown at its first line, because some readers need a line.
    column = {"startColumn": finding.column} if finding.line and finding.column else {}
    region = {"startLine": finding.line or 1, **column}
    place: dict[str, Any] = {"artifactLocation": location(judged), "region": region}
    extra = {"blender": judged.blender, "hint": finding.hint, "symbol": finding.symbol}
    return {
        "ruleId": rule_id(finding),
        "ruleIndex": numbers[rule_id(finding)],
        "level": LEVELS[finding.severity],
        "message": {"text": with_hint(finding)},
        "locations": [{"physicalLocation": place}],
        "properties": {key: value for key, value in extra.items() if value is not None},
    }


def location(judged: FoundIn) -> dict[str, str]:
    """The address of the file, relative to the folder of the call if the file is below it."""
    if PurePosixPath(judged.name).is_absolute():
        return {"uri": Path(judged.name).as_uri()}
    return {"uri": quote(os.fsencode(judged.name)), "uriBaseId": SOURCE}


WRITERS: Final[dict[Format, Callable[[Sequence[JudgedFile]], str]]] = {
    "text": as_text,
    "json": as_json,
    "github": as_github,
    "sarif": as_sarif,
}
