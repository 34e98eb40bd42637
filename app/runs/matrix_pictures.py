"""Pictures that snippets made on the Blenders of a matrix, kept as long as their runs.

<data>/matrix/r-0123456789abcdef/1-4.5.15.png    of an attempt, on a Blender
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from app.errors import RunNotFound
from app.runs.unproven import RUN_ID

PICTURE_NAME: Final = re.compile(r"\d+-[0-9A-Za-z._-]+")


class MatrixPictures:
    """Keeps a picture a run, attempt and Blender in a folder, which is made."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def keep(self, run_id: str, attempt: int, blender: str, report: dict[str, Any] | None, made: Path) -> str | None:
        """Keep the first picture that a report tells of, from the folder `made`; answers its path on the service."""
        rendered = report["evidence"]["render"] if report else None
        if not rendered or not rendered["pictures"]:
            return None
        picture = made / str(rendered["pictures"][0]["file"])
        if not picture.is_file():
            return None
        name = f"{attempt}-{blender}"
        folder = self._folder / run_id
        folder.mkdir(exist_ok=True)
        unfinished = folder / f".{name}.part"
        shutil.copyfile(picture, unfinished)
        unfinished.replace(folder / f"{name}.png")
        return f"/runs/{run_id}/matrix/{name}.png"

    def file(self, run_id: str, name: str) -> Path:
        """A picture by its name, such as `1-4.5.15`; raises RunNotFound."""
        file = self._folder / run_id / f"{name}.png"
        if not (RUN_ID.fullmatch(run_id) and PICTURE_NAME.fullmatch(name) and file.is_file()):
            raise RunNotFound(f"There is no picture {name} of the matrix of a run {run_id}.")
        return file

    def ids(self) -> set[str]:
        """The runs of which there are pictures."""
        return {folder.name for folder in self._folder.iterdir()}

    def forget(self, ids: Iterable[str]) -> None:
        """Remove the pictures of these runs."""
        for run_id in ids:
            shutil.rmtree(self._folder / run_id, ignore_errors=True)
