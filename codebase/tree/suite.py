"""How the tests of a repository are run: as its own settings say, otherwise as what its files look like.

pyproject.toml:
    [tool.blendproof]
    command = "python -m pytest tests"      a line or a list; `python` is the interpreter
    interpreter = "5.0"                     the series of a Blender, or "python" for the Python of the service
    packages = ["numpy"]                    what the tests import; the operator sets it up, a change never does
"""

from __future__ import annotations

import dataclasses
import re
import shlex
import tomllib
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, Final, cast

from codebase.errors import SettingsUnusable

SETTINGS: Final = "pyproject.toml"
TABLE: Final = "blendproof"
PYTEST: Final = ("python", "-m", "pytest")
UNITTEST: Final = ("python", "-m", "unittest", "discover")
TEST_FILE: Final = re.compile(r"(?:test_[^/]*|[^/]*_test)\.py")
IMPORTS_PYTEST: Final = re.compile(rb"^\s*(?:import|from)\s+pytest\b", re.MULTILINE)
TEST_CASES: Final = re.compile(rb"\bunittest\b")


@dataclasses.dataclass(frozen=True)
class Wanted:
    """The command, with `python` for the interpreter; what that is to be, or None; and where this comes from."""

    command: tuple[str, ...]
    interpreter: str | None
    why: str


def suite_of(files: Mapping[str, bytes]) -> Wanted | None:
    """How to run the tests of a repository with these files; None if it has none. Raises SettingsUnusable."""
    own = own_settings(files.get(SETTINGS, b""))
    found = found_in(files)
    if not own:
        return found
    command = command_of(own["command"]) if "command" in own else None
    if command is None and found is None:
        return None
    return Wanted(
        command or (found.command if found else ()),
        text_in(own, "interpreter"),
        f"[tool.{TABLE}] in {SETTINGS}" if command or found is None else found.why,
    )


def own_settings(content: bytes) -> dict[str, Any]:
    """The table of a pyproject.toml that is ours; empty if there is none. Raises SettingsUnusable."""
    try:
        found: Any = tomllib.loads(content.decode("utf-8")).get("tool", {}).get(TABLE, {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, AttributeError, RecursionError) as error:
        raise SettingsUnusable(f"{SETTINGS} cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise SettingsUnusable(f"[tool.{TABLE}] in {SETTINGS} must be a table.")
    table = cast("dict[str, Any]", found)
    unknown = set(table) - {"command", "interpreter"}
    if unknown:
        raise SettingsUnusable(
            f"[tool.{TABLE}] in {SETTINGS} has {min(unknown)!r}; it may have command and interpreter."
        )
    return table


def command_of(written: object) -> tuple[str, ...]:
    """A command as a list of its words. Raises SettingsUnusable."""
    try:
        split = shlex.split(written) if isinstance(written, str) else written
    except ValueError as error:
        raise SettingsUnusable(f"The command of [tool.{TABLE}] cannot be read: {error}") from error
    words = texts_of(split)
    if not words or not all(words):
        raise SettingsUnusable(f"The command of [tool.{TABLE}] must be a line or a list of words.")
    return ("python", *words[1:]) if words[0] in ("python", "python3") else with_python(tuple(words))


def with_python(words: tuple[str, ...]) -> tuple[str, ...]:
    """`pytest tests` as `python -m pytest tests`: a program of the interpreter, not of the system."""
    return (*PYTEST, *words[1:]) if words[0] == "pytest" else words


def text_in(table: Mapping[str, Any], name: str) -> str | None:
    """A text of the table. Raises SettingsUnusable."""
    value = table.get(name)
    if value is not None and not isinstance(value, str):
        raise SettingsUnusable(f"{name} of [tool.{TABLE}] must be a text.")
    return value


def texts_of(value: object) -> list[str] | None:
    """A list of texts; None if it is anything else."""
    several = cast("list[object]", value) if isinstance(value, list) else None
    return (
        None if several is None or not all(isinstance(one, str) for one in several) else [str(one) for one in several]
    )


def found_in(files: Mapping[str, bytes]) -> Wanted | None:
    """The tests as the files look: those that pytest would collect, by unittest if none needs pytest."""
    tests = [path for path in files if TEST_FILE.fullmatch(PurePosixPath(path).name)]
    if not tests:
        return None
    settled = "conftest.py" in {PurePosixPath(path).name for path in files} or "pytest.ini" in files
    plain = all(TEST_CASES.search(files[path]) and not IMPORTS_PYTEST.search(files[path]) for path in tests)
    if plain and not settled and b"[tool.pytest" not in files.get(SETTINGS, b""):
        return Wanted(UNITTEST, None, f"unittest, {counted(tests)}")
    return Wanted(PYTEST, None, f"pytest, {counted(tests)}")


def counted(tests: list[str]) -> str:
    """How many files there are."""
    return f"{len(tests)} file{'s' if len(tests) != 1 else ''}"
