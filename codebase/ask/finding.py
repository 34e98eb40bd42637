"""Answers a question with units, after the index was brought up to date with the folder."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from codebase.ask.ranking import MOST_UNITS, Ranking, first_units, judged, rank
from codebase.ask.warm import loaded
from codebase.errors import RepositoryError
from codebase.index.indexing import update
from codebase.index.matrices import Vector
from codebase.index.snapshot import Snapshot
from codebase.index.store import FILE, Store, opened
from search.exporting import ModelUnusable

EMBEDDED_FIRST: Final = 300
"""Units that are embedded before an answer, about a second and a half; more are left to the next indexing."""
JUDGED: Final = 50
"""Units that a judge puts in another order."""
JUDGED_PER_FILE: Final = 2
"""Of those, units of one file for a judge that ranks files too: without a limit, fifty lie in a handful of files."""
JUDGED_CHARACTERS: Final = 1500

Judge = Callable[[str, Sequence[str]], Sequence[float]]
"""How well each of some texts answers a question, from 0 to 1."""


@dataclasses.dataclass(frozen=True)
class Freshness:
    """What an answer rests on. `read` and `removed` count the files that were mended before answering."""

    commit: str | None
    was_stale: bool
    read: int
    removed: int
    problem: str | None
    """Why the index could not be brought up to date, so that the answer is that of the index as it was."""
    words_alone: str | None = None
    """Why meaning was left out, if the index keeps vectors."""


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
    problem, words_alone, read, removed = None, None, 0, 0
    existed = (folder / FILE).is_file()
    try:
        done = update(root, folder, most_embedded=EMBEDDED_FIRST)
        read, removed, words_alone = done.read, done.removed, done.problem
    except RepositoryError as error:
        if not existed:
            raise
        problem = str(error)
    snapshot = loaded(folder)
    return snapshot, Freshness(snapshot.commit, bool(read or removed or problem), read, removed, problem, words_alone)


def find(
    root: Path,
    folder: Path,
    question: str,
    most: int = MOST_UNITS,
    judge: Judge | None = None,
    per_file: int | None = None,
) -> Found:
    """The units of a repository that a question is about, at most `most`, and so many of one file.

    `judge` puts the first fifty in another order. Raises what `mended` and `judge` do.
    """
    snapshot, freshness = mended(root, folder)
    hits, ranking, words_alone = hits_in(snapshot, folder, question, most, judge, per_file)
    freshness = dataclasses.replace(freshness, words_alone=freshness.words_alone or words_alone)
    return Found(hits, [snapshot.paths[file] for file in list(ranking.files)[:most]], freshness)


def hits_in(
    snapshot: Snapshot,
    folder: Path,
    question: str,
    most: int,
    judge: Judge | None = None,
    per_file: int | None = None,
) -> tuple[list[Hit], Ranking, str | None]:
    """The first units of an index for a question, their ranking, and why they are found by words alone."""
    near, words_alone = meant(snapshot, question)
    ranking = rank(snapshot, question, near=near)
    with opened(folder) as store:
        if judge:
            places = list(first_units(snapshot, ranking, JUDGED))
            texts = [judged_text(snapshot, store, place) for place in places]
            ranking = judged(ranking, places, judge(question, texts))
        hits = [hit_of(snapshot, store, ranking, place) for place in first_units(snapshot, ranking, most, per_file)]
    return hits, ranking, words_alone


def meant(snapshot: Snapshot, question: str) -> tuple[Vector | None, str | None]:
    """How near each unit is to a question, if the index keeps vectors; or why that cannot be told."""
    if snapshot.meaning is None:
        return None, None
    try:
        return snapshot.meaning.nearness(question, len(snapshot.units)), None
    except ModelUnusable as error:
        return None, str(error)


def judged_text(snapshot: Snapshot, store: Store, place: int) -> str:
    """What a judge reads of a unit: what is around it, and its first lines."""
    text = lines_of(snapshot, store, place)
    return f"{snapshot.paths[int(snapshot.unit_file[place])]} {snapshot.units[place].ancestors}\n{text}"[
        :JUDGED_CHARACTERS
    ]


def lines_of(snapshot: Snapshot, store: Store, place: int) -> str:
    """The lines to show of a unit, as indexed."""
    first, last = snapshot.units[place].cited
    return "\n".join((store.text(snapshot.paths[int(snapshot.unit_file[place])]) or "").split("\n")[first - 1 : last])


def hit_of(snapshot: Snapshot, store: Store, ranking: Ranking, place: int) -> Hit:
    """A unit as an answer."""
    file, unit = int(snapshot.unit_file[place]), snapshot.units[place]
    path, (first, last) = snapshot.paths[file], unit.cited
    return Hit(
        citation=f"{path}:{first}-{last}",
        name=unit.name or path,
        kind=unit.kind,
        signature=unit.signature,
        ancestors=unit.ancestors,
        sha256=unit.sha256,
        score=ranking.units[place],
        reasons=ranking.reasons(place, file),
        text=lines_of(snapshot, store, place),
    )
