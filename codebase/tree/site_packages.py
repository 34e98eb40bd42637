"""Finds the source of an installed package, in the version that a project uses. Nothing in it is run."""

from __future__ import annotations

import csv
import dataclasses
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Final

from codebase.errors import NotARepository

ENVIRONMENTS: Final = (".venv", "venv", "env", ".env")


@dataclasses.dataclass(frozen=True)
class InstalledPackage:
    """An installed package: its name, its version, and the folder of its source."""

    name: str
    version: str
    root: Path


def find_package(project: Path, name: str, own: bool = True) -> InstalledPackage:
    """The package of a name: from the environment in the project's folder, otherwise, if `own`, of this interpreter.

    Raises NotARepository.
    """
    places = [*environments(project), *(map(Path, sys.path) if own else ())]
    for place in places:
        for distribution in distributions(name=name, path=[str(place)]):
            try:
                root = source_of(distribution, place)
                if root:
                    return InstalledPackage(distribution.metadata["Name"] or name, version_of(distribution), root)
            except (ValueError, TypeError, csv.Error):
                # Its list of files or its facts are damaged: another folder may hold it whole.
                continue
    searched = ", ".join(map(str, environments(project))) or f"no environment in {project}"
    raise NotARepository(
        f"The package {name} is not installed ({searched}): install it, or add the folder of its source."
    )


def version_at(root: Path, name: str) -> str:
    """The version of a package whose source is this folder; empty if it is no longer installed there."""
    return next((version_of(distribution) for distribution in distributions(name=name, path=[str(root.parent)])), "")


def version_of(distribution: Distribution) -> str:
    """The version of a package; empty if its facts do not say it."""
    version: str | None = distribution.metadata["Version"]
    return version or ""


def environments(project: Path) -> list[Path]:
    """The folders of installed packages of the environments in a project."""
    folders = (project / name for name in ENVIRONMENTS)
    return [place for folder in folders for place in sorted(folder.glob("lib*/python3*/site-packages"))]


def source_of(distribution: Distribution, place: Path) -> Path | None:
    """The folder of a package: the one with most of its Python files."""
    counts: dict[str, int] = {}
    for top in tops_of(distribution):
        counts[top] = counts.get(top, 0) + 1
    folders = [top for top in sorted(counts, key=lambda top: -counts[top]) if (place / top).is_dir()]
    return (place / folders[0]).resolve() if folders else None


def tops_of(distribution: Distribution) -> Iterator[str]:
    """The first part of the path of each Python file of a package."""
    for file in distribution.files or ():
        if file.suffix in (".py", ".pyi") and len(file.parts) > 1 and not file.parts[0].startswith(("..", "__")):
            yield file.parts[0]
