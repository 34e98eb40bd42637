"""The fixture `stubs`: the stub trees of Blender 5.0, built where BLENDPROOF_HOME or the default home keeps them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from app.checks.stubs import RELAXED, STRICT
from app.settings import default_home

# Read on import: while tests run, no setting of the person who runs them is in the environment.
_HOME: Final = Path(os.environ.get("BLENDPROOF_HOME") or default_home())


@pytest.fixture(scope="session")
def stubs() -> Path:
    """The folder that the type checks read; skips where it has not been built."""
    folder = _HOME / "stubs" / "5.0"
    if not all((folder / flavour / "bpy").is_dir() for flavour in (STRICT, RELAXED)):
        pytest.skip(
            "no stubs of Blender 5.0 are built: neither BLENDPROOF_HOME nor the default home has them"
        )
    return folder
