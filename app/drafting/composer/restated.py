"""A request for its second reading: "X should look at Y" as "let X look at Y", the object that stands behind as "of" it, and what an
operator declares on the way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.drafting.composer.patterns import Reading
from app.drafting.composer.reader import SEPARATORS, vocabulary
from app.drafting.composer.slots import PARTS_OF, STORED, looks_like_name
from app.drafting.composer.steps.scripting import DECLARING, Declared, declared, occasions_first, stands_for
from app.drafting.composer.tokens import Token, singular

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
