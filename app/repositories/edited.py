"""Remembers the edits of files by models, so that an interrupted call can go on."""

from __future__ import annotations

import contextlib
import hashlib
import secrets
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ValidationError


class RememberedEdit(BaseModel):
    """An edit that was made: the SHA-256 of the file before and after it, and its text."""

    path: str
    before: str
    after: str
    text: str
    model: str


@dataclass(frozen=True)
class Journal:
    """The edits of a repository that were made, by their instruction; a damaged one is made again."""

    folder: Path

    def find(self, path: str, instruction: str, identity: str, sha256: str) -> RememberedEdit | None:
        """The edit of this file in its present state, or the edit that led to this state."""
        try:
            edit = RememberedEdit.model_validate_json(self._file(path, instruction, identity).read_bytes())
        except (OSError, ValidationError):
            return None
        return edit if sha256 in (edit.before, edit.after) else None

    def keep(self, instruction: str, identity: str, edit: RememberedEdit) -> None:
        """Remember an edit; if the folder cannot be written, it is just not remembered."""
        file = self._file(edit.path, instruction, identity)
        unfinished = file.with_name(f".{secrets.token_hex(8)}")
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            unfinished.write_text(edit.model_dump_json(), encoding="utf-8")
            unfinished.replace(file)

    def _file(self, path: str, instruction: str, identity: str) -> Path:
        key = hashlib.sha256("\0".join((path, instruction, identity)).encode(errors="surrogateescape"))
        return self.folder / f"{key.hexdigest()[:32]}.json"
