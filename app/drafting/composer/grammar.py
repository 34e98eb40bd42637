"""The grammar: every kind of step with the ways to word it and the function that writes it; see `steps/`.

    @step("shade [{target:object}] {how=smooth|flat}")
    def shade(build, target, how): ...

The names of the slots are the arguments; what was not said is None. A slot that is no argument would be read and lost,
so such a pattern is an error at import.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.drafting.composer.patterns import Matcher, compile_pattern, literals, slots_of

Write = Callable[..., None]


@dataclass(frozen=True)
class Rule:
    """One wording of a step. Rules that stand later give way to earlier ones that read as much."""

    text: str
    write: Write
    arguments: tuple[str, ...]
    rank: int
    required: frozenset[str] = frozenset()
    """The arguments that the function does not take None for."""

    @functools.cached_property
    def matcher(self) -> Matcher:
        """Made when it is first asked for: for all of them that takes half a second, which a start need not wait for."""
        return compile_pattern(self.text)

    def is_filled(self, env: Mapping[str, Any]) -> bool:
        """Whether all was said that the function needs: parts in any order may each be left out."""
        return all(env.get(name) is not None for name in self.required)

    def arguments_from(self, env: Mapping[str, Any]) -> dict[str, Any]:
        """What the function is called with."""
        return {name: env.get(name) for name in self.arguments}


BEFORE: Final = 1_000_000
"""More than there are rules."""
RULES: Final[list[Rule]] = []
VOCABULARY: Final[set[str]] = set()


def step(*patterns: str, first: bool = False) -> Callable[[Write], Write]:
    """Add a function to the grammar, with the patterns that ask for it; `first` is before all that were added otherwise."""

    def add(write: Write) -> Write:
        add_rules(write, tuple(inspect.signature(write).parameters)[1:], patterns, first=first)
        return write

    return add


def add_rules(write: Write, arguments: tuple[str, ...], patterns: tuple[str, ...], *, first: bool = False) -> None:
    """Add a function that takes these slots to the grammar; `first` is before all that were added otherwise."""
    check_slots(write.__name__, arguments, patterns)
    required = needed_by(write, arguments)
    for text in patterns:
        RULES.append(Rule(text, write, arguments, len(RULES) - (BEFORE if first else 0), required))
        VOCABULARY.update(literals(text))


def needed_by(write: Write, arguments: tuple[str, ...]) -> frozenset[str]:
    """Those of these arguments that the function declares to be something, never None."""
    declared = {name: str(each.annotation) for name, each in inspect.signature(write).parameters.items()}
    return frozenset(name for name in arguments if not re.search(r"^Any$|\bNone\b", declared.get(name, "Any")))


def check_slots(function: str, arguments: tuple[str, ...], patterns: tuple[str, ...]) -> None:
    """What a pattern reads reaches the function, by itself or through a slot that refers to it; no argument is left over.

    Raises `TypeError` otherwise.
    """
    filled: set[str] = set()
    for text in patterns:
        slots = slots_of(text)
        filled |= slots.keys()
        lost = slots.keys() - set(arguments) - set[str]().union(*slots.values())
        if lost:
            raise TypeError(f"{function}: {{{min(lost)}}} is read and lost, as no argument is called so: {text}")
    if unfilled := set(arguments) - filled:
        raise TypeError(f"{function}: no pattern ever fills the argument {min(unfilled)}")
