"""Text of a snippet on a terminal, in a log and in CI: it is read, and never obeyed."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path

import pytest
import structlog

from app.api import examples
from app.cli.formats import WRITERS, JudgedFile, verdict_lines
from app.jobs.run import JobStatus, Run
from app.observing.foreign import document, escape, shown, visible
from app.observing.logs import configure_log, log_for_people
from app.verdict.verdict import Finding, Severity, Stage

EVIL = "first\n::add-mask::x\r::stop-commands::y\x1b[31m\n  ::error::z ##[error]w\u202e\x9b2J"


def obeyed(text: str) -> list[str]:
    """The lines that a runner of GitHub or a terminal would obey."""
    return [
        line
        for line in text.splitlines()
        if line.lstrip().startswith("::") or "##[" in line or not line.replace("\t", "").isprintable()
    ]


@pytest.mark.parametrize("mend", [shown, escape, document])
def test_nothing_in_foreign_text_is_obeyed(mend: Callable[[str], str]) -> None:
    assert obeyed(EVIL)
    assert not obeyed(mend(EVIL))
    assert not obeyed(mend("::error file=a.py::b"))


def test_ordinary_text_stays_as_it_is() -> None:
    for text in ("Würfel\t1 :: 2", "a [b] # [c]", "def f() -> None: ...", "你好"):
        assert shown(text) == visible(text) == text
        assert json.loads(document(text)) == text
    assert json.loads(document({"a": EVIL})) == {"a": EVIL}
    assert shown("one\ntwo") == "one\n  | two"


def test_no_format_prints_a_command_of_the_snippet() -> None:
    run = Run.model_validate(examples.example("RUN"))
    attempt = run.attempts[-1].model_copy(deep=True)
    found = Finding(check="execute", code="raised", severity=Severity.ERROR, message=EVIL, hint=EVIL, line=1)
    attempt.verdict.stages[:] = [
        Stage.model_validate({"name": "parse", "state": "failed", "reason": EVIL, "seconds": 0.0, "findings": [found]})
    ]
    run = run.model_copy(update={"attempts": [attempt], "status": JobStatus.NOT_PROVEN, "matrix": []})
    judged = [JudgedFile(Path(name), run) for name in ("a.py", "b\n::warning::c.py")]
    for form, write in WRITERS.items():
        own = [
            line for line in obeyed(write(judged)) if form != "github" or "title=execute/raised::first%0A" not in line
        ]
        assert not own, form
    assert not obeyed("\n".join(verdict_lines(run)))


def test_a_log_for_people_has_no_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    configure_log("info", "console")
    try:
        try:
            raise ValueError(EVIL)
        except ValueError:
            structlog.get_logger().warning("run failed", snippet="\x1b]0;owned\x07", exc_info=True)
    finally:
        structlog.reset_defaults()
        logging.basicConfig(handlers=[], force=True)
    said = capsys.readouterr().err
    assert r"\x1b]0;owned" in said and "\x1b" not in said and "\x9b" not in said


@pytest.mark.parametrize(("begin", "is_json"), [(log_for_people, False), (configure_log, True)])
def test_a_command_logs_no_json(begin: Callable[[], None], is_json: bool, capsys: pytest.CaptureFixture[str]) -> None:
    begin()
    try:
        structlog.get_logger().warning("checker not warmed", problem="no memory")
    finally:
        structlog.reset_defaults()
        logging.basicConfig(handlers=[], force=True)
    said = capsys.readouterr()
    assert (said.err.startswith("{"), said.out) == (is_json, "") and "no memory" in said.err
