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

    `last` is "it", unless `together` says that it is one of several, as in "a cube and a sphere". `guessed` has, by the
    index of a step that named no object and was given the active one, the words of that step; `named` are the words
    for an object that the request speaks of by itself.
    """

    made: dict[Made, Primitive] = field(default_factory=dict[Made, Primitive])
    called: dict[str, Made] = field(default_factory=dict[str, Made])
    last: Target | None = None
    together: bool = False
    spoken_of: set[Target] = field(default_factory=set[Target])
    guessed: dict[int, str] = field(default_factory=dict[int, str])
    named: str | None = None

    def add(self, made: Made, primitive: Primitive, *, together: bool) -> None:
        """Keep a new object. `together`: it was added in one breath with the one before."""
        self.made[made] = primitive
        self.speak_of(made)
        self.together = together
        self.named = self.named or f"a {primitive.title}"

    def speak_of(self, target: Target) -> None:
        """Note that the request means this object, which is "it" from here on."""
        self.last = target
        self.together = False
        self.spoken_of.add(target)

    def call(self, made: Made, name: str) -> None:
        """Keep the name of a new object. Raises `NotUnderstood` if it has one, or another one has this."""
        if name in self.called or made in self.called.values():
            raise NotUnderstood([name], f'"{name}": a new object has one name of its own')
        self.called[name] = made

    def name_of(self, made: Made) -> str | None:
        """The name that the request gave to a new object."""
        return next((name for name, called in self.called.items() if called == made), None)

    def implied(self, step: int, words: str) -> Target:
        """The object of a step that names none: the one spoken of, otherwise the active one.

        Raises `NotUnderstood` if the request has spoken of several.
        """
        if len(self.spoken_of) > 1:
            raise NotUnderstood([words], f'"{words}": say for which object, as the request speaks of several')
        if self.last is None:
            self.guessed[step] = words
            return Active()
        return self.last

    def check(self) -> None:
        """Raise `NotUnderstood` if a step named no object and a later one names one: both could be meant."""
        for words in self.guessed.values():
            if self.named is not None:
                raise NotUnderstood(
                    [words], f'"{words}": say for which object, as the request also speaks of "{self.named}"'
                )


def target_here(cursor: Cursor, objects: Objects) -> Target | None:
    """Take the words for an object. Raises `NotUnderstood` if two objects could be meant."""
    start = cursor.at
    for read in (_named_object, _active, _pronoun, _called_before, _by_kind):
        target = read(cursor, objects)
        if target is not None:
            objects.speak_of(target)
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
    start = cursor.at
    if not cursor.says("pronoun"):
        return None
    if objects.together:
        raise cursor.refuse("which one? The request adds several at once; name one of them", start)
    return objects.last or Active()


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
    before = cursor.at
    pointing = cursor.says("pointing")
    if not pointing:
        cursor.says("reference")
    start = cursor.at
    primitive = cursor.phrase(cursor.lexicon.primitives)
    if primitive is None:
        return None
    words = [token.word for token in cursor.tokens[start : cursor.at]]
    made = [thing for thing, kind in objects.made.items() if kind == primitive or _is_a(kind, words)]
    if len(made) > 1:
        raise cursor.refuse(f"the request makes {len(made)} of these; give them names", start)
    if pointing and not made:
        raise cursor.refuse(
            f'which one? Say "the active object", or "the {primitive.title}" for the one named {primitive.name}',
            before,
        )
    return made[0] if made else Named(primitive.name)


def _is_a(kind: Primitive, words: list[str]) -> bool:
    """Whether "sphere" may be said of an ico sphere."""
    return any(phrase.lower().split()[-len(words) :] == words for phrase in kind.words)
