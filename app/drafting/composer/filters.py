"""What narrows "every mesh": names, collections, sizes, materials, modifiers, visibility, parents, exceptions.

    'every mesh in the collection "Props" whose name ends with "_low" and that is taller than 2 m, except the cube'
               \\______________________/ \\___________________________/ \\___________________________/ \\____________/

Each of them is a line of FILTERS: the words, and the test of `obj` in the source, which holds what the words gave.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from collections.abc import Set as Words
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from app.drafting.composer.lexicon import Kind
from app.drafting.composer.patterns import Env, Reading, compile_pattern, slot
from app.drafting.composer.tokens import singular
from app.drafting.composer.values import literal, quoted


@dataclass(frozen=True)
class Filter:
    """A test of `obj`; `refs` are the objects that it speaks of, which stand in it as {0}, {1}."""

    test: str
    refs: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Best(Filter):
    """The first few by a measure of `obj`, which is `test`; the greatest ones where `most` is so."""

    most: bool = True
    number: int = 1


SELECTED: Final = Filter("obj.select_get()")
OTHER: Final = Filter("other")
IMPORTED: Final = Filter("imported")
"""What the request imports."""
UNSAID: Final = Filter("unsaid")
"""Of a group that no word such as "all" was said of: those that the request makes are meant, where there are such."""
ADJECTIVES: Final = {
    "selected": SELECTED, "unselected": Filter("not obj.select_get()"), "remaining": OTHER, "other": OTHER,
    "visible": Filter("obj.visible_get()"), "hidden": Filter("not obj.visible_get()"), "invisible": Filter("not obj.visible_get()"),
    "parentless": Filter("obj.parent is None"), "unparented": Filter("obj.parent is None"), "root": Filter("obj.parent is None"),
    "parented": Filter("obj.parent is not None"), "animated": Filter("obj.animation_data is not None"), "linked": Filter("obj.library is not None"), "local": Filter("obj.library is None"), "overridden": Filter("obj.override_library is not None"), "childless": Filter("not obj.children"),
}  # fmt: skip
"""Words before the noun."""

MEASURES: Final[dict[str, str]] = {
    "height": "obj.dimensions.z", "width": "obj.dimensions.x", "depth": "obj.dimensions.y", "size": "max(obj.dimensions[:])",
    "length": "max(obj.dimensions[:])", "largest dimension": "max(obj.dimensions[:])", "smallest dimension": "min(obj.dimensions[:])",
    "tall": "obj.dimensions.z", "high": "obj.dimensions.z", "wide": "obj.dimensions.x", "deep": "obj.dimensions.y",
    "taller": "obj.dimensions.z", "higher": "obj.dimensions.z", "wider": "obj.dimensions.x", "deeper": "obj.dimensions.y",
    "longer": "max(obj.dimensions[:])", "larger": "max(obj.dimensions[:])", "bigger": "max(obj.dimensions[:])", "thinner": "min(obj.dimensions[:])",
    "shorter": "obj.dimensions.z", "lower": "obj.dimensions.z", "narrower": "obj.dimensions.x", "smaller": "max(obj.dimensions[:])",
    "x": "obj.matrix_world.translation.x", "y": "obj.matrix_world.translation.y", "z": "obj.matrix_world.translation.z",
    "vertices": "len(mesh_of(obj).vertices)", "edges": "len(mesh_of(obj).edges)", "faces": "len(mesh_of(obj).polygons)",
    "polygons": "len(mesh_of(obj).polygons)", "polygon": "len(mesh_of(obj).polygons)", "vertex": "len(mesh_of(obj).vertices)", "polys": "len(mesh_of(obj).polygons)",
    "triangles": "sum(len(each.vertices) - 2 for each in mesh_of(obj).polygons)", "tris": "sum(len(each.vertices) - 2 for each in mesh_of(obj).polygons)",
    "modifiers": "len(obj.modifiers)", "material slots": "len(obj.material_slots)",
    "constraints": "len(obj.constraints)", "children": "len(obj.children)",
}  # fmt: skip
MEASURES.update({f"{singular(each)} count": MEASURES[each] for each in ("vertices", "edges", "faces", "polygons", "triangles", "modifiers")})  # fmt: skip
FACES: Final = MEASURES["faces"]
SUPERLATIVES: Final = {
    **dict.fromkeys(("largest", "biggest"), (MEASURES["size"], True)), "smallest": (MEASURES["size"], False), "longest": (MEASURES["length"], True),
    "tallest": (MEASURES["height"], True), "widest": (MEASURES["width"], True), "narrowest": (MEASURES["width"], False), "deepest": (MEASURES["depth"], True),
    "heaviest": (FACES, True), "densest": (FACES, True), "lightest": (FACES, False), "topmost": (MEASURES["z"], True), "lowermost": (MEASURES["z"], False),
    "leftmost": (MEASURES["x"], False), "rightmost": (MEASURES["x"], True),
}  # fmt: skip
"""By what the first ones of a group are found; how heavy a mesh is are its faces."""
MOST: Final = frozenset({"most", "highest", "largest", "biggest", "greatest"})
LEAST: Final = frozenset({"fewest", "least", "lowest", "smallest"})
SIZES: Final = "|".join(word for word, test in MEASURES.items() if "dimensions" in test or len(word) == 1)
COUNTS: Final = "|".join(word for word, test in MEASURES.items() if "len" in test)
SMALL: Final = frozenset({"thinner", "shorter", "lower", "narrower", "smaller"})
COMPARISONS: Final = {
    "more than": ">", "over": ">", "above": ">", "greater than": ">", "larger than": ">", "bigger than": ">", "higher than": ">",
    "beyond": ">", "exceeding": ">", "at least": ">=", "no less than": ">=", "less than": "<", "fewer than": "<", "under": "<",
    "below": "<", "smaller than": "<", "lower than": "<", "at most": "<=", "no more than": "<=", "up to": "<=", "exactly": "==",
    ">": ">", "<": "<", ">=": ">=", "<=": "<=", "=": "==", "not": "!=",
}  # fmt: skip
COMPARE: Final = f"{{cmp={'|'.join(COMPARISONS)}}}"
HAS: Final = "(with|having|have|has|that have|that has|that already have|that already has|which have|which has|that use|that uses|using|carrying)"
LACKS: Final = "(without|with no|without any|having no|that have no|that has no|lacking|that lack|that do not have|that don't have)"
IS: Final = "[(that|which) (is|are|live|lives|sit|sits|stand|stands) [{no=not}]]"
ANY_CASE: Final = "[[«] [in] {case=any case|ignoring case|case insensitive|case-insensitive|case insensitively|case-insensitively|regardless of case|upper or lower case} [»]]"
NAME: Final = "(whose name|whose names|with a name|with name|with names|with a name that|with names that|that|which|name|names|their name|their names|its name|called something that)"
OWNED: Final = {
    "uv map": "mesh_of(obj).uv_layers", "uv layer": "mesh_of(obj).uv_layers", "vertex group": "obj.vertex_groups", "color attribute": "mesh_of(obj).color_attributes",
    "vertex color": "mesh_of(obj).color_attributes", "particle system": "obj.particle_systems", "material slot": "obj.material_slots", "custom property": "obj.keys()",
    "driver": "obj.animation_data is not None and obj.animation_data.drivers", "children": "obj.children", "child": "obj.children", "rigid body": "obj.rigid_body",
    "data": "obj.data", "collection": "obj.users_collection", "action": "obj.animation_data is not None and obj.animation_data.action",
    "shape key": 'getattr(obj.data, "shape_keys", None)',
}  # fmt: skip
"""What an object may have some of, and the test of it."""
SOME: Final = f"{{some={'|'.join(OWNED)}}}"
OBJECT_TYPES: Final = {
    "mesh": "MESH", "curve": "CURVE", "light": "LIGHT", "camera": "CAMERA", "empty": "EMPTY", "font": "FONT", "text": "FONT",
    "armature": "ARMATURE", "lattice": "LATTICE", "surface": "SURFACE", "meta": "META", "speaker": "SPEAKER", "volume": "VOLUME",
}  # fmt: skip

SKIP: Final = "[but|and] (skip|skipping|ignore|ignoring|leave out|leaving out|omit|except|except for|but not|but leave out|excluding)"
OF_THEM: Final = "[all|any] [the|of the] (ones|those|objects|meshes|what|everything|anything|whatever|mesh objects)"
FILTERS: Final = [(compile_pattern(pattern), test) for pattern, test in (
    (f"{IS} (in|of|from|inside|within) (scene|this scene|current scene|file|this file|whole file)", ""),
    ("there (is|are)|that (is|are) left|that (is|are) there|that exist|that exists", ""),
    (f"[{NAME}] (starts|start|begins|begin|starting|beginning) with {{a:labels}} {ANY_CASE}", "obj.name.startswith({a})"),
    ("(with the prefix|with prefix|prefixed with|prefixed by|prefixed) {a:labels}", "obj.name.startswith({a})"),
    (f"[{NAME}] (ends|end|ending) (with|in) {{a:labels}} {ANY_CASE}", "obj.name.endswith({a})"),
    ("(with the suffix|with suffix|suffixed with|suffixed) {a:labels}", "obj.name.endswith({a})"),
    (f"{NAME} (contains|contain|containing|includes|include) [the] [word|text|string] {{a:label}} [somewhere|anywhere] {ANY_CASE}", "{a} in obj.name"),
    (f"[whose|their|its|the] (name|names) (has|have) {{a:label}} [somewhere|anywhere] in (it|them) {ANY_CASE}", "{a} in obj.name"),
    (f"(containing|with|having|has|have|that has|that have) {{a:label}} [somewhere|anywhere] in (its|their|the) (name|names) {ANY_CASE}", "{a} in obj.name"),
    ("(that are|that is|which are) (named|called) {a:labels}", 'fnmatch(obj.name, {a})'),
    ("(named like|whose name is like|whose names match|whose name matches|matching|called like) [the] [pattern] {a:label}", "fnmatch(obj.name, {a})"),
    ("(named|called|whose name is) {a:label}", "fnmatch(obj.name, {a})"),
    (f"{IS} (in|inside|of|from|inside of|within|linked to) [the] collection {{a:label}}", "obj.name in bpy.data.collections[{a}].all_objects"),
    (f"{IS} (in|inside|of|from|within) {{a:label}} collection", "obj.name in bpy.data.collections[{a}].all_objects"),
    (f"{IS} (in|inside|within) {{q:quoted}}", "obj.name in bpy.data.collections[{q}].all_objects"),
    ("(that|which) (share|shares|sharing) [its|their|the] [same] (mesh|data|mesh data|object data|datablock) [with (another|other|others|another object|other objects|another one|some other object|each other|something else)]|sharing (its|their) (mesh|data|mesh data) [with (another|other|others|another object|other objects)]", "obj.data is not None and obj.data.users - obj.data.use_fake_user > 1"),
    ("(not in|outside|outside of) [the] collection {a:label}", "obj.name not in bpy.data.collections[{a}].all_objects"),
    ("of [the] type {type=" + "|".join(OBJECT_TYPES) + "}", "obj.type == {type}"),
    (f"{IS} {{of={SIZES}}} than {{n:n}}", "{of} {cmp} {n}"),
    (f"{IS} {COMPARE} {{n:n}} {{of=tall|high|wide|deep}}", "{of} {cmp} {n}"),
    (f"{IS} {COMPARE} {{n:n}} (in|along|on) {{all=all}} [of] [the|its|their] (dimension|direction|axis|dimensions|directions|axes)", "min(obj.dimensions[:]) {cmp} {n}"),
    (f"{IS} {COMPARE} {{n:n}} (in|along|on) (any|at least one|one) [of] [the|its|their] (dimension|direction|axis|dimensions|directions|axes)", "max(obj.dimensions[:]) {cmp} {n}"),
    (f"{HAS} [any|some] (n-gons|ngons|n-gon|ngon|n gons)", "any(len(each.vertices) > 4 for each in mesh_of(obj).polygons)"),
    (f"{LACKS} [any] (n-gons|ngons|n-gon|ngon|n gons)", "all(len(each.vertices) < 5 for each in mesh_of(obj).polygons)"),
    ("(whose|with|where|having|that have|that has|which have|which has) {of:compared}", "{of}"),
    (f"[{HAS}] [a] [face count|vertex count|polygon count] [of] {COMPARE} {{n:int}} {{of={COUNTS}}}", "{of} {cmp} {n}"),
    (f"[(that|which) (is|are)] heavier than {{n:int}} {{of={COUNTS}}}", "{of} > {n}"),
    (f"{SKIP} [all|any|the] {{adj=hidden|invisible|selected}} (ones|objects|meshes)|{SKIP} {OF_THEM} [that] (are|is) {{adj=hidden|invisible|not visible|selected}}", "{adj}"),
    ("(skip|skipping|ignore|ignoring|leave out|leaving out|but skip|but ignore|omit) {t:object}", "obj not in {0}"),
    (f"{LACKS} {{of={COUNTS}}}", "not {of}"),
    (f"{LACKS} [any|a|an|single|its own] {SOME} [at all]", "not ({some})"),
    (f"{HAS} [any|a|an|some|at least one] {SOME}", "{some}"),
    (f"{IS} [linked] (in|to|part of) {COMPARE} one collection", "len(obj.users_collection) {cmp} 1"),
    (f"{IS} [linked] (in|to|part of) (several|multiple|many|two or more) collections", "len(obj.users_collection) > 1"),
    (f"{IS} [linked] (in|to|part of) no collection", "not obj.users_collection"),
    (f"(in|with|that have|that has|having) {COMPARE} {{n:int}} {{all=users|user}}", "obj.data is not None and obj.data.users {cmp} {n}"),
    ("(without [a|any]|with no|that (have|has) no) (material|materials) [assigned] [at all]", 'hasattr(obj.data, "materials") and not any(slot.material for slot in obj.material_slots)'),
    ("with [a|any] material|that have [a|any] material|that has [a|any] material", "any(slot.material for slot in obj.material_slots)"),
    (f"{HAS} [the] material {{a:label}}", "any(slot.material and slot.material.name == {a} for slot in obj.material_slots)"),
    ("(that use|that uses|using|wearing) {a:label}", "any(slot.material and slot.material.name == {a} for slot in obj.material_slots)"),
    (f"{HAS} {{a:label}} material", "any(slot.material and slot.material.name == {a} for slot in obj.material_slots)"),
    (f"{HAS} [a|an|any] {{kind:kind of modifiers}} modifier", "any(each.type == {kind} for each in obj.modifiers)"),
    (f"{LACKS} [a|an|any] {{kind:kind of modifiers}} modifier", "all(each.type != {kind} for each in obj.modifiers)"),
    (f"{HAS} [a|an|any] {{kind:kind of constraints}} constraint", "any(each.type == {kind} for each in obj.constraints)"),
    (f"{HAS} [any] (modifier|modifiers)", "obj.modifiers"),
    (f"{HAS} [any] (constraint|constraints)", "obj.constraints"),
    (f"{HAS} [a|any] shape (key|keys)", 'getattr(obj.data, "shape_keys", None) is not None'),
    (f"{HAS} [a|the] vertex group [called|named] {{a:label}}", "{a} in obj.vertex_groups"),
    (f"{HAS} [a|the] [custom] property [called|named] {{a:label}}", "obj.get({a}) is not None"),
    (f"{HAS} [a|the] custom property {{a:label}} (=|set to|equal to|of|with value) {{value:scalar}}", "obj.get({a}) == {value}"),
    (f"{LACKS} [a|the] [custom] property {{a:label}}", "obj.get({a}) is None"),
    ("(with|that have) keyframes|with animation|with animation data|(that|which) (is|are) animated", "obj.animation_data is not None"),
    ("(that|which) (is|are) [{no=not}] selected", "obj.select_get()"),
    ("[as] (measured|judged|seen) (at|by) (its|their|the) (origin|origins)|[by] [its|their|the] (origin|origins) [,] [in] (world space|world coordinates)", ""),
    ("(that|which) (is|are) visible", "obj.visible_get()"),
    ("(that|which) (is|are) (hidden|invisible|not visible)", "not obj.visible_get()"),
    ("[(that|which) (is|are)] (hidden|disabled) in (viewport|viewports)", "obj.hide_viewport"),
    ("[(that|which) (is|are)] (hidden|disabled|invisible) in (render|renders|rendering)", "obj.hide_render"),
    ("[(that|which) (is|are)] not parented [to anything]|that (isn't|aren't) parented [to anything]", "obj.parent is None"),
    ("without [a] parent|with no parent|that have no parent|that has no parent", "obj.parent is None"),
    ("with [a] parent|that have [a] parent|that has [a] parent|that are parented", "obj.parent is not None"),
    (f"{IS} (parented to|child of|children of|directly under) {{t:object of one}}", "obj.parent == {0}"),
    ("(descendants of|below) {t:object of one} [in the hierarchy]", "obj in {0}.children_recursive[:]"),
    (f"{IS} {{cmp=above|below|under|over}} (ground|floor)", "obj.matrix_world.translation.z {cmp} 0.0"),
    (f"{IS} {{cmp=above|below|beyond}} {{of=x|y|z}} [=] {{n:n}}", "{of} {cmp} {n}"),
    (f"{IS} {{cmp=more than|at least|less than|at most}} {{n:n}} (from|away from) [the] [world] origin", "obj.matrix_world.translation.length {cmp} {n}"),
    (f"{IS} (within|closer than|nearer than) {{n:n}} (of|to|from) [the] [world] origin", "obj.matrix_world.translation.length < {n}"),
    (f"{IS} (farther|further) than {{n:n}} (from|away from) [the] [world] origin", "obj.matrix_world.translation.length > {n}"),
    (f"{IS} (within|closer than|nearer than) {{n:n}} (of|to|from) {{t:object of one}}", "(obj.matrix_world.translation - {0}.matrix_world.translation).length < {n}"),
    (f"{IS} (farther|further|more) than {{n:n}} (from|away from) {{t:object of one}}", "(obj.matrix_world.translation - {0}.matrix_world.translation).length > {n}"),
    ("(with|that have) [a] (non-uniform|non uniform|uneven) scale", "len({round(each, 6) for each in obj.scale[:]}) > 1"),
    ("(with|that have) [an] (unapplied|not applied) scale|whose scale is not 1|whose scale is not applied", "obj.scale[:] != (1.0, 1.0, 1.0)"),
    ("(with|that have) [a] negative scale|that are mirrored", "min(obj.scale[:]) < 0.0"),
    ("(that|which) (share|shares) (the mesh|the data|its mesh|its data|their mesh|mesh data) (with|of) {t:object of one}", "obj.data == {0}.data"),
    ("(except for|except|but not|but|other than|apart from|excluding|save for|besides|not|and not) {t:object}", "obj not in {0}"),
    (f"{SKIP} {OF_THEM} {{left:filter}}", "not ({left})"),
)]  # fmt: skip
"""The words of each filter, and its test; an empty one tests nothing."""


@slot("label")
def label(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """A name or a part of one, in quotes or as one word: "chr_", "*_low", ".001"."""
    tokens = reading.tokens
    end = at
    while reading.word(end) in {"a", "an", "the"} and tokens[end].text.islower() and end + 1 < len(tokens):
        end += 1
    start = end
    if start < len(tokens) and tokens[start].kind == "quoted":
        if tokens[start].text:
            yield start + 1, (tokens[start].text,)
        return
    while end < len(tokens) and (end == start or tokens[end].start == tokens[end - 1].end):
        joins = end + 1 < len(tokens) and tokens[end + 1].start == tokens[end].end
        if (
            tokens[end].kind not in {"word", "number", "path"}
            and tokens[end].text != "*"
            and not (joins and tokens[end].text in {".", "-"})
        ):
            break
        end += 1
    text = reading.said(start, end)
    if end > start and (re.search(r"[_\d*A-Z.]", text) or reading.word(start - 1) in {"with", "prefix", "suffix"}):
        yield end, (text,)


@slot("labels")
def labels(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Several of them: "tmp_" or "old_"."""
    for end, found in several(reading, at, lambda place: label(reading, place, {}, ""), frozenset({"and", "or"})):
        yield end, tuple(text for each in found for text in each)


T = TypeVar("T")


def several(
    reading: Reading, at: int, one: Callable[[int], Iterator[tuple[int, T]]], joints: Words[str] = frozenset({"and"})
) -> Iterator[tuple[int, list[T]]]:
    """What `one` reads, several times with commas and "and" between; the most of them first."""
    found: list[T] = []
    stops: list[tuple[int, list[T]]] = []
    place = start = at
    while (start > place or not found) and (read := next(one(start), None)) is not None:
        place, found = read[0], [*found, read[1]]
        stops.append((place, found))
        start = place + (reading.mark(place) == ",")
        start += reading.word(start) in joints
    yield from reversed(stops)


BEHIND_MARKS: Final = frozenset({
    "skip", "skipping", "ignore", "ignoring", "leaving", "leave", "omit", "except", "but", "not", "other", "excluding", "apart", "whose",
})  # fmt: skip
"""Words of filters that may stand behind a comma."""


def narrowed(reading: Reading, at: int, so_far: tuple[Filter, ...] = ()) -> Iterator[tuple[int, tuple[Filter, ...]]]:
    """Every way to read filters at this place, the most of them first."""
    bracket = reading.mark(at) == "("
    starts = [at + (reading.mark(at) in {",", ";", "-", "("})]
    if reading.word(starts[0]) == "and" and not bracket:
        starts.append(starts[0] + 1)
    for start in starts if len(so_far) < 4 else ():
        if reading.mark(at) in {",", ";", "-"} and reading.word(start) not in BEHIND_MARKS:
            continue
        for matcher, test in FILTERS:
            for end, env in matcher(reading, start, {}):
                if bracket and reading.mark(end) != ")":
                    continue
                found = made(test, env)
                if found is not None and found.test and not bracket:
                    yield from or_another(reading, end, so_far, found)
                if found is not None or not test:
                    yield from narrowed(reading, end + bracket, (*so_far, found) if found is not None else so_far)
    yield at, so_far


def or_another(
    reading: Reading, at: int, so_far: tuple[Filter, ...], first: Filter
) -> Iterator[tuple[int, tuple[Filter, ...]]]:
    """ "named "tmp" or ending with "_old"": one filter or another."""
    start = at + (reading.mark(at) == ",")
    if reading.word(start) != "or":
        return
    for matcher, test in FILTERS:
        for end, env in matcher(reading, start + 1, {}):
            other = made(test, env)
            if other is not None and not other.refs and not first.refs and "except" not in reading.words(start + 1, 2):
                yield from narrowed(reading, end, (*so_far, Filter(f"{guarded(first)} or {guarded(other)}")))


def guarded(one: Filter) -> str:
    """A test as one of two; of faces only where there is a mesh."""
    test = f'(obj.type == "MESH" and {one.test})' if "mesh_of" in one.test else one.test
    return f"({test})" if " and " in test and not test.startswith("(obj.type") else test


def made(test: str, env: Env) -> Filter | None:
    """The filter of these words; None where it tests nothing."""
    if not test:
        return None
    names: dict[str, str] = {"0": "{0}"}
    for key, value in env.items():
        match value:
            case _ if key == "a":
                names[key] = quoted(value[0]) if len(value) == 1 else literal(value)
            case Kind():
                names[key] = quoted(value.identifier)
            case int() | float() | bool():
                names[key] = literal(value)
            case str() if key in {"value", "q"}:
                names[key] = quoted(value)
            case _:
                names[key] = str(value)
    of = str(env.get("of") or "")
    names["of"] = MEASURES.get(of, of)
    names["cmp"] = COMPARISONS.get(str(env.get("cmp") or ""), "<" if of in SMALL else ">")
    if "case" in env:
        names["a"] = literal(tuple(each.lower() for each in env["a"])) if len(env["a"]) > 1 else names["a"].lower()
        test = test.replace("obj.name", "obj.name.lower()")
    some = str(env.get("some") or "")
    names["some"] = OWNED.get(some, some)
    test = test.replace("({some})", "{some}" if " and " not in names["some"] else "({some})")
    names["adj"] = "not obj.select_get()" if env.get("adj") == "selected" else "obj.visible_get()"
    names["type"] = quoted(OBJECT_TYPES.get(str(env.get("type") or ""), ""))
    if "fnmatch" in test and "a" in env:
        return Filter(" or ".join(alike(each) for each in env["a"]))
    text = test
    for key, value in names.items():
        text = text.replace(f"{{{key}}}", value) if key != "0" else text
    if env.get("no"):
        text = f"not ({text})"
    return Filter(text, (env["t"],) if env.get("t") is not None else ())


def alike(pattern: str) -> str:
    """The test of a name like this: itself, with a number behind it, or with stars."""
    if "*" in pattern or "?" in pattern:
        return f"fnmatch(obj.name, {quoted(pattern)})"
    return f'obj.name.split(".")[0] == {quoted(pattern)}'
