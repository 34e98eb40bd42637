"""The environment of the code that is being read: the values of its names at this point, and its surroundings."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Generator
from dataclasses import dataclass, field

from app.reading.api.values import UNKNOWN, Value, join
from app.reading.usage.fits import Slot
from python.identifiers import FunctionNode

Scope = dict[str, Value]


@dataclass
class LoopExits:
    """The names at each `break` and `continue` of a loop, with their values."""

    leaving: list[Scope] = field(default_factory=list[Scope])
    again: list[Scope] = field(default_factory=list[Scope])


@dataclass(frozen=True)
class DeferredCode:
    """Code that runs after the code around it, which is known by then."""

    node: FunctionNode
    outer: list[Scope]
    base: str = ""
    """The RNA type that the class derives from, if this is a method."""
    class_name: str = ""


@dataclass
class Environment:
    """The values of names at this point of the snippet. All its readers share one, and each moves it on."""

    unsettled: frozenset[str]
    """Names that a function may rebind outside itself: nothing is known of them."""
    scope: Scope = field(default_factory=dict[str, Value])
    """The names of the code that is being read."""
    ever: Scope = field(default_factory=dict[str, Value])
    """Everything that each of them has held so far."""
    own_names: set[str] | None = None
    """The names that the function that is being read binds, wherever; None at the top level."""
    outer: list[Scope] = field(default_factory=list[Scope])
    """The names around it, the nearest first."""
    stars: list[str] = field(default_factory=list[str])
    """Modules of which everything is imported."""
    live: bool = True
    """False after a statement that leaves the block."""
    remember: bool = True
    """False in a first reading of a loop: values there do not count as ever held."""
    loops: list[LoopExits] = field(default_factory=list[LoopExits])
    """The loops around this point, the innermost last."""
    returned: list[Value] = field(default_factory=list[Value])
    """The values that the function that is being read has returned so far."""
    answer: Slot | None = None
    """The target of its answer, if Blender calls it and its answer names items."""
    class_base: str = ""
    """The RNA type of the class whose body is being read."""
    class_name: str = ""
    property_owner: Value = UNKNOWN
    """The owner of the property that is being declared."""
    deferred: list[DeferredCode] = field(default_factory=list[DeferredCode])
    """Functions that wait to be read."""

    def bind(self, name: str, value: Value) -> None:
        """Let a name hold a value from here on."""
        held = UNKNOWN if name in self.unsettled else value
        self.scope[name] = held
        if self.remember:
            self.ever[name] = join([self.ever[name], held]) if name in self.ever else held

    def enter_module(self) -> None:
        """Begin at the top of the snippet, with nothing bound."""
        self.scope, self.ever, self.outer, self.own_names = {}, {}, [], None
        self.live, self.deferred, self.stars = True, [], []

    def enter_function(self, outer: list[Scope]) -> None:
        """Begin at the top of a function, with nothing bound."""
        self.scope, self.ever, self.outer = {}, {}, outer
        self.live, self.remember, self.loops, self.returned = True, True, [], []

    @contextlib.contextmanager
    def elsewhere(self) -> Generator[None]:
        """Return to this point after reading a function."""
        here = copy.copy(self)
        self.class_base, self.class_name = "", ""
        try:
            yield
        finally:
            vars(self).update(vars(here))

    @contextlib.contextmanager
    def forgetting(self) -> Generator[None]:
        """For a first reading of a loop."""
        remember, self.remember = self.remember, False
        try:
            yield
        finally:
            self.remember = remember

    def join(self, other: Scope, other_lives: bool) -> None:
        """Go on from the point where this branch and another meet."""
        if other_lives and self.live:
            self.scope = joined_scopes([self.scope, other])
        elif other_lives:
            self.scope, self.live = other, True


def joined_scopes(scopes: list[Scope]) -> Scope:
    """The names after one of several paths."""
    first, *others = scopes
    result = dict(first)
    for scope in others:
        for name, value in scope.items():
            held = result.get(name)
            if held is None:
                result[name] = value
            elif held is not value and held != value:
                result[name] = join([held, value])
    return result
