"""Settings of whatever has a name: modifiers, constraints, data, collections, scenes, images, actions, bones, keys.

"set the levels of the Subdivision Surface modifier on the cube to 3"      "give every image a fake user"
         \\___/        \\__________________________________________/ \\__/
        setting                          owner                    value
"""

from __future__ import annotations

import contextlib
import functools
import math
import re
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from app.drafting.composer.build import Build, Many
from app.drafting.composer.filters import COMPARE, COMPARISONS, MEASURES, Filter, guarded, labels, narrowed
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Kind, Lexicon, Phrases, Place, Setting, key_of
from app.drafting.composer.parts import PARTS as HELPERS
from app.drafting.composer.patterns import SLOTS, Env, Reading, compile_pattern, slot
from app.drafting.composer.slots import (
    Set,
    Target,
    links,
    phrases_before,
    places_called,
    places_of,
    settings,
    settings_in,
    skip,
    target,
    value_of,
)
from app.drafting.composer.slots import group as group_at
from app.drafting.composer.slots import name as name_at
from app.drafting.composer.steps import properties as properties  # its rules go before those below
from app.drafting.composer.steps.modifiers import Topic, spoken_bone
from app.drafting.composer.tokens import singular
from app.drafting.composer.values import Ambiguous, Degrees, Ref, clean, literal, quoted, refuse
from ingest.manifest import NodeType, Property


@dataclass(frozen=True)
class Owner:
    """A thing that has settings: its type, the expression of it or of the list it is one of, the object it is on."""

    type: str
    expression: str
    said: str
    target: Target | None = None
    many: bool = False
    where: tuple[Filter, ...] = ()


Item = Owner | Target
"""Objects, or other data."""

CALLED: Final = {
    "texts": ("text block", "text datablock", "text"), "particles": ("particle setting",), "movieclips": ("movie clip",),
    "linestyles": ("line style",), "cache_files": ("cache file",), "fonts": ("font",), "node_groups": ("node group", "node tree"),
}  # fmt: skip
OBJECTS: Final = frozenset({"meshes", "lights", "cameras", "curves", "armatures", "lattices", "speakers", "metaballs", "volumes", "texts"})  # fmt: skip
"""Data whose word means the objects that have it, unless data is said."""
NOT_DATA: Final = frozenset({"objects", "window_managers", "screens", "workspaces", "shape_keys", "annotations"})


@functools.lru_cache(maxsize=8)
def stores(lexicon: Lexicon) -> tuple[Phrases[tuple[str, str]], Phrases[tuple[str, str]]]:
    """Kinds of data of the file: where they are, and their type; by their words alone, and with "data" behind them."""
    plain, spoken = Phrases[tuple[str, str]](()), Phrases[tuple[str, str]](())
    for prop in lexicon.manifest.types["BlendData"].properties.values():
        if prop.type != "COLLECTION" or prop.name in NOT_DATA:
            continue
        meaning = prop.name, prop.of
        for phrase in CALLED.get(prop.name, (prop.name.replace("_", " "),)):
            spoken.add(phrase, meaning)
            for noun in ("data", "datablock", "data block", "data blocks"):
                spoken.add(f"{' '.join(key_of(phrase))} {noun}", meaning)
                plain.add(f"{' '.join(key_of(phrase))} {noun}", meaning)
            if prop.name not in OBJECTS or " " in phrase:
                plain.add(phrase, meaning)
    return plain, spoken


LISTS: Final = {
    "bone": ("expect({0}.data, bpy.types.Armature).bones", "Bone"), "pose bone": ("expect({0}.pose, bpy.types.Pose).bones", "PoseBone"),
    "vertex group": ("{0}.vertex_groups", "VertexGroup"), "modifier": ("{0}.modifiers", "Modifier"),
    "shape key": ("expect(mesh_of({0}).shape_keys, bpy.types.Key).key_blocks", "ShapeKey"), "constraint": ("{0}.constraints", "Constraint"),
    "particle system": ("{0}.particle_systems", "particle system"),
    "uv map": ("mesh_of({0}).uv_layers", "MeshUVLoopLayer"), "color attribute": ("mesh_of({0}).color_attributes", "Attribute"),
}  # fmt: skip
"""Lists that an object has, and the type of what is in them."""


PARTS: Final = (
    ("[the] {mod:kind of modifiers} modifier (of|on|from) {target:object}", "modifiers"),
    ("[the] {mod:kind of modifiers} [simulation|physics|sim] (of|in) {target:object}", "modifiers"),
    ("[the] {mod:kind of modifiers} (on|of|from) {target:object}", "modifiers"),
    ("[the] {mod:kind of modifiers} [modifier] (that|which) (is|sits|lives) [already] (on|in) {target:object}", "modifiers"),
    ("{target:object} 's {mod:kind of modifiers} [modifier|simulation|physics|sim]", "modifiers"),
    ("[the] {mod:kind of constraints} constraint (of|on) {target:object}", "constraints"),
    ("{target:object} 's {mod:kind of constraints} constraint", "constraints"),
    ("[the] {mod:kind of modifiers} [simulation|physics|sim] {target:object}", "simulation"),
    ("[the] {mod:kind of constraints} constraint (of|on|from|for) [the] [pose] bone {name:name} (of|in|on|from) [armature|rig] {target:object}", "bone constraint"),
    ("[the] nla strip {name:name} (of|on) {target:object}", "strip"),
    ("[the] modifier {name:quoted} (of|on|from) {target:object}", "modifier"),
    ("[the] {name:quoted} modifier (of|on|from) {target:object}", "modifier"),
    ("[the] {name:quoted} constraint (of|on|from) {target:object}", "list constraint"),
    ("{target:object} 's action", "action"),
    ("[the] shape key {name:name} (of|on) {target:object}", "key"),
    ("{target:object} 's shape key {name:name}", "key"),
    ("[the] shape key {name:name}", "key"),
    ("[the] pose bone {name:name} (of|in|on) [armature|rig] {target:object}", "pose"),
    ("[the] bone {name:name} (of|in|on) [armature|rig] {target:object}", "pose"),
    ("{target:object} 's [pose] bone {name:name}", "pose"),
    ("[the] [pose] bone {name:known}", "pose"),
    ("[the] bone {name:name} (of|in|on) [armature|rig] {target:object}", "bone"),
    ("{target:object} 's bone {name:name}", "bone"),
    ("[the] action of {target:object}", "action"),
    ("[the] nla track {name:name} (of|on) {target:object}", "track"),
    ("[the] (particle system|particle settings|particles|hair|fur|hair system) of {target:object}", "particles"),
    ("the (particle system|particle settings|particles|hair|fur|hair system) on {target:object}", "particles"),
    ("{target:object} 's (particle system|particle settings|particles|hair|fur|hair system)", "particles"),
    ("[the] (rigid body|hinge|fixed|slider|motor|spring) (constraint|joint) (of|on) [empty] {target:object}", "joint"),
    ("[the] (hinge|joint|rigid body constraint) {target:object}", "joint"),
    ("[the] [force] field (of|on) {target:object}", "field"),
    ("{target:object} 's [force] field", "field"), ("{target:object} 's {mod:kind of force_fields} [force] field", "field"),
    ("{target:object} 's body", "body"), ("[the] body (of|on) {target:object}", "body"),
    ("[the] {mod:kind of force_fields} [force] field (of|on) {target:object}", "field"),
    ("the {mod:kind of force_fields} [force] [field] {target:named}", "field"),
    ("{target:object} 's rigid body [physics]", "body"), ("[the] rigid body [physics] of {target:object}", "body"),
    ("[the] {name=mesh} of {target:object}", "data"),
    ("[the] {name=mesh|curve|text|camera|light|armature|lattice} data of {target:object}", "data"),
    ("[the] view layer {name:name}", "layer"), ("[the] particle system {name:known}", "system"),
    ("[the] particle system {name:known} of {target:object}", "list particle system"),
    ("[the] {node:node of GeometryNodeTree} [node] (of|in) [the] (geometry nodes|geometry nodes modifier|node group|modifier|geometry nodes setup) (of|on) {target:object}", "nodes"),
    ("[the] {node:node of GeometryNodeTree} node (on|of|in) {target:object}", "nodes"),
    ("[the] [group|modifier] (input|socket|parameter) {name:name} (of|in|on) [the] [node|geometry nodes] group {group:name}", "input"),
    ("[the] {node:node of CompositorNodeTree} [node] (in|of) [the] (compositor|compositing nodes|compositing tree)", "comp"),
    ("[the] compositor 's {node:node of CompositorNodeTree} [node]", "comp"),
    *((f"[the] {{node:node of ShaderNodeTree}} [texture] [node] {where}", "shading") for where in (
        "(of|in) [the] material {name:known}", "(of|in) [the] {name:known} material", "(of|in) [the] material of {target:object}",
        "(of|in) {target:object} 's material",
    )),
    ("[the] {node:node of ShaderNodeTree} (node|texture|texture node) (of|in|on) {target:object}", "shading"),
    ("{target:object} ['s material] 's {node:node of ShaderNodeTree} (node|texture|texture node)", "shading"),
    ("[the] material {name:known} 's {node:node of ShaderNodeTree} [node|texture|texture node]", "shading"),
)  # fmt: skip
HOLDERS: Final = [(compile_pattern(text), type_, expression) for text, type_, expression in (
    ("[the] [active|current|this|open] scene", "Scene", "scene"), ("[the] [scene 's] world", "World", "expect(scene.world, bpy.types.World)"),
    ("[the] [active|current] view layer", "ViewLayer", "view_layer"),
)]  # fmt: skip
"""What is open."""
MATCHERS: Final = [
    *((compile_pattern(text), what) for text, what in PARTS),
    *(
        (compile_pattern(f"[the] {words} {{name:known}} (of|on|in|from) {{target:object}}"), f"list {words}")
        for words in LISTS
        if words != "particle system"
    ),
]
DATA: Final = {"mesh": "Mesh", "curve": "Curve", "text": "TextCurve", "camera": "Camera", "light": "Light",
               "armature": "Armature", "lattice": "Lattice"}  # fmt: skip


DATA_TESTS: Final = [(compile_pattern(text), test, needs) for text, test, needs in (
    ("(whose|with|of which) [the] [{gone=missing|lost}] (file|path|source) (does not exist|do not exist|is missing|is not there|cannot be found|is gone) [on [the] disk]", "file_missing(obj)", "filepath"),
    ("(with|that have|that has|which have) [a] (missing|lost|broken|nonexistent) (file|path|source)|[(that|which)] [(is|are)] missing", "file_missing(obj)", "filepath"),
    ("(that|which) (is|are) packed", "obj.packed_file is not None", "packed_file"), ("(that|which) (is|are) not packed", "obj.packed_file is None", "packed_file"),
    ("(with|that have|that has) a fake user", "obj.use_fake_user", "use_fake_user"), ("(without|with no|that have no|that has no) fake user", "not obj.use_fake_user", "use_fake_user"),
    ("(without [any]|with no|with zero|that have no|that has no|which have no|which has no|having no|with 0) (users|user)|(that|which) nothing uses|(that|which) (is|are) (not used|unused|orphaned) [anywhere|by anything]|used by nothing", "obj.users == 0", "users"),
)]  # fmt: skip
"""Which of several data: the words, the test of `obj`, and the property that the data must have."""


PLACED: Final = compile_pattern(f"[its|their|the|a|an] [origin|origin 's|world|global] {{of={'|'.join(MEASURES)}}} [location|position|coordinate]")  # fmt: skip
COMPARING: Final = compile_pattern(f"[is|are|of|has|lies|sits] [a|an] [value] [of] [set to] [{COMPARE}]")
OR_MORE: Final = compile_pattern("(or|and) ({more=more|above|higher|greater|over|larger|longer}|(less|below|lower|under|fewer|smaller|shorter))")  # fmt: skip
BETWEEN: Final = compile_pattern("[is|are|of|lies|sits] (between|from)")


@slot("compared")
def compared(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """A test of what may be told of an object: "its power is 500 W or more", "a focal length under 35 mm", "z between 1 and 3"."""
    for end, found in PLACED(reading, at, {}):
        yield from tested(reading, end, MEASURES[found["of"]], None)
    yield from told_of(reading, at, "object")


def told_of(reading: Reading, at: int, type_name: str) -> Iterator[tuple[int, str]]:
    """A test of a setting of objects and their data, or of other data of a type."""
    table = places_of(reading, {}, type_name)
    start = skip(reading, at, {"the", "its", "their", "a", "an"})
    for end, named in table.named.matches(reading.tokens, start) if table is not None else ():
        fits = [each for each in named if each.place.path in {"", "data"}]
        if len({each.attribute for each in fits}) == 1 and comparable(fits[0].prop):
            name, inner = fits[0].prop.name, bool(fits[0].place.path)
            yield from tested(reading, end, f'getattr(obj.data, "{name}", nan)' if inner else f"obj.{name}", fits[0])


def comparable(prop: Property) -> bool:
    """Whether a property is one number, one item, or on or off."""
    return prop.type in {"INT", "FLOAT", "ENUM", "BOOLEAN"} and not prop.array


def tested(reading: Reading, at: int, told: str, setting: Setting | None) -> Iterator[tuple[int, str]]:
    """The comparison of an expression with a value, or with two that it is between."""
    whole = re.match(r"len|sum", told) is not None

    def values(place: int) -> Iterator[tuple[int, str]]:
        if setting is None:
            yield from ((end, literal(value)) for end, value in SLOTS["int" if whole else "n"](reading, place, {}, ""))
        else:
            for end, value in value_of(reading, place, setting):
                yield end, literal(clean(math.radians(value.value)) if isinstance(value, Degrees) else value)

    for start, _ in BETWEEN(reading, at, {}):
        for middle, low in values(start):
            for end, high in values(middle + 1) if reading.word(middle) in {"and", "to"} else ():
                yield end, f"{low} <= {told} <= {high}"
    for start, found in COMPARING(reading, at, {}):
        for end, value in values(start):
            if "cmp" in found:
                yield end, f"{told} {COMPARISONS[found['cmp']]} {value}"
                continue
            for last, more in OR_MORE(reading, end, {}):
                yield last, f"{told} {'>=' if 'more' in more else '<='} {value}"
            if start > at and (whole if setting is None else setting.prop.type != "FLOAT"):
                yield end, f"{told} == {value}"


@dataclass(frozen=True)
class Cases:
    """A value that is another one for each thing: tests of `obj` with what it is where they hold, and what it is otherwise."""

    rows: tuple[tuple[str, Any], ...]
    otherwise: Any

    def source(self, build: Build, var: str) -> str:
        """The expression of it for the thing in a variable."""
        rows = [f"{literal(value)} if {test_for(build, test, var)} else " for test, value in self.rows]
        return "".join(rows) + literal(self.otherwise)


CONDITION: Final = compile_pattern("[,] (if|where|when|for those) [it|they] [(whose|with)] ({test:compared}|{test:filter})")  # fmt: skip
OTHERWISE: Final = compile_pattern("[,] [and] {last=otherwise|else|or else|if not}|,|[,] and")


@slot("filter")
def filter_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """A test of `obj` that stands for itself."""
    for end, found in narrowed(reading, at):
        if len(found) == 1 and not found[0].refs:
            yield end, guarded(found[0])


def in_cases(reading: Reading, at: int, read: Callable[[int], Iterator[tuple[int, Any]]]) -> Iterator[tuple[int, Any]]:
    """What `read` reads, or that "if its power is 500 W or more, otherwise" another one."""
    for end, first in read(at):
        yield end, first
        for middle, found in CONDITION(reading, end, {}):
            for start, joined in OTHERWISE(reading, middle, {}):
                for last, other in in_cases(reading, start, read):
                    more = other if isinstance(other, Cases) else Cases((), other)
                    if more.rows or "last" in joined:
                        yield last, Cases(((found["test"], first), *more.rows), more.otherwise)


def need_called(build: Build, expression: str) -> None:
    """The helper functions that an expression calls."""
    build.need(*(HELPERS.keys() & set(re.findall(r"(\w+)\(", expression))))


def test_for(build: Build, test: str, var: str) -> str:
    """A test of `obj` for the thing in a variable; what it needs is seen to."""
    need_called(build, test)
    words = set(re.findall(r"\w+", test))
    if words & {"dimensions", "matrix_world"}:
        build.line(f"{build.view_layer()}.update()")
    build.imports(*("math: nan",) * ("nan" in words), *("fnmatch: fnmatch",) * ("fnmatch" in words))
    return re.sub(r"\bobj\b", var, test)


EXCEPTING: Final = frozenset({"except", "excepting", "but", "excluding", "besides", "other", "apart", "save"})
WHOSE: Final = compile_pattern("(whose|with|where|having|that have|that has)")
EXCEPTED: Final = compile_pattern(
    "(except|except for|excepting|but not|but|other than|apart from|excluding|besides|save for) [the] [one|ones] [called|named] {a:labels}"
)
"""Other data that is left out, by name."""


def data_narrowed(
    reading: Reading, at: int, type_name: str, where: tuple[Filter, ...]
) -> Iterator[tuple[int, tuple[Filter, ...]]]:
    """Filters that data takes which is no object."""
    for matcher, test, needed in DATA_TESTS:
        if reading.lexicon.manifest.find(type_name, needed) is not None:
            yield from ((end, (*where, Filter(test))) for end, _ in matcher(reading, at, {}))
    for end, _ in WHOSE(reading, at, {}):
        yield from ((last, (*where, Filter(test))) for last, test in told_of(reading, end, type_name))
    start = at + (reading.mark(at) == ",")
    if reading.word(start) in EXCEPTING:
        for end, env in EXCEPTED(reading, start, {}):
            yield end, (*where, Filter(f"obj.name not in {literal(env['a'])}"))
    for end, found in narrowed(reading, at, where):
        if all(re.search(r"obj\.(name|users|get)", each.test) and not each.refs for each in found):
            yield end, found


@slot("owner")
def owner(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Owner]]:
    """ "the collection "Props"", "all images", "unused materials", "every bone of the rig", "the Bevel modifier on the cube"."""
    start = skip(reading, at, {"the"})
    place = skip(reading, start, {"all", "every", "each", "any", "the", "of", "existing", "unused", "orphan"})
    said = {reading.word(each) for each in range(at, place)}
    unused = (Filter("obj.users == 0"),) if said & {"unused", "orphan"} else ()
    plain, spoken = stores(reading.lexicon)
    for end, found in (spoken if unused else plain).matches(reading.tokens, place):
        store, type_name = found[0]
        noun = reading.tokens[end - 1].word
        several = (
            said & {"all", "every", "each", "any", "unused"} or singular(noun) != noun or reading.word(end) == "names"
        )
        if several:
            yield from several_stores(reading, at, place, end, f"bpy.data.{store}", plain, unused)
            for last, where in data_narrowed(reading, end, type_name, unused):
                yield last, Owner(type_name, f"bpy.data.{store}", reading.said(at, last), many=True, where=where)
            for last, titles in labels(reading, end, {}, "") if place == start and singular(noun) != noun else ():
                if len(titles) > 1:  # 'the collections "A" and "B"'
                    each = f"[bpy.data.{store}[name] for name in {literal(titles)}]"
                    yield last, Owner(type_name, each, reading.said(at, last), many=True)
        elif place == start:
            for last, title in name_at(reading, skip(reading, end, {"called", "named"}), {}, "bare"):
                yield last, Owner(type_name, f"bpy.data.{store}[{quoted(title)}]", reading.said(at, last))
    if said & {"all", "every", "each"} and reading.word(place) != "material":
        yield from every_node(reading, at, place)
        yield from every_held(reading, at, place)
        yield from every_modified(reading, at)
    for words, (expression, type_name) in [*LISTS.items(), ("bone", LISTS["pose bone"])]:
        end = place + words.count(" ") + 1
        if tuple(singular(reading.word(each)) for each in range(place, end)) != tuple(words.split()):
            continue
        names = of == "names" and reading.word(end) in {"name", "names"}  # "every bone name in the rig"
        if names or reading.tokens[end - 1].word != words.split()[-1] or said & {"all", "every", "each"}:
            goals = [(last, found_env["target"]) for last, found_env in OF(reading, end, {})]
            if names:
                goals += [(last, found_env["target"]) for last, found_env in OF(reading, end + 1, {})]
            if words == "particle system":
                goals.append((end, Target("all", said="every object")))
            if words == "bone" and not goals and not names:
                goals.append((end, Target("kind", "armature", said="the armature")))
            for last, goal in goals:
                for stop, where in narrowed(reading, last):
                    yield stop, Owner(type_name, expression, reading.said(at, stop), goal, many=True, where=where)
    for matcher, what in MATCHERS:
        if what == "simulation" and reading.word(at - 1) not in {"of", "on", "for", "in"}:
            continue  # "cloth "Flag": quality 8" is a new one where there is none
        if (
            what == "bone constraint"
            and reading.word(at) != "the"
            and (at == 0 or reading.word(at - 1) not in OF_WHAT_IS)
        ):
            continue  # "IK on the bone "Hand" of the rig, target ..." too
        for end, found_env in matcher(reading, at, {}):
            node = found_env.get("node")
            shades = isinstance(node, NodeType) and node.identifier.startswith("ShaderNode")
            if what == "nodes" and shades and not re.search(r"geometry|modifier|group", reading.request.lower()):
                continue  # of the material, rather
            read = part(reading, what, dict(found_env), reading.said(at, end))
            if read is not None:
                yield end, read


def several_stores(
    reading: Reading, at: int, place: int, end: int, first: str, plain: Phrases[tuple[str, str]], unused: tuple[Filter, ...]
) -> Iterator[tuple[int, Owner]]:  # fmt: skip
    """ "all actions and node groups", "every material, image and texture"."""
    found = [f"*{first}"]
    while (reading.mark(end) == "," or reading.word(end) == "and") and len(found) < 9:
        start = end + (reading.mark(end) == ",")
        start = skip(reading, start, {"and", "all", "every", "the", "unused"})
        more = next(plain.matches(reading.tokens, start), None)
        noun = reading.word(more[0] - 1) if more else ""
        if more is None or (singular(noun) == noun and reading.word(place - 1) not in {"every", "each", "any"}):
            break
        end = more[0]
        found.append(f"*bpy.data.{more[1][0][0]}")
    if len(found) > 1:
        yield end, Owner("ID", f"({', '.join(found)})", reading.said(at, end), many=True, where=unused)


IN_ALL: Final = compile_pattern(
    "(node|nodes|texture|textures|texture node|texture nodes) [(in|of) ({all=all materials|every material|each material|the file|this file|the blend file|the scene}|[the] material {name:known})]"
)


def every_node(reading: Reading, at: int, place: int) -> Iterator[tuple[int, Owner]]:
    """ "every image texture in the file", 'all noise textures of the material "Rock"'."""
    for middle, kinds in reading.lexicon.nodes["ShaderNodeTree"].matches(reading.tokens, place):
        start = middle - (reading.word(middle - 1) in {"texture", "textures"})
        for end, found in IN_ALL(reading, start, {}):
            if "all" not in found and "name" not in found:
                continue
            test = f"isinstance(each, bpy.types.{kinds[0].identifier})"
            places = f"(bpy.data.materials[{quoted(found['name'])}],)" if "name" in found else "bpy.data.materials"
            each = f"[\n    each\n    for material in {places}\n    if material.node_tree\n    for each in material.node_tree.nodes\n    if {test}\n]"
            yield end, Owner(kinds[0].identifier, each, reading.said(at, end), many=True)


MODIFIED: Final = re.compile(r'any\(each\.type == "(\w+)" for each in obj\.(modifiers|constraints)\)')


def every_modified(reading: Reading, at: int) -> Iterator[tuple[int, Owner]]:
    """ "for each mesh with a Mirror modifier": those modifiers, where their settings follow."""
    if reading.word(at - 1) != "for" or (at > 1 and not reading.mark(at - 2)):
        return
    for end, found in group_at(reading, at):
        for kind, family in MODIFIED.findall(found.where[-1].test) if found.where else ():
            type_name = reading.lexicon.kind(family, kind).type
            where = (Filter(f"isinstance(obj, bpy.types.{type_name})"),)
            yield end, Owner(type_name, f"{{0}}.{family}", reading.said(at, end), found, many=True, where=where)


IN_SCENE: Final = compile_pattern("[in (the|this) (scene|file)]")


def every_held(reading: Reading, at: int, place: int) -> Iterator[tuple[int, Owner]]:
    """ "all subdivision modifiers in the scene", 'every track to constraint of "Rig"'."""
    for family in ("modifiers", "constraints"):
        for middle, kinds in reading.lexicon.families[family].matches(reading.tokens, place):
            if singular(reading.word(middle)) != singular(family) or kinds[0].preset:
                continue
            where = (Filter(f"isinstance(obj, bpy.types.{kinds[0].type})"),)
            goals = [(end, found["target"]) for end, found in OF(reading, middle + 1, {})]
            goals += [(end, Target("all", said="every object")) for end, _ in IN_SCENE(reading, middle + 1, {})]
            for end, goal in goals:
                yield end, Owner(kinds[0].type, f"{{0}}.{family}", reading.said(at, end), goal, many=True, where=where)


OF_WHAT_IS: Final = frozenset({
    "the", "of", "set", "change", "adjust", "mute", "unmute", "disable", "enable", "remove", "delete", "off", "on", "show", "hide", "for", "rename",
})  # fmt: skip
"""Words before a constraint that is there."""


@slot("ownership")
def ownership(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Item]]:
    """Data that is no object, or the scene, world or view layer that is open."""
    yield from ((end, found) for end, found in holder(reading, at, env, "") if isinstance(found, Owner))


@slot("holder")
def holder(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Item]]:
    """Objects, other data, or the scene, world or view layer that is open."""
    yield from item_slot(reading, at, env, "")
    for matcher, type_name, expression in HOLDERS:
        for end, _ in matcher(reading, at, {}):
            yield end, Owner(type_name, expression, reading.said(at, end))


OF: Final = compile_pattern("(of|on|in|from) {target:object}")


@slot("item")
def item_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Item]]:
    """Objects, or other data."""
    yield from owner(reading, at, env, of)
    yield from target(reading, at, env, "")


PART_OF: Final = {
    "modifier": ("Modifier", "{0}.modifiers[{name}]"), "action": ("Action", "action_of({0})"), "particles": ("particle system", "{0}.particle_systems[0]"),
    "system": ("particle system", "next(\n    each for obj in scene.objects for each in obj.particle_systems if each.name == {name}\n)"),
    "joint": ("RigidBodyConstraint", "expect({0}.rigid_body_constraint, bpy.types.RigidBodyConstraint)"),
    "key": ("ShapeKey", "expect(mesh_of({0}).shape_keys, bpy.types.Key).key_blocks[{name}]"),
    "pose": ("PoseBone", "expect({0}.pose, bpy.types.Pose).bones[{name}]"), "bone": ("Bone", "expect({0}.data, bpy.types.Armature).bones[{name}]"),
    "field": ("FieldSettings", "expect({0}.field, bpy.types.FieldSettings)"), "body": ("RigidBodyObject", "expect({0}.rigid_body, bpy.types.RigidBodyObject)"),
    "track": ("NlaTrack", "expect({0}.animation_data, bpy.types.AnimData).nla_tracks[{name}]"), "layer": ("ViewLayer", "scene.view_layers[{name}]"),
    "strip": ("NlaStrip", "expect(next(\n    each\n    for track in expect({0}.animation_data, bpy.types.AnimData).nla_tracks\n    for each in track.strips\n    if each.name == {name}\n), bpy.types.NlaStrip)"),
}  # fmt: skip
"""Parts of an object, {0}, and of the scene: their type, and the expression of them."""


def part(reading: Reading, what: str, env: dict[str, object], said: str) -> Owner | None:
    """A part of an object, or of the scene, as an owner of settings; `{0}` stands for the object's variable."""
    node = env.get("node")
    if isinstance(node, NodeType):
        where = "modifier in {0}.modifiers if isinstance(modifier, bpy.types.NodesModifier) and modifier.node_group"
        code = f'comp_node(compositor(scene), "{node.identifier}")'
        if what == "nodes":
            code = f'next(\n    each\n    for {where}\n    for each in modifier.node_group.nodes\n    if each.bl_idname == "{node.identifier}"\n)'
        if what == "shading":
            material = f"bpy.data.materials[{quoted(str(env['name']))}]" if env.get("name") else "material_of({0})"
            code = f'node_in({material}, "{node.identifier}")'
        goal = env.get("target")
        holder_ = goal if isinstance(goal, Target) else None
        return Owner(node.identifier, f"expect({code}, bpy.types.{node.identifier})", said, holder_)
    target, name, kind = env.get("target"), str(env.get("name") or ""), env.get("mod")
    if what == "input":
        return Owner(GROUP_INPUT, f"group_inputs({quoted(str(env['group']))})[{quoted(name)}]", said)
    unsaid = {"key": "it", "pose": "the armature"}.get(what)
    goal = target if isinstance(target, Target) else Target("it", said=unsaid) if unsaid else None
    text = quoted(name)
    if what in {"modifiers", "constraints", "simulation"}:
        identifier, type_name = getattr(kind, "identifier", ""), getattr(kind, "type", "")
        if what == "simulation" and identifier not in {"CLOTH", "SOFT_BODY", "COLLISION", "FLUID"}:
            return None  # "the bevel Box": what is that?
        what = "modifiers" if what == "simulation" else what
        if not type_name or (identifier == "PARTICLE_SYSTEM" and not said.lower().count("modifier")):
            return None
        found = f'next(each for each in {{0}}.{what} if each.type == "{identifier}")'
        return Owner(type_name, f"expect({found}, bpy.types.{type_name})", said, goal)
    if what == "bone constraint":
        place = f"expect({{0}}.pose, bpy.types.Pose).bones[{text}].constraints"
        found = f'next(each for each in {place} if each.type == "{getattr(kind, "identifier", "")}")'
        return (
            Owner(kind.type, f"expect({found}, bpy.types.{kind.type})", said, goal) if isinstance(kind, Kind) else None
        )
    if what.startswith("list "):
        expression, type_name = LISTS[what.removeprefix("list ")]
        return Owner(type_name, f"{expression}[{text}]", said, goal)
    if what == "field" and isinstance(kind, Kind) and re.match(r"(?!the )\w.* (on|of) ", said, re.IGNORECASE):
        return Owner("FieldSettings", f'force_field({{0}}, "{kind.identifier}")', said, goal)
    if what == "data":
        return Owner(DATA[name], f"expect({{0}}.data, bpy.types.{DATA[name]})", said, goal)
    type_name, expression = PART_OF[what]
    if not places_called(reading.lexicon, type_name):
        return None
    return Owner(type_name, expression.replace("{name}", text), said, goal)


BARE: Final = [(compile_pattern(text), what) for text, what in (
    ("(the|its) {mod:kind of modifiers} modifier", "modifiers"), ("(the|its) {mod:kind of constraints} constraint", "constraints"),
    ("(the|its) (particle system|particle settings|hair system)", "particles"), ("(the|its) force field", "field"), ("(the|its) action", "action"),
)]  # fmt: skip
"""Parts of an object that is named before them, behind their settings, or not at all."""
OF_WHOM: Final = compile_pattern("(on|of|for) {target:object}")


def unsaid_owner(reading: Reading, at: int) -> Iterator[tuple[int, Owner]]:
    """ "the Bevel modifier", "its action", of the object that is spoken of or the active one."""
    if reading.word(at) not in {"the", "its"}:
        return
    for matcher, what in BARE:
        for end, env in matcher(reading, at, {}):
            named = end < len(reading.tokens) and reading.tokens[end].kind == "quoted"
            if named or reading.word(end) in {"of", "on", "in", "from", "'s", "that", "which", "called", "named"}:
                continue
            read = part(reading, what, {**env, "target": Target("it", said="it")}, reading.said(at, end))
            if read is not None:
                yield end, read


@slot("owned")
def owned(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[Owner, list[Set]]]]:
    """An owner and its settings, whichever stands first; whose it is may be said behind both."""
    for end, found in owner(reading, at, {}, ""):
        yield from ((last, (found, sets)) for last, sets in owned_sets(reading, at, end, found))
    for end, found in unsaid_owner(reading, at):
        for last, sets in owned_sets(reading, at, end, found):
            yield from with_whom(reading, last, found, sets)
    # "the levels of the modifier to 3", "the roughness 0.5 of every ...", "a fake user for all images"
    for place in range(at + 1, min(at + 10, len(reading.tokens) - 1)):
        if reading.word(place) not in {"of", "on", "for", "in", "to"}:
            continue
        for end, found in owner(reading, place + 1, {}, ""):
            yield from ((last, (found, sets)) for last, sets in sets_before(reading, at, place, end, found))
        for end, found in unsaid_owner(reading, place + 1):
            for last, sets in sets_before(reading, at, place, end, found):
                yield from with_whom(reading, last, found, sets)


def with_whom(
    reading: Reading, at: int, found: Owner, sets: list[Set]
) -> Iterator[tuple[int, tuple[Owner, list[Set]]]]:
    """An owner with the object that is named behind its settings, and with the one that is spoken of."""
    for end, env in OF_WHOM(reading, at, {}):
        yield end, (replace(found, target=env["target"]), sets)
    yield at, (found, sets)


def owned_sets(reading: Reading, at: int, end: int, found: Owner) -> Iterator[tuple[int, list[Set]]]:
    """The settings behind an owner, `tokens[at:end]`."""
    if found.type in reading.lexicon.manifest.nodes and reading.word(at - 1) not in {"set", "change", "adjust", "let"}:
        return  # a node with settings is a new one
    if found.type == "Collection" and reading.word(at - 1) == "make" and reading.word(at) == "collection":
        return  # and so is this
    start = skip(reading, end, {"'s", "use", "uses", "have", "has", "get", "gets", "start", "starts"})
    if reading.word(at - 1) == "for":  # "for every bevel modifier, set the width to 2"
        start = skip(reading, start + (reading.mark(start) == ","), {"set", "turn", "switch", "change"})
    if reading.word(start) == "as":
        return  # "the scene "Sky" as the background set of ...": that one's
    for place in links(reading, start):
        yield from settings(reading, place, {}, found.type)


def sets_before(reading: Reading, at: int, place: int, end: int, found: Owner) -> Iterator[tuple[int, list[Set]]]:
    """The settings from here to before an owner, which ends at `end`; their value may stand behind it."""
    table = places_of(reading, {}, found.type)
    if table is None:
        return
    for last, sets in settings(reading, at, {}, found.type):
        if last != place:
            continue
        yield end, sets
        if sets[-1].options and isinstance(sets[-1].options[0][1], Ref):  # "X as its shape for the bone, scale 2"
            start, ahead = end + (reading.mark(end) == ","), phrases_before(sets)
            for stop, more in settings_in(reading, start, table, ahead=ahead):
                yield stop, [*sets, *more]
    for last, named in table.named.matches(reading.tokens, skip(reading, at, {"the"})):
        if last != place:
            continue
        for start in links(reading, end):
            for one in named:
                for stop, value in value_of(reading, start, one):
                    yield stop, [Set(((one, value),), reading.said(at, stop))]


DISPLAYED: Final = frozenset({"roughness", "metallic", "specular_intensity", "specular_color", "diffuse_color"})
"""Settings of a material that only the viewport shows, and that are called like inputs of the shader."""


GROUP_INPUT: Final = "NodeTreeInterfaceSocketFloat"


def items(build: Build, item: Item) -> str:
    """The expression of a list of things."""
    if isinstance(item, Target):
        found = build.objects(item)
        return found.expression if isinstance(found, Many) else f"[{found.var}]"
    need_called(build, item.expression)
    if re.search(r"\bscene\b", item.expression):
        build.scene()
    if item.expression.startswith("["):
        return item.expression
    if item.expression.startswith("(*") and not item.where:
        return item.expression
    test = " and ".join(test_for(build, each.test, "each") for each in item.where)
    test = f" if {test}" if test else ""
    if item.target is None and not item.many:
        return f"[{item.expression}]"
    if item.target is None:
        return f"[each for each in {item.expression}{test}]" if test else f"list({item.expression})"
    found = build.objects(item.target)
    if isinstance(found, Many):
        inner = f"each for obj in {found.expression} for each in {item.expression.format('obj')}{test}"
        if item.type == "ID":  # data that objects share comes once
            return f"dict.fromkeys({inner})"
        if len(inner) > WIDTH:
            loop = f"for each in {item.expression.format('obj')}"
            return f"[\n    each\n    for obj in {found.expression}\n    {loop}{test.replace(' if', f'{chr(10)}    if', 1)}\n]"
        return f"[{inner}]"
    expression = item.expression.format(found.var)
    return f"[each for each in {expression}{test}]" if test else f"list({expression})"


WIDTH: Final = 80
"""A list that is longer is written in several lines."""


def owner_places(build: Build, found: Owner) -> tuple[Place, ...]:
    """The places of the settings of a thing."""
    return tuple(dict.fromkeys((*places_called(build.lexicon, found.type), Place("", found.type))))


@contextlib.contextmanager
def each_owner(build: Build, found: Item) -> Generator[str, None, None]:
    """The variable of a thing, in a loop where there are several."""
    if isinstance(found, Target):
        with build.each(found) as known:
            yield known.var
        return
    if found.many:
        with build.block(f"for each_one in {items(build, found)}:"):
            yield "each_one"
        return
    need_called(build, found.expression)
    if re.search(r"\bscene\b", found.expression):
        build.scene()
    if found.expression in {"scene", "view_layer"}:
        yield build.scene() if found.type == "Scene" else build.view_layer()
        return
    if found.target is None:
        node = build.lexicon.manifest.nodes.get(found.type)
        var = build.var("group input" if found.type == GROUP_INPUT else node.label if node else found.type)
        build.line(f"{var} = {found.expression}")
        yield var
        build.topic = Topic(var, owner_places(build, found), found.said)
        return
    with build.each(found.target) as known:
        var = build.var("node" if found.type in build.lexicon.manifest.nodes else found.type)
        expression = found.expression.format(known.var)
        if len(expression) > 90:
            broken = expression.replace("expect(next(", "expect(\n    next(", 1).replace(
                "), bpy.types", "),\n    bpy.types"
            )
            expression = f"{broken[:-1]},\n)"
        build.line(f"{var} = {expression}")
        yield var
    if known.var != "obj":
        build.topic = Topic(var, owner_places(build, found), found.said)
        if found.type in SIMULATING:
            build.simulates(SIMULATING[found.type], var)


SIMULATING: Final = {
    "ClothModifier": "Cloth", "SoftBodyModifier": "Soft Body", "particle system": "particle system", "RigidBodyObject": "rigid body",
}  # fmt: skip
"""What simulates, by the type of its settings."""
PHYSICS: Final = {"ClothModifier": "CLOTH", "SoftBodyModifier": "SOFT_BODY", "CollisionModifier": "COLLISION"}


def simulating(build: Build, found: Owner) -> Owner:
    """The physics of an object that may not have it yet: "collision on the ramp, friction 0.4" adds it."""
    kind = PHYSICS.get(found.type)
    if kind is None or found.target is None or "next(" not in found.expression:
        return found
    label = build.lexicon.manifest.identifiers["modifiers"][kind].label
    there = f'next((each for each in {{0}}.modifiers if each.type == "{kind}"), None)'
    expression = f'expect({there}\n    or {{0}}.modifiers.new("{label}", "{kind}"), bpy.types.{found.type})'
    return replace(found, expression=expression)


@step(
    "<set> {o:owned}",
    "(give|let) {o:owned}",
    "(keep|protect) {o:owned}",
    "[<enable>] {o:owned}",
    "(for|on|in) {o:owned}",
)
def set_owned(build: Build, o: tuple[Owner, list[Set]]) -> None:
    """Settings of a thing that has a name or a place."""
    found, sets = o
    if found.said.lower().startswith("shape key") and " on " in found.said:
        raise refuse(found.said, "it may be a new one")
    found = simulating(build, found)
    pencil, modifier = found.type.startswith("GreasePencil"), found.type.endswith("Modifier")
    if modifier and not pencil and "grease pencil" in found.said.lower():
        raise refuse(found.said, "grease pencils have no such modifier, or it is a new one")
    spoken = re.search(r"pencil|stroke|\bgp", build.request, re.IGNORECASE)
    if modifier and pencil and not spoken and all(known.type != "GREASEPENCIL" for known in build.known):
        raise Ambiguous([found.said], f"{found.said}: a mesh has no such setting, and no grease pencil is spoken of")
    chosen = build.choose(sets, owner_places(build, found), found.said)
    if found.type == "Material" and any(setting.prop.name in DISPLAYED for setting, _ in chosen):
        raise refuse(sets[0].said, "the viewport, or the shader?")
    build.comment(f"settings of {found.said}")
    with each_owner(build, found) as var:
        build.assign(var, chosen)
    build.note(f"{', '.join(each.said for each in sets)} -> {found.said}")


@step(
    "rename {o:ownership} [to|into|as] {name:name}",
    "(call|name) {o:ownership} {name:name}",
    "(change|set) name of {o:ownership} to {name:name}",
    "give {o:ownership} [the] name {name:name}",
)
def rename_owned(build: Build, o: Owner, name: str) -> None:
    """Give a thing another name."""
    if o.many:
        raise refuse(o.said, "one thing is meant here")
    if "[" in o.expression:
        build.once()
    with each_owner(build, o) as var:
        build.line(f"{var}.name = {quoted(name)}")
    build.note(f'{o.said} -> renamed to "{name}"')


@step(
    "{off=disable|turn off|switch off|hide} {o:owner} {where:visibility}",
    "(enable|turn on|switch on|show|unhide) {o:owner} {where:visibility}",
    "{off=disable|turn off|switch off|mute|hide} {o:owner} [«] [mute|muted] [»] [don't (delete|remove) it]",
    "(turn|switch|set) {o:owner} {off=off} [«] [mute|muted] [»] [don't (delete|remove) it]",
    "(enable|turn on|switch on|unmute|show|unhide) {o:owner}",
    "(turn|switch) {o:owner} on",
)
def switch_owned(build: Build, o: Owner, off: str | None, where: frozenset[str] | None) -> None:
    """Turn a modifier or a constraint on or off, or hide a collection."""
    is_a, places = build.lexicon.manifest.is_a, frozenset({"hide_viewport", "hide_render"})
    rows = (
        (is_a(o.type, "Modifier"), [each.replace("hide", "show") for each in sorted(where or places)], True),
        (o.type == "Collection", sorted(where or places), False),
        (o.type == "ViewLayer" and where in {None, frozenset({"hide_render"})}, ["use"], True),
        (is_a(o.type, "Constraint") and where is None, ["enabled"], True),
        (build.lexicon.manifest.find(o.type, "mute") is not None and where is None, ["mute"], False),
    )
    attributes, shown = next(((names, shown) for fits, names, shown in rows if fits), (list[str](), True))
    if not attributes:
        raise refuse(o.said, "it cannot be turned on and off")
    with each_owner(build, o) as var:
        for attribute in attributes:
            build.line(f"{var}.{attribute} = {(off is None) == shown}")
    build.note(f"{o.said} -> {'off' if off else 'on'}")


@step("<remove> {o:owner}")
def remove_owned(build: Build, o: Owner) -> None:
    """Remove data of the file by its name, unless that may take objects away with it."""
    if o.target is not None or o.type in {"Collection", "ViewLayer"} or o.many or "[" not in o.expression:
        raise refuse(o.said, "say it in other words")
    build.once()
    build.line(f"{o.expression.partition('[')[0]}.remove({o.expression})")
    build.note(f"{o.said} -> removed")


LOCKED: Final = {"location": "lock_location", "rotation": "lock_rotation", "scale": "lock_scale"}


@step(
    "{how=lock|unlock} [the] {parts:transform_parts} of {o:item} [(on|in|along|around|about|for) {axes:axes}]",
    "{how=lock|unlock} {o:item} ['s] {parts:transform_parts} [(on|in|along|around|about|for) {axes:axes}]",
    "{how=lock|unlock} its {parts:transform_parts} [(on|in|along|around|about|for) {axes:axes}]",
    "[the] {parts:transform_parts} of {o:item} [is|are|should be|must be] {how=locked|unlocked} [(on|in|along|around|about|for) {axes:axes}]",
)
def lock(build: Build, how: str, parts: frozenset[str], o: Item | None, axes: list[str] | None) -> None:
    """Keep transforms of objects or bones from being changed by hand."""
    letters = {each[-1] for each in axes or "XYZ"}
    if how.startswith("unlock"):
        letters = set("XYZ") - letters
    found = o if o is not None else Target("it", said="it")
    bone = spoken_bone(build) if isinstance(found, Target) and found.how == "it" else ""
    if isinstance(found, Owner) and found.type not in {"PoseBone", "Bone"}:
        raise refuse(found.said, "it has no such locks")
    if isinstance(found, Owner) and found.type == "Bone":  # those of a pose are locked
        found = replace(found, type="PoseBone", expression=found.expression.replace(*POSED))
    with contextlib.nullcontext(bone) if bone else each_owner(build, found) as var:
        for each in sorted(parts):
            if axes and how.startswith("unlock"):
                build.line("\n".join(f"{var}.{LOCKED[each]}[{'XYZ'.index(axis[-1])}] = False" for axis in axes))
            else:
                build.line(f"{var}.{LOCKED[each]} = {literal(tuple(letter in letters for letter in 'XYZ'))}")
    build.note(f"{found.said} -> {how} {', '.join(sorted(parts))}")


POSED: Final = ("expect({0}.data, bpy.types.Armature).bones", "expect({0}.pose, bpy.types.Pose).bones")
"""The bones of an armature, and those of its pose."""


@step(
    "(color|paint|give) {o:owner} [with|in|by|using|the] [bone] [color] theme [color|set|number] {n:int}",
    "(color|paint|give) (it|this bone|that bone) [with|in|by|using|the] [bone] [color] theme [color|set|number] {n:int}",
)
def bone_theme(build: Build, o: Owner | None, n: int) -> None:
    """The colors of bones: one of the themes."""
    bone = spoken_bone(build)
    if not 1 <= n <= LAST_THEME or (o is not None and o.type not in {"PoseBone", "Bone"}):
        raise refuse(f"theme {n}", "of which bone?")
    if o is None and not bone:
        raise refuse("it", "which bone?")
    with each_owner(build, o) if o is not None else contextlib.nullcontext(bone) as var:
        build.line(f'{var}.color.palette = "THEME{n:02d}"')
    build.note(f"bones -> theme {n}")


LAST_THEME: Final = 20


DATA_WORD: Final = "[the] {kind=mesh|curve|light|camera|armature|lattice|text|speaker|volume} [data] {name:quoted}"


@step(
    f"(give|let) {DATA_WORD} [have] a fake user",
    f"(keep|protect) {DATA_WORD} (with|by) a fake user",
    "(keep|protect|save) {o:ownership} (from|against) (being purged|purging|being lost|getting lost|being deleted|being removed)",
    "(<remove>|take|unset|uncheck) [the] {off=fake} (user|users) (from|of|on|for|off) {o:ownership}",
    "{o:ownership} (needs|need|gets|get|should have|must have) {off=no} fake user [any more]",
    "(give|let) it [have|get] a fake user",
    "(keep|protect) it (with|by|using) a fake user",
    "it (gets|needs|has) a fake user",
)
def fake_user(build: Build, o: Owner | None, off: str | None, kind: str | None, name: str | None) -> None:
    """A fake user for data, or for what was spoken of, so that it stays though nothing uses it; or none any more."""
    topic = build.topic
    about = o.type if o else topic.places[0].type if isinstance(topic, Topic) else ""
    if name is not None:
        store = {"mesh": "meshes", "lattice": "lattices"}.get(kind or "", f"{kind}s")
        build.line(f"bpy.data.{store}[{quoted(name)}].use_fake_user = True")
    elif build.lexicon.manifest.find(about, "use_fake_user") is None:
        raise refuse(o.said if o else "it", "what is to have a fake user?")
    elif o is None:
        build.line(f"{topic.var}.use_fake_user = True")
        build.memory["_kept"] = topic
    else:
        with each_owner(build, o) as var:
            build.line(f"{var}.use_fake_user = {off is None}")
    build.note(f"{'no ' * bool(off)}fake user for {o.said if o else name or 'it'}")
