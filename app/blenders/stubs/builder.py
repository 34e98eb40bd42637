"""Builds the two stub trees that the type checkers read, out of a published fake-bpy-module.

    fake-bpy-module-X.Y ── repair ──> strict/    for snippets that we wrote
                              └───── relax ──> relaxed/   for snippets by a model or a caller

The published stubs contain plain mistakes that flag correct code: operators that return None, a member called
`property` that hides the builtin decorator, lookups whose result type is that of their default. `strict/` is
the published stubs with those repaired. `relaxed/` further gives up what the stubs cannot know about a script
by others: whether something optional is there, and which subclass a polymorphic member holds.

Packages are laid out as `bpy/`, not `bpy-stubs/`: mypy finds the latter only in site-packages.
"""

from __future__ import annotations

import ast
import csv
import hashlib
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.blenders.stubs.numpy_stubs import NUMPY, NUMPY_TYPING
from app.blenders.stubs.relax import relax
from app.blenders.stubs.repair import repair
from app.blenders.stubs.tree import parse
from app.verdict.rules import RELAXED, STRICT

_STAMP: Final = "stamp.json"


class StubsError(Exception):
    """The source folder holds no fake-bpy-module, or more than one."""


def build_stubs(source: Path, folder: Path) -> None:
    """Write `folder/strict` and `folder/relaxed` from the fake-bpy-module installed or unpacked in `source`.

    Does nothing when `folder` was already built from the same release by the same builder. The trees appear
    whole or not at all. Takes some ten seconds. Raises `StubsError` if `source` does not hold exactly one
    fake-bpy-module.
    """
    release = _find_release(source)
    stamp = {"builder": _builder_version(), "source": release.name}
    if _read_stamp(folder) == stamp:
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as scratch:
        built = Path(scratch, "built")
        _write_trees(source, release.files, built)
        (built / _STAMP).write_text(json.dumps(stamp), encoding="utf-8")
        _put_in_place(built, folder, Path(scratch, "old"))


def release_of(folder: Path) -> str | None:
    """The release, such as `fake_bpy_module_5_0-20260730`, that this builder made the folder from; None otherwise."""
    match _read_stamp(folder):
        case {"builder": str(builder), "source": str(source)} if builder == _builder_version():
            return source
        case _:
            return None


@dataclass(frozen=True)
class _Release:
    """A published fake-bpy-module: its name with the version, and its stub files relative to the source."""

    name: str
    files: list[Path]


def _find_release(source: Path) -> _Release:
    # The record of installed files, because site-packages holds the stubs of other packages too.
    found = sorted(source.glob("fake_bpy_module*.dist-info"))
    if len(found) != 1:
        raise StubsError(f"expected one fake-bpy-module in {source}, found {len(found)}")
    with (found[0] / "RECORD").open(encoding="utf-8", newline="") as record:
        files = [Path(row[0]) for row in csv.reader(record) if row and row[0].endswith(".pyi")]
    if not files:
        raise StubsError(f"{found[0].name} records no stub files")
    return _Release(name=found[0].name.removesuffix(".dist-info"), files=files)


def _builder_version() -> str:
    """A hash of all modules that take part: trees that others built are built again."""
    modules = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(module.read_bytes() for module in modules)).hexdigest()


def _read_stamp(folder: Path) -> object:
    try:
        return json.loads((folder / _STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _put_in_place(built: Path, folder: Path, old: Path) -> None:
    if folder.exists():
        folder.rename(old)
    built.rename(folder)


def _write_trees(source: Path, files: list[Path], built: Path) -> None:
    for file in files:
        module = Path(file.parts[0].removesuffix("-stubs"), *file.parts[1:])
        tree = parse(Path(source, file).read_text(encoding="utf-8"))
        repair(tree, module)
        _write(built / STRICT / module, ast.unparse(ast.fix_missing_locations(tree)))
        relax(tree, module)
        _write(built / RELAXED / module, ast.unparse(ast.fix_missing_locations(tree)))
    for flavour in (STRICT, RELAXED):
        _write(built / flavour / "numpy" / "__init__.pyi", NUMPY)
        _write(built / flavour / "numpy" / "typing.pyi", NUMPY_TYPING)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # mypy reports what is wrong inside stubs as well, and no snippet is to blame for that.
    path.write_text(f"# mypy: ignore-errors\n{text}\n", encoding="utf-8")
