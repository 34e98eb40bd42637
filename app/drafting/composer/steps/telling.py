"""Motions told in free words: what moves is named, which property, and what it is at which frames; the rest describes.

"the elevator cabin ("Cabin") has to go from the ground, z = 0, at frame 10 up to z = 12 m at frame 130"
                     \\_____/                             \\__________________________________________/
                      owner                               property and keys

Where a property and its value at two frames or more are said, words that nobody knows ("elevator") and verbs of motion
change nothing: they are passed over. Words that may change something (negations, numbers, "only", another axis, another
property) never are, nor is a second thing that is named. The same holds for a turn ("three revolutions about Y in
frames 1 to 240") and for a way ("4 m lower over frames 100-300").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from app.drafting.composer.build import Build
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Kind
from app.drafting.composer.patterns import MACROS, Env, Reading, slot
from app.drafting.composer.reader import vocabulary
from app.drafting.composer.slots import Target, axis, known_name, looks_like_name, one_target, quantity, turns
from app.drafting.composer.steps.animation import (
    SHAPES,
    Key,
    Shape,
    curve,
    keyframe,
    keys,
    moments,
    move_on,
    set_curves,
    spin,
    transform_component,
)
from app.drafting.composer.steps.channels import MOTIONS, TRANSFORMS, Channel, channel, channels_in, of_motion, verb
from app.drafting.composer.steps.owners import part
from app.drafting.composer.steps.remarks import MEANING
from app.drafting.composer.tokens import singular
from app.drafting.composer.values import Degrees, Quantity, refuse

TOO_LONG: Final = 60
"""How many words and marks such a sentence has at most."""
LOOKS: Final = 4
"""How many readings of a property are tried at one place."""
ENDS: Final = frozenset({".", ";", "!", "?"})
PASSED: Final = frozenset({",", "(", ")", ":", "-", "/"})
SAYING_WORDS: Final = (
    "the a an its their his her my our your it they he she we i you this that which who there here and then so as "
    "with at on in of to for from by over until till up through via into off when while where meanwhile during "
    "between is are be been being was were it's he's has have having had get gets got should must shall will "
    "would can need needs want wants like please let lets let's make makes made start starts starting begin "
    "begins beginning end ends ending reach reached reaches reaching arrive arrives come comes coming go goes "
    "going gone run runs running stay stays move moves moving travel travels change changes changing animate "
    "animates animated animating animation keyframe keyframes keyframed key keys keyed set add put give insert "
    "create value values property frame frames time effect shot look looks looking slowly slow quickly quick fast "
    "little bit open opens opening opened close closes closing closed shut shuts down back again out away "
    "slightly gently steadily smoothly more now just simply drop drops dropping rises rising falls falling grows "
    "growing shrinks shrinking fades fading pull pulls ramp ramps ramping shift turns turning heat heats warms "
    "cools dims flips swings jumps rides wanders settles happens use using object thing called named one machine "
    "mesh name"
)
SAYING: Final = frozenset(SAYING_WORDS.split())
"""Words that say nothing beside a property and its values at frames."""
OTHERS: Final = frozenset({"everything", "everyone", "nothing", "something", "this", "that", "these", "those", "both", "all", "each"})  # fmt: skip
COMMANDS: Final = frozenset(
    word for key in ("add", "set", "move") for phrase in MACROS[key].split("|") for word in phrase.split()
)


@dataclass
class Told:
    """What a sentence told so far."""

    target: Target | None = None
    axis: str | None = None
    how: Shape | None = None
    channel: Channel | None = None
    keys: list[Key] = field(default_factory=list[Key])
    angle: Degrees | None = None
    way: str | None = None
    far: Quantity | None = None
    span: tuple[int, int] | None = None
    strange: list[str] = field(default_factory=list[str])
    """Words that nobody knows."""


Held_ = tuple[tuple[int, int], str, Kind]
Part = Callable[[Reading, int, int, Told], "int | None"]
"""Reads something at a place, up to an end, into what was told: where that ends, or nothing."""


def sentence(reading: Reading, at: int) -> int | None:
    """The end of the sentence that begins here, where it may be told so."""
    fresh = at == 0 or reading.mark(at - 1) in ENDS | {":"} or reading.word(at - 1) in {"then", "and"}
    if not (reading.lenient and reading.loose and fresh):
        return None
    end = at
    while end < len(reading.tokens) and reading.mark(end) not in ENDS:
        end += 1
    return end if at < end <= at + TOO_LONG else None


def told_by(reading: Reading, at: int, end: int, told: Told, parts: tuple[Part, ...]) -> bool:
    """Whether everything from here to there is one of these parts, or says nothing."""
    place = at
    while place < end:
        after = next((last for part in parts if (last := part(reading, place, end, told)) is not None), None)
        if after is None or after > end:
            return False
        place = after
    return True


# --- parts --------------------------------------------------------------------------------------------------


def known(reading: Reading, word: str) -> bool:
    """Whether grammar or manifest has this word."""
    return bool({word, singular(word)} & vocabulary(reading.lexicon).keys())


def passing(reading: Reading, at: int, end: int, told: Told) -> int | None:
    """A mark between parts, or a word that says nothing here."""
    token = reading.tokens[at]
    if token.kind == "mark":
        return at + 1 if token.text in PASSED else None
    if reading.word(at) == "than" and reading.word(at + 1) in {"over", "in", "between", "during", "from"}:
        return at + 1  # "lower than now over frames ...": "now" is a filler
    word = token.word
    if word in {"'s", "s"}:
        return at + 1
    if token.kind != "word" or not word.replace("'", "").replace("-", "").isalpha() or word in MEANING:
        return None
    if {word, singular(word), singular(word) + "e"} & CHANGING or owned_by_next(reading, at):
        return None
    if word in SAYING or singular(word) in SAYING or (verb(reading, at) and word not in TRANSFORMS):
        return at + 1
    if known(reading, word) or (token.text[:1].isupper() and at > 0 and reading.mark(at - 1) not in ENDS | {":"}):
        return None
    told.strange.append(word)
    return at + 1


ORDERS_WORDS: Final = (
    "print list report export import bake delete remove clear select deselect hide show parent unparent join separate split "
    "apply convert rename name call assign link unlink append save load render play loop repeat cycle driver bind attach "
    "set constrain limit clamp mute lock unlock freeze swap replace restore reset undo invert flip push extend trim cut"
)
ORDERS: Final = frozenset(ORDERS_WORDS.split())
"""Words that command something else, where they begin a sentence."""


def owned_by_next(reading: Reading, at: int) -> bool:
    """Whether a word is a part of what is named next: "the wheels of "Car""."""
    after = reading.word(at + 1)
    plural = singular(reading.word(at)) != reading.word(at) and not verb(reading, at)
    belongs = after == "of" or (after in {"on", "in", "from", "at"} and plural)
    if not belongs or reading.word(at) in SAYING or len(reading.tokens) <= at + 2:
        return False
    owner = reading.tokens[at + 2]
    return owner.kind == "quoted" or owner.text[:1].isupper() or owner.word == "the"


CHANGING_WORDS: Final = (
    "second third other another child children copy duplicate reverse reversed mirror mirrored faster slower accelerate "
    "accelerating decelerate overshoot overshooting harder randomly random alternately staggered backwards "
    "modifier constraint bone shape material world scene collection action driver strip node texture relative "
    "local global offset delta parent pivot origin cursor marker layer track noise random vertex face edge "
    "particle factor ratio amount size range speed field"
)
CHANGING: Final = frozenset(CHANGING_WORDS.split())
"""Words that are never a mere description."""


def describing(reading: Reading, at: int, end: int, told: Told) -> int | None:
    """A word before the property: what happens, and to what; no kind of modifier, and nothing that is animated too."""
    word, token = reading.word(at), reading.tokens[at]
    if token.kind != "word" or not word.replace("'", "").replace("-", "").isalpha() or word in MEANING:
        return None
    families = (reading.lexicon.families[each] for each in ("modifiers", "constraints"))
    first = at == 0 or reading.mark(at - 1) in ENDS | {":"}
    if owned_by_next(reading, at) or (first and word in ORDERS):
        return None  # "the wheels of "Car"", "copy ..."
    if {word, singular(word)} & CHANGING or any(each.first(reading.tokens, at) is not None for each in families):
        return None
    if token.text[:1].isupper() and at > 0 and reading.mark(at - 1) not in ENDS | {":"}:
        return None
    if any(last <= end for last, _ in channels_in(reading, at, "object")) and reading.word(at + 1) not in SAYING:
        return None
    told.strange.append(word)
    return at + 1


def owning(reading: Reading, at: int, end: int, told: Told) -> int | None:
    """What it is about: a name, in quotes or written like one, or a kind of object; the same one again."""
    token = reading.tokens[at]
    if reading.word(at) in MEANING or token.kind == "number":
        return None
    for last, found in one_target(reading, at):
        small = {"the", "my", "our", "object"}
        first = next((each for each in range(at, last) if reading.word(each) not in small), last)
        named = found.how == "named" and (
            reading.tokens[last - 1].kind == "quoted"
            or any(looks_like_name(reading.tokens[each].text, reading, each) for each in range(first, last))
        )
        if last > end or not (named or found.how in {"kind", "active", "selected"}):
            continue
        mine = replace(found, said=reading.said(at, last))
        if told.target is None or (told.target.how == "kind" and mine.how == "named"):
            told.target = mine
        elif told.target.name.lower() != mine.name.lower() and mine.how != "kind":
            return None
        return last
    return None


def shaping(reading: Reading, at: int, end: int, told: Told) -> int | None:
    """How the curves run."""
    plain = ("noun",) if not told.keys and told.span is None else ("", "noun")
    for of in plain:
        for last, how in curve(reading, at, {}, of):
            merged = how if told.how is None else both_shapes(told.how, how)
            if last <= end and merged is not None:
                told.how = merged
                return last
    return None


def both_shapes(one: Shape, other: Shape) -> Shape | None:
    """Two things said of the curves as one: "elastic ..., easing in"; nothing where they contradict each other."""
    mine, more = dict(one.points), dict(other.points)
    if "easing" in more and "interpolation" in mine and more.get("interpolation") == "SINE":
        del more["interpolation"]  # what "easing in" alone stands for
    if any(mine.get(name, value) != value for name, value in more.items()):
        return None
    return Shape(tuple((mine | more).items()), one.beyond or other.beyond, one.cycles or other.cycles)


def along(reading: Reading, at: int, end: int, told: Told) -> int | None:
    """An axis."""
    start = at + (reading.word(at) in {"around", "about", "along", "on", "in", "round", "over", "to"})
    for last, found in axis(reading, start, {}, ""):
        if last <= end and told.axis in {None, found} and (start > at or told.angle is not None):
            told.axis = found
            return last
    return None


def spanning(reading: Reading, at: int, end: int, told: Told) -> int | None:
    """From which frame to which."""
    for last, found in moments(reading, at):
        if last <= end and len(found) == 2 and found[0] < found[1] and told.span is None:
            told.span = (found[0], found[1])
            return last
    return None


def turning(reading: Reading, at: int, end: int, told: Told) -> int | None:
    """How far it turns, and which way around."""
    ways = {"clockwise": "clockwise", "counterclockwise": "counterclockwise", "anticlockwise": "counterclockwise"}
    if reading.word(at) in ways and told.way is None:
        told.way = ways[reading.word(at)]
        return at + 1
    for word, share in (("half", 180.0), ("quarter", 90.0)):
        start = at + (reading.word(at) in {"a", "one"})
        last = start + 1 + (reading.word(start + 1) == "a")
        if reading.word(start) == word and singular(reading.word(last)) in {"turn", "rotation", "revolution"}:
            told.angle = Degrees(share) if told.angle is None else None
            return last + 1 if told.angle is not None else None
    for last, found in turns(reading, at, {}, ""):
        if last <= end and told.angle is None and not verb_alone(reading, at, last):
            told.angle = found
            return last
    return None


def verb_alone(reading: Reading, at: int, end: int) -> bool:
    """Whether "turns" or "spin" stands here without a number: a verb."""
    return all(singular(reading.word(each)) in {"turn", "spin", "rotation", "by", "for"} for each in range(at, end))


UPWARDS: Final = frozenset({"up", "upwards", "upward", "higher"})
DOWNWARDS: Final = frozenset({"down", "downwards", "downward", "lower"})


def going(reading: Reading, at: int, end: int, told: Told) -> int | None:
    """How far it goes, and where to."""
    word = reading.word(at)
    if word in UPWARDS | DOWNWARDS and told.way in {None, word}:
        told.way = word
        return at + 1
    for last, found in quantity(reading, at, {}, "length"):
        if last <= end and told.far is None and (found.unit is not None or reading.word(last) in {"units", "unit"}):
            told.far = found
            return last + (found.unit is None)
    return None


# --- readings -----------------------------------------------------------------------------------------------


def channels_told(reading: Reading, at: int, end: int) -> Iterator[tuple[int, int, Channel]]:
    """Where properties are named in a sentence: those by their names before those that a verb tells."""
    found: list[tuple[bool, int, int, Channel]] = []
    for place in range(at, end):
        if reading.tokens[place].kind in {"number", "mark"}:
            continue
        with_verb = bool(verb(reading, place))
        if with_verb:
            said = reading.said(place, place + 1)
            bare = of_motion(reading, place + 1, verb(reading, place), Channel((), said))
            found += [(True, place, place + 1, each) for each in bare]
        seen = 0
        for last, one in channel(reading, place, {}, ""):
            if one.target is not None and one.target.how == "word":
                continue
            seen += 1
            if last > end or seen > LOOKS:
                break
            moved = with_verb or (bool(verb(reading, last - 1)) and reading.word(last - 1) not in TRANSFORMS)
            found.append((moved, place, last, one))
    kinds = [(told, kind.type, f"{family} {told[0]}", "") for told, (family, kind) in kinds_told(reading, at, end)]
    materials = [(told, "", "material", name) for told, name in materials_told(reading, at, end)]
    for told, type_name, of, name in (*kinds, *materials):
        for start in range(at, end):
            for last, one in channels_in(reading, start, "owner" if type_name else "material", type_name):
                if last <= end and not told[0] <= start < told[1]:
                    found.append((False, start, last, replace(one, of=of, name=name)))
    found.sort(key=lambda each: (each[0], each[1], -each[2]))
    for _, place, last, one in found:
        yield place, last, one


def materials_told(reading: Reading, at: int, end: int) -> Iterator[tuple[tuple[int, int], str]]:
    """Materials that a sentence names, and from where to where."""
    for place in range(at, end):
        if reading.word(place) == "material":
            called = place + 1 + (reading.word(place + 1) in {"called", "named"})
            for last, name in known_name(reading, called, {}, ""):
                if last <= end:
                    yield (place, last), name
                    break


def kinds_told(reading: Reading, at: int, end: int) -> Iterator[tuple[tuple[int, int], tuple[str, Kind]]]:
    """Kinds of modifiers and constraints that a sentence names, and from where to where."""
    for family in ("modifiers", "constraints"):
        for place in range(at, end):
            for last, kinds in reading.lexicon.families[family].matches(reading.tokens, place):
                after = last + (reading.word(last) in {"modifier", "constraint"})
                if kinds[0].places and after <= end:
                    yield (place, after), (family, kinds[0])
                    break


@slot("told_keys")
def told_keys(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Told]]:
    """A sentence that tells a property and its values at two frames or more."""
    end = sentence(reading, at)
    if end is None or not any(reading.tokens[place].kind == "number" for place in range(at, end)):
        return
    found = reading.memo.get(("told_keys", at))
    if found is None:
        found = list(read_keys(reading, at, end))
        reading.memo["told_keys", at] = found
    yield from found


def read_keys(reading: Reading, at: int, end: int) -> Iterator[tuple[int, Told]]:
    """The first way to read such a sentence."""
    kinds = {f"{family} {place[0]}": (place, family, kind) for place, (family, kind) in kinds_told(reading, at, end)}
    materials = list(materials_told(reading, at, end))
    for first, last, one in channels_told(reading, at, end):
        held = kinds.get(one.of)
        named = next((place for place, name in materials if one.of == "material" and name == one.name), None)
        skipped = held[0] if held is not None else named

        def naming(_: Reading, at: int, end: int, told: Told, skipped: tuple[int, int] | None = skipped) -> int | None:
            """What has the property, where it is named apart: a kind of modifier or constraint, a material."""
            return skipped[1] if skipped is not None and at == skipped[0] and skipped[1] <= end else None

        for place in range(last, end):
            with_keys = (
                (stop, found)
                for stop, found in keys(reading, place, {"c": one}, "c")
                if stop <= end and len(found) >= 2 and all(key.options for key in found)
            )
            for stop, found in sorted(with_keys, key=lambda each: -each[0])[:2]:
                told = Told(channel=one, target=one.target)
                parts = (naming, shaping, owning, along, passing)
                if not told_by(reading, at, first, told, (naming, owning, passing, describing)):
                    continue
                if not told_by(reading, last, place, told, (naming, owning, along, passing)):
                    continue
                told.keys = found
                if told_by(reading, stop, end, told, parts) and settled(reading, at, told, one):
                    if held is not None:
                        owner = part(reading, held[1], {"mod": held[2], "target": told.target}, one.said)
                        told.channel = replace(one, of="owner", owner=owner)
                        told.target = None
                    yield end, told
                    return
            if reading.tokens[place].kind == "number":
                break


def settled(reading: Reading, at: int, told: Told, one: Channel) -> bool:
    """Whether it is clear whose property it is; a name may begin the sentence."""
    if told.target is not None or one.owner is not None or one.of in {"world", "scene"} or one.name:
        return not (one.of in {"owner", "world", "scene", "material"} and told.target not in {None, one.target})
    if " " in one.of:
        return False  # a modifier of what?
    at += reading.word(at) == "let"
    text, word = reading.tokens[at].text, reading.word(at)
    does = reading.word(at + 1)
    if does not in SAYING and not does.endswith("s") and not verb(reading, at + 1):
        return False  # "Heart beat: ..."
    if told.strange[:1] == [word] and text[:1].isupper() and text.isalpha() and word not in OTHERS:
        told.target = Target("named", text, said=text)
        return True
    return not told.strange and any(reading.word(place) in {"it", "its", "it's"} for place in range(at, at + 3))


def subject(reading: Reading, at: int, end: int, told: Told) -> int:
    """The place after what moves and the words that describe it, where a sentence begins with these."""
    last = at
    while last < end and reading.tokens[last].kind == "word" and not verb(reading, last):
        last += 1
    probe = Told()
    whole = (
        last < end
        and reading.tokens[last].kind == "quoted"
        and told_by(reading, at, last, probe, (passing, describing))
    )
    return last if whole else at


@slot("told_turn")
def told_turn(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Told]]:
    """A sentence that tells how far a thing turns around which axis, and from which frame to which."""
    end = sentence(reading, at)
    if end is None:
        return
    told = Told()
    said = {MOTIONS.get(verb(reading, place), "") for place in range(at, end)}
    nouns = {singular(reading.word(place)) for place in range(at, end)} & {"revolution", "turn", "rotation"}
    if ("rotation" in said or nouns) and told_by(
        reading, subject(reading, at, end, told), end, told, (spanning, turning, along, shaping, owning, passing)
    ):
        one = Channel((), "")
        if (
            told.angle is not None
            and told.axis is not None
            and told.span is not None
            and settled(reading, at, told, one)
        ):
            yield end, told


@slot("told_way")
def told_way(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Told]]:
    """A sentence that tells how far a thing goes along which axis, and from which frame to which."""
    end = sentence(reading, at)
    if end is None:
        return
    told = Told()
    said = {MOTIONS.get(verb(reading, place), "") for place in range(at, end)}
    lower = {verb(reading, place) for place in range(at, end)} & {"sink", "fall", "descend", "lower"}
    if not {"location", "location z"} & said:
        return
    start = subject(reading, at, end, told)
    if told_by(reading, start, end, told, (spanning, going, along, shaping, owning, passing)):
        told.way = told.way or ("down" if lower else "up" if "location z" in said else None)
        if told.far is None or told.span is None or (told.axis is None) == (told.way is None):
            return
        if settled(reading, at, told, Channel((), "")):
            yield end, told


@slot("told_curves")
def told_curves(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Told]]:
    """A sentence that tells how the curves of a thing, or of one of its properties, run."""
    end = sentence(reading, at)
    if end is None or not {reading.word(place) for place in range(at, end)} & CURVED:
        return
    none: list[tuple[int, int, Channel]] = [(at, at, Channel((), ""))]
    for first, last, one in [*channels_told(reading, at, end), *none]:
        shaped = any(reading.words(first, len(each[0])) == each[0] for each in SHAPES)  # "bounce" is no property here
        if last > first and (shaped or bool(verb(reading, first)) or one.of in {"scene", "world"} or " " in one.of):
            continue
        told = Told(channel=one if last > first else None, target=one.target, span=(0, 0))
        parts = (shaping, owning, keyed)
        whole = told_by(reading, at, first, told, parts) and told_by(reading, last, end, told, parts)
        if whole and told.how is not None and told.target is not None and not told.how.cycles:
            yield end, told
            return


CURVED: Final = frozenset({"key", "keys", "keyframe", "keyframes", "curve", "curves", "f-curve", "f-curves", "interpolation", "handles", "handle", "easing", "extrapolation"})  # fmt: skip
KEYED: Final = frozenset({"every", "all", "each", "type", "types", "both", "again", "should", "be", "use", "set", "make", "let", "have", "interpolate", "mode"})  # fmt: skip


JOINS: Final = frozenset({"the", "on", "of", "for", "in", "to", "with", "is", "are", "and", "'s", "its", "a"})  # fmt: skip


def keyed(reading: Reading, at: int, end: int, told: Told) -> int | None:
    """A word about keys, or one that joins."""
    word = reading.word(at)
    if word == "easing" and reading.word(at + 1) in {"in", "out"}:
        return None
    return at + 1 if word in CURVED | KEYED | JOINS or reading.mark(at) in {",", ":", "(", ")"} else None


@step("{told:told_curves}")
def curves_told(build: Build, told: Told) -> None:
    """How curves run, told in any order."""
    if told.how is None:
        raise refuse("", "how?")
    set_curves(build, told.how, told.channel, told.target)


@step("{told:told_keys}")
def animate_told(build: Build, told: Told) -> None:
    """Keyframes of a property, told in free words."""
    if told.channel is None:
        raise refuse("", "which property?")
    letters = {each.prop.name[-2] for each in told.channel.options if each.prop.name.endswith("]")}
    if told.axis is None and len(letters) == 1 and len(told.channel.options) > 1:
        told.axis = "XYZ"[int(letters.pop())]
    own = told.channel.target
    apart = told.target if own is None or told.target != own else None
    keyframe(build, told.channel, told.keys, None, told.how, told.axis, apart, None)


@step("{told:told_turn}")
def turn_told(build: Build, told: Told) -> None:
    """Keyframes of a turn, told in free words."""
    target = told.target or Target("it", said="it")
    spin(build, target, told.axis, told.span, told.angle, told.how, told.way, None, None)


@step("{told:told_way}")
def way_told(build: Build, told: Told) -> None:
    """Keyframes of a way from where a thing is, told in free words."""
    target = told.target or Target("it", said="it")
    if told.far is None:
        raise refuse(target.said, "how far?")
    letter = told.axis or ("-Z" if told.way in DOWNWARDS else "Z")
    one = Channel((transform_component(build, letter[-1].lower(), "location"),), "location", target=target)
    move_on(build, one, told.far, told.span, letter, told.how, None, None)
