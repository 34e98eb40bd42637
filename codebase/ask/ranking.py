"""Ranks the files and units of an index for a question, with the reasons.

    question -> lists over files ----> fused, tests and documents lowered --> near, together, package --> fused: files
             -> lists over units ---------------------------------------------------------- with its file, fused: units

A list weighs 1 if it says something of the question, 0.5 if it says what is near or likely, and 3 if it is what the
asker wrote: a path, or the name of what is sought.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from codebase.ask import lists
from codebase.ask.question import Question, read_question
from codebase.index.matrices import Vector
from codebase.index.roles import Role
from codebase.index.snapshot import Snapshot
from search.fuse import fuse

SOFTENING: Final = 20.0
"""The constant of the fusion; a repository has few files, so the first places stand out more than among web pages."""
FILE_WEIGHTS: Final = {
    "words of the file": 1.0,
    "words of a unit": 1.0,
    "names it defines": 1.0,
    "written in the question": 3.0,
    "module or frame": 1.0,
    "words of its path": 0.5,
    "imports": 1.0,
    "changed lately": 0.5,
    "changed together": 0.5,
    "same package": 0.5,
    "meaning": 0.5,
}
UNIT_WEIGHTS: Final = {
    "words": 1.0,
    "frame of the traceback": 1.0,
    "member of a named class": 1.0,
    "its name": 0.5,
    "its definition is asked for": 3.0,
    "meaning": 0.5,
    "in a written file": 1.0,
    "its file": 2.0,
}
LOWERED: Final = 0.3
"""The factor of tests, documents and files from elsewhere, unless the question is about those."""
MOST_UNITS: Final = 12
UNIT_DEPTH: Final = 500
MEANING_DEPTH: Final = 100
"""Everything has a meaning that is a little near; only the nearest says something."""
SHOWN_PLACES: Final = 50
"""A place further down a list is no reason."""


@dataclasses.dataclass(frozen=True)
class Ranking:
    """Files and units by their numbers in the snapshot, each best first with its score, and the lists they are from."""

    files: dict[int, float]
    units: dict[int, float]
    file_lists: dict[str, list[int]]
    unit_lists: dict[str, list[int]]

    def reasons(self, unit: int, file: int) -> tuple[str, ...]:
        """The lists in which a unit stands high, then those of its file, with its place in each."""
        own = placed(unit, self.unit_lists)
        return (*own, *(f"file: {reason}" for reason in placed(file, self.file_lists)))


def placed(one: int, rankings: Mapping[str, list[int]]) -> list[str]:
    """The lists in which a file or unit stands high, the best place first."""
    places = {name: ranking.index(one) + 1 for name, ranking in rankings.items() if one in ranking[:SHOWN_PLACES]}
    return [f"{name} (place {place})" for name, place in sorted(places.items(), key=lambda pair: pair[1])]


def rank(snapshot: Snapshot, text: str, left_out: Collection[str] = (), near: Vector | None = None) -> Ranking:
    """Rank everything for a question without the lists that are named in `left_out`.

    `near` says how near the meaning of each unit is to the question; without it, words alone decide.
    """
    question = read_question(text)
    factors = np.array([factor(role, question) for role in snapshot.roles], dtype=np.float32)
    words = snapshot.units_bm25.scores(lists.known(question.terms, snapshot.terms))
    named = lists.named_units(snapshot, question)
    files = file_lists(snapshot, question, words, named)
    units = unit_lists(snapshot, question, words, named)
    if near is not None:
        files["meaning"] = lists.ranked(lists.best_per_file(snapshot, near), MEANING_DEPTH)
        units["meaning"] = lists.ranked(near, MEANING_DEPTH)
    files = {name: ranking for name, ranking in files.items() if name not in left_out}
    seeds = lists.seeded(fused(files, FILE_WEIGHTS, factors), len(snapshot.paths))
    files |= {name: ranking for name, ranking in near_lists(snapshot, seeds).items() if name not in left_out}
    best_files = fused(files, FILE_WEIGHTS, factors)
    units = {name: ranking for name, ranking in units.items() if name not in left_out}
    unit_factors = factors[snapshot.unit_file]
    best_units = with_files(snapshot, fused(units, UNIT_WEIGHTS, unit_factors), list(best_files), unit_factors)
    return Ranking(best_files, best_units, files, units)


def factor(role: Role, question: Question) -> float:
    """What the score of a file is multiplied by."""
    asked = (role == "test" and question.about_tests) or (role == "doc" and question.about_docs)
    return 1.0 if role == "source" or asked else LOWERED


def file_lists(snapshot: Snapshot, question: Question, words: Vector, named: Vector) -> dict[str, list[int]]:
    """What the question says of files."""
    terms = lists.known(question.terms, snapshot.terms)
    return {
        "words of the file": lists.ranked(snapshot.files_bm25.scores(terms)),
        "words of a unit": lists.ranked(lists.best_per_file(snapshot, words)),
        "names it defines": lists.ranked(lists.named_files(snapshot, named)),
        "written in the question": lists.ranked(lists.written_files(snapshot, question)),
        "module or frame": lists.ranked(lists.traced_files(snapshot, question)),
        "words of its path": lists.ranked(lists.path_words(snapshot, question)),
    }


def near_lists(snapshot: Snapshot, seeds: Vector) -> dict[str, list[int]]:
    """What is near the files found so far, or likely."""
    return {
        "imports": lists.ranked(lists.near_files(snapshot, seeds)),
        "changed together": lists.ranked(lists.changed_together(snapshot, seeds)),
        "same package": lists.ranked(lists.package_files(snapshot, seeds)),
        "changed lately": lists.ranked(snapshot.recency) if seeds.any() else [],
    }


def unit_lists(snapshot: Snapshot, question: Question, words: Vector, named: Vector) -> dict[str, list[int]]:
    """What the question says of units."""
    return {
        "words": lists.ranked(words, UNIT_DEPTH),
        "its name": lists.ranked(named, UNIT_DEPTH),
        "its definition is asked for": lists.ranked(lists.sought_units(snapshot, question), lists.COMMON),
        "member of a named class": lists.ranked(lists.members(snapshot, question, words), UNIT_DEPTH),
        "in a written file": lists.ranked(lists.inside(snapshot, lists.written_files(snapshot, question), words)),
        "frame of the traceback": lists.ranked(lists.framed_units(snapshot, question)),
    }


def fused(rankings: Mapping[str, list[int]], weights: Mapping[str, float], factors: Vector) -> dict[int, float]:
    """Rankings as one, best first, each score times its factor."""
    scores = fuse(rankings, weights, SOFTENING)
    return in_order({place: score * float(factors[place]) for place, score in scores.items()})


def with_files(snapshot: Snapshot, units: Mapping[int, float], files: list[int], factors: Vector) -> dict[int, float]:
    """Units with what the place of their file adds."""
    added = {file: UNIT_WEIGHTS["its file"] / (SOFTENING + place) for place, file in enumerate(files)}
    return in_order(
        {
            unit: score + float(factors[unit]) * added.get(int(snapshot.unit_file[unit]), 0.0)
            for unit, score in units.items()
        }
    )


def judged(ranking: Ranking, places: Sequence[int], words: Sequence[float]) -> Ranking:
    """A ranking whose units at these places are ordered by what a judge says too; the others follow as they were."""
    by_judge = [place for _, place in sorted(zip(words, places, strict=True), key=lambda pair: -pair[0])]
    top = fuse({"found": places, "judged": by_judge}, {"found": 1.0, "judged": 1.0}, SOFTENING)
    above = max(ranking.units.values(), default=0.0)
    units = in_order(ranking.units | {place: above + score for place, score in top.items()})
    return dataclasses.replace(ranking, units=units, unit_lists=ranking.unit_lists | {"judge": by_judge})


def in_order(scores: Mapping[int, float]) -> dict[int, float]:
    return dict(sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])))


def first_units(
    snapshot: Snapshot, ranking: Ranking, most: int = MOST_UNITS, per_file: int | None = None
) -> Iterator[int]:
    """The first units of a ranking, none of which holds lines of one before it; at most so many of one file."""
    taken: dict[int, list[tuple[int, int]]] = {}
    count = 0
    for place in ranking.units:
        first, last = snapshot.units[place].cited
        spans = taken.setdefault(int(snapshot.unit_file[place]), [])
        is_room = count < most and (per_file is None or len(spans) < per_file)
        if is_room and not any(first <= end and begin <= last for begin, end in spans):
            spans.append((first, last))
            count += 1
            yield place
