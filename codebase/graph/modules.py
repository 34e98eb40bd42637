"""The file that an import of Python means.

An absolute name is looked up in the folders around the importing file that are not packages themselves, as if each
was on the path, then below the folder of the repository, `src` and `lib`, then wherever it fits a single place. A
relative name is looked up by its place, whether or not its folders have an `__init__.py`.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

ROOTS: Final = ("", "src", "lib")
ENDS: Final = (".py", "/__init__.py", ".pyi", "/__init__.pyi")


class ModulePlace(NamedTuple):
    """A file, or a folder without `__init__.py`, that is a module; `sure` unless the path of Python was guessed."""

    file: str | None
    folder: str | None
    sure: bool


class Modules:
    """The modules among the files of a repository."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._files = frozenset(path for path in paths if path.endswith((".py", ".pyi")))
        self._folders = frozenset(folder for path in self._files for folder in folders_of(path))
        self._tops: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self._files | self._folders):
            parent, _, name = path.rpartition("/")
            self._tops[name.partition(".")[0]].append(parent)
        self._lone: dict[str, str | None] = {}
        self._known: dict[tuple[str, str], ModulePlace | None] = {}

    def find(self, path: str, module: str) -> ModulePlace | None:
        """The module that a file names, `..pkg.name` if relative. None if it is not in the repository."""
        folder = path.rpartition("/")[0]
        key = folder, module
        if key not in self._known:
            dots = len(module) - len(module.lstrip("."))
            self._known[key] = (
                self._relative(folder, dots, module.lstrip(".")) if dots else self._absolute(folder, module)
            )
        return self._known[key]

    def inner(self, place: ModulePlace, name: str) -> ModulePlace | None:
        """A module inside a package or folder."""
        folder = place.folder if place.file is None else package_of(place.file)
        inner = self._at(folder, name) if folder is not None else None
        return inner._replace(sure=place.sure) if inner else None

    def _relative(self, folder: str, dots: int, rest: str) -> ModulePlace | None:
        for _ in range(dots - 1):
            if not folder:
                return None
            folder = folder.rpartition("/")[0]
        return self._at(folder, rest)

    def _absolute(self, folder: str, module: str) -> ModulePlace | None:
        top, _, rest = module.partition(".")
        for base, sure in self._bases(folder, top):
            place = self._at(base, module)
            if place:
                return place._replace(sure=sure)
        # The repository may be a package itself, named by the folder that it is put into.
        if rest and self._is_package("") and top not in self._tops and (place := self._at("", rest)) and place.file:
            return place._replace(sure=False)
        return None

    def _bases(self, folder: str, top: str) -> Iterator[tuple[str, bool]]:
        around = [folder, *folders_of(folder)] if folder else [""]
        outside = [base for base in around if not self._is_package(base)]
        yield from ((base, True) for base in outside)
        if top in sys.stdlib_module_names:
            return
        yield from ((base, True) for base in ROOTS if base not in outside and not self._is_package(base))
        if top not in self._lone:
            others = {base for base in self._tops.get(top, ()) if not self._is_package(base)}
            self._lone[top] = others.pop() if len(others) == 1 else None
        lone = self._lone[top]
        if lone is not None:
            yield lone, False
        # A script inside a package can import modules of its own folder.
        yield folder, False

    def _is_package(self, folder: str) -> bool:
        return (f"{folder}/__init__.py" if folder else "__init__.py") in self._files

    def _at(self, base: str, dotted: str) -> ModulePlace | None:
        """The module of a dotted name below a folder; the folder itself for the empty name."""
        place = "/".join(part for part in (base, dotted.replace(".", "/")) if part)
        for end in ENDS:
            file = f"{place}{end}".lstrip("/")
            if file in self._files and (dotted or "__init__" in end):
                return ModulePlace(file, None, True)
        return ModulePlace(None, place, True) if place in self._folders or not place else None


def package_of(file: str) -> str | None:
    """The folder of a package; None for a module that is no package."""
    folder, _, name = file.rpartition("/")
    return folder if name.startswith("__init__.") else None


def folders_of(path: str) -> Iterator[str]:
    """The folders around a path, the innermost first; the last is the empty path of the repository."""
    while path:
        path = path.rpartition("/")[0]
        yield path
