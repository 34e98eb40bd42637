"""The repositories of this service: each has a name, a folder that is only read, and an index in the data folder.

<data>/repositories/<name>/repository.json
                           index/             computed: index.sqlite, sources/<source>/index.sqlite
                           clone/             the files, if it was cloned
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ValidationError

from app.errors import StorageFailed
from app.repositories.allowed import AllowedPlaces, RepositoryNotFound, RepositoryRefused
from app.repositories.project import Project, SourceFiles
from codebase.ask.source import FurtherSource

FILE: Final = "repository.json"
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

SourceKind = Literal["package", "folder", "issues"]


class SourceRecord(BaseModel):
    """A further source of truth of a repository."""

    name: str
    kind: SourceKind
    root: Path
    """The folder of a package or of documents, or the file of an export of issues."""
    version: str = ""
    """Of a package."""

    @property
    def mark(self) -> str:
        """The name of this source in answers."""
        return f"{self.kind} {self.name} {self.version}".strip()


class Repository(BaseModel):
    """A repository that was added."""

    name: str
    root: Path
    """The folder of its files."""
    url: str | None = None
    """The address that it was cloned from."""
    sources: list[SourceRecord] = []

    @property
    def origin(self) -> str:
        """The place of its files, by which another service sees whether it has the same repository."""
        return self.url or str(self.root)


class Repositories:
    """The repositories below a folder that the operator allows."""

    def __init__(self, data: Path, allowed: AllowedPlaces) -> None:
        self._folder = data.absolute() / "repositories"
        self.allowed = allowed

    @property
    def place(self) -> Path:
        """The folder of all repositories."""
        return self._folder

    def all(self) -> list[Repository]:
        """The repositories by name, without damaged entries and those in folders that are not allowed."""
        repositories = (self._read(place.name) for place in sorted(self._folder.glob("*")) if place.is_dir())
        return [repository for repository in repositories if repository is not None and self._is_allowed(repository)]

    def get(self, name: str) -> Repository:
        """The repository of a name. Raises RepositoryNotFound."""
        repository = self._read(name) if NAME.fullmatch(name) else None
        if repository is None or not self._is_allowed(repository):
            names = ", ".join(known.name for known in self.all()) or "none"
            raise RepositoryNotFound(f"There is no repository {name}; there are: {names}.")
        return repository

    def at(self, root: Path, name: str | None = None) -> Repository:
        """The repository that a folder would be. Raises RepositoryRefused; nothing is written."""
        root = self.allowed.path(root)
        return self._free(Repository(name=checked_name(name, root.name), root=root))

    def of(self, url: str, name: str | None = None) -> Repository:
        """The repository that a clone of an address would be. Raises RepositoryRefused; nothing is written."""
        url = self.allowed.url(url)
        named = checked_name(name, url.rstrip("/").rpartition("/")[2].removesuffix(".git"))
        return self._free(Repository(name=named, root=self.folder(named) / "clone", url=url))

    def _free(self, wanted: Repository) -> Repository:
        """The same, with the facts that are stored for it. Raises RepositoryRefused if another has its name."""
        known = self._read(wanted.name)
        if known is None:
            return wanted
        if (known.root, known.url) != (wanted.root, wanted.url):
            taken = f" of {known.url or known.root}" if self._is_allowed(known) else ""
            raise RepositoryRefused(f"name: {wanted.name} is already the name{taken}.", "Choose another name.")
        return known

    def keep(self, repository: Repository) -> None:
        """Write down a repository. Raises StorageFailed."""
        folder = self.folder(repository.name)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            unfinished = folder / f".{FILE}.part"
            unfinished.write_text(repository.model_dump_json(), encoding="utf-8")
            unfinished.replace(folder / FILE)
        except OSError as error:
            raise StorageFailed(f"{folder} cannot be written: {error.strerror}.") from error

    def remove(self, name: str) -> Repository:
        """Forget a repository, its index and its clone; files elsewhere stay.

        Raises RepositoryNotFound and StorageFailed.
        """
        repository = self.get(name)
        self.discard(name)
        return repository

    def discard(self, name: str) -> None:
        """Delete everything under a name. Raises StorageFailed."""
        _remove(self.folder(name))

    def keep_new(self, wanted: Repository) -> None:
        """Write down a repository that was indexed, unless its name was taken meanwhile. Raises RepositoryRefused."""
        self._free(wanted)
        self.keep(wanted)

    def discard_unkept(self, name: str) -> None:
        """Delete the remains of a repository that could not be added."""
        if self._read(name) is None:
            self.discard(name)

    def discard_source(self, repository: Repository, name: str) -> None:
        """Delete the index of a source that was removed. Raises StorageFailed."""
        record = SourceRecord(name=name, kind="folder", root=Path())
        _remove(self.source_folder(repository, record))

    def folder(self, name: str) -> Path:
        """The folder of everything that is kept of a repository."""
        return self._folder / name

    def make_room(self, repository: Repository) -> None:
        """Make the folder of the index of a repository. Raises StorageFailed."""
        try:
            self.index_folder(repository).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageFailed(f"{self.index_folder(repository)} cannot be made: {error.strerror}.") from error

    def index_folder(self, repository: Repository) -> Path:
        """The folder of its index."""
        return self.folder(repository.name) / "index"

    def source_folder(self, repository: Repository, source: SourceRecord) -> Path:
        """The folder of the index of a source."""
        return self.index_folder(repository) / "sources" / source.name

    def allowed_sources(self, repository: Repository) -> list[SourceRecord]:
        """The sources of a repository that are allowed."""
        return [source for source in repository.sources if self.allowed.covers(source.root)]

    def source_files(self, repository: Repository, source: SourceRecord) -> SourceFiles:
        """The input for an indexing of a source."""
        return SourceFiles(self._as_searched(repository, source), source.kind, source.root)

    def project(self, repository: Repository) -> Project:
        """The input of tasks."""
        sources = [self._as_searched(repository, source) for source in self.allowed_sources(repository)]
        return Project(repository.root, self.index_folder(repository), sources)

    def _as_searched(self, repository: Repository, source: SourceRecord) -> FurtherSource:
        return FurtherSource(source.name, source.mark, self.source_folder(repository, source))

    def _is_allowed(self, repository: Repository) -> bool:
        own = repository.url is not None and repository.root == self.folder(repository.name) / "clone"
        return own or self.allowed.covers(repository.root)

    def _read(self, name: str) -> Repository | None:
        try:
            return Repository.model_validate(json.loads((self.folder(name) / FILE).read_text(encoding="utf-8")))
        except (OSError, ValueError, ValidationError):
            return None


def _remove(folder: Path) -> None:
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise StorageFailed(f"{folder} cannot be removed: {error.strerror}.") from error


def checked_name(name: str | None, fallback: str) -> str:
    """A valid name for a repository or a source. Raises RepositoryRefused."""
    named = name or re.sub(r"[^A-Za-z0-9._-]+", "-", fallback).strip("-._")[:64]
    if not NAME.fullmatch(named):
        raise RepositoryRefused(
            f"name: {named or fallback} cannot be the name of a repository.",
            "Choose one of letters, digits, dots and dashes, at most 64.",
        )
    return named
