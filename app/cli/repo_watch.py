"""`blendproof repo watch`: an index that follows the files."""

from __future__ import annotations

from app.cli.repositories import Name, here
from app.cli.terminal import expected_errors, talk
from codebase.index.watching import watch


def watch_repository(name: Name) -> None:
    """Keep the index of a repository up to date, until Ctrl+C."""
    repositories = here()
    with expected_errors():
        repository = repositories.get(name)
        for done in watch(repository.root, repositories.index_folder(repository)):
            talk.print(f"{done.files} files: {done.read} read, {done.removed} removed in {done.seconds:.2f} s")
