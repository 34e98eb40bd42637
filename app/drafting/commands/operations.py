"""The meaning of a sentence of the command language as typed data: names as written, not looked up yet.

    Add       an object, or a modifier, constraint, node, ... to one      Set      values of properties
    Key       keyframes of a property                                     Transform   move, rotate, scale
    Paint     a material by its look or its name                          Delete, Duplicate, Rename, Parent, Join, Shade
    Aim       turn at something     Collect   into a collection           Select   Apply   Link   Run a recipe

`say` turns each of them back into a sentence that reads as the same operation.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class _OperationPart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class Number(_OperationPart):
    """A number as it was written."""

    number: float
    unit: str = ""
    """A unit of the table in words.toml, or empty."""


class Vector(_OperationPart):
    """Two to sixteen numbers in parentheses."""

    parts: tuple[Number, ...]


class Word(_OperationPart):
    """A value in words: an item, a colour, a name, `on` or `off`."""

    text: str
    quoted: bool = False


Value = Number | Vector | Word


class Mention(_OperationPart):
    """A reference to a thing: `the bevel modifier of "Box"` is words "bevel modifier" of name "Box"."""

    words: str = ""
    """The kind of thing, in lower case: "cube", "active object", "every mesh", "it", or empty."""
    name: str = ""
    of: Mention | None = None


class NamedValue(_OperationPart):
    """A property with its value; without a value, the property is turned on."""

    name: str
    value: Value = Word(text="on")


class Finish(_OperationPart):
    """The look of a material: words such as "red" or "shiny", the name it gets, and inputs of its shader."""

    words: tuple[str, ...] = ()
    name: str = ""
    settings: tuple[NamedValue, ...] = ()


class Keyframe(_OperationPart):
    """A value at a frame."""

    frame: float
    value: Value


class Add(_OperationPart):
    """Add an object or, with `to`, a part of an existing thing."""

    do: Literal["add"] = "add"
    kind: str
    name: str = ""
    to: tuple[Mention, ...] = ()
    at: Value | None = None
    settings: tuple[NamedValue, ...] = ()
    look: Finish | None = None
    collection: str = ""
    if_missing: bool = False


class Set(_OperationPart):
    """Set properties of things; without `of`, of the scene or of the last thing named."""

    do: Literal["set"] = "set"
    settings: Annotated[tuple[NamedValue, ...], Field(min_length=1)]
    of: tuple[Mention, ...] = ()


class Key(_OperationPart):
    """Key a property at frames."""

    do: Literal["key"] = "key"
    property: str
    of: tuple[Mention, ...]
    keys: Annotated[tuple[Keyframe, ...], Field(min_length=1)]
    interpolation: str = ""


class Transform(_OperationPart):
    """Move, rotate or scale, to a place in the world or by an amount."""

    do: Literal["move", "rotate", "scale"]
    things: tuple[Mention, ...]
    how: Literal["to", "by"]
    value: Value
    axis: str = ""
    """X, Y or Z of the world, if the value is one number."""


class Paint(_OperationPart):
    """Give things a material."""

    do: Literal["paint"] = "paint"
    things: tuple[Mention, ...]
    look: Finish


class Delete(_OperationPart):
    """Delete objects; children stay where they are."""

    do: Literal["delete"] = "delete"
    things: tuple[Mention, ...]


class Duplicate(_OperationPart):
    """Copy an object, with data of its own unless linked."""

    do: Literal["duplicate"] = "duplicate"
    thing: Mention
    name: str = ""
    at: Value | None = None
    by: Value | None = None
    linked: bool = False


class Rename(_OperationPart):
    """Give something another name."""

    do: Literal["rename"] = "rename"
    thing: Mention
    name: str


class Parent(_OperationPart):
    """Parent objects to another, or to none; they stay where they are."""

    do: Literal["parent"] = "parent"
    things: tuple[Mention, ...]
    to: Mention | None


class Join(_OperationPart):
    """Join meshes into one of them."""

    do: Literal["join"] = "join"
    things: tuple[Mention, ...]
    into: Mention | None = None
    name: str = ""


class Shade(_OperationPart):
    """Shade the faces of meshes."""

    do: Literal["shade"] = "shade"
    things: tuple[Mention, ...]
    how: Literal["smooth", "flat"]


class Aim(_OperationPart):
    """Turn things so that they look at another thing: cameras and lights along their own view."""

    do: Literal["aim"] = "aim"
    things: tuple[Mention, ...]
    at: Mention | Vector


class Collect(_OperationPart):
    """Put objects into a collection and take them out of all others; the collection is made if missing."""

    do: Literal["collect"] = "collect"
    things: tuple[Mention, ...]
    collection: str


class Select(_OperationPart):
    """Select things and nothing else; the last of them becomes the active object."""

    do: Literal["select"] = "select"
    things: tuple[Mention, ...]


class Apply(_OperationPart):
    """Apply a modifier, or the location, rotation or scale of objects."""

    do: Literal["apply"] = "apply"
    what: str
    of: tuple[Mention, ...] = ()


class Link(_OperationPart):
    """Link an output of a node to an input of another one."""

    do: Literal["link"] = "link"
    output: str
    source: Mention
    input: str
    target: Mention


class RecipeRun(_OperationPart):
    """Run a recipe of the cookbook with constants of its own file."""

    do: Literal["recipe"] = "recipe"
    name: str
    settings: tuple[NamedValue, ...] = ()


Operation = Annotated[
    Add | Set | Key | Transform | Paint | Delete | Duplicate | Rename | Parent | Join | Shade | Aim | Collect | Select
    | Apply | Link | RecipeRun,
    Field(discriminator="do"),
]  # fmt: skip
