"""Ranks the symbols of a reference for a query: every leg gives evidence, one weighted sum orders them.

asked      the query is near to a question whose answer uses the symbol      dense, over the wordings
voted      several such questions agree
worded     the query shares rare words with such a question                  full text, over the wordings
meant      the query is near to the symbol's own text                        dense, over the symbols
written    the query shares rare words with it                               full text, over the symbols
needed     the symbol answers many questions
owned      the query is near to the class of the symbol                      structure
called     the query uses its name in the user interface                     vocabulary
spelled    the query spells it out                                           spelling
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Final

import numpy as np

from app.retrieval.directory import Directory, Scores, Wording
from search.encoder import Vectors

WEIGHTS: Final[dict[str, float]] = {
    "asked": 1.0,
    "voted": 0.2,
    "worded": 0.25,
    "meant": 0.22,
    "written": 0.1,
    "needed": 0.025,
    "owned": 0.01,
    "called": 2.0,
    "spelled": 3.0,
}
"""Tuned on the questions of `bench/questions.jsonl`; measured by `python -m bench.retrieval`."""

NEAREST_WORDINGS: Final = 60
NEAREST_SYMBOLS: Final = 100
SHARED_WORDS: Final = 100
VOTE_WIDTH: Final = 0.06
"""The cosine by which another question may lie below the nearest one and still count."""
ANSWER_DECAY: Final = 0.06
VOTE_DECAY: Final = 0.85
"""ANSWER_DECAY is the share by which each symbol of an answer counts less than the one before it; VOTE_DECAY the
factor between their votes.
"""
NEAR_ENOUGH: Final = 0.5
"""Cosine from which a question means the same; below it, its answer is only the best one available."""
LEAST_SPELLED: Final = 0.5
NEEDED_SHARE: Final = 0.1


@dataclasses.dataclass
class SymbolEvidence:
    """The evidence for one symbol, each leg from 0 to about 1, and its wording."""

    asked: float = 0.0
    voted: float = 0.0
    worded: float = 0.0
    meant: float = 0.0
    written: float = 0.0
    needed: float = 0.0
    owned: float = 0.0
    called: float = 0.0
    spelled: float = 0.0
    why: dict[str, str] = dataclasses.field(default_factory=dict[str, str])

    def score(self, legs: Iterable[str]) -> float:
        """The weighted sum over the legs that are used."""
        return sum(WEIGHTS[leg] * float(getattr(self, leg)) for leg in legs)


LEGS: Final = tuple(WEIGHTS)
QUESTION_LEGS: Final = frozenset({"asked", "voted", "worded", "needed"})


def rank(
    directory: Directory, query: str, vector: Vectors | None, legs: Iterable[str] = LEGS
) -> list[tuple[int, float, SymbolEvidence]]:
    """Rows of the symbols for a query with score and evidence, the best first.

    `vector` is that of the query; None searches by words and names alone, as does a reference without vectors.
    """
    used = tuple(legs)
    evidence_of: dict[int, SymbolEvidence] = defaultdict(SymbolEvidence)
    steps: tuple[tuple[frozenset[str], Callable[[], None]], ...] = (
        (frozenset({"asked", "voted"}), lambda: add_near_questions(directory, vector, evidence_of)),
        (frozenset({"worded"}), lambda: add_worded_questions(directory, query, evidence_of)),
        (frozenset({"written"}), lambda: add_shared_words(directory, query, evidence_of)),
        (frozenset({"called", "spelled"}), lambda: add_names(directory, query, evidence_of)),
        (frozenset({"meant", "owned"}), lambda: add_meaning(directory, vector, evidence_of)),
    )
    for needed_by, step in steps:
        if needed_by & set(used):
            step()
    for row, evidence in evidence_of.items():
        evidence.needed = float(directory.asked_for[row])
    scored = ((row, evidence.score(used), evidence) for row, evidence in evidence_of.items())
    return sorted(scored, key=lambda ranked: (-ranked[1], directory.addresses[ranked[0]]))


def add_near_questions(directory: Directory, vector: Vectors | None, evidence_of: dict[int, SymbolEvidence]) -> None:
    """Add the symbols of the questions that mean nearly the same."""
    if vector is None or directory.wording_vectors is None:
        return
    nearness: Scores = directory.wording_vectors @ vector
    best = best_of_each_question(directory, np.where(directory.by_hand, nearness, -1.0))
    top = float(next(iter(best.values()))[1]) if best else 0.0
    for wording, near in best.values():
        for place, row in enumerate(wording.rows):
            evidence = evidence_of[row]
            asked = max(near, 0.0) * (1 - ANSWER_DECAY * place)
            if asked > evidence.asked:
                evidence.asked = asked
                evidence.why["asked"] = answers(wording, near)
            evidence.voted += float(np.exp((near - top) / VOTE_WIDTH)) * VOTE_DECAY**place


def answers(wording: Wording, near: float) -> str:
    """The reason for a symbol that answers a question, in words."""
    return f'answers "{wording.text}"' + ("" if near >= NEAR_ENOUGH else ", which is not near to the request")


def best_of_each_question(directory: Directory, nearness: Scores) -> dict[str, tuple[Wording, float]]:
    """The nearest wording of each of the nearest questions, the nearest question first."""
    best: dict[str, tuple[Wording, float]] = {}
    for place in largest(nearness, NEAREST_WORDINGS):
        wording = directory.wordings[place]
        best.setdefault(wording.question, (wording, float(nearness[place])))
    return best


def largest(scores: Scores, count: int) -> list[int]:
    """The places of the largest scores, the largest first."""
    count = min(count, len(scores))
    if not count:
        return []
    places = np.argpartition(-scores, count - 1)[:count]
    return [int(place) for place in places[np.argsort(-scores[places], kind="stable")]]


def add_worded_questions(directory: Directory, query: str, evidence_of: dict[int, SymbolEvidence]) -> None:
    """Add the symbols of the questions that share words with the query."""
    for place, shared in directory.wordings_by_words(query, NEAREST_WORDINGS).items():
        wording = directory.wordings[place]
        if wording.source != "question":
            continue
        for position, row in enumerate(wording.rows):
            evidence = evidence_of[row]
            worded = shared * (1 - ANSWER_DECAY * position)
            if worded > evidence.worded:
                evidence.worded = worded
                evidence.why.setdefault("asked", f'answers "{wording.text}"')


def add_shared_words(directory: Directory, query: str, evidence_of: dict[int, SymbolEvidence]) -> None:
    for row, shared in directory.by_words(query, SHARED_WORDS).items():
        evidence_of[row].written = shared
        evidence_of[row].why["written"] = "its entry shares words with the request"


def add_names(directory: Directory, query: str, evidence_of: dict[int, SymbolEvidence]) -> None:
    spelled = directory.names.by_spelling(query)
    for row, written in spelled.items():
        # Many classes may have a member of this name: the one that is needed most goes first.
        bare = "." not in written and directory.addresses[row].lower() != f"bpy.types.{written.lower()}"
        certainty = LEAST_SPELLED + NEEDED_SHARE * float(directory.asked_for[row]) if bare else 1.0
        # A name within a long request often did not help: "keyframe_insert only returns True, I need ...".
        evidence_of[row].spelled = certainty * (len(written) / len(query.strip())) ** 2
        evidence_of[row].why["spelled"] = f"the request writes {written}"
    for row, (name, share) in directory.names.by_label(query).items():
        if row not in spelled:
            evidence_of[row].called = share**2
            evidence_of[row].why["called"] = f'the request names "{name}"'


def add_meaning(directory: Directory, vector: Vectors | None, evidence_of: dict[int, SymbolEvidence]) -> None:
    """Add the nearness in meaning of every candidate and its owner, and the nearest symbols as further candidates."""
    if vector is None or directory.vectors is None:
        return
    nearness: Scores = directory.vectors @ vector
    for row in largest(nearness, NEAREST_SYMBOLS):
        evidence_of[row].why["meant"] = "its description is among the nearest in meaning"
    for row, evidence in evidence_of.items():
        evidence.meant = float(nearness[row])
        owner = directory.row_of.get(directory.addresses[row].rpartition(".")[0])
        evidence.owned = float(nearness[owner]) if owner is not None else 0.0
