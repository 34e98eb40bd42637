"""The drafting source that needs no model. A request goes through it like this:

    "Add a 12-sided cylinder called Pole at (2, 0, 1) and shade it smooth"
      │
      │ moods.py      makes commands of lists, of "it should be moved" and of "moving it"
      │ reader.py     leaves out politeness, mends small typing errors
      │ tokens.py     cuts it into words, numbers, names in quotes, paths and marks; drops nothing
      │ lexicon.py    what words name: built from the manifest of the Blender that is meant, and words.toml
      │ patterns.py   the grammar's notation          slots.py   numbers, vectors, colors, names, objects, settings
      │ grammar.py    every kind of step with its wordings: steps/*.py
      │ asides.py     what is said in passing and must hold ("no modifiers please")
      │ restated.py   "X should look at Y" and its like, for a second and freer reading
      │ loosely.py    the same wordings with their parts in any order      filters.py   which of many objects
      │ cover.py      every way to cover the request with steps
      v
    composer.py       covers the whole request with steps, or refuses with the words that found no place
      │
      │               partly.py says which sentences were understood of a request that was refused
      v
    build.py          each step's function writes its lines: the object it means, the settings, the helpers it needs
      parts.py        the helper functions that snippets share      needs.toml   what a setting has no effect without

Every way to cover the request is tried, the longest steps first, until one makes sense as a whole: a setting that the
thing does not have, or a word that may mean two objects, is a reason to try the next one, and to refuse after the last.
"""

from __future__ import annotations

import contextlib
import functools
import re
import threading
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from typing import Final

from app.drafting.composer.accepting import acceptance
from app.drafting.composer.asides import set_apart
from app.drafting.composer.assembling.told import begun, tells_of_parts
from app.drafting.composer.build import Build
from app.drafting.composer.cover import Clause, Cover, NoCover
from app.drafting.composer.lexicon import Lexicon
from app.drafting.composer.moods import in_commands, itemized
from app.drafting.composer.partly import planned
from app.drafting.composer.patterns import Reading
from app.drafting.composer.reader import read, verb_forms
from app.drafting.composer.restated import commanded
from app.drafting.composer.steps import load_steps
from app.drafting.composer.steps.scripting import ABOUT_BODIES
from app.drafting.composer.values import Ambiguous, refuse
from app.drafting.draft import Draft, NotUnderstood, Plan, ValueOutOfRange
from ingest.manifest import Manifest

load_steps()

BUILDS: Final = 80
"""How many ways to read a request are tried."""
MAX_TOKENS: Final = 250
"""Longer requests are no everyday ones."""


def load_examples() -> tuple[str, ...]:
    """Requests that the composer answers, from examples.toml."""
    text = files("app.drafting.composer").joinpath("examples.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["requests"])


class Composer:
    """Answers requests that name Blender things, and refuses every other one as a whole. May be called by threads."""

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._lexicons: Final[dict[str, Lexicon]] = {}

    def draft(self, request: str, manifest: Manifest) -> Draft:
        """Write the snippet that the request asks for, for the Blender of this manifest.

        The same request always gives the same snippet. Raises `NotUnderstood` if a word found no place,
        `ValueOutOfRange` if Blender does not take a value.
        """
        with self._lock:
            lexicon = self.lexicon(manifest)
            build, steps = compose(lexicon, request)
            checks = acceptance(build, steps)
            return Draft(snippet=build.finish(), source="composer", notes=build.notes, accept=checks)

    def plan(self, request: str, manifest: Manifest) -> Plan:
        """What is understood of a request that is refused as a whole, sentence by sentence."""
        return planned(itemized(request), lambda part: self.draft(part, manifest).snippet)

    def lexicon(self, manifest: Manifest) -> Lexicon:
        """The lexicon of this Blender, built the first time."""
        key = f"{manifest.version} {manifest.build_hash}"
        if key not in self._lexicons:
            self._lexicons[key] = Lexicon(manifest)
        return self._lexicons[key]


def compose(lexicon: Lexicon, request: str) -> tuple[Build, list[str]]:
    """Find the first way to cover the request that makes sense, and write it; answers the names of its steps too."""
    reading = read(lexicon, itemized(request))
    if not reading.tokens:
        raise NotUnderstood([], "The request is empty.")
    if len(reading.tokens) > MAX_TOKENS:
        raise NotUnderstood([], f"A request of {len(reading.tokens)} words is too long here; send it in parts.")
    if asked(request):
        raise NotUnderstood(["?"], '"?": what stands before is asked, what behind is to be done?')
    try:
        return understood(lexicon, request, reading)
    except (Ambiguous, ValueOutOfRange):
        raise
    except NotUnderstood as refusal:
        for other in in_other_forms(lexicon, request, reading):
            with contextlib.suppress(NotUnderstood):
                return understood(lexicon, request, other)
        if tells_of_parts(request):
            return from_parts(lexicon, request, replace(reading, parts=True, memo={}, furthest=0), refusal)
        raise refusal from None


def from_parts(lexicon: Lexicon, request: str, reading: Reading, otherwise: NotUnderstood) -> tuple[Build, list[str]]:
    """Cover a request that builds something from parts; raises the other refusal where it begins with no such thing."""
    try:
        return understood(lexicon, request, reading)
    except NotUnderstood as refusal:
        raise (refusal if begun(reading, len(reading.tokens)) else otherwise) from None


def in_other_forms(lexicon: Lexicon, request: str, reading: Reading) -> Iterator[Reading]:
    """The request without the lines that it was written in, and as commands where it is none."""
    yield from (replace(reading, tokens=tokens, memo={}) for tokens in in_commands(reading, verb_forms()))
    if "\n" in request.strip():
        unbroken = read(lexicon, request)
        if [each.word for each in unbroken.tokens] != [each.word for each in reading.tokens]:
            yield unbroken


def understood(lexicon: Lexicon, request: str, reading: Reading) -> tuple[Build, list[str]]:
    """Cover the request as it is, or else more freely."""
    try:
        return covered(lexicon, request, reading)
    except NotUnderstood as refusal:
        for apart, asides in set_apart(reading):
            if not apart:
                break  # nothing is asked for
            with contextlib.suppress(NotUnderstood):
                return freely(lexicon, request, replace(reading, tokens=apart, asides=asides, memo={}))
        raise refusal from None


def freely(lexicon: Lexicon, request: str, reading: Reading) -> tuple[Build, list[str]]:
    """Cover the request with remarks passed over, then with the parts of its clauses in any order, then as it is told."""
    tokens, bodies, properties = commanded(reading)
    if not tokens:
        raise NotUnderstood([], "The request asks for nothing.")
    freer = replace(reading, tokens=tokens, bodies=bodies, properties=properties, lenient=True, memo={}, furthest=0)
    problem = NotUnderstood([], "")
    for again in (freer, replace(freer, loose=True, memo={})):
        try:
            return covered(lexicon, request, again)
        except NoCover as refusal:
            problem = refusal
        except NotUnderstood:
            return covered(lexicon, request, replace(freer, loose=True, told=True, memo={}))
    raise problem


COURTESY: Final = re.compile(r"\b(can|could|would|will|may|might|possible|you|we|i|how|please)\b", re.IGNORECASE)


def asked(request: str) -> bool:
    """Whether a question stands before what is to be done: "The bottom faces? Just the bottom face of ..."."""
    for mark in re.finditer(r"\?\s+(?=\S+\s+\S+\s)", request):
        sentence = re.split(r"[.!;?]\s", request[: mark.start()])[-1]
        if not COURTESY.search(sentence):
            return True
    return False


def covered(lexicon: Lexicon, request: str, reading: Reading) -> tuple[Build, list[str]]:
    """Find the first way to cover what was read that makes sense, and write it."""
    cover = Cover(reading)
    problem: NotUnderstood | None = None
    for tried, clauses in enumerate(map(functools.partial(rendered_last, reading), cover.all())):
        if tried >= BUILDS:
            break
        build = Build(lexicon, request, lenient=reading.lenient)
        build.memory["_declared"] = reading.properties
        try:
            for clause in clauses:
                leaves = reading.new_sentence(clause.start) and clause.start not in reading.bodies
                if build.in_body and leaves and clause.rule.write.__name__ not in ABOUT_BODIES:
                    build.close_body()
                if reading.new_sentence(clause.start):
                    build.scene_meant = ""
                build.begin()
                clause.rule.write(build, **clause.rule.arguments_from(clause.env))
                build.end()
            build.close_body()
            build.settle()
            build.check_forbidden(reading.asides)
            build.check_subjects()
            build.check_places()
            if build.pending:
                raise refuse(build.pending, "how?")
            if build.unsaid and (heading := next((each for each in clauses if is_heading(reading, each)), None)):
                raise refuse(reading.said(heading.start, heading.end), "the object of that name, or the active one?")
            last = next((each for each in reversed(clauses) if each.rule.write.__name__ != "remark"), clauses[-1])
            if last.rule.write.__name__ in {"about", "for_each", "part_there", "bones_there", "particles_there"}:
                raise refuse(reading.said(last.start, last.end), "nothing is said about it")
        except Ambiguous:
            raise
        except NotUnderstood as refusal:
            problem = problem or refusal
            continue
        return build, [clause.rule.write.__name__ for clause in clauses]
    raise problem or cover.refusal()


RENDERS: Final = frozenset({"render_still", "render_frames", "render_through"})
"""Steps that render at once."""
HOW: Final = frozenset({
    "set_render", "set_panel", "set_resolution", "output", "remark", "world_color", "depth_of_field", "mist", "as_rendered", "gpu_backend",
})  # fmt: skip
"""Steps that say how is rendered."""
LATER: Final = frozenset(
    {"then", "afterwards", "after", "finally", "next", "back", "again", "before", "once", "lastly"}
)


def rendered_last(reading: Reading, clauses: list[Clause]) -> list[Clause]:
    """The steps with a render behind the sentences that say how: "Render to a.png. Use Cycles with 32 samples."."""
    first = next((place for place, each in enumerate(clauses) if each.rule.write.__name__ in RENDERS), len(clauses))
    behind = clauses[first + 1 :]
    said = {reading.word(place) for place in range(clauses[first].end, len(reading.tokens))} if behind else LATER
    if said & LATER or any(each.rule.write.__name__ not in HOW for each in behind):
        return clauses
    return [*clauses[:first], *behind, clauses[first]]


def is_heading(reading: Reading, clause: Clause) -> bool:
    """Whether a clause is a remark before a colon that begins with a capital: it may name an object."""
    first = reading.tokens[clause.start].text
    return (
        clause.rule.write.__name__ == "remark"
        and reading.mark(clause.end) in {":", "-"}
        and first[:1].isupper()
        and not first.isupper()
    )
