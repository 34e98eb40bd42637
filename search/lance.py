"""LanceDB, imported without two thirds of the work of its import, which a database in a folder never profits from.

- the callers and messages of a REST service: each name stands for a class that is imported when it is first used
- the signatures of its methods compared with those that they override, which only its own developers need
"""

from __future__ import annotations

import contextlib
import importlib
import sys
import threading
from collections.abc import Generator
from typing import Any, Final

from search.late import LateClasses

REST: Final = "lance_namespace_urllib3_client"
IMPORTING: Final = threading.Lock()


@contextlib.contextmanager
def signatures_unread() -> Generator[None]:
    """Take the word of `overrides.override` that a method overrides one."""
    overrides: Any = importlib.import_module("overrides")

    def override(method: Any) -> Any:
        method.__override__ = True
        return method

    kept = overrides.override
    overrides.override = override
    try:
        yield
    finally:
        overrides.override = kept


def import_lancedb() -> Any:
    """The package `lancedb`; several threads may want it at once."""
    with IMPORTING, contextlib.ExitStack() as stack:
        if "lancedb" not in sys.modules:
            stack.enter_context(LateClasses(REST).in_place())
            stack.enter_context(signatures_unread())
        return importlib.import_module("lancedb")
