"""Counts how often each static check flags scripts that work: the false alarms in `app/checks/blocking-rules.toml`.

    python -m bench.static_checks --blender PYTHON_WITH_BPY --stubs STUBS_FOLDER [--scripts FOLDER]

Runs every script of the folder (by default the templates of that Blender) in a fresh headless Blender, keeps those
that end without an error, and runs every check on them twice: as a caller's and as our own. Prints per code in how many
scripts it appears, with its weight in the rules file, and how long the first call of each check takes with nothing
cached.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

from app.checks.ruff import check_ruff
from app.checks.types.check import check_mypy, check_pyright
from app.verdict.rules import Rules, Weight, load_rules
from app.verdict.verdict import Author, Finding, Severity

_RUN_LIMIT_S: Final = 20
_AUTHORS: Final[tuple[Author, ...]] = ("caller", "commands")

_RUN_SCRIPT: Final = """
import bpy, runpy, sys
bpy.ops.wm.read_factory_settings()
runpy.run_path(sys.argv[1], run_name="__main__")
"""
_PRINT_TEMPLATES: Final = """
import bpy, pathlib
print(pathlib.Path(bpy.utils.resource_path("LOCAL"), "scripts", "templates_py"))
"""

Check = Callable[[str, Author, Rules], Awaitable[list[Finding]]]


@dataclass(frozen=True)
class Script:
    """A script that ends without an error in a fresh headless Blender."""

    name: str
    text: str


def main() -> None:
    """Measure and print."""
    options = _options()
    scripts = _working(options.blender, options.scripts or _templates(options.blender))
    with tempfile.TemporaryDirectory() as cache:
        checks = _checks(options.stubs, Path(cache), options.python_version)
        asyncio.run(_measure(scripts, checks))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--blender", type=Path, required=True, help="a Python that can import bpy")
    parser.add_argument("--stubs", type=Path, required=True, help="a folder written by build_stubs")
    parser.add_argument("--scripts", type=Path, help="a folder of .py files; default: that Blender's templates")
    parser.add_argument("--python-version", default="3.11", help="the Python of that Blender")
    return parser.parse_args()


def _templates(blender: Path) -> Path:
    asked = subprocess.run([blender, "-c", _PRINT_TEMPLATES], capture_output=True, text=True, check=True)
    return Path(asked.stdout.strip().splitlines()[-1])


def _working(blender: Path, folder: Path) -> list[Script]:
    files = sorted(folder.rglob("*.py"))
    scripts = [Script(file.name, file.read_text(encoding="utf-8")) for file in files if _runs(blender, file)]
    print(f"{len(scripts)} of {len(files)} scripts in {folder.name} run")
    return scripts


def _runs(blender: Path, file: Path) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        try:
            command = [str(blender), "-c", _RUN_SCRIPT, str(file.resolve())]
            ended = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=_RUN_LIMIT_S)
        except subprocess.TimeoutExpired:
            return False
    return ended.returncode == 0


def _checks(stubs: Path, cache: Path, python_version: str) -> dict[str, Check]:
    async def mypy(snippet: str, author: Author, rules: Rules) -> list[Finding]:
        return await check_mypy(snippet, author, rules, stubs, cache, python_version=python_version)

    async def pyright(snippet: str, author: Author, rules: Rules) -> list[Finding]:
        return await check_pyright(snippet, author, rules, stubs, python_version=python_version)

    async def ruff(snippet: str, author: Author, rules: Rules) -> list[Finding]:
        return await check_ruff(snippet, author, rules, python_version=python_version)

    return {"ruff": ruff, "mypy": mypy, "pyright": pyright}


async def _measure(scripts: list[Script], checks: dict[str, Check]) -> None:
    rules = load_rules()
    everything = _nothing_dropped(rules)
    for name, check in checks.items():
        for author in _AUTHORS:
            began = time.perf_counter()
            await check(scripts[0].text, author, everything)
            print(f"\n{name}, {author}: first call {time.perf_counter() - began:.2f} s")
            flagged = {script.name: await check(script.text, author, everything) for script in scripts}
            _report(flagged, name, author, rules)


def _nothing_dropped(rules: Rules) -> Rules:
    """The same selection with every finding kept, so that findings that the rules file drops count too."""
    kept: dict[str, Weight] = {"ours": "advice", "theirs": "advice"}
    checks = {name: check.model_copy(update=kept) for name, check in rules.check.items()}
    return rules.model_copy(update={"check": checks, "rule": []})


def _report(flagged: dict[str, list[Finding]], check: str, author: Author, rules: Rules) -> None:
    scripts_by_code = Counter(code for found in flagged.values() for code in {item.code for item in found})
    for weight in get_args(Weight):
        codes = [code for code in scripts_by_code if _weight(rules, check, code, author) == weight]
        scripts = [name for name, found in flagged.items() if {item.code for item in found} & set(codes)]
        print(f"  {weight}: {len(scripts)} of {len(flagged)} scripts")
        for code in sorted(codes, key=lambda code: (-scripts_by_code[code], code)):
            print(f"    {scripts_by_code[code]:4} {code}")


def _weight(rules: Rules, check: str, code: str, author: Author) -> Weight:
    weights: dict[Severity | None, Weight] = {Severity.ERROR: "blocking", Severity.WARNING: "advice"}
    return weights.get(rules.severity(check, code, author), "off")


if __name__ == "__main__":
    main()
