"""What the code reads beside itself is in the package too: a checkout has it in any case."""

from __future__ import annotations

import fnmatch
import subprocess
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = ("*/README.md", "clients/action/*", "clients/vscode/*", "cookbook/receipts.json")
"""Pages for readers, what is no package, and what only tests compare with."""

Patterns = Mapping[str, Sequence[str]]
"""By package, what it has beside Python; `*` is every package."""


def lacking(files: Iterable[str], patterns: Patterns) -> list[str]:
    """The files that a package built with these patterns would not have."""

    def is_packed(path: PurePosixPath) -> bool:
        folders = [folder for folder in path.parents if folder.parts]
        given = [(folder, one) for folder in folders for one in patterns.get(".".join(folder.parts), ())]
        given += [(path.parent, one) for one in patterns.get("*", ())]
        return any(fnmatch.fnmatch(str(path.relative_to(folder)), one) for folder, one in given)

    return [one for one in files if not is_packed(PurePosixPath(one))]


def test_every_file_that_is_no_python_is_packed() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    packages = [name.rstrip("*") for name in settings["packages"]["find"]["include"]]
    tracked = subprocess.run(
        ["git", "ls-files", *packages], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    files = [one for one in tracked if not one.endswith(".py")]
    wanted = [one for one in files if not any(fnmatch.fnmatch(one, pattern) for pattern in LEFT_OUT)]
    assert "app/drafting/commands/grammar.lark" in wanted
    assert lacking(wanted, settings["package-data"]) == []
    assert lacking(wanted, {"*": ["*.toml", "*.md", "py.typed"], "app.web": ["files/*", "templates/*"]}) == [
        "app/api/examples.json",
        "app/drafting/commands/grammar.lark",
    ]
