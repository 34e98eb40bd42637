"""The verdict of a snippet that must work on several Blenders: one for all of them together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.jobs.run import MatrixRow
from app.verdict.verdict import STAGES, Finding, Severity, Stage, StageName, StageState, Verdict, judged, make_verdict

_WORST_FIRST: Final = (StageState.FAILED, StageState.WARNED, StageState.PASSED, StageState.SKIPPED)


def across(rows: Sequence[MatrixRow]) -> Verdict:
    """The verdict of all rows, the target's first: passed only if each of them passed.

    A finding that is not made on every Blender names its Blenders.
    """
    stages = [_stage(name, rows) for name in STAGES]
    target = rows[0].verdict
    measured = dict(target.measured) if target else {}
    timings = {row.blender: row.verdict.measured.get("timings") for row in rows[1:] if row.verdict}
    return make_verdict(stages, {**measured, "elsewhere": timings})


def _stage(name: StageName, rows: Sequence[MatrixRow]) -> Stage:
    found: dict[tuple[str, str, int | None, str], tuple[Finding, list[str]]] = {}
    stages: list[Stage] = []
    for row in rows:
        if row.verdict is None:
            if name == "execute":
                stages.append(judged(name, [_not_judged(row)]))
                found["", "", None, row.blender] = _not_judged(row), [row.blender]
            continue
        stage = next(stage for stage in row.verdict.stages if stage.name == name)
        stages.append(stage)
        for finding in stage.findings:
            key = (finding.check, finding.code, finding.line, finding.message)
            found.setdefault(key, (finding, []))[1].append(row.blender)
    findings = [
        finding
        if len(blenders) == len(rows)
        else finding.model_copy(update={"message": _on(blenders, finding.message)})
        for finding, blenders in found.values()
    ]
    worst = min((stage.state for stage in stages), key=_WORST_FIRST.index)
    first = next(stage for stage in stages if stage.state is worst)
    seconds = sum(stage.seconds for stage in stages)
    if worst in (StageState.FAILED, StageState.WARNED):
        return judged(name, findings, seconds)
    reason = first.reason if worst is StageState.SKIPPED or len(rows) == 1 else _where_passed(name, rows)
    return Stage(name=name, state=worst, reason=reason, seconds=round(seconds, 3), findings=findings)


def _where_passed(name: StageName, rows: Sequence[MatrixRow]) -> str:
    """The number of Blenders on which a stage passed, and the reasons of those on which it was not judged."""
    judgements = [
        (row.blender, stage) for row in rows if row.verdict for stage in row.verdict.stages if stage.name == name
    ]
    not_judged = [(blender, stage.reason) for blender, stage in judgements if stage.state is StageState.SKIPPED]
    if not not_judged and len(judgements) == len(rows):
        return f"on each of {len(rows)} Blenders"
    skips = "".join(f"; skipped on {blender}: {reason}" for blender, reason in not_judged)
    return f"on {len(judgements) - len(not_judged)} of {len(rows)} Blenders{skips}"


def _not_judged(row: MatrixRow) -> Finding:
    message = f"it could not be judged: {row.problem}"
    return Finding(check="execute", code="not-judged", severity=Severity.ERROR, message=message)


def _on(blenders: Sequence[str], message: str) -> str:
    return f"on Blender {', '.join(blenders)}: {message}"
