"""Carries the version of pyproject.toml to the files that other programs read: `version.py` writes it into each.

Python code asks the installed package, so it has no copy. Standard library only.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
COPIES: Final = (
    ("clients/blender/blender_manifest.toml", r'(?m)^version = "(.+)"$'),
    ("clients/blender/__init__.py", r'"version": \((.+)\),'),
    ("clients/vscode/package.json", r'(?m)^  "version": "(.+)",$'),
    ("deploy/helm/Chart.yaml", r"(?m)^version: (.+)$"),
    ("deploy/helm/Chart.yaml", r"(?m)^appVersion: (.+)$"),
    ("deploy/helm/values.yaml", r"(?m)^image: blendproof-cluster:(.+)$"),
)
"""Per copy its file, and a pattern whose group is the version."""


def version(root: Path) -> str:
    """The version, from its one source."""
    project: dict[str, str] = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["version"]


def as_written(copy: str, wanted: str) -> str:
    """The version in the notation of a copy: `bl_info` has a tuple."""
    return wanted.replace(".", ", ") if ", " in copy else wanted


def outdated(root: Path) -> list[str]:
    """The copies that say another version, one line each."""
    wanted, lines = version(root), list[str]()
    for name, pattern in COPIES:
        copy = re.search(pattern, (root / name).read_text(encoding="utf-8"))
        if copy is None:
            lines.append(f"{name}: nothing matches {pattern}")
        elif copy[1] != as_written(copy[1], wanted):
            lines.append(f"{name}: {copy[1]} instead of {wanted}")
    return lines


def write(root: Path) -> None:
    """Write the version into every copy."""
    wanted = version(root)
    for name, pattern in COPIES:
        text = (root / name).read_text(encoding="utf-8")
        if copy := re.search(pattern, text):
            text = text[: copy.start(1)] + as_written(copy[1], wanted) + text[copy.end(1) :]
            (root / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(ROOT)
    sys.exit("\n".join(outdated(ROOT)) or None)
