"""Fuses several rankings into one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

RANK_SOFTENING: Final = 30.0
"""The constant of reciprocal rank fusion: the larger, the less the first places stand out. The usual 60 is too much
for a small store."""


def fuse(legs: Mapping[str, Sequence[str]], weights: Mapping[str, float]) -> dict[str, float]:
    """Reciprocal rank fusion: the score of each id in any of the rankings, best first."""
    scores: dict[str, float] = {}
    for leg, ranking in legs.items():
        for place, one in enumerate(ranking):
            scores[one] = scores.get(one, 0.0) + weights[leg] / (RANK_SOFTENING + place)
    return dict(sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])))
