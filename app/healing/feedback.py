"""Describes the faults of a snippet to a model: each finding at its line within its function, the place and time of its
judgement, the last frames of the exception, the nearest names that exist, and the head and tail of the output.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from app.healing.trouble import trouble_of
from app.jobs.run import Attempt
from app.verdict.parse import python_lines
from app.verdict.verdict import Finding, Severity, StageName, StageState

MOST_FINDINGS: Final = 12
AROUND: Final = 3
"""Lines that are shown before and after the line of a finding, within its function."""
FRAMES: Final = 14
"""Lines of a traceback that are shown, from its end."""
CHANGED: Final = 16
"""Lines of an earlier attempt that are shown, of those that it changed."""
BLAMED: Final = 4
FOUND_LENGTH: Final = 300
OUTPUT_END: Final = 700
"""Characters of a long output that are shown at either end."""

LOOKED: Final[dict[StageName, str]] = {
    "execute": "`execute` saw the first run.",
    "repeat": "`repeat` looked after a second run in the scene that the first one left.",
    "scene": "`scene` looked at the saved scene, in a process that did not run the snippet.",
    "render": "`render` looked at the pictures of what is new or changed.",
    "accept": "`accept` looked at the saved scene{at} as a render has it, with modifiers; places and boxes are in the "
    "world. The number of a check is that of the list.",
    "critic": "`critic` is a model that saw the request, the snippet, the scene and the pictures.",
}
"""The place and time of each judgement; judges that are not here read the text alone."""

Near = Callable[[str], list[str]]
"""The addresses of the API most like one that does not exist."""


def feedback(attempt: Attempt, near: Near) -> str:
    """The faults of an attempt, the worst first; empty if there are none."""
    blamed = [finding for finding in attempt.verdict.findings() if finding.severity is Severity.ERROR]
    advice = [finding for finding in attempt.verdict.findings() if finding.severity is Severity.WARNING]
    lines: set[int | None] = set()
    parts: list[str] = []
    for finding in blamed[:MOST_FINDINGS]:
        # Several judges often blame one line, which is shown once.
        parts.append(finding_text(finding, "" if finding.line in lines else attempt.snippet))
        lines.add(finding.line)
    if len(blamed) > MOST_FINDINGS:
        parts.append(f"(and {len(blamed) - MOST_FINDINGS} more)")
    parts += exception_parts(attempt, near)
    parts += [finding_text(finding, attempt.snippet) for finding in advice[: max(0, MOST_FINDINGS - len(blamed))]]
    parts += skipped_stages(attempt)
    parts += output_parts(attempt.report)
    parts += judgement_words(attempt)
    return "\n\n".join(parts)


def judgement_words(attempt: Attempt) -> list[str]:
    """The place and time of the judgements that blame something."""
    scene = attempt.report["evidence"]["scene"] if attempt.report else None
    at = f" at frame {scene['scene']['frame_current']}" if scene else ""
    blaming = [stage.name for stage in attempt.verdict.stages if stage.state is StageState.FAILED]
    said = [LOOKED[name].format(at=at) for name in blaming if name in LOOKED]
    return [" ".join(said)] if said else []


def blame(attempt: Attempt) -> list[str]:
    """The findings that fail an attempt, one per line."""
    errors = [finding for finding in attempt.verdict.findings() if finding.severity is Severity.ERROR]
    return [f"{finding.check}: {finding.message}" for finding in errors]


def in_brief(attempt: Attempt) -> str:
    """An earlier attempt for a model that goes on from a better one: its changes and its findings."""
    changed = [line for line in attempt.diff.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    more = [f"... and {len(changed) - CHANGED} more lines"] if len(changed) > CHANGED else []
    blamed = [text[:FOUND_LENGTH] for text in blame(attempt)[:BLAMED]]
    head = f"Attempt {attempt.number} changed this and failed at {attempt.verdict.reached}; it was taken back:"
    return "\n".join([head, *changed[:CHANGED], *more, *(f"- {text}" for text in blamed)])


def blames_looks(attempt: Attempt) -> bool:
    """True if a finding about the pictures is blamed."""
    return any(
        stage.name in ("render", "critic") and stage.state is StageState.FAILED for stage in attempt.verdict.stages
    )


def finding_text(finding: Finding, snippet: str) -> str:
    """One finding: its message, its hint, and its line in context."""
    kind = "error" if finding.severity is Severity.ERROR else "remark"
    where = f" in line {finding.line}" if finding.line else ""
    said = f"{finding.check} {kind}{where}: {finding.message}"
    hint = f"\n  hint: {finding.hint}" if finding.hint else ""
    lines = line_in_function(snippet, finding.line) if finding.line else ""
    return said + hint + (f"\n{lines}" if lines else "")


def line_in_function(snippet: str, line: int) -> str:
    """The line, marked, with its neighbours and the head of its function."""
    lines = python_lines(snippet)
    if not 1 <= line <= len(lines):
        return ""
    head = head_of_function(lines, line)
    first, last = max(1, line - AROUND), min(len(lines), line + AROUND)
    numbers = list(range(first, last + 1))
    if head and head < first:
        numbers = [head, *numbers]
    said: list[str] = []
    for number in numbers:
        if said and number > first and number - 1 not in numbers:
            said.append("      ...")
        mark = ">" if number == line else " "
        said.append(f"{mark}{number:4} | {lines[number - 1]}")
        if head and number == head < first - 1:
            said.append("      ...")
    return "\n".join(said)


def head_of_function(lines: Sequence[str], line: int) -> int | None:
    """The line of the innermost `def` around a line (from 1), by indentation; None at module level."""
    depth = len(lines[line - 1]) - len(lines[line - 1].lstrip())
    for number in range(line, 0, -1):
        text = lines[number - 1]
        indent = len(text) - len(text.lstrip())
        if text.strip() and (indent < depth or number == line):
            if re.match(r"\s*(async\s+)?def\s", text):
                return number
            depth = min(depth, indent)
    return None


def exception_parts(attempt: Attempt, near: Near) -> list[str]:
    """The last frames of the exception, and the names nearest to a missing name."""
    exception = attempt.report["claims"]["exception"] if attempt.report else None
    if exception is None:
        return []
    parts = ["\n".join(["The end of the traceback:", *exception["traceback"].splitlines()[-FRAMES:]])]
    trouble = trouble_of(attempt.verdict, exception)
    missing = trouble.missing_member if trouble else None
    if missing:
        address = f"bpy.types.{missing[0]}.{missing[1]}"
        found = near(address)
        if found:
            parts.append(f"There is no {address}. The nearest that exist: {', '.join(found)}")
    return parts


def skipped_stages(attempt: Attempt) -> list[str]:
    """The reasons of skipped stages, if a verdict is not passed although nothing failed."""
    if attempt.verdict.passed or any(stage.state is StageState.FAILED for stage in attempt.verdict.stages):
        return []
    return [f"{stage.name}: {stage.reason}" for stage in attempt.verdict.stages if stage.state is StageState.SKIPPED]


def output_parts(report: dict[str, Any] | None) -> list[str]:
    """The output of the snippet; the middle of a long output is left out."""
    if report is None:
        return []
    streams: Sequence[tuple[str, str]] = [("printed", "stdout"), ("printed as errors", "stderr")]
    captured = [(name, report["claims"][stream]) for name, stream in streams]
    return [f"It {name}:\n{ends_of(stream['text'])}" for name, stream in captured if stream and stream["text"].strip()]


def ends_of(text: str) -> str:
    """The head and tail of a text."""
    text = text.strip("\n")
    if len(text) <= 2 * OUTPUT_END:
        return text
    left_out = len(text) - 2 * OUTPUT_END
    return f"{text[:OUTPUT_END]}\n[... {left_out} characters left out ...]\n{text[-OUTPUT_END:]}"
