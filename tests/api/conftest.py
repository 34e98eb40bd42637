"""What the tests of changes over HTTP share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.codebase.small import repository
from tests.repositories.shop import OLD_TEST, SHOP


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The repository that `served` serves."""
    return repository(tmp_path / "allowed" / "shop", {"shop.py": SHOP, "test_shop.py": OLD_TEST})
