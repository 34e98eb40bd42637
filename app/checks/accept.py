"""Acceptance checks: what a scene must be for a request to be fulfilled. One list of at most 40.

    [{"check": "object", "name": "Ring", "type": "MESH", "dimensions": [5.2, 5.2, 1.2], "tolerance": 0.01,
      "modifiers": [{"type": "SUBSURF", "values": {"levels": 2}}], "materials": ["Gold"]},
     {"check": "count", "type": "LIGHT", "at_least": 1},
     {"check": "python", "says": "the camera sees the ring", "code": "assert ..."}]

Every part of a check must hold; omitted parts do not matter. The process that never ran the snippet makes the checks in
Blender (`harness/inside/accept.py`); `python` checks run after it, in a process of their own
(`harness/inside/assertions.py`), because they are untrusted code. Values are Blender's: metres, radians, identifiers.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, TypeAdapter, model_validator

from app.checks.execution import weighed
from app.checks.rules import Rules
from app.checks.verdict import Author, Finding, Stage, judged, skipped

MOST_CHECKS: Final = 40
MOST_ASSERTIONS: Final = 10

Name = Annotated[str, Field(min_length=1, max_length=255)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Vector = Annotated[list[Finite], Field(min_length=3, max_length=3)]
Tolerance = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Flat = StrictBool | int | Finite | Annotated[str, Field(max_length=255)]
Value = Flat | Annotated[list[Flat], Field(max_length=16)]
Which = Literal["active", "selected", "every", "camera"]
Values = Annotated[dict[Annotated[str, Field(min_length=1, max_length=200)], Value], Field(max_length=40)]


class _Check(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    def wanted(self) -> dict[str, Any]:
        """The parts that are given, without those left open."""
        return self.model_dump(mode="json", exclude_none=True)

    def said(self) -> dict[str, Any]:
        """The same without parts that equal their defaults, for people and models to read."""
        said: dict[str, Any] = {"check": self.wanted()["check"]}
        return said | self.model_dump(mode="json", exclude_defaults=True)


class _ToleranceCheck(_Check):
    tolerance: Tolerance = 0.001
    """How far a number may be off: absolutely, or as a share of it if it is larger than 1."""


class Part(_Check):
    """A modifier or constraint that an object must have."""

    type: Name
    """Its type, such as `BEVEL`."""
    name: Name | None = None
    values: Values = {}
    """Its settings by name, such as `{"width": 0.05}`; for a pointer such as `object`, the name of a data block."""


class Keyframes(_Check):
    """Keyframes that an object must have in its action."""

    path: Name
    """The animated property, such as `location`."""
    frames: Annotated[list[Finite], Field(max_length=100)] = []
    """Frames that must have a keyframe, on any channel of it."""


class ObjectCheck(_ToleranceCheck):
    """An object that must exist. Without a name, one object must satisfy all of it."""

    check: Literal["object"] = "object"
    name: Name | None = None
    """Its exact name."""
    type: Name | None = None
    """Such as `MESH`, `LIGHT`, `CAMERA`, `CURVE`, `FONT`, `EMPTY`, `ARMATURE`."""
    which: Which | None = None
    """Instead of a name: the `active` object, the `camera` of the scene, or several objects that must all satisfy it:
    each `selected` one, or `every` one (of the `type`, if one is given)."""
    added: Literal[True] | None = None
    """Whether only objects count whose names the start did not have; one of them must satisfy all of it."""
    frame: Finite | None = None
    """The frame at which to check it; by default the current frame of the scene."""
    location: Vector | None = None
    """In the world."""
    rotation: Vector | None = None
    """In the world, XYZ Euler angles in radians."""
    scale: Vector | None = None
    dimensions: Vector | None = None
    """With its modifiers, along its own axes."""
    parent: Annotated[str, Field(max_length=255)] | None = None
    """The name of its parent; empty for none."""
    looks_at: Name | Vector | None = None
    """An object or a place that it looks at: a camera or light along its -Z, everything else along its -Y."""
    collection: Name | None = None
    """A collection that contains it; `Scene Collection` is the scene's own."""
    materials: Annotated[list[Name], Field(max_length=32)] | None = None
    """Materials that are in its slots, in any order."""
    smooth: bool | None = None
    """Whether all its faces are shaded smooth, or none."""
    modifiers: Annotated[list[Part], Field(max_length=16)] | None = None
    """Modifiers that it must have, in this order; others may be between them."""
    constraints: Annotated[list[Part], Field(max_length=16)] | None = None
    """The same for its constraints."""
    keyframes: Annotated[list[Keyframes], Field(max_length=16)] | None = None
    without: Annotated[list[Name], Field(max_length=16)] | None = None
    """Modifiers and constraints that it must not have, such as `modifiers.Bevel`."""
    selected: bool | None = None
    values: Values = {}
    """Further properties by their path from the object, such as `{"data.energy": 100, "hide_render": false}`. After
    the path of a node's input, `linked_from` is the output linked to it, such as `Noise Texture.Color`."""

    @model_validator(mode="after")
    def _which(self) -> ObjectCheck:
        if self.name is None and self.type is None and self.which is None:
            raise ValueError("say which object: give its `name`, its `type`, or `which`")
        return self


class ChangeCheck(_ToleranceCheck):
    """What became of objects of the start: the one with a `name`, or those that `which` selected at the start."""

    check: Literal["change"] = "change"
    name: Name | None = None
    type: Name | None = None
    which: Which | None = None
    moved: Vector | None = None
    """The distance, in the world."""
    turned: Vector | None = None
    """The turn in the world, as XYZ Euler angles in radians."""
    scaled: Vector | None = None
    """The factors along its own axes."""
    gone: bool | None = None
    """Whether no object has its name any longer."""
    lost: Annotated[list[Name], Field(max_length=16)] | None = None
    """Modifiers and constraints that it had and no longer has, such as `modifiers.Bevel`."""
    same_shape: bool | None = None
    """Whether its geometry in the world is still the same."""

    @model_validator(mode="after")
    def _which(self) -> ChangeCheck:
        if self.name is None and self.which is None:
            raise ValueError("say which object: give its `name`, or `which`")
        return self


class CountCheck(_Check):
    """How many objects of a kind there must be."""

    check: Literal["count"] = "count"
    type: Name | None = None
    name: Name | None = None
    """A pattern for their names, with `*` for anything, such as `Tree*`."""
    collection: Name | None = None
    at_least: int | None = Field(default=None, ge=0)
    at_most: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _how_many(self) -> CountCheck:
        if self.at_least is None and self.at_most is None:
            raise ValueError("say how many: give `at_least`, `at_most` or both")
        return self


class MaterialCheck(_ToleranceCheck):
    """A material that must exist. Without a name, one material must satisfy all of it."""

    check: Literal["material"] = "material"
    name: Name | None = None
    on: Name | None = None
    """An object that must have it in a slot."""
    inputs: Values = {}
    """Inputs of its Principled BSDF by name; a colour may leave out its alpha."""
    nodes: Annotated[list[Name], Field(max_length=32)] = []
    """Node types that it must have, such as `ShaderNodeTexNoise`."""

    @model_validator(mode="after")
    def _something(self) -> MaterialCheck:
        if self.name is None and self.on is None and not self.inputs and not self.nodes:
            raise ValueError("say which material or what it has: give `name`, `on`, `inputs` or `nodes`")
        return self


class CollectionCheck(_Check):
    """A collection that must exist."""

    check: Literal["collection"] = "collection"
    name: Name
    parent: Name | None = None
    objects: Annotated[list[Name], Field(max_length=200)] = []
    """Objects that must be in it directly."""


class DataCheck(_ToleranceCheck):
    """A data block that must exist, or must not."""

    check: Literal["data"] = "data"
    collection: Annotated[str, Field(pattern=r"^[a-z_]+$")]
    """Its collection in `bpy.data`, such as `materials`."""
    name: Name
    absent: bool = False
    frame: Finite | None = None
    values: Values = {}
    """Its properties by their path, such as `{"node_tree.nodes[\"Noise\"].inputs[\"Scale\"].default_value": 5}`."""


class SceneCheck(_ToleranceCheck):
    """Properties of the scene by their path, such as `{"frame_end": 48, "render.engine": "CYCLES"}`."""

    check: Literal["scene"] = "scene"
    frame: Finite | None = None
    values: Values = Field(min_length=1)


class PythonCheck(_Check):
    """Python that runs on the scene the snippet left, with `bpy` imported; it fails if it raises, as by `assert`."""

    check: Literal["python"] = "python"
    says: Annotated[str, Field(min_length=1, max_length=300)]
    """What it checks, in words."""
    code: Annotated[str, Field(min_length=1, max_length=16 << 10)]


Check = Annotated[
    ObjectCheck | ChangeCheck | CountCheck | MaterialCheck | CollectionCheck | DataCheck | SceneCheck | PythonCheck,
    Field(discriminator="check"),
]
"""One acceptance check; `check` is its kind."""


def few_assertions(checks: list[Check]) -> list[Check]:
    if sum(isinstance(check, PythonCheck) for check in checks) > MOST_ASSERTIONS:
        raise ValueError(f"at most {MOST_ASSERTIONS} checks may be `python`")
    return checks


Acceptance = Annotated[list[Check], Field(max_length=MOST_CHECKS), AfterValidator(few_assertions)]

CHECK: Final[TypeAdapter[Check]] = TypeAdapter(Check)


def judge_accept(checks: list[Check], report: dict[str, Any] | None, author: Author, rules: Rules) -> Stage:
    """Whether the scene meets the checks. The report has the result of each, in their order."""
    if not checks:
        return skipped("accept", "the request carries no acceptance checks")
    seen = report["evidence"]["accept"] if report else None
    if seen is None:
        return skipped("accept", "the execution left no scene to look at")
    findings: list[Finding] = []
    for number, (check, found) in enumerate(zip(checks, seen, strict=True), 1):
        if not found["met"]:
            said = f"{check.says}: {found['seen']}" if isinstance(check, PythonCheck) else found["seen"]
            findings += weighed(rules, author, "accept", "not-met", f"check {number} is not met: {said}")
    return judged("accept", findings, note=f"all {len(checks)} acceptance checks are met")
