"""The stage `critic`: measurements of a snippet and a model's judgement of it, each as scores from 0 to 1.

    verdict ── measured_scores ──┬───────────────────────┐
                                 └─> axes not settled    ├─> the lower of the two totals ─> below 0.75 it fails
                                       └─> model ── Criticism

Only a model's snippet is judged so, and only if nothing else failed. An axis that the gates settle is not asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.jobs.budget import BudgetSpent
from app.jobs.talks import Talks
from app.llm.answers import AnswerUnusable
from app.llm.message import ModelUnavailable
from app.llm.prompts import prompt
from app.prompting.scene_lines import shown_end, without_code
from app.verdict.rules import Rules, weighed_findings
from app.verdict.verdict import Author, Finding, Severity, Stage, StageName, StageState, judged, skipped
from harness.protocol import CAMERA

THRESHOLD: Final = 0.75
WARNING_COSTS: Final = 0.25
"""The loss of an axis by the first warning of a stage that belongs to it."""
MOST_WEAK_POINTS: Final = 3

Axis = Literal["api", "context", "repeat", "effects", "request"]
AXES: Final[tuple[Axis, ...]] = ("api", "context", "repeat", "effects", "request")
STAGES_OF: Final[dict[Axis, tuple[StageName, ...]]] = {
    "api": ("types", "api"),
    "context": ("execute",),
    "repeat": ("repeat",),
    "effects": ("policy", "scene"),
    "request": ("render", "accept"),
}
"""The stages that measure something of an axis."""


ALWAYS_ASKED: Final[tuple[Axis, ...]] = ("request", "effects")
"""No gate settles these: only a reader of the request can."""
ANCHORS: Final[dict[Axis, str]] = {
    "request": "what was asked for is there, all of it, and looks like it. 1: its asker would want nothing changed. "
    "0.75: small flaws, and it is kept. 0.5: a part is missing, wrong or not to be recognised, so it is sent back. "
    "0.25: most of it is.",
    "effects": "nothing happens that was not asked. 1: all else is as before. 0.75: something more, without harm. "
    "0.5: a thing of the scene before is changed, covered or run into. 0.25: one is lost.",
    "api": "the API is used as it is meant. 1: nothing to object to. 0.75: roundabout. 0.5: it works by accident. "
    "0.25: it will break with the next version.",
    "context": "it needs no selection, mode or view that the request does not speak of. 1: none. 0.75: one, which it "
    "sets itself. 0.5: one that is so by chance. 0.25: several.",
    "repeat": "it can run again. 1: nothing is added or changed. 0.75: what changes is not seen. 0.5: things move or "
    "grow. 0.25: they double.",
}
"""The meaning of each axis, and the grounds of each score."""
NOTHING_NEW: Final = "There is no picture: nothing that the snippet made or changed renders."


class Score(BaseModel):
    """The score of a snippet on one axis, and why it is no better."""

    model_config = ConfigDict(extra="ignore")

    score: float = Field(ge=0, le=1)
    reason: str = Field(default="", max_length=2000)

    @model_validator(mode="before")
    @classmethod
    def _only_a_number(cls, said: Any) -> Any:
        # Small models leave out the object if they have no reason to give.
        return {"score": said} if isinstance(said, (int, float)) else said


class Criticism(BaseModel):
    """The answer of a critic. An axis that was not asked for may be missing."""

    model_config = ConfigDict(extra="ignore")

    weakest: list[str] = Field(default=[], max_length=12)
    """The weakest points of the result, named before anything is scored."""
    request: Score
    effects: Score
    api: Score | None = None
    context: Score | None = None
    repeat: Score | None = None

    def scores(self, asked: Sequence[Axis], settled: dict[Axis, float]) -> dict[Axis, float]:
        """The score of each axis: the critic's if it was asked for it and answered, otherwise the measured one."""
        said = {axis: score.score for axis in asked if (score := self.of(axis))}
        return {axis: said.get(axis, settled.get(axis, 1.0)) for axis in AXES}

    def of(self, axis: Axis) -> Score | None:
        """The score of one axis."""
        score: Score | None = getattr(self, axis)
        return score


def asked_axes(measured: dict[Axis, float]) -> list[Axis]:
    """The axes that a critic is asked: those that nothing settles, and those that were not measured as right."""
    return [*ALWAYS_ASKED, *(axis for axis in AXES if axis not in ALWAYS_ASKED and measured.get(axis) != 1.0)]


def measured_scores(stages: Sequence[Stage]) -> dict[Axis, float]:
    """The score of each axis by the other stages: 1 if all passed, less for a warning, 0 if one failed.

    An axis that no stage measured is left out.
    """
    by_name = {stage.name: stage for stage in stages}
    scores: dict[Axis, float] = {}
    for axis, names in STAGES_OF.items():
        states = [by_name[name].state for name in names if by_name[name].state is not StageState.SKIPPED]
        if states:
            failed, warned = StageState.FAILED in states, states.count(StageState.WARNED)
            # A broken check is no fault of the snippet: with a remark on the picture it costs no more than that.
            scores[axis] = 0.0 if failed else 1.0 - WARNING_COSTS * (min(warned, 1) if axis == "request" else warned)
    return scores


def total(scores: dict[Axis, float]) -> float:
    """The mean of the axes, at most the score of the request itself: the rest cannot make up for it."""
    mean = sum(scores.values()) / len(scores)
    return round(min(mean, scores.get("request", 1.0)), 3)


@dataclass(frozen=True)
class Case:
    """The material of the critic: a snippet that failed nothing else, and the facts about it. `stages` are in order."""

    number: int
    request: str
    snippet: str
    author: Author
    blender: str
    stages: Sequence[Stage]
    start: str
    """The scene before in words."""
    report: dict[str, Any]
    picture: Path | None
    """None if the model does not see, or no picture shows anything of the snippet."""


async def judge_critic(talks: Talks, case: Case, rules: Rules) -> tuple[Stage, dict[str, Any]]:
    """The stage, and the scores it was made of. It is skipped if no model answers; that is no fault of the snippet."""
    measured = measured_scores(case.stages)
    asked = asked_axes(measured)
    shown = [case.picture] if case.picture else []
    filled = prompt("critic").fill(
        blender=case.blender,
        request=case.request,
        start=without_code(case.start),
        snippet=case.snippet.rstrip("\n"),
        measured=stages_note(case.stages),
        scene=shown_end(case.report, case.request) or "(nothing is known of it)",
        picture=picture_note(case.report["evidence"]["render"] or {}, bool(shown)),
        axes="\n".join(f"- {axis}: {ANCHORS[axis]}" for axis in asked),
    )
    try:
        said = await talks.ask_for_json(f"critic {case.number}", "critic", filled, Criticism, shown)
    except (AnswerUnusable, ModelUnavailable, BudgetSpent) as problem:
        return skipped("critic", f"the model did not judge it: {problem}"), {"measured": measured}
    of_model = total(said.scores(asked, measured))
    accepted = min(total(measured), of_model)
    scores = {"measured": measured, "model": said.model_dump(mode="json", exclude_none=True), "accepted": accepted}
    note = f"{accepted:.2f}: measured {total(measured):.2f}, by the model {of_model:.2f}"
    return judged("critic", findings_of(said, asked, accepted, note, case.author, rules), note=note), scores


def findings_of(
    said: Criticism, asked: Sequence[Axis], accepted: float, note: str, author: Author, rules: Rules
) -> list[Finding]:
    """The critic's objections; the first fails the stage if the snippet is not accepted."""
    objections = [(axis, score) for axis in asked if (score := said.of(axis)) and score.score < 1]
    findings = [
        Finding(
            check="critic",
            code=axis,
            severity=Severity.INFO,
            message=f"{axis} {score.score:g}: {score.reason or '(no reason)'}",
        )
        for axis, score in objections
    ]
    if accepted >= THRESHOLD:
        return findings
    failing = weighed_findings(rules, author, "critic", "below-threshold", f"{note}; {THRESHOLD:g} is needed")
    # The reasons go with the failure, since that is what a healer reads.
    reasons = [f"{axis}: {score.reason}" for axis, score in objections if score.reason]
    weak = [f"weakest: {point}" for point in said.weakest[:MOST_WEAK_POINTS]]
    hint = "; ".join([*reasons, *weak])[:2000] or None
    return [*(finding.model_copy(update={"hint": hint}) for finding in failing), *findings]


def stages_note(stages: Sequence[Stage]) -> str:
    """The measurements in short: only stages that did not simply pass, and how the acceptance checks went."""
    notes = [
        f"- {stage.name}: {stage.state}, {stage.reason}"
        for stage in stages
        if stage.name == "accept" or stage.state is not StageState.PASSED
    ]
    return "\n".join(["all passed, but for this:" if notes else "all passed", *notes])


def shows_nothing_new(render: dict[str, Any]) -> bool:
    """True if its pictures only show the scene before, by our own camera and light."""
    own_view = render.get("camera_is_untouched", True) and render.get("lights") != "scene"
    return bool(render.get("subject_is_untouched")) and own_view


def picture_note(render: dict[str, Any], is_attached: bool) -> str:
    """A description of the picture that goes along, or the reason why none does."""
    if shows_nothing_new(render):
        return NOTHING_NEW
    if not is_attached:
        return "You do not see a picture of it."
    shots = shots_of(render)
    if len(shots) < 2:
        return "The picture of the finished scene is attached."
    kept = render.get("camera_is_untouched", False)
    camera = "the camera of the scene before" if kept else "the snippet's own camera"
    names = [camera if shot["view"] == CAMERA else shot["view"].replace("_", " ") for shot in shots]
    return f"A sheet with pictures of the finished scene is attached, in this order: {', '.join(names)}."


def shots_of(render: dict[str, Any]) -> list[dict[str, Any]]:
    """The pictures of an attempt, those of further frames last."""
    return [*render.get("pictures", ()), *(render.get("frames") or ())]
