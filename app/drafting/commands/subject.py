"""A subject, which is a thing that a sentence names: its expression, its type, and its place in acceptance checks."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from app.accept import Check, DataCheck, ObjectCheck, SceneCheck
from app.drafting.commands.script import Script


@dataclass(frozen=True)
class Where:
    """The place of a subject in acceptance checks: fields of the check, and the prefix of the paths of its values."""

    check: type[ObjectCheck] | type[DataCheck] | type[SceneCheck]
    fields: tuple[tuple[str, Any], ...] = ()
    prefix: str = ""
    mark: tuple[tuple[str, str], ...] = ()
    """The custom property that sets a thing made by this snippet apart from others like it."""

    def has(self, values: dict[str, Any], **fields: Any) -> Check:
        """The check that it has these values."""
        paths = dict(self.mark) | {f"{self.prefix}{path}": check_value(value) for path, value in values.items()}
        made: Check = self.check.model_validate({**dict(self.fields), **fields, "values": paths})
        return made

    def below(self, path: str) -> Where:
        """The same for a subject below a path."""
        return dataclasses.replace(self, prefix=f"{self.prefix}{path}.")


def check_value(value: Any) -> Any:
    """A value in the form of a check."""
    if isinstance(value, (tuple, list)):
        return [float(part) if isinstance(part, float) else part for part in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, set):
        return sorted(value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return float(value) if isinstance(value, float) else value


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
    made: bool = False
    """True if this snippet made it."""

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
