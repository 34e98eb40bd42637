"""Further sources of truth of a repository: the kinds that may be added."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.repositories.allowed import AllowedPlaces, RepositoryRefused
from app.repositories.register import SourceKind, SourceRecord, checked_name
from codebase.tree.site_packages import InstalledPackage


@dataclass(frozen=True)
class WantedSource:
    """A source that somebody wants to add: an installed package, a folder, or an export of issues."""

    package: str | None = None
    path: Path | None = None
    name: str | None = None


def checked_source(wanted: WantedSource, allowed: AllowedPlaces, package: InstalledPackage | None) -> SourceRecord:
    """The source to add. Raises RepositoryRefused if it is not a source, or not allowed."""
    if (wanted.package is None) == (wanted.path is None):
        raise RepositoryRefused("There is no one source to add.", "Name either a package or a path.")
    if package is not None:
        allowed.path(package.root)
        name = checked_name(wanted.name, package.name)
        return SourceRecord(name=name, kind="package", root=package.root, version=package.version)
    path = allowed.path(wanted.path or Path())
    kind: SourceKind = "issues" if path.suffix in (".json", ".jsonl") and path.is_file() else "folder"
    if kind == "folder" and not path.is_dir():
        raise RepositoryRefused(
            f"path: {path} is neither a folder nor an export of issues.",
            "Write the path of a folder, or of a .json file.",
        )
    return SourceRecord(
        name=checked_name(wanted.name, path.stem if kind == "issues" else path.name), kind=kind, root=path
    )
