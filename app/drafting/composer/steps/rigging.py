"""Rigging: shape keys, drivers, armatures with their bones and poses, weights, paths to follow."""

from __future__ import annotations

import ast
import contextlib
import functools
import itertools
import re
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from app.drafting.composer.build import Build, Known
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Kind, Place, Setting
from app.drafting.composer.patterns import Env, Reading, compile_pattern, slot
from app.drafting.composer.slots import IN_PLACE, Set, Target, axis, in_a_row, most_first, name, quantity, skip, target
from app.drafting.composer.steps.animation import Shape, animated, insert_keys
from app.drafting.composer.steps.channels import Channel, Held, channel, holder, skip_marks
from app.drafting.composer.steps.modifiers import (
    HOW_HELD,
    Aim,
    HeldTopic,
    Limits,
    Topic,
    held_constraint,
    hold,
    set_limits,
    spoken_bone,
)
from app.drafting.composer.steps.owners import LISTS, Owner, each_owner
from app.drafting.composer.values import Degrees, Quantity, Vec, clean, literal, quoted, refuse

SHAPED: Final = (
    "[that|which|:|,] [{how:key_shape}] [,] [with] [a] [value] [of] [{value:n}] ~( {s:settings of ShapeKey} ; range [from] {low:n} (to|..) {high:n} ;"
    " {mix=from mix} ; (relative to|relative key|with relative key) [the] [shape key|key] {base:name} )"
)


@step(
    f"[<add>] [a] (shape key|key shape|shapekey) [<called>] {{name:name}} (on|to|for) {{target:object}} {SHAPED}",
    f"[<add>] [a] (shape key|key shape|shapekey) {{mix=from mix}} (on|to|for) {{target:object}} <called> {{name:name}} {SHAPED}",
    f"(give|let) {{target:object}} [have] [a] (shape key|key shape|shapekey) [<called>] {{name:name}} {SHAPED}",
)
def shape_key(
    build: Build, name: str, target: Target, how: tuple[str, str, float] | None, value: float | None, s: list[Set] | None,
    low: float | None, high: float | None, mix: str | None, base: str | None,
) -> None:  # fmt: skip
    """A shape key, perhaps with the vertices moved."""
    known = build.one(target)
    build.need("mesh_of", "expect")
    build.imports("typing: Any")
    build.comment(f"the shape key {name}")
    text = quoted(name)
    build.line(f"keys = mesh_of({known.var}).shape_keys")
    build.line(f'if keys is None:\n    {known.var}.shape_key_add(name="Basis", from_mix=False)')
    build.line(f"blocks = expect(mesh_of({known.var}).shape_keys, bpy.types.Key).key_blocks")
    build.line(f"block = blocks.get({text}) or {known.var}.shape_key_add(name={text}, from_mix={bool(mix)})")
    if base is not None:
        build.line(f"block.relative_key = blocks[{quoted(base)}]")
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
    value_and_range(build, name, value, low, high)
    build.assign("block", build.choose(s or [], (Place("", "ShapeKey"),), "a shape key"))
    build.topic = Topic("block", (Place("", "ShapeKey"),), "shape key")
    build.note(f'shape key "{name}"')


@step(
    "<remove> [the] shape key {name:name} (from|of|on) {target:object}",
    "<remove> [all] [the] shape keys (from|of|on) {target:object}",
)
def remove_shape_key(build: Build, name: str | None, target: Target) -> None:
    """Remove a shape key, or all of them."""
    build.once()
    with build.each(target, type_="MESH") as known:
        if name is None:
            build.line(f"{known.var}.shape_key_clear()")
        else:
            build.need("mesh_of", "expect")
            keys = f"expect(mesh_of({known.var}).shape_keys, bpy.types.Key).key_blocks"
            build.line(f"{known.var}.shape_key_remove({keys}[{quoted(name)}])")
    build.note("shape key removed")


@slot("key_shape")
def shape(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[str, str, float]]]:
    """ "doubles x", "scales it by 2 on Z", "moves the vertices up by 1"."""
    for matcher in SHAPING:
        for end, env_ in matcher(reading, at, {}):
            if (moved := env_.get("d")) is not None:
                yield end, ("move", "z", moved.value)
            else:
                factor = env_.get("factor") or FACTORS[env_["how"]]
                letter: str = TALL.get(env_.get("tall", ""), "") or env_.get("axis", "").lower()
                yield end, ("scale", letter, float(factor))


FACTORS: Final = {"doubles": 2.0, "halves": 0.5, "half": 0.5, "double": 2.0, "twice": 2.0}
TALL: Final = {"height": "z", "width": "x", "depth": "y"}
SHAPING: Final = [compile_pattern(text) for text in (
    "{axis:axis} [scale|size] [:|=|scaled] [by] {factor:n}",
    "{how=doubles|halves} [its] [all] [in|on|along] ({axis:axis} [coordinate|coordinates|size]|size)",
    "[in which|where] [all] [the|its] [vertices|points] (are|is) at {how=half|double|twice} [the|their|its] [original] {tall=height|width|depth}",
    "(scales|stretches) [it|mesh|cube|vertices|all] [vertices] [by] {factor:n} [(on|in|along) {axis:axis}]",
    "(moves|lifts|raises) [it|all] [every|all] [vertices|vertex] [up] [by] {d:quantity of length} [up|upwards] [on|along|in]",
)]  # fmt: skip


KEY: Final = "[the] (shape key|shapekey) {name:name} [(of|on) {target:object}]"
KEY_OF: Final = "{name:known} (shape key|shapekey) [(of|on) {target:object}]"
RANGE: Final = "[range] [go|goes|run|runs|be|reach|<to>] [from] {low:n} (to|..|and) {high:n}"


@step(
    f"[<set>] [the] [value of] {KEY} <to> {{value:n}}",
    f"[<set>|let] [the] ({KEY}|{KEY_OF}) ['s] (slider|range|slider range|limits) {RANGE}",
    f"[<set>|let] [the] (slider|range|slider range|limits) of ({KEY}|{KEY_OF}) {RANGE}",
)
def shape_value(
    build: Build, name: str, target: Target | None, value: float | None, low: float | None, high: float | None
) -> None:
    """The value of a shape key that is there, or the range of its slider."""
    known = build.one(target)
    build.need("mesh_of", "expect")
    build.line(f"block = expect(mesh_of({known.var}).shape_keys, bpy.types.Key).key_blocks[{quoted(name)}]")
    value_and_range(build, name, value, low, high)
    build.note(f'shape key "{name}"')


def value_and_range(build: Build, name: str, value: float | None, low: float | None, high: float | None) -> None:
    """The value of a shape key, and between what its slider runs."""
    if low is not None and high is not None and low >= high:
        raise refuse(name, "the range is empty")
    build.put("block", slider_min=low, slider_max=high, value=value)


OF_BONE: Final = "(of|in|on) [the] [armature|rig] {target:object}"
BONE: Final = (
    "([the] [pose] (bone|pose bone) {bone:name}|{bone=the last one|the last bone|it|this bone|that bone|the bone})"
)
GOAL: Final = "([the] target [object] (is|=|:)|whose target is|that aims at|with [the] target) ({goal:object of one}|{goal:object of one} at (its|the) [bone 's] {tip=tip|tail|end|head})"


SETUP: Final = (
    f"of [the] [armature|rig] {{target:object}} ; from {{goal:object of one}} ; (with|,) {{goal:object of one}} as [the|its] target ; {GOAL} ;"
    f" <called> {{title:name}} ; {HOW_HELD} ; {{limits:limits}} ; {{s:settings of con}} ; {{b:settings of con}} )"
)


@step(
    f"[<add>] [a|an] {{con:kind of constraints}} [bone] [constraint] ~( (on|for) {BONE} [{OF_BONE}] ; {SETUP}",
    f"<add> [a|an] {{con:kind of constraints}} [bone] [constraint] to {BONE} [{OF_BONE}] ~( {SETUP}",
    f"<add> [a|an] {{con:kind of constraints}} [constraint] (to|on) [the] {{new_bone:name}} ~( {SETUP}",
    f"[give|let] {BONE} [{OF_BONE}] [have|has|gets|needs] [a|an] {{con:kind of constraints}} [constraint] ~( {SETUP}",
    f"(for|on) {BONE} [{OF_BONE}] [,|:] [<add>] [a|an] {{con:kind of constraints}} [bone] [constraint] ~( {SETUP}",
    f"([let|make|keep] {BONE} [{OF_BONE}] [should|must|has to|shall] {{con:doing}} [of] {{goal:object of one}}) ~( {SETUP}",
    f"([let|make|keep|have|aim|point] {BONE} [{OF_BONE}] [should|must|has to|shall|to] [look at|looks at|point at|points at|track|tracks|face|faces|follow|follows|copy|copies|at|to|towards] {{goal:object of one}} (with|using|via|by|through) [a|an] {{con:kind of constraints}} [constraint]) ~( {SETUP}",
)
def bone_constraint(
    build: Build, con: Kind, bone: str | None, target: Target | None, s: list[Set] | None, b: list[Set] | None,
    goal: Target | None, title: str | None, tip: str | None, new_bone: str | None, space: tuple[str, str] | None,
    only: list[str] | None, aim: Aim | None, inverse: str | None, invert: str | None, limits: Limits | None,
) -> None:  # fmt: skip
    """A constraint of a pose bone; one that the request makes need not be called a bone."""
    made_here = build.memory.get("_bones", {})
    if new_bone in made_here:
        bone = new_bone or ""
    if not bone:
        raise refuse(con.label, "on which bone?")
    if target is None and bone in made_here:
        target = Target("known", build.memory["_armature"][0], said=bone)
    if goal is not None and goal.how == "named" and SIDED.search(goal.name) and SIDED.search(bone):
        raise refuse(goal.name, "the bone, or an object that is called so?")
    known = build.one(target)
    wanted = build.one(goal) if goal is not None else None
    owner = bone_var(build, known.var, bone)
    if wanted is not None and tip is not None:
        if goal is None or goal.how != "new":
            raise refuse(tip, "is its target moved there?")
        end = "head" if tip == "head" else "tail"
        build.need("current_view_layer")
        build.line("current_view_layer().update()")
        build.line(f"{wanted.var}.location = {known.var}.matrix_world @ {owner}.{end}")
    var = held_constraint(build, con, owner, title)
    if wanted is not None:
        build.line(f"{var}.target = {wanted.var}")
    set_limits(build, var, con, limits or [])
    sets = [*(s or []), *(b or [])]
    chosen = build.choose(sets, con.places, f"the {con.label} constraint")
    hold(build, con, var, chosen, sets, space, only, aim, invert, inverse, known.var)
    build.topic = HeldTopic(var, con.places, f"{con.label} constraint", con, owner)
    build.it = known
    build.note(f"{con.label} constraint on the bone {bone}")


SIDED: Final = re.compile(r"[._][LRlr]$")
"""Names of bones of one side."""
SPOKEN_BONE: Final = frozenset({"it", "this bone", "that bone", "the bone"})


@step(
    f"{{target:object}} has [already] [a|an|the] {{what={'|'.join(LISTS)}}} [<called>] {{title:name}} [already]",
    "[on|in|for] [the] [armature|rig] {target:object} [,|:] [the] {what=pose bone|bone} {title:name} [:]",
)
def part_there(build: Build, target: Target, what: str, title: str) -> None:
    """A part that an object has: the next words are about it."""
    expression, type_name = LISTS["pose bone" if what == "bone" else what]
    with each_owner(build, Owner(type_name, f"{expression}[{quoted(title)}]", f"{what} {title}", target)) as var:
        if type_name == "PoseBone":
            build.memory.setdefault("_about", {})[var] = title
    build.memory["_there"] = None if type_name == "PoseBone" else build.topic
    build.note(f"{what} {title}: there already")


@step("[the] (armature|rig) {rig:name} has [already] [the] [bones] {n:words}", first=True)
def bones_there(build: Build, rig: str, n: list[str]) -> None:
    """The bones that an armature has: what is said of them later is said of its pose."""
    known = build.one(Target("named", rig, said=rig, type="ARMATURE"))
    build.memory["_armature"], build.memory["_bones"] = (known.var, ""), dict.fromkeys(n, "")
    build.it = known
    build.note(f"the bones {', '.join(n)}")


@step(
    "(restrict|limit|confine) it to [the] vertex group {group:name}", "{mute=mute|unmute} it", "put it on {mute=mute}"
)
def of_the_part(build: Build, group: str | None, mute: str | None) -> None:
    """On which vertices the part that was spoken of acts, or whether it does."""
    topic, attribute = build.topic, "mute" if mute else "vertex_group"
    if not isinstance(topic, Topic) or build.lexicon.manifest.find(topic.places[0].type, attribute) is None:
        raise refuse(group or "it", f"it has no {attribute.replace('_', ' ')}")
    build.line(f"{topic.var}.{attribute} = {literal(mute == 'mute') if mute else quoted(group or '')}")
    build.note(f"{topic.title}: {group or mute}")


def bone_var(build: Build, rig: str, bone: str) -> str:
    """The variable of a pose bone, or of the one that was spoken of."""
    if bone in SPOKEN_BONE:
        if not (spoken := spoken_bone(build)):
            raise refuse(bone, "no bone was spoken of")
        return spoken
    var = build.var("bone")
    build.line(f"{var} = {pose_bone(build, rig, bone)}")
    return var


def pose_bone(build: Build, rig: str, bone: str) -> str:
    """The expression of a pose bone."""
    build.need("expect")
    if bone in {"the last one", "the last bone"}:
        bone = next(reversed(build.memory.get("_bones", {})), "")
        if not bone:
            raise refuse("the last bone", "of which chain?")
    return f"expect({rig}.pose, bpy.types.Pose).bones[{quoted(bone)}]"


# --- drivers ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Formula:
    """The expression of a driver, and what its variables are: properties, or how far two objects are apart."""

    text: str
    sources: tuple[tuple[str, Channel | tuple[Target, Target]], ...] = ()
    spaces: Mapping[str, str] = field(default_factory=dict[str, str])
    """In which space those are taken that are transforms, where that is said."""


FUNCTIONS: Final = {"sine": "sin", "cosine": "cos", "sin": "sin", "cos": "cos", "tan": "tan", "abs": "abs", "sqrt": "sqrt", "min": "min", "max": "max",
                    "floor": "floor", "ceil": "ceil", "round": "round", "radians": "radians", "degrees": "degrees"}  # fmt: skip
SIGNS: Final = {"divided by": "/", "times": "*", "multiplied by": "*", "plus": "+", "minus": "-", "x": "*", "over": "/", "*": "*", "/": "/", "+": "+",
                "-": "-", "×": "*"}  # fmt: skip
SHARES: Final = {"half": "0.5 *", "twice": "2 *", "double": "2 *", "minus": "-", "negative": "-", "-": "-", "inverse of": "-", "opposite of": "-",
                 "negative of": "-", "half of": "0.5 *", "inverted": "-", "three times": "3 *", "a quarter of": "0.25 *"}  # fmt: skip


def phrase_in(reading: Reading, at: int, table: Mapping[str, str]) -> tuple[int, str] | None:
    """The longest phrase of a table that begins here, and what it stands for."""
    for words in sorted(table, key=len, reverse=True):
        parts = words.split()
        if words == "x" and reading.word(at - 1) == "x":
            continue  # "50 x X location": the second one is an axis
        if all(part in {reading.word(at + k), reading.mark(at + k)} for k, part in enumerate(parts)):
            return at + len(parts), table[words]
    return None


@slot("driving")
def formula(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Formula]]:
    """ "frame * 0.1", "half the X location of "Slider"", "sin(frame / 10)", "the distance between A and B"; as written in quotes."""
    if (
        at < len(reading.tokens)
        and reading.tokens[at].kind == "quoted"
        and re.search(r"\bframe\b|[-+*/(]", reading.tokens[at].text)
    ):
        yield at + 1, Formula(reading.tokens[at].text)
        return
    for end, found in sums(reading, at):
        if found.sources or "frame" in found.text:
            yield end, found


def renamed_in(names: Mapping[str, str], found: re.Match[str]) -> str:
    """Another name for a variable."""
    return names.get(found[0], found[0])


def sums(reading: Reading, at: int) -> Iterator[tuple[int, Formula]]:
    """Terms joined by signs, the most of them first."""
    for end, first in terms(reading, at):
        sign = phrase_in(reading, skip_marks(reading, end, {","}), SIGNS)
        for last, rest in sums(reading, sign[0]) if sign is not None else ():
            names = {old: f"var_{len(first.sources) + k + 1}" for k, (old, _) in enumerate(rest.sources)}
            names = names if first.sources else {}
            renamed = re.sub(r"\bvar\w*", functools.partial(renamed_in, names), rest.text)
            sources = tuple((names.get(old, old), source) for old, source in rest.sources)
            yield last, Formula(f"{first.text} {sign[1] if sign else ''} {renamed}", (*first.sources, *sources))
        yield end, first


def terms(reading: Reading, at: int) -> Iterator[tuple[int, Formula]]:
    """A number, the frame, a function, a property, a distance; with "half", "twice" or a minus before it."""
    start = skip(reading, at, {"the", "value", "current"})
    share = phrase_in(reading, start, SHARES)
    if share is not None:
        for end, found in terms(reading, share[0]):
            yield end, Formula(f"{share[1]}{'' if share[1] == '-' else ' '}{found.text}", found.sources)
    function = FUNCTIONS.get(reading.word(start))
    opening = skip(reading, start + 1, {"of"}) if function else start
    if function or reading.mark(start) == "(":
        bracket = reading.mark(opening) == "("
        for end, found in sums(reading, opening + bracket):
            if not bracket or reading.mark(end) == ")":
                yield end + bracket, Formula(f"{function or ''}({found.text})", found.sources)
    if reading.word(start) == "frame" and reading.word(start + 1) != "count":
        yield skip(reading, start + 1, {"number"}), Formula("frame")
    if reading.word(start) == "distance":
        for end, goal in target(reading, skip(reading, start + 1, {"between", "of", "from"}), {}, ""):
            if goal.how == "several" and len(goal.parts) == 2:
                yield end, Formula("var", (("var", (goal.parts[0], goal.parts[1])),))
    for end, given in quantity(reading, start, {}, ""):
        text = f"radians({clean(given.value):g})" if given.measured("angle") else f"{clean(given.value):g}"
        yield end, Formula(text)
    for end, source in channel(reading, start, {}, ""):
        if source.of != "spoken" or source.owner is not None:
            yield end, Formula("var", (("var", source),))


RANGES: Final = compile_pattern(
    "[from|its|the|range] {a:quantity} (to|..|-|and) {b:quantity} [range] [should|must|is|are] (to|maps to|map to|mapped to|gives|means|becomes|- >|>) [the] [range] [from] {c:quantity} (to|..|-|and) {d:quantity}"
)


@slot("mapping")
def mapping(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[tuple[Quantity, Quantity]]]]:
    """ "0 means x = 0, 1 means x = 0.45", "0 -> 0°, 1 -> 90°", "0..1 to 0..90 degrees"."""
    for end, ends in RANGES(reading, skip_marks(reading, at, {",", "("}), {}):
        yield end + (reading.mark(end) == ")"), in_one_unit([(ends["a"], ends["c"]), (ends["b"], ends["d"])])
    found: list[tuple[Quantity, Quantity]] = []
    place = at
    while len(found) < 2:
        place = skip(reading, skip_marks(reading, place, {",", ";", "("}), BEFORE_PAIR)
        first = next(quantity(reading, place, {}, ""), None)
        if first is None:
            return
        link = skip(reading, skip_marks(reading, first[0], {"-", "=", ":", ">"}), IN_PAIR)
        link = skip(reading, skip_marks(reading, link, {"=", ">"}), {"is"})
        second = next(quantity(reading, link, {}, ""), None)
        if second is None or link == first[0]:
            return
        found.append((first[1], second[1]))
        place = second[0] + (reading.mark(second[0]) == ")")
    yield place, in_one_unit(found)


BEFORE_PAIR: Final = frozenset({"and", "where", "so", "that", "at", "when", "from", "it", "is", "the", "value"})
IN_PAIR: Final = frozenset({"means", "gives", "is", "to", "maps", "at", "for", "x", "y", "z", "rotation", "location", "scale", "value", "becomes"})  # fmt: skip


def in_one_unit(pairs: list[tuple[Quantity, Quantity]]) -> list[tuple[Quantity, Quantity]]:
    """The pairs, with the unit of one result for both."""
    unit = next((each.unit for _, each in pairs if each.unit), None)
    return [(a, replace(b, unit=b.unit or unit)) for a, b in pairs]


DRIVEN: Final = (
    "~( [so that|:|where] {m:mapping} ; (on|for|of) {target:object} ;"
    " [.|,|and] (clamp|clamped|limit|limited|clamping|limiting|keep|kept) [it|the result|this|the value] (to|between|in|within|from) [the] [range] [between|from] {low:n} (and|to|..|...|-) {high:n} )"
)
BY: Final = "(by|with|from|using|through|off|via)"


@step(
    f"(drive|control|link) {{c:channel}} {BY} [a driver] [:] [the] [expression|scripted expression] {{e:driving}} {DRIVEN}",
    f"[<add>] [a] [scripted] driver (to|on|for) {{c:channel}} [:|=|with|using|that uses|from|(so that|such that|so|which makes) it [always] (equals|is|follows|matches|reads|equal to)|(that|which) [always] (equals|follows|matches|reads)] [the] [scripted] [expression] {{e:driving}} {DRIVEN}",
    f"{{c:channel}} [is|should be|must be|gets] (driven|controlled) {BY} [the] [expression] {{e:driving}} {DRIVEN}",
    f"{{c:channel}} (should|must|is|be|=|equals|should be|must be|should equal|follows|depends on|should always be|always equals|is always|should follow) {{e:driving}} {DRIVEN} [driver|with a driver|by a driver|via a driver|using a driver]",
    f"(let|make|use) [the] {{e:driving}} [to] (drive|drives|control|controls|driving) {{c:channel}} {DRIVEN}",
    f"{{e:driving}} (drives|controls|should drive|should control) {{c:channel}} {DRIVEN}",
    f"driver [for|on] [:] {{c:channel}} [should|shall|must] [always] (=|be|is|equals|follows|:) {{e:driving}} {DRIVEN}",
)
def drive(
    build: Build, c: Channel, e: Formula, m: list[tuple[Quantity, Quantity]] | None = None, target: Target | None = None,
    low: float | None = None, high: float | None = None,
) -> None:  # fmt: skip
    """A driver with an expression of properties and the frame number."""
    if target is not None:
        if c.target is not None or c.owner is not None:
            raise refuse(target.said, f"{c.said} is that of something else")
        c = replace(c, target=target, of="object" if c.of == "spoken" else c.of)
    build.need("new_driver")
    text = e.text
    sources: list[tuple[str, Held | tuple[str, str]]] = []
    for name_, source in e.sources:
        if isinstance(source, tuple):
            sources.append((name_, (build.object(source[0]), build.object(source[1]))))
        else:
            if source.of == "custom" and source.target is None:
                source = replace(source, target=c.target)  # noqa: PLW2901  # "its custom property"
            with holder(build, source, source.options) as held:
                if held.var == "obj":
                    raise refuse(source.said, "one object is meant here")
                sources.append((name_, held))
    if m is not None:
        channels = [source for _, source in e.sources if isinstance(source, Channel)]
        subtypes = {each.prop.subtype for source in channels for each in source.options}
        text = mapped(text, m, of_angle=bool(subtypes & {"EULER", "ANGLE"}))
    if low is not None and high is not None:
        if low >= high:
            raise refuse(c.said, "the range ends before it begins")
        text = f"min(max({text}, {low:g}), {high:g})"
    if "_function" in build.memory and build.in_body:
        raise refuse(c.said, "a handler sets values, and makes no drivers")
    with holder(build, c, c.options) as held:
        size = held.setting.prop.array[0] if held.setting.prop.array else 0
        vector_too = any(isinstance(h, Held) and h.setting.prop.array for _, h in sources)
        if size and held.setting.prop.name != "scale" and not vector_too:
            raise refuse(c.said, "which axis?")
        for index in range(size) if size else (held.index,):
            build.comment(f"drive {held.name}" + (f"[{index}]" if index is not None else ""))
            build.line(f"driver = new_driver({held.var}, {quoted(held.name)}{'' if index is None else f', {index}'})")
            for name_, source_held in sources:
                if isinstance(source_held, Held) and name_ in e.spaces:
                    add_transform(build, c.said, name_, source_held, e.spaces[name_])
                elif isinstance(source_held, Held):
                    build.need("add_variable")
                    place = source_held.index if not source_held.setting.prop.array else index
                    path = quoted(source_held.name) + ("" if place is None else f", {place}")
                    build.line(f"add_variable(driver, {quoted(name_)}, {source_held.var}, {path})")
                else:
                    build.need("add_distance")
                    build.line(f"add_distance(driver, {quoted(name_)}, {source_held[0]}, {source_held[1]})")
            build.line(f"driver.expression = {quoted(text)}")
    build.note(f"driver {text}")


TRANSFORMS: Final = {"location": "LOC", "rotation_euler": "ROT", "scale": "SCALE"}


def add_transform(build: Build, said: str, name: str, source: Held, space: str) -> None:
    """A variable of a driver that is a transform of an object, in world space or its own."""
    kind, index = TRANSFORMS.get(source.name), source.index
    if kind is None or index is None:
        raise refuse(said, "which transform, along which axis?")
    build.need("add_transform")
    build.line(f'add_transform(driver, {quoted(name)}, {source.var}, "{kind}_{"XYZ"[index]}", "{space}")')


IS_OF: Final = "(is|reads|reading|holds|holding|for|from|=|:|being|that reads|that is|which is|which reads|taken from|pointing to|that holds|which holds)"
SPACE: Final = "[,] ([as] [a] transform channel|[as] [a] [transform channel] [,] [in] [the] {world=world|local} [space]) [variable]"
VARIABLE: Final = compile_pattern(
    f"(variable|var|input variable) [called|named] {{name:one_name}} [({IS_OF}|« [{IS_OF}]) {{source:channel}}] [»] [«] [{SPACE}] [»]"
)
EXPRESSION: Final = compile_pattern("[the|its|an|a] [scripted|driver|python] expression [is|of|:|=|should be|must be]")
BEFORE_VARIABLE: Final = frozenset({
    "with", "using", "and", "a", "an", "the", "one", "two", "scripted", "driver", "where", "whose", "that", "which", "has", "uses", "by", "via", "type", "as",
})  # fmt: skip


@slot("one_name")
def one_name(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """A name of one word, in quotes or not."""
    token = reading.tokens[at] if at < len(reading.tokens) else None
    if token is not None and token.kind in {"quoted", "word"} and re.fullmatch(r"[A-Za-z_]\w*", token.text):
        yield at + 1, token.text


@slot("program")
def program(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Program]]:
    """ "with a variable x (the X location of Car, world space) and the expression -x / 0.35"."""
    named: list[tuple[str, Channel | None, str]] = []
    text, place = "", at
    while True:
        start = place
        while reading.mark(start) in {",", ":", ";", "("} or reading.word(start) in BEFORE_VARIABLE:
            start += 1
        read = max(VARIABLE(reading, start, {}), key=lambda each: each[0], default=None)
        if read is not None:
            found = read[1]
            said = reading.said(start, read[0]).lower()
            space = found.get("world", "world" if "transform channel" in said else "")
            named.append((found["name"], found.get("source"), f"{space.upper()}_SPACE" if space else ""))
            place = read[0]
            continue
        opened = next(EXPRESSION(reading, start, {}), None) if not text else None
        if opened is None:
            break
        for end, written in written_expression(reading, opened[0]):
            place, text = end, written
            break
        else:
            return
    if text:
        yield place, Program(text, tuple(named))


@dataclass(frozen=True)
class Program:
    """The expression of a driver as it was written, and the variables that were named for it: what each is, in which space."""

    text: str
    variables: tuple[tuple[str, Channel | None, str], ...]


def written_expression(reading: Reading, at: int) -> Iterator[tuple[int, str]]:
    """Python in quotes, or up to where the sentence or the clause ends."""
    if at < len(reading.tokens) and reading.tokens[at].kind == "quoted":
        yield at + 1, reading.tokens[at].text
        return
    for end in range(len(reading.tokens), at, -1):
        text = reading.said(at, end)
        if re.fullmatch(r"[\w\s.()*/+,-]+", text) and not text.endswith((",", ".")) and is_expression(text):
            yield end, text


def is_expression(text: str) -> bool:
    """Whether this is an expression of Python."""
    try:
        return not isinstance(ast.parse(text, mode="eval").body, ast.Tuple)
    except SyntaxError:
        return False


FROM: Final = "(by|with|from|using|through|via)"


@step(
    f"(drive|control) [the] {{c:channel}} [{FROM} [the] {{source:channel}}] {{p:program}}",
    f"[<add>] [a|an] [scripted] [expression] driver (to|on|for) [the] {{c:channel}} [{FROM} [the] {{source:channel}}] {{p:program}}",
    f"[the] {{c:channel}} [is|should be|must be|gets|has to be] (driven|controlled) [{FROM} [the] {{source:channel}}] {{p:program}}",
)
def drive_by_program(build: Build, c: Channel, source: Channel | None, p: Program) -> None:
    """A driver with the variables and the expression that were given."""
    names = {each.id for each in ast.walk(ast.parse(p.text, mode="eval")) if isinstance(each, ast.Name)}
    unknown = sorted(names - {*FUNCTIONS.values(), "frame", "pi", "clamp", "lerp", "smoothstep"})
    variables = p.variables
    if not variables and source is not None and len(unknown) == 1:
        variables = ((unknown[0], source, ""),)
        source = None
    given = [(name, of or source, space) for name, of, space in variables]
    if source is not None and sum(of is None for _, of, _ in variables) != 1:
        raise refuse(source.said, "which variable is that?")
    sources: list[tuple[str, Channel | tuple[Target, Target]]] = []
    for title, of, _ in given:
        if of is None:
            raise refuse(title, "which property is that?")
        sources.append((title, of))
    if sorted(name for name, _ in sources) != unknown:
        raise refuse(p.text, "its variables, and no others")
    drive(build, c, Formula(p.text, tuple(sources), {name: space for name, _, space in given if space}))


def mapped(text: str, pairs: list[tuple[Quantity, Quantity]], *, of_angle: bool) -> str:
    """An expression that runs straight through two points."""
    (a, low), (b, high) = pairs
    if a.value == b.value:
        raise refuse(f"{a.number:g}", "the same value twice")
    if of_angle and any(each.measured("angle") for each in (a, b)):
        text = f"degrees({text})"  # its value is in radians
    slope = clean((high.value - low.value) / (b.value - a.value))
    shifted = f"({text} - {a.value:g})" if a.value else text if re.fullmatch(r"\w+(\(\w+\))?", text) else f"({text})"
    straight = f"{slope:g} * {shifted}" + (f" + {low.value:g}" if low.value else "")
    return f"radians({straight})" if any(each.measured("angle") for each in (low, high)) else straight


# --- armatures ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BoneText:
    """A bone: its name, its ends, the bone that it hangs on, and whether it touches that."""

    name: str
    head: Vec
    tail: Vec
    above: str = ""
    touching: bool = False


@slot("bones")
def bones(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[BoneText]]]:
    """'"Upper" from (0,0,0) to (0,0,1) and "Lower" from ...'."""
    yield from most_first(row_of_bones(reading, at, []))


def row_of_bones(reading: Reading, at: int, before: list[BoneText]) -> Iterator[tuple[int, list[BoneText]]]:
    """One bone more, and those that follow; one may begin where another one ends."""
    for end, bone in one_bone(reading, at, before):
        row = [*before, bone]
        yield end, row
        yield from row_of_bones(reading, end, row)
        return


NAMED: Final = compile_pattern(
    "[,|:] [and|then] [one|a bone|the bone] [bone] [called|named] {name:name} [,] [from|going from|runs from|goes from|starting at|with its head at|head at|at|which starts at|that starts at]"
    " ({head:vector}|[at] {there=there|its tip|its tail|its end|the tip|the tail|the end} [of (it|[the] [last|previous] [bone] [{above:known}])])"
)
BONE_END: Final = compile_pattern("[,] [and] [to|up to|tail at|its tail at] {tail:vector}")
HANGS: Final = compile_pattern(
    "[,] [and|which is|that is|is] [a] {how=connected|parented|connected child|child} (to|of|with) (it|[its] parent|[the] [last|previous] [bone|one] [{above:known}])"
)


def one_bone(reading: Reading, at: int, before: list[BoneText]) -> Iterator[tuple[int, BoneText]]:
    """'and "Lower" from (0,0,1) to (0,0,2), connected to "Upper"'."""
    for middle, named in NAMED(reading, at, {}):
        start = next((each for each in before if each.name == named.get("above", before[-1].name)), None)
        head: Vec | None = named.get("head") or (start.tail if start is not None else None)
        if head is None:
            continue
        ends = ((end, found["tail"]) for end, found in BONE_END(reading, middle, {}))
        tails = ((end, filled(tail, head)) for end, tail in ends)
        for end, tail in itertools.chain(tails, reaching(reading, skip_marks(reading, middle, {","}), head)):
            if all(each.whole and len(each.parts) == 3 for each in (head, tail)):
                bone = BoneText(named["name"], head, tail)
                for last, hangs in HANGS(reading, end, {}) if before else ():
                    touching = hangs["how"].startswith("connected")
                    yield last, replace(bone, above=hangs.get("above", before[-1].name), touching=touching)
                yield end, bone


def filled(place: Vec, start: Vec) -> Vec:
    """A place of which only some coordinates are said: "up to z = 1" stays where it starts in x and y."""
    if place.whole or len(start.parts) != len(place.parts):
        return place
    return Vec(tuple(two if one is None else one for one, two in zip(place.parts, start.parts, strict=True)))


WAYS: Final = {
    **dict.fromkeys(("up", "upwards", "upward", "vertically"), (2, 1.0)),
    **dict.fromkeys(("down", "downwards"), (2, -1.0)),
}


def reaching(reading: Reading, at: int, head: Vec) -> Iterator[tuple[int, Vec]]:
    """ "1 m straight up", "50 cm along +Y", "20 cm long, pointing up": the place that is so far from another one."""
    for end, size in quantity(reading, at, {}, "length"):
        place = skip(reading, skip_marks(reading, end, {","}), {"straight", "long", "tall", "pointing", "along", "in", "the", "direction"})  # fmt: skip
        ways = [(place + 1, WAYS[reading.word(place)])] if reading.word(place) in WAYS else []
        ways += [
            (last, ("XYZ".index(one[-1]), -1.0 if one[0] == "-" else 1.0)) for last, one in axis(reading, place, {}, "")
        ]
        for last, (index, sign) in ways:
            parts = [float(part or 0.0) for part in head.parts]
            parts[index] = clean(parts[index] + sign * size.value)
            yield last, Vec(tuple(parts))


def new_armature(build: Build, name: str | None) -> tuple[Known, str]:
    """Lines that make an armature and begin to edit its bones; the variable of its data."""
    title = name or "Armature"
    build.comment("the armature and its bones")
    made = f"bpy.data.armatures.new({quoted(title)})"
    known = build.new_object("armature", title, called=bool(name), type_="ARMATURE", data="Armature", data_code=made)
    build.need("expect", "only_selected")
    data = build.var("armature_data")
    build.line(f"{data} = expect({known.var}.data, bpy.types.Armature)")
    build.line(f'only_selected({known.var})\nbpy.ops.object.mode_set(mode="EDIT")')
    return known, data


@step(
    "[<add>] [a|an] [new] armature [<called>] [{name:name}] with [{count:int}|a] [single] [bone|bones] [:|,|<called>] {b:bones} [,] [and] [{link:linked}]",
)
def armature(build: Build, name: str | None, count: int | None, b: list[BoneText], link: bool | None) -> None:
    """An armature with bones; one that begins where another ends becomes its child when that is said."""
    if count is not None and count != len(b):
        raise refuse(str(count), f"{len(b)} bones were described")
    known, data = new_armature(build, name)
    for bone in b:
        text = quoted(bone.name)
        var = build.var(f"{bone.name} bone")
        build.line(f"{var} = {data}.edit_bones.get({text}) or {data}.edit_bones.new({text})")
        build.line(f"{var}.head = {literal(bone.head.parts)}\n{var}.tail = {literal(bone.tail.parts)}")
        build.memory.setdefault("_bones", {})[bone.name] = var
    hung = {each.name: each for each in b}
    pairs = [(hung[each.above], each, each.touching) for each in b if each.above in hung]
    if len(pairs) < sum(bool(each.above) for each in b) or (pairs and link is not None):
        raise refuse(b[-1].name, "on which bone does it hang?")
    pairs += [(*each, link) for each in itertools.pairwise(b) if link is not None]
    for upper, lower, touching in pairs:
        if touching and upper.tail.parts != lower.head.parts:
            raise refuse(lower.name, f"it does not begin where {upper.name} ends")
        above, below = (build.memory["_bones"][each.name] for each in (upper, lower))
        build.line(f"{below}.parent = {above}" + (f"\n{below}.use_connect = True" if touching else ""))
    build.line('bpy.ops.object.mode_set(mode="OBJECT")')
    build.memory["_armature"] = (known.var, data)
    build.it = known
    build.note(f"armature with {len(b)} bones")


CHAIN: Final = (
    "~( [«] [each] {size:quantity} [long|in length] [each] [»] ; (in a row|in a line|in a straight line|in a chain|chained) ; of {size:quantity} [each] ; [in a row|in a straight line|in a line|in a chain|chained] (along|up|in|pointing along|pointing) {axis:axis} ; [pointing|going] [straight] {up=up|upwards|down|downwards} ; [each] [one] {link:linked} ;"
    " (names|named|called|bones named|bones called) [from] {first:name} [to|..|…|-|...] [{last:name}] ; (starting at|beginning at|starting from|from|at) {v:vector} ;"
    " {first:name} to {last:name} ; [<called>|:] {listed:names} )"
)


TO_THE_LAST: Final = frozenset({"to", "the", "last", "previous", "one", "before", "it", "its", "parent", "bone", "each", "other", "in", "a", "chain"})  # fmt: skip


@slot("linked")
def linked(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, bool]]:
    """ "connected to the last", "parented to the previous": whether the bones touch."""
    if reading.word(at) in {"connected", "parented", "chained", "linked"}:
        end = skip(reading, at + 1, TO_THE_LAST)
        yield end, reading.word(at) == "connected"


@step(
    f"[<add>] [a|an] [new] armature [object] [<called>] [{{name:name}}] [at [the] {{v:vector}}] [:|,] [with|of|has] [a chain of] {{count:int}} [{{link:linked}}] bones {CHAIN}",
    f"<add> [a|an] chain of {{count:int}} [{{link:linked}}] bones [<called>] [{{name:name}}] {CHAIN}",
)
def bone_chain(
    build: Build, name: str | None, count: int, size: Quantity | None, axis: str | None, link: bool | None,
    first: str | None, last: str | None, v: Vec | None, up: str | None, listed: list[str] | None,
) -> None:  # fmt: skip
    """An armature with bones in a row."""
    axis = axis or ("-Z" if (up or "").startswith("down") else "Z")
    if size is None or not size.value or not 1 <= count <= 500:
        raise refuse(str(count), "how long is each bone?")
    stem, digits = re.fullmatch(r"(.*?)(\d*)", first or "Bone.001", re.DOTALL).groups()  # type: ignore[union-attr]
    names = [f"{stem}{int(digits) + k:0{len(digits)}d}" if digits else f"{stem}.{k + 1:03d}" for k in range(count)]
    if listed is not None:
        if len({*listed}) != count or first is not None:
            raise refuse(str(count), f"{len({*listed})} names were said")
        names = listed
    if last is not None and names[-1] != last:
        raise refuse(last, f"{count} bones from {names[0]} on end with {names[-1]}")
    link = True if link is None and re.search(r"\bchain", build.request, re.IGNORECASE) else link
    known, data = new_armature(build, name)
    index = "XYZ".index(axis[-1])
    step_ = (-1 if axis.startswith("-") else 1) * size.value
    start = tuple(float(part or 0) for part in v.parts) if v is not None else (0.0, 0.0, 0.0)
    titles = ", ".join(quoted(each) for each in names)
    build.line("above = None")
    with build.block(f"for place, title in enumerate(({titles},)):"):
        build.line(f"edit_bone = {data}.edit_bones.get(title) or {data}.edit_bones.new(title)")
        for end, offset in (("head", "place"), ("tail", "(place + 1)")):
            parts = [repr(part) for part in start]
            parts[index] = f"{parts[index]} + " * bool(start[index]) + f"{clean(step_)!r} * {offset}"
            build.line(f"edit_bone.{end} = ({', '.join(parts)})")
        touching = f"\nedit_bone.use_connect = {link} and above is not None" if link else ""
        build.line(f"edit_bone.parent = above{touching}")
        build.line("above = edit_bone")
    build.line('bpy.ops.object.mode_set(mode="OBJECT")')
    build.memory["_armature"] = (known.var, data)
    build.memory["_bones"] = dict.fromkeys(names, "")
    build.it = known
    build.note(f"armature with {count} bones")


MORE_BONE: Final = (
    "~( (from|head at|head) {head:vector} ; (to|tail at|tail) {tail:vector} ; (to|in|on) [the] [armature|rig] {target:object} ;"
    " (child of|parented to|as [a] child of|with parent|parent) [the] [bone] {parent:name} ; [and] {connected=connected} )"
)


@step(f"<add> [a|another] [new] bone [<called>] {{name:name}} {MORE_BONE}")
def add_bone(
    build: Build, name: str, head: Vec | None, tail: Vec | None, target: Target | None, parent: str | None,
    connected: str | None,
) -> None:  # fmt: skip
    """One more bone of an armature."""
    if head is None and tail is None:
        raise refuse(name, "from where to where?")
    known = build.one(target)
    with editing(build, known.var) as data:
        var = build.var(f"{name} bone")
        build.line(f"{var} = {data}.edit_bones.get({quoted(name)}) or {data}.edit_bones.new({quoted(name)})")
        if parent:
            build.line(f"{var}.parent = {data}.edit_bones[{quoted(parent)}]")
        if head is None and parent:
            build.line(f"{var}.head = {data}.edit_bones[{quoted(parent)}].tail")
        build.put(var, head=head and head.parts, tail=tail and tail.parts, use_connect=connected and True)
    build.note(f"bone {name}")


@contextlib.contextmanager
def editing(build: Build, rig: str) -> Generator[str, None, None]:
    """The variable of an armature's data, within lines that edit its bones."""
    build.need("expect", "only_selected")
    data = build.var("armature_data")
    build.line(f"{data} = expect({rig}.data, bpy.types.Armature)")
    build.line(f'only_selected({rig})\nbpy.ops.object.mode_set(mode="EDIT")')
    yield data
    build.line('bpy.ops.object.mode_set(mode="OBJECT")')


@step(
    "(every|each) bone [of it|of the chain] (is|should be|must be) [the|a] (child of|parented to) [the] (one|bone) (before|above) [it] [and|,] [{connected=connected}] [to it|with it]",
    "(they|the bones|all bones) (are|should be|must be) {connected=connected} [to each other|with each other|head to tail]",
)
def chained(build: Build, connected: str | None) -> None:
    """The bones of a chain hang on one another, which they do; they touch where that is said."""
    rig, _ = build.memory.get("_armature", ("", ""))
    names = list(build.memory.get("_bones", {}))
    if not rig or len(names) < 2:
        raise refuse("bone", "of which chain?")
    with editing(build, rig) as data:
        titles = ", ".join(quoted(each) for each in names)
        with build.block(f"for upper, lower in pairwise(({titles})):"):
            build.imports("itertools: pairwise")
            build.line(f"{data}.edit_bones[lower].parent = {data}.edit_bones[upper]")
            if connected:
                build.line(f"{data}.edit_bones[lower].use_connect = True")
    build.note("a chain of bones")


@step(
    "{child:name} is [the|a] [{connected=connected}] (child|parented) (of|to) {parent:name} [and] [{connected=connected}]",
    "[the] [bone] {child:name} is {connected=connected} to [the] [bone] {parent:name}",
    "{child:name} has {none=no} parent",
    f"parent [the] bone {{child:name}} to [the] [bone] {{parent:name}} ~( {OF_BONE} ; [and] {{connected=connected|connect|touching}} ; {{loose=not connected|disconnected|keep offset|unconnected}} )",
    f"{{connected=connect}} [the] bone {{child:name}} (to|with) [the] [bone] {{parent:name}} ~( {OF_BONE} )",
    "parent {child:name} to [the] [bone] {parent:name} [and] [{connected=connected|connect|touching}]",
    f"(make|set) [the] bone {{child:name}} [a|the] child of [the] [bone] {{parent:name}} ~( {OF_BONE} ; [and] {{connected=connected}} )",
)
def bone_parent(
    build: Build, child: str, parent: str, connected: str | None, target: Target | None, loose: str | None,
    none: str | None,
) -> None:  # fmt: skip
    """Make one bone the child of another."""
    known: dict[str, str] = build.memory.get("_bones", {})
    if none and child == next(iter(known), None):
        build.note(f"{child} has no parent")
        return
    if none or (target is None and (child not in known or parent not in known)):
        raise refuse(child, "the request makes no such bone, or it has one")
    rig = build.object(target) if target is not None else build.memory["_armature"][0]
    with editing(build, rig) as data:
        build.line(f"{data}.edit_bones[{quoted(child)}].parent = {data}.edit_bones[{quoted(parent)}]")
        if connected or loose:
            build.line(f"{data}.edit_bones[{quoted(child)}].use_connect = {bool(connected)}")
    build.note(f"{child} -> child of {parent}")


@step(
    f"[<set>] [the] {{what=roll|length|head|tail}} of [the] [edit] bone {{bone:name}} ~( {OF_BONE} ) [<to>] ~( {{n:quantity}} ; {{v:vector}} )",
    f"[<set>] [the] bone {{what=roll|length|head|tail}} of {{bone:name}} {OF_BONE} [<to>] ~( {{n:quantity}} ; {{v:vector}} )",
    "<remove> [the] bone {bone:name} ~( (from|of|in) [the] [armature|rig] {target:object} )",
)
def edit_bone(
    build: Build, bone: str, what: str | None, target: Target | None, n: Quantity | None, v: Vec | None
) -> None:
    """Where a bone is at rest, or that it is no more."""
    if what and (n is None) == (v is None):
        raise refuse(bone, "to what?")
    if not what:
        build.once()
    with editing(build, build.object(target)) as data:
        found = f"{data}.edit_bones[{quoted(bone)}]"
        if not what:
            build.line(f"{data}.edit_bones.remove({found})")
        elif v is not None and what in {"head", "tail"} and v.whole:
            build.line(f"{found}.{what} = {literal(v.parts)}")
        elif n is not None and what in {"roll", "length"}:
            build.line(f"{found}.{what} = {build.literal(Degrees(n.value) if what == 'roll' else float(n.value))}")
        else:
            raise refuse(bone, f"no {what}")
    build.note(f"bone {bone}")


TURNED: Final = "~( [by] {angle:angle} ; (around|about|on|along|in|over) [its] [local] {axis:axis} ; [the] {v:vector} )"


@step(
    f"[pose] [:] (rotate|bend|turn|tilt|twist) {BONE} [{OF_BONE}] {TURNED}",
    f"[pose] [:] {{what=move|scale}} {BONE} [{OF_BONE}] [to|by] {{v:vector}}",
    f"pose [the] [bone] {{bone:name}} [{OF_BONE}] [:] [rotated|rotate] {TURNED}",
)
def pose(
    build: Build, bone: str, target: Target | None, what: str | None, angle: Degrees | None, axis: str | None, v:
    Vec | None,
) -> None:  # fmt: skip
    """The pose of one bone, from its rest position."""
    known = build.one(target)
    build.comment(f"pose {bone}")
    var = bone_var(build, known.var, bone)
    if what and v is not None:
        parts = tuple(float(part if part is not None else what == "scale") for part in v.parts)
        build.line(f"{var}.{'location' if what == 'move' else 'scale'} = {literal(parts)}")
    elif angle is not None and axis is not None:
        sign = -1 if axis.startswith("-") else 1
        build.line(f'{var}.rotation_mode = "XYZ"')
        build.line(f"{var}.rotation_euler[{'XYZ'.index(axis[-1])}] = {build.literal(Degrees(sign * angle.value))}")
    else:
        raise refuse(bone, "by how much, around which axis?")
    build.it = known
    build.topic = Topic(var, (Place("", "PoseBone"), Place("color", "BoneColor")), f"bone {bone}")
    build.memory["_posed"] = var, "rotation_euler" if not what else "location" if what == "move" else "scale"
    build.note(f"bone {bone} posed")


@step(
    "(key|keyframe) (it|that|this|the pose|the bone|the rotation) ~( {f:key_frames} )",
    "(insert|add|set) [a|the] (key|keyframe) (for|on) (it|that|this|the pose|the bone|the rotation) ~( {f:key_frames} )",
)
def key_pose(build: Build, f: list[int] | None) -> None:
    """Keyframes of the pose that a bone was just given."""
    if f is None or "_posed" not in build.memory:
        raise refuse("key", "what, and at which frame?")
    var, attribute = build.memory["_posed"]
    for each in f:
        build.line(f'{var}.keyframe_insert("{attribute}", frame={each})')
    build.note("keyframe of the pose")


BONES_AS: Final = {
    "octahedral": "OCTAHEDRAL", "octahedra": "OCTAHEDRAL", "stick": "STICK", "sticks": "STICK", "bbone": "BBONE", "b bone": "BBONE", "b bones": "BBONE",
    "envelope": "ENVELOPE", "envelopes": "ENVELOPE", "wire": "WIRE", "wires": "WIRE",
}  # fmt: skip
DRAWN_AS: Final = f"(bones|the bones) as {{how={'|'.join(BONES_AS)}}}"
DISPLAYED: Final = (
    f"~( {DRAWN_AS} ; [its|the] bones (displayed|shown|drawn) as {{how={'|'.join(BONES_AS)}}} ; [with] [the] [bone] {{names=names}} [on|shown|visible] ; [with] [bone] {{axes=axes}} [on|shown] ;"
    " [always] [drawn|shown] {front=in front} )"
)


@step(
    f"(show|display|draw) [the] bones [of {{target:object}}] as {{how={'|'.join(BONES_AS)}}} {DISPLAYED}",
    f"(show|display|draw) {{target:object}} [{{front=in front}} [,] [and]] [with] [its] {DRAWN_AS} {DISPLAYED}",
    f"[{{target:object}}] (shown|displayed|drawn) as {{how={'|'.join(BONES_AS)}}} {DISPLAYED}",
    "((show|display) [the] bone {names=names} [of {target:object}])",
)
def bone_display(
    build: Build, target: Target | None, how: str | None, names: str | None, axes: str | None, front: str | None
) -> None:
    """How the bones of an armature are drawn."""
    known = build.one(target if target is not None or build.it is not None else Target("kind", "armature", said="it"))
    bare = how in {"wire", "wires"} and not re.search(r"\bbones?\b", build.request, re.IGNORECASE)
    type_ = known.type or (target.type if target is not None else "")
    if type_ not in ({"ARMATURE"} if bare else {"", "ARMATURE"}):
        raise refuse(how or "bones", f"{known.name or 'it'} has none")
    rig, data = known.var, build.var("armature_data")
    build.line(f"{data} = {build.expect(f'{rig}.data', 'Armature')}")
    build.put(data, display_type=BONES_AS.get(how or ""), show_names=names and True, show_axes=axes and True)
    build.put(rig, show_in_front=front and True)
    build.note("bones are drawn so")


@step(
    "(put|set|switch|show|keep) {target:object} (in|to|into) [its|the] {how=rest|pose} position",
    "(set|show|use) [the|its] {how=rest|pose} position (of|for) {target:object}",
)
def pose_position(build: Build, target: Target, how: str) -> None:
    """Whether an armature shows its rest position or its pose."""
    build.need("expect")
    build.line(f'expect({build.object(target)}.data, bpy.types.Armature).pose_position = "{how.upper()}"')
    build.note(f"{how} position")


REST: Final = "as [the] [new] rest (pose|position)"


@step(
    f"apply [the] [current|present] pose (of|on) [the] [armature|rig] {{target:object}} {REST}",
    f"apply {{target:object}} ['s] [current|present] pose {REST}",
    "(make|set) [the] [current|present] pose (of|on) {target:object} (the|its|to|as|to be) [the] [new] rest (pose|position)",
    f"apply [the] [current|present] pose {REST}",
)
def rest_pose(build: Build, target: Target | None) -> None:
    """Make the pose of an armature its rest pose."""
    build.once()
    build.need("only_selected")
    build.line(f'only_selected({build.object(target)})\nbpy.ops.object.mode_set(mode="POSE")')
    build.line('bpy.ops.pose.armature_apply(selected=False)\nbpy.ops.object.mode_set(mode="OBJECT")')
    build.note("the pose is the rest pose")


SIDES: Final = {"left": ".L", "right": ".R", "l": ".L", "r": ".R"}
MIRRORED: Final = (
    "~( from [the] [.] {side=left|right|l|r} [side] [to [the] [.] (left|right|l|r) [side]] ;"
    " [«] [the] {side=left|right} (bones|side|half) [already] (exist|exists|is there|are there|is done|are done) [,] [with [.] [l|r] (suffix|suffixes)] [»] )"
)


@step(
    f"symmetrize [the] {{kind=armature|rig}} [{{name:known}}] {MIRRORED}",
    f"(symmetrize|mirror) [all] [the] {{side=left|right}} {{kind=bones}} (of|in) [the] [armature|rig] {{target:object}} {MIRRORED}",
    f"symmetrize {{target:object}} {MIRRORED}",
    f"(symmetrize|mirror) [all] [the] {{kind=bones}} (of|in) [the] [armature|rig] {{target:object}} {MIRRORED}",
)
def symmetrize(build: Build, kind: str | None, name: str | None, target: Target | None, side: str | None) -> None:
    """Mirror the bones of one side, by their names, to the other."""
    named = Target("named", name, said=name, type="ARMATURE") if name else target
    rig = build.object(named or Target("kind", kind or "rig", said=f"the {kind}"))
    with editing(build, rig) as data:
        ending = SIDES.get(side or "", "")
        test = f' = edit_bone.name.upper().endswith(("{ending}", "_{ending[-1]}"))' if ending else " = True"
        selected = "edit_bone.select = edit_bone.select_head = edit_bone.select_tail"
        build.line(f"for edit_bone in {data}.edit_bones:\n    {selected}{test}")
        build.line("bpy.ops.armature.symmetrize()")
    build.note("bones symmetrized" + (f" from {ending}" if ending else ""))


@step(
    "(clear|reset) [the] (pose|pose transforms|whole pose) (of|on) {target:object} [«] [all] [the|its] [bones] [back|are back|go back] [to|in|at] [the|their] [rest|rest pose|rest position] [»]",
    "(clear|reset) {target:object} ['s] pose",
    "(clear|reset) all [the] (pose bones|bones) (of|on|in) {target:object} [to the rest pose]",
)
def clear_pose(build: Build, target: Target) -> None:
    """Every bone back in its rest position."""
    build.need("expect")
    build.imports("mathutils: Matrix")
    with build.each(target) as known:
        build.line(
            f"for bone in expect({known.var}.pose, bpy.types.Pose).bones:\n    bone.matrix_basis = Matrix.Identity(4)"
        )
    build.note("pose cleared")


@step(
    f"(parent|attach|fix|pin) {{target:object}} to (the bone {{bone:name}}|bone {{bone:name}}) [(of|in|on) [the] [armature|rig] {{rig:object of one}}] ~( [{{who:object}}] {IN_PLACE} )",
    f"(parent|attach|fix|pin) {{target:object}} to ({{rig:object of one}} ['s] bone {{bone:name}}) ~( [{{who:object}}] {IN_PLACE} )",
    f"make {{target:object}} [a|the] child of [the] bone {{bone:name}} [(of|in|on) [the] [armature|rig] {{rig:object of one}}] ~( [{{who:object}}] {IN_PLACE} )",
)
def parent_to_bone(build: Build, target: Target, bone: str, rig: Target | None, who: Target | None) -> None:
    """Let objects move with a bone; they stay where they are."""
    if rig is None:
        rig = Target("kind", "armature", said="the armature")
    if who is not None and who.how != "it" and who.said.lower().removeprefix("the ") not in target.said.lower():
        raise refuse(who.said, "another object stays?")
    goal = build.one(rig)
    build.need("current_view_layer")
    with build.each(target) as known:
        build.comment("parent it to the bone; its place in the world stays")
        build.line("current_view_layer().update()")
        build.line(f"place = {known.var}.matrix_world.copy()")
        build.line(
            f'{known.var}.parent = {goal.var}\n{known.var}.parent_type = "BONE"\n{known.var}.parent_bone = {quoted(bone)}'
        )
        build.line(f"current_view_layer().update()\n{known.var}.matrix_world = place")
    build.note(f"{target.said} -> child of the bone {bone}")


WEIGHTS: Final = {"automatic weights": "ARMATURE_AUTO", "auto weights": "ARMATURE_AUTO", "empty groups": "ARMATURE_NAME", "empty vertex groups": "ARMATURE_NAME",
                  "envelope weights": "ARMATURE_ENVELOPE", "envelopes": "ARMATURE_ENVELOPE", "automatic weighting": "ARMATURE_AUTO"}  # fmt: skip


@step(
    f"(parent|bind|skin|attach|rig) {{target:object}} to [the] [armature|rig] {{rig:object of one}} (with|using|by) {{how={'|'.join(WEIGHTS)}}}",
    f"(bind|skin|parent) {{target:object}} (with|using) {{how={'|'.join(WEIGHTS)}}} to [the] [armature|rig] {{rig:object of one}}",
    "(skin|bind) {target:object} to [the] [armature|rig] {rig:object of one}",
)
def skin(build: Build, target: Target, rig: Target, how: str | None) -> None:
    """Let bones deform meshes."""
    goal = build.one(rig)
    build.need("only_selected")
    build.comment("bind the mesh to the bones")
    with build.each(target, type_="MESH") as known:
        build.line(
            f"if {known.var}.parent != {goal.var}:\n    only_selected({known.var}, {goal.var})\n"
            f'    bpy.ops.object.parent_set(type="{WEIGHTS[how or "automatic weights"]}")'
        )
    if known.var != "obj":
        build.it = known
    build.note(f"{target.said} -> deformed by {rig.said}")


@slot("words")
def words_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[str]]]:
    """Names in a row: '"a", "b" and "c"'."""
    yield from in_a_row(reading, at, lambda place: next(name(reading, place, {}, "bare"), None))


@step("{off=hide|show|solo} (the|this|that) [bone] collection", "{off=hide|show|solo} it")
def switch_bone_collection(build: Build, off: str) -> None:
    """Whether the bone collection that was spoken of is seen."""
    if build.topic is None or build.topic is not build.memory.get("_bone_group"):
        raise refuse("collection", "which one?")
    build.line("group.is_solo = True" if off == "solo" else f"group.is_visible = {off == 'show'}")
    build.note(f"bone collection: {off}")


@step(
    "give [armature|rig] {target:object} [a] bone collection [<called>] {group:name} [(with|holding|containing|for) [the] (bones|bone) {n:words} [in it]]",
    "[<add>] [a] bone collection [<called>] {group:name} ~( (to|on|in|for) [the] [armature|rig] {target:object} ; (with|holding|containing|and put|for) [the] (bones|bone) {n:words} [in it|into it] ; {off=hidden} )",
    f"(assign|put|move|add) [the] (bones|bone) {{n:words}} [{OF_BONE}] (to|into|in) [the|a] [new] [bone] collection [<called>] {{group:name}} ~( {OF_BONE} )",
    f"{{off=hide|show|solo}} [the] bone collection {{group:name}} ~( {OF_BONE} )",
)
def bone_collection(build: Build, group: str, n: list[str] | None, target: Target | None, off: str | None) -> None:
    """A bone collection, bones in it, and whether it is seen."""
    known = build.one(target if target is not None else Target("kind", "armature", said="the armature"))
    build.need("expect")
    data = build.var("armature_data")
    build.line(f"{data} = expect({known.var}.data, bpy.types.Armature)")
    text = quoted(group)
    there = f"{data}.collections[{text}]"
    made = f"{data}.collections.get({text}) or {data}.collections.new({text})"
    build.line(f"group = {made if off in {None, 'hidden'} else there}")
    for each in n or []:
        build.line(f"group.assign({data}.bones[{quoted(each)}])")
    if off:
        build.line("group.is_solo = True" if off == "solo" else f"group.is_visible = {off == 'show'}")
    build.it = known
    build.topic = build.memory["_bone_group"] = Topic("group", (Place("", "BoneCollection"),), "bone collection")
    build.note(f"bone collection {group}")


# --- paths --------------------------------------------------------------------------------------------------


ALONG: Final = (
    "~( [in|over|during|for|within] {n:int} frames ; {f:frame_span} ; (with|using|via|by) [a] follow path constraint ; {how:curve} ; [exactly] once ; [at|with|to] [a|the] (fixed position|fixed|position|offset factor) [of] {place:n} ;"
    " {s:settings of FollowPathConstraint} ; {turned=follow curve|following its direction|facing along the curve|pointing along the path|follow the curve's direction|facing forward|following the curve} )"
)


@step(
    f"[let|make|animate|move|send|have] {{target:object}} [to] (travel|move|go|fly|run|follow|moves|travels|runs|drives|drive|flies|follows) [once] [around|along|on] [the] [closed] [curve|path] {{path:object of one}} {ALONG}",
    f"(animate|move|send|slide) {{target:object}} (along|around|down) [the] [curve|path] {{path:object of one}} {ALONG}",
    f"[<add>] [a] follow path [constraint] (for|to|on|of) {{target:object}} (along|around|on|onto|to|down) [the] [curve|path] {{path:object of one}} {ALONG}",
    "it must sit exactly on the curve",
)
def follow(
    build: Build, target: Target | None, path: Target | None, n: int | None, f: tuple[int, int] | None, how: Shape |
    None, turned: str | None, s: list[Set] | None, place: float | None,
) -> None:  # fmt: skip
    """Let an object run along a curve once, exactly on it, at constant speed where nothing else was said."""
    if target is None or path is None:
        if "follow" not in build.used:
            raise refuse("the curve", "which one?")
        return
    moving = n is not None or f is not None
    if moving == (place is not None) or not 0 <= (place or 0.0) <= 1:
        raise refuse(target.said, "from which frame to which?")
    build.used.add("follow")
    known, curve = build.one(target), build.one(path)
    first, last = f or (1, 1 + (n or 0))
    if n is not None and f is not None and f[1] - f[0] not in {n, n - 1}:
        raise refuse(str(n), "the frames do not fit each other")
    build.need("expect")
    build.comment("follow the curve; its own location would be added to the place on it")
    build.line(f"{known.var}.location = (0.0, 0.0, 0.0)")
    build.line(f'held = {known.var}.constraints.get("Follow Path") or {known.var}.constraints.new("FOLLOW_PATH")')
    build.line("follow = expect(held, bpy.types.FollowPathConstraint)")
    build.line(f"follow.target = {curve.var}\nfollow.use_fixed_location = True")
    if turned:
        build.line("follow.use_curve_follow = True")
    chosen = build.choose(s or [], (Place("", "FollowPathConstraint"),), "the Follow Path constraint")
    if any(setting.prop.name == "target" for setting, _ in chosen):
        raise refuse(target.said, "two curves?")
    build.assign("follow", chosen)
    setting = Setting(
        Place("", "FollowPathConstraint"), build.lexicon.property("FollowPathConstraint", "offset_factor")
    )
    if moving:
        held = Held("follow", "offset_factor", None, setting)
        insert_keys(build, held, [(first, 0.0), (last, 1.0)])
        linear = how or Shape((("interpolation", "LINEAR"),))
        animated(build, Channel((setting,), "offset factor", "owner"), held, linear)
    else:
        build.line(f"follow.offset_factor = {literal(place)}")
    build.it = known
    build.note(f"{target.said} -> follows {path.said}")
