"""Names that older Blenders had and newer ones renamed or removed: read from `renamed.toml`.

An entry counts only if the name is missing in this build, and only if the build is not older than the change.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Self

from pydantic import BaseModel, ConfigDict, Field

from app.reading.remark import Fault
from harness.versions import version_key

RENAMED: Final = Path(__file__).with_name("renamed.toml")


class NameChange(BaseModel):
    """One name that is gone: its old address, since which version, and what to write instead."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    old: str
    since: str = Field(pattern=r"^\d+\.\d+$")
    use: str
    """The words after "use ", or a sentence of its own if it begins with a capital."""

    @functools.cached_property
    def since_version(self) -> tuple[int, ...]:
        return version_key(self.since)


class _RenameFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    renamed: list[NameChange]


class RenameTable:
    """The changes up to this build."""

    def __init__(self, changes: Mapping[str, NameChange], version: tuple[int, ...]) -> None:
        self._changes = changes
        self._version = version

    @classmethod
    def for_version(cls, version: tuple[int, ...]) -> Self:
        return cls(_changes(), version)

    def entry(self, *addresses: str, symbol: str | None = None) -> Fault | None:
        """The fault of a name that this build lacks, from the first of these addresses that is listed.

        `symbol` is the subject of the remark, if that is not the address itself.
        """
        for address in addresses:
            change = self._changes.get(address)
            if change and change.since_version <= self._version[: len(change.since_version)]:
                advice = change.use if change.use[:1].isupper() else f"Use {change.use}."
                message = f"`{_spoken(address)}` is gone since Blender {change.since}"
                return Fault("removed", message, advice, symbol or _symbol(address))
        return None


@functools.cache
def _changes() -> dict[str, NameChange]:
    return by_address(_RenameFile.model_validate(tomllib.loads(RENAMED.read_text(encoding="utf-8"))).renamed)


def by_address(changes: Iterable[NameChange]) -> dict[str, NameChange]:
    """The changes by old address. Raises ValueError if one is listed twice."""
    by_old: dict[str, NameChange] = {}
    for change in changes:
        if change.old in by_old:
            raise ValueError(f"{change.old} is listed twice")
        by_old[change.old] = change
    return by_old


def _spoken(address: str) -> str:
    return address.removeprefix("bpy.types.").removeprefix("node ").removeprefix("*")


def _symbol(address: str) -> str:
    """The address without the last part that names an argument, an item or a socket."""
    for mark in ("(", "='", "["):
        address = address.partition(mark)[0]
    return address
