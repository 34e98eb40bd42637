"""The critic's scores: what is measured and what a model says, and the lower of the two."""

from __future__ import annotations

import pytest

from app.checks.critic import AXES, THRESHOLD, Axis, measured_scores, total
from app.checks.verdict import STAGES, Finding, Severity, Stage, StageName, judged, skipped


def stages(**severities: Severity) -> list[Stage]:
    def findings(name: StageName) -> list[Finding]:
        severity = severities.get(name)
        return [Finding(check=name, code="x", severity=severity, message="x")] if severity else []

    return [judged(name, findings(name)) for name in STAGES]


def test_every_axis_is_measured_by_its_stages() -> None:
    assert measured_scores(stages()) == dict.fromkeys(AXES, 1.0)
    warned = measured_scores(stages(repeat=Severity.WARNING, types=Severity.WARNING, api=Severity.WARNING))
    assert warned == {"api": 0.5, "context": 1.0, "repeat": 0.75, "effects": 1.0, "request": 1.0}
    assert measured_scores(stages(accept=Severity.ERROR))["request"] == 0.0
    unmeasured = [skipped(stage.name, "x") if stage.name == "repeat" else stage for stage in stages()]
    assert "repeat" not in measured_scores(unmeasured)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ({}, 1.0),
        ({"api": 0.5}, 0.9),
        ({"request": 0.4}, 0.4),
        ({"api": 0.0, "context": 0.0, "repeat": 0.5}, 0.5),
    ],
)
def test_the_request_cannot_be_made_up_for(scores: dict[Axis, float], expected: float) -> None:
    assert total({**dict.fromkeys(AXES, 1.0), **scores}) == pytest.approx(expected)


def test_a_single_warning_does_not_fail_a_snippet() -> None:
    """What only warns elsewhere must not block here."""
    for name in ("types", "api", "repeat", "policy", "scene", "render"):
        assert total(measured_scores(stages(**{name: Severity.WARNING}))) >= THRESHOLD
