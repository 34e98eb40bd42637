"""`blendproof repo diagnose`: what a log leads to, printed for people or as JSON."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer
from pydantic import TypeAdapter

from app.blenders.manifests import Manifests
from app.blenders.preparation import blenders_of
from app.cli.exits import NOT_AVAILABLE, NOT_PROVEN, USAGE
from app.cli.repositories import Name, here, say_fresh
from app.cli.terminal import expected_errors, fail, own_settings, read_text, talk
from app.llm.models import Models
from app.observing.foreign import document, escape, shown
from app.observing.logs import log_for_people
from app.repositories.diagnose import confirm, diagnose_log
from app.repositories.explaining import ExplainedDiagnosis, Explainer, Explanation, add_explanation
from app.repositories.hands import here as here_asked
from app.repositories.project import Project
from app.settings import Settings
from codebase.diagnosis.issues import Issue, solved_issues
from codebase.diagnosis.shapes import CallerReport, Crash, DefinitionReport, Diagnosis, ErrorReport
from harness.blenders import Blender, BlenderNotAvailable

BESIDE: Final = 3
"""Lines above and below a crash line that are printed; JSON has about fifty."""
VALUES: Final = 8
RELATIONS: Final = {
    "cause": "which caused",
    "context": "and while that was handled",
    "inside": "which reports",
    "part": "with",
}


def diagnose_repository(
    name: Name,
    log: Annotated[Path, typer.Argument(help="A log; - reads standard input.")] = Path("-"),
    issues: Annotated[
        Path | None, typer.Option(help="Solved issues as JSON, each with `error` and `solution`.")
    ] = None,
    confirmed: Annotated[
        tuple[str, str] | None, typer.Option("--confirm", metavar="ID PATH:LINE", help="Remember where the fault was.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Have a model explain it, with checked citations, and propose a patch.")
    ] = False,
    note: Annotated[str, typer.Option(help="With --confirm: what was wrong, and what solved it.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON, the source included.")] = False,
) -> None:
    """Find where the errors of a log are from: crash lines, what is used there, and suspects with reasons.

    Exit code 1 if nothing in the log is of this repository.
    """
    repositories = here()
    with expected_errors():
        repository = repositories.get(name)
        project = repositories.project(repository)
        if confirmed:
            done = asyncio.run(here_asked(confirm, project, name, *confirmed, note))
            talk.print(
                f"remembered: {escape(done.type)} in {escape(done.function or done.path)} is from {escape(done.fault)}"
            )
            return
        text = read_text(log)
        if not text.strip():
            fail("The log is empty.", USAGE)
        settings = own_settings()
        if explain and not settings.model_providers():
            fail("Explaining needs a model: docs/models.md says how to set one up.", NOT_AVAILABLE)
        diagnosed = diagnose_log(project, text, installed(), Manifests(settings.home).of, issues_in(issues))
        found = asyncio.run(with_explanation(settings, project, diagnosed, explain))
    if as_json:
        print(document(TypeAdapter(ExplainedDiagnosis).dump_python(found, mode="json")))
    else:
        print("\n".join(map(shown, [*report(found), *explanation_lines(found.explanation)])))
    say_fresh(found.freshness)
    if found.stopped:
        fail(found.stopped, NOT_PROVEN)


async def with_explanation(
    settings: Settings, project: Project, diagnosis: Diagnosis, wanted: bool
) -> ExplainedDiagnosis:
    """A diagnosis with the explanation of a model, if that is wanted."""
    if not wanted:
        return add_explanation(diagnosis, None)
    log_for_people("error")
    async with Models(settings.model_providers()) as models:
        explainer = Explainer(models, settings.model_run_s)
        return add_explanation(diagnosis, await explainer.explain(project, diagnosis, here_asked))


def explanation_lines(said: Explanation | None) -> Iterator[str]:
    """The words of a model, and the patch that it proposes."""
    if said is None:
        return
    yield from ("", f"explanation ({said.model or said.status})")
    yield from (f"    {line}" for line in said.text.split("\n") if said.text)
    yield from (f"    {one.citation} is struck out: {one.reason}" for one in said.struck)
    if said.note:
        yield f"    {said.note}"
    if said.patch:
        yield from ("", "proposed patch, which no test has seen", *said.patch.rstrip("\n").split("\n"))


def installed() -> list[Blender]:
    """The Blenders whose API can be asked; none is no error here."""
    try:
        return blenders_of(own_settings())
    except BlenderNotAvailable:
        return []


def issues_in(file: Path | None) -> list[Issue]:
    """The solved issues of an export; wrong usage if there are none."""
    if file is None:
        return []
    try:
        return solved_issues(read_text(file))
    except ValueError as error:
        fail(f"{file} holds no solved issues: {error}.", USAGE)


def report(diagnosis: Diagnosis) -> Iterator[str]:
    """The lines of a diagnosis for people."""
    for error in diagnosis.errors:
        yield from error_lines(error)
    for request in diagnosis.requests:
        yield f"{request.method} {request.path} {request.status or ''}".strip()
        yield from (f"    {request.meaning}" for _ in [0] if request.meaning)
        yield from (f"    answered by {line}" for line in map(link_line, request.answered_by))
    for crash in diagnosis.crashes:
        yield ""
        yield from crash_lines(crash)
    for title, lines in (
        ("known", [f"{one.fit}: {one.title} -> {one.fault} {one.solution} ({one.source})" for one in diagnosis.known]),
        ("changed in Blender", [f"{one.citation}  {one.says} (Blender {one.blender})" for one in diagnosis.drift]),
        ("API", [f"{one.address}{one.signature and ': ' + one.signature}  {one.says}" for one in diagnosis.symbols]),
        (
            "suspects",
            [
                f"{one.likelihood:8}  {one.citation}  {one.name}: {'; '.join(one.reasons[:3])}"
                for one in diagnosis.suspects
            ],
        ),
        ("examined", diagnosis.examined),
    ):
        if lines:
            yield from ("", title, *(f"    {line}" for line in lines))
    yield from ("", f"diagnosis {diagnosis.id}")


def error_lines(error: ErrorReport) -> Iterator[str]:
    """An error and its frames."""
    yield f"{RELATIONS.get(error.relation, '')} {error.title}".strip()
    if error.meaning:
        yield f"    {error.meaning}"
    for frame in error.frames:
        if frame.citation:
            yield f"    {frame.citation}  {frame.function}  ({frame.says})"
    outside = sum(frame.citation is None for frame in error.frames)
    if outside:
        yield f"    {outside} frames elsewhere"


def crash_lines(crash: Crash) -> Iterator[str]:
    """A crash line with the lines beside it, and what is used there."""
    yield f"{crash.citation}  {crash.signature or crash.function}"
    number = int(crash.citation.rpartition(":")[2])
    first = int(crash.around_citation.rpartition(":")[2].partition("-")[0])
    for at, line in enumerate(crash.around.split("\n"), first):
        if abs(at - number) <= BESIDE:
            yield f"  {'>' if at == number else ' '} {at:5} {line}"
    yield from (f"    uses {definition_line(one)}" for one in crash.definitions)
    yield from (f"    value from {definition_line(one)}" for one in crash.values[:VALUES])
    yield from (f"    called by {link_line(one)}" for one in crash.callers)
    yield from (f"    linked with {link_line(one)}" for one in crash.frameworks)
    yield from (f"    changed by {one.commit[:12]} {one.subject} ({one.author})" for one in crash.changes)


def definition_line(definition: DefinitionReport) -> str:
    name = definition.signature or definition.name
    return f"{definition.citation}  {name}  ({definition.certainty}, as {definition.used})"


def link_line(link: CallerReport) -> str:
    return f"{link.citation}  {link.name}  ({link.kind}, {link.certainty})"
