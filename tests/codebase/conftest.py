"""What the tests of repositories share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of an index, which is not there yet."""
    return tmp_path / "index"
