"""Edit-mesh operations: which part of a mesh, and what is done with it.

    "inset the top face of the cube by 0.2, then extrude it 0.5"

PARTS_SAID tells how a part may be named, OPERATIONS what can be done with one: the words, the elements, the call of
`bmesh.ops` and the amounts that it takes. Operations that follow one another on a mesh share one editing block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from textwrap import indent
from typing import Any, Final, cast

from app.drafting.composer.build import Build, Known
from app.drafting.composer.grammar import VOCABULARY, step
from app.drafting.composer.lexicon import Phrases
from app.drafting.composer.patterns import ARTICLES, Env, Reading, compile_pattern, joints, literals, slot
from app.drafting.composer.slots import Target, axis, looks_like_name, quantity, skip, whole_number
from app.drafting.composer.steps.modifiers import Topic
from app.drafting.composer.values import Degrees, Quantity, literal, quoted, refuse

# --- which part ---------------------------------------------------------------------------------------------

SIDES: Final = {
    "top": "Z", "upper": "Z", "topmost": "Z", "uppermost": "Z", "highest": "Z", "bottom": "-Z", "underside": "-Z", "lower": "-Z", "lowest": "-Z",
    "bottommost": "-Z", "left": "-X", "right": "X", "front": "-Y", "back": "Y", "rear": "Y",
}  # fmt: skip
WAYS: Final = {
    "up": "Z", "upward": "Z", "upwards": "Z", "down": "-Z", "downward": "-Z", "downwards": "-Z", "left": "-X", "right": "X",
    "forward": "-Y", "forwards": "-Y", "back": "Y", "backwards": "Y",
}  # fmt: skip
ELEMENTS: Final = {
    "face": "faces", "polygon": "faces", "poly": "faces", "edge": "edges", "vertex": "verts", "point": "verts", "end": "edges", "opening": "edges", "border": "edges", "boundary": "edges", "loop": "edges",
}  # fmt: skip
SHAPES: Final = {"triangle": "== 3", "tri": "== 3", "quad": "== 4", "ngon": "> 4", "n-gon": "> 4"}
ONE: Final = {"faces": "face", "edges": "edge", "verts": "vert"}

ADJECTIVES: Final[Phrases[tuple[str, str]]] = Phrases([
    *((word, ("side", letter)) for word, letter in SIDES.items()),
    ("open", ("edges", "len(edge.link_faces) < 2")), ("boundary", ("edges", "len(edge.link_faces) < 2")),
    ("border", ("edges", "len(edge.link_faces) < 2")), ("non manifold", ("edges", "not edge.is_manifold")),
    ("loose", ("loose", "")), ("selected", ("raw", "{e}.select")), ("vertical", ("along", "Z")),
    ("sharp", ("edges", "edge.calc_face_angle(0.0) > {sharp}")), ("horizontal", ("across", "Z")),
    ("triangular", ("faces", "len(face.verts) == 3")), ("four sided", ("faces", "len(face.verts) == 4")),
    ("flat", ("edges", "edge.calc_face_angle(1.0) < 0.001")), ("coplanar", ("edges", "edge.calc_face_angle(1.0) < 0.001")),
])  # fmt: skip

SAID: Final = (
        ("facing", "[that|which|whose normals] [are|is] (pointing|facing|looking|point|face|points|faces) [to the] {way=up|upwards|upward|down|downwards|downward|left|right|forward|back|backwards}"),
        ("facing", "[that|which|whose normals] [are|is] (pointing|facing|looking|point|face|points|faces) [along|in|towards|to] {axis:axis}"),
        ("compare", "[that|which] [are|is|lie|lies] {how=above|over|higher than|below|under|beneath|lower than} [z|height] [=] {n:n} [height]"),
        ("compare", "[that|which] [are|is|lie|lies] {how=above|over|below|under} {zero=ground|ground level|floor|origin}"),
        ("compare", "(with|where|whose|at|having) [its|their] {axis:axis} [coordinate|position] [is|are] {how=>|<|above|over|greater than|larger than|more than|higher than|below|under|less than|smaller than|lower than} {n:n}"),
        ("compare", "{axis:axis} {how=>|<} {n:n}"),
        ("compare", "(right|left) of x = {n:n}"),
        ("side", "(on|at|in|along|around) {side=top|bottom|left|right|front|back} [side|end|rim]"),
        ("side", "(on|at) {axis:axis} side"),
        ("half", "(in|of|on) {side=top|bottom|upper|lower|left|right|front|back} half"),
        ("sharper", "(sharper than|with an angle over|with an angle above|above|over|steeper than|exceeding|that exceed|that exceeds|which exceed|[with|whose] [a|an] [face|dihedral] angle [is] (over|above|greater than|larger than|bigger than|of more than)) {angle:angle}"),
        ("flatter", "(flatter than|with an angle below|with an angle under|less sharp than) {angle:angle}"),
        ("length", "{how=longer than|shorter than} {n:n}"),
        ("area", "(with|whose|having) [an|a] [face] area [is] {how=above|over|greater than|larger than|bigger than|more than|below|under|smaller than|less than} {n:n}"),
        ("area", "[that|which] [are|is] {how=larger than|bigger than|smaller than} {n:n}"),
        ("along", "[that|which] (parallel to|along|running along|run along) {axis:axis}"),
        ("group", "(in|of|from) [vertex] group {name:name}"),
        ("material", "(with|using|of|that have|that use|which use|which have|that are using|that wear) material {name:name}"),
    )  # fmt: skip
PARTS_SAID: Final = [(what, compile_pattern(pattern)) for what, pattern in SAID]

for _, _pattern in SAID:
    VOCABULARY.update(literals(_pattern))
VOCABULARY.update({*ELEMENTS, *SHAPES, *ADJECTIVES.words()})


@dataclass(frozen=True)
class MeshPart:
    """Faces, edges or vertices of a mesh; `tests` has what must be true of each, `same` those of the last step."""

    element: str
    tests: tuple[tuple[str, Any], ...] = ()
    said: str = ""
    same: bool = False
    plural: bool = True


DIVIDED: Final = re.compile(r"subdiv|\bcuts\b", re.IGNORECASE)
STRIPS: Final = re.compile(r"strip|clip|channel|sequencer|\bvse\b", re.IGNORECASE)
"""Words by which a cut is one of a strip."""


@slot("part")
def mesh_part(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, MeshPart]]:
    """ "the top face", "all vertices above z = 1", "boundary edges", "the upper half"; `of` names the operation."""
    operation = OPERATIONS.get(str(env.get(of)))
    default = operation.takes if operation else "verts"
    start = at
    while reading.word(at) in ARTICLES | {
        "two",
        "all",
        "every",
        "each",
        "only",
        "both",
        "of",
        "these",
        "those",
        "single",
    }:
        at += 1
    if reading.word(at) in {"cut", "rim"} and of:
        yield at + 1, MeshPart("edges", said=reading.said(start, at + 1), same=True)
    new = skip(reading, at, {"new", "inner", "extruded", "resulting", "same", "that", "this", "inset"})
    if new > at and ELEMENTS.get(singular(reading.word(new))) == "faces":
        yield new + 1, MeshPart("faces", said=reading.said(start, new + 1), same=True)
        return
    tests: list[tuple[str, Any]] = []
    place, count = counted(reading, at)
    while (found := ADJECTIVES.first(reading.tokens, place)) is not None:
        tests.append(found[1])
        place = skip(reading, found[0], {"most", "outer", "and"} if found[1][0] == "side" else set())
    place, count = (place, count) if count else counted(reading, place)
    signed = next(axis(reading, place, {}, ""), None)
    if signed is not None and not tests and reading.word(signed[0] - 1) != "direction":
        tests.append(("side", signed[1]))
        place = signed[0]
    if tests[-1:] == [("edges", "len(edge.link_faces) < 2")] and singular(reading.word(place - 1)) in {
        "border",
        "boundary",
    }:
        place -= singular(reading.word(place)) not in ELEMENTS  # "the borders", "the open border"
    word = singular(reading.word(place))
    element = ELEMENTS.get(word, "faces" if word in SHAPES else "")
    if word == "half" and tests and tests[0][0] == "side":
        after = place + 1
        if (
            reading.word(after) == "of"
            and (more := singular(reading.word(skip(reading, after + 1, {"the", "all"})))) in ELEMENTS
        ):
            element, after = ELEMENTS[more], skip(reading, after + 1, {"the", "all"}) + 1
        yield after, MeshPart(element or default, (("half", tests[0][1]),), reading.said(start, after))
        return
    if element and place == start and looks_like_name(reading.tokens[place].text, reading, place):
        return  # "symmetrize Face": what it is called
    if not element:
        if tests and tests[0][0] == "side" and len(tests) == 1 and place > at:
            tests += [("count", count)] if count else []
            yield place, MeshPart(default, tuple(tests), reading.said(start, place), plural=False)
        return
    if word in SHAPES:
        tests.append(("faces", f"len(face.verts) {SHAPES[word]}"))
    plural = reading.word(place) != word
    many = reading.word(place - 1) in {"all", "every", "each"}  # "extrude all faces 2"
    for end, numbers in numbered(reading, place + 1) if not (count or tests or many) else ():
        if plural and len(numbers) == 1:
            continue  # "extrude the faces 2"
        yield end, MeshPart(element, (("numbers", numbers),), reading.said(start, end), plural=plural)
    if (
        count
        and ELEMENTS.get(word)
        and word not in {"loop", "end", "opening"}
        and "loop" not in reading.word(place + 1)
    ):
        tests.append(("count", count))
    place = skip(reading, place + 1, {"loop", "loops", "ring"} if element == "edges" else set())
    if reading.word(place) == "of" and element != "faces":
        # "the edges of the top face"
        for end, outer in mesh_part(reading, place + 1, {}, ""):
            if outer.tests:
                yield end, MeshPart(element, (*tests, *outer.tests), reading.said(start, end), outer.same)
    yield from narrowed(reading, start, place, element, tests, plural)


def numbered(reading: Reading, at: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The numbers of elements: "3", "0, 1 and 2", "with index 5", "4 to 7"; the most of them first."""
    place = skip(reading, at, {"with", "number", "numbers", "index", "indices", "no"})
    place += reading.mark(place) in {"#", ":", "="}
    found: list[int] = []
    stops: list[tuple[int, tuple[int, ...]]] = []
    while (read := index_at(reading, place)) is not None:
        if found and reading.word(place - 1) in {"to", "through"}:
            if read <= found[-1]:
                return
            found += range(found[-1] + 1, read + 1)
        else:
            found.append(read)
        stops.append((place + 1, tuple(found)))
        place += 1
        place += reading.mark(place) == "," and index_at(reading, place + 1) is not None
        place += reading.mark(place) == "," and reading.word(place + 1) == "and"
        place += reading.word(place) in {"and", "to", "through"}
        if reading.tokens[place - 1].kind == "number":
            break
    yield from (each for each in reversed(stops) if not measures(reading, each[0]))


def index_at(reading: Reading, at: int) -> int | None:
    """The whole number that stands here, without a unit or a sign."""
    text = reading.tokens[at].text if at < len(reading.tokens) else ""
    return int(text) if text.isdecimal() and not measures(reading, at + 1) else None


def measures(reading: Reading, at: int) -> bool:
    """Whether a unit or another number stands here: the number before is none of an element."""
    return reading.lexicon.units.first(reading.tokens, at) is not None or reading.mark(at) in {"%", "/", "x"}


def counted(reading: Reading, at: int) -> tuple[int, int]:
    """The place after a number of elements, and the number; zero where there is none."""
    return next(((end, count) for end, count in whole_number(reading, at, {}, "") if count > 1), (at, 0))


def singular(word: str) -> str:
    """A word as ELEMENTS and SHAPES have it."""
    from app.drafting.composer.tokens import singular as one

    return one(word)


def narrowed(
    reading: Reading, start: int, at: int, element: str, tests: list[tuple[str, Any]], plural: bool
) -> Iterator[tuple[int, MeshPart]]:
    """What is said of a part after its noun."""
    for what, matcher in PARTS_SAID:
        for end, env in matcher(reading, at, {}):
            if what in {"sharper", "flatter", "length"} and element != "edges":
                continue
            if what == "area" and element != "faces":
                continue
            yield from narrowed(reading, start, end, element, [*tests, (what, dict(env))], plural)
    yield at, MeshPart(element, tuple(tests), reading.said(start, at), plural=plural)


def listed(build: Build, part: MeshPart, known: Known, mesh: str = "bm") -> str:
    """The expression of the elements of a part; lines that measure the mesh come before."""
    one = ONE[part.element]
    verts = "bm.verts" if mesh == "bm" else f"{mesh}.vertices"
    source = f"{mesh}.{part.element}" if mesh == "bm" else verts
    tests: list[str] = []
    counts = ""
    for what, value in part.tests:
        told = words_of(value)
        letter = (
            str(told.get("axis") or SIDES.get(str(told.get("side"))) or WAYS.get(str(told.get("way"))) or value) or "Z"
        )
        name, positive = letter[-1].lower(), not letter.startswith("-")
        match what:
            case "side":
                level = build.var("level")
                build.line(f"{level} = {'max' if positive else 'min'}(vert.co.{name} for vert in {verts})")
                tests.append(every(one, f"abs({{v}}.co.{name} - {level}) < 1e-4"))
            case "half":
                middle, places = build.var("middle"), build.var("places")
                build.line(f"{places} = [vert.co.{name} for vert in {verts}]")
                build.line(f"{middle} = (min({places}) + max({places})) / 2")
                sign = (">" if one == "vert" else ">=") if positive else ("<" if one == "vert" else "<=")
                edge = {"vert": "+ 1e-6" if positive else "- 1e-6"}.get(one, "- 1e-6" if positive else "+ 1e-6")
                tests.append(every(one, f"{{v}}.co.{name} {sign} {middle} {edge}"))
            case "compare":
                above = told["how"] in {"above", "over", "higher than", ">", "greater than", "larger than", "more than"}
                index = "xyz".index(str(told.get("axis") or "Z")[-1].lower())
                build.need("current_view_layer")
                build.line("current_view_layer().update()")
                if re.search(rf"\b{told.get('n'):g} *(vert|face|edge|poly)", build.request, re.IGNORECASE):
                    raise refuse(part.said, "how many it has, or how high it lies?")
                place = f"({known.var}.matrix_world @ {{v}}.co)[{index}]"
                tests.append(every(one, f"{place} {'>' if above else '<'} {literal(float(told.get('n') or 0.0))}"))
            case "facing":
                if one != "face":
                    raise refuse(part.said, "only faces point somewhere")
                tests.append(f"face.normal.{name} {'>' if positive else '<'} {0.7 if positive else -0.7}")
            case "along" | "across":
                # Edges along an axis; faces that stand or lie.
                way = "(edge.verts[1].co - edge.verts[0].co).normalized()" if one == "edge" else "face.normal"
                if one == "vert":
                    raise refuse(part.said, "a vertex has no direction")
                upright = (what == "along") == (one == "edge")
                tests.append(f"abs({way}.{name}) {'> 0.99' if upright else '< 0.01'}")
            case "sharper" | "flatter" | "length" if one != "edge":
                raise refuse(part.said, "only edges are so")
            case "sharper" | "flatter":
                flat, sign = ("0.0", ">") if what == "sharper" else ("4.0", "<")
                tests.append(f"edge.calc_face_angle({flat}) {sign} {build.literal(told['angle'])}")
            case "length":
                tests.append(f"edge.calc_length() {'>' if told['how'] == 'longer than' else '<'} {literal(told['n'])}")
            case "area" if one != "face":
                raise refuse(part.said, "only faces have an area")
            case "area":
                less = told["how"] in {"below", "under", "smaller than", "less than"}
                tests.append(f"face.calc_area() {'<' if less else '>'} {literal(float(told['n']))}")
            case "group":
                number = f"{known.var}.vertex_groups[{quoted(told['name'])}].index"
                build.line("weights = bm.verts.layers.deform.verify()")
                tests.append(every(one, f"{number} in {{v}}[weights]"))
            case "material":
                if one != "face":
                    raise refuse(part.said, "only faces have a material")
                build.line(f"slot = {known.var}.material_slots.find({quoted(told['name'])})")
                tests.append("face.material_index == slot")
            case "numbers":
                numbers = list(cast("tuple[int, ...]", value))
                inside = f"in {{{', '.join(map(str, numbers))}}}" if len(numbers) > 1 else f"== {numbers[0]}"
                tests.append(f"{one}.index {inside}")
                counts = f", {len(set(numbers))}"
            case "loose":
                tests.append("" if one == "face" else f"not {one}.link_{'faces' if one == 'edge' else 'edges'}")
            case "count":
                counts = f", {value}"
            case "raw":
                tests.append(value.format(e=one))
            case _ if what == part.element:
                tests.append(value.replace("{sharp}", build.literal(Degrees(30.0))))
            case "edges" if one == "vert":
                tests.append(f"any({value} for edge in vert.link_edges)")
            case _:
                raise refuse(part.said, "which?")
    if not all(tests):
        raise refuse(part.said, "which?")
    if counts and not tests:
        raise refuse(part.said, "which ones?")
    if not tests:
        return f"list({source})"
    found = f"[{one} for {one} in {source} if {' and '.join(tests)}]"
    if len(found) > WIDTH:
        found = (
            "[\n    "
            + "\n    ".join([one, f"for {one} in {source}", f"if {tests[0]}", *(f"and {each}" for each in tests[1:])])
            + "\n]"
        )
    if ("loose", "") in part.tests:
        return found
    build.need("some")
    return f"some(\n{indent(found, '    ')},\n    {quoted(part.said)}{counts},\n)"


WIDTH: Final = 90


def words_of(value: Any) -> Mapping[str, Any]:
    """What a pattern of SAID found; nothing for other tests."""
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def every(one: str, test: str) -> str:
    """The test for every vertex of an element."""
    if one == "vert":
        return test.format(v="vert")
    return f"all({test.format(v='vert')} for vert in {one}.verts)"


# --- what is done -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Amount:
    """A number that an operation takes, or a flag: what it measures, what it is called, its value unless it was said."""

    kind: str
    words: str = ""
    default: Any = None


@dataclass(frozen=True)
class Operation:
    """Something done with a part of a mesh. Amounts without a default must be said.

    `whole` says that the part may be left out: all of the mesh is meant then.
    """

    words: str
    takes: str
    code: str
    amounts: Mapping[str, Amount] = field(default_factory=dict[str, Amount])
    whole: bool = True
    keeps: str = ""
    layer: str = ""


BY: Final = "by|distance|amount|of|offset|with"
ALL_GEOMETRY: Final = "geometry: Any = [*bm.verts, *bm.edges, *bm.faces]\n"

SEAM: Final = "for edge in {part}:\n    edge.seam = True"
SHARP: Final = "for edge in {part}:\n    edge.smooth = False"
QUADS: Final = (
    "bmesh.ops.join_triangles(\n    bm, faces={part}, angle_face_threshold={angle}, angle_shape_threshold={angle}\n)"
)
QUAD_ANGLE: Final = Amount("angle", "angle|max angle|threshold", Degrees(40.0))

OPERATIONS: Final[dict[str, Operation]] = {
    "triangulate": Operation("triangulate|(convert|turn|split) [to|into] triangles", "faces", "bmesh.ops.triangulate(bm, faces={part})",
                             {"to": Amount("flag", "to triangles|into triangles", "")}),
    "quads": Operation("[convert|turn|change] (tris|triangles) (to|into) quads|tris back to quads|tris into quads|triangles back to quads|triangles to quads|join triangles|untriangulate|quadrangulate", "faces", QUADS, {"angle": QUAD_ANGLE}),
    "to quads": Operation("convert|turn|merge|join", "faces", QUADS, {"to": Amount("flag", "to quads|into quads|back to quads|back into quads"), "angle": QUAD_ANGLE}),
    "recalculate": Operation("(recalculate|recalc|fix|repair|unify|reorient|correct) [face] normals|make normals consistent|(make|let|have|turn|point) [all] [face] normals|(make|let|have) [all] faces|(make|let|have) all of the normals", "faces",
                             "bmesh.ops.recalc_face_normals(bm, faces={part}){inside}",
                             {"outside": Amount("flag", "outside|outward|outwards|to outside|to the outside|face outward|face outwards|point outwards|point outward|point outside|consistent|point out", ""), "inside": Amount("flag", "inside|inward|inwards|to the inside|face inward|face inwards|point inwards|point inward|point inside", "")}),
    "flip": Operation("(flip|invert|reverse) [face] normals|flip", "faces", "bmesh.ops.reverse_faces(bm, faces={part})"),
    "merge": Operation("merge by distance|(remove|merge|delete|clean up) (doubles|duplicate vertices|double vertices|duplicated vertices)|weld", "verts",
                       "bmesh.ops.remove_doubles(bm, verts={part}, dist={distance})",
                       {"distance": Amount("length", "by distance|distance|threshold|closer than|within|merge distance|tolerance|nearer than|less than|by distance of", 0.0001)}),
    "merge near": Operation("(merge|weld) [all] [close|nearby|overlapping] (vertices|points)", "verts", "bmesh.ops.remove_doubles(bm, verts={part}, dist={distance})",
                            {"distance": Amount("length", "closer than|within|nearer than|less than|closer together than|by distance|distance|threshold|that are closer than|that are within")}),
    "collapse": Operation("collapse", "verts", "centre = sum((vert.co for vert in {part}), Vector()) / len({part})\nbmesh.ops.pointmerge(bm, verts={part}, merge_co=centre)",
                          {"at": Amount("flag", "at center|at the center|into one|to one point|to a point|to a single vertex|to center")}, whole=False),
    "merge at": Operation("merge", "verts", "centre = sum((vert.co for vert in {part}), Vector()) / len({part})\nbmesh.ops.pointmerge(bm, verts={part}, merge_co=centre)",
                          {"at": Amount("flag", "at center|at the center|at their center|into one|into one point|to one point|to a point|to a single vertex|to center|in the center")}, whole=False),
    "make face": Operation("(make|create|add|build) (face|ngon|n-gon|n gon) (from|of|out of|between|with|on)", "verts", "bmesh.ops.contextual_create(bm, geom={part})", whole=False),
    "make edge": Operation("(make|create|add) edge (from|of|out of|between|with)", "verts", "bmesh.ops.contextual_create(bm, geom={part})", whole=False),
    "inset": Operation("inset", "faces", "{inset}", {"thickness": Amount("length", f"thickness|thick|wide|width|{BY}"), "depth": Amount("length", "depth|deep", 0.0),
                       "single": Amount("flag", "individually|individual|each face on its own|on its own|on their own|each on its own|separately|one by one", ""), "region": Amount("flag", "as a region|as one region|together", "")}, whole=False, keeps="faces"),
    "extrude": Operation("extrude|(push|pull) [in|out]", "faces", "{extrude}",
                         {"length": Amount("length", f"{BY}|height|depth"), "way": Amount("way", "", ""),
                          "single": Amount("flag", "individually|individual|each on its own|separately|along individual normals", ""),
                          "normal": Amount("flag", "along normal|along the normal|along its normal|along their normals|along normals|outward|outwards|out", ""), "inward": Amount("flag", "inwards|inward", "")}, whole=False, keeps="faces"),
    "poke": Operation("poke", "faces", "bmesh.ops.poke(bm, faces={part}, offset={offset})", {"offset": Amount("length", f"{BY}|height", 0.0)}),
    "subdivide": Operation("[really] subdivide|cut", "edges", "{subdivide}",
                           {"cuts": Amount("cuts", "cut|with", 1), "rounds": Amount("rounds", "time|round", 1), "once": Amount("flag", "once", ""),
                            "smooth": Amount("share", "smoothness|smooth", 0.0), "fractal": Amount("share", "fractal", 0.0)}),
    "unsubdivide": Operation("unsubdivide|un subdivide", "verts", "bmesh.ops.unsubdivide(bm, verts={part}, iterations={iterations})", {"iterations": Amount("count", "iteration|time|level", 2)}),
    "bevel": Operation("bevel|chamfer|round|round off", "edges", 'bmesh.ops.bevel(\n    bm, geom={part}, offset={offset}, segments={segments}, profile={profile}, affect="{affect}", clamp_overlap=True\n)',
                       {"offset": Amount("length", f"width|radius|size|{BY}|wide"), "segments": Amount("count", "segment", 1), "profile": Amount("share", "profile|shape", 0.5)}, whole=False),
    "dissolve": Operation("dissolve", "edges", "bmesh.ops.dissolve_{part_kind}(bm, {part_kind}={part})", whole=False),
    "simplify": Operation("(limited dissolve|dissolve) [flat|coplanar]|simplify planar faces|planar dissolve", "edges", "bmesh.ops.dissolve_limit(bm, angle_limit={angle}, verts=list(bm.verts), edges=list(bm.edges))",
                          {"angle": Amount("angle", "angle|max angle|limit|at|below|under|with", Degrees(5.0))}),
    "loose": Operation("(delete|remove|clean up|dissolve) [all] [stray] loose (geometry|vertices and edges|verts and edges|edges and vertices|edges and verts|vertices or edges|elements|parts of geometry)", "verts",
                       "bmesh.ops.delete(bm, geom=[edge for edge in bm.edges if not edge.link_faces], context=\"EDGES\")\nbmesh.ops.delete(bm, geom=[vert for vert in bm.verts if not vert.link_edges], context=\"VERTS\")"),
    "delete": Operation("delete|remove|erase|knock out|take out|cut out|get rid of|throw away", "faces", 'bmesh.ops.delete(bm, geom={part}, context="{context}")',
                        {"edges": Amount("flag", "[but] (keep|keeping|leave|leaving) [all] [of] [the] [{count:int}] (edges|vertices|verts|points)", "")}, whole=False),
    "holes": Operation("(fill|close|cap) [all] [open] holes|fill|close|cap", "edges", "bmesh.ops.{fill}(bm, edges={part})",
                       {"face": Amount("flag", "with a face|with a single face|with an ngon|with an n-gon|with faces|with a polygon", ""), "grid": Amount("flag", "with a grid|with quads", "")}),
    "bridge": Operation("bridge", "edges", "bmesh.ops.bridge_loops(bm, edges={part})", {"together": Amount("flag", "together|with faces", "")}),
    "smooth": Operation("smooth [mesh]|relax", "verts", "for _ in range({iterations}):\n    bmesh.ops.smooth_vert(\n        bm, verts={part}, factor={factor}, use_axis_x=True, use_axis_y=True, use_axis_z=True\n    )",
                        {"factor": Amount("share", "factor|by|strength"), "iterations": Amount("count", "iteration|time|repeat|pass|iterations", 1)}),
    "randomize": Operation("randomize|jitter|randomly displace|randomly move|add noise to", "verts", "random = Random({seed})\nfor vert in {part}:\n    vert.co += Vector([random.uniform(-1.0, 1.0) for _ in range(3)]) * {amount}",
                           {"amount": Amount("length", f"{BY}|up to|strength|at most"), "seed": Amount("count", "seed", 0)}, whole=False),
    "symmetrize": Operation("symmetrize|make symmetric|make symmetrical", "verts", ALL_GEOMETRY + 'bmesh.ops.symmetrize(bm, input=geometry, direction="{axis}", dist=1e-4)', {"axis": Amount("direction", "along|across|on|in|about|over|from|around|axis")}),
    "mirror": Operation("mirror [mesh]|flip", "verts", "bmesh.ops.scale(bm, vec=({x}), verts={part})\nbmesh.ops.reverse_faces(bm, faces=list(bm.faces))",
                        {"axis": Amount("axis", "along|across|on|in|about|over|around|axis"), "mesh": Amount("flag", "itself|in place|as [a] [real|plain|direct] mesh edit")}),
    "split": Operation("split|rip|separate", "edges", "bmesh.ops.split_edges(bm, edges={part})", {"apart": Amount("flag", "apart", "")}, whole=False),
    "hull": Operation("convex hull|make convex hull|turn into convex hull|replace", "verts",
                      ALL_GEOMETRY + 'hull = bmesh.ops.convex_hull(bm, input=geometry)\nunused = set(hull["geom_interior"]) | set(hull["geom_unused"])\nbmesh.ops.delete(bm, geom=[each for each in unused if isinstance(each, bmesh.types.BMVert)], context="VERTS")',
                      {"by": Amount("flag", "by its convex hull|with its convex hull|into its convex hull", "")}),
    "seam": Operation("mark seam", "edges", SEAM),
    "as seam": Operation("mark|set|make", "edges", SEAM, {"as": Amount("flag", "as seam|as a seam|as seams|as uv seams|as uv seam")}),
    "sharp": Operation("mark sharp", "edges", SHARP),
    "as sharp": Operation("mark|set|make", "edges", SHARP, {"as": Amount("flag", "as sharp|sharp|as hard")}),
    "no seam": Operation("(clear|unmark|remove|delete) [uv] (seam|seam mark)", "edges", "for edge in {part}:\n    edge.seam = False"),
    "no sharp": Operation("(clear|unmark) sharp edge|(clear|unmark|remove|delete) sharp (mark|edge mark)|unmark sharp|clear sharp", "edges", "for edge in {part}:\n    edge.smooth = True"),
    "crease": Operation("crease|set crease", "edges", "for edge in {part}:\n    edge[layer] = {value}",
                        {"value": Amount("share", "to|at|crease|by|of|with|value", 1.0), "full": Amount("flag", "fully|full", "")}, whole=False, layer="crease_edge"),
    "weight": Operation("set bevel weight|bevel weight", "edges", "for edge in {part}:\n    edge[layer] = {value}",
                        {"value": Amount("share", "to|at|bevel weight|of")}, whole=False, layer="bevel_weight_edge"),
    "select": Operation("select|(select|choose) only", "faces", 'for each in [*bm.verts, *bm.edges, *bm.faces]:\n    each.select = False\nbm.select_mode = {{"{mode}"}}\nfor each in {part}:\n    each.select_set(True)\nbm.select_flush_mode()', whole=False),
    "move": Operation("move|shift|translate|raise|lower|lift", "verts", "bmesh.ops.translate(bm, vec={vector}, verts={verts})", {"length": Amount("length", BY, ""), "way": Amount("way", "", ""), "vector": Amount("vector", "by", "")}, whole=False, keeps="faces"),
    "scale": Operation("scale|shrink|enlarge|taper|narrow|widen", "verts", "centre = sum((vert.co for vert in {verts}), Vector()) / len({verts})\nbmesh.ops.scale(bm, vec={vector}, verts={verts}, space=Matrix.Translation(-centre))",
                       {"factor": Amount("share", "by|to|factor|of|down to|up to", ""), "vector": Amount("vector", "by", "")}, whole=False, keeps="faces"),
    "rotate": Operation("rotate|turn|twist", "verts", 'centre = sum((vert.co for vert in {verts}), Vector()) / len({verts})\nbmesh.ops.rotate(bm, cent=centre, matrix=Matrix.Rotation({angle}, 3, "{axis}"), verts={verts})',
                        {"angle": Amount("angle", "by|angle"), "axis": Amount("axis", "around|about|on|along|in", "Z")}, whole=False, keeps="faces"),
}  # fmt: skip
"""`{part}` is the list of the elements; an amount stands under its own name."""
WORDS: Final = [(key, compile_pattern(operation.words)) for key, operation in OPERATIONS.items()]
for _operation in OPERATIONS.values():
    VOCABULARY.update(literals(_operation.words))
    for _amount in _operation.amounts.values():
        VOCABULARY.update(literals(_amount.words))


@slot("operation")
def operation(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """The words for an edit-mesh operation."""
    for key, matcher in WORDS:
        for end, _ in matcher(reading, at, {}):
            yield end, key


@slot("amounts")
def amounts(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """What an operation takes: "0.2, depth 0.1", "by 2 cm with 3 segments"; the most of it first."""
    if of not in env:
        return
    found: list[tuple[int, dict[str, Any]]] = []
    waiting: list[tuple[int, dict[str, Any]]] = [(at, {})]
    while waiting and len(found) < MOST:
        place, so_far = waiting.pop(0)
        for start in joints(reading, place) if so_far else (at,):
            for end, name, value in one_amount(reading, start, OPERATIONS[str(env[of])].amounts):
                if name not in so_far and end > start:
                    found.append((end, {**so_far, name: value}))
                    waiting.append(found[-1])
    yield from sorted(found, key=lambda each: -each[0])


MOST: Final = 60


def one_amount(reading: Reading, at: int, known: Mapping[str, Amount]) -> Iterator[tuple[int, str, Any]]:
    """One amount by its name before or after it, by its unit, or a flag."""
    for name, amount in known.items():
        called = compile_pattern(amount.words)
        starts = {end for end, _ in called(reading, at, {})}
        if amount.kind == "flag":
            yield from ((end, name, True) for end in starts if end > at)
            continue
        for start in sorted({at, *starts}, reverse=True):
            place = skip(reading, start, {"of", "to", "is", "the"} if start > at else set())
            place += reading.mark(place) in {"=", ":"}
            for end, value in amount_of(reading, place, amount.kind):
                yield end, name, value
                yield from ((last, name, value) for last, _ in called(reading, end, {}) if last > end)


def amount_of(reading: Reading, at: int, kind: str) -> Iterator[tuple[int, Any]]:
    """A value of this kind."""
    if kind in {"axis", "direction"}:
        for end, letter in axis(reading, at, {}, ""):
            other = next(axis(reading, end + 1, {}, ""), None) if reading.word(end) == "to" else None
            if other is not None and kind == "direction" and other[1][-1] == letter[-1]:
                yield other[0], letter
            signed = reading.tokens[end - 1].text[:1] in {"+", "-"}
            yield end, letter if kind == "axis" or signed else f"-{letter}"
    elif kind == "way":
        straight = skip(reading, at, {"straight", "directly"})
        if reading.word(straight) in WAYS:
            yield straight + 1, WAYS[reading.word(straight)]
        if reading.word(at) in {"along", "in", "on"}:
            yield from axis(reading, at + 1, {}, "")
    elif kind == "vector":
        from app.drafting.composer.slots import vector

        yield from ((end, each.parts) for end, each in vector(reading, at, {}, "") if len(each.parts) == 3)
    else:
        if reading.word(at) == "twice":
            yield from [(at + 1, 2)] if kind == "rounds" else []
            return
        for end, given in quantity(reading, at, {}, ""):
            value = measured(given, kind)
            if value is not None:
                yield end, value


def measured(given: Quantity, kind: str) -> Any:
    """The number as an amount of this kind takes it; None where its unit measures something else."""
    unit = given.unit.measures if given.unit else ""
    match kind:
        case "length" if unit in {"", "length"}:
            return float(given.value)
        case "angle" if unit in {"", "angle"}:
            return Degrees(given.value)
        case "count" if unit in {"", "times"} and given.number == int(given.number) >= 1:
            return int(given.number)
        case "cuts" if not unit and given.number == int(given.number) >= 1:  # "twice" is how often, not how many
            return int(given.number)
        case "rounds" if unit == "times" and given.number == int(given.number) >= 1:
            return int(given.number)
        case "share" if unit in {"", "share"}:
            return float(given.value)
        case _:
            return None


@slot("told")
def told_of_part(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[tuple[str, Any]]]]:
    """What is said of a part behind its object: "the faces of Hull pointing down"."""
    start = skip(reading, at, {"the", "one", "ones", "those"})
    for element in ("edges", "faces"):
        for end, part in narrowed(reading, start, start, element, [], plural=True):
            areas = [what for what, _ in part.tests if what == "area"]
            if end > start and (element == "edges" or areas):
                yield end, list(part.tests)


@step(
    "{op:operation} {part:part of op} ~( (of|on|in|from|for|at) {target:object} ['s] [mesh] ; {a:amounts of op} ; {b:amounts of op} ; {c:amounts of op} ; {told:told} )",
    "{op:operation} {part:part of op} (of|on) {target:object} ['s] {outer:part} ~( {a:amounts of op} ; {b:amounts of op} ; {c:amounts of op} )",
    "{op:operation} {a:amounts of op} (on|to|for|of) {part:part of op} ~( (of|on|in|from|for) {target:object} ['s] [{outer:part}] ; {b:amounts of op} ; {told:told} )",
    "{op:operation} ~( {a:amounts of op} ; {b:amounts of op} ; (of|on|in|from|for) {target:object} )",
    "{op:operation} [of|on|for] [mesh of|mesh] {target:object} ['s] [mesh|geometry] ~( {a:amounts of op} ; {b:amounts of op} )",
    "[make|create|add] {op:operation} (of|from|for|on) {target:object}",
    "(on|for|to) {target:object} [,] {op:operation} {part:part of op} ~( {a:amounts of op} ; {b:amounts of op} ; {c:amounts of op} )",
    "(on|for) {target:object} [,] {op:operation} ~( {a:amounts of op} ; {b:amounts of op} )",
)
def edit(
    build: Build,
    op: str,
    part: MeshPart | None,
    target: Target | None,
    a: dict[str, Any] | None,
    b: dict[str, Any] | None,
    c: dict[str, Any] | None,
    told: list[tuple[str, Any]] | None,
    outer: MeshPart | None = None,
) -> None:
    """One operation on a part of a mesh, or on all of it; of the elements of `outer`, where that is said."""
    if part is not None and outer is not None:
        if outer.same or not outer.tests or part.element == "faces" or ONE[outer.element] == "vert":
            raise refuse(outer.said, "which part?")
        part = replace(part, tests=(*part.tests, *outer.tests))
    if op == "hull" and re.search(r"\b(collision|compound|rigid)\b", build.request, re.IGNORECASE):
        raise refuse(op, "the mesh itself, or the shape that collides?")
    key = build.topic.var if isinstance(build.topic, Topic) and build.topic.title == "shape key" else ""
    if key and (op != "move" or part is None or (target is not None and target.how != "it")):
        raise refuse(op, "in the shape key, or in the mesh itself?")
    target = None if key else target
    work, said = OPERATIONS[op], [each for each in (a, b, c) if each]
    if sum(map(len, said)) != len({name for each in said for name in each}):
        raise refuse(op, "an amount was said twice")
    values = {name: amount.default for name, amount in work.amounts.items()} | {
        k: v for each in said for k, v in each.items()
    }
    lacking = next((name for name, value in values.items() if value is None), None)
    if lacking is not None:
        raise refuse(op, f"{lacking}?")
    if op == "subdivide" and target is None and getattr(build.topic, "title", "") == "Multiresolution modifier":
        raise refuse(op, "the mesh, or in the levels of the modifier?")
    if op == "delete" and part is not None and any(what == "half" for what, _ in part.tests):
        raise refuse(part.said, "a half is cut off, not only its faces")
    if told and part is not None:
        part = replace(part, tests=(*part.tests, *told))
    if op == "holes" and part is not None and re.search(r"\b(loop|curve|spline|path)", part.said):
        raise refuse(part.said, "close a curve, or fill a hole?")
    again = part.same if part else not work.whole and (target is None or target.how in {"it", "them"})
    if part is None and not work.whole and not again:
        raise refuse(target.said if target else op, f"{op} which part?")
    if again and target is not None and part is None:
        target = None
    if target is not None and target.how in {"kind", "known", "named", "word"}:
        found = build.objects(target)
        if isinstance(found, Known) and found.type not in {"", "MESH"}:
            raise refuse(target.said, "only a mesh is edited so")
    with build.each(target, type_="MESH") as known, build.editing(known) as last:
        # "close the hole" behind a cut: that of the cut
        again = again or (op == "holes" and part is None and last is not None and last[0] == "edges")
        if again:
            if last is None:
                raise refuse(part.said if part else op, "which part?")
            element, var = last
        else:
            element = part.element if part else work.takes
            bare = op == "bridge" and not (part and part.tests)  # the loops are those of the openings
            if (op == "holes" and part is None) or bare:
                part = MeshPart("edges", (("edges", "len(edge.link_faces) < 2"),), "open edges")
            if work.layer:
                layers, name = "bm.edges.layers.float", quoted(work.layer)
                build.line(f"layer = {layers}.get({name}) or {layers}.new({name})")
            rounds = values.get("rounds") not in {None, 1}
            codes = ("{inset}", "{extrude}", "{subdivide}")
            used = not rounds and ("{part}" in work.code or "{verts}" in work.code or work.code in codes)
            if not used and part is not None and part.tests:
                raise refuse(part.said, f"{op} works on the whole mesh")
            var = build.var(element) if used else ""
            if used:
                build.line(f"{var} = {listed(build, part or MeshPart(element), known)}")
        result = write_operation(
            build, op, element, var, values, whole=not again and not (part and part.tests), key=key
        )
        build.keep_edited(known, (element, result) if work.keeps else None)
        build.used.add(op)
    if op not in SETTING and not key:
        build.once()
    build.note(f"{op}: {part.said if part else 'all of it'}")


SETTING: Final = frozenset(
    {
        "select",
        "seam",
        "sharp",
        "as seam",
        "as sharp",
        "no seam",
        "no sharp",
        "crease",
        "weight",
        "recalculate",
        "triangulate",
    }
)
"""Operations that change nothing when they are done again."""
SWAPS: Final = {("edges", "verts"): "edge.verts", ("faces", "verts"): "face.verts", ("faces", "edges"): "face.edges"}


def converted(build: Build, element: str, var: str, wanted: str) -> str:
    """The variable of a part, as edges or vertices of the faces or edges that it has."""
    if element == wanted:
        return var
    inner = SWAPS.get((element, wanted))
    if inner is None:
        raise refuse(element, f"{wanted} were expected")
    new, one = build.var(wanted), {"verts": "vert", "edges": "edge"}[wanted]
    build.line(f"{new} = list({{{one} for {ONE[element]} in {var} for {one} in {inner}}})")
    return new


def write_operation(
    build: Build, op: str, element: str, var: str, values: dict[str, Any], *, whole: bool, key: str = ""
) -> str:
    """The lines of an operation on the part in a variable; answers the variable of what it is about from now on."""
    work = OPERATIONS[op]
    build.imports("bmesh")
    if op == "bevel":
        values["affect"] = "VERTICES" if element == "verts" else "EDGES"
        var = converted(build, element, var, "edges") if element == "faces" else var
    elif op == "select":
        values["mode"] = ONE[element].upper()
    elif op == "dissolve":
        values["part_kind"] = element
    elif op == "delete":
        values["context"] = {"faces": "FACES_ONLY" if values["edges"] else "FACES", "edges": "EDGES", "verts": "VERTS"}[
            element
        ]
    elif var and element != work.takes and op not in {"move", "scale", "rotate", "extrude"}:
        var = converted(build, element, var, work.takes)
    verts = converted(build, element, var, "verts") if "{verts}" in work.code else var
    match op:
        case "extrude":
            return write_extrude(build, element, var, values, whole=whole)
        case "inset":
            if values["single"] or (whole and not values["region"]):
                values["inset"] = (
                    f"bmesh.ops.inset_individual(bm, faces={var}, thickness={literal(values['thickness'])}, depth={literal(values['depth'])})"
                )
            else:
                values["inset"] = (
                    f"bmesh.ops.inset_region(\n    bm, faces={var}, thickness={literal(values['thickness'])}, depth={literal(values['depth'])}, use_even_offset=True\n)"
                )
        case "subdivide":
            if not DIVIDED.search(build.request) and STRIPS.search(build.request):
                raise refuse("cut", "a strip, or a mesh?")
            extra = "".join(f", {name}={literal(values[name])}" for name in ("smooth", "fractal") if values[name])
            call = f"bmesh.ops.subdivide_edges(bm, edges={{each}}, cuts={values['cuts']}, use_grid_fill=True{extra})"
            values["subdivide"] = call.format(each=var)
            if values["rounds"] > 1:
                if values["rounds"] > 8 or values["cuts"] > 1:
                    raise refuse(str(values["rounds"]), "so often?")
                values["subdivide"] = f"for _ in range({values['rounds']}):\n    {call.format(each='list(bm.edges)')}"
        case "holes":
            values["fill"] = "grid_fill" if values["grid"] else "edgeloop_fill" if values["face"] else "holes_fill"
        case "recalculate":
            values["inside"] = f"\nbmesh.ops.reverse_faces(bm, faces={var})" if values["inside"] else ""
        case "mirror":
            values["x"] = ", ".join("-1.0" if letter == values["axis"][-1] else "1.0" for letter in "XYZ")
        case "move":
            values["vector"] = literal(offset(values, op))
        case "scale":
            vector = values["vector"] or (values["factor"],) * 3
            if "" in vector:
                raise refuse(op, "by how much?")
            values["vector"] = literal(tuple(1.0 if each is None else float(each) for each in vector))
        case _:
            pass
    build.imports("typing: Any", "mathutils: Vector", "mathutils: Matrix", "random: Random")
    shown = {name: value if isinstance(value, str) else build.literal(value) for name, value in values.items()}
    build.line((IN_A_KEY if key else work.code).format(part=var, verts=verts, key=key, **shown))
    return var


IN_A_KEY: Final = (
    "shape = bm.verts.layers.shape[{key}.name]\nfor vert in {verts}:\n    vert[shape] = vert.co + Vector({vector})"
)
"""How vertices are moved in a shape key: from where they are in the mesh, which stays as it is."""


def offset(values: Mapping[str, Any], said: str) -> tuple[float, float, float]:
    """A way and a length, or a vector."""
    if values.get("vector"):
        x, y, z = (float(each or 0.0) for each in values["vector"])
        return x, y, z
    if not values["way"] or values["length"] in {"", None}:
        raise refuse(said, "how far, and which way?")
    sign = -1.0 if values["way"].startswith("-") else 1.0
    x, y, z = (sign * float(values["length"]) if letter == values["way"][-1] else 0.0 for letter in "XYZ")
    return x, y, z


def write_extrude(build: Build, element: str, var: str, values: Mapping[str, Any], *, whole: bool) -> str:
    """Extrude faces along their normal or a way, edges along a way; answers the variable of the new ones."""
    build.imports("mathutils: Vector")
    length = literal((-1.0 if values["inward"] else 1.0) * values["length"])
    vector = f"Vector({literal(offset(values, 'extrude'))})" if values["way"] else ""
    new = build.var("extruded")
    if element == "edges" and vector:
        build.line(f'{new} = bmesh.ops.extrude_edge_only(bm, edges={var})["geom"]')
        build.line(f"moved = [each for each in {new} if isinstance(each, bmesh.types.BMVert)]")
        build.line(f"bmesh.ops.translate(bm, vec={vector}, verts=moved)")
        return new
    if element != "faces":
        raise refuse(element, "which way?")
    if values["single"] or (whole and not values["normal"] and not vector):
        build.line(f'{new} = bmesh.ops.extrude_discrete_faces(bm, faces={var})["faces"]')
        with build.block(f"for face in {new}:"):
            build.line(f"bmesh.ops.translate(bm, vec={vector or f'face.normal * {length}'}, verts=list(face.verts))")
        return new
    if not vector:
        build.line(f"normal = sum((face.normal for face in {var}), Vector()).normalized()")
    build.need("extrude_faces")
    build.line(f"{new} = extrude_faces(bm, {var}, {vector or f'normal * {length}'})")
    return new


# --- cuts ---------------------------------------------------------------------------------------------------

SPANS: Final = {
    "from top to bottom": "Z", "from bottom to top": "Z", "vertically": "Z", "from front to back": "Y", "from back to front": "Y",
    "from left to right": "X", "from side to side": "X", "from right to left": "X", "from above": "Z", "from the front": "Y",
    "horizontally": "", "lengthwise": "",
}  # fmt: skip
VOCABULARY.update(word for phrase in SPANS for word in phrase.split())


@slot("cut_plane")
def cut_plane(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[str, float | None]]]:
    """ "z = 0", "x 0.5", "the YZ plane", "its middle along X": the axis it is across, and where; None is the middle."""
    place = skip(reading, at, ARTICLES | {"world", "global", "height"})
    word = reading.word(place)
    if "".join(sorted(word)) in {"xy", "yz", "xz"} and reading.word(place + 1) == "plane":
        yield place + 2, ("XYZ".replace(word[0].upper(), "").replace(word[1].upper(), ""), 0.0)
    for end, letter in axis(reading, place, {}, ""):
        middle = skip(reading, end, {"to", "at", "is", "of", "height"})
        middle += reading.mark(middle) in {"=", ":"}
        for last, given in quantity(reading, middle, {}, "length"):
            if reading.word(last) == "plane":
                yield last + 1, (letter[-1], float(given.value))
            yield last, (letter[-1], float(given.value))
        if reading.word(end) == "plane":
            yield end + 1, (letter[-1], 0.0)
        if reading.word(at) in {"x", "y", "z"} or reading.word(end - 1) == "axis":
            yield end, (letter[-1], None)
    if word in {"middle", "center"}:
        yield place + 1, ("", None)


@step(
    "(bisect|cut|slice|split|halve|chop|saw|knife cut|knife|cut through) {target:object} ~( (in half|in two|into two halves|apart) ;"
    " [at|along|through|on|with|across|by] {plane:cut_plane} ; {span:span} ;"
    " [and] (keep|keeping|leave|leaving) [only] {keep:side} [half|part|side] ; [and] (keep|keeping|leave|leaving) [only] [the] {sign=positive|negative} (half|part|side) ;"
    " [and] (remove|removing|delete|deleting|discard|discarding|drop|throw away|clear|clearing) {drop:side} [half|part|side] ;"
    " [and] {fill=fill the cut|filling the cut|close the cut|cap the cut|fill it|with fill|fill|cap it|closing the cut|fill the hole|close the hole} [with (an|one|a|a single) (n gon|ngon|face|n-gon)] )",
    "(cut away|cut off|slice off|chop off|trim|remove|delete) everything {off=above|below} {plane:cut_plane} (on|of|from) {target:object}",
    "(cut away|cut off|slice off|chop off|remove|delete) [its] {half:part} [(of|from) {target:object}] [and] [{fill=fill the cut|close the cut|cap the cut|filling the cut|closing the cut}]",
)
def bisect(
    build: Build,
    target: Target | None,
    plane: tuple[str, float | None] | None,
    span: str | None,
    keep: str | None,
    drop: str | None,
    fill: str | None,
    half: MeshPart | None,
    off: str | None = None,
    sign: str | None = None,
) -> None:
    """Cut a mesh along a plane, and remove what is on one side of it."""
    side = drop
    if sign is not None:
        if plane is None or keep or drop:
            raise refuse(sign, "which side is kept?")
        keep = plane[0] if sign == "positive" else f"-{plane[0]}"
    if off is not None and plane is not None:
        side = plane[0] if off == "above" else f"-{plane[0]}"
    if half is not None:
        if [what for what, _ in half.tests] != ["half"]:
            raise refuse(half.said, "which side of which plane?")
        side = str(half.tests[0][1])
    elif keep is not None:
        if drop is not None:
            raise refuse(keep, "what is kept and what is removed?")
        side = keep.removeprefix("-") if keep.startswith("-") else f"-{keep}"
    letter, value = plane or (span or (side or "")[-1:], None)
    letter = letter or span or (side or "")[-1:]
    if not letter or (side and side[-1] != letter):
        raise refuse(target.said if target else "cut", "along which plane?")
    build.once()
    build.imports("bmesh", "mathutils: Vector")
    build.need("cut_mesh", "world_corners")
    with build.each(target, type_="MESH") as known, build.editing(known):
        if value is None:
            build.line(f"middle = sum(world_corners({known.var}), Vector()) / 8")
        place = (
            f"Vector({literal(tuple(value if each == letter else 0.0 for each in 'XYZ'))})"
            if value is not None
            else "middle"
        )
        towards = -1.0 if (side or "").startswith("-") else 1.0
        normal = f"Vector({literal(tuple(towards if each == letter else 0.0 for each in 'XYZ'))})"
        var = build.var("cut")
        build.line(f"{var} = cut_mesh(bm, {known.var}, {place}, {normal}, clear={side is not None})")
        if fill:
            build.line(f"bmesh.ops.edgeloop_fill(bm, edges={var})")
        build.keep_edited(known, ("edges", var))
    build.note(f"cut across {letter}" + (f", without what is towards {side}" if side else ""))


@slot("side")
def side_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """A side by its word or axis: "upper", "+X", "positive X", "z > 0"."""
    place = skip(reading, at, ARTICLES)
    if reading.word(place) in SIDES:
        yield place + 1, SIDES[reading.word(place)]
    for end, letter in axis(reading, place + (reading.word(place) in {"positive", "negative"}), {}, ""):
        yield end, f"-{letter}" if reading.word(place) == "negative" else letter


@slot("span")
def span_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """The axis something runs along: "from top to bottom", "along Y"."""
    for phrase, letter in SPANS.items():
        words = [word for word in phrase.split() if word not in ARTICLES]
        if letter and [reading.word(at + k) for k in range(len(words))] == words:
            yield at + len(words), letter
    if reading.word(at) in {"along", "in", "on"}:
        yield from ((end, letter[-1]) for end, letter in axis(reading, at + 1, {}, ""))


HOLES: Final = [
    (compile_pattern(pattern), share)
    for pattern, share in (
        ("(of|with) {n:n} [in] radius", 1.0), ("[of|with] [a] radius [of|=] {n:n}", 1.0), ("[of|with] {n:n} [in] (diameter|wide|across)", 0.5),
        ("[of|with] [a] diameter [of|=] {n:n}", 0.5),
    )
]  # fmt: skip


@slot("hole_size")
def hole_size(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, float]]:
    """The radius of a hole: "of radius 0.2", "0.4 m in diameter"."""
    for matcher, share in HOLES:
        yield from ((end, share * float(found["n"])) for end, found in matcher(reading, at, {}))


@step(
    "(cut|drill|punch|bore|make|put|add) [a] [round|circular|cylindrical] hole {radius:hole_size} [straight|right|all the way] (through|into|in|in the middle of|through the middle of) {target:object}"
    " [{span:span}] ~( [with|using] [a] boolean [modifier] ; (applied|apply it|and apply it) )",
)
def hole(build: Build, target: Target, radius: float, span: str | None) -> None:
    """A round hole through an object: a cylinder is cut out of it."""
    if radius <= 0:
        raise refuse(target.said, "how wide is the hole?")
    build.once()
    build.need("cone_mesh", "apply_modifiers", "expect", "remove_object", "world_corners")
    build.imports("mathutils: Vector")
    known = build.one(target)
    if span is None:
        if not (known.made and known.kind in {"cylinder", "cone", "circle", "torus"}):
            raise refuse(target.said, "a hole along which axis?")
        span = "Z"  # its own axis
    turned = {"X": (0.0, Degrees(90.0), 0.0), "Y": (Degrees(90.0), 0.0, 0.0), "Z": (0.0, 0.0, 0.0)}[span]
    build.comment("cut the hole with a cylinder that is longer than the object")
    build.line(
        f"corners = world_corners({known.var})\nlength = 4 * max((corner - corners[0]).length for corner in corners)"
    )
    build.line(
        f'cutter = bpy.data.objects.new("Hole", cone_mesh("Hole", {literal(radius)}, {literal(radius)}, length, 64, True))'
    )
    build.line(f"{build.scene()}.collection.objects.link(cutter)\ncutter.location = sum(corners, Vector()) / 8")
    build.line(f"cutter.rotation_euler = {build.literal(turned)}")
    build.line(f'hole = expect({known.var}.modifiers.new("Hole", "BOOLEAN"), bpy.types.BooleanModifier)')
    build.line('hole.operation = "DIFFERENCE"\nhole.object = cutter\nhole.solver = "EXACT"')
    build.line(f'apply_modifiers({known.var}, ("BOOLEAN",))\nremove_object(cutter)')
    build.it = known
    build.note(f"{target.said} -> a hole of radius {radius:g} along {span}")


@step(
    "[<add>] {n:int} [more|extra|new|additional] [evenly spaced] [{lie=horizontal}] (loop cuts|edge loops|loopcuts|loops) ~( (to|on|in|around|into|of) {target:object} ;"
    " (along|on|in) {axis:axis} ; [that] (divide|divides|dividing) (its|the) {size=height|width|depth|length} [(in|into) {parts:int}] [equal] [parts] ; evenly [spaced] )",
    "loop cut {target:object} [with] {n:int} (times|time|cuts|loops) ~( (along|on|in) {axis:axis} ; {lie=horizontally} )",
)
def loop_cuts(
    build: Build, n: int, target: Target | None, axis: str | None, lie: str | None, size: str | None, parts: int | None
) -> None:
    """Edge loops across an axis, evenly spaced."""
    letter = axis or {"height": "Z", "width": "X", "depth": "Y", "length": "Y"}.get(size or "") or ("Z" if lie else "")
    if not letter or (parts is not None and parts != n + 1):
        raise refuse("loop cuts", "across which axis?")
    part = MeshPart("edges", (("along", letter[-1]),), f"edges along {letter[-1]}")
    edit(build, "subdivide", part, target, {"cuts": n}, None, None, None)


@step(
    "(separate|split off|split|detach|extract) {part:part} ~( (of|on|from) {target:object} ; (into|to|as) ([its|a|their|an] [own|new|separate] (object|mesh) [{name:quoted}]|{name:quoted}) ; <called> {name:name} ; (called|call it|call that|call the new one|named) {name:name} ; {told:told} )",
    "(separate|split|detach|extract) {picked=them|those|the selection|the selected faces|those faces|these faces|it} ~( [off|out] ; (into|to|as) ([its|a|their|an] [own|new|separate] (object|mesh) [{name:quoted}]|{name:quoted}) ; <called> {name:name} ; (called|call it|call that|call the new one|named) {name:name} )",
    "separate (everything|all) (on|of|from) {target:object} that (uses|use|has) [the] material {material:name} ~( (into|to|as) [its|a|their|an] [own|new|separate] (object|mesh) ; <called> {name:name} )",
)
def separate_part(
    build: Build, part: MeshPart | None, target: Target | None, name: str | None, material: str | None,
    told: list[tuple[str, Any]] | None = None, picked: str | None = None,
) -> None:  # fmt: skip
    """Move a part of a mesh into an object of its own."""
    if picked is not None:
        if "select" not in build.used:
            raise refuse(picked, "which faces?")
        part = MeshPart("faces", (("raw", "{e}.select"),), "selected faces")
    if told and part is not None:
        part = replace(part, tests=(*part.tests, *told))
    if material is not None:
        part = MeshPart("faces", (("material", {"name": material}),), f"with the material {material}")
    if part is None or part.element != "faces" or not part.tests:
        raise refuse(part.said if part else "separate", "which faces?")
    build.once()
    build.need("duplicate")
    build.imports("bmesh")
    source = build.one(target)
    var = build.var(name or "part")
    build.line(f"{var} = duplicate({source.var}, {quoted(name) if name else source.var + '.name'}, linked=False)")
    copy = Known(var, name or "", "MESH", "part", made=True)
    for known, rest in ((source, False), (copy, True)):
        with build.editing(known):
            faces = build.var("faces")
            build.line(f"{faces} = {listed(build, part, known)}")
            if rest:
                build.line(f"others = set(bm.faces) - set({faces})")
            build.line(f'bmesh.ops.delete(bm, geom={"list(others)" if rest else faces}, context="FACES")')
    build.add_known(copy)
    build.note(f"{part.said} -> an object of its own")


@step(
    "(make|create|add) [a] [new] [second|another] [vertex] group [<called>] {name:name} ~( (on|for|to|of|in) {target:object} ; (with|containing|contains|of|for|from|that contains|which contains|that holds|that has) {part:part} ; (with|at) [a] [full] weight [of|=] {weight:n} ; {told:told} )",
    "(on|for|in) {target:object} [,] <add> [a] [new] [vertex] group [<called>] {name:name} ~( (with|containing|contains|of|for|from|that contains|which contains|that holds|that has) {part:part} ; (with|at) [a] [full] weight [of|=] {weight:n} )",
    "[a] [second|third|another] [vertex] group [<called>] {name:name} ~( (on|for|to|of|in) {target:object} ; [with|containing|contains|of|for|from|that contains|which contains|:|=] {part:part} ; [with|at] [a] weight [of|=] {weight:n} ; {told:told} )",
    "(assign|add|put) {part:part} ~( (of|on|from) {target:object} ; (to|into|in) [a|the] [new] [vertex] group [<called>] {name:name} ; [with|at] [a] weight [of|=] {weight:n} ; {told:told} )",
    "(give|let) {target:object} [have] [a] [new] [vertex] group [<called>] {name:name} ~( (with|containing|of|for|from|that contains|which contains|that holds) {part:part} ; (with|at) [a] weight [of|=] {weight:n} )",
)
def vertex_group(
    build: Build, name: str, target: Target | None, part: MeshPart | None, weight: float | None,
    told: list[tuple[str, Any]] | None = None,
) -> None:  # fmt: skip
    """A vertex group with some of the vertices, or with all."""
    if told:
        part = replace(part or MeshPart("verts"), tests=(*(part.tests if part else ()), *told))
    if part is None and target is None and weight is None and "modifier" in getattr(build.topic, "title", ""):
        raise refuse(name, "the group of the modifier, or a new one?")
    if part is not None and part.same:
        raise refuse(part.said, "which vertices?")
    known = build.one(target)
    build.need("mesh_of")
    build.comment(f"fill the vertex group {name}")
    var, text = build.var("group"), quoted(name)
    build.line(f"{var} = {known.var}.vertex_groups.get({text}) or {known.var}.vertex_groups.new(name={text})")
    mesh = build.var("mesh")
    build.line(f"{mesh} = mesh_of({known.var})")
    chosen = listed(build, replace(part or MeshPart("verts"), element="verts"), known, mesh)
    build.line(f"members = {chosen}")
    build.line(
        f'{var}.add([vert.index for vert in members], {literal(float(weight if weight is not None else 1.0))}, "REPLACE")'
    )
    build.memory["_group"] = name
    build.note(f'vertex group "{name}"')
