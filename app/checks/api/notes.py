"""What is noted while a snippet is read: remarks for the check, and the addresses it uses."""

from __future__ import annotations

import contextlib
from collections.abc import Generator

from app.checks.api.remark import Fault, Place, Remark


class Notes:
    """Remarks and uses. While it is quiet remarks are dropped; while it is silent uses are dropped too."""

    def __init__(self) -> None:
        self.remarks: list[Remark] = []
        self.uses: list[tuple[Place, str]] = []
        self._quiet = 0
        self._silent = 0

    def say(self, fault: Fault | None, place: Place) -> None:
        """Note a fault, if there is one."""
        if fault and self.listens:
            self.remarks.append(Remark(fault, place))

    def use(self, address: str, place: Place) -> None:
        """Note that an address is used, if it is known."""
        if address and not self._silent:
            self.uses.append((place, address))

    @contextlib.contextmanager
    def quiet(self, wanted: bool = True) -> Generator[None]:
        """Code that may be right without our knowing: no remarks in here."""
        self._quiet += wanted
        try:
            yield
        finally:
            self._quiet -= wanted

    def fall_quiet(self, wanted: bool = True) -> None:
        """The same from here to the end of the function that is being read."""
        self._quiet += wanted

    @property
    def quietness(self) -> int:
        return self._quiet

    @quietness.setter
    def quietness(self, value: int) -> None:
        self._quiet = value

    @contextlib.contextmanager
    def silent(self) -> Generator[None]:
        """Code that is read only to learn what its names hold."""
        self._silent += 1
        try:
            yield
        finally:
            self._silent -= 1

    @contextlib.contextmanager
    def apart(self) -> Generator[list[Remark]]:
        """Remarks made in here go to a list of their own."""
        kept, self.remarks = self.remarks, []
        own = self.remarks
        try:
            yield own
        finally:
            self.remarks = kept

    @property
    def listens(self) -> bool:
        """Whether a remark would be kept."""
        return not self._quiet and not self._silent

    @property
    def is_silent(self) -> bool:
        return self._silent > 0
