"""The stage `critic`: what is measured of a snippet and what a model says of it, each as scores from 0 to 1.

    verdict ── measured_scores ──┐
                                 ├─> the lower of the two totals ─> below 0.75 it fails
    model ── Criticism ──────────┘

Only what a model wrote is judged so, and only if nothing else failed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.checks.rules import Rules, weighed
from app.checks.verdict import Author, Finding, Severity, Stage, StageName, StageState, judged, skipped
from app.llm.answers import AnswerUnusable
from app.llm.message import ModelUnavailable
from app.llm.prompts import prompt
from app.runs.budget import BudgetSpent
from app.runs.talks import Talks
from harness.protocol import CAMERA

THRESHOLD: Final = 0.75
WARNING_COSTS: Final = 0.25
"""What an axis loses by the first warning of a stage that belongs to it."""
SCENE_LIMIT: Final = 40

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


class Score(BaseModel):
    """How well a snippet does on one axis, and why no better."""

    model_config = ConfigDict(extra="ignore")

    score: float = Field(ge=0, le=1)
    reason: str = Field(default="", max_length=2000)

    @model_validator(mode="before")
    @classmethod
    def _only_a_number(cls, said: Any) -> Any:
        # Small models leave out the object if they have no reason to give.
        return {"score": said} if isinstance(said, (int, float)) else said


class Criticism(BaseModel):
    """What a critic says."""

    model_config = ConfigDict(extra="ignore")

    api: Score
    context: Score
    repeat: Score
    effects: Score
    request: Score

    def scores(self) -> dict[Axis, float]:
        """The score of each axis."""
        return {axis: getattr(self, axis).score for axis in AXES}


def measured_scores(stages: Sequence[Stage]) -> dict[Axis, float]:
    """What the other stages say of each axis: 1 if all passed, less for a warning, 0 if one failed.

    An axis of which nothing was measured is left out.
    """
    by_name = {stage.name: stage for stage in stages}
    scores: dict[Axis, float] = {}
    for axis, names in STAGES_OF.items():
        states = [by_name[name].state for name in names if by_name[name].state is not StageState.SKIPPED]
        if states:
            failed = StageState.FAILED in states
            scores[axis] = 0.0 if failed else 1.0 - WARNING_COSTS * states.count(StageState.WARNED)
    return scores


def total(scores: dict[Axis, float]) -> float:
    """The mean of the axes, and never more than what the request itself scores: the rest cannot make up for it."""
    mean = sum(scores.values()) / len(scores)
    return round(min(mean, scores.get("request", 1.0)), 3)


@dataclass(frozen=True)
class Case:
    """What the critic is shown: a snippet that nothing else failed, and what is known of it. `stages` are in order."""

    number: int
    request: str
    snippet: str
    author: Author
    blender: str
    stages: Sequence[Stage]
    report: dict[str, Any]
    picture: Path | None
    views: Sequence[str] = ()
    """The views on the picture, if it is a sheet of several."""


async def judge_critic(talks: Talks, case: Case, rules: Rules) -> tuple[Stage, dict[str, Any]]:
    """The stage, and the scores it was made of. It is skipped if no model answers; that is no fault of the snippet."""
    measured = measured_scores(case.stages)
    shown = [case.picture] if case.picture and talks.models.sees else []
    filled = prompt("critic").fill(
        blender=case.blender,
        request=case.request,
        snippet=case.snippet.rstrip("\n"),
        measured="\n".join(f"- {stage.name}: {stage.state}, {stage.reason}" for stage in case.stages),
        scene=shown_scene(case.report),
        picture=told_picture(case.views) if shown else "You do not see a picture of it.",
    )
    try:
        said = await talks.ask_for_json(f"critic {case.number}", "critic", filled, Criticism, shown)
    except (AnswerUnusable, ModelUnavailable, BudgetSpent) as problem:
        return skipped("critic", f"the model did not judge it: {problem}"), {"measured": measured}
    scores = {"measured": measured, "model": said.model_dump(mode="json")}
    accepted = min(total(measured), total(said.scores()))
    note = f"{accepted:.2f}: measured {total(measured):.2f}, by the model {total(said.scores()):.2f}"
    reasons = [(axis, getattr(said, axis)) for axis in AXES if getattr(said, axis).score < 1]
    findings: list[Finding] = []
    if accepted < THRESHOLD:
        findings += weighed(rules, case.author, "critic", "below-threshold", f"{note}; {THRESHOLD:g} is needed")
    findings += [
        Finding(
            check="critic",
            code=axis,
            severity=Severity.INFO,
            message=f"{axis} {one.score:g}: {one.reason or '(no reason)'}",
        )
        for axis, one in reasons
    ]
    if findings and findings[0].severity is Severity.ERROR and reasons:
        # What has to be mended is said with the failure, since that is what a healer reads.
        hint = "; ".join(f"{axis}: {one.reason}" for axis, one in reasons if one.reason)
        findings[0] = findings[0].model_copy(update={"hint": hint[:2000] or None})
    return judged("critic", findings, note=note), {**scores, "accepted": accepted}


def told_picture(views: Sequence[str]) -> str:
    """What is to be seen on the picture that goes along."""
    if len(views) < 2:
        return "The picture of the finished scene is attached."
    names = ["the snippet's own camera" if view == CAMERA else view.replace("_", " ") for view in views]
    return f"A sheet with pictures of the finished scene is attached, in this order: {', '.join(names)}."


def shown_scene(report: dict[str, Any]) -> str:
    """The objects of the finished scene, one a line."""
    objects: dict[str, Any] = report["evidence"]["scene"]["objects"]
    kept = ("type", "location", "dimensions", "parent", "materials", "vertices", "faces")
    lines = [
        f"- {name}: {json.dumps({key: facts[key] for key in kept if facts.get(key) not in (None, [])})}"
        for name, facts in list(objects.items())[:SCENE_LIMIT]
    ]
    if len(objects) > SCENE_LIMIT:
        lines.append(f"(and {len(objects) - SCENE_LIMIT} more)")
    return "\n".join(lines) or "(no objects)"
