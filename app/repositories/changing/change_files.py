"""The changes that the command line made, or an older release: a file each, until the service takes them in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ValidationError

from app.errors import StorageFailed
from app.repositories.changing.record import Change

FOLDER: Final = "changes"


class StoredChange(BaseModel):
    """A whole file."""

    change: Change


class ChangeFiles:
    """The files below `<data>/repositories`: a change of a repository in `<name>/changes/<id>.json`."""

    def __init__(self, repositories: Path) -> None:
        self._folder = repositories

    def keep(self, made: Change) -> None:
        """Write a change down. Raises StorageFailed."""
        place = self._folder / made.repository / FOLDER
        unfinished = place / f".{made.id}.part"
        try:
            place.mkdir(parents=True, exist_ok=True)
            unfinished.write_text(StoredChange(change=made).model_dump_json(indent=1), encoding="utf-8")
            unfinished.replace(place / f"{made.id}.json")
        except OSError as error:
            raise StorageFailed(f"{place} cannot be written: {error.strerror}.") from error

    def all(self) -> Iterator[tuple[Path, Change]]:
        """The files with their changes, without damaged ones."""
        for file in sorted(self._folder.glob(f"*/{FOLDER}/c-*.json")):
            if made := read(file):
                yield file, made


def read(file: Path) -> Change | None:
    """The change in a file; None if it is damaged or gone."""
    try:
        content = file.read_bytes()
        try:
            return StoredChange.model_validate_json(content).change
        except ValidationError:
            # Written by a release whose files were the change alone.
            return Change.model_validate_json(content)
    except (OSError, ValidationError):
        return None
