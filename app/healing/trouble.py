"""The failure of an execution, read from the finding of the `execute` check."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from app.verdict.verdict import Severity, Verdict

_NO_MEMBER: Final = re.compile(r"'(\w+)' object has no attribute '(\w+)'|(\w+): attribute \"(\w+)\" not found")
_NO_KEY: Final = re.compile(r'key "([^"]*)" not found')
_FRAME: Final = re.compile(r'File "snippet\.py", line (\d+)')
_POLL: Final = re.compile(r"bpy\.ops\.([\w.]+?)\.poll\(\)")


@dataclass(frozen=True)
class Trouble:
    """The exception that ended an execution: its line and its message."""

    line: int
    message: str

    @property
    def missing_member(self) -> tuple[str, str] | None:
        """The type and the member that it lacks, if the exception names them."""
        found = _NO_MEMBER.search(self.message)
        return (found[1] or found[3], found[2] or found[4]) if found else None

    @property
    def missing_key(self) -> str | None:
        """The name that a collection lacks, if the exception names it."""
        found = _NO_KEY.search(self.message)
        return found[1] if found else None

    @property
    def refused_operator(self) -> str | None:
        """The operator whose poll failed, such as `object.mode_set`."""
        found = _POLL.search(self.message)
        return found[1] if found else None


def trouble_of(verdict: Verdict, exception: dict[str, Any] | None = None) -> Trouble | None:
    """The exception of the execution, if there was one at a known line; `exception` has its full message.

    A line that ran when the time was up did not fail, and does not show the progress.
    """
    for finding in verdict.findings():
        failed = finding.check == "execute" and finding.severity is Severity.ERROR and finding.code != "timed_out"
        if failed and finding.line:
            said = f"{exception['type']}: {exception['message']}" if exception else finding.message
            return Trouble(finding.line, said)
    return None


def frames_of(report: dict[str, Any] | None) -> tuple[int, ...]:
    """The lines of the snippet on the stack of an execution that raised, from the top level inwards."""
    exception = report["claims"]["exception"] if report else None
    return tuple(int(line) for line in _FRAME.findall(exception["traceback"])) if exception else ()


@dataclass(frozen=True)
class Addition:
    """The additions of a second execution: `names` of one `kind`, such as `meshes`; `first` are those of the first one.

    `of` is their owner, such as `object "Cube"`, and empty for data blocks.
    """

    kind: str
    of: str
    count: int
    names: tuple[str, ...]
    first: tuple[str, ...]


@dataclass(frozen=True)
class Repetition:
    """A second execution in the same scene: its exception, and the additions that the witness saw."""

    raised: Trouble | None
    added: tuple[Addition, ...]

    @property
    def count(self) -> int:
        """The number of added things."""
        return sum(addition.count for addition in self.added)


def repetition_of(report: dict[str, Any] | None) -> Repetition | None:
    """The second execution in a report; None if there was none."""
    evidence = report["evidence"]["repeat"] if report else None
    if report is None or evidence is None:
        return None
    raised = report["claims"]["repeat_exception"]
    trouble = Trouble(raised["line"] or 0, f"{raised['type']}: {raised['message']}") if raised else None
    rows = [
        Addition(row["kind"], row["of"] or "", row["count"], tuple(row["names"]), tuple(row["first"]))
        for row in evidence["made"]
    ]
    return Repetition(trouble, tuple(rows)) if trouble or rows else None
