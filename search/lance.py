"""LanceDB, imported without the callers of a REST service that it brings along.

They are half of the time of the import, and a database in a folder or an object store never calls them.
"""

from __future__ import annotations

import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

CALLERS: Final = "lance_namespace_urllib3_client.api."


class NoCallers(MetaPathFinder, Loader):
    """Finds modules of callers, whose names all stand for an empty class."""

    def find_spec(self, fullname: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The module, if it is of callers."""
        return ModuleSpec(fullname, self) if fullname.startswith(CALLERS) else None

    def exec_module(self, module: ModuleType) -> None:
        """Fill the module."""
        module.__getattr__ = nothing  # type: ignore[method-assign]


def nothing(name: str) -> type:
    """A class without anything in it; dunder names of a module are as absent as before."""
    if name.startswith("__"):
        raise AttributeError(name)
    return type(name, (), {})


def import_lancedb() -> Any:
    """The package `lancedb`."""
    finder = NoCallers()
    sys.meta_path.insert(0, finder)
    try:
        import lancedb
    finally:
        sys.meta_path.remove(finder)
    return lancedb
