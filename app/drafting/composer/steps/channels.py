r"""What can be animated: a property of an object, its data or material, a modifier, a bone, the world, the scene.

"the light's energy"      "fade the light"      "the influence of the Copy Rotation constraint on the cube"
 \_______/ \____/          \__/     |            \_______/        \________________________________/
   owner   options         options  owner        options                        owner
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import Final

from app.drafting.composer.build import Build
from app.drafting.composer.lexicon import Place, Setting, Table
from app.drafting.composer.patterns import Env, Reading, slot
from app.drafting.composer.slots import Target, known_name, name, phrase_tokens, places_of, quoted_text, skip, target
from app.drafting.composer.steps.materials import (
    MaterialTopic,
    material_called,
    material_for,
    named_material,
    shader_var,
    topic_of,
)
from app.drafting.composer.steps.modifiers import Topic
from app.drafting.composer.steps.owners import DISPLAYED, Owner, each_owner, owner, owner_places, part
from app.drafting.composer.steps.properties import LIGHTS, SPOKEN, object_places
from app.drafting.composer.tokens import singular
from app.drafting.composer.values import Ambiguous, quoted, refuse
from ingest.manifest import NodeType, Property


@dataclass(frozen=True)
class Channel:
    """A property, by every setting that may be meant; of an object unless it says of what: material, world, scene, custom."""

    options: tuple[Setting, ...]
    said: str
    of: str = "object"
    target: Target | None = None
    owner: Owner | None = None
    name: str = ""
    either: bool = False
    """Whether the name may be that of a material, or of the object that has it: '"Metal" material'."""


@dataclass(frozen=True)
class Held:
    """Where a channel is in the snippet: the variable of its holder, the name of the property there, its component."""

    var: str
    name: str
    index: int | None
    setting: Setting

    @property
    def code(self) -> str:
        """The expression of the value."""
        place = self.var + (self.name if self.name.startswith("[") else f".{self.name}")
        return place if self.index is None else f"{place}[{self.index}]"

    @property
    def component(self) -> str:
        """The component as an argument."""
        return "" if self.index is None else f", index={self.index}"


TRANSFORMS: Final = {"location": "location", "position": "location", "rotation": "rotation_euler", "scale": "scale", "scaling": "scale", "size": "scale"}  # fmt: skip
MOTIONS: Final = {
    **dict.fromkeys(("move", "slide", "fly", "travel", "glide", "drift", "walk", "shift", "roll", "pan", "dolly", "crawl", "sail", "scoot", "shove", "drive", "swim"), "location"),
    **dict.fromkeys(("rise", "fall", "lift", "climb", "sink", "descend", "lower", "raise", "float"), "location z"),
    **dict.fromkeys(("rotate", "turn", "spin", "swing", "tilt", "swivel", "nod", "lean", "revolve", "twirl", "whirl"), "rotation"),
    **dict.fromkeys(("grow", "shrink", "scale", "expand", "pulse"), "scale"),
    **dict.fromkeys(("dim", "brighten", "flicker", "blink", "flash"), "energy"),
    **dict.fromkeys(("zoom",), "focal length"),
    "fade": "energy",
}  # fmt: skip
"""Verbs, and the property that changes when something does so."""
CUSTOM: Final = Property(name="custom", type="FLOAT", label="custom")


def verb(reading: Reading, at: int) -> str:
    """The verb of motion at this place in its plain form, or nothing."""
    word = reading.word(at)
    plain = singular(word)
    stems = (stem + end for stem in (word[:-3], plain[:-2]) for end in ("", "e"))
    for each in (word, plain, *stems, word.removesuffix("ing")[:-1]):
        if each in MOTIONS and (each == word or word.endswith(("s", "ing"))):
            return each
    return ""


def skip_marks(reading: Reading, at: int, marks: frozenset[str] | set[str]) -> int:
    """The place after any of these marks."""
    while reading.mark(at) and reading.mark(at) in marks:
        at += 1
    return at


def component(reading: Reading, letter: str, attribute: str, of: str = "Object") -> Setting:
    """One component of a transform, as a setting whose name ends with its index."""
    prop = reading.lexicon.property(of, attribute)
    return Setting(Place("", of), replace(prop, array=(), name=f"{attribute}[{'xyz'.index(letter)}]"))


def axes_said(reading: Reading, at: int) -> list[str]:
    """The axes that the rest of the sentence names: "... around Z"."""
    found: list[str] = []
    while at < len(reading.tokens) and reading.mark(at) not in {".", ";"}:
        if reading.word(at).lstrip("-+") in {"x", "y", "z"} and reading.word(at).lstrip("-+") not in found:
            found.append(reading.word(at).lstrip("-+"))
        at += 1
    return found


def transform(reading: Reading, at: int, of: str = "Object") -> Iterator[tuple[int, tuple[Setting, ...]]]:
    """ "location", "Z rotation", "rotation around Z", "x", "height"; with the components that the sentence names later."""
    start = skip(reading, at, {"the", "its", "local", "global", "world", "euler"})
    word = reading.word(start)
    if word in {"x", "y", "z", "vertical"}:
        letter = "z" if word == "vertical" else word
        end = skip(reading, start + 1, {"axis", "local", "euler"})
        if reading.word(end) in TRANSFORMS:
            yield end + 1, (component(reading, letter, TRANSFORMS[reading.word(end)], of),)
        yield skip(reading, end, {"coordinate", "value"}), (component(reading, letter, "location", of),)
    height = skip(reading, skip(reading, start, {"is", "stands", "hovers"}), {"at"})
    if reading.word(height - 1) == "at" and reading.word(skip(reading, height, {"a"})) == "height":
        yield skip(reading, height, {"a", "height", "of"}), (component(reading, "z", "location", of),)
    if word in TRANSFORMS:
        attribute = TRANSFORMS[word]
        letter_at = skip(reading, start + 1, {"on", "in", "along", "around", "about", "the", "local", "global", "its"})
        if reading.word(letter_at) in {"x", "y", "z"}:
            yield skip(reading, letter_at + 1, {"axis"}), (component(reading, reading.word(letter_at), attribute, of),)
        whole = Setting(Place("", of), reading.lexicon.property(of, attribute))
        rest = tuple(component(reading, each, attribute, of) for each in axes_said(reading, start + 1))
        yield start + 1, (whole, *rest)


def named(reading: Reading, at: int, table: Table | None) -> Iterator[tuple[int, tuple[Setting, ...]]]:
    """A property of a table by its name."""
    start = skip(reading, at, {"the", "its", "principled"})
    for end, found in table.named.matches(reading.tokens, start) if table is not None else ():
        if reading.said(start, end).lower() != "f":  # of "F-curves"
            yield end, tuple(found)


def socket_parts(reading: Reading, at: int, node: NodeType) -> Iterator[tuple[int, tuple[Setting, ...]]]:
    """One component of an input of a node: "the Z location" of a Mapping node, "location z"."""
    start = skip(reading, at, {"the", "its"})
    table = reading.lexicon.sockets(node)
    early = reading.word(start) in {"x", "y", "z"}
    for end, found in named(reading, start + early, table):
        last = end if early else skip(reading, end, {"on", "in", "along", "around", "about", "the"})
        letter = reading.word(start if early else last)
        if letter not in {"x", "y", "z"} or found[0].prop.array != (3,) or not found[0].socket:
            continue
        prop, angle = found[0].prop, found[0].prop.subtype == "EULER"
        part_ = replace(
            prop, name=f"{prop.name}[{'xyz'.index(letter)}]", array=(), subtype="ANGLE" if angle else prop.subtype
        )
        yield (end if early else skip(reading, last + 1, {"axis"})), (replace(found[0], prop=part_),)


def channels_in(reading: Reading, at: int, of: str, type_name: str = "") -> Iterator[tuple[int, Channel]]:
    """A property by its name, of an object, a material, the world, the scene or a type."""
    tables = {"object": "object", "material": "material", "world": "ShaderNodeBackground", "scene": "render"}
    seen: dict[int, tuple[Setting, ...]] = {}
    node = reading.lexicon.manifest.nodes.get(type_name)
    if node is not None:
        for end, found in socket_parts(reading, at, node):
            seen[end] = found
    if of == "object" or type_name == "PoseBone":
        for end, found in transform(reading, at, type_name or "Object"):
            seen[end] = seen.get(end, ()) + found
    for end, found in named(reading, at, places_of(reading, {}, tables.get(of, type_name))):
        if reading.word(end - 1) not in {"location", "position", "rotation", "scale"} or end not in seen:
            seen[end] = seen.get(end, ()) + tuple(each for each in found if each not in seen.get(end, ()))
    for end in sorted(seen, reverse=True):
        yield end, Channel(seen[end], reading.said(at, end), of)


def custom(reading: Reading, at: int) -> Iterator[tuple[int, Channel]]:
    """'the custom property "open"', 'Ctrl["open"]'."""
    start = skip(reading, at, {"the", "its", "float", "integer"})
    opening = skip(reading, start, {"custom", "property"})
    for end, found in known_name(reading, opening, {}, "") if reading.mark(opening + 1) == "[" else ():
        for last, title in quoted_text(reading, end + 1, {}, ""):
            if reading.mark(last) == "]":
                options = (Setting(Place("", "Object"), CUSTOM),)
                yield (
                    last + 1,
                    Channel(options, reading.said(at, last + 1), "custom", Target("named", found), name=title),
                )
    if (reading.word(start), reading.word(start + 1)) == ("custom", "property"):
        for end, found in name(reading, skip(reading, start + 2, {"called", "named"}), {}, ""):
            yield end, Channel((Setting(Place("", "Object"), CUSTOM),), reading.said(at, end), "custom", name=found)


def of_motion(reading: Reading, at: int, said: str, whole: Channel) -> Iterator[Channel]:
    """The properties that a verb changes, where a thing moves, turns, grows or fades."""
    phrase = MOTIONS[said]
    if phrase in TRANSFORMS or phrase == "location z":
        prop = TRANSFORMS[phrase.split()[0]]
        of = whole.owner.type if whole.owner is not None else "Object"
        if of not in {"Object", "PoseBone"}:
            return
        plain = (Setting(Place("", of), reading.lexicon.property(of, prop)),) if phrase in TRANSFORMS else ()
        letters = axes_said(reading, at) if plain else ["z"]
        yield replace(whole, options=(*plain, *(component(reading, each, prop, of) for each in letters)))
        return
    for subject, words in (("object", phrase), *((("material", "alpha"),) if said == "fade" else ())):
        for _, found in named_in(reading, words, subject):
            yield replace(whole, of=subject, options=found)


def named_in(reading: Reading, words: str, subject: str) -> Iterator[tuple[int, tuple[Setting, ...]]]:
    """The settings that are called so."""
    table = places_of(reading, {}, subject)
    for end, found in table.named.matches(*phrase_tokens(words)) if table is not None else ():
        yield end, tuple(found)


@slot("channel")
def channel(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Channel]]:
    """A property and its owner, whichever stands first; without an owner it is that of what was spoken of."""
    found: dict[int, list[Channel]] = {}

    def keep(end: int, one: Channel, said_at: int = at) -> None:
        found.setdefault(end, []).append(replace(one, said=reading.said(said_at, end)))
        # "the rotation of the wheel around Y"
        last = skip(reading, end, {"around", "about", "along", "on", "in", "the", "its", "local", "global"})
        index = "xyz".find(reading.word(last) or "-")
        parts = tuple(each for each in one.options if index >= 0 and each.prop.name.endswith(f"[{index}]"))
        if last > end and parts:
            last = skip(reading, last + 1, {"axis"})
            found.setdefault(last, []).append(replace(one, options=parts, said=reading.said(said_at, last)))

    # "the influence of the Copy Rotation constraint on the cube", "the roughness of the cube's material"
    for middle in range(at + 1, min(at + 6, len(reading.tokens))):
        if reading.word(middle) in {"of", "on", "for", "in"}:
            for end, whole in owned(reading, middle + 1):
                for _, one in channels_of(reading, at, whole, middle):
                    keep(end, one)
    for end, one in bare(reading, at):
        keep(end, one)
    # "the bevel width of the cube", "the force field strength of "Blower""
    start = skip(reading, at, {"the"})
    kinds = [
        (end, family, found[0])
        for family in ("modifiers", "constraints")
        for end, found in reading.lexicon.families[family].matches(reading.tokens, start)
    ]
    parts = [(skip(reading, end, {"modifier"}), family, kind.type, {"mod": kind}) for end, family, kind in kinds]
    if reading.words(start, 2) == ("force", "field"):
        parts.append((start + 2, "field", "FieldSettings", {}))
    for middle, what, type_name, given in parts:
        for last, one in channels_in(reading, middle, "owner", type_name):
            for end, goal in target(reading, last + 1, {}, "") if reading.word(last) in {"of", "on", "for"} else ():
                keep(end, replace(one, owner=part(reading, what, {**given, "target": goal}, one.said)))
    # "the mapping node's Z location in the material Water", "the noise scale of the cube's material"
    for middle, nodes in reading.lexicon.nodes["ShaderNodeTree"].matches(reading.tokens, skip(reading, at, {"the"})):
        named_at = skip(reading, middle, {"texture", "node", "'s"})
        for last, one in channels_in(reading, named_at, "owner", nodes[0].identifier):
            for end, whole in owned(reading, last + 1) if reading.word(last) in {"of", "on", "for", "in"} else ():
                if whole.of == "material":
                    env = {"node": nodes[0], "name": whole.name, "target": whole.target}
                    keep(end, replace(one, owner=part(reading, "shading", env, one.said)))
    # "the cube's scale", "cube: scale", "the Bevel modifier of the cube: width"
    for middle, whole in owned(reading, at):
        start = middle + (reading.word(middle) == "'s")
        start += reading.mark(start) in {":", ",", "-"} and start == middle
        start = skip(reading, start, {"change", "changes", "changing", "animates"}) if start == middle else start
        for end, one in channels_of(reading, start, whole):
            keep(end, one)
        # 'the shape key "Smile"', "the Copy Rotation constraint of the cube"
        main = main_property(reading, whole)
        if main:
            keep(middle, replace(whole, options=main))
        # "the light fades", "the cube moves"
        moved = verb(reading, start)
        if moved and whole.of in {"object", "owner"} and start == middle:
            for one in of_motion(reading, start, moved, whole):
                keep(start + 1, one)
    # "fade the light", "rotate the cube"
    moved = verb(reading, at)
    if moved:
        for end, whole in owned(reading, at + 1):
            for one in of_motion(reading, end, moved, whole) if whole.of in {"object", "owner"} else ():
                keep(end, one)
    for end in sorted(found, reverse=True):
        for one in found[end]:
            yield end, one


def main_property(reading: Reading, whole: Channel) -> tuple[Setting, ...]:
    """What is animated of a shape key or a constraint where nothing else is said."""
    type_name = whole.owner.type if whole.owner is not None else ""
    constrains = reading.lexicon.manifest.is_a(type_name, "Constraint")
    main = "value" if type_name == "ShapeKey" else "influence" if constrains else ""
    return (Setting(Place("", type_name), reading.lexicon.property(type_name, main)),) if main else ()


NO_OBJECTS: Final = {
    "world": "world",
    "background": "world",
    "environment": "world",
    "scene": "scene",
    "render": "scene",
}


def owned(reading: Reading, at: int) -> Iterator[tuple[int, Channel]]:
    """What has the property: a channel without settings."""
    start = skip(reading, at, {"the"})
    if (of := NO_OBJECTS.get(reading.word(start))) is not None:
        yield skip(reading, start + 1, {"background", "shader", "node"}), Channel((), "", of)
    for end, whole in owner(reading, at, {}, ""):
        if not whole.many:
            yield end, Channel((), "", "owner", owner=whole)
    if reading.word(start) == "material":
        for end, goal in target(reading, start + 2, {}, "one") if reading.word(start + 1) in {"of", "on"} else ():
            yield end, Channel((), "", "material", target=goal)
        for end, name in known_name(reading, skip(reading, start + 1, {"called", "named"}), {}, ""):
            yield end, Channel((), "", "material", name=name)
    for end, goal in target(reading, at, {}, ""):
        yield end, Channel((), "", target=goal)
        after = end + (reading.word(end) == "'s")
        if reading.word(after) in {"material", "shader"}:
            if after == end and goal.how == "named" and reading.tokens[end - 1].kind == "quoted":
                yield after + 1, Channel((), "", "material", name=goal.name, either=True)
            else:
                yield after + 1, Channel((), "", "material", target=goal)


def is_quoted(goal: Target) -> bool:
    """Whether a name alone was said, in quotes: that of an object, or of a material."""
    return goal.how == "named" and not goal.type and goal.said.strip("\"'`“”‘’") == goal.name != goal.said


def channels_of(reading: Reading, at: int, whole: Channel, exact: int = 0) -> Iterator[tuple[int, Channel]]:
    """The properties of an owner that are named here; up to a place where one is given."""
    kinds = [(whole.of, whole.owner.type if whole.owner is not None else "")]
    if whole.of == "object":
        kinds.append(("material", ""))
    for of, type_name in kinds:
        for end, one in channels_in(reading, at, of, type_name):
            goal = whole.target
            either = of == "material" and whole.of == "object" and goal is not None and is_quoted(goal)
            name = goal.name if goal is not None and either else whole.name
            either = either or whole.either
            if not exact or end == exact:
                yield end, replace(one, of=of, target=goal, owner=whole.owner, name=name, either=either)
    for end, one in custom(reading, at):
        if whole.of == "object" and (not exact or end == exact):
            yield end, replace(one, target=whole.target)


def bare(reading: Reading, at: int) -> Iterator[tuple[int, Channel]]:
    """A property alone: of the object, the modifier, the material that was spoken of."""
    found: dict[int, list[Setting]] = {}
    for of in ("object", *(("material",) if any(token.word == "material" for token in reading.tokens[:at]) else ())):
        for end, one in channels_in(reading, at, of):
            found.setdefault(end, []).extend(one.options)
    said = " ".join(token.word for token in reading.tokens)
    types = [subject for word, subject in SPOKEN.items() if word in said]
    for family in ("modifiers", "constraints"):
        for place in range(len(reading.tokens)):
            for _, kinds in reading.lexicon.families[family].matches(reading.tokens, place):
                types += [kinds[0].type] * bool(kinds[0].places)
                break
    for type_name in dict.fromkeys(
        [*types, *(("ShapeKey",) if "key" in said else ()), *(("PoseBone",) if "bone" in said else ())]
    ):
        for end, one in channels_in(reading, at, "owner", type_name):
            found.setdefault(end, []).extend(one.options)
    for end in sorted(found, reverse=True):
        yield end, Channel(tuple(found[end]), reading.said(at, end), "spoken")
    yield from channels_in(reading, at, "scene")
    yield from custom(reading, at)


# --- where it is in the snippet -----------------------------------------------------------------------------


def pick(options: tuple[Setting, ...], places: list[Place], said: str) -> Setting:
    """The setting that is nearest in these places."""
    order = {place: index for index, place in enumerate(places)}
    fitting = [each for each in options if each.place in order]
    if not fitting:
        raise refuse(said, "it has no such property")
    return min(fitting, key=lambda each: order[each.place])


@contextlib.contextmanager
def holder(build: Build, one: Channel, options: tuple[Setting, ...]) -> Generator[Held, None, None]:
    """Where a channel is, for each of its objects; `options` are the settings that its values fit."""
    topic = build.topic
    if one.of == "spoken" and isinstance(topic, Topic) and any(each.place in topic.places for each in options):
        setting = pick(options, list(topic.places), one.said)
        var = shader_var(build, topic) if isinstance(topic, MaterialTopic) and setting.socket else topic.var
        yield held_in(build, var, setting)
    elif one.of in {"object", "spoken"}:
        with build.each(one.target) as known:
            within = object_places(build, known, one.target.said if one.target is not None else "")
            setting = pick(options, within, one.said)
            if setting.place.type == "AreaLight" and known.type != "LIGHT" and "light" not in build.request.lower():
                raise refuse(one.said, "its place, its size, or that of an area light?")
            lights = {each.prop.name for each in options if each.place in within and each.place.type in LIGHTS}
            if known.type == "LIGHT" and setting.prop.name in lights and len(lights) > 1:
                raise Ambiguous([one.said], f'"{one.said}": a point, sun, spot or area light?')
            if setting.place.path and one.target is None and not known.type:
                raise refuse(one.said, "of which object?")
            held = known.var
            if setting.place.path.startswith("data"):
                build.imports("typing: Any")
                held = build.var(f"{known.var}_data")
                build.line(f"{held}: Any = {known.var}.data")
                path = setting.place.path.removeprefix("data").lstrip(".")
                setting = replace(setting, place=Place(path, setting.place.type))
            yield held_in(build, held, setting)
    elif one.of == "custom":
        with build.each(one.target) as known:
            yield Held(known.var, f"[{quoted(one.name)}]", None, one.options[0])
    elif one.of == "owner" and one.owner is not None:
        with each_owner(build, one.owner) as var:
            if one.owner.type == "PoseBone" and any(each.prop.name.startswith("rotation_euler") for each in options):
                build.line(f'{var}.rotation_mode = "XYZ"')
            places = owner_places(build, one.owner)
            setting = pick(options, list(places), one.said)
            displayed = one.owner.type == "Material" and setting.prop.name in DISPLAYED
            if displayed and "viewport" not in build.request.lower():
                raise refuse(one.said, "that of its shader?")
            path = setting.place.path
            if one.owner.type == "particle system" and path:  # the settings are data of their own
                place = Place(path.removeprefix("settings").lstrip("."), setting.place.type)
                yield held_in(build, f"{var}.settings", replace(setting, place=place))
            else:
                yield held_in(build, var, setting)
    elif one.of == "material":
        if one.either and all(known.name != one.name for known in build.known):
            made = material_called(build, one.name)
        else:
            plain = one.name and not one.target
            made = topic_of(build, named_material(build, one.name)) if plain else material_for(build, one.target)
        setting = pick(options, list(made.places), one.said)
        yield held_in(build, shader_var(build, made) if setting.socket else made.var, setting)
    elif one.of == "world":
        build.need("world_tree", "background_of")
        build.scene()
        var = build.var("background")
        build.line(f"{var} = background_of(world_tree())")
        yield held_in(build, var, options[0])
    else:
        setting = options[0]
        held = build.scene()
        if setting.place.path:
            build.imports("typing: Any")
            held = build.var(setting.place.path)
            build.line(f"{held}: Any = {build.scene()}.{setting.place.path}")
        yield held_in(build, held, replace(setting, place=Place("", setting.place.type)))


def held_in(build: Build, var: str, setting: Setting) -> Held:
    """The place of a setting in a holder; an input of a node is a holder of its own."""
    name, _, index = setting.prop.name.partition("[")
    if setting.socket:
        build.imports("typing: Any")
        socket = build.var(setting.socket)
        build.line(f"{socket}: Any = {var}.inputs[{quoted(setting.socket)}]")
        return Held(socket, name, int(index.rstrip("]")) if index else None, setting)
    path = f"{setting.place.path}.{name}".lstrip(".")
    return Held(var, path, int(index.rstrip("]")) if index else None, setting)


def is_component(setting: Setting) -> bool:
    """Whether the setting is one component of a transform."""
    return "[" in setting.prop.name
