"""The commands `repo source`: further sources of truth of a repository."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.cli.repo_index import index_source
from app.cli.repositories import Name, here, result_of
from app.cli.terminal import expected_errors
from app.observing.foreign import shown
from app.repositories import tasks
from app.repositories.further_sources import WantedSource, checked_source


def add_source(
    name: Name,
    path: Annotated[Path | None, typer.Argument(help="A folder of documents or code, or an export of issues.")] = None,
    package: Annotated[str | None, typer.Option(help="An installed package, in the version that is used.")] = None,
    called: Annotated[str | None, typer.Option("--name", help="A name for it, which its citations begin with.")] = None,
) -> None:
    """Add a source of truth to a repository and index it; prints its name."""
    repositories = here()
    with expected_errors():
        repository = repositories.get(name)
        project = repositories.project(repository)
        installed = result_of(tasks.package_of(project, package, True)) if package else None
        source = checked_source(WantedSource(package, path, called), repositories.allowed, installed)
        source = index_source(repositories, repository, source)
        repositories.keep(repository.with_sources(source))
    print(shown(source.name))


def remove_source(name: Name, source: Annotated[str, typer.Argument(help="Name of the source.")]) -> None:
    """Take a source away from a repository; its files stay."""
    repositories = here()
    with expected_errors():
        repository = repositories.get(name)
        repositories.keep(repository.without(source))
        repositories.discard_source(repository, source)
