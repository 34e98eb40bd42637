"""The seconds that each test file takes: each run writes them down, and the next begins with the slowest files.

    python -m tests.durations

copies those of this checkout to tests/durations.json, for checkouts that have none yet.
"""

from __future__ import annotations

import collections
import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
COMMITTED: Final = Path(__file__).with_suffix(".json")
NAME: Final = "durations/seconds"
CACHED: Final = ROOT / ".pytest_cache" / "v" / NAME

Seconds = Mapping[str, float]
"""By file, relative to the project."""


def file_of(test: str) -> str:
    """The file of the test with this id."""
    return test.partition("::")[0]


def slowest_first(tests: Sequence[str], seconds: Seconds, heavy: Collection[str] = ()) -> list[int]:
    """The places of tests in the order to run them. What is new may take long, so it comes first, `heavy` files before
    others."""

    def rank(place: int) -> tuple[float, bool]:
        file = file_of(tests[place])
        return -seconds.get(file, float("inf")), file not in heavy

    return sorted(range(len(tests)), key=rank)


class Clock:
    """Adds up what the tests of each file take, with all that is set up and taken down for them."""

    def __init__(self) -> None:
        self.seconds: collections.Counter[str] = collections.Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Called per phase of each test; in the process that hands out tests, if there are several."""
        self.seconds[file_of(report.nodeid)] += report.duration  # type: ignore[assignment]

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Write it down, if each file ran to its end."""
        ended = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        cache = cache_of(session.config)
        if ended and self.seconds and cache and runs_whole_files(session.config):
            cache.set(NAME, {**cache.get(NAME, {}), **{file: round(took, 1) for file, took in self.seconds.items()}})


def runs_whole_files(config: pytest.Config) -> bool:
    """Whether no test of a file is left out."""
    options = config.option
    left_out = options.keyword or options.markexpr or options.maxfail or any("::" in given for given in config.args)
    return not left_out and not getattr(options, "lf", False)


def recorded(config: pytest.Config) -> Seconds:
    """The seconds per file of earlier runs here, or of the checkout if there were none."""
    of_others: Seconds = json.loads(COMMITTED.read_text()) if COMMITTED.exists() else {}
    cache = cache_of(config)
    return {**of_others, **(cache.get(NAME, {}) if cache else {})}


def cache_of(config: pytest.Config) -> Any:
    """Where pytest keeps what a run left; None if it is told to keep nothing."""
    return getattr(config, "cache", None)


HEAVY: Final = ("blender", "slow")
"""The marks of tests that take long."""
SECONDS: Final = pytest.StashKey[Seconds]()


def pytest_configure(config: pytest.Config) -> None:
    """Read the record once per run: all processes that run tests must have the same order."""
    given: dict[str, Any] | None = getattr(config, "workerinput", None)
    config.stash[SECONDS] = given["seconds"] if given is not None else recorded(config)
    if given is None:
        config.pluginmanager.register(Clock(), "clock")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a process that runs tests of the record."""
    node.workerinput["seconds"] = node.config.stash[SECONDS]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the slowest files first, so that none of them is left to one process at the end."""
    heavy = {file_of(item.nodeid) for item in items for name in HEAVY if item.get_closest_marker(name)}
    places = slowest_first([item.nodeid for item in items], config.stash[SECONDS], heavy)
    items[:] = [items[place] for place in places]


if __name__ == "__main__":
    COMMITTED.write_text(json.dumps(json.loads(CACHED.read_text()), indent=0, sort_keys=True) + "\n")
