"""The kinds of acceptance checks. Every part of a check must hold; omitted parts do not matter.

Values are Blender's: metres, radians, identifiers. The first sentence on a field stands in the prompt of a model.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field, TypeAdapter, model_validator

from app.accept.check_values import (
    LARGEST_INT,
    Amount,
    CheckModel,
    DataCollection,
    Extent,
    Finite,
    Frame,
    Front,
    Inputs,
    Name,
    Names,
    Path,
    Place,
    Range,
    Side,
    Spacing,
    Tolerance,
    Types,
    Values,
    Vector,
    Which,
    Whole,
    check_span,
    in_degrees,
)
from app.accept.parts import (
    AllKeyframes,
    Bones,
    Drivers,
    NamedNodes,
    Nodes,
    Parts,
    Registered,
    Space,
)

MOST_CHECKS: Final = 40
MOST_ASSERTIONS: Final = 10


class _Check(CheckModel):
    def wanted(self) -> dict[str, Any]:
        """The parts that are given, without those left open."""
        return self.model_dump(mode="json")

    def said(self) -> dict[str, Any]:
        """The same without parts that equal their defaults, for people and models to read."""
        said: dict[str, Any] = {"check": self.wanted()["check"]}
        return said | self.model_dump(mode="json", exclude_defaults=True)

    def stays(self) -> bool:
        """True if it asks for what the start has."""
        return any(getattr(self, name, None) for name in ("as_before", "unchanged", "same_shape"))

    def beyond(self, *names: str) -> set[str]:
        """The parts that are given beyond these."""
        return {name for name in self.said() if name not in ("check", *names)}


class _ToleranceCheck(_Check):
    tolerance: Tolerance = 0.001
    """The most that numbers may be off. It is absolute, for a number above 1 a share of it; it holds for lengths,
    colours and angles in radians."""


class ObjectCheck(_ToleranceCheck):
    """An object that must exist. Without a name, one object must satisfy all of it."""

    check: Literal["object"] = "object"
    name: Name | None = None
    """Exact."""
    type: Types | None = None
    """MESH, FONT, EMPTY ... or a list. A list means one of these."""
    which: Which | None = None
    """Instead of a name: `active`, `camera`, each `selected`, `every`. `active` and `camera` mean those of the scene.
    Of `selected` and `every`, only those of the `type` are meant, if one is given."""
    added: bool | None = None
    """true: new, not in the start. The names tell: an object that was renamed is new."""
    absent: bool | None = None
    """true: there is none. Give only its `name` or `type` with it."""
    frame: Frame | None = None
    """The frame to look at. Without it, the current frame of the scene is looked at."""
    space: Space = "world"
    """Of location, rotation and scale: `world`, or `local` below its parent. Local values are those that its properties
    show."""
    location: Place | None = None
    """[x, y, z], null for open. Metres."""
    rotation: Vector | None = None
    """XYZ Euler angles. Whatever its rotation mode is."""
    scale: Place | None = None
    """Factors."""
    dimensions: Place | None = None
    """Along its own axes. With its modifiers and its scale."""
    extent: Extent | None = None
    """Its box in the world {min, max, size}, each [x, y, z] with null for open. It holds the geometry with modifiers;
    an object that stands on the floor has the `min` [null, null, 0]."""
    parent: Annotated[str, Field(max_length=255)] | None = None
    """A name, "" for none."""
    looks_at: Name | Vector | None = None
    """An object or place. A camera or light looks along its -Z, everything else along its -Y."""
    front: Front | None = None
    """The axis of its own that looks, instead of these."""
    direction: Vector | None = None
    """The way in the world in which it looks or shines. Of any length."""
    touches: Name | None = None
    """One that it stands on or against. Their boxes in the world meet."""
    on_top_of: Name | None = None
    """An object that it stands on. Its lowest point is at the height of the other's highest, and its middle is above
    that."""
    inside: Name | None = None
    """An object whose box in the world holds its box."""
    between: Annotated[list[Name], Field(min_length=2, max_length=2)] | None = None
    """Two objects that it lies between. It is nearer to each of them than they are to each other."""
    tilt: Finite | Range | None = None
    """Radians between its own Z and the world's. 0 is upright, 1.5708 lies."""
    as_at: Frame | None = None
    """Its place, rotation and scale are those that it has at this frame."""
    at_rest: Literal[True] | None = None
    """true: it is where it was a frame before."""
    collection: Name | None = None
    """One that it is in. `Scene Collection` is the scene's own."""
    materials: Names | None = None
    """All of these are in its slots. They may be in any order, with others."""
    materials_any: Annotated[Names, Field(min_length=1)] | None = None
    """One of these is."""
    slots: Annotated[list[Annotated[str, Field(max_length=255)]], Field(max_length=32)] | None = None
    """Exactly these, in order, "" for an empty one."""
    face_materials: Annotated[dict[Side, Name], Field(min_length=1)] | None = None
    """By side (top, bottom, front, back, left, right) the material of the faces that look there. In the world, within
    45 degrees."""
    smooth: bool | None = None
    """All its faces, or none. It is how they are shaded."""
    vertices: Amount | None = None
    """With modifiers: a number or {at_least, at_most}. Without modifiers, write `{"data.vertices": 8}` in `values`."""
    faces: Amount | None = None
    """The same. Without modifiers, write `{"data.polygons": 6}` in `values`."""
    instances: Amount | None = None
    """The number that it makes, or {at_least, at_most}. By its modifiers, particles, vertices or collection."""
    modifiers: Parts | None = None
    """In this order. Others may be between them."""
    constraints: Parts | None = None
    """In this order. Others may be between them."""
    bones: Bones | None = None
    """Those of an armature. There may be others."""
    keyframes: AllKeyframes | None = None
    """Those of its properties. Properties of its data, shape keys and materials count too, by their path."""
    drivers: Drivers | None = None
    """Those of its properties. As for keyframes, the path may lead further."""
    without: Annotated[list[Name], Field(max_length=16)] | None = None
    """`modifiers.NAME` or `constraints.NAME`. It must have none with this name."""
    selected: bool | None = None
    """Or not."""
    as_before: Annotated[list[Path], Field(min_length=1, max_length=16)] | None = None
    """Properties that are as the start has them."""
    values: Values = Field(default={})
    """Properties by path. See [paths and values](#paths-and-values)."""

    def said(self) -> dict[str, Any]:
        """The same with the space named, if a place, rotation or scale is in it."""
        said = super().said()
        return said | ({"space": self.space} if said.keys() & {"location", "rotation", "scale"} else {})

    @model_validator(mode="after")
    def _something(self) -> ObjectCheck:
        if self.name is None and self.type is None and self.which is None and not self.added:
            raise ValueError("say which object: give its `name`, its `type`, `which` or `added`")
        if self.absent and self.beyond("name", "type", "added", "absent"):
            raise ValueError(
                "`absent` means that there is no such object, so give only its `name` or `type`; "
                "for a part that must be missing, write `absent` in the part"
            )
        if self.as_before and (self.name is None or self.added):
            raise ValueError("`as_before` is for one object of the start; give its `name`")
        if self.front and self.looks_at is None and self.direction is None:
            raise ValueError("`front` says which axis looks; give `looks_at` or `direction` too")
        if self.which == "every" and not self.beyond("which", "type", "name"):
            raise ValueError("say what `every` object must be, or write a `count` check")
        return self


class ChangeCheck(_ToleranceCheck):
    """A change of objects of the start. It is the one with a `name`, or those that `which` meant at the start."""

    check: Literal["change"] = "change"
    name: Name | None = None
    type: Types | None = None
    which: Which | None = None
    """At the start."""
    frame: Frame | None = None
    """The frame to look at."""
    apart_from: Names = Field(default=[])
    """Names that `every` leaves out."""
    moved: Place | None = None
    """By [x, y, z] in the world, null for open."""
    turned: Vector | None = None
    """In the world, XYZ Euler angles."""
    scaled: Place | None = None
    """Factors. Along its own axes."""
    gone: bool | None = None
    """No object has its name. `false`: it is still there."""
    lost: Annotated[list[Name], Field(max_length=16)] | None = None
    """`modifiers.NAME` or `constraints.NAME`. It had it at the start and has it no more."""
    same_shape: bool | None = None
    """The same box in the world."""
    unchanged: Literal[True] | None = None
    """true: all of it is as it was. That is its place, geometry, settings, materials and animation."""

    @model_validator(mode="after")
    def _something(self) -> ChangeCheck:
        if self.name is None and self.which is None:
            raise ValueError("say which object: give its `name`, or `which`")
        if not self.beyond("name", "type", "which", "apart_from", "frame", "tolerance"):
            raise ValueError("say what became of it: `moved`, `turned`, `scaled`, `gone`, `lost`, `unchanged`")
        return self


class CountCheck(_ToleranceCheck):
    """A number of objects of a kind, `exactly` or within bounds, and their size together."""

    check: Literal["count"] = "count"
    type: Types | None = None
    name: Name | None = None
    """A pattern such as `Tree*`."""
    collection: Name | None = None
    """One that they are in."""
    added: bool | None = None
    """true: count only what the start did not have. Lights that are asked for are counted without the light of the
    start."""
    frame: Frame | None = None
    """The frame to look at."""
    of: DataCollection | None = None
    """Data blocks of `bpy.data` instead, such as `images`."""
    values: Values = Field(default={})
    """Of those that are counted, such as {"data.type": "AREA"}."""
    exactly: Whole | None = None
    at_least: Whole | None = None
    at_most: Whole | None = None
    spacing: Spacing | None = None
    """Metres between neighbours, or `even`. From place to place, in order along their row."""
    extent: Extent | None = None
    """The box around all of them. Such as that of a chair of many parts. Without a number, there must be one
    at least."""

    @model_validator(mode="after")
    def _how_many(self) -> CountCheck:
        if self.exactly is None and self.at_least is None and self.at_most is None:
            if self.extent is None and self.spacing is None:
                raise ValueError("say how many: give `exactly`, `at_least`, `at_most` or both of these")
        elif self.exactly is None:
            check_span(self.at_least, self.at_most)
        elif self.at_least is not None or self.at_most is not None:
            raise ValueError("give either `exactly`, or `at_least` and `at_most`")
        if self.of is not None and (self.type or self.collection or self.extent or self.spacing):
            raise ValueError(
                "`type`, `collection`, `extent` and `spacing` are for objects of the scene; with `of` give `name` or "
                "`values`"
            )
        return self


class MaterialCheck(_ToleranceCheck):
    """A material that must exist. Without a name, one material must satisfy all of it."""

    check: Literal["material"] = "material"
    name: Name | None = None
    on: Name | None = None
    """Name of an object that has it in a slot."""
    added: bool | None = None
    """true: new, not in the start."""
    absent: bool | None = None
    """true: there is none. Give only its `name`, or `on`: then the object has it in no slot."""
    frame: Frame | None = None
    """The frame to look at."""
    inputs: Inputs = Field(default={})
    """Of its Principled BSDF, by name. Nothing must be linked to it but a node of one value or colour. A colour is
    linear [r, g, b], with or without alpha, or "#rrggbb". A name of another Blender version is understood."""
    nodes: NamedNodes = Field(default=[])
    """Types, or nodes as below. It may have others."""
    values: Values = Field(default={})
    """Properties by path."""

    @model_validator(mode="after")
    def _something(self) -> MaterialCheck:
        if not self.beyond("tolerance", "added", "absent", "frame"):
            raise ValueError("say which material or what it has: give `name`, `on`, `inputs`, `nodes` or `values`")
        if self.absent and self.beyond("name", "on", "added", "absent"):
            raise ValueError("`absent` means that there is no such material, so give only its `name`, or `on`")
        return self


class NodesCheck(_ToleranceCheck):
    """Nodes that a node tree must have."""

    check: Literal["nodes"] = "nodes"
    tree: Annotated[str, Field(min_length=1, max_length=300)]
    """`world`, `compositor`, `material:NAME`, `group:NAME`, `light:NAME`, `modifier:OBJECT`. The last means the
    geometry nodes of this object."""
    frame: Frame | None = None
    """The frame to look at."""
    nodes: Nodes
    """Each is another node; there may be more."""

    @model_validator(mode="after")
    def _known_tree(self) -> NodesCheck:
        if not re.fullmatch(r"world|compositor|(?:material|group|modifier|light):.+", self.tree):
            forms = "`world`, `compositor`, `material:NAME`, `group:NAME`, `light:NAME` or `modifier:OBJECT`"
            raise ValueError(f"{self.tree} is no node tree; write {forms}")
        return self


class CollectionCheck(_Check):
    """A collection that must exist."""

    check: Literal["collection"] = "collection"
    name: Name
    parent: Name | None = None
    """The collection it is in. `Scene Collection` is the scene's own."""
    objects: Annotated[list[Name], Field(max_length=200)] = Field(default=[])
    """All of these are directly in it. There may be others."""
    absent: bool | None = None
    """true: there is none."""

    @model_validator(mode="after")
    def _absent_alone(self) -> CollectionCheck:
        if self.absent and self.beyond("name", "absent"):
            raise ValueError("`absent` means that there is no such collection, so give only its `name`")
        return self


class DataCheck(_ToleranceCheck):
    """A data block of the file that must exist. Without a name, one of them must satisfy all of it."""

    check: Literal["data"] = "data"
    collection: DataCollection
    """Of `bpy.data`, such as `images`."""
    name: Name | None = None
    added: bool | None = None
    """true: new, not in the start."""
    absent: bool = False
    """true: there is none. Give only its `collection` and `name`."""
    frame: Frame | None = None
    """The frame to look at."""
    keyframes: AllKeyframes | None = None
    """Those of its properties."""
    drivers: Drivers | None = None
    """Those of its properties."""
    as_before: Annotated[list[Path], Field(min_length=1, max_length=16)] | None = None
    """Properties that are as the start has them."""
    values: Values = Field(default={})
    """Properties by path."""

    @model_validator(mode="after")
    def _something(self) -> DataCheck:
        if not self.beyond("collection", "absent", "frame", "tolerance"):
            raise ValueError("say which data block: give its `name`, `added` or `values`")
        if self.as_before and (self.name is None or self.added):
            raise ValueError("`as_before` is for one data block of the start; give its `name`")
        if self.absent and self.beyond("collection", "name", "absent"):
            raise ValueError(
                "`absent` means that there is no such data block, so give only its `collection` and `name`"
            )
        return self


class SceneCheck(_ToleranceCheck):
    """Properties of the scene."""

    check: Literal["scene"] = "scene"
    frame: Frame | None = None
    """The frame to look at."""
    keyframes: AllKeyframes | None = None
    """Those of its properties."""
    drivers: Drivers | None = None
    """Those of its properties."""
    as_before: Annotated[list[Path], Field(min_length=1, max_length=16)] | None = None
    """Properties that are as the start has them."""
    values: Values = Field(default={})
    """Properties by path, such as {"frame_end": 48, "render.engine": "CYCLES"}."""

    @model_validator(mode="after")
    def _something(self) -> SceneCheck:
        if not (self.values or self.keyframes or self.drivers or self.as_before):
            raise ValueError('say what the scene must have: give `values`, such as {"frame_end": 48}')
        return self


class FileCheck(_Check):
    """A file that the snippet must leave in its working folder. Pictures that it renders are made small; files that the
    request brought are not looked at."""

    check: Literal["file"] = "file"
    name: Name
    """A path or pattern such as `*.png`. A name without a folder is looked for in every folder."""
    bytes_at_least: Whole = 1
    """The size of each."""
    at_least: Annotated[int, Field(ge=1, le=LARGEST_INT)] = 1
    """The least number."""
    contains: Annotated[list[Annotated[str, Field(min_length=1, max_length=255)]], Field(max_length=16)] | None = None
    """Texts that each holds. Looked for in its first MiB, as they are."""
    absent: bool | None = None
    """true: there is none."""

    @model_validator(mode="after")
    def _in_the_folder(self) -> FileCheck:
        if self.name.startswith(("/", "\\", "//", "~")) or ":" in self.name or ".." in self.name.split("/"):
            raise ValueError("give the path from the working folder, such as `out/*.png`")
        return self


class RegisteredCheck(_Check):
    """Something that the snippet must register. Only its own process knows that, so the answer is marked as a claim."""

    check: Literal["registered"] = "registered"
    kind: Registered
    """operator, panel, menu, property_group, ui_list, node, preferences, property or handler."""
    name: Name | None = None
    """Class, `bl_idname`, `Scene.levels` for a property, `frame_change_post` for a handler. A handler may name its
    function too: `frame_change_post.update_text`. Without a name, one of the kind must have the `values`."""
    values: Values = Field(default={})
    """Attributes of the class, such as {"bl_label": "Add Tower"}."""

    @model_validator(mode="after")
    def _classes_have_values(self) -> RegisteredCheck:
        if self.name is None and self.kind == "property":
            raise ValueError("say which property, such as `Scene.levels`")
        if self.values and self.kind in ("property", "handler"):
            raise ValueError(f"a {self.kind} has no `values` to check; leave them out")
        return self


class PythonCheck(_Check):
    """Python that runs on the scene the snippet left, with `bpy` imported; it fails if it raises, as by `assert`."""

    check: Literal["python"] = "python"
    says: Annotated[str, Field(min_length=1, max_length=300)]
    """Its purpose, in words."""
    code: Annotated[str, Field(min_length=1, max_length=16 << 10)]


Check = Annotated[
    ObjectCheck
    | ChangeCheck
    | CountCheck
    | MaterialCheck
    | NodesCheck
    | CollectionCheck
    | DataCheck
    | SceneCheck
    | FileCheck
    | RegisteredCheck
    | PythonCheck,
    Field(discriminator="check"),
]
"""One acceptance check; `check` is its kind."""


def reads_as_degrees(check: Check) -> str:
    """The advice on angles of a check that read as degrees; empty if none do."""
    values: dict[str, Any] = getattr(check, "values", {})
    angles: list[Any] = [getattr(check, "rotation", None), getattr(check, "turned", None)]
    angles += [value for path, value in values.items() if path.endswith("rotation_euler")]
    advice = [in_degrees(angle) for angle in angles]
    return next((words for words in advice if words), "")


def as_a_request_may_have(checks: list[Check]) -> list[Check]:
    for number, check in enumerate(checks, 1):
        if said := reads_as_degrees(check):
            raise ValueError(f"check {number}: {said}")
    if sum(isinstance(check, PythonCheck) for check in checks) > MOST_ASSERTIONS:
        raise ValueError(f"at most {MOST_ASSERTIONS} checks may be `python`")
    return checks


Acceptance = Annotated[list[Check], Field(max_length=MOST_CHECKS), AfterValidator(as_a_request_may_have)]

CHECK: Final[TypeAdapter[Check]] = TypeAdapter(Check)
