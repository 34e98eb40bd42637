"""`repo change`: a model changes a repository, with tests as evidence, on a branch of its own."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from app.addons.registering import registering
from app.blenders.preparation import blenders_of
from app.cli.exits import NOT_AVAILABLE, NOT_PROVEN, USAGE
from app.cli.porting import sandbox_of
from app.cli.repositories import Name, here
from app.cli.terminal import expected_errors, fail, own_settings, print_code, talk
from app.jobs.budget import Budget
from app.jobs.spending import Spending
from app.llm.message import ModelUnavailable
from app.llm.models import Models
from app.observing.foreign import document, escape
from app.observing.logs import log_for_people
from app.repositories.changing.change import Bench, change
from app.repositories.changing.change_files import ChangeFiles
from app.repositories.changing.record import Change, ChangeRequest, new_change
from app.repositories.project import Project
from app.settings import Settings
from harness.blenders import choose
from harness.launcher import HarnessFault

SHOWN_TESTS = 10


def change_repository(
    name: Name,
    request: Annotated[str, typer.Argument(help="What is to be changed, in plain words.")],
    test: Annotated[
        list[str] | None, typer.Option("--test", help="A test that fails now and must pass afterwards.")
    ] = None,
    on: Annotated[
        list[str] | None, typer.Option("--on", help="A Blender to register the add-ons on before and after.")
    ] = None,
    branch: Annotated[bool, typer.Option(help="Commit what is accepted on a new branch.")] = True,
    diff: Annotated[bool, typer.Option("--diff", help="Print the patch.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Have a model change a repository: plan, patch, tests before and after, review, at most three rounds.

    The working tree stays as it is. Exit code 1 unless tests failed before it and pass now, and none broke.
    """
    settings = own_settings()
    if not request.strip():
        fail("Say what is to be changed.", USAGE)
    if not settings.model_providers():
        fail("Changing needs a model: docs/models.md says how to set one up.", NOT_AVAILABLE)
    log_for_people("error")
    repositories = here()
    with expected_errors():
        project = repositories.project(repositories.get(name))
        wanted = ChangeRequest(request=request, tests=test or [], blenders=on or [], on_branch=branch)
        made = new_change(name, wanted)
        try:
            asyncio.run(changed(settings, made, project))
        except ModelUnavailable as error:
            fail(f"No model answered: {error}", NOT_AVAILABLE)
        except HarnessFault as fault:
            fail(f"A part of ours failed: {fault}. Try again.", NOT_AVAILABLE)
        ChangeFiles(repositories.place).keep(made)
    if as_json:
        print(document(made.model_dump(mode="json")))
    else:
        show(made, diff)
    if made.status != "accepted":
        raise typer.Exit(NOT_PROVEN)


async def changed(settings: Settings, made: Change, project: Project) -> None:
    """Take a change to its end with these settings."""
    sandbox = sandbox_of(settings)
    blenders = blenders_of(settings)
    wanted = [choose(blenders, one) for one in made.blenders]
    budget = Budget(settings.model_run_tokens, settings.model_run_s, settings.model_run_cost)
    async with Models(settings.model_providers()) as models:
        with talk.status("reading") as status:
            bench = Bench(
                Spending(models, budget),
                sandbox,
                blenders,
                registering(made.repository, wanted, sandbox),
                say=lambda what: status.update(escape(what)),
            )
            await change(made, project, bench)


def show(made: Change, diff: bool) -> None:
    """Print the branch or the patch on standard output; plan, tests and status on standard error."""
    if made.plan:
        talk.print(f"[bold]{escape(made.plan.goal)}[/] ({made.plan.kind})")
        for step in made.plan.steps:
            talk.print(escape(f"  {step.place + ': ' if step.place else ''}{step.do}"))
    for attempt in made.attempts:
        talk.print(escape(f"attempt {attempt.number}: {attempt.problem or 'accepted'}"))
        for run in attempt.evidence.runs if attempt.evidence else []:
            talk.print(f"    [dim]{escape(f'{run.of}: {run.said} ({run.seconds:.1f} s)')}[/]")
            for failure in run.failures:
                talk.print(f"        [dim]{escape(failure)}[/]")
    last = made.attempts[-1].evidence if made.attempts else None
    marked = [("mended", last.mended), ("broken", last.broken), ("flaky", last.flaky)] if last else []
    for mark, tests in [*marked, ("new finding of mypy", last.types if last else [])]:
        for test in tests[:SHOWN_TESTS]:
            talk.print(escape(f"{mark}: {test}"))
    talk.print(escape(f"{made.id}: {made.status}. {made.note}".rstrip()))
    talk.print(f"[dim]{made.tokens_in} tokens asked, {made.tokens_out} answered, {made.seconds:.1f} s[/]")
    if diff or (made.patch and not made.branch):
        print_code(made.patch)
    elif made.branch:
        print(made.branch)
