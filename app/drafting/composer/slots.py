"""The readers behind the slots of the grammar: numbers, vectors, colors, names, things, settings.

Each yields every way to read what stands at a token, the longest first, as (end, what was found).
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as Words
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeVar

from app.drafting.composer.filters import (
    ADJECTIVES,
    IMPORTED,
    LEAST,
    MEASURES,
    MOST,
    OTHER,
    SELECTED,
    SUPERLATIVES,
    UNSAID,
    Best,
    Filter,
    narrowed,
)
from app.drafting.composer.lexicon import (
    GREASE_PENCIL,
    Key,
    Kind,
    Lexicon,
    Phrases,
    Place,
    Setting,
    Table,
    Unit,
    counted_item,
    key_of,
)
from app.drafting.composer.loosely import PREPOSITIONS
from app.drafting.composer.patterns import ARTICLES, MACROS, SLOTS, Env, Found, Reading, compile_pattern, slot
from app.drafting.composer.tokens import singular, tokenize
from app.drafting.composer.values import (
    Ambiguous,
    Change,
    Color,
    Degrees,
    Quantity,
    Ref,
    Vec,
    clean,
    fitted,
    linear,
    refuse,
    shaded,
)
from app.drafting.draft import NotUnderstood
from ingest.manifest import NodeType, Property

# --- numbers ------------------------------------------------------------------------------------------------

NOUN_UNITS: Final = frozenset({"frames", "times", "pixels"})
"""Units that may be nouns of their own as well."""


COUNTED: Final = frozenset({
    "face", "polygon", "poly", "vertex", "triangle", "tri", "edge", "particle", "hair", "strand", "point", "instance", "object",
})  # fmt: skip
"""What is counted in thousands."""


def number(reading: Reading, at: int) -> Iterator[tuple[int, float]]:
    """A number in digits or words."""
    tokens = reading.tokens
    if reading.word(at) in {"twos", "threes", "fours"}:
        return  # "on twos": every other frame
    if at < len(tokens) and tokens[at].kind == "number":
        value = float(tokens[at].text)
        if reading.word(at + 1) == "k" and singular(reading.word(at + 2)) in COUNTED:
            yield at + 2, 1000.0 * value  # "10k faces"
            return
        fraction = reading.mark(at + 1) == "/" and tokens[at + 1].start == tokens[at].end  # "0 / 1 / 0" are three
        if fraction and at + 2 < len(tokens) and tokens[at + 2].kind == "number":
            yield at + 3, value / (float(tokens[at + 2].text) or 1.0)
        yield at + 1, value
        return
    found = reading.lexicon.numbers.first(tokens, at)
    if found is not None:
        end, value = found
        rest = reading.lexicon.numbers.first(tokens, end)
        if rest is not None and value >= 20 and value % 10 == 0 and 1 <= rest[1] < 10:
            yield rest[0], value + rest[1]
        yield end, value


@slot("quantity")
def quantity(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Quantity]]:
    """A number and its unit if one follows; `of` is what the unit must measure, if it has one."""
    while reading.word(at) in {"about", "around", "roughly", "exactly", "approximately"}:
        at += 1
    for end, value in number(reading, at):
        unit = reading.lexicon.units.first(reading.tokens, end)
        inches = reading.word(end) == "in" and (
            reading.tokens[end - 1].end == reading.tokens[end].start
            or reading.word(end + 1) in {"at", "on", "to", "by"}
        )
        if inches:
            unit = (end + 1, Unit("length", 0.0254))
        unit = rate(reading, unit) if unit is not None else None
        if unit is not None and (not of or unit[1].measures in of.split("/")):
            yield unit[0], Quantity(value, unit[1])
            if unit[1].measures in NOUN_UNITS or unit[1].measures == "seconds":
                yield end, Quantity(value)
        elif unit is None or unit[1].measures in NOUN_UNITS:
            yield end, Quantity(value)


def rate(reading: Reading, unit: tuple[int, Unit]) -> tuple[int, Unit]:
    """ "m/s", "m/s\u00b2", "m/s^2", "rad/s", "kg/m3" behind a unit: an amount in a time or a volume."""
    end, one = unit
    if one.measures == "bitrate" and reading.mark(end) == "/" and reading.word(end + 1) in PER:
        return end + 2, one
    if one.measures == "power" and reading.mark(end) == "/" and reading.word(end + 1) in {"m2", "m²"}:
        return end + 2, one  # of a sun
    if reading.mark(end) != "/" or reading.word(end + 1) not in PER:
        return unit
    last = end + 2 + (reading.mark(end + 2) == "^")
    squared = reading.word(end + 1).endswith(("\u00b2", "2"))
    if (
        last < len(reading.tokens)
        and reading.tokens[last].text in {"2", "3"}
        and reading.tokens[last].start == reading.tokens[last - 1].end
    ):
        squared = True
        last += 1
    if one.measures == "length":
        return last, Unit("acceleration" if squared else "speed", one.factor)
    return last, Unit(f"{one.measures} rate", one.factor * (math.pi / 180 if one.measures == "angle" else 1.0))


PER: Final = frozenset({"s", "sec", "second", "s2", "s\u00b2", "m2", "m3", "m\u00b2", "m\u00b3"})


@slot("measured")
def measured(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Quantity]]:
    """A number with a unit that measures `of`."""
    yield from ((end, found) for end, found in quantity(reading, at, env, of) if found.unit is not None)


@slot("n")
def plain_number(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, float]]:
    """A number; a length in metres, a share as a part of one."""
    for end, found in quantity(reading, at, env, "length/share/mass/power/times/speed"):
        yield end, found.value


@slot("int")
def whole_number(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, int]]:
    """A whole number without a unit."""
    for end, value in number(reading, at):
        if value == int(value):
            yield end, int(value)


@slot("angle")
def angle(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Degrees]]:
    """An angle; degrees unless it says otherwise."""
    for end, found in quantity(reading, at, env, "angle"):
        yield end, Degrees(found.value)


@slot("turns")
def turns(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Degrees]]:
    """How far something turns: "90 degrees", "once", "3 full turns", "one complete revolution"."""
    at = skip(reading, at, {"by", "for"})
    words = {"once": 360.0, "twice": 720.0}
    if reading.word(at) in words:
        yield at + 1, Degrees(words[reading.word(at)])
    start, count = at, 1.0
    read = next(number(reading, at), None)
    if read is not None:
        start, count = read
    else:
        start = skip(reading, at, {"a", "one"})
    noun = skip(reading, start, {"a", "full", "complete", "whole", "entire"})
    if singular(reading.word(noun)) in {"turn", "rotation", "revolution", "circle", "spin"} or (
        reading.word(noun) in {"time", "times"} and read is not None
    ):
        yield noun + 1, Degrees(360.0 * count)
    for end, found in quantity(reading, at, env, "angle"):
        if found.unit is not None:
            yield end, Degrees(found.value)


@slot("frame")
def frame(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, int]]:
    """ "frame 30", "30"."""
    while reading.word(at) in ARTICLES:
        at += 1
    start = at + 1 if reading.word(at) in {"frame", "frames"} else at
    yield from whole_number(reading, start, env, "")


@slot("frames")
def frame_range(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[int, int]]]:
    """ "frames 10 to 90", "from frame 1 to 60", "between frame 1 and 30", "10-90"."""
    opened = reading.mark(at) == "("
    start = skip(reading, at + opened, FRAME_WORDS)
    for end, count in whole_number(reading, skip(reading, start, {"first", "next"}), env, ""):
        if reading.word(end) in {"frame", "frames"} and start > at + opened and count > 1:
            # "over the first 20 frames", "in 48 frames"
            yield end + 1, (1, count if reading.word(start) == "first" else count + 1)
    for end, found in one_range(reading, start, env):
        if not opened:
            yield end, found
        elif reading.mark(end) == ")":
            yield end + 1, found


FRAME_WORDS: Final = frozenset({
    "from", "over", "between", "during", "for", "at", "on", "the", "in", "frame", "frames", "within", "range", "of",
    "across", "starting", "lasting", "through",
})  # fmt: skip


def one_range(reading: Reading, start: int, env: Env) -> Iterator[tuple[int, tuple[int, int]]]:
    """ "10 to 90", "1-50", "1 and frame 30", "1 until 60"."""
    for middle, first in whole_number(reading, start, env, ""):
        link = middle
        if reading.word(link) in {"to", "until", "and", "through", "till", "up"} or reading.mark(link) in {"-", ".."}:
            link += reading.word(link) == "up"
            for end, last in frame(reading, link + 1, env, ""):
                if last > first:
                    yield end, (first, last)
        elif middle < len(reading.tokens) and reading.tokens[middle].kind == "number":
            # "10-90": the hyphen between two numbers is no minus
            for end, last in whole_number(reading, middle, env, ""):
                if 0 < first < last and reading.tokens[middle].start - reading.tokens[middle - 1].end <= 1:
                    yield end, (first, last)


# --- vectors and colors -------------------------------------------------------------------------------------

AXES: Final = {"x": 0, "y": 1, "z": 2}
PLANES: Final = {"xy": "Z", "yx": "Z", "yz": "X", "zy": "X", "xz": "Y", "zx": "Y"}
"""The axis that a plane is across."""


@slot("axis")
def axis(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """ "X", "the Z axis", "-Y": the letter, with its minus."""
    while reading.word(at) in {*ARTICLES, "local", "global", "world"} or (
        reading.word(at) == "axis" and reading.word(at + 1).lstrip("+-") in AXES
    ):
        at += 1
    word = reading.word(at)
    over = reading.word(at - 2 if reading.word(at - 1) in ARTICLES else at - 1) if at else ""
    if reading.word(at + 1) == "plane" and over in {"over", "across", "about"} and word in PLANES:
        yield at + 2, PLANES[word]
    if word.lstrip("+-") in AXES:
        end = at + 1
        while reading.word(end) in {"axis", "direction"}:
            end += 1
        yield end, word.lstrip("+").upper()


One = TypeVar("One")


def in_a_row(
    reading: Reading, at: int, one: Callable[[int], tuple[int, One] | None], least: int = 1,
    marks: Words[str] = frozenset({","}), words: Words[str] = frozenset({"and"}), *, joined: bool = False,
) -> Iterator[tuple[int, list[One]]]:  # fmt: skip
    """So many or more of something with these marks and words between them, the fewest first; some must stand there if
    `joined`.
    """
    found: list[One] = []
    place = at
    while (read := one(place)) is not None:
        found.append(read[1])
        end = place = read[0]
        if len(found) >= least:
            yield end, list(found)
        while reading.mark(place) in marks or reading.word(place) in words:
            place += 1
        if joined and place == end:
            return


def most_first(found: Iterator[tuple[int, One]]) -> Iterator[tuple[int, One]]:
    """The same, the longest first."""
    yield from reversed(list(found))


EVERY_AXIS: Final = compile_pattern("(all [of] [the] [three|3]|every|each|all three of the) (axis|axes)")


@slot("axes")
def axes(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[str]]]:
    """ "X", "x and y", "the X and Z axes", "all axes"."""
    yield from ((end, list("XYZ")) for end, _ in EVERY_AXIS(reading, at, {}))
    yield from most_first(in_a_row(reading, at, lambda place: next(axis(reading, place, {}, ""), None)))


def components(reading: Reading, at: int, closing: str) -> Iterator[tuple[int, list[Quantity]]]:
    """Numbers with commas, "x", "by", slashes or nothing between them."""
    found: list[Quantity] = []
    if reading.mark(at + 1) == "/" == reading.mark(at + 3) and all(
        each.kind == "number" for each in reading.tokens[at : at + 5 : 2]
    ):  # "0 / 0.28 / 0.18"
        for end, last in quantity(reading, at + 4, {}, "length/angle"):
            parts = [*(Quantity(float(reading.tokens[place].text), last.unit) for place in (at, at + 2)), last]
            if len(parts) == len(AXES) and (not closing or reading.mark(end) == closing):
                yield end + bool(closing), parts
        return
    while True:
        read = next(quantity(reading, at, {}, "length/angle/share/times/speed/acceleration"), None)
        if read is None:
            return
        if read[1].measured("times"):
            read = read[0] - 1, Quantity(read[1].number)
        found.append(read[1])
        at = read[0]
        if closing:
            if reading.mark(at) == closing:
                yield at + 1, found
                return
        elif len(found) >= 2:
            yield at, list(found)
        if reading.mark(at) in {",", ";"} or reading.word(at) in {"x", "by"}:
            at += 1
            if not closing and reading.word(at) == "and":
                at += 1


@slot("vector")
def vector(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Vec]]:
    """Two to four components in brackets or without, single ones by axis, or the origin."""
    bracket = reading.mark(at)
    while reading.word(at) in {*ARTICLES, "world", "coordinates", "coordinate", "position", "point"}:
        at += 1
        bracket = reading.mark(at)
    if reading.word(at) in {"origin"} or (reading.word(at), reading.word(at + 1)) == ("world", "origin"):
        end = at + 1 + (reading.word(at) == "world")
        if reading.mark(end) in {"(", "["}:  # "the origin (0, 0, 0)" is one place
            yield from ((last, v) for last, v in vector(reading, end, {}, "") if not any(v.parts))
        yield end, Vec((0.0, 0.0, 0.0))
        return
    closing = {"(": ")", "[": "]"}.get(bracket, "")
    options = sorted(components(reading, at + bool(closing), closing), key=lambda each: -each[0])
    for end, found in options:
        if not closing and len(found) not in {2, 3}:
            continue
        unit = next((each.unit for each in found if each.unit), None)
        after = reading.lexicon.units.first(reading.tokens, end) if closing else None
        if after is not None and after[1].measures in {"length", "angle"}:
            last, unit = rate(reading, after)
            yield last, Vec(tuple(replace(each, unit=each.unit or unit).value for each in found), unit)
        else:
            yield end, Vec(tuple(replace(each, unit=each.unit or found[-1].unit).value for each in found), unit)
    yield from by_axis(reading, at)


def by_axis(reading: Reading, at: int) -> Iterator[tuple[int, Vec]]:
    """ "x = 4", "z 0 and y 3", "2 on the Z axis", "2 along X"."""
    parts: list[float | None] = [None, None, None]
    unit: Unit | None = None
    place = at
    while True:
        read = next(one_axis(reading, place), None)
        if read is None:
            return
        place, index, value = read
        if parts[index] is not None:
            return
        parts[index], unit = value.value, value.unit or unit
        yield place, Vec(tuple(parts), unit)
        while reading.mark(place) == "," or reading.word(place) == "and":
            place += 1


def one_axis(reading: Reading, at: int) -> Iterator[tuple[int, int, Quantity]]:
    while reading.word(at) in {*ARTICLES, "by"}:
        at += 1
    if reading.word(at) in AXES:
        end = at + 1
        while reading.word(end) in {"axis", "to", "of", "at", "by", "coordinate", "is", "direction"} or reading.mark(
            end
        ) in {"=", ":"}:
            end += 1
        for last, value in quantity(reading, end, {}, "length/angle/speed/acceleration"):
            yield last, AXES[reading.word(at)], value
    for middle, value in quantity(reading, at, {}, "length/angle/speed/acceleration"):
        end = middle
        while reading.word(end) in {"on", "along", "in", "around", "about", "the", "local", "global"}:
            end += 1
        sign = -1.0 if reading.word(end).startswith("-") else 1.0
        letter = reading.word(end).lstrip("+-")
        if letter in AXES:
            last = end + 1
            while reading.word(last) in {"axis", "direction"}:
                last += 1
            yield last, AXES[letter], replace(value, number=sign * value.number)


@slot("color")
def color(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Color]]:
    """ "dark red", "#ff8800", "(1, 0.5, 0)"."""
    at = skip(reading, at, ARTICLES)
    tokens = reading.tokens
    tone = skip(reading, at, {"slightly", "warm", "cool", "cold", "bluish", "reddish", "yellowish", "tint", "tone"})
    if at < tone < len(tokens) and (reading.mark(tone) == "(" or tokens[tone].kind == "hex"):
        at = tone  # "warm (1, 0.75, 0.5)"
    coded = skip(reading, at, {"hex", "srgb"})
    if coded < len(tokens) and tokens[coded].kind == "hex":
        yield coded + 1, Color(linear(tokens[coded].text), tokens[coded].text.upper())
        return
    gray = next(number(reading, at), None)
    if gray is not None and reading.word(gray[0]) == "gray" and 0 <= gray[1] <= 1 and tokens[at].kind == "number":
        yield gray[0] + 1, Color((gray[1], gray[1], gray[1]), reading.said(at, gray[0] + 1).title())
    start = at
    shades: list[tuple[str, float]] = []
    while (shade := reading.lexicon.shades.first(tokens, at)) is not None:
        at = shade[0]
        shades.append(shade[1])
    found = reading.lexicon.colors.first(tokens, at)
    if found is not None and reading.word(found[0]) == "'s":
        return  # "Coral's roughness": a name
    if found is not None:
        yield from in_brackets(reading, start, found[0], of)
        after: int = found[0]
        if after < len(tokens) and tokens[after].kind == "hex":  # "green #00FF00"
            yield from color(reading, after, env, "exact")
        hexadecimal = found[1]
        for towards, share in shades:
            hexadecimal = shaded(hexadecimal, towards, share)
        end = found[0]
        while reading.word(end) in {"colored", "color", "tinted"} and of != "bare":
            end += 1
        label = reading.said(start, found[0]).title()
        yield end, Color(linear(hexadecimal), label)
        if end != found[0]:
            yield found[0], Color(linear(hexadecimal), label)
        return
    seen = reading.word(at) == "srgb"  # as seen on screen, not scene-linear
    start, at = at, skip(reading, at, {"rgb", "rgba", "srgb"})
    for end, values in channels(reading, at, bare=at > start):
        if len(values) in {3, 4} and all(0 <= value <= 1 for value in values[:3]) and not seen:
            yield end, Color((values[0], values[1], values[2]), reading.said(at, end))
        elif len(values) == 3 and (seen or all(value == int(value) for value in values)) and min(values) >= 0:
            whole = [round(value * 255) if max(values) <= 1 else int(value) for value in values]
            if max(whole) <= 255:
                shown = "#" + "".join(f"{value:02x}" for value in whole)
                yield end, Color(linear(shown), shown)


def channels(reading: Reading, at: int, *, bare: bool) -> Iterator[tuple[int, list[float]]]:
    """ "(0.2, 0.5, 1)", "240/230/210"; `bare`, after "rgb", without brackets too."""
    if reading.mark(at) in {"(", "["}:
        for end, read in components(reading, at + 1, {"(": ")", "[": "]"}[reading.mark(at)]):
            yield end, [each.value for each in read]
    elif at + 4 < len(reading.tokens) and all(reading.tokens[at + k].kind == "number" for k in (0, 2, 4)):
        between = {reading.mark(at + 1), reading.mark(at + 3)}
        if between == {"/"} or (bare and between == {","}):
            yield at + 5, [float(reading.tokens[at + k].text) for k in (0, 2, 4)]


def in_brackets(reading: Reading, start: int, at: int, of: str) -> Iterator[tuple[int, Color]]:
    """The value of a color behind its name: "hot pink (1, 0.1, 0.5)", "dark brown (#3b2410)"."""
    at = skip(reading, at, {"color", "colored", "one"})
    if (
        of != "bare"
        and reading.mark(at) == "("
        and reading.mark(at + 2) == ")"
        and "gray" in reading.tokens[at - 1].word + reading.tokens[at - 2].word
    ):
        level = next(number(reading, at + 1), (at, 2.0))[1]
        if 0 <= level <= 1:
            yield at + 3, Color((level, level, level), reading.said(start, at).title())
    exact = next(color(reading, at, {}, "exact"), None) if reading.mark(at) == "(" else None
    if (
        exact is None
        and reading.mark(at) == "("
        and at + 1 < len(reading.tokens)
        and reading.tokens[at + 1].kind == "hex"
    ):
        exact = next(color(reading, at + 1, {}, "exact"), None)
        exact = (exact[0] + 1, exact[1]) if exact and reading.mark(exact[0]) == ")" else None
    if exact is not None:
        yield exact[0], Color(exact[1].rgb, reading.said(start, at).title())


# --- names --------------------------------------------------------------------------------------------------

NAME_BYTES: Final = 63
CALLING: Final = frozenset(
    {
        "called",
        "named",
        "name",
        "as",
        "to",
        "into",
        "labelled",
        "labeled",
        "titled",
        "it",
        "call",
        "with",
        "for",
        "property",
        "input",
        "operator",
        "renamed",
    }
)
"""After these words a plain word may be a name."""
FUNCTION_WORDS: Final = frozenset({
    "the", "a", "an", "and", "or", "to", "of", "on", "in", "with", "from", "for", "it", "them", "is", "at", "by", "then",
    "no", "not", "as", "this", "that", "between", "without", "until", "via",
})  # fmt: skip


@slot("quoted")
def quoted_text(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """Something in quotes."""
    if at < len(reading.tokens) and reading.tokens[at].kind == "quoted":
        yield at + 1, reading.tokens[at].text


@slot("name")
def name(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """A name in quotes, or one word. Raises `NotUnderstood` if Blender could not keep it."""
    tokens = reading.tokens
    while of != "bare" and at + 1 < len(tokens) and tokens[at].kind == "word" and tokens[at].text in ARTICLES:
        at += 1
    if at >= len(tokens):
        return
    token = tokens[at]
    if token.kind == "quoted":
        if not token.text or len(token.text.encode()) > NAME_BYTES or not token.text.isprintable():
            raise refuse(token.text, f"a name has 1 to {NAME_BYTES} bytes")
        yield at + 1, token.text
    elif (
        token.kind in {"word", "path"}
        and "/" not in token.text
        and (looks_like_name(token.text, reading, at) or reading.word(at - 1) in CALLING)
        and token.text not in FUNCTION_WORDS
        and not (reading.word(at - 1) in {"with", "for"} and reading.lexicon.numbers.first(tokens, at))
        and not token.text.startswith(("'", "°", "%"))
    ):
        end = at + 1
        while (
            end < len(tokens)
            and tokens[end].start == tokens[end - 1].end
            and tokens[end].kind in {"word", "number"}
            and tokens[end].word != "'s"
        ):
            end += 1
        yield end, reading.said(at, end)


@slot("known")
def known_name(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """A name of something that is there: in quotes, or a word that looks like a name."""
    for end, found in name(reading, at, env, "bare"):
        if reading.tokens[at].kind == "quoted" or looks_like_name(found, reading, at):
            yield end, found


def looks_like_name(text: str, reading: Reading, at: int) -> bool:
    """Whether a word is written like a name: with a capital inside a sentence, a digit or an underscore."""
    if re.search(r"[_\d]|[a-z][A-Z]|\w\.[LRlr]$", text):
        return True
    begins = at == 0 or reading.mark(at - 1) in {".", "!", "?", ":"} or reading.tokens[at - 1].word == "let"
    if begins and reading.lenient and reading.word(at - 1) == "let":
        begins = text.lower() in OBJECT_KINDS
    elif begins and reading.lenient and reading.word(at + 1) in {"is", "has", "gets", "becomes", "and", "should"}:
        begins = text.lower() in OBJECT_KINDS or text.lower() in VERBS
    return text[:1].isupper() and not begins and text.lower() not in {"x", "y", "z"} and not text.isupper()


@slot("path")
def path(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """A file, by its path."""
    if at < len(reading.tokens) and (
        reading.tokens[at].kind == "path" or (reading.tokens[at].kind == "quoted" and of != "bare")
    ):
        text = reading.tokens[at].text
        if not re.match(r"[/\\.]|[A-Za-z]:", text):  # where a path that begins nowhere is
            yield from ((end, f"//{text}") for end, _ in BESIDE(reading, at + 1, {}))
            folder = skip(reading, at + 1, {"from", "in", "the", "folder", "directory"})
            if reading.word(at + 1) in {"from", "in"} and reading.tokens[folder : folder + 1] and "/" not in text:
                where = reading.tokens[folder]
                if where.kind == "path" and "." not in where.text.rpartition("/")[2].strip("."):
                    yield folder + 1, f"{where.text.removesuffix('/') if where.text != '//' else '/'}/{text}"
        here = HERE(reading, at + 1, {}) if reading.tokens[at].kind == "path" else iter(())
        yield from ((end, text) for end, _ in here)
        yield at + 1, text


HERE: Final = compile_pattern(
    "« [in|into|to|from] [the] [current] [working|same] (directory|folder) » | (in|into|to|from) [the] [current] working (directory|folder) | directory"
)
"""Behind a path that begins nowhere: it begins there anyway."""


BESIDE: Final = compile_pattern(
    "[,] [«] [in|into|to|from|under] ([right] next to|beside|alongside|[(folder|directory|place)] of|same folder as|same directory as|folder with) [the|this|our|my] [.] blend [file] [»]"
)
"""Behind a path that is meant from where the blend file is."""


IN_PLACE: Final = (
    "([with|while] (keep|keeping|maintaining|preserving) [its|their|the] [world] (place|position|transform|offset|location)"
    "|[it|they] [has to|have to|must|should] (stay|stays|staying) (where it is|where they are|in place|put)"
    "|(keep|keeping) (it|them) (where it is|where they are|in place)"
    "|without (moving|changing the (place|position|transform) of) (it|them|the child|the children|anything)"
    "|[it|they] (must|should|may) not move|(do not|don't|without) (let|letting) (it|them) move)"
)
"""What is said of something that keeps its place while it is given a parent."""


@slot("in_place")
def in_place(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """Words for something that keeps its place."""
    for end, _ in STAYS(reading, at, {}):
        yield end, reading.said(at, end)


STAYS: Final = compile_pattern(IN_PLACE)


@slot("dotted")
def dotted(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """Something written as in Python, with a dot: "object.drop_to_ground"."""
    token = reading.tokens[at] if at < len(reading.tokens) else None
    if token and token.kind in {"word", "quoted"} and re.fullmatch(r"[a-z_]\w*\.[a-z_]\w*", token.text):
        yield at + 1, token.text


@slot("identifier")
def identifier(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """A name that can be a Python identifier."""
    for end, found in name(reading, at, env, "bare"):
        if re.fullmatch(r"[A-Za-z_]\w*", found):
            yield end, found


# --- which objects ------------------------------------------------------------------------------------------

How = Literal["known", "named", "kind", "all", "active", "selected", "it", "them", "word", "several", "new", "parts"]

OBJECT_KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "cube": ("MESH", "Cube"), "default cube": ("MESH", "Cube"), "box": ("MESH", "Cube"), "plane": ("MESH", "Plane"),
    "sphere": ("MESH", "Sphere"), "uv sphere": ("MESH", "Sphere"), "ico sphere": ("MESH", "Icosphere"),
    "icosphere": ("MESH", "Icosphere"), "cylinder": ("MESH", "Cylinder"), "cone": ("MESH", "Cone"),
    "torus": ("MESH", "Torus"), "grid": ("MESH", "Grid"), "circle": ("MESH", "Circle"), "monkey": ("MESH", "Suzanne"),
    "suzanne": ("MESH", "Suzanne"), "camera": ("CAMERA", "Camera"), "scene camera": ("CAMERA", "Camera"),
    "active camera": ("CAMERA", "Camera"), "present camera": ("CAMERA", "Camera"), "current camera": ("CAMERA", "Camera"), "default camera": ("CAMERA", "Camera"), "light": ("LIGHT", "Light"),
    "default light": ("LIGHT", "Light"), "point light": ("LIGHT", "Light"), "empty": ("EMPTY", "Empty"),
    "sun": ("LIGHT", "Sun"), "sun light": ("LIGHT", "Sun"), "spot light": ("LIGHT", "Spot"), "spot": ("LIGHT", "Spot"),
    "area light": ("LIGHT", "Area"), "text": ("FONT", "Text"), "text object": ("FONT", "Text"),
    "armature": ("ARMATURE", "Armature"), "rig": ("ARMATURE", "Armature"), "curve": ("CURVE", "Curve"),
    "lattice": ("LATTICE", "Lattice"), "metaball": ("META", "Mball"), "speaker": ("SPEAKER", "Speaker"),
    "ball": ("MESH", "Sphere"), "path": ("CURVE", "Path"), "bezier circle": ("CURVE", "BezierCircle"),
    "bezier curve": ("CURVE", "BezierCurve"), "ground": ("MESH", "Ground"), "floor": ("MESH", "Floor"),
    "ground plane": ("MESH", "Ground"), "mesh": ("MESH", ""), "grease pencil object": ("GREASEPENCIL", ""),
    "grease pencil": ("GREASEPENCIL", ""),
}  # fmt: skip
KIND_WORDS: Final = Phrases[str]((phrase, phrase) for phrase in OBJECT_KINDS)
LIGHT_DATA: Final = {
    "point light": "PointLight", "sun": "SunLight", "sun light": "SunLight", "spot": "SpotLight", "spot light": "SpotLight",
    "area light": "AreaLight",
}  # fmt: skip
"""The type of the data of a kind of light."""

TYPE_WORDS: Final[Phrases[str]] = Phrases([
    ("mesh object", "MESH"), ("mesh", "MESH"), ("light", "LIGHT"), ("camera", "CAMERA"), ("empty", "EMPTY"),
    ("scene object", ""), ("curve object", "CURVE"), ("curve", "CURVE"), ("text object", "FONT"), ("text", "FONT"), ("armature", "ARMATURE"),
    ("lattice", "LATTICE"), ("object", ""), ("thing", ""), ("cube", "=Cube"), ("sphere", "=Sphere"),
    ("cone", "=Cone"), ("cylinder", "=Cylinder"), ("plane", "=Plane"), ("grease pencil object", "GREASEPENCIL"),
    ("light object", "LIGHT"), ("camera object", "CAMERA"), ("empty object", "EMPTY"), ("armature object", "ARMATURE"),
    ("point light", "LIGHT:POINT"), ("sun light", "LIGHT:SUN"), ("area light", "LIGHT:AREA"), ("spot light", "LIGHT:SPOT"),
    ("metaball", "META"), ("metaball object", "META"),
])  # fmt: skip
"""What "every ..." may say: an object type, or =Name for those that Blender calls so."""

ALL_PARTS: Final = compile_pattern(
    "(all|every|each) [of] [the|its|these] (part|parts|piece|pieces) | (the|its) (parts|pieces)"
)
IT: Final = frozenset({"it", "this", "that", "itself", "its"})
THEM: Final = frozenset({"them", "these", "those", "they", "their"})


@dataclass(frozen=True)
class Target:
    """Which objects a request means. `name` is a name, a kind, or for `all` an object type.

    `where` narrows `all`.
    """

    how: How
    name: str = ""
    parts: tuple[Target, ...] = ()
    where: tuple[Filter, ...] = ()
    said: str = ""
    type: str = ""
    """The object type that the word before a name tells: 'the text "Label"'."""
    data: str = ""
    """The type of its data, where that word tells it: 'the sun light "Key"'."""
    what: Any = None
    """What is said of one that the request makes on the way: 'parented to an empty "Pivot" at the origin'."""


@slot("object")
def target(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Target]]:
    """The words for one object or several."""
    seen: set[tuple[int, Target]] = set()
    if of == "one":
        yield from new_target(reading, at)
    for end, found in one_target(reading, at):
        said = replace(found, said=reading.said(at, end))
        listed = (
            [*numbered_targets(reading, at, end, found), *listed_targets(reading, end, [said])] if of != "one" else []
        )
        for each in [*listed, (end, said)]:
            if each not in seen:
                seen.add(each)
                yield each


def new_target(reading: Reading, at: int) -> Iterator[tuple[int, Target]]:
    """ "an empty", 'a new empty called "Aim" at (0, 0, 2)': one that something else is hung on or aimed at."""
    start = at - 1 if at and reading.word(at - 1) in {"a", "an"} else at
    if reading.word(start) not in {"a", "an"} or reading.word(skip(reading, start, {"a", "an", "new"})) != "empty":
        return
    for end, what in SLOTS["thing"](reading, start, {}, ""):
        yield end, Target("new", what=what, said=reading.said(start, end))


def numbered_targets(reading: Reading, at: int, end: int, first: Target) -> Iterator[tuple[int, Target]]:
    """ "Crate_01 to Crate_05", "Cam_00 ... Cam_11": every number between."""
    head = re.fullmatch(r"(.*?)(\d+)", first.name) if first.how == "named" else None
    if head is None or (
        reading.word(end) not in {"to", "through", "until"} and reading.mark(end) not in {"...", "..", "…", "-"}
    ):
        return
    for last, name_ in known_name(reading, end + 1, {}, ""):
        tail = re.fullmatch(r"(.*?)(\d+)", name_)
        if tail is not None and tail[1] == head[1] and 0 < int(tail[2]) - int(head[2]) < MANY:
            names = [f"{head[1]}{number:0{len(head[2])}}" for number in range(int(head[2]), int(tail[2]) + 1)]
            said = reading.said(at, last)
            yield last, Target("several", parts=tuple(Target("named", each, said=each) for each in names), said=said)


def listed_targets(reading: Reading, at: int, so_far: list[Target]) -> Iterator[tuple[int, Target]]:
    """ "..., "B" and the cube" after a first object; pronouns cannot be listed."""
    place = at
    if len(so_far) >= LISTED:
        return
    if reading.mark(place) == ",":
        place += 1
    joined = reading.word(place) in {"and", "plus"}
    place += joined
    if place == at:
        return
    for end, found in one_target(reading, place):
        if found.how not in {"named", "kind", "word", "all"} or (found.how == "word" and so_far[-1].how != "word"):
            continue
        parts = [*so_far, replace(found, said=reading.said(place, end))]
        yield from listed_targets(reading, end, parts)
        if joined:
            yield end, Target("several", parts=tuple(parts), said=reading.said(at, end))


def one_target(reading: Reading, at: int) -> Iterator[tuple[int, Target]]:
    """One reference to an object or a group of them."""
    tokens, word = reading.tokens, reading.word(at)
    if at >= len(tokens):
        return
    if word in {"a", "an"} and tokens[at].text.islower():
        return  # something new, none that is there
    yield from selection(reading, at)
    yield from ranked(reading, at)
    for end, _ in BROUGHT_IN(reading, at, {}):
        yield end, Target("all", where=(IMPORTED,))
    if word in {"all", "every", "each", "any", "both", "non"} or reading.word(at + (word == "the")) in ADJECTIVES:
        yield from group(reading, at)
    article = at + (word in ARTICLES or word in {"this", "that", "these", "those", "my", "our"})
    # "the active object", "the new one"
    for phrase in (
        "active object",
        "active one",
        "current object",
        "active mesh",
        "current active object",
        "active mesh object",
    ):
        if tuple(reading.word(article + k) for k in range(len(phrase.split()))) == tuple(phrase.split()):
            yield article + len(phrase.split()), Target("active")
    if word in IT:
        yield at + 1, Target("it")
        if word in {"this", "that"} and reading.word(at + 1) in {"object", "one", "mesh", "thing"}:
            yield at + 2, Target("it")
    for end, _ in ALL_PARTS(reading, at, {}):
        yield end, Target("parts")
    if word in {"all", "each"} and reading.word(at + 1) == "of" and reading.word(at + 2) in {"them", "these", "those"}:
        yield at + 3, Target("them")
    if (
        word in THEM
        or (word == "both" and reading.word(at + 1) == "of" and reading.word(at + 2) == "them")
        or word == "both"
    ):
        end = at + 3 if reading.word(at + 1) == "of" and reading.word(at + 2) == "them" else at + 1
        yield end, Target("them")
    if article > at and reading.word(article) in {"copies", "duplicates", "objects", "meshes"}:
        yield article + 1, Target("them")
    quoted_next = article + 1 < len(tokens) and tokens[article + 1].kind == "quoted"
    named_next = quoted_next or reading.word(article + 1) in {"called", "named"}
    if (
        article > at
        and reading.word(article) in {"object", "copy", "duplicate", "original", "result"}
        and not named_next
    ):
        yield article + 1, Target("it")
    # "the lights", "meshes whose name ..."
    noun = next((tokens[end - 1] for end, _ in TYPE_WORDS.matches(tokens, article)), None)
    if reading.word(article) in {"children", "descendants"}:
        yield from group(reading, article)
    if noun and word not in {"this", "that", *ARTICLES - {"the"}} and singular(noun.text.lower()) != noun.text.lower():
        for end, found in group(reading, at):
            if found.name or found.where:
                yield end, replace(found, where=(UNSAID, *found.where))
    # 'the wheels (objects whose name starts with "Wheel")': what the words in brackets say
    opening = next((place for place in range(article + 1, article + 4) if reading.mark(place)), at)
    if word in QUANTIFIERS and opening > at and reading.mark(opening) == "(":
        for end, found in group(reading, opening + 1):
            if found.where and reading.mark(end) == ")":
                yield end + 1, found
    # "the object called Box", 'the plane "Floor"', "object Floor"
    kind_end = article
    plain_at = skip(reading, article, PLAIN)
    kinds = list(KIND_WORDS.matches(tokens, plain_at))
    nouns = [(end, phrases[0]) for end, phrases in kinds]
    types = [OBJECT_KINDS[phrase][0] for _, phrase in nouns]
    type_ = types[0] if types and types[0] not in {"MESH", "GREASEPENCIL"} else ""
    said_to_be = reading.word(plain_at) == "one" and reading.word(plain_at + 1) in {"called", "named"}
    if said_to_be or reading.word(plain_at) in {"object", "mesh", "thing", "curve", "light", "camera", "empty"}:
        nouns.append((plain_at + 1, ""))
    for kind_end, _ in nouns:
        after = kind_end
        if reading.word(after) == "object":
            after += 1
        called = after + 1 if reading.word(after) in {"called", "named"} else after
        for end, found in known_name(reading, called, {}, ""):
            if called > after or tokens[called].kind == "quoted" or looks_like_name(found, reading, called):
                yield end, Target("named", found, type=type_, data=LIGHT_DATA.get(nouns[0][1], ""))
    # '"Floor"', "Chair_2", "Rig object"; a file is no object
    for end, found in (
        known_name(reading, article, {}, "")
        if reading.tokens[article : article + 1] and tokens[article].kind != "path"
        else ()
    ):
        lowered = found.lower()
        if lowered in {"blender", "eevee", "cycles", "workbench"} and tokens[article].kind != "quoted":
            continue
        if tokens[article].kind == "quoted" or lowered not in OBJECT_KINDS:
            after = end
            while reading.word(after) in {"object", "mesh"} and article > at:
                after += 1
            if after != end:
                yield after, Target("named", found)
            yield end, Target("named", found)
    own = reading.tokens[article].text if article < len(tokens) else ""
    for kind_end, phrase in nouns:
        if phrase == own.lower() != OBJECT_KINDS[phrase][1].lower() and looks_like_name(own, reading, article):
            yield kind_end, Target("named", own)  # "Box" is what it is called, "the box" what it is
        elif phrase:
            after = kind_end
            if reading.word(after) in {"object"}:
                yield after + 1, Target("kind", phrase)
            text = tokens[article].text
            if OBJECT_KINDS[phrase][1] == text and looks_like_name(text, reading, article):
                yield kind_end, Target("named", text)
            yield kind_end, Target("kind", phrase)
    # 'the tires "Tire_1"': a word that says what it is, then its name
    spoken = reading.word(article)
    if (
        article > at
        and spoken.isalpha()
        and spoken not in NO_NAMES | VERBS | FUNCTION_WORDS
        and singular(spoken) not in STORED | NO_THINGS
    ):
        after = article + 1
        kind_too = reading.word(after) in {"object", *OBJECT_KINDS}  # 'the character mesh "Body"'
        plain = reading.lenient and reading.tokens[after : after + 1] and tokens[after].text.isalpha()
        plain = plain and not {reading.word(after), singular(reading.word(after))} & (
            NO_NAMES | VERBS | FUNCTION_WORDS | STORED | NO_THINGS | PARTS_OF | PLAIN
        )  # 'the chain link "Link2"'
        after += (kind_too or bool(plain)) and after + 1 < len(tokens) and tokens[after + 1].kind == "quoted"
        if after < len(tokens) and (
            tokens[after].kind == "quoted" or looks_like_name(tokens[after].text, reading, after)
        ):
            for end, found in known_name(reading, after, {}, ""):
                yield end, Target("named", found, type="FIELD" if spoken in FIELDS else "")
        # 'the propeller ("Prop")', 'the bullet hole ("Hole")'
        for after in (article + 1, article + 2):
            kind_ = reading.word(after - 1)
            in_brackets = reading.mark(after) == "(" and reading.mark(after + 2) == ")"
            if (
                in_brackets
                and tokens[after + 1].kind == "quoted"
                and kind_
                and kind_ not in NO_NAMES | STORED | PARTS_OF
            ):
                yield after + 3, Target("named", tokens[after + 1].text)
    # A word that may be the name of something that was named before: "the ball", "key light".
    if at < len(tokens) and tokens[article].kind == "word" if article < len(tokens) else False:
        word = reading.word(article)
        if word and word not in FUNCTION_WORDS and word not in NO_NAMES and word not in VERBS:
            named_before = {
                token.text.lower() for token in tokens[:at] if token.kind == "quoted" or token.text[:1].isupper()
            }
            if word in named_before and reading.word(article + 1) in OBJECT_KINDS and word not in OBJECT_KINDS:
                yield article + 2, Target("word", tokens[article].text)
            if word in named_before or not modifies(reading, article):
                yield article + 1, Target("word", tokens[article].text)


def modifies(reading: Reading, at: int) -> bool:
    """Whether a word is a kind of modifier or constraint: "the subsurf" is no object that is called so."""
    families = (reading.lexicon.families[each].first(reading.tokens, at) for each in ("modifiers", "constraints"))
    return any(found is not None and reading.word(at) not in AMBIGUOUS for found in families)


AMBIGUOUS: Final = frozenset(
    {
        "wave",
        "screw",
        "ocean",
        "mask",
        "armature",
        "lattice",
        "curve",
        "floor",
        "pivot",
        "cloth",
        "explode",
        "fluid",
        "nodes",
    }
)
"""Kinds of modifiers and constraints that things are called by too."""
FIELDS: Final = frozenset({"wind", "vortex", "turbulence", "harmonic"})
"""Words for what has a force field: the strength of such a thing is not that of a light."""
PLAIN: Final = frozenset(
    {"new", "whole", "old", "existing", "closed", "default", "overridden", "linked", "appended", "imported", "root"}
)
"""Words before the noun of one object that tell nothing where its name follows."""
STORED: Final = frozenset(
    {
        "material",
        "collection",
        "scene",
        "image",
        "action",
        "bone",
        "layer",
        "group",
        "world",
        "text",
        "marker",
        "track",
        "strip",
    }
)
PARTS_OF: Final = frozenset({
    "constraint", "key", "map", "attribute", "property", "node", "slot", "driver", "texture", "system", "input", "output", "channel",
    "curve", "keyframe", "set", "pass", "data", "string", "path", "name", "value", "color",
})  # fmt: skip
"""Words whose name in brackets is no object's."""
NO_THINGS: Final = frozenset({
    "constraint", "modifier", "attribute", "property", "node", "slot", "driver", "texture", "channel", "keyframe", "particle", "font",
    "system", "palette", "library", "preset", "addon", "add-on", "workspace", "pass", "sound", "clip", "movie", "linestyle", "value", "data", "datablock", "prefix", "suffix", "tag",
})  # fmt: skip
"""Words before a name that is no object's: 'the particles "Dust"'."""
MANY: Final = 200
"""How many objects a range of numbered names may hold."""
LISTED: Final = 8
"""How many objects may be listed."""
NO_NAMES: Final = frozenset({
    "new", "all", "every", "each", "any", "both", "selected", "active", "current", "it", "them", "this", "that",
    "these", "those", "keyframe", "keyframes", "keys", "modifier", "modifiers", "material", "materials", "object",
    "viewport", "film", "renders", "output", "background", "region", "sky", "file", "folder", "directory", "path",
    "objects", "mesh", "meshes", "collection", "scene", "world", "render", "frame", "frames", "axis", "x", "y",
    "z", "one", "ones", "ease", "max", "min", "maximum", "minimum", "raytracing", "eevee", "cycles", "workbench", "compositor", "bloom", "blender", "picture", "image", "aperture", "lens", "texture", "textures",
    "denoising", "exposure", "gamma", "samples", "bounces", "compositing", "comp", "post", "sequencer", "vse", "lot", "rest", "stuff", "things", "origin", "stack", "system",
})  # fmt: skip


VERBS: Final = frozenset(
    word for phrases in MACROS.values() for phrase in phrases.split("|") for word in phrase.split()
)


def skip(reading: Reading, at: int, words: Words[str]) -> int:
    """The place after any of these words."""
    while reading.word(at) in words:
        at += 1
    return at


SELECTED_ENDS: Final = frozenset(
    {"to", "onto", "under", "on", "into", "as", "with", "by", "at", "down", "up", "gets", "get"}
)
"""Words after "all selected" where nothing more is said of what is selected: objects are."""


def selection(reading: Reading, at: int) -> Iterator[tuple[int, Target]]:
    """ "selected", "the selection"."""
    place = skip(reading, at, {"the", "current", "all", "everything", "whole"})
    if reading.word(place) == "selected" and reading.word(place + 1) in {"ones", "things", "stuff", "items"}:
        yield place + 2, Target("selected")
    if place > at and reading.word(place) == "selected" and reading.word(place + 1) in SELECTED_ENDS:
        yield place + 1, Target("selected")
    if reading.word(place) == "selection" or (reading.word(place) == "selected" and reading.word(place + 1) in ALONE):
        yield place + 1, Target("selected")
    if reading.word(at) == "everything":
        start = at + 1 + (reading.word(at + 1) == "else")
        for end, where in narrowed(reading, start, (OTHER,) if start > at + 1 else ()):
            yield end, Target("all", where=where)
    if reading.word(at) in WHATEVER:
        start = skip(reading, at + 1, {"'s", "is", "are", "sits", "lies", "stands", "lives", "else"})
        for end, where in narrowed(reading, start, (OTHER,) if reading.word(start - 1) == "else" else ()):
            if where:
                yield end, Target("all", where=where)


ALONE: Final = frozenset({"", "to", "as", "in", "on", "by", "with", "from", "and", "at", "up", "down", "into", "along", "around", "onto"})  # fmt: skip
"""Words behind "the selected" that name nothing."""
WHATEVER: Final = frozenset({"anything", "whatever", "what", "whichever", "those", "all"})
"""Words for objects of any kind that a filter follows."""


def ranked(reading: Reading, at: int) -> Iterator[tuple[int, Target]]:
    """ "the ten largest objects", "the 3 meshes in "Props" with the most faces", "the object with the fewest vertices"."""
    place = skip(reading, at, {"the", "top"})
    if place == at:
        return
    count, several = 1, False
    for end, value in whole_number(reading, place, {}, ""):
        if value > 0:
            place, count, several = end, value, True
    found = SUPERLATIVES.get(reading.word(place))
    place += found is not None
    for end, kinds in TYPE_WORDS.matches(reading.tokens, place):
        plural = singular(reading.word(end - 1)) != reading.word(end - 1)
        if plural != (count > 1) and not (several and plural):
            continue
        for last, where in narrowed(reading, end):
            sized = found is not None and not found[1] and "dimensions" in found[0]
            if found is not None:
                seen = (*where, Filter(f"{found[0]} > 0.0")) if sized else where  # lights and cameras have no size
                yield last, Target("all", kinds[0], where=(*seen, Best(*found[:1], most=found[1], number=count)))
            for stop, env in BY_COUNT(reading, last, {}) if found is None else ():
                best = Best(MEASURES[env["of"]], most=env["most"] in MOST, number=count)
                for after, more in narrowed(reading, stop):
                    yield after, Target("all", kinds[0], where=(*where, *more, best))


BROUGHT_IN: Final = compile_pattern(
    "(what|everything|whatever|all) [that] (came in|comes in|was imported|is imported|got imported|was brought in)|[all|every|each] [of] [the|these] [newly|new] imported (object|objects|mesh|meshes|model|parts|ones|things|geometry)"
    "|(every|each|all) [of] [the|these] new (object|objects|mesh|meshes)"
)
"""What an import of the same request brings into the scene."""
BY_COUNT: Final = compile_pattern(
    f"(with|that has|that have|having) [the] {{most={'|'.join(sorted(MOST | LEAST))}}} [number of] {{of={'|'.join(MEASURES)}}} [count]"
)


def group(reading: Reading, at: int) -> Iterator[tuple[int, Target]]:
    """ "every mesh object", "all lights in the scene", "the selected objects", "meshes and curves in ..."."""
    where: tuple[Filter, ...] = ()
    place = at
    while (word := reading.word(place)) in QUANTIFIERS or word in ADJECTIVES:
        where += (ADJECTIVES[word],) if word in ADJECTIVES else ()
        place += 1
    if reading.word(place) in {"child", "children", "descendants"}:
        for after, narrow in narrowed(reading, place, where):
            if len(narrow) > len(where):
                yield after, Target("all", where=narrow)
    if SELECTED in where and reading.word(place) in {"ones", "guys", "parts", "items", "pieces", "stuff"}:
        for after, narrow in narrowed(reading, place + 1, where):
            yield after, Target("all", where=narrow)
    no = reading.word(place) == "non"
    for end, kinds in TYPE_WORDS.matches(reading.tokens, place + no):
        if no and kinds[0]:
            where += (Filter(f'obj.type != "{kinds[0]}"'),)
        types = [(end, "" if no else kinds[0])]
        while (more := next(TYPE_WORDS.matches(reading.tokens, next_listed(reading, types[-1][0])), None)) is not None:
            if next_listed(reading, types[-1][0]) == types[-1][0] or set(f"{kinds[0]}{more[1][0]}") & set("=:"):
                break
            if not (kinds[0] and more[1][0]):
                break
            types.append((more[0], f"{types[-1][1]}|{more[1][0]}"))
        for last, type_ in reversed(types):
            for after, narrow in narrowed(reading, last, where):
                yield after, Target("all", type_, where=narrow)
        break


def next_listed(reading: Reading, at: int) -> int:
    """The place after the comma or "and" of a list."""
    at += reading.mark(at) in {",", "/"}
    return at + (reading.word(at) in {"and", "or"})


QUANTIFIERS: Final = frozenset(
    {"all", "every", "each", "any", "of", "the", "single", "existing", "both", "my", "these"}
)


# --- kinds of things ----------------------------------------------------------------------------------------


THINGS_TOO: Final = {("floor",), ("action",), ("armature",), ("pivot",)}
"""Constraints that are called like things, and are none without that word."""


def told(reading: Reading, at: int, end: int) -> tuple[str, ...]:
    """These words, in singular."""
    return tuple(map(singular, reading.words(at, end - at)))


@slot("kind")
def kind(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Kind]]:
    """A kind of a family: "kind of modifiers"."""
    while reading.word(at) in {*ARTICLES, "new", "second", "another"}:
        at += 1
    pencil = any(token.word in PENCIL for token in reading.tokens)
    for end, found in reading.lexicon.families[of].matches(reading.tokens, at):
        if of == "constraints" and told(reading, at, end) in THINGS_TOO and reading.word(end) != "constraint":
            continue
        for each in sorted(found, key=lambda kind: kind.identifier.startswith(GREASE_PENCIL) != pencil):
            yield end, replace(each, several=True) if in_plural(reading, end, each.label) else each


def in_plural(reading: Reading, end: int, label: str) -> bool:
    """Whether a kind of thing that was read up to here was said in plural: "bevels", "mirror modifiers"."""
    noun = reading.word(end - 1)
    return reading.word(end) == "modifiers" or (singular(noun) != noun and not label.lower().endswith(noun))


PENCIL: Final = frozenset({"grease", "gp", "gpencil", "greasepencil"})
"""Words for grease pencils, whose modifiers are called like those of meshes."""


@slot("node")
def node(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, NodeType]]:
    """A node type of a tree: "node of ShaderNodeTree"."""
    while reading.word(at) in {*ARTICLES, "new"}:
        at += 1
    for end, found in reading.lexicon.nodes[of].matches(reading.tokens, at):
        for each in found:
            yield end, each


# --- settings -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Set:
    """What a request sets, in every way it may be meant: settings with the value as each of them takes it.

    `refused` holds what was said against a value that a setting does not take, `key` the phrase that named the setting.
    """

    options: tuple[tuple[Setting, Any], ...]
    said: str
    refused: NotUnderstood | None = None
    key: Key = ()


JOINERS: Final = frozenset({
    "with", "and", "having", "using", "at", "of", "its", "the", "a", "an", "set", "by", "has", "plus", "their", "where",
    "in", "to", "that", "which", "have", "make", "on", "whose", "is", "then", "use", "uses", "are", "written", "saved", "stored", "as", "for", "also", "gets", "needs",
})  # fmt: skip
LINKS: Final = frozenset({
    "to", "of", "is", "at", "by", "as", "equal", "equals", "set", "with", "on", "around", "in", "be", "should", "a", "the",
    "value", "only", "from", "mode", "type", "becomes", "via", "are", "must", "turned", "switched", "into", "about", "stays", "remains",
})  # fmt: skip
LINK_MARKS: Final = frozenset({"=", ":", "/", "("})
ON: Final = frozenset({"on", "true", "enabled", "yes", "active", "activated", "ticked", "checked", "enable"})
OFF: Final = frozenset(
    {"off", "false", "disabled", "no", "inactive", "deactivated", "unticked", "unchecked", "disable"}
)
LEADING: Final[Mapping[bool, Sequence[Sequence[str]]]] = {
    False: [words.split() for words in (
        "no", "don't", "do not", "without", "without any", "turn off", "disable", "not", "doesn't", "does not", "switch off", "deactivate", "untick", "uncheck", "don't use",
        "do not use", "hide", "drop", "skip", "neither", "never", "stop", "kill")],
    True: [words.split() for words in ("use", "enable", "turn on", "activate", "switch on", "tick", "check", "allow", "show")],
}  # fmt: skip
"""Words before the names of settings that turn them off or on."""


def places_of(reading: Reading, env: Env, of: str) -> Table | None:
    """The settings that a slot may speak of: those of a thing found before, or of a type or a node by name."""
    lexicon: Lexicon = reading.lexicon
    found = env.get(of)
    if isinstance(found, Kind):
        return lexicon.table(found.places) if found.places else None
    if isinstance(found, NodeType):
        return lexicon.sockets(found)
    if isinstance(found, str) and found in MODIFIER_VERBS:
        return lexicon.table(lexicon.kind("modifiers", MODIFIER_VERBS[found][0]).places)
    way: Literal["import", "export"] = "import" if of == "source" else "export"
    if isinstance(found, str) and (operator := file_operator(lexicon, found, way)):
        return lexicon.table((Place("", operator),))
    if isinstance(found, str) and found in SUBJECTS:
        of = found
    if of == "material":
        shader = lexicon.sockets(lexicon.manifest.nodes["ShaderNodeBsdfPrincipled"])
        return lexicon.joined("material", shader, lexicon.table(lexicon.places("Material")))
    if of in lexicon.manifest.nodes:
        return lexicon.sockets(lexicon.manifest.nodes[of])
    places = places_called(lexicon, of)
    return lexicon.table(places) if places else None


def places_called(lexicon: Lexicon, of: str) -> tuple[Place, ...]:
    """The places of the settings of a subject, of a type, or of the arguments of an operator."""
    if of not in SUBJECTS:
        if of in lexicon.manifest.operators:
            return (Place("", of),)
        return lexicon.places(of) if of in lexicon.manifest.types else ()
    places: list[Place] = []
    for each in SUBJECTS[of]:
        path_, _, type_name = each.rpartition(":")
        if type_name in lexicon.manifest.types:
            places += [Place(path_, type_name)] if path_ or of in WHOLE else lexicon.places(type_name)
    return tuple(dict.fromkeys(places))


FORMATS: Final = {
    "obj": "wm.obj", "stl": "wm.stl", "ply": "wm.ply", "glb": "export_scene.gltf", "gltf": "export_scene.gltf", "fbx": "export_scene.fbx",
    "usd": "wm.usd", "usdc": "wm.usd", "usda": "wm.usd", "usdz": "wm.usd", "abc": "wm.alembic", "alembic": "wm.alembic",
}  # fmt: skip
"""How the operator of a format begins."""


def file_operator(lexicon: Lexicon, said: str, way: Literal["import", "export"] = "export") -> str:
    """The operator that reads or writes a format, by its name or by a path; nothing where this Blender has none."""
    stem = FORMATS.get(said.rpartition(".")[2].lower(), "")
    name_ = stem.replace("export", way) if stem.startswith("export") else f"{stem}_{way}"
    return name_ if stem and name_ in lexicon.manifest.operators else ""


MODIFIER_VERBS: Final = {
    **{word: (word.upper(), "") for word in ("solidify", "decimate", "remesh", "bevel", "wireframe", "mirror", "array",
                                             "displace", "smooth", "triangulate", "shrinkwrap", "weld")},
    "voxel remesh": ("REMESH", ""), "subdivide": ("SUBSURF", ""), "bend": ("SIMPLE_DEFORM", "bend"), "twist": ("SIMPLE_DEFORM", "twist"),
    "taper": ("SIMPLE_DEFORM", "taper"), "lathe": ("SCREW", ""), "revolve": ("SCREW", ""), "cast": ("CAST", ""), "warp": ("WARP", ""),
}  # fmt: skip
"""Verbs that a modifier does: its identifier, and the way of a Simple Deform modifier."""


@slot("main")
def main_value(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Set]]:
    """A bare value for what a kind is mainly about: "solidify it by 20 cm", "a screw, 360 degrees"."""
    table, found = places_of(reading, env, of), env.get(of)
    identifier = MODIFIER_VERBS[found][0] if isinstance(found, str) else getattr(found, "identifier", "")
    if table is None:
        return
    for end, given in quantity(reading, skip(reading, at, {"of", "by", "at"}), {}, ""):
        options: list[tuple[Setting, Any]] = []
        refused: NotUnderstood | None = None
        for name_ in reading.lexicon.main.get(identifier, ()):
            for _, settings_ in table.named.matches(*phrase_tokens(name_)):
                for each in settings_:
                    try:
                        value = fitted(each.prop, given)
                    except NotUnderstood as refusal:
                        refused = refused or refusal
                    else:
                        if value is not None and (isinstance(value, Degrees) == given.measured("angle")):
                            options.append((each, value))
                break
        if options or refused:
            yield end, Set(tuple(options[:1]), reading.said(at, end), None if options else refused)


WHOLE: Final = frozenset(
    {"render", "object", "simulation", "kindlight", "particle system", "children", "hair dynamics"}
)
PARTICLES: Final = (
    ":ParticleSystem", "settings:ParticleSettings", "settings.boids:BoidSettings", "settings.fluid:SPHFluidSettings",
    "settings.effector_weights:EffectorWeights",
)  # fmt: skip
"""Subjects whose places are all listed."""
SUBJECTS: Final[Mapping[str, tuple[str, ...]]] = {
    "render": (
        ":Scene", "render:RenderSettings", "view_settings:ColorManagedViewSettings",
        "render.image_settings:ImageFormatSettings", "cycles:CyclesRenderSettings", "eevee:SceneEEVEE",
        "eevee.ray_tracing_options:RaytraceEEVEE", "display_settings:ColorManagedDisplaySettings", "unit_settings:UnitSettings",
        "render.ffmpeg:FFmpegSettings", "view_layer:ViewLayer", "view_layer.cycles:CyclesRenderLayerSettings",
        "view_layer.eevee:ViewLayerEEVEE", "view_layer.freestyle_settings:FreestyleSettings", "display.shading:View3DShading",
        "display:SceneDisplay", "world.mist_settings:WorldMistSettings",
        "sequencer_colorspace_settings:ColorManagedSequencerColorspaceSettings",
        "render.image_settings.stereo_3d_format:Stereo3dFormat", "safe_areas:DisplaySafeAreas",
    ),
    "workbench": ("display.shading:View3DShading", "display:SceneDisplay"),
    "mist": ("world.mist_settings:WorldMistSettings",),
    "freestyle": ("view_layer.freestyle_settings:FreestyleSettings", "render:RenderSettings"),
    "view layer": ("view_layer:ViewLayer", "view_layer.cycles:CyclesRenderLayerSettings", "view_layer.eevee:ViewLayerEEVEE",
                   "view_layer.freestyle_settings:FreestyleSettings"),
    "color management": ("view_settings:ColorManagedViewSettings", "display_settings:ColorManagedDisplaySettings",
                         "sequencer_colorspace_settings:ColorManagedSequencerColorspaceSettings"),
    "video": ("render.ffmpeg:FFmpegSettings", "render.image_settings:ImageFormatSettings", "render:RenderSettings"),
    "stereo": ("render.image_settings.stereo_3d_format:Stereo3dFormat", "render.image_settings:ImageFormatSettings", "render:RenderSettings"),
    "units": ("unit_settings:UnitSettings",),
    "stamp": ("render:RenderSettings",),
    "simplify": ("render:RenderSettings",),
    "motion blur": ("render:RenderSettings",),
    "volumetrics": ("eevee:SceneEEVEE",),
    "eevee": ("eevee:SceneEEVEE", "eevee.ray_tracing_options:RaytraceEEVEE"),
    "cycles": ("cycles:CyclesRenderSettings",), "light paths": ("cycles:CyclesRenderSettings",),
    "adaptive": ("cycles:CyclesRenderSettings",), "viewport": ("cycles:CyclesRenderSettings", "eevee:SceneEEVEE"),
    "material": (":ShaderNodeBsdfPrincipled", ":Material"),
    "Image": (":Image", "colorspace_settings:ColorManagedInputColorspaceSettings"),
    "simulation": (
        "settings:ClothSettings", "collision_settings:ClothCollisionSettings", "settings:SoftBodySettings",
        "settings.effector_weights:EffectorWeights", ":CollisionSettings",
    ),
    "particle system": PARTICLES, "children": PARTICLES,
    "hair dynamics": ("cloth.settings:ClothSettings", "cloth.collision_settings:ClothCollisionSettings"),
    "kindlight": (":PointLight", ":SunLight", ":SpotLight", ":AreaLight"),
    "strip": tuple(
        f":{kind}{end}"
        for kind in ("Text", "Color", "Sound", "Movie", "Image", "Scene", "Adjustment", "Glow", "Wipe", "SpeedControl", "GaussianBlur", "Meta")
        for end in ("Strip", "Sequence")
    ),
    "object": (
        "data:Camera", "data.dof:CameraDOFSettings", "data:SpotLight", "data:AreaLight", "data:SunLight", "data:PointLight",
        "data:TextCurve", "data:Curve", "data:Armature", "data:Lattice", "data:MetaBall", ":Object", "rigid_body:RigidBodyObject",
        "data:Mesh", "data.cycles:CyclesLightSettings", "cycles:CyclesObjectSettings", "data.stereo:CameraStereoData",
        "display:ObjectDisplay",
    ),
}  # fmt: skip


Befores = tuple[Key, ...]


@slot("settings")
def settings(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[Set]]]:
    """One or more settings of something, joined by commas and small words; the most of them first."""
    table = places_of(reading, env, of)
    if table is not None:
        found = env.get(of)
        own = key_of(found.label) if isinstance(found, Kind) else ()
        subject = found if isinstance(found, str) else of
        yield from settings_in(reading, at, table, subject=subject, framed=of == "render", own=own)


def settings_in(
    reading: Reading, at: int, table: Table, *, subject: str = "", framed: bool = False, own: Key = (), ahead: Befores = (),
) -> Iterator[tuple[int, list[Set]]]:  # fmt: skip
    """One or more settings of a table; `framed` is for those of the scene, "1920x1080"; `own` is what the thing is called,
    which may stand before the names of its settings: "bevel width"; `ahead` is what was set just before."""
    ends: list[tuple[int, list[Set]]] = []
    frontier: list[tuple[int, list[Set]]] = [(at, [])]
    seen: set[int] = set()
    while frontier:
        place, found = frontier.pop(0)
        begins = list(joined(reading, place, first=not found))
        begins += [start + len(own) for start in begins if own and reading.words(start, len(own)) == own]
        for start in begins:
            if start in seen:
                continue
            seen.add(start)
            before = (*CONTEXTS.get(subject, ()), *(phrases_before(found) or ahead))
            one = [(end, [each]) for end, each in one_setting(reading, start, table, before)]
            more = several_settings(reading, start, table)
            whole = framing(reading, start) if framed else rectangle(reading, start, table)
            whole = itertools.chain(whole, clipping(reading, start, table))
            for stop, read in sorted([*whole, *one, *more], key=lambda each: -each[0]):
                end = stop + (reading.word(stop) in {"each", "apiece"})
                closed = end + 1 if reading.mark(end) == ")" and opened(reading, at, end) else end
                both = [*found, *read]
                if len(both) > len({targeted(each) or str(place) for place, each in enumerate(both)}):
                    continue  # two things to aim at
                ends.append((closed, both))
                frontier.append((closed, both))
    best: dict[int, list[Set]] = {}
    for end, found in ends:
        best.setdefault(end, found)
    for end in sorted(best, reverse=True):
        yield end, best[end]


CONTEXTS: Final[Mapping[str, Befores]] = {
    "stamp": (("stamp",),), "simplify": (("simplify",),), "motion blur": (("motion", "blur"),), "volumetrics": (("volumetric",),),
    "freestyle": (("freestyle",),), "children": (("children",),), "workbench": (("cavity",), ("workbench",)),
    "CameraDOFSettings": (("bokeh",),), "light paths": (("bounce",),), "adaptive": (("adaptive",),), "viewport": (("viewport",),),
}  # fmt: skip
"""Panels whose name belongs to the names of their settings."""


def targeted(found: Set) -> str:
    """The property, where it is an object that is set."""
    return next((setting.prop.name for setting, value in found.options if isinstance(value, Ref)), "")


def phrases_before(found: Sequence[Set]) -> Befores:
    """How the last setting was named, and how Blender names it."""
    if not found or not found[-1].options:
        return ()
    plain = key_of(found[-1].options[0][0].prop.name.removeprefix("use_").replace("_", " "))
    return tuple(key for key in dict.fromkeys((found[-1].key, plain)) if key)


def opened(reading: Reading, start: int, end: int) -> bool:
    """Whether more brackets are open than closed in what was read, one of them before it."""
    depth = 0
    for place in range(max(0, start - 1), end):
        depth += {"(": 1, ")": -1}.get(reading.mark(place), 0)
    return depth > 0


def joined(reading: Reading, at: int, *, first: bool) -> Iterator[int]:
    """Where a setting may begin: here, or after the marks and small words that join it."""
    yield at
    place = at
    while reading.mark(place) in {",", "(", ":", "=", ";", "+", "/"} or reading.word(place) in JOINERS:
        place += 1
        yield place
        if place - at > 6:
            return


def framing(reading: Reading, at: int) -> Iterator[tuple[int, list[Set]]]:
    """What sets two settings of the render at once: "1920x1080", "frames 1-120", "29.97 fps"."""
    after = skip(reading, at, {"to", "into", "under", "in", "at", "the", "a", "folder", "file", "path", "directory"})
    foldered = reading.word(after - 1) in {"folder", "directory"} and after > at
    for end, text in (
        (
            (end, as_folder(text) if foldered else text)
            for end, text in path(reading, after, {}, "" if foldered else "bare")
        )
        if after > at
        or reading.word(at - 1) in {"to", "into", "under", "in", "at"}
        or (at < len(reading.tokens) and reading.tokens[at].text.startswith("//"))
        else ()
    ):
        folder = Setting(Place("render", "RenderSettings"), reading.lexicon.property("RenderSettings", "filepath"))
        yield end, [Set(((folder, text),), reading.said(at, end))]
    for start, on in [*((skip(reading, after, {"all"}), on) for after, on in led(reading, at)), (at, None)]:
        for words, (place_, names) in FAMILIES.items():
            if singular(reading.word(start)) != words:
                continue
            after = skip(reading, start + 1, {"is", "are", "be", "should"})
            word = reading.word(after)
            if on is None and word not in ON | OFF:
                continue
            state, end = (word in ON, after + 1) if on is None else (on, start + 1)
            yield (
                end,
                [
                    Set(
                        ((Setting(Place(*place_), reading.lexicon.property(place_[1], name_)), state),),
                        reading.said(at, end),
                    )
                    for name_ in names
                ],
            )
    every = skip(reading, at, {"only"})
    if reading.word(every) == "every" and reading.word(every + 2) == "frame":
        count = {"second": 2, "other": 2, "third": 3, "fourth": 4, "fifth": 5}.get(reading.word(every + 1))
        if count:
            step = Setting(Place("", "Scene"), reading.lexicon.property("Scene", "frame_step"))
            end = skip(reading, every + 3, {"only"})
            yield end, [Set(((step, count),), reading.said(at, end))]
    for what, place, names in FRAMING:
        start = skip(reading, at, {"the", "frame", "frames", "range", "preview"}) if what == "frames" else at
        said = {reading.word(each) for each in range(at, start)}
        if what == "frames" and (
            not said & {"frame", "frames", "range"} or ("preview" in said) != ("preview" in names[0])
        ):
            continue
        for end, values in SLOTS[what](reading, start, {}, ""):
            sets = [
                Set(
                    ((Setting(Place(*place), reading.lexicon.property(place[1], name_)), value),), reading.said(at, end)
                )
                for name_, value in zip(names, values, strict=True)
            ]
            yield end, sets


def as_folder(path: str) -> str:
    """A path that was said to be a folder."""
    return path if path.endswith("/") or "#" in path or "." in path.rpartition("/")[2] else f"{path}/"


def clipping(reading: Reading, at: int, table: Table) -> Iterator[tuple[int, list[Set]]]:
    """From where to where a camera sees: "clipping from 0.5 to 30 m"."""
    if reading.word(at) not in {"clipping", "clip"}:
        return
    start = skip(reading, at + 1, {"range", "distance", "distances", "the", "camera", "from", "between", "is", "of"})
    ends = [each for key in (("clip", "start"), ("clip", "end")) for each in table.named.get(key)[:1]]
    for middle, low in quantity(reading, start, {}, "") if len(ends) == 2 else ():
        joint = reading.word(middle) in {"to", "and", "until"} or reading.mark(middle) in {"-", ","}
        for end, high in quantity(reading, middle + 1, {}, "") if joint else ():
            low = replace(low, unit=low.unit or high.unit)  # noqa: PLW2901
            values = [fitted(each.prop, given) for each, given in zip(ends, (low, high), strict=True)]
            if None not in values and low.value < high.value:
                yield (
                    end,
                    [Set(((each, value),), reading.said(at, end)) for each, value in zip(ends, values, strict=True)],
                )


def rectangle(reading: Reading, at: int, table: Table) -> Iterator[tuple[int, list[Set]]]:
    """The two sizes of an area light: "2 m by 0.5 m"."""
    sizes = [
        next(
            (each for each in table.named.get(key) if each.place.type == "AreaLight" and each.prop.name == name_), None
        )
        for name_, key in (("size", ("size",)), ("size_y", ("size", "y")))
    ]
    for end, found in vector(reading, at, {}, "") if all(sizes) else ():
        if len(found.parts) == 2 and (found.unit is None or found.unit.measures == "length"):
            pairs = zip(sizes, found.parts, strict=True)
            yield end, [Set(((each, value),), reading.said(at, end)) for each, value in pairs if each is not None]


FAMILIES: Final = {"caustic": (("cycles", "CyclesRenderSettings"), ("caustics_reflective", "caustics_refractive"))}
"""Words for several switches at once."""
FRAMING: Final = (
    ("resolution", ("render", "RenderSettings"), ("resolution_x", "resolution_y")),
    ("frames", ("", "Scene"), ("frame_start", "frame_end")),
    ("frames", ("", "Scene"), ("frame_preview_start", "frame_preview_end")),
    ("film rate", ("render", "RenderSettings"), ("fps", "fps_base")),
)


@slot("film rate")
def film_rate(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[int, float]]]:
    """ "23.976 fps", "frame rate 29.97": a whole number of frames, and by what it is divided."""
    start = skip(reading, at, {"fps", "frame", "rate", "framerate", "to", "of", "at"})
    for end, given in quantity(reading, start, {}, ""):
        if given.number != int(given.number) and (
            given.measured("rate") or "rate" in reading.said(at, start) or "fps" in reading.said(at, start)
        ):
            yield end, (math.ceil(given.number), clean(math.ceil(given.number) / given.number))


Found_ = Iterator[tuple[int, Iterable[tuple[Setting, Any]], NotUnderstood | None, Key]]


def one_setting(reading: Reading, at: int, table: Table, before: Befores = ()) -> Iterator[tuple[int, Set]]:
    """ "width 0.1", "4 segments", "clipping on", "without goal", "sphere shape", "passive", "across Y".

    `before` are phrases for the setting before: "shift x 0.1, y 0.2".
    """
    results: dict[int, Set] = {}
    for read in (
        switched,
        qualified,
        named_first,
        valued_first,
        by_unit,
        pointed,
        a_bit,
        bare_color,
        fullest,
        by_item,
        elsewhere,
        by_axes,
        changed,
    ):
        for end, options, refused, key in read(reading, at, table, before):
            found = tuple(options)
            if (found or refused) and (end not in results or (not results[end].options and found)):
                results[end] = Set(found, reading.said(at, end), refused, key)
    yield from results.items()


def setting_names(
    reading: Reading, at: int, table: Table, before: Befores = ()
) -> Iterator[tuple[int, list[Setting], Key]]:
    """What a phrase here names, the longest first; then what it names with words of the phrase before:
    "shift x 0.1, y 0.2", "diffuse bounces 4, glossy 2", "motion blur: shutter 0.5"."""
    near = list(names_near(reading, at, table, before)) if before else []
    if {("viewport",), ("volumetric",)} & set(before):  # never the setting of the final render that is called so
        yield from near
    named = any(each.prop.type == "POINTER" for key in before for each in table.named.get(key))
    if named or reading.word(skip_back(reading, at)) == "with" or reading.mark(at - 1) == "(":
        # "custom shape X, scale 2"
        yield from (one for one in near if any(one[2][: len(whole)] == whole for whole in before))
    places = {each.place for key in before for each in table.named.get(key)}
    for end, found in table.named.matches(reading.tokens, at):
        if not any(each.place in places for each in found):  # "volumetric start 1, end 9": no frame
            yield from (one for one in near if one[0] == end and any(each.place in places for each in one[1]))
        yield end, found, table.named.key(reading.tokens, at, end)
    yield from near


def names_near(reading: Reading, at: int, table: Table, before: Befores) -> Iterator[tuple[int, list[Setting], Key]]:
    """What a phrase here names with words of the phrase before."""
    for length in range(min(3, len(reading.tokens) - at), 0, -1):
        own = table.named.key(reading.tokens, at, at + length)
        for whole in before if all(own) else ():
            for cut in range(len(whole), 0, -1):
                for key in ((*whole[:cut], *own), (*own, *whole[-cut:])):
                    found = table.named.get(key)
                    if found:
                        yield at + length, found, key


def switches(found: Iterable[Setting], on: bool) -> list[tuple[Setting, Any]]:
    """Settings that are turned on or off: booleans, and strengths that are nothing when off."""
    options: list[tuple[Setting, Any]] = [
        (each, on) for each in found if each.prop.type == "BOOLEAN" and not each.prop.array
    ]
    if not on:
        options += [
            (each, 0.0)
            for each in found
            if each.prop.type == "FLOAT"
            and not each.prop.array
            and (each.prop.min or 0.0) <= 0.0
            and (each.prop.name in ZEROED or (each.socket and not each.prop.min))
        ]
        options += [
            (each, item.identifier)
            for each in found
            if each.prop.type == "ENUM"
            for item in each.prop.items
            if item.identifier in {"NONE", "OFF", "None"}
        ][-1:]
    return options


def led(reading: Reading, at: int) -> Iterator[tuple[int, bool]]:
    """Words that turn on or off what is named after them."""
    for on, phrases in LEADING.items():
        for words in phrases:
            if [reading.word(at + k) for k in range(len(words))] == words:
                start = skip(reading, at + len(words), {"the", "any", "a", "its", "use", "both"})
                yield start, on
                if reading.word(start) in {"in", "on", "along"} and reading.word(start + 1) in AXES:
                    yield start + 1, on  # "not in z"


def switched(reading: Reading, at: int, table: Table, before: Befores) -> Found_:
    """ "no X", "without X", "disable X", "use X", "enable X"."""
    for start, on in led(reading, at):
        for end, found, key in setting_names(reading, start, table, before):
            yield end, switches(found, on), None, key
    if reading.word(at) in {"keep", "keeping"}:
        for end, found, key in setting_names(reading, skip(reading, at + 1, {"the"}), table, before):
            yield end, [one for one in switches(found, False) if one[0].prop.name == "use_replace"], None, key


def named_first(reading: Reading, at: int, table: Table, before: Befores) -> Found_:
    """A phrase and its value: "width 0.1", "clipping on", "transparent"."""
    for end, found, key in setting_names(reading, at, table, before):
        by = reading.word(end) == "by" and verb_before(reading, at) in UPWARDS | DOWNWARDS
        after_bracket = [closing + 1 for closing, same in table.named.matches(reading.tokens, end + 1)
                         if reading.mark(end) == "(" and reading.mark(closing) == ")" and any(each in found for each in same)]  # fmt: skip
        starts = itertools.chain(*(links(reading, each) for each in (*after_bracket, end)))
        for start in () if by else starts:  # "an angle (angular diameter) of 2 degrees"
            for last, options, refused in values_of(reading, start, found):
                yield last, options, refused, key
        flags = [(each, True) for each in found if each.prop.type == "BOOLEAN" and not each.prop.array]
        if reading.word(skip_back(reading, at)) in {"keep", "keeping", "leave"}:  # what would be replaced
            flags = [each for each in flags if each[0].prop.name != "use_replace"]
        if flags:
            asked = end + (reading.mark(end) == "?")  # "Light tree? Off."
            after = skip(reading, asked, {"is", "are", "be", "should", "turned", "switched", "set", "to"})
            word = reading.word(after)
            if word in ON | OFF:
                yield after + 1, [(each, word in ON) for each, _ in flags], None, key
                if (reading.word(after + 1), reading.word(after + 2)) == ("by", "default"):
                    yield after + 3, [(each, word in ON) for each, _ in flags], None, key
            # "in the compositor" is where, and "sequencer: ..." what the next words are about
            placed = reading.word(skip_back(reading, at)) == "in" or reading.mark(end) == ":"
            # "compositor exposure 0.5" is where too
            placed = placed or (key in WHERE and reading.word(end) not in {"", "and", "in", "for", "is"})
            placed = placed or (key == ("random",) and bool(reading.word(end)))  # "random rotation" is one thing
            # "outlines off (freestyle)": whose outlines
            placed = placed or (
                reading.mark(at - 1) == "(" and reading.word(at - 2) in OFF and reading.mark(end) == ")"
            )
            if (
                word not in OFF
                and not placed
                and (not table.crowded or end - at > 1 or len(key) > 1 or " ".join(key) in SWITCHES)
            ):
                yield end, flags, None, key


WHERE: Final = frozenset({("compositor",), ("composit",)})
"""Names of switches that are places as well."""


def skip_back(reading: Reading, at: int) -> int:
    """The place before this one and the articles before it."""
    at -= 1
    while at >= 0 and reading.word(at) in ARTICLES:
        at -= 1
    return at if at >= 0 else len(reading.tokens)


def values_of(
    reading: Reading, at: int, found: Iterable[Setting]
) -> Iterator[tuple[int, list[tuple[Setting, Any]], NotUnderstood | None]]:
    """The value of any of these settings, every way it can be read."""
    read: dict[int, list[tuple[Setting, Any]]] = {}
    memo: dict[object, list[tuple[int, Any]]] = {}
    problem: tuple[int, NotUnderstood] | None = None
    for each in found:
        sign = signature(each)
        if sign not in memo:
            try:
                memo[sign] = list(value_of(reading, at, each))
            except NotUnderstood as refusal:
                memo[sign] = []
                problem = problem or (min(at + 1, len(reading.tokens)), refusal)
        for last, value in memo[sign]:
            read.setdefault(last, []).append((each, value))
    for last, options in read.items():
        yield last, options, None
    if problem and not read:
        yield next((finish for finish, _ in quantity(reading, at, {}, "")), problem[0]), [], problem[1]


def valued_first(reading: Reading, at: int, table: Table, before: Befores) -> Found_:
    """A value and its phrase: "4 segments", "0.1 wide", "a strength of 2" without its name first."""
    for middle, given in quantity(reading, at, {}, ""):
        if reading.word(at) in {"half", "double", "twice"}:
            continue  # of what it is
        start = skip(reading, middle, {"of", "for", "as", "in", "the"})
        places = {middle, start} if start > middle and reading.word(middle) in {"of", "in", "as"} else {middle}
        for place in sorted(places):
            for end, found, key in setting_names(reading, place, table, before):
                options: list[tuple[Setting, Any]] = []
                refused: NotUnderstood | None = None
                counted = singular(reading.word(end - 1)) != reading.word(end - 1)
                for each in found:
                    if each.prop.array or each.prop.type not in {"INT", "FLOAT"}:
                        continue
                    if counted and each.place.type == "EffectorWeights":
                        continue  # "60 boids" are so many
                    try:
                        fitting = fitted(each.prop, given)
                    except NotUnderstood as refusal:
                        refused = refused or refusal
                    else:
                        if fitting is not None:
                            options.append((each, fitting))
                yield end, options, refused, key


def qualified(reading: Reading, at: int, table: Table, before: Befores) -> Found_:
    """ "max subdivision 2 for renders", "64 samples in the viewport": a setting that has a twin."""
    lead = {"viewport": "viewport", "preview": "viewport", "render": "render", "final": "render"}.get(
        reading.word(at), ""
    )
    for end, options, _, key in valued_first(reading, at + 1, table, before) if lead else ():
        for twin in ((lead, *key), (*key, lead)):
            yield end, [(each, value) for each in table.named.get(twin) for own, value in list(options)[:1]
                        if signature(each)[:4] == signature(own)[:4]], None, twin  # fmt: skip
    ways = (named_first, valued_first, switched)
    for end, options, _, key in (found for way in ways for found in way(reading, at, table, before)):
        place = skip(reading, end, {"for", "in", "on", "the", "final", "both"})
        word = {"rendering": "render", "preview": "viewport"}.get(
            singular(reading.word(place)), singular(reading.word(place))
        )
        other = skip(reading, place + 1, {"and", "the", "final", "in", "for"})
        if place > end and word == "viewport" and other > place + 1 and singular(reading.word(other)) == "render":
            both = [one for one in options if one[0].prop.name in {"levels", "steps"}]  # the renders' follow: see TWINS
            yield other + 1, both, None, key
        if word not in {"render", "viewport"} or (place == end and not ends_here(reading, place + 1)):
            continue
        for twin in ((word, *key), (*key, word)):
            yield place + 1, [(each, value) for each in table.named.get(twin) for own, value in list(options)[:1]
                              if signature(each)[:4] == signature(own)[:4]], None, twin  # fmt: skip


def ends_here(reading: Reading, at: int) -> bool:
    """Whether a mark, an "and" or nothing stands here: "1 viewport, 2 render"."""
    return at >= len(reading.tokens) or bool(reading.mark(at)) or reading.word(at) == "and"


def elsewhere(reading: Reading, at: int, table: Table, before: Befores) -> Found_:
    """A value alone for the twin of the setting before: "max subdivision 1 in the viewport, 3 in renders"."""
    for middle, given in quantity(reading, at, {}, "") if before else ():
        place = skip(reading, middle, {"for", "in", "on", "the", "final"})
        word = singular(reading.word(place))
        if word not in {"render", "viewport"} or (place == middle and not ends_here(reading, place + 1)):
            continue
        for key in before:
            base = tuple(each for each in key if each not in {"render", "viewport", "preview"})
            for cut in range(len(base) + 1):
                twin = (*base[:cut], word, *base[cut:])
                fitting = [(each, fitted(each.prop, given)) for each in table.named.get(twin)
                           if each.prop.type in {"INT", "FLOAT"} and not each.prop.array]  # fmt: skip
                yield place + 1, [(each, value) for each, value in fitting if value is not None], None, twin


def by_unit(reading: Reading, at: int, table: Table, before: Befores) -> Found_:
    """ "85mm", "500 W", "3200 K": a unit that names its property."""
    for middle, given in quantity(reading, at, {}, ""):
        lossy = at > 0 and reading.word(at - 1) in LOSSY
        for name_, measures in (("quality", "share"),) if lossy and given.measured("share") else UNIT_SETTINGS:
            if measures == "share" and reading.word(at - 1) == "of":
                continue  # "an overscan of 10 %"
            if not given.measured(measures) or (measures == "length" and getattr(given.unit, "factor", 0) != 0.001):
                continue
            if measures == "bitrate" and any("audio" in key for key in before):
                name_ = "audio bitrate"  # noqa: PLW2901
            options = [
                (each, fitted(each.prop, given))
                for each in table.named.get(key_of(name_))
                if each.prop.name in UNIT_PROPERTIES
            ]
            yield middle, [(each, value) for each, value in options if value is not None], None, key_of(name_)


def pointed(reading: Reading, at: int, table: Table, before: Befores) -> Found_:
    """'the empty "Centre" as the mirror object', '"Backdrop" as its background set'."""
    for middle, aimed in target(reading, at, {}, "one"):
        if reading.word(middle) == "as":
            for end, found in table.named.matches(reading.tokens, skip(reading, middle + 1, {"the", "a", "its"})):
                options = [
                    (each, Ref(aimed)) for each in found if each.prop.type == "POINTER" and each.prop.of == "Object"
                ]
                yield end, options, None, ()
    for middle, called in known_name(reading, skip(reading, at, STORED | {"the"}), {}, ""):
        if reading.word(middle) == "as":
            for end, found in table.named.matches(reading.tokens, skip(reading, middle + 1, {"the", "a", "its"})):
                others = [each for each in found if each.prop.type == "POINTER" and each.prop.of != "Object"]
                yield end, [(each, Ref(called)) for each in others], None, ()


def a_bit(reading: Reading, at: int, table: Table, before: Befores) -> Found_:
    """ "a bit of random roughness": a tenth of what is usual."""
    word = reading.word(at)
    vague = skip(reading, at, {"a", "bit", "little", "slight", "touch", "of", "some"})
    if vague > at + (word == "a") and word in {"a", "some", "slight"}:
        for end, found in table.named.matches(reading.tokens, vague):
            yield end, [(each, clean(0.1 * min(each.prop.soft_max or 1.0, 1.0))) for each in found
                        if each.prop.type == "FLOAT" and not each.prop.array and not each.prop.default], None, ()  # fmt: skip


def bare_color(reading: Reading, at: int, table: Table, before: Befores) -> Found_:
    """ "warm orange", for what has a color; "light gray mortar", "a blue background"."""
    if reading.mark(at) not in {"(", "["}:
        for end, shade in color(reading, at, {}, "bare"):
            named = [(end, table.named.get(("color",))), *table.named.matches(reading.tokens, end)]
            for last, found in named:
                options = [
                    (each, (*shade.rgb, 1.0) if each.prop.array == (4,) else shade.rgb)
                    for each in found
                    if is_color(each.prop)
                ]
                yield last, options, None, ()


def fullest(reading: Reading, at: int, table: Table, before: Befores) -> Found_:
    """ "full strength", "maximum quality"."""
    if reading.word(at) in {"full", "maximum", "max", "fully"}:
        for end, found in table.named.matches(reading.tokens, at + 1):
            options = [
                (each, float(each.prop.max) if each.prop.type == "FLOAT" else int(each.prop.max))
                for each in found
                if each.prop.type in {"FLOAT", "INT"}
                and not each.prop.array
                and each.prop.max is not None
                and each.prop.max <= 100
            ]
            yield end, options, None, ()


NO_ITEMS: Final = ON | OFF | PREPOSITIONS
"""Words that are no items of an enumeration where nothing says of which: "turn off noise", "in the sequencer"."""


def by_item(reading: Reading, at: int, table: Table, before: Befores) -> Found_:
    """An item of an enumeration that tells its property, or that stands before it: "passive", "closest interpolation",
    "Arc as inner miter"."""
    for end, found_items in table.items.matches(reading.tokens, at):
        if end > at + 1 or reading.word(at) not in NO_ITEMS:
            yield end, found_items, None, ()
        after = skip(reading, end, {"collision", "the"})
        for last, found in table.named.matches(reading.tokens, after):
            if {each.prop.name for each in found} & {setting.prop.name for setting, _ in found_items}:
                yield last, found_items, None, table.named.key(reading.tokens, after, last)
        if reading.word(end) in TELLING and reading.word(at) not in PREPOSITIONS:
            yield end + 1, found_items, None, ()
    for length in (1, 2, 3):
        after = skip(reading, at + length, {"as", "the", "its"})
        for last, found in table.named.matches(reading.tokens, after):
            options = [
                (each, item)
                for each in found
                if each.prop.type == "ENUM"
                for end, item in items_of(reading, at, each.prop)
                if end == at + length
            ]
            key = table.named.key(reading.tokens, after, last)
            yield last, options, None, key
            again = items_of(reading, last + 1, options[0][0].prop) if options and reading.mark(last) == "(" else ()
            closed = {end for end, item in again if item == options[0][1] and reading.mark(end) == ")"}
            yield from ((end + 1, options, None, key) for end in closed)  # "full resolution (1:1)"


def by_axes(reading: Reading, at: int, table: Table, before: Befores) -> Found_:
    """Axes alone: "across Y", "along X and Z"."""
    joining = {"across", "along", "around", "about", "on", "in", "axis", "over", "through"}
    if not table.axes or reading.word(at) not in joining | set(AXES) | ARTICLES | {"-x", "-y", "-z"}:
        return
    for end, letter in axis(reading, skip(reading, at, joining | {"the"}), {}, ""):
        letters, last = [letter], end
        while reading.word(last) == "and" or reading.mark(last) == ",":
            more = next(axis(reading, last + 1, {}, ""), None)
            if more is None:
                break
            last = more[0]
            letters.append(more[1])
        value = axis_value(table.axes[0].prop, letters)
        yield last, [(table.axes[0], value)] if value is not None else [], None, ()


def changed(reading: Reading, at: int, table: Table, before: Befores) -> Found_:
    """A change of what is there: "half of the gravity", "exposure doubled", "(raise) the exposure by 0.5"."""
    factor = FACTORS.get(reading.word(at))
    if factor is not None:
        start = skip(reading, at + 1, {"of", "the", "as", "much"})
        for end, found, key in setting_names(reading, start, table):
            shares = [each for each in found if each.prop.soft_max == 1.0 or each.prop.subtype == "FACTOR"]
            if start == at + 1 and reading.word(at) in {"half", "quarter"} and shares:  # "at half influence"
                yield end, [(each, factor) for each in shares if each.prop.type == "FLOAT"], None, key
                continue
            yield end, changes(found, Change("*", factor)), None, key
    verb = verb_before(reading, at)
    for end, found, key in setting_names(reading, at, table):
        start = skip(reading, end, {"is", "to", "be", "by"})
        factor = FACTORS.get(reading.word(start))
        if reading.word(start) in {"doubled", "halved"} and factor is not None:
            yield start + 1, changes(found, Change("*", factor)), None, key
        if verb in UPWARDS | DOWNWARDS and reading.word(end) == "by":
            if reading.word(end + 1) == "half":
                yield end + 2, changes(found, Change("*", 0.5 if verb in DOWNWARDS else 1.5)), None, key
                continue
            for last, given in quantity(reading, end + 1, {}, ""):
                if given.measured("share"):
                    share = 1.0 + (given.value if verb in UPWARDS else -given.value)
                    yield last, changes(found, Change("*", clean(share))), None, key
                elif given.unit is None or given.measured("length") or given.measured("power"):
                    yield last, changes(found, Change("+" if verb in UPWARDS else "-", given.value)), None, key


def verb_before(reading: Reading, at: int) -> str:
    """A verb of raising or lowering shortly before this place, in the same clause."""
    for place in range(at - 1, max(at - 7, -1), -1):
        if reading.word(place) in UPWARDS | DOWNWARDS:
            return reading.word(place)
        if reading.word(place) == "and" or reading.mark(place):
            break
    return ""


def changes(found: Iterable[Setting], change: Change) -> list[tuple[Setting, Any]]:
    """The change, for settings that are one number, or several where it is a factor."""
    return [
        (each, change)
        for each in found
        if each.prop.type in {"INT", "FLOAT"} and (not each.prop.array or change.operator == "*")
        and each.prop.subtype not in {"ANGLE", "EULER"}
    ]  # fmt: skip


TELLING: Final = frozenset({
    "mode", "type", "method", "shape", "engine", "format", "sequence", "image", "images", "file", "files", "stills", "frames", "video",
    "container", "codec", "compression", "transform", "passes", "look", "filter", "transforms", "out", "output", "denoiser", "thread", "threads",
})  # fmt: skip
"""Nouns that may follow an item and add nothing."""
FACTORS: Final = {
    "half": 0.5,
    "halve": 0.5,
    "halved": 0.5,
    "double": 2.0,
    "doubled": 2.0,
    "twice": 2.0,
    "triple": 3.0,
    "quarter": 0.25,
}
UPWARDS: Final = frozenset({"increase", "raise", "brighten"})
DOWNWARDS: Final = frozenset({"decrease", "reduce", "lower"})


def several_settings(reading: Reading, at: int, table: Table) -> Iterator[tuple[int, list[Set]]]:
    """Several names that share one value: "diffuse and glossy bounces 4", "disable overwrite and placeholders"."""
    lone = reading.word(at) in {"no", "not"}
    for start, on in [*led(reading, at), (at, None)]:
        parts: list[tuple[int, int]] = []
        place, joint = start, ""
        while len(parts) < 8:
            end = place
            while (
                end < len(reading.tokens)
                and reading.tokens[end].kind == "word"
                and reading.word(end) not in SHARING
                and end - place < 4
            ):
                end += 1
            named = [(last, found, key) for last, found in table.named.matches(reading.tokens, place)
                     for key in [table.named.key(reading.tokens, place, last)]]  # fmt: skip
            for last, found, key in named[:1] if parts and (joint or (on is not None and not lone)) else ():
                each = [(found, key), *(elliptic(reading, table, key, *part) for part in parts)]
                if all(settings_ for settings_, _ in each):
                    yield from shared(reading, start, last, each, on, unclear=joint == "and" if lone else not joint)
            marks = reading.mark(end) == ","
            joint = reading.word(end + marks) if reading.word(end + marks) in SHARING else ""
            if end == place or not (marks or joint):
                break
            parts.append((place, end))
            place = skip(reading, end + marks + bool(joint), {"the", "both"})


SHARING: Final = frozenset({"and", "or", "nor"})


def elliptic(reading: Reading, table: Table, whole: Key, start: int, end: int) -> tuple[list[Setting], Key]:
    """What words name by themselves, or with the last words of a later phrase: "diffuse (bounces)"."""
    own = table.named.key(reading.tokens, skip(reading, start, ARTICLES | {"both"}), end)
    for key in (own, *((*own, *whole[cut:]) for cut in range(1, len(whole)))):
        found = table.named.get(key)
        if found:
            return found, key
    return [], ()


def shared(
    reading: Reading, start: int, end: int, each: Sequence[tuple[list[Setting], Key]], on: bool | None, *, unclear: bool
) -> Iterator[tuple[int, list[Set]]]:
    """The value after several names, for all of them; `on` where it stood before them."""
    if on is not None:
        said = reading.said(start, end)
        doubt = Ambiguous([said], f'"{said}": none of them, or only not the first?') if unclear and not on else None
        every = [
            Set(() if doubt else tuple(switches(found, on)), reading.said(start, end), doubt, key)
            for found, key in each
        ]
        if all(one.options or one.refused for one in every):
            yield end, every
        return
    for place in links(reading, end):
        yield from in_pairs(reading, start, place, [*each[1:], each[0]])
        read = [{last: options for last, options, _ in values_of(reading, place, found)} for found, _ in each]
        for last in set(read[0]).intersection(*read[1:]):
            yield last, [Set(tuple(options[last]), reading.said(start, last), None, key)
                         for options, (_, key) in zip(read, each, strict=True)]  # fmt: skip


def in_pairs(
    reading: Reading, start: int, at: int, each: Sequence[tuple[list[Setting], Key]]
) -> Iterator[tuple[int, list[Set]]]:
    """As many values as names, in the same order: "friction and bounciness are 0.3 and 0.7"."""
    found: list[Set] = []
    place = end = at
    for settings_, key in each:
        read = max(((last, options) for last, options, _ in values_of(reading, place, settings_) if options), default=None,
                   key=lambda one: one[0])  # fmt: skip
        if read is None:
            return
        end, options = read
        found.append(Set(tuple(options), reading.said(start, end), None, key))
        place = skip(reading, end + (reading.mark(end) in {",", "/"}), {"and"})
        if place == end and len(found) < len(each):
            return
    yield end, found


SWITCHES: Final = frozenset({
    "denoising", "denoise", "freestyle", "simplify", "transparent", "shadow", "sequencer", "compositing", "metadata", "holdout",
    "mist", "caustic", "stamp", "multiview", "raytracing", "tiling", "overscan", "compositor", "stereoscopy", "placeholder", "overwrite",
})  # fmt: skip
"""Words that turn a setting on by themselves, even of a thing with very many settings."""
ZEROED: Final = frozenset({"gravity", "mass", "friction", "roughness", "strength", "dither_intensity", "factor_random", "normal_factor", "restitution"})  # fmt: skip
UNIT_SETTINGS: Final = (
    ("focal length", "length"), ("energy", "power"), ("mass", "mass"), ("fps", "rate"), ("resolution percentage", "share"),
    ("temperature", "temperature"), ("video bitrate", "bitrate"),
)  # fmt: skip
LOSSY: Final = frozenset({"jpg", "jpeg", "webp", "quality"})
"""Formats of pictures of which "75 %" is the quality."""
UNIT_PROPERTIES: Final = frozenset(
    {
        "quality",
        "lens",
        "energy",
        "mass",
        "fps",
        "resolution_percentage",
        "temperature",
        "video_bitrate",
        "audio_bitrate",
    }
)


def phrase_tokens(phrase: str) -> tuple[Any, int]:
    """A phrase as tokens to be matched from the first."""
    return tokenize(phrase), 0


def axis_value(prop: Property, letters: list[str]) -> object | None:
    """Axes as the property takes them: three switches, or one item."""
    if prop.type == "BOOLEAN":
        plain = {letter.lstrip("-") for letter in letters}
        return tuple(letter in plain for letter in "XYZ")
    names = [item.identifier for item in prop.items]
    if len(letters) != 1 or letters[0] in names:
        return letters[0] if len(letters) == 1 else None
    letter, negative = letters[0].lstrip("-"), letters[0].startswith("-")
    fitting = [each for each in names if each.endswith(f"_{letter}") and ("NEG" in each) == negative]
    return fitting[0] if len(fitting) == 1 else None


def links(reading: Reading, at: int) -> Iterator[int]:
    """Where the value of a property may begin: after "to", "=", "is", "->", "from 24 to", or at once."""
    place = at
    stops = [at]
    while (
        (reading.word(place) in LINKS and not relative(reading, place))
        or reading.mark(place) in LINK_MARKS
        or (reading.word(place) in {"back", "up", "down"} and reading.word(place + 1) == "to")
        or reading.words(place, 3) in {("has", "to", "be"), ("have", "to", "be"), ("needs", "to", "be")}
    ) and place - at < 4:
        place += 1
        stops.append(place)
        if reading.word(place - 1) == "from":
            stops += [end + 1 for end, _ in quantity(reading, place, {}, "") if reading.word(end) == "to"]
    yield from reversed(stops)
    # "gamma slightly warm (1.05, 1.0, 0.95)": what stands in brackets says it exactly
    vague = skip(reading, at, VAGUE_WORDS)
    if vague > at and reading.mark(vague) in {"(", ":"}:
        yield vague
        yield vague + 1


VAGUE_WORDS: Final = frozenset({
    "slightly", "very", "quite", "somewhat", "a", "bit", "little", "warm", "cool", "cold", "soft", "strong", "subtle", "gentle",
    "mild", "heavy", "low", "high", "small", "large", "big", "fast", "slow", "wide", "narrow", "thin", "thick", "neutral",
})  # fmt: skip


def relative(reading: Reading, at: int) -> bool:
    """Whether "by" stands here and says how much more or less: "increase the energy by 10"."""
    before = {reading.word(place) for place in range(max(0, at - 12), at)}
    return reading.word(at) == "by" and bool(before & {"increase", "decrease", "reduce", "raise", "lower", "enlarge"})


def signature(setting: Setting) -> tuple[object, ...]:
    """What decides how the value of a setting is read."""
    prop = setting.prop
    return (
        prop.type,
        prop.subtype,
        prop.unit,
        prop.array,
        prop.of,
        prop.min,
        prop.max,
        prop.items,
        prop.flags,
        prop.label,
    )


def value_of(reading: Reading, at: int, setting: Setting) -> Found:
    """The value that a property takes, every way it can be read. Raises `ValueOutOfRange`."""
    prop = setting.prop
    if prop.type == "BOOLEAN":
        if reading.word(at) in ON | OFF:
            yield at + 1, (reading.word(at) in ON if not prop.array else (reading.word(at) in ON,) * prop.array[0])
        if prop.array == (3,):
            for end, letters in axes(reading, at, {}, ""):
                yield end, axis_value(prop, letters)
    elif prop.type == "ENUM":
        if is_flags(prop):
            found: list[str] = []
            place = at
            while (one := next(items_of(reading, place, prop), None)) is not None:
                place, item = one
                found.append(item)
                yield place, frozenset(found)
                while reading.word(place) == "and" or reading.mark(place) == ",":
                    place += 1
        else:
            yield from items_of(reading, at, prop)
    elif prop.type == "STRING":
        at = skip(reading, at, {"the", "vertex", "group"}) if prop.name.startswith("vertex_group") else at
        for end, text in itertools.chain(quoted_text(reading, at, {}, ""), path(reading, at, {}, "")):
            yield end, text
        for end, text in known_name(reading, at, {}, "") if prop.subtype != "FILE_PATH" else ():
            yield end, text
    elif prop.type == "POINTER":
        if prop.of == "Object":
            for end, found_target in target(reading, at, {}, "one"):
                yield end, Ref(found_target)
        else:
            for end, text in known_name(reading, skip(reading, at, STORED | {"the", "texture", "node"}), {}, ""):
                yield end, Ref(text)
    elif is_color(prop):
        shades = [(end, shade.rgb) for end, shade in color(reading, at, {}, "bare")]
        if not shades and (
            reading.mark(at) in {"(", "["} or (at < len(reading.tokens) and reading.tokens[at].kind == "number")
        ):
            # "gain (1.1, 1.0, 0.95)", "gain 1.1, 1.0, 0.95": a factor for each channel
            rows = [(end, found.parts) for end, found in vector(reading, at, {}, "") if found.whole and not found.unit]
            shades = [
                (end, (parts[0] or 0.0, parts[1] or 0.0, parts[2] or 0.0)) for end, parts in rows if len(parts) == 3
            ]
        for end, rgb in shades:
            yield end, (*rgb, 1.0) if prop.array == (4,) else rgb
    elif prop.array:
        yield from vectors(reading, at, prop)
    elif prop.type in {"INT", "FLOAT"}:
        for end, given in quantity(reading, at, {}, ""):
            value = fitted(prop, given)
            if value is not None:
                yield end, value


@slot("prop")
def property_name(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[Setting, ...]]]:
    """A property by name, to be given a value later: "prop of object"."""
    table = places_of(reading, env, of)
    if table is not None:
        for end, found in table.named.matches(reading.tokens, skip(reading, at, {"the", "its"})):
            yield end, tuple(found)


@slot("value")
def value_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Set]]:
    """The value of a property that was named before: "value of p"."""
    values: dict[int, list[tuple[Setting, Any]]] = {}
    problem: NotUnderstood | None = None
    for each in () if relative(reading, at - 1) else env.get(of) or ():
        try:
            for end, value in value_of(reading, at, each):
                values.setdefault(end, []).append((each, value))
        except NotUnderstood as refusal:
            problem = refusal
    for end in sorted(values, reverse=True):
        yield end, Set(tuple(values[end]), reading.said(at, end))
    if not values and problem is not None:
        for end, _ in quantity(reading, at, {}, ""):
            yield end, Set((), reading.said(at, end), problem)


def is_flags(prop: Property) -> bool:
    """Whether an enumeration takes a set of items."""
    return prop.flags


def is_color(prop: Property) -> bool:
    """Whether the property is a color."""
    return prop.subtype in {"COLOR", "COLOR_GAMMA"}


def is_ratio(reading: Reading, at: int) -> bool:
    """Whether a colon stands between two numbers: "1:2"."""
    kinds = {token.kind for token in (*reading.tokens[at - 1 : at], *reading.tokens[at + 1 : at + 2])}
    return at > 0 and kinds == {"number"}


def items_of(reading: Reading, at: int, prop: Property) -> Iterator[tuple[int, str]]:
    """An item of an enumeration, by label or identifier, or an axis."""
    start = skip(reading, at, {"the", "a", "an"})
    said = [
        (place, token)
        for place, token in enumerate(reading.tokens[start : start + 7])
        if token.text not in {"(", ")"}
        and (
            ((token.text != "+" or token.kind == "word") and token.text != ":")
            or (token.text == ":" and not is_ratio(reading, start + place))
        )
    ]
    words = [singular(token.word) or token.text for _, token in said]
    found: list[tuple[int, str]] = []
    spoken = reading.lexicon.spoken_items
    for item in prop.items:
        for phrase in (
            item.name,
            item.name.rpartition(" - ")[2],
            item.identifier.replace("_", " "),
            counted_item(item.identifier),
            *spoken.get(item.identifier, ()),
        ):
            key = key_of(phrase)
            if key and tuple(words[: len(key)]) == key:
                end = start + said[len(key) - 1][0] + 1
                end += "(" in [reading.mark(place) for place in range(start + 1, end)] and reading.mark(end) == ")"
                found.append((end + (key[-1].isdigit() and reading.word(end) in {"px", "pixels"}), item.identifier))
    exact = [one for one in found if one[0] == start + 1 and one[1] == reading.tokens[start].text.upper() != words[0]]
    if exact:
        found = [one for one in found if one in exact or one[0] != start + 1]  # "ZIPS" is no plural of "ZIP"
    if not found and at < len(reading.tokens) and reading.tokens[at].kind == "quoted":
        text = reading.tokens[at].text
        found += [(at + 1, item.identifier) for item in prop.items if text in {item.name, item.identifier}]
    if not found:
        for end, letter in axis(reading, start, {}, ""):
            value = axis_value(prop, [letter])
            if isinstance(value, str):
                found.append((end, value))
    yield from sorted(found, key=lambda each: -each[0])


def vectors(reading: Reading, at: int, prop: Property) -> Found:
    """A vector as the property takes it; one number for all components of a scale."""
    size = prop.array[0] if len(prop.array) == 1 else 0
    angles = prop.subtype in {"EULER", "ANGLE"} or prop.unit == "ROTATION"
    for end, found in vector(reading, at, {}, ""):
        if len(found.parts) == size or (len(found.parts) == 3 and not found.whole and size == 3):
            own = {"ACCELERATION": "acceleration", "VELOCITY": "speed"}.get(prop.unit, "length")
            fitting = {"angle" if angles else own, "share"}
            if found.unit and found.unit.measures not in fitting:
                continue
            yield (
                end,
                tuple(None if part is None else Degrees(part) if angles else part for part in found.parts)
                if prop.type == "FLOAT"
                else tuple(None if part is None else int(part) for part in found.parts),
            )
    if prop.type == "FLOAT" and (((prop.subtype == "XYZ" or prop.name == "scale") and size == 3) or size == 2):
        for end, given in quantity(reading, at, {}, "share/times/pixels"):
            yield (
                next((last for last, _ in EVERY_AXIS(reading, skip(reading, end, {"on", "along", "in"}), {})), end),
                (clean(given.value),) * size,
            )
    if prop.unit == "ACCELERATION":
        # One number is how strongly it pulls, and down is -Z.
        for end, given in quantity(reading, at, {}, "acceleration"):
            yield end, (None, None, clean(-abs(given.value)) if given.value else 0.0)
