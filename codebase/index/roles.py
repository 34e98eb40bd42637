"""The role of a file, by its path and by marks in it."""

from __future__ import annotations

import re
from typing import Final, Literal

from codebase.graph.testing import is_test
from codebase.index.files import is_foreign

Role = Literal["source", "test", "doc", "foreign"]

DOC: Final = re.compile(
    r"(^|/)(docs?|documentation|examples?|release|changelogs?|tutorials?|bin|benchmarks?)/|\.(md|rst|txt|ipynb)$"
    r"|(?i:(^|/)\.(github|gitlab)/(issue|pull|merge|discussion)\w*template)"
)
"""Documents, and the forms that issues are written on: these hold the very headings of every issue."""


def role_of(path: str, language: str, is_marked: bool) -> Role:
    """The role of a file; `is_marked` means that its text calls itself generated."""
    if is_test(path):
        return "test"
    if is_marked or is_foreign(path, ""):
        return "foreign"
    return "doc" if DOC.search(path) or language in ("markdown", "rst") else "source"
