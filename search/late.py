"""Packages whose classes are imported when they are called: what a library brings along may cost more than itself."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Generator
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class LateClasses(MetaPathFinder, Loader):
    """Finds the modules of a package, all names of which are classes that are imported when they are first called."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(self, fullname: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The module, if it is of the package."""
        ours = fullname == self.package or fullname.startswith(f"{self.package}.")
        return ModuleSpec(fullname, self, is_package=True) if ours else None

    def exec_module(self, module: ModuleType) -> None:
        """Fill the module."""
        module.__getattr__ = lambda name: late_class(module, name)  # type: ignore[method-assign]

    @contextlib.contextmanager
    def in_place(self) -> Generator[None]:
        """Find them, and forget them afterwards: whoever imports the package later gets the package."""
        if self.package in sys.modules:
            yield
            return
        sys.meta_path.insert(0, self)
        try:
            yield
        finally:
            sys.meta_path.remove(self)
            for name in [name for name in list(sys.modules) if self.find_spec(name)]:
                del sys.modules[name]


def late_class(module: ModuleType, name: str) -> type:
    """The stand-in for a class of a module; dunder names of a module are as absent as before."""
    if name.startswith("__"):
        raise AttributeError(name)

    def new(_cls: type, *arguments: object, **named: object) -> object:
        return getattr(importlib.import_module(module.__name__), name)(*arguments, **named)

    return type(name, (), {"__new__": new})
