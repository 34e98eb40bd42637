"""The command that runs the tests of a repository: from its own settings, otherwise by the look of its files.

pyproject.toml:
    [tool.blendproof]
    command = "python -m pytest tests"      a line or a list; `python` is the interpreter
    interpreter = "5.0"                     the series of a Blender, or "python" for the Python of the service
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
class SuiteSettings:
    """The command, with `python` for the interpreter; the interpreter, or None; and the source of this choice."""

    command: tuple[str, ...]
    interpreter: str | None
    why: str


def suite_of(files: Mapping[str, bytes]) -> SuiteSettings | None:
    """The command for the tests of a repository with these files; None if it has none. Raises SettingsUnusable."""
    own = own_settings(files.get(SETTINGS, b""))
    by_files = suite_by_files(files)
    if not own:
        return by_files
    command = command_of(own["command"]) if "command" in own else None
    if command is None and by_files is None:
        return None
    return SuiteSettings(
        command or (by_files.command if by_files else ()),
        text_in(own, "interpreter"),
        f"[tool.{TABLE}] in {SETTINGS}" if command or by_files is None else by_files.why,
    )


def own_settings(content: bytes) -> dict[str, Any]:
    """Our table in a pyproject.toml; empty if there is none. Raises SettingsUnusable."""
    try:
        value: Any = tomllib.loads(content.decode("utf-8")).get("tool", {}).get(TABLE, {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, AttributeError, RecursionError) as error:
        raise SettingsUnusable(f"{SETTINGS} cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise SettingsUnusable(f"[tool.{TABLE}] in {SETTINGS} must be a table.")
    table = cast("dict[str, Any]", value)
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
    """A text in the table; None if it is missing. Raises SettingsUnusable."""
    value = table.get(name)
    if value is not None and not isinstance(value, str):
        raise SettingsUnusable(f"{name} of [tool.{TABLE}] must be a text.")
    return value


def texts_of(value: object) -> list[str] | None:
    """A list of texts; None if it is anything else."""
    several = cast("list[object]", value) if isinstance(value, list) else None
    return (
        None
        if several is None or not all(isinstance(item, str) for item in several)
        else [str(item) for item in several]
    )


def suite_by_files(files: Mapping[str, bytes]) -> SuiteSettings | None:
    """The tests by the look of the files: those that pytest would collect, by unittest if none needs pytest."""
    tests = [path for path in files if TEST_FILE.fullmatch(PurePosixPath(path).name)]
    if not tests:
        return None
    needs_pytest = "conftest.py" in {PurePosixPath(path).name for path in files} or "pytest.ini" in files
    plain = all(TEST_CASES.search(files[path]) and not IMPORTS_PYTEST.search(files[path]) for path in tests)
    if plain and not needs_pytest and b"[tool.pytest" not in files.get(SETTINGS, b""):
        return SuiteSettings(UNITTEST, None, f"unittest, {file_count(tests)}")
    return SuiteSettings(PYTEST, None, f"pytest, {file_count(tests)}")


def file_count(tests: list[str]) -> str:
    """The number of files, in words."""
    return f"{len(tests)} file{'s' if len(tests) != 1 else ''}"
