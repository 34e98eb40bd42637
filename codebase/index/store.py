"""The file of an index: facts of each content, the files that hold it, and the history; one SQLite database.

A writer changes it in one transaction: a reader sees all of an indexing or nothing of it, and so does the next start
after a kill or a full disk. A content is known by its SHA-256, so a renamed file, or a branch that comes back, costs
nothing.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import sqlite3
import uuid
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from codebase.errors import IndexingFailed, RepositoryIndexUnusable
from codebase.index.files import Stamp
from codebase.units.unit import ParsedFile, Unit

VERSION: Final = 6
"""Increased if the tables, the units, the terms or the facts change: an index of another version is made again."""
FILE: Final = "index.sqlite"
SCHEMA: Final = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE term (id INTEGER PRIMARY KEY, text TEXT UNIQUE);
CREATE TABLE content (key TEXT PRIMARY KEY, language TEXT, generated INTEGER, problem TEXT, imports TEXT, units TEXT,
                      amount INTEGER, counts BLOB, labels BLOB, body BLOB, facts BLOB, meant BLOB);
CREATE TABLE file (path TEXT PRIMARY KEY, content TEXT, size INTEGER, mtime_ns INTEGER, inode INTEGER) WITHOUT ROWID;
CREATE TABLE graph (id INTEGER PRIMARY KEY CHECK (id = 1), files TEXT, rows BLOB, rest TEXT);
CREATE TABLE skipped (path TEXT PRIMARY KEY, reason TEXT) WITHOUT ROWID;
CREATE TABLE vector (digest BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID;
"""

DIGEST_BYTES: Final = 16
MEANT: Final = np.dtype([("unit", "<i4"), ("digest", f"V{DIGEST_BYTES}")])
"""Number of a unit in its content, and the digest of its text, under which its vector is kept."""

Ints = npt.NDArray[np.int32]


@dataclasses.dataclass(frozen=True)
class Counts:
    """Terms of a file and of each of its units: document by document, their ids and numbers of occurrences."""

    lengths: Ints
    terms: Ints
    times: Ints

    def pack(self) -> bytes:
        return np.concatenate([[len(self.lengths)], self.lengths, self.terms, self.times]).astype(np.int32).tobytes()

    @classmethod
    def unpack(cls, data: bytes) -> Counts:
        numbers = np.frombuffer(data, dtype=np.int32)
        documents = int(numbers[0])
        lengths, rest = numbers[1 : documents + 1], numbers[documents + 1 :]
        return cls(lengths, rest[: len(rest) // 2], rest[len(rest) // 2 :])


@dataclasses.dataclass(frozen=True)
class IndexEntry:
    """A file of the index with the facts of its content."""

    path: str
    sha256: str
    generated: bool
    parsed: ParsedFile
    counts: Counts
    labels: Counts
    """The terms of the strings of the file alone."""


@dataclasses.dataclass(frozen=True)
class UnembeddedFile:
    """A file of the index whose units have no vectors yet, and the key of its content."""

    path: str
    key: str
    language: str
    is_marked: bool


@contextlib.contextmanager
def open_index(folder: Path, *, to_write: bool = False, wait_s: float = 10.0) -> Generator[Store, None, None]:
    """Open the index in a folder; for writing, it is made if missing, after waiting for another writer.

    Raises RepositoryIndexUnusable and IndexingFailed.
    """
    file = folder / FILE
    if not to_write and not file.is_file():
        raise RepositoryIndexUnusable(f"There is no index in {folder}: run `blendproof repo index`.")
    try:
        connection = sqlite3.connect(file, isolation_level=None, timeout=wait_s)
    except sqlite3.Error as error:
        raise RepositoryIndexUnusable(f"The index in {folder} cannot be opened: {error}.") from error
    with contextlib.closing(connection):
        store = Store(connection)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            # After a power cut the last indexing may be lost, but never the index; and no reader waits for the disk.
            connection.execute("PRAGMA synchronous = NORMAL")
            if not store.is_current():
                if not to_write:
                    raise RepositoryIndexUnusable(
                        f"The index in {folder} was not finished, or made by another version: index it again."
                    )
                store.make_again()
            yield store
        except sqlite3.Error as error:
            kind = IndexingFailed if to_write else RepositoryIndexUnusable
            raise kind(f"The index in {folder} cannot be {'written' if to_write else 'read'}: {error}.") from error


class Store:
    """The tables of one index."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def is_current(self) -> bool:
        return bool(self._connection.execute("PRAGMA user_version").fetchone()[0] == VERSION)

    def make_again(self) -> None:
        """Drop all tables and make empty ones of this version."""
        with self.transaction():
            tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            for (name,) in self._connection.execute(tables).fetchall():
                self._connection.execute(f'DROP TABLE "{name}"')
            for statement in SCHEMA.split(";"):
                self._connection.execute(statement)
            self._connection.execute("PRAGMA user_version = 0")

    def finish(self) -> None:
        """Mark the index as one that can be read: until its first indexing is done there is none."""
        self._connection.execute(f"PRAGMA user_version = {VERSION}")

    @contextlib.contextmanager
    def transaction(self) -> Generator[None, None, None]:
        """Write all that is inside, or nothing of it."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    @contextlib.contextmanager
    def at_once(self) -> Generator[None, None, None]:
        """Read all that is inside from one indexing."""
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.rollback()

    def meta(self) -> dict[str, str]:
        return dict(self._connection.execute("SELECT key, value FROM meta"))

    def set_meta(self, **values: str) -> None:
        self._connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(values.items()))

    def renew(self) -> None:
        """Mark the index as changed, for those who keep it in memory."""
        self.set_meta(generation=uuid.uuid4().hex)

    def files(self) -> dict[str, tuple[str, Stamp]]:
        """By path, the key of the content and the stamp of its reading."""
        rows = self._connection.execute("SELECT path, content, size, mtime_ns, inode FROM file")
        return {path: (content, Stamp(*stamp)) for path, content, *stamp in rows}

    def contents(self) -> set[str]:
        return {key for (key,) in self._connection.execute("SELECT key FROM content")}

    def put_content(
        self,
        key: str,
        parsed: ParsedFile,
        generated: bool,
        counts: Counts,
        labels: Counts,
        text: str,
        facts: Mapping[str, Any],
    ) -> None:
        units = json.dumps([[*dataclasses.astuple(unit)] for unit in parsed.units])
        body = zlib.compress(text.encode("utf-8"), 1)
        known = (key, parsed.language, generated, parsed.problem, json.dumps(parsed.imports), units, len(parsed.units))
        row = (
            *known,
            counts.pack(),
            labels.pack(),
            body,
            zlib.compress(json.dumps(facts).encode(), 1) if facts else None,
        )
        self._connection.execute("INSERT OR REPLACE INTO content VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)", row)

    def put_file(self, path: str, key: str, stamp: Stamp) -> None:
        row = (path, key, *dataclasses.astuple(stamp))
        self._connection.execute("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?)", row)

    def remove_files(self, paths: Iterable[str]) -> None:
        self._connection.executemany("DELETE FROM file WHERE path = ?", [(path,) for path in paths])

    def put_skipped(self, skipped: Mapping[str, str]) -> None:
        if skipped != self.skipped():
            self._connection.execute("DELETE FROM skipped")
            self._connection.executemany("INSERT INTO skipped VALUES (?, ?)", list(skipped.items()))

    def skipped(self) -> dict[str, str]:
        return dict(self._connection.execute("SELECT path, reason FROM skipped ORDER BY path"))

    def forget_contents(self) -> None:
        """Drop contents that no file holds, once they outnumber those in use."""
        unused = "key NOT IN (SELECT content FROM file)"
        orphans = self._connection.execute(f"SELECT count(*) FROM content WHERE {unused}").fetchone()[0]
        if orphans > self._connection.execute("SELECT count(*) FROM file").fetchone()[0]:
            self._connection.execute(f"DELETE FROM content WHERE {unused}")
            self._forget_vectors()

    def waiting(self) -> list[UnembeddedFile]:
        """The files whose units have no vectors yet."""
        query = "SELECT path, key, language, generated FROM file JOIN content ON key = content WHERE meant IS NULL"
        rows = self._connection.execute(f"{query} ORDER BY path")
        return [UnembeddedFile(path, key, language, bool(marked)) for path, key, language, marked in rows]

    def units(self, key: str) -> list[Unit]:
        """The units of a content."""
        row = self._connection.execute("SELECT units FROM content WHERE key = ?", (key,)).fetchone()
        return [unit_of(unit) for unit in json.loads(row[0])] if row else []

    def has_vector(self, digest: bytes) -> bool:
        row = self._connection.execute("SELECT 1 FROM vector WHERE digest = ?", (digest,))
        return row.fetchone() is not None

    def put_vectors(self, vectors: Iterable[tuple[bytes, bytes]]) -> None:
        self._connection.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", vectors)

    def put_meaning(self, key: str, meant: bytes) -> None:
        """Write down the digests of the units of a content, as `codebase.index.meaning` packs them."""
        self._connection.execute("UPDATE content SET meant = ? WHERE key = ?", (meant, key))

    def unit_digests(self) -> Iterator[tuple[str, bytes]]:
        """By path, the digests of its units, as `codebase.index.meaning` packs them."""
        query = "SELECT path, meant FROM file JOIN content ON key = content WHERE meant IS NOT NULL ORDER BY path"
        yield from self._connection.execute(query)

    def vectors(self) -> dict[bytes, bytes]:
        return dict(self._connection.execute("SELECT digest, value FROM vector"))

    def forget_meaning(self) -> None:
        """Drop all vectors."""
        self._connection.execute("UPDATE content SET meant = NULL WHERE meant IS NOT NULL")
        self._connection.execute("DELETE FROM vector")

    def _forget_vectors(self) -> None:
        """Drop the vectors that no unit has."""
        used = {digest for _, digests in self.unit_digests() for digest in digests_in(digests)}
        unused = [(digest,) for digest in self.vectors() if digest not in used]
        self._connection.executemany("DELETE FROM vector WHERE digest = ?", unused)

    def terms(self) -> dict[str, int]:
        return dict(self._connection.execute("SELECT text, id FROM term"))

    def put_terms(self, terms: Iterable[tuple[str, int]]) -> None:
        self._connection.executemany("INSERT INTO term (text, id) VALUES (?, ?)", list(terms))

    def entries(self) -> Iterator[IndexEntry]:
        """The files by path, each with the facts of its content."""
        rows = self._connection.execute(
            "SELECT path, key, generated, language, units, imports, problem, counts, labels"
            " FROM file JOIN content ON key = content ORDER BY path"
        )
        for path, key, generated, language, units, imports, problem, counts, labels in rows:
            parsed = ParsedFile(
                language, tuple(unit_of(unit) for unit in json.loads(units)), json.loads(imports), problem
            )
            terms = Counts.unpack(counts), Counts.unpack(labels)
            yield IndexEntry(path, sha256_of(key), bool(generated), parsed, *terms)

    def totals(self) -> tuple[int, int, dict[str, str]]:
        """The number of files, the number of units, and the problems of files."""
        joined = "FROM file JOIN content ON key = content"
        files, units = self._connection.execute(f"SELECT count(*), coalesce(sum(amount), 0) {joined}").fetchone()
        broken = self._connection.execute(f"SELECT path, problem {joined} WHERE problem IS NOT NULL ORDER BY path")
        return files, units, dict(broken)

    def facts(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Path, SHA-256 and facts of each file in which makers of edges have facts."""
        rows = self._connection.execute(
            "SELECT path, key, facts FROM file JOIN content ON key = content WHERE facts IS NOT NULL ORDER BY path"
        )
        return ((path, sha256_of(key), json.loads(zlib.decompress(facts))) for path, key, facts in rows)

    def graph(self) -> tuple[list[tuple[str, str, int]], bytes, str] | None:
        """The files that the kept edges connect, as path, SHA-256 and number of units, and the edges, packed."""
        row = self._connection.execute("SELECT files, rows, rest FROM graph").fetchone()
        if row is None:
            return None
        files = [(path, sha256, count) for path, sha256, count in json.loads(row[0])]
        return files, zlib.decompress(row[1]), zlib.decompress(row[2]).decode()

    def put_graph(self, files: list[tuple[str, str, int]], rows: bytes, rest: str) -> None:
        """Keep the edges, in place of those before."""
        row = (json.dumps(files), zlib.compress(rows, 1), zlib.compress(rest.encode(), 1))
        self._connection.execute("INSERT OR REPLACE INTO graph VALUES (1, ?, ?, ?)", row)

    def text(self, path: str) -> str | None:
        """The text of a file as it was indexed."""
        query = "SELECT body FROM file JOIN content ON key = content WHERE path = ?"
        row = self._connection.execute(query, (path,)).fetchone()
        return zlib.decompress(row[0]).decode() if row else None

    def sha256(self, path: str) -> str:
        """The hash of a file as it was indexed; empty if there is no such file."""
        row = self._connection.execute("SELECT content FROM file WHERE path = ?", (path,)).fetchone()
        return sha256_of(row[0]) if row else ""


def digests_in(meant: bytes) -> list[bytes]:
    """The digests of the texts of a content."""
    return [digest for _, digest in np.frombuffer(meant, dtype=MEANT).tolist()]


def content_key(sha256: str, language: str) -> str:
    """The key of a content: the same bytes are other units in another language."""
    return f"{sha256}:{language}"


def sha256_of(key: str) -> str:
    return key.partition(":")[0]


def unit_of(row: list[Any]) -> Unit:
    name, kind, first, last, signature, decorators, docstring, ancestors, own, sha256 = row
    spans = tuple((begin, end) for begin, end in own)
    return Unit(name, kind, first, last, signature, tuple(decorators), docstring, ancestors, spans, sha256)
