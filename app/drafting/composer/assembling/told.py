"""What a request says of the parts of a thing: nouns, sizes, places and looks, as they stand there.

"four black legs of 6 x 6 cm below its corners"
      ──>  Told("leg", 4, remarks: look (black), dims (6 cm, 6 cm), corners (below, "its"))
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from app.drafting.composer.patterns import ARTICLES, Env, Matcher, Reading, compile_pattern, slot
from app.drafting.composer.slots import FUNCTION_WORDS, NO_NAMES, NO_THINGS, STORED, color, name, quantity, vector
from app.drafting.composer.steps.objects import look
from app.drafting.composer.tokens import singular
from app.drafting.composer.values import Color, linear, shaded

Look = tuple[Color | None, tuple[Mapping[str, float], ...], str]


@dataclass(frozen=True)
class Ref:
    """A part, or the whole, that something is said of or placed by: its noun, or a pronoun.

    `every` says that each of several is meant, `number` how many there are.
    """

    noun: str
    every: bool
    number: int | None
    said: str
    plural: bool = False


@dataclass(frozen=True)
class Remark:
    """One thing said of a part: what, and the values of its slots."""

    what: str
    values: Mapping[str, Any]
    said: str


@dataclass(frozen=True)
class Told:
    """A part as it was told. `count` is None where no number was said; `form` is a word for its shape, or nothing."""

    noun: str
    count: int | None
    plural: bool
    remarks: tuple[Remark, ...]
    said: str


BOXES: Final = frozenset({"box", "cube", "cuboid", "block"})
ROUNDS: Final = frozenset({"cylinder", "disc", "disk"})
FORMS: Final[Mapping[str, str]] = {
    **dict.fromkeys(BOXES, "box"), **dict.fromkeys(ROUNDS, "cylinder"), "sphere": "sphere", "ball": "sphere", "globe": "sphere",
    "orb": "sphere", "cone": "cone", "torus": "torus", "donut": "torus", "plane": "plane",
    "prism": "prism", "pyramid": "pyramid",
}  # fmt: skip
"""Nouns for shapes."""
LIKE: Final[Mapping[str, str]] = {
    **FORMS, **dict.fromkeys(("plank", "board", "slab", "plate", "sheet", "beam", "panel", "brick", "tile", "cushion"), "box"),
    **dict.fromkeys(("rod", "pole", "pipe", "dowel", "tube"), "cylinder"),
}  # fmt: skip
"""Nouns that tell the shape of a part that has another one: "the seat is a plank"."""
SHAPED: Final[Mapping[str, str]] = {
    "round": "cylinder", "circular": "cylinder", "cylindrical": "cylinder", "spherical": "sphere", "conical": "cone", "rectangular": "box",
    "boxy": "box", "cubic": "box", "pointed": "cone", "gable": "prism", "gabled": "prism", "pitched": "prism", "saddle": "prism", "hip": "pyramid", "hipped": "pyramid",
    "pyramidal": "pyramid",
}  # fmt: skip
"""Words before a noun for its shape."""
VAGUE: Final = frozenset({
    "small", "big", "large", "long", "tall", "short", "wide", "narrow", "low", "slim", "thin", "thick", "flat", "simple", "single",
    "equal", "equally", "straight", "solid", "plain", "matching", "separate", "little", "tiny", "slender",
    "sturdy", "massive", "heavy", "basic", "new", "square", "more", "further", "additional", "other",
})  # fmt: skip
"""Words before a noun that say nothing which the numbers do not."""
STOPS: Final = FUNCTION_WORDS | ARTICLES | frozenset({
    "below", "under", "beneath", "underneath", "above", "over", "between", "beside", "behind", "next", "around", "along", "near", "through",
    "atop", "onto", "upon", "inside", "outside", "against", "off", "but", "which", "whose", "where", "are", "be", "was", "has", "have", "having", "had",
    "stand", "stands", "standing", "sit", "sits", "sitting", "lie", "lies", "lying", "rest", "rests", "resting", "go", "goes", "come", "comes",
    "hang", "hangs", "hanging", "run", "runs", "running", "form", "forms", "make", "makes", "carry", "carries", "hold", "holds", "support", "supports",
    "measure", "measures", "measuring", "placed", "centered", "center", "set", "called", "named", "each", "both", "every", "all", "its", "their",
    "they", "one", "two", "three", "four", "axis", "x", "y", "z", "wide", "tall", "high", "deep", "long", "thick", "radius", "diameter", "m", "cm", "mm", "made",
    "should", "must", "flush", "evenly", "equally", "spaced", "arranged", "stacked", "left", "right", "front", "back", "rear", "using", "consisting", "composed",
    "plus", "so", "just", "directly", "also", "too", "again", "apart", "tilted", "turned", "rotated", "colored", "painted", "mounted", "attached", "fixed",
    "sticking", "pointing", "pointed", "facing", "leaning", "starting", "reaching", "covering", "gets", "get", "such", "there", "half", "same", "will",
    "add", "put", "place", "give", "use", "delete", "remove", "parent", "join", "move", "bevel", "apply", "render", "instead", "without", "only", "if",
    "exactly", "roughly", "about", "touching", "touch", "touches", "reach", "cover", "covers", "rise", "rises", "rising", "overhanging", "overhangs", "projects", "stick", "sticks", "smooth", "out", "up", "down", "sized", "per", "here", "when", "meters", "meter", "percent", "degrees",
})  # fmt: skip
"""Words that end a noun."""
FIRST: Final = frozenset({"left", "right", "front", "back", "rear", "center"})
"""Words that a noun may begin with all the same: "the front wall", "a back"."""
NOT_BUILT: Final = frozenset({
    "hollow", "curved", "rounded", "bent", "tapered", "tapering", "twisted", "tilted", "slanted", "sloped", "sloping", "inclined", "truncated", "octagonal", "hexagonal",
    "pentagonal", "triangular", "striped", "arched", "arch", "oval", "elliptical", "crossed", "folded", "open", "stepped", "wedge", "shaped", "spiral", "wavy", "cut", "dome",
    "domed", "crosswise", "lengthwise", "crossways", "perpendicular", "transverse", "half", "semicircular", "diagonal", "angled", "pipe bend", "sided", "beveled", "chamfered", "perforated", "empty", "quarter",
})  # fmt: skip
"""Words for shapes that no part has here: a hollow box is no box."""
FINISHED: Final = frozenset({
    "glossy", "shiny", "matte", "matt", "metallic", "polished", "brushed", "satin", "transparent", "rough", "chromed", "lacquered", "dull", "translucent",
})  # fmt: skip
"""Words for how a part looks, behind its noun: "the lamps glossy green"."""
VERBS_TOO: Final = frozenset(
    {"stand", "stands", "support", "supports", "rest", "rests", "run", "runs", "form", "forms", "hold"}
)
"""Verbs that are nouns too: "two supports"."""
NO_PARTS: Final = (
    (STORED | NO_THINGS | NO_NAMES | {
        "camera", "light", "sun", "spotlight", "spot", "area", "empty", "armature", "bone", "keyframe", "curve", "text", "lattice", "metaball", "speaker", "operator", "panel class",
        "menu", "add-on", "addon", "color", "vertex", "edge", "face", "uv", "scene", "modifier", "weight", "probe", "field", "script", "function", "grid",
        "animation", "version", "copy", "duplicate", "instance", "array", "view", "resolution", "sample", "shadow", "seam", "origin", "cursor", "selection",
        "thing", "part", "piece", "corner", "middle", "number", "name", "gap", "row", "ring", "line", "circle", "height", "width", "size", "distance", "hdri",
    }) - {"stack", "set", "key", "path", "string", "track", "rest", "post", "frame", "picture", "layer", "strip", "marker", "screen", "stuff", "group"}
)  # fmt: skip
"""Nouns of what is no part of a thing."""
COMPOUNDS: Final = frozenset(
    {
        "light",
        "field",
        "track",
        "text",
        "path",
        "sun",
        "spot",
        "grid",
        "image",
        "camera",
        "key",
        "set",
        "panel",
        "side",
        "end",
        "piece",
        "part",
    }
)
"""Words that may end the noun of a part all the same: "traffic light", "side piece"."""
PRONOUNS: Final = frozenset({"it", "its", "this", "that", "them", "they", "their", "these", "those", "itself"})
WHOLE: Final = "*"
"""The noun of a reference to all parts."""
SUBSTANCES: Final[Mapping[str, tuple[str, Mapping[str, float]]]] = {
    **dict.fromkeys(("wood", "wooden", "timber", "oak"), ("#8b5a2b", {"Roughness": 0.6})), "pine": ("#c89b63", {"Roughness": 0.6}),
    "walnut": ("#5c4033", {"Roughness": 0.5}), "mahogany": ("#4a1f14", {"Roughness": 0.4}), "birch": ("#d9c19a", {"Roughness": 0.6}),
    **dict.fromkeys(("stone", "rock", "granite"), ("#7a7a78", {"Roughness": 0.9})), **dict.fromkeys(("concrete", "cement"), ("#95948f", {"Roughness": 0.9})),
    **dict.fromkeys(("steel", "metal", "metallic"), ("#a9acb6", {"Metallic": 1.0, "Roughness": 0.3})), "stainless": ("#c0c4c8", {"Metallic": 1.0, "Roughness": 0.2}),
    "iron": ("#4a4c4f", {"Metallic": 1.0, "Roughness": 0.5}), "chrome": ("#d9dbdf", {"Metallic": 1.0, "Roughness": 0.05}),
    **dict.fromkeys(("aluminium", "aluminum"), ("#d6d8db", {"Metallic": 1.0, "Roughness": 0.3})),
    "brass": ("#c9a227", {"Metallic": 1.0, "Roughness": 0.3}), "copper": ("#d98c60", {"Metallic": 1.0, "Roughness": 0.3}),
    "bronze": ("#cd7f32", {"Metallic": 1.0, "Roughness": 0.35}), "brick": ("#8b3a2b", {"Roughness": 0.9}), "rubber": ("#1a1a1a", {"Roughness": 0.8}),
    "marble": ("#e8e6e1", {"Roughness": 0.2}), "sandstone": ("#c2a878", {"Roughness": 0.9}), "terracotta": ("#e2725b", {"Roughness": 0.9}), "clay": ("#b66a50", {"Roughness": 0.9}),
    "plastic": ("#d0d0d0", {"Roughness": 0.4}), "glass": ("#ffffff", {"Transmission Weight": 1.0, "Roughness": 0.0, "IOR": 1.45}), "cork": ("#c19a6b", {"Roughness": 0.9}),
    "asphalt": ("#303030", {"Roughness": 0.95}), "leather": ("#5a3a22", {"Roughness": 0.6}), "paper": ("#f5f2e8", {"Roughness": 0.9}), "cardboard": ("#b08d57", {"Roughness": 0.9}),
}  # fmt: skip
"""What parts are made of: a color as seen on screen, and inputs of the shader."""


@slot("part_look")
def part_look(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Look]]:
    """ "dark brown", "matte black metal", "light oak", "walnut": a color, finishes, and what it is made of."""
    while reading.word(at) in ARTICLES | {"some"}:
        at += 1
    seen = next(
        (each for each in look(reading, at, {}, "") if reading.said(at, each[0]) not in {"smooth", "flat"}), None
    )
    if seen is not None:
        end, (hue, finishes, _) = seen
        while finishes and reading.word(end - 1) in {"smooth", "flat"}:
            end -= 1
        made_of = SUBSTANCES.get(reading.word(end))
        if made_of is not None and hue is not None and not reading.mark(end - 1):
            more = {**made_of[1], **{key: value for each in finishes for key, value in each.items()}}
            yield end + 1, (hue, (more,), reading.said(at, end + 1))
            return
        made_of = SUBSTANCES.get(reading.word(end - 1)) if hue is None or end == at + 1 else None
        if made_of is not None:
            both = {**made_of[1], **{key: value for each in finishes for key, value in each.items()}}
            yield end, (hue or Color(linear(made_of[0]), reading.word(end - 1).title()), (both,), reading.said(at, end))
            return
        yield end, (hue, finishes, reading.said(at, end))
        return
    place, tones = at, list[tuple[str, float]]()
    while (shade := reading.lexicon.shades.first(reading.tokens, place)) is not None:
        place, tone = shade
        tones.append(tone)
    made_of = SUBSTANCES.get(reading.word(place))
    if made_of is None:
        return
    end = place + 1
    tint = made_of[0]
    for towards, share in tones:
        tint = shaded(tint, towards, share)
    if reading.word(end) in SUBSTANCES:  # "oak wood", "stainless steel"
        end += 1
    yield end, (Color(linear(tint), reading.said(at, end).title()), (made_of[1],), reading.said(at, end))


IRREGULAR: Final = {
    "shelves": "shelf",
    "leaves": "leaf",
    "halves": "half",
    "feet": "foot",
    "knives": "knife",
    "loaves": "loaf",
    "boxes": "box",
    "benches": "bench",
}


def single(word: str) -> str:
    """A word in singular."""
    return IRREGULAR.get(word, singular(word))


def noun_at(reading: Reading, at: int) -> tuple[int, str] | None:
    """The words of a noun, in singular: "table top", "front leg"; up to three of them."""
    end = at
    while end - at < 3 and end < len(reading.tokens):
        token = reading.tokens[end]
        opening = (
            end == at and token.word in FIRST and (following(reading, end + 1) or reading.word(at - 1) in ARTICLES)
        )
        opening = opening or (end == at and token.word in VERBS_TOO)
        opening = opening or (token.word in VERBS_TOO and ends_noun(reading, end + 1))
        if token.kind != "word" or not token.text.isalpha() or (token.word in STOPS and not opening):
            break
        if end > at and (token.text[:1].isupper() or token.word in FINISHED or next(color(reading, end, {}, ""), None)):
            break
        end += 1
    last = single(reading.tokens[end - 1].text.lower()) if end > at else ""
    if (
        not last
        or (last in NO_PARTS and not (end - at > 1 and last in COMPOUNDS))
        or (end - at == 1 and last in {"center", "half"})
    ):
        return None
    before = [reading.tokens[place].text.lower() for place in range(at, end - 1)]
    if NOT_BUILT & {*before, last}:
        return None
    return end, " ".join([*before, last])


def ends_noun(reading: Reading, at: int) -> bool:
    """Whether a word that is also a verb ends a noun here: "a TV stand 1.6 m wide"."""
    token = reading.tokens[at] if at < len(reading.tokens) else None
    return (
        token is None
        or token.kind in {"number", "quoted"}
        or token.text in {",", ":", ";", "(", "."}
        or token.word in {"of", "with", "called"}
    )


def following(reading: Reading, at: int) -> bool:
    """Whether a word that may be the noun stands here."""
    return reading.word(at).isalpha() and reading.word(at) not in STOPS


def is_plural(reading: Reading, end: int) -> bool:
    """Whether the noun that ends here is said in plural."""
    word = reading.tokens[end - 1].text.lower()
    return single(word) != word


@slot("part_noun")
def part_noun(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """What a part is."""
    found = noun_at(reading, at)
    if found is not None:
        yield found


EACH_OF: Final = frozenset({"each", "every"})


@slot("part_ref")
def part_ref(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Ref]]:
    """ "the seat", "its", "each of the four legs", "both posts", "all parts"."""
    start = at
    every = reading.word(at) in EACH_OF
    at += reading.word(at) in {"each", "every", "all", "both"}
    at += reading.word(at) == "of"
    if at > start and reading.word(at - 1) == "of" and reading.word(at) in {"it", "them", "this", "these"}:
        yield at + 1, Ref(WHOLE, every, None, reading.said(start, at + 1))
        return
    if (
        start < at == start + 1
        and reading.word(start) == "both"
        and not following(reading, at)
        and reading.word(at) not in PRONOUNS | ARTICLES
    ):
        yield at, Ref("it", every=False, number=2, said="both")
        return
    if reading.word(at) in PRONOUNS:
        yield at + 1, Ref("it", every, None, reading.said(start, at + 1))
        if reading.word(at) not in {"its", "their", "these", "those", "this", "that"}:
            return
    if reading.word(at) in ARTICLES | PRONOUNS:
        at += 1
    number = None
    counted = next(quantity(reading, at, {}, ""), None)
    if counted is not None and counted[1].unit is None and counted[1].number == int(counted[1].number):
        at, number = counted[0], int(counted[1].number)
    while reading.word(at) in {"whole", "entire", "complete", "finished"} | VAGUE and following(reading, at + 1):
        at += 1
    if reading.word(at) in {
        "part",
        "parts",
        "pieces",
        "components",
        "everything",
        "thing",
        "elements",
        "rest",
        "others",
        "remainder",
    }:
        yield at + 1, Ref(WHOLE, every, number, reading.said(start, at + 1))
        return
    if start == at and not (reading.tokens[at : at + 1] and reading.tokens[at].text[:1].isupper()) and of != "bare":
        return
    colored = next(part_look(reading, at, {}, ""), None)
    for place in (at, *([colored[0]] if colored else [])):
        found = noun_at(reading, place)
        if found is not None and (
            found[1] not in {"side", "end", "front", "left", "right", "rear"}
            or reading.word(start - 1) in {"between", "and", "of"}
        ):
            yield found[0], Ref(found[1], every, number, reading.said(start, found[0]), is_plural(reading, found[0]))


@slot("part_refs")
def part_refs(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[Ref, ...]]]:
    """One part or several: "base and pole", "the legs, the seat and the back"."""
    if not speaks_of_parts(reading):
        return
    for end, first in part_ref(reading, at, {}, of):
        found, last = [first], end
        stops = [(end, (first,))]
        while True:
            begin = last + (reading.mark(last) == ",")
            begin += reading.word(begin) in {"and", "or"}
            more = next(part_ref(reading, begin, {}, "bare"), None) if begin > last else None
            if more is None or more[1].noun == "it":
                break
            last = more[0]
            found.append(more[1])
            stops.append((last, tuple(found)))
        yield from reversed(stops)


STAND: Final = (
    "stand|stands|standing|sit|sits|sitting|rest|rests|resting|lie|lies|lying|placed|set|put|mounted|attached|fixed|hanging|hangs|hang|fastened|sticking out|"
    "positioned|located|laid|go|come|run|rises|rising|rise|starts|starting|going|goes|running|runs|one|leaning|glued|screwed"
)
ON: Final = "on top of|on|atop|onto|upon|on to"
UNDER: Final = "below|under|beneath|underneath"
SIDES: Final = "back|front|left|right|rear|left hand|right hand"
EDGED: Final = "edge|edges|side|sides|border|borders|rim|corner|corners|end|ends"


def lengths(word: str, *phrases: str) -> tuple[str, str]:
    """The pattern of a size that is called so, before or behind its number."""
    said = "|".join(phrases)
    return word, f"[with] [a] ({said}) [of|=|:|is] {{n:n}} | {{n:n}} [in|of] ({said})"


REMARKS: Final[list[tuple[str, Matcher]]] = [
    (what, compile_pattern(pattern))
    for what, pattern in (
        ("dims", "[of|measuring|measures|measure|sized|by] [size|dimensions|a footprint|a section|a cross section|a base|section] [of] [=|:] {v:vector} [each|in size|in section|in cross section|in plan|footprint]"),
        ("square", "[of] {n:n} square [in section|in cross section]"),
        ("edge", "(with|of|having) [an|a] (edge length|side length|edge|size|edges|sides) [of] {n:n} | {n:n} (on|to|per|along|each) [a|each|every] (side|edge|way) | {n:n} [long] (edges|sides|edge length|edge)"),
        ("edge", "of {n:n}"),
        lengths("wide", "wide", "width", "broad"),
        lengths("deep", "deep", "depth"),
        lengths("long", "long", "length"),
        lengths("high", "high", "tall", "height"),
        lengths("thick", "thick", "thickness"),
        lengths("radius", "radius", "radii"),
        lengths("diameter", "diameter"),
        ("diameter", "{n:n} across"),
        lengths("major", "major radius", "outer radius", "ring radius"),
        lengths("minor", "minor radius", "inner radius", "tube radius"),
        ("lower radius", "(bottom radius|base radius|lower radius|radius at the bottom) [of|=] {n:n} | {n:n} [in] [radius] (bottom radius|base radius|lower radius|at the bottom|at the base|below)"),
        ("upper radius", "(top radius|upper radius|radius at the top) [of|=] {n:n} | {n:n} [in] [radius] (top radius|upper radius|at the top|above)"),
        ("look", "[painted|colored|finished] [in] [a] [made] [out] [of|from] {look:part_look} [material|finish|in color|color|paint|all over]"),
        ("look", "(material|color|in color|colored) [is|:|=] {look:part_look}"),
        ("names", "<called> {names:pattern}"),
        ("name", "<called> {name:name}"),
        ("name", "{name:quoted}"),
        ("in middle", f"[that|which] [{STAND}] [exactly|right|directly|precisely] (in|at) [the|its] [very] (middle|center)|[exactly] centered"),
        ("form", f"[made] [as|of] [a|an|one|simple|plain|single] {{form={'|'.join(LIKE)}}}"),
        ("role", "(as|for|forming|serving as|as a) [the|its|a|an] {role:part_noun}"),
        ("ground", f"[that|which] [{STAND}] [flat|upright|directly|straight] (on|at) [the] (ground|floor) [level] [« z = 0 »] [at z = 0]"),
        ("ground", f"[that|which] [{STAND}] (on|at|from) z (=|of|at) 0 [level|plane]"),
        ("upper", "[with] [its|the|their|whose] (upper side|top side|top face|upper face|top surface|upper surface|upper edge|top edge|top|surface|upper sides|tops) [is|are|being|lying|sitting] [at|on|is at] [a|the] [height of|z =|z] {n:n} [high|above the ground|above the floor|height|above ground|off the floor]"),
        ("upper", "(up to|reaching up to|reaches|reaching) [a height of|z =|z] {n:n}"),
        ("lower", "[with] [its|the|their|whose] (lower side|bottom side|bottom face|underside|lower face|lower edge|bottom edge|bottom|base|undersides|bottoms) [is|are|being|lying] [at|on|is at] [a|the] [height of|z =|z] {n:n} [high|above the ground|above the floor|height|above ground|off the floor]"),
        ("lower", f"[{STAND}|raised|lifted] {{n:n}} (above|over|off) [the] (ground|floor|ground level)"),
        ("middle", "[with] [its|their|the|whose] (center|middle|centers|axis) [is|are] (at|on) [a|the] [height of|z =|z] {n:n} [high|above the ground|above the floor|height|above ground]"),
        ("middle", "[centered] at z (=|of) {n:n}"),
        ("heights", "at [the] [heights] [of] {n:n} and [at] {m:n} [high|height|above the ground|above the floor]"),
        ("level at", "at {n:n} [up]"),
        ("height", "(at|in) [a|the] height [of] {n:n} [above the ground|above the floor|above ground] | at {n:n} (height|high)"),
        ("at", f"[that|which] [{STAND}|centered] (at|around|on) [position|point|location] {{v:vector}}"),
        ("on", f"[that|which] [{STAND}|centered] [directly|right|centered|flat|flush|straight|upright] [in the middle|in the center] ({ON}) [the middle of|the center of|the top of|the upper side of] {{ref:part_ref}}"),
        ("on", f"[that|which] [{STAND}] [centered|directly] (on top|on its top|on the top) [of {{ref:part_ref}}]"),
        ("on", f"[that|which] [{STAND}] across [the] (tops|top) [of {{ref:part_ref}}] | [{STAND}] across {{ref:part_ref}}"),
        ("on", f"[that|which] [{STAND}] (centered|in the middle|in the center) (of|on) [the top of] {{ref:part_ref}}"),
        ("on", f"[that|which] [{STAND}] [directly|centered] ({ON}|carried by|supported by|held up by|held by) {{base:new_part}}"),
        ("above", "[floating|hovering|hanging] {n:n} (above|over) {ref:part_ref}"),
        ("below", f"[that|which] [{STAND}] [directly|centered|{{n:n}}] ({UNDER}) [the middle of|the center of] {{ref:part_ref}}"),
        ("below", f"[that|which] [{STAND}] [directly] underneath"),
        ("corners", f"[that|which] [{STAND}] {{way={UNDER}|at|on|in|near|to}} [each of|each|all|every] [{{ref:part_ref}} 's] [the|its|their] [four|all four|4|outer|all] (corners|corner) [of {{ref:part_ref}}]"),
        ("rim", f"[that|which] [{STAND}] [upright|flush] {{way=along|at|on|to|from|{UNDER}}} [the|its] {{side={SIDES}}} (edge|end|rim) [of {{ref:part_ref}}]"),
        ("rims", f"[that|which] [{STAND}] {{way=along|at|on|to|against|{UNDER}}} [the|its|both] {{sides=front and back|back and front|front and the back|left and right|left and the right|long|short}} (edge|edges|end|ends|side|sides) [of {{ref:part_ref}}]"),
        ("footprint", "(at|on) [the] [four] corners of [a|an|the] {v:vector} [square|rectangle|footprint|area|base|grid] | (at|on) [the] [four] corners of [a|an|the] {n:n} square"),
        ("middle of", f"[that|which] [{STAND}] (in|at) [the|its] [very] (middle|center) of {{ref:part_ref}}"),
        ("side", f"[that|which] [{STAND}] [centered|flat] {{way=on|to|at|onto|from|in}} [the|its] (center of|middle of|middle|center) [the|its] {{side={SIDES}}} [side|face|wall] [of {{ref:part_ref}}]"),
        ("side", f"[that|which] [{STAND}] [centered|flat] {{way=on|to|at|onto|from}} [the|its] {{side={SIDES}|top}} (side|face|wall) [of {{ref:part_ref}}]"),
        ("side", f"[that|which] [{STAND}] [centered|flat] {{way=on|to|at|onto|from}} [the|its] {{side={SIDES}}} of {{ref:part_ref}}"),
        ("side", f"[that|which] [{STAND}] [centered|flat] {{way=on|to|at|onto|from|in}} [the middle of|the center of] {{ref:part_ref}} 's {{side={SIDES}}} [side|face]"),
        ("on", f"[that|which] [{STAND}] (on|on top of) {{ref:part_ref}} 's (top|upper side|top face)"),
        ("side", f"[that|which] [{STAND}] [centered|flat] {{way=on|to|at|onto|from}} [the|its] {{side={SIDES}}}"),
        ("beside", f"[that|which] [{STAND}] [{{n:n}}] [away] (to|on) [the|its] {{side=left|right}} of {{ref:part_ref}}"),
        ("beside", f"[that|which] [{STAND}] [{{n:n}}] {{side=left|right|in front|behind}} [of] {{ref:part_ref}}"),
        ("sides", f"[that|which] [{STAND}] (on|at|to) [the] (both|either|each|left and right|the two|left and the right) (side|sides) [of {{ref:part_ref}}]"),
        ("sides", f"[that|which] [{STAND}] [{{n:n}}] (left and right|to the left and right|to the left and to the right) of {{ref:part_ref}}"),
        ("ends", f"[that|which] [{STAND}] {{way={UNDER}|at|on|near}} [the] [both|each|either|two|its|every] (end|ends) [of {{ref:part_ref}}] [{{too=and one in the middle|and in the middle|and the middle}}]"),
        ("between", f"[that|which] [{STAND}] [horizontally|centered] between {{ref:part_ref}} [and {{other:part_ref}}]"),
        ("inset", f"[each|all] [set|placed] {{n:n}} (in|inwards|inward|away|inside) [from] [the|each|its|all|their] [outer] ({EDGED})"),
        ("inset", "[each|all] (inset|set in|set back|indented|moved in|recessed) [by] {n:n} [from [the|its|each|all] [outer] (edges|edge|sides|corners|side)]"),
        ("inset", f"[each|all] {{n:n}} from [the|its|each|all|every] [outer] ({EDGED})"),
        ("flush", "[exactly] flush (with|to) [the|its|their|both] [outer|top|upper] (edges|sides|corners|edge|corner|side|ends) [of {ref:part_ref}]"),
        ("tops", "[with] [its|the|their] (top|top edge|upper edge|upper side|top side) (level|flush|even|aligned) with [the] (top|upper edge|top edge|upper side) of {ref:part_ref}"),
        ("tops", "[with] [its|the|their] (top|top edge|upper edge|upper side|top side) (level|flush|even|aligned) with {ref:part_ref}"),
        ("same plan", "(of|with) [the] (same|equal|identical) footprint [as {ref:part_ref}]"),
        ("touch", "[that|which|just|exactly] (touching|touch|touches) [the] (ground|floor)"),
        ("touch", "[that|which|just|exactly] (touching|touch|touches) {ref:part_ref}"),
        ("touch", "[just] (touching|touch|touches) [the] (underside|lower side|bottom|top|upper side|surface) of {ref:part_ref}"),
        ("overhang", "[that|which] (overhanging|overhangs|overhang|sticking out|sticks out|sticking over|projecting|projects|extending|extends|with an overhang of|overlapping) [by] {n:n} [beyond|over] [on|at] [the] [each|every|all|all four|all around] [side|sides|edges|walls] [all around]"),
        ("overhang", "with [a|an] {n:n} overhang [on each side|on every side|on all sides|all around]"),
        ("from to", f"[that|which] [{STAND}|rises|rising|reaches|reaching|extends|extending|up] from {{ref:part_ref}} [up|down] to {{to:part_ref}}"),
        ("from to", f"[that|which] [{STAND}|rises|rising|reaches|reaching|extends|extending|up] from {{ref:part_ref}} [up|down] to {{base:new_part}}"),
        ("facing", "[all|each] [turned] [to] (facing|face) (the center|the middle|inward|inwards|outward|outwards)"),
        ("spread up", "(spaced|distributed|spread) (evenly|equally) [vertically|from bottom to top] | from (bottom|top) to (top|bottom)"),
        ("spread up", "[all] (evenly|equally) (spaced|distributed|spread) [apart] [vertically|from bottom to top|from top to bottom|in height|over the height]"),
        ("same", "of the same (size|thickness|dimensions|kind)|with the same (size|dimensions)"),
        ("row", "[arranged|placed|lined up|standing|all] in (one|a|two) [straight] (row|line) [(along|on|in) [the] {a:axis}]"),
        ("row", "(lined up|arranged|placed|spread|running|side by side|next to each other) [side by side] [(along|on) [the] {a:axis}]"),
        ("along", "[lying|laid|running|pointing|oriented|lies|horizontal|with its axis|its axis|axis|horizontally|going] (along|parallel to|in) [the] {a:axis} [direction]"),
        ("lying", "(lying|laid|lies|on its side|horizontal) [horizontally|flat|down] [on its side]"),
        ("gap", f"[{STAND}] {{n:n}} apart (inside to inside|edge to edge|on the inside|clear) | [{STAND}] {{n:n}} clear [apart|between them]"),
        ("pitch", f"[{STAND}] {{n:n}} apart [from each other]"),
        ("pitch", "{n:n} apart [from each other] | spaced [by] {n:n} [apart|from center to center] | (with|at) [a] (spacing|pitch|distance|interval) [of] {n:n} [from center to center|between centers] | every {n:n} | (at|in) intervals of {n:n} | {n:n} (center to center|from center to center|spacing|between centers)"),
        ("gap", "(with|leaving) [a|an] (gap|opening|space|distance) [of] {n:n} [wide] [between them|between each|between two] | (with|leaving) [a|an] {n:n} [wide] (gap|opening|space|clearance) [between them|between each] | {n:n} (gap|gaps|of space|space) [between them|between each] | [with] {n:n} between (them|each|each two|one and the next|neighbors)"),
        ("ring", "[arranged|placed|spaced|standing|evenly|distributed|all] [evenly|equally|spaced] (in|on|around|along) (a|one) (ring|circle) [of|with] [a] [radius|radius of] [{radius:n}] [radius] [(around|about) [the] [center of] {ref:part_ref}]"),
        ("ring", "[arranged|placed|spaced|standing|distributed] (evenly|equally|regularly) [arranged|placed|spaced|distributed] around {ref:part_ref}"),
        ("ring", "[evenly] [spaced] (on|in|around) a {radius:n} [radius] (circle|ring)"),
        ("ring", "(at|with) equal angles|evenly around [it]|(evenly|equally) (spaced|distributed) around"),
        ("ring radius", "(at|on|with) [a] (radius|distance) of {n:n} [from the (center|middle|axis)]"),
        ("spread", "[spread|placed|arranged|spaced|distributed] (evenly|equally|regularly) [spaced|spread|distributed|placed|arranged] [apart] [(along|over|across) [the] {ref:part_ref}]"),
        ("stack", "stacked [directly] [(on|one on) [top of] (each other|one another|another|the other)|vertically|up]"),
        ("stack", "one (on top of|above|over) (the other|another)|in a vertical (row|line|column)|in a column|vertically"),
        ("smooth", "(shaded smooth|smooth shaded|smooth|with smooth shading)"),
        ("turn", "(rotated|turned|tilted|leaning) [by] {angle:angle} (around|about|on) [the] {a:axis}"),
        ("each", "[for|on|at] each"),
    )
]  # fmt: skip
"""What may be said of a part, behind its noun or of it as the subject."""
JOINTS: Final = frozenset({
    "with", "and", "is", "are", "be", "should", "that", "which", "has", "have", "having", "each", "it", "they", "its", "their", "whose", "of", "a", "an", "the",
    "so", "all", "also", "then", "in", "both", "made", "must", "at", "'s", "that's", "about", "just",
})  # fmt: skip
"""Small words between two remarks on a part."""


def remarks_after(reading: Reading, at: int) -> Iterator[tuple[int, tuple[Remark, ...]]]:
    """Everything said of a part from here on, most of it first."""
    best: dict[int, tuple[Remark, ...]] = {at: ()}
    frontier = [at]
    while frontier:
        place = frontier.pop(0)
        for start in joints(reading, place):
            for end, remark in one_remark(reading, start):
                if remark.what == "form" and place != at and reading.word(place) not in {"is", "are", "as", "made"}:
                    continue  # "a bar, and a sphere": another part
                bracket = reading.mark(end) == ")" and any(reading.mark(each) == "(" for each in range(at, start))
                after = end + bracket
                if after not in best:
                    best[after] = (*best[place], remark)
                    frontier.append(after)
    yield from ((end, best[end]) for end in sorted(best, reverse=True))


def joints(reading: Reading, at: int) -> Iterator[int]:
    """Where the next remark may begin."""
    yield at
    place = at
    while (reading.mark(place) in {",", "(", ":", "-"} or reading.word(place) in JOINTS) and place - at < 5:
        place += 1
        yield place


def one_remark(reading: Reading, at: int) -> Iterator[tuple[int, Remark]]:
    """One thing said of a part, the longest readings first."""
    key = "part remark", at
    if key not in reading.memo:
        found: list[tuple[int, Remark]] = []
        for what, matcher in REMARKS:
            for end, env in matcher(reading, at, {}):
                if end > at:
                    found.append((end, Remark(what, env, reading.said(at, end))))
        reading.memo[key] = sorted(found, key=lambda each: -each[0])
    yield from reading.memo[key]


def before_noun(reading: Reading, at: int) -> Iterator[tuple[int, Remark | None]]:
    """One thing said before the noun of a part: "red", "60 x 40 cm", "2 m tall", "round", "small"."""
    for end, seen in part_look(reading, at, {}, ""):
        yield end, Remark("look", {"look": seen}, reading.said(at, end))
    for end, found in vector(reading, at, {}, ""):
        if found.unit is not None and found.unit.measures == "length" and found.whole:
            yield end, Remark("dims", {"v": found}, reading.said(at, end))
    for end, given in quantity(reading, at, {}, "length"):
        word = {"tall": "high", "high": "high", "wide": "wide", "thick": "thick", "long": "long", "deep": "deep"}.get(
            reading.word(end), ""
        )
        if given.measured("length"):
            if word:
                yield end + 1, Remark(word, {"n": given.value}, reading.said(at, end + 1))
            if reading.word(end) == "square":
                yield end + 1, Remark("square", {"n": given.value}, reading.said(at, end + 1))
            yield end, Remark("before", {"n": given.value}, reading.said(at, end))
    word = reading.word(at)
    if word == "square" and reading.word(at + 1) != "of":
        yield at + 1, Remark("squared", {}, word)
    if word in FORMS and reading.word(at + 1) == "shaped":
        yield at + 2, Remark("form", {"form": word}, reading.said(at, at + 2))
    if word in SHAPED:
        yield at + 1, Remark("form", {"form": SHAPED[word]}, word)
    elif word in {"identical", "similar", "second"} or (word == "same" and reading.word(at - 1) == "the"):
        yield at + 1, Remark("same", {}, word)
    elif word in {"upright", "vertical", "standing"}:
        yield at + 1, Remark("vertical", {}, word)
    elif word == "horizontal":
        yield at + 1, Remark("lying", {}, word)
    elif word in VAGUE or (word == "evenly" and reading.word(at + 1) == "spaced"):
        yield at + 1 + (word == "evenly"), None


ROWS: Final = compile_pattern(
    "[a|one] {way=row|line|ring|circle|stack|pair|set|tower} of | [a|one] [evenly spaced] {way=row|line|ring|circle} of"
)


TOPPED: Final = compile_pattern(
    "[with] each [one|of them|post|pole] [is|being] (topped|capped|crowned|carrying|with) [by|with|off with]"
)
"""What stands before a part that is on each copy of the one before."""


@slot("new_part")
def part(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Told]]:
    """A part with everything said of it: "four legs of 6 x 6 cm below its corners"."""
    if not speaks_of_parts(reading):
        return
    start, count = at, None
    remarks: list[Remark] = []
    way = next(iter(ROWS(reading, at, {})), None)
    if way is not None:
        at, found = way
        if found["way"] in {"row", "line", "ring", "circle", "stack", "tower"}:
            kind = {"row": "row", "line": "row", "ring": "ring", "circle": "ring"}.get(found["way"], "stack")
            remarks.append(Remark(kind, {}, reading.said(start, at)))
        count = 2 if found["way"] == "pair" else None
    bare = reading.word(at) not in {"a", "an", "one", "another"} and way is None
    while reading.word(at) in {"a", "an", "another", "one"}:
        at += 1
    counted = next(quantity(reading, at, {}, ""), None) if reading.word(at - 1) not in {"a", "an"} or way else None
    plain = counted is not None and counted[1].unit is None and counted[1].number == int(counted[1].number) > 0
    if counted is not None and plain and reading.word(counted[0]) not in {"x", "by"}:
        at, count, bare = counted[0], int(counted[1].number), False
    if reading.word(at) in {"the", "its", "their"} or reading.word(at) in PRONOUNS:
        return
    while True:
        more = next(before_noun(reading, at), None)
        if more is None:
            break
        at = more[0] + (reading.mark(more[0]) == "," and more[1] is not None)
        at += reading.word(at) == "and" and next(before_noun(reading, at + 1), None) is not None
        remarks += [more[1]] if more[1] is not None else []
    found_noun = noun_at(reading, at)
    if found_noun is None:
        return
    end, noun = found_noun
    plural = is_plural(reading, end)
    if (form := noun.partition(" ")[0]) in FORMS and form != noun:
        remarks.append(Remark("form", {"form": form}, reading.said(end - 2, end)))
    if noun in FORMS and not begun(reading, start):
        return  # objects.py reads what is no part
    if bare and plural and reading.mark(end) == ":":
        return  # "out of boxes: ..."
    opens = reading.tokens[start].text[:1].isupper() and (
        start == 0 or reading.mark(start - 1) in {".", ":", ";", "?", "!"}
    )
    if bare and not plural and not (reading.mark(end) == ":" or of == "list" or (opens and begun(reading, start))):
        return
    for last, said in remarks_after(reading, end):
        yield last, Told(noun, count, plural, (*remarks, *said), reading.said(start, last))


@slot("new_parts")
def parts(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[Told, ...]]]:
    """Parts, one after another: "a seat of ..., four legs of ... and a back of ..."."""
    if not speaks_of_parts(reading):
        return
    best: dict[int, tuple[Told, ...]] = {at: ()}
    frontier = [at]
    while frontier:
        place = frontier.pop(0)
        begin = place
        if place > at:
            while reading.mark(begin) in {",", ";"} or reading.word(begin) in {"and", "plus", "with", "then", "also"}:
                begin += 1
            if begin == place:
                continue
        for end, found in part(reading, begin, {}, of):
            if end not in best:
                best[end] = (*best[place], found)
                frontier.append(end)
        each = next(iter(TOPPED(reading, begin, {})), None) if place > at else None
        if each is not None:
            on = Remark(
                "on", {"ref": Ref("it", True, None, reading.said(begin, each[0]))}, reading.said(begin, each[0])
            )
            for end, found in part(reading, each[0], {}, of):
                if end not in best:
                    best[end] = (*best[place], replace(found, remarks=(*found.remarks, on)))
                    frontier.append(end)
        if place > at:  # "...; on it a pole of ..."
            for after, where in part_place(reading, begin, {}, ""):
                middle = after + (
                    reading.word(after)
                    in {
                        "is",
                        "are",
                        "sits",
                        "sit",
                        "comes",
                        "stands",
                        "stand",
                        "goes",
                        "rests",
                    }
                )
                for end, found in part(reading, middle, {}, of):
                    if end not in best:
                        best[end] = (*best[place], replace(found, remarks=(*found.remarks, where)))
                        frontier.append(end)
    yield from ((end, best[end]) for end in sorted(best, reverse=True) if best[end])


@slot("name_list")
def name_list(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Names, one after another: "Wheel_FL, Wheel_FR and Wheel_RL"."""
    found: list[str] = []
    end = at
    while (one := next(name(reading, at, {}, "bare"), None)) is not None:
        end = one[0]
        found.append(one[1])
        at = end + (reading.mark(end) == ",")
        at += reading.word(at) == "and"
        if at == end:
            break
    if len(found) > 1:
        yield end, tuple(found)


@slot("part_remarks")
def part_remarks(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[Remark, ...]]]:
    """What is said of a part that is the subject."""
    if speaks_of_parts(reading):
        yield from ((end, found) for end, found in remarks_after(reading, at) if found)


@slot("part_place")
def part_place(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Remark]]:
    """A place that stands before the part that is there: "on top of it", "under each corner"."""
    if speaks_of_parts(reading):
        yield from ((end, found) for end, found in one_remark(reading, at) if found.what in PLACES)


PLACES: Final = frozenset(
    {
        "in middle",
        "rims",
        "middle of",
        "on",
        "above",
        "below",
        "corners",
        "rim",
        "side",
        "beside",
        "sides",
        "ends",
        "between",
        "ring",
        "at",
        "lower",
        "upper",
    }
)
NEW: Final = frozenset({"a", "an", "one", "my", "some"})


@slot("whole")
def whole(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[str, str, Look | None]]]:
    """What is to be built, what it is called, and how it looks: 'a small table', 'a wooden gate "Gate"'."""
    if not speaks_of_parts(reading) or (reading.word(at) not in NEW and of == "") or (of == "start" and at):
        return
    while reading.word(at) in NEW:
        at += 1
    seen: Look | None = None
    while (more := next(before_noun(reading, at), None)) is not None:
        if more[1] is not None and more[1].what not in {"form", "look"}:
            break
        seen = more[1].values.get("look", seen) if more[1] is not None else seen
        at = more[0]
    found = noun_at(reading, at)
    if found is None or found[1].rpartition(" ")[2] in FORMS:
        return
    end, noun = found
    called = end + (reading.word(end) in {"called", "named"})
    for last, title in name(reading, called, {}, "bare"):
        if called > end or reading.tokens[end].kind == "quoted":
            yield last, (noun, title, seen)
    yield end, (noun, "", seen)


BEGINNING: Final = compile_pattern(
    "[build|make|model|create|construct|assemble|put together|design|set up|i need|i want|draw|generate|give me|make me|build me|i would like|add] {what:whole}"
)


HEADING: Final = compile_pattern("{what:whole of bare} [please] :")


def begun(reading: Reading, at: int) -> bool:
    """Whether a thing that is built from parts was spoken of before."""
    key = "begun", at
    if key not in reading.memo:
        starts = [0, *(place + 1 for place in range(at) if reading.mark(place) or reading.word(place) == "then")]
        found = any(next(iter(BEGINNING(reading, place, {})), None) is not None for place in starts if place < at)
        found = found or next(iter(HEADING(reading, 0, {})), None) is not None
        reading.memo[key] = [(0, found)]
    return bool(reading.memo[key][0][1])


MEASURED: Final = re.compile(r"\d\s*(m|cm|mm|metres?|meters?|centimet|millimet)?\b", re.IGNORECASE)
RELATED: Final = re.compile(
    r"\b(carr(y|ies|ied)|holds?|supports?|topped|capped|on|sitting|resting|on top|on it|below|under|underneath|beneath|corners?|above|between|in a (row|line|circle|ring)|rows? of|ring of|stack(ed|s)?|stands?|standing|sits?|rests?|resting|edges?|"
    r"sides?|ends?|middle|cent(er|re)d?|front|back|left|right|behind|around|apart|ground|floor|upper|made of|parts?|on the|onto|atop)\b",
    re.IGNORECASE,
)


def speaks_of_parts(reading: Reading) -> bool:
    """Whether a request is read as one about a thing that is built from parts."""
    return reading.parts


@functools.lru_cache(maxsize=64)
def tells_of_parts(request: str) -> bool:
    """Whether a request may be about a thing that is built from parts: it has numbers and tells places."""
    return len(MEASURED.findall(request)) >= 2 and RELATED.search(request) is not None
