"""Scripts that are executed on their own, once or twice, all in processes forked from one Blender."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from app.healing.trouble import Repetition, repetition_of
from app.verdict.verdict import Finding, Severity
from harness.blenders import Blender
from harness.compare import made_by_repeat

INSIDE: Final = Path(__file__).with_name("in_blender.py")
Raised = dict[str, Any] | None
"""What a script raised: line, type and message; None if it ran to its end."""


@dataclass(frozen=True)
class Result:
    """What became of a script: what it raised, or how the second execution went and what the first one left."""

    raised: Raised
    repetition: Repetition | None = None
    blocks: dict[str, list[str]] | None = None


def execute_all(texts: Sequence[str], blender: Blender) -> list[Raised]:
    """What became of each script in a process of its own, all forked from one Blender."""
    found = _executed(texts, blender)
    return [{name: one[name] for name in ("line", "type", "message")} if one else None for one in found]


def execute_twice(texts: Sequence[str], blender: Blender) -> list[Result]:
    """The same for two executions in one scene."""
    return [result_of(one) for one in _executed(texts, blender, "--twice")]


def _executed(texts: Sequence[str], blender: Blender, *options: str) -> list[Any]:
    if not texts:
        return []
    with tempfile.TemporaryDirectory() as folder:
        jobs, results = Path(folder, "jobs.json"), Path(folder, "results.json")
        jobs.write_text(json.dumps(texts), encoding="utf-8")
        told = [*options, str(jobs), str(results)]
        if blender.kind == "module":
            command = [str(blender.path), str(INSIDE), *told]
        else:
            command = [str(blender.path), "-b", "--factory-startup", "-noaudio", "--python", str(INSIDE), "--", *told]
        subprocess.run(command, check=True, capture_output=True, timeout=600)
        found: list[Any] = json.loads(results.read_text(encoding="utf-8"))
    return found


def result_of(told: dict[str, Any]) -> Result:
    """The result of two executions from `in_blender.py`."""
    if told["raised"] is not None:
        return Result(told["raised"])
    again = told["again"]
    exception = {**again, "line": again["line"] or None} if again else None
    repeat = {"made": made_by_repeat(told["holds"])}
    report = {"evidence": {"repeat": repeat}, "claims": {"repeat_exception": exception}}
    return Result(None, repetition_of(report), told["holds"]["after"]["blocks"])


def finding_of(raised: dict[str, Any]) -> Finding:
    """An exception as a finding of the `execute` check."""
    message = f"{raised['type']}: {raised['message']}"
    line = raised["line"] or None
    return Finding(check="execute", code="raised", severity=Severity.ERROR, message=message, line=line)
