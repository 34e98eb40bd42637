"""What a run of tests took is written down, and the next run begins with the slowest file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.durations import slowest_first

TESTS = ["a.py::test_1", "a.py::test_2", "b.py::test_1", "c.py::test_1", "new.py::test_1"]


def test_the_slowest_file_comes_first_and_a_new_one_before_it() -> None:
    seconds = {"a.py": 1.0, "b.py": 9.0, "c.py": 2.0}
    assert [TESTS[place] for place in slowest_first(TESTS, seconds)] == [
        "new.py::test_1", "b.py::test_1", "c.py::test_1", "a.py::test_1", "a.py::test_2",
    ]  # fmt: skip


def test_without_a_record_heavy_files_come_first_and_the_others_stay_in_their_order() -> None:
    assert slowest_first(TESTS, {}) == [0, 1, 2, 3, 4]
    assert slowest_first(TESTS, {}, {"b.py", "new.py"}) == [2, 4, 0, 1, 3]


def order(folder: Path, *options: str) -> list[str]:
    """The files in the order in which their tests ran."""
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "tests.durations", "-v", "--rootdir", str(folder), *options, "."]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return [line.partition("::")[0] for line in done.stdout.splitlines() if " PASSED" in line]


@pytest.mark.parametrize(
    ("options", "then"),
    [((), ["test_b.py", "test_a.py"]), (("-k", "test_it"), ["test_a.py", "test_b.py"])],
)
def test_only_a_run_of_whole_files_is_written_down(options: tuple[str, ...], then: list[str], tmp_path: Path) -> None:
    for name, wait in (("a", ""), ("b", "    time.sleep(0.2)\n")):
        (tmp_path / f"test_{name}.py").write_text(f"import time\n\ndef test_it():\n{wait}    time.sleep(0.1)\n")
    assert order(tmp_path, *options) == ["test_a.py", "test_b.py"]
    assert order(tmp_path) == then
