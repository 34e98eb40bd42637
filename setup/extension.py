"""Builds the extension for Blender: `python setup/extension.py FOLDER` writes FOLDER/blendproof-VERSION.zip.

One archive serves all: 4.2 and later install it as an extension by its manifest, older ones as an add-on by `bl_info`.
The manifest is checked against `bl_info` here, and by Blender's own checker if a Blender with one is installed.
Standard library only.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "clients" / "blender"
MANIFEST = "blender_manifest.toml"
NEEDED = (
    "schema_version", "id", "version", "name", "tagline", "maintainer", "type", "blender_version_min", "license",
)  # fmt: skip
LONGEST_PERMISSION = 64
MADE = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the archive, so that the same source makes the same archive."""


def bl_info(source: Path) -> dict[str, Any]:
    """The facts about the package for Blenders before 4.2."""
    for node in ast.parse((source / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "bl_info":
            found: dict[str, Any] = ast.literal_eval(node.value)
            return found
    return {}


def problems(source: Path) -> list[str]:
    """The faults of the manifest of a package, one sentence each."""
    manifest, older = tomllib.loads((source / MANIFEST).read_text(encoding="utf-8")), bl_info(source)
    found = [f"{name} is missing" for name in NEEDED if not manifest.get(name)]
    if manifest.get("version") != ".".join(str(part) for part in older.get("version", ())):
        found.append(f"version is {manifest.get('version')!r}, and bl_info has {older.get('version')!r}")
    if manifest.get("name") != older.get("name"):
        found.append(f"name is {manifest.get('name')!r}, and bl_info has {older.get('name')!r}")
    for name, why in manifest.get("permissions", {}).items():
        if len(why) > LONGEST_PERMISSION or why.endswith("."):
            found.append(f"permissions.{name} has more than {LONGEST_PERMISSION} characters, or ends with a full stop")
    return found


def build(source: Path, folder: Path) -> Path:
    """Write the archive into a folder and return its path. Raises ValueError if the manifest is wrong."""
    if wrong := problems(source):
        raise ValueError(f"{source / MANIFEST}: {'; '.join(wrong)}")
    manifest = tomllib.loads((source / MANIFEST).read_text(encoding="utf-8"))
    archive = folder / f"{manifest['id']}-{manifest['version']}.zip"
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        for path in sorted([*source.glob("*.py"), source / MANIFEST]):
            out.writestr(zipfile.ZipInfo(f"{manifest['id']}/{path.name}", MADE), path.read_bytes())
    return archive


def checker(home: Path) -> tuple[Path, Path] | None:
    """The interpreter and the checker of an installed Blender; None if there is none."""
    for blender in sorted(home.glob("blenders/*")):
        for script in blender.glob("lib/*/site-packages/bpy/*/scripts/addons_core/bl_pkg/cli/blender_ext.py"):
            return blender / "bin" / "python", script
    return None


def check(archive: Path, home: Path) -> str:
    """The report of Blender's own checker on an archive. Raises ValueError if it finds a fault."""
    found = checker(home)
    if found is None:
        return "Blender's own checker was not run: no Blender that has it is installed"
    done = subprocess.run([*map(str, found), "validate", str(archive)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(f"{archive}: {(done.stdout + done.stderr).strip()}")
    return "Blender's own checker finds no fault"


def main(folder: str) -> int:
    """Build and check; return the exit status."""
    home = Path(os.environ.get("BLENDPROOF_HOME") or ROOT / ".blendproof")
    try:
        archive = build(SOURCE, Path(folder))
        said = check(archive, home)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{archive}: {said}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*(sys.argv[1:] or ["dist"])))
