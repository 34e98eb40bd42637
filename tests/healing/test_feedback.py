"""What a model is told of a failed attempt."""

from __future__ import annotations

from typing import Any

from app.healing.feedback import OUTPUT_END, ends_of, feedback, line_in_function
from app.jobs.run import Attempt
from app.verdict.verdict import STAGES, Finding, Severity, StageName, judged, make_verdict, skipped

SNIPPET = (
    "import bpy\n\n\ndef far(obj):\n"
    + "".join(f"    a{n} = {n}\n" for n in range(9))
    + "    obj.scael = 2\n\n\nfar(1)\n"
)


def failed(findings: dict[StageName, list[Finding]], claims: dict[str, Any] | None = None) -> Attempt:
    stages = [judged(name, findings.get(name, [])) if name in findings else skipped(name, "-") for name in STAGES]
    report = {
        "claims": {"exception": None, "stdout": None, "stderr": None, **(claims or {})},
        "evidence": {"scene": None},
    }
    verdict = make_verdict(stages, {})
    return Attempt(number=1, author="model", notes=[], snippet=SNIPPET, symbols=[], verdict=verdict, report=report)


def error(check: str, message: str, line: int | None = None, hint: str | None = None) -> Finding:
    return Finding(check=check, code="x", severity=Severity.ERROR, message=message, line=line, hint=hint)


def test_a_line_is_shown_within_its_function() -> None:
    assert line_in_function(SNIPPET, 14) == (
        "    4 | def far(obj):\n      ...\n   11 |     a6 = 6\n   12 |     a7 = 7\n   13 |     a8 = 8\n"
        ">  14 |     obj.scael = 2\n   15 | \n   16 | \n   17 | far(1)"
    )
    assert line_in_function(SNIPPET, 1).splitlines()[0] == ">   1 | import bpy"
    assert line_in_function("def broken(:\n", 1) == ">   1 | def broken(:"
    assert line_in_function(SNIPPET, 99) == ""


def test_lines_are_counted_as_python_counts_them() -> None:
    assert line_in_function("a = 1\n\x0c\nb = '\u2028'\rc = 2\n", 4).splitlines()[-1] == ">   4 | c = 2"


def test_advice_is_left_out_where_errors_take_its_place() -> None:
    warnings = [Finding(check="types", code="x", severity=Severity.WARNING, message=f"advice {n}.") for n in range(20)]
    many = feedback(failed({"api": [error("api", f"number {n}") for n in range(15)], "types": warnings}), lambda _: [])
    few = feedback(failed({"api": [error("api", "number 1")], "types": warnings}), lambda _: [])
    assert ("advice" in many, "advice 10." in few, "advice 11." in few) == (False, True, False)


def test_errors_come_first_with_their_hints_and_the_nearest_names() -> None:
    message = "AttributeError: 'Object' object has no attribute 'scael'"
    exception = {
        "type": "AttributeError",
        "message": message[16:],
        "traceback": "Traceback\n" + "  frame\n" * 40 + message,
    }
    warning = Finding(check="repeat", code="x", severity=Severity.WARNING, message="adds again")
    attempt = failed(
        {"repeat": [warning], "execute": [error("execute", message, 14, "Look it up.")]}, {"exception": exception}
    )
    said = feedback(attempt, lambda address: ["bpy.types.Object.scale"] if address == "bpy.types.Object.scael" else [])
    assert said.startswith("execute error in line 14: AttributeError")
    assert "hint: Look it up." in said
    assert "There is no bpy.types.Object.scael. The nearest that exist: bpy.types.Object.scale" in said
    assert said.index("execute error") < said.index("repeat remark: adds again")
    assert said.count("  frame") == 13


def test_of_many_findings_the_first_are_told_and_the_rest_counted() -> None:
    said = feedback(failed({"api": [error("api", f"number {n}") for n in range(20)]}), lambda _: [])
    assert "number 11" in said and "number 12" not in said and "(and 8 more)" in said


def test_long_output_is_shown_by_its_ends() -> None:
    text = "begin " + "x" * 5000 + " end"
    assert ends_of("short") == "short"
    assert ends_of(text).startswith("begin ") and ends_of(text).endswith(" end")
    assert len(ends_of(text)) < 2 * OUTPUT_END + 60
    said = feedback(failed({}, {"stdout": {"text": "hello"}}), lambda _: [])
    assert "It printed:\nhello" in said
