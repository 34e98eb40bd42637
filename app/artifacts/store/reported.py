"""The form of a report from elsewhere: every part that is read here, with its type and its bounds.

A report may hold more: another version of the service may write more. Names of things are Blender's, so any text.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Final, Literal, NoReturn

from pydantic import BaseModel, ConfigDict, Field

from app.verdict.verdict import Verdict

LARGEST_REPORT_BYTES: Final = 4 << 20
MOST_VALUES: Final = 500_000
"""Most values of a report: its reading holds up all other requests."""

Text = Annotated[str, Field(max_length=2000)]
Name = Annotated[str, Field(max_length=300)]
Whole = Annotated[int, Field(ge=0, lt=1 << 63)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Numbers = Annotated[list[Number | None], Field(max_length=4)]
PictureFile = Annotated[str, Field(pattern=r"^[a-z0-9_]{1,40}\.png$")]


class ReportedPart(BaseModel):
    """A part of a report."""

    model_config = ConfigDict(extra="allow")


class ReportedSetting(ReportedPart):
    """A modifier or a constraint."""

    type: Name


class Light(ReportedPart):
    """The facts about a light."""

    type: Name


class Animation(ReportedPart):
    """The facts about the movement of an object."""

    keyframes: Whole = 0


class ReportedThing(ReportedPart):
    """The facts about an object."""

    type: Name
    vertices: Whole | None = None
    faces: Whole | None = None
    smooth_faces: Whole | None = None
    shape: Name | None = None
    location: Numbers | None = None
    rotation: Numbers | None = None
    scale: Numbers | None = None
    dimensions: Numbers | None = None
    parent: Name | None = None
    has_instances: bool = False
    materials: list[Name | None] = []
    modifiers: list[ReportedSetting] = []
    constraints: list[ReportedSetting] = []
    light: Light | None = None
    animation: Animation | None = None


class ReportedNodes(ReportedPart):
    """The facts about a tree of nodes."""

    types: list[Name]


class ReportedMaterial(ReportedPart):
    """The facts about a material."""

    metallic: Number | None = None
    nodes: ReportedNodes | None = None


class ReportedScene(ReportedPart):
    """The scene that was measured."""

    objects: dict[Name, ReportedThing]
    materials: dict[Name, ReportedMaterial]


class Objects(ReportedPart):
    """The names of objects, alone or with their changes."""

    objects: list[Name] | dict[Name, Any]


class ReportedChanges(ReportedPart):
    """The objects that were added and changed."""

    added: Objects
    changed: Objects


class Shot(ReportedPart):
    """One picture."""

    file: PictureFile


class Render(ReportedPart):
    """The facts about the pictures."""

    nothing_to_render: Literal[False]
    size_px: Annotated[int, Field(ge=1, le=8192)]
    pictures: Annotated[list[Shot], Field(min_length=1, max_length=100)]
    frames: Annotated[list[Shot], Field(max_length=100)] = []
    subject: list[Name] = []
    engine_of_scene: Name | None = None
    engine_used: Name | None = None


class ReportedEvidence(ReportedPart):
    """The measurements made outside the process that ran the snippet."""

    scene: ReportedScene
    render: Render
    changes: ReportedChanges | None = None


class ReportedExecution(ReportedPart):
    """The report of the execution."""

    outcome: Name
    reason: Text = ""
    blender: dict[Name, Any]
    evidence: ReportedEvidence


class Acceptance(ReportedPart):
    """The part of the request that was checked and met."""

    unchecked: Text | None = None


class ReportedFigures(ReportedPart):
    """The figures of a verdict."""

    acceptance: Acceptance | None = None


class Report(ReportedPart):
    """The file report.json of an artifact."""

    verdict: Verdict
    execution: ReportedExecution


def read_report(content: bytes) -> dict[str, Any]:
    """The report in this file. Raises ValueError if it has another form or is too large, RecursionError if too deep."""
    if len(content) > LARGEST_REPORT_BYTES:
        raise ValueError(f"it has {len(content)} bytes; the limit is {LARGEST_REPORT_BYTES}")
    if content.count(b",") + content.count(b"[") + content.count(b"{") > MOST_VALUES:
        raise ValueError(f"it has more than {MOST_VALUES} values")
    report = Report.model_validate_json(content, strict=True)
    ReportedFigures.model_validate(report.verdict.measured)
    findings = report.verdict.findings()
    places = [place for finding in findings for place in (finding.line, finding.column) if place is not None]
    if any(not 1 <= place < 1 << 31 for place in places):
        raise ValueError("it has a finding at a place that no snippet has")
    whole: dict[str, Any] = json.loads(content, parse_constant=not_finite)
    return whole


def not_finite(number: str) -> NoReturn:
    raise ValueError(f"it has {number}, which is no number in JSON")
