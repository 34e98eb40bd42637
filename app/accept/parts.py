"""Parts of things in acceptance checks: modifiers, bones, keyframes, drivers, nodes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from app.accept.check_values import CheckModel, Frame, Identifier, Inputs, Name, Names, Path, Values


class AnyPart(CheckModel):
    """A part of something; it may be one that must be absent."""

    absent: bool = False
    """True if there must be none like it; then give only its `name`, `type`, `path`, `index` or `frames`."""

    @model_validator(mode="after")
    def _absent_alone(self) -> AnyPart:
        others = self.model_fields_set - {"absent", "type", "name", "path", "index", "frames"}
        if self.absent and any(getattr(self, name) for name in others):
            raise ValueError(f"what is absent has no {', '.join(sorted(others))}; leave that out")
        return self


class Part(AnyPart):
    """A modifier or constraint that an object or bone must have."""

    type: Identifier
    """Such as BEVEL, TRACK_TO."""
    name: Name | None = None
    inputs: Inputs = Field(default={})
    """Of a NODES modifier, by the names of its group's inputs."""
    values: Values = Field(default={})
    """Its settings by path. Such as `{"width": 0.05}`; a data block such as `object` by its name."""


class Bone(AnyPart):
    """A bone that an armature must have."""

    name: Name
    parent: Annotated[str, Field(max_length=255)] | None = None
    """A bone, "" for none."""
    constraints: Annotated[list[Part], Field(max_length=16)] | None = None
    """In this order. Others may be between them."""
    values: Values = Field(default={})
    """From the pose bone. Such as `{"rotation_mode": "XYZ", "bone.use_deform": false}`."""


class Keyframes(AnyPart):
    """Keyframes that a property must have."""

    path: Path
    """Such as `rotation`, `data.energy`, `pose.bones["Arm"].rotation`. `rotation` is a rotation in any mode. A shape
    key is `data.shape_keys.key_blocks["Smile"].value`."""
    frames: Annotated[list[Frame], Field(max_length=100)] = Field(default=[])
    """Each of these has a keyframe, others may too. On any channel of the property; with `absent`, none has."""
    interpolation: Identifier | None = None
    """Such as LINEAR. That of the keyframes at these frames, or of all if none are given."""
    modifiers: Annotated[list[Identifier], Field(max_length=8)] = Field(default=[])
    """Types of F-curve modifiers. Each curve of the property has all of them, such as CYCLES."""


class Driver(AnyPart):
    """A driver that a property must have."""

    path: Path
    """Such as `rotation_euler`."""
    index: int | None = Field(default=None, ge=0, le=31)
    """Of a vector. 0 is x."""
    type: Identifier | None = None
    """Such as SCRIPTED, AVERAGE, SUM."""
    expression: Annotated[str, Field(min_length=1, max_length=255)] | None = None
    """Exact, but for spaces. Give it only if the request does."""
    targets: Names = Field(default=[])
    """Names of what its variables read. There may be others."""


class Node(AnyPart):
    """A node that a tree must have; give its `type`, its `name` or both."""

    type: Name | None = None
    """`ShaderNodeTexNoise` or `Noise Texture`. Its identifier or its label."""
    name: Name | None = None
    """Its name or its own label."""
    inputs: Inputs = Field(default={})
    """Their values by name. Or by identifier or number. Nothing must be linked to it but a node of one value or colour.
    If several have the name, one must have the value; a name of another Blender version is understood."""
    links: Annotated[dict[Name, Name], Field(max_length=16)] = Field(default={})
    """By input what feeds it: `Noise Texture.Color` directly, `Noise Texture` maybe through others. The node is told by
    its type, name or label."""
    values: Values = Field(default={})
    """Its settings by path. Such as `{"operation": "MULTIPLY"}`."""

    @model_validator(mode="after")
    def _which(self) -> Node:
        if self.type is None and self.name is None:
            raise ValueError("say which node: give its `type` or its `name`")
        return self


Parts = Annotated[list[Part], Field(max_length=16)]
Bones = Annotated[list[Bone], Field(max_length=32)]
AllKeyframes = Annotated[list[Keyframes], Field(max_length=16)]
Drivers = Annotated[list[Driver], Field(max_length=16)]
Nodes = Annotated[list[Node], Field(min_length=1, max_length=32)]
NamedNodes = Annotated[list[Name | Node], Field(max_length=32)]
Space = Literal["world", "local"]
Registered = Literal[
    "operator", "panel", "menu", "property_group", "ui_list", "node", "preferences", "property", "handler"
]
