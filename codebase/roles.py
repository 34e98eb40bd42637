"""What a file is for, by its path and by marks in it."""

from __future__ import annotations

import re
from typing import Final, Literal

from codebase.files import is_foreign

Role = Literal["source", "test", "doc", "foreign"]

TEST: Final = re.compile(
    r"(^|/)(tests?|testing|__tests__|spec)/|(^|/)(test_[^/]*|[^/]*_test|conftest)\.py$|\.(test|spec)\."
)
DOC: Final = re.compile(
    r"(^|/)(docs?|documentation|examples?|release|changelogs?|tutorials?|bin|benchmarks?)/|\.(md|rst|txt|ipynb)$"
)


def role_of(path: str, language: str, is_marked: bool) -> Role:
    """What a file is for; `is_marked` says that its text calls itself generated."""
    if TEST.search(path):
        return "test"
    if is_marked or is_foreign(path, ""):
        return "foreign"
    return "doc" if DOC.search(path) or language in ("markdown", "rst") else "source"
