"""Fixtures for the tests in `tests` and for those of the benches."""

pytest_plugins = ["tests.fixtures", "tests.durations"]
