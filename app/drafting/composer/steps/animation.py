"""Animation: keyframes of any property, how the curves run between and beyond them, actions, tracks, markers, time."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from app.drafting.composer.build import Build, is_partial
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Kind, Place, Setting
from app.drafting.composer.patterns import Env, Reading, compile_pattern, slot
from app.drafting.composer.slots import (
    Set,
    Target,
    film_rate,
    in_a_row,
    is_color,
    known_name,
    most_first,
    number,
    one_range,
    skip,
    value_of,
)
from app.drafting.composer.steps.channels import TRANSFORMS, Channel, Held, holder, is_component, skip_marks
from app.drafting.composer.steps.modifiers import Topic
from app.drafting.composer.steps.properties import RANGED
from app.drafting.composer.values import Degrees, Quantity, fitted, literal, quoted, refuse
from app.drafting.draft import NotUnderstood

Options = list[tuple[Setting, Any]]
FPS: Final = 24
"""The frame rate of a scene that nobody changed, for times in seconds."""


@dataclass(frozen=True)
class Key:
    """A value of a property at a frame; without options the value that it has there."""

    frame: int
    options: tuple[tuple[Setting, Any], ...]
    said: str


# --- keys ---------------------------------------------------------------------------------------------------

AT: Final = frozenset({"at", "on", "by", "in", "until", "around", "the", "again", "keyframe", "key", "till"})
KEY_WORDS: Final = frozenset({
    "from", "to", "and", "at", "is", "be", "back", "with", "then", "of", "on", "again", "goes", "it", "a", "value", "the",
    "returns", "reaches", "drops", "rises", "finally", "up", "down", "moves", "are", "through", "via", "stands",
    "starts", "ends", "values", "go", "ending", "starting", "over", "until", "out", "in",
    "should", "must", "it's", "has", "have", "reached", "reach", "gets", "get", "comes", "come", "hits", "lands", "when", "we",
})  # fmt: skip
"""Words between the keys of one property."""
ARROW: Final = frozenset({",", ":", "=", ";", "-", ">", "/", "|", ".."})


def moment(reading: Reading, at: int, *, bare: bool = False) -> Iterator[tuple[int, int]]:
    """ "at frame 12", "@ 12", "f12", "(12)", "at 2 s"; a number alone where it is `bare`."""
    start = skip(reading, at, AT)
    since = reading.words(start, 2) in {("from", "frame"), ("from", "frames")}
    start += since
    said = start > at and reading.word(start - 1) not in {"again", "the"}
    if reading.mark(start) in {"@", "("}:
        start, said = start + 1, True
    start = skip(reading, start, {"the"})
    short = re.fullmatch(r"(?:f|fr|frame)(\d+)", reading.word(start))
    place = start + 1 if reading.word(start) in {"frame", "frames", "f"} else start
    end = start + 1
    value = float(short[1]) if short else None
    if value is None and (said or bare or place > start):
        end, value = next(number(reading, place), (place, None))
        if value is not None and reading.word(end) in {"s", "sec", "second", "seconds"} and place == start:
            end, value = end + 1, 1 + value * FPS
    if value is None or value != int(value) or value < 0:
        return
    closed = end + (reading.mark(end) == ")" and reading.mark(start - 1) == "(")
    yield skip(reading, closed, {"on", "onwards", "onward"} if since else set()), int(value)


def values_at(reading: Reading, at: int, settings: tuple[Setting, ...]) -> dict[int, Options]:
    """The values that stand here, by where they end."""
    values: dict[int, Options] = {}
    for each in settings:
        with contextlib.suppress(NotUnderstood):  # what this one does not take may be meant for another, or be a frame
            for end, value in value_of(reading, at, each):
                values.setdefault(end, []).append((each, value))
    return dict(sorted(values.items(), reverse=True))


def frame_lists(reading: Reading, at: int) -> Iterator[tuple[int, list[int]]]:
    """ "on frames 1, 25 and 49", "in 51-100": frames at which a value is the same, the most of them first."""
    start = skip(reading, at, AT)
    several = reading.word(start) == "frames"
    if several or all(each.kind == "number" for each in reading.tokens[start : start + 2]):
        for end, (first, last) in one_range(reading, start + several, {}):
            yield end, [first, last]
    stops: list[tuple[int, list[int]]] = []
    place = start + 1
    while several and (read := next(number(reading, place), None)) is not None and read[1] == int(read[1]):
        if reading.lexicon.units.first(reading.tokens, read[0]) is None:
            stops.append((read[0], [*(stops[-1][1] if stops else []), int(read[1])]))
        place = skip(reading, skip_marks(reading, read[0], {","}), {"and"})
        if place == read[0]:
            break
    yield from reversed(stops)


def key_at(reading: Reading, at: int, settings: tuple[Setting, ...]) -> Iterator[tuple[int, list[Key]]]:
    """ "0 at frame 1", "0 @ 1", "frame 1: 0", "at frame 1 it is 0", "is shut (0) at f100", "5 on frames 1, 25 and 49"."""
    if reading.word(at).isalpha() and reading.mark(at + 1) == "(":
        at += 2
    values = values_at(reading, at, settings)
    for end, options in values.items():
        closed = end + (reading.mark(end) == ")" and reading.mark(at - 1) == "(")
        turned_on = skip(reading, closed, {"on", "around", "about", "the", "its"})
        if reading.word(turned_on) in {"x", "y", "z"} and reading.word(turned_on - 1) != "at":
            closed = skip(reading, turned_on + 1, {"axis"}) if axis_meant(reading.word(turned_on), settings) else closed
        closed += reading.mark(closed) == "," and reading.word(closed + 1) in {"at", "on"}  # "z = 0, at frame 10"
        single = ((last, [found]) for last, found in moment(reading, closed))
        for last, frames in itertools.chain(frame_lists(reading, closed), single):
            yield last, [Key(each, tuple(options), reading.said(at, last)) for each in frames]
    for middle, found in moment(reading, at, bare=True):
        marked = reading.mark(middle) in {":", "="} or (reading.mark(middle) == "(" and reading.mark(middle + 2) == ",")
        plain = reading.tokens[at].kind == "number"
        link = skip(reading, middle, {"it", "is", "to", "at", "value", "goes", "returns", "back", "again", "drops", "rises"})  # fmt: skip
        link += reading.mark(link) in {":", "=", ","}
        if marked or not plain:
            for end, options in values_at(reading, link, settings).items():
                yield end, [Key(found, tuple(options), reading.said(at, end))]


def axis_meant(letter: str, settings: tuple[Setting, ...]) -> bool:
    """Whether one component of these properties is meant, and it is that of this axis: "60 degrees on x at frame 1"."""
    parts = {each.prop.name[-3:] for each in settings if is_component(each)}
    return parts == {f"[{'xyz'.index(letter)}]"}


def holds(reading: Reading, at: int) -> tuple[int, int] | None:
    """The place after "stays there until frame 70", and the frame."""
    joining = {"and", "it", "then", "which", "where"}
    place = skip(reading, at, joining)
    place = skip(reading, place + (reading.mark(place) == ","), joining)
    if reading.word(place) not in {
        "waits", "stays", "holds", "remains", "keeps", "held", "stay", "hold", "staying", "holding", "remain", "wait",
    }:  # fmt: skip
        return None
    place = skip(reading, place + 1, {"like", "that", "there", "this", "way", "value", "at", "the", "its", "so", "it", "still", "in", "place"})  # fmt: skip
    return next(moment(reading, skip(reading, place, {"until", "up", "to", "till", "through"})), None)


@slot("keys")
def keys(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[Key]]]:
    """Values at frames: "0 at frame 1, 5 at frame 50", "1: 0, 50: 5", "0 -> 5 over frames 1-50", "0, 5, 0 at 1, 25, 50"."""
    one: Channel | None = env.get(of)
    if one is None:
        return
    yield from listed(reading, at, one.options)
    found: list[Key] = []
    stops: list[tuple[int, list[Key]]] = []
    place = at
    while True:
        if found and (held := holds(reading, place)) is not None:
            # "it waits like that up to frame 70"
            place = held[0]
            found.append(Key(held[1], found[-1].options, reading.said(place - 1, place)))
            stops.append((place, list(found)))
            continue
        starts = key_starts(reading, place, one)
        read = next((each for start in starts for each in key_at(reading, start, one.options)), None)
        if read is None:
            break
        place, more = read
        found += more
        if len(more) == 1 or len(found) > len(more):  # "5 in frames 1-50" alone may be where it comes to
            stops.append((place, list(found)))
    yield from reversed(stops)


def key_starts(reading: Reading, at: int, one: Channel) -> Iterator[int]:
    """Where the next key may begin: after marks and small words, and the name of the property said again."""
    place = at
    yield place
    while reading.mark(place) in ARROW or reading.word(place) in KEY_WORDS:
        place += 1
        yield place
    if reading.tokens[place:] and reading.said(place, place + 1).lower() in one.said.lower().split():
        after = skip(reading, place + 1, {"location", "position", "rotation", "scale", "is", "to", "at"})
        yield skip_marks(reading, after, {"=", ":"})


def listed(reading: Reading, at: int, settings: tuple[Setting, ...]) -> Iterator[tuple[int, list[Key]]]:
    """Values, then frames or the other way round: "from 0 to 5 over frames 1 to 50", "0, 5, 0 at frames 1, 25 and 50"."""
    for middle, frames in moments(reading, at):
        if not any(reading.word(each) in {"frame", "frames"} for each in range(at, middle)):
            continue
        for end, values in value_lists(reading, middle, settings):
            yield from paired(end, frames, values, reading.said(at, end))
    for middle, values in value_lists(reading, at, settings):
        for end, frames in moments(reading, middle):
            yield from paired(end, frames, values, reading.said(at, end))


def paired(end: int, frames: list[int], values: list[Options], said: str) -> Iterator[tuple[int, list[Key]]]:
    """Keys of as many frames as values; three values in a span stand at its ends and in its middle."""
    if len(frames) == 2 and len(values) == 3:
        frames = [frames[0], (frames[0] + frames[1]) // 2, frames[1]]
    if len(frames) == len(values) >= 2 and sorted(set(frames)) == frames:
        yield end, [Key(each, tuple(options), said) for each, options in zip(frames, values, strict=True)]


def moments(reading: Reading, at: int) -> Iterator[tuple[int, list[int]]]:
    """ "over frames 1 to 50", "between f20 and f80", "at frames 1, 25 and 50", "in 48 frames", "over 2 seconds"."""
    for end, _ in THE_SAME(reading, skip_marks(reading, at, {",", "("}), {}):
        earlier = spoken_frames(reading, at)
        closed = end + (reading.mark(end) == ")" and reading.mark(at) == "(")
        if len(earlier) >= 2:
            yield closed, earlier
        if len(earlier) > 2:
            yield closed, [earlier[0], earlier[-1]]
    opened = skip_marks(reading, at, {",", "(", ":", ";"})
    start = skip(reading, opened, FRAME_WORDS)
    said = {reading.word(each) for each in range(opened, start)}
    if not said & FRAMING and reading.mark(start - 1) != "(":
        return
    found: list[int] = []
    place = start
    while True:
        read = next(moment(reading, place, bare=True), None)
        if read is None:
            break
        found.append(read[1])
        place = read[0]
        if len(found) == 1 and reading.word(start - 1) in LASTING:
            yield from itertools.islice(lasting(reading, start), 1)
        if len(found) >= 2:
            last = place + (reading.mark(place) == ")" and reading.mark(start - 1) == "(")
            yield skip_marks(reading, last, {":"}), list(found)
        while reading.mark(place) in {",", "-", ">", "/", ".."} or reading.word(place) in LISTING:
            place += 1


THE_SAME: Final = compile_pattern(
    "(over|in|during|across|within|between|at|on|for) [exactly] [the] same (frames|frame range|range|time span|span|period|time)"
)


def spoken_frames(reading: Reading, at: int) -> list[int]:
    """The frames that the sentence before speaks of, or else this one up to here, in order."""
    start = at
    while start and reading.mark(start - 1) != ".":
        start -= 1
    before = max(start - 1, 0)
    while before and reading.mark(before - 1) != ".":
        before -= 1
    found: list[int] = []
    for place in range(before, at):
        if reading.word(place) not in {"frame", "frames"} and not re.fullmatch(r"f\d+", reading.word(place)):
            continue
        here = next((each for _, each in moment(reading, place)), None)
        found += [here] if here is not None else []
        found += next((each for _, each in frame_lists(reading, place)), list[int]())
        found += list(next((each for _, each in one_range(reading, place + 1, {})), ()))
    return sorted(set(found))


LASTING: Final = frozenset({"over", "in", "within", "for", "during", "lasting", "next", "first"})
LISTING: Final = frozenset({"and", "to", "until", "till", "through", "frame", "end", "ending", "up", "at"})
FRAMING: Final = frozenset({"over", "between", "during", "at", "in", "on", "for", "frame", "within", "across", "first", "next", "lasting"}) | {"frames"}  # fmt: skip
"""Words that say that frames follow; "from" alone may be about values."""
FRAME_WORDS: Final = frozenset({
    "over", "between", "during", "from", "at", "in", "on", "for", "frames", "frame", "within", "the", "across", "first",
    "next", "starting", "start", "begin", "lasting", "keys", "keyframes", "are", "is", "then", "of", "range",
})  # fmt: skip


def lasting(reading: Reading, at: int) -> Iterator[tuple[int, list[int]]]:
    """ "48 frames", "2 seconds": from the first frame on."""
    for end, count in number(reading, at):
        if reading.word(end) in {"frame", "frames"} and count == int(count) > 1:
            yield end + 1, [1, int(count) if reading.word(at - 1) == "first" else int(count) + 1]
        if reading.word(end) in {"s", "sec", "second", "seconds"}:
            yield end + 1, [1, 1 + round(count * FPS)]


def value_lists(reading: Reading, at: int, settings: tuple[Setting, ...]) -> Iterator[tuple[int, list[Options]]]:
    """ "from 0 to 5 and back to 0", "35mm -> 85mm", "0, 5, 0"."""
    place = at
    found: list[Options] = []
    while not (found and reading.word(place) in {"at", "on", "in", "by", "until", "around", "over"}):  # a frame follows
        place = skip(reading, skip_marks(reading, place, ARROW), KEY_WORDS)
        place = skip_marks(reading, place, {">"})
        read = next(iter(values_at(reading, place, settings).items()), None)
        if read is None:
            break
        before, place = place, read[0]
        found.append(read[1])
        if len(found) == 1 and reading.word(before - 1) == "to":
            yield place, [[], found[0]]  # from what it is
        if len(found) >= 2:
            yield place, list(found)
            again = skip(reading, place, {"and", "then"})
            if reading.word(again) == "back" and reading.word(again + 1) not in {"to"}:
                yield again + 1, [*found, found[0]]


# --- the step that animates ---------------------------------------------------------------------------------

TIMED: Final = r"frame|key|animat|second|\b(from|at|on|by|in|until|over|after|sec|s)\b"
"""Words of a request that tells one value at one time."""
HOW: Final = "{how:curve} ; (around|about|along|on|in) {axis:axis} ; (for|on|of|to) {target:object}"
ANIMATED: Final = (
    "animate|keyframe|key|<set>|<add>|drive|ramp|please] [a|the] [keyframe|keyframes|key|keys|animation] [for|on|of|to"
)
DOINGS: Final = (
    "blink|fade|grow|shrink|pulse|move|bounce|jump|flicker|open|close|slide|swing|open and close|flash|pop in|turn"
)
VERBS: Final = (
    "should|must|is] [animates|is animated|go|goes|change|changes|animated|keyframed|is keyframed|keyframes|keys|ramp|ramps|be|is|run|runs|vary|varies|"
    "zoom|zooms|fade|fades|from|to"
)


@step(
    f"[{ANIMATED}] {{c:channel}} [{VERBS}] [:|=|value|with] {{k:keys of c}} ~( {HOW} ) [. {{more:keys of c}}]",
    f"[let|make|have|animate] {{target:object}} ({DOINGS}|flickers|flicker|blinks|fades|pulses|bounces|opens|closes) [again] [{{first:curve}}] [:|,|with|by] [keyframes for|keyframe|key|keying] {{c:channel}} [{VERBS}] [at] {{k:keys of c}} ~( {{how:curve}} )",
)
def keyframe(
    build: Build, c: Channel, k: list[Key], more: list[Key] | None, how: Shape | None, axis: str | None, target: Target | None, first: Shape
    | None,
) -> None:  # fmt: skip
    """Keyframes of a property."""
    if first is not None:
        how = how or Shape()
        how = Shape((*first.points, *how.points), how.beyond or first.beyond, how.cycles or first.cycles)
    k = [*k, *(more or [])]
    if len({each.said for each in k}) < len(k):
        k = sorted(k, key=lambda each: each.frame)  # "3 on frames 1 and 25, 0 on frame 13"
    single, verb_first = len(k) == 1, re.match(r"(animate|keyframe) ", c.said, re.IGNORECASE)
    hue = any(is_color(setting.prop) for setting, _ in k[0].options[:1])
    ratio = re.fullmatch(r"\s*\d+\s*:\s*\d+\s*", k[0].said) and any(each.prop.type == "ENUM" for each in c.options)
    whose = channel_of(c, target)
    unowned = whose.of in {"object", "spoken"} and whose.target is None and build.it is None
    for wrong, said, reason in (
        (verb_first, c.said, "of what?"),  # the verb, at the beginning of a sentence, is no object's name
        (c.said.lower() in {"render", "rendering", "frame", "frames"}, c.said, "which frames are rendered is said by start, end and step"),
        (single and not re.search(TIMED, build.request, re.IGNORECASE), k[0].said, "at which frame?"),
        (single and hue and not re.search(r"frame|key|animat|sec", build.request, re.IGNORECASE), k[0].said, "at which frame, or how strong?"),
        (single and ratio, k[0].said, "at which frame?"),
        (any(one.frame >= two.frame for one, two in itertools.pairwise(k)), k[0].said, "the frames do not follow each other"),
        (unowned and any("a remark:" in each for each in build.notes), c.said, "of which object?"),
    ):  # fmt: skip
        if wrong:
            raise refuse(said, reason)
    c = whose
    build.pending = ""
    options = tuple(s for s in c.options if all(not key.options or any(o[0] == s for o in key.options) for key in k))
    if not k[0].options:
        build.once()
    options = along(c, options, axis)
    if not options:
        raise refuse(k[0].said, "it has no such property, or not along this axis")
    build.comment(f"keyframe {c.said or options[0].prop.label.lower()}")
    with holder(build, c, options) as held:
        sign = -1 if axis is not None and axis.startswith("-") else 1
        values = [(key.frame, next((v for s, v in key.options if same_setting(s, held.setting)), None)) for key in k]
        insert_keys(build, held, [(number_, turned(value, sign)) for number_, value in values])
    animated(build, c, held, how)
    build.note("keyframes: " + ", ".join(dict.fromkeys(each.said for each in k)))


def channel_of(c: Channel, target: Target | None) -> Channel:
    """The property, of the thing that was named apart from it."""
    if target is None or (c.target is not None and c.target.name.lower() == target.name.lower() != ""):
        return c
    if c.target is not None and c.target.how == "kind" and target.how == "named":
        return replace(c, target=replace(target, type=c.target.type))
    if c.target is not None or c.owner is not None or c.of not in {"object", "spoken", "custom"}:
        raise refuse(target.said, "two things are animated?")
    return Channel(c.options, c.said, "object" if c.of == "spoken" else c.of, target, None, c.name)


def along(c: Channel, options: tuple[Setting, ...], axis: str | None) -> tuple[Setting, ...]:
    """What of a property goes along an axis; one component alone only where it was meant."""
    if axis is not None:
        return tuple(each for each in options if each.prop.name.endswith(f"[{'XYZ'.index(axis[-1])}]"))
    return tuple(each for each in options if not is_component(each) or len(c.options) == 1 or each in c.options[:1])


def same_setting(one: Setting, other: Setting) -> bool:
    """Whether both are one property, wherever its holder is."""
    return (one.place.type, one.prop.name, one.socket) == (other.place.type, other.prop.name, other.socket)


def turned(value: Any, sign: int) -> Any:
    """The value, negative for a negative axis."""
    return Degrees(sign * value.value) if isinstance(value, Degrees) else sign * value if sign < 0 else value


def insert_keys(build: Build, held: Held, values: list[tuple[int, Any]]) -> None:
    """Set and keyframe a property, with what it has no effect without; one component where it is one."""
    said: set[tuple[str, str, str]] = build.memory.setdefault("_needed_keys", set())
    path = ".".join([held.var, *held.name.split(".")[:-1]])
    for name, wanted in build.needed_by(held.setting).items():
        if any(value is not False for _, value in values) and (held.var, path, name) not in said:
            said.add((held.var, path, name))
            build.line(f"{path}.{name} = {literal(wanted)}")
    for frame_, value in values:
        if is_partial(value):
            for place, part in enumerate(value):
                if part is not None:
                    build.line(f"{held.code}[{place}] = {build.literal(part)}")
                    build.line(f'{held.var}.keyframe_insert("{held.name}", index={place}, frame={frame_})')
            continue
        if value is not None:
            build.line(f"{held.code} = {build.value(value, held.setting)}")
        build.line(f"{held.var}.keyframe_insert({quoted(held.name)}{held.component}, frame={frame_})")


@step("(animate|keyframe) {target:object} [so|so that] [{text:hope}]")
def to_animate(build: Build, target: Target, text: str | None) -> None:
    """What is animated; how is said next."""
    build.it = build.one(target)
    build.pending = f"animate {target.said}"
    build.note(f"{target.said} is animated" + (f' ("{text}": a remark)' if text else ""))


@dataclass
class AnimationTopic:
    """What is animated: a property where that is known, else all of an object."""

    channel: Channel | None = None
    options: tuple[Setting, ...] = ()
    held: Held | None = None
    target: Target | None = None
    action: str = ""
    """The name of an action, where all of that is meant."""

    def accepts(self, build: Build, sets: Any) -> bool:
        """It takes no settings."""
        del build, sets
        return False

    def write(self, build: Build, sets: Any) -> None:
        """Nothing."""


def animated(build: Build, c: Channel, held: Held, how: Shape | None) -> None:
    """Remember what was animated; let its curves run as was said."""
    looped = held.var == "obj" or held.var.startswith("obj_")
    topic = AnimationTopic(c, c.options, None if looped else held)
    build.memory["_animated"] = topic
    if how is not None:
        shape_curves(build, topic, how)


# --- how curves run -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shape:
    """How curves run: attributes of their points, what lies beyond the keys, whether they repeat."""

    points: tuple[tuple[str, str], ...] = ()
    beyond: str = ""
    cycles: bool = False

    def outside(self) -> Shape:
        """The shape where its words were said of the extrapolation."""
        named = dict(self.points).get("interpolation", "")
        if self.beyond or named not in {"LINEAR", "CONSTANT"} or len(self.points) > 1:
            return self
        return Shape((), named, self.cycles)


INTERPOLATIONS: Final = {
    "linear": "LINEAR", "constant": "CONSTANT", "bezier": "BEZIER", "bounce": "BOUNCE", "elastic": "ELASTIC", "back": "BACK",
    "sine": "SINE", "quadratic": "QUAD", "cubic": "CUBIC", "quartic": "QUART", "quintic": "QUINT", "exponential": "EXPO", "circular": "CIRC",
    "linearly": "LINEAR", "stepped": "CONSTANT", "step": "CONSTANT", "constant speed": "LINEAR", "constant rate": "LINEAR", "even speed": "LINEAR",
    "steady speed": "LINEAR", "sinusoidal": "SINE", "evenly": "LINEAR", "uniform speed": "LINEAR", "hard": "CONSTANT", "steadily": "LINEAR",
    "quad": "QUAD", "expo": "EXPO", "circ": "CIRC", "quart": "QUART", "quint": "QUINT", "hard switches": "CONSTANT", "hard cuts": "CONSTANT", "smooth": "BEZIER", "smoothly": "BEZIER", "bouncing": "BOUNCE",
    **dict.fromkeys(("no acceleration", "without acceleration", "no easing", "without easing", "even pace", "equal speed"), "LINEAR"),
    **dict.fromkeys(("without blending", "without fading", "no fading", "no blending", "without transition", "abruptly", "instantly"), "CONSTANT"),
}  # fmt: skip
EASINGS: Final = {
    **dict.fromkeys(("ease in and ease out", "both ease in and ease out", "ease both in and out", "eased in and out"), "EASE_IN_OUT"),
    "ease in and out": "EASE_IN_OUT", "ease in out": "EASE_IN_OUT", "easing in and out": "EASE_IN_OUT", "ease in": "EASE_IN",
    "ease out": "EASE_OUT", "easing in": "EASE_IN", "easing out": "EASE_OUT", "automatic easing": "AUTO", "eased": "EASE_IN_OUT",
}  # fmt: skip
HANDLES: Final = {
    **{f"{word} handles": name for word, name in (("free", "FREE"), ("auto", "AUTO"))},
    **dict.fromkeys(("auto clamped handles", "auto clamped", "automatic clamped handles", "automatic clamped", "automatically clamped handles"), "AUTO_CLAMPED"),
    **dict.fromkeys(("automatic handles", "automatic"), "AUTO"),
    **dict.fromkeys(("vector handles", "vector"), "VECTOR"), **dict.fromkeys(("aligned handles", "aligned"), "ALIGNED"),
}  # fmt: skip
BEYOND: Final = {
    "linear extrapolation": "LINEAR", "extrapolated constantly": "CONSTANT", "constant extrapolation": "CONSTANT", "extrapolate linearly": "LINEAR",
    "extrapolation linear": "LINEAR", "extrapolation constant": "CONSTANT", "extrapolated linearly": "LINEAR",
}  # fmt: skip
ENDLESS: Final = (
    "endless", "endlessly", "forever", "looping", "looped", "loop", "cyclic", "repeating", "repeat", "infinitely", "repeated", "repeats", "loops",
    "repeat forever", "loop forever", "repeating forever", "loop endlessly", "repeat endlessly", "in an endless loop", "in a loop",
    "in a seamless loop", "on repeat", "without end", "over and over again", "again and again", "loop it", "endless loop", "on and on", "over and over",
)  # fmt: skip
SHAPES: Final[list[tuple[tuple[str, ...], str, str]]] = sorted(
    [
        *((tuple(words.split()), "interpolation", name) for words, name in INTERPOLATIONS.items()),
        *((tuple(words.split()), "easing", name) for words, name in EASINGS.items()),
        *((tuple(words.split()), "handle", name) for words, name in HANDLES.items()),
        *((tuple(words.split()), "beyond", name) for words, name in BEYOND.items()),
        *((tuple(words.split()), "cycles", "") for words in ENDLESS),
    ],
    key=lambda each: -len(each[0]),
)
AROUND_SHAPE: Final = frozenset({
    "with", "a", "an", "at", "in", "using", "and", "is", "the", "it", "interpolation", "interpolated", "easing", "type", "set", "to",
    "keys", "keyframes", "motion", "end", "mode", "switched", "switching", "between", "handles", "should", "be", "of", "are", "all", "handle", "animation",
})  # fmt: skip


NOUNS: Final = frozenset({"interpolation", "easing", "extrapolation", "handles", "keys", "keyframes"})


@slot("curve")
def curve(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Shape]]:
    """ "linear", "with a bounce (ease out)", "auto clamped handles", "constant speed, endless"."""
    points: dict[str, str] = {}
    beyond, cycles = "", False
    stops: list[tuple[int, Shape]] = []
    place = at
    while True:
        first = skip_marks(reading, place, {","} if stops else set())
        start = skip(reading, first, AROUND_SHAPE)
        opened = reading.mark(start) == "(" and bool(stops)
        last = skip(reading, start + opened, AROUND_SHAPE)
        here = ((each, place) for place in range(first, last + 1) for each in SHAPES)
        said = next(((each, place) for each, place in here if reading.words(place, len(each[0])) == each[0]), None)
        if said is None:
            break
        (words, what, name), start = said
        near = {reading.word(start - 1), reading.word(start + 1), reading.word(start + 2)}
        if words == ("back",) and not near & {*NOUNS, "with", "using", "curve", "type"}:
            break  # "5 m back"
        place = start + len(words)
        points |= {"handle_left_type": name, "handle_right_type": name} if what == "handle" else {}
        points |= {what: name} if what in {"interpolation", "easing"} else {}
        beyond, cycles = (name if what == "beyond" else beyond), cycles or what == "cycles"
        end = skip(reading, place, {"interpolation", "keys", "keyframes", "motion", "interpolated", "mode", "animation"})  # fmt: skip
        end += reading.word(end) == "easing" and reading.word(end + 1) not in {"in", "out"}
        end += reading.mark(end) == ")" and (opened or "(" in {reading.mark(each) for each in range(at, place)})
        if of == "noun" and not NOUNS & {reading.word(each) for each in range(at, end)}:
            continue
        full = dict(points)
        if full.get("easing") in {"EASE_IN", "EASE_OUT"} and "interpolation" not in full:
            full = {"interpolation": "SINE"} | full
        stops.append((end, Shape(tuple(full.items()), beyond, cycles)))
        place = end
    yield from reversed(stops)


def shape_curves(build: Build, topic: AnimationTopic, how: Shape, where: str = "") -> None:
    """Let the curves of what is animated run so; `where` tests the keys that are meant."""
    if where and (how.beyond or how.cycles or not how.points):
        raise refuse("keys", "some of them only?")
    with each_curve(build, topic):
        if how.points:
            with build.block("for point in curve.keyframe_points:"):
                lines = [f'point.{attribute} = "{name}"' for attribute, name in how.points]
                build.line("\n".join([f"if {where}:", *(f"    {line}" for line in lines)] if where else lines))
            if any(attribute.startswith("handle") for attribute, _ in how.points):
                build.line("curve.update()")
        if how.beyond:
            build.line(f'curve.extrapolation = "{how.beyond}"')
        if how.cycles:
            build.line('if all(each.type != "CYCLES" for each in curve.modifiers):\n    curve.modifiers.new("CYCLES")')


@contextlib.contextmanager
def each_curve(build: Build, topic: AnimationTopic) -> Generator[None, None, None]:
    """The lines for `curve`, each curve of what is animated."""
    if topic.action:
        build.need("curves_in")
        with build.block(f"for curve in curves_in(bpy.data.actions[{quoted(topic.action)}]):"):
            yield
        return
    if topic.target is not None:
        build.need("all_curves")
        with build.each(topic.target) as known, build.block(f"for curve in all_curves({known.var}):"):
            yield
    elif topic.channel is not None:
        build.need("curves_of")
        with contextlib.ExitStack() as stack:
            held = topic.held or stack.enter_context(holder(build, topic.channel, topic.options))
            with build.block(f"for curve in curves_of({held.var}, {quoted(held.name)}{held.component}):"):
                yield


EVERY_KEY: Final = re.compile(r"\b(all|every|each) (of )?(the )?(key|keyframe|f-?curve)", re.IGNORECASE)
"""The keys of whatever is animated."""


def animation_meant(build: Build, c: Channel | None, target: Target | None) -> AnimationTopic:
    """The animation of a property, of an object, or that which was spoken of."""
    topic: AnimationTopic | None = build.memory.get("_animated")
    if c is not None:
        if target is not None and c.target is not None and target.how != "it" and target.name != c.target.name:
            raise refuse(target.said, "two things are animated?")
        if target is not None and c.target is None:
            c = replace(c, target=target, of="object" if c.of == "spoken" else c.of)
        same = topic is not None and topic.channel is not None and any(each in c.options for each in topic.options)
        return topic if same and topic is not None else AnimationTopic(c, c.options)
    if target is not None and not (topic is not None and target.how == "it"):
        return AnimationTopic(target=target)
    if topic is None and build.it is not None:
        return AnimationTopic(target=Target("it", said="it"))
    if topic is None and EVERY_KEY.search(build.request):
        return AnimationTopic(target=Target("all", said="all objects"))
    if topic is None:
        raise refuse("animation", "of what?")
    return topic


VALUES: Final = "(each.co[1] for each in curve.keyframe_points)"
WHERE: Final = {
    **dict.fromkeys(("low", "lowest", "lower"), f"point.co[1] == min{VALUES}"), **dict.fromkeys(("high", "highest", "upper"), f"point.co[1] == max{VALUES}"),
    "first": "point == curve.keyframe_points[0]", "last": "point == curve.keyframe_points[-1]",
    "first two": "point in curve.keyframe_points[:2]", "first three": "point in curve.keyframe_points[:3]", "last two": "point in curve.keyframe_points[-2:]",
}  # fmt: skip
"""Some of the keys of a curve, as tests."""
WITHIN: Final = (
    "keys|keyframes|key|keyframe|interpolation|keyframe interpolation|animation|f curves|f-curve|curves|handles|handle types|motion|movement|"
    "interpolation mode|easing"
)
BEYOND_TOO: Final = "extrapolation|extrapolation mode"
CURVES: Final = f"({WITHIN}|{{beyond={BEYOND_TOO}}})"
LOOPED: Final = f"({WITHIN}|{BEYOND_TOO})"
LOOP: Final = "loop|repeat|cycle|loops|repeats|cycles"
BY_CYCLES: Final = "[[«] [with|using|via|by] [a|an|one] (cycles|cycle|cyclic|repeat) [<fcurve>] [modifier|modifiers] [on|for] [all|every|each] [its|the] [<fcurve>|<fcurve> of it] [»]]"


SPOKEN: Final = re.compile(r"bezier|constant|stepped|stop.motion|hold", re.IGNORECASE)
"""Words for shapes of curves that mean nothing else."""
OF_KEYS: Final = re.compile(r"key|f-?curve|animat|interpol|channel|frame|motion|clamped|eas(e|ing)", re.IGNORECASE)


@step(
    f"[make|set|use|let|change|give|switch] [all] [the|its] [{CURVES}] [<to>] {{how:curve}} ~( (for|on|of) [all] [{CURVES} of] {{target:object}} ['s] [all] [{CURVES}] ; (for|on|of|to) [all] {{c:channel}} [{CURVES}] ; (for|on|of|to) [all] [the|its|these] {CURVES} )",
    f"(make|set|switch|let|change) [all] [the] [{{c:channel}}] {CURVES} (of|on|for) {{target:object}} ['s] [{CURVES}] [all] [<to>|have] {{how:curve}}",
    f"{{target:object}} ['s] [{{c:channel}}] {CURVES} [all] [<to>|have|:|are|is|should be|should] {{how:curve}}",
    "[make|let|have] [it|the animation|{target:object}] [keep|go on|continue|keep on|keeps on|goes on] [spinning|rotating|turning|moving|running|going|bouncing|like that|this way] {how:curve} "
    + BY_CYCLES,
    f"[all] {{c:channel}} {CURVES} [<to>|have|:] {{how:curve}}",
    "(give|let) {c:channel} [have|use|get] {how:curve of noun}",
    "(give|let) [all] {target:object} ['s] [have|use|get] {how:curve of noun}",
    f"(make|let) [all] {CURVES} {{how:curve}}",
    f"{{beyond=extrapolate}} ({{c:channel}}|[all] [the|its] [{WITHIN} of] {{target:object}}) ['s] [{WITHIN}] {{how:curve}}",
    f"[<set>] all [the] {CURVES} [(in|of) [the|this] (scene|file)] [<to>] {{how:curve}}",
    f"(at|on) [the] {{where={'|'.join(WHERE)}}} (points|keys|keyframes|point|key|keyframe) [the] [movement|motion|curve|it] [has to be|is|must be|should be|be] [sharp|soft] [«] {{how:curve}}",
    f"[make|let|set] [the] {{where={'|'.join(WHERE)}}} (points|keys|keyframes|point|key|keyframe) [<to>|have|get] {{how:curve}}",
    f"[<set>|let] [all|every|each|the] [the] {CURVES} (of|in|on) [the] action {{name:name}} [<to>|have|get|use] {{how:curve}}",
    f"[<set>|let] [all|every|each|the] [the] {CURVES} (of|in|on) {{target:object}} ['s] action [<to>|have|get|use] {{how:curve}}",
    f"[<set>|let|give] [the] action {{name:name}} ['s] [all] [{CURVES}] [<to>|have|get|use|:] {{how:curve}}",
)
def set_curves(
    build: Build, how: Shape, c: Channel | None, target: Target | None, beyond: str | None = None, where: str | None = None,
    name: str | None = None,
) -> None:  # fmt: skip
    """How curves run between and beyond their keys, or at some of the keys."""
    if SMOOTHING.search(build.request):
        raise refuse("smooth", "how the curves run, or where their keys are?")
    handled = {name for _, name in how.points} & {"VECTOR", "FREE", "ALIGNED", "AUTO"}
    if handled and target is not None and target.how in {"named", "word"} and not OF_KEYS.search(build.request):
        raise refuse(target.said, "the handles of its keys, or of the points of a curve?")
    looks = {name for _, name in how.points} & {"BEZIER", "BACK", "CONSTANT", "BOUNCE", "ELASTIC"}
    plain = (c is None or "BACK" in looks) and not isinstance(build.topic, AnimationTopic)
    if looks and plain and not SPOKEN.search(build.request) and not OF_KEYS.search(build.request):
        raise refuse(target.said if target else "smooth", "how it moves, or how it looks?")
    how = how.outside() if beyond else how
    if c is not None and c.of == "scene" and not re.search(r"\b(scene|render)\b", build.request, re.IGNORECASE):
        raise refuse(c.said, "the animation of the scene?")
    topic = AnimationTopic(action=name) if name else animation_meant(build, c, target)
    shape_curves(build, topic, how, WHERE.get(where or "", ""))
    build.note(f"curves: {', '.join([name for _, name in how.points] or [how.beyond or 'cycles'])}")


SMOOTHING: Final = re.compile(
    r"(^|[.,;]|\band|\bthen) *smooth( out)?( all| the)* (keys|keyframes|f-?curves|animation)", re.IGNORECASE
)
"""What Blender's operator of that name does: it moves keys."""
ALWAYS: Final = "[forever|endlessly|infinitely|for ever|indefinitely|continuously|over and over|in a loop|in an endless loop|always]"


@step(
    f"({LOOP}) [it|this|that|the animation|the motion|the movement|the keys] {ALWAYS} {BY_CYCLES}",
    f"({LOOP}) [the|all] [{LOOPED} of] ({{target:object}}|{{c:channel}}) ['s] [all] [the] [{LOOPED}] {ALWAYS} {BY_CYCLES}",
    f"(let|make|have) ([the|all] [{LOOPED} of] ({{target:object}}|{{c:channel}}) ['s] [all] [the] [{LOOPED}]) ({LOOP}) {ALWAYS} {BY_CYCLES}",
)
def loop(build: Build, target: Target | None, c: Channel | None) -> None:
    """Let curves repeat without end."""
    set_curves(build, Shape(cycles=True), c, target)


FMODIFIERS: Final = {
    "noise": ("NOISE", "FModifierNoise"), "cycles": ("CYCLES", "FModifierCycles"), "cycle": ("CYCLES", "FModifierCycles"),
    "cyclic": ("CYCLES", "FModifierCycles"), "repeat": ("CYCLES", "FModifierCycles"),
    "limits": ("LIMITS", "FModifierLimits"), "limit": ("LIMITS", "FModifierLimits"), "stepped": ("STEPPED", "FModifierStepped"),
    "stepped interpolation": ("STEPPED", "FModifierStepped"), "envelope": ("ENVELOPE", "FModifierEnvelope"),
    "generator": ("GENERATOR", "FModifierGenerator"), "built in function": ("FNGENERATOR", "FModifierFunctionGenerator"),
}  # fmt: skip


@slot("fmodifier")
def fmodifier(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Kind]]:
    """A modifier of an F-curve by its name."""
    for words, (identifier, type_name) in sorted(FMODIFIERS.items(), key=lambda each: -len(each[0])):
        if tuple(reading.word(at + k) for k in range(len(words.split()))) == tuple(words.split()):
            yield at + len(words.split()), Kind("fmodifiers", identifier, words, type_name, (Place("", type_name),))


REPEATS: Final = {
    **dict.fromkeys(("repeat with offset", "with offset", "offset"), "REPEAT_OFFSET"), **dict.fromkeys(("repeat mirrored", "mirrored"), "MIRROR"),
    **dict.fromkeys(("repeat motion", "repeat"), "REPEAT"), **dict.fromkeys(("nothing", "none", "no cycles", "no repetition"), "NONE"),
}  # fmt: skip
"""How cycles repeat on one side."""
FMOD: Final = (
    "~( (to|on|for|of) [all|all three|both|each of the] [its] [<fcurve>|animation] [of|for|:] {c:channel} [<fcurve>|animation] ; <on> {target:object} [<fcurve>|animation] ; (to|on|for) all [the] (curves|<fcurve>) of {target:object} ;"
    " (to|on|for) [its|the] (<fcurve>|animation) ; [repeat] (with|in|as) {way=offset|mirrored|mirror} ; [«] [repeat] {after=REPEATS} (after|afterwards|behind) [,] [and] {before=REPEATS} before [»] ; {after=REPEATS} (after|afterwards) [only] ; {before=REPEATS} before [only] ;"
    " [with] {phases=different phases|a different phase each} ; [restricted|restrict it|limited] (to|in|between) {span:frame_span} [only] ; {s:settings of mod} )"
).replace("REPEATS", "|".join(REPEATS))


@step(
    f"[then] [<add>] [a|an] [{{way=mirrored|mirror}}] {{mod:fmodifier}} [<fcurve>|animation] {{w=modifier}} [before and after] {FMOD}",
    f"[<add>] [a|an|some] [{{way=mirrored|mirror}}] {{mod:fmodifier}} (to|on) [the] [<fcurve> of] {{c:channel}} [<fcurve>] {FMOD}",
    f"{{c:channel}} [:] [<add>] [a|an] {{mod:fmodifier}} {{w=modifier}} {FMOD}",
)
def curve_modifier(
    build: Build, mod: Kind, c: Channel | None, target: Target | None, way: str | None, s: list[Set] | None, w: str
    | None, after: str | None, before: str | None, phases: str | None, span: tuple[int, int] | None,
) -> None:  # fmt: skip
    """A modifier of F-curves; one of each type."""
    if w is None and c is not None and (c.of == "scene" or mod.label in {"limit", "limits", "repeat", "envelope", "generator"}):  # fmt: skip
        raise refuse(mod.label, 'say "F-curve modifier" if that is meant')
    topic = animation_meant(build, c, target)
    if c is not None and topic is not build.memory.get("_animated"):
        with holder(build, topic.channel or c, topic.options) as held:
            build.need("curves_of")
            curve_ = f"{quoted(held.name)}{held.component}"
            build.line(f"if not curves_of({held.var}, {curve_}):\n    {held.var}.keyframe_insert({curve_}, frame=1)")
    build.need("expect")
    with each_curve(build, topic):
        build.line(f'found = next((each for each in curve.modifiers if each.type == "{mod.identifier}"), None)')
        build.line(f'modifier = expect(found or curve.modifiers.new("{mod.identifier}"), bpy.types.{mod.type})')
        build.assign("modifier", build.choose(s or [], mod.places, f"the {mod.label} modifier"))
        for said, kind in ((way, "CYCLES"), (after, "CYCLES"), (before, "CYCLES"), (phases, "NOISE")):
            if said and mod.identifier != kind:
                raise refuse(said, f"only of {kind.lower()}")
        if way:
            name = "REPEAT_OFFSET" if way == "offset" else "MIRROR"
            build.line(f'modifier.mode_before = modifier.mode_after = "{name}"')
        build.put("modifier", mode_after=REPEATS.get(after or ""), mode_before=REPEATS.get(before or ""))
        if phases:
            build.line("modifier.phase = 10.0 * curve.array_index")
        if span is not None:
            restrict_modifier(build, "modifier", span)
    build.memory["_fmodifier"] = topic, mod
    build.note(f"F-curve modifier {mod.identifier}")


def restrict_modifier(build: Build, var: str, span: tuple[int, int]) -> None:
    """Let a modifier of a curve work in some frames only."""
    build.put(var, use_restricted_range=True, frame_start=span[0], frame_end=span[1])


@step(
    "(restrict|limit|confine) (it|them|the modifier|the noise|the modifiers) to {span:frame_span}",
    "[<set>] [the|its] restricted (frame range|range) [<to>|from] {span:frame_span}",
)
def restrict(build: Build, span: tuple[int, int]) -> None:
    """In which frames the modifier of curves that was spoken of last works."""
    if "_fmodifier" not in build.memory:
        raise refuse("it", "restrict what?")
    topic, mod = build.memory["_fmodifier"]
    with each_curve(build, topic):
        build.line(f"restricted = next(each for each in curve.modifiers if each.type == {quoted(mod.identifier)})")
        restrict_modifier(build, "restricted", span)
    build.note("restricted to some frames")


@step(
    "<remove> [the] {mod:fmodifier} [<fcurve>|animation] modifier ~( (from|of|on) [all] [the] [<fcurve>] [of] {c:channel} [<fcurve>] ; (from|of|on) [all] [the] [<fcurve>] [of] {target:object} )",
)
def remove_curve_modifier(build: Build, mod: Kind, c: Channel | None, target: Target | None) -> None:
    """Take a modifier from F-curves."""
    if c is None and target is None:
        raise refuse(mod.label, "from what?")
    with each_curve(build, animation_meant(build, c, target)):
        held = f'[each for each in curve.modifiers if each.type == "{mod.identifier}"]'
        build.line(f"for found in {held}:\n    curve.modifiers.remove(found)")
    build.note(f"F-curve modifier {mod.identifier} removed")


@step(
    "{how=mute|unmute|lock|unlock} [the] {c:channel} (channel|channels|<fcurve>|animation) [of {target:object}]",
    "{how=mute|unmute|lock|unlock} [the] (channel|channels|<fcurve>|animation) (of|for) [the] {c:channel}",
)
def mute_curves(build: Build, how: str, c: Channel, target: Target | None) -> None:
    """Let curves have no effect, or be kept from being edited."""
    with each_curve(build, animation_meant(build, c, target)):
        build.line(f"curve.{how.removeprefix('un')} = {not how.startswith('un')}")
    build.note(f"curves {how}d")


@step("<remove> [the] nla track {track:name} (of|from|on) {target:object}")
def remove_track(build: Build, track: str, target: Target) -> None:
    """Take away an NLA track with its strips."""
    with build.each(target) as known:
        data = animation_data(build, known.var)
        build.line(
            f"found = {data}.nla_tracks.get({quoted(track)})\nif found is not None:\n    {data}.nla_tracks.remove(found)"
        )
    build.note(f"NLA track {track} removed")


# --- motions ------------------------------------------------------------------------------------------------


@slot("frame_span")
def span(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[int, int]]]:
    """ "over frames 1 to 50", "in 48 frames", "between f10 and f20", "over 4 seconds"."""
    for end, found in moments(reading, at):
        if len(found) == 2 and found[0] < found[1]:
            yield end, (found[0], found[1])
    yield from one_range(reading, skip(reading, at, {"from", "to", "of", "frame", "frames"}), env)
    start = skip(reading, at, {"every", "per", "each"})
    if start > at:
        for end, found in lasting(reading, start):
            yield end, (1, found[-1])


SPIN: Final = (
    "~( {angle:turns} ; (around|about|on|along|over|in) [its] {axis:axis} ; {f:frame_span} ; {how:curve} ;"
    " {way=clockwise|counterclockwise} [«] [seen|viewed|when seen|when viewed] [from {view=above|below|front}] [»] )"
)
TURNS: Final = "spin|rotate|turn|revolve|roll|swivel"


@step(
    f"[make|let|have|animate] [a] ({TURNS}) {{target:object}} {SPIN}",
    f"(make|let|animate|have) {{target:object}} [to] ({TURNS}|spinning|rotating|turning|do|make|complete) {SPIN}",
    f"animate [a] {{angle:turns}} (rotation|turn|spin) of {{target:object}} {SPIN}",
    f"{{angle:turns}} [rotation|spin] (of|for|on) {{target:object}} {SPIN}",
    f"{{target:object}} [:|,|-|to] [should|must|needs|has to|is to|needs to] [do|make|complete|perform] {{angle:turns}} [rotation|spin] {SPIN}",
    f"animate [the] rotation of {{target:object}} {SPIN}",
    f"{{target:object}} [:|should] (spins|rotates|turns|spin|rotate|turn|revolves|rotation|makes|does) {SPIN}",
    f"[animate|keyframe|rotate|turn|spin] {{target:object}} [:] [rotates|turns|rotate|turn|rotation] [from] {{start:angle}} to {SPIN}",
)
def spin(
    build: Build, target: Target, axis: str | None, f: tuple[int, int] | None, angle: Degrees | None,
    how: Shape | None, way: str | None, view: str | None, start: Degrees | None,
) -> None:  # fmt: skip
    """Keyframes of a rotation; from zero where nothing else is said."""
    if axis is None and re.search(r"\bturn ?table|\bcarousel", build.request, re.IGNORECASE):
        axis = "Z"
    if f is None or angle is None or axis is None:
        raise refuse(target.said, "how far, around which axis, from which frame to which?")
    sign = -1.0 if axis.startswith("-") else 1.0
    if way is not None:
        if axis[-1] != "Z" or view == "front":
            raise refuse(way, "seen from where?")
        sign = -1.0 if (way == "clockwise") == (view != "below") else 1.0
    option = transform_component(build, axis[-1].lower(), "rotation_euler")
    c = Channel((option,), "rotation", target=target)
    build.comment(f"turn it around {axis[-1]}")
    with holder(build, c, c.options) as held:
        insert_keys(
            build, held, [(f[0], Degrees(sign * start.value if start else 0.0)), (f[1], Degrees(sign * angle.value))]
        )
    animated(build, c, held, how)
    build.note(f"{target.said} -> turns by {angle.value:g} degrees")


def transform_component(build: Build, letter: str, attribute: str) -> Setting:
    """One component of a transform of an object."""
    prop = build.lexicon.property("Object", attribute)
    return Setting(Place("", "Object"), replace(prop, array=(), name=f"{attribute}[{'xyz'.index(letter)}]"))


DOWN: Final = frozenset({"fall", "sink", "lower", "descend", "drop"})


@step(
    f"[{ANIMATED}] {{c:channel}} [{{up=up|upwards|down|downwards}}] [by] {{d:quantity}} ~( {{f:frame_span}} ; {HOW} )"
)
def move_on(
    build: Build, c: Channel, d: Quantity, f: tuple[int, int] | None, axis: str | None, how: Shape | None, target: Target | None, up: str | None,
) -> None:  # fmt: skip
    """Keyframes from where a thing is to so much further."""
    moves = any(each.prop.name == "location" for each in c.options)
    axis = axis or (("Z" if up.startswith("up") else "-Z") if up and moves else None)
    wanted = [each for each in (along(c, c.options, axis) if axis else c.options) if is_component(each)]
    if up and moves:
        wanted = [transform_component(build, "z", "location")]
    said = c.said.lower()
    if f is None or len(wanted) != 1 or target is not None or " to " in f" {said} " or (up and not moves):
        raise refuse(c.said, "how far, along which axis, from which frame to which?")
    amount = fitted(wanted[0].prop, d)
    if amount is None:
        raise refuse(c.said, "another unit was expected")
    down = any(word in DOWN or word.rstrip("s") in DOWN for word in said.split())
    build.once()
    with holder(build, c, (wanted[0],)) as held:
        build.line(f"{held.var}.keyframe_insert({quoted(held.name)}{held.component}, frame={f[0]})")
        sign = -1 if down or (axis or "").startswith("-") else 1
        build.line(f"{held.code} += {build.literal(turned(amount, sign))}")
        build.line(f"{held.var}.keyframe_insert({quoted(held.name)}{held.component}, frame={f[1]})")
    animated(build, c, held, how)
    build.note(f"{c.said} -> {d.number:g} further")


@step(
    f"[{ANIMATED}] {{c:channel}} [{VERBS}] [:] [alternates|alternating|pulses between|pulse between|blinks between|flickers between|between|switching between] {{v:choices of c}} [alternating|alternately] ~( (each|every) {{n:int}} frames ; {{f:frame_span}} ; {HOW} )",
)
def alternate(
    build: Build, c: Channel, v: list[Options], n: int | None, f: tuple[int, int] | None, how: Shape | None, axis: str | None, target: Target | None,
) -> None:  # fmt: skip
    """Two values in turn, every so many frames."""
    if n is None or f is None or len(v) != 2 or n < 1:
        raise refuse(c.said, "how often, from which frame to which?")
    c = channel_of(c, target)
    options = along(c, tuple(s for s in c.options if all(any(o[0] == s for o in each) for each in v)), axis)
    if not options:
        raise refuse(c.said, "it has no such property, or not along this axis")
    sign = -1 if axis is not None and axis.startswith("-") else 1
    with holder(build, c, options) as held:
        values = [turned(next(v for s, v in each if same_setting(s, held.setting)), sign) for each in v]
        with build.block(f"for place, frame in enumerate(range({f[0]}, {f[1] + 1}, {n})):"):
            first, second = (build.value(each, held.setting) for each in values)
            build.line(f"{held.code} = {second} if place % 2 else {first}")
            build.line(f"{held.var}.keyframe_insert({quoted(held.name)}{held.component}, frame=frame)")
    animated(build, c, held, how)
    build.note(f"{c.said} -> two values in turn")


@slot("choices")
def choices(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[Options]]]:
    """Two values: "5 and 0"."""
    one: Channel | None = env.get(of)
    if one is not None:
        yield from ((end, found) for end, found in value_lists(reading, at, one.options) if len(found) == 2)


@dataclass(frozen=True)
class Window:
    """When something is so: from one frame to another, either open."""

    first: int | None
    last: int | None


@slot("window")
def window(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Window]]:
    """ "from frame 30 onwards", "until frame 20", "only between frames 10 and 20", "at frame 30", "on frames 1-60"."""
    start = skip(reading, at, {"only", "just", "starting"})
    for end, found in span(reading, start, {}, ""):
        yield end, Window(*found)
    if of and reading.word(start) in {"at", "on"}:
        return
    if reading.word(start) in {"until", "till", "before"} or reading.words(start, 2) == ("up", "to"):
        before = reading.word(start) == "before"
        for end, frame_ in moment(reading, skip(reading, start + 1, {"to"}), bare=True):
            yield end, Window(None, frame_ - before)
    elif reading.word(start) in {"from", "at", "on", "after", "since", "as", "starting"}:
        after = reading.word(start) == "after"
        for end, frame_ in moment(reading, skip(reading, start + 1, {"of", "from", "at"}), bare=True):
            last = skip(reading, end, {"on", "onwards", "onward", "and", "upwards", "later", "forward", "after"})
            yield last, Window(frame_ + after, None)
            yield end, Window(frame_ + after, None)


HIDING: Final = {"hide": True, "disappear": True, "vanish": True, "hidden": True, "invisible": True, "show": False, "appear": False,
                 "visible": False, "shown": False, "reappear": False}  # fmt: skip
SWITCHED: Final = {"off": True, "on": False}
"""The same of a visibility."""
SEEN: Final = "{how=hide|show|disappear|appear|vanish|hidden|invisible|visible|shown|reappear}"
ASIDE: Final = " ; {where:visibility} ; (with|using|via|by) keyframes ; [«] not before [»] ; (key|keyframe|keyed) [the] visibility [:]"


@step(
    f"[(key|keyframe|animate) [the] visibility [:]] [keep|make|let] {{how=hide|show}} {{target:object}} ~( {{w:window}}{ASIDE} )",
    f"[(key|keyframe|animate) [the] visibility [:]] [make|let|have|keep] {{target:object}} [only] [is|be|becomes|become|gets] [only] {SEEN} ~( {{w:window}}{ASIDE} )",
)
def hide_from(build: Build, target: Target, how: str, w: Window | None, where: frozenset[str] | None) -> None:
    """Keyframes that hide or show objects for a time."""
    if w is None:
        raise refuse(target.said, "from which frame on?")
    hidden = HIDING[how]
    first, last = w.first, w.last
    if first is None and last is not None and hidden:
        last -= 1  # "hidden until frame 20": seen from 20 on
    keys_: list[tuple[int, Any]] = [(first - 1, not hidden)] if first is not None and first > 0 else []
    keys_ += [(first if first is not None else 1, hidden)]
    keys_ += [(last, hidden), (last + 1, not hidden)] if last is not None else []
    key_visibility(build, target, keys_, where)
    build.note(f"{target.said} -> {'hidden' if hidden else 'shown'}")


@slot("turns_seen")
def turns_seen(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[tuple[bool, Window]]]]:
    """Times at which something is there and is not: "visible until frame 20, hidden from 21 to 39, visible again at 40"."""

    def one(place: int) -> tuple[int, tuple[bool, Window]] | None:
        place = skip(reading, place, {"then", "is", "becomes", "be"})
        how = reading.word(place)
        if how not in HIDING and (of != "visibility" or how not in SWITCHED):
            return None
        start = skip(reading, place + 1, {"again", "once", "more", "only"})
        at_once = of == "visibility" and reading.word(start) in {"at", "from"}
        moments_ = ((end, Window(each, None)) for end, each in moment(reading, start)) if at_once else iter(())
        found = next(moments_, None) or next(window(reading, start, {}, ""), None)
        return (
            None if found is None else (skip(reading, found[0], {"again"}), (({**HIDING, **SWITCHED})[how], found[1]))
        )

    yield from most_first(in_a_row(reading, at, one, 2, {",", ";"}, {"and", "then", "but"}, joined=True))


@step(
    f"[(key|keyframe|animate) [the] visibility [of]] {{target:object}} [:|,|is|should be|must be] {{turns:turns_seen}} ~( {ASIDE.removeprefix(' ; ')} )",
    f"[key|keyframe|animate|set] [[a|the] (keyframe|keyframes) (for|of|on)] [the] visibility of {{target:object}} [:|,] {{turns:turns_seen of visibility}} ~( {ASIDE.removeprefix(' ; ')} )",
)
def seen_in_turns(build: Build, target: Target, turns: list[tuple[bool, Window]], where: frozenset[str] | None) -> None:
    """Keyframes that hide and show objects in turns."""
    keys_: dict[int, Any] = {}
    for place, (hidden, time) in enumerate(turns):
        first = time.first if time.first is not None else time.last
        if first is None or (keys_ and first <= max(keys_)):
            raise refuse(target.said, "from which frame on is it what?")
        keys_[first] = hidden
        following = turns[place + 1][1].first if place + 1 < len(turns) else None
        if time.first is not None and time.last is not None and following is None:
            keys_[time.last + 1] = not hidden
        elif time.last is not None and following is not None and following != time.last + 1:
            raise refuse(target.said, f"what is it between the frames {time.last} and {following}?")
    key_visibility(build, target, sorted(keys_.items()), where)
    build.note(f"{target.said} -> hidden and shown in turns")


def key_visibility(build: Build, target: Target, keys_: list[tuple[int, Any]], where: frozenset[str] | None) -> None:
    """Keyframes of whether objects are hidden, which hold until the next."""
    with build.each(target) as known:
        for attribute in sorted(where or {"hide_viewport", "hide_render"}):
            setting = Setting(Place("", "Object"), build.lexicon.property("Object", attribute))
            held = Held(known.var, attribute, None, setting)
            insert_keys(build, held, keys_)
            topic = AnimationTopic(Channel((setting,), attribute), (setting,), held)
            shape_curves(build, topic, Shape((("interpolation", "CONSTANT"),)))


@slot("transforms")
def transforms(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[str]]]:
    """ "location, rotation and scale", "loc/rot/scale", "all transforms"."""
    found: list[str] = []
    place = at + (reading.word(at) == "all" and reading.word(at + 1) == "transforms")
    while reading.word(place) in {*TRANSFORMS, "locrotscale", "transforms", "transform"}:
        word = reading.word(place)
        found += [TRANSFORMS[word]] if word in TRANSFORMS else ["location", "rotation_euler", "scale"]
        place += 1
        yield place, sorted(set(found))
        while reading.mark(place) in {",", "/", "+"} or reading.word(place) in {"and", "&"}:
            place += 1


@slot("key_frames")
def key_frames(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[int]]]:
    """ "at frame 12", "at frames 1, 20 and 40"."""
    yield from moments(reading, at)
    for end, found in moment(reading, at):
        yield end, [found]


NOW: Final = "{f:key_frames} ; [at|on] the {now=current} frame )"


@step(
    f"(insert|add|set|put) [a|the] (keyframe|key) (for|of|on) {{c:channel}} ~( {NOW}",
    f"(insert|add|set|put|make|keyframe|key) [a|the] [(keyframe|key|keyframes|keys) (for|of|on)] [the] [current] {{t:transforms}} [keyframe|keyframes|key|keys] ~( (of|for|on|to) {{target:object}} ; {NOW}",
    f"(keyframe|key) {{target:object}} ['s] [current] {{t:transforms}} ~( {NOW}",
    f"{{target:object}} (gets|needs|should get|must get) [a|the] {{t:transforms}} (keyframe|key|keyframes|keys) ~( {NOW}",
)
def key_now(
    build: Build, c: Channel | None, t: list[str] | None, target: Target | None, f: list[int] | None, now: str | None
) -> None:
    """Keyframes of a property, or of the transforms, as they are."""
    if f is None and now is None:
        raise refuse("keyframe", "at which frame?")
    when = [str(each) for each in f or ()] or [f"{build.scene()}.frame_current"]
    build.comment("keyframe what is there")
    if c is not None:
        with holder(build, c, c.options[:1]) as held:
            for at in when:
                build.line(f"{held.var}.keyframe_insert({quoted(held.name)}{held.component}, frame={at})")
        animated(build, c, held, None)
    else:
        with build.each(target) as known:
            for at, attribute in itertools.product(when, t or []):
                build.line(f'{known.var}.keyframe_insert("{attribute}", frame={at})')
    build.note("keyframes of what is there")


# --- actions and tracks -------------------------------------------------------------------------------------


@step(
    "(name|call|rename) [the|its] action [of {target:object}] [to|as] {name:name}",
    "[the|its] action [of {target:object}] (is|should be) (called|named) {name:name}",
    "(name|call|rename) {target:object} ['s] action [to|as] {name:name}",
)
def name_action(build: Build, target: Target | None, name: str) -> None:
    """The name of the action that moves an object."""
    owner = animated_owner(build, target)
    if owner.endswith(".id_data"):
        found = f"expect({animation_data(build, owner)}.action, bpy.types.Action)"
    else:
        build.need("action_of")
        found = f"action_of({owner})"
    action = about_action(build, found)
    build.line(f"{action}.name = {quoted(name)}")
    build.note(f'action "{name}"')


def animated_owner(build: Build, target: Target | None) -> str:
    """What has the animation of an object, or the one that was spoken of last: that of a light's energy is of its data."""
    topic: AnimationTopic | None = build.memory.get("_animated")
    if topic is None or topic.channel is None or (target is not None and target.how != "it"):
        return build.object(target)
    known = build.object(topic.channel.target) if topic.channel.target is not None else ""
    held = topic.held.var if topic.held is not None else known
    return held if held in {each.var for each in build.known} else f"{held}.id_data"


def about_action(build: Build, expression: str) -> str:
    """The variable of an action that the next words may be about: "give it a fake user"."""
    var = build.var("action")
    build.line(f"{var} = {expression}")
    build.topic = Topic(var, (Place("", "Action"),), "action")
    return var


def animation_data(build: Build, owner: str) -> str:
    """The variable of the animation data of an object, made if it has none."""
    build.need("expect")
    build.imports("typing: Any")
    data = build.var("animation")
    build.line(f"{data}: Any = expect({owner}.animation_data_create(), bpy.types.AnimData)")
    return data


@step(
    "(copy|duplicate) [the] action {name:name} (as|to|into|called|named) {new:name}",
    "(copy|duplicate) it (as|to|into|called|named) {new:name}",
)
def copy_action(build: Build, name: str | None, new: str) -> None:
    """A copy of an action, made once and kept where nothing uses it."""
    name = name or build.memory.get("_action")
    if name is None:
        raise refuse(new, "a copy of which action?")
    text = quoted(new)
    build.line(f"if {text} not in bpy.data.actions:\n    bpy.data.actions[{quoted(name)}].copy().name = {text}")
    copied = about_action(build, f"bpy.data.actions[{text}]")
    build.line(f"{copied}.use_fake_user = True")
    build.memory["_action"] = new
    build.note(f'action "{new}"')


@step(
    "{target:object} {has=has|have} [already] [a|an|the] [active] action [<called>] {name:name} [on it|assigned]",
    "(action|actions) {name:name} [and [action] {other:name}] (exists|exist|is there|are there) [already]",
)
def there_is(build: Build, target: Target | None, name: str, other: str | None, has: str | None) -> None:
    """What is there already; it is what follows is about."""
    if (target is None) != (has is None):
        raise refuse(name, "a new one?")
    if target is not None:
        build.it = build.one(target)
    build.note(f"{' and '.join(each for each in (name, other) if each)}: there already")


@step(
    "(assign|give|use|apply|set|put|play) [the] action {name:name} (to|on|for) {target:object}",
    "(give|assign|let|make) {target:object} [have|use|play] [the] action {name:name}",
    "<set> [the] action of {target:object} [<to>] {name:name}",
)
def use_action(build: Build, name: str, target: Target) -> None:
    """Let objects move by an action that is there."""
    action = about_action(build, f"bpy.data.actions[{quoted(name)}]")
    with build.each(target) as known:
        data = animation_data(build, known.var)
        build.line(f"{data}.action = {action}")
        build.line(
            f"if bpy.app.version >= (4, 4, 0) and {data}.action_slot is None:\n    {data}.action_slot = {data}.action.slots[0]"
        )
    build.note(f'action "{name}" -> {target.said}')


@step(
    "(unlink|detach|unassign|<remove>) [the] [active|current] action (from|of|on) {target:object} [[,] [but] (keep|keeping) (it|the action) {kept=with a fake user|by a fake user|in the file}]",
    "(no|without|there is no) [active] action [(should|must|may|shall) (be|remain|stay|is)] [left] [active|assigned|left] [(on|at|of|in) {target:object}] [any more|anymore|afterwards]",
    "{target:object} (should|must) have no [active] action [left|assigned] [any more|anymore|afterwards]",
)
def unassign(build: Build, target: Target | None, kept: str | None) -> None:
    """Let no action be the active one of objects; the action stays, if need be by a fake user."""
    del kept  # it is in any case
    with build.each(target) as known:
        if build.memory.get("_pushed") != known.var:
            data = animation_data(build, known.var)
            build.line(
                f"if {data}.action is not None:\n    {data}.action.use_fake_user = True\n    {data}.action = None"
            )
    build.note("no active action")


STRIP: Final = (
    "~( [on|onto|in|into|to] [a|an|the] [new] [nla] track [<called>] [{track:name}] ; (as|into|to|named) [a|an] [new] [nla] strip [<called>] [{title:name}] ; [with] [a|an|one] strip ; (into|to|in|onto) nla ; (at|from|starting at|starts at|beginning at|begins at|on) {f:frame} ;"
    " (as|named) [a|an] [nla] [strip] [<called>] {title:name} ; from {span:frame_span} ; (of|for|on|to) {target:object} ; (repeat|repeated|repeating|repeats|plays|playing|play|loop|looped|looping|loops) [it|the action|the strip] {times:n} [times] ;"
    " [run|runs|running|play|plays] at {pace=half|double|twice|normal} [the|its] [normal|original] speed ; {how=adds to|added to|replaces|multiplies} [what lies|what is|the tracks|everything] below ; {s:settings of NlaStrip} ;"
    " [and] {mute=mute|muted} [the track] ; [and] (clear|remove|unlink) the [active] action )"
)
PACES: Final = {"half": 2.0, "double": 0.5, "twice": 0.5, "normal": 1.0}
BELOW: Final = {"adds to": "ADD", "added to": "ADD", "replaces": "REPLACE", "multiplies": "MULTIPLY"}


@step(
    f"(push|move|send|turn|convert|stash|put|place) [down] [the|its] [current|active] [{{target:object}}] ['s] [current|active] action [{{name:quoted}}] [down] {STRIP}",
    f"push it down {STRIP}",
    f"[above it|on top of it] {{track:quoted}} with [the|a] [{{word:thing_word}}] {{listed=strip}} {STRIP}",
    "[on|for] {target:object} <add> [two|three|four] {head=nla tracks}",
    "<add> [two|three|four] {head=nla tracks} (on|for|to) {target:object}",
    f"on [the] {{level=lower|upper|bottom|top|first|second|third|other}} [one|track] [comes] [the|a] [nla] {{listed=strip|action}} {{track:quoted}} {STRIP}",
    f"<add> [an|a] [new] (nla strip|nla track|strip in nla) (with|from|of|for|using) [the] action {{name:name}} {STRIP}",
    f"(add|put|place|insert|use) [the] action {{name:name}} (as|in|into|onto|to|on) [an|a|the] [nla] (strip|track|nla) {STRIP}",
)
def nla_strip(
    build: Build, target: Target | None, name: str | None, track: str | None, title: str | None, f: int | None,
    times: float | None, s: list[Set] | None, mute: str | None, span: tuple[int, int] | None, pace: str | None, how: str | None,
    word: str | None, head: str | None, listed: str | None, level: str | None,
) -> None:  # fmt: skip
    """A strip of an action on a track of its own, above the others; the active action makes way for it where it is that."""
    f = span[0] if span is not None else f
    known = build.one(target)
    if head:
        build.pending, build.it = head, known
        return
    if level in {"lower", "bottom", "first"} and "_level" in build.memory:
        raise refuse(level, "the lower one first: a new track goes above the others")
    build.memory.update({"_level": level} if level else {})
    build.pending = ""
    name = track if listed else name
    if word and word.lower() != (track or "").lower():
        raise refuse(word, "which action?")
    data = animation_data(build, known.var)
    build.need("expect")
    build.comment("a strip for the action")
    found = f"bpy.data.actions[{quoted(name)}]" if name else f"expect({data}.action, bpy.types.Action)"
    if name is None:
        build.once()
    build.line(f"action = {found}")
    text = quoted(track) if track else "action.name"
    build.line(f"track = {data}.nla_tracks.get({text}) or {data}.nla_tracks.new()\ntrack.name = {text}")
    start = str(f) if f is not None else "round(action.frame_range[0])"
    build.line(f"if not track.strips:\n    track.strips.new(action.name, {start}, action)")
    build.line("strip = expect(track.strips[0], bpy.types.NlaStrip)")
    tell_strip(build, times, pace, how, s, title, span and span[1])
    if mute:
        build.line("track.mute = True")
    build.line(f"if {data}.action == action:\n    {data}.action = None")
    build.memory["_pushed"] = known.var if name is None else ""
    build.topic = Topic("strip", (Place("", "NlaStrip"),), "NLA strip")
    build.it = known
    build.note("NLA strip")


def tell_strip(
    build: Build, times: float | None, pace: str | None, how: str | None, s: list[Set] | None, title: str | None = None, last: int | None = None,
) -> None:  # fmt: skip
    """Settings of a strip."""
    told = {
        "name": title, "scale": PACES.get(pace or ""), "blend_type": BELOW.get(how or ""), "repeat": times and float(times),
        "frame_end_ui": last and float(last),
    }  # fmt: skip
    build.put("strip", **told)
    build.assign("strip", build.choose(s or [], (Place("", "NlaStrip"),), "a strip"))


PLAYED: Final = (
    "(start|starts|starting|begin|begins) (at|on) {f:frame} ; {times:n} times [in a row] ; (repeat|repeats|play|plays|loop|loops) {times:n} [times] [in a row] ;"
    " [run|runs|play|plays] at {pace=half|double|twice|normal} [the|its] [normal|original] speed ; {how=adds to|replaces|multiplies} [what lies|what is|the tracks|everything] below ; {s:settings of NlaStrip}"
)


@step(
    f"[let|make|have] (it|that|the strip|the action|that strip|this strip) [should|must|shall|has to|is|to|gets] ~( {PLAYED} )"
)
def more_of_strip(
    build: Build, f: int | None, times: float | None, pace: str | None, how: str | None, s: list[Set] | None
) -> None:
    """What else is said of the strip that was just made."""
    if not (isinstance(build.topic, Topic) and build.topic.title == "NLA strip"):
        raise refuse("strip", "which one?")
    if f is None and times is None and pace is None and how is None and not s:
        raise refuse("strip", "what of it?")
    if f is not None:
        build.line(f"strip.frame_start_ui = {literal(float(f))}")
    tell_strip(build, times, pace, how, s)
    build.note("of the strip")


SOME_KEYS: Final = "~( (from|of|on|for|off) [all] {target:object} ; (at|on) {f:frame} [only] ; [only] (at|on) {f:frame} ; [only] {w:window of keys} )"


@step(
    f"<remove> [all|every|any|each] [the] [existing] (keyframes|animation|animations|keyframe|animation data|keys|key) {SOME_KEYS}",
    f"<remove> {{target:object}} ['s] (keyframes|animation|animation data|keys|keyframe|key) {SOME_KEYS}",
    "<remove> [all] [the] {drivers=driver|drivers} (from|of|on) [all] {target:object}",
    f"<remove> [all] [the] (keyframes|keys|animation|driver|drivers|keyframe|key|f-curve|f-curves|fcurve|fcurves|f curve) (of|for|from|on) [the] {{c:channel}} {SOME_KEYS}",
)
def clear_animation(
    build: Build, target: Target | None, c: Channel | None, f: int | None, w: Window | None, drivers: str | None
) -> None:
    """Remove the animation of objects, or that of one property; or only their keys at some frames."""
    every = (f is not None or w) and EVERY_KEY.search(build.request)
    if target is None and c is None and build.it is None and not every:
        raise refuse("keyframes", "of what?")
    tests = [f"frame == {f}"] if f is not None else []
    if w is not None:
        tests += [" <= ".join([str(each) for each in (w.first, "frame", w.last) if each is not None])]
    if drivers:
        with build.each(target) as known:
            data = animation_data(build, known.var)
            build.line(f"for curve in list({data}.drivers):\n    {data}.drivers.remove(curve)")
    elif tests:
        with each_curve(build, animation_meant(build, c, target)):
            build.line("points = curve.keyframe_points")
            with build.block("for place in reversed(range(len(points))):"):
                build.line("frame = round(points[place].co[0])")
                build.line(f"if {' and '.join(tests)}:\n    points.remove(points[place])")
    elif c is not None:
        with holder(build, replace(c, target=c.target or target), c.options) as held:
            index = "" if held.index is None else f", {held.index}"
            build.line(f"{held.var}.driver_remove({quoted(held.name)}{index})")
            build.need("remove_curves")
            build.line(f"remove_curves({held.var}, {quoted(held.name)}{held.component})")
    else:
        with build.each(target) as known:
            build.line(f"{known.var}.animation_data_clear()")
    build.note("animation removed")


LONGER: Final = {
    **dict.fromkeys(("twice as long", "double length", "double the length", "twice its length", "double", "half speed", "half as fast", "twice as slow"), 2.0),
    **dict.fromkeys(("half as long", "half length", "half the length", "half its length", "half", "double speed", "twice as fast", "twice the speed"), 0.5),
}  # fmt: skip
RETIMED: Final = (
    f"~( [to|by|so that it is|in] {{factor={'|'.join(LONGER)}}} ; (to|by) [a|the] [factor] [of] {{share:quantity}} ; [so that] [to|it|they] (start|starts|begin|begins) (at|on|in|from) {{start:frame}} ; [by] {{later:int}} frames [{{way=later|earlier|forward|back|backwards}}] ;"
    " (from|starting from|starting at|around|about|relative to|seen from|pivot) {pivot:frame} [on|onwards] )"
)
WHOSE: Final = "([the] action {name:name}|[all] [the] (keys|keyframes|animation|timing) of {target:object}|{target:object} ['s] (animation|keys|keyframes|timing))"


@step(
    f"{{verb=scale|stretch|slow down|speed up|make}} [[all] [the] (length|duration|speed|timing|keys|keyframes|animation) of] {WHOSE} {RETIMED}",
    f"{{verb=shift|move|offset|delay}} [[all] [the] (keys|keyframes|animation) of] {WHOSE} {RETIMED}",
)
def retime(
    build: Build, verb: str, name: str | None, target: Target | None, factor: str | None, share: Quantity | None, pivot: int | None,
    later: int | None, way: str | None, start: int | None = None,
) -> None:  # fmt: skip
    """Move the keys of an action, or of what moves an object: further from a frame, or all by some frames, or to a frame."""
    by = share.value if share is not None else LONGER.get(factor or "")
    shifts, faster = verb in {"shift", "move", "offset", "delay"}, verb == "speed up"
    scaled = by is not None and by > 0 and (share is None or share.unit is None) and not (faster and factor)
    if start is not None and not (shifts and by is pivot is later is None):
        raise refuse(verb, "to which frame, or how much longer?")
    later_only = shifts and later is not None and by is pivot is None
    if start is None and not later_only and (shifts or not scaled or later is not None):
        raise refuse(verb, "how much longer, or by how many frames?")
    build.once()
    build.need("move_keys", "curves_in" if name else "all_curves")
    sign = -1 if way in {"earlier", "back", "backwards"} else 1
    amount = f"{literal(1 / by if faster else by)}, {pivot}" if by else f"1.0, 0, {sign * (later or 0)}"
    with contextlib.nullcontext() if name else build.each(target) as known:
        curves = f"all_curves({known.var})" if known else f"curves_in(bpy.data.actions[{quoted(name or '')}])"
        if start is not None:
            build.line(
                f"curves = {curves}\nfirst = min(point.co[0] for curve in curves for point in curve.keyframe_points)"
            )
            curves, amount = "curves", f"1.0, 0, {start} - first"
        build.line(f"move_keys({curves}, {amount})")
    build.note(f"keys of {name or (target.said if target else 'it')} moved")


BAKED: Final = (
    "~( {f:frames} ; [only] [the] {only=selected bones|selected bones only} [only] ; {only=all bones|all of its bones} ; (into|to) [a|its] {new=new action} ; (into|to) [the] {new=current action|existing action|same action} ;"
    " (from|over|between) {f:frames} ; visual [keying|keyframes|keys|transforms] ; [and] (clear|clearing|remove|delete) [the|all] {clear=constraints} [afterwards|after] ;"
    " [afterwards|and] (clear|clearing|remove|delete) [the|all] [its] {clear=constraints} [afterwards|after|after that] ; every {n:int} frames ; [on|a key on] (every|each) frame ; (to|into|as) [visual] (keys|keyframes|an action) )"
)


@step(
    f"bake [the] {{what=pose|pose animation|bone animation|bones|pose bones}} (of|on|for) {{target:object}} {BAKED} [. only [the] {{only=selected bones}}]",
    f"bake {{target:object}} ['s] {{what=pose|pose animation|bone animation|bones|pose bones}} {BAKED}",
    f"bake [the] [animation|action|constraints|motion|constraint|movement] [of|on|for] {{target:object}} ['s] [animation|action|constraints|motion|constraint|movement] [into|to|as] [visual|plain] [keys|keyframes|an action] [:] {BAKED}",
)
def bake_action(
    build: Build, target: Target, f: tuple[int, int] | None, clear: str | None, n: int | None, what: str | None, only: str | None,
    new: str | None,
) -> None:  # fmt: skip
    """Bake what moves objects into keys, as it is seen."""
    simulated = target.how == "it" and "_simulations" in build.memory
    if simulated and not re.search(r"\bkey|action|motion", build.request, re.IGNORECASE):
        raise refuse(target.said, "its motion, or the simulation?")
    if f is None:
        raise refuse(target.said, "from which frame to which?")
    if only and what is None:
        raise refuse(only, "the pose of which armature?")
    build.once()
    build.need("only_selected")
    build.comment("bake the motion into keys")
    with build.each(target) as known:
        build.line(f"only_selected({known.var})")
        selected = what is None or (only or "").startswith("selected")
        current = f", use_current_action={not new.startswith('new')}" if new else ""
        call = (
            f"bpy.ops.nla.bake(\n    frame_start={f[0]}, frame_end={f[1]}, step={n or 1}, only_selected={selected}, visual_keying=True,\n"
            f'    clear_constraints={bool(clear)}{current}, bake_types={{"{"POSE" if what else "OBJECT"}"}},\n)'
        )
        build.line(
            f'bpy.ops.object.mode_set(mode="POSE")\n{call}\nbpy.ops.object.mode_set(mode="OBJECT")' if what else call
        )
    build.note("baked")


@step(
    "[calculate|show|<add>|<enable>|display] [a|the] motion (path|paths) (for|of|on) {target:object} ~( from {first:int} to {last:int} ; {f:frame_span} ; [calculate] [and] [show] [it] )"
)
def motion_path(build: Build, target: Target, f: tuple[int, int] | None, first: int | None, last: int | None) -> None:
    """The way that an object goes, drawn in the viewport."""
    f = (first, last) if first is not None and last is not None else f
    build.need("only_selected", "expect")
    with build.each(target) as known:
        if f is not None:
            path = f"expect({known.var}.animation_visualization, bpy.types.AnimViz).motion_path"
            build.line(f"path = expect({path}, bpy.types.AnimVizMotionPaths)")
            build.line(f'path.range = "MANUAL"\npath.frame_start = {f[0]}\npath.frame_end = {f[1]}')
        build.line(
            f'only_selected({known.var})\nbpy.ops.object.paths_calculate(display_type="RANGE", range="{"MANUAL" if f else "SCENE"}")'
        )
    build.note("motion path")


# --- time ---------------------------------------------------------------------------------------------------


@slot("rate")
def rate(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[int, float]]]:
    """ "24 fps", "23.976 frames per second": a whole number of frames, and by what it is divided."""
    yield from film_rate(reading, at, env, of)
    for end, found in WHOLE_RATE(reading, at, {}):
        yield end, (found["n"], 1.0)


WHOLE_RATE: Final = compile_pattern("{n:int} (fps|frames per second)")


@step(
    "[<set>] [the] (timeline|scene|animation|frame range|playback range|render|range|frames|playback) [range] [to|from|:|=|is|runs] [from] [frame|frames] {f:frame_span} [[and] (at|with|,|@) {fps:rate}]",
    "(render|animate|play) {f:frames} [(at|with) {fps:rate}]",
    "[set] frame range {f:frames} [[and] (at|with|,) {fps:rate}]",
    "[set] [the] (timeline|animation|scene|frame range) (to|is|has|should be|lasts) {n:int} frames [long] [(at|with|,) {fps:rate}]",
    "[<set>] [the] (timeline|scene|animation|playback) <to> {fps:rate} (and|,|with|for) {n:int} frames",
    "{fps:rate}",
    "[<set>] [the] (scene|timeline|animation) ['s] {edge=end|start|last frame|first frame|end frame|start frame} [<to>] {at:frame}",
)
def frame_range(
    build: Build, f: tuple[int, int] | None, n: int | None, fps: tuple[int, float] | None, edge: str | None, at: int | None,
) -> None:  # fmt: skip
    """The range of frames and the rate."""
    if edge and at is not None:
        side = "start" if edge.startswith(("start", "first")) else "end"
        build.line(f"{build.scene()}.frame_{side} = {at}")
        build.note(f"{side} of the scene")
        return
    if f and build.notes and not RANGED.search(build.request):
        raise refuse("frames", "the range of the scene, or when it moves?")
    scene = build.scene()
    if f or n:
        first, last = f or (1, n or 1)
        build.line(f"{scene}.frame_start = {first}\n{scene}.frame_end = {last}")
    if fps:
        if not 1 <= fps[0] <= 32767:
            raise refuse(str(fps[0]), "no frame rate")
        build.line(f"{scene}.render.fps = {fps[0]}\n{scene}.render.fps_base = {fps[1]!r}")
    build.note("frame range and rate")


@step(
    "(set|fit|match|adjust|limit|change) [the] (frame range|range|timeline|playback range|start and end|start and end frame) [of the (scene|timeline)] (to|after|by) [that of|the one of|the range of|the frame range of|the frames of] [the|its|this] action [{name:quoted}]",
    "(set|fit|match|adjust|limit|change) [the] scene ['s] [(frame range|range|timeline|start and end)] (to|after|by) [that of|the one of|the range of|the frame range of|the frames of] [the|its|this] action [{name:quoted}]",
)
def range_of_action(build: Build, name: str | None) -> None:
    """The frames of the scene are those of an action."""
    var = build.var("action")
    wanted: str | None = name or build.memory.get("_action")
    if wanted:
        build.line(f"{var} = bpy.data.actions[{quoted(wanted)}]")
    else:
        build.need("action_of")
        build.line(f"{var} = action_of({build.object(None)})")
    scene = build.scene()
    build.line(f"{scene}.frame_start, {scene}.frame_end = (int(frame) for frame in {var}.frame_range[:])")
    build.note("the range of the action")


@step(
    "[<set>|with] [use] [a|the] preview range [switched on|turned on|enabled|on] [<to>|:|from] {f:frame_span}",
    "use {f:frame_span} [only] as [the|a] preview range [,|and] [the real range stays]",
    "<disable> [the] preview range",
)
def preview_range(build: Build, f: tuple[int, int] | None) -> None:
    """The range that is played."""
    scene = build.scene()
    build.line(f"{scene}.use_preview_range = {f is not None}")
    if f is not None:
        build.line(f"{scene}.frame_preview_start = {f[0]}\n{scene}.frame_preview_end = {f[1]}")
    build.note("preview range")


@step(
    "[slow mo|slow motion] [:] [<set>] [the] [scene] (time remapping|time remap|time stretching|time stretch|frame remapping) [<to>] [old] {old:int} [to|/|,|and|- >] [new] {new:int}",
)
def time_remap(build: Build, old: int, new: int) -> None:
    """How fast time runs."""
    scene = build.scene()
    build.line(f"{scene}.render.frame_map_old = {old}\n{scene}.render.frame_map_new = {new}")
    build.note("time remapping")


@slot("named_frames")
def named_frames(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[tuple[str, int]]]]:
    """Names with frames: '"intro" at 1, "jump" at frame 45 and "land" (80)', '1: "intro", 45: "jump"'."""

    def one(place: int) -> tuple[int, tuple[str, int]] | None:
        for end, title in known_name(reading, place, {}, ""):
            link = skip_marks(reading, end, {":", "="})
            for last, frame in moment(reading, link, bare=True):
                return last, (title, frame)
        for end, frame in moment(reading, place, bare=True):
            for last, title in known_name(reading, skip_marks(reading, end, {":", "="}), {}, ""):
                return last, (title, frame)
        return None

    yield from most_first(in_a_row(reading, at, one, 2, {",", ";"}, {"and", "then"}, joined=True))


@step(
    "[<add>|drop|set] [the] [{count:int}] [timeline] markers [called|named|:|,] [«] {each:named_frames} [»]",
    "(mark|label) [the] frames [:] {each:named_frames}",
)
def markers(build: Build, each: list[tuple[str, int]], count: int | None) -> None:
    """Several markers on the timeline."""
    if count not in {None, len(each)}:
        raise refuse(str(count), f"{len(each)} markers were said")
    scene = build.scene()
    rows = ", ".join(f"({quoted(title)}, {frame})" for title, frame in each)
    with build.block(f"for name, frame in ({rows}):"):
        build.line(f"marker = {scene}.timeline_markers.get(name) or {scene}.timeline_markers.new(name)")
        build.line("marker.frame = frame")
    build.note("markers: " + ", ".join(f"{title} at {frame}" for title, frame in each))


MARKER: Final = "~( (at|on|to|from|starting at|starting from) {f:frame} [on|onwards] ; <called> {name:name} ; (for|to|bound to|binding|bind|switch to|switching to|with) [the] [camera] {camera:object of one} )"


BY_MARKER: Final = "(from|at|on|starting at|starting from|starting with) {f:frame} [on|onwards] [(by|via|with|using|through) ~( [binding] it to ; [a] [timeline] (marker|markers) ; [<called>] {name:quoted} ; bound to it )]"


@step(
    f"<add> [a] [timeline] marker [{{name:known}}] {MARKER}",
    f"[timeline] marker {{name:quoted}} {MARKER}",
    f"[bind [the] (markers|marker|camera) [:]] (switch|cut|bind|change) [the] [active|scene|render] [camera] to {{camera:object of one}} {MARKER} [[via|with|using|by] [a] [timeline] marker]",
    f"(bind|tie|link|attach) [the] [camera] {{camera:object of one}} to [a|the] [new] [timeline] marker [{{name:quoted}}] {MARKER}",
    "<add> [a] [timeline] marker [<called>] [{name:name}] (at|on) {f:frame} (bound to|for|that switches to|switching to|that activates|and bind it to|and bind) {camera:object of one} [to it]",
    f"(make|set|use|let) {{camera:object of one}} [be|become|as|the] [the] (active|scene|render|active scene) camera {BY_MARKER}",
    f"{{camera:object of one}} (is active|takes over|renders|is used|becomes active|(is|becomes|should be|should become) [the] (active|scene|render|active scene) camera) {BY_MARKER}",
    "(move|shift) [the] [timeline] marker {name:name} to {f:frame}",
    "[to] {camera:object of one} (to|with|at|on|by) (another|one|another one|one more|a marker) ~( (at|on) {more:frame} ; <called> {name:name} )",
    "{name:known} (at|on) {more:frame}",
    "[back] to {camera:object of one} (at|on) {more:frame}",
    "(camera|cameras|view) [(switch|switches|switching|cut|cuts|change|changes|binding)] [(by|via|with|using|through)] [timeline] markers [that are] [bound to [the] cameras] : {camera:object of one} (from|at|on|starting at) {f:frame} [on|onwards]",
    "[back] [to] {camera:object of one} (from|at|on) [frame] {more:frame} [on|onwards] [again]",
)
def marker(build: Build, name: str | None, f: int | None, camera: Target | None, more: int | None) -> None:
    """A marker on the timeline, perhaps one that switches to a camera."""
    if more is not None and build.memory.get("_marker"):
        f = more
        if camera is None and name is not None and build.memory["_marker"] == "camera":
            camera, name = Target("named", name, said=name), None  # '"A" at frame 1, "B" at frame 50': both are cameras
    if f is None or (name is None and camera is None):
        raise refuse("marker", "at which frame, and called how?")
    scene = build.scene()
    known = build.one(camera) if camera is not None else None
    if known is not None and known.type not in {"CAMERA", ""}:
        raise refuse(known.name or "it", "no camera")
    title = name or (camera.name if camera is not None and camera.how == "named" else f"F_{f:02d}")
    placed: dict[str, int] = build.memory.setdefault("_markers", {})
    if name is None and placed.setdefault(title, f) != f:
        title = f"{title} {f}"  # "A from 1, B from 60, back to A at 100": one marker a cut
    text = quoted(title)
    build.line(f"if {text} not in {scene}.timeline_markers:\n    {scene}.timeline_markers.new({text})")
    build.line(f"{scene}.timeline_markers[{text}].frame = {f}")
    if known is not None:
        build.line(f"{scene}.timeline_markers[{text}].camera = {known.var}")
    build.memory["_marker"] = "camera" if known is not None else "plain"
    build.note(f'marker "{title}" at frame {f}')


@step(
    "(name|call|rename) [the] [timeline] marker {name:name} [to|as|into] {new:name}",
    "<remove> [the] [timeline] marker {name:name}",
    "<remove> (all|every|each|any|all of) [the] [timeline] markers [(in|from|of|on) [the] (timeline|scene)]",
    "<remove> [the] (timeline markers|markers of the timeline|markers in the timeline)",
)
def change_marker(build: Build, name: str | None, new: str | None) -> None:
    """Rename a marker, or remove it or all of them."""
    scene = build.scene()
    if name is None:
        build.line(f"{scene}.timeline_markers.clear()")
    else:
        build.once()
        found = f"{scene}.timeline_markers[{quoted(name)}]"
        build.line(f"{found}.name = {quoted(new)}" if new else f"{scene}.timeline_markers.remove({found})")
    build.note("markers")
