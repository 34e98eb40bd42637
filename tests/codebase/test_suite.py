"""How the tests of a repository are to be run: by its settings, or as its files look."""

from __future__ import annotations

import re

import pytest

from codebase.errors import SettingsUnusable
from codebase.tree import suite
from codebase.tree.suite import PYTEST, UNITTEST, suite_of

CASES = b"import unittest\n\nclass T(unittest.TestCase):\n    pass\n"
PLAIN = b"def test_it():\n    pass\n"


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({"tests/test_a.py": CASES}, UNITTEST),
        ({"tests/test_a.py": PLAIN}, PYTEST),
        ({"tests/test_a.py": CASES, "conftest.py": b""}, PYTEST),
        ({"tests/test_a.py": CASES, "pyproject.toml": b"[tool.pytest.ini_options]\n"}, PYTEST),
        ({"tests/test_a.py": b"import pytest\n" + CASES}, PYTEST),
        ({"shop_test.py": CASES}, UNITTEST),
    ],
)
def test_tests_are_found(files: dict[str, bytes], command: tuple[str, ...]) -> None:
    found = suite_of(files)
    assert found is not None and (found.command, found.interpreter) == (command, None)
    assert found.why == f"{command[2]}, 1 file"


def test_a_repository_without_tests_has_no_suite() -> None:
    assert suite_of({"testing.py": PLAIN, "latest.py": PLAIN, "pyproject.toml": b"[project]\nname = 'x'\n"}) is None


def test_the_settings_that_the_module_documents_are_accepted() -> None:
    written = re.findall(r"^    (\[.*\]|\w+ = (?:\"[^\"]*\"|\[[^]]*\]))", str(suite.__doc__), re.MULTILINE)
    assert len(written) == 3 and suite_of({"pyproject.toml": "\n".join(written).encode()}) is not None


@pytest.mark.parametrize(
    ("written", "command"),
    [
        ("\"python -m pytest 'a b'\"", ("python", "-m", "pytest", "a b")),
        ('"python3 run.py"', ("python", "run.py")),
        ('"pytest -x"', ("python", "-m", "pytest", "-x")),
        ('["sh", "run tests.sh"]', ("sh", "run tests.sh")),
    ],
)
def test_the_settings_of_the_repository_come_first(written: str, command: tuple[str, ...]) -> None:
    text = f'[tool.blendproof]\ncommand = {written}\ninterpreter = "5.0"\n'
    found = suite_of({"pyproject.toml": text.encode(), "tests/test_a.py": PLAIN})
    assert found is not None
    assert (found.command, found.interpreter) == (command, "5.0")
    assert found.why == "[tool.blendproof] in pyproject.toml"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[tool.blendproof\n", "cannot be read"),
        ("tool = 3\n", "cannot be read"),
        ("[tool]\nblendproof = 3\n", "must be a table"),
        ("[tool.blendproof]\ncommand = 3\n", "a line or a list"),
        ("[tool.blendproof]\ncommand = []\n", "a line or a list"),
        ('[tool.blendproof]\ncommand = "sh \'x"\n', "cannot be read"),
        ("[tool.blendproof]\ninterpreter = 5.0\n", "must be a text"),
        ("[tool.blendproof]\npackages = ['numpy']\n", "'packages'; it may have command"),
        ("[tool.blendproof]\ncomand = 'pytest'\n", "'comand'; it may have command"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(text: str, said: str) -> None:
    with pytest.raises(SettingsUnusable, match=said):
        suite_of({"pyproject.toml": text.encode(), "test_a.py": PLAIN})
