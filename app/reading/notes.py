"""The notes from reading a snippet: remarks for the check, and the addresses that it uses."""

from __future__ import annotations

import contextlib
from collections.abc import Generator

from app.reading.remark import Fault, Remark, SourcePlace


class Notes:
    """Remarks and uses. While quiet, it drops remarks; while silent, it drops uses too."""

    def __init__(self) -> None:
        self.remarks: list[Remark] = []
        self.uses: list[tuple[SourcePlace, str]] = []
        self.whole = True
        """True if the snippet was read to its end."""
        self._quiet = 0
        self._silent = 0

    def say(self, fault: Fault | None, place: SourcePlace) -> None:
        """Note a fault, if there is one."""
        if fault and self.listens:
            self.remarks.append(Remark(fault, place))

    def use(self, address: str, place: SourcePlace) -> None:
        """Note the use of an address, if it is a known one."""
        if address and not self._silent:
            self.uses.append((place, address))

    @contextlib.contextmanager
    def quiet(self, wanted: bool = True) -> Generator[None]:
        """For code that may be right in ways unknown here: no remarks inside."""
        before = self._quiet
        self._quiet += wanted
        try:
            yield
        finally:
            self._quiet = before

    def fall_quiet(self, wanted: bool = True) -> None:
        """The same from here to the end of the current block."""
        self._quiet += wanted

    @property
    def quietness(self) -> int:
        return self._quiet

    @quietness.setter
    def quietness(self, value: int) -> None:
        self._quiet = value

    @contextlib.contextmanager
    def silent(self) -> Generator[None]:
        """For code that is read only to learn what its names hold."""
        self._silent += 1
        try:
            yield
        finally:
            self._silent -= 1

    @contextlib.contextmanager
    def apart(self) -> Generator[list[Remark]]:
        """Collect the remarks made inside in a separate list."""
        kept, self.remarks = self.remarks, []
        own = self.remarks
        try:
            yield own
        finally:
            self.remarks = kept

    @property
    def listens(self) -> bool:
        """True if a remark would be kept."""
        return not self._quiet and not self._silent

    @property
    def is_silent(self) -> bool:
        return self._silent > 0
