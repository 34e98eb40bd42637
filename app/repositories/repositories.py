"""The repositories of this service: each has a name, a folder that is only read, and an index in the data folder.

<data>/repositories/<name>/repository.json index.sqlite
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ValidationError

from app.errors import InvalidRequest, NotFound, StorageFailed
from codebase.errors import RepositoryError
from codebase.files import list_files

FILE: Final = "repository.json"
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class Repository(BaseModel):
    """A repository that was added."""

    name: str
    root: Path
    """The folder of its files."""


class RepositoryNotFound(NotFound):
    code = "repository_not_found"
    hint = "`blendproof repo list` shows the repositories, `blendproof repo add PATH` adds one."


class RepositoryRefused(InvalidRequest):
    code = "repository_refused"
    hint = "See docs/repositories.md for what can be added."


class Repositories:
    """The repositories below a folder."""

    def __init__(self, data: Path) -> None:
        self._folder = data / "repositories"

    def all(self) -> list[Repository]:
        """The repositories by name; a damaged entry is left out."""
        found = (self._read(place.name) for place in sorted(self._folder.glob("*")) if place.is_dir())
        return [one for one in found if one is not None]

    def get(self, name: str) -> Repository:
        """The repository of a name. Raises RepositoryNotFound."""
        found = self._read(name) if NAME.fullmatch(name) else None
        if found is None:
            names = ", ".join(one.name for one in self.all()) or "none"
            raise RepositoryNotFound(f"There is no repository {name}; there are: {names}.")
        return found

    def add(self, root: Path, name: str | None = None) -> Repository:
        """Add a Git working tree or a plain folder. Raises RepositoryRefused and StorageFailed."""
        root = Path(os.path.abspath(root.expanduser()))  # noqa: PTH100 - resolve() would raise on a loop of links
        named = name or re.sub(r"[^A-Za-z0-9._-]+", "-", root.name).strip("-._")
        if not NAME.fullmatch(named):
            raise RepositoryRefused(
                f"{named or root} cannot be the name of a repository.",
                "Choose one with --name: letters, digits, dots, dashes, at most 64.",
            )
        known = self._read(named)
        if known is not None and known.root != root:
            raise RepositoryRefused(f"{named} is already the name of {known.root}.", "Choose another with --name.")
        try:
            listing = list_files(root)
        except (RepositoryError, OSError, RuntimeError) as error:
            raise RepositoryRefused(str(error)) from error
        if not listing.paths:
            raise RepositoryRefused(f"There are no files to read in {root}: it is empty, or everything is ignored.")
        repository = Repository(name=named, root=root)
        self._write(repository)
        return repository

    def remove(self, name: str) -> Repository:
        """Forget a repository and its index; its own files stay. Raises RepositoryNotFound and StorageFailed."""
        repository = self.get(name)
        try:
            shutil.rmtree(self.index_folder(repository))
        except OSError as error:
            raise StorageFailed(f"{self.index_folder(repository)} cannot be removed: {error.strerror}.") from error
        return repository

    def index_folder(self, repository: Repository) -> Path:
        """The folder of its index."""
        return self._folder / repository.name

    def _read(self, name: str) -> Repository | None:
        try:
            return Repository.model_validate(json.loads((self._folder / name / FILE).read_text()))
        except (OSError, ValueError, ValidationError):
            return None

    def _write(self, repository: Repository) -> None:
        folder = self.index_folder(repository)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            unfinished = folder / f".{FILE}.part"
            unfinished.write_text(repository.model_dump_json())
            unfinished.replace(folder / FILE)
        except OSError as error:
            raise StorageFailed(f"{folder} cannot be written: {error.strerror}.") from error
