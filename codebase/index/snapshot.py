"""An index in memory, for questions to be compared with."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from codebase.graph.code import Code, CodeFile
from codebase.graph.graph import UnitGraph
from codebase.graph.links import Layout, Links
from codebase.index.bm25 import Bm25
from codebase.index.imports import ImportedModules
from codebase.index.matrices import Matrix, Numbers, Vector, ones
from codebase.index.meaning import UnitVectors, read_meaning
from codebase.index.roles import Role, role_of
from codebase.index.store import Counts, IndexEntry, open_index
from codebase.index.words import terms_of, words_of
from codebase.units.unit import Unit

DECAY_S: Final = 90 * 24 * 3600.0
"""A change that is ninety days older counts 1/e as much."""


@dataclasses.dataclass(frozen=True)
class Snapshot:
    """The files and units of an index by number, and what is computed from them."""

    folder: Path
    commit: str | None
    paths: list[str]
    entries: list[IndexEntry]
    units: list[Unit]
    unit_file: Numbers
    terms: dict[str, int]
    files_bm25: Bm25
    units_bm25: Bm25
    file_labels: Bm25
    history: list[tuple[int, list[str]]]
    meaning: UnitVectors | None = None
    """The vectors, if the index keeps any."""
    generation: str = ""
    """The indexing that this is read from."""

    @functools.cached_property
    def number(self) -> dict[str, int]:
        """The numbers of the files by their paths."""
        return {path: place for place, path in enumerate(self.paths)}

    @functools.cached_property
    def by_name(self) -> dict[str, list[int]]:
        """The files of each name, whatever folder they are in."""
        numbers: dict[str, list[int]] = defaultdict(list)
        for place, path in enumerate(self.paths):
            numbers[path.rpartition("/")[2]].append(place)
        return dict(numbers)

    @functools.cached_property
    def folders(self) -> Numbers:
        """The number of the folder of each file."""
        ids: dict[str, int] = {}
        return np.array([ids.setdefault(path.rpartition("/")[0], len(ids)) for path in self.paths], dtype=np.int32)

    @functools.cached_property
    def roles(self) -> list[Role]:
        """The role of each file."""
        return [role_of(entry.path, entry.parsed.language, entry.generated) for entry in self.entries]

    @functools.cached_property
    def definitions(self) -> dict[str, list[int]]:
        """The units that define a name, by the last part of their qualified name."""
        units: dict[str, list[int]] = defaultdict(list)
        for place, unit in enumerate(self.units):
            if unit.kind in ("class", "function", "method"):
                units[unit.name.rpartition(".")[2]].append(place)
        return dict(units)

    @functools.cached_property
    def file_units(self) -> list[list[int]]:
        """The units of each file, in the order of their lines."""
        units: list[list[int]] = [[] for _ in self.paths]
        owners: list[int] = self.unit_file.tolist()
        for place, file in enumerate(owners):
            units[file].append(place)
        return units

    @functools.cached_property
    def modules(self) -> ImportedModules:
        return ImportedModules(self.paths, {entry.path: entry.parsed.imports for entry in self.entries})

    @functools.cached_property
    def code(self) -> Code:
        """The files with their units and facts."""
        with open_index(self.folder) as store, store.at_once():
            facts = {(path, sha256): known for path, sha256, known in store.facts()}
            is_whole = store.meta().get("generation", "") == self.generation
        files: list[CodeFile] = []
        first = 0
        for entry in self.entries:
            known = facts.get((entry.path, entry.sha256), {})
            files.append(CodeFile(entry.path, entry.parsed.language, first, entry.parsed.units, known))
            first += len(entry.parsed.units)
        return Code(files, is_whole)

    @functools.cached_property
    def layout(self) -> Layout:
        """The files that the numbers of units rest on."""
        return [(entry.path, entry.sha256, len(entry.parsed.units)) for entry in self.entries]

    @functools.cached_property
    def links(self) -> Links:
        """All edges between units. Raises RepositoryIndexUnusable."""
        # Imported here, because it takes as long as a search.
        from codebase.index.linking import all_links

        return all_links(self.folder, self.layout, lambda: self.code)

    @functools.cached_property
    def graph(self) -> UnitGraph:
        """The edges, to be followed. Raises RepositoryIndexUnusable."""
        return UnitGraph(self.links, len(self.units))

    @functools.cached_property
    def path_terms(self) -> tuple[dict[str, int], Bm25]:
        """The words of paths, and BM25 over them: one short document per file."""
        ids: dict[str, int] = {}
        rows = [
            (row, ids.setdefault(term, len(ids)))
            for row, path in enumerate(self.paths)
            for term in {term for word in words_of(without_suffix(path)) for term in terms_of(word)}
        ]
        numbers = np.array(rows, dtype=np.int32).reshape(-1, 2)
        once = np.ones(len(numbers), dtype=np.int32)
        return ids, Bm25(numbers[:, 0], numbers[:, 1], once, len(self.paths), len(ids))

    @functools.cached_property
    def imports(self) -> Matrix:
        """Files by files: 1 if the row imports the column."""
        rows = [(self.number[path], self.number[to]) for path in self.paths for to in self.modules.targets(path)]
        return ones(rows, (len(self.paths), len(self.paths)))

    @functools.cached_property
    def commits(self) -> Matrix:
        """Commits by files: the share of a file in a commit, less for older commits."""
        newest = self.history[0][0] if self.history else 0
        matrix = ones(
            [
                (row, self.number[path])
                for row, (_, files) in enumerate(self.history)
                for path in files
                if path in self.number
            ],
            (max(1, len(self.history)), len(self.paths)),
        )
        ages = np.array([max(0, newest - when) for when, _ in self.history] or [0], dtype=np.float32)
        shares = np.exp(-ages / DECAY_S).astype(np.float32)
        return dataclasses.replace(matrix, values=matrix.values * shares[matrix.rows])

    @functools.cached_property
    def recency(self) -> Vector:
        """Share of each file in the commits, recent ones counting more."""
        return self.commits.turned.sums


def without_suffix(path: str) -> str:
    folder, slash, name = path.rpartition("/")
    return folder + slash + (name.rpartition(".")[0] or name)


def load(folder: Path) -> Snapshot:
    """The index in a folder. Raises RepositoryIndexUnusable."""
    with open_index(folder) as store, store.at_once():
        entries, terms, meta = list(store.entries()), store.terms(), store.meta()
        starts = np.cumsum([0, *(len(entry.parsed.units) for entry in entries)]).tolist()[: len(entries)]
        meaning = read_meaning(store, [entry.path for entry in entries], starts)
    units = [unit for entry in entries for unit in entry.parsed.units]
    owner = np.repeat(np.arange(len(entries), dtype=np.int32), [len(entry.parsed.units) for entry in entries])
    files_bm25, units_bm25 = indices_of([entry.counts for entry in entries], len(terms))
    file_labels, _ = indices_of([entry.labels for entry in entries], len(terms))
    return Snapshot(
        folder=folder,
        commit=meta.get("commit") or None,
        paths=[entry.path for entry in entries],
        entries=entries,
        units=units,
        unit_file=owner.astype(np.int32),
        terms=terms,
        files_bm25=files_bm25,
        units_bm25=units_bm25,
        file_labels=file_labels,
        history=json.loads(meta.get("history", "[]")),
        meaning=meaning,
        generation=meta.get("generation", ""),
    )


def indices_of(every: Sequence[Counts], width: int) -> tuple[Bm25, Bm25]:
    """BM25 over the files, and over their units. Each file has its own document first, then those of its units."""
    empty = [np.zeros(0, dtype=np.int32)]
    lengths = np.concatenate([*(counts.lengths for counts in every), *empty])
    terms = np.concatenate([*(counts.terms for counts in every), *empty])
    times = np.concatenate([*(counts.times for counts in every), *empty])
    is_file = np.zeros(len(lengths), dtype=bool)
    is_file[np.cumsum([0, *(len(counts.lengths) for counts in every)])[: len(every)]] = True

    def index_of(chosen: npt.NDArray[np.bool_]) -> Bm25:
        documents = int(chosen.sum())
        rows = np.repeat(np.arange(documents, dtype=np.int32), lengths[chosen])
        kept = np.repeat(chosen, lengths)
        return Bm25(rows, terms[kept], times[kept], documents, width)

    return index_of(is_file), index_of(~is_file)
