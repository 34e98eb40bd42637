"""A run in short, for a reader with little room: its ending, the reason, and the next thing to look at.

Everything that is left out is in the run itself.
"""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel

from app.jobs.run import UNFINISHED, Event, JobStatus, MatrixRow, Run
from app.verdict.faults import ToldFault, faults_of
from app.verdict.of_blender import ONLY_RAN, only_ran
from app.verdict.verdict import Severity, said_aside, unchecked

MOST_LINES: Final = 5
"""Findings, and notes on how the snippet came about."""
LINE_LENGTH: Final = 240
LONGEST_SAID: Final = 800
SHORTEST_SNIPPET: Final = 600


class Brief(BaseModel):
    """A run in short. Lists hold at most five entries; `left_out` says what is incomplete."""

    id: str
    status: JobStatus
    blender: str
    said: str
    """The ending, in a sentence."""
    snippet: str | None
    findings: list[str]
    """The faults of the last attempt, errors first; findings of several checks about one are one."""
    notes: list[str]
    """Notes on the reading of the request, or on the healing and its reasons."""
    blenders: dict[str, str]
    """The result on each Blender of the matrix."""
    artifact: str | None
    picture: str | None
    """Path of the picture on this service."""
    left_out: list[str]
    text: str
    """All of it as Markdown."""


def brief_of(run: Run, length: int | None = None) -> Brief:
    """The run in short, with a text of about `length` characters, for which the snippet is cut."""
    last = run.attempts[-1] if run.attempts else None
    found = faults_of(last.verdict.findings()) if last else []
    findings = sorted(found, key=lambda fault: fault.finding.severity is not Severity.ERROR)
    notes = last.notes if last else []
    sizes = (("findings", len(findings)), ("notes", len(notes)))
    brief = Brief(
        id=run.id,
        status=run.status,
        blender=run.blender,
        said=in_short(ending_of(run), LONGEST_SAID),
        snippet=None,
        findings=[*refused_words(run), *(line_of(fault) for fault in findings[:MOST_LINES])],
        notes=[in_short(note) for note in notes[:MOST_LINES]],
        blenders={row.blender: result_of(row) for row in run.matrix},
        artifact=run.artifact.id if run.artifact else None,
        picture=run.artifact.picture if run.artifact else None,
        left_out=[f"{count - MOST_LINES} {name}" for name, count in sizes if count > MOST_LINES],
        text="",
    )
    room = None if length is None else max(length - len(as_markdown(brief)), SHORTEST_SNIPPET)
    snippet, missing = shortened(run.snippet, room)
    cut = [f"{missing} characters at the end of the snippet"] if missing else []
    brief = brief.model_copy(update={"snippet": snippet, "left_out": [*cut, *brief.left_out]})
    return brief.model_copy(update={"text": as_markdown(brief)})


def shortened(snippet: str | None, length: int | None) -> tuple[str | None, int]:
    """The whole lines that fit, and the number of characters left out."""
    if snippet is None or length is None or len(snippet) <= length:
        return snippet, 0
    kept = snippet[: snippet.rfind("\n", 0, length) + 1] or snippet[:length]
    return kept, len(snippet) - len(kept)


def ending_of(run: Run) -> str:
    """The ending of a run, in a sentence or two."""
    if run.status in UNFINISHED:
        return f"Under way: {run.stage}."
    if run.error:
        return f"{sentence(run.error.message)} {run.error.hint}"
    if run.status is JobStatus.PROVEN:
        if only_ran(run.attempts[-1].verdict):
            return f"On Blender {run.blender} it {ONLY_RAN}: nothing is proven, and no artifact is kept."
        checked = unchecked(run.attempts[-1].verdict) if run.kind == "generate" else None
        others = [run.no_artifact_because, checked, said_aside(run.attempts[-1].verdict)]
        return " ".join([f"Proven on Blender {run.blender}.", *(sentence(reason) for reason in others if reason)])
    if run.dispute:
        said = f"Disputed on Blender {run.blender}: attempt {run.dispute.attempt} is not proven, and a model holds that"
        return f"{said} nothing is wrong with it: {sentence(run.dispute.reason)} Nothing has checked that reason."
    if run.attempts:
        reached = run.attempts[-1].verdict.reached
        stage = next(stage for stage in run.attempts[-1].verdict.stages if stage.name == reached)
        ended = sentence(run.ended_because) if run.ended_because else ""
        return f"Not proven on Blender {run.blender}: {reached}: {in_short(sentence(stage.reason))} {ended}".strip()
    return f"It ended as {run.status.replace('_', ' ')}."


def refused_words(run: Run) -> list[str]:
    """The parts of a refused request that were understood, and those that were not."""
    details = run.error.details if run.error else {}
    kinds = (("not understood", "not_understood"), ("understood", "understood"), ("still missing", "missing"))
    said = [in_short(f"{kind}: {'; '.join(details[name])}") for kind, name in kinds if details.get(name)]
    near = [f"{one['title']} ({one.get('ask') or one.get('artifact')})" for one in details.get("near", [])]
    return [*said, *(in_short(f"proven, and near it: {one}") for one in near)]


def sentence(text: str) -> str:
    """The text with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def line_of(fault: ToldFault) -> str:
    """A fault in a line."""
    finding = fault.finding
    where = f"line {finding.line}: " if finding.line else ""
    hint = f" {fault.hint}" if fault.hint else ""
    return in_short(f"{where}{finding.message}{hint} [{finding.check}/{finding.code}]")


def in_short(text: str, length: int = LINE_LENGTH) -> str:
    """The text in one line of bounded length."""
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 3]}..."


def result_of(row: MatrixRow) -> str:
    """The result on one Blender."""
    if row.proven:
        return "proven"
    return in_short(row.problem or (f"failed at {row.verdict.reached}" if row.verdict else "not judged"))


def as_markdown(brief: Brief) -> str:
    """A brief to be read."""
    parts = [fenced(brief.snippet)] if brief.snippet else []
    parts.append(brief.said)
    parts += [f"- {line}" for line in brief.findings]
    parts += [f"Notes: {'; '.join(brief.notes)}"] if brief.notes else []
    parts += [f"Blender {name}: {result}" for name, result in brief.blenders.items()]
    parts += [f"Left out: {', '.join(brief.left_out)}."] if brief.left_out else []
    return "\n".join(parts)


def fenced(snippet: str) -> str:
    """The snippet as a block of Markdown, which no line of it ends."""
    fence = "```"
    while fence in snippet:
        fence += "`"
    return f"{fence}python\n{snippet.rstrip()}\n{fence}\n"


def event_line(event: Event) -> str | None:
    """A line about an event for someone who waits; None if it says nothing new."""
    facts = event.facts
    match event.kind:
        case "stage":
            return str(facts["stage"])
        case "attempt":
            return f"attempt {facts['number']} " + ("passed" if facts["passed"] else f"failed at {facts['reached']}")
        case "healed":
            return in_short(f"healed for attempt {facts['attempt']}: {'; '.join(map(str, facts['because']))}")
        case "matrix":
            return f"Blender {facts['blender']}: " + ("proven" if facts["proven"] else "not proven")
        case "model":
            return f"the model is asked: {facts['step']}" if facts["state"] == "asked" else None
        case "finding" | "ended":
            return None
