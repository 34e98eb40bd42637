"""What asks for nothing: headings, how things are now, and what is hoped for. Only where all the rest is understood.

"Hang the door: ..."      "..., so that it looks better"      "Two things for the wind shot."

A remark that holds a number, a name, an axis, a negation or a word such as "only" or "each" may change what is meant,
and is none.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from app.drafting.composer.build import Build
from app.drafting.composer.cover import Cover
from app.drafting.composer.grammar import RULES, step
from app.drafting.composer.loosely import spoken
from app.drafting.composer.patterns import ARTICLES, MACROS, Env, Reading, slot, stem, top_level
from app.drafting.composer.reader import vocabulary
from app.drafting.composer.slots import OBJECT_KINDS, Target, looks_like_name, settings
from app.drafting.composer.steps.meshes import about
from app.drafting.composer.tokens import singular
from app.drafting.composer.values import refuse

MEANING: Final = frozenset({
    "off", "yes", "no", "not", "without", "never", "none", "nothing", "only", "except", "all", "each", "every", "both", "any", "but",
    "must", "should", "don't", "cannot", "instead", "x", "y", "z", "unless", "if", "than", "until", "respectively",
    "twice", "double", "half", "other", "least", "most", "exactly", "neither", "simpler", "rather", "better", "alternatively", "or",
    "linear", "constant", "bezier", "bounce", "elastic", "cyclic", "loop", "looping", "loops", "endless", "linearly",
    "when", "whenever", "once", "before", "after", "while", "upon", "everytime",
    "local", "global", "relative", "absolute", "hidden", "transparent", "ambient", "raytracing", "stereo", "locked",
})  # fmt: skip
"""Words that change what a sentence asks for."""
THINGS: Final = frozenset(
    {"cube", "sphere", "camera", "light", "plane", "cylinder", "cone", "torus", "monkey", "it", "them"}
    | {"empty", "lattice", "icosphere", "circle", "seam", "crease", "bevel", "sharp"}
    | {"material", "bone", "world", "collection"}
    | {"selection", "selected", "compositor", "compositing", "comp", "post", "sequencer", "vse", "gp", "gn"}
    | {"viewport", "preview", "workbench", "eevee", "cycles"}
    | {"gravity", "lunar", "moon", "mars", "weightless"}
)
"""What a heading may not speak of: the lines after it may be about it, or are to be carried out there."""
COMMANDS: Final = frozenset(
    phrase.split()[0]
    for key in ("add", "set", "remove", "move", "disable", "enable")
    for phrase in MACROS[key].split("|")
)
LONGEST: Final = 16
TIMES: Final = frozenset({"when", "while", "before", "after"})
"""Words that say when something is good for something, in a heading that names no event, and in a hope."""
CALLED: Final = 4
"""How many words an exclamation has at most."""
PURPOSES: Final = frozenset({"so", "that", "because", "since"})
"""Words before a hope or a reason."""


def harmless(reading: Reading, at: int, end: int, besides: frozenset[str] = frozenset()) -> bool:
    """Whether these tokens hold nothing that may change what is meant; of its words, `besides` mean nothing here."""
    at += reading.word(at) in {"it", "they"} and reading.word(at - 1) in PURPOSES
    tokens = reading.tokens[at:end]
    return 0 < len(tokens) <= LONGEST and all(
        token.kind == "word"
        and not any(letter.isdigit() for letter in token.text)
        and token.word not in MEANING - besides
        and "_" not in token.text
        and not (reading.lexicon.colors.first([token], 0) and not spoken_again(reading, singular(token.word), end))
        and (singular(token.word) not in THINGS or spoken_again(reading, singular(token.word), end))
        for token in tokens
    )


def spoken_again(reading: Reading, word: str, at: int) -> bool:
    """Whether a thing is named after this place too."""
    return any(singular(token.word) == word for token in reading.tokens[at:]) and word not in {"it", "them"}


def begins(reading: Reading, at: int) -> bool:
    """Whether a sentence begins here."""
    return at == 0 or reading.mark(at - 1) in {".", "!", "?"}


@slot("heading")
def heading(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """Words before a colon at the beginning of a sentence."""
    if not reading.lenient or not begins(reading, at):
        return
    end = at
    while end < len(reading.tokens) and reading.tokens[end].kind == "word":
        end += 1
    counted = any(
        reading.lexicon.numbers.first(reading.tokens, place) and reading.word(place + 1) != "point"
        for place in range(at, end)
    )  # "three point lighting" is a name
    if reading.word(end - 1) in EVENTS or (counted and reading.word(at) in COMMANDS):
        return  # "drop ten crates: ..."
    named = any(looks_like_name(reading.tokens[place].text, reading, place) for place in range(at + 1, end))
    named = named or may_be_name(reading, at, end) or may_be_owner(reading, at, end)
    named = named or any(meant_later(reading, place, end) for place in range(at, end))
    named = named or is_setting(reading, at, end)
    if (reading.mark(end) in {":", "-"} or dashed(reading, end)) and harmless(reading, at, end, TIMES) and not named:
        yield end, reading.said(at, end)


def is_setting(reading: Reading, at: int, end: int) -> bool:
    """Whether a heading turns something on: "fast GI: 2 AO bounces"."""
    if all(reading.stems[place] in reading.stems[end:] for place in range(at, end)):
        return False  # it is said behind it too
    alone = replace(reading, tokens=reading.tokens[at:end], memo={})
    return any(last == end - at for last, _ in settings(alone, 0, {}, "render"))


def dashed(reading: Reading, at: int) -> bool:
    """Whether a dash stands here: what was before it is a heading."""
    return reading.mark(at) == "," and reading.request[reading.tokens[at].start] in "—–"


@functools.cache
def leading() -> frozenset[str]:
    """The words that steps begin with: a sentence that begins with one may command something."""
    words = {stem(word) for rule in RULES for piece in list(top_level(rule.text))[:2] for word in spoken(piece)}
    return frozenset(words | {stem(word) for word in COMMANDS})


@slot("exclamation")
def exclamation(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """A few words that are called out: "Ripples!"."""
    if not reading.lenient or not begins(reading, at) or reading.stems[at] in leading():
        return
    end = at
    while end < len(reading.tokens) and reading.tokens[end].kind == "word":
        end += 1
    if reading.mark(end) == "!" and end - at <= CALLED and harmless(reading, at, end):
        yield end, reading.said(at, end)


EVENTS: Final = frozenset({
    "save", "saving", "load", "loading", "render", "rendering", "change", "undo", "redo", "open", "opening", "start", "startup",
    "saves", "loads", "renders", "changes", "opens", "starts",
})  # fmt: skip
"""Words that end a heading which says when something is done: "on save: ..."."""


def meant_later(reading: Reading, at: int, end: int) -> bool:
    """Whether a heading names a modifier that is not named behind it: "weaker lattice: ..." is about one that is there."""
    kinds = reading.lexicon.families["modifiers"].first(reading.tokens[:end], at)
    after = range(end, len(reading.tokens))
    return kinds is not None and not any(reading.stems[each] == reading.stems[at] for each in after)


def may_be_name(reading: Reading, at: int, end: int) -> bool:
    """Whether a heading begins with a word with a capital that nobody knows: what the lines after it are about."""
    word, verb = reading.tokens[at].word, reading.word(at + 1)
    known = vocabulary(reading.lexicon)
    again = any(token.text == reading.tokens[at].text for token in reading.tokens[end:])
    does = end > at + 1 and verb.endswith("s") and not verb.endswith("ss") and not again  # "Drawer slides out"
    does = does or not any(names_object(reading, place) for place in range(end, len(reading.tokens)))
    return (end == at + 1 or does) and reading.tokens[at].text[:1].isupper() and not {word, singular(word)} & set(known)


def names_object(reading: Reading, at: int) -> bool:
    """Whether an object is named here, spoken of, or made."""
    token = reading.tokens[at]
    spoken = {token.word, singular(token.word)} & (OBJECT_KINDS.keys() | ABOUT | COMMANDS)
    return token.kind in {"quoted", "path"} or bool(spoken) or looks_like_name(token.text, reading, at)


ABOUT: Final = frozenset(
    {"it", "them", "selected", "active", "scene", "world", "object", "mesh", "all", "every", "collection"}
)


def may_be_owner(reading: Reading, at: int, end: int) -> bool:
    """Whether a heading says what something with a capital does, and no object is named behind it: "Planet attracts all"."""
    verb = reading.word(at + 1)
    does = end > at + 1 and verb.endswith("s") and not verb.endswith("ss") and reading.tokens[at].text[:1].isupper()
    behind = range(end + 1, len(reading.tokens))
    return does and not any(
        reading.tokens[each].kind == "quoted"
        or (reading.tokens[each].word and looks_like_name(reading.tokens[each].text, reading, each))
        for each in behind
    )


SUMMING: Final = frozenset({"have", "let", "make"})
"""Verbs that a summary may begin with though steps do."""


@slot("named heading")
def named_heading(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """A heading of the whole request that names things, all of which are named behind it: 'Let "A" fall on "B": A is ...'."""
    end = at
    while end < len(reading.tokens) and reading.tokens[end].kind in {"word", "quoted"}:
        end += 1
    names = [token.text for token in reading.tokens[at:end] if token.kind == "quoted"]
    behind = {token.text for token in reading.tokens[end:]}
    begun = end > at and reading.stems[at] in leading() and reading.word(at) not in SUMMING
    if at or not reading.lenient or not names or begun or reading.mark(end) != ":" or not behind.issuperset(names):
        return
    rest = replace(reading, tokens=[token for token in reading.tokens if token.kind != "quoted"], memo={})
    if not harmless(rest, at, end - len(names), TIMES) or any(meant_later(reading, place, end) for place in range(end)):
        return
    alone = replace(reading, tokens=reading.tokens[:end], loose=True, memo={})
    if not any(Cover(alone).all()):  # else it is a command
        yield end, reading.said(at, end)


@slot("statement")
def statement(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """A sentence that commands nothing: it does not begin with a verb that does."""
    if not reading.lenient or not begins(reading, at) or commands(reading, at) or describes(reading, at):
        return
    end = at
    while end < len(reading.tokens) and (reading.tokens[end].kind == "word" or reading.mark(end) == ","):
        end += 1
    words = [token.word for token in reading.tokens[at:end]]
    plain = [token for token in reading.tokens[at:end] if token.kind == "word"]
    named = [place for place in range(at + 1, end) if looks_like_name(reading.tokens[place].text, reading, place)]
    texts = {token.text for token in reading.tokens[end:]}
    if any(reading.tokens[place].text not in texts for place in named):
        return  # "An eighth of Ball9 is there": the lines after it are about it
    if (
        reading.mark(end) in {".", ";", "!"}
        and set(words) & STATES
        and not set(words) & MEANING
        and len(plain) <= LONGEST
    ):
        yield end, reading.said(at, end)


def describes(reading: Reading, at: int) -> bool:
    """Whether a sentence says how something is that the sentences before asked for: "It is square", "The curve is closed"."""
    subject = at + (reading.word(at) in ARTICLES)
    before = {singular(token.word) for token in reading.tokens[:at] if token.word}
    mentioned = bool(before) and (
        reading.word(subject) in {"it", "they", "both"} or singular(reading.word(subject)) in before
    )
    return mentioned and reading.word(subject + 1) in {"is", "are", "has", "have", "'s"}


def commands(reading: Reading, at: int) -> bool:
    """Whether a sentence begins with a verb of some step: "Print ...", and not "Camera is ..."."""
    begins_step = reading.stems[at] in leading() and reading.word(at) not in SPEAKERS
    return reading.word(at) in COMMANDS or (begins_step and reading.word(at + 1) not in STATES)


SPEAKERS: Final = frozenset({
    "a", "actually", "all", "also", "an", "and", "another", "any", "as", "at", "because", "both", "but", "by", "each", "every", "everything",
    "first", "for", "from", "i", "in", "it", "its", "just", "my", "on", "one", "our", "please", "so", "some", "that", "the", "their", "then",
    "there", "these", "they", "thing", "this", "those", "we", "what", "when", "whole", "with", "you", "your", "two", "three", "four", "five",
})  # fmt: skip
"""Words that steps begin with, and descriptions too."""
STATES: Final = frozenset(
    {
        "it's",
        "looks",
        "'s",
        "is",
        "are",
        "has",
        "need",
        "needs",
        "want",
        "wants",
        "was",
        "were",
        "i",
        "we",
        "for",
        "this",
        "so",
    }
)


TROUBLE: Final = frozenset({
    "mess", "messy", "wrong", "flipped", "inside", "doubled", "duplicated", "faceted", "blocky", "jagged", "broken", "ugly", "dense",
    "noisy", "crawls", "boring", "razor", "inwards", "inward", "badly", "weird", "weirdly", "strange", "faceting", "lopsided", "floats", "hovers",
})  # fmt: skip
"""Words for what is wrong with something: they tell why, and the next words tell what is to be done."""
NATURE: Final = frozenset({
    "half", "quarter", "piece", "part", "outline", "profile", "silhouette", "chain", "section", "model", "scan", "import", "copy", "wall",
})  # fmt: skip
"""Words for what a mesh or a curve is: no setting is called so."""
COPULAS: Final = frozenset({"is", "are", "was", "were", "look", "looks", "came", "comes", "has", "have", "shows", "show", "point", "points",
                            "crawls", "floats", "hovers", "ends", "sits", "stands"})  # fmt: skip
TELLING_LITTLE: Final = frozenset(
    {"half", "only", "all", "some", "but", "while", "when", "other", "most", "both", "any"}
)
"""Words that a description may hold, and a remark may not."""
DESCRIBED: Final = 22


@slot("description_of")
def description_of(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Target | None]]:
    """A sentence that says what is wrong with an object, or what it is: 'some faces of "Shell" are inside out, ...'."""
    if not reading.lenient or not begins(reading, at) or reading.stems[at] in {stem(word) for word in COMMANDS}:
        return
    owner: Target | None = None
    place, copula, words = at, -1, list[str]()
    while place < len(reading.tokens) and place - at < DESCRIBED:
        token = reading.tokens[place]
        starts = place == at and token.text[:1].isupper() and reading.word(at + 1) in COPULAS - {"point", "show"}
        starts = starts and token.word not in NO_OWNERS and singular(token.word) == token.word
        if token.kind == "quoted" or looks_like_name(token.text, reading, place) or starts:
            if owner is not None or copula >= 0:
                return
            owner = Target("named", token.text, said=token.text)
        elif token.kind == "word" and token.word.lstrip("+-") not in MEANING - TELLING_LITTLE - (
            AXES if copula >= 0 else frozenset()
        ):
            copula = place if copula < 0 and token.word in COPULAS and place > at else copula
            words.append(token.word)
        elif copula >= 0 and (reading.mark(place) in {",", ".", "!", ";", ":"} or arrow(reading, place)):
            said = set(words)
            first = reading.word(place - 1)
            whole = reading.request[reading.tokens[at].start : reading.tokens[place].start]
            telling = (
                said & TROUBLE
                or re.search(r"\btoo \w", whole)
                or (owner is not None and said & NATURE and reading.word(copula) in {"is", "was"})
            )
            natural = bool(said & NATURE) and not said & TROUBLE
            if telling and first not in {"is", "are"} and not asks(reading, copula, place, natural=natural):
                yield place, owner
            if reading.mark(place) != ",":
                return
        elif token.kind != "mark" or reading.mark(place) not in {"(", ")", "+", ","}:
            return
        place += 1


AXES: Final = frozenset({"x", "y", "z"})


def arrow(reading: Reading, at: int) -> bool:
    """Whether an arrow stands here."""
    return reading.tokens[at].text in {"->", "=>", "→"}


NO_OWNERS: Final = frozenset({
    "it", "this", "that", "there", "they", "these", "those", "everything", "something", "half", "some", "all", "each", "every", "one",
    "shading", "topology", "geometry", "mesh", "what", "which", "who", "here", "everybody", "nothing", "we", "i", "he", "she", "you",
})  # fmt: skip
"""Words that a description may begin with, and which are no name."""


def asks(reading: Reading, at: int, end: int, *, natural: bool) -> bool:
    """Whether what is said behind "is" may be a wish: a color, a kind of modifier, a number."""
    families = ("modifiers", "constraints")
    return any(
        reading.tokens[place].kind == "number"
        or reading.lexicon.colors.first([reading.tokens[place]], 0) is not None
        or (not natural and reading.tokens[place].word not in TROUBLE | NATURE
            and any(reading.lexicon.families[each].first(reading.tokens[:end], place) for each in families))
        for place in range(at, end)
    )  # fmt: skip


@step("{target:description_of}")
def described(build: Build, target: Target | None) -> None:
    """What is wrong with something, or what it is: the lines after it are about it."""
    if target is not None:
        if any(known.kind == "active" for known in build.known):
            raise refuse(target.said, "what stands before was done to the active object")
        build.it, build.topic = build.one(target), None
    build.note("a description: nothing is done for it")


@slot("hope")
def hope(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """What follows "so that": how it looks, or what it is good for."""
    if not reading.lenient:
        return
    end = at
    while end < len(reading.tokens) and reading.tokens[end].kind == "word":
        end += 1
    if (end == len(reading.tokens) or reading.mark(end) in {".", ")", ";", ",", ":", "-"}) and harmless(
        reading, at, end, TIMES
    ):
        yield end, reading.said(at, end)


@slot("noun_words")
def noun_words(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """One to three words that name what something is to become."""
    if reading.lenient:
        for end in range(at + 1, min(at + 4, len(reading.tokens) + 1)):
            if harmless(reading, at, end):
                yield end, reading.said(at, end)


@step(
    "(a|an|make|build) {text:noun_words} (out of|from|made from|made of) {target:object}",
    "(turn|make|change) {target:object} into [a|an] {text:noun_words} {mark:colon}",
)
def material_of_work(build: Build, text: str, target: Target, mark: str | None) -> None:
    """What the next sentences are about; a word that Blender knows too may be what is to be done."""
    if mark and {text.split()[-1].lower(), singular(text.split()[-1].lower())} & set(vocabulary(build.lexicon)):
        raise refuse(text, "how?")
    build.it = build.one(target)
    build.pending = "" if mark else f"{text} from {target.said}"
    build.note(f"{target.said} is what follows is about")


@slot("subject")
def subject(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Target]]:
    """What a heading says that something does: the "Drawer" of "Drawer slides out: ..."."""
    end = at + 2
    while end < len(reading.tokens) and reading.tokens[end].kind == "word":
        end += 1
    text = reading.tokens[at].text if at < len(reading.tokens) else ""
    verb = reading.word(at + 1)
    named = begins(reading, at) and text[:1].isupper() and text.isalpha() and not text.isupper()
    if not reading.lenient or not named or reading.mark(end) != ":" or not harmless(reading, at + 1, end):
        return
    if any(looks_like_name(reading.tokens[place].text, reading, place) for place in range(at + 2, end)):
        return  # "Retopo snaps to Sculpt: ..." asks for something with both
    said = reading.tokens[at + 1].text == verb  # "Collection Guides: ..." is a name
    if said and verb.endswith("s") and not verb.endswith("ss") and not reading.word(at).endswith("ing"):
        yield end, Target("named", text, said=text)


@step("{target:subject} {mark:colon}")
def subject_heading(build: Build, target: Target, mark: str) -> None:
    """What does something in a heading is what the lines after it are about."""
    about(build, target, mark)


@step(
    "{text:heading}",
    "{text:named heading}",
    "{text:statement}",
    "{text:exclamation}",
    "(so that|so|in order to|such that|because|since) {text:hope}",
)
def remark(build: Build, text: str) -> None:
    """Nothing is done, and that is said."""
    if build.it is None and re.match(
        r"(the )?(world|sky|background|scene|render|image|picture)\b", text, re.IGNORECASE
    ):
        build.memory["_no_object"] = text
    build.note(f'"{text}" -> a remark: nothing is done for it')
