r"""Every way to cover a request with steps, and the words that found no place where there is none.

    "add a cube, then shade it smooth"
     \________/       \_____________/      two clauses, and what separates them

The longest clauses come first; clauses are kept by the place where they begin, and so are the places from which nothing leads on.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.drafting.composer.assembling.told import begun, speaks_of_parts
from app.drafting.composer.grammar import RULES, Rule
from app.drafting.composer.loosely import read_loosely
from app.drafting.composer.patterns import Reading
from app.drafting.composer.reader import PHRASES, SEPARATORS, nearest, vocabulary
from app.drafting.composer.slots import looks_like_name
from app.drafting.composer.tokens import singular
from app.drafting.draft import NotUnderstood

READINGS: Final = 3
"""How many ways to read one rule up to one place are kept."""
SHOWN: Final = 80
ARROWS: Final = frozenset({"->", "=>", "→"})
MARKS: Final = frozenset({",", ".", ";", ":", "!", "?", "(", ")"})


@dataclass(frozen=True)
class Clause:
    """One step as it was read."""

    rule: Rule
    env: Mapping[str, Any]
    start: int
    end: int


class NoCover(NotUnderstood):
    """The steps do not cover the request; otherwise they do, and make no sense."""


ORDINALS: Final = frozenset({"first", "second", "third", "next"})


def counts(reading: Reading, at: int) -> bool:
    """Whether a word such as "first" says which one here, and not when: "first modifier of Snail: ..."."""
    return reading.word(at) in ORDINALS and reading.word(at + 1) in {
        "modifier", "constraint", "material", "slot", "keyframe", "key", "bone", "strip", "marker", "child", "one", "scene", "empty",
    }  # fmt: skip


def all_but(reading: Reading, at: int) -> bool:
    """Whether "but" names what is left out: "everything but the top face"."""
    start = at
    while start and not reading.mark(start - 1):
        start -= 1
    after = reading.tokens[at + 1] if at + 1 < len(reading.tokens) else None
    thing = after is not None and (after.kind == "quoted" or after.word in {"the", "a", "its", "those", "that", "one"})
    return start < at and thing and bool(WHOLE & {reading.word(place) for place in range(start, at)})


WHOLE: Final = frozenset({"all", "every", "everything", "anything", "each", "nothing", "any"})
PURPOSES: Final = frozenset({"so", "because", "since"})
"""Words that begin a remark behind a step."""
SPOKEN_FOR: Final = frozenset({"surface", "set_render", "on_top", "prepare"})
"""Steps that are no heading: a step behind their colon would be about something else."""
TOLD: Final = frozenset({"animate_told", "turn_told", "way_told", "curves_told", "remark"})
"""The steps that are told in free words."""
STRICT: Final = frozenset(
    {
        "operation",
        "begin_thing",
        "more_parts",
        "placed_parts",
        "tell_parts",
        "paint_parts",
        "name_copies",
        "part_of_parts",
        "topped",
    }
)
"""The steps whose parts keep their order."""
OPENING: Final = frozenset({"operator", "handler", "keyed_operator", "in_scene"})
"""Steps whose body may follow at once: "an operator that moves ..."."""


def spaced(reading: Reading, at: int) -> bool:
    """Whether a dash stands between two clauses: "so that cloth can lie on it - outer thickness 1 cm"."""
    token = reading.tokens[at]
    around = reading.request[max(0, token.start - 1) : token.end + 1]
    return reading.lenient and reading.mark(at) == "-" and around == " - "


class Cover:
    """Every way to cover the tokens of a request with steps."""

    def __init__(self, reading: Reading) -> None:
        self._reading: Final = reading
        self._clauses: Final[dict[int, list[Clause]]] = {}
        self._dead: Final[set[int]] = set()
        self._furthest = 0

    def all(self) -> Iterator[list[Clause]]:
        """Each way, the one with the longest steps first."""
        for found in self._from(self._separated(0)):
            if found:
                yield found

    def _from(self, at: int) -> Iterator[list[Clause]]:
        if at >= len(self._reading.tokens):
            yield []
            return
        if at in self._dead:
            return
        alive = False
        self._furthest = max(self._furthest, at)
        for clause in self.clauses(at):
            after = self._separated(clause.end)
            if clause.rule.write.__name__ == "for_each" and self._reading.tokens[after : after + 1]:
                after += self._reading.tokens[after].text in ARROWS  # "all meshes -> shade smooth"
            if self._reading.mark(clause.end) == ":" and clause.rule.write.__name__ in SPOKEN_FOR:
                continue  # "glow: ...": what stands behind the colon says more of it
            if after == clause.end < len(self._reading.tokens):
                if clause.rule.write.__name__ not in OPENING and self._reading.word(after) not in PURPOSES:
                    continue  # two steps with nothing between them are none
                after = self._separated(after + (self._reading.word(after) in {"that", "which", "and", "to", "it"}))
            for rest in self._from(after):
                alive = True
                yield [clause, *rest]
        if not alive:
            self._dead.add(at)

    def _separated(self, at: int) -> int:
        reading = self._reading
        while at < len(reading.tokens) and not counts(reading, at):
            phrase = next((p for p in PHRASES if tuple(reading.word(at + k) for k in range(len(p))) == p), None)
            if phrase:
                at += len(phrase)
            elif reading.word(at) == "but" and all_but(reading, at):
                break
            elif reading.mark(at) in MARKS or reading.word(at) in SEPARATORS or spaced(reading, at):
                at += 1
            else:
                break
        return at

    def clauses(self, at: int) -> list[Clause]:
        """The steps that begin at this token, the longest first."""
        if at not in self._clauses:
            found: dict[tuple[int, int], list[Clause]] = {}
            for rule in RULES:
                if self._reading.told and rule.write.__name__ not in TOLD:
                    continue
                try:
                    ways = rule.matcher(self._reading, at, {})
                    if self._reading.loose and rule.write.__name__ not in STRICT:
                        ways = itertools.chain(ways, read_loosely(rule.text, self._reading, at))
                    for end, env in ways:
                        same = found.setdefault((end, rule.rank), [])
                        if (
                            end > at
                            and len(same) < READINGS
                            and rule.is_filled(env)
                            and all(env != other.env for other in same)
                        ):
                            same.append(Clause(rule, env, at, end))
                except NotUnderstood:
                    continue
            every = [clause for clauses in found.values() for clause in clauses]
            self._clauses[at] = sorted(every, key=lambda clause: (-clause.end, clause.rule.rank))
        return self._clauses[at]

    def refusal(self) -> NoCover:
        """The words that found no place."""
        reading = self._reading
        known = vocabulary(reading.lexicon)
        unknown = [
            token.text
            for place, token in enumerate(reading.tokens)
            if token.kind == "junk"
            or (
                token.kind == "word"
                and not {token.word, singular(token.word)} & known.keys()
                and not looks_like_name(token.text, reading, place)
            )
        ]
        if speaks_of_parts(reading) and begun(reading, len(reading.tokens)):
            unknown = []  # a part may be called anything
        start = min(self._furthest, len(reading.tokens) - 1)
        end = start
        while end < len(reading.tokens) and reading.mark(end) not in {".", ";", "!", "?"}:
            end += 1
        words = unknown or [reading.said(start, max(end, start + 1))]
        shown = textwrap.shorten(", ".join(words), SHOWN, placeholder=" ...")
        near = nearest(words[0], known)
        hint = f"; near: {', '.join(near)}" if near else ""
        if not unknown and reading.furthest > start:
            last = reading.said(start, min(reading.furthest + 1, len(reading.tokens)))
            return NoCover(words, f'Not understood in this place: "{shown}" (read up to "{last[-SHOWN:]}"){hint}')
        return NoCover(words, f"Not understood: {shown}{hint}")
