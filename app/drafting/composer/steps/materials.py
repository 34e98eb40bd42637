"""Materials: how a surface looks, the inputs of its Principled shader, textures and other shaders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import cos, radians
from pathlib import PurePath
from typing import Final

from app.drafting.composer.build import WIDTH, Build, Known
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Lexicon, Place, Setting, as_property
from app.drafting.composer.patterns import Env, Reading, compile_pattern, slot
from app.drafting.composer.slots import Set, Target, known_name, settings, skip, target
from app.drafting.composer.slots import whole_number as number_at
from app.drafting.composer.steps.modifiers import Topic
from app.drafting.composer.values import Color, Degrees, Quantity, fitted, literal, quoted, refuse, titled
from ingest.manifest import NodeType

PRINCIPLED: Final = "ShaderNodeBsdfPrincipled"
BRICK: Final = "ShaderNodeTexBrick"
SHOWING: Final = frozenset({"MESH", "CURVE", "FONT", "META", "SURFACE"})
"""Types of objects that show a material."""
Look = tuple[Color | None, tuple[Mapping[str, float], ...], str]


@dataclass
class MaterialTopic(Topic):
    """A material that was spoken of: its shader's inputs, and its own settings."""

    shader: str = ""
    made: bool = False
    world: bool = False
    """Whether these are the nodes of the world: its Background is the shader."""
    said: set[str] = field(default_factory=set[str])
    """The inputs of its shader that were set."""

    def write(self, build: Build, sets: Sequence[Set]) -> None:
        """Set inputs of the shader, or settings of the material."""
        write_settings(build, self, sets)


def material_places(build: Build) -> tuple[Place, ...]:
    """Where settings of a material may be."""
    return (Place("", PRINCIPLED), *build.lexicon.places("Material"))


def topic_of(build: Build, var: str) -> MaterialTopic:
    """Speak of the material in this variable from here on."""
    topics: dict[str, MaterialTopic] = build.memory.setdefault("_topics", {})
    if var not in topics:
        made = var in build.memory.get("_made", ())
        topics[var] = MaterialTopic(var, material_places(build), "material", made=made)
    build.topic = topics[var]
    return topics[var]


PLAIN_COLOR: Final = re.compile(r"\W*((its|the|a|with|and|set|of|in) )*colou?rs?\b", re.IGNORECASE)
"""Words for a color that do not say which of the shader's."""


TINTED: Final = re.compile(r"\W*(\w+ )*tint", re.IGNORECASE)
TINTS: Final = {"Coat Weight": "Coat Tint", "Sheen Weight": "Sheen Tint"}
"""What the tint is of that is said right behind an input."""


def of_glow(build: Build, sets: Sequence[Set]) -> list[Set]:
    """The settings with a color that is said right behind the strength of the emission as the color of that, and a
    tint behind the weight of the coat or sheen as its tint.
    """
    found: list[Set] = []
    glows, tint = False, ""
    for one in sets:
        socket, value = (one.options[0][0].socket, one.options[0][1]) if one.options else ("", None)
        if glows and socket == "Base Color" and (not one.key or PLAIN_COLOR.match(one.said)):
            found.append(Set(((input_of(build.lexicon, "Emission Color"), value),), one.said))
            continue
        if socket == "Base Color" and TINTED.match(one.said):
            if not tint:
                raise refuse(one.said, "the tint of the coat, of the sheen, or the base color?")
            found.append(Set(((input_of(build.lexicon, tint), value),), one.said))
            continue
        tint = TINTS.get(socket, tint)
        glows = socket == "Emission Strength" and isinstance(value, int | float) and value > 0
        found.append(one)
    return found


def input_of(lexicon: Lexicon, name: str) -> Setting:
    """An input of the Principled shader by its name."""
    socket = next(each for each in lexicon.manifest.nodes[PRINCIPLED].inputs if each.name == name)
    return Setting(Place("", PRINCIPLED), as_property(socket), name)


def write_settings(build: Build, topic: MaterialTopic, sets: Sequence[Set]) -> None:
    """Lines that set inputs of the shader, or settings of the material."""
    sets = of_glow(build, sets)
    chosen = build.choose(sets, topic.places, "a material")
    inputs = [(setting, value) for setting, value in chosen if setting.socket]
    if inputs:
        build.assign(shader_var(build, topic), inputs)
        topic.said |= {setting.socket for setting, _ in inputs}
        if "Emission Color" in topic.said and "Emission Strength" not in topic.said:
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
    if known.type and known.type not in SHOWING:
        raise refuse(target.said if target else known.kind, "it shows no material")
    topics: dict[str, MaterialTopic] = build.memory.setdefault("_material_topics", {})
    if known.var not in topics:
        build.need("material_of")
        var = build.var("material")
        build.line(f"{var} = material_of({known.var})")
        topics[known.var] = topic_of(build, var)
    build.topic = topics[known.var]
    return topics[known.var]


def spoken_material(build: Build) -> MaterialTopic | None:
    """The material that was spoken of last, if there is one."""
    topic = build.topic.material if isinstance(build.topic, TextureTopic) else build.topic
    return topic if isinstance(topic, MaterialTopic) else None


def material_by(build: Build, name: str | None, target: Target | None) -> MaterialTopic:
    """The material of a name, else that of an object."""
    return topic_of(build, named_material(build, name)) if name else material_for(build, target)


def material_called(build: Build, name: str) -> MaterialTopic:
    """The material of this name, or that of the object called so: the request does not say which."""
    made: dict[str, str] = build.memory.setdefault("_materials", {})
    if name not in made:
        build.need("material_called")
        made[name] = build.var(f"{name} material")
        build.line(f"{made[name]} = material_called({quoted(name)})")
    return topic_of(build, made[name])


def made_material(build: Build, name: str) -> str:
    """The variable of the material that this request makes under a name."""
    made: dict[str, str] = build.memory.setdefault("_materials", {})
    if name not in made:
        build.need("new_material")
        made[name] = build.var(f"{name} material")
        build.memory.setdefault("_made", set()).add(made[name])
        build.line(f"{made[name]} = new_material({quoted(name)})")
    return made[name]


def named_material(build: Build, name: str, *, make: bool = False) -> str:
    """The variable of a material by its name: one of this request, else one that is there, or else perhaps a new one."""
    made: dict[str, str] = build.memory.setdefault("_materials", {})
    if name not in made:
        made[name] = build.var(f"{name} material")
        text = quoted(name)
        if make:
            build.need("new_material")
            build.line(f"{made[name]} = bpy.data.materials.get({text}) or new_material({text})")
        else:
            build.line(f"{made[name]} = bpy.data.materials[{text}]")
    return made[name]


def image_of(build: Build, path: str, space: str = "") -> str:
    """The variable of an image of a file, or of one that the file has under this name, with its color space."""
    images: dict[str, str] = build.memory.setdefault("_images", {})
    if path.lower().endswith((".txt", ".csv", ".json", ".py", ".blend")):
        raise refuse(path, "this is no image")
    if path not in images:
        images[path] = build.var(f"{PurePath(path).stem} image")
        if "." not in path:
            build.line(f"{images[path]} = bpy.data.images[{quoted(path)}]")
        else:
            here = path.startswith("//")
            build.imports(*(() if here else ("pathlib: Path",)))
            place = quoted(path) if here else f"str(Path({quoted(path)}).resolve())"
            build.line(f"{images[path]} = bpy.data.images.load({place}, check_existing=True)")
        if space:
            build.imports("typing: Any")
            settings_ = build.var("color space")
            build.line(f'{settings_}: Any = {images[path]}.colorspace_settings\n{settings_}.name = "{space}"')
    return images[path]


METALS: Final = frozenset({
    "gold", "silver", "copper", "bronze", "chrome", "brass", "steel", "iron", "aluminium", "aluminum", "platinum",
})  # fmt: skip
METAL: Final = {"Metallic": 1.0, "Roughness": 0.2}


def is_metal(build: Build, said: str) -> bool:
    """Whether a color is that of a metal, and stands for the metal: "gold", not "gold-colored"."""
    colored = any(word in build.request.lower() for word in ("colored", "coloured"))
    return not colored and any(word in METALS for word in said.lower().split())


def write_inputs(build: Build, topic: MaterialTopic, hue: Color | None, finishes: Mapping[str, float]) -> None:
    """A color and finishes as inputs of the shader of a material."""
    if hue is None and not finishes:
        return
    shader = shader_var(build, topic)
    if hue is not None:
        rgba = literal((*hue.rgb, 1.0))
        build.line(f'set_input({shader}, "Base Color", {rgba})')
        build.line(f"{topic.var}.diffuse_color = {rgba}  # for Workbench")
    topic.said |= set(finishes)
    for socket, value in finishes.items():
        build.line(f'set_input({shader}, "{socket}", {literal(float(value))})')


SHADING: Final = frozenset({"smooth", "flat"})
"""Finishes that say how faces are shaded, unless a material is spoken of."""
OF_SURFACES: Final = re.compile(r"material|surface|rough|finish|paint|colou?r|shader", re.IGNORECASE)


def write_look(
    build: Build, owners: Sequence[Known], hue: Color | None, finishes: Mapping[str, float], name: str, *, new: bool
) -> MaterialTopic:
    """A material with a color and finishes for these objects: a new one, or the one that they have."""
    if hue is None and name.lower() in SHADING and not OF_SURFACES.search(build.request):
        raise refuse(name, "how its faces are shaded, or a material?")
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


SUBSTANCES: Final = frozenset({"wood", "wooden", "stone", "rock", "brick", "paper", "sand", "grass", "clay", "rust"})
"""What a material may be like without a finish that is called so."""
MATERIAL_WORDS: Final = SUBSTANCES | {
    "simple", "basic", "plain", "procedural", "custom", "separate", "second", "single", "paint", "full", "pbr", "node", "shared",
}  # fmt: skip
"""Words that say what a material is good for, when they stand before "material"."""


@step(
    "(assign|give|apply|add|use) (it|this material|that material|the material) (to|on|for) {target:object} [and [also] (to|on|for) {second:object}]",
    "(assign|give|apply|put) [the] material {name:quoted} (to|on|onto) {target:object}",
    "(assign|give|use) {target:object} [the] material {name:quoted}",
    "{target:object} (to|:|gets|get|becomes|uses|use|wears|wear|should use|should get|must get|has to use|share|shares) [the] [same|one] material {name:quoted} [from now on]",
    "[the] material {name:quoted} (to|onto) {target:object}",
)
def assign_material(build: Build, target: Target, name: str | None, second: Target | None) -> None:
    """Let objects have the material spoken of, or one by its name."""
    topic = build.topic
    if name is None:
        if not isinstance(topic, MaterialTopic):
            raise refuse("it", "which material?")
        var = topic.var
    else:
        var = named_material(build, name)
    build.need("use_material")
    for goal in (target, second) if second else (target,):
        with build.each(goal, type_="MESH") as known:
            build.line(f"use_material({known.var}, {var})")
            if known.var != "obj":
                build.memory.setdefault("_material_topics", {})[known.var] = topic_of(build, var)
    build.note("material assigned")


@step(
    "rename [the] material of {target:object} [to|into|as] {name:name}",
    "rename {target:object} ['s] material [to|into|as] {name:name}",
    "(call|name) [the] material of {target:object} {name:name}",
    "let {target:object} 's material be (called|named) {name:name}",
    "{target:object} 's material should be (called|named) {name:name}",
    "(call|name) (the|this|that) material {name:name}",
)
def rename_material(build: Build, target: Target | None, name: str) -> None:
    """Give the material of an object, or the one spoken of, another name."""
    topic = material_for(build, target) if target else spoken_material(build)
    if topic is None:
        raise refuse(name, "which material is called so?")
    build.line(f"{topic.var}.name = {quoted(name)}")
    build.note(f'material renamed to "{name}"')


@step(
    "<remove> [all|every|any|each] [the] [material] (slots|slot|materials|material slots|material) (from|of|on) {target:object}",
    "<remove> [all] {target:object} ['s] (materials|material slots|material)",
    "take [all] [the] (material|materials) off {target:object}",
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


EVERYWHERE: Final = "everywhere|in the file|in the scene|in every slot|in all slots|on all of them|wherever it is used|wherever it is assigned|(on|in|for) (every|each|any|all) (object|mesh) [that (uses|use|has|have) it|with it|using it|it is on]"


@step(
    f"(replace|swap|exchange|substitute) [all|every] [uses|use|users] [of] [the] [material] {{old:known}} [material] (with|by|for|to) [the] [material] {{new:known}} [material] ~( {EVERYWHERE} ; {{drop:gone}} )",
    f"(use|put|assign) [the] [material] {{new:known}} [material] instead of [the] [material] {{old:known}} [material] ~( {EVERYWHERE} ; {{drop:gone}} )",
    "(wherever|where|on everything that) [the] [material] {old:known} [material] (is|was) (used|assigned) [,] (use|put|assign|should be|goes|comes) [the] [material] {new:known} [material] [instead] ~( {drop:gone} )",
    "(use|put|assign) [the] [material] {new:known} [material] (wherever|where) [the] [material] {old:known} [material] (is|was) [used|assigned] [now] ~( {drop:gone} )",
    "(remap|redirect) [the] [material] {old:known} to [the] [material] {new:known} ~( {drop:gone} )",
    "everything (with|that has|that uses|using) [the] material {old:known} (gets|should get|should use|uses) [the] [material] {new:known} [instead] ~( {drop:gone} )",
)
def replace_material(build: Build, old: str, new: str, drop: str | None) -> None:
    """Let whatever uses a material use another one."""
    if drop not in {None, "", old}:
        raise refuse(drop or "", "another one than that which is replaced")
    if not re.search(
        r"material|\buses?\b|used|assigned|users|everywhere|slot|all objects|every object", build.request, re.IGNORECASE
    ):
        raise refuse(f"{old} and {new}", "materials, or objects?")
    if drop is None and re.search(
        r"\b(delete|purge|throw)\b(?! the (object|mesh|cube|modifier))", build.request.lower()
    ):
        raise refuse(old, "is a material deleted, or an object?")
    build.once()
    var = named_material(build, old)
    build.line(f"{var}.user_remap({named_material(build, new)})")
    if drop is not None:
        build.line(f"bpy.data.materials.remove({var})")
    build.note(f"{old} -> {new}")


DROPPING: Final = compile_pattern(
    "[and|then|and then|then also|and also] (delete|remove|purge|throw|get rid of|drop|erase) ([the] [old] [material] {gone:known} [material]|the (old|first|former) (one|material)|it) [away|out] [(from|out of) the (file|blend file|blend)]"
)


@slot("gone")
def gone(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """What is to go after it was replaced: its name, or nothing where that is clear: "and delete the old one"."""
    for end, found in DROPPING(reading, at, {}):
        if reading.word(end) not in {"from", "out"}:
            yield end, found.get("gone", "")


@step(
    "(merge|remap|dedupe|unify|join|clean up|get rid of|remove|consolidate|replace|combine) [all] [the] (duplicate|duplicated) [copies of] materials [« [{like=such as|like}] {names:row_of_names} [,] [{etc=etc|...|…}] »] [(into|with|by|to|onto) (the original|one|the originals|their originals)] [and (delete|remove|purge) [the] (duplicates|copies|rest|leftovers|them)]",
    "(merge|remap|dedupe|unify) [all] [the] duplicates of [the] material {only:known}",
)
def merge_materials(
    build: Build, only: str | None, names: tuple[str, ...] | None, like: str | None, etc: str | None
) -> None:
    """Let the copies of a material, "Steel.001", make way for the one without a number; all, where some are examples."""
    build.need("unnumbered")
    build.comment("copies of materials")
    if names and not (like or etc):
        build.line(f"meant = {{{', '.join(quoted(each) for each in names)}}}")
    with build.block("for material in list(bpy.data.materials):"):
        build.line("original = bpy.data.materials.get(unnumbered(material.name))")
        test = f" and original.name == {quoted(only)}" if only else ""
        if names and not (like or etc):
            test = " and meant & {material.name, original.name}"
        with build.block(f"if original is not None and original != material{test}:"):
            build.line("material.user_remap(original)\nbpy.data.materials.remove(material)")
    build.note("copies of materials merged")


@step("<remove> [the] material {name:known} [from the file]", "<remove> [the] {name:known} material [from the file]")
def remove_material(build: Build, name: str) -> None:
    """Remove a material from the file."""
    build.once()
    build.line(f"bpy.data.materials.remove({named_material(build, name)})")
    build.note(f'material "{name}" removed')


SINGLE: Final = "(single user|a single user|independent|unique|its own copy)"


@step(
    f"(make|give) [the] material of {{target:object}} {SINGLE} [,] and (name|call) (the copy|the new one|the material) {{name:name}}",
    f"(make|give) {{target:object}} ['s] material {SINGLE} [,] and (name|call) (the copy|the new one|the material) {{name:name}}",
    "(make|give) [the] (material|materials) of {target:object} (single user|independent|unique|single users|its own copy|their own copies)",
    "(make|give) {target:object} ['s] (material|materials) (single user|independent|unique|single users)",
    "give {target:object} (its own copy|their own copies|an own copy|an independent copy|a copy of its own) of (its|their|the) (material|materials)",
)
def own_materials(build: Build, target: Target, name: str | None) -> None:
    """A copy of each material that others use too; one under a name of its own."""
    build.once()
    if name is not None:
        known = build.one(target)
        build.need("material_of")
        var = build.var("own material")
        build.line(f"{var} = material_of({known.var})")
        build.line(f"if {var}.users > 1:\n    {var} = {var}.copy()\n    {known.var}.active_material = {var}")
        build.line(f"{var}.name = {quoted(name)}")
        build.memory.setdefault("_material_topics", {})[known.var] = topic_of(build, var)
        build.note(f"{target.said} -> material of its own, {name}")
        return
    test = "if slot.material and slot.material.users > 1:"
    with (
        build.each(target, type_="MESH") as known,
        build.block(f"for slot in {known.var}.material_slots:"),
        build.block(test),
    ):
        build.line("slot.material = slot.material.copy()")
    build.note(f"{target.said} -> materials of its own")


VIEWPORT: Final = "(viewport color|viewport display color|viewport colors|display color|viewport display colors|display colors|solid view color)"


@step(
    f"[<set>|match] [the] {VIEWPORT} of (every material|all materials|each material) (to|from|with) (its|their|the) base (color|colors)",
    f"[<set>|match] [the] {VIEWPORT} of [the] material {{name:known}} (to|from|with) (its|their|the) base color",
    "(copy|use|transfer) [the] base (color|colors) [of (every material|all materials|each material)] (to|as|into) [the|their|its] "
    + VIEWPORT
    + " [of (every material|all materials|each material)]",
)
def viewport_colors(build: Build, name: str | None) -> None:
    """Show materials in the viewport in the base color of their shader."""
    build.imports("typing: Any")
    build.comment("viewport colors")
    shared = f"[{named_material(build, name)}]" if name else "bpy.data.materials"
    build.need("shader_of")
    with build.block(f"for material in {shared}:"):
        build.line('base: Any = shader_of(material).inputs["Base Color"]\nmaterial.diffuse_color = base.default_value')
    build.note("viewport colors from base colors")


IN_VIEWPORT: Final = "(in|for) [the] (viewport|solid view|solid mode|workbench)"
SHOWN: Final = "(should|must|shall|is to) (display|be displayed|show|be shown|appear)"


@step(
    f"{IN_VIEWPORT} [,] (it|the material|this material) {SHOWN} ~( [with] [an] (alpha|opacity) [of] {{n:n}} ; (in|as|with [the] color) {{hue:color}} )",
    f"(it|the material|this material) {SHOWN} {IN_VIEWPORT} ~( [with] [an] (alpha|opacity) [of] {{n:n}} ; (in|as|with [the] color) {{hue:color}} )",
    f"(display|show) (it|the material|this material) {IN_VIEWPORT} ~( [with] [an] (alpha|opacity) [of] {{n:n}} ; (in|as|with [the] color) {{hue:color}} )",
    "[<set>] [the] viewport [display] (alpha|opacity) of [the] material {name:known} [<to>] {n:n}",
    f"[<set>] [the] {VIEWPORT} of [the] material {{name:known}} [<to>] {{hue:color}} [[,|and|with] [an] alpha [of] {{n:n}}]",
)
def shown_in_viewport(build: Build, name: str | None, n: float | None, hue: Color | None) -> None:
    """The color, or how opaque, a material is in the viewport's solid mode."""
    topic = material_by(build, name, None) if name else spoken_material(build)
    if topic is None or (n is None and hue is None):
        raise refuse(name or "it", "which material, shown how?")
    if n is not None and not 0 <= n <= 1:
        raise refuse(f"{n:g}", "from 0 to 1")
    if hue is not None:
        build.line(f"{topic.var}.diffuse_color = {literal((*hue.rgb, 1.0 if n is None else float(n)))}")
    else:
        build.line(f"{topic.var}.diffuse_color[3] = {literal(float(n or 0.0))}")
    build.note("material in the viewport")


@step(
    "(rename|name|call) (each|every|all|the) (material|materials) [of {target:object}] (after|like|as) (its|their|the) (object|objects)",
    "rename [the] (material|materials) of {target:object} (after|like|to match) (it|its object|the object|them|their object|their objects)",
)
def materials_like_objects(build: Build, target: Target | None) -> None:
    """Name materials after the objects that have them."""
    with (
        build.each(build.or_all(target, "MESH", said="all meshes")) as known,
        build.block(f"if {known.var}.active_material:"),
    ):
        build.line(f"{known.var}.active_material.name = {known.var}.name")
    build.note("materials named after their objects")


ONE_PICTURE: Final = re.compile(r"\bpack (the |this |that )?(image|texture)\b(?! (textures|files))", re.IGNORECASE)


@step(
    "pack [the] (image|texture|picture) {name:known} [into the [.] (file|blend|blend file)]",
    "pack [all|every] [the] [external] (images|image|textures|texture|image textures|image files) [used by materials|that materials use|of the materials] [into the [.] (file|blend|blend file)]",
)
def pack_images(build: Build, name: str | None) -> None:
    """Keep the pictures in the file itself."""
    if name is not None:
        var = build.var("image")
        build.line(f"{var} = bpy.data.images[{quoted(name)}]\nif not {var}.packed_file:\n    {var}.pack()")
        build.note(f"image {name} packed")
        return
    if ONE_PICTURE.search(build.request):
        raise refuse("pack", 'which picture? "all images" are packed together')
    build.comment("pack the images")
    with (
        build.block("for image in bpy.data.images:"),
        build.block('if image.source == "FILE" and not image.packed_file:'),
    ):
        build.line("image.pack()")
    build.note("images packed")


@step(
    "(make|set|turn|convert) [all|every|the] (image|images|texture|textures|image file|image files) (paths|path) [to|into] {how=relative|absolute}",
    "(make|set|turn|convert) [all|every|the] (paths|path) of [all] [the] (images|image files|textures) {how=relative|absolute}",
    "(repoint|redirect|relocate|remap|move|change|point) [all|every|the] [paths of] (image|images|texture|textures) [files|paths|path] from {old:path} to {new:path} ~( keep [the] [file] names )",
)
def image_paths(build: Build, how: str | None, old: str | None, new: str | None) -> None:
    """Where the images of the file are looked for."""
    build.comment("paths of images")
    with build.block('for image in [each for each in bpy.data.images if each.source == "FILE"]:'):
        if how is not None:
            build.line(f"image.filepath = bpy.path.{'relpath' if how == 'relative' else 'abspath'}(image.filepath)")
        else:
            before, after = (f"{each.rstrip('/')}/" for each in (old or "", new or ""))
            build.line(f"if image.filepath.startswith({quoted(before)}):")
            build.line(f"    image.filepath = {quoted(after)} + image.filepath.removeprefix({quoted(before)})")
    build.note(f"paths of images {how or f'{old} -> {new}'}")


# --- slots and faces ----------------------------------------------------------------------------------------

ORDINALS: Final = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "1st": 1, "2nd": 2, "3rd": 3, "last": 0,
}  # fmt: skip
NTH: Final = "{word=first|second|third|fourth|1st|2nd|3rd|last}"
SLOT: Final = f"([the] [material] slot [number] {{k:int}}|[the] {NTH} [material] slot)"
OF_MATERIAL: Final = "(from|of|on|in|out of|for) ([the] material {name:known}|[the] material of {target:object}|{target:object} ['s] [material])"


@slot("slots")
def slots(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[tuple[str, int], ...]]]:
    """Names of materials with the slots they go into: "Red in the first slot and Blue in the second", "A, B and C"."""
    found: list[tuple[str, int]] = []
    place = at
    while (read := next(known_name(reading, skip(reading, place, {"the", "material"}), {}, ""), None)) is not None:
        place, number = skip(reading, read[0], {"material"}), len(found) + 1
        start = skip(reading, place, {"in", "into", "to", "as", "the", "slot", "on"})
        if start > place and reading.word(start) in ORDINALS:
            place, number = skip(reading, start + 1, {"slot", "one"}), ORDINALS[reading.word(start)]
        elif (
            start > place
            and reading.word(start - 1) == "slot"
            and (count := next(number_at(reading, start, {}, ""), None))
        ):
            place, number = count
        found.append((read[1], number))
        if len(found) > 1:
            yield place, tuple(found)
        while reading.mark(place) == "," or reading.word(place) == "and":
            place += 1


@step(
    "(give|assign|add|put) {target:object} [both|all] [{n:int}] [the] [materials] [:|,] {found:slots} [in (this|that) order] [and no (other|others|other slots|other materials)]",
    "{target:object} (gets|get|should have|has|needs) [the] [materials] {found:slots} [in (this|that) order] [and no (other|others|other slots|other materials)]",
    "(put|assign|add) [the] [materials] {found:slots} (to|on|of|in) {target:object} [in (this|that) order] [and no (other|others|other slots|other materials)]",
    "(give|assign|add) both [materials] to {target:object}",
    "give {target:object} both [materials|of them]",
)
def material_slots(build: Build, target: Target, found: tuple[tuple[str, int], ...] | None, n: int | None) -> None:
    """The materials of an object, a slot each, and no others."""
    if n is not None and n != len(found or ()):
        raise refuse(str(n), "as many materials were expected")
    if target.type in {"ARMATURE", "EMPTY", "CAMERA", "LIGHT", "LATTICE"}:
        raise refuse(target.said, "it has no materials")
    made: dict[str, str] = build.memory.setdefault("_materials", {})
    if found is None and len(made) != 2:
        raise refuse(target.said, "which two?")
    order = sorted(found, key=lambda each: each[1]) if found else [(name, place + 1) for place, name in enumerate(made)]
    if [number for _, number in order] != list(range(1, len(order) + 1)):
        raise refuse(target.said, "which slot is which?")
    known = build.one(target)
    build.need("mesh_of")
    variables = [named_material(build, name) for name, _ in order]
    build.line(f"slots = mesh_of({known.var}).materials\nslots.clear()")
    build.line(f"for material in ({', '.join(variables)}):\n    slots.append(material)")
    build.note(f"{target.said} -> {', '.join(name for name, _ in order)}")


@step(
    "<add> [a|an|another] [empty] [material] slot (to|on|for) {target:object}",
    "<add> [a|an|another] [new|second|third|further|additional] [material] slot (to|on|for) {target:object} [with {dress:dress}] ~( (don't assign any faces|don't assign it to any faces|without assigning any faces|no faces|no faces assigned|without faces) [yet] )",
    "<add> {dress:dress} (to|on|as) [a] [new|second|third|further|additional] slot (of|to|on|for) {target:object}",
    "<add> {target:object} [a|an|another] [new|second|further|additional] [material] slot with {dress:dress}",
)
def add_slot(build: Build, target: Target, dress: Dress | None) -> None:
    """One more slot, with a material or empty; no face uses it."""
    build.once()
    var = dressed(build, dress) if dress else "None"
    known = build.one(target)
    build.need("mesh_of")
    build.line(f"mesh_of({known.var}).materials.append({var})")
    build.note(f"{target.said} -> one more slot")


@step(
    f"<remove> {SLOT} (of|from|on) {{target:object}}",
    "[its|the|their|those] faces (go|move|fall|come) (to|on|into|onto) [slot] [number] {to:int}",
)
def remove_slot(build: Build, target: Target | None, k: int | None, word: str | None, to: int | None) -> None:
    """Remove a slot; its faces go to the one before it."""
    if to is not None:
        if build.memory.get("_slot_removed") != to + 1:
            raise refuse(f"slot {to}", "the faces of a removed slot go to the one before it")
        return
    number = k if k is not None else ORDINALS[word or "last"]
    build.once()
    build.need("mesh_of")
    build.line(f"mesh_of({build.one(target).var}).materials.pop(index={number - 1})")
    build.memory["_slot_removed"] = number
    build.note(f"slot {number} removed")


@step(
    "[<set>] [the] active [material] (slot|slot index|material index) of {target:object} [to|is] {on:int}",
    "make [material] slot [number] {on:int} of {target:object} [the] active [one]",
    "make [material] slot [number] {on:int} active (on|of|for) {target:object}",
    "(swap|exchange) [the] [material] (slot|slots) [number] {a:int} (and|with) [slot] {b:int} (of|on|for|in) {target:object}",
    "(swap|exchange) [the] [two] materials of [the] [material] slots [number] {a:int} (and|with) [slot] {b:int} (of|on|for|in) {target:object}",
)
def arrange_slots(build: Build, target: Target, on: int | None, a: int | None, b: int | None) -> None:
    """Which slot is active; two slots that change places: their materials, so that the faces look like the other ones."""
    if 0 in {on, a, b}:
        raise refuse("slot 0", "the first one is slot 1")
    known = build.one(target)
    if on is not None:
        build.line(f"{known.var}.active_material_index = {on - 1}")
        build.note(f"slot {on} is active")
        return
    if a is None or b is None:
        raise refuse(target.said, "which slots?")
    build.once()
    first, second = (f"slots[{place - 1}].material" for place in (a, b))
    build.line(f"slots = {known.var}.material_slots\n{first}, {second} = {second}, {first}")
    build.note(f"slots {a} and {b} swapped")


@dataclass(frozen=True)
class Dress:
    """A material that something gets: its name, how it looks, settings of its own."""

    name: str = ""
    look: Look | None = None
    sets: tuple[Set, ...] = ()
    new: bool = False


DRESSES: Final = tuple(
    compile_pattern(text)
    for text in (
        "[the] [existing] [{new=new}] [material] [called] {name:known} [material|« material »]",
        "[the] [existing] [{new=new}] [material] [called] {name:known} [material] [,] [in|with|«] [a] [color] {v:look} [»]",
        "[the] [existing] [{new=new}] [material] [called] {name:known} [material] [,] [with|«] {s:settings of material} [»]",
        "[{new=new}] {v:look} [material] [<called> {name:name}]",
        "[{new=new}] {v:look} material {name:quoted}",
    )
)


@slot("dress")
def dress_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Dress]]:
    """ "the material "Moss"", "a new material "Upper" in red", "shiny gold", "Trim (metallic 1, roughness 0.2)"."""
    found: dict[int, Dress] = {}
    for pattern in DRESSES:
        for end, said in pattern(reading, at, {}):
            opened = any(reading.mark(place) == "(" for place in range(at, end))
            if opened and reading.mark(end - 1) != ")":
                continue
            dress = Dress(said.get("name", ""), said.get("v"), tuple(said.get("s", ())), "new" in said)
            found.setdefault(end, dress)
    yield from sorted(found.items(), key=lambda each: -each[0])


def dressed(build: Build, dress: Dress) -> str:
    """The variable of the material that is meant, as it should look."""
    if dress.look and dress.look[2].lower() in SHADING and not OF_SURFACES.search(build.request):
        raise refuse(dress.look[2], "how its faces are shaded, or a material?")
    made = dress.new or not dress.name
    title = dress.name or titled(dress.look[2] if dress.look else "Material")
    looks = bool(dress.look or dress.sets)
    var = made_material(build, title) if made else named_material(build, title, make=looks)
    topic = topic_of(build, var)
    if dress.look:
        finishes = {key: value for each in dress.look[1] for key, value in each.items()}
        finishes = {**METAL, **finishes} if is_metal(build, dress.look[2]) else finishes
        write_inputs(build, topic, dress.look[0], finishes)
    if dress.sets:
        write_settings(build, topic, list(dress.sets))
    return var


@step(
    "<remove> [all] [the] (animation|keyframes|keys|animations) (from|of|on|in) ([the] material {name:known}|[the] material of {target:object}|{target:object} 's material)"
)
def still_material(build: Build, name: str | None, target: Target | None) -> None:
    """Take the animation from a material and its nodes."""
    topic = material_by(build, name, target)
    build.line(f"{topic.var}.animation_data_clear()\n{tree_var(build, topic)}.animation_data_clear()")
    build.note("animation of the material removed")


BECOMES: Final = "(to|:|=|should be|gets|is|becomes|uses|use|holds|has|should use|must use|should have|should get|should hold|must be)"


@step(
    f"[<set>] {SLOT} (of|on|in) {{target:object}} {BECOMES} {{dress:dress}}",
    f"{{target:object}} 's {NTH} [material] slot {BECOMES} {{dress:dress}}",
    f"(put|assign|use) {{dress:dress}} (in|into|for|to) {SLOT} of {{target:object}}",
)
def fill_slot(build: Build, target: Target, dress: Dress, k: int | None, word: str | None) -> None:
    """The material in one slot of an object, which gets as many slots as that takes."""
    number = k if k is not None else ORDINALS[word or "last"]
    if number < 1 or not dress.name:
        raise refuse(target.said, "which slot, which material?")
    var = dressed(build, dress)
    known = build.one(target)
    build.need("mesh_of")
    slots = build.var("slots")
    build.line(f"{slots} = mesh_of({known.var}).materials")
    build.line(f"while len({slots}) < {number}:\n    {slots}.append(None)")
    build.line(f"{known.var}.material_slots[{number - 1}].material = {var}")
    build.note(f"{dress.name} -> slot {number}")


def faces_test(build: Build, known: Known, which: Faces) -> str:
    """The test of `face` in the snippet."""
    if "middle" in which.test:
        build.need("middle_of")
        build.line(f"middle = middle_of({known.var})")
    return which.test.replace("obj.", f"{known.var}.")


def dress_faces(build: Build, which: Faces, var: str, known: Known | None) -> None:
    """Some faces get the material in a variable."""
    known = known or build.one(which.target)
    build.need("faces_with")
    build.line(f"faces_with({known.var}, {var}, lambda face: {faces_test(build, known, which)})")
    build.it = build.memory["_dressed"] = known


@dataclass(frozen=True)
class Faces:
    """Some faces of an object, by a test of `face`."""

    test: str
    target: Target | None = None


ABOUT: Final = "[that|which|whose|with] [their|its] [center|centers|centre|normal|normals] [are|is|lie|lies]"
FACES_SAID: Final = tuple(
    (what, compile_pattern(pattern))
    for what, pattern in (
        ("way", f"{ABOUT} (point|points|pointing|look|looks|looking|face|faces|facing) [straight] {{way=up|upwards|upward|down|downwards|downward}} [« {{again:axis}} »]"),
        ("way", f"{ABOUT} (point|points|pointing|look|looks|looking|face|faces|facing) [in|towards|to|along] [positive|negative] {{axis:axis}}"),
        ("within", "[«] [with|whose] normal [is] within {angle:angle} of {axis:axis} [»]"),
        ("height", f"{ABOUT} {{how=above|over|below|under}} [z|height] [=] {{n:n}} [«] [in] [{{own=object|local|world}} (space|coordinates)] [»]"),
        ("area", "{how=smaller|larger|bigger|greater} than {n:n} (m²|m2|sqm|square meters|square metres)"),
        ("sides", "with {how=more than|less than|exactly} {n:int} (sides|corners|vertices)"),
        ("index", "[with] [index|indices|number|numbers] {list:numbers}"),
        ("index", "[with] [index|number] {n:int} [{to=to|through} {last:int}]"),
    )
)  # fmt: skip


@slot("faces")
def faces(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Faces]]:
    """Which faces: "the top face of the cube", "faces 0, 2 and 5", "those faces of "Rock" that look up"."""
    from app.drafting.composer.steps.meshes import FACES

    start = skip(reading, at, {"only", "just", "the", "all", "every", "each", "of", "those", "these"})
    side = FACES.get(reading.word(start))
    end = skip(reading, start + 1, {"facing", "side"})
    nouns = {"face", "faces", "side", "sides"} | ({""} if end > start + 1 else set[str]())
    plain: list[tuple[int, str]] = []
    if side is not None and reading.word(end) in nouns:
        plain.append((skip(reading, end, {"face", "faces", "only"}), facing("xyz"[side[0]], side[1])))
    if side is not None and reading.word(start + 1) == "half":
        letter, sign = "xyz"[side[0]], ">" if side[1] > 0 else "<"
        plain.append((start + 2, f"face.center.{letter} {sign} middle.{letter}"))
    if reading.word(start) in {"second", "other"} and reading.word(start + 1) == "face":
        plain.append((start + 2, "face.index % 2 == 1"))
    for last, test in plain:
        for stop, goal in owned(reading, restated(reading, last, test)):
            yield restated(reading, stop, test), Faces(test, goal)
    if reading.word(start) in {"face", "faces", "polygon", "polygons"}:
        for last, goal in owned(reading, start + 1):
            for stop, test in faces_said(reading, last, ()):
                more = owned(reading, stop) if goal is None else ((stop, goal),)
                yield from ((final, Faces(test, found)) for final, found in more)


AGAIN: Final = compile_pattern("« [facing|towards] {axis:axis} [one|face|side] »")


def restated(reading: Reading, at: int, test: str) -> int:
    """The place after brackets that say once more where faces look: "the top face (the +Z one)"."""
    said = ((end, env["axis"]) for end, env in AGAIN(reading, at, {}))
    same = (end for end, axis in said if facing(axis[-1].lower(), -1 if axis.startswith("-") else 1) == test)
    return next(same, at)


def owned(reading: Reading, at: int) -> Iterator[tuple[int, Target | None]]:
    """Of which object faces are, where it is said here."""
    if reading.word(at) in {"of", "on"}:
        yield from target(reading, at + 1, {}, "one")
    yield at, None


def faces_said(reading: Reading, at: int, tests: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """What must be true of faces, most of it first."""
    for what, pattern in FACES_SAID:
        for end, said in pattern(reading, at, {}):
            test = face_test(what, said)
            if not test or (reading.mark(at) == "(") != (reading.mark(end - 1) == ")" and what == "within"):
                continue
            wide = test.partition(" ")[0] if what == "within" else "none"  # "that look up (within 45 degrees of +Z)"
            yield from faces_said(reading, end, (*(each for each in tests if not each.startswith(wide)), test))
    if tests:
        yield at, " and ".join(tests)


def face_test(what: str, said: Env) -> str:
    """The test of `face` for a phrase of FACES_SAID; nothing where it makes no sense."""
    letter = said.get("axis") or ("-Z" if str(said.get("way")).startswith("down") else "Z")
    name, sign = letter[-1].lower(), -1 if letter.startswith("-") else 1
    more = said.get("how") in {"above", "over", "larger", "bigger", "greater", "more than"}
    compare = "==" if said.get("how") == "exactly" else ">" if more else "<"
    match what:
        case "way":
            return facing(name, sign) if said.get("again", letter).lstrip("+") == letter.lstrip("+") else ""
        case "within":
            return f"face.normal.{name} {'>=' if sign > 0 else '<='} {sign * cos(radians(said['angle'].value)):.6g}"
        case "height":
            place = "face.center" if said.get("own") in {"object", "local"} else "(obj.matrix_world @ face.center)"
            return f"{place}.z {compare} {literal(float(said['n']))}"
        case "area":
            return f"face.area {compare} {literal(float(said['n']))}"
        case "sides":
            return f"len(face.vertices) {compare} {said['n']}"
        case _:
            numbers = [int(each) for each in said.get("list", ())] or range(said["n"], said.get("last", said["n"]) + 1)
            return f"face.index in {{{', '.join(map(str, numbers))}}}"


def facing(letter: str, sign: int) -> str:
    """The test for faces whose normal points along an axis."""
    return f"face.normal.{letter} {'>' if sign > 0 else '<'} {0.9 * sign}"


OTHERS: Final = "[and|but] (others|rest|everything else|other faces|all others|all other faces|remaining faces)"
KEPT: Final = (
    f"[and|but] (leave|keep|keeping) {OTHERS} [as they are|unchanged|on first slot|on their slot|as it is|as is]",
    f"{OTHERS} (keep|keeps|stay|stays|remain|remains) [their|its] [current|old|own|present] [one|material|as they are|as it is|unchanged|untouched] [{{kept:known}}]",
)
LEFT: Final = f"{OTHERS} (gets|get|becomes|become|should be|is|are) {{other:dress}} ; {{other:dress}} (to|on|for) {OTHERS} ; {' ; '.join(KEPT)}"


@step(
    f"(assign|give|put|use|apply|set) {{dress:dress}} (to|on|onto|for) {{which:faces}} [only] ~( {LEFT} )",
    f"(assign|give|put|let|set) {{which:faces}} [have|to] {{dress:dress}} ~( {LEFT} )",
    f"{{which:faces}} (gets|get|should have|has|have|becomes|become|should be|in|to|:|=) {{dress:dress}} ~( (on|of) {{target:object}} ; {LEFT} )",
    f"(paint|color|make|turn) [only] {{which:faces}} [in] {{dress:dress}} ~( {LEFT} )",
    f"(give|assign|put) {{target:object}} {{dress:dress}} (to|on) {{which:faces}} [only] ~( {LEFT} )",
    f"(on|for) {{target:object}} [,] {{which:faces}} (gets|get|become|becomes|have) {{dress:dress}} ~( {LEFT} )",
)
def face_material(
    build: Build, which: Faces, dress: Dress, target: Target | None, other: Dress | None, kept: str | None
) -> None:  # fmt: skip
    """Let some faces have a material of their own, in one more slot; the others keep theirs, or get another one."""
    del kept  # what the others have: nothing is done to them
    if target is not None and which.target is not None:
        raise refuse(target.said, "of which object?")
    known = build.one(which.target or target)
    var = dressed(build, dress)
    if other is not None:
        build.need("mesh_of")
        mesh = f"mesh_of({known.var})"
        build.line(f"{mesh}.materials.clear()\n{mesh}.materials.append({dressed(build, other)})")
        build.line(f"for face in {mesh}.polygons:\n    face.material_index = 0")
        build.memory["_two_slots"] = True
    dress_faces(build, which, var, known)
    build.note(f"{dress.name or (dress.look[2] if dress.look else '')} -> some faces")


@step(
    f"(assign|put|move|set) {{which:faces}} (to|into|in) {SLOT} [of {{target:object of one}}]",
    "(assign|put|move|set) {which:faces} (to|into|in) (it|[the|that|this] [new] (slot|material))",
)
def faces_to_slot(build: Build, which: Faces, k: int | None, word: str | None, target: Target | None) -> None:
    """Let some faces have the material of a slot, or the one spoken of."""
    number, topic = ORDINALS.get(word or "", k), spoken_material(build)
    if number == 0 or (number is None and topic is None) or (target is not None and which.target is not None):
        raise refuse(target.said if target else "slot", "which slot, of which object?")
    if number is None and topic is not None:
        dress_faces(build, which, topic.var, None)
        return
    known = build.one(which.target or target)
    test = faces_test(build, known, which)
    build.need("mesh_of")
    with build.block(f"for face in mesh_of({known.var}).polygons:"):
        build.line(f"if {test}:\n    face.material_index = {(number or 1) - 1}")
    build.note(f"some faces -> slot {number}")


@step(
    *KEPT,
    "[there] (should be|must be|shall be|are|is) exactly {two=two} [material] slots [on it|in it] [in the end|afterwards]",
)
def as_dressed(build: Build, kept: str | None, two: str | None) -> None:
    """What holds where a material went to some faces: the others keep theirs; two slots where they got another one."""
    del kept
    if not build.memory.get("_two_slots" if two else "_dressed"):
        raise refuse(two or "others", "of what?")


@slot("material_list")
def material_list(
    reading: Reading, at: int, env: Env, of: str
) -> Iterator[tuple[int, tuple[tuple[str, tuple[Set, ...]], ...]]]:
    """New materials with their settings: '"Red" (#FF0000) and "Blue" (#0000FF, roughness 0.2)'."""
    found: list[tuple[str, tuple[Set, ...]]] = []
    place = at
    while (read := next(known_name(reading, place, {}, ""), None)) is not None:
        place, sets = read[0], list[Set]()
        opened = reading.mark(place) == "("
        told = opened or reading.word(place) in {"with", "in"} or is_hex(reading, place)
        start = skip(reading, place + opened, {"with", "in"})
        details = settings(reading, start, {}, "material") if told else ()
        for end, more in details:
            if not opened or ")" in {reading.mark(end), reading.mark(end - 1)}:
                place, sets = end + (opened and reading.mark(end) == ")"), more
                break
        found.append((read[1], tuple(sets)))
        if len(found) > 1:
            yield place, tuple(found)
        while reading.mark(place) == "," or reading.word(place) == "and":
            place += 1


def is_hex(reading: Reading, at: int) -> bool:
    """Whether a color is written here as a code."""
    return at < len(reading.tokens) and reading.tokens[at].kind == "hex"


NEW_MATERIALS: Final = (
    "((create|make|add|define|set up|give me|i need|i want) [two|three|four|five|six|the|these|2|3|4|5] [new] materials|new materials)"
    " [called|named] [:|,]"
)


@step(
    f"{NEW_MATERIALS} {{every:material_list}} ~( (both|all|each) with {{s:settings of material}} )",
    f"{NEW_MATERIALS} {{names:names}} ~( with {{p:prop of ShaderNodeBsdfPrincipled}} {{values:numbers}} ; [all] [with] {{s:settings of material}} )",
)
def several_materials(
    build: Build, every: tuple[tuple[str, tuple[Set, ...]], ...] | None, names: list[str] | None,
    p: tuple[Setting, ...] | None, values: list[float] | None, s: list[Set] | None,
) -> None:  # fmt: skip
    """New materials, each with settings of its own, or with its own value of one."""
    if values is not None and len(values) != len(names or ()):
        raise refuse(", ".join(map(str, values)), "as many values as materials were expected")
    own: list[tuple[str, tuple[Set, ...]]] = list(every or [(each, ()) for each in names or ()])
    for index, (name, sets) in enumerate(own):
        topic = topic_of(build, made_material(build, name))
        if p is not None and values is not None:
            chosen = [(each, fitted(each.prop, Quantity(values[index]))) for each in p if each.socket]
            sets = (Set(tuple(chosen), f"{values[index]:g}"), *(s or ()))  # noqa: PLW2901
        elif s:
            sets = (*sets, *s)  # noqa: PLW2901
        if sets:
            write_settings(build, topic, list(sets))
    build.memory["_listed"] = [name for name, _ in own]
    build.note("materials " + ", ".join(name for name, _ in own))


@step(
    "(assign|give|apply) (them|these materials|the materials) to {target:object} in (this|that|the same) order"
    " ~( replacing (what 's there|what is there|their materials|the old ones|the present ones) )"
)
def assign_in_order(build: Build, target: Target) -> None:
    """The materials that were listed, one to each of the objects."""
    names: list[str] = build.memory.get("_listed", [])
    if len(names) != len(target.parts):
        raise refuse(target.said, "as many objects as materials were expected")
    build.need("use_material")
    for name, part in zip(names, target.parts, strict=True):
        build.line(f"use_material({build.one(part).var}, {named_material(build, name)})")
    build.note(f"{', '.join(names)} -> {target.said}")


@step(
    "(keyframe|animate|fade|ramp|raise|lower|change) [the] {p:prop of ShaderNodeBsdfPrincipled} ([from] {a:value of p} (at|on) {f1:frame} [to|and|,|until|then] {b:value of p} (at|on|by) {f2:frame}|from {a:value of p} to {b:value of p} (between|from|over) {f:frames})"
)
def keyframe_input(
    build: Build, p: tuple[Setting, ...], a: Set, b: Set, f1: int | None, f2: int | None, f: tuple[int, int] | None
) -> None:
    """Keyframes of an input of the shader that was spoken of."""
    del p
    shader, frames_ = shader_var(build, spoken_material(build) or material_for(build, None)), f or (f1, f2)
    for value, frame in ((a, frames_[0]), (b, frames_[1])):
        ((setting, number_),) = build.choose([value], (Place("", PRINCIPLED),), "the shader")
        build.assign(shader, [(setting, number_)])
        build.line(f'{shader}.inputs["{setting.socket}"].keyframe_insert("default_value", frame={frame})')
    build.note(f"{a.said} -> {b.said}, frames {frames_[0]} to {frames_[1]}")


@step(
    "(disconnect|unlink|unplug|detach) [whatever|everything|anything] [that] [is] [linked|connected|plugged] [from|to|into] [the] {p:prop of ShaderNodeBsdfPrincipled} [input] (of|on|for|in) {target:object} ['s] [material]",
    "<remove> [the] (link|links|connection|texture) [from|to|into|on|of] [the] {p:prop of ShaderNodeBsdfPrincipled} [input] (of|on|for|in) {target:object} ['s] [material]",
)
def unlink_input(build: Build, p: tuple[Setting, ...], target: Target) -> None:
    """Let nothing run into an input of the shader."""
    topic = material_for(build, target)
    shader, tree = shader_var(build, topic), tree_var(build, topic)
    build.line(f'for link in list({shader}.inputs["{p[0].socket}"].links or ()):\n    {tree}.links.remove(link)')
    build.note(f"nothing runs into {p[0].socket}")


@step(
    f"<remove> [the|every|all|any] {{node:node of ShaderNodeTree}} [texture] (node|nodes|texture|textures) {OF_MATERIAL}",
    "<remove> [the] {map:node of ShaderNodeTree} (from|of|in|out of) {target:object} ['s] [material]",
    f"{{off=mute|bypass}} [the|every|all] {{node:node of ShaderNodeTree}} [texture] (node|nodes|texture|textures) {OF_MATERIAL}",
)
def remove_nodes(
    build: Build, node: NodeType | None, target: Target | None, name: str | None, off: str | None, map: NodeType | None
) -> None:  # fmt: skip
    """Remove or mute the nodes of a kind in a material."""
    node = node or map
    last = node.label.split()[-1].lower() if node else ""
    clear = map is None or (last in {"map", "texture", "ramp", "bsdf"} and last in build.request.lower())
    if node is None or not clear:  # "the bevel", "the noise"
        raise refuse(node.label if node else "", "a node of the material?")
    if "geometry nodes" in build.request.lower():
        raise refuse("geometry nodes", "the modifier, or nodes of the material?")
    if map is not None and map.identifier == "ShaderNodeUVMap":
        raise refuse("UV map", "that of the mesh, or a node?")
    topic = material_by(build, name, target)
    tree = tree_var(build, topic)
    with build.block(f'for node in [each for each in {tree}.nodes if each.bl_idname == "{node.identifier}"]:'):
        build.line("node.mute = True" if off else f"{tree}.nodes.remove(node)")
    build.note(f"{node.label} nodes {'muted' if off else 'removed'}")


@step(
    "(copy|duplicate) [the] material of {source:object of one} (to|for|onto) {target:object} [as [an] [independent|own|separate] [material] [copy] [<called> {name:name}]] [and make [only] that [one] {hue:color}]",
    "(assign|give|link|use|copy) [the] material of {source:object of one} (to|for|on) {target:object}",
    "(duplicate|copy) [the] material of {source:object of one} and (assign|give|apply) (it|the {own=copy}) to {target:object}",
    "(give|assign) {target:object} [a|an] [own] {own=copy|duplicate} of [the] material (of|from) {source:object of one}",
    "(give|assign) {target:object} [the] [same] material (as|of) {source:object of one}",
)
def copy_material(
    build: Build, source: Target, target: Target, name: str | None, hue: Color | None, own: str | None = None
) -> None:
    """Let an object have the material of another, or a copy of it."""
    if re.search(r"\bmaterials (of|from)\b", build.request, re.IGNORECASE):
        raise refuse("materials", "every slot is meant")
    origin = material_for(build, source).var
    known = build.one(target)
    build.need("use_material")
    if name:
        var = build.var(f"{name} material")
        build.line(f"{var} = bpy.data.materials.get({quoted(name)}) or {origin}.copy()\n{var}.name = {quoted(name)}")
    elif own or re.search(r"\bduplicate\b", build.request, re.IGNORECASE):
        build.once()
        var = build.var("copied material")
        build.line(f"{var} = {origin}.copy()")
    else:
        var = origin
    build.line(f"use_material({known.var}, {var})")
    topic = topic_of(build, var)
    build.memory.setdefault("_material_topics", {})[known.var] = topic
    if hue is not None:
        build.line(f'set_input({shader_var(build, topic)}, "Base Color", {literal((*hue.rgb, 1.0))})')
    build.note("material copied")


@step(
    "(duplicate|copy|clone) [the] [material] {old:known} [material] (as|<called>|and (name|call) (it|the copy|the new one)) [a|the] [new] [material] {name:name} ~( [and|but] [with|set|give it|change] {s:settings of material} ; [and] (assign|give) (it|the copy|that) to {target:object} )",
    "[make|create] [a|one] (copy|duplicate) of [the] material {old:known} [as|<called>] {name:name} ~( [and|but] [with|set|give it|change] {s:settings of material} ; [and] (assign|give) (it|the copy|that) to {target:object} )",
)
def duplicate_material(build: Build, old: str, name: str, s: list[Set] | None, target: Target | None) -> None:
    """A copy of a material under a name of its own, perhaps with other settings."""
    if "material" not in build.request.lower():
        raise refuse(old, "a material, or an object?")
    made: dict[str, str] = build.memory.setdefault("_materials", {})
    origin = named_material(build, old)
    made[name] = build.var(f"{name} material")
    text = quoted(name)
    build.line(f"{made[name]} = bpy.data.materials.get({text}) or {origin}.copy()\n{made[name]}.name = {text}")
    topic = topic_of(build, made[name])
    if s:
        write_settings(build, topic, s)
    if target is not None:
        build.need("use_material")
        with build.each(target, type_="MESH") as known:
            build.line(f"use_material({known.var}, {topic.var})")
        build.topic = topic
    build.note(f"{old} -> {name}")


@step(
    "<set> [both] [the] {p:prop of material} and [the] {q:prop of material} (of|for|on) {target:object} [<to>] {v:value of p} [each]"
)
def two_inputs(
    build: Build, p: tuple[Setting, ...], q: tuple[Setting, ...], target: Target, v: Set
) -> None:  # fmt: skip
    """Two settings of a material that share one value."""
    if not v.options or v.options[0][0].prop.type != q[0].prop.type:
        raise refuse(v.said, "of which of them?")
    topic = material_for(build, target)
    write_settings(build, topic, [v, Set(((q[0], v.options[0][1]),), v.said)])
    build.note(f"{p[0].prop.label}, {q[0].prop.label} -> {v.said}")


@step("[<set>] [the] object color (of|for|on) {target:object} [<to>] {hue:color}")
def object_color(build: Build, target: Target, hue: Color) -> None:
    """The color that an object has of its own, for the viewport and the Object Info node."""
    with build.each(target) as known:
        build.line(f"{known.var}.color = {literal((*hue.rgb, 1.0))}")
    build.note(f"object color of {target.said} -> {hue.label}")


PICTURE_OF: Final = "(image|picture|file|image file) of [the] image texture"


@step(
    f"(set|change|replace|swap|switch|exchange) [the] ({PICTURE_OF}|image texture|texture|image|picture) {OF_MATERIAL} (to|with|by|for) [the] [image] {{path:path}}"
)
def change_image(build: Build, target: Target | None, name: str | None, path: str) -> None:
    """Let the image texture of a material show another picture."""
    topic = material_by(build, name, target)
    found, var = build.var("pictures"), build.var("picture")
    kind = 'node.bl_idname == "ShaderNodeTexImage"'
    build.comment("the picture of the image texture")
    build.line(f"{found} = [node for node in {tree_var(build, topic)}.nodes if {kind}]")
    with build.block(f"if len({found}) != 1:"):
        build.line(f'raise RuntimeError(f"{{len({found})}} image textures, not one")')
    build.imports("typing: Any")
    build.line(f"{var}: Any = {found}[0]\n{var}.image = {image_of(build, path)}")
    build.note(f"image texture -> {path}")


TEXTURE: Final = "[the] [image|uv] (texture|texture mapping|uv mapping|texture coordinates|uvs of the texture) (of|on) {target:object} ['s] [material]"
TEXTURE_MAPPING: Final = (
    "[the] (texture mapping|uv mapping|texture coordinates|image texture) (of|on) {target:object} ['s] [material]"
)
"""Not the texture alone, which has a scale of its own."""
WAY: Final = "[(in|along|on|around|about) {axis:axes}]"


@step(
    f"(rotate|turn) {TEXTURE} {{rel=by}} {{turn:angle}} {WAY}",
    f"(rotate|turn|set the rotation of) {TEXTURE} to {{turn:angle}} {WAY}",
    f"(scale|set the scale of) {TEXTURE_MAPPING} to {{scale:n}} {WAY}",
    f"(tile|repeat) {TEXTURE} {{scale:n}} [times] {WAY}",
    f"(move|offset|shift) {TEXTURE} {{rel=by}} {{shift:n}} (in|along|on) {{axis:axes}} [through [the|a] mapping node]",
)
def map_texture(
    build: Build, target: Target, turn: Degrees | None, scale: float | None, shift: float | None, rel: str | None, axis: list[str] | None,
) -> None:  # fmt: skip
    """Turn, scale or shift the texture of a material with the Mapping node before it, a new one where there is none."""
    if any(letter not in {"X", "Y", "Z"} for letter in axis or ()):
        raise refuse(", ".join(axis or ()), "X, Y or Z")
    letters = axis or (["Z"] if turn is not None else ["X", "Y"])
    topic = material_called(build, target.name) if target.how == "named" else material_for(build, target)
    build.need("mapping_of")
    build.imports("typing: Any")
    name = "Rotation" if turn is not None else "Scale" if scale is not None else "Location"
    socket = build.var(name)
    build.line(f'{socket}: Any = mapping_of({topic.var}).inputs["{name}"]')
    if rel:
        build.once()
    sign = "+=" if rel else "="
    value = turn if turn is not None else float(scale if scale is not None else shift or 0.0)
    for letter in letters:
        build.line(f"{socket}.default_value[{'XYZ'.index(letter)}] {sign} {build.literal(value)}")
    build.note(f"texture of {target.said}: {name.lower()}")


# --- textures -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spot:
    """A node in the snippet: its variable, its type, and the socket that was said."""

    var: str
    node: NodeType
    socket: str = ""


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
    said = {socket.socket for socket, _ in chosen}
    if kind.identifier == BRICK and "Color2" not in said:  # "bricks in red": one color for all of them
        bricks = re.compile(r"(?<!first )(?<!one )\bbricks?\b", re.IGNORECASE)
        pairs = zip(sets, chosen, strict=True)
        hues = [value for one, (each, value) in pairs if each.socket == "Color1" and bricks.search(one.said)]
        color2 = next(each for each in kind.inputs if each.name == "Color2")
        chosen += [(Setting(Place("", BRICK), as_property(color2), "Color2"), hue) for hue in hues]
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
    "((generate|create|make|add|new) [a|an] [new] [empty|blank] [{w:int} (x|by) {h:int} [px|pixels|pixel]] image|image (datablock|data block|data-block)) ~( <called> {name:name} ; {name:quoted} ; [of|with] [size|resolution] {w:int} (x|by) {h:int} [px|pixels|pixel] ;"
    " [of|with] [the] [generated] [type] {kind=uv grid|color grid|blank|uv test grid} ; {deep=32 bit float|32 bit|float} ; {alpha=with alpha|with an alpha channel|alpha|without alpha|no alpha} ;"
    " [filled] [with|in] [color] {hue:color} ; [and] use it as [the] base color of {target:object} ['s] [material] )"
)
def image(
    build: Build, w: int | None, h: int | None, name: str | None, kind: str | None, target: Target | None,
    deep: str | None, alpha: str | None, hue: Color | None,
) -> None:  # fmt: skip
    """A generated image, perhaps as the base color of a material."""
    if name is None or w is None or h is None:
        raise refuse("image", "which size, which name?")
    text = quoted(name)
    var = build.var("image")
    build.comment(f"the image {name}")
    options = f", float_buffer={bool(deep)}" if deep else ""
    options += f", alpha={alpha not in {'without alpha', 'no alpha'}}" if alpha else ""
    build.line(f"{var} = bpy.data.images.get({text}) or bpy.data.images.new({text}, {w}, {h}{options})")
    if hue is not None:
        build.line(f"{var}.generated_color = {literal((*hue.rgb, 1.0))}")
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
        build.memory.setdefault("_nodes", []).append((topic.var, Spot(node_var, node)))
        build.topic = TextureTopic(node_var, (Place("", node.identifier),), node.label, topic)
    build.note(f'image "{name}"')
