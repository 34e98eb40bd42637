"""Files with the findings of a run."""

from __future__ import annotations

from pathlib import Path

from app.api import examples
from app.cli.formats import JudgedFile
from app.jobs.run import JobStatus, Run
from app.verdict.verdict import Finding, Severity, Stage

PARSED = {"name": "parse", "state": "passed", "reason": "it is Python", "seconds": 0.0}


def judged(file: str, *findings: Finding, status: JobStatus = JobStatus.NOT_PROVEN) -> JudgedFile:
    """A file with these findings, on the example of a run."""
    run = Run.model_validate(examples.example("RUN"))
    attempt = run.attempts[-1].model_copy(deep=True)
    attempt.verdict.stages[:] = [Stage.model_validate({**PARSED, "findings": findings})]
    return JudgedFile(Path(file), run.model_copy(update={"attempts": [attempt], "status": status, "matrix": []}))


ENUM = Finding(
    check="api",
    code="unknown-enum-item",
    severity=Severity.ERROR,
    message="there is no 'BLENDER_EEVEE_NEXT'",
    line=3,
    column=5,
    hint="Write 'BLENDER_EEVEE'.",
    symbol="bpy.types.RenderSettings.engine",
)
WHOLE = Finding(check="repeat", code="adds-again", severity=Severity.WARNING, message="it adds Cube.001 each time")
