"""The manifests of the installed Blenders in memory, each dumped on its first request."""

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
        """The manifest of a Blender: at once if it was requested before, otherwise in half a second, or in three if it
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
