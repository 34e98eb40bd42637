"""Gathers the symbols that an answer to a request needs: for each of its parts, with the ways to them.

    request ─> parts ─> vectors ─┬─> ranked   the ranking of the whole request (rank.py)
                                 ├─> asked    a part is near to a question that the symbol answers
                                 ├─> meant    a part is near to the symbol's own text
                                 ├─> named    the request uses its name in the user interface, or spells it out
                                 ├─> needed   it answers many questions
                                 └─> recipe   a proven recipe near to a part uses it
    the classes of the best ──────┬─> owner   the request names the class of a member
                                  ├─> label   the request says the words of this setting of the class
                                  └─> leads   it is on the way to one of the best, or is a setting of such a node

One weighted sum orders all of them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from app.retrieval.directory import Directory, Scores, Wording
from app.retrieval.modelling import LEAST_SCORE, OF_MODELLING, is_about_a_shape
from app.retrieval.rank import answers, largest, rank
from ingest.ways import BY_CALL, Ways
from search.encoder import Vectors
from search.stems import stems

WEIGHTS: Final[dict[str, float]] = {
    "ranked": 1.6,
    "asked": 1.5,
    "meant": 2.3,
    "named": 2.4,
    "needed": 0.4,
    "recipe": 4.4,
    "owner": 0.7,
    "label": 1.3,
    "leads": 1.3,
}
"""Fitted by `python -m bench.shown --fit` on one half of the answers; measured on the other."""
FIRST: Final[dict[str, float]] = {"ranked": 1.0, "asked": 0.9, "meant": 0.5, "named": 0.9, "needed": 0.03}
"""Weights of the first look, which chooses the classes whose settings are read."""

RANKED: Final = 150
BEST_RANK: Final = 1.6
QUESTIONS: Final = 12
LEAST_NEAR: Final = 0.4
"""Cosine below which a question or a recipe is about something else."""
DECAY: Final = 0.06
"""The share by which each symbol of an answer counts less than the one before it."""
UNRELATED: Final = 0.2
"""Cosine that any two texts about Blender have."""
LOOKED_AT: Final = 100
CLASSES: Final = 40
LEAD_TO: Final = 80
STEPS: Final = 3
LEAST_SAID: Final = 0.55
"""Share of the words of a label that a request must say."""
LIKELY_SETTING: Final = 0.35
RECIPES: Final = 8
MEMBER: Final = 0.8
HELD: Final = 0.7
"""MEMBER is the likelihood of a class relative to its member, HELD relative to a property that holds an instance."""
MOST_LIKELY: Final = 1.5
MOST_LEADING: Final = 2.0
LESS_EACH_STEP: Final = 0.6
BY_WORDS: Final = {1: 0.35, 2: 0.8}
"""The certainty of a name by its number of words; a single word may mean anything."""

KNOWN: Final = re.compile(
    r"bpy(\.data|\.context)?|bpy\.types\.(bpy_struct|bpy_prop_collection(\.get)?|ID\.name|Context\.scene|BlendData)"
)
"""Symbols that every writer of such code knows."""

Signs = dict[str, float]


@dataclass(frozen=True)
class RankedSymbol:
    """A symbol for a request, with its score and the reason."""

    address: str
    score: float
    why: str


@dataclass
class Candidates:
    """The evidence for each address: signs, each from 0 to about 2, and reasons in words."""

    signs: dict[str, Signs] = field(default_factory=lambda: defaultdict[str, Signs](dict))
    why: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    def add(self, address: str, sign: str, value: float, why: str) -> None:
        """Keep the strongest of each sign."""
        signs = self.signs[address]
        if value > signs.get(sign, 0.0):
            signs[sign] = value
            self.why[address, sign] = why

    def best(self, weights: Mapping[str, float]) -> list[RankedSymbol]:
        """All of them, the best first."""
        unknown = ((address, signs) for address, signs in self.signs.items() if not KNOWN.fullmatch(address))
        symbols = [self._score(address, signs, weights) for address, signs in unknown]
        return sorted(symbols, key=lambda symbol: (-symbol.score, symbol.address))

    def _score(self, address: str, signs: Signs, weights: Mapping[str, float]) -> RankedSymbol:
        parts = {sign: weights[sign] * value for sign, value in signs.items() if sign in weights}
        explained = [sign for sign in parts if (address, sign) in self.why]
        strongest = max(explained, key=lambda sign: parts[sign], default="")
        return RankedSymbol(address, sum(parts.values()), self.why.get((address, strongest), ""))


def gather(directory: Directory, request: str, vectors: Vectors | None, ways: Ways) -> list[RankedSymbol]:
    """The symbols for a request, the best first.

    `vectors` has a row per part, the whole request first; None searches by words and names alone.
    """
    best = candidates_for(directory, request, vectors, ways).best(WEIGHTS)
    indexed = [symbol for symbol in best if symbol.address in directory.row_of]
    sure = [symbol for symbol in indexed if symbol.score >= LEAST_SCORE]
    if not is_about_a_shape([symbol.address for symbol in sure]):
        return indexed
    there = {symbol.address for symbol in sure}
    more = (address for address in OF_MODELLING if address in directory.row_of and address not in there)
    return [*sure, *(RankedSymbol(address, 0.0, "modelling uses it") for address in more)]


def candidates_for(directory: Directory, request: str, vectors: Vectors | None, ways: Ways) -> Candidates:
    """The evidence for each symbol."""
    candidates = Candidates()
    near = None if vectors is None else nearest_part(directory.vectors, vectors)
    wordings = None if vectors is None else nearness(directory.wording_vectors, vectors)
    add_ranked(candidates, directory, request, vectors)
    add_named(candidates, directory, request)
    if wordings is not None:
        add_asked(candidates, directory, wordings)
    for row in largest(near, LOOKED_AT) if near is not None else ():
        candidates.add(directory.addresses[row], "meant", 0.0, "")
    weigh_meaning(candidates, directory, near)
    first = candidates.best(FIRST)[:LOOKED_AT]
    candidates.signs = defaultdict(dict, {symbol.address: candidates.signs[symbol.address] for symbol in first})
    add_settings(candidates, directory, request, first, ways, near)
    add_ways(candidates, first, ways)
    if wordings is not None:
        add_recipes(candidates, directory, wordings)
    weigh_meaning(candidates, directory, near)
    weigh_owners(candidates, directory, request)
    return candidates


def nearness(texts: Vectors | None, parts: Vectors) -> Scores | None:
    """The cosine of each text, one per row, with each part."""
    if texts is None:
        return None
    product: Scores = texts @ parts.T
    return product


def nearest_part(texts: Vectors | None, parts: Vectors) -> Scores | None:
    """The cosine of each text with the part that is nearest to it."""
    near = nearness(texts, parts)
    return None if near is None else np.max(near, axis=1)


def add_ranked(candidates: Candidates, directory: Directory, request: str, vectors: Vectors | None) -> None:
    """Add the ranking of the whole request."""
    vector = None if vectors is None else vectors[0]
    for row, score, evidence in rank(directory, request, vector)[:RANKED]:
        why = next(iter(evidence.why.values()), "")
        candidates.add(directory.addresses[row], "ranked", min(score, BEST_RANK), why)


def add_asked(candidates: Candidates, directory: Directory, wordings: Scores) -> None:
    """Add the answers to the questions that are near to a part."""
    for near, wording in nearest_wordings(directory, np.where(directory.by_hand[:, None], wordings, -1.0), QUESTIONS):
        for position, row in enumerate(wording.rows):
            candidates.add(directory.addresses[row], "asked", near * (1 - DECAY * position), answers(wording, near))


def nearest_wordings(directory: Directory, wordings: Scores, each: int) -> Iterator[tuple[float, Wording]]:
    """The wordings nearest to each part, with their cosine; those that are about something else are left out."""
    for nearness in wordings.T:
        for place in largest(nearness, each):
            if nearness[place] < LEAST_NEAR:
                break
            yield float(nearness[place]), directory.wordings[place]


def add_named(candidates: Candidates, directory: Directory, request: str) -> None:
    """Add what the request calls by name."""
    for row, (name, _) in directory.names.by_label(request).items():
        certainty = BY_WORDS.get(len(name.split()), 1.0)
        candidates.add(directory.addresses[row], "named", certainty, f'the request names "{name}"')
    for row, written in directory.names.by_spelling(request).items():
        candidates.add(directory.addresses[row], "named", 1.0, f"the request writes {written}")


def weigh_meaning(candidates: Candidates, directory: Directory, near: Scores | None) -> None:
    """Add the nearness of each candidate to a part, and how often it is needed."""
    for address, signs in candidates.signs.items():
        row = directory.row_of.get(address)
        if row is not None:
            signs["needed"] = float(directory.asked_for[row])
        if row is not None and near is not None:
            signs["meant"] = max(float(near[row]) - UNRELATED, 0.0)
            candidates.why.setdefault((address, "meant"), "its description is near to the request")


def weigh_owners(candidates: Candidates, directory: Directory, request: str) -> None:
    """Add that the request calls the class of a member by a name of several words."""
    named = {directory.addresses[row] for row, (name, _) in directory.names.by_label(request).items() if " " in name}
    for address in list(candidates.signs):
        owner = address.rpartition(".")[0]
        if owner in named:
            candidates.add(address, "owner", 1.0, f"the request names {owner.removeprefix('bpy.types.')}")


def classes_of(first: Sequence[RankedSymbol], ways: Ways) -> dict[str, float]:
    """The classes that the best symbols belong or lead to, the likeliest first."""
    likely: dict[str, float] = defaultdict(float)
    types = ways.manifest.types
    for symbol in first:
        name, _, member = symbol.address.removeprefix("bpy.types.").partition(".")
        if symbol.address.startswith("bpy.types.") and name in types:
            likely[name] = max(likely[name], symbol.score * (MEMBER if member else 1.0))
            prop = types[name].properties.get(member)
            for held in (prop.of, prop.collection) if prop else ():
                if held in types:
                    likely[held] = max(likely[held], symbol.score * HELD)
    return dict(sorted(likely.items(), key=lambda score: (-score[1], score[0]))[:CLASSES])


def add_settings(
    candidates: Candidates,
    directory: Directory,
    request: str,
    first: Sequence[RankedSymbol],
    ways: Ways,
    near: Scores | None,
) -> None:
    """Add the settings of the likely classes that the request names, or seems to mean; and the classes themselves."""
    said = frozenset(stems(request))
    for name, likely in classes_of(first, ways).items():
        candidates.add(f"bpy.types.{name}", "leads", 0.0, "")
        for setting in ways.settings(name):
            row = directory.row_of.get(setting.address)
            if row is None:
                continue
            share = max((len(words & said) / len(words) for words in setting.wordings), default=0.0)
            if share >= LEAST_SAID:
                why = f'the request says "{setting.prop.label or setting.prop.name}" of {name}'
                candidates.add(setting.address, "label", share * min(likely, MOST_LIKELY), why)
            elif near is not None and near[row] > LIKELY_SETTING:
                candidates.add(setting.address, "label", 0.0, "")


def add_recipes(candidates: Candidates, directory: Directory, wordings: Scores) -> None:
    """Add what the nearest proven recipes use."""
    seen: set[str] = set()
    nearest = nearest_wordings(directory, np.where(directory.by_hand[:, None], -1.0, wordings), RECIPES)
    for near, wording in sorted(nearest, key=lambda near_wording: -near_wording[0]):
        if wording.question not in seen and len(seen) < RECIPES:
            seen.add(wording.question)
            for row in wording.rows:
                candidates.add(directory.addresses[row], "recipe", near, f'"{wording.title}" uses it')


def add_ways(candidates: Candidates, first: Sequence[RankedSymbol], ways: Ways) -> None:
    """Add the properties that lead to the best symbols, and the settings of the best nodes."""
    for symbol in first[:LEAD_TO]:
        name, _, member = symbol.address.removeprefix("bpy.types.").partition(".")
        if not symbol.address.startswith("bpy.types.") or name not in ways.manifest.types:
            continue
        strength = min(symbol.score, MOST_LEADING)
        for step in reversed(ways.to(name)[-STEPS:]):
            candidates.add(step.address, "leads", strength, f"it leads to {name}")
            strength *= LESS_EACH_STEP
        for address in BY_CALL.get(name, ()):
            candidates.add(address, "leads", min(symbol.score, MOST_LEADING), f"it leads to {name}")
        if name in ways.manifest.nodes and not member:
            for prop in ways.manifest.types[name].properties:
                candidates.add(
                    f"{symbol.address}.{prop}", "leads", min(symbol.score, MOST_LEADING), f"a setting of {name}"
                )
