"""Imports between the files of a repository: names as written, resolved among its files."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

SCRIPTS: Final = ("", ".js", ".ts", ".tsx", ".jsx", ".mjs", "/index.js", "/index.ts")
RE_EXPORTS: Final = 3
"""Depth in packages to which a name is followed through `__init__.py` files that only pass it on."""


class ImportedModules:
    """The modules of a repository by their dotted names."""

    def __init__(self, paths: Sequence[str], imports: Mapping[str, Sequence[str]]) -> None:
        self._paths = frozenset(paths)
        self._imports = imports
        self.names = {path: name for path in paths if path.endswith((".py", ".pyi")) for name in [self._name(path)]}
        self._files = {name: path for path, name in sorted(self.names.items(), reverse=True)}
        self._named: dict[str, dict[str, list[str]]] = {}

    def _name(self, path: str) -> str:
        """The dotted name that a file is imported by: from the outermost folder above it that is not a package."""
        folder, _, name = path.rpartition("/")
        parts = [] if name.startswith("__init__.") else [name.partition(".")[0]]
        while folder and f"{folder}/__init__.py" in self._paths:
            folder, _, package = folder.rpartition("/")
            parts.append(package)
        # Without a package above it, the file may still be imported by its path or by its name alone.
        return ".".join(reversed(parts)) or folder.replace("/", ".")

    def file_of(self, dotted: str) -> str | None:
        """The file of a module, or of the module that holds this name."""
        return self._files.get(dotted)

    def targets(self, path: str) -> set[str]:
        """The files that a file imports."""
        targets = {target for written in self._imports[path] for target in self.resolve(path, written)}
        return targets - {path}

    def resolve(self, path: str, written: str, depth: int = 0) -> Iterator[str]:
        """The files that an import of a file can mean, written as in `ParsedFile.imports`."""
        if not path.endswith((".py", ".pyi")):
            yield from self._script(path, written)
            return
        module, _, name = written.partition(":")
        dotted = self._absolute(path, module)
        inner = self._files.get(f"{dotted}.{name}" if dotted else name) if name else None
        if inner:
            yield inner
        elif dotted in self._files:
            package = self._files[dotted]
            passed_on = list(self._passed_on(package, name, depth)) if name else []
            yield from passed_on or [package]

    def _absolute(self, path: str, module: str) -> str:
        """The dotted name of a module that may be written relative to a file."""
        dots = len(module) - len(module.lstrip("."))
        if not dots:
            beside = f"{self.names[path].rpartition('.')[0]}.{module}".lstrip(".")
            return module if module in self._files or beside not in self._files else beside
        parts = self.names[path].split(".")
        up = dots - 1 if path.rpartition("/")[2].startswith("__init__.") else dots
        return ".".join([*parts[: max(0, len(parts) - up)], *filter(None, [module.lstrip(".")])])

    def _passed_on(self, package: str, name: str, depth: int) -> Iterator[str]:
        """The files from which a package has a name."""
        if depth < RE_EXPORTS and package.endswith("__init__.py"):
            for written in self._by_name(package).get(name, ()):
                yield from (file for file in self.resolve(package, written, depth + 1) if file != package)

    def _by_name(self, package: str) -> dict[str, list[str]]:
        """The imports of a package, by the name that it takes from each module."""
        if package not in self._named:
            names = self._named[package] = {}
            for written in self._imports[package]:
                names.setdefault(written.partition(":")[2], []).append(written)
        return self._named[package]

    def _script(self, path: str, written: str) -> Iterable[str]:
        if not written.startswith("."):
            return []
        place = posixpath.normpath(posixpath.join(posixpath.dirname(path), written))
        return [place + end for end in SCRIPTS if place + end in self._paths][:1]
