"""A further source of truth of a repository, as it is searched."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection
from pathlib import Path


@dataclasses.dataclass(frozen=True)
class FurtherSource:
    """A further source of a repository: its name, its description, and the folder of its index."""

    name: str
    mark: str
    folder: Path

    def asked_for(self, question: str, wanted: Collection[str]) -> bool:
        """True if the caller or the question names it."""
        return self.name in wanted or re.search(rf"\b{re.escape(self.name)}\b", question, re.IGNORECASE) is not None
