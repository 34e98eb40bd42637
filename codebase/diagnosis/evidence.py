"""The evidence that a unit is at fault, and how it adds up to a suspicion.

Each piece has a strength from 0 to 1. The remaining doubt is the product of the doubts that the pieces leave, so that
several weak reasons make a suspect, and none of them makes certainty.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Mapping
from typing import Final, Literal

from codebase.ask.ranking import Ranking
from codebase.diagnosis.places import maker_of
from codebase.index.roles import Role
from codebase.index.snapshot import Snapshot
from codebase.units.unit import CODE

Likelihood = Literal["likely", "possible", "unlikely"]
LIKELY: Final = 0.6
POSSIBLE: Final = 0.3
SURE: Final = 5
"""Suspects that the evidence alone chooses, see `python -m bench.tracebacks`."""
FAINT: Final = 0.25
FOUND: Final = "its words are those of the log"

STRENGTHS: Final[Mapping[str, float]] = {
    "it broke here": 0.68,
    "its caller": 0.42,
    "further up": 0.25,
    "called on the crash line": 0.55,
    "used on the crash line": 0.3,
    "made the value": 0.42,
    "sets the field": 0.35,
    "called by its caller": 0.25,
    "passes the value": 0.25,
    "called from there": 0.2,
    "named in the message": 0.5,
    "mentions the name": 0.25,
    "may return nothing": 0.45,
    "written only here": 0.5,
    "should set it": 0.65,
    "a framework leads here": 0.4,
    "answers the request": 0.5,
    "was at fault before": 0.7,
    "changed last": 0.12,
    "words": 0.2,
}
"""Chosen on mutated programs, see `python -m bench.tracebacks`; the ranking hardly moves if one changes by a third."""
ROLES: Final[Mapping[Role, float]] = {"source": 1.0, "test": 0.2, "doc": 0.2, "foreign": 0.5}


@dataclasses.dataclass(frozen=True)
class Suspect:
    """A unit that may be at fault. The score is from 0 to 1, and comparable only within a diagnosis."""

    citation: str
    name: str
    kind: str
    signature: str
    score: float
    likelihood: Likelihood
    reasons: tuple[str, ...]


def code_units(snapshot: Snapshot, searched: Ranking) -> list[int]:
    """The functions and classes that a search found, the best first."""
    return [unit for unit in searched.units if snapshot.units[unit].kind in CODE]


class UnitEvidence:
    """Collects the evidence against each unit."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._pieces: defaultdict[int, dict[str, tuple[float, str]]] = defaultdict(dict)

    def add(self, unit: int | None, kind: str, factor: float = 1.0, says: str = "") -> None:
        """Note a piece of evidence; of the same kind only the strongest counts."""
        if unit is None or factor <= 0:
            return
        unit = self._maker_of(unit)
        strength = min(0.95, STRENGTHS[kind] * factor)
        known = self._pieces[unit].get(kind)
        if known is None or strength > known[0]:
            self._pieces[unit][kind] = (strength, says or kind)

    def _maker_of(self, unit: int) -> int:
        """The method that makes objects of a class, if there is one, because using a class calls it; else the unit."""
        method = maker_of(self._snapshot, unit) if self._snapshot.units[unit].kind == "class" else None
        return unit if method is None else method

    def score(self, unit: int) -> float:
        """The suspicion against a unit, from 0 to 1."""
        doubt = 1.0
        for strength, _ in self._pieces.get(unit, {}).values():
            doubt *= 1 - strength
        return (1 - doubt) * ROLES[self._snapshot.roles[int(self._snapshot.unit_file[unit])]]

    def in_order(self) -> list[int]:
        """The units with evidence, the most suspicious first."""
        return sorted(self._pieces, key=lambda unit: (-self.score(unit), unit))

    def suspects(self, most: int, searched: Ranking, is_lost: bool) -> list[Suspect]:
        """The most suspicious units with their reasons, the strongest first; after `SURE` of them, those of new files.

        `searched` is a search for the log: further units of a file that is suspected already say less than a file that
        only words lead to. If the log `is_lost`, no frame is here, and they come first.
        """
        by_words = [self._maker_of(unit) for unit in code_units(self._snapshot, searched)]
        order = list(dict.fromkeys([*(by_words if is_lost else ()), *self.in_order()]))
        shown, owner = order[:SURE], self._snapshot.unit_file
        files = {int(owner[unit]) for unit in shown}
        places = {file: place for place, file in enumerate(searched.files)}
        for unit in sorted(by_words, key=lambda unit: places.get(int(owner[unit]), len(places))):
            if int(owner[unit]) not in files:
                files.add(int(owner[unit]))
                self.add(unit, "words", FAINT, FOUND)
                shown.append(unit)
        return [self._suspect(unit) for unit in list(dict.fromkeys([*shown[:most], *order]))[:most]]

    def _suspect(self, unit: int) -> Suspect:
        owner, score = self._snapshot.units[unit], self.score(unit)
        path = self._snapshot.paths[int(self._snapshot.unit_file[unit])]
        first, last = owner.cited if owner.kind in ("class", "module") else (owner.first, owner.last)
        reasons = sorted(self._pieces[unit].values(), key=lambda piece: -piece[0])
        likelihood: Likelihood = "likely" if score >= LIKELY else "possible" if score >= POSSIBLE else "unlikely"
        said = tuple(dict.fromkeys(says for _, says in reasons))
        return Suspect(
            f"{path}:{first}-{last}", owner.name or path, owner.kind, owner.signature, score, likelihood, said
        )
