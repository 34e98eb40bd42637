"""The budget of following values: one for every way through a question, whatever it leads through."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

MOST_DEEP: Final = 60
MOST_STEPS: Final = 2_000
"""Values that are read for one question. Five repositories, sympy and wagtail among them, needed 276, 29 deep."""
TOO_FAR: Final = "leads too far"
"""The name of a gap where the budget ended."""


class StepBudget:
    """The values that are being read, outermost first. None is read again, and there is an end to depth and steps."""

    def __init__(self) -> None:
        self._open: dict[Hashable, int] = {}
        self._steps = 0
        self._lowest = MOST_DEEP
        """The outermost of what was met again while it was being read: what is inside of it is not all known yet."""
        self.is_spent = False
        self.times = 0
        """The questions so far that spent it."""

    def enter(self, key: Hashable) -> bool:
        """Begin to read something; False if it is being read, or if the budget is spent. Else `leave` must follow."""
        if not self._open:
            self._steps, self._lowest, self.is_spent = 0, MOST_DEEP, False
        if key in self._open:
            self._lowest = min(self._lowest, self._open[key])
            return False
        if len(self._open) >= MOST_DEEP or self._steps >= MOST_STEPS:
            self.times += not self.is_spent
            self.is_spent = True
            return False
        self._steps += 1
        self._open[key] = len(self._open)
        return True

    def leave(self) -> bool:
        """End what began last; True if there is no more to it, so that it need not be read again."""
        place = self._open.popitem()[1]
        if self._lowest >= place:
            self._lowest = MOST_DEEP
        return self._lowest == MOST_DEEP and not self.is_spent
