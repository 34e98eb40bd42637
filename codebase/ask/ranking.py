"""Ranks the files and units of an index for a question, with the reasons.

    question -> lists over files ----> fused, tests and documents lowered --> near, together, package --> fused: files
             -> lists over units ---------------------------------------------------------- with its file, fused: units

A list weighs 1 if it has evidence from the question, 0.5 if it has near or likely places, 2 if it has what users see,
and 3 if it has what the asker wrote: a path, or the name that is sought.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from codebase.ask import lists
from codebase.ask.question import ParsedQuestion, read_question
from codebase.index.matrices import Vector
from codebase.index.roles import Role
from codebase.index.snapshot import Snapshot
from search.fuse import fuse

SOFTENING: Final = 20.0
"""The constant of the fusion; a repository has few files, so the first places count more than among web pages."""
FILE_WEIGHTS: Final = {
    "words of the file": 1.0,
    "words of a unit": 1.0,
    "names it defines": 1.0,
    "written in the question": 3.0,
    "module or frame": 1.0,
    "words of its path": 0.5,
    "labels": 2.0,
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
"""Everything is a little near in meaning; only the nearest units are evidence."""
SHOWN_PLACES: Final = 50
"""A place further down a list is no reason."""


@dataclasses.dataclass(frozen=True)
class Ranking:
    """Files and units by their numbers in the snapshot, each best first with its score, and the lists behind them."""

    files: dict[int, float]
    units: dict[int, float]
    file_lists: dict[str, list[int]]
    unit_lists: dict[str, list[int]]

    def reasons(self, unit: int, file: int) -> tuple[str, ...]:
        """The lists in which a unit ranks high, then those of its file, with the place in each."""
        own = high_places(unit, self.unit_lists)
        return (*own, *(f"file: {reason}" for reason in high_places(file, self.file_lists)))


def high_places(number: int, rankings: Mapping[str, list[int]]) -> list[str]:
    """The lists in which a file or unit ranks high, the best place first."""
    places = {name: ranking.index(number) + 1 for name, ranking in rankings.items() if number in ranking[:SHOWN_PLACES]}
    return [f"{name} (place {place})" for name, place in sorted(places.items(), key=lambda pair: pair[1])]


def rank(snapshot: Snapshot, text: str, left_out: Collection[str] = (), near: Vector | None = None) -> Ranking:
    """Rank everything for a question without the lists that are named in `left_out`.

    `near` has the nearness of each unit to the question in meaning; without it, words alone decide.
    """
    question = read_question(text)
    factors = np.array([factor(role, question) for role in snapshot.roles], dtype=np.float32)
    words = snapshot.units_bm25.scores(lists.known_terms(question.terms, snapshot.terms))
    named = lists.named_units(snapshot, question)
    files = file_lists(snapshot, question, words, named)
    units = unit_lists(snapshot, question, words, named)
    if near is not None:
        files["meaning"] = lists.best_places(lists.best_per_file(snapshot, near), MEANING_DEPTH)
        units["meaning"] = lists.best_places(near, MEANING_DEPTH)
    files = {name: ranking for name, ranking in files.items() if name not in left_out}
    seeds = lists.seeds_of(fuse_lists(files, FILE_WEIGHTS, factors), len(snapshot.paths))
    files |= {name: ranking for name, ranking in near_lists(snapshot, seeds).items() if name not in left_out}
    best_files = fuse_lists(files, FILE_WEIGHTS, factors)
    units = {name: ranking for name, ranking in units.items() if name not in left_out}
    unit_factors = factors[snapshot.unit_file]
    best_units = with_files(snapshot, fuse_lists(units, UNIT_WEIGHTS, unit_factors), list(best_files), unit_factors)
    return Ranking(best_files, best_units, files, units)


def factor(role: Role, question: ParsedQuestion) -> float:
    """The factor for the score of a file."""
    asked = (role == "test" and question.about_tests) or (role == "doc" and question.about_docs)
    return 1.0 if role == "source" or asked else LOWERED


def file_lists(snapshot: Snapshot, question: ParsedQuestion, words: Vector, named: Vector) -> dict[str, list[int]]:
    """Evidence for files in the question."""
    terms = lists.known_terms(question.terms, snapshot.terms)
    return {
        "words of the file": lists.best_places(snapshot.files_bm25.scores(terms)),
        "words of a unit": lists.best_places(lists.best_per_file(snapshot, words)),
        "names it defines": lists.best_places(lists.named_files(snapshot, named)),
        "written in the question": lists.best_places(lists.written_files(snapshot, question)),
        "module or frame": lists.best_places(lists.traced_files(snapshot, question)),
        "words of its path": lists.best_places(lists.path_words(snapshot, question)),
        "labels": lists.best_places(snapshot.file_labels.scores(terms)),
    }


def near_lists(snapshot: Snapshot, seeds: Vector) -> dict[str, list[int]]:
    """Files near the first ones, or likely by their changes."""
    return {
        "imports": lists.best_places(lists.near_files(snapshot, seeds)),
        "changed together": lists.best_places(lists.changed_together(snapshot, seeds)),
        "same package": lists.best_places(lists.package_files(snapshot, seeds)),
        "changed lately": lists.best_places(snapshot.recency) if seeds.any() else [],
    }


def unit_lists(snapshot: Snapshot, question: ParsedQuestion, words: Vector, named: Vector) -> dict[str, list[int]]:
    """Evidence for units in the question."""
    return {
        "words": lists.best_places(words, UNIT_DEPTH),
        "its name": lists.best_places(named, UNIT_DEPTH),
        "its definition is asked for": lists.best_places(lists.sought_units(snapshot, question), lists.COMMON),
        "member of a named class": lists.best_places(lists.members(snapshot, question, words), UNIT_DEPTH),
        "in a written file": lists.best_places(lists.inside(snapshot, lists.written_files(snapshot, question), words)),
        "frame of the traceback": lists.best_places(lists.framed_units(snapshot, question)),
    }


def fuse_lists(rankings: Mapping[str, list[int]], weights: Mapping[str, float], factors: Vector) -> dict[int, float]:
    """One ranking out of several, best first, each score times its factor."""
    scores = fuse(rankings, weights, SOFTENING)
    return in_order({place: score * float(factors[place]) for place, score in scores.items()})


def with_files(snapshot: Snapshot, units: Mapping[int, float], files: list[int], factors: Vector) -> dict[int, float]:
    """Units with the score that the place of their file adds."""
    added = {file: UNIT_WEIGHTS["its file"] / (SOFTENING + place) for place, file in enumerate(files)}
    return in_order(
        {
            unit: score + float(factors[unit]) * added.get(int(snapshot.unit_file[unit]), 0.0)
            for unit, score in units.items()
        }
    )


def reranked(ranking: Ranking, places: Sequence[int], scores: Sequence[float]) -> Ranking:
    """A ranking whose units at these places are ordered by the scores of a judge too; the others follow as before."""
    by_judge = [place for _, place in sorted(zip(scores, places, strict=True), key=lambda pair: -pair[0])]
    top = fuse({"found": places, "judged": by_judge}, {"found": 1.0, "judged": 1.0}, SOFTENING)
    above = max(ranking.units.values(), default=0.0)
    units = in_order(ranking.units | {place: above + score for place, score in top.items()})
    return dataclasses.replace(ranking, units=units, unit_lists=ranking.unit_lists | {"judge": by_judge})


def in_order(scores: Mapping[int, float]) -> dict[int, float]:
    return dict(sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])))


def first_units(
    snapshot: Snapshot, ranking: Ranking, most: int = MOST_UNITS, per_file: int | None = None
) -> Iterator[int]:
    """The first units of a ranking, without overlapping lines; at most `per_file` of one file."""
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
