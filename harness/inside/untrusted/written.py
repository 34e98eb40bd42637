"""The files that operators of an add-on write: kept for a process that never ran the add-on."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from typing import Any

from harness.inside.scene.formats import READABLE
from harness.inside.untrusted.trial import Trial, properties_of
from harness.inside.untrusted.window import ending_of, writes

MOST_BYTES = 8 << 20
"""The largest file that is kept."""


class WrittenFiles:
    """Copies each new file of a known format in `folder` to another folder, named by the number of the use.

    A format that the add-on reads itself is left to its own importer, which gets the file: it may mean another one.
    """

    def __init__(self, folder: str, kept: str, uses: Collection[Trial]) -> None:
        self._folder, self._kept = folder, kept
        operators = [use.thing for use in uses if use.kind == "Operator" and not use.setting]
        readers = [cls for cls in operators if takes_path(cls) and not writes(cls.bl_idname, properties_of(cls))]
        own = {ending_of_class(cls) for cls in readers}
        self._endings = tuple(ending for ending in READABLE if ending not in own)
        self._before: dict[str, int] = {}

    def look(self) -> dict[str, int]:
        """The times of the files that are there."""
        with os.scandir(self._folder) as entries:
            return {each.path: each.stat().st_mtime_ns for each in entries if each.name.endswith(self._endings)}

    def begin(self) -> None:
        """Take no notice of what is there now."""
        self._before = self.look()

    def keep(self, number: int, samples: Collection[str]) -> None:
        """Keep the files of a use, without the `samples` that it was given to read."""
        for path, time in self.look().items():
            if self._before.get(path) != time and path not in samples and os.path.getsize(path) <= MOST_BYTES:
                os.makedirs(self._kept, exist_ok=True)
                shutil.copyfile(path, os.path.join(self._kept, f"{number}{os.path.splitext(path)[1]}"))


def takes_path(cls: Any) -> bool:
    """True if an operator is given the path of a file."""
    return "filepath" in properties_of(cls)


def ending_of_class(cls: Any) -> str:
    """The ending of the files of an operator that is not running; empty if it does not say."""
    pattern = properties_of(cls).get("filter_glob")
    return ending_of(cls, getattr(pattern, "default", ""))
