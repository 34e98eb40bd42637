"""What words name which Blender thing, read from the TOML files beside this module.

grammar.toml     the words that hold a request together, numbers, units
primitives.toml  modifiers.toml  materials.toml     things, their properties, units, limits
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Final, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict

from app.drafting.composer.tokens import Token

T = TypeVar("T")

PropertyKind = Literal[
    "bool",
    "int",
    "number",
    "factor",
    "length",
    "angle",
    "choice",
    "axis",
    "axes",
    "numbers",
    "lengths",
    "angles",
    "scales",
]


class Phrases(Generic[T]):
    """A table of what phrases mean. Case and hyphens do not matter; of two phrases that fit, the longer counts."""

    def __init__(self, meanings: Iterable[tuple[str, T]]) -> None:
        self._meanings: Final = {tuple(phrase.lower().replace("-", " ").split()): m for phrase, m in meanings}
        self._longest: Final = max(map(len, self._meanings), default=0)

    def match(self, tokens: Sequence[Token], at: int) -> tuple[T, int] | None:
        """Return the meaning of the phrase that begins at this token, and how many tokens it has."""
        words = tuple(token.word for token in tokens[at : at + self._longest])
        for length in range(len(words), 0, -1):
            if words[:length] in self._meanings:
                return self._meanings[words[:length]], length
        return None

    def phrases(self) -> list[str]:
        """Every phrase, in lower case."""
        return [" ".join(phrase) for phrase in self._meanings]

    def words(self) -> set[str]:
        """Every single word that occurs in a phrase."""
        return {word for phrase in self._meanings for word in phrase}


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Property(_Entry):
    """Something that a request can set on a thing.

    `min` and `max` are Blender's hard limits and may be reached, `above` may not; lengths in metres, angles in
    degrees. `attributes` take the value, multiplied by `scale`. `also` take it too unless the request says otherwise.
    `needs` lists what other attributes may be for this one to have an effect; those in `asks` the request must set
    itself. `unnamed`: "a 2 m cube" means this one.
    """

    words: list[str]
    kind: PropertyKind
    attributes: list[str]
    also: list[str] = []
    min: float | None = None
    max: float | None = None
    above: float | None = None
    scale: float = 1.0
    choices: dict[str, str] = {}
    needs: dict[str, list[bool | str]] = {}
    asks: list[str] = []
    unnamed: bool = False

    @cached_property
    def choice(self) -> Phrases[str]:
        """What words name which item of the enum."""
        return Phrases(self.choices.items())


class Properties:
    """The properties of a thing, by the phrases that name them."""

    def __init__(self, properties: Iterable[Property]) -> None:
        entries: Final = list(properties)
        self.named: Final = Phrases((phrase, entry) for entry in entries for phrase in entry.words)
        self.axis: Final = next((entry for entry in entries if entry.kind in {"axis", "axes"}), None)
        self.unnamed: Final = next((entry for entry in entries if entry.unnamed), None)
        self.choices: Final = [entry for entry in entries if entry.kind == "choice"]
        self.names: Final = [entry.words[0] if entry.words else "axis" for entry in entries]

    def words(self) -> set[str]:
        """Every single word that names a property or an item of one."""
        return self.named.words().union(*(entry.choice.words() for entry in self.choices))


class Primitive(_Entry):
    """A mesh that can be added.

    `mesh` is the code that builds it: a call on the BMesh `bm`, or a whole function. It has a {placeholder} for each
    default, a function also for {function} and {mesh_name}. `imports` are names by module.
    """

    key: str
    words: list[str]
    name: str
    mesh: str
    defaults: dict[str, bool | int | float]
    imports: dict[str, list[str]] = {}
    properties: dict[str, Property] = {}

    @property
    def title(self) -> str:
        """How a sentence calls it."""
        return self.words[0]

    @cached_property
    def settable(self) -> Properties:
        """Its properties, by phrase."""
        return Properties(self.properties.values())


class Modifier(_Entry):
    """A modifier: `key` is its type in the API, `type` its class, `name` what Blender calls a new one.

    `alone` are those of its `words` that can mean nothing else, so that "modifier" need not follow.
    """

    key: str
    words: list[str]
    name: str
    type: str
    alone: list[str] = []
    properties: dict[str, Property] = {}

    @property
    def title(self) -> str:
        """How a sentence calls it."""
        return self.words[0]

    @cached_property
    def settable(self) -> Properties:
        """Its properties, by phrase."""
        return Properties(self.properties.values())


@dataclass(frozen=True)
class Finish:
    """A word for how a surface looks, as inputs of the shader."""

    label: str
    inputs: Mapping[str, float]


@dataclass(frozen=True)
class Hue:
    """A colour word and its colour, #rrggbb as seen on screen. `metal`: it is also what a metal is called."""

    word: str
    code: str
    metal: bool


@dataclass(frozen=True)
class Tint:
    """A word that moves a colour towards another one, `by` a part of the way."""

    word: str
    towards: str
    by: float


class Unit(_Entry):
    """A unit: of what, and how many metres, degrees or parts of one it is."""

    of: Literal["length", "angle", "share"]
    size: float


@dataclass(frozen=True)
class Lexicon:
    """Every phrase the composer knows, by the role it can play in a request.

    `substitute` is what is added where an object is missing.
    """

    words: Mapping[str, Phrases[str]]
    ensure_active: Phrases[str]
    shades: Phrases[bool]
    switches: Phrases[bool]
    axes: Phrases[int]
    points: Phrases[list[float]]
    numbers: Phrases[int]
    units: Phrases[Unit]
    primitives: Phrases[Primitive]
    substitute: Primitive
    modifiers: Phrases[Modifier]
    placing: Properties
    location: Property
    material: Properties
    any_property: Phrases[str]
    material_inputs: Mapping[str, str]
    finishes: Phrases[Finish]
    hues: Phrases[Hue]
    tints: Phrases[Tint]
    vocabulary: frozenset[str]
    function_words: frozenset[str]


def read_toml(name: str) -> dict[str, Any]:
    """Read a data file of this package."""
    return tomllib.loads(files("app.drafting.composer").joinpath(name).read_text(encoding="utf-8"))


@cache
def load_lexicon() -> Lexicon:
    """Read the data files. Raises `pydantic.ValidationError` if an entry is malformed."""
    grammar, materials = read_toml("grammar.toml"), read_toml("materials.toml")
    things = read_toml("primitives.toml")
    every_object = _properties(things.pop("object"))
    placing = Properties(every_object.values())
    primitives = [Primitive(key=key, **_thing(data)) for key, data in things.items()]
    modifiers = [Modifier(key=key, **_thing(data)) for key, data in read_toml("modifiers.toml").items()]
    material = Properties(_properties(materials["properties"]).values())
    phrases = {role: Phrases((phrase, phrase) for phrase in known) for role, known in grammar["words"].items()}
    tables: dict[str, Phrases[Any]] = {
        "ensure_active": Phrases((phrase, phrase) for phrase in grammar["actions"]["ensure_active"]),
        "shades": Phrases(grammar["shades"].items()),
        "switches": Phrases(grammar["switches"].items()),
        "axes": Phrases(grammar["axes"].items()),
        "points": Phrases(grammar["points"].items()),
        "numbers": Phrases(grammar["numbers"].items()),
        "units": Phrases(_units(grammar["units"])),
        "primitives": Phrases((phrase, thing) for thing in primitives for phrase in thing.words),
        "modifiers": Phrases((phrase, thing) for thing in modifiers for phrase in thing.words),
        "finishes": Phrases((word, Finish(word.title(), inputs)) for word, inputs in materials["finishes"].items()),
        "hues": Phrases(
            (word, Hue(word, code, word in materials["metals"]["words"])) for word, code in materials["colours"].items()
        ),
        "tints": Phrases((word, Tint(word, **data)) for word, data in materials["shades"].items()),
    }
    settable: list[Properties] = [
        placing,
        material,
        *(p.settable for p in primitives),
        *(m.settable for m in modifiers),
    ]
    known: list[Phrases[Any] | Properties] = [*phrases.values(), *tables.values(), *settable]
    return Lexicon(
        words=phrases,
        substitute=next(thing for thing in primitives if thing.key == "cube"),
        placing=placing,
        location=every_object["location"],
        material=material,
        any_property=Phrases((phrase, phrase) for each in settable for phrase in each.named.phrases()),
        material_inputs=materials["inputs"],
        vocabulary=_all_words(known),
        function_words=_all_words(phrases.values()),
        **tables,
    )


def _all_words(tables: Iterable[Phrases[Any] | Properties]) -> frozenset[str]:
    return frozenset(word for table in tables for word in table.words())


def _thing(data: dict[str, Any]) -> dict[str, Any]:
    return {**data, "properties": _properties(data.get("properties", {}))}


def _properties(data: dict[str, Any]) -> dict[str, Property]:
    """A property sets the attribute it is called after, unless the data says otherwise."""
    return {key: Property.model_validate({"attributes": [key], **entry}) for key, entry in data.items()}


def _units(data: dict[str, dict[str, float]]) -> Iterable[tuple[str, Unit]]:
    for of, sizes in data.items():
        for phrase, size in sizes.items():
            yield phrase, Unit.model_validate({"of": of, "size": size})
