"""Tests stand alone: none imports another, and those of the product import nothing of the benches."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.rooms import ROOT, imported


def wrong_imports(path: str, source: str) -> Iterator[str]:
    """Each import that the file at this path (relative to the project) must not make, as `path:line: name`."""
    for line, name in imported(source):
        parts = name.split(".")
        of_tests = parts[0] == "tests" or parts[:2] == ["bench", "tests"]
        of_bench = parts[0] == "bench" and path.startswith("tests/")
        if of_bench or (of_tests and any(part.startswith("test_") for part in parts)):
            yield f"{path}:{line}: {name}"


def test_no_test_imports_another_or_a_bench() -> None:
    # Some of the files that tests send are no Python.
    data = ("tests/hostile", "tests/snippets", "tests/healing_pairs", "bench/programs")
    paths = [str(path.relative_to(ROOT)) for top in ("tests", "bench") for path in sorted((ROOT / top).rglob("*.py"))]
    read = [path for path in paths if not path.startswith((*data, "bench/old_", "bench/fresh_", "bench/lacking_"))]
    assert len(read) > 250
    assert [found for path in read for found in wrong_imports(path, (ROOT / path).read_text())] == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("tests/api/test_door.py", "from tests.api.test_api import assert_error"),
        ("tests/api/helper.py", "def f():\n    import tests.api.test_api"),
        ("tests/cluster.py", "from bench.engine import free_port"),
        ("tests/cluster.py", "import bench"),
        ("bench/tests/test_tasks.py", "from bench.tests import test_shown"),
        ("bench/soak.py", "from tests.harness.test_pool import pool"),
    ],
)
def test_a_wrong_import_is_found(path: str, source: str) -> None:
    assert list(wrong_imports(path, source))


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("tests/api/test_door.py", "from tests.api.error_bodies import assert_error"),
        ("tests/cluster.py", "from tests.objects import free_port"),
        ("bench/tests/test_tasks.py", "from bench.tasks import table"),
        ("bench/soak.py", "from tests.harness.in_readers import finally_in_finally"),
    ],
)
def test_its_near_twin_is_not(path: str, source: str) -> None:
    assert list(wrong_imports(path, source)) == []
