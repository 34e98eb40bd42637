"""The data of the templates: snippets with findings at their lines, verdicts, attempts as diffs, steps of a run.

Templates get plain text and escape it; the one exception is the markup of a highlighted snippet, which Pygments makes
and escapes.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from app.artifacts.search.index import ENGINES
from app.artifacts.store.record import docstring, first_comment
from app.jobs.run import AnyJob, Attempt, JobStatus, Run
from app.verdict.faults import ToldFault, faults_of
from app.verdict.verdict import Finding, Verdict
from harness.versions import series_of

STEPS: Final[tuple[tuple[str, str], ...]] = (
    ("queued", "Wait for a place"),
    ("retrieve", "Find the symbols"),
    ("draft", "Draft the snippet"),
    ("attempt", "Check and execute in Blender"),
    ("heal", "Judge, and heal what failed"),
    ("matrix", "Judge it on other Blenders"),
    ("publish", "Publish what is proven"),
)
STAGE_NAMES: Final = {
    "parse": "Parse",
    "policy": "Policy",
    "lint": "Lint",
    "types": "Types",
    "api": "Blender API",
    "execute": "Execute",
    "repeat": "Repeat",
    "scene": "Scene",
    "render": "Render",
    "accept": "Acceptance",
    "critic": "Critic",
}
KEY_NAMES: Final = (
    ("/", "search what was proven"),
    ("n", "ask for something new"),
    ("r", "the runs"),
    ("o", "the overview"),
    ("c", "change something in this snippet"),
    ("e", "edit this snippet"),
    ("?", "this list"),
    ("Ctrl Enter", "send what you write"),
)
UNDER_WAY: Final = {"queued": "waiting", "running": "under way", "working": "under way"}
STATUS_NAMES: Final = {**{status.value: status.replace("_", " ") for status in JobStatus}, **UNDER_WAY}
"""The words for the states of jobs, those of changes among them."""


FOR_OPERATORS: Final = "The operator of this service can change that."


@dataclass(frozen=True)
class SnippetLine:
    """One line of a snippet as markup, with its faults."""

    number: int
    markup: Markup
    faults: list[ToldFault]


@dataclass(frozen=True)
class Snippet:
    """A snippet to show and to copy."""

    text: str
    lines: list[SnippetLine]


@dataclass(frozen=True)
class Difference:
    """An attempt and the diff to the one that it was made from: lines with their sign."""

    attempt: Attempt
    lines: list[tuple[str, str]]


@dataclass(frozen=True)
class RunStep:
    """One step of a run: `done`, `now` or `later`."""

    name: str
    state: str


@dataclass(frozen=True)
class RunProgress:
    """The progress of a run: step `at` of `of` steps, counted from 1."""

    at: int
    of: int
    name: str


def snippet_view(snippet: str, markup: str, findings: Sequence[Finding]) -> Snippet:
    """A snippet in this markup, with each fault at its line."""
    faults = faults_of(findings)
    lines = [
        SnippetLine(number, Markup(line), [fault for fault in faults if fault.finding.line == number])
        for number, line in enumerate(markup.split("\n"), start=1)
    ]
    while len(lines) > 1 and not lines[-1].markup:
        lines.pop()
    return Snippet(snippet, lines)


def verdict_view(verdict: Verdict) -> dict[str, Any]:
    """The verdict as plain values; `agrees` of a finding is the check that tells its fault, if another one does."""
    plain = verdict.model_dump(mode="json")
    telling = {id(one): fault.finding.check for fault in faults_of(verdict.findings()) for one in fault.agree}
    for stage, shown in zip(verdict.stages, plain["stages"], strict=True):
        for finding, plain_finding in zip(stage.findings, shown["findings"], strict=True):
            plain_finding["agrees"] = telling.get(id(finding))
    return plain


def attempt_views(attempts: Sequence[Attempt]) -> list[Difference]:
    """Each attempt with its difference from the one that it was made from."""
    return [Difference(attempt, diff_lines(attempt.diff)[2:]) for attempt in attempts]


def diff_lines(diff: str) -> list[tuple[str, str]]:
    """The lines of a diff, each as its sign and the rest."""
    return [(line[:1] or " ", line[1:]) for line in diff.splitlines()]


def steps_of(run: AnyJob) -> list[RunStep]:
    """The steps of a run, with its progress."""
    several = run.stage.startswith("matrix") or (isinstance(run, Run) and bool(run.matrix))
    steps = [step for step in STEPS if several or step[0] != "matrix"]
    keys = [key for key, _ in steps]
    at = next((place for place, key in enumerate(keys) if run.stage.startswith(key)), 1)
    over = run.finished_at is not None
    states = [
        "done" if place < at or (over and run.status is JobStatus.PROVEN) else "later" for place in range(len(keys))
    ]
    if not over:
        states[at] = "now"
    return [RunStep(name, state) for (_, name), state in zip(steps, states, strict=True)]


def place_of(run: AnyJob) -> RunProgress:
    """The step that a run is at."""
    steps = steps_of(run)
    at = next((place for place, step in enumerate(steps) if step.state == "now"), len(steps) - 1)
    return RunProgress(at + 1, len(steps), steps[at].name)


def run_words(run: AnyJob) -> str:
    """The request of a job in words; for a snippet of the user, its docstring, first comment or first line of code."""
    if isinstance(run, Run) and run.kind == "validate" and run.snippet:
        lines = (line.strip() for line in run.snippet.splitlines())
        code = (line for line in lines if line and not line.startswith(("import ", "from ", "#")))
        return docstring(run.snippet) or first_comment(run.snippet) or next(code, run.title)
    return run.title.strip("\"' ") or run.title


def when(moment: str | None) -> str:
    """A date and time for people."""
    return datetime.fromisoformat(moment).strftime("%-d %b %Y, %H:%M UTC") if moment else ""


def duration_words(run: AnyJob) -> str:
    """The duration of the work on a job, with its unit; empty if it has not ended."""
    if not (run.started_at and run.finished_at):
        return ""
    seconds = (datetime.fromisoformat(run.finished_at) - datetime.fromisoformat(run.started_at)).total_seconds()
    return f"{seconds:.1f} s"


def seconds_words(seconds: float | None) -> str:
    """A time with its unit, for people; None stands for more than the largest bound."""
    if seconds is None:
        return "longer"
    return f"{seconds:.0f} s" if seconds >= 100 else f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms"


def gib(size: float) -> str:
    """Bytes as GiB."""
    return f"{size / 2**30:.1f}"


def engine_words(engine: str) -> str:
    """An engine as Blender's user interface calls it."""
    names = {identifier: name for name, identifier in ENGINES.items()}
    known = names.get(engine.removesuffix("_NEXT"))
    return {"eevee": "EEVEE"}.get(known, known.capitalize()) if known else engine


def object_words(kind: str) -> str:
    return kind.replace("_", " ").capitalize()


def with_query(given: dict[str, Any], **changes: Any) -> str:
    """A query string of these values with some of them changed; values that become None are left out."""
    merged = {**given, **changes}
    return "?" + urlencode({name: value for name, value in merged.items() if value not in (None, "")})


def linked(hint: str) -> Markup:
    """A hint for a visitor: the pages of the documentation that it names are links, and settings are not named."""
    sentences = re.split(r"(?<=\.) ", hint)
    text = " ".join(one for one in sentences if "BLENDPROOF_" not in one) or FOR_OPERATORS
    return Markup(re.sub(r"docs/([\w-]+)\.md", r'<a href="/page/docs/\1.md">the page on \1</a>', str(escape(text))))


@functools.cache
def recipe_picture(recipe: str) -> str | None:
    """The address of the picture of a recipe; None if there is none."""
    name = f"recipe-{recipe}.webp"
    return f"/page/files/{name}" if (Path(__file__).with_name("files") / name).is_file() else None


@functools.cache
def environment() -> Environment:
    """The templates; every value is escaped, and a missing one is an error."""
    made = Environment(
        loader=PackageLoader("app.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        when=when,
        duration=duration_words,
        series=series_of,
        engine=engine_words,
        object_type=object_words,
        with_query=with_query,
        linked=linked,
        recipe_picture=recipe_picture,
        seconds=seconds_words,
        gib=gib,
    )
    known: dict[str, Any] = made.globals
    known.update(stage_names=STAGE_NAMES, status_names=STATUS_NAMES, key_names=KEY_NAMES)
    return made


def render(template: str, **values: Any) -> str:
    """The page of a template with these values."""
    return environment().get_template(template).render(**values)
