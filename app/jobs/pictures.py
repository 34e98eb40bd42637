"""Pictures of jobs that are no artifacts, kept only as long as the jobs themselves.

<data>/unproven/r-0123456789abcdef.png             of a run that proved nothing
<data>/matrix/r-0123456789abcdef/1-4.5.15.png      of an attempt, on one Blender of a matrix
<data>/matrix/k-0123456789abcdef/1-4.3.2.png       of the window of a Blender that used an add-on
<data>/matrix/r-0123456789abcdef/0-before.png      of the run that it goes on from, and 0-after.png: through one camera
runs/r-0123456789abcdef/...                        all of them, on the shelf of several services
"""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from app.errors import RunNotFound
from app.jobs.shelf import Shelf

JOB_ID: Final = re.compile(r"[rk]-[0-9a-f]{16}")
BESIDE: Final = ("before", "after")
ROW_NAME: Final = re.compile(r"\d+-[0-9A-Za-z._-]+")


class RunPictures:
    """Keeps a picture per run that proved nothing, and one per attempt and Blender, in two folders, which are made."""

    def __init__(self, unproven: Path, matrix: Path, shelf: Shelf | None = None) -> None:
        self._shelf = shelf
        self._unproven = unproven
        self._matrix = matrix
        for folder in (unproven, matrix):
            folder.mkdir(parents=True, exist_ok=True)
        for unfinished in unproven.glob(".*.part"):
            unfinished.unlink()

    def keep_unproven(self, run_id: str, work: Path) -> None:
        """Keep the picture of the last attempt in the work folder of a run, if there is one."""
        attempts = sorted(work.glob("attempt-*"), key=lambda path: int(path.name.rpartition("-")[2]), reverse=True)
        for attempt in attempts:
            pictures = sorted(attempt.glob("*.png"), key=lambda path: path.stat().st_mtime_ns)
            if pictures:
                self._keep(pictures[0].read_bytes(), self._unproven / f"{run_id}.png", f"{run_id}/unproven.png")
                return

    def has_unproven(self, run_id: str) -> bool:
        """True if there is a picture of this run that proved nothing."""
        return bool(JOB_ID.fullmatch(run_id)) and self._is_here(
            f"{run_id}/unproven.png", self._unproven / f"{run_id}.png"
        )

    def unproven(self, run_id: str) -> Path:
        """The picture of a run that proved nothing; raises RunNotFound."""
        if not self.has_unproven(run_id):
            raise RunNotFound(f"There is no picture of a run {run_id} that proved nothing.")
        return self._unproven / f"{run_id}.png"

    def keep_row(
        self, run_id: str, attempt: int, blender: str, report: dict[str, Any] | None, made: Path
    ) -> str | None:
        """Keep the first picture of a report, from the folder `made`; answers its path on the service."""
        rendered = report["evidence"]["render"] if report else None
        if not rendered or not rendered["pictures"]:
            return None
        picture = made / str(rendered["pictures"][0]["file"])
        if not picture.is_file():
            return None
        name = self.keep_numbered(run_id, attempt, blender, picture.read_bytes())
        return f"/runs/{run_id}/matrix/{name}.png"

    def keep_numbered(self, job_id: str, number: int, blender: str, content: bytes) -> str:
        """Keep a picture of a job; answers its name for `row`."""
        name = f"{number}-{blender}"
        self._keep(content, self._matrix / job_id / f"{name}.png", f"{job_id}/{name}.png")
        return name

    def keep_beside(self, run_id: str, before: bytes, after: bytes) -> None:
        """Keep the pictures of the run that this one goes on from, and of this one, through one camera."""
        for number, picture in enumerate((before, after)):
            self.keep_numbered(run_id, 0, BESIDE[number], picture)

    def beside(self, run_id: str) -> list[str]:
        """The paths of these pictures on the service; empty if none were taken."""
        names = [f"0-{name}.png" for name in BESIDE]
        here = all(self._is_here(f"{run_id}/{name}", self._matrix / run_id / name) for name in names)
        return [f"/runs/{run_id}/matrix/{name}" for name in names] if here else []

    def row(self, run_id: str, name: str) -> Path:
        """The picture of a job on a Blender by its name, such as `1-4.5.15`; raises RunNotFound."""
        file = self._matrix / run_id / f"{name}.png"
        named = JOB_ID.fullmatch(run_id) and ROW_NAME.fullmatch(name)
        if not (named and self._is_here(f"{run_id}/{name}.png", file)):
            raise RunNotFound(f"There is no picture {name} of a job {run_id}.")
        return file

    def ids(self) -> set[str]:
        """The jobs that have pictures."""
        here = {file.stem for file in self._unproven.glob("*.png")} | {run.name for run in self._matrix.iterdir()}
        return here | {name.partition("/")[0] for name in (self._shelf.names("runs") if self._shelf else ())}

    def forget(self, ids: Iterable[str]) -> None:
        """Remove the pictures of these runs."""
        for run_id in ids:
            (self._unproven / f"{run_id}.png").unlink(missing_ok=True)
            shutil.rmtree(self._matrix / run_id, ignore_errors=True)
            if self._shelf:
                self._shelf.delete(f"runs/{run_id}/{name}" for name in self._shelf.names(f"runs/{run_id}"))

    def _keep(self, content: bytes, file: Path, name: str) -> None:
        file.parent.mkdir(exist_ok=True)
        write_whole(file, content)
        if self._shelf:
            self._shelf.put(f"runs/{name}", content)

    def _is_here(self, name: str, file: Path) -> bool:
        """True if there is a picture; if another service kept it, it is copied here."""
        if not file.is_file() and self._shelf and (content := self._shelf.get(f"runs/{name}")) is not None:
            file.parent.mkdir(exist_ok=True)
            write_whole(file, content)
        return file.is_file()


def write_whole(file: Path, content: bytes) -> None:
    """Write a picture, whole or not at all; another thread may be doing the same."""
    unfinished = file.with_name(f".{file.stem}.{secrets.token_hex(4)}.part")
    unfinished.write_bytes(content)
    unfinished.replace(file)
