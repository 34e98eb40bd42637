"""A subject, which is a thing that a sentence names: its expression, its type, and its place in acceptance checks."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Generator
from dataclasses import dataclass
from typing import Literal

from app.drafting.commands.checks import Where
from app.drafting.commands.script import Script


@dataclass(frozen=True)
class Subject:
    """A thing, or several, that a sentence names."""

    code: str
    """The Python expression for it; for several things, the variable of the loop."""
    type: str
    """Its type in `bpy.types`."""
    where: Where
    data: str = ""
    """For an object, the type of its data, if known."""
    items: str = ""
    """For several things, the expression for the list of them."""
    name: str = ""
    """Its name, if known."""
    made: Literal["", "added", "copied"] = ""
    """The way in which this snippet made it, if it did: by an operator, or as a copy of another one."""

    @property
    def is_object(self) -> bool:
        """True if it is an object of the scene."""
        return self.type == "Object"


@contextlib.contextmanager
def each(script: Script, subject: Subject) -> Generator[Subject]:
    """The subject, or each of several in a loop."""
    if not subject.items:
        yield subject
        return
    # A copy: the loop body may add or remove objects.
    items = subject.items if subject.items.startswith(("[", "sorted(")) else f"list({subject.items})"
    with script.block(f"for {subject.code} in {items}:"):
        yield dataclasses.replace(subject, items="")


def narrow(script: Script, code: str, type_name: str) -> None:
    """Assert the type, for readers and type checkers; for a base type, one of its subtypes."""
    script.line(f"assert isinstance({code}, bpy.types.{type_name})")
