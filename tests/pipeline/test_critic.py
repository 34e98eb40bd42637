"""The critic's scores: what is measured and what a model says, and the lower of the two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pydantic import ValidationError

from app.healing.heal import better
from app.pipeline.critic import (
    ANCHORS,
    AXES,
    NOTHING_NEW,
    THRESHOLD,
    Axis,
    Criticism,
    asked_axes,
    findings_of,
    measured_scores,
    picture_note,
    shows_nothing_new,
    stages_note,
    total,
)
from app.pipeline.judging import sheet_of
from app.verdict.rules import load_rules
from app.verdict.verdict import STAGES, Finding, Severity, Stage, StageName, Verdict, judged, make_verdict, skipped


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


def test_an_axis_may_be_a_mere_number() -> None:
    said = Criticism.model_validate({"api": 1, "context": 1.0, "repeat": {"score": 0.5}, "effects": 1, "request": 0})
    assert said.scores(AXES, {}) == {"api": 1, "context": 1, "repeat": 0.5, "effects": 1, "request": 0}
    with pytest.raises(ValidationError):
        Criticism.model_validate({"api": 10, "context": 1, "repeat": 1, "effects": 1, "request": 1})


def test_what_the_gates_have_settled_is_not_asked() -> None:
    assert asked_axes(measured_scores(stages())) == ["request", "effects"]
    warned = measured_scores(stages(repeat=Severity.WARNING))
    assert asked_axes(warned) == ["request", "effects", "repeat"]
    unmeasured = [skipped(one.name, "x") if one.name in ("types", "api") else one for one in stages()]
    assert "api" in asked_axes(measured_scores(unmeasured))
    # An answer on what was not asked counts for nothing.
    said = Criticism.model_validate({"request": 1, "effects": 1, "api": 0})
    assert total(said.scores(["request", "effects"], {"api": 1.0})) == 1.0
    assert total(said.scores(["request", "effects", "api"], {})) == 0.8


def test_every_axis_has_its_anchors() -> None:
    for axis in AXES:
        assert [ANCHORS[axis].count(f" {anchor}: ") for anchor in ("1", "0.75", "0.5", "0.25")] == [1] * 4


def test_what_is_weakest_goes_to_the_healer_if_the_snippet_is_refused() -> None:
    objections = {"weakest": ["the lid floats"], "request": {"score": 0.5, "reason": "no handle"}, "effects": 1}
    said = Criticism.model_validate(objections)
    refused, noted = findings_of(said, ["request", "effects"], 0.5, "0.50", "model", load_rules())
    assert refused.severity is Severity.ERROR and refused.hint == "request: no handle; weakest: the lid floats"
    assert [one.severity for one in findings_of(said, ["request"], 0.75, "0.75", "model", load_rules())] == [
        Severity.INFO
    ]
    assert noted.message == "request 0.5: no handle"


def test_a_critic_is_told_only_what_was_not_simply_passed() -> None:
    told = stages_note([*stages(api=Severity.WARNING)])
    assert [line.split(":")[0] for line in told.split("\n")] == ["all passed, but for this", "- api", "- accept"]
    assert stages_note([one for one in stages() if one.name != "accept"]) == "all passed"


@pytest.mark.parametrize(
    ("facts", "attached", "told"),
    [
        ({"subject_is_untouched": True, "camera_is_untouched": True, "lights": "harness"}, True, NOTHING_NEW),
        # Its own light, camera or world shows on what was there before.
        ({"subject_is_untouched": True, "camera_is_untouched": True, "lights": "scene"}, True, "scene before, face."),
        ({"subject_is_untouched": True, "camera_is_untouched": False, "lights": "harness"}, True, "own camera, face."),
        ({"subject_is_untouched": False, "camera_is_untouched": True, "lights": "harness"}, False, "do not see"),
    ],
)
def test_a_picture_that_shows_nothing_of_the_snippet_is_not_sent(
    facts: dict[str, Any], attached: bool, told: str
) -> None:
    render = {**facts, "pictures": [{"view": "camera"}, {"view": "face"}], "frames": []}
    assert shows_nothing_new(render) == (told == NOTHING_NEW)
    assert told in picture_note(render, attached)


def criticised(accepted: float) -> Verdict:
    return make_verdict(stages(critic=Severity.ERROR), {"scores": {"accepted": accepted}})


def test_a_repair_that_a_critic_likes_better_is_kept() -> None:
    assert better(criticised(0.7), criticised(0.4), "b", "a")
    assert not better(criticised(0.4), criticised(0.4), "b", "a")
    assert not better(make_verdict(stages(accept=Severity.ERROR), {}), criticised(0.4), "b", "a")


@pytest.mark.parametrize(("further", "size"), [(48, (176, 164)), (96, (320, 134))])
def test_a_sheet_has_smaller_pictures_beside_the_first(tmp_path: Path, further: int, size: tuple[int, int]) -> None:
    sizes = {"camera": 96, "three_quarter": further, "front": further}
    for view, px in sizes.items():
        Image.new("RGB", (px, px)).save(tmp_path / f"{view}.png")
    shots = [{"view": view, "file": f"{view}.png", "size_px": px} for view, px in sizes.items()]
    sheet = sheet_of({"size_px": 96, "pictures": shots}, tmp_path)
    assert sheet and Image.open(sheet).convert("L").size == size
