"""Reads a request as a plan. Every word must find its place; where one does not, the request is refused.

    request ── tokens ── clauses: ensure | shade | give | paint | make | move | add ── steps

A clause ends at a full stop, a comma, "and" or "then". Words are dropped only where they cannot change the meaning.
"""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from app.drafting.composer.cursor import Cursor, unquoted_name_end
from app.drafting.composer.lexicon import Lexicon, Properties
from app.drafting.composer.materials import Surface
from app.drafting.composer.nouns import Nouns
from app.drafting.composer.plan import Active, AddModifier, EnsureActive, Move, Plan, Step, Target
from app.drafting.composer.settings import place_here
from app.drafting.composer.targets import Objects, target_here
from app.drafting.draft import NotUnderstood

_SHOWN: Final = 80
"""How much is shown of what makes no sense."""
_CALLED: Final = 4
"""The phrases for "called" have fewer words."""
_HINTS: Final = 3
"""For how many unknown words a near one is looked for."""
_ALIKE: Final = 0.8
_LETTERS: Final = 4
"""Shorter words are near to too many others."""


def read(lexicon: Lexicon, request: str) -> Plan:
    """Read a request. Raises `NotUnderstood` with the words that found no place, or `ValueOutOfRange`."""
    cursor = Cursor(lexicon, request)
    if cursor.done():
        raise NotUnderstood([], "The request is empty.")
    unknown = _unknown_words(cursor)
    if unknown:
        shown = textwrap.shorten(", ".join(unknown), _SHOWN, placeholder=" ...")
        raise NotUnderstood(unknown, f"Not understood: {shown}{_hint(cursor, unknown)}")
    return _Reader(cursor).read()


def _unknown_words(cursor: Cursor) -> list[str]:
    """The words that no request can hold, other than names that it gives to objects."""
    unknown: list[str] = []
    names: set[str] = set()
    called = cursor.lexicon.words["called"]
    at = 0
    while at < len(cursor.tokens):
        found = called.match(cursor.tokens, at)
        if found is not None:
            start = at + found[1]
            at = max(start, unquoted_name_end(cursor.tokens, start, cursor.request))
            names.update(token.text for token in cursor.tokens[start:at])
            continue
        token = cursor.tokens[at]
        known = token.kind != "junk" and (token.kind != "word" or token.word in cursor.lexicon.vocabulary)
        if not known and token.text not in names:
            unknown.append(token.text)
        at += 1
    return unknown


def _hint(cursor: Cursor, unknown: list[str]) -> str:
    """What may help with unknown words: the nearest word, or what can be set on the thing they seem to be said of."""
    lexicon = cursor.lexicon
    things = (lexicon.primitives, lexicon.modifiers, lexicon.any_property, lexicon.finishes, lexicon.hues)
    words = sorted({word for table in things for word in table.words() if len(word) >= _LETTERS})
    for word in [word for word in unknown[:_HINTS] if len(word) >= _LETTERS]:
        near = difflib.get_close_matches(word.lower(), words, n=1, cutoff=_ALIKE)
        if near:
            return f'; did you mean "{near[0]}"?'
    known: dict[str, list[Properties]] = {}
    before: list[str] = []
    for at, token in enumerate(cursor.tokens):
        primitive = lexicon.primitives.match(cursor.tokens, at)
        modifier = lexicon.modifiers.match(cursor.tokens, at)
        if primitive is not None:
            known = {primitive[0].title: [primitive[0].settable, lexicon.placing, lexicon.material]}
        elif modifier is not None:
            known = {f"{modifier[0].title} modifier": [modifier[0].settable]}
        elif token.text == unknown[0]:
            # "with a hole", "with 3 copies"
            return f"; {_what_can_be_set(known)}" if known and "with" in before[-2:] else ""
        before.append(token.word)
    return ""


def _what_can_be_set(known: Mapping[str, Sequence[Properties]]) -> str:
    things = (
        f"the {title}: {', '.join(name for table in own for name in table.names)}" for title, own in known.items()
    )
    return f"what can be set on {'; on '.join(things)}"


class _Reader:
    def __init__(self, cursor: Cursor) -> None:
        self._cursor: Final = cursor
        self._lexicon: Final = cursor.lexicon
        self._objects: Final = Objects()
        self._nouns: Final = Nouns(cursor, self._objects)

    def read(self) -> Plan:
        self._separators()
        while not self._cursor.done():
            self._clause()
            start = self._cursor.at
            if not self._separators() and not self._cursor.done():
                raise self._stray()
            if self._cursor.done() and self._dangles(start):
                raise self._cursor.refuse("something was expected after it", start)
        if not self._nouns.steps:
            raise NotUnderstood([], "The request asks for nothing.")
        self._objects.check()
        return Plan(tuple(self._final_steps()))

    def _final_steps(self) -> Iterator[Step]:
        """The steps as they are carried out; a second modifier of the same kind gets a name of its own."""
        taken: set[tuple[Target, str]] = set()
        for step in self._nouns.steps:
            if isinstance(step, Surface):
                yield step.step()
            elif isinstance(step, AddModifier):
                name, count = step.name, 1
                while (step.target, name) in taken:
                    if step.name != step.modifier.name:
                        raise NotUnderstood([name], f'"{name}": another modifier of this object has this name')
                    count += 1
                    name = f"{step.name} {count}"
                taken.add((step.target, name))
                yield replace(step, name=name)
            else:
                yield step

    def _stray(self) -> NotUnderstood:
        """The refusal of what follows a clause without belonging to it; the words that join it are not to blame."""
        start = self._cursor.at
        if self._cursor.says("link"):
            self._cursor.says("property_article")
        if self._cursor.done():
            self._cursor.at = start
        if self._cursor.at > start:
            return self._foreign_property() or self._cursor.refuse()
        called = self._lexicon.words["called"]
        before = [called.match(self._cursor.tokens, start - 1 - count) for count in range(1, min(start, _CALLED))]
        named = any(found is not None and found[1] == count for count, found in enumerate(before, 1))
        return self._cursor.refuse("put a name of several words in quotes" if named else "")

    def _foreign_property(self) -> NotUnderstood | None:
        """The refusal of a property that the things of this clause do not have; it says which ones they have."""
        before = self._cursor.at
        self._cursor.quantity()
        start = self._cursor.at
        known = self._nouns.described
        owned = any(table.named.match(self._cursor.tokens, start) for own in known.values() for table in own)
        if not known or owned or self._cursor.phrase(self._lexicon.any_property) is None:
            self._cursor.at = before
            return None
        return self._cursor.refuse(_what_can_be_set(known), start)

    def _separators(self) -> bool:
        start = self._cursor.at
        while self._cursor.mark(",.;!?") or self._cursor.says("then") or self._cursor.says("aside"):
            pass
        return self._cursor.at > start

    def _dangles(self, start: int) -> bool:
        """Whether the request ends with an "and" or a "then"."""
        self._cursor.at, end = start, self._cursor.at
        while self._cursor.mark(",.;!?") or self._cursor.says("aside"):
            pass
        dangles = self._cursor.at < end
        self._cursor.at = end
        return dangles

    def _clause(self) -> None:
        while self._cursor.says("please") or (not self._nouns.steps and self._cursor.says("first")):
            pass
        start = self._cursor.at
        self._nouns.described.clear()
        for clause in (self._ensure, self._shade, self._give, self._make, self._move, self._add):
            if clause():
                return
            self._cursor.at = start
        self._skip_clause()
        raise self._cursor.refuse(self._why_not(start), start)

    def _why_not(self, start: int) -> str:
        """Why the clause from `start` up to here is none."""
        reason, end, self._cursor.at = "not understood as a whole", self._cursor.at, start
        for role in ("create", "add", "article"):
            self._cursor.says(role)
        noun = self._cursor.at
        modifier = self._cursor.phrase(self._lexicon.modifiers)
        words = self._cursor.said(noun) if modifier is not None else ""
        followed, self._cursor.at = self._cursor.says("modifier"), end
        if modifier is None or followed or words.lower() in modifier.alone:
            return reason
        return f'{reason}; if you mean the modifier, say "{words} modifier"'

    def _skip_clause(self) -> None:
        first = self._cursor.tokens[self._cursor.at] if not self._cursor.done() else None
        while not self._cursor.done() and not self._cursor.mark(",.;!?"):
            self._cursor.at += 1
            if first is not None and self._cursor.tokens[self._cursor.at - 1].end - first.start > _SHOWN:
                break

    # Clauses. Each returns False if the request says something else here; it may then have moved the cursor.

    def _ensure(self) -> bool:
        """ "create the active object if missing"."""
        start = self._cursor.at
        if self._cursor.phrase(self._lexicon.ensure_active) is None:
            return False
        if self._objects.made:
            raise self._cursor.refuse("a new object of this request is active already", start)
        self._nouns.steps.append(EnsureActive())
        self._objects.speak_of(Active())
        return True

    def _shade(self) -> bool:
        """ "shade smooth", "shade the cube flat", "set smooth shading on it"."""
        start = self._cursor.at
        verb = self._cursor.says("shade")
        target = target_here(self._cursor, self._objects) if verb else None
        if not verb:
            self._cursor.says("give_shading")
        smooth = self._cursor.phrase(self._lexicon.shades)
        if smooth is None or not (self._cursor.says("shading") or verb):
            return False
        if target is None:
            target = self._onto()
        words = self._cursor.said(start)
        target = target or self._objects.implied(len(self._nouns.steps), words)
        self._nouns.shade(target, smooth, words)
        return True

    def _onto(self) -> Target | None:
        """Take "to the cube", or "the cube"."""
        start = self._cursor.at
        self._cursor.says("onto")
        target = target_here(self._cursor, self._objects)
        if target is None:
            self._cursor.at = start
        return target

    def _give(self) -> bool:
        """ "give it a red material and a bevel modifier"."""
        if not self._cursor.says("give"):
            return False
        target = target_here(self._cursor, self._objects)
        if target is None or not self._gift(target):
            raise self._cursor.refuse()
        self._nouns.list_of(lambda: self._gift(target))
        return True

    def _gift(self, target: Target) -> bool:
        return self._nouns.modifier_of(target, ()) or self._nouns.material_of(target)

    def _make(self) -> bool:
        """ "make the cube shiny and red", "paint it red"."""
        if not (self._cursor.says("make") or self._cursor.says("paint")):
            return False
        start = self._cursor.at
        target = target_here(self._cursor, self._objects)
        if target is None:
            return False
        known = self._nouns.surface_of(target)
        if not self._nouns.look_of(target):
            raise self._cursor.refuse()
        self._nouns.list_of(lambda: self._nouns.look_of(target))
        surface = self._nouns.surface_of(target)
        if known is None and surface is not None and surface.colour is None:
            raise self._cursor.refuse("a new material would lose the colour it has; say which colour", start)
        return True

    def _move(self) -> bool:
        """ "move the cube to (0, 0, 2)"."""
        if not self._cursor.says("move"):
            return False
        target = target_here(self._cursor, self._objects)
        if target is None:
            return False
        place = place_here(self._cursor) if self._cursor.says("move_to") else None
        if place is None:
            raise self._cursor.refuse("a place was expected here")
        self._nouns.steps.append(Move(target, place))
        return True

    def _add(self) -> bool:
        """ "add a cube", "a sphere and a bevel modifier to it", "solidify thickness 0.02"."""
        verb = self._cursor.says("create") or self._cursor.says("add")
        if verb:
            self._nouns.begin()
        if self._cursor.says("new"):
            return self._nouns.primitive()
        expected = self._cursor.says("article") or verb
        return (expected and self._nouns.primitive()) or self._nouns.modifier(expected=expected)
