"""What the models may use for one run: tokens, seconds, money. (How many attempts they may write, the request says.)"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.runs.run import ModelCall


class BudgetSpent(Exception):
    """A run has used what its models may use; the message says of what."""


@dataclass(frozen=True)
class Budget:
    """Limits of one run; `cost` in US dollars, None for any."""

    tokens: int
    seconds: float
    cost: float | None

    def seconds_left(self, calls: Sequence[ModelCall]) -> float:
        """The time that the next answer may take; raises BudgetSpent if something is used up."""
        tokens = sum(call.tokens_in + call.tokens_out for call in calls)
        return self.left(tokens, sum(call.seconds for call in calls), sum(call.cost for call in calls))

    def left(self, tokens: int, seconds: float, cost: float) -> float:
        """The seconds that are left when so much is used; raises BudgetSpent if something is used up."""
        if tokens >= self.tokens:
            raise BudgetSpent(f"the models used {tokens} of {self.tokens} tokens")
        if seconds >= self.seconds:
            raise BudgetSpent(f"the models used {seconds:.0f} of {self.seconds:g} s")
        if self.cost is not None and cost >= self.cost:
            raise BudgetSpent(f"the models cost {cost:.4f} of {self.cost:g} US dollars")
        return self.seconds - seconds
