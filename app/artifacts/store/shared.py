"""Artifacts on a shelf that several services share. The folder of this service holds copies, made when they are read.

artifacts/<id>/<version>/...     the files of an artifact, as in a folder (see `store.py`), without its vectors
artifacts/<id>/seen/<run>.json   its sightings
records/<id>                     the version that counts: written last, deleted first; without it there is no artifact
"""

from __future__ import annotations

import contextlib
import secrets
import shutil
import threading
import time
from collections.abc import Generator
from pathlib import Path
from typing import Final

from app.artifacts.store.artifact import ARTIFACT_ID, Artifact, Sighting
from app.artifacts.store.record import RECORD
from app.artifacts.store.record_files import EMBEDDINGS, SEEN, UNFINISHED, replace_file
from app.artifacts.store.store import MOST_SEEN, ArtifactStore
from app.errors import ArtifactNotFound, StorageFailed
from app.jobs.shelf import Shelf

COPIED: Final = ".copied"
"""The file in the folder of a copy with the version that it was copied from."""
COUNTED_S: Final = 60.0
TRIES: Final = 3
"""Number of tries to copy a version that is replaced meanwhile."""


class SharedArtifacts(ArtifactStore):
    """The artifacts on the shelf, with copies of them in `folder`. Raises StorageFailed too."""

    def __init__(self, folder: Path, shelf: Shelf) -> None:
        self._shelf: Final = shelf
        self._counted = (0, 0.0)
        self._turn: Final = threading.RLock()
        """Held while a copy is made or replaced."""
        super().__init__(folder)

    def _set_imports_apart(self) -> None:
        """Older versions kept nothing on shelves."""

    def has(self, artifact_id: str) -> bool:
        return bool(ARTIFACT_ID.fullmatch(artifact_id)) and self._shelf.get(f"records/{artifact_id}") is not None

    def ids(self) -> set[str]:
        return {name for name in self._shelf.names("records") if ARTIFACT_ID.fullmatch(name)}

    def count(self) -> int:
        """The number of artifacts, at most a minute old."""
        count, at = self._counted
        if time.monotonic() - at > COUNTED_S or not at:
            with contextlib.suppress(StorageFailed):
                count = len(self.ids())
            self._counted = count, time.monotonic()
        return count

    # --- writing ---

    @contextlib.contextmanager
    def building(self, artifact_id: str) -> Generator[Path, None, None]:
        with self._turn:
            # The rest of an earlier attempt that did not reach the shelf.
            self._drop_copy(artifact_id)
            with super().building(artifact_id) as part:
                yield part
            version = self._upload(artifact_id)
            if not self._shelf.add(f"records/{artifact_id}", version.encode()):
                # Another service was faster, and its artifact is the same.
                self._delete_all(f"artifacts/{artifact_id}/{version}")
                self._copy(artifact_id)

    def _upload(self, artifact_id: str) -> str:
        """Put all files on the shelf as a new version, and answer it; it does not count yet."""
        folder, version = self.folder / artifact_id, secrets.token_hex(8)
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = path.relative_to(folder).as_posix()
            if not path.name.startswith(".") and not name.startswith(f"{EMBEDDINGS}/"):
                part = "" if name.startswith(f"{SEEN}/") else f"{version}/"
                self._shelf.put(f"artifacts/{artifact_id}/{part}{name}", path.read_bytes())
        (folder / COPIED).write_text(version, encoding="utf-8")
        return version

    def keep_scene(self, artifact_id: str, results: Path) -> bool:
        record = f"records/{artifact_id}"
        with self._turn:
            if not super().keep_scene(artifact_id, results):
                return False
            try:
                # Another version, so that other services copy it with its scene.
                before, version = self._shelf.get(record), self._upload(artifact_id)
                self._shelf.put(record, version.encode())
            except StorageFailed:
                # A copy with a scene would mean that nothing is to be sent.
                self._drop_copy(artifact_id)
                raise
            if before:
                self._delete_all(f"artifacts/{artifact_id}/{before.decode()}")
        return True

    def _delete_all(self, below: str) -> None:
        self._shelf.delete(f"{below}/{name}" for name in self._shelf.names(below))

    def see(self, artifact_id: str, sighting: Sighting) -> Artifact:
        artifact = super().see(artifact_id, sighting)
        name, seen = f"{sighting.run}.json", f"artifacts/{artifact_id}/{SEEN}"
        there = [name for name in self._shelf.names(seen) if name.endswith(".json")]
        file = self.folder / artifact_id / SEEN / name
        if name not in there and file.is_file():
            self._shelf.put(f"{seen}/{name}", file.read_bytes())
            _first, *later = [*there, name]
            self._shelf.delete(f"{seen}/{old}" for old in later[:-MOST_SEEN])
        return artifact

    def delete(self, artifact_id: str) -> None:
        if not self.has(artifact_id):
            raise ArtifactNotFound(f"There is no artifact {artifact_id}.")
        self._shelf.delete([f"records/{artifact_id}"])
        self._delete_all(f"artifacts/{artifact_id}")
        self._drop_copy(artifact_id)

    def set_aside(self, artifact_id: str) -> Path:
        self._copy(artifact_id)
        there = super().set_aside(artifact_id)
        self._shelf.delete([f"records/{artifact_id}"])
        self._delete_all(f"artifacts/{artifact_id}")
        return there

    # --- reading ---

    def _path(self, artifact_id: str, name: str) -> Path:
        if ARTIFACT_ID.fullmatch(artifact_id):
            self._copy(artifact_id)
        return super()._path(artifact_id, name)

    def sightings(self, artifact_id: str) -> list[Sighting]:
        folder, seen = self.folder / artifact_id / SEEN, f"artifacts/{artifact_id}/{SEEN}"
        for name in self._shelf.names(seen) if folder.parent.is_dir() else ():
            if not (folder / name).exists() and (content := self._shelf.get(f"{seen}/{name}")) is not None:
                folder.mkdir(exist_ok=True)
                replace_file(folder / name, content)
        return super().sightings(artifact_id)

    def damage(self, artifact_id: str) -> str | None:
        if super().damage(artifact_id) is None:
            return None
        # Only the copy may be damaged.
        self._drop_copy(artifact_id)
        return super().damage(artifact_id)

    def _copy(self, artifact_id: str) -> None:
        """Have a copy of an artifact as it is on the shelf now, and none if it is not there."""
        for _ in range(TRIES):
            record = self._shelf.get(f"records/{artifact_id}")
            if record is None and not (self.folder / artifact_id).exists():
                return
            with contextlib.suppress(OSError):
                if (self.folder / artifact_id / COPIED).read_bytes() == record:
                    return
            with self._turn:
                if record is None:
                    self._drop_copy(artifact_id)
                    return
                if self._copy_version(artifact_id, record.decode()):
                    return

    def _copy_version(self, artifact_id: str, version: str) -> bool:
        """Copy this version; answers whether it was still there in full."""
        below = f"artifacts/{artifact_id}/{version}"
        part = self.folder / f".{artifact_id}.{secrets.token_hex(4)}{UNFINISHED}"
        try:
            for name in self._shelf.names(below):
                content = self._shelf.get(f"{below}/{name}")
                if content is None:
                    return False
                (part / name).parent.mkdir(parents=True, exist_ok=True)
                (part / name).write_bytes(content)
            if not (part / RECORD).is_file():
                return False
            (part / COPIED).write_text(version, encoding="utf-8")
            self._drop_copy(artifact_id)
            part.rename(self.folder / artifact_id)
        finally:
            shutil.rmtree(part, ignore_errors=True)
        return True

    def _drop_copy(self, artifact_id: str) -> None:
        if (self.folder / artifact_id).exists():
            gone = self.folder / f".{artifact_id}.{secrets.token_hex(4)}{UNFINISHED}"
            with contextlib.suppress(OSError):
                (self.folder / artifact_id).rename(gone)
            shutil.rmtree(gone, ignore_errors=True)
