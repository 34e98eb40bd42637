"""Findings about one fault as one: several checks often say the same of a line in other words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from app.verdict.verdict import Finding, Severity

DECIDING: Final = ("execute", "api", "policy", "parse")
"""The checks that know best, in order: Blender itself, then its API; type checkers and linters guess."""
QUOTED: Final = re.compile(r"[`\"']([^`\"'\n]{1,80})[`\"']")


@dataclass
class ToldFault:
    """A fault: the finding that tells it, and the others that agree."""

    finding: Finding
    agree: list[Finding] = field(default_factory=list[Finding])

    @property
    def hint(self) -> str | None:
        """The first advice that one of them gives."""
        return next((one.hint for one in (self.finding, *self.agree) if one.hint), None)


def faults_of(findings: Sequence[Finding]) -> list[ToldFault]:
    """The faults in errors and warnings, in the order of their first finding.

    Two findings are about one fault if they stand at one line and one names all that the other names.
    """
    faults: list[ToldFault] = []
    for finding in sorted((one for one in findings if one.severity is not Severity.INFO), key=weight):
        about = next((fault for fault in faults if same_fault(fault.finding, finding)), None)
        if about:
            about.agree.append(finding)
        else:
            faults.append(ToldFault(finding))
    place = {id(finding): number for number, finding in enumerate(findings)}
    return sorted(faults, key=lambda fault: min(place[id(one)] for one in (fault.finding, *fault.agree)))


def weight(finding: Finding) -> tuple[bool, int]:
    """The order of telling: errors first, then the check that knows best."""
    known = DECIDING.index(finding.check) if finding.check in DECIDING else len(DECIDING)
    return finding.severity is not Severity.ERROR, known


def same_fault(finding: Finding, other: Finding) -> bool:
    """True if both are about one fault."""
    if finding.line is None or finding.line != other.line:
        return False
    names, others = named(finding), named(other)
    return bool(names and others) and (names <= others or others <= names)


def named(finding: Finding) -> set[str]:
    """The names that a finding quotes."""
    return set(QUOTED.findall(finding.message))
