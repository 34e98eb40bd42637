"""`repo port`: the add-ons of a repository for another Blender, as a patch or on a branch."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from app.addons.discovery import Contents, contents_in_zip, contents_of
from app.addons.draft import Workshop
from app.addons.port import port
from app.addons.report import GUESSED, PortedAddon, PortedFile, PortReport, SuiteOutcome, json_names, message_of
from app.blenders.manifests import Manifests
from app.blenders.preparation import blenders_of
from app.cli.exits import NOT_AVAILABLE, NOT_PROVEN, USAGE
from app.cli.repositories import here
from app.cli.terminal import expected_errors, fail, own_settings, print_code, read_bytes, talk
from app.errors import SandboxMissing
from app.jobs.budget import Budget
from app.jobs.spending import Spending
from app.llm.models import Models
from app.observing.foreign import document, escape, shown
from app.observing.logs import log_for_people
from app.repositories.register import Repositories
from app.repositories.testing import plan_or_why
from app.service import startup
from app.settings import Settings
from codebase.tree.commits import branch_off, check_branching
from codebase.tree.suite import suite_of
from harness.addons import Registration
from harness.blenders import Blender, choose
from harness.launcher import HarnessFault
from harness.readers import Readers
from harness.sandbox.ladder import Sandbox, strongest

SHOWN_LEFT = 20


def port_repository(
    name: Annotated[str, typer.Argument(help="Name of the repository, or the path of a .zip with an add-on.")],
    to: Annotated[str, typer.Option("--to", help="The Blender to port to, such as 5.0.")],
    since: Annotated[
        str | None, typer.Option("--from", help="A Blender that it should go on working with, such as 4.2.")
    ] = None,
    place: Annotated[str, typer.Option("--at", help="Only the add-ons at or below this path.")] = "",
    model: Annotated[bool, typer.Option("--model", help="Ask a model where no rule helps.")] = False,
    branch: Annotated[bool, typer.Option("--branch", help="Commit the changes on a new branch.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Print the patch.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON, the patch included.")] = False,
) -> None:
    """Adapt the add-ons of a repository, or of a zip, to another Blender by rules; registers them before and after.

    With --model, a model is asked where no rule helps; what it changes is kept only if the add-on gets further.

    The working tree stays as it is. Exit code 1 if an add-on does not register afterwards.
    """
    settings = own_settings()
    if model and not settings.model_providers():
        fail("--model needs a model: docs/models.md says how to set one up.", NOT_AVAILABLE)
    if model:
        log_for_people("error")
    repositories = here()
    with expected_errors():
        root, contents = contents_named(name, repositories)
        if branch and (root is None or contents.commit is None):
            fail("--branch needs a Git repository with a commit; --diff prints the patch.", USAGE)
        blenders = wanted(settings, to, since)
        if branch and root and contents.commit:
            check_branching(root, branch_name(blenders[0].version))
        ported = asyncio.run(ported_by(settings, contents, blenders, place, model))
        if branch and root and contents.commit and ported.patch:
            ported = on_branch(root, contents.commit, ported)
    if as_json:
        facts = dataclasses.asdict(dataclasses.replace(ported, changed={}), dict_factory=json_names)
        print(document({**facts, "passed": ported.passed}))
    elif diff:
        print_code(ported.patch)
    else:
        show(ported)
    if not ported.passed:
        raise typer.Exit(NOT_PROVEN)


def contents_named(name: str, repositories: Repositories) -> tuple[Path | None, Contents]:
    """The files of a repository of this name, with its folder, or those of a zip."""
    if name.endswith(".zip") and Path(name).is_file():
        with contextlib.closing(Readers(strongest())) as readers:
            return None, contents_in_zip(read_bytes(Path(name)), Path(name).stem, readers)
    repository = repositories.get(name)
    return repository.root, contents_of(repository.root, repository.root.name)


def wanted(settings: Settings, to: str, since: str | None) -> list[Blender]:
    """The Blenders to register on, the one to port to first."""
    there = blenders_of(settings)
    return list(dict.fromkeys(choose(there, one) for one in (to, since) if one is not None))


async def ported_by(
    settings: Settings, contents: Contents, blenders: list[Blender], place: str, with_model: bool = False
) -> PortReport:
    """Port with these Blenders."""
    sandbox = sandbox_of(settings)
    manifest = Manifests(settings.home).of(blenders[0])
    tests = plan_or_why(suite_of(contents.files), blenders_of(settings), blenders[0])
    budget = Budget(settings.model_run_tokens, settings.model_run_s, settings.model_run_cost)
    async with contextlib.AsyncExitStack() as held:
        models = None
        if with_model:
            models = Spending(Models(settings.model_providers()), budget)
            held.push_async_callback(models.models.close)
        status = held.enter_context(talk.status("reading"))
        workshop = Workshop(
            blenders, manifest, sandbox, lambda what: status.update(escape(what)), tests=tests, models=models
        )
        try:
            return await port(contents, workshop, place)
        except HarnessFault as fault:
            fail(f"A part of ours failed: {fault}. Try again.", NOT_AVAILABLE)


def sandbox_of(settings: Settings) -> Sandbox:
    """The sandbox of this machine, after it was attacked. Raises SandboxMissing and SandboxBroken."""
    sandbox = startup.prove_sandbox(settings)
    if not sandbox.serves:
        raise SandboxMissing("Nothing on this machine isolates an add-on, so it is not registered.")
    return sandbox


def on_branch(root: Path, commit: str, ported: PortReport) -> PortReport:
    """The changes as a commit on a branch of their own."""
    message = message_of(ported)
    name = branch_off(root, commit, branch_name(ported.to), ported.changed, message)
    return dataclasses.replace(ported, branch=name)


def branch_name(version: str) -> str:
    return f"blendproof/port-{version}"


def show(ported: PortReport) -> None:
    """Print the account: per add-on how it registers, what was changed and why, and what is left."""
    for path, reason in ported.skipped.items():
        if path.endswith(".py"):
            talk.print(f"left out: {escape(path)}: {escape(reason)}")
    for addon in ported.addons:
        show_addon(addon)
    show_tests(ported.tests)
    changed = sum(bool(file.hunks) for addon in ported.addons for file in addon.files)
    registers = sum(addon.passed for addon in ported.addons)
    what = f"{registers} of {len(ported.addons)} add-ons register on Blender {ported.to}; files changed: {changed}"
    talk.print(what + (f" on branch {escape(ported.branch)}" if ported.branch else ""))


def show_tests(tests: SuiteOutcome) -> None:
    """Print what became of the repository's own tests."""
    if tests.compared is None:
        talk.print(escape(f"tests: not run: {tests.why}"))
        return
    print(shown(f"tests ({tests.why}) before: {tests.compared.before.said}"))
    print(shown(f"tests ({tests.why}) after: {tests.compared.after.said}"))
    for name in tests.compared.broken:
        print(shown(f"  broken: {name}"))


def show_addon(addon: PortedAddon) -> None:
    """Print one add-on."""
    print(shown(f"{addon.place or addon.module}: {addon.seconds:.1f} s"))
    for row in addon.registrations:
        show_registration(f"Blender {row.blender} before", row.before)
        show_registration(f"Blender {row.blender} after", row.after)
        if row.worse:
            print("    It came further before, or what did well before raises now.")
        if row.after.left_behind:
            print(shown(f"    still registered after it was unregistered: {', '.join(row.after.left_behind)}"))
    for guess in (False, True):
        reasons = addon.reasons(guess)
        if guess and reasons:
            print(f"  {GUESSED}")
        for path, reason in reasons:
            print(shown(f"  {path}:{reason.line}: {reason.reason} [{reason.rule}]"))
    for note in addon.notes:
        print(shown(f"  {note}"))
    for file in addon.files:
        show_left(file)


def show_registration(when: str, done: Registration) -> None:
    """Print how far an add-on came, and what raised when it was used."""
    print(shown(f"  {when}: {done.said}" + (f"; used once each: {done.used}" if done.uses else "")))
    for use in done.raising[:SHOWN_LEFT]:
        print(shown(f"    {use.what}: {use.problem.said if use.problem else use.how}"))


def show_left(file: PortedFile) -> None:
    """Print what was taken back in one file, and what is left in it."""
    for reason in file.taken_back:
        print(shown(f"  {file.path}:{reason.line}: taken back: {reason.reason} [{reason.rule}]"))
    for finding in file.remaining[:SHOWN_LEFT]:
        print(shown(f"  {file.path}:{finding.line}: left: {finding.message} {finding.hint}".rstrip()))
    if len(file.remaining) > SHOWN_LEFT:
        print(shown(f"  {file.path}: and {len(file.remaining) - SHOWN_LEFT} more findings"))
