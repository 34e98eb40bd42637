"""What went wrong when a snippet was executed, read from the finding of the `execute` check."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from app.checks.verdict import Verdict

_NO_MEMBER: Final = re.compile(r"'(\w+)' object has no attribute '(\w+)'|(\w+): attribute \"(\w+)\" not found")
_NO_KEY: Final = re.compile(r'key "([^"]*)" not found')
_POLL: Final = re.compile(r"bpy\.ops\.([\w.]+?)\.poll\(\)")


@dataclass(frozen=True)
class Trouble:
    """The exception that ended an execution: its line and its message."""

    line: int
    message: str

    @property
    def missing_member(self) -> tuple[str, str] | None:
        """The type and the member that it lacks, where that is what the exception says."""
        found = _NO_MEMBER.search(self.message)
        return (found[1] or found[3], found[2] or found[4]) if found else None

    @property
    def missing_key(self) -> str | None:
        """The name that a collection lacks."""
        found = _NO_KEY.search(self.message)
        return found[1] if found else None

    @property
    def refused_operator(self) -> str | None:
        """The operator whose poll failed, such as `object.mode_set`."""
        found = _POLL.search(self.message)
        return found[1] if found else None


def trouble_of(verdict: Verdict, exception: dict[str, Any] | None = None) -> Trouble | None:
    """The exception of the execution, where there was one at a known line; `exception` tells its message in full."""
    for finding in verdict.findings():
        if finding.check == "execute" and finding.line:
            said = f"{exception['type']}: {exception['message']}" if exception else finding.message
            return Trouble(finding.line, said)
    return None
