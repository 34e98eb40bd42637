"""Rigging: shape keys, drivers, armatures with their bones and poses, weights, paths to follow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from app.drafting.composer.build import Build
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Kind, Place, Setting
from app.drafting.composer.patterns import Env, Reading, slot
from app.drafting.composer.slots import Set, Target, name, number, quantity, skip, target, vector
from app.drafting.composer.steps.animation import Shape, animated, insert_keys
from app.drafting.composer.steps.channels import Channel, Held, channel, holder, skip_marks
from app.drafting.composer.steps.modifiers import Topic
from app.drafting.composer.steps.objects import NOUNS
from app.drafting.composer.values import Quantity, Vec, clean, literal, quoted, refuse


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
        for end, factor in number(reading, start):
            last = skip(reading, end, {"on", "in", "along", "the"})
            if reading.word(last) in {"x", "y", "z"}:
                yield skip(reading, last + 1, {"axis"}), ("scale", reading.word(last), factor)
            yield end, ("scale", "", factor)
    if word in {"moves", "lifts", "raises"}:
        start = skip(reading, at + 1, {"it", "the", "vertices", "all", "every", "vertex", "up", "by"})
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


# --- drivers ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Formula:
    """The expression of a driver, and what its variables are: properties, or how far two objects are apart."""

    text: str
    sources: tuple[tuple[str, Channel | tuple[Target, Target]], ...] = ()


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
        if all(part in {reading.word(at + k), reading.mark(at + k)} for k, part in enumerate(parts)):
            return at + len(parts), table[words]
    return None


@slot("formula")
def formula(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Formula]]:
    """ "frame * 0.1", "half the X location of "Slider"", "sin(frame / 10)", "the distance between A and B"; as written in quotes."""
    if at < len(reading.tokens) and reading.tokens[at].kind == "quoted" and re.search(r"\bframe\b|[-+*/(]", reading.tokens[at].text):
        yield at + 1, Formula(reading.tokens[at].text)
        return
    for end, found in sums(reading, at):
        if found.sources or "frame" in found.text:
            yield end, found


def sums(reading: Reading, at: int) -> Iterator[tuple[int, Formula]]:
    """Terms joined by signs, the most of them first."""
    for end, first in terms(reading, at):
        sign = phrase_in(reading, end, SIGNS)
        for last, rest in sums(reading, sign[0]) if sign is not None else ():
            names = {old: f"{old.split('_')[0]}_{len(first.sources) + k + 1}" for k, (old, _) in enumerate(rest.sources)}
            renamed = re.sub(r"\bvar\w*", lambda found: names.get(found[0], found[0]), rest.text) if first.sources else rest.text
            sources = tuple((names[old], source) for old, source in rest.sources) if first.sources else rest.sources
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


@slot("mapping")
def mapping(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[tuple[Quantity, Quantity]]]]:
    """ "0 means x = 0, 1 means x = 0.45", "0 -> 0°, 1 -> 90°", "0..1 to 0..90 degrees"."""
    found: list[tuple[Quantity, Quantity]] = []
    place = at
    while True:
        place = skip(reading, skip_marks(reading, place, {",", ";", "("}), {"and", "where", "so", "that", "at", "when", "from", "it", "is", "the", "value"})
        first = next(quantity(reading, place, {}, ""), None)
        if first is None:
            break
        link = skip(reading, skip_marks(reading, first[0], {"-", "=", ":", "..", ">"}), {"means", "gives", "is", "to", "maps", "at", "for", "x", "y", "z", "rotation", "location", "scale", "value", "becomes"})  # fmt: skip
        link = skip(reading, skip_marks(reading, link, {"=", ">"}), {"is"})
        second = next(quantity(reading, link, {}, ""), None)
        if second is None or link == first[0]:
            break
        place = second[0]
        found.append((first[1], second[1]))
        place += reading.mark(place) == ")"
        if len(found) == 2:
            pairs = found
            if "to" in {reading.word(each) for each in range(at, place)} and ".." in {reading.mark(each) for each in range(at, place)}:
                (a, b), (c, d) = found
                pairs = [(a, c), (b, d)]
            unit = next((each.unit for _, each in pairs if each.unit), None)
            yield place, [(a, replace(b, unit=b.unit or unit)) for a, b in pairs]
            break


DRIVEN: Final = "~( [so that|:|where] {m:mapping} ; (on|for|of) {target:object} )"
BY: Final = "(by|with|from|using|through|off|via)"


@step(
    f"(drive|control|link) {{c:channel}} {BY} [a driver] [:] [the] [expression|scripted expression] {{e:formula}} {DRIVEN}",
    f"[<add>] [a] [scripted] driver (to|on|for) {{c:channel}} [:|=|with|using|so it equals|that uses|from] [the] [scripted] [expression] {{e:formula}} {DRIVEN}",
    f"{{c:channel}} [is|should be|must be|gets] (driven|controlled) {BY} [the] [expression] {{e:formula}} {DRIVEN}",
    f"{{c:channel}} (should|must|is|=|equals|should be|should equal|follows|depends on|should always be|always equals|is always|should follow) {{e:formula}} {DRIVEN} [driver|with a driver|by a driver|via a driver|using a driver]",
    f"(let|make|use) [the] {{e:formula}} [to] (drive|drives|control|controls|driving) {{c:channel}} {DRIVEN}",
    f"{{e:formula}} (drives|controls|should drive|should control) {{c:channel}} {DRIVEN}",
)
def drive(build: Build, c: Channel, e: Formula, m: list[tuple[Quantity, Quantity]] | None, target: Target | None) -> None:
    """A driver with an expression of properties and the frame number."""
    if target is not None:
        c = replace(c, target=target, of="object" if c.of == "spoken" else c.of)
    build.need("new_driver")
    text = e.text
    sources: list[tuple[str, Held | tuple[str, str]]] = []
    for name_, source in e.sources:
        if isinstance(source, tuple):
            sources.append((name_, (build.object(source[0]), build.object(source[1]))))
        else:
            with holder(build, source, source.options) as held:
                if held.var == "obj":
                    raise refuse(source.said, "one object is meant here")
                sources.append((name_, held))
    if m is not None:
        text = mapped(text, m)
    with holder(build, c, c.options) as held:
        size = held.setting.prop.array[0] if held.setting.prop.array else 0
        if size and not (held.setting.prop.name == "scale" or any(isinstance(h, Held) and h.setting.prop.array for _, h in sources)):
            raise refuse(c.said, "which axis?")
        for index in range(size) if size else (held.index,):
            build.comment(f"drive {held.name}" + (f"[{index}]" if index is not None else ""))
            build.line(f"driver = new_driver({held.var}, {quoted(held.name)}{'' if index is None else f', {index}'})")
            for name_, source_held in sources:
                if isinstance(source_held, Held):
                    build.need("add_variable")
                    place = source_held.index if not source_held.setting.prop.array else index
                    build.line(f"add_variable(driver, {quoted(name_)}, {source_held.var}, {quoted(source_held.name)}{'' if place is None else f', {place}'})")
                else:
                    build.need("add_distance")
                    build.line(f"add_distance(driver, {quoted(name_)}, {source_held[0]}, {source_held[1]})")
            build.line(f"driver.expression = {quoted(text)}")
    build.note(f"driver {text}")


def mapped(text: str, pairs: list[tuple[Quantity, Quantity]]) -> str:
    """An expression that runs straight through two points."""
    (a, low), (b, high) = pairs
    if a.value == b.value:
        raise refuse(f"{a.number:g}", "the same value twice")
    slope = clean((high.value - low.value) / (b.value - a.value))
    shifted = f"({text} - {a.value:g})" if a.value else text if re.fullmatch(r"\w+", text) else f"({text})"
    straight = f"{slope:g} * {shifted}" + (f" + {low.value:g}" if low.value else "")
    return f"radians({straight})" if any(each.measured("angle") for each in (low, high)) else straight


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


ALONG: Final = (
    "~( (in|over|during|for|within) {n:int} frames ; {f:span} ; (with|using|via|by) [a] follow path constraint ; {how:curve} ; [exactly] once ;"
    " {turned=following its direction|follow curve|facing along the curve|pointing along the path|follow the curve's direction|facing forward|following the curve} )"
)


@step(
    f"[let|make|animate|move|send|have] {{target:object}} [to] (travel|move|go|fly|run|follow|moves|travels|runs|drives|drive|flies|follows) [once] [around|along|down|on] [the] [closed] [curve|path] {{path:object of one}} {ALONG}",
    f"(animate|move|send|slide) {{target:object}} (along|around|down) [the] [curve|path] {{path:object of one}} {ALONG}",
    "it must sit exactly on the curve",
)
def follow(
    build: Build, target: Target | None, path: Target | None, n: int | None, f: tuple[int, int] | None, how: Shape | None, turned: str | None
) -> None:
    """Let an object run along a curve once, exactly on it, at constant speed where nothing else was said."""
    if target is None or path is None:
        if "follow" not in build.used:
            raise refuse("the curve", "which one?")
        return
    if n is None and f is None:
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
    setting = Setting(Place("", "FollowPathConstraint"), build.lexicon.property("FollowPathConstraint", "offset_factor"))
    held = Held("follow", "offset_factor", None, setting)
    insert_keys(build, held, [(first, 0.0), (last, 1.0)])
    animated(build, Channel((setting,), "offset factor", "owner"), held, how or Shape((("interpolation", "LINEAR"),)))
    build.it = known
    build.note(f"{target.said} -> follows {path.said}")
