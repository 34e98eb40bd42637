"""The place of the index of the artifacts: a folder, or the shelf that several services share."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any, Final, Protocol

from app.jobs.shelf import Shelf

FACTS: Final = "index.json"
TABLE: Final = re.compile(r"artifacts-[0-9a-f]+")


class IndexPlace(Protocol):
    """The tables of LanceDB, and the facts that name the current one."""

    @property
    def tables(self) -> str:
        """The address of LanceDB's tables."""
        ...

    def read(self) -> bytes:
        """The facts. Raises OSError if there are none."""
        ...

    def write(self, facts: bytes) -> None:
        """Replace the facts in one step."""
        ...

    def drop_others(self, name: str, connection: Any) -> None:
        """Remove the rests of replaced or unfinished indexes."""
        ...


class FolderPlace:
    """The index in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self.tables: Final = str(folder)

    def read(self) -> bytes:
        """The facts. Raises OSError if there are none."""
        return (self._folder / FACTS).read_bytes()

    def write(self, facts: bytes) -> None:
        """Replace the facts in one step."""
        self._folder.mkdir(parents=True, exist_ok=True)
        unfinished = self._folder / f".{FACTS}"
        unfinished.write_bytes(facts)
        unfinished.replace(self._folder / FACTS)

    def drop_others(self, name: str, connection: Any) -> None:
        """Remove the rests of replaced or unfinished indexes."""
        for path in self._folder.glob("artifacts-*.lance"):
            if path.name != f"{name}.lance":
                shutil.rmtree(path, ignore_errors=True)


class ShelfPlace:
    """The index on a shelf. If another service has a dropped table open, it opens the current one then."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf: Final = shelf
        self.tables: Final = shelf.tables

    def read(self) -> bytes:
        """The facts. Raises OSError if there are none, and StorageFailed."""
        facts = self._shelf.get(f"gallery/{FACTS}")
        if facts is None:
            raise FileNotFoundError("there is no index yet")
        return facts

    def write(self, facts: bytes) -> None:
        """Replace the facts in one step."""
        self._shelf.put(f"gallery/{FACTS}", facts)

    def drop_others(self, name: str, connection: Any) -> None:
        """Remove the rests of replaced or unfinished indexes."""
        for other in connection.list_tables().tables:
            if TABLE.fullmatch(other) and other != name:
                connection.drop_table(other, ignore_missing=True)
