"""The files of an artifact: written in full or not at all, and read only if they are unchanged."""

from __future__ import annotations

import hashlib
import io
import os
import secrets
from pathlib import Path
from typing import Any, Final

from app.artifacts.store.record import RECORD, file_hash
from app.errors import ArtifactDamaged

SEEN: Final = "seen"
EMBEDDINGS: Final = "embeddings"
SCENE_FOLDER: Final = "scene"
UNFINISHED: Final = ".part"


def intact(folder: Path, name: str, wanted: str | None) -> bytes:
    """The bytes of a file of an artifact. Raises ArtifactDamaged if they do not have this SHA-256."""
    try:
        content = (folder / name).read_bytes()
    except OSError as error:
        raise ArtifactDamaged(f"Artifact {folder.name} is damaged: {name} cannot be read.") from error
    if wanted is None or hashlib.sha256(content).hexdigest() != wanted:
        raise changed(folder.name, name)
    return content


def changed(artifact_id: str, name: str) -> ArtifactDamaged:
    return ArtifactDamaged(f"Artifact {artifact_id} was changed: {name} is not what was published.")


def png(picture: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def hashes_of(folder: Path) -> dict[str, str]:
    """SHA-256 of every file of the artifact, by path, except the record and files that may still change."""
    return {
        name: file_hash(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and (name := path.relative_to(folder).as_posix()) != RECORD
        and not name.startswith((f"{SEEN}/", f"{EMBEDDINGS}/", f"{SCENE_FOLDER}/", "."))
    }


def replace_file(file: Path, content: bytes) -> None:
    """Replace a file in one step, so that it is either new or unchanged; another thread may be doing the same."""
    unfinished = file.with_name(f".{file.name}.{secrets.token_hex(4)}{UNFINISHED}")
    with unfinished.open("wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    unfinished.replace(file)


def sync(folder: Path) -> None:
    """Flush every file of the folder to the disk before the folder gets its final name."""
    for path in [*folder.rglob("*"), folder]:
        sync_folder(path)


def sync_folder(path: Path) -> None:
    """Flush one file, or the names in one folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
