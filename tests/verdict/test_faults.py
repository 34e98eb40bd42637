"""Findings about one fault are one, told by the check that knows best; two faults at one line stay two."""

from __future__ import annotations

from app.verdict.faults import faults_of
from app.verdict.verdict import Finding, Severity

RAISED = "AttributeError: 'Object' object has no attribute 'locatoin'"


def finding(check: str, message: str, line: int | None = 3, *, error: bool = False, hint: str | None = None) -> Finding:
    severity = Severity.ERROR if error else Severity.WARNING
    return Finding(check=check, code="x", severity=severity, message=message, line=line, hint=hint)


def test_what_four_checks_say_of_one_name_is_told_by_blender() -> None:
    found = [
        finding("mypy", '"Object" has no attribute "locatoin"; maybe "location"?'),
        finding("pyright", 'Cannot assign to attribute "locatoin" for class "Object"'),
        finding("api", "Object has no attribute `locatoin` in Blender 5.0.1", error=True, hint="`location`?"),
        finding("execute", RAISED, error=True),
    ]
    (fault,) = faults_of(found)
    assert (fault.finding.check, fault.hint) == ("execute", "`location`?")
    assert [one.check for one in fault.agree] == ["api", "mypy", "pyright"]


def test_two_names_two_lines_and_no_line_are_no_one_fault() -> None:
    other = "AttributeError: 'Object' object has no attribute 'scael'"
    assert len(faults_of([finding("execute", RAISED), finding("api", other)])) == 2
    assert len(faults_of([finding("execute", RAISED), finding("api", RAISED, line=4)])) == 2
    assert len(faults_of([finding("execute", RAISED, line=None), finding("api", RAISED, line=None)])) == 2
    assert len(faults_of([finding("execute", "it stopped"), finding("api", "it stopped")])) == 2
