"""Finds out which object a request speaks of: "the active object", "the cube", "it", "Floor" in quotes."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.drafting.composer.cursor import Cursor
from app.drafting.composer.lexicon import Primitive
from app.drafting.composer.plan import Active, Made, Named, Target
from app.drafting.draft import NotUnderstood


@dataclass
class Objects:
    """The objects that the request has spoken of so far.

    `guessed` has, by the index of a step that named no object and was given the active one, the words of that step.
    """

    made: dict[Made, Primitive] = field(default_factory=dict[Made, Primitive])
    called: dict[str, Made] = field(default_factory=dict[str, Made])
    last: Target | None = None
    guessed: dict[int, str] = field(default_factory=dict[int, str])
    named: str | None = None

    def add(self, made: Made, primitive: Primitive) -> None:
        """Keep a new object, which is "it" from here on."""
        self.made[made] = primitive
        self.last = made

    def call(self, made: Made, name: str) -> None:
        """Keep the name of a new object. Raises `NotUnderstood` if it has one, or another one has this."""
        if name in self.called or made in self.called.values():
            raise NotUnderstood([name], f'"{name}": a new object has one name of its own')
        self.called[name] = made

    def name_of(self, made: Made) -> str | None:
        """The name that the request gave to a new object."""
        return next((name for name, called in self.called.items() if called == made), None)

    def implied(self, step: int, words: str) -> Target:
        """The object of a step that names none: the one before, otherwise the active one."""
        if self.last is None:
            self.guessed[step] = words
            return Active()
        return self.last

    def check(self) -> None:
        """Raise `NotUnderstood` if a step named no object and a later one names one: both could be meant."""
        for words in self.guessed.values():
            if self.named is not None:
                raise NotUnderstood(
                    [words], f'"{words}": say for which object, as "{self.named}" is named later'
                )


def target_here(cursor: Cursor, objects: Objects) -> Target | None:
    """Take the words for an object. Raises `NotUnderstood` if two objects could be meant."""
    start = cursor.at
    for read in (_named_object, _active, _pronoun, _called_before, _by_kind):
        target = read(cursor, objects)
        if target is not None:
            objects.last = target
            if isinstance(target, Named):
                objects.named = cursor.said(start)
            return target
        cursor.at = start
    return None


def _named_object(cursor: Cursor, objects: Objects) -> Target | None:
    """ "Floor" in quotes, perhaps as: the object called "Floor"."""
    cursor.says("reference")
    if cursor.says("thing") or cursor.phrase(cursor.lexicon.primitives) is not None:
        name = cursor.new_name() if cursor.says("called") else cursor.quoted()
    else:
        name = cursor.quoted()
        cursor.says("thing")
    if name is None or name in objects.called:
        return None if name is None else objects.called[name]
    if any(kind.name == name for made, kind in objects.made.items() if made not in objects.called.values()):
        raise NotUnderstood([name], f'"{name}": the new object, or one that the scene has already?')
    return Named(name)


def _active(cursor: Cursor, objects: Objects) -> Target | None:
    """The active object: a new object is active as soon as it is made."""
    if not cursor.says("active"):
        return None
    return next(reversed(objects.made), Active())


def _pronoun(cursor: Cursor, objects: Objects) -> Target | None:
    return (objects.last or Active()) if cursor.says("pronoun") else None


def _called_before(cursor: Cursor, objects: Objects) -> Target | None:
    """A name without quotes, given earlier in the request."""
    cursor.says("reference")
    here = cursor.here
    if here is None or here.kind != "word" or here.text not in objects.called:
        return None
    cursor.at += 1
    return objects.called[here.text]


def _by_kind(cursor: Cursor, objects: Objects) -> Target | None:
    """ "the cube": the one made in this request, otherwise the one that Blender calls so."""
    cursor.says("reference")
    start = cursor.at
    primitive = cursor.phrase(cursor.lexicon.primitives)
    if primitive is None:
        return None
    made = [thing for thing, kind in objects.made.items() if kind.key == primitive.key]
    if len(made) > 1:
        raise cursor.refuse(f"the request makes {len(made)} of these; give them names", start)
    return made[0] if made else Named(primitive.name)
