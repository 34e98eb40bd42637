"""What a lookup in the API of a build answers with."""

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


def joined(found: Iterable[Declaration]) -> Declaration:
    """What is found in several types at once: it has an address only if all agree."""
    each = list(found)
    addresses = {one.address for one in each}
    return Declaration(
        join(one.value for one in each),
        addresses.pop() if len(addresses) == 1 else "",
        readonly=all(one.readonly for one in each),
        function=all(one.function for one in each),
    )
