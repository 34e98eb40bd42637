"""Runs the tests of a repository with unittest, in the repository's interpreter, and writes the result of each.

`python suite_of_unittest.py RESULTS ARGUMENT...`: RESULTS is the file to write, the arguments are those of
`python -m unittest`. Standard library only.
"""

from __future__ import annotations

import json
import sys
import unittest
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    Base = unittest.TextTestResult[Any]
else:
    Base = unittest.TextTestResult

ROWS: list[list[str]] = []
"""The result of each test: name, outcome and message, in the order in which the tests ended."""


class ResultRecorder(Base):
    """Notes the result of each test."""

    def note(self, test: Any, outcome: str, message: str = "") -> None:
        ROWS.append([test.id(), outcome, message[-2000:]])

    def addSuccess(self, test: Any) -> None:  # noqa: N802
        super().addSuccess(test)
        self.note(test, "passed")

    def addError(self, test: Any, err: Any) -> None:  # noqa: N802
        super().addError(test, err)
        self.note(test, "error", self.errors[-1][1])

    def addFailure(self, test: Any, err: Any) -> None:  # noqa: N802
        super().addFailure(test, err)
        self.note(test, "failed", self.failures[-1][1])

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.note(subtest, "failed", str(err[1]))

    def addSkip(self, test: Any, reason: str) -> None:  # noqa: N802
        super().addSkip(test, reason)
        self.note(test, "skipped", reason)

    def addExpectedFailure(self, test: Any, err: Any) -> None:  # noqa: N802
        super().addExpectedFailure(test, err)
        self.note(test, "passed")

    def addUnexpectedSuccess(self, test: Any) -> None:  # noqa: N802
        super().addUnexpectedSuccess(test)
        self.note(test, "failed", "it passed, and was expected to fail")


def main() -> None:
    """Run them and end as `python -m unittest` does."""
    results, *arguments = sys.argv[1:]
    sys.path[0] = str(Path.cwd())
    runner = unittest.TextTestRunner(resultclass=ResultRecorder, verbosity=1)
    program = unittest.main(module=None, argv=["unittest", *arguments], testRunner=runner, exit=False)
    Path(results).write_text(json.dumps(ROWS), encoding="utf-8")
    sys.exit(0 if program.result.wasSuccessful() else 1)


if __name__ == "__main__":
    main()
