"""A request as tokens: without what is said out of politeness, small typing errors mended; and all words that are known."""

from __future__ import annotations

import difflib
import functools
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from app.drafting.composer.grammar import RULES, VOCABULARY
from app.drafting.composer.lexicon import Lexicon, Phrases, key_of, read_words
from app.drafting.composer.moods import verbs_of, without_courtesy
from app.drafting.composer.patterns import COMPILED, Reading, literals
from app.drafting.composer.steps.recipes import every_dish, menu
from app.drafting.composer.tokens import Token, singular, tokenize

ALIKE: Final = 0.84
LETTERS: Final = 5
"""Shorter words are near to too many others."""

FILLERS: Final = frozenset(read_words()["joints"]["fillers"])
"""Words that ask for nothing wherever they stand."""
SEPARATORS: Final = frozenset(read_words()["joints"]["separators"])
"""Words between two steps."""
PHRASES: Final = tuple(tuple(phrase.split()) for phrase in read_words()["joints"]["phrases"])
"""Several words between two steps."""


@functools.cache
def verb_forms() -> Mapping[str, str]:
    """Participles and gerunds of what rules begin with, which is a verb mostly."""
    return verbs_of({word for rule in RULES for word in rule.matcher.begins or () if not word.startswith("~")})


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


def nearest(word: str, known: Counter[str]) -> list[str]:
    """The known words nearest to one that is not known."""
    if " " in word or len(word) < LETTERS - 1:
        return []
    return difflib.get_close_matches(word.lower(), sorted(known), n=3, cutoff=0.75)
