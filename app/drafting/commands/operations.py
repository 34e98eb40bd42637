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


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class Number(_Part):
    """A number as it was written."""

    number: float
    unit: str = ""
    """A unit of the table in words.toml, or empty."""


class Vector(_Part):
    """Two to sixteen numbers in parentheses."""

    parts: tuple[Number, ...]


class Word(_Part):
    """A value in words: an item, a colour, a name, `on` or `off`."""

    text: str
    quoted: bool = False


Value = Number | Vector | Word


class Reference(_Part):
    """A reference to a thing: `the bevel modifier of "Box"` is words "bevel modifier" of name "Box"."""

    words: str = ""
    """What kind of thing it is, in lower case: "cube", "active object", "every mesh", "it", or empty."""
    name: str = ""
    of: Reference | None = None


class Setting(_Part):
    """A property with its value; without a value, the property is turned on."""

    name: str
    value: Value = Word(text="on")


class Look(_Part):
    """How a material looks: words such as "red" or "shiny", the name it gets, and inputs of its shader."""

    words: tuple[str, ...] = ()
    name: str = ""
    settings: tuple[Setting, ...] = ()


class Keyframe(_Part):
    """A value at a frame."""

    frame: float
    value: Value


class Add(_Part):
    """Add an object or, with `to`, a part of an existing thing."""

    do: Literal["add"] = "add"
    kind: str
    name: str = ""
    to: tuple[Reference, ...] = ()
    at: Value | None = None
    settings: tuple[Setting, ...] = ()
    look: Look | None = None
    collection: str = ""
    if_missing: bool = False


class Set(_Part):
    """Set properties of things; without `of`, of the scene or of the last thing named."""

    do: Literal["set"] = "set"
    settings: Annotated[tuple[Setting, ...], Field(min_length=1)]
    of: tuple[Reference, ...] = ()


class Key(_Part):
    """Key a property at frames."""

    do: Literal["key"] = "key"
    property: str
    of: tuple[Reference, ...]
    keys: Annotated[tuple[Keyframe, ...], Field(min_length=1)]
    interpolation: str = ""


class Transform(_Part):
    """Move, rotate or scale, to a place in the world or by an amount."""

    do: Literal["move", "rotate", "scale"]
    things: tuple[Reference, ...]
    how: Literal["to", "by"]
    value: Value
    axis: str = ""
    """X, Y or Z of the world, if the value is one number."""


class Paint(_Part):
    """Give things a material."""

    do: Literal["paint"] = "paint"
    things: tuple[Reference, ...]
    look: Look


class Delete(_Part):
    """Delete objects; children stay where they are."""

    do: Literal["delete"] = "delete"
    things: tuple[Reference, ...]


class Duplicate(_Part):
    """Copy an object, with data of its own unless linked."""

    do: Literal["duplicate"] = "duplicate"
    thing: Reference
    name: str = ""
    at: Value | None = None
    by: Value | None = None
    linked: bool = False


class Rename(_Part):
    """Give something another name."""

    do: Literal["rename"] = "rename"
    thing: Reference
    name: str


class Parent(_Part):
    """Parent objects to another, or to none; they stay where they are."""

    do: Literal["parent"] = "parent"
    things: tuple[Reference, ...]
    to: Reference | None


class Join(_Part):
    """Join meshes into one of them."""

    do: Literal["join"] = "join"
    things: tuple[Reference, ...]
    into: Reference | None = None
    name: str = ""


class Shade(_Part):
    """Shade the faces of meshes."""

    do: Literal["shade"] = "shade"
    things: tuple[Reference, ...]
    how: Literal["smooth", "flat"]


class Aim(_Part):
    """Turn things so that they look at another thing: cameras and lights along their own view."""

    do: Literal["aim"] = "aim"
    things: tuple[Reference, ...]
    at: Reference | Vector


class Collect(_Part):
    """Put objects into a collection and take them out of all others; the collection is made if missing."""

    do: Literal["collect"] = "collect"
    things: tuple[Reference, ...]
    collection: str


class Select(_Part):
    """Select things and nothing else; the last of them becomes the active object."""

    do: Literal["select"] = "select"
    things: tuple[Reference, ...]


class Apply(_Part):
    """Apply a modifier, or the location, rotation or scale of objects."""

    do: Literal["apply"] = "apply"
    what: str
    of: tuple[Reference, ...] = ()


class Link(_Part):
    """Link an output of a node to an input of another one."""

    do: Literal["link"] = "link"
    output: str
    source: Reference
    input: str
    target: Reference


class Recipe(_Part):
    """Run a recipe of the cookbook with constants of its own file."""

    do: Literal["recipe"] = "recipe"
    name: str
    settings: tuple[Setting, ...] = ()


Operation = Annotated[
    Add | Set | Key | Transform | Paint | Delete | Duplicate | Rename | Parent | Join | Shade | Aim | Collect | Select
    | Apply | Link | Recipe,
    Field(discriminator="do"),
]  # fmt: skip
