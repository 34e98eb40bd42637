"""The tests of a repository before and after a change, in an interpreter that the operator chose."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from app.repositories.changing.change import narrowed
from app.repositories.changing.evidence import fits
from app.repositories.testing import TestsRefused, compare, interpreter_of, plan_of, run_tests
from codebase.tree.suite import suite_of
from harness.blenders import Blender
from harness.sandbox.ladder import Rung
from harness.suites import SuiteRun, TestResult
from tests.sandboxes import on

WHEEL = Blender("module", Path("/blenders/5.0/bin/python"), "5.0.1", "0", "3.11")
EXECUTABLE = Blender("executable", Path("/usr/bin/blender"), "3.4.1", "0", "3.10")
SOURCES = b"import unittest\nclass T(unittest.TestCase):\n    def test_own(self): import iniconfig; iniconfig.own\n"
TEST = (
    b"import unittest, shop\nclass T(unittest.TestCase):\n    def test_price(self): self.assertEqual(shop.price, 2)\n"
)


def run_with(**outcomes: str) -> SuiteRun:
    results = tuple(TestResult(name, outcome) for name, outcome in outcomes.items())  # type: ignore[arg-type]
    return SuiteRun(all(one == "passed" for one in outcomes.values()), results, "", "", 0, 1.0)


def test_what_passed_before_and_does_not_now_is_broken() -> None:
    done = compare(run_with(a="passed", b="failed", c="passed"), run_with(a="failed", b="passed"))
    assert (done.broken, done.mended, done.worse) == (["a", "c"], ["b"], True)
    assert not compare(run_with(a="failed"), run_with(a="failed")).worse


@pytest.mark.parametrize(
    ("wanted", "test", "fitting"),
    [
        ("tests/test_p.py::test_neg", "tests.test_p::test_neg[-1]", True),
        ("tests/test_p.py::test_neg[-1]", "tests.test_p::test_neg[-1]", True),
        ("test_u[a/b.py::c]", "tests.test_p::test_u[a/b.py::c]", True),
        ("test_neg", "test_p::test_neg", True),
        ("tests/test_p.py::test_neg[-2]", "tests.test_p::test_neg[-1]", False),
        ("test_neg[-1]", "tests.test_p::test_neg", False),
        ("test_neg", "tests.test_p::test_negative[-1]", False),
        ("neg", "tests.test_p::test_other[neg]", False),
    ],
)
def test_a_given_test_is_known_with_its_parameters(wanted: str, test: str, fitting: bool) -> None:
    assert fits(wanted, test) is fitting


@pytest.mark.parametrize(
    ("command", "first"),
    [
        ("--ds=proj.settings tests", "--ds=proj.settings"),
        ("-q -c tests/own.ini -k tests ./tests/ tests/test_a.py::test_b -x", "-q -c tests/own.ini -k tests -x"),
        ("--rootdir tests .", "--rootdir tests"),
        ("", ""),
    ],
)
def test_of_a_command_for_some_files_the_options_stay(command: str, first: str) -> None:
    files = {"tests/test_a.py": b"", "tests/own.ini": b"", "shop.py": b""}
    begin = ("python", "-m", "pytest")
    assert narrowed((*begin, *command.split()), files, ["tests/test_a.py"]) == (
        *(*begin, *first.split()),
        "tests/test_a.py",
    )


def test_the_interpreter_is_one_of_the_operators() -> None:
    blenders = [WHEEL, EXECUTABLE]
    assert interpreter_of("5.0", blenders, None).path == WHEEL.path
    assert interpreter_of(None, blenders, WHEEL).path == WHEEL.path
    assert interpreter_of("python", blenders, WHEEL).path == Path(sys.executable)
    for name, said in (("/bin/sh", "There is no Blender /bin/sh"), ("3.4", "has no Python of its own")):
        with pytest.raises(TestsRefused, match=said):
            interpreter_of(name, blenders, WHEEL)


async def test_tests_are_run_on_a_copy_as_the_repository_says(tmp_path: Path) -> None:
    settings = b'[tool.blendproof]\ncommand = "python -m unittest test_shop"\ninterpreter = "python"\n'
    files = {"pyproject.toml": settings, "test_shop.py": TEST, "shop.py": b"price = 2\n"}
    wanted = suite_of(files)
    assert wanted is not None
    plan = plan_of(wanted, [WHEEL], WHEEL)
    before = await run_tests(plan, files, on(Rung.NAMESPACES))
    after = await run_tests(plan, {**files, "shop.py": b"price = 3\n"}, on(Rung.NAMESPACES))
    assert compare(before, after).broken == ["test_shop.T.test_price"]
    assert plan.why == "[tool.blendproof] in pyproject.toml"


async def test_packages_below_src_are_those_of_the_repository() -> None:
    files = {"test_own.py": SOURCES, "src/iniconfig/__init__.py": b"own = 1\n"}
    wanted = suite_of(files)
    assert wanted is not None
    done = await run_tests(plan_of(wanted, [], None), files, on(Rung.NAMESPACES))
    assert done.passed, done.output
