"""The search index of the artifacts: one LanceDB table, which can always be made again from their files.

<data>/gallery/
├── index.json            the current table, and the models that made its vectors      replaced in one rename
└── artifacts-*.lance     one row per artifact: words, facts to filter by, hashes, vectors

Every vector is compared exactly: in memory up to HELD_AT_MOST artifacts (`flat.py`), and above that in the table, which
takes longer.
"""

from __future__ import annotations

import dataclasses
import json
import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from app.artifacts.search.flat import COLUMNS, HASH_BYTES, FlatIndex, NearHash
from app.artifacts.search.location import FolderPlace, IndexPlace
from search.encoder import Vectors
from search.lance import import_lancedb
from search.tables import ALL_ROWS, TABLE_ERRORS, VERSIONS_KEPT, by_words, index_words, quoted, tidy

SCHEMA: Final = 3
HELD_AT_MOST: Final = 50_000
"""Most artifacts whose vectors are held in memory: 220 MB, and briefly twice that when one is added."""
CACHE_BYTES: Final = 32 << 20
"""Bytes that the database may cache of its index and of its file metadata; by default it would take gigabytes."""


@dataclasses.dataclass(frozen=True)
class VectorModels:
    """Identity and length of the vectors of each kind; an empty identity if there is no model."""

    text: str
    text_length: int
    picture: str
    picture_length: int


@dataclasses.dataclass(frozen=True)
class IndexRow:
    """The searchable facts of an artifact. A vector is None until it is made."""

    id: str
    created_at: str
    version: str
    series: str
    engine: str
    kind: str
    words: str
    title: str
    symbols: list[str]
    object_types: list[str]
    tags: list[str]
    hashes: bytes
    """pHash of the picture, then its dHash."""
    small: bytes
    """The picture at 16 x 16: red, green, blue."""
    picture_sha256: str
    offered: bool
    """True if it may be shown as an exemplar: it was proven here, not only in the archive it came from."""
    text: Vectors | None
    picture: Vectors | None


@dataclasses.dataclass(frozen=True)
class Filters:
    """Conditions on the artifacts of an answer; None means any. Dates are ISO 8601, UTC."""

    blender: str | None = None
    symbol: str | None = None
    object_type: str | None = None
    engine: str | None = None
    tag: str | None = None
    since: str | None = None
    until: str | None = None

    def condition(self) -> str | None:
        """The filters as a condition of LanceDB."""
        parts: list[str] = []
        if self.blender:
            parts.append(f"(version = {quoted(self.blender)} OR series = {quoted(self.blender)})")
        if self.symbol:
            parts.append(f"array_has(symbols, {quoted(self.symbol)})")
        if self.object_type:
            parts.append(f"array_has(object_types, {quoted(self.object_type.upper())})")
        if self.engine:
            parts.append(f"engine = {quoted(engine_name(self.engine))}")
        if self.tag:
            parts.append(f"array_has(tags, {quoted(self.tag)})")
        if self.since:
            parts.append(f"created_at >= {quoted(self.since)}")
        if self.until:
            parts.append(f"created_at < {quoted(self.until)}")
        return " AND ".join(parts) or None


ENGINES: Final = {"eevee": "BLENDER_EEVEE", "workbench": "BLENDER_WORKBENCH", "cycles": "CYCLES"}


def engine_name(engine: str) -> str:
    """The stored name of an engine: EEVEE had another name between Blender 4.2 and 5.0."""
    name = engine.removesuffix("_NEXT")
    return ENGINES.get(name.lower(), name.upper())


class IndexLost(Exception):
    """The table is missing or cannot be read; it must be made again."""


class ArtifactIndex:
    """The index in a folder or another place. One thread of one process writes; any thread may read."""

    def __init__(self, place: Path | IndexPlace) -> None:
        self._place: Final = FolderPlace(place) if isinstance(place, Path) else place
        self._table: Any = None
        self._name = ""
        self._flat: FlatIndex | None = None
        self._passed: tuple[FlatIndex, str, set[str]] | None = None
        """The artifacts that passed the most recent filters."""
        self.models: VectorModels | None = None

    def open(self) -> None:
        """Open the current table. Raises IndexLost."""
        try:
            facts: dict[str, Any] = json.loads(self._place.read())
            if facts["schema"] != SCHEMA:
                raise IndexLost(f"it has schema {facts['schema']}, this program reads {SCHEMA}")
            models = VectorModels(**facts["models"])
            table = self._opened(facts["table"])
            # A table may open although it lacks a file, which is only read now.
            table.search().select(["id", "words"]).limit(ALL_ROWS).to_arrow()
        except (*TABLE_ERRORS, TypeError) as error:
            raise IndexLost(f"{type(error).__name__}: {' '.join(str(error).split())[:200]}") from error
        self._table, self._name, self.models = table, facts["table"], models
        self._flat = None

    def hold(self, most: int = HELD_AT_MOST) -> None:
        """Read hashes and vectors into memory for later searches, unless there are too many."""
        if self._table.count_rows() <= most:
            lengths = self._lengths()
            self._flat = FlatIndex.of(self._select([*COLUMNS, *lengths], None), lengths)

    def make(self, models: VectorModels, batches: Iterable[Sequence[IndexRow]]) -> None:
        """Make a table of these rows the current one, and drop the old one."""
        name = f"artifacts-{secrets.token_hex(4)}"
        connection = self._connection()
        table = connection.create_table(name, self._arrow_rows([], models))
        for rows in batches:
            if rows:
                table.add(self._arrow_rows(rows, models))
        index_words(table, "words")
        tidy(table, 0)
        facts = {"schema": SCHEMA, "table": name, "models": dataclasses.asdict(models)}
        self._place.write(json.dumps(facts).encode())
        self._table, self._name, self.models = table, name, models
        self._flat = None
        self._place.drop_others(name, connection)

    def refresh(self, most: int) -> None:
        """Read new rows of another process; hold them in memory if there are at most `most` artifacts.

        Raises IndexLost.
        """
        table: Any = self._table
        before = (self._name, table.version) if self._name else None
        try:
            current = json.loads(self._place.read())["table"]
            if current == self._name:
                table.checkout_latest()
                if before and table.version // VERSIONS_KEPT > before[1] // VERSIONS_KEPT:
                    table = self._table = self._opened(self._name)
        except (*TABLE_ERRORS, TypeError) as error:
            raise IndexLost(f"{type(error).__name__}: {' '.join(str(error).split())[:200]}") from error
        if current != self._name:
            self.open()
            table = self._table
        if (self._name, table.version) != before:
            self._flat = None
            self.hold(most)

    def put(self, rows: Sequence[IndexRow]) -> None:
        """Write rows, each of which replaces that of the same artifact."""
        assert self.models is not None
        merge = self._table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
        arrow_rows = self._arrow_rows(rows, self.models)
        # Otherwise LanceDB refuses a row without a vector.
        merge.execute(arrow_rows, on_bad_vectors="null")
        if self._flat is not None:
            flat = self._flat.with_rows(FlatIndex.of(arrow_rows, self._lengths()))
            self._flat = flat if len(flat.ids) <= HELD_AT_MOST else None
        self._tidy()

    def remove(self, ids: Iterable[str]) -> None:
        """Remove artifacts from the index."""
        gone = list(ids)
        if gone:
            self._table.delete(f"id IN ({', '.join(quoted(artifact) for artifact in gone)})")
            if self._flat is not None:
                self._flat = self._flat.without(gone)
            self._tidy()

    def _tidy(self) -> None:
        if tidy(self._table):
            self._table = self._opened(self._name)

    def _opened(self, name: str) -> Any:
        """A table in a session of its own: an older session keeps files open that it has cached and that are gone."""
        return self._connection().open_table(name)

    def ids(self) -> set[str]:
        """The artifacts in the index."""
        return set(self._select(["id"], None)["id"].to_pylist())

    def without(self, column: str, limit: int) -> list[str]:
        """Some artifacts that still lack a vector of this kind."""
        return list(
            self._table.search().where(f"{column} IS NULL").select(["id"]).limit(limit).to_arrow()["id"].to_pylist()
        )

    def newest(self, filters: Filters) -> list[tuple[str, str]]:
        """The times and ids of the artifacts that pass the filters, newest first."""
        rows = self._select(["id", "created_at"], filters.condition())
        return sorted(zip(rows["created_at"].to_pylist(), rows["id"].to_pylist(), strict=True), reverse=True)

    def facets(self) -> dict[str, list[str]]:
        """The values to filter by: Blenders, engines, types of objects, tags; most frequent first."""
        rows = self._select(["series", "engine", "object_types", "tags"], None)
        return {
            "blender": frequent(rows["series"].to_pylist()),
            "engine": frequent(rows["engine"].to_pylist()),
            "object_type": frequent(name for names in rows["object_types"].to_pylist() for name in names),
            "tag": frequent(tag for tags in rows["tags"].to_pylist() for tag in tags),
        }

    def by_words(self, query: str, filters: Filters, limit: int) -> dict[str, float]:
        """Artifacts that share words with the query, with their fit, 1 for the best."""
        return ranked(by_words(self._table, query, "words", "id", limit, filters.condition()))

    def passing(self, filters: Filters) -> set[str] | None:
        """The artifacts that pass the filters, to ask once per search; None if there are no filters to apply."""
        flat, condition = self._flat, filters.condition()
        if flat is None or condition is None:
            return None
        last = self._passed
        # The next page has the same filters; every write makes another `flat`.
        if last is None or last[0] is not flat or last[1] != condition:
            last = flat, condition, set[str](self._select(["id"], condition)["id"].to_pylist())
            self._passed = last
        return last[2]

    def by_vector(
        self, column: str, vector: Vectors, filters: Filters, limit: int, passing: set[str] | None = None
    ) -> dict[str, float]:
        """The artifacts nearest by a kind of vector, with their nearness, up to 1; none if the index lacks this kind.

        `passing` is the known result of these filters, to save a query.
        """
        if not self.length(column):
            return {}
        flat = self._flat
        if flat is not None:
            return ranked(flat.by_vector(column, vector, self.passing(filters) if passing is None else passing, limit))
        search = self._table.search(vector, vector_column_name=column).distance_type("dot").select(["id", "_distance"])
        rows = filtered(search, filters).limit(limit).to_arrow()
        distances = zip(rows["id"].to_pylist(), rows["_distance"].to_pylist(), strict=True)
        return ranked({artifact: 1.0 - distance for artifact, distance in distances if distance is not None})

    def by_hash(
        self, hashes: bytes, filters: Filters, limit: int, passing: set[str] | None = None
    ) -> dict[str, NearHash]:
        """The artifacts nearest by both hashes of their pictures, as one row of bits; `passing` as in `by_vector`."""
        flat = self._flat
        if flat is not None:
            return flat.by_hash(hashes, self.passing(filters) if passing is None else passing, limit)
        search = self._table.search(list(hashes), vector_column_name="hashes").distance_type("hamming")
        rows = filtered(search.select(["id", "small", "_distance"]), filters).limit(limit).to_arrow().to_pylist()
        return {
            row["id"]: NearHash(bits=int(row["_distance"]), small=np.frombuffer(row["small"], dtype=np.uint8))
            for row in rows
        }

    def columns_of(self, ids: Sequence[str], columns: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Some columns of some artifacts, by id."""
        if not ids:
            return {}
        names = ", ".join(quoted(artifact) for artifact in ids)
        rows = self._select(["id", *columns], f"id IN ({names})").to_pylist()
        return {row["id"]: row for row in rows}

    def vectors(self, artifact_id: str) -> dict[str, Vectors]:
        """The vectors of an artifact by their kinds."""
        columns = self.columns_of([artifact_id], list(self._lengths())).get(artifact_id, {})
        return {kind: np.asarray(columns[kind], dtype=np.float32) for kind in self._lengths() if columns.get(kind)}

    def length(self, column: str) -> int:
        """Length of the vectors of a kind; 0 if there are none."""
        if self.models is None:
            return 0
        return self.models.text_length if column == "text" else self.models.picture_length

    def _lengths(self) -> dict[str, int]:
        """The kinds of vectors, with the length of each."""
        return {kind: self.length(kind) for kind in ("text", "picture") if self.length(kind)}

    def _select(self, columns: list[str], condition: str | None) -> Any:
        search = self._table.search().select(columns)
        return (search.where(condition) if condition else search).limit(ALL_ROWS).to_arrow()

    def _connection(self) -> Any:
        lancedb = import_lancedb()
        session = lancedb.Session(index_cache_size_bytes=CACHE_BYTES, metadata_cache_size_bytes=CACHE_BYTES)
        return lancedb.connect(self._place.tables, session=session)

    def _arrow_rows(self, rows: Sequence[IndexRow], models: VectorModels) -> Any:
        import pyarrow

        arrow: Any = pyarrow
        text, texts = arrow.string(), arrow.list_(arrow.string())
        kinds: dict[str, Any] = {
            **dict.fromkeys(("id", "created_at", "version", "series", "engine", "kind", "words", "title"), text),
            **dict.fromkeys(("symbols", "object_types", "tags"), texts),
            "hashes": arrow.list_(arrow.uint8(), HASH_BYTES),
            "small": arrow.binary(),
            "picture_sha256": text,
            "offered": arrow.bool_(),
        }
        columns: dict[str, Any] = {name: [getattr(row, name) for row in rows] for name in kinds}
        columns["hashes"] = [list(row.hashes) for row in rows]
        for name, length in (("text", models.text_length), ("picture", models.picture_length)):
            if length:
                kinds[name] = arrow.list_(arrow.float32(), length)
                vectors: list[Vectors | None] = [getattr(row, name) for row in rows]
                columns[name] = [None if row is None or len(row) != length else row.tolist() for row in vectors]
        schema = arrow.schema([arrow.field(name, kind) for name, kind in kinds.items()])
        return arrow.table(columns, schema=schema)


def ranked(nearness: dict[str, float]) -> dict[str, float]:
    """The best first, with a fixed order among equals, so that pages follow each other."""
    return dict(sorted(nearness.items(), key=lambda pair: (-round(pair[1], 5), pair[0])))


def filtered(search: Any, filters: Filters) -> Any:
    condition = filters.condition()
    return search.where(condition, prefilter=True) if condition else search


def frequent(values: Iterable[str]) -> list[str]:
    """The distinct values, most frequent first."""
    counts: dict[str, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return sorted(counts, key=lambda value: (-counts[value], value))


WORD_IN_NAME: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


def words_in(names: Iterable[str]) -> Iterator[str]:
    """The words inside identifiers such as `bpy.ops.mesh.primitive_cube_add` or `SubsurfModifier`."""
    for name in names:
        yield from (word.lower() for word in WORD_IN_NAME.findall(name))
