"""Keeps changes: a file per change, outside the folder of the index, which a worker may write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ValidationError

from app.errors import BlendproofError, NotFound, StorageFailed
from app.repositories.changing.record import Change, ChangeSummary

ID: Final = re.compile(r"c-[0-9a-f]{16}")
FOLDER: Final = "changes"


class Head(BaseModel):
    """The first line of a file, closed with a bracket."""

    summary: ChangeSummary


class StoredChange(Head):
    """A whole file."""

    change: Change


class ChangeNotFound(NotFound):
    code = "change_not_found"
    hint = "GET /changes lists the changes; `blendproof repo change` prints the id of one."


class ChangeFinished(BlendproofError):
    status = 409
    code = "change_finished"
    hint = "GET /changes/{id} shows how it ended."


class ChangeStore:
    """The changes of all repositories below `<data>/repositories`: those of one in `<name>/changes/<id>.json`.

    {"summary": {...},        a list of changes reads this line alone
    "change": {...}}
    """

    def __init__(self, repositories: Path) -> None:
        self._folder = repositories

    def keep(self, made: Change) -> None:
        """Write a change down as it is. Raises StorageFailed."""
        self.keep_text(made, text_of(made))

    def keep_text(self, made: Change, text: str) -> None:
        """Write down the text that `text_of` made of a change. Raises StorageFailed."""
        place = self._folder / made.repository / FOLDER
        unfinished = place / f".{made.id}.part"
        try:
            place.mkdir(parents=True, exist_ok=True)
            unfinished.write_text(text, encoding="utf-8")
            unfinished.replace(place / f"{made.id}.json")
        except OSError as error:
            raise StorageFailed(f"{place} cannot be written: {error.strerror}.") from error

    def get(self, id: str) -> Change:
        """A change. Raises ChangeNotFound."""
        file = next(self._folder.glob(f"*/{FOLDER}/{id}.json"), None) if ID.fullmatch(id) else None
        made = read(file) if file else None
        if made is None:
            raise ChangeNotFound(f"There is no change {id}.")
        return made

    def all(self) -> Iterator[ChangeSummary]:
        """The changes in any order, without damaged ones."""
        files = self._folder.glob(f"*/{FOLDER}/c-*.json")
        return (made for file in files if (made := read_summary(file)) is not None)


def text_of(made: Change) -> str:
    """The text of a change's file: its summary in the first line."""
    return f'{{"summary": {made.summary.model_dump_json()},\n"change": {made.model_dump_json(indent=1)}}}\n'


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


def read_summary(file: Path) -> ChangeSummary | None:
    """The summary of the change in a file; None if it is damaged or gone."""
    try:
        with file.open("rb") as lines:
            first = lines.readline()
        return Head.model_validate_json(first.rstrip(b",\n") + b"}").summary
    except OSError:
        return None
    except ValidationError:
        made = read(file)
        return made.summary if made else None
