"""Modifiers and constraints: every one of the manifest, with any of its settings."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from app.drafting.composer.build import Build, Known, Many
from app.drafting.composer.filters import Filter
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import GREASE_PENCIL, Kind, Place, Setting
from app.drafting.composer.patterns import SLOTS, Env, Reading, compile_pattern, slot
from app.drafting.composer.slots import (
    MODIFIER_VERBS,
    OBJECT_KINDS,
    Set,
    Target,
    axis_value,
    by_item,
    in_a_row,
    known_name,
    main_value,
    one_setting,
    quantity,
    skip,
)
from app.drafting.composer.tokens import singular
from app.drafting.composer.values import Degrees, Quantity, Ref, Vec, clean, quoted, refuse, with_article


@dataclass
class Topic:
    """A thing that is no object: a variable, and the places of its settings."""

    var: str
    places: tuple[Place, ...]
    title: str

    def accepts(self, build: Build, sets: Sequence[Set]) -> bool:
        """Whether all of this can be set on it."""
        del build
        return all(any(option[0].place in self.places for option in each.options) for each in sets)

    def write(self, build: Build, sets: Sequence[Set]) -> None:
        """Set it."""
        build.assign(self.var, build.choose(sets, self.places, f"the {self.title}"))


NEEDS_WORD: Final = frozenset({
    "ARRAY", "MASK", "SCREW", "SKIN", "WAVE", "CAST", "CURVE", "HOOK", "SMOOTH", "WARP", "BUILD", "EXPLODE", "OCEAN",
    "MIRROR", "NORMAL_EDIT", "ARMATURE", "LATTICE", "CLOTH", "COLLISION", "SOFT_BODY", "PARTICLE_SYSTEM", "FLUID",
    "DYNAMIC_PAINT", "SURFACE", "NODES", "LENGTH", "OUTLINE", "DASH",
})  # fmt: skip
"""Words that may mean something else, so that "modifier" must be said."""
PLAIN: Final = frozenset({"MIRROR", "ARRAY", "SCREW", "CAST"})
"""Those of them that a setting tells."""
WAYS: Final = {word + end: word.upper() for word in ("twist", "bend", "taper", "stretch") for end in ("", "s", "es")}
OWN_STEPS: Final = frozenset({"PARTICLE_SYSTEM", "NODES", "FLUID", "COLLISION", "SURFACE", "CLOTH", "SOFT_BODY"})


TWINS: Final = {"levels": "render_levels", "steps": "render_steps"}
"""Settings of the viewport that have a twin for renders."""

DETAILS: Final = (
    "~( <called> {name:name} ; (<on>|:) {target:object} ; [with|using|and|by|from] {tex:kind of textures} texture ; {t:settings of tex} ; (with|using|that|which|has) {way=twists|bends|tapers|stretches} it ; {way=twist|bend|taper|stretch} ;"
    " {out=outwards|outward|inwards|inward|to the outside|to the inside|on both sides|to both sides} ; (mirrors|mirroring|works|working) [only] (over|across|along|on) {across:axes} [only] ; [only] [in|along|on|across|over] {across:axes} only ; only (in|along|on|across|over) {across:axes} ; , {target:named} ;"
    " {a:settings of mod} ; {b:settings of mod} ; {m:main of mod} )"
)
ON_AND_WHERE: Final = "~( (of|on) {target:object} ; {where:visibility} )"


SWITCHED: Final = "(hide|disable|turn off|switch off|deactivate|{show=show|enable|turn on|switch on|activate})"


@step(
    f"{SWITCHED} [all] [the] ({{mod:kind of modifiers}} modifier|modifiers) {ON_AND_WHERE}",
    f"{SWITCHED} [the] {{mod:kind of modifiers}} on {{target:object}} {ON_AND_WHERE}",
    f"{SWITCHED} {{target:object}} ['s] {{mod:kind of modifiers}} modifier {ON_AND_WHERE}",
)
def show_modifier(
    build: Build, mod: Kind | None, target: Target | None, where: frozenset[str] | None, show: str | None
) -> None:
    """Switch modifiers on or off, in the viewport, in renders, or in both."""
    if mod is not None and mod.identifier in OWN_STEPS and "modifier" not in build.request.lower():
        raise refuse(mod.label, "say what is to be disabled")
    test = f' if each.type == "{mod.identifier}"' if mod else ""
    if target is None and build.it is None and re.search(r"\b(all|every|each)\b", build.request, re.IGNORECASE):
        target = Target("all", said="every object")
    with build.each(target) as known, build.block(f"for each in [each for each in {known.var}.modifiers{test}]:"):
        for place in sorted(where or {"hide_viewport", "hide_render"}):
            build.line(f"each.{place.replace('hide', 'show')} = {bool(show)}")
    build.note("modifiers switched")


@slot("modkind")
def modkind(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Kind]]:
    """A kind of modifier, with an item or a switch before its name: "planar decimate", "sharp remesh"."""
    yield from SLOTS["kind"](reading, at, env, "modifiers")
    start = skip(reading, at, {"a", "an", "the", "new", "another"})
    for place in range(start + 1, min(start + 4, len(reading.tokens))):
        if reading.tokens[place - 1].kind != "word":
            return
        for end, kinds in reading.lexicon.families["modifiers"].matches(reading.tokens, place):
            if not kinds[0].places:
                continue
            table = reading.lexicon.table(kinds[0].places)
            for last, options, _, key in by_item(reading, start, table, ()):
                if last == place and (found := tuple(options)):
                    yield end, replace(kinds[0], preset=(Set(found, reading.said(start, last), None, key),))


@slot("named")
def named(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Target]]:
    """An object by its name alone, in quotes or written like one."""
    for end, found in known_name(reading, at, {}, ""):
        if found.lower() not in OBJECT_KINDS or reading.tokens[at].kind == "quoted":
            yield end, Target("named", found, said=reading.said(at, end))


@step("{mod:kind of modifiers} [{w=modifier|modifiers|operation|operator}] [(,|:)] [{a:settings of mod}]")
def same_modifier(build: Build, mod: Kind, w: str | None, a: list[Set] | None) -> None:
    """The name of the modifier that the words before were about: "bend it by 30 degrees, simple deform"."""
    del w
    topic = build.topic
    if not isinstance(topic, Topic) or topic.title != f"{mod.label} modifier" or topic.places != mod.places:
        raise refuse(mod.label, "which one?")
    topic.write(build, a or [])
    build.note(f"{mod.label} modifier, named again")


@step(
    "{definite=the|its} {mod:modkind} [modifier] (should|must|shall|has to|is to) [have|be|use|get|have its|use its] {a:settings of mod}",
    "{definite=the|its} {mod:modkind} [modifier] (gets|has|uses|needs) {a:settings of mod}",
)
def made_modifier(build: Build, definite: str, mod: Kind, a: list[Set]) -> None:
    """More settings of a modifier that this request added: "The solidify should have its offset at 1"."""
    known = build.it
    if not isinstance(known, Known):
        raise refuse(f"{definite} {mod.label}", "of which object?")
    titles = [title for kind, title in known_modifiers(build, known) if kind == mod.identifier]
    if len(titles) != 1:
        raise refuse(f"{definite} {mod.label}", "which one?")
    build.need("expect")
    var = build.var(mod.identifier)
    build.line(f"{var} = expect({known.var}.modifiers[{quoted(titles[0])}], bpy.types.{mod.type})")
    build.assign(var, build.choose(a, mod.places, f"the {mod.label} modifier"))
    build.topic = Topic(var, mod.places, f"{mod.label} modifier")
    build.note(f"the {mod.label} modifier: {', '.join(each.said for each in a)}")


VERBS: Final = "|".join(MODIFIER_VERBS)


@step(
    f"[<add>] [it] {{mod:modkind}} [{{w=modifier}}] [(:|,|-) {{target:object}}] {DETAILS}",
    f"{{mod:modkind}} {{target:named}} {DETAILS}",
    f"(give|let) {{target:object}} [have] [a|an] [{{m:main of mod}}] {{mod:modkind}} [{{w=modifier}}] {DETAILS}",
    f"(for|on|to) {{target:object}} [,] [<add>] [a|an] {{mod:modkind}} {{w=modifier}} {DETAILS}",
    f"{{target:object}} [:] (gets|get|receives|needs|has) [a|an] {{mod:modkind}} [{{w=modifier}}] {DETAILS}",
    "[<add>] {a:settings of mod} {mod:kind of modifiers} {w=modifier} [<on> {target:object}]",
    f"[{{mod:kind of modifiers}} [{{w=modifier}}] (:|,|-)] {{verb={VERBS}}} {{target:object}} ['s] [edges] ~( (with|using|via|by|through) {{mod:kind of modifiers}} [{{w=modifier}}]"
    " ; [as|with|using|via|by|through] [a|an] [non destructive] {w=modifier} ; (not applied|do not apply it|unapplied|without applying it)"
    " ; {out=outwards|outward|inwards|inward|to the outside|to the inside|on both sides|to both sides} ; [by|to|at|down to] {m:main of verb} ; {a:settings of verb} ; {b:settings of verb} ; [with|using|by] [a] {tex:kind of textures} texture ; {t:settings of tex} )",
    "(set|change) {mod:kind of modifiers} [{w=modifier}] ['s] {a:settings of mod} (on|of|for) {target:object}",
    "(set|change) {mod:kind of modifiers} {w=modifier} ['s] {p:prop of mod} (on|of|for) {target:object} [<to>] {m:value of p}",
    f"apply (a|an) {{mod:kind of modifiers}} {{w=modifier}} {DETAILS}",
)
def modifier(
    build: Build, mod: Kind | None = None, target: Target | None = None, a: list[Set] | None = None, b: list[Set] | None = None,
    m: Set | None = None, name: str | None = None, way: str | None = None, w: str | None = None, verb: str | None = None,
    across: list[str] | None = None, tex: Kind | None = None, t: list[Set] | None = None, out: str | None = None,
) -> None:  # fmt: skip
    """Give objects a modifier, or set up the one they have."""
    build.pending, modifier_said = "", w
    sets = [*(mod.preset if mod else ()), *(a or []), *([m] if m else []), *(b or [])]
    if any(each.said.endswith("on Cage") for each in sets):
        raise refuse("Cage", "the object of that name?")  # "On Cage" is a setting too
    if verb:
        identifier, method = MODIFIER_VERBS[verb]
        if mod is not None and mod.identifier != identifier:
            raise refuse(mod.label, f"{verb} with it?")
        telling = [each for each in sets if any("axis" not in option[0].prop.name for option in each.options)]
        if (
            not w
            and mod is None
            and not tex
            and ((identifier in NEEDS_WORD and not (telling and identifier in PLAIN)) or not sets)
        ):
            raise refuse(verb, f'if the modifier is meant, say "{verb} it with a modifier"')
        if verb == "subdivide" and mod is None and not w and not any("level" in each.said for each in sets):
            raise refuse(verb, "the mesh, or by a modifier?")
        if verb == "revolve" and mod is None and not w:
            raise refuse(verb, "by a Screw modifier?")
        mod, way, w = build.lexicon.kind("modifiers", identifier), method or way, "modifier"
    if mod is None:
        return
    if mod.several and target is None and build.it is None and sets:
        others = (name, way, tex, across, out, verb)
        if any(others) or ADDING.search(build.request):
            raise refuse(mod.label, "of which objects?")
        every_modifier(build, mod, sets)
        return
    if not w and mod.identifier in NEEDS_WORD and not ((target is not None or mod.identifier in PLAIN) and sets):
        raise refuse(mod.label, f'if the modifier is meant, say "{mod.label.lower()} modifier"')
    if mod.identifier in OWN_STEPS:
        raise refuse(mod.label, "say what it is to do")
    if mod.identifier in MADE_FOR and not w and not ADDING.search(build.request):
        raise refuse(mod.label, "the modifier, or an object of that type?")  # 'the armature "Rig": ...'
    if mod.identifier == "BEVEL" and not w and target is None and re.search(r"\bbevel weight", build.request, re.I):
        raise refuse("bevel weight", "of which edges?")
    if target is not None and target.how == "all" and not target.name and not mod.identifier.startswith(GREASE_PENCIL):
        # "everything in Props": a camera or an empty among them takes no modifier
        target = replace(target, name="MESH")
    chosen = [
        (setting, tuple(each or 0.0 for each in value) if setting.prop.name.endswith("offset_displace") else value)
        for setting, value in build.choose(sets, mod.places, f"the {mod.label} modifier")
    ]  # "relative offset 1.05 in Y" is none in X, though Blender begins with one
    if mod.identifier == "BEVEL":
        chosen = [percent(build, mod, setting, value, chosen) for setting, value in chosen]
    if mod.identifier == "DYNAMIC_PAINT" and any(
        setting.place.path or setting.prop.name == "ui_type" for setting, _ in chosen
    ):
        raise refuse(mod.label, "a canvas or a brush?")
    if out:
        if mod.identifier != "SOLIDIFY":
            raise refuse(out, f"the {mod.label} modifier has no such direction")
        towards = 0.0 if "both" in out else 1.0 if "out" in out else -1.0
        chosen.append((Setting(mod.places[0], build.lexicon.property(mod.type, "offset")), towards))
    if across:
        table = build.lexicon.table(mod.places)
        turned = next(((each, axis_value(each.prop, across)) for each in table.axes), None)
        if turned is None or turned[1] is None:
            raise refuse(", ".join(across), f"the {mod.label} modifier has no such axes")
        chosen.append(turned)
    if way and mod.identifier != "SIMPLE_DEFORM":
        raise refuse(way, f"the {mod.label} modifier does no such thing")
    if mod.identifier == "SIMPLE_DEFORM":
        said_ways = {WAYS[each] for each in {*(one.said.split()[0].lower() for one in sets), way} if each in WAYS}
        if len(said_ways) > 1:
            raise refuse(mod.label, "it deforms in one way")
        deform = build.lexicon.property(mod.type, "deform_method")
        letters = {each.said.upper() for each in sets} & {"X", "Y", "Z"}  # "twist 90 degrees z": no lock
        if len(letters) == 1:
            chosen = [each for each in chosen if not each[0].prop.name.startswith("lock_")]
            chosen.append((Setting(mod.places[0], build.lexicon.property(mod.type, "deform_axis")), letters.pop()))
        chosen += [(Setting(mod.places[0], deform), each) for each in said_ways]
    # The modifier's own default of the render follows the viewport where only one was said.
    said = {setting.prop.name: value for setting, value in chosen}
    alike = not any(
        re.search("viewport|preview", each.said.lower()) and "render" not in each.said.lower() for each in sets
    )
    for name_, twin in TWINS.items():
        if name_ in said and twin not in said and alike and build.lexicon.manifest.find(mod.type, twin):
            chosen.append((Setting(mod.places[0], build.lexicon.property(mod.type, twin)), said[name_]))
    if mod.identifier == "BOOLEAN" and "operation" in said and not said.keys() & {"object", "collection"}:
        raise refuse(mod.label, "with which object?")
    build.used.add("modifiers:" + mod.identifier)
    bare: set[str] = build.memory.setdefault("_bare", set())
    if mod.identifier in bare and target is None and not name and not modifier_said and not MORE.search(build.request):
        raise refuse(mod.label, "one more, or the one that was just added?")
    if not chosen:
        bare.add(mod.identifier)
    if mod.identifier in MADE_FOR and "object" not in said:
        made_for = [known for known in build.known if known.made and known.type == mod.identifier]
        if len(made_for) > 1:
            raise refuse(mod.label, f"by which {mod.label.lower()}?")
        chosen += [
            (
                Setting(mod.places[0], build.lexicon.property(mod.type, "object")),
                Ref(Target("known", known.var, said=known.var)),
            )
            for known in made_for
        ]
    title = name or mod.label
    build.need("expect")
    if not suits(build, mod, target):
        raise refuse(mod.label, "it is for another type of object")
    made = [known for known in build.known if (mod.identifier, title) in known_modifiers(build, known)]
    with build.each(target) as known:
        if mod.identifier == "BEVEL" and not modifier_said and known.type in {"CURVE", "FONT"}:
            raise refuse(mod.label, f"the bevel of the {known.kind} or a modifier?")
        if known in made and not name:
            title = f"{title} {len([each for each in known_modifiers(build, known) if each[0] == mod.identifier]) + 1}"
        known_modifiers(build, known).append((mod.identifier, title))
        if known.var != "obj":
            build.comment(f"give it {with_article(mod.label)} modifier")
        text = quoted(title)
        var = build.var(mod.identifier)
        build.line(
            f'added = {known.var}.modifiers.get({text}) or {known.var}.modifiers.new({text}, "{mod.identifier}")'
        )
        build.line(f"{var} = expect(added, bpy.types.{mod.type})")
        build.assign(var, chosen)
        if tex is not None:
            texture(build, var, mod, tex, t or [])
    build.topic = Topic(var, mod.places, f"{mod.label} modifier")
    build.note(f'{mod.label} modifier ({", ".join(each.said for each in sets)}) -> {mod.identifier} "{title}"')


MORE: Final = re.compile(r"\b(another|second|more|two|three)\b", re.IGNORECASE)
MADE_FOR: Final = frozenset({"LATTICE", "CURVE", "ARMATURE"})
"""Modifiers that deform by the object of the same type that the request makes."""
ADDING: Final = re.compile(r"\b(add|give|put|create|new|apply)\b", re.IGNORECASE)


def every_modifier(build: Build, mod: Kind, sets: list[Set]) -> None:
    """Settings of the modifiers of a kind that objects have: "mirror modifiers: clipping on"."""
    from app.drafting.composer.steps.owners import Owner, set_owned

    fits = f'each.type == "{mod.identifier}"'
    having = Target("all", where=(Filter(f"any({fits} for each in obj.modifiers)"),), said="every object that has one")
    one = f"expect(next(each for each in {{0}}.modifiers if {fits}), bpy.types.{mod.type})"
    set_owned(build, (Owner(mod.type, one, f"the {mod.label} modifiers", having), sets))


def percent(
    build: Build, mod: Kind, setting: Setting, value: Any, chosen: Sequence[tuple[Setting, Any]]
) -> tuple[Setting, Any]:
    """The width of a bevel that is measured in percent: it has a property of its own."""
    if setting.prop.name != "width" or ("offset_type", "PERCENT") not in {
        (each.prop.name, said) for each, said in chosen if isinstance(said, str)
    }:
        return setting, value
    share = re.search(r"%|percent\s*[,.)]?\s*($|and|,)|\d\s*percent", build.request)
    own = build.lexicon.property(mod.type, "width_pct")
    return Setting(mod.places[0], own), clean(float(value) * (100.0 if share and float(value) <= 1 else 1.0))


def texture(build: Build, var: str, mod: Kind, tex: Kind, sets: Sequence[Set]) -> None:
    """Give a modifier a new texture with these settings."""
    if "texture" not in {prop.name for prop in build.lexicon.properties(mod.type)}:
        raise refuse(tex.label, f"the {mod.label} modifier takes no texture")
    chosen, text = build.choose(sets, tex.places, f"the {tex.label} texture"), quoted(tex.label)
    image = build.var("texture")
    build.line(f'made = bpy.data.textures.get({text}) or bpy.data.textures.new({text}, "{tex.identifier}")')
    build.line(f"{image} = expect(made, bpy.types.{tex.type})\n{var}.texture = {image}")
    build.assign(image, chosen)


@slot("modifier_list")
def modifier_list(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[Kind]]]:
    """ "bevel, mirror and subsurf": kinds of modifiers."""
    found: list[Kind] = []
    place = at
    while True:
        place = skip(reading, place, {"a", "an", "and", "the"})
        read = next(reading.lexicon.families["modifiers"].matches(reading.tokens, place), None)
        if read is None:
            return
        place = read[0] + (reading.word(read[0]) == "modifier")
        found.append(read[1][0])
        if len(found) > 1:
            yield place, list(found)
        place += reading.mark(place) == ","


@step(
    "[<add>] {mods:modifier_list} [{w=modifiers}] [(<on>|:) {target:object}]",
    "give {target:object} {mods:modifier_list} [{w=modifiers}]",
)
def several_modifiers(build: Build, mods: list[Kind], target: Target | None, w: str | None) -> None:
    """Several modifiers without settings."""
    for mod in mods:
        modifier(build, mod, target, w=w)


def suits(build: Build, mod: Kind, target: Target | None) -> bool:
    """Whether a modifier is for the type of the object: those of grease pencils are called like those of meshes."""
    found = build.objects(target)
    type_ = "" if isinstance(found, Many) else found.type
    spoken = {"grease", "gp", "gpencil", "stroke", "strokes"} & set(build.request.lower().split())
    pencil = type_ == "GREASEPENCIL" or (not type_ and bool(spoken))
    if mod.identifier.startswith(GREASE_PENCIL) or mod.identifier == "LINEART":
        return pencil
    twin = f"{GREASE_PENCIL}{mod.identifier}" in build.lexicon.manifest.identifiers["modifiers"]
    return not (pencil and (type_ or twin))


@slot("counted")
def counted(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[Kind, list[Set]]]]:
    """ "3 segment bevel", "5 mm bevel": a setting before the name of its modifier."""
    start = skip(reading, at, {"a", "an", "the", "new"})
    for place in range(start + 2, min(start + 5, len(reading.tokens))):
        for end, kinds in reading.lexicon.families["modifiers"].matches(reading.tokens, place):
            if not kinds[0].places:
                continue
            table = reading.lexicon.table(kinds[0].places)
            bare = main_value(reading, start, {"mod": kinds[0]}, "mod")
            for last, one in itertools.chain(one_setting(reading, start, table), bare):
                if last == place and one.options:
                    yield end, (kinds[0], [one])


@step(
    "[<add>] {what:counted} [{w=modifier}] [,] [<on> {target:object}]",
    "{target:object} (gets|get|receives|needs|need|has|have|wants) {what:counted} [{w=modifier}]",
    "(give|let) {target:object} [have] {what:counted} [{w=modifier}]",
)
def counted_modifier(build: Build, what: tuple[Kind, list[Set]], w: str | None, target: Target | None) -> None:
    """A modifier whose setting stands before its name."""
    modifier(build, what[0], target, what[1], w=w)


def known_modifiers(build: Build, known: Known) -> list[tuple[str, str]]:
    """The modifiers that the plan gave an object."""
    table: dict[str, list[tuple[str, str]]] = build.memory.setdefault("_modifiers", {})
    return table.setdefault(known.var, [])


@step(
    "(for|on|to) {target:object} [in the scene] add [a] {mod:kind of modifiers} modifier [{a:settings of mod}] unless it [already] has one [already]",
    "add [a] {mod:kind of modifiers} modifier [{a:settings of mod}] to {target:object} unless it [already] has one [already]",
    "add [a] {mod:kind of modifiers} modifier [{a:settings of mod}] to {target:object} (that has|that have|which has|which have|without|that does not have|that do not have) (none|one) [yet]",
)
def modifier_unless(build: Build, target: Target, mod: Kind, a: list[Set] | None) -> None:
    """Give a modifier only to objects that have none of this type."""
    build.need("expect")
    chosen = build.choose(a or [], mod.places, f"the {mod.label} modifier")
    build.used.add("modifiers:" + mod.identifier)
    with (
        build.each(target) as known,
        build.block(f'if all(each.type != "{mod.identifier}" for each in {known.var}.modifiers):'),
    ):
        var = build.var(mod.identifier)
        build.line(
            f'{var} = expect({known.var}.modifiers.new("{mod.label}", "{mod.identifier}"), bpy.types.{mod.type})'
        )
        build.assign(var, chosen)
    build.note(f"{mod.label} modifier where there is none")


@step(
    "<remove> [the] {mod:kind of modifiers} modifier [(from|of|on) {target:object}]",
    "<remove> [the] {mod:kind of modifiers} (from|of|on) {target:object}",
    "<remove> ([the]|(all|every|each|any) [of] [the]) modifiers (from|of|on) {target:object} [(except|but|apart from) [the] {keep:kind of modifiers} [modifier]]",
    "<remove> (all|every|each|any) [of] [the] modifiers (except|but|apart from) [the] {keep:kind of modifiers} [modifier] (from|of|on) {target:object}",
    "<remove> [the] {which=first|last|top|bottom|topmost} modifier (from|of|on) {target:object}",
)
def remove_modifier(
    build: Build, mod: Kind | None, target: Target | None, which: str | None, keep: Kind | None
) -> None:
    """Remove modifiers of a type, the first or the last one, or all, perhaps but those of a type."""
    if (
        mod is None
        and not which
        and not re.search(r"\b(modifiers|mods|(any|every|each) modifier)\b", build.request, re.IGNORECASE)
    ):
        raise refuse("modifier", "which one, or all of them?")
    told = re.search(r"\bmod(ifier)?s?\b", build.request, re.IGNORECASE)
    if mod is not None and not told and (mod.identifier in OWN_STEPS or mod.identifier.startswith(GREASE_PENCIL)):
        raise refuse(mod.label, "the modifier?")
    if which:
        build.once()
    with build.each(target) as known:
        if which:
            place = -1 if which in {"last", "bottom"} else 0
            build.line(f"{known.var}.modifiers.remove({known.var}.modifiers[{place}])")
        elif (named := mod or keep) is not None:
            test = f'each.type {"==" if mod else "!="} "{named.identifier}"'
            build.line(
                f"for each in list({known.var}.modifiers):\n    if {test}:\n        {known.var}.modifiers.remove(each)"
            )
        else:
            build.line(f"{known.var}.modifiers.clear()")
    build.note("modifiers removed")


@step(
    "apply [only] [the] {mod:kind of modifiers} [modifier] [(of|on|from) {target:object}]",
    "apply [the] {mod:kind of modifiers} modifier to {target:object}",
    "apply {target:object} ['s] {mod:kind of modifiers} [modifier]",
    "apply all [the] modifiers [(of|on|to) {target:object}]",
    "apply [the] modifiers of {target:object}",
    "apply [the] {which=first|last|top|bottom|topmost} modifier [(of|on|to) {target:object}]",
    "[the] {which=first|last|top|bottom|topmost} modifier (of|on) {target:object} [:|,] (apply|applied)",
    "apply [{topic=it|the modifier|that modifier|this modifier}] [right away|immediately|straight away]",
    "{topic=applied|and apply it|apply the modifier}",
)
def apply_modifier(build: Build, mod: Kind | None, target: Target | None, which: str | None, topic: str | None) -> None:
    """Bake modifiers into the mesh."""
    title = build.topic.title if isinstance(build.topic, Topic) else ""
    if topic or (mod is None and target is None and which is None and "modifier" in title):
        mod = topical_modifier(build)
        if mod is None:
            raise refuse(topic or "apply", "apply what?")
    if mod is not None and target is None and "modifier" not in build.request and title != f"{mod.label} modifier":
        raise refuse(mod.label, "which modifier, or what else is applied?")
    build.once()
    build.need("apply_modifiers")
    kinds = f', ("{mod.identifier}",)' if mod else ""
    with build.each(target) as known:
        if which:
            place = -1 if which in {"last", "bottom"} else 0
            kinds = f", ({known.var}.modifiers[{place}].type,)"
        build.line(f"apply_modifiers({known.var}{kinds})")
    build.topic = None
    build.memory.pop("_needed", None)
    build.note("modifiers applied")


@step(
    "{mod:kind of modifiers} [modifier] (must|should|has to|shall|is to) (come|be|stay|go|stand) {end=last|first|at the end|at the top} [in|of] [modifier] [stack]",
    "[it] [is|must be|should be|goes|should come|must come] (placed|put|moved|positioned|sorted|inserted|standing|ordered|come|comes|goes) [it] [right|directly|just] {side=above|before|below|after|in front of|behind|under} {other:kind of modifiers} [modifier] [in stack]",
    "[as] [the] {end=first|last} [modifier] (in|of) [the] stack",
    "(move|put|place|bring) {topic=it|the modifier|that modifier} [up] to [the] {end=top|beginning|bottom|end} of [the] [modifier] stack",
    "(move|put|place|bring) [the] {mod:kind of modifiers} [modifier] ~( (of|on) {target:object} ; (to|at|on) {end=top|beginning|bottom|end} [of stack|of modifier stack] ; {end=first|last} [in stack] ;"
    " {side=above|before|below|after|in front of|behind|under} {other:kind of modifiers} [modifier] [in stack] )",
)
def reorder(
    build: Build, mod: Kind | None, target: Target | None, end: str | None, side: str | None, other: Kind | None,
    topic: str | None,
) -> None:  # fmt: skip
    """Move a modifier within its stack: the one that is named, or the one that the words before are about."""
    mod = mod or topical_modifier(build)
    if mod is None or mod == other:
        raise refuse(topic or end or side or "", "which modifier?")
    known = build.one(target)
    if end is None and (side is None or other is None):
        raise refuse(mod.label, "where to?")
    build.line(f'kinds = [each.type for each in {known.var}.modifiers]\nplace = kinds.index("{mod.identifier}")')
    goal = f'kinds.index("{other.identifier}")' if other else ""
    if end is not None:
        goal = "0" if end in {"top", "beginning", "first", "at the top"} else "len(kinds) - 1"
    else:
        goal += f" - (place < {goal})" if side in {"above", "before", "in front of"} else f" + (place > {goal})"
    build.line(f"{known.var}.modifiers.move(place, {goal})")
    build.note(f"{mod.label} modifier moved")


def topical_modifier(build: Build) -> Kind | None:
    """The kind of the modifier that was spoken of last."""
    title = build.topic.title if isinstance(build.topic, Topic) else ""
    kinds = build.lexicon.families["modifiers"].meanings()
    return next((each for each in kinds if f"{each.label} modifier" == title), None)


@step(
    "(restrict|limit|confine|constrain) (it|the modifier|its effect|that|this|the effect) to [the] [vertex] group {name:name}",
    "(it|the modifier|that) [should|must|is to] [only] (affect|affects|act on|acts on|work on|works on) [only] [the] [vertices in|vertices of] [vertex] group {name:name}",
)
def modifier_group(build: Build, name: str) -> None:
    """Let the modifier that was spoken of act on a vertex group only."""
    mod = topical_modifier(build)
    if mod is None or not isinstance(build.topic, Topic) or not build.lexicon.manifest.find(mod.type, "vertex_group"):
        raise refuse(name, "which modifier acts on it only?")
    build.line(f"{build.topic.var}.vertex_group = {quoted(name)}")
    build.note(f"{mod.label} modifier -> vertex group {name}")


@step("(copy|transfer|give) [all] [the] modifiers (of|from) {source:object of one} to {target:object}")
def copy_modifiers(build: Build, source: Target, target: Target) -> None:
    """Give objects the modifiers of another one, with their settings."""
    giver = build.one(source)
    build.once()
    build.need("copy_modifiers")
    with build.each(target) as known:
        if known.var == "obj":
            build.line(f"if obj == {giver.var}:\n    continue")
        build.line(f"copy_modifiers({giver.var}, {known.var})")
    build.memory["_copies"] = build.objects(target)
    build.note(f"modifiers of {source.said} -> {target.said}")


@step(
    "[really] (no|without|not) [a|the] [classic|real] {mod:kind of modifiers} [modifier]",
    "(no|without|not) [a|the] [any] [classic|real] (modifier|modifiers)",
    "do not (use|add) [a|the|any] [{mod:kind of modifiers}] [modifier|modifiers]",
    "not as a modifier",
)
def no_modifier(build: Build, mod: Kind | None) -> None:
    """What must not be there: the plan is refused if it adds it."""
    kinds = [mod] if mod is not None else build.lexicon.families["modifiers"].meanings()
    build.forbidden.extend((f"modifiers:{each.identifier}", mod.label if mod else "modifier") for each in kinds)
    build.note("without it")


# --- constraints --------------------------------------------------------------------------------------------


AIMING: Final = frozenset({"TRACK_TO", "DAMPED_TRACK", "LOCKED_TRACK", "STRETCH_TO", "IK", "FOLLOW_PATH"})
"""Constraints that go to a target, and come from nothing."""
HOW_HELD: Final = "[in] {space:spaces} ; only [on|along|for|in|around|about] {only:axes} ; [the|on|along] {only:axes} only ; {aim:aim} ; [with] [the] {inverse=inverse} [set] ; {invert=inverted|invert} [the|its] [axes]"
"""What is said of a constraint of an object or of a bone beside its settings."""
ABOUT: Final = (
    f"~( {HOW_HELD} ; <on> {{target:object}} ; <called> {{name:name}} ; {{a:settings of con}} ; {{b:settings of con}} ;"
    " [with|using|by|via|through] [a] {con:kind of constraints} [constraint] ; (with|using|by|via|through) a constraint ; (from|with|around|relative to) {goal:object of one} )"
)
ON_A_SURFACE: Final = frozenset({"FOLLOW_PATH", "CLAMP_TO", "SHRINKWRAP"})
"""Constraints whose target may stand behind "on"; the others are on what they move."""
ON_IT: Final = re.compile(r"(on|for)\b", re.IGNORECASE)
DOING: Final = [(compile_pattern(words), identifier) for words, identifier in (
    *((f"copy {what}", f"COPY_{what.upper()}") for what in ("location", "rotation", "scale", "transforms")), ("(stretch|stretched)", "STRETCH_TO"),
    ("(can't|cannot|can not|must not|may not) (go|fall|sink|move|drop) (below|under)", "FLOOR"),
    ("(track|[always|keep] (aimed|aims|looking|looks|pointing|points|pointed) at|always (look|point) at|always face)", "TRACK_TO"),
)]  # fmt: skip
"""Verbs that a constraint does."""


SPACES: Final = {
    "local": "LOCAL", "world": "WORLD", "pose": "POSE", "local with parent": "LOCAL_WITH_PARENT", "global": "WORLD",
}  # fmt: skip
IN_SPACE: Final = [compile_pattern(text.replace("SPACE", "|".join(SPACES))) for text in (
    "(owner [space] and target [space]|target and owner [space]|both [owner and target|sides|ends|spaces]) [spaces] [is|are|set to|to|in|:|=] {owner=SPACE} [space]",
    "[owner] (in|from) {owner=SPACE} space [to|,|and] [the] [target] [in] {target=SPACE} space",
    "{owner=SPACE} (space|coordinates) [on|for|in] [both] [of them|sides|ends|objects|owner and target|target and owner|the owner and the target]",
    "{owner=SPACE} [space] (both|for both|on both) [sides|ends|of them]",
    "{owner=SPACE} to {target=SPACE} [space]",
    "{owner=SPACE} [space] (for|on) [the] owner [space] [and] {target=SPACE} [space] (for|on) [the] target [space]",
    "{owner=SPACE}",
)]  # fmt: skip


@slot("spaces")
def spaces(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[str, str]]]:
    """The spaces of the owner and the target: "local space", "local space both", "world space to local space"."""
    if reading.word(at - 1) in {"owner", "target"}:
        return
    for matcher in IN_SPACE:
        for end, found in matcher(reading, at, {}):
            owner = SPACES[found["owner"]]
            yield end, (owner, SPACES[found.get("target", found["owner"])])


@dataclass(frozen=True)
class Aim:
    """The bone that a constraint goes to, and the armature that has it; without one it is that of the owner."""

    bone: str
    rig: Target | None = None


BONE: Final = "[the] [pose] (bone|target bone|subtarget) [is|:|=] {bone:name}"
AIMS: Final = [compile_pattern(text) for text in (
    f"{BONE} (of|in|on) [the] [armature|rig] {{rig:object of one}}",
    f"{BONE} [(of|in|on|from) ([the] same (rig|armature)|it)]",
    "{bone:known} (of|in|on|from) [the] same (rig|armature)",
    f"[the] [armature|rig] {{rig:object of one}} ['s|,|:|/|«|and|with|-] {BONE} [»]",
)]  # fmt: skip
AIMED: Final = compile_pattern("(target|targeting|to|towards|at|aimed at|with target|whose target is) [is|:|=]")
AS_TARGET: Final = compile_pattern("as [the|its] target")


@slot("aim")
def aim(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Aim]]:
    """ "target bone "Hand.L" of the same rig", "target Rig, bone "Hand.L"", "to the bone "head" of Rig"."""
    for start, _ in [*AIMED(reading, at, {}), (at, None)]:
        for matcher in AIMS:
            for end, found in matcher(reading, start, {}):
                goal = Aim(found["bone"], found.get("rig"))
                if start > at or reading.word(at) in {"target", "subtarget"}:
                    yield end, goal
                else:
                    yield from ((last, goal) for last, _ in AS_TARGET(reading, end, {}))


HELD: Final = re.compile(r"\((damped track|locked track|track to|copy \w+|child of|floor|armature|pivot)\b")
"""A kind of constraint in brackets: it tells by which one what stands before is done."""


@slot("doing")
def doing(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Kind]]:
    """The constraint that a verb asks for: "copy the rotation", "always look at"; of "limit" what is limited."""
    limited = [(compile_pattern(what), f"LIMIT_{what.upper()}") for what in ("location", "rotation", "scale")]
    for matcher, identifier in limited if of else DOING:
        for end, _ in matcher(reading, at, {}):
            yield end, reading.lexicon.kind("constraints", identifier)


@step(
    "(mute|disable|turn off|switch off|deactivate|{show=unmute|enable|turn on|switch on|activate}) the {con:kind of constraints} constraint (of|on|for) {target:object}",
)
def switch_constraint(build: Build, con: Kind, target: Target, show: str | None) -> None:
    """Switch the constraints of a type that objects have on or off."""
    with build.each(target) as known:
        held = f'[each for each in {known.var}.constraints if each.type == "{con.identifier}"]'
        build.line(f"for each in {held}:\n    each.enabled = {bool(show)}")
    build.note(f"{con.label} constraint switched {'on' if show else 'off'}")


@step(
    f"[<add>] [a|an] {{con:kind of constraints}} [constraint] {ABOUT}",
    f"[let|make|keep] {{target:object}} [should|must|has to|shall] {{con:doing}} [of] {{goal:object of one}} {ABOUT}",
    f"{{con:doing}} {{target:object}} (towards|to|at) {{goal:object of one}} {ABOUT}",
    f"{{con:doing}} of {{goal:object of one}} (to|onto) {{target:object}} (with|by|using) [a] constraint {ABOUT}",
    f"[give|let] {{target:object}} [have|has|gets|needs] [a|an] {{con:kind of constraints}} [constraint] [(to|on|at) {{goal:object of one}}] {ABOUT}",
    f"constrain {{target:object}} [(to|at|on) {{goal:object of one}}] (with|using|via|by) [a|an] {{con:kind of constraints}} [constraint] {ABOUT}",
    f"(keep|let|make|track|aim|point|lock) {{target:object}} [aimed|looking|look|pointing|point|pointed|tracking|track] (at|to|on|towards) {{goal:object of one}} (with|using|via|by|through) [a|an] {{con:kind of constraints}} [constraint] {ABOUT}",
    f"{{target:object}} [to|should|must|has to] (look at|looks at|points at|point at|tracks|track|faces|face|follows|follow|copies|copy|is aimed at|aims at) {{goal:object of one}} (with|using|via|by|through) [a|an] {{con:kind of constraints}} [constraint] {ABOUT}",
    f"(make|let) {{target:object}} (follow|copy|track|look at|point at|face) {{goal:object of one}} (with|using|via|by|through) [a|an] {{con:kind of constraints}} [constraint] {ABOUT}",
)
def constraint(
    build: Build, con: Kind, target: Target | None, goal: Target | None, a: list[Set] | None, b: list[Set] | None, name: str | None,
    only: list[str] | None, space: tuple[str, str] | None, inverse: str | None, invert: str | None, aim: Aim | None,
) -> None:  # fmt: skip
    """Give objects a constraint, or set up the one they have."""
    sets = [*(a or []), *(b or [])]
    if not (target or goal or sets) and re.match(rf"\W*{con.label}( constraint)?\s*:", build.request, re.IGNORECASE):
        raise refuse(con.label, "of what?")  # the words behind the colon tell
    chosen = build.choose(sets, con.places, f"the {con.label} constraint")
    if goal is not None and any(setting.prop.name == "target" for setting, _ in chosen):
        raise refuse(goal.said, "two targets?")
    if target is None and con.identifier not in ON_A_SURFACE and any(ON_IT.match(each.said) for each in sets):
        raise refuse(con.label, "on which object, and at which one does it aim?")
    if opened := HELD.search(build.request.lower()):
        if goal is None and target is None and not any(setting.prop.name == "target" for setting, _ in chosen):
            raise refuse(opened[1], "with which target?")
        if con.label.lower() != opened[1] and con.label.lower() not in build.request.lower():
            raise refuse(opened[1], f"that, or the {con.label} constraint?")
    wanted = build.one(goal) if goal is not None else None
    if wanted is not None and goal is not None:
        turned = re.search(rf"\bfrom {re.escape(goal.said)}", build.request) and con.identifier in AIMING
        if turned or any(setting.prop.name == "target" for setting, _ in chosen):
            raise refuse(goal.said, "which one is aimed at which?")
    if aim is not None and (target is None or aim.rig is None):
        raise refuse(aim.bone, "of which armature, and for which object?")
    build.need("expect")
    with build.each(target) as known:
        if known.var != "obj":
            build.comment(f"give it {with_article(con.label)} constraint")
        var = held_constraint(build, con, known.var, name)
        if wanted is not None:
            build.line(f"{var}.target = {wanted.var}")
        hold(build, con, var, chosen, sets, space, only, aim, invert, inverse)
    build.topic = HeldTopic(var, con.places, f"{con.label} constraint", con)
    if known.var != "obj":
        build.it = known
    build.note(f"{con.label} constraint ({', '.join(each.said for each in sets)}) -> {con.identifier}")


@dataclass
class HeldTopic(Topic):
    """A constraint that was spoken of: a space that is said of it is that of its owner and its target."""

    con: Kind
    bone: str = ""
    """The variable of the bone that has it."""

    def write(self, build: Build, sets: Sequence[Set]) -> None:
        """Set it."""
        chosen = build.choose(sets, self.places, f"the {self.title}")
        hold(build, self.con, self.var, chosen, sets, None, None, None, None, None)


@step(
    "{off=mute|disable|turn off|switch off|deactivate} (it|the constraint|that constraint)",
    "(turn|switch) (it|the constraint|that constraint) {off=off}",
    "(unmute|enable|turn on|switch on) (it|the constraint|that constraint)",
)
def switch_held(build: Build, off: str | None) -> None:
    """Switch the constraint that was spoken of on or off."""
    if not isinstance(build.topic, HeldTopic):
        raise refuse(off or "it", "which constraint?")
    build.line(f"{build.topic.var}.enabled = {not off}")
    build.note(f"{build.topic.title}: {'off' if off else 'on'}")


def spoken_bone(build: Build) -> str:
    """The variable of the pose bone that was spoken of last, or whose constraint was; nothing where there is none."""
    topic = build.topic
    if isinstance(topic, Topic) and topic.places[0].type == "PoseBone":
        return topic.var
    return topic.bone if isinstance(topic, HeldTopic) else ""


def held_constraint(build: Build, con: Kind, owner: str, name: str | None) -> str:
    """The variable of a constraint of an object or a bone, which is made the first time."""
    text, var = quoted(name or con.label), build.var(con.identifier)
    build.need("expect")
    build.line(f'held = {owner}.constraints.get({text}) or {owner}.constraints.new("{con.identifier}")')
    build.line(f"{var} = expect(held, bpy.types.{con.type})\n{var}.name = {text}")
    return var


def hold(
    build: Build, con: Kind, var: str, chosen: list[tuple[Setting, Any]], sets: Sequence[Set], space: tuple[str, str] | None,
    only: list[str] | None, aim: Aim | None, invert: str | None, inverse: str | None, rig: str = "",
) -> None:  # fmt: skip
    """Settings of a constraint: those of its type, its spaces, the bone that it goes to, its axes, its inverse."""
    find = build.lexicon.manifest.find
    sides = ["owner_space", "target_space"] if find(con.type, "target") else ["owner_space"]
    said = " ".join(each.said.lower() for each in sets if any(s.prop.name in sides for s, _ in each.options))
    if "target" not in said and "owner" not in said:
        values = {str(value) for setting, value in chosen if setting.prop.name in sides}
        if len(values | set(space or ())) > 1 and values:
            raise refuse(said, "which of both spaces?")
        space = next(((each, each) for each in values), space)
        chosen = [each for each in chosen if each[0].prop.name not in sides]
    elif space is not None:
        raise refuse(said, "in which space?")
    if aim is not None:
        if find(con.type, "subtarget") is None:
            raise refuse(aim.bone, f"the {con.label} constraint takes no bone")
        if aim.rig is not None:
            build.line(f"{var}.target = {build.object(aim.rig)}")
        elif rig and not any(setting.prop.name == "target" for setting, _ in chosen):
            build.line(f"{var}.target = {rig}")
        build.line(f"{var}.subtarget = {quoted(aim.bone)}")
    build.assign(var, chosen)
    if only is not None:
        only_axes(build, var, con, only)
    if space is not None and len(sides) < 2 and space[0] != space[1]:
        raise refuse(con.label, "it has one space")
    if space is not None and space[0] == space[1]:
        build.line(" = ".join(f"{var}.{each}" for each in sides) + f' = "{space[0]}"')
    elif space is not None:
        build.line(f'{var}.owner_space = "{space[0]}"\n{var}.target_space = "{space[1]}"')
    for letter in (only or "XYZ") if invert else ():
        if find(con.type, f"invert_{letter.lower()}") is None:
            raise refuse(invert or "", f"the {con.label} constraint cannot be inverted")
        build.line(f"{var}.invert_{letter.lower()} = True")
    if inverse:
        if con.identifier != "CHILD_OF":
            raise refuse(inverse, f"the {con.label} constraint has none")
        place = f"{build.expect(f'{var}.target', 'Object')}.matrix_world"
        if aim is not None:
            build.line(f"{var}_rig = {build.expect(f'{var}.target', 'Object')}")
            build.line(f"{var}_bone = {build.expect(f'{var}_rig.pose', 'Pose')}.bones[{quoted(aim.bone)}]")
            place = f"({var}_rig.matrix_world @ {var}_bone.matrix)"
        build.line(f"{build.view_layer()}.update()\n{var}.inverse_matrix = {place}.inverted()")


Limits = list[tuple[str, Quantity | None, Quantity | None]]
"""Axes, with the least and the most there."""
LIMITED: Final = (
    "~( [in] {space:spaces} ; {s:settings of con} ; [with|using] [a] {con:kind of constraints} [constraint] )"
)


@step(
    f"[<add>] [a] {{con:kind of constraints}} [constraint] <on> {{target:object}} [,|:|with] {{limits:limits}} {LIMITED}",
    f"(limit|restrict|clamp|keep) [the] [{{axis:axes}}] {{con:doing of limit}} of {{target:object}} [to|:] {{limits:limits of axis}} {LIMITED}",
    f"{{con:kind of constraints}} (of|for) {{target:object}} [,|:|with|to] {{limits:limits}} {LIMITED}",
    f"(limit|restrict|clamp|keep) {{target:object}} ['s] [{{axis:axes}}] {{con:doing of limit}} [to|:] {{limits:limits of axis}} {LIMITED}",
)
def limit(
    build: Build, con: Kind, target: Target, limits: Limits, space: tuple[str, str] | None, s: list[Set] | None
) -> None:
    """A Limit constraint with its ranges."""
    known = build.one(target)
    var = held_constraint(build, con, known.var, None)
    set_limits(build, var, con, limits)
    chosen = build.choose(s or [], con.places, f"the {con.label} constraint")
    hold(build, con, var, chosen, s or [], space, None, None, None, None)
    build.topic = HeldTopic(var, con.places, f"{con.label} constraint", con)
    build.it = known
    build.note(f"{con.label} constraint")


def set_limits(build: Build, var: str, con: Kind, limits: Limits) -> None:
    """The ranges of a Limit constraint."""
    if limits and con.identifier not in {"LIMIT_LOCATION", "LIMIT_ROTATION", "LIMIT_SCALE"}:
        raise refuse(con.label, "it has no ranges")
    turning = con.identifier == "LIMIT_ROTATION"
    for letter, low, high in limits:
        if turning:
            build.line(f"{var}.use_limit_{letter} = True")
        for side, given in (("min", low), ("max", high)):
            if given is None:
                continue
            if given.measured("length" if turning else "angle"):
                raise refuse(f"{given.number:g}", "another unit was expected")
            if not turning:
                build.line(f"{var}.use_{side}_{letter} = True")
            build.line(
                f"{var}.{side}_{letter} = {build.literal(Degrees(given.value) if turning else float(given.value))}"
            )


def lettered(reading: Reading, at: int) -> Iterator[tuple[int, list[str]]]:
    """Axes that share a range: "x", "y and z", "x/y/z", "all axes"."""
    if reading.words(at, 2) in {("all", "axis"), ("every", "axis"), ("each", "axis")}:
        yield at + 2, ["x", "y", "z"]
    found = list(in_a_row(reading, at, lambda place: letter(reading, place), 1, {",", "/"}, {"and"}))
    if found:
        end, letters = found[-1]
        yield end, letters


def letter(reading: Reading, at: int) -> tuple[int, str] | None:
    """One axis by its letter."""
    return (at + 1, reading.word(at)) if reading.word(at) in {"x", "y", "z"} else None


BOUNDED: Final = compile_pattern(
    "(between|from) {low:quantity} (and|to) {high:quantity} (on|around|about|along|in) [the] [local] {axes:axes}"
)


@slot("limits")
def limits(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Limits]]:
    """ "z between 0 and 3", "x from -45 to 45 degrees", "min z 0", "z max 2"."""
    found: Limits = []
    place = at
    stops: list[tuple[int, Limits]] = []
    for end, said in BOUNDED(reading, at, {}) if not env.get(of) else ():
        low = replace(said["low"], unit=said["low"].unit or said["high"].unit)
        yield end, [(each[-1].lower(), low, said["high"]) for each in said["axes"]]
    while True:
        start = skip(reading, place, {"on", "the", "axis", "and", "to", "range", "around", "about", "along", "in"})
        side = reading.word(start) if reading.word(start) in {"min", "max", "minimum", "maximum"} else ""
        start += bool(side)
        after, letters = next(lettered(reading, start), (start, [each.lower() for each in env.get(of) or ()]))
        if not letters:
            break
        start = skip(
            reading,
            after,
            {"axis", "between", "from", "to", "range", "at", "of", "location", "rotation", "limit", "limits", "angle"},
        )
        if not side and reading.word(start) in {"min", "max", "minimum", "maximum"}:
            side = reading.word(start)
            start += 1
        elif not side and reading.mark(start) in {"<", ">"}:
            side = "min" if reading.mark(start) == ">" else "max"
            start += 1 + (reading.mark(start + 1) == "=")
        first = next(quantity(reading, start, {}, ""), None)
        if first is None:
            break
        if side:
            place = first[0]
            found += [(each, first[1], None) if side.startswith("min") else (each, None, first[1]) for each in letters]
        else:
            second = next(quantity(reading, first[0] + 1, {}, ""), None)
            linked = reading.word(first[0]) in {"and", "to"} or reading.mark(first[0]) in {"..", "..."}
            if not linked or second is None:
                break
            place = second[0]
            found += [(each, replace(first[1], unit=first[1].unit or second[1].unit), second[1]) for each in letters]
        stops.append((place, list(found)))
        while reading.mark(place) == "," or reading.word(place) == "and":
            place += 1
    yield from reversed(stops)


def only_axes(build: Build, var: str, con: Kind, axes: Sequence[str]) -> None:
    """Let a Copy constraint work on some axes only."""
    if not con.identifier.startswith("COPY_") or con.identifier == "COPY_TRANSFORMS":
        raise refuse(", ".join(axes), f"the {con.label} constraint has no switches of axes")
    for letter in "XYZ":
        build.line(f"{var}.use_{letter.lower()} = {letter in axes}")


@step("only [on|along|for|in|around] {axes:axes}", "(the|on|along) {axes:axes} only")
def only_axis(build: Build, axes: list[str]) -> None:
    """A Copy constraint that works on some axes only."""
    topic = build.topic
    con = next((kind for kind in build.lexicon.families["constraints"].meanings()
                if isinstance(topic, Topic) and topic.title == f"{kind.label} constraint"), None)  # fmt: skip
    if con is None or not isinstance(topic, Topic):
        raise refuse(", ".join(axes), "only what?")
    only_axes(build, topic.var, con, axes)
    build.note(f"only {', '.join(axes)}")


@step(
    "<remove> [all] [the] constraints (from|of|on) {target:object}",
    "<remove> [the] {con:kind of constraints} constraint (from|of|on) {target:object}",
    "<remove> [the] {con:kind of constraints} constraint (from|of|on) [the] [pose] bone {bone:name} (of|in|on) [the] [armature|rig] {target:object}",
)
def remove_constraints(build: Build, target: Target, con: Kind | None, bone: str | None) -> None:
    """Remove constraints of objects, or of a pose bone."""
    with build.each(target) as known:
        condition = f' if each.type == "{con.identifier}"' if con else ""
        held = known.var
        if bone is not None:
            held = build.var("bone")
            build.line(f"{held} = {build.expect(f'{known.var}.pose', 'Pose')}.bones[{quoted(bone)}]")
        build.line(
            f"for each in [each for each in {held}.constraints{condition}]:\n    {held}.constraints.remove(each)"
        )
    build.note("constraints removed")


@step("(turn off|disable|without|no) [the] {what=location|rotation|scale} on all [three] axes")
def no_channel(build: Build, what: str) -> None:
    """The switches of a Child Of constraint."""
    topic = build.topic
    if not isinstance(topic, Topic) or "Child Of" not in topic.title:
        raise refuse(what, "of which constraint?")
    for letter in "xyz":
        build.line(f"{topic.var}.use_{what}_{letter} = False")
    build.note(f"the constraint takes no {what}")


BOOLEAN: Final = (
    "~( (with|using|by|via|as) [a] (boolean|bool) [modifier] [operation] ; [with|using] [the] {solver=exact|fast|float|manifold} [solver] ;"
    " [and] {apply=apply it|applied|apply the modifier} ; [with] {self=self intersection} [on|enabled|ticked|checked] )"
)
HOW_BOOLEAN: Final = {
    "union": "UNION", "unite": "UNION", "fuse": "UNION", "add": "UNION", "combine": "UNION", "join": "UNION", "merge": "UNION",
    "intersect": "INTERSECT", "intersection": "INTERSECT", "common": "INTERSECT", "plus": "UNION", "and": "INTERSECT",
}  # fmt: skip


@step(
    f"[[a] (boolean|bool) [modifier] [difference] (:|,|-)] (cut|subtract|carve|punch|substract|boolean out) {{cutter:object of one}} (out of|from|away from|off) {{target:object}} {BOOLEAN}",
    f"[[a] (boolean|bool) [modifier] [difference] (:|,|-)] (cut|carve|trim) {{target:object}} (with|by|using) {{cutter:object of one}} {BOOLEAN}",
    f"{{how=unite|fuse|combine|merge|join}} {{target:object of one}} (with|and|to|into) {{cutter:object of one}} (with|using|by|via|as) [a] (boolean|bool) [union] [modifier] {BOOLEAN}",
    f"{{how=intersect}} {{target:object}} with {{cutter:object of one}} {BOOLEAN}",
    f"[<add>] [a] (boolean|bool) [modifier] [:|-] {{how=difference|union|intersection|intersect|subtract|cut}} [modifier] [of|on|:|to|from] {{target:object of one}} (with|and|minus|by|using|,|-|+) {{cutter:object of one}} {BOOLEAN}",
    f"[<add>] [a] {{how=difference|union|intersection|intersect}} (boolean|bool) [modifier] [of|on|:|to|from] {{target:object of one}} (with|and|minus|by|using|,) {{cutter:object of one}} {BOOLEAN}",
    f"{{how=union|intersection|difference}} of {{target:object of one}} and {{cutter:object of one}} {BOOLEAN}",
    f"<add> (boolean|bool) (with|using) {{cutter:object of one}} (to|from|on) {{target:object}} {BOOLEAN}",
    f"(boolean|bool) {{target:object of one}} {{how=minus|plus|union|difference|intersect}} {{cutter:object of one}} {BOOLEAN}",
)
def boolean(
    build: Build, cutter: Target, target: Target, how: str | None, solver: str | None, apply: str | None, self: str | None
) -> None:  # fmt: skip
    """Cut one object out of another, or join them, or keep what they share."""
    tool, operation = build.one(cutter), HOW_BOOLEAN.get(how or "", "DIFFERENCE")
    build.need("expect")
    build.used.add("modifiers:BOOLEAN")
    with build.each(target) as known:
        used = known_modifiers(build, known)
        title = quoted(f"Boolean {len(used) + 1}" if ("BOOLEAN", "Boolean") in used else "Boolean")
        used.append(("BOOLEAN", title.strip('"')))
        build.line(f'added = {known.var}.modifiers.get({title}) or {known.var}.modifiers.new({title}, "BOOLEAN")')
        build.line("boolean = expect(added, bpy.types.BooleanModifier)")
        build.line(f'boolean.operation = "{operation}"\nboolean.object = {tool.var}')
        if solver is not None:
            items = {item.identifier for item in build.lexicon.property("BooleanModifier", "solver").items}
            named = solver.upper(), {"fast": "FLOAT", "float": "FAST"}.get(solver, "")
            if (wanted := next((each for each in named if each in items), None)) is None:
                raise refuse(solver, "this Blender has no such solver")
            build.line(f'boolean.solver = "{wanted}"')
        if self:
            build.line("boolean.use_self = True")
    build.topic = Topic("boolean", build.lexicon.kind("modifiers", "BOOLEAN").places, "Boolean modifier")
    build.roles["cutter"] = tool
    build.memory["_needed"] = tool, known if known in build.known else None
    if target.how != "all":
        build.it = known
    if apply:
        apply_modifier(build, build.lexicon.kind("modifiers", "BOOLEAN"), Target("known", known.var), None, None)
    build.note(f"boolean {operation.lower()}")


CAGE: Final = (
    "~( [<called>] {name:quoted} ; <called> {name:name} ; [with] [a] [resolution] [of|:] {points:vector} [points] ; (for|around|over) {target:object} ; [that] [is] [fits|fitting|fit|sized|snug|snugly|tight|tightly|exactly] (around|to|over) [it|{target:object} ['s]] [bounding box|bounds] ;"
    " (let it deform|deforms|deforming|and deform|make it deform) (it|{target:object}) ; [through|with|via|using|by] [{target:object} (gets|has|receives)] [a] lattice {deform=modifier} )"
)


@step(
    f"[<add>|fit|wrap|generate] [a|an] lattice {CAGE}",
    f"(give|let) {{target:object}} [have] [a|an] lattice {CAGE}",
)
def cage(build: Build, name: str | None, points: Vec | None, target: Target | None, deform: str | None) -> None:
    """A lattice as large as the box around an object, and the modifier by which it deforms it."""
    if target is None or points is None or len(points.parts) != len("uvw"):
        raise refuse("lattice", "around which object, with how many points each way?")
    known = build.one(target)
    build.need("expect")
    build.imports("mathutils: Matrix", "mathutils: Vector")
    title = name or "Lattice"
    made = build.new_object(
        "lattice", title, called=bool(name), type_="LATTICE", data="Lattice", data_code=f"bpy.data.lattices.new({quoted(title)})"
    )  # fmt: skip
    build.line(f"grid = expect({made.var}.data, bpy.types.Lattice)")
    build.line(f"grid.points_u, grid.points_v, grid.points_w = {tuple(int(each or 2) for each in points.parts)}")
    build.comment("its points fill one metre each way: as large as the box around the object")
    build.line(f"{build.view_layer()}.update()\nbox = [Vector(corner) for corner in {known.var}.bound_box]")
    build.line("size = [max(max(at[k] for at in box) - min(at[k] for at in box), 0.001) for k in range(3)]")
    build.line(
        f"fit = Matrix.Translation(sum(box, Vector()) / 8) @ Matrix.Diagonal((*size, 1.0))\n{made.var}.matrix_world = {known.var}.matrix_world @ fit"
    )
    if deform:
        modifier(build, build.lexicon.kind("modifiers", "LATTICE"), Target("known", known.var), [], w="modifier")
        build.line(f"{build.topic.var}.object = {made.var}")
    build.it = made
    build.note(f"a lattice around {target.said}")


BY: Final = {
    "lattice": "LATTICE", "curve": "CURVE", "path": "CURVE", "armature": "ARMATURE", "rig": "ARMATURE", "skeleton": "ARMATURE",
}  # fmt: skip
"""What deforms an object, and the modifier by which it does."""
BY_MODIFIER: Final = "[«] [by|with|using|through|via] [a|an] {mod:kind of modifiers} [{w=modifier}] [»]"


@step(
    f"(deform|bend|warp) {{target:object}} (with|by|along|using|through) [the] {{how=lattice|curve|path|armature|rig|skeleton}} {{goal:object of one}} ~( {BY_MODIFIER} ; {{a:settings of mod}} )",
    f"(deform|bend|warp) {{target:object}} (along|by|through) {{goal:object of one}} {BY_MODIFIER} [{{a:settings of mod}}]",
    f"{{target:object}} [is|should be|to be|gets|is to be|must be] deformed (by|with|along) [the] {{how=lattice|curve|path|armature|rig|skeleton}} {{goal:object of one}} [{BY_MODIFIER} [{{a:settings of mod}}]]",
    f"(make|let|have) {{target:object}} (follow|bend along|run along|deform along) [the] [curve|path] {{goal:object of one}} {BY_MODIFIER} [{{a:settings of mod}}]",
    f"(hook|hook up|bind|connect|attach|fit|glue) {{target:object}} (to|onto|with) {{goal:object of one}} {BY_MODIFIER} [{{a:settings of mod}}]",
)
def deformed(
    build: Build, target: Target, goal: Target, how: str | None, mod: Kind | None, a: list[Set] | None, w: str | None
) -> None:
    """A modifier that deforms an object by another one: a lattice, a curve, an armature, or what is said."""
    kind = mod or build.lexicon.kind("modifiers", BY[how or ""])
    if how and kind.identifier != BY[how]:
        raise refuse(how, f"by a {kind.label} modifier?")
    aim = next((each for each in ("object", "target") if build.lexicon.manifest.find(kind.type, each)), None)
    if aim is None or kind.identifier in {"BOOLEAN", "DATA_TRANSFER", "CAST"}:
        raise refuse(kind.label, "it deforms nothing by an object")
    setting = Setting(kind.places[0], build.lexicon.property(kind.type, aim))
    modifier(build, kind, target, [*(a or []), Set(((setting, Ref(goal)),), goal.said)], w=w or "modifier")


@slot("thing_word")
def thing_word(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """A word for what is counted: "9 posts"."""
    if (
        reading.word(at).isalpha()
        and reading.lexicon.units.first(reading.tokens, at) is None
        and reading.word(at) not in {"x", "y", "z", "times"}
    ):
        yield at + 1, reading.word(at)


COPIES: Final = frozenset(
    {"copy", "piece", "item", "element", "instance", "time", "unit", "repetition", "repeat", "object", "part"}
)
"""What an array's copies may be called, beside what the thing is called itself."""
ARRAY: Final = (
    "~( <called> {name:name} ; <on> {target:object} ; {n:int} {what:thing_word} ; count [of|=] {n:int} ; [one|each] every {gap:n} ;"
    " [spaced] {gap:n} apart ; (spaced|spacing) {gap:n} ; (using|with) [a] {kind=constant} offset ; {n:int} times ; [with] [a] (spacing|distance|step|offset) [of] {gap:n} ; [with] [a] (gap|gaps|clearance) [of] {free:n} [between] ; [with] {free:n} [of] (gap|gaps|air|free space|space|clearance) between (them|each|the pieces|the copies|pieces|copies) ; [as] {n:int} (pieces|copies|items) ; (along|in|on) [its own|its local|local] {axis:axis} ; of {n:int} ; [with] [a|an] {gap:n} (spacing|distance|step|offset) ; [with] [a|an] {kind=constant} offset [of|:] {gap:n} ; [with] [a|an] {free:n} (gap|gaps) [between] ; (not applied|non destructive|unapplied) ;"
    " [with] [a] relative offset [of] {factor:n} ; {kind=constant|relative} offset [on|enabled] ; no relative (offset|one) ; relative (offset|one) (switched off|off|disabled|turned off) ; merge {merge=on|off} )"
)


@step(
    f"[<add>] [a|an|another] [{{nth=second|third}}] array [modifier] [:] [of|with] {ARRAY}",
    f"(on|for|to) {{target:object}} [,] [i] <add> [a|an|another] [{{nth=second|third}}] array [modifier] [:] [of|with] {ARRAY}",
    f"array {{target:object}} {ARRAY}",
    f"(give|let) {{target:object}} [have] [a|an] array [modifier] [of|with] {ARRAY}",
)
def array_of(
    build: Build, n: int | None, target: Target | None, gap: float | None, axis: str | None, name: str | None,
    kind: str | None, merge: str | None, what: str | None, free: float | None = None, nth: str | None = None,
    factor: float | None = None,
) -> None:  # fmt: skip
    """Copies along an axis with an Array modifier."""
    if factor is not None:
        if gap is not None or free is not None or axis is None:
            raise refuse("array", "how far apart, along which axis?")
        gap, kind = factor, "relative"
    if free is not None and gap is None:
        gap = free
    elif free is not None:
        raise refuse("array", "how far apart?")
    if n is None or (gap is None and axis is None):
        raise refuse("array", "how many, and how far apart along which axis?")
    if merge or (kind == "relative" and gap is not None and gap == 0):
        raise refuse(merge or kind or "", "say it in other words")
    build.pending = ""
    known = build.one(target)
    called = {
        singular(each)
        for each in re.findall(r"[^\W_]+", f"{known.name} {known.kind} {target.said if target else ''}".lower())
    }
    if what is not None and singular(what) not in called | COPIES:
        raise refuse(what, "what is repeated?")
    build.need("expect")
    build.used.add("modifiers:ARRAY")
    used = known_modifiers(build, known)
    if nth and not name:
        name = f"Array {3 if nth == 'third' else 2}"
    title = name or (f"Array {len(used) + 1}" if ("ARRAY", "Array") in used else "Array")
    text = quoted(title)
    used.append(("ARRAY", title))
    build.line(f'added = {known.var}.modifiers.get({text}) or {known.var}.modifiers.new({text}, "ARRAY")')
    build.line(f"array = expect(added, bpy.types.ArrayModifier)\narray.count = {n}")
    index = "XYZ".index((axis or "X")[-1])
    sign = -1.0 if (axis or "").startswith("-") else 1.0
    unit = tuple(sign * (gap if gap is not None else 1.0) if k == index else 0.0 for k in range(3))
    if free is not None:
        build.comment("its own length, and what is free between")
        ones = tuple(sign if k == index else 0.0 for k in range(3))
        build.line(f"array.use_relative_offset = True\narray.relative_offset_displace = {build.literal(ones)}")
        build.line(f"array.use_constant_offset = True\narray.constant_offset_displace = {build.literal(unit)}")
    elif gap is not None and kind != "relative":
        build.line(
            f"array.use_relative_offset = False\narray.use_constant_offset = True\narray.constant_offset_displace = {build.literal(unit)}"
        )
    else:
        build.line(f"array.relative_offset_displace = {build.literal(unit)}")
    build.topic = Topic("array", build.lexicon.kind("modifiers", "ARRAY").places, "Array modifier")
    build.it = known
    build.note(f"array of {n}")
