"""The values in acceptance checks: names, numbers, vectors, amounts, and paths of properties with their values.

A value that could never be met, or always is, is refused here with advice.
"""

from __future__ import annotations

import math
import re
from typing import Annotated, Any, Final, Literal, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    StrictBool,
    model_serializer,
    model_validator,
)


class CheckModel(BaseModel):
    """A check, or a part of one. Open fields are left out of its JSON; a value that is null stays."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    @model_serializer(mode="wrap")
    def _without_what_is_open(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: value for name, value in handler(self).items() if value is not None}


Name = Annotated[str, Field(min_length=1, max_length=255)]
Names = Annotated[list[Name], Field(max_length=32)]
LARGEST_FLOAT: Final = 3.5e38
"""No number in Blender is larger: it keeps them in single precision."""
LARGEST_INT: Final = (1 << 31) - 1
LAST_FRAME: Final = 1_048_574
Finite = Annotated[float, Field(ge=-LARGEST_FLOAT, le=LARGEST_FLOAT, allow_inf_nan=False)]
Frame = Annotated[float, Field(ge=-LAST_FRAME, le=LAST_FRAME, allow_inf_nan=False)]
Integer = Annotated[int, Field(ge=-LARGEST_INT - 1, le=LARGEST_INT)]
Whole = Annotated[int, Field(ge=0, le=LARGEST_INT)]
Vector = Annotated[list[Finite], Field(min_length=3, max_length=3)]
Tolerance = Annotated[float, Field(ge=0, le=LARGEST_FLOAT, allow_inf_nan=False)]
Which = Literal["active", "selected", "every", "camera"]

OBJECT_TYPES: Final = (
    "MESH", "CURVE", "SURFACE", "META", "FONT", "CURVES", "POINTCLOUD", "VOLUME", "GPENCIL", "GREASEPENCIL", "ARMATURE",
    "LATTICE", "EMPTY", "LIGHT", "LIGHT_PROBE", "CAMERA", "SPEAKER",
)  # fmt: skip
COLLECTIONS: Final = (
    "actions", "annotations", "armatures", "brushes", "cache_files", "cameras", "collections", "curves", "fonts",
    "grease_pencils", "grease_pencils_v3", "hair_curves", "images", "lattices", "libraries", "lightprobes", "lights",
    "linestyles", "masks", "materials", "meshes", "metaballs", "movieclips", "node_groups", "objects", "paint_curves",
    "palettes", "particles", "pointclouds", "scenes", "screens", "shape_keys", "sounds", "speakers", "texts",
    "textures", "volumes", "window_managers", "workspaces", "worlds",
)  # fmt: skip
"""The collections of `bpy.data` from Blender 3.4 to 5.2."""


def _types(said: str | list[str]) -> str | list[str]:
    for name in [said] if isinstance(said, str) else said:
        if name.upper() not in OBJECT_TYPES:
            raise ValueError(f"no object is of type {name}; the types are {', '.join(OBJECT_TYPES)}")
    return said.upper() if isinstance(said, str) else [name.upper() for name in said]


def _collection(said: str) -> str:
    if said not in COLLECTIONS:
        raise ValueError(f"bpy.data has no {said}; its collections are {', '.join(COLLECTIONS)}")
    return said


Types = Annotated[Name | Annotated[list[Name], Field(min_length=1, max_length=16)], AfterValidator(_types)]
DataCollection = Annotated[str, Field(max_length=63), AfterValidator(_collection)]
Identifier = Annotated[Name, AfterValidator(str.upper)]

_INDEX: Final = r"""\[(?:"(?:[^"\\]|\\.)*"|-?\d+)\]"""
_PATH: Final = re.compile(rf"(?:\w+|{_INDEX})(?:\.\w+|{_INDEX})*")
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_SINGLE: Final = re.compile(r"\['((?:[^'\\]|\\.)*)'\]")


def _path(said: str) -> str:
    # Blender reads no single quotes.
    said = _SINGLE.sub(lambda quoted: '["' + quoted[1].replace("\\'", "'").replace('"', '\\"') + '"]', said)
    if said.startswith(("bpy.", "C.", "D.")):
        raise ValueError(f"{said}: a path begins at the thing that is checked; write `data.energy`, not where it is")
    if "(" in _QUOTED.sub("", said):
        raise ValueError(f"{said}: a path names a property and calls nothing; write a `python` check for that")
    if not _PATH.fullmatch(said):
        raise ValueError(
            f'{said}: this is no path of properties; write one such as `data.energy` or `modifiers["Bevel"].width`'
        )
    return said


class Range(CheckModel):
    """Bounds of a number that need not be exact."""

    at_least: Finite | None = None
    at_most: Finite | None = None

    @model_validator(mode="after")
    def _possible(self) -> Range:
        if self.at_least is None and self.at_most is None:
            raise ValueError("give `at_least`, `at_most` or both")
        if self.at_least is not None and self.at_most is not None and self.at_least > self.at_most:
            raise ValueError(f"no number is at least {self.at_least:g} and at most {self.at_most:g}")
        return self


def _some(said: list[Any]) -> list[Any]:
    if all(number is None for number in said):
        raise ValueError("null leaves a number open, and all three are open; leave the field out")
    return said


Open = Annotated[list[Finite | Range | None], Field(min_length=3, max_length=3)]
Place = Annotated[Open, AfterValidator(_some)]
Path = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_path)]
Flat = StrictBool | Integer | Finite | Annotated[str, Field(max_length=255)] | None
Value = Flat | Range | Annotated[list[Flat | Range], Field(max_length=64)]
Values = Annotated[dict[Path, Value], Field(max_length=40)]
Inputs = Annotated[dict[Name, Value], Field(max_length=40)]


class Span(CheckModel):
    """Bounds of a number of things that need not be exact."""

    at_least: Whole | None = None
    at_most: Whole | None = None

    @model_validator(mode="after")
    def _possible(self) -> Span:
        check_span(self.at_least, self.at_most)
        return self


def check_span(at_least: int | None, at_most: int | None) -> None:
    """Raise ValueError for bounds that always hold, or never."""
    if at_most is None and not at_least:
        raise ValueError("any number is at least 0; give `at_least` 1 or more, `at_most`, or both")
    if at_least is not None and at_most is not None and at_least > at_most:
        raise ValueError(f"no number is at least {at_least} and at most {at_most}")


Amount = Whole | Span


class Extent(CheckModel):
    """A box along the axes of the world, each [x, y, z] of numbers or ranges; a coordinate that is null is open."""

    min: Open | None = None
    """The lowest coordinates."""
    max: Open | None = None
    """The highest."""
    size: Open | None = None
    """Along each axis."""

    @model_validator(mode="after")
    def _something(self) -> Extent:
        if all(number is None for part in (self.min, self.max, self.size) for number in part or ()):
            raise ValueError("say how far it extends: give `min`, `max` or `size`, each as [x, y, z]")
        return self


Spacing = Finite | Range | Literal["even"]
Side = Literal["top", "bottom", "front", "back", "left", "right"]
Front = Literal["X", "Y", "Z", "-X", "-Y", "-Z"]

DEGREES_STEP: Final = 5
MOST_RADIANS: Final = 12.6
"""Two whole turns: no request says a larger angle in radians."""


def in_degrees(said: Any) -> str:
    """The advice on angles that read as degrees; empty if they do not."""
    angles = cast("list[Any]", said) if isinstance(said, list) else []  # type: ignore[redundant-cast]
    for angle in angles:
        if isinstance(angle, (int, float)) and abs(angle) > MOST_RADIANS and angle % DEGREES_STEP == 0:
            return f"angles are radians, and {angle:g} reads as degrees: write {math.radians(angle):.6g}"
    return ""
