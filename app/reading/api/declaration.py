"""Declarations: the answers of a lookup in the API of a build."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app.reading.api.values import UNKNOWN, Value, join
from ingest.manifest import Property


@dataclass(frozen=True)
class Declaration:
    """A member: its value, the address of what declares it, and the property if it is one."""

    value: Value
    address: str = ""
    property: Property | None = None
    readonly: bool = False
    function: bool = False


ANYTHING: Final = Declaration(UNKNOWN)


def common_declaration(declarations: Iterable[Declaration]) -> Declaration:
    """The declaration that several types have in common; it has an address only if all agree."""
    several = list(declarations)
    addresses = {declaration.address for declaration in several}
    return Declaration(
        join(declaration.value for declaration in several),
        addresses.pop() if len(addresses) == 1 else "",
        readonly=all(declaration.readonly for declaration in several),
        function=all(declaration.function for declaration in several),
    )
