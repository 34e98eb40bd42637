"""Fuses several rankings into one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

RANK_SOFTENING: Final = 30.0
"""The constant of reciprocal rank fusion: the larger, the less the first places stand out. The usual 60 is too much
for a small store."""

Id = TypeVar("Id", str, int)


def fuse(
    legs: Mapping[str, Sequence[Id]], weights: Mapping[str, float], softening: float = RANK_SOFTENING
) -> dict[Id, float]:
    """Reciprocal rank fusion: the score of each id in any of the rankings, best first."""
    scores: dict[Id, float] = {}
    for leg, ranking in legs.items():
        for place, key in enumerate(ranking):
            scores[key] = scores.get(key, 0.0) + weights[leg] / (softening + place)
    return dict(sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])))
