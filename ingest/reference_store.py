"""The index on disk: LanceDB tables, and one small file that names the current ones.

<home>/index/
├── index.json     all references, the tables of each, the embedding model                  replaced in one rename
├── lock           held by the running ingest
└── *.lance        symbols-*    one row per symbol: vector, words, names, the whole entry
                   questions-*  one row per wording: vector, the symbols that answer it
                   vectors      every embedded text: an ingest embeds only new ones

A reader keeps the table that it has open: the next ingest drops what this one replaces.
Vectors that no reference uses are deleted when they outnumber the used ones.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout

from ingest.chunks import Chunk, chunk_of
from ingest.naming import SymbolNames, names_of
from ingest.questions import UserQuestion
from ingest.symbol import Symbol, symbol_from_json
from search.encoder import Vectors
from search.tables import TABLE_ERRORS, Arrow, Tables, in_order

AGAIN: Final = "Remove that folder and run `blendproof ingest blender`."
"""Advice about an unusable index; follows a sentence that names the folder."""
INDEX_SCHEMA: Final = 1
"""Version of the format of the tables and of `index.json`."""


class IndexBusy(Exception):
    """Another ingest is running."""


class ReferenceIndexUnusable(Exception):
    """The index cannot be read. The message says why and what to do."""


class ReferenceNotIndexed(ReferenceIndexUnusable):
    """The requested reference is not in the index."""


class IndexStorageFailed(Exception):
    """The index could not be written; the old one is untouched."""


@dataclasses.dataclass(frozen=True)
class IndexedReference:
    """One reference in the index: the API of one build, or one published reference."""

    name: str
    """The name, such as `5.0.1` for a build, or `4.4-published`."""
    series: str
    """The series, such as 5.0."""
    source: str
    """Its source, in words."""
    fingerprint: str
    """A digest of the ingested symbols and questions."""
    symbols_table: str
    questions_table: str
    symbols: int
    questions: int
    dense: bool
    """True if it has vectors; without them search uses words alone."""
    built: str
    """Time of the ingest, in ISO 8601."""

    @property
    def published(self) -> bool:
        """True if its source is published pages, not a build."""
        return self.name.endswith("-published")


@dataclasses.dataclass(frozen=True)
class Catalogue:
    """The contents of `index.json`."""

    model: str
    references: Mapping[str, IndexedReference]


def read_catalogue(folder: Path) -> Catalogue | None:
    """The catalogue, or None if nothing was ingested yet. Raises IndexUnusable."""
    file = folder / "index.json"
    try:
        facts: dict[str, Any] = json.loads(file.read_bytes())
        schema = facts["schema"]
        if schema != INDEX_SCHEMA:
            raise ReferenceIndexUnusable(
                f"The index in {folder} has schema {schema}, this program reads {INDEX_SCHEMA}. {AGAIN}"
            )
        references = {name: IndexedReference(name=name, **entry) for name, entry in facts["references"].items()}
        return Catalogue(facts["model"], references)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        said = f"{type(error).__name__}: {error}"
        raise ReferenceIndexUnusable(f"The index in {folder} cannot be read: index.json: {said}. {AGAIN}") from error


def write_catalogue(folder: Path, catalogue: Catalogue) -> None:
    """Make this the current catalogue, in one rename."""
    references = {name: dataclasses.asdict(entry) for name, entry in catalogue.references.items()}
    for entry in references.values():
        del entry["name"]
    facts = {"schema": INDEX_SCHEMA, "model": catalogue.model, "references": references}
    # Only the ingest that holds the lock writes, so the name can be the same each time and no file is left behind.
    unfinished = folder / ".index.json"
    unfinished.write_text(json.dumps(facts, indent=1), encoding="utf-8")
    unfinished.replace(folder / "index.json")


@contextlib.contextmanager
def ingest_lock(folder: Path) -> Generator[None, None, None]:
    """Lock the index for one ingest; readers may go on. Raises IndexBusy."""
    folder.mkdir(parents=True, exist_ok=True)
    # The lock of a killed ingest must not hold the index, as a file alone would.
    lock = FileLock(folder / "lock", blocking=False, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout:
        raise IndexBusy("Another ingest is running. Wait until it ends, then try again.") from None
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def storage_errors(folder: Path) -> Generator[None, None, None]:
    """Turn storage errors into IndexStorageFailed, which says that the old index is still used."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        # LanceDB raises RuntimeError if the file system refuses.
        said = " ".join(str(error).split())[:300] or type(error).__name__
        raise IndexStorageFailed(
            f"The index in {folder} could not be written: {said}. Make room or fix the folder, then ingest again; "
            "until then the old index is used."
        ) from error


class Database(Tables):
    """The LanceDB database of the index."""

    def open(self, name: str) -> Any:
        """A table by its name. Raises IndexUnusable if it is missing or damaged."""
        try:
            return super().open(name)
        except TABLE_ERRORS as error:
            raise ReferenceIndexUnusable(
                f"The table {name} of the index in {self.folder} cannot be opened. {AGAIN}"
            ) from error

    def write_symbols(self, name: str, chunks: Sequence[Chunk], vectors: Vectors | None) -> None:
        """One row per symbol, in the order of the chunks, searchable by words."""
        named = [names_of(chunk.symbol) for chunk in chunks]
        columns = {
            "address": self.texts(chunk.symbol.address for chunk in chunks),
            "terms": self.texts(chunk.terms for chunk in chunks),
            "symbol": self.texts(chunk.symbol.to_json() for chunk in chunks),
            "spellings": self.lists(names.spellings for names in named),
            "phrases": self.lists(names.phrases for names in named),
        }
        self.write(name, columns, "terms", vectors)

    def write_questions(self, name: str, questions: Sequence[UserQuestion], vectors: Vectors | None) -> None:
        """One row per wording, in the order of the questions and their wordings."""
        rows = [(question, ask) for question in questions for ask in question.asks]
        columns = {
            "name": self.texts(question.name for question, _ in rows),
            "source": self.texts(question.source for question, _ in rows),
            "title": self.texts(question.title for question, _ in rows),
            "terms": self.texts(ask for _, ask in rows),
            "symbols": self.lists(question.symbols for question, _ in rows),
            "snippet": self.texts(question.snippet for question, _ in rows),
        }
        self.write(name, columns, "terms", vectors)

    def embedded_texts(self, reference: IndexedReference) -> Iterator[str]:
        """The texts of a reference whose vectors it uses; none if its tables cannot be read."""
        with contextlib.suppress(ReferenceIndexUnusable, OSError, RuntimeError):
            for batch in self.open(reference.symbols_table).search().select(["symbol"]).to_batches():
                yield from (chunk_of(symbol).text for symbol in symbols_of(batch))
            for batch in self.open(reference.questions_table).search().select(["terms"]).to_batches():
                yield from batch["terms"].to_pylist()


def symbols_of(rows: Arrow) -> list[Symbol]:
    """The symbols in rows of a symbols table."""
    return [symbol_from_json(text) for text in rows["symbol"].to_pylist()]


def names_in(table: Any) -> list[SymbolNames]:
    """The names of all symbols of a table."""
    if "phrases" not in table.schema.names:
        # It was written by 0.1. The names take a second of a core.
        return [names_of(symbol) for symbol in symbols_of(in_order(table, ["symbol"], dense=False))]
    rows = in_order(table, SymbolNames._fields, dense=False)
    return list(map(SymbolNames, *(rows[name].to_pylist() for name in SymbolNames._fields)))
