"""Which file an import of Python means.

An absolute name is looked for in the folders around the importing file that are not packages themselves, as if each
was on the path, then below the folder of the repository, `src` and `lib`, then wherever one place alone fits. A
relative name is looked for by its place, so folders without `__init__.py` are no matter.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

ROOTS: Final = ("", "src", "lib")
ENDS: Final = (".py", "/__init__.py", ".pyi", "/__init__.pyi")


class Found(NamedTuple):
    """Where a module is: a file, or a folder without `__init__.py`; `sure` unless the path of Python was guessed."""

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
        self._known: dict[tuple[str, str], Found | None] = {}

    def find(self, path: str, module: str) -> Found | None:
        """The module that a file names, `..pkg.name` if relative. None if it is not in the repository."""
        folder = path.rpartition("/")[0]
        key = folder, module
        if key not in self._known:
            dots = len(module) - len(module.lstrip("."))
            self._known[key] = (
                self._relative(folder, dots, module.lstrip(".")) if dots else self._absolute(folder, module)
            )
        return self._known[key]

    def inner(self, place: Found, name: str) -> Found | None:
        """A module inside a package or folder."""
        folder = place.folder if place.file is None else package_of(place.file)
        found = self._at(folder, name) if folder is not None else None
        return found._replace(sure=place.sure) if found else None

    def _relative(self, folder: str, dots: int, rest: str) -> Found | None:
        for _ in range(dots - 1):
            if not folder:
                return None
            folder = folder.rpartition("/")[0]
        return self._at(folder, rest)

    def _absolute(self, folder: str, module: str) -> Found | None:
        top, _, rest = module.partition(".")
        for base, sure in self._bases(folder, top):
            found = self._at(base, module)
            if found:
                return found._replace(sure=sure)
        # The repository may be a package itself, named by the folder that it is put into.
        if rest and self._is_package("") and top not in self._tops and (found := self._at("", rest)) and found.file:
            return found._replace(sure=False)
        return None

    def _bases(self, folder: str, top: str) -> Iterator[tuple[str, bool]]:
        around = [folder, *folders_of(folder)] if folder else [""]
        outside = [one for one in around if not self._is_package(one)]
        yield from ((one, True) for one in outside)
        if top in sys.stdlib_module_names:
            return
        yield from ((one, True) for one in ROOTS if one not in outside and not self._is_package(one))
        if top not in self._lone:
            others = {one for one in self._tops.get(top, ()) if not self._is_package(one)}
            self._lone[top] = others.pop() if len(others) == 1 else None
        lone = self._lone[top]
        if lone is not None:
            yield lone, False
        # A script inside a package finds what stands beside it.
        yield folder, False

    def _is_package(self, folder: str) -> bool:
        return (f"{folder}/__init__.py" if folder else "__init__.py") in self._files

    def _at(self, base: str, dotted: str) -> Found | None:
        """The module of a dotted name below a folder; the folder itself for the empty name."""
        place = "/".join(part for part in (base, dotted.replace(".", "/")) if part)
        for end in ENDS:
            file = f"{place}{end}".lstrip("/")
            if file in self._files and (dotted or "__init__" in end):
                return Found(file, None, True)
        return Found(None, place, True) if place in self._folders or not place else None


def package_of(file: str) -> str | None:
    """The folder of a package; None for a module that is none."""
    folder, _, name = file.rpartition("/")
    return folder if name.startswith("__init__.") else None


def folders_of(path: str) -> Iterator[str]:
    """The folders around a path, the innermost first; the last is the empty one of the repository."""
    while path:
        path = path.rpartition("/")[0]
        yield path
