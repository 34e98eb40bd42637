"""Animation and rigging: keyframes, drivers, shape keys, markers, bones."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from app.drafting.composer.build import Build, Known, is_partial
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Kind, Place, Setting
from app.drafting.composer.patterns import Env, Reading, slot
from app.drafting.composer.slots import Set, Target, frame, places_of, skip, value_of, vector
from app.drafting.composer.steps.modifiers import Topic
from app.drafting.composer.steps.objects import NOUNS
from app.drafting.composer.steps.properties import object_places
from app.drafting.composer.values import Degrees, Vec, literal, quoted, refuse


@dataclass(frozen=True)
class Key:
    """A value of a property at a frame."""

    frame: int
    options: tuple[tuple[Setting, Any], ...]
    said: str


@slot("animatable")
def animatable(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[Setting, ...]]]:
    """A property of an object or its data, by name; "z", "x position" for one component of the location."""
    table = places_of(reading, env, "object")
    start = skip(reading, at, {"the", "its", "local"})
    if table is not None:
        for end, found in table.named.matches(reading.tokens, start):
            yield end, tuple(found)
    word = reading.word(start)
    if word in {"x", "y", "z"}:
        end = skip(reading, start + 1, {"location", "position", "coordinate", "axis"})
        yield end, (component(reading, word, "location"),)
        for name, attribute in (("rotation", "rotation_euler"), ("scale", "scale")):
            if reading.word(start + 1) == name:
                yield start + 2, (component(reading, word, attribute),)
    if reading.word(start) in {"location", "position", "rotation", "scale"}:
        attribute = {"position": "location", "rotation": "rotation_euler"}.get(reading.word(start), reading.word(start))
        letter_at = skip(reading, start + 1, {"on", "in", "along", "around", "about", "the"})
        if reading.word(letter_at) in {"x", "y", "z"}:
            yield skip(reading, letter_at + 1, {"axis"}), (component(reading, reading.word(letter_at), attribute),)


def component(reading: Reading, letter: str, attribute: str) -> Setting:
    """One component of a transform, as a setting whose name ends with its index."""
    from dataclasses import replace

    prop = reading.lexicon.property("Object", attribute)
    return Setting(Place("", "Object"), replace(prop, array=(), name=f"{attribute}[{'xyz'.index(letter)}]"))


@slot("keys")
def keys(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[Key]]]:
    """Values at frames: "0 at frame 1, 5 at frame 50", "from 0 at frame 1 to 1 at frame 25"."""
    settings: tuple[Setting, ...] = env.get(of) or ()
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
        while reading.mark(place) in {",", ":", "=", ";"} or reading.word(place) in KEY_WORDS:
            place += 1
        one = next(key_at(reading, place, settings), None)
        if one is None and reading.word(place).isalpha() and reading.mark(place + 1) == "(":
            # "is shut (0) at frame 100"
            one = next(key_at(reading, place + 2, settings), None)
        if one is None:
            # "z 0 at frame 1, z 5 at frame 50"
            again = next((end for end, same in animatable(reading, place, {}, "") if same == settings), None)
            one = next(key_at(reading, again, settings), None) if again is not None else None
        if one is None:
            break
        place, key = one
        found.append(key)
        stops.append((place, list(found)))
    yield from reversed(stops)


KEY_WORDS: Final = frozenset({
    "from", "to", "and", "at", "is", "be", "back", "with", "then", "of", "on", "again", "goes", "it", "a", "value", "the",
    "returns", "reaches", "drops", "rises", "finally", "up", "down", "moves", "are", "through", "via", "stands",
    "starts", "ends",
})  # fmt: skip
"""Words between the keys of one property."""


def holds(reading: Reading, at: int) -> tuple[int, int] | None:
    """The place after "stays there until frame 70", and the frame."""
    place = skip(reading, at, {"and", "it", "then", "which", "where"})
    place += reading.mark(place) == ","
    place = skip(reading, place, {"and", "it", "then", "which", "where"})
    if reading.word(place) not in {
        "waits", "stays", "holds", "remains", "keeps", "held", "stay", "hold", "staying", "holding", "remain", "wait",
    }:  # fmt: skip
        return None
    place = skip(reading, place + 1, {"like", "that", "there", "this", "way", "value", "at", "the", "its", "so", "it", "still", "in", "place"})  # fmt: skip
    place = skip(reading, place, {"until", "up", "to", "till", "through"})
    if reading.word(place) != "frame":
        return None
    return next(iter(frame(reading, place, {}, "")), None)


def key_at(reading: Reading, at: int, settings: tuple[Setting, ...]) -> Iterator[tuple[int, Key]]:
    """ "0 at frame 1", "frame 1: 0", "at frame 1 it is 0"."""
    values: dict[int, list[tuple[Setting, Any]]] = {}
    for each in settings:
        for end, value in value_of(reading, at, each):
            values.setdefault(end, []).append((each, value))
    for end in sorted(values, reverse=True):
        closed = end + (reading.mark(end) == ")" and reading.mark(at - 1) == "(")
        start = skip(reading, closed, {"at", "on", "in", "by", "the", "until", "again"})
        start += reading.mark(start) == "@"
        if start > end and reading.word(skip(reading, start, {"the"})) in {"frame"}:
            for last, number in frame(reading, start, {}, ""):
                yield last, Key(number, tuple(values[end]), reading.said(at, last))
    start = skip(reading, at, {"at", "on", "in"})
    if reading.word(start) == "frame":
        for middle, number in frame(reading, start, {}, ""):
            link = skip(reading, middle, {"it", "is", "to", "at"})
            link += reading.mark(link) in {":", "=", ","}
            values = {}
            for each in settings:
                for end, value in value_of(reading, link, each):
                    values.setdefault(end, []).append((each, value))
            for end in sorted(values, reverse=True):
                yield end, Key(number, tuple(values[end]), reading.said(at, end))


@dataclass
class AnimationTopic:
    """What was animated last: the variable of what holds the curves."""

    owner: str
    paths: tuple[str, ...]

    def accepts(self, build: Build, sets: Any) -> bool:
        """It takes no settings."""
        del build, sets
        return False

    def write(self, build: Build, sets: Any) -> None:
        """Nothing."""


@step(
    "(animate|keyframe|key|change) {target:object} ['s] {prop:animatable} [value] {k:keys of prop} [[,|with|using|and] {how:interpolation}]",
    "(animate|keyframe|key|change) [the] {prop:animatable} of {target:object} [:|with|,] {k:keys of prop} [[,|with|using|and] {how:interpolation}]",
    "(keyframe|animate) {target:object} [:|,] {prop:animatable} {k:keys of prop} [[,|with|using|and] {how:interpolation}]",
    "[<add>] (keyframe|key|keyframes|keyframes for|keyframes on|keyframes of) [the] {prop:animatable} [:] {k:keys of prop} (for|on|of) {target:object}",
    "(let|make|have) {target:object} (blink|fade|grow|shrink|pulse|move|bounce|jump|flicker|open|close|slide|swing|open and close) [again] [forever] [:|,|with] [keyframes for|keyframe] [the|its] {prop:animatable} [at] {k:keys of prop} [[,|with|using] {how:interpolation}]",
    "(let|make) {target:object} ['s] {prop:animatable} (pulse|flicker|blink|change|go|animate) [:|,] {k:keys of prop} [[,|with] {how:interpolation}]",
    "keyframes for {prop:animatable} (at|of|:) {k:keys of prop} [[,|with] {how:interpolation}]",
    "[<add>] keyframes (to|for|on) {target:object} ['s] {prop:animatable} [:|,|with] {k:keys of prop} [[,|with] {how:interpolation}]",
    "{target:object} ['s] {prop:animatable} [is|goes|changes|moves|should be|should go] [keyframed|animated] [:|from] {k:keys of prop} [[,|with] {how:interpolation}]",
    "[its|the] {prop:animatable} [is|goes|changes|should be|should go] [keyframed|animated] [:|from] {k:keys of prop} [and stays there] [[,|with] {how:interpolation}]",
    "{target:object} [:|,] {prop:animatable} keyframes [:|at] {k:keys of prop} [[,|with] {how:interpolation}]",
)
def keyframe(build: Build, target: Target | None, prop: tuple[Setting, ...], k: list[Key], how: str | None) -> None:
    """Keyframes of one property."""
    if not all(one.frame < two.frame for one, two in itertools.pairwise(k)):
        raise refuse(k[0].said, "the frames do not follow each other")
    if target is not None and target.said.lower() in {"keyframes", "it"} and build.it is None:
        raise refuse(target.said, "of which object?")
    del prop
    build.pending = ""
    with build.each(target) as known:
        animate(build, known, k, how)
    build.note("keyframes: " + ", ".join(each.said for each in k))


@step("(animate|keyframe) {target:object} [so|so that] [{text:hope}]", "(animate|keyframe) {target:object}")
def to_animate(build: Build, target: Target, text: str | None) -> None:
    """What is animated; how is said next."""
    build.it = build.one(target)
    build.pending = f"animate {target.said}"
    build.note(f"{target.said} is animated" + (f' ("{text}": a remark)' if text else ""))


def animate(build: Build, known: Known, k: list[Key], how: str | None) -> None:
    """Lines that set the values and insert the keyframes."""
    places = object_places(build, known)
    order = {place: index for index, place in enumerate(places)}
    fitting = [setting for setting, _ in k[0].options if setting.place in order]
    fitting = [s for s in fitting if all(any(o[0] == s for o in key.options) for key in k)]
    if not fitting:
        raise refuse(k[0].said, "it has no such property")
    setting = min(fitting, key=lambda each: order[each.place])
    values = [(key.frame, next(value for s, value in key.options if s == setting)) for key in k]
    owner = known.var
    if setting.place.path.startswith("data"):
        build.need("expect")
        build.imports("typing: Any")
        owner = build.var(f"{known.var}_data")
        build.line(f"{owner}: Any = {known.var}.data")
        suffix = setting.place.path.removeprefix("data").lstrip(".")
    else:
        suffix = setting.place.path
    attribute = f"{suffix}.{setting.prop.name}".lstrip(".")
    insert_keys(build, owner, attribute, values, how)


def insert_keys(build: Build, owner: str, attribute: str, values: list[tuple[int, Any]], how: str | None) -> None:
    """Set and keyframe an attribute; one component where it ends with an index."""
    name, _, index = attribute.partition("[")
    extra = f", index={index.rstrip(']')}" if index else ""
    build.comment(f"keyframe {attribute}")
    partial = any(is_partial(value) for _, value in values)
    for number, value in values:
        if partial:
            for place, part in enumerate(value):
                if part is not None:
                    build.line(f"{owner}.{attribute}[{place}] = {build.literal(part)}")
                    build.line(f'{owner}.keyframe_insert("{name}", index={place}, frame={number})')
            continue
        build.line(f"{owner}.{attribute} = {build.literal(value)}")
        build.line(f'{owner}.keyframe_insert("{name}"{extra}, frame={number})')
    topic = AnimationTopic(owner, (name,))
    build.topic = topic
    build.memory["_animated"] = topic
    if how:
        interpolate(build, topic, how)


INTERPOLATIONS: Final = {
    "linear": "LINEAR", "constant": "CONSTANT", "bezier": "BEZIER", "bounce": "BOUNCE", "elastic": "ELASTIC", "back": "BACK",
    "sine": "SINE", "quadratic": "QUAD", "cubic": "CUBIC", "quartic": "QUART", "exponential": "EXPO", "circular": "CIRC",
    "linearly": "LINEAR", "stepped": "CONSTANT", "step": "CONSTANT", "constant speed": "LINEAR", "constant rate": "LINEAR", "even speed": "LINEAR",
    "steady speed": "LINEAR",
}  # fmt: skip


@slot("interpolation")
def interpolation(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """ "linear", "with a back interpolation", "at constant speed"."""
    start = skip(reading, at, {"with", "a", "at", "in", "using", "and", "is", "the", "it"})
    if reading.word(start) in {"keys", "keyframes", "interpolation"}:
        start = skip(reading, start + 1, {"are", "is", "set", "to", "should", "be", "of", "type"})
    two = f"{reading.word(start)} {reading.word(start + 1)}"
    if two in INTERPOLATIONS:
        yield start + 2, INTERPOLATIONS[two]
    elif reading.word(start) in INTERPOLATIONS:
        end = skip(reading, start + 1, {"interpolation", "keys", "keyframes", "easing", "motion", "interpolated"})
        yield end, INTERPOLATIONS[reading.word(start)]


def interpolate(build: Build, topic: AnimationTopic, how: str) -> None:
    """Set the interpolation of every key of the animated property."""
    build.need("fcurves_of")
    paths = ", ".join(f'"{path}"' for path in topic.paths)
    with build.block(f"for curve in fcurves_of({topic.owner}):"), build.block(f"if curve.data_path in ({paths},):"):
        build.line(f'for point in curve.keyframe_points:\n    point.interpolation = "{how}"')


@step(
    "[make|set|use] [the|all] [its] (keys|keyframes|interpolation|animation|f-curves|curves|keyframe interpolation) [to|be|is|of] {how:interpolation}",
    "{how:interpolation}",
    "with {how:interpolation}",
    "(make|let) the keys ease {ease=in|out} with [a] {how:interpolation}",
    "{how:interpolation} [interpolation] (for|on) [all] [the] (keyframes|keys) of {target:object}",
    "set [the] (interpolation|keyframe interpolation) (of|for) {target:object} ['s] [keyframes|animation] to {how:interpolation}",
    "(set|make) [all] [the] (keys|keyframes) of {target:object} [to] {how:interpolation}",
)
def set_interpolation(build: Build, how: str, ease: str | None, target: Target | None) -> None:
    """How the curve runs between keys."""
    if target is not None:
        known = build.one(target)
        build.need("fcurves_of")
        build.line(
            f'for curve in fcurves_of({known.var}):\n    for point in curve.keyframe_points:\n        point.interpolation = "{how}"'
        )
        build.note(f"interpolation {how}")
        return
    topic: AnimationTopic | None = build.memory.get("_animated")
    if topic is None:
        raise refuse("interpolation", "of which animation?")
    interpolate(build, topic, how)
    if ease:
        build.line(
            f'for curve in fcurves_of({topic.owner}):\n    for point in curve.keyframe_points:\n        point.easing = "EASE_{ease.upper()}"'
        )
    build.note(f"interpolation {how}")


@step(
    "[then] [<add>] [a|an] (cycles|cyclic|cycle|repeat) [f-curve] modifier [on|to] [the|its] [f-curve|f-curves|fcurve|curve|animation]",
    "(make|let) [it|the animation|the keyframes|its animation] (loop|repeat|cycle) [forever|endlessly|infinitely]",
    "repeat [it|the animation] forever",
    "add [a] {kind=noise} modifier (on|to) [the] f-curve [with {n:n} strength]",
)
def cycle(build: Build, kind: str | None, n: float | None) -> None:
    """Let an animation repeat."""
    topic: AnimationTopic | None = build.memory.get("_animated")
    if topic is None or kind:
        raise refuse("the animation", "of what?")
    del n
    build.need("fcurves_of")
    with build.block(f"for curve in fcurves_of({topic.owner}):"):
        build.line('if all(each.type != "CYCLES" for each in curve.modifiers):\n    curve.modifiers.new("CYCLES")')
    build.note("cycles")


@step(
    "(animate|keyframe) {target:object} ['s] {prop:animatable} [from] {a:value of prop} to {b:value of prop} {f:frames} [,] [{how:interpolation}]",
    "(animate|keyframe) [the] {prop:animatable} of {target:object} [from] {a:value of prop} to {b:value of prop} {f:frames} [,] [{how:interpolation}]",
    "(keyframe|insert|add) [a] {prop:animatable} (keyframe|key) (for|on|of) {target:object} (at|on) {at:frame}",
)
def animate_between(
    build: Build,
    target: Target,
    prop: tuple[Setting, ...],
    a: Set | None,
    b: Set | None,
    f: tuple[int, int] | None,
    at: int | None,
    how: str | None,
) -> None:
    """Keyframes at both ends of a range; or one of the value that is there."""
    known = build.one(target)
    if a is None or b is None or f is None:
        setting = next((each for each in prop if each.place == Place("", "Object")), None)
        if setting is None or "[" in setting.prop.name:
            raise refuse(target.said, "no property of the object")
        build.line(f'{known.var}.keyframe_insert("{setting.prop.name}", frame={at})')
        return
    animate(build, known, [Key(f[0], a.options, a.said), Key(f[1], b.options, b.said)], how)
    build.note(f"{a.said} to {b.said} over frames {f[0]} to {f[1]}")


@step(
    "(move|animate|slide|fly|let) {target:object} [move|travel|fly] [from] {a:vector} (at|on) {f1:frame} to {b:vector} (at|on|by) {f2:frame} [,] [{how:interpolation}]",
    "animate {target:object} ['s] [location|position] [moving|to move] [from] {a:vector} (at|on) {f1:frame} to {b:vector} (at|on|by) {f2:frame} [,] [{how:interpolation}]",
    "(move|animate|slide) {target:object} from {a:vector} to {b:vector} {f:frames} [,] [{how:interpolation}]",
    "(move|animate|slide) {target:object} {f:frames} from {a:vector} to {b:vector} [,] [{how:interpolation}]",
)
def travel(
    build: Build,
    target: Target,
    a: Vec,
    b: Vec,
    f1: int | None,
    f2: int | None,
    f: tuple[int, int] | None,
    how: str | None,
) -> None:
    """Keyframes of the location from one place to another."""
    first, last = f or (f1 or 1, f2 or 1)
    if last <= first or len(a.parts) != len(b.parts):
        raise refuse(target.said, "the frames do not follow each other")
    known = build.one(target)
    insert_keys(build, known.var, "location", [(first, a.parts), (last, b.parts)], how)
    build.note(f"{target.said} -> moves over frames {first} to {last}")


SPIN: Final = (
    "~( {angle:turns} ; (around|about|on|along|over) {axis:axis} ; {f:frames} ; {how:interpolation} ;"
    " {way=clockwise|counterclockwise} [«] [seen|viewed|when seen|when viewed] [from {view=above|below|front}] [»] )"
)


@step(
    f"(spin|rotate|turn|revolve) {{target:object}} {SPIN}",
    f"(make|let|animate|have) {{target:object}} [to] (spin|rotate|turn|revolve|spinning|rotating|turning) {SPIN}",
    f"animate [a] {{angle:turns}} (rotation|turn|spin) of {{target:object}} {SPIN}",
    f"animate [the] rotation of {{target:object}} {SPIN}",
    f"{{target:object}} (spins|rotates|turns|should spin|should rotate|should turn|revolves) {SPIN}",
)
def spin(
    build: Build, target: Target, axis: str | None, f: tuple[int, int] | None, angle: Degrees | None,
    how: str | None, way: str | None, view: str | None,
) -> None:  # fmt: skip
    """Keyframes of a rotation."""
    if f is None or angle is None or axis is None:
        raise refuse(target.said, "how far, around which axis, from which frame to which?")
    known = build.one(target)
    index = "XYZ".index(axis[-1])
    sign = -1.0 if axis.startswith("-") else 1.0
    if way is not None:
        if axis[-1] != "Z" or view == "front":
            raise refuse(way, "seen from where?")
        sign = -1.0 if (way == "clockwise") == (view != "below") else 1.0
    values: list[tuple[int, Any]] = [(f[0], Degrees(0.0)), (f[1], Degrees(sign * angle.value))]
    insert_keys(build, known.var, f"rotation_euler[{index}]", values, how)
    build.note(f"{target.said} -> turns by {angle.value:g} degrees")


@step(
    "{how=hide|show} {target:object} from {f:frame} [on|onwards|onward] [,] {where:visibility} [,] [with|using] keyframes",
    "{how=hide|show} {target:object} {where:visibility} from {f:frame} [on|onwards|onward] [,] [with|using] [keyframes]",
    "{how=hide|show} {target:object} from {f:frame} [on|onwards|onward] [,] [{where:visibility}]",
    "{how=hide|show} {target:object} at {f:frame} [with|using] [keyframes] [{where:visibility}]",
    "(make|let) {target:object} {how=disappear|appear} (at|from|on) {f:frame} [on|onwards] [{where:visibility}]",
)
def hide_from(build: Build, target: Target, how: str, f: int, where: frozenset[str] | None) -> None:
    """Keyframes that hide or show an object from a frame on."""
    hidden = how in {"hide", "disappear"}
    known = build.one(target)
    for attribute in sorted(where or {"hide_viewport", "hide_render"}):
        insert_keys(build, known.var, attribute, [(f - 1, not hidden), (f, hidden)], "CONSTANT")
    build.note(f"{target.said} -> {'hidden' if hidden else 'shown'} from frame {f}")


@step(
    "(name|call|rename) [the|its] action [of {target:object}] [to|as] {name:name}",
    "[the|its] action [of {target:object}] (is|should be) (called|named) {name:name}",
    "(name|call|rename) {target:object} ['s] action [to|as] {name:name}",
)
def name_action(build: Build, target: Target | None, name: str) -> None:
    """The name of the action that moves an object."""
    topic: AnimationTopic | None = build.memory.get("_animated")
    owner = build.object(target) if target is not None or topic is None else topic.owner
    build.need("expect")
    build.imports("typing: Any")
    data = build.var("animation")
    build.line(f"{data}: Any = {owner}.animation_data")
    build.line(f"expect({data}.action, bpy.types.Action).name = {quoted(name)}")
    build.note(f'action "{name}"')


@step(
    "<remove> [all] [the] (keyframes|animation|animations|keyframe|animation data|action) (from|of|on) {target:object}",
)
def clear_animation(build: Build, target: Target) -> None:
    """Remove the animation of objects."""
    with build.each(target) as known:
        build.line(f"{known.var}.animation_data_clear()")
    build.note("animation removed")


@step(
    "[<set>] [the] (timeline|scene|animation|frame range|playback range|render|range|frames) [range] [to|from|:|=|is|runs] [from] [frame|frames] {f:frames} [[and] (at|with|,) {fps:int} (fps|frames per second)]",
    "(render|animate|play) {f:frames} [(at|with) {fps:int} (fps|frames per second)]",
    "[set] frame range {f:frames} [[and] (at|with|,) {fps:int} (fps|frames per second)]",
    "[set] [the] (timeline|animation|scene) (to|is|has) {n:int} frames [long] [(at|with|,) {fps:int} (fps|frames per second)]",
    "{fps:int} (fps|frames per second)",
)
def frame_range(build: Build, f: tuple[int, int] | None, n: int | None, fps: int | None) -> None:
    """The range of frames and the rate."""
    scene = build.scene()
    if f or n:
        first, last = f or (1, n or 1)
        build.line(f"{scene}.frame_start = {first}\n{scene}.frame_end = {last}")
    if fps:
        if not 1 <= fps <= 32767:
            raise refuse(str(fps), "no frame rate")
        build.line(f"{scene}.render.fps = {fps}\n{scene}.render.fps_base = 1.0")
    build.note("frame range and rate")


@step(
    "<add> [a] [timeline] marker [<called>] {name:name} (at|on) {f:frame}",
    "<add> [a] [timeline] marker (at|on) {f:frame} [<called>] {name:name}",
    "[timeline] marker {name:quoted} (at|on) {f:frame}",
)
def marker(build: Build, name: str, f: int) -> None:
    """A marker on the timeline."""
    scene = build.scene()
    text = quoted(name)
    build.line(f"if {text} not in {scene}.timeline_markers:\n    {scene}.timeline_markers.new({text})")
    build.line(f"{scene}.timeline_markers[{text}].frame = {f}")
    build.note(f'marker "{name}" at frame {f}')


@step(
    "[<add>] [a] shape key [<called>] {name:name} (on|to|for) {target:object} [that|which] [{how:shape}] [,] [with] [a] [value] [of] [{value:n}]",
    "(give|let) {target:object} [have] [a] shape key [<called>] {name:name} [that|which] [{how:shape}] [,] [with] [a] [value] [of] [{value:n}]",
)
def shape_key(build: Build, name: str, target: Target, how: tuple[str, str, float] | None, value: float | None) -> None:
    """A shape key, perhaps with the vertices moved."""
    known = build.one(target)
    build.need("mesh_of", "expect")
    build.imports("typing: Any")
    build.comment(f"the shape key {name}")
    text = quoted(name)
    build.line(f"keys = mesh_of({known.var}).shape_keys")
    build.line(f'if keys is None:\n    {known.var}.shape_key_add(name="Basis", from_mix=False)')
    build.line(f"blocks = expect(mesh_of({known.var}).shape_keys, bpy.types.Key).key_blocks")
    build.line(f"block = blocks.get({text}) or {known.var}.shape_key_add(name={text}, from_mix=False)")
    if how is not None:
        kind, letter, number = how
        build.line("bases: Any = blocks[0].data\npoints: Any = block.data")
        with build.block("for base, point in zip(bases, points, strict=True):"):
            if kind == "scale" and not letter:
                build.line(f"point.co = base.co * {literal(number)}")
            elif kind == "scale":
                build.line(f"point.co.{letter} = base.co.{letter} * {literal(number)}")
            else:
                build.line(f"point.co.{letter} = base.co.{letter} + {literal(number)}")
    if value is not None:
        build.line(f"block.value = {literal(float(value))}")
    build.memory["_shape_key"] = (known.var, name)
    build.note(f'shape key "{name}"')


@slot("shape")
def shape(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[str, str, float]]]:
    """ "doubles x", "scales it by 2 on Z", "moves the vertices up by 1"."""
    word = reading.word(at)
    if word in {"doubles", "halves"}:
        factor = 2.0 if word == "doubles" else 0.5
        start = skip(reading, at + 1, {"the", "its", "all", "in", "on", "along"})
        if reading.word(start) in {"x", "y", "z"}:
            yield (
                skip(reading, start + 1, {"axis", "coordinate", "coordinates", "size"}),
                ("scale", reading.word(start), factor),
            )
        if reading.word(start) in {"size"}:
            yield start + 1, ("scale", "", factor)
    if word in {"scales", "stretches"}:
        start = skip(reading, at + 1, {"it", "the", "mesh", "cube", "vertices", "by", "all"})
        from app.drafting.composer.slots import number

        for end, factor in number(reading, start):
            last = skip(reading, end, {"on", "in", "along", "the"})
            if reading.word(last) in {"x", "y", "z"}:
                yield skip(reading, last + 1, {"axis"}), ("scale", reading.word(last), factor)
            yield end, ("scale", "", factor)
    if word in {"moves", "lifts", "raises"}:
        start = skip(reading, at + 1, {"it", "the", "vertices", "all", "every", "vertex", "up", "by"})
        from app.drafting.composer.slots import quantity

        for end, given in quantity(reading, start, {}, "length"):
            last = skip(reading, end, {"up", "upwards", "on", "along", "in", "the"})
            yield last, ("move", "z", given.value)


@step(
    "(set|change) [the] [value of] [the] shape key {name:quoted} [(of|on) {target:object}] to {value:n}",
    "shape key {name:quoted} (of|on) {target:object} (to|at|=) {value:n}",
)
def shape_value(build: Build, name: str, target: Target | None, value: float) -> None:
    """The value of a shape key that is there."""
    known = build.one(target)
    build.need("mesh_of", "expect")
    build.line(
        f"expect(mesh_of({known.var}).shape_keys, bpy.types.Key).key_blocks[{quoted(name)}].value = {literal(float(value))}"
    )
    build.note(f'shape key "{name}"')


@step(
    "[<add>] [a|an] [bone] [constraint] {con:kind of constraints} [bone] [constraint] (on|to|for) [the] [pose] bone {bone:name} [(of|in|on) {target:object}] ~( {s:settings of con} ; {b:settings of con} )",
    "(give|let) [the] [pose] bone {bone:name} [(of|in|on) {target:object}] [have] [a|an] {con:kind of constraints} [constraint] ~( {s:settings of con} ; {b:settings of con} )",
)
def bone_constraint(
    build: Build, con: Kind, bone: str, target: Target | None, s: list[Set] | None, b: list[Set] | None
) -> None:
    """A constraint of a pose bone."""
    known = build.one(target)
    build.need("expect")
    build.line(f"bone = expect({known.var}.pose, bpy.types.Pose).bones[{quoted(bone)}]")
    text = quoted(con.label)
    var = build.var(con.identifier)
    build.line(
        f'held = bone.constraints.get({text}) or bone.constraints.new("{con.identifier}")\n{var} = expect(held, bpy.types.{con.type})\n{var}.name = {text}'
    )
    build.assign(var, build.choose([*(s or []), *(b or [])], con.places, f"the {con.label} constraint"))
    build.topic = Topic(var, con.places, f"{con.label} constraint")
    build.it = known
    build.note(f"{con.label} constraint on the bone {bone}")


@step(
    "(animate|keyframe) [the] [shape key|it|its value|shape key {name:quoted}] [value] [from] {a:n} (at|on) {f1:frame} to {b:n} (at|on) {f2:frame}",
)
def shape_key_animation(build: Build, name: str | None, a: float, b: float, f1: int, f2: int) -> None:
    """Keyframes of a shape key that the request made."""
    made: tuple[str, str] | None = build.memory.get("_shape_key")
    if made is None or (name and name != made[1]):
        raise refuse(name or "shape key", "the request makes no such shape key")
    insert_keys(build, "block", "value", [(f1, float(a)), (f2, float(b))], None)
    build.note("shape key animated")


@step(
    "drive {target:object} ['s] {prop:animatable} (with|by|from) [the] {e:expression}",
    "drive [the] {prop:animatable} of {target:object} (with|by|from) [the] {e:expression}",
    "[<add>] [a] driver (to|on|for) {target:object} ['s] {prop:animatable} [:|=|with|using] [the] [expression] {e:expression}",
    "<add> [a] driver (to|on|for) [the] {prop:animatable} of {target:object} [:|=|with|using] [the] [expression] {e:expression}",
)
def drive(build: Build, target: Target, prop: tuple[Setting, ...], e: str) -> None:
    """A driver with an expression of the frame number."""
    known = build.one(target)
    setting = next((each for each in prop if each.place == Place("", "Object")), None)
    if setting is None:
        raise refuse(target.said, "only transforms and settings of an object are driven so")
    name, _, index = setting.prop.name.partition("[")
    if setting.prop.array:
        raise refuse(target.said, "which axis?")
    build.need("expect")
    build.imports("typing: Any")
    extra = f", {index.rstrip(']')}" if index else ""
    build.comment(f"drive {setting.prop.name}")
    build.line(f'{known.var}.driver_remove("{name}"{extra})')
    build.line(f'curve: Any = {known.var}.driver_add("{name}"{extra})')
    build.line(f"curve.driver.expression = {quoted(e)}")
    build.note(f"driver {e}")


@slot("expression")
def expression(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """ "frame number divided by 10", "frame * 0.1", "frame / 10"; in quotes as it is written."""
    tokens = reading.tokens
    if at < len(tokens) and tokens[at].kind == "quoted":
        yield at + 1, tokens[at].text
        return
    start = skip(reading, at, {"the", "current"})
    if reading.word(start) != "frame":
        return
    place = skip(reading, start + 1, {"number"})
    if reading.word(place) == "count":
        return
    text = "frame"
    found = [(place, text)]
    words = {"divided": "/", "times": "*", "multiplied": "*", "plus": "+", "minus": "-", "x": "*"}
    while True:
        sign = (
            reading.mark(place) if reading.mark(place) in {"*", "/", "+", "-"} else words.get(reading.word(place), "")
        )
        if not sign:
            break
        place = skip(reading, place + 1, {"by"})
        if place >= len(tokens) or tokens[place].kind != "number":
            break
        text = f"{text} {sign} {tokens[place].text}"
        place += 1
        found.append((place, text))
    yield from reversed(found)


# --- armatures ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BoneText:
    """A bone: its name, its ends."""

    name: str
    head: Vec
    tail: Vec


@slot("bones")
def bones(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[BoneText]]]:
    """'"Upper" from (0,0,0) to (0,0,1) and "Lower" from ...'."""
    from app.drafting.composer.slots import name

    found: list[BoneText] = []
    place = at
    stops: list[tuple[int, list[BoneText]]] = []
    while True:
        place = skip(reading, place, {"and", "a", "bone", "called", "named", "then"})
        while reading.mark(place) in {",", ":"} or reading.word(place) in {"and", "bone", "then", "a", "one"}:
            place += 1
        read = next(name(reading, place, {}, "bare"), None)
        if read is None:
            break
        after = skip(reading, read[0], {"from", "going", "runs", "at"})
        head = next(((end, v) for end, v in vector(reading, after, {}, "") if v.whole and len(v.parts) == 3), None)
        if head is None:
            break
        middle = skip(reading, head[0], {"to", "up"})
        tail = next(((end, v) for end, v in vector(reading, middle, {}, "") if v.whole and len(v.parts) == 3), None)
        if tail is None:
            break
        place = tail[0]
        found.append(BoneText(read[1], head[1], tail[1]))
        stops.append((place, list(found)))
    yield from reversed(stops)


@step(
    "[<add>] [a|an] armature [<called>] [{name:name}] with [{count:int}] [bone|bones] [:|,|<called>] {b:bones}",
)
def armature(build: Build, name: str | None, count: int | None, b: list[BoneText]) -> None:
    """An armature with bones; one that begins where another ends becomes its child when that is said."""
    if count is not None and count != len(b):
        raise refuse(str(count), f"{len(b)} bones were described")
    title = name or "Armature"
    build.comment("the armature and its bones")
    noun = NOUNS["armature"]
    known = build.new_object(
        "armature",
        title,
        called=bool(name),
        type_="ARMATURE",
        data="Armature",
        data_code=f"bpy.data.armatures.new({quoted(title)})",
    )
    del noun
    build.need("expect", "only_selected")
    data = build.var("armature_data")
    build.line(f"{data} = expect({known.var}.data, bpy.types.Armature)")
    build.line(f'only_selected({known.var})\nbpy.ops.object.mode_set(mode="EDIT")')
    for bone in b:
        text = quoted(bone.name)
        var = build.var(f"{bone.name} bone")
        build.line(f"{var} = {data}.edit_bones.get({text}) or {data}.edit_bones.new({text})")
        build.line(f"{var}.head = {literal(bone.head.parts)}\n{var}.tail = {literal(bone.tail.parts)}")
        build.memory.setdefault("_bones", {})[bone.name] = var
    build.line('bpy.ops.object.mode_set(mode="OBJECT")')
    build.memory["_armature"] = (known.var, data)
    build.it = known
    build.note(f"armature with {len(b)} bones")


@step(
    "{child:name} is [the|a] (child|parented) (of|to) {parent:name} [and] [{connected=connected}]",
    "parent [the bone] {child:quoted} to [the bone] {parent:quoted} [and] [{connected=connected}]",
)
def bone_parent(build: Build, child: str, parent: str, connected: str | None) -> None:
    """Make one bone of the request the child of another."""
    known: dict[str, str] = build.memory.get("_bones", {})
    if child not in known or parent not in known:
        raise refuse(child, "the request makes no such bone")
    rig, data = build.memory["_armature"]
    build.line(f'only_selected({rig})\nbpy.ops.object.mode_set(mode="EDIT")')
    build.line(f"{data}.edit_bones[{quoted(child)}].parent = {data}.edit_bones[{quoted(parent)}]")
    if connected:
        build.line(f"{data}.edit_bones[{quoted(child)}].use_connect = True")
    build.line('bpy.ops.object.mode_set(mode="OBJECT")')
    build.note(f"{child} -> child of {parent}")


# --- paths --------------------------------------------------------------------------------------------------


@step(
    "(let|make) {target:object} (travel|move|go|fly|run) [once] (around|along) [the] [closed] [curve|path] {path:object of one} in {n:int} frames [« {f:frames} »] (with|using) [a] follow path constraint [at constant speed]",
    "(let|make) {target:object} (follow|travel along|move along) [the] [curve|path] {path:object of one} {f:frames} [(with|using) [a] follow path constraint]",
    "(let|make) {target:object} (follow|travel along|move along) [the] [curve|path] {path:object of one} (over|in|during|for) {n:int} frames",
    "animate {target:object} along [the] [curve|path] {path:object of one} {f:frames} [(with|using) [a] follow path constraint]",
    "it must sit exactly on the curve",
)
def follow(build: Build, target: Target | None, path: Target | None, n: int | None, f: tuple[int, int] | None) -> None:
    """Let an object run along a curve once, at constant speed, exactly on it."""
    if target is None or path is None:
        if "follow" not in build.used:
            raise refuse("the curve", "which one?")
        return
    build.used.add("follow")
    known, curve = build.one(target), build.one(path)
    first, last = f or (1, 1 + (n or 0))
    if n is not None and f is not None and f[1] - f[0] not in {n, n - 1}:
        raise refuse(str(n), "the frames do not fit each other")
    build.need("expect", "fcurves_of")
    build.comment("follow the curve; its own location would be added to the place on it")
    build.line(f"{known.var}.location = (0.0, 0.0, 0.0)")
    build.line(f'held = {known.var}.constraints.get("Follow Path") or {known.var}.constraints.new("FOLLOW_PATH")')
    build.line("follow = expect(held, bpy.types.FollowPathConstraint)")
    build.line(f"follow.target = {curve.var}\nfollow.use_fixed_location = True")
    for number, value in ((first, 0.0), (last, 1.0)):
        build.line(f'follow.offset_factor = {value}\nfollow.keyframe_insert("offset_factor", frame={number})')
    with build.block(f"for curve in fcurves_of({known.var}):"), build.block('if "offset_factor" in curve.data_path:'):
        build.line('for point in curve.keyframe_points:\n    point.interpolation = "LINEAR"')
    build.it = known
    build.note(f"{target.said} -> follows {path.said}")
