"""`repo edit`: a model rewrites a file of a repository, or each file of a folder."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Final

import typer

from app.cli.exits import NOT_AVAILABLE, NOT_PROVEN, USAGE
from app.cli.repositories import Name, here
from app.cli.terminal import expected_errors, fail, own_settings, print_code, talk
from app.jobs.budget import Budget
from app.jobs.spending import Spending
from app.llm.message import ModelUnavailable
from app.llm.models import Models
from app.observing.foreign import escape
from app.observing.logs import log_for_people
from app.repositories.editing import Editor, EditResult
from app.settings import Settings

ANY: Final = Budget(10**12, 10.0**9, None)
"""Whoever edits a folder by hand sees what it takes, and may stop it."""


def edit_repository(
    name: Name,
    file: Annotated[str, typer.Argument(help="The file, or a folder of files, by its path in the repository.")],
    instruction: Annotated[str, typer.Argument(help="What is to be changed, in plain words.")],
    write: Annotated[bool, typer.Option("--write", help="Write the file.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Print the difference as a patch.")] = False,
) -> None:
    """Have a model rewrite a file, with what is near in the other files beside it; prints the file.

    A call again with the same words goes on where it ended, and asks for no file twice. Exit code 1 if one was refused.
    """
    settings = own_settings()
    if not instruction.strip():
        fail("Say what is to be changed.", USAGE)
    if not settings.model_providers():
        fail("Editing needs a model: docs/models.md says how to set one up.", NOT_AVAILABLE)
    log_for_people("error")
    repositories = here()
    with expected_errors():
        repository = repositories.get(name)

        place = (repository.root, repositories.index_folder(repository))
        try:
            refused = asyncio.run(edit_all(settings, place, file, instruction, write, diff))
        except ModelUnavailable as error:
            fail(f"No model answered: {error}", NOT_AVAILABLE)
    if refused:
        raise typer.Exit(NOT_PROVEN)


async def edit_all(
    settings: Settings, place: tuple[Path, Path], file: str, instruction: str, write: bool, diff: bool
) -> int:
    """Edit files of a repository, whose folder and index are given, and print each; answers how many were refused."""
    refused = 0
    async with Models(settings.model_providers()) as models:
        async for edited in Editor(*place, Spending(models, ANY)).edit_all(file, instruction, write):
            refused += bool(edited.problem)
            show(edited, write, diff or edited.path != file.removeprefix("./"))
    return refused


def show(edited: EditResult, write: bool, diff: bool) -> None:
    """Print what came of one file, and what was asked of the model."""
    if edited.problem:
        talk.print(f"[red]{escape(f'{edited.path}: refused: {edited.problem}')}[/]")
        return
    asked = edited.sizes.said() if edited.sizes else "remembered, no model was asked"
    changed = "" if edited.old != edited.new else "; nothing is changed"
    talk.print(escape(f"{edited.path}: {asked}{changed}"))
    if diff:
        print_code(edited.patch)
    elif not write:
        print_code(edited.new)
    if write and edited.old != edited.new:
        talk.print(escape(f"{edited.path}: written"))
