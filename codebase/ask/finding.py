"""Answers a question with units, after bringing the index up to date with the folder."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from codebase.ask.ranking import MOST_UNITS, Ranking, first_units, rank, reranked
from codebase.ask.warm import load_warm
from codebase.errors import RepositoryError
from codebase.index.indexing import update
from codebase.index.matrices import Vector
from codebase.index.snapshot import Snapshot
from codebase.index.store import Store, open_index
from search.exporting import ModelUnusable

EMBEDDED_FIRST: Final = 300
"""Units that are embedded before an answer, about a second and a half; the rest waits for the next indexing."""
JUDGED: Final = 50
"""Units that a judge puts in another order."""
JUDGED_PER_FILE: Final = 2
"""Limit per file for a judge that ranks files too: without it, fifty units lie in a handful of files."""
JUDGED_CHARACTERS: Final = 1500
LABEL: Final = re.compile(r"""^[ \t]*bl_label\b[^=\n]*=[^"'\n]*["']([^"'\n]{1,60})["']""", re.MULTILINE)

Judge = Callable[[str, Sequence[str]], Sequence[float]]
"""Scores of texts, from 0 to 1, for how well each answers a question."""


@dataclasses.dataclass(frozen=True)
class Freshness:
    """The state of the index behind an answer. `read` and `removed` count the files that were updated before it."""

    commit: str | None
    was_stale: bool
    read: int
    removed: int
    problem: str | None
    """The reason why the index could not be brought up to date, so that the answer is from the index as it was."""
    words_alone: str | None = None
    """The reason why meaning was left out, if the index keeps vectors."""


@dataclasses.dataclass(frozen=True)
class UnitHit:
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
    """Its origin, if not the repository itself, such as `package django 5.2`."""
    label: str = ""
    """The name that users see: the `bl_label` of its class."""


@dataclasses.dataclass(frozen=True)
class RepositoryHits:
    """The units for a question, best first, and the files they are ranked by."""

    hits: list[UnitHit]
    files: list[str]
    freshness: Freshness
    brief: str = ""
    """The units as short text for a model."""


def fresh_snapshot(root: Path, folder: Path) -> tuple[Snapshot, Freshness]:
    """The index in memory, up to date if possible. Raises the error of the first indexing if there is no index yet."""
    problem, words_alone, read, removed = None, None, 0, 0
    try:
        done = update(root, folder, most_embedded=EMBEDDED_FIRST)
        read, removed, words_alone = done.read, done.removed, done.problem
    except RepositoryError as error:
        try:
            load_warm(folder)
        except RepositoryError:
            raise error from None
        problem = str(error)
    snapshot = load_warm(folder)
    return snapshot, Freshness(snapshot.commit, bool(read or removed or problem), read, removed, problem, words_alone)


def find(
    root: Path,
    folder: Path,
    question: str,
    most: int = MOST_UNITS,
    judge: Judge | None = None,
    per_file: int | None = None,
) -> RepositoryHits:
    """The units of a repository for a question: at most `most`, and at most `per_file` of one file.

    `judge` puts the first fifty in another order. Raises what `fresh_snapshot` and `judge` raise.
    """
    snapshot, freshness = fresh_snapshot(root, folder)
    hits, ranking, words_alone = hits_in(snapshot, folder, question, most, judge, per_file)
    freshness = dataclasses.replace(freshness, words_alone=freshness.words_alone or words_alone)
    return RepositoryHits(hits, [snapshot.paths[file] for file in list(ranking.files)[:most]], freshness)


def hits_in(
    snapshot: Snapshot,
    folder: Path,
    question: str,
    most: int,
    judge: Judge | None = None,
    per_file: int | None = None,
) -> tuple[list[UnitHit], Ranking, str | None]:
    """The first units of an index for a question, their ranking, and the reason if words alone decided."""
    near, words_alone = nearness_of(snapshot, question)
    ranking = rank(snapshot, question, near=near)
    with open_index(folder) as store:
        if judge:
            places = list(first_units(snapshot, ranking, JUDGED))
            texts = [judged_text(snapshot, store, place) for place in places]
            ranking = reranked(ranking, places, judge(question, texts))
        hits = [hit_of(snapshot, store, ranking, place) for place in first_units(snapshot, ranking, most, per_file)]
    return hits, ranking, words_alone


def nearness_of(snapshot: Snapshot, question: str) -> tuple[Vector | None, str | None]:
    """The nearness of each unit to a question, if the index keeps vectors; or the reason why it is unknown."""
    if snapshot.meaning is None:
        return None, None
    try:
        return snapshot.meaning.nearness(question, len(snapshot.units)), None
    except ModelUnusable as error:
        return None, str(error)


def judged_text(snapshot: Snapshot, store: Store, place: int) -> str:
    """The text of a unit for a judge: its ancestors and its first lines."""
    text = lines_of(snapshot, store, place)
    return f"{snapshot.paths[int(snapshot.unit_file[place])]} {snapshot.units[place].ancestors}\n{text}"[
        :JUDGED_CHARACTERS
    ]


def lines_of(snapshot: Snapshot, store: Store, place: int) -> str:
    """The lines of a unit to show, as indexed."""
    first, last = snapshot.units[place].cited
    return "\n".join((store.text(snapshot.paths[int(snapshot.unit_file[place])]) or "").split("\n")[first - 1 : last])


def hit_of(snapshot: Snapshot, store: Store, ranking: Ranking, place: int) -> UnitHit:
    """A unit as an answer."""
    file, unit = int(snapshot.unit_file[place]), snapshot.units[place]
    path, (first, last) = snapshot.paths[file], unit.cited
    return UnitHit(
        citation=f"{path}:{first}-{last}",
        name=unit.name or path,
        kind=unit.kind,
        signature=unit.signature,
        ancestors=unit.ancestors,
        sha256=unit.sha256,
        score=ranking.units[place],
        reasons=ranking.reasons(place, file),
        text=lines_of(snapshot, store, place),
        label=label_of(snapshot, store, place),
    )


def label_of(snapshot: Snapshot, store: Store, place: int) -> str:
    """The `bl_label` of the class that a unit is, or is a method of; empty if there is none."""
    unit, siblings = snapshot.units[place], snapshot.file_units[int(snapshot.unit_file[place])]
    name = unit.name if unit.kind == "class" else unit.name.rpartition(".")[0]
    owner = next((one for one in siblings if name and snapshot.units[one].name == name), None)
    written = LABEL.search(lines_of(snapshot, store, owner)) if owner is not None else None
    return " ".join(written[1].split()) if written else ""
