"""The drafting source that needs no model. A request goes through it like this:

    "Add a 12-sided cylinder called Pole at (2, 0, 1) and shade it smooth"
      │
      │ moods.py      makes commands of lists, of "it should be moved" and of "moving it"
      │ tokens.py     cuts it into words, numbers, names in quotes, paths and marks; drops nothing
      │ lexicon.py    what words name: built from the manifest of the Blender that is meant, and words.toml
      │ patterns.py   the grammar's notation          slots.py   numbers, vectors, colors, names, objects, settings
      │ grammar.py    every kind of step with its wordings: steps/*.py
      │ asides.py     what is said in passing and must hold ("no modifiers please")
      │ loosely.py    the same wordings with their parts in any order      filters.py   which of many objects
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
import difflib
import functools
import itertools
import re
import textwrap
import threading
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any, Final

from app.drafting.composer.accepting import acceptance
from app.drafting.composer.asides import set_apart
from app.drafting.composer.assembling.told import begun, speaks_of_parts, tells_of_parts
from app.drafting.composer.build import Build
from app.drafting.composer.grammar import RULES, VOCABULARY, Rule
from app.drafting.composer.lexicon import Lexicon, Phrases, key_of, read_words
from app.drafting.composer.loosely import read_loosely
from app.drafting.composer.moods import in_commands, itemized, verbs_of, without_courtesy
from app.drafting.composer.partly import planned
from app.drafting.composer.patterns import COMPILED, Reading, literals
from app.drafting.composer.slots import PARTS_OF, STORED, looks_like_name
from app.drafting.composer.steps import load_steps
from app.drafting.composer.steps.recipes import every_dish, menu
from app.drafting.composer.steps.scripting import (
    ABOUT_BODIES,
    DECLARING,
    Declared,
    declared,
    occasions_first,
    stands_for,
)
from app.drafting.composer.tokens import Token, singular, tokenize
from app.drafting.composer.values import Ambiguous, refuse
from app.drafting.draft import Draft, NotUnderstood, Plan, ValueOutOfRange
from ingest.manifest import Manifest

load_steps()

BUILDS: Final = 80
"""How many ways to read a request are tried."""
READINGS: Final = 3
"""How many ways to read one rule up to one place are kept."""
MAX_TOKENS: Final = 250
"""Longer requests are no everyday ones."""
SHOWN: Final = 80
ALIKE: Final = 0.84
LETTERS: Final = 5
"""Shorter words are near to too many others."""

FILLERS: Final = frozenset({
    "please", "just", "simply", "actually", "also", "too", "kindly", "quickly", "nicely", "properly", "now",
    "pls", "plz", "btw", "everywhere", "overall", "throughout", "simultaneously", "yet", "directly", "basically", "ideally", "currently",
    "entirely", "altogether", "anyway", "i.e", "namely", "additionally", "furthermore", "moreover", "ok", "okay", "hey", "hi", "hello", "thanks", "ty", "hmm", "obviously",
})  # fmt: skip
SEPARATORS: Final = frozenset(
    {"and", "then", "afterwards", "finally", "next", "first", "but", "plus", "afterward", "lastly", "second", "third"}
)
PHRASES: Final = (
    ("after", "that"),
    ("followed", "by"),
    ("after", "both"),
    ("as", "well"),
    ("in", "addition"),
    ("in", "one", "go"),
    ("at", "the", "end"),
    ("for", "real"),
    ("for", "me"),
    ("of", "course"),
    ("in", "the", "scene"),
    ("as", "usual"),
    ("behind", "that"),
    ("after", "it"),
    ("below", "that"),
    ("in", "the", "end"),
    ("at", "once"),
    ("at", "the", "same", "time"),
    ("in", "this", "file"),
    ("once", "that", "is", "done"),
    ("when", "that", "is", "done"),
    ("on", "top", "of", "that"),
    ("besides",),
    ("meanwhile",),
    ("while", "you", "are", "at", "it"),
    ("in", "blender"),
    ("to", "begin", "with"),
    ("start", "by"),
    ("at", "last"),
    ("for", "good"),
    ("when", "done"),
    ("when", "you", "are", "done"),
    ("when", "you're", "done"),
    ("once", "you're", "done"),
    ("when", "you", "are", "finished"),
    ("when", "all", "is", "done"),
    ("for", "now"),
    ("when", "finished"),
    ("permanently",),
    ("destructively",),
    ("destructive",),
    ("right", "now"),
    ("at", "the", "moment"),
    ("across", "the", "board"),
    ("if", "possible"),
    ("in", "the", "current", "scene"),
    ("in", "the", "current", "file"),
    ("in", "the", "open", "file"),
    ("in", "this", "scene"),
    ("in", "my", "scene"),
    ("in", "object", "mode"),
    ("when", "that", "'s", "done"),
    ("when", "that's", "done"),
    ("once", "that", "'s", "done"),
    ("once", "done"),
    ("once", "you", "are", "done"),
    ("after", "this"),
    ("following", "that"),
    ("with", "that", "done"),
)
ARROWS: Final = frozenset({"->", "=>", "→"})
MARKS: Final = frozenset({",", ".", ";", ":", "!", "?", "(", ")"})


def load_examples() -> tuple[str, ...]:
    """Requests that the composer answers, from examples.toml."""
    text = files("app.drafting.composer").joinpath("examples.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["requests"])


@dataclass(frozen=True)
class Clause:
    """One step as it was read."""

    rule: Rule
    env: Mapping[str, Any]
    start: int
    end: int


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


@functools.cache
def verb_forms() -> Mapping[str, str]:
    """Participles and gerunds of what rules begin with, which is a verb mostly."""
    return verbs_of({word for rule in RULES for word in rule.matcher.begins or () if not word.startswith("~")})


COURTESY: Final = re.compile(r"\b(can|could|would|will|may|might|possible|you|we|i|how|please)\b", re.IGNORECASE)


def asked(request: str) -> bool:
    """Whether a question stands before what is to be done: "The bottom faces? Just the bottom face of ..."."""
    for mark in re.finditer(r"\?\s+(?=\S+\s+\S+\s)", request):
        sentence = re.split(r"[.!;?]\s", request[: mark.start()])[-1]
        if not COURTESY.search(sentence):
            return True
    return False


class NoCover(NotUnderstood):
    """The steps do not cover the request; otherwise they do, and make no sense."""


OWNERS: Final = frozenset({"object", "armature", "rig", "name", "material"})


def unbracketed(reading: Reading) -> list[Token]:
    """The tokens with 'the material ("Red")' as 'the material "Red"': what such a noun has in brackets is its name."""
    nouns = STORED | {"modifier", "constraint", "curve", "mesh"}
    left_out: set[int] = set()
    for place, token in enumerate(reading.tokens):
        named = reading.mark(place - 1) == "(" and reading.mark(place + 1) == ")" and place > 1
        if named and token.kind == "quoted" and reading.word(place - 2) in nouns:
            left_out |= {place - 1, place + 1}
    return [token for place, token in enumerate(reading.tokens) if place not in left_out]


def owner_behind(reading: Reading) -> list[Token]:
    """The tokens with "..., object is Tower" and "... (Tower)" at the end as "... of Tower"."""
    tokens = list(reading.tokens)
    end = len(tokens)
    while end and tokens[end - 1].text in {".", "!", ")"}:
        end -= 1
    place = end - 1
    opened = place > 0 and reading.mark(end) == ")" and reading.mark(place - 1) == "("
    colon = place > 1 and reading.mark(place - 1) in {":", "="} and tokens[place].text[:1].isupper()
    named = tokens[place].kind == "word" and looks_like_name(tokens[place].text, reading, place)
    named = named or tokens[place].kind == "quoted"
    named = place > 1 and (named or colon)
    start = place
    while start > 1 and (
        reading.word(start - 1) in OWNERS | {"is", "it", "the", "of", "called", "named", "its", "'s", "it's"}
        or (start == place and reading.mark(start - 1) in {":", "="})
    ):
        start -= 1
    words = [token.word for token in tokens[start:place] if token.word]
    marked = reading.mark(place - 1) in {":", "="}
    told = words in (["it's", "called"], ["it's", "named"], ["it", "is", "called"], ["it", "'s", "called"])
    told = told or (bool(OWNERS & set(words)) and (words[-1] not in {"name", "it"} or marked or len(words) > 3))
    told = told and reading.mark(start - 1) in {",", "(", "-", ".", ";"}
    opened = opened and singular(reading.word(place - 2)) not in STORED | PARTS_OF | {"modifier", "object", "mesh"}
    if not named or not (opened or told):
        return tokens
    material = [token for token in tokens[start:place] if token.word == "material"]
    link = replace(tokens[start - 1], kind="word", text="of", word="of")
    return [*tokens[: start - 1], link, *material, tokens[place]]


def commanded(reading: Reading) -> tuple[list[Token], frozenset[int], list[Declared]]:
    """The tokens with "X should look at Y" as "let X look at Y", where the body of an operator goes on ("It moves ..."),
    and the properties that are declared on the way.
    """
    tokens: list[Token] = []
    bodies: set[int] = set()
    works = False
    properties: list[Declared] = []
    start = skipped = sentence = 0
    reading = replace(reading, tokens=unbracketed(reading), memo={})
    reading = replace(reading, tokens=owner_behind(reading), memo={})
    reading = replace(reading, tokens=occasions_first(reading), memo={})
    for place, token in enumerate(reading.tokens):
        if place < skipped:
            continue
        works = works or token.word in {"operator", "handler", "timer", "function"}
        fresh = place == 0 or reading.mark(place - 1) in {".", ";"}
        if works and {token.word, reading.word(place + 1)} & DECLARING:
            nothing: tuple[int, list[Declared]] = place, []
            end, found = next(declared(reading, place, {}, ""), nothing)
            properties += [each for each in found if each.name not in {one.name for one in properties}]
            if len(found) == 1 and bodies and found[0].kind in {"Float", "Int"}:
                # "a height given by a float property "height" (default 0)"
                tokens.append(replace(token, kind="number", text=repr(found[0].stand_in), word=""))
                skipped = end
                continue
        if works and fresh and token.word in {"with", "if", "when"} and reading.word(place + 1) in {"nothing", "no"}:
            bodies.add(len(tokens))
        if works and fresh and token.word == "it":
            bodies.add(len(tokens))
            if reading.word(place + 1).endswith("s") and reading.word(place + 1) not in {
                "is",
                "has",
                "needs",
                "works",
                "requires",
            }:
                continue
        if (token.word, reading.word(place + 1)) in {("instead", "of"), ("rather", "than")}:
            # "the Standard transform instead of AgX": what it was before
            end = place + 2
            while reading.word(end) and reading.word(end) not in SEPARATORS | {"with", "at", "on", "to", "for"}:
                end += 1
            replaced = reading.tokens[place + 2 : end]
            named = [each for each in replaced if each.kind == "quoted" or each.text[:1].isupper()]
            if end - place <= 5 and {each.word for each in named} <= vocabulary(reading.lexicon).keys():
                skipped = end
                continue
        if token.text in {".", ";", ":"} or token.word in {"and"} or token.text == ",":
            start = len(tokens) + 1
        if reading.new_sentence(place):
            sentence = place
        following = reading.word(place + 1)
        modal = token.word in {"should", "must", "shall"} or (
            token.word in {"needs", "has", "have"} and following == "to"
        )
        if modal and reading.word(sentence) in {"everything", "anything", "all", "every", "each", "whatever"}:
            modal = False
        if modal and len(tokens) - start in range(1, 5) and following not in {"be", "not", "have"}:
            before = tokens[start] if start < len(tokens) else token
            tokens.insert(start, replace(token, text="let", word="let", start=before.start, end=before.start))
            continue
        if following and token.word == "to" and reading.word(place - 1) in {"needs", "has", "have"}:
            continue
        each = next((one for one in properties if stands_for(one, token, tokens[-1].word if tokens else "")), None)
        if each is not None:
            if tokens[-1].word in {"the", "its", "given", "that"}:
                tokens.pop()
            tokens.append(replace(token, kind="number", text=repr(each.stand_in), word=""))
        else:
            tokens.append(token)
    return tokens, frozenset(bodies), properties


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


def read(lexicon: Lexicon, request: str) -> Reading:
    """The request as tokens, without what is said out of politeness, small typing errors mended."""
    tokens: list[Token] = []
    said = tokenize(request)
    for place, token in enumerate(said):
        if token.word in FILLERS and not (token.word == "too" and complains(said, place)):
            continue
        if token.word == "to" and tokens and tokens[-1].word == "ought":
            tokens[-1] = replace(tokens[-1], word="should")
            continue
        tokens.append(token)
    tokens = without_courtesy(Reading(request, tokens, lexicon))
    known = vocabulary(lexicon)
    for place, token in enumerate(tokens):
        near = {each.word.lstrip("+-") for each in tokens[place + 1 : place + 3]} & {"x", "y", "z", "origin"}
        if token.word == "round" and near:
            tokens[place] = replace(token, word="around")
        if token.word in {"color", "recolor"} and paints(tokens, place):
            tokens[place] = replace(token, word="paint")
    return Reading(
        request, [token if token.word in verb_forms() else mended(token, known) for token in tokens], lexicon
    )


def complains(tokens: list[Token], at: int) -> bool:
    """Whether "too" says that something is more than it should be: "the floor is too glossy"."""
    return at > 0 and tokens[at - 1].word in {
        "is",
        "are",
        "'s",
        "looks",
        "look",
        "far",
        "much",
        "way",
        "it's",
        "gets",
        "was",
    }


def paints(tokens: list[Token], place: int) -> bool:
    """Whether "color" is the verb of a clause: "color the chair red"."""
    before = tokens[place - 1] if place else None
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    fresh = before is None or before.text in {".", ";", ":", ",", "!"} or before.word in {"and", "then"}
    named = after is not None and (
        after.kind == "quoted" or after.word in {"the", "all", "every", "it", "them"} or after.text[:1].isupper()
    )
    sequenced = any(each.word in {"strip", "strips", "vse", "sequencer", "edge", "edges"} for each in tokens)
    assigned = any(each.text in {"=", ":"} for each in tokens[place + 1 : place + 4])
    return fresh and named and not sequenced and not assigned


@functools.lru_cache(maxsize=8)
def vocabulary(lexicon: Lexicon) -> Counter[str]:
    """Every word that grammar or lexicon knows, and how often the manifest has it."""
    words: Counter[str] = Counter(word for text in VOCABULARY for word in text.split())
    words.update([*read_words()["other"]["words"], *SEPARATORS, *(word for phrase in PHRASES for word in phrase)])
    words.update(word for text in COMPILED for word in literals(text))
    words.update(word for phrases in read_words()["items"].values() for phrase in phrases for word in key_of(phrase))
    tables: list[Phrases[Any]] = [lexicon.numbers, lexicon.units, lexicon.colors, lexicon.shades, lexicon.finishes]
    for table in [*tables, *lexicon.families.values(), *lexicon.nodes.values(), menu()]:
        words.update(table.words())
    for rna in lexicon.manifest.types.values():
        for prop in rna.properties.values():
            words.update(singular(word.lower()) for word in prop.label.split())
            for item in prop.items:
                words.update(singular(word.lower()) for word in item.name.split())
    for synonyms in read_words()["properties"].values():
        for phrases in synonyms.values():
            words.update(singular(word) for phrase in phrases for word in phrase.split())
    words.update(word for menu in lexicon.menus.values() for item in menu for word in key_of(item))
    words.update(
        word
        for node in lexicon.manifest.nodes.values()
        for socket in (*node.inputs, *node.outputs)
        for word in key_of(socket.name)
    )
    words.update(word for dish in every_dish() for remark in dish.remarks for word in key_of(remark))
    return words


CENTRED: Final = {
    "centre": "center",
    "centred": "centered",
    "centring": "centering",
    "metre": "meter",
    "metres": "meters",
}


def mended(token: Token, known: Counter[str]) -> Token:
    """The token in American spelling and with a small typing error mended; names, which are written as such, are left."""
    word = CENTRED.get(token.word, token.word)
    if word != token.word:
        return replace(token, word=word)
    if (
        len(word) < LETTERS
        or word in known
        or singular(word) in known
        or not word.isalpha()
        or token.text[1:] != word[1:]
    ):
        return token
    american = re.sub(r"is(?=e[sd]?$|ing$|ation$)", "iz", word).replace("our", "or")
    if american in known or singular(american) in known or (american != word and american.removesuffix("d") in known):
        return replace(token, word=american)
    if token.text != word:
        return token
    for place in range(len(word) - 1):
        swapped = f"{word[:place]}{word[place + 1]}{word[place]}{word[place + 2 :]}"
        if swapped in known or singular(swapped) in known:
            return replace(token, word=swapped)
    likely = [each for each in known if abs(len(each) - len(word)) <= 1 and each[:1] == word[0]]
    near = difflib.get_close_matches(word, likely, n=3, cutoff=ALIKE)
    return replace(token, word=max(near, key=lambda each: known[each])) if near else token


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


def nearest(word: str, known: Counter[str]) -> list[str]:
    """The known words nearest to one that is not known."""
    if " " in word or len(word) < LETTERS - 1:
        return []
    return difflib.get_close_matches(word.lower(), sorted(known), n=3, cutoff=0.75)
