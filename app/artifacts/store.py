"""Artifacts on disk: a folder each, written beside and renamed, so that one is there whole or not at all.

<data>/artifacts/a-0123456789abcdef/
    picture.png  snippet.py  report.json  artifact.json  views/<view>.png
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from app.errors import ArtifactNotFound
from app.run import ArtifactLinks, Attempt, RunKind

ARTIFACT_ID = re.compile(r"a-[0-9a-f]{16}")
ArtifactFile = Literal["picture.png", "snippet.py", "report.json"]


class Artifact(BaseModel):
    """What is known of an artifact without opening its files. Hashes are SHA-256 in hex."""

    id: str
    run: str
    kind: RunKind
    title: str
    blender: dict[str, Any]
    created_at: str
    links: ArtifactLinks
    views: dict[str, str]
    """Path of each further picture on this service, by view."""
    size_px: int
    sha256: dict[str, str]
    """Hash of each file, by name."""


class ArtifactStore:
    """Keeps artifacts in a folder, which is made."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        for unfinished in folder.glob(".*.part"):
            shutil.rmtree(unfinished)

    def publish(self, run_id: str, kind: RunKind, title: str, attempt: Attempt, pictures: Path) -> Artifact | None:
        """Store a proven attempt with its pictures; None where its scene held nothing to render.

        A run has one artifact, so publishing again after an interruption finds it done.
        """
        assert attempt.report is not None
        render = attempt.report["evidence"]["render"]
        if render["nothing_to_render"]:
            return None
        artifact_id = "a-" + run_id.removeprefix("r-")
        final = self._folder / artifact_id
        if final.exists():
            return self.read(artifact_id)
        part = self._folder / f".{artifact_id}.part"
        shutil.rmtree(part, ignore_errors=True)
        (part / "views").mkdir(parents=True)
        first, *others = render["pictures"]
        shutil.copyfile(pictures / first["file"], part / "picture.png")
        for picture in others:
            shutil.copyfile(pictures / picture["file"], part / "views" / f"{picture['view']}.png")
        (part / "snippet.py").write_text(attempt.snippet, encoding="utf-8")
        report = {"verdict": attempt.verdict.model_dump(mode="json"), "execution": attempt.report}
        (part / "report.json").write_text(json.dumps(report, indent=1), encoding="utf-8")
        artifact = Artifact(
            id=artifact_id,
            run=run_id,
            kind=kind,
            title=title,
            blender=attempt.report["blender"],
            created_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            links=ArtifactLinks.of(artifact_id),
            views={picture["view"]: f"/artifacts/{artifact_id}/views/{picture['view']}.png" for picture in others},
            size_px=render["size_px"],
            sha256={str(path.relative_to(part)): sha256(path) for path in sorted(part.rglob("*.*"))},
        )
        (part / "artifact.json").write_text(artifact.model_dump_json(indent=1), encoding="utf-8")
        sync(part)
        part.rename(final)
        return artifact

    def read(self, artifact_id: str) -> Artifact:
        """What is known of the artifact; raises ArtifactNotFound."""
        try:
            return Artifact.model_validate_json(self._path(artifact_id, "artifact.json").read_bytes())
        except ValidationError as error:
            raise ArtifactNotFound(f"Artifact {artifact_id} is damaged: its artifact.json cannot be read.") from error

    def file(self, artifact_id: str, name: ArtifactFile) -> Path:
        """Path of one of its files; raises ArtifactNotFound."""
        return self._path(artifact_id, name)

    def view(self, artifact_id: str, view: str) -> Path:
        """Path of one of its further pictures; raises ArtifactNotFound."""
        return self._path(artifact_id, f"views/{view}.png")

    def count(self) -> int:
        """How many artifacts there are."""
        return sum(1 for _ in self._folder.glob("a-*"))

    def _path(self, artifact_id: str, name: str) -> Path:
        path = self._folder / artifact_id / name
        if not ARTIFACT_ID.fullmatch(artifact_id) or not path.is_file():
            raise ArtifactNotFound(f"There is no artifact {artifact_id} with {name}.")
        return path


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def sync(folder: Path) -> None:
    """Bring every file of the folder to the disk before the folder gets its final name."""
    for path in [*folder.rglob("*"), folder]:
        descriptor = os.open(path, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)
