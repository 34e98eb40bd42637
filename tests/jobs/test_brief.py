"""A run in short: what stays, what is cut, and that it fits."""

from __future__ import annotations

from typing import Any

import pytest

from app.api.examples import events_example, example
from app.errors import RequestNotUnderstood
from app.jobs.brief import MOST_LINES, SHORTEST_SNIPPET, brief_of, event_line, fenced
from app.jobs.run import Event, Run
from app.verdict.verdict import Verdict
from tests.verdicts import PASSED, failing

LONG = "".join(f"line_{number} = {number}\n" for number in range(2000))


def run(verdict: Verdict = PASSED, snippet: str | None = "import bpy\n", **more: Any) -> Run:
    attempt = {**example("RUN")["attempts"][0], "snippet": snippet or "", "verdict": verdict.model_dump(mode="json")}
    return Run.model_validate({**example("RUN"), "snippet": snippet, "attempts": [attempt], **more})


NEAR = "proven, and near it: A chair (Use the recipe chair)"


def test_a_proven_run_says_where_it_holds() -> None:
    brief = brief_of(run())
    assert (brief.said, brief.left_out, brief.blenders) == ("Proven on Blender 5.0.1.", [], {"4.5.15": "proven"})
    assert brief.text == "```python\nimport bpy\n```\n\nProven on Blender 5.0.1.\nBlender 4.5.15: proven"


def test_errors_come_first_and_are_bounded() -> None:
    brief = brief_of(run(failing("api", count=9, line=3, message="x" * 999), status="not_proven", ended_because="why"))
    assert len(brief.findings) == MOST_LINES and max(map(len, brief.findings)) <= 240
    assert brief.left_out == ["4 findings"]
    assert brief.said.startswith("Not proven on Blender 5.0.1: api: Line 3: x") and brief.said.endswith("... Why.")


@pytest.mark.parametrize("length", [1000, 3500])
def test_a_long_snippet_is_cut_at_a_line_to_fit(length: int) -> None:
    brief = brief_of(run(snippet=LONG), length)
    assert brief.snippet and LONG.startswith(brief.snippet) and brief.snippet.endswith("\n")
    assert len(brief.text) < length + 100
    assert brief.left_out == [f"{len(LONG) - len(brief.snippet)} characters at the end of the snippet"]
    assert brief_of(run(snippet=LONG)).snippet == LONG
    assert len(brief_of(run(snippet=LONG), 0).snippet or "") > SHORTEST_SNIPPET - 20


def test_a_refusal_says_what_was_not_understood() -> None:
    details: dict[str, Any] = {"not_understood": ["knit"], "understood": ["Add a cube"], "missing": ["knit it"]}
    details["near"] = [{"title": "A chair", "ask": "Use the recipe chair"}]
    error = RequestNotUnderstood("No command", details=details).body().model_dump()
    brief = brief_of(run(status="refused", attempts=[], snippet=None, error=error, artifact=None, matrix=[]))
    assert brief.findings == ["not understood: knit", "understood: Add a cube", "still missing: knit it", NEAR]
    assert brief.said.startswith("No command. Nothing is guessed")


def test_no_line_of_a_snippet_ends_its_block() -> None:
    assert fenced("x = '''\n```\n'''\n") == "````python\nx = '''\n```\n'''\n````\n"


@pytest.mark.parametrize(
    ("kind", "facts", "said"),
    [
        ("stage", {"stage": "draft"}, "draft"),
        ("attempt", {"number": 2, "passed": False, "reached": "api"}, "attempt 2 failed at api"),
        ("healed", {"attempt": 2, "because": ["line 3: gone"]}, "healed for attempt 2: line 3: gone"),
        ("matrix", {"blender": "4.5.15", "proven": True}, "Blender 4.5.15: proven"),
        ("model", {"step": "draft", "state": "asked"}, "the model is asked: draft"),
        ("model", {"step": "draft", "state": "answered"}, None),
        ("finding", {"message": "x"}, None),
        ("ended", {"status": "proven"}, None),
    ],
)
def test_events_are_told_in_words(kind: Any, facts: dict[str, Any], said: str | None) -> None:
    assert event_line(Event(number=1, at="", kind=kind, facts=facts)) == said
    assert '"text": "draft"' in events_example("EVENTS")
