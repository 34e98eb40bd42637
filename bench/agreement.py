"""Measures the agreement of the critic with the executable checks of tasks: a pair of its scores and the truth per last
snippet of a task, as `bench.tasks --recorded` makes them.

    scores     `measured.scores` of a verdict: what was accepted in all, and what the model said of each axis
    right      whether the check of the task held
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from app.pipeline.critic import AXES, THRESHOLD


@dataclass(frozen=True)
class Agreement:
    """The pairs, counted. A critic that says 1 of everything agrees as often as snippets are right, and ranks 0.5."""

    right_accepted: int
    right_refused: int
    wrong_accepted: int
    wrong_refused: int
    full_marks: int
    """The number of criticisms with 1 on every axis that was asked."""
    ranked: float | None
    """The share of pairs in which a right snippet scores above a wrong one, ties by half; None without both kinds."""

    @property
    def judged(self) -> int:
        """The number of pairs."""
        return self.right_accepted + self.right_refused + self.wrong_accepted + self.wrong_refused

    @property
    def share(self) -> float:
        """The share that it judges as the check does; 0 of none."""
        return (self.right_accepted + self.wrong_refused) / self.judged if self.judged else 0.0

    def lines(self) -> list[str]:
        """The figures, one a line."""
        if not self.judged:
            return ["the critic judged none"]
        ranked = "not known" if self.ranked is None else f"{self.ranked:.2f}"
        return [
            f"{'critic agrees with the check':<32}{self.right_accepted + self.wrong_refused:>6} of {self.judged}"
            f" ({self.share:.0%})",
            f"{'right and refused by the critic':<32}{self.right_refused:>6}",
            f"{'wrong and accepted by it':<32}{self.wrong_accepted:>6}",
            f"{'full marks':<32}{self.full_marks:>6}",
            f"{'right scores above wrong':<32}{ranked:>6}",
        ]


def agreement(pairs: Iterable[tuple[dict[str, Any], bool]]) -> Agreement:
    """Count pairs of scores and truth."""
    judged = [(scores["accepted"], right, is_full(scores["model"])) for scores, right in pairs]
    right = [score for score, held, _ in judged if held]
    wrong = [score for score, held, _ in judged if not held]
    return Agreement(
        right_accepted=sum(score >= THRESHOLD for score in right),
        right_refused=sum(score < THRESHOLD for score in right),
        wrong_accepted=sum(score >= THRESHOLD for score in wrong),
        wrong_refused=sum(score < THRESHOLD for score in wrong),
        full_marks=sum(full for _, _, full in judged),
        ranked=ranked(right, wrong),
    )


def is_full(said: dict[str, Any]) -> bool:
    """True if a criticism gives 1 on every axis that it scores."""
    return all(said[axis]["score"] == 1 for axis in AXES if axis in said)


def ranked(right: list[float], wrong: list[float]) -> float | None:
    """The share of pairs of a right and a wrong snippet in which the right one scores higher; ties count by half."""
    if not right or not wrong:
        return None
    above = sum((one > other) + 0.5 * (one == other) for one in right for other in wrong)
    return float(above / (len(right) * len(wrong)))
