"""Materials: how a surface looks, the inputs of its Principled shader, textures and other shaders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.drafting.composer.build import WIDTH, Build, Known, Many
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Place, Setting
from app.drafting.composer.slots import Set, Target
from app.drafting.composer.steps.modifiers import Topic
from app.drafting.composer.values import Color, literal, quoted, refuse, titled
from ingest.manifest import NodeType

PRINCIPLED: Final = "ShaderNodeBsdfPrincipled"
Look = tuple[Color | None, tuple[Mapping[str, float], ...], str]


def principled(build: Build) -> NodeType:
    """The Principled shader of this Blender."""
    return build.lexicon.manifest.nodes[PRINCIPLED]


@dataclass
class MaterialTopic(Topic):
    """A material that was spoken of: its shader's inputs, and its own settings."""

    shader: str = ""

    def write(self, build: Build, sets: Sequence[Set]) -> None:
        """Set inputs of the shader, or settings of the material."""
        write_settings(build, self, sets)


def material_places(build: Build) -> tuple[Place, ...]:
    """Where settings of a material may be."""
    return (Place("", PRINCIPLED), *build.lexicon.places("Material"))


def topic_of(build: Build, var: str) -> MaterialTopic:
    """Speak of the material in this variable from here on."""
    topic = MaterialTopic(var, material_places(build), "material")
    build.topic = topic
    return topic


def write_settings(build: Build, topic: MaterialTopic, sets: Sequence[Set]) -> None:
    """Lines that set inputs of the shader, or settings of the material."""
    chosen = build.choose(sets, topic.places, "a material")
    inputs = [(setting, value) for setting, value in chosen if setting.socket]
    if inputs:
        build.assign(shader_var(build, topic), inputs)
        glow = [setting.socket for setting, _ in inputs]
        if "Emission Color" in glow and "Emission Strength" not in glow:
            build.line(f'set_input({shader_var(build, topic)}, "Emission Strength", 1.0)')
    rest = [(setting, value) for setting, value in chosen if not setting.socket]
    build.assign(topic.var, rest)
    for setting, value in inputs:
        if setting.socket == "Base Color":
            build.line(f"{topic.var}.diffuse_color = {literal(value)}  # for Workbench")


def shader_var(build: Build, topic: MaterialTopic) -> str:
    """The variable of the shader of a material."""
    if not topic.shader:
        build.need("shader_of", "set_input")
        topic.shader = build.var("shader")
        build.line(f"{topic.shader} = shader_of({topic.var})")
    build.need("set_input")
    return topic.shader


def material_for(build: Build, target: Target | None) -> MaterialTopic:
    """The material of one object, made if it has none."""
    known = build.one(target)
    if known.type not in {"", "MESH", "CURVE", "FONT", "META"}:
        raise refuse(target.said if target else known.kind, "it shows no material")
    topics: dict[str, MaterialTopic] = build.memory.setdefault("_material_topics", {})
    if known.var not in topics:
        build.need("material_of")
        var = build.var("material")
        build.line(f"{var} = material_of({known.var})")
        topics[known.var] = topic_of(build, var)
    build.topic = topics[known.var]
    return topics[known.var]


def made_material(build: Build, name: str) -> str:
    """The variable of the material that this request makes under a name."""
    made: dict[str, str] = build.memory.setdefault("_materials", {})
    if name not in made:
        build.need("new_material")
        made[name] = build.var(f"{name} material")
        build.line(f"{made[name]} = new_material({quoted(name)})")
    return made[name]


def named_material(build: Build, name: str) -> str:
    """The variable of a material by its name: one of this request, else one that is there."""
    made: dict[str, str] = build.memory.setdefault("_materials", {})
    if name not in made:
        made[name] = build.var(f"{name} material")
        build.line(f"{made[name]} = bpy.data.materials[{quoted(name)}]")
    return made[name]


def write_inputs(build: Build, topic: MaterialTopic, hue: Color | None, finishes: Mapping[str, float]) -> None:
    """A color and finishes as inputs of the shader of a material."""
    if hue is None and not finishes:
        return
    shader = shader_var(build, topic)
    if hue is not None:
        rgba = literal((*hue.rgb, 1.0))
        build.line(f'set_input({shader}, "Base Color", {rgba})')
        build.line(f"{topic.var}.diffuse_color = {rgba}  # for Workbench")
    for socket, value in finishes.items():
        build.line(f'set_input({shader}, "{socket}", {literal(float(value))})')


def write_look(
    build: Build, owners: Sequence[Known], hue: Color | None, finishes: Mapping[str, float], name: str, *, new: bool
) -> MaterialTopic:
    """A material with a color and finishes for these objects: a new one, or the one that they have."""
    if new:
        var = made_material(build, name)
        topic = topic_of(build, var)
        topics: dict[str, MaterialTopic] = build.memory.setdefault("_material_topics", {})
        build.need("use_material")
        for owner in owners:
            build.line(f"use_material({owner.var}, {var})")
            topics[owner.var] = topic
    else:
        topic = material_for(build, None)
    write_inputs(build, topic, hue, finishes)
    return topic


def write_owner(build: Build, target: Target | None, title: str) -> list[Known] | Many:
    """The objects that get a material."""
    found = build.objects(target)
    del title
    return [found] if isinstance(found, Known) else found


@step(
    "(give|let) {target:object} [have] [a|an] [new] {v:look} [plastic|paint|car paint|rubber] [material|look|finish|surface] [<called> {name:name}] [(:|,|with|«|and|at) {s:settings of ShaderNodeBsdfPrincipled}]",
    "[<add>] [a|an] [new] {v:look} [material|look|finish] [<called> {name:name}] [with {pre:settings of ShaderNodeBsdfPrincipled}] <on> {target:object} [,|with|and] [{s:settings of ShaderNodeBsdfPrincipled}]",
    "(make|paint|color|turn|dye) {target:object} {v:look} [material] [(,|and|with|«|:) {s:settings of ShaderNodeBsdfPrincipled}]",
    "[<set>] {target:object} [be|looks|should look] [like] {v:look} [(,|and|with|«) {s:settings of ShaderNodeBsdfPrincipled}]",
    "[a|new] {v:look} material [<called> {name:name}] for {target:object} [(,|and|with|«) {s:settings of ShaderNodeBsdfPrincipled}]",
    "[<set>|half] {v:look} [:] {pre:settings of ShaderNodeBsdfPrincipled} <on> {target:object}",
    "(make|paint|color|turn) [only] (it|that|this) [one] {v:look}",
)
def look(
    build: Build, target: Target | None, v: Look, name: str | None, s: list[Set] | None, pre: list[Set] | None
) -> None:
    """Give objects a material of this look; the one that they have if it is theirs by this request."""
    hue, finishes, said = v
    values = {key: value for finish in finishes for key, value in finish.items()}
    topic = build.topic
    if target is None and isinstance(topic, MaterialTopic):
        write_inputs(build, topic, hue, values)
        build.note(f"{said} -> the material spoken of")
        return
    found = build.objects(target)
    if isinstance(found, Known) and found.type in {"LIGHT", "CAMERA", "EMPTY"}:
        if found.type == "LIGHT" and hue is not None and not values and "material" not in build.request.lower():
            build.need("expect")
            build.line(f"expect({found.var}.data, bpy.types.Light).color = {literal(hue.rgb)}")
            return
        raise refuse(said, "it shows no material")
    build.comment(f"a {said.lower()} material")
    known = isinstance(found, Known) and found.var in build.memory.get("_material_topics", {})
    if known and isinstance(found, Known) and not name:
        made = build.memory["_material_topics"][found.var]
        write_inputs(build, made, hue, values)
        build.topic = made
    elif isinstance(found, Known) and hue is None and not name and not found.made:
        write_inputs(build, material_for(build, target), None, values)
    elif isinstance(found, Known):
        write_look(build, [found], hue, values, name or titled(said), new=True)
    else:
        title = name or titled(said)
        var = made_material(build, title)
        topic_of(build, var)
        build.need("use_material")
        with build.block(f"for obj in {found.expression}:"):
            if not found.type:
                build.line('if obj.type not in {"MESH", "CURVE", "FONT", "META"}:\n    continue')
            build.line(f"use_material(obj, {var})")
        write_inputs(build, build.topic, hue, values)
    sets = [*(pre or []), *(s or [])]
    if sets:
        write_settings(build, build.topic, sets)
    build.note(f"{said} -> material")


KIND_OF: Final = (
    "[simple|basic|procedural|custom|separate|second|single] [wood|wooden|stone|rock|brick|plastic|paint|car paint|fabric|"
    "leather|paper|concrete|sand|grass|water|rubber|ceramic|clay|skin|rust|lava|ice|snow|marble|metal|tile|wall|floor]"
)
OF_MATERIAL: Final = (
    "~( (to|for|on|onto) {target:object} ; {s:settings of ShaderNodeBsdfPrincipled} ; {pre:settings of ShaderNodeBsdfPrincipled} ;"
    " {v:look} )"
)


@step(
    f"(give|let) {{target:object}} [have] [a|the] [new] {KIND_OF} material [<called>] {{name:name}} {OF_MATERIAL}",
    f"(give|let) {{target:object}} [have] [a] [new] material {OF_MATERIAL}",
    f"(create|add|make|assign|use|put|build|set up|define|register) [a|the] [new] {KIND_OF} material [<called>] {{name:name}} {OF_MATERIAL}",
    f"[new] material [<called>] {{name:name}} (for|on) {{target:object}} {OF_MATERIAL}",
    f"(create|add|make|assign|use|put) [a] [new] material (to|for|on|onto) {{target:object}} [<called> {{name:name}}] {OF_MATERIAL}",
    f"(material|new material) {{name:quoted}} [:|,] {OF_MATERIAL}",
)
def material(
    build: Build,
    name: str | None,
    target: Target | None,
    s: list[Set] | None,
    pre: list[Set] | None,
    v: Look | None = None,
) -> None:
    """A new material for objects; or the one of that name in this request."""
    title = name or "Material"
    before = build.it
    found = build.objects(target) if target is not None else None
    build.comment(f"the material {title}")
    var = made_material(build, title)
    topic = topic_of(build, var)
    if found is not None:
        if isinstance(found, Known) and found.type not in {"", "MESH", "CURVE", "FONT", "META"}:
            raise refuse(target.said if target else found.kind, "it shows no material")
        build.need("use_material")
        if isinstance(found, Known):
            build.line(f"use_material({found.var}, {var})")
            build.memory.setdefault("_material_topics", {})[found.var] = topic
        else:
            with build.block(f"for obj in {found.expression}:"):
                build.line(f"use_material(obj, {var})")
    else:
        build.it = before
    if v is not None:
        write_inputs(build, topic, v[0], {key: value for finish in v[1] for key, value in finish.items()})
    sets = [*(pre or []), *(s or [])]
    if sets:
        write_settings(build, topic, sets)
    build.note(f'material "{title}"')


@step(
    "[<set>] [the] material (of|on|for) {target:object} ['s] [<to>|:|,|with] {s:settings of material}",
    "[<set>] {target:object} ['s] material [<to>|:|,] [to] [a|an] [{look=gold look|metal look|new look|plastic look}] [:] {s:settings of material}",
    "<set> {s:settings of material} (of|on|for|in) [the] [material of] {target:object} ['s] [material]",
    "<set> {s:settings of material} (of|on|for|in) [the] material of {target:object}",
    "[<enable>] {s:settings of material} (of|on|for|in) [the] material (of|on) {target:object}",
    "{s:settings of material} (of|on|for|in) {target:object} ['s] [material]",
    "<set> {s:settings of material} (of|on|for) {target:object} material",
    "(give|make) {target:object} [have] [a|an|the] [{what=car paint look|car paint}] [look] [:|,|with] {s:settings of material}",
    "[<set>] {target:object} [<to>|:|,] {s:settings of material}",
)
def material_settings(build: Build, target: Target, s: list[Set]) -> None:
    """Settings of the material that an object has."""
    topic = material_for(build, target)
    build.comment("set up its material")
    write_settings(build, topic, s)
    build.note(", ".join(each.said for each in s) + f" -> material of {target.said}")


@step(
    "<set> {p:prop of material} (of|for|on) [the] material (of|on) {target:object} to {v:value of p}",
    "<set> {p:prop of material} (of|for|on) [the] material {name:quoted} [<to>] {v:value of p}",
    "<set> {p:prop of material} (of|for|on) {target:object} ['s] [material] [<to>] {v:value of p}",
    "{p:prop of material} (of|for|on) {target:object} ['s] [material] <to> {v:value of p}",
)
def material_property(build: Build, p: tuple[Setting, ...], v: Set, target: Target | None, name: str | None) -> None:
    """One setting of a material, the value at the end."""
    del p
    if name is not None:
        named_settings(build, name, [v])
    elif target is not None:
        material_settings(build, target, [v])


@step("[<set>] {s:settings of material}", "[then] <set> [its] {s:settings of material}")
def material_again(build: Build, s: list[Set]) -> None:
    """Settings of the material that was spoken of last."""
    topic = build.topic
    if not isinstance(topic, MaterialTopic | TextureTopic) or not topic.accepts(build, s):
        raise refuse(s[0].said, "of which material?")
    topic.write(build, s)
    build.note(", ".join(each.said for each in s) + " -> the material spoken of")


@step(
    "<set> {s:settings of material} (of|for|on) [the] material {name:quoted}",
    "[<set>] [the] material {name:quoted} ['s] [<to>|:|,] {s:settings of material}",
    "<set> {s:settings of Material} (of|for|on) [the] material {name:quoted} to {hue:color}",
)
def named_settings(build: Build, name: str, s: list[Set]) -> None:
    """Settings of a material by its name."""
    var = named_material(build, name)
    write_settings(build, topic_of(build, var), s)
    build.note(f'settings of the material "{name}"')


@step(
    "(make|let) {target:object} (glow|emit light|emissive|emit|shine) [in|with] [{hue:color}] [light] [,|with|and|at] [{s:settings of ShaderNodeBsdfPrincipled}]",
    "[<add>] [{hue:color}] (glowing|emissive|emission) [material] (on|for|to) {target:object} [,|with|and] [{s:settings of ShaderNodeBsdfPrincipled}]",
    "(give|let) {target:object} [have] [an] (emission|emissive|glowing) [material] [of|in|with] [color] [{hue:color}] [,|with|and] [{s:settings of ShaderNodeBsdfPrincipled}]",
    "[<add>] (emission|emissive) [material] [in|of] {hue:color} [,|with|and] [{pre:settings of ShaderNodeBsdfPrincipled}] (on|for|to) {target:object}",
)
def glow(build: Build, target: Target, hue: Color | None, s: list[Set] | None, pre: list[Set] | None) -> None:
    """Let a surface emit light."""
    topic = material_for(build, target)
    build.comment("let it glow")
    shader = shader_var(build, topic)
    if hue is not None:
        build.line(f'set_input({shader}, "Emission Color", {literal((*hue.rgb, 1.0))})')
    sets = [*(pre or []), *(s or [])]
    chosen = build.choose(sets, (Place("", PRINCIPLED),), "the shader")
    chosen = [(as_emission(build, setting), value) for setting, value in chosen]
    if not any(setting.socket == "Emission Strength" for setting, _ in chosen):
        build.line(f'set_input({shader}, "Emission Strength", 1.0)')
    build.assign(shader, chosen)
    build.note("emission")


def as_emission(build: Build, setting: Setting) -> Setting:
    """ "strength" of something that glows is its emission strength."""
    del build
    return setting


@step(
    "(give|make) {target:object} [a|an] (metal|metallic) [material|look] [{s:settings of ShaderNodeBsdfPrincipled}]",
    "[<add>] glass [material|shader] (for|on|to) {target:object} [,|with] [{s:settings of ShaderNodeBsdfPrincipled}]",
    "(give|make) {target:object} [a|an|of] glass [material] [,|with] [{s:settings of ShaderNodeBsdfPrincipled}]",
)
def finish(build: Build, target: Target, s: list[Set] | None) -> None:
    """Glass, through transmission."""
    topic = material_for(build, target)
    shader = shader_var(build, topic)
    for socket, value in {"Transmission Weight": 1.0, "Roughness": 0.0}.items():
        build.line(f'set_input({shader}, "{socket}", {value})')
    if s:
        build.assign(shader, build.choose(s, (Place("", PRINCIPLED),), "the shader"))
    build.note("glass")


@step(
    "(assign|give|apply|add|use) (it|this material|that material|the material) (to|on|for) {target:object}",
    "(assign|give|apply|put) [the] material {name:quoted} (to|on|onto) {target:object}",
    "(assign|give|use) {target:object} [the] material {name:quoted}",
)
def assign_material(build: Build, target: Target, name: str | None) -> None:
    """Let objects have the material spoken of, or one by its name."""
    topic = build.topic
    if name is None:
        if not isinstance(topic, MaterialTopic):
            raise refuse("it", "which material?")
        var = topic.var
    else:
        var = named_material(build, name)
    build.need("use_material")
    with build.each(target, type_="MESH") as known:
        build.line(f"use_material({known.var}, {var})")
        if known.var != "obj":
            build.memory.setdefault("_material_topics", {})[known.var] = topic_of(build, var)
    build.note("material assigned")


@step(
    "[<set>] {s:settings of material} (of|on|for|in) (all|every|each) [of the] (material|materials) [in the (file|scene|blend file)]",
    "<set> {p:prop of material} (of|on|for|in) (all|every|each) [of the] (material|materials) [in the (file|scene|blend file)] to {v:value of p}",
    "[<set>] (all|every|each) [of the] (material|materials) [in the (file|scene|blend file)] [to|have|:] {s:settings of material}",
)
def every_material(build: Build, s: list[Set] | None, p: tuple[Setting, ...] | None, v: Set | None) -> None:
    """Settings of every material that has nodes."""
    del p
    sets = s if s is not None else [v] if v is not None else []
    build.comment("every material")
    with build.block("for material in bpy.data.materials:"):
        build.line("if material.node_tree is None:\n    continue")
        write_settings(build, MaterialTopic("material", material_places(build), "material"), sets)
    build.topic = None
    build.note("every material")


@step(
    "rename [the] material of {target:object} [to|into|as] {name:name}",
    "rename {target:object} ['s] material [to|into|as] {name:name}",
    "rename [the] material {old:quoted} [to|into|as] {name:name}",
    "(call|name) [the] material of {target:object} {name:name}",
)
def rename_material(build: Build, target: Target | None, old: str | None, name: str) -> None:
    """Give a material another name."""
    if old is not None:
        build.once()
        var = named_material(build, old)
        topic_of(build, var)
    else:
        var = material_for(build, target).var
    build.line(f"{var}.name = {quoted(name)}")
    build.note(f'material renamed to "{name}"')


@step(
    "<remove> [all|every|any|each] [the] [material] (slots|slot|materials|material slots|material) (from|of|on) {target:object}",
    "<remove> [all] {target:object} ['s] (materials|material slots|material)",
)
def clear_materials(build: Build, target: Target) -> None:
    """Empty the material slots."""
    if target.name == "empty":
        raise refuse(target.said, "an empty has no materials")
    with build.each(target) as known:
        if known.var == "obj":
            build.line(
                'materials = getattr(obj.data, "materials", None)\nif materials is not None:\n    materials.clear()'
            )
        else:
            build.need("mesh_of")
            build.line(f"mesh_of({known.var}).materials.clear()")
    build.note("material slots removed")


@step(
    "(give|set|add) [the] material {name:quoted} a fake user",
    "(give|set) [a] fake user (for|on|to) [the] material {name:quoted}",
    "(keep|protect) [the] material {name:quoted} with a fake user",
)
def fake_user(build: Build, name: str) -> None:
    """Keep a material in the file though nothing uses it."""
    build.line(f"{named_material(build, name)}.use_fake_user = True")
    build.note("fake user")


@step(
    "(give|assign|add|put) {target:object} both [,] {first:name} in [the] first slot and {second:name} in [the] second [slot] [one]",
    "(give|assign|add) both [materials] to {target:object}",
)
def two_slots(build: Build, target: Target, first: str | None, second: str | None) -> None:
    """Two materials of this request in two slots."""
    made: dict[str, str] = build.memory.setdefault("_materials", {})
    if first is None or second is None:
        names = list(made)
        if len(names) != 2:
            raise refuse(target.said, "which two?")
        first, second = names
    if first not in made or second not in made:
        raise refuse(first, "the request makes no such material")
    known = build.one(target)
    build.need("mesh_of")
    build.line(
        f"slots = mesh_of({known.var}).materials\nslots.clear()\nslots.append({made[first]})\nslots.append({made[second]})"
    )
    build.note("two material slots")


@step(
    "assign {name:name} to [the] {side=top|bottom|front|back|left|right} face [only] [of {target:object}]",
    "(give|assign) [only] [the] {side=top|bottom|front|back|left|right} face [of {target:object}] [the] [material] {name:name}",
)
def face_material(build: Build, name: str, side: str, target: Target | None) -> None:
    """Let the faces of one side have a material of their own."""
    from app.drafting.composer.steps.meshes import FACES

    known = build.one(target)
    made: dict[str, str] = build.memory.setdefault("_materials", {})
    var = made.get(name) or named_material(build, name)
    axis, sign = FACES[side]
    build.need("mesh_of")
    build.line(
        f"faces = mesh_of({known.var})\nif {var}.name not in faces.materials:\n    faces.materials.append({var})"
    )
    side_test = f"if face.normal.{'xyz'[axis]} {'>' if sign > 0 else '<'} {0.9 * sign}:"
    with build.block("for face in faces.polygons:"), build.block(side_test):
        build.line(f"face.material_index = faces.materials.find({var}.name)")
    build.note(f"{name} -> the {side} face")


@step(
    "create two materials [,] {first:name} [«] {hue1:color} [»] and {second:name} [«] {hue2:color} [»]",
    "(create|make|add) two materials [,] {first:name} [«] {hue1:color} [»] [,] and {second:name} [«] {hue2:color} [»]",
)
def two_materials(build: Build, first: str, second: str, hue1: Color, hue2: Color) -> None:
    """Two new materials."""
    for name, hue in ((first, hue1), (second, hue2)):
        topic = topic_of(build, made_material(build, name))
        build.line(f'set_input({shader_var(build, topic)}, "Base Color", {literal((*hue.rgb, 1.0))})')
        build.line(f"{topic.var}.diffuse_color = {literal((*hue.rgb, 1.0))}")
    build.note(f"materials {first} and {second}")


@step(
    "(copy|duplicate) [the] material of {source:object of one} (to|for|onto) {target:object} [as [an] [independent|own|separate] [material] [copy] [<called> {name:name}]] [and make [only] that [one] {hue:color}]",
    "(assign|give|link|use|copy) [the] material of {source:object of one} (to|for|on) {target:object}",
    "(give|assign) {target:object} [the] [same] material (as|of) {source:object of one}",
)
def copy_material(build: Build, source: Target, target: Target, name: str | None, hue: Color | None) -> None:
    """Let an object have the material of another, or a copy of it."""
    origin = material_for(build, source).var
    known = build.one(target)
    build.need("use_material")
    if name:
        var = build.var(f"{name} material")
        build.line(f"{var} = bpy.data.materials.get({quoted(name)}) or {origin}.copy()\n{var}.name = {quoted(name)}")
    else:
        var = origin
    build.line(f"use_material({known.var}, {var})")
    topic = topic_of(build, var)
    build.memory.setdefault("_material_topics", {})[known.var] = topic
    if hue is not None:
        build.line(f'set_input({shader_var(build, topic)}, "Base Color", {literal((*hue.rgb, 1.0))})')
    build.note("material copied")


# --- textures -----------------------------------------------------------------------------------------------


def add_node(build: Build, tree: str, kind: NodeType, place: tuple[float, float], name: str = "") -> str:
    """The variable of a node, a new one in the tree the first time."""
    build.need("node_named")
    var = build.var(name or kind.label)
    given = f'{tree}, {quoted(name or kind.label)}, "{kind.identifier}", {literal(place)}'
    build.line(f"{var} = node_named({given})" if len(var + given) < WIDTH else f"{var} = node_named(\n    {given}\n)")
    return var


def node_settings(build: Build, var: str, kind: NodeType, sets: Sequence[Set]) -> None:
    """Inputs and settings of a node."""
    chosen = build.choose(sets, (Place("", kind.identifier),), f"the {kind.label} node")
    inputs = [each for each in chosen if each[0].socket]
    own = [each for each in chosen if not each[0].socket]
    if own:
        build.need("expect")
        build.assign(f"expect({var}, bpy.types.{kind.identifier})", own)
    build.assign(var, inputs)


def tree_var(build: Build, topic: MaterialTopic) -> str:
    """The variable of the nodes of a material."""
    trees: dict[str, str] = build.memory.setdefault("_trees", {})
    if topic.var not in trees:
        build.need("tree_of")
        trees[topic.var] = build.var("tree")
        build.line(f"{trees[topic.var]} = tree_of({topic.var})")
    return trees[topic.var]


def output_of(kind: NodeType, wanted: str) -> str:
    """The output that carries a color or a number."""
    names = [socket.name for socket in kind.outputs if socket.enabled]
    order = (
        ("Color", "Image", "Fac", "Factor", "Distance", "Result")
        if wanted == "color"
        else ("Fac", "Factor", "Distance", "Height", "Color", "Result")
    )
    return next((name for name in order if name in names), names[0])


INPUTS: Final = "base color|color|roughness|metallic|alpha|emission color|emission|height|bump|normal|displacement|specular|transmission"
SOCKET: Final = {
    "base color": "Base Color",
    "color": "Base Color",
    "roughness": "Roughness",
    "metallic": "Metallic",
    "alpha": "Alpha",
    "emission color": "Emission Color",
    "emission": "Emission Color",
}


@step(
    "[<add>] {node:node of ShaderNodeTree} [texture] [node] [,|with|«|:] [{s:settings of node}] [»] [,] (into|to|in|for|as|on|feeding|driving|drives|connected to|plugged into) [the] {socket=base color|color|roughness|metallic|alpha|emission color|emission} [input] (of|on|for|in) {target:object} ['s] [material]",
    "(connect|plug|feed|link|use) [a|an] {node:node of ShaderNodeTree} [texture] [node] [,|with|«|:] [{s:settings of node}] [»] [,] (into|to|in|for|as|on) [the] {socket=base color|color|roughness|metallic|alpha|emission color|emission} [input] (of|on|for|in) {target:object} ['s] [material]",
    "(drive|control) [the] {socket=base color|color|roughness|metallic|alpha} (of|on) {target:object} ['s] [material] (with|by) [a|an] {node:node of ShaderNodeTree} [texture] [,|with|«] [{s:settings of node}]",
    "[<add>] {node:node of ShaderNodeTree} [texture] [node] [,|with|«] [{s:settings of node}] [»] (on|to) {target:object} ['s] [material]",
    "[on|in|to] [the] material of {target:object} [,] (put|add|use|insert) [a|an] {node:node of ShaderNodeTree} [texture] [node] [,|with|«] [{s:settings of node}] [»]  [[between] {c1:color} and {c2:color}] [[,] and drive [the] {socket=base color|roughness|metallic} with it]",
)
def texture(
    build: Build,
    node: NodeType,
    target: Target,
    s: list[Set] | None,
    socket: str | None,
    c1: Color | None,
    c2: Color | None,
) -> None:
    """A texture into an input of the Principled shader."""
    if "Tex" not in node.identifier:
        raise refuse(node.label, "no texture")
    topic = material_for(build, target)
    socket = socket or "base color"
    build.comment(f"a {node.label.lower()} for the {socket}")
    shader, tree = shader_var(build, topic), tree_var(build, topic)
    var = add_node(build, tree, node, (-400.0, 200.0))
    node_settings(build, var, node, s or [])
    if c1 is not None and c2 is not None:
        names = [each.name for each in node.inputs if each.type == "NodeSocketColor"][:2]
        if len(names) != 2:
            raise refuse(node.label, "it has no two colors")
        for name, hue in zip(names, (c1, c2), strict=True):
            build.line(f'set_input({var}, "{name}", {literal((*hue.rgb, 1.0))})')
        build.need("set_input")
    build.need("socket_of")
    wanted = "color" if "color" in socket or socket == "emission" else "number"
    build.line(
        f'{tree}.links.new(socket_of({var}.outputs, "{output_of(node, wanted)}"), {shader}.inputs["{SOCKET[socket]}"])'
    )
    build.topic = TextureTopic(var, (Place("", node.identifier),), node.label, topic)
    build.note(f"{node.label} -> {socket}")


@dataclass
class TextureTopic(Topic):
    """A texture node that was spoken of, or the material it is in."""

    material: MaterialTopic

    def accepts(self, build: Build, sets: Sequence[Set]) -> bool:
        """Its own settings, else those of its material."""
        return super().accepts(build, sets) or self.material.accepts(build, sets)

    def write(self, build: Build, sets: Sequence[Set]) -> None:
        """Set them."""
        if super().accepts(build, sets):
            build.assign(self.var, build.choose(sets, self.places, self.title))
        else:
            build.topic = self.material
            self.material.write(build, sets)


@step(
    "{node:node of ShaderNodeTree} [texture] [,|«] [{s:settings of node}] [»] [,] (through|via|into) [a] color ramp (from|between|with) {c1:color} (to|and) {c2:color} (into|to|for|as) [the] {socket=base color|color|roughness|emission color} [, {more:settings of ShaderNodeBsdfPrincipled}]",
    "(use|add|put|connect) [a] {node:node of ShaderNodeTree} [texture] [,|«] [{s:settings of node}] [»] [,] (through|via|into) [a] color ramp (from|between|with) {c1:color} (to|and) {c2:color} (into|to|for|as) [the] {socket=base color|color|roughness|emission color} [of {target:object}] [, {more:settings of ShaderNodeBsdfPrincipled}]",
    "(give|let) {target:object} [have] [a] new material <called> {name:name} [:|,|with] [a] {node:node of ShaderNodeTree} [texture] [,|«] [{s:settings of node}] [»] [,] (through|via|into) [a] color ramp (from|between|with) {c1:color} (to|and) {c2:color} (into|to|for|as) [the] {socket=base color|color|roughness|emission color} [, {more:settings of ShaderNodeBsdfPrincipled}]",
)
def ramp(
    build: Build,
    node: NodeType,
    s: list[Set] | None,
    c1: Color,
    c2: Color,
    socket: str,
    target: Target | None,
    name: str | None,
    more: list[Set] | None,
) -> None:
    """A texture through a color ramp."""
    if name is not None:
        material(build, name, target, None, None)
        topic = build.topic
    elif target is not None:
        topic = material_for(build, target)
    else:
        topic = build.topic if isinstance(build.topic, MaterialTopic) else material_for(build, None)
    shader, tree = shader_var(build, topic), tree_var(build, topic)
    var = add_node(build, tree, node, (-700.0, 200.0))
    node_settings(build, var, node, s or [])
    build.need("expect", "socket_of")
    ramp_var = add_node(build, tree, build.lexicon.manifest.nodes["ShaderNodeValToRGB"], (-400.0, 200.0), "Color Ramp")
    build.line(f"colors = expect(expect({ramp_var}, bpy.types.ShaderNodeValToRGB).color_ramp, bpy.types.ColorRamp)")
    build.line(
        f"colors.elements[0].color = {literal((*c1.rgb, 1.0))}\ncolors.elements[1].color = {literal((*c2.rgb, 1.0))}"
    )
    build.line(f'{tree}.links.new(socket_of({var}.outputs, "{output_of(node, "number")}"), {ramp_var}.inputs[0])')
    build.line(f'{tree}.links.new({ramp_var}.outputs["Color"], {shader}.inputs["{SOCKET[socket]}"])')
    if more:
        write_settings(build, topic, more)
    build.topic = topic
    build.note(f"{node.label} -> color ramp -> {socket}")


@step(
    "(add|use|put) [a] bump [node] [to|on|in] [the] [material of] {target:object} ['s] [material] [:|,|with] [a] {node:node of ShaderNodeTree} [texture] [,|«] [with] [{s:settings of node}] [»] [feeds|into|drives|through|as] [the] [height] [,] [with] [{b:settings of ShaderNodeBump}] [, and the result goes into the normal of the principled shader]",
    "[<add>] {node:node of ShaderNodeTree} [texture] [,|«] [with] [{s:settings of node}] [»] (as|through|via|into) [a] bump [map|node] [with|,] [{b:settings of ShaderNodeBump}] (on|for|to) {target:object}",
    "(give|add) {target:object} [a] bump [map] (from|with|using|of) [a] {node:node of ShaderNodeTree} [texture] [,|«] [with] [{s:settings of node}] [»] [,] [{b:settings of ShaderNodeBump}]",
)
def bump(build: Build, node: NodeType, target: Target, s: list[Set] | None, b: list[Set] | None) -> None:
    """A texture as bumps on a surface."""
    if "Tex" not in node.identifier:
        raise refuse(node.label, "no texture")
    topic = material_for(build, target)
    shader, tree = shader_var(build, topic), tree_var(build, topic)
    var = add_node(build, tree, node, (-600.0, -200.0))
    node_settings(build, var, node, s or [])
    bump_node = build.lexicon.manifest.nodes["ShaderNodeBump"]
    bump_var = add_node(build, tree, bump_node, (-300.0, -200.0))
    node_settings(build, bump_var, bump_node, b or [])
    build.need("socket_of")
    build.line(
        f'{tree}.links.new(socket_of({var}.outputs, "{output_of(node, "number")}"), {bump_var}.inputs["Height"])'
    )
    build.line(f'{tree}.links.new({bump_var}.outputs["Normal"], {shader}.inputs["Normal"])')
    build.topic = topic
    build.note(f"{node.label} -> bump")


@step(
    "mix [a|an] {one:node of ShaderNodeTree} and [a|an] {two:node of ShaderNodeTree} [shader] [(half and half|50/50|equally)] [with factor {n:n}] (on|in|for) [a] [new] [material] [<called>] [{name:name}] [for|of|on] [{target:object}] [and connect the mix to the material output]",
    "mix [a|an] {one:node of ShaderNodeTree} and [a|an] {two:node of ShaderNodeTree} [shader] half and half (on|in|for) [a] new material {name:quoted} for {target:object}",
    "connect the mix to [the] material output",
)
def mix(
    build: Build, one: NodeType | None, two: NodeType | None, n: float | None, name: str | None, target: Target | None
) -> None:
    """Two shaders mixed."""
    if one is None or two is None:
        if "mix" not in build.used:
            raise refuse("the mix", "nothing was mixed")
        return
    build.used.add("mix")
    if name is None:
        topic = material_for(build, target)
    else:
        material(build, name, target, None, None)
        topic = build.topic
    tree = tree_var(build, topic)
    first = add_node(build, tree, one, (-300.0, 300.0))
    second = add_node(build, tree, two, (-300.0, 100.0))
    mixed = add_node(build, tree, build.lexicon.manifest.nodes["ShaderNodeMixShader"], (0.0, 200.0))
    build.need("set_input")
    build.line(f"factor: Any = {mixed}.inputs[0]\nfactor.default_value = {literal(float(n if n is not None else 0.5))}")
    build.imports("typing: Any")
    build.line(
        f"{tree}.links.new({first}.outputs[0], {mixed}.inputs[1])\n{tree}.links.new({second}.outputs[0], {mixed}.inputs[2])"
    )
    build.line(f'output = next(node for node in {tree}.nodes if node.type == "OUTPUT_MATERIAL")')
    build.line(f'{tree}.links.new({mixed}.outputs[0], output.inputs["Surface"])')
    build.note("two shaders mixed")


@step(
    "(generate|create|make|add) [a] [new] {w:int} [x|by] {h:int} [px|pixel|pixels] image {name:name} [of|with] [the] [generated] [type] {kind=uv grid|color grid|blank|uv test grid} [and use it as [the] base color of {target:object} ['s] [material]]",
    "(generate|create|make|add) [a|an] [new] image [of] {w:int} [x|by] {h:int} [px|pixels] [<called>] {name:name} [,] [of|with] [the] [generated] [type] [{kind=uv grid|color grid|blank|black}]",
    "(generate|create|make|add) [a] [new] image {name:name} [of|with] [size|resolution] {w:int} [x|by] {h:int} [px|pixels] [,] [of|with] [the] [generated] [type] [{kind=uv grid|color grid|blank}] [and use it as [the] base color of {target:object} ['s] [material]]",
)
def image(build: Build, w: int, h: int, name: str, kind: str | None, target: Target | None) -> None:
    """A generated image, perhaps as the base color of a material."""
    text = quoted(name)
    var = build.var("image")
    build.comment(f"the image {name}")
    build.line(f"{var} = bpy.data.images.get({text}) or bpy.data.images.new({text}, {w}, {h})")
    item = {"uv grid": "UV_GRID", "uv test grid": "UV_GRID", "color grid": "COLOR_GRID"}.get(kind or "", "BLANK")
    build.line(f'{var}.generated_type = "{item}"')
    if target is not None:
        topic = material_for(build, target)
        shader, tree = shader_var(build, topic), tree_var(build, topic)
        node = build.lexicon.manifest.nodes["ShaderNodeTexImage"]
        node_var = add_node(build, tree, node, (-400.0, 200.0))
        build.need("expect")
        build.line(f"expect({node_var}, bpy.types.ShaderNodeTexImage).image = {var}")
        build.line(f'{tree}.links.new({node_var}.outputs["Color"], {shader}.inputs["Base Color"])')
        build.memory["_image_node"] = (node_var, tree)
        build.topic = TextureTopic(node_var, (Place("", node.identifier),), node.label, topic)
    build.note(f'image "{name}"')


@step(
    "(switch|set) [the] image texture to {how=closest|linear|cubic|smart} [interpolation|filtering] [(no smoothing)]",
)
def interpolation(build: Build, how: str) -> None:
    """How the pixels of an image are mixed."""
    node = image_node(build)
    build.need("expect")
    build.line(f'expect({node[0]}, bpy.types.ShaderNodeTexImage).interpolation = "{how.title()}"')
    build.note(f"interpolation {how}")


@step(
    "repeat it {n:n} [times|time] in both directions (through|with|via|using) [a] mapping node [on [the] uv [coordinates]]",
    "(no smoothing|without smoothing)",
)
def repeat_image(build: Build, n: float | None) -> None:
    """Repeat a texture through a Mapping node."""
    node, tree = image_node(build)
    if n is None:
        return
    nodes = build.lexicon.manifest.nodes
    coordinates = add_node(build, tree, nodes["ShaderNodeTexCoord"], (-900.0, 200.0))
    mapping = add_node(build, tree, nodes["ShaderNodeMapping"], (-650.0, 200.0))
    build.need("set_input")
    build.line(f'set_input({mapping}, "Scale", {literal((float(n), float(n), 1.0))})')
    build.line(f'{tree}.links.new({coordinates}.outputs["UV"], {mapping}.inputs["Vector"])')
    build.line(f'{tree}.links.new({mapping}.outputs["Vector"], {node}.inputs["Vector"])')
    build.note("mapped")


def image_node(build: Build) -> tuple[str, str]:
    """The image texture that the request made, and its tree."""
    found: tuple[str, str] | None = build.memory.get("_image_node")
    if found is None:
        raise refuse("image texture", "the request makes none")
    return found
