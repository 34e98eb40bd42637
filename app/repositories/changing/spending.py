"""Asks models for one change, within its budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.jobs.budget import Budget
from app.llm.message import Answer, Message
from app.llm.models import Models
from app.repositories.changing.record import Change

ASK_S: Final = 600.0
"""Seconds that one question may take."""


@dataclass
class Spending:
    """The models of one change; their use is written into its record."""

    models: Models
    budget: Budget
    made: Change
    seconds: float = 0.0
    cost: float = 0.0

    @property
    def window(self) -> int:
        """Tokens of a question."""
        return self.models.window

    @property
    def context(self) -> int:
        """Tokens of a question and its answer."""
        return self.models.context

    async def ask(self, messages: Sequence[Message], room: int | None = None, exactly: bool = False) -> Answer:
        """The answer of a model. Raises ModelUnavailable and BudgetSpent."""
        seconds_left = self.budget.remaining(self.made.tokens_in + self.made.tokens_out, self.seconds, self.cost)
        answer = await self.models.ask(messages, min(seconds_left, ASK_S), room=room, exactly=exactly)
        self.made.tokens_in += answer.tokens_in
        self.made.tokens_out += answer.tokens_out
        self.made.model = f"{answer.provider} ({answer.model})"
        self.seconds += answer.seconds
        self.cost += answer.cost
        return answer
