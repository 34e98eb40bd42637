"""Answers a question with units, after the index was brought up to date with the folder."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from codebase.errors import RepositoryError
from codebase.indexing import update
from codebase.ranking import MOST_UNITS, Ranking, first_units, rank
from codebase.snapshot import Snapshot
from codebase.store import FILE, opened
from codebase.warm import loaded


@dataclasses.dataclass(frozen=True)
class Freshness:
    """What an answer rests on. `read` and `removed` count the files that were mended before answering."""

    commit: str | None
    was_stale: bool
    read: int
    removed: int
    problem: str | None
    """Why the index could not be brought up to date, so that the answer is that of the index as it was."""


@dataclasses.dataclass(frozen=True)
class Hit:
    """A unit that answers a question; `citation` is `path:first-last`, and `text` are those lines as indexed."""

    citation: str
    name: str
    kind: str
    signature: str
    ancestors: str
    sha256: str
    score: float
    reasons: tuple[str, ...]
    text: str
    source: str = ""
    """What it is from, if not from the repository itself, such as `package django 5.2`."""


@dataclasses.dataclass(frozen=True)
class Found:
    """The units for a question, best first, and the files they are ranked by."""

    hits: list[Hit]
    files: list[str]
    freshness: Freshness


def mended(root: Path, folder: Path) -> tuple[Snapshot, Freshness]:
    """The index in memory, up to date if possible. Raises IndexUnusable, or what hindered the first indexing."""
    problem, read, removed = None, 0, 0
    existed = (folder / FILE).is_file()
    try:
        done = update(root, folder)
        read, removed = done.read, done.removed
    except RepositoryError as error:
        if not existed:
            raise
        problem = str(error)
    snapshot = loaded(folder)
    return snapshot, Freshness(snapshot.commit, bool(read or removed or problem), read, removed, problem)


def find(root: Path, folder: Path, question: str, most: int = MOST_UNITS) -> Found:
    """The units of a repository that a question is about, at most `most`. Raises what `mended` does."""
    snapshot, freshness = mended(root, folder)
    ranking = rank(snapshot, question)
    hits = hits_of(snapshot, folder, ranking, most)
    return Found(hits, [snapshot.paths[file] for file in list(ranking.files)[:most]], freshness)


def hits_of(snapshot: Snapshot, folder: Path, ranking: Ranking, most: int) -> list[Hit]:
    """The first units of a ranking, with their lines."""
    hits: list[Hit] = []
    with opened(folder) as store:
        for place in first_units(snapshot, ranking, most):
            file, unit = int(snapshot.unit_file[place]), snapshot.units[place]
            path, (first, last) = snapshot.paths[file], unit.cited
            lines = (store.text(path) or "").split("\n")[first - 1 : last]
            hits.append(
                Hit(
                    citation=f"{path}:{first}-{last}",
                    name=unit.name or path,
                    kind=unit.kind,
                    signature=unit.signature,
                    ancestors=unit.ancestors,
                    sha256=unit.sha256,
                    score=ranking.units[place],
                    reasons=ranking.reasons(place, file),
                    text="\n".join(lines),
                )
            )
    return hits
