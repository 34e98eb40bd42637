"""The manifest of each installed Blender in memory, dumped when it is first asked for."""

from __future__ import annotations

import threading
from pathlib import Path

from harness.blenders import Blender, BlenderNotAvailable
from ingest.manifest import Manifest, ManifestUnreadable, manifest_of


class Manifests:
    """The manifests of the Blenders under `home`. Calls may come from several threads."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._lock = threading.Lock()
        self._read: dict[Blender, Manifest] = {}

    def of(self, blender: Blender) -> Manifest:
        """The manifest of a Blender: at once when it was asked for before, else in half a second, or three where it
        must be dumped first. Raises BlenderNotAvailable.
        """
        with self._lock:
            if blender not in self._read:
                try:
                    self._read[blender] = manifest_of(self._home, blender)
                except (OSError, ManifestUnreadable) as error:
                    raise BlenderNotAvailable(
                        f"The API of Blender {blender.version} cannot be kept in {self._home}: {error}"
                    ) from error
            return self._read[blender]
