"""The limits on the models of one run: tokens, seconds, money. (The request limits their attempts.)"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.jobs.run import ModelCall


class BudgetSpent(Exception):
    """A run has used up a limit of its models; the message says which."""


@dataclass(frozen=True)
class Budget:
    """Limits of one run; `cost` in US dollars, None for any."""

    tokens: int
    seconds: float
    cost: float | None

    def seconds_left(self, calls: Sequence[ModelCall]) -> float:
        """The time that the next answer may take; raises BudgetSpent if a limit is reached."""
        tokens = sum(call.tokens_in + call.tokens_out for call in calls)
        return self.remaining(tokens, sum(call.seconds for call in calls), sum(call.cost for call in calls))

    def remaining(self, tokens: int, seconds: float, cost: float) -> float:
        """The seconds that remain after this use; raises BudgetSpent if a limit is reached."""
        if tokens >= self.tokens:
            raise BudgetSpent(f"the models used {tokens} of {self.tokens} tokens")
        if seconds >= self.seconds:
            raise BudgetSpent(f"the models used {seconds:.0f} of {self.seconds:g} s")
        if self.cost is not None and cost >= self.cost:
            raise BudgetSpent(f"the models cost {cost:.4f} of {self.cost:g} US dollars")
        return self.seconds - seconds
