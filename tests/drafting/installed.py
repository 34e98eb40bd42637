"""The Blenders that the examples are run on."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.blenders import Blender, choose, find_blenders
from ingest.manifest import Manifest, manifest_of


def blender_of(home: Path, series: str) -> tuple[Blender, Manifest]:
    """The Blender of a series that `make test` installed; 5.2 has a home of its own."""
    home = home / "newer" if series == "5.2" else home
    found = find_blenders(home, None, search=False)
    if not any(blender.series == series for blender in found):
        pytest.skip(f"there is no Blender {series} in {home}; `make test` says why")
    blender = choose(found, series)
    return blender, manifest_of(home, blender)
