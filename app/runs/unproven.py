"""Pictures of runs that proved nothing, kept apart from the artifacts and only as long as the runs themselves.

<data>/unproven/r-0123456789abcdef.png
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from app.errors import RunNotFound

RUN_ID: Final = re.compile(r"r-[0-9a-f]{16}")


class UnprovenPictures:
    """Keeps one picture a run in a folder, which is made."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        for unfinished in folder.glob(".*.part"):
            unfinished.unlink()

    def keep(self, run_id: str, work: Path) -> None:
        """Keep what the last attempt in the work folder of a run rendered, where it rendered something."""
        attempts = sorted(work.glob("attempt-*"), key=lambda path: int(path.name.rpartition("-")[2]), reverse=True)
        for attempt in attempts:
            pictures = sorted(attempt.glob("*.png"), key=lambda path: path.stat().st_mtime_ns)
            if pictures:
                unfinished = self._folder / f".{run_id}.part"
                shutil.copyfile(pictures[0], unfinished)
                unfinished.replace(self._folder / f"{run_id}.png")
                return

    def has(self, run_id: str) -> bool:
        """Whether there is a picture of this run."""
        return bool(RUN_ID.fullmatch(run_id)) and (self._folder / f"{run_id}.png").is_file()

    def file(self, run_id: str) -> Path:
        """The picture of a run; raises RunNotFound."""
        if not self.has(run_id):
            raise RunNotFound(f"There is no picture of a run {run_id} that proved nothing.")
        return self._folder / f"{run_id}.png"

    def ids(self) -> set[str]:
        """The runs of which there is a picture."""
        return {file.stem for file in self._folder.glob("*.png")}

    def forget(self, ids: Iterable[str]) -> None:
        """Remove the pictures of these runs."""
        for run_id in ids:
            (self._folder / f"{run_id}.png").unlink(missing_ok=True)
