"""What a report from elsewhere must look like to be kept: every part that is read here, with its type and its bounds.

More may be there: another version of the service may tell more. Names of things are Blender's, so any text.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Final, Literal, NoReturn

from pydantic import BaseModel, ConfigDict, Field

from app.verdict.verdict import Verdict

LARGEST_REPORT_BYTES: Final = 4 << 20
MOST_VALUES: Final = 500_000
"""Most values of a report: to read them holds up all other requests."""

Text = Annotated[str, Field(max_length=2000)]
Name = Annotated[str, Field(max_length=300)]
Whole = Annotated[int, Field(ge=0, lt=1 << 63)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Numbers = Annotated[list[Number | None], Field(max_length=4)]
PictureFile = Annotated[str, Field(pattern=r"^[a-z0-9_]{1,40}\.png$")]


class Told(BaseModel):
    """A part of a report."""

    model_config = ConfigDict(extra="allow")


class Setting(Told):
    """A modifier or a constraint."""

    type: Name


class Light(Told):
    """What is told of a light."""

    type: Name


class Animation(Told):
    """What is told of the movement of an object."""

    keyframes: Whole = 0


class Thing(Told):
    """What is told of an object."""

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
    modifiers: list[Setting] = []
    constraints: list[Setting] = []
    light: Light | None = None
    animation: Animation | None = None


class Nodes(Told):
    """What is told of a tree of nodes."""

    types: list[Name]


class Material(Told):
    """What is told of a material."""

    metallic: Number | None = None
    nodes: Nodes | None = None


class Scene(Told):
    """The scene that was measured."""

    objects: dict[Name, Thing]
    materials: dict[Name, Material]


class Objects(Told):
    """The names of objects, alone or with what changed of them."""

    objects: list[Name] | dict[Name, Any]


class Changes(Told):
    """What was added and changed."""

    added: Objects
    changed: Objects


class Shot(Told):
    """One picture."""

    file: PictureFile


class Render(Told):
    """How the pictures were taken."""

    nothing_to_render: Literal[False]
    size_px: Annotated[int, Field(ge=1, le=8192)]
    pictures: Annotated[list[Shot], Field(min_length=1, max_length=100)]
    frames: Annotated[list[Shot], Field(max_length=100)] = []
    subject: list[Name] = []
    engine_of_scene: Name | None = None
    engine_used: Name | None = None


class Evidence(Told):
    """What was measured outside the process that ran the snippet."""

    scene: Scene
    render: Render
    changes: Changes | None = None


class Execution(Told):
    """The report of the execution."""

    outcome: Name
    reason: Text = ""
    blender: dict[Name, Any]
    evidence: Evidence


class Acceptance(Told):
    """What was asked for and met."""

    unchecked: Text | None = None


class Measured(Told):
    """The figures of a verdict."""

    acceptance: Acceptance | None = None


class Report(Told):
    """The file report.json of an artifact."""

    verdict: Verdict
    execution: Execution


def read_report(content: bytes) -> dict[str, Any]:
    """The report in this file. Raises ValueError if it has another form or is too large, RecursionError if too deep."""
    if len(content) > LARGEST_REPORT_BYTES:
        raise ValueError(f"it has {len(content)} bytes; the limit is {LARGEST_REPORT_BYTES}")
    if content.count(b",") + content.count(b"[") + content.count(b"{") > MOST_VALUES:
        raise ValueError(f"it has more than {MOST_VALUES} values")
    report = Report.model_validate_json(content, strict=True)
    Measured.model_validate(report.verdict.measured)
    places = [place for one in report.verdict.findings() for place in (one.line, one.column) if place is not None]
    if any(not 1 <= place < 1 << 31 for place in places):
        raise ValueError("it has a finding at a place that no snippet has")
    told: dict[str, Any] = json.loads(content, parse_constant=not_finite)
    return told


def not_finite(number: str) -> NoReturn:
    raise ValueError(f"it has {number}, which is no number in JSON")
