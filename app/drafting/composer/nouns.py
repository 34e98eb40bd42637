"""Reads things and what is said of them: "a red cube 2 m wide with a bevel modifier (width 0.05)".

Each thing becomes a step at once, and is completed as its words are read. A thing inside the description of another
one ends where a word no longer fits it; the rest then belongs to the outer one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from app.drafting.composer.cursor import Cursor
from app.drafting.composer.lexicon import Modifier, Phrases, Primitive, Properties
from app.drafting.composer.materials import Look, Surface, look_here
from app.drafting.composer.plan import (
    Active,
    AddModifier,
    AddPrimitive,
    Made,
    Shade,
    Step,
    Target,
    Value,
    Vector,
)
from app.drafting.composer.settings import Setting, Settings, before_noun, setting_here
from app.drafting.composer.targets import Objects, target_here
from app.drafting.draft import NotUnderstood

Thing = TypeVar("Thing", Primitive, Modifier)

_AHEAD: Final = 12
"""How many words may stand before a noun: "a shiny dark blue 2 m wide plane"."""


@dataclass(frozen=True)
class _Noun(Generic[Thing]):
    """A thing, the words that name it, and what stood before them."""

    thing: Thing
    words: str
    settings: list[Setting]
    looks: list[Look]


@dataclass(frozen=True)
class _Neighbour:
    """The primitive before this one in "a cube and a sphere". `bare`: nothing was said of it."""

    primitive: Primitive
    bare: bool


class Nouns:
    """Reads things at the cursor into `steps`. Where a thing does not stand, its method returns False.

    `described` are the things of the clause that is being read, and what can be set on each.
    """

    def __init__(self, cursor: Cursor, objects: Objects) -> None:
        self.steps: Final[list[Step | Surface]] = []
        self.described: Final[dict[str, list[Properties]]] = {}
        self._cursor: Final = cursor
        self._lexicon: Final = cursor.lexicon
        self._objects: Final = objects
        self._untargeted: Final[list[int]] = []
        self._loose = False
        self._joined = False
        self._last_added: _Neighbour | None = None
        self._neighbour: _Neighbour | None = None

    def begin(self) -> None:
        """Note that a verb was read: what follows shares nothing with what stood before."""
        self._untargeted.clear()
        self._last_added = None

    # What is said of things in general

    def list_of(self, item: Callable[[], bool]) -> None:
        """Read items for as long as each is joined to the last by nothing, a comma, "and", "with", or brackets."""
        while True:
            start = self._cursor.at
            if self._bracketed(item):
                continue
            self._cursor.at = start
            self._join()
            if not item():
                self._cursor.at = start
                return

    def _bracketed(self, item: Callable[[], bool]) -> bool:
        self._loose = False
        self._joined = True
        if not self._cursor.mark("(") or not item():
            return False
        while not self._cursor.mark(")"):
            self._join()
            self._loose = False
            if not item():
                raise self._cursor.refuse()
        return True

    def _join(self) -> None:
        start = self._cursor.at
        comma = self._cursor.mark(",")
        self._cursor.mark(":")
        self._cursor.says("link")
        # After "and" or a comma a word may belong to the inner or to the outer thing; after "with" it is the inner.
        words = {token.word for token in self._cursor.tokens[start : self._cursor.at]}
        self._loose = (comma or "and" in words) and not words & {"with", "having", "using"}
        self._joined = self._cursor.at > start

    def _named(self, keep: Callable[[str], None]) -> bool:
        if not self._cursor.says("called"):
            return False
        keep(self._cursor.new_name())
        return True

    def _set(self, tables: Sequence[Properties], settings: Settings, rivals: Sequence[Properties] = ()) -> bool:
        """Take a setting. Raises `NotUnderstood` if it could be said of a rival as well."""
        start = self._cursor.at
        self._cursor.says("property_article")
        inside = self._cursor.at
        setting = setting_here(self._cursor, tables)
        if setting is None:
            self._cursor.at = start
            return False
        if self._fits(rivals, inside):
            raise self._cursor.refuse("this could be said of either thing; put it in brackets after its own", inside)
        settings.add(setting)
        return True

    def _fits(self, tables: Sequence[Properties], start: int) -> bool:
        """Whether what was read from `start` up to here could be a setting of one of these tables."""
        end, self._cursor.at = self._cursor.at, start
        self._cursor.says("property_article")
        try:
            fits = setting_here(self._cursor, tables) is not None
        except NotUnderstood:
            fits = True  # It names a property of theirs, with a value that they do not take.
        self._cursor.at = end
        return fits

    def _noun(self, table: Phrases[Thing]) -> _Noun[Thing] | None:
        """Take a noun and the words before it: "3 segment bevel", "shiny red 2 m cube"."""
        start = self._cursor.at
        for at in range(start, min(start + _AHEAD, len(self._cursor.tokens))):
            found = table.match(self._cursor.tokens, at)
            if found is None:
                continue
            self._cursor.at = start
            settings, looks = self._before(found[0].settable, at)
            if self._cursor.at == at:
                self._cursor.at += found[1]
                words = " ".join(token.word for token in self._cursor.tokens[at : self._cursor.at])
                return _Noun(found[0], words, settings, looks)
        self._cursor.at = start
        return None

    def _before(self, properties: Properties, noun: int) -> tuple[list[Setting], list[Look]]:
        settings: list[Setting] = []
        looks: list[Look] = []
        while self._cursor.at < noun:
            setting = before_noun(self._cursor, properties)
            look = look_here(self._cursor) if setting is None else None
            if setting is not None:
                settings.append(setting)
            elif look is not None:
                looks.append(look)
            elif not self._cursor.mark(","):
                break
        return settings, looks

    # Primitives

    def primitive(self) -> bool:
        """Take a primitive and everything said of it."""
        noun = self._noun(self._lexicon.primitives)
        if noun is None:
            return False
        primitive, start = noun.thing, self._cursor.at
        self._neighbour = self._last_added
        made = Made(len(self.steps))
        step = AddPrimitive(primitive, primitive.name, False, {}, None, None, None)
        self.steps.append(step)
        self._objects.add(made, primitive, together=self._neighbour is not None)
        self.described[primitive.title] = [primitive.settable, self._lexicon.placing, self._lexicon.material]
        settings, placing = Settings(), Settings()
        for setting in noun.settings:
            settings.add(setting)
        for look in noun.looks:
            self._surface(made).add_look(look)
        self.list_of(lambda: self._of_primitive(made, primitive, settings, placing))
        bare = self._cursor.at == start and not noun.settings and not noun.looks
        self._last_added = _Neighbour(primitive, bare)
        name = self._objects.name_of(made)
        placed = placing.values()
        self.steps[made.step] = replace(
            step,
            name=name or primitive.name,
            called=name is not None,
            settings=settings.values(),
            location=vector(placed.get("location")),
            rotation=vector(placed.get("rotation")),
            scale=vector(placed.get("scale")),
        )
        return True

    def _of_primitive(self, made: Made, primitive: Primitive, settings: Settings, placing: Settings) -> bool:
        if self._cursor.says("aside"):
            return True
        start, loose, joined = self._cursor.at, self._loose, self._joined
        neighbour, alike = self._neighbour, False
        if self._named(lambda name: self._objects.call(made, name)):
            pass
        elif self._set([primitive.settable], settings):
            alike = neighbour is not None and self._fits([neighbour.primitive.settable], start)
        elif self._set([self._lexicon.placing], placing):
            # Two things at one place make little sense, two things of one scale do.
            alike = loose or "location" not in placing.said
        elif (
            self._shading(made)
            or (joined and self.modifier_of(made, [primitive.settable, self._lexicon.placing]))
            or (joined and self.material_of(made, nested=True))
            or self.look_of(made)
        ):
            alike = True
        else:
            return False
        if neighbour is not None and alike and (loose or neighbour.bare):
            raise self._cursor.refuse(
                f"is it said of the {neighbour.primitive.title} as well? Add one thing at a time", start
            )
        self._neighbour = None
        return True

    def _shading(self, made: Made) -> bool:
        """ "with smooth shading", "shaded flat"."""
        start = self._cursor.at
        shaded = self._cursor.says("shaded")
        smooth = self._cursor.phrase(self._lexicon.shades)
        if smooth is None or not (shaded or self._cursor.says("shading")):
            self._cursor.at = start
            return False
        self.shade(made, smooth, self._cursor.said(start))
        return True

    def shade(self, target: Target, smooth: bool, words: str) -> None:
        """Add the step. Raises `NotUnderstood` if the request shades this object twice."""
        if any(isinstance(step, Shade) and step.target == target for step in self.steps):
            raise NotUnderstood([words], f'"{words}": the shading was given before')
        self.steps.append(Shade(target, smooth))

    # Modifiers

    def modifier(self, *, expected: bool) -> bool:
        """Take a modifier and the words for its object. `expected`: a verb or an article asked for a thing."""
        start, index = self._cursor.at, len(self.steps)
        targets: list[Target] = []
        step = self._modifier(targets, (), expected=expected)
        if step is None:
            return False
        self.steps.append(step)
        target = targets[0] if targets else self._objects.implied(index, self._cursor.said(start))
        self._retarget([index, *(self._untargeted if targets else [])], target)
        if targets:
            self._untargeted.clear()
        else:
            self._untargeted.append(index)
        self._objects.last = target
        self._last_added = None
        return True

    def modifier_of(self, target: Target, outer: Sequence[Properties]) -> bool:
        """Take "a bevel modifier" as a part of what its object, which is known, has or gets."""
        start = self._cursor.at
        targets: list[Target] = []
        step = self._modifier(targets, outer, expected=self._cursor.says("article"))
        if step is None or (targets and targets[0] != target):
            self._cursor.at = start
            return False
        self.steps.append(replace(step, target=target))
        return True

    def _modifier(self, targets: list[Target], outer: Sequence[Properties], *, expected: bool) -> AddModifier | None:
        """Read a modifier; its object, if the request names it, goes into `targets`."""
        start = self._cursor.at
        noun = self._noun(self._lexicon.modifiers)
        if noun is None or not self._is_modifier(noun, expected=expected):
            self._cursor.at = start
            return None
        for look in noun.looks:
            raise NotUnderstood([look.words], f'"{look.words}": a {noun.thing.title} modifier has no colour')
        modifier, settings = noun.thing, Settings()
        self.described[f"{modifier.title} modifier"] = [modifier.settable]
        for setting in noun.settings:
            settings.add(setting)
        names: list[str] = []
        counts: list[Properties] = []

        def item() -> bool:
            rivals = [*(outer if self._loose else ()), *counts]
            # After its object, "called" could name the object.
            nameable = not names and not targets and not (outer and self._loose)
            return (
                (nameable and self._named(names.append))
                or self._set([modifier.settable], settings, rivals)
                or self._onto(targets, counts)
            )

        self.list_of(item)
        return AddModifier(Active(), modifier, names[0] if names else modifier.name, settings.values())

    def _is_modifier(self, noun: _Noun[Modifier], *, expected: bool) -> bool:
        """Whether a modifier is meant: the request says so, or the name can mean nothing else."""
        if self._cursor.says("modifier"):
            return True
        if noun.words not in noun.thing.alone:
            return False
        start = self._cursor.at
        self._join()
        self._cursor.mark("(")
        followed = setting_here(self._cursor, [noun.thing.settable]) is not None
        self._cursor.at = start
        return expected or followed

    def _onto(self, targets: list[Target], counts: list[Properties]) -> bool:
        """Take "to the sphere". What counts its parts goes into `counts`.

        In "to the sphere with 64 segments" that could tell which sphere. In "to the cube with width 0.1" nobody would
        tell cubes apart like this.
        """
        if targets or not self._cursor.says("onto"):
            return False
        start = self._cursor.at
        self._cursor.says("reference")
        kind = self._cursor.phrase(self._lexicon.primitives)
        self._cursor.at = start
        target = target_here(self._cursor, self._objects)
        if target is None:
            return False
        targets.append(target)
        if kind is not None:
            counts.append(Properties(each for each in kind.properties.values() if each.kind == "int"))
        return True

    def _retarget(self, indexes: Sequence[int], target: Target) -> None:
        """In "a bevel modifier and a mirror modifier on the X axis to the cube" the cube gets both."""
        for index in indexes:
            step = self.steps[index]
            if isinstance(step, AddModifier):
                self.steps[index] = replace(step, target=target)
            if len(indexes) > 1:
                self._objects.guessed.pop(index, None)

    # Materials

    def material_of(self, target: Target, *, nested: bool = False) -> bool:
        """Take "a shiny red material", "a red colour", and everything said of it."""
        start = self._cursor.at
        article = self._cursor.says("article")
        looks: list[Look] = []
        while (look := look_here(self._cursor)) is not None:
            looks.append(look)
            if not self._cursor.mark(","):
                self._cursor.says("and")
        if not self._cursor.says("material") and not (article and self._speaks_of_colour(start)):
            self._cursor.at = start
            return False
        surface = self._surface(target)
        for look in looks:
            surface.add_look(look)
        self.list_of(lambda: (not (nested and self._loose) and self._named(surface.call)) or self.look_of(target))
        return True

    def _speaks_of_colour(self, start: int) -> bool:
        words = {token.word for token in self._cursor.tokens[start : self._cursor.at]}
        return bool(words & self._lexicon.words["coloured"].words())

    def look_of(self, target: Target) -> bool:
        """Take "red", "colour #ff8800" or "roughness 0.2"."""
        start = self._cursor.at
        self._cursor.says("property_article")
        setting = setting_here(self._cursor, [self._lexicon.material])
        if setting is not None:
            self._surface(target).add_setting(setting)
            return True
        self._cursor.at = start
        look = look_here(self._cursor)
        if look is not None:
            self._surface(target).add_look(look)
        return look is not None

    def surface_of(self, target: Target) -> Surface | None:
        """The material that the request has given this object so far."""
        found = (step for step in self.steps if isinstance(step, Surface) and step.target == target)
        return next(found, None)

    def _surface(self, target: Target) -> Surface:
        surface = self.surface_of(target)
        if surface is None:
            surface = Surface(target)
            self.steps.append(surface)
        return surface


def vector(value: Value | None) -> Vector | None:
    """The value of a property that is a place, a rotation or a scale."""
    if not isinstance(value, tuple):
        return None
    x, y, z = value
    return (x, y, z)
