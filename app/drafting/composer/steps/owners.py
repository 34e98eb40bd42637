"""Settings of whatever has a name: modifiers, constraints, data, collections, scenes, images, actions, bones, keys.

"set the levels of the Subdivision Surface modifier on the cube to 3"      "give every image a fake user"
         \\___/        \\__________________________________________/ \\__/
        setting                          owner                    value
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Final

from app.drafting.composer.build import Build
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Phrases, Place
from app.drafting.composer.patterns import Env, Reading, compile_pattern, slot
from app.drafting.composer.slots import Set, Target, links, places_of, settings, skip, value_of
from app.drafting.composer.steps.modifiers import Topic
from app.drafting.composer.values import quoted, refuse
from ingest.manifest import NodeType


@dataclass(frozen=True)
class Owner:
    """A thing that has settings: its type, the expression of it or of the list it is one of, the object it is on."""

    type: str
    expression: str
    said: str
    target: Target | None = None
    many: bool = False
    bone: str = ""


STORES: Final = Phrases[tuple[str, str]]([
    ("collection", ("collections", "Collection")), ("scene", ("scenes", "Scene")), ("image", ("images", "Image")),
    ("action", ("actions", "Action")), ("text block", ("texts", "Text")), ("text datablock", ("texts", "Text")),
    ("node group", ("node_groups", "NodeTree")), ("material", ("materials", "Material")), ("mesh datablock", ("meshes", "Mesh")),
    ("armature data", ("armatures", "Armature")), ("light data", ("lights", "Light")), ("camera data", ("cameras", "Camera")),
    ("world", ("worlds", "World")), ("sound", ("sounds", "Sound")), ("brush", ("brushes", "Brush")),
])  # fmt: skip
"""Kinds of data of the file: where they are, and their type."""

PARTS: Final = (
    ("[the] {mod:kind of modifiers} modifier (of|on|from) {target:object}", "modifiers"),
    ("{target:object} 's {mod:kind of modifiers} modifier", "modifiers"),
    ("[the] {mod:kind of constraints} constraint (of|on|from) {target:object}", "constraints"),
    ("{target:object} 's {mod:kind of constraints} constraint", "constraints"),
    ("[the] modifier {name:quoted} (of|on|from) {target:object}", "modifier"),
    ("[the] {name:quoted} modifier (of|on|from) {target:object}", "modifier"),
    ("[the] shape key {name:name} (of|on) {target:object}", "key"),
    ("{target:object} 's shape key {name:name}", "key"),
    ("[the] shape key {name:name}", "key"),
    ("[the] pose bone {name:name} (of|in|on) [armature|rig] {target:object}", "pose"),
    ("[the] bone {name:name} (of|in|on) [armature|rig] {target:object}", "pose"),
    ("{target:object} 's [pose] bone {name:name}", "pose"),
    ("[the] bone {name:name} (of|in|on) [armature|rig] {target:object}", "bone"),
    ("{target:object} 's bone {name:name}", "bone"),
    ("[the] action of {target:object}", "action"),
    ("{target:object} 's action", "action"),
    ("[the] nla track {name:name} (of|on) {target:object}", "track"),
    ("[the] (particle system|particle settings|particles) of {target:object}", "particles"),
    ("{target:object} 's (particle system|particle settings|particles)", "particles"),
    ("[the] [force] field (of|on) {target:object}", "field"),
    ("{target:object} 's [force] field", "field"),
    ("{target:object} 's rigid body", "body"),
    ("[the] {name=mesh|curve|text|camera|light|armature|lattice} data of {target:object}", "data"),
    ("[the] view layer {name:name}", "layer"),
    (
        "[the] {node:node of GeometryNodeTree} [node] (of|in) [the] (geometry nodes|geometry nodes modifier|node group|modifier|geometry nodes setup) (of|on) {target:object}",
        "nodes",
    ),
    (
        "[the] {node:node of CompositorNodeTree} [node] (in|of) [the] (compositor|compositing nodes|compositing tree)",
        "comp",
    ),
    ("[the] compositor 's {node:node of CompositorNodeTree} [node]", "comp"),
)
MATCHERS: Final = [(compile_pattern(text), what) for text, what in PARTS]
DATA: Final = {"mesh": "Mesh", "curve": "Curve", "text": "TextCurve", "camera": "Camera", "light": "Light",
               "armature": "Armature", "lattice": "Lattice"}  # fmt: skip


@slot("owner")
def owner(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Owner]]:
    """ "the collection "Props"", "all images", "the Bevel modifier on the cube"."""
    start = skip(reading, at, {"the"})
    many = reading.word(start) in {"all", "every", "each"}
    place = skip(reading, start, {"all", "every", "each", "the", "of"}) if many else start
    for end, found in STORES.matches(reading.tokens, place):
        store, type_name = found[0]
        if many:
            last = skip(reading, end, {"in", "of", "the", "this", "file", "datablocks"})
            yield last, Owner(type_name, f"bpy.data.{store}", reading.said(at, end), many=True)
        elif type_name != "Material":
            from app.drafting.composer.slots import known_name

            for last, title in known_name(reading, skip(reading, end, {"called", "named"}), {}, ""):
                yield last, Owner(type_name, f"bpy.data.{store}[{quoted(title)}]", reading.said(at, last))
    for matcher, what in MATCHERS:
        for end, found_env in matcher(reading, at, {}):
            read = part(reading, what, dict(found_env), reading.said(at, end))
            if read is not None:
                yield end, read


def part(reading: Reading, what: str, env: dict[str, object], said: str) -> Owner | None:
    """A part of an object, or of the scene, as an owner of settings; `{0}` stands for the object's variable."""
    node = env.get("node")
    if isinstance(node, NodeType):
        where = "modifier in {0}.modifiers if isinstance(modifier, bpy.types.NodesModifier) and modifier.node_group"
        code = f'comp_node(compositor(scene), "{node.identifier}")'
        if what == "nodes":
            code = f'next(\n    each\n    for {where}\n    for each in modifier.node_group.nodes\n    if each.bl_idname == "{node.identifier}"\n)'
        goal = env.get("target")
        return Owner(
            node.identifier,
            f"expect({code}, bpy.types.{node.identifier})",
            said,
            goal if isinstance(goal, Target) else None,
        )
    target, name, kind = env.get("target"), str(env.get("name") or ""), env.get("mod")
    goal = target if isinstance(target, Target) else Target("it", said="it") if what == "key" else None
    text = quoted(name)
    if what in {"modifiers", "constraints"}:
        identifier, type_name = getattr(kind, "identifier", ""), getattr(kind, "type", "")
        if not type_name:
            return None
        found = f'next(each for each in {{0}}.{what} if each.type == "{identifier}")'
        return Owner(type_name, f"expect({found}, bpy.types.{type_name})", said, goal)
    known = {
        "modifier": ("Modifier", f"{{0}}.modifiers[{text}]"),
        "key": ("ShapeKey", f"expect(mesh_of({{0}}).shape_keys, bpy.types.Key).key_blocks[{text}]"),
        "pose": ("PoseBone", f"expect({{0}}.pose, bpy.types.Pose).bones[{text}]"),
        "bone": ("Bone", f"expect({{0}}.data, bpy.types.Armature).bones[{text}]"),
        "action": ("Action", "expect(expect({0}.animation_data, bpy.types.AnimData).action, bpy.types.Action)"),
        "particles": ("ParticleSettings", "expect({0}.particle_systems[0].settings, bpy.types.ParticleSettings)"),
        "field": ("FieldSettings", "expect({0}.field, bpy.types.FieldSettings)"),
        "body": ("RigidBodyObject", "expect({0}.rigid_body, bpy.types.RigidBodyObject)"),
        "track": ("NlaTrack", f"expect({{0}}.animation_data, bpy.types.AnimData).nla_tracks[{text}]"),
        "layer": ("ViewLayer", f"scene.view_layers[{text}]"),
    }
    if what == "data":
        return Owner(DATA[name], f"expect({{0}}.data, bpy.types.{DATA[name]})", said, goal)
    return Owner(*known[what], said, goal) if reading.lexicon.manifest.types.get(known[what][0]) else None


@slot("owned")
def owned(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[Owner, list[Set]]]]:
    """An owner and its settings, whichever stands first."""
    for end, found in owner(reading, at, {}, ""):
        if found.type in reading.lexicon.manifest.nodes and reading.word(at - 1) not in {
            "set",
            "change",
            "adjust",
            "let",
        }:
            continue  # a node with settings is a new one
        start = skip(reading, end, {"'s"})
        for place in links(reading, start):
            for last, sets in settings(reading, place, {}, found.type):
                yield last, (found, sets)
    # "the levels of the modifier to 3", "the roughness 0.5 of every ...", "a fake user for all images"
    for place in range(at + 1, min(at + 10, len(reading.tokens) - 1)):
        if reading.word(place) not in {"of", "on", "for", "in", "to"}:
            continue
        for end, found in owner(reading, place + 1, {}, ""):
            table = places_of(reading, {}, found.type)
            if table is None:
                continue
            for last, sets in settings(reading, at, {}, found.type):
                if last == place:
                    yield end, (found, sets)
            for last, named in table.named.matches(reading.tokens, skip(reading, at, {"the"})):
                if last != place:
                    continue
                for start in links(reading, end):
                    for one in named:
                        for stop, value in value_of(reading, start, one):
                            yield stop, (found, [Set(((one, value),), reading.said(at, stop))])


DISPLAYED: Final = frozenset({"roughness", "metallic", "specular_intensity", "specular_color", "diffuse_color"})
"""Settings of a material that only the viewport shows, and that are called like inputs of the shader."""


@contextlib.contextmanager
def each_owner(build: Build, found: Owner) -> Generator[str, None, None]:
    """The variable of an owner, in a loop where there are several."""
    build.need("expect")
    if "mesh_of" in found.expression:
        build.need("mesh_of")
    if "compositor(" in found.expression:
        build.need("compositor", "comp_node")
    if found.expression.startswith("scene.") or "(scene)" in found.expression:
        build.scene()
    if found.many:
        with build.block(f"for each_one in {found.expression}:"):
            yield "each_one"
        return
    if found.target is None:
        var = build.var(found.type)
        build.line(f"{var} = {found.expression}")
        yield var
        build.topic = Topic(var, build.lexicon.places(found.type), found.said)
        return
    with build.each(found.target) as known:
        var = build.var(found.type)
        expression = found.expression.format(known.var)
        if len(expression) > 90:
            expression = (
                expression.replace("expect(next(", "expect(\n    next(", 1).replace(
                    "), bpy.types", "),\n    bpy.types"
                )[:-1]
                + ",\n)"
            )
        build.line(f"{var} = {expression}")
        yield var
    if known.var != "obj":
        build.topic = Topic(var, build.lexicon.places(found.type), found.said)


@step(
    "<set> {o:owned}",
    "(give|let) {o:owned}",
    "(keep|protect) {o:owned}",
    "[<enable>] {o:owned}",
    "{o:owned}",
)
def set_owned(build: Build, o: tuple[Owner, list[Set]]) -> None:
    """Settings of a thing that has a name or a place."""
    found, sets = o
    if found.said.lower().startswith("shape key") and " on " in found.said:
        raise refuse(found.said, "it may be a new one")
    places = (Place("", found.type), *build.lexicon.places(found.type))
    chosen = build.choose(sets, dict.fromkeys(places), found.said)
    if found.type == "Material" and any(setting.prop.name in DISPLAYED for setting, _ in chosen):
        raise refuse(sets[0].said, "the viewport, or the shader?")
    build.comment(f"settings of {found.said}")
    with each_owner(build, found) as var:
        build.assign(var, chosen)
    build.note(f"{', '.join(each.said for each in sets)} -> {found.said}")


@step(
    "rename {o:owner} [to|into|as] {name:name}",
    "(call|name) {o:owner} {name:name}",
    "(change|set) name of {o:owner} to {name:name}",
)
def rename_owned(build: Build, o: Owner, name: str) -> None:
    """Give a thing another name."""
    if o.many:
        raise refuse(o.said, "one thing is meant here")
    build.once()
    with each_owner(build, o) as var:
        build.line(f"{var}.name = {quoted(name)}")
    build.note(f'{o.said} -> renamed to "{name}"')


@step(
    "{off=disable|turn off|switch off|hide} {o:owner} {where:visibility}",
    "(enable|turn on|switch on|show) {o:owner} {where:visibility}",
    "{off=disable|turn off|switch off|mute} {o:owner}",
    "(enable|turn on|switch on) {o:owner}",
)
def switch_owned(build: Build, o: Owner, off: str | None, where: frozenset[str] | None) -> None:
    """Turn a modifier or a constraint on or off."""
    if build.lexicon.manifest.is_a(o.type, "Modifier"):
        names = {"hide_viewport": "show_viewport", "hide_render": "show_render"}
        attributes = [names[each] for each in sorted(where or names)]
    elif build.lexicon.manifest.is_a(o.type, "Constraint") and where is None:
        attributes = ["enabled"]
    elif build.lexicon.manifest.find(o.type, "mute") is not None and where is None:
        attributes, off = ["mute"], None if off else "off"
    else:
        raise refuse(o.said, "it cannot be turned on and off")
    with each_owner(build, o) as var:
        for attribute in attributes:
            build.line(f"{var}.{attribute} = {not off}")
    build.note(f"{o.said} -> {'off' if off else 'on'}")


@step("<remove> {o:owner}")
def remove_owned(build: Build, o: Owner) -> None:
    """Remove data of the file by its name, unless that may take objects away with it."""
    if o.target is not None or o.type in {"Collection", "Scene", "World", "ViewLayer"} or o.many:
        raise refuse(o.said, "say it in other words")
    build.once()
    build.line(f"{o.expression.partition('[')[0]}.remove({o.expression})")
    build.note(f"{o.said} -> removed")


@step("(give|let) it [have] a fake user", "(keep|protect) it (with|by) a fake user")
def keep_it(build: Build) -> None:
    """A fake user for the data that was spoken of."""
    topic = build.topic
    kept = isinstance(topic, Topic) and build.lexicon.manifest.find(topic.places[0].type, "use_fake_user") is not None
    if not kept:
        raise refuse("it", "what is to have a fake user?")
    build.line(f"{topic.var}.use_fake_user = True")
    build.note("fake user")
