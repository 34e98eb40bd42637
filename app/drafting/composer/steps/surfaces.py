"""Descriptions of how a surface looks: finishes, inputs of its shader, settings of its material, nodes.

"noise (scale 4) through a ramp from black to red into the roughness, metallic 1, on the cube: material Rust"
 \\___________/        \\____________________/           \\_______/  \\________/     \\______/  \\___________/
     piece                    piece                      piece       settings      object      material

The items of a description may stand in any order; small words join them, and those between two pieces say which one runs
into the other. What has a meaning must be in an item, else the description ends before it.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from app.drafting.composer.build import Build, Known, Many, is_no_name
from app.drafting.composer.filters import labels, narrowed
from app.drafting.composer.grammar import VOCABULARY, step
from app.drafting.composer.lexicon import Lexicon, Phrases, Place, Setting, Table, as_property
from app.drafting.composer.patterns import ARTICLES, Env, Reading, compile_pattern, slot
from app.drafting.composer.reader import vocabulary
from app.drafting.composer.slots import (
    DOWNWARDS,
    OBJECT_KINDS,
    UPWARDS,
    Set,
    Target,
    axis,
    changes,
    color,
    known_name,
    looks_like_name,
    name,
    property_name,
    quantity,
    settings,
    settings_in,
    skip,
    target,
    value_slot,
)
from app.drafting.composer.steps.graphs import (
    ATTRIBUTE,
    BUMPS,
    DISPLACEMENTS,
    IMAGE,
    MIX,
    OUTPUTS,
    RAMP,
    UV,
    Graph,
    Piece,
    gives,
    is_a,
    is_filter,
    is_shader,
    is_texture,
    lead,
    mix_ends,
    mixed,
    piece,
    role_of,
    stops,
    two_colors,
    world_topic,
    write_graph,
)
from app.drafting.composer.steps.materials import (
    MATERIAL_WORDS,
    METAL,
    PRINCIPLED,
    SHADING,
    SHOWING,
    SUBSTANCES,
    MaterialTopic,
    TextureTopic,
    input_of,
    is_metal,
    made_material,
    material_called,
    material_for,
    material_places,
    named_material,
    of_glow,
    shader_var,
    topic_of,
    tree_var,
    write_inputs,
    write_settings,
)
from app.drafting.composer.steps.meshes import about
from app.drafting.composer.steps.modifiers import Topic
from app.drafting.composer.steps.objects import look, owns
from app.drafting.composer.steps.remarks import commands, harmless
from app.drafting.composer.tokens import singular
from app.drafting.composer.values import Ambiguous, Change, Color, clean, literal, quoted, refuse, titled
from ingest.manifest import NodeType


@dataclass(frozen=True)
class Item:
    """A part of a description; `before` are the small words and marks that stand before it.

    `what`: object, material (its name, and whether it is new), noun (the word "material"), every, look, sets, prop,
    panel, piece, stops, repeat, raw, plain.
    """

    what: str
    value: Any
    said: str
    before: tuple[str, ...] = ()
    cost: float = 0.0


FORWARD: Final = frozenset({
    "into", "to", "through", "via", "drives", "drive", "driving", "feeds", "feed", "feeding", "controls", "control",
    "controlling", "as", "for", "before", "runs", "goes", "onto", ">", "sets",
})  # fmt: skip
BACKWARD: Final = frozenset({
    "takes", "uses", "using", "from", "by", "on", "with", "gets", "reads", "based", "use", "of", ":", "=", "is", "comes", "are",
})  # fmt: skip
ON: Final = frozenset(
    {"on", "to", "for", "of", "in", "onto", "into", "over", ">", "from", "object", "inside", "across"}
)
BETWEEN: Final = frozenset({
    "that", "which", "and", "then", "connected", "plugged", "linked", "fed", "sent", "go", "passes", "being", "going", "output",
    "mapped", "connect", "plug", "link", "wired", "driven", "run", "passed", "so", "also", "plus", "where", "whose",
    "having", "has", "have", "a", "an", "the", "its", "it", "be", "at", "should", "shall", "node", "texture", "nodes", "coming",
    "controlled", "between", "input", "straight", "plain", "value", ",", "-", "(", ")", ";", "/", "'s", "mask", "their", "assigned", "applied",
    "'", "both", "one", "some", "new", "setup", "map", "in", "down", "slider", "field", "setting", "channel", "back", "front",
})  # fmt: skip
VERBS: Final = frozenset({
    "give", "make", "let", "set", "add", "create", "put", "apply", "assign", "insert", "build", "up", "paint", "change", "get",
    "needs", "looks", "look", "like", "become", "becomes", "turn", "want", "need", "load", "dye", "generate", "show",
    "shows", "write", "wants", "place", "wire", "hook", "must", "cover", "fill", "plug", "increase", "decrease", "raise", "lower", "reduce", "dial",
    "bring", "push", "crank", "share", "made", "out", "pull", "drop", "could", "replace", "switch", "define", "register", "swap", "exchange",
})  # fmt: skip
JOINS: Final = FORWARD | BACKWARD | ON | BETWEEN | VERBS
NOUNS: Final = frozenset(
    {"material", "shader", "look", "surface", "finish", "shading", "bsdf", "principled", "appearance"}
)
BACKGROUND: Final = "ShaderNodeBackground"
PANELS: Final = Phrases[str]([
    ("emission", "Emission"), ("emissive", "Emission"), ("glow", "Emission"), ("glowing", "Emission"), ("emit", "Emission"), ("emits", "Emission"),
    ("emit light", "Emission"), ("emitting", "Emission"), ("emitting light", "Emission"), ("light emitting", "Emission"),
    ("thin film", "Thin Film"), ("coat", "Coat"), ("clearcoat", "Coat"), ("clear coat", "Coat"), ("sheen", "Sheen"),
    ("subsurface", "Subsurface"), ("subsurface scattering", "Subsurface"), ("sss", "Subsurface"), ("transmission", "Transmission"),
])  # fmt: skip
"""Panels of the Principled shader: what is said after them may leave the panel's name out."""
MAIN: Final = {"Emission": ("Emission Strength", 1.0), "Thin Film": ("Thin Film Thickness", 500.0), "Coat": ("Coat Weight", 1.0),
               "Sheen": ("Sheen Weight", 1.0), "Subsurface": ("Subsurface Weight", 1.0),
               "Transmission": ("Transmission Weight", 1.0)}  # fmt: skip
"""What is set where only the panel is named."""
FLAGS: Final = Phrases[tuple[str, str]]([
    *((phrase, ("plain", "")) for phrase in (
        "nothing else", "no surface shader", "no surface", "surface empty", "empty surface", "nothing in the surface", "no diffuse", "without surface shader", "without surface", "no principled")),
    ("non color", ("raw", "Non-Color")), ("non color data", ("raw", "Non-Color")), ("noncolor", ("raw", "Non-Color")),
    *((phrase, ("pixels", "")) for phrase in ("no smoothing", "without smoothing", "no interpolation", "no filtering", "pixelated")),
    *((phrase, ("method", "DISPLACEMENT")) for phrase in ("true displacement", "real displacement", "displacement only")),
    *((phrase, ("method", "BOTH")) for phrase in ("displacement and bump", "real displacement and bump", "true displacement and bump")),
    ("random color per object", ("each", "")), ("bump only", ("method", "BUMP")), ("raw", ("raw", "Non-Color")), ("srgb", ("raw", "sRGB")),
])  # fmt: skip
VOCABULARY.update(JOINS, NOUNS, PANELS.words(), FLAGS.words())
REPEATS: Final = frozenset({"time", "times", "in", "both", "directions", "u", "and", "v", "each", "direction"})


# --- reading ------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=64)
def panel_table(lexicon: Lexicon, panel: str) -> Table:
    """The inputs of a panel of the Principled shader, without the panel's name."""
    table = Table(Phrases(()), Phrases(()), crowded=True)
    alike = {"Tint": ("color",), "Weight": ("amount", "strength"), "Strength": ("intensity", "brightness", "power")}
    for socket in lexicon.manifest.nodes[PRINCIPLED].inputs:
        if socket.name.startswith(f"{panel} ") and socket.enabled:
            setting = Setting(Place("", PRINCIPLED), as_property(socket), socket.name)
            rest = socket.name.removeprefix(f"{panel} ")
            for phrase in (rest, *alike.get(rest, ())):
                table.named.add(phrase, setting)
    return table


def items(reading: Reading, at: int) -> Iterator[tuple[int, str, Any]]:
    """Every item that may begin here, as (end, what, value)."""
    start = skip(reading, at, {"the", "a", "an"})
    told = role_of(reading, start)
    if told is not None:
        yield told[0], "piece", told[1]
        return
    yield from material_items(reading, at, start)
    if reading.words(start, 2) == ("background", "color"):
        yield start + 2, "piece", Piece("input", None, "background color", socket="Base Color")
        return
    skyward = (
        reading.word(start) == "sky" and reading.word(start + 1) in {"for", "in", "of"} and reading.word(start + 2)
    )
    world = start + 3 if skyward == "the" else start
    if reading.word(world) == "world":
        end = skip(reading, world + 1, {"'s", "background", "shader", "environment", "nodes", "lighting"})
        yield end, "world", None
    hue = next(color(reading, start, {}, "bare"), None)
    for place, shade in ((start, None), *(((hue[0], hue[1]),) if hue else ())):
        for end, panels in PANELS.matches(reading.tokens, place):
            if reading.word(end) in {"node", "shader", "bsdf", "map", "mask"}:
                continue
            yield end, "panel", (panels[0], shade)
            glow = next(color(reading, end, {}, "bare"), None) if panels[0] == "Emission" and shade is None else None
            if glow and reading.word(glow[0]) == "light":  # "emits pink light"
                yield glow[0] + 1, "panel", (panels[0], glow[1])
    colors = dict(stops(reading, at))
    for end, sets in settings(reading, at, {}, "material"):
        named_ = any(option.prop.name == "name" for one in sets for option, _ in one.options[:1])
        panel = next((last for last, _ in PANELS.matches(reading.tokens, start) if last == end), None)
        if named_ or panel is not None:
            continue
        if end not in colors and not two_colors(sets) and not (hue and sets[0].said == reading.said(start, hue[0])):
            yield end, "sets", sets
    for end, prop in property_name(reading, at, {}, "material"):
        if reading.word(end) not in {"node", "shader", "bsdf"}:
            yield end, "prop", prop
    for end, inner in node_property(reading, at):
        yield end, "prop", inner
    for end, seen in look(reading, at, {}, "bare") if reading.mark(start) != "(" else ():
        if reading.word(end) not in {"node", "bsdf"}:
            yield end, "look", seen
    for end, one in itertools.chain(mixed(reading, at), piece(reading, at)):
        yield end, "piece", one
    for end, found in colors.items():
        yield end, "stops", found
    for middle, given in quantity(reading, start, {}, "share"):  # "40% opaque"
        full = [
            each for found in reading.lexicon.finishes.of(f"fully {reading.word(middle)}") for each in found.items()
        ]
        if len(full) == 1 and given.measured("share"):
            share = given.value if full[0][1] else clean(1.0 - given.value)
            value = (input_of(reading.lexicon, full[0][0]), share)
            yield middle + 1, "sets", [Set((value,), reading.said(start, middle + 1))]
    for end, flags in FLAGS.matches(reading.tokens, start):
        yield end, *flags[0]
    if reading.word(at) in {"repeat", "repeated", "tile", "tiled", "repeats", "tiling"}:
        after = skip(reading, at + 1, {"it", "the", "texture", "image", "by"})
        for end, given in quantity(reading, after, {}, "times"):
            yield skip(reading, end, REPEATS), "repeat", given.number
    for end, letter in axis(reading, skip(reading, at, {"direction"}), {}, ""):
        if "direction" in {reading.word(at), reading.word(end - 1)}:  # "bands, z direction"
            yield end, "along", letter
    if reading.word(at) in {"along", "in", "from", "by"}:
        after = skip(reading, at + 1, {"the", "its", "object", "'s", "local", "generated"})
        for end, letter in axis(reading, after, {}, ""):
            last = skip(reading, end, {"coordinate"})
            if reading.word(at) in {"along", "in"} or (last > end and reading.word(after - 1) == "generated"):
                yield last, "along", letter
    if begins(reading, at) and (reading.mark(at + 1) == ":" or reading.word(at + 1) in {"'s", "needs", "gets"}):
        text = reading.tokens[at].text
        if text[:1].isupper() and text.lower() not in OBJECT_KINDS and not knows(reading, at):
            yield at + 1, "object", Target("named", text, said=text)
    if unheard(reading, at):
        yield at + 1, "object", Target("named", reading.tokens[at].text, said=reading.tokens[at].text)
    for end, goal in target(reading, at, {}, ""):
        if goal.how == "it" and reading.word(end) == "color":
            continue  # "the object color" is that of the object
        if fits_object(reading, at, goal):
            yield end, "object", goal


def later_items(reading: Reading, at: int, so_far: tuple[Item, ...]) -> Iterator[tuple[int, str, Any]]:
    """What may begin here because of what was said before: the value of a property, more of a node or a panel."""
    panel = next((each.value[0] for each in reversed(so_far) if each.what == "panel"), "")
    glow = any(each.what == "piece" and each.value.socket == "Emission Color" for each in so_far)
    panel = panel or ("Emission" if glow else "")
    if panel:
        table = panel_table(reading.lexicon, panel)
        yield from kept_items(
            reading, panel, at, lambda: ((end, "sets", sets) for end, sets in settings_in(reading, at, table))
        )
    if panel == "Emission" and reading.word(at - 1) == "at":
        for end, given in quantity(reading, at, {}, ""):
            if given.unit is None and so_far[-1].what in {"panel", "sets"}:
                named_ = panel_table(reading.lexicon, panel).named.of("strength")
                yield end, "sets", [Set(((named_[0], given.number),), reading.said(at, end))]
    if any(each.what == "world" for each in so_far):
        for end, sets in settings(reading, at, {}, BACKGROUND):
            if not two_colors(sets):
                yield end, "backdrop", sets
    prop = next((each.value for each in so_far if each.what == "prop"), None)
    if prop is not None:
        kind, prop = prop if isinstance(prop[0], NodeType) else (None, prop)
        for end, value in value_slot(reading, at, {"p": prop}, "p"):
            if reading.word(at - 1) != "by":
                yield end, "value", (kind, value)
        for end, change in changed_by(reading, at) if kind is None else ():
            yield end, "value", (kind, Set(tuple(changes(prop, change)), reading.said(at - 1, end)))
    for earlier in reversed(so_far):
        if earlier.what == "piece" and earlier.value.node is not None and earlier.value.how in {"new", "spoken"}:
            kind = earlier.value.node
            for end, what, value in kept_items(
                reading, kind.identifier, at, functools.partial(of_node, reading, at, kind)
            ):
                yield end, what, (earlier, value) if what == "more" else value


def changed_by(reading: Reading, at: int) -> Iterator[tuple[int, Change]]:
    """By how much something grows or shrinks: "increase the roughness of all materials by 0.1"."""
    verb = next((token.word for token in reversed(reading.tokens[:at]) if token.word in UPWARDS | DOWNWARDS), "")
    if not verb or reading.word(at - 1) != "by":
        return
    if reading.word(at) == "half":
        yield at + 1, Change("*", 1.5 if verb in UPWARDS else 0.5)
    for end, given in quantity(reading, at, {}, ""):
        if given.measured("share"):
            yield end, Change("*", clean(1.0 + (given.value if verb in UPWARDS else -given.value)))
        elif given.unit is None:
            yield end, Change("+" if verb in UPWARDS else "-", given.value)


def of_node(reading: Reading, at: int, kind: NodeType) -> Iterator[tuple[int, str, Any]]:
    """More settings of a node that was named before, or one of its inputs."""
    colors = {end for end, _ in stops(reading, at)} | {next(color(reading, at, {}, "bare"), (at, None))[0]}
    for end, sets in settings(reading, at, {"node": kind}, "node"):
        if end not in colors and not two_colors(sets):
            yield end, "more", sets
    if kind.identifier == MIX:
        yield from ((end, "more", sets) for end, sets in mix_ends(reading, at, kind))
    if is_texture(Piece("new", kind, "")) and reading.word(at) == f"{kind.label.lower().split()[0]}s":
        hues = [each for each in kind.inputs if each.name in {"Color1", "Color2"}]
        for end, both in stops(reading, at + 1) if hues else ():  # "bricks red and brown"
            places = [Setting(Place("", kind.identifier), as_property(each), each.name) for each in hues]
            values = [
                Set(((place, (*stop.hue.rgb, 1.0)),), reading.said(at, end))
                for place, stop in zip(places, both, strict=False)
            ]
            if len(both) == len(hues) and all(each.at is None for each in both):
                yield end, "more", values
    start = skip(reading, at, {"the", "its"})
    inputs = reading.lexicon.sockets(reading.lexicon.manifest.nodes[PRINCIPLED]).named
    for end, found in reading.lexicon.sockets(kind).named.matches(reading.tokens, start):
        if reading.word(end) == "unchanged":
            yield end + 1, "more", ()
        own = inputs.first(reading.tokens, start)
        if found[0].socket and not (own and own[1].socket):
            yield end, "piece", Piece("spoken", kind, reading.said(at, end), socket=found[0].socket)


def kept_items(
    reading: Reading, what: str, at: int, read: Callable[[], Iterator[tuple[int, str, Any]]]
) -> list[tuple[int, str, Any]]:
    """What a reader finds at a place, read once."""
    memo: dict[tuple[str, int], list[tuple[int, str, Any]]] = reading.memo.setdefault("surfaces", {})  # type: ignore[assignment,arg-type]
    if (what, at) not in memo:
        memo[what, at] = list(read())
    return memo[what, at]


def material_items(reading: Reading, at: int, start: int) -> Iterator[tuple[int, str, Any]]:
    """ "material Rust", "a new material called Rust", '"Rust" material', "every material", "material"."""
    noun = skip(reading, start, {"new", *MATERIAL_WORDS})
    fresh = "new" in {reading.word(start), reading.word(at - 1)} or reading.word(at) in {"a", "an"}
    if reading.words(start, 2) == ("active", "material") and reading.word(start + 2) not in {"slot", "index"}:
        end = start + 2
        if reading.word(end) in {"of", "on"}:
            yield from ((last, "object", goal) for last, goal in target(reading, end + 1, {}, "one"))
        else:
            yield end, "object", Target("active", said=reading.said(at, end))
        return
    for end, said in SLOT_SAID(reading, at, {}):
        yield end, "slotted", (said["k"], said["target"])
    many = skip(reading, start, {"of", "the", "all", "both", "two", "three", "four"})
    if reading.word(many) == "materials" and reading.tokens[many].text == "materials":
        for end, names in labels(reading, many + 1, {}, ""):
            if len(names) > 1:
                titles = "".join(f"{quoted(each)}, " for each in names).rstrip(", ")
                yield end, "every", f"[bpy.data.materials[name] for name in ({titles})]"
    if reading.word(start) in {"every", "all", "each"}:
        end = skip(reading, start + 1, {"of", "the"})
        if reading.word(end) in {"material", "materials"}:
            for last, where in narrowed(reading, end + 1):
                tests = [each.test for each in where if BY_NAME.fullmatch(each.test)]
                if tests and len(tests) == len(where):
                    test = " and ".join(tests).replace("obj.", "each.")
                    yield last, "every", f"[each for each in bpy.data.materials if {test}]"
            last = skip(reading, end + 1, {"in", "the", "file", "scene", "this", "there", "are", "is", "blend"})
            yield last, "every", "bpy.data.materials"
        return
    if singular(reading.word(noun)) in NOUNS:
        end = skip(reading, noun + 1, NOUNS)
        if reading.word(noun) == "material":
            called = skip(reading, end + (reading.mark(end) == ":"), {"called", "named", "name"})
            names = name(reading, called, {}, "bare") if called > end else known_name(reading, called, {}, "")
            for last, text in names:
                yield last, "material", (text, fresh)
        definite = reading.word(at) in {"the", "its", "their"} or reading.word(at - 1) == "'s"
        yield end, "noun", "new" if reading.word(start) == "new" else "its" if definite else ""
    if reading.word(at) in {"called", "named"}:
        for end, text in name(reading, at + 1, {}, ""):
            yield end, "material", (text, True)
    elif start < len(reading.tokens) and reading.tokens[start].kind in {"quoted", "word"}:
        for end, text in known_name(reading, start, {}, ""):
            if reading.word(end) == "material":
                yield end + 1, "material", (text, False)
            if [token.text for token in reading.tokens[end : end + 3]] == ["(", "material", ")"]:
                yield end + 3, "material", (text, False)
            if [token.text for token in reading.tokens[end : end + 3]] == [",", "a", "material"]:
                yield end + 3, "material", (text, False)
        if (
            begins(reading, at)
            and reading.tokens[at].text[:1].isupper()
            and reading.word(at + 1) == "material"
            and not knows(reading, at)
        ):
            yield at + 2, "material", (reading.tokens[at].text, False)


BY_NAME: Final = re.compile(r'(not )?"[^"]*" (not )?in obj\.name|obj\.name\.\w+\(.*\)')
SLOT_SAID: Final = compile_pattern(
    "[the] [material] [(in|of|at|on)] [material] slot [number] {k:int} (of|on) {target:object of one}"
)


def begins(reading: Reading, at: int) -> bool:
    """Whether a word stands at the beginning of a sentence."""
    return bool(reading.word(at)) and (at == 0 or reading.mark(at - 1) in {".", ";"})


def node_property(reading: Reading, at: int) -> Iterator[tuple[int, tuple[NodeType, tuple[Setting, ...]]]]:
    """A setting of a node that is there, to be given a value later: "the scale of the noise texture"."""
    start = skip(reading, at, {"the", "its"})
    for middle, kinds in reading.lexicon.nodes["ShaderNodeTree"].matches(reading.tokens, start):
        table = reading.lexicon.sockets(kinds[0]).named
        for last, found in table.matches(reading.tokens, skip(reading, middle, {"texture", "node"})):
            given = {"of", "in", "on", "to", "is", "should", "shall", "must", "be"}
            if reading.word(last) in given and kinds[0].identifier != PRINCIPLED:
                yield last, (kinds[0], tuple(found))  # 'the normal map strength of "Bricks"'
    for of in range(start + 1, min(start + 5, len(reading.tokens))):
        if reading.word(of) not in {"of", "in"}:
            continue
        for end, kinds in reading.lexicon.nodes["ShaderNodeTree"].matches(
            reading.tokens, skip(reading, of + 1, {"the", "its"})
        ):
            for last, found in reading.lexicon.sockets(kinds[0]).named.matches(reading.tokens, start):
                if last == of and kinds[0].identifier != PRINCIPLED:
                    yield skip(reading, end, {"texture", "node"}), (kinds[0], tuple(found))


def unheard(reading: Reading, at: int) -> bool:
    """Whether a sentence begins with a word with a capital that nobody knows, before an input: "Teapot roughness 0.4"."""
    if not begins(reading, at) or not reading.tokens[at].text[:1].isupper() or reading.tokens[at].text.isupper():
        return False
    known = vocabulary(reading.lexicon)
    word = reading.tokens[at].word
    inputs = reading.lexicon.sockets(reading.lexicon.manifest.nodes[PRINCIPLED]).named
    return not {word, singular(word)} & known.keys() and inputs.first(reading.tokens, at + 1) is not None


def fits_object(reading: Reading, at: int, goal: Target) -> bool:
    """Whether the words for an object can be nothing else."""
    if goal.how == "word":
        return goal.said.lower().startswith("the ") and not knows(reading, at + 1)
    if goal.how == "named" and reading.tokens[at].kind != "quoted":
        return not knows(reading, skip(reading, at, {"the"}))
    return goal.how != "them"


def knows(reading: Reading, at: int) -> bool:
    """Whether the words here name a node, an input, a color or a finish."""
    if reading.word(at + 1) == "'s" and reading.tokens[at].text[:1].isupper():
        return False  # "Crystal's roughness"
    lexicon = reading.lexicon
    inputs = lexicon.sockets(lexicon.manifest.nodes[PRINCIPLED]).named
    tables: list[Phrases[Any]] = [lexicon.nodes["ShaderNodeTree"], inputs, lexicon.colors, lexicon.finishes, PANELS]
    return reading.word(at) in NOUNS | VERBS | OUTPUTS or any(
        table.first(reading.tokens, at) is not None for table in tables
    )


NO_ACTS: Final = frozenset({"edge", "window"})
"""Words that steps begin with, and that ask for nothing by themselves."""


@slot("title")
def title(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """What a surface is to be like, in words that are nothing in Blender: the "edge wear" of "edge wear on the cube: ..."."""
    end = at
    while reading.word(end) and reading.word(end) not in ON and reading.tokens[end].kind == "word":
        end += 1
    if not (reading.lenient and begins(reading, at) and end > at + 1):
        return
    tables = [FLAGS, reading.lexicon.numbers, *reading.lexicon.families.values()]
    means = any(knows(reading, k) or any(table.first(reading.tokens, k) for table in tables) for k in range(at, end))
    said = any(last == end for what in ("", "material", "render") for last, _ in settings(reading, at, {}, what))
    asks = commands(reading, at) and reading.word(at) not in NO_ACTS
    inner = range(at + 1, end)
    asks = asks or any(
        reading.word(k) in ARTICLES or looks_like_name(reading.tokens[k].text, reading, k) for k in inner
    )
    if not (means or said or asks) and harmless(reading, at, end):
        yield end, reading.said(at, end)


@step("{text:title} [on|for] {target:object of one} {mark:colon}")
def surface_heading(build: Build, text: str, target: Target, mark: str) -> None:
    """The object of a heading is what the lines after it are about; the rest of it is a remark."""
    about(build, target, mark)
    build.note(f'"{text}" -> a remark: nothing is done for it')


KEPT: Final = 5
"""How many ways to read a description up to one place are followed."""
LONGEST: Final = 7
"""How many small words may stand between two items."""


@slot("description")
def description(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
    """The items of one sentence, in any order; the longest description first."""
    states: dict[int, list[tuple[Item, ...]]] = {at: [()]}
    place = at
    while place <= max(states):
        for so_far in states.get(place, []):
            for start, before in joints(reading, place):
                alone = kept_items(reading, "items", start, functools.partial(items, reading, start))
                if any(each.what == "panel" for each in so_far) and next(color(reading, start, {}, "bare"), None):
                    alone = [each for each in alone if each[1] not in {"look", "sets"}]  # the color of the glow
                for end, what, value in itertools.chain(later_items(reading, start, so_far), alone):
                    short = start < end <= start + 2
                    if what in {"look", "piece", "sets"} and short and owns(reading, end - 1, colored=True):
                        continue  # the normal map strength in Brick
                    longer = with_item(so_far, what, value, reading.said(start, end), before) if end > start else None
                    kept = states.setdefault(end, []) if longer else []
                    if longer is not None and longer not in kept:
                        kept.append(longer)
                        kept.sort(key=unlikely)
                        del kept[KEPT:]
        place += 1
    for end in sorted(states, reverse=True):
        closed = end
        while reading.word(closed) in NOUNS or (reading.mark(closed) == ")" and reading.mark(at) != "("):
            closed += 1
        for found in states[end]:
            if end > at and says_something(found):
                yield closed, found


def joints(reading: Reading, at: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Where the next item may begin, with the small words before it."""
    words: list[str] = []
    yield at, ()
    while len(words) < LONGEST:
        text = reading.mark(at) or reading.word(at)
        if text not in JOINS:
            return
        words.append(text)
        at += 1
        if text not in {"the", "a", "an"}:  # an item begins with its article
            yield at, tuple(words)


def with_item(
    so_far: tuple[Item, ...], what: str, value: Any, said: str, before: tuple[str, ...]
) -> tuple[Item, ...] | None:
    """A description with one more item; None where it makes no sense there."""
    kinds, small = [each.what for each in so_far], set(before)
    if what == "more":
        earlier, sets = value
        grown = replace(earlier.value, sets=(*earlier.value.sets, *sets))
        cost = earlier.cost + (0.5 if so_far[-1] is earlier else 1.5)
        return tuple(replace(each, value=grown, cost=cost) if each is earlier else each for each in so_far)
    if what == "value":
        kind, given = value
        told = ("piece", Piece("spoken", kind, kind.label, (given,))) if kind else ("sets", [given])
        done = tuple(replace(each, what=told[0], value=told[1]) if each.what == "prop" else each for each in so_far)
        behind = not before and so_far[-1].what in {"object", "material", "every"}  # "roughness of the cube 0.4"
        return done if behind or small & {"to", "=", ":", "as", "at", "be", "of", ">", "by"} else None
    if what == "sets" and any(of_cover(each, value) or of_fresnel(each, value) for each in so_far):
        return None  # 'a sheen shader on "Curtain", color red'
    if what == "world" and so_far and not small & ON | {"as"}:
        return None
    if what in {"material", "every", "repeat", "prop", "along", "world", "slotted"} and what in kinds:
        return None
    if so_far and misplaced(so_far, what, value, said.lower(), small):
        return None
    if "object" in small and what != "object":
        return None  # "the object color" is that of the object
    if what == "look" and value[2].lower() == "metallic" and said.lower().startswith("the "):
        return None  # the input
    if what == "material" and small & {"be", "is"}:
        return None  # that is another name for it
    if what == "object":
        again = any(each.what == "object" and each.value.how != "it" for each in so_far)
        behind = bool(so_far) and so_far[-1].what in {"noun", "material"} and "," in small
        first = not so_far and small <= VERBS | {"the", "to", "for", "on", "in", "also"}
        if (again and value.how != "it") or not (first or (so_far and (small & ON or behind) and "'s" not in small)):
            return None
    if what == "look" and so_far and so_far[-1].what == "piece" and small & {"into", "drives", "through", "feeds", ">"}:
        return None
    both = "both" in small and what in {"sets", "look"}
    if (small & {"is", "are"} and what not in {"piece", "value"} and not (both and is_pair(so_far))) or (
        both and not is_pair(so_far)
    ):
        return None
    return (*so_far, Item(what, value, said, before))


def of_cover(item: Item, sets: Sequence[Set]) -> bool:
    """Whether settings are called like inputs of the shader that an item puts in the place of the Principled one."""
    if item.what != "piece" or not is_cover(item.value) or item.value.parts:
        return False
    own = {socket.name for socket in item.value.node.inputs if socket.enabled} | {"Base Color"}
    return all(
        one.options and one.options[0][0].socket in own and not one.said.lower().startswith("base") for one in sets
    )


def of_fresnel(item: Item, sets: Sequence[Set]) -> bool:
    """Whether the IOR is that of a Fresnel node, which has nothing else: "fresnel into the alpha, IOR 1.2"."""
    fresnel = item.what == "piece" and is_a(item.value, "ShaderNodeFresnel") and not item.value.sets
    return fresnel and any(one.options and one.options[0][0].socket == "IOR" for one in sets)


def is_pair(so_far: Sequence[Item]) -> bool:
    """Whether two objects were named: "A and B are both brown"."""
    return len(so_far) == 1 and so_far[0].what == "object" and len(so_far[0].value.parts) == 2


def misplaced(so_far: tuple[Item, ...], what: str, value: Any, said: str, small: set[str]) -> bool:
    """Whether an item means something else right behind the last one."""
    last = so_far[-1]
    match what:
        case "piece":  # "the emission color"
            return last.what == "panel" and not small and value.how == "input"
        case "look":  # "emission white": the color of that
            return last.what == "prop" and value[0] is not None and not small
        case "object":  # 'new materials, "Day" ...'; "the water surface of the lake": how it is now
            if last.what == "noun" and last.said.lower().endswith("materials"):
                return not small & {"of", "on"}
            now = [each.what for each in so_far] == ["look", "noun"] and so_far[0].said.lower().startswith("the ")
            return now and "of" in small
        case "material":  # the settings are in the material; the name of an object
            called = said.startswith(("called ", "named ")) and last.what in {"object", "material"}
            return called or (so_far[0].what == "object" and last.what == "sets" and "in" in small)
        case _:
            return False


def unlikely(found: tuple[Item, ...]) -> float:
    """How far-fetched a reading is: few items are better than many."""
    score = float(len(found))
    if [each.what for each in found[1:2]] == ["object"] and set(found[1].before) & {"in", "on", "of"}:
        score += found[0].what == "piece" and found[0].value.how == "new" and found[0].said.lower().startswith("the ")
    plain, current = any(each.what == "plain" for each in found), False
    nodes = Counter(each.value.node.identifier for each in found if each.what == "piece" and each.value.how == "new")
    for each in found:
        score += each.cost + {"noun": -0.5, "stops": 0.2, "prop": 0.5}.get(each.what, 0.0)
        if (each.what == "object" and each.value.how == "word") or (each.what == "look" and current):
            score += 1.0
        current = current or each.what == "piece"
        if each.what == "sets" and not current and any(bare_hue(one) for one in each.value):
            score += 0.4  # "a dark gray material": a look of its own
        if each.what != "piece":
            continue
        if each.value.how == "input" and not set(each.before) & (FORWARD | BACKWARD) and each is not found[0]:
            score += 0.6
        if (
            each.value.how == "new"
            and nodes[each.value.node.identifier] > 1
            and set(each.before) <= {","}
            and not is_added(each)
        ):
            score += 4.0  # "..., brick width 0.6": more of the node
        if is_a(each.value, "ShaderNodeEmission") and not {"shader", "node", "bsdf"} & set(each.said.lower().split()):
            score += -2.0 if plain else 2.5
    return score


def bare_hue(one: Set) -> bool:
    """Whether a color alone was said."""
    return not one.key and bool(one.options) and one.options[0][0].socket == "Base Color"


def says_something(found: Sequence[Item]) -> bool:
    """Whether there is anything to do."""
    kinds = {each.what for each in found}
    if [each.what for each in found] == ["noun", "object"] and found[0].said.lower() == "material":
        return False
    several = {each.what for each in found if each.what == "noun" and each.said.lower().endswith("materials")}
    done = bool(kinds & {"look", "sets", "panel", "piece", "stops", "repeat"}) or {"object", "noun"} <= kinds - several
    return "prop" not in kinds and (done or ("material" in kinds and len(found[0].before) > 0))


def graph_of(lexicon: Lexicon, found: Sequence[Item]) -> Graph:
    """The pieces of a description, linked as the words between them say."""
    graph = Graph()
    found = without_topics(found)
    current: int | None = None
    middle: int | None = None
    last: int | None = None
    owning: set[str] = set()
    detours: list[tuple[int, int]] = []
    for item in found:
        owned, owning = owning, set(item.before) if item.what in {"noun", "object", "material"} else set[str]()
        if item.what == "stops":
            current = graph.with_stops(lexicon.manifest.nodes[RAMP], current, item.value)
        if item.what != "piece":
            continue
        if current is not None and graph.is_spread(current) and is_a(item.value, RAMP) and is_bare(item.value):
            continue  # "black at the bottom and blue at the top, through a color ramp"
        words = set(item.before) | (owned if "'s" in item.before else set[str]())  # "to the material's roughness"
        ahead = {"in", "front", "of"} <= words
        if ahead and item.value.image:
            raise refuse(item.said, "a node that is there, or a new one?")
        way = True if words & FORWARD or ahead else False if words & BACKWARD else None
        if words & BACKWARD == {"on"} and "based" not in words and item.value.how == "input" and current is not None:
            way = True  # "wood.png on the base color"
        if "in" in words and way is None and is_between(item.value) and current is not None:
            way = True  # "height.png in a bump node"
        takes = item.value.how == "input" or (item.value.how == "spoken" and bool(item.value.socket))
        number = graph.add(item.value)
        told = graph.pieces[number]
        own = current is not None and told.how == "spoken" and told.ref == current
        if own and way is not False and (told.said == "it" or not gives(graph.pieces[told.ref].node, told.socket)):
            current = number  # "its distance", "whose factor", of the node that stands just before
        elif middle is not None and "and" in words:
            graph.link(middle, number)
            current, middle = middle, None
        elif item.value.how == "coordinates" and current is not None and way is not True:
            node = graph.pieces[current].node
            if (
                way is False
                and graph.pieces[current].how == "new"
                and node
                and any(each.name == "Vector" for each in node.inputs)
            ):
                graph.link(number, current)  # else to the texture behind
        elif "between" in words and current is not None:
            graph.link(number, current)
            middle = current
        elif way is None and item.value.image and last is not None and takes_image(graph, last):
            graph.link(number, last)  # "the roughness map rough.png"
            current = number
        elif way is not True and is_a(item.value, UV) and current is not None and is_texture(graph.pieces[current]):
            graph.link(number, current)
        elif (
            current is not None and way is not True and words <= {",", ":", "and", "with"} and is_between(item.value)
            and is_texture(graph.pieces[current]) and last == current
        ):  # fmt: skip
            graph.link(current, number)  # "noise, scale 5, ramp red to blue"
            current = number
        elif current is None or (way is None and not takes):
            if item.value.how == "input" and way is True and len(graph.pieces) == 1:
                raise refuse(item.said, "what runs into it?")
            current = number
        elif way is False and last is not None and graph.pieces[last].how == "input":
            before = [start for start, end in graph.links if end == last]
            graph.links = [each for each in graph.links if each[1] != last]
            graph.link(number, last)
            for start in before if is_filter(graph, number) else ():
                graph.link(start, number)  # "the image into the roughness with an invert node"
            current = number
        elif (
            way is False and words & BACKWARD <= {":"} and is_texture(graph.pieces[current]) and is_texture(item.value)
        ):
            raise refuse(item.said, "which of the textures?")
        elif way is False and not takes and graph.pieces[current].how != "coordinates":
            graph.link(number, current)
            current = number
        elif graph.pieces[current].how == "input":
            sources = [start for start, end in graph.links if end == current]
            if not sources:
                raise refuse(item.said, "what runs into it?")
            graph.link(sources[0], number)
        else:
            fed = [end for start, end in graph.links if start == current and end < current]
            if takes and not words & {"and", "also", "both"} and any(graph.pieces[end].how == "input" for end in fed):
                raise refuse(item.said, "and into what was named before?")
            graph.link(current, number)
            current = current if item.value.how == "input" else number
        if "via" in words and way and last is not None and graph.pieces[last].how == "input" and gives_one(graph, last):
            detours.append((number, last))
        last = number
    for number, goal in detours:  # "noise into the roughness via a ramp"
        if not graph.runs(number):
            graph.links = [each for each in graph.links if each[1] != goal]
            graph.link(number, goal)
    return graph


def gives_one(graph: Graph, goal: int) -> bool:
    """Whether one thing alone runs into an input."""
    return sum(1 for _, end in graph.links if end == goal) == 1


def without_topics(found: Sequence[Item]) -> list[Item]:
    """The items without a node that is only named, and described behind a colon or as what does it: "toon look: toon
    shader red", "invert the image with an invert node".
    """
    new = [each.what == "piece" and each.value.how == "new" for each in found]

    def again(at: int) -> bool:
        behind = (k for k in range(at + 1, len(found)) if new[k] and found[k].value.node is found[at].value.node)
        words = {word for each in found[at + 1 : next(behind, at) + 1] for word in each.before}
        return bool(words & {":", "with", "using", "via"})

    return [each for at, each in enumerate(found) if not (new[at] and is_bare(each.value) and again(at))]


def is_bare(one: Piece) -> bool:
    """Whether nothing is said of a new node but what it is."""
    return one.how == "new" and not (one.sets or one.stops or one.image or one.parts or one.called or one.socket)


def is_between(one: Piece) -> bool:
    """Whether a new node is of use only where something runs into it."""
    return one.how == "new" and one.node is not None and one.node.identifier in {RAMP, *BUMPS, *DISPLACEMENTS}


def takes_image(graph: Graph, number: int) -> bool:
    """Whether a piece is an input, or a map, into which nothing runs so far."""
    one = graph.pieces[number]
    return (one.how == "input" or is_a(one, "ShaderNodeNormalMap")) and all(end != number for _, end in graph.links)


# --- writing ------------------------------------------------------------------------------------------------


def unsmoothed(build: Build, graph: Graph) -> None:
    """Let the images of a description show their pixels."""
    setting = Setting(Place("", IMAGE), build.lexicon.property(IMAGE, "interpolation"))
    found = [n for n, one in enumerate(graph.pieces) if is_a(one, IMAGE)]
    if not found:
        raise refuse("smoothing", "of which image?")
    for number in found:
        one = graph.pieces[number]
        graph.pieces[number] = replace(one, sets=(*one.sets, Set(((setting, "Closest"),), "no smoothing")))


def is_clear(one: Piece) -> bool:
    """Whether a node alone can be nothing else: "bevel" and "wave" are modifiers too."""
    words = NODE_NOUNS & set(one.said.lower().replace("(", " ").split())
    textured = one.node is not None and "Tex" in one.node.identifier and one.sets
    return bool(words or one.image or one.parts or textured or (is_a(one, RAMP) and one.stops))


def there(d: tuple[Item, ...]) -> tuple[Item, ...]:
    """A node that is named with a setting and what it belongs to, and not to be added, is there: "bevel radius 0.1 in
    material "Worn"", "the brick texture of "Wall": mortar size 0.04".
    """
    if len(d) < 2 or d[0].what != "piece" or d[1].what not in {"material", "object"} or d[0].before:
        return d
    if any(each.what != "look" or each.value[0] is None for each in d[2:]):
        return d
    one, owner = d[0].value, set(d[1].before)
    within = d[1].what == "material" and bool(owner & {"in", "inside"})
    owned = "of" in owner and d[0].said.split()[-1].lower() in NODE_NOUNS and not is_added(d[0])
    known = one.how == "new" and (one.sets or d[2:]) and not one.image and not one.parts
    fresh = d[1].what == "material" and d[1].value[1]
    named_ = replace(d[0], value=replace(one, how="spoken"))
    return (named_, *d[1:]) if known and not fresh and (within or owned) else d


def lit(build: Build, d: tuple[Item, ...]) -> tuple[Item, ...]:
    """A bare color right behind the strength of the emission is that of the light: "emission strength 5, green"."""
    found: list[Item] = []
    for each in d:
        before = next((one for one in reversed(found) if one.what not in {"object", "material", "noun"}), None)
        last = before.value[-1] if before is not None and before.what == "sets" else None
        strength = last.options[0] if last is not None and last.options else None
        glows = strength is not None and strength[0].socket == "Emission Strength" and strength[1] > 0
        bare = each.what == "look" and each.value[0] is not None and not each.value[1]
        if glows and bare and not is_metal(build, each.value[2]):
            given = Set(((input_of(build.lexicon, "Emission Color"), (*each.value[0].rgb, 1.0)),), each.said)
            found.append(replace(each, what="sets", value=[given]))
        else:
            found.append(each)
    meant = iter(of_glow(build, [one for each in found if each.what == "sets" for one in each.value]))
    return tuple(replace(e, value=[next(meant) for _ in e.value]) if e.what == "sets" else e for e in found)


NODE_NOUNS: Final = frozenset({"texture", "node", "map", "shader", "bsdf", "volume", "ramp"})


def is_added(item: Item) -> bool:
    """Whether an item is said to be new: "a noise texture", "add noise"."""
    return item.said.split()[0].lower() in {"a", "an", "new", "one", "another"} or bool(
        set(item.before) & {"a", "an", "new", "add", "create", "insert", "put", "build", "use", "give"}
    )


def unfed(build: Build, d: tuple[Item, ...], graph: Graph) -> None:
    """A node that is good for nothing alone is one that is there, where something is set on it: "displacement scale 0.03".

    Raises `NotUnderstood` where nothing is said of it, and nothing tells that it is to be added.
    """
    if graph.links or re.search(r"\b(add|insert|create)\b|\bnode\b", build.request, re.IGNORECASE):
        return
    for number, one in enumerate(graph.pieces):
        alone = one.how == "new" and one.node is not None and not (one.image or one.parts or one.called)
        if not alone or not (is_a(one, IMAGE) or is_a(one, "ShaderNodeDisplacement") or is_a(one, "ShaderNodeBump")):
            continue
        if any(each.value is one and is_added(each) for each in d):
            continue
        if not one.sets:
            raise refuse(one.said, "what runs into it?")
        graph.pieces[number] = replace(one, how="spoken")


def shader_hue(build: Build, graph: Graph, looks: list[Any]) -> list[Any]:
    """The looks without the color where that is said of the only shader: "a toon shader, red"."""
    led = {start for start, _ in graph.links}
    covers = [n for n, one in enumerate(graph.pieces) if is_cover(one) and n not in led and not one.parts]
    covers += [n for n, one in enumerate(graph.pieces) if one.how == "spoken" and is_shader(one)]
    hues = [each for each in looks if each[0] is not None]
    if len(covers) != 1 or len(hues) != 1:
        return looks
    one = graph.pieces[covers[0]]
    socket = next((each for each in one.node.inputs if each.name == "Color"), None) if one.node else None
    if one.node is None or socket is None or hues[0][1]:
        raise refuse(hues[0][2], "of the shader?")
    setting = Setting(Place("", one.node.identifier), as_property(socket), "Color")
    given = Set(((setting, (*hues[0][0].rgb, 1.0)),), hues[0][2])
    graph.pieces[covers[0]] = replace(one, sets=(*one.sets, given))
    return [each for each in looks if each is not hues[0]]


def is_cover(one: Piece) -> bool:
    """Whether a new shader takes the place of the Principled one."""
    return one.how == "new" and is_shader(one) and one.node is not None and "Volume" not in one.node.identifier


Parts = dict[str, list[Item]]
"""The items of a description by what they are."""


def set_upright(of: Parts) -> bool:
    """Whether colors are said to be at the bottom and at the top: what has them runs upwards then."""
    colored = [*of.get("stops", []), *(each for each in of.get("piece", []) if each.value.stops)]
    found = any({"bottom", "top"} & set(each.said.lower().split()) for each in colored)
    if found:
        of.setdefault("along", [Item("along", "Z", "Z")])
    return found


def in_world(build: Build, of: Parts, graph: Graph) -> None:
    """Nodes of the world, which run into the color of its background."""
    rest = of.keys() - {"world", "piece", "stops", "noun", "along", "backdrop"}
    for said in (one.said for piece_ in graph.pieces for one in piece_.sets):
        if re.match(r"strength|intensity|brightness", said, re.IGNORECASE):
            raise refuse(said, "of the texture, or of the background?")
    if rest or not graph.pieces:
        raise refuse(next(of[each][0].said for each in rest) if rest else "world", "of the world?")
    set_upright(of)
    lead(build, graph, glowing=False, repeat=None, along=of["along"][0].value if "along" in of else "", world=True)
    topic = world_topic(build)
    write_graph(build, topic, graph)
    for each in of.get("backdrop", []):
        build.assign(topic.shader, build.choose(each.value, (Place("", BACKGROUND),), "the background"))


@dataclass(frozen=True)
class Told:
    """What a description says, as the reasons to refuse it look at it."""

    build: Build
    d: tuple[Item, ...]
    of: Parts
    graph: Graph
    looks: Sequence[Any]
    hues: Sequence[Color]
    sets: Sequence[Set]

    @property
    def words(self) -> str:
        """The request."""
        return self.build.request.lower()

    def only(self, *kinds: str) -> bool:
        """Whether it has items of these kinds alone."""
        return self.of.keys() <= set(kinds)

    def every(self, *hows: str) -> bool:
        """Whether it has pieces, and all of them are of these kinds."""
        return bool(self.graph.pieces) and all(one.how in hows for one in self.graph.pieces)

    def first(self, test: Callable[[int, Piece], object]) -> str | None:
        """What was said of the first piece of which something is true."""
        return next((one.said for n, one in enumerate(self.graph.pieces) if test(n, one)), None)


def unclear_node(t: Told) -> str | None:
    """A word that may be something else than a node of the material: "bevel"."""
    if t.graph.links or not t.only("piece", "object") or any(is_clear(one) for one in t.graph.pieces):
        return None
    known = {spot.node.identifier for _, spot in t.build.memory.get("_nodes", [])}
    again = all(one.how == "spoken" and one.node and one.node.identifier in known for one in t.graph.pieces)
    told = "texture" in t.words and all(one.how == "coordinates" for one in t.graph.pieces)
    return None if told or again else t.graph.pieces[0].said


def substance(t: Told) -> str | None:
    """A noun that says of what something is, and not how that looks."""
    alone = t.only("noun", "object") and t.d[0].what == "noun" and not re.search(r"[.;]\s+\S", t.build.request)
    return next(iter(set(t.d[0].said.lower().split()) & SUBSTANCES), None) if alone else None


def two_hues(t: Told) -> str | None:
    """A texture beside a color of the surface: which one has it?"""
    led = {start for start, _ in t.graph.links}
    based = any(one.options and one.options[0][0].socket == "Base Color" for one in t.sets)
    new = [one for n, one in enumerate(t.graph.pieces) if one.how == "new" and n not in led]
    free = any(is_texture(one) or is_a(one, ATTRIBUTE) or is_a(one, "ShaderNodeAttribute") for one in new)
    return t.graph.pieces[0].said if (t.hues or based) and free else None


LOADED: Final = re.compile(r"\W*(please )?(load|open|import)\b(?!.*\bmaterial)")
UNCLEAR: Final[tuple[tuple[Callable[[Told], object], str], ...]] = (
    (lambda t: t.first(lambda _, one: is_a(one, BACKGROUND)), "of the world, or of the camera?"),
    (lambda t: not re.search(r"material|shader|surface", t.words) and t.first(lambda _, one: is_a(one, "ShaderNodeTexSky")), "of the world?"),
    (lambda t: spoken_elsewhere(t.build, t.of, t.graph.pieces) and t.d[0].said, "of the material, or of the render?"),
    (lambda t: t.only("piece") and len(t.d) == 1 and t.d[0].said[:5].lower() == "image" and t.graph.pieces[0].image, "what of it?"),
    (lambda t: not t.of.keys() & {"object", "material", "noun", "prop", "panel"} and LOADED.match(t.words) and t.d[0].said, "the image alone, or in a material?"),
    (lambda t: t.first(lambda _, one: one.image.endswith((".blend", ".py", ".csv", ".json"))), "no picture"),
    (lambda t: t.only("piece") and t.every("coordinates") and "mapping" in t.words and t.d[0].said, "for the mapping node, or for the texture behind it?"),
    (lambda t: t.only("look", "object") and next((each[2] for each in t.looks if each[2].lower() in SHADING), None), "how its faces are shaded, or a material?"),
    (lambda t: len(t.hues) > 1 and t.of["look"][-1].said, "two colors"),
    (unclear_node, "a node of the material?"),
    (substance, "how does it look?"),
    (lambda t: set_upright(t.of) and t.first(lambda _, one: is_texture(one)) is None and t.d[-1].said, "of which texture?"),
    (lambda t: not t.graph.links and t.every("spoken", "input") and not any(one.sets or one.stops for one in t.graph.pieces) and t.graph.pieces[0].said, "what of it?"),
    (lambda t: not t.graph.links and "noun" not in t.of and t.first(lambda n, one: n == 0 and is_a(one, ATTRIBUTE)), "a node of the material, or a layer of the mesh?"),
    (lambda t: [each.said.lower() for each in t.d] == ["smooth"] and re.search(r"frame|anim", t.words) and t.d[0].said, "the surface, or the motion?"),
    (lambda t: t.first(lambda n, _: t.graph.mixes_nothing(n)), "what does it mix?"),
    (lambda t: next((t.sets[0].said for one in t.sets for option, _ in one.options[:1] if option.prop.name == "name"), None), "the name of what?"),
    (two_hues, "a color of the surface, or one of the texture?"),
    (lambda t: "each" in t.of and t.first(lambda _, one: is_a(one, "ShaderNodeObjectInfo")) is None and t.of["each"][0].said, "by which node?"),
    (lambda t: not t.graph.pieces and next((t.of[each][0].said for each in ("raw", "plain", "along", "pixels") if each in t.of), None), "of what?"),
)  # fmt: skip
"""What a description may not be, with the words that are to blame, and why."""


def once_each(sets: Sequence[Set]) -> None:
    """Raises `Ambiguous` where an input gets two values."""
    inputs = [(each.options[0][0].socket, each) for each in sets if len(each.options) == 1]
    inputs = [each for each in inputs if each[0] not in {"", "Base Color"}]
    if twice := [one.said for name_, one in inputs if one.options[0][1] != dict(inputs)[name_].options[0][1]]:
        raise Ambiguous(twice, f'"{twice[0]}": and another value of it?')


def has_own(build: Build, topic: Topic, d: Sequence[Item]) -> bool:
    """Whether "its" may be that of what was spoken of last, which has a setting that is named here: the opacity of a layer."""
    said = {word for each in d for word in (*each.said.lower().split(), *each.before)}
    labels = {prop.label.lower() for place in topic.places for prop in build.lexicon.properties(place.type)}
    return topic.title == "NLA strip" or (bool(said & {"it", "its"}) and bool(said & labels))


@step("{d:description}")
def surface(build: Build, d: tuple[Item, ...]) -> None:
    """How a surface looks, on the objects or the material that are meant."""
    d = lit(build, d)
    of: Parts = {what: [each for each in d if each.what == what] for what in {each.what for each in d}}
    if isinstance(build.topic, Topic) and has_own(build, build.topic, d):
        raise refuse(d[0].said, f"of the {build.topic.title}, or of a surface?")
    for each in of.get("object", []):
        if isinstance(each.value, Target):
            build.not_in_hand(each.value)
    held = build.memory.get("_held")
    spoken_of = any({"it", "this"} & {*each.said.lower().split(), *each.before} for each in d)
    if held is not None and held is build.it and spoken_of:
        raise refuse(d[0].said, "the collection, or what is in it?")
    d = there(d)
    graph = graph_of(build.lexicon, d)
    if "world" in of or any(one.said == "background color" for one in graph.pieces):
        in_world(build, of, graph)
        build.note("; ".join(each.said for each in d))
        return
    unfed(build, d, graph)
    looks = shader_hue(build, graph, [each.value for each in of.get("look", [])])
    if not looks:
        of.pop("look", None)
    hues = [each[0] for each in looks if each[0] is not None]
    sets = [one for each in of.get("sets", []) for one in each.value]
    told = Told(build, d, of, graph, looks, hues, sets)
    for blamed, reason in UNCLEAR:
        if said := blamed(told):
            raise refuse(str(said), reason)
    once_each(sets)
    led = {start for start, _ in graph.links}
    if "pixels" in of:
        unsmoothed(build, graph)
    with material_meant(build, of, nodes=bool(graph.pieces)) as topic:
        finishes = {key: value for each in looks for finish in each[1] for key, value in finish.items()}
        exact = {each.options[0][0].socket for each in sets if each.options}
        finishes = {key: value for key, value in finishes.items() if key not in exact}
        if any(is_metal(build, each[2]) for each in looks):
            finishes = {key: value for key, value in {**METAL, **finishes}.items() if key not in exact}
        write_inputs(build, topic, hues[0] if hues and "Base Color" not in exact else None, finishes)
        write_panels(build, topic, of)
        for each in of.get("method", []):
            build.line(f'{topic.var}.displacement_method = "{each.value}"')
        covered: set[str] = build.memory.setdefault("_covered", set())
        if any(is_cover(one) and n not in led for n, one in enumerate(graph.pieces)):
            covered.add(topic.var)
        if topic.var in covered and any(one.options and one.options[0][0].socket for one in sets):
            raise refuse(sets[0].said, "of the Principled shader, which nothing shows then?")
        if sets:
            write_settings(build, topic, sets)
        if graph.pieces or "repeat" in of:
            along, repeat = (of[each][0].value if each in of else None for each in ("along", "repeat"))
            lead(build, graph, glowing="panel" in of, repeat=repeat, along=along or "")
            goals = [graph.pieces[end].socket for _, end in graph.links if graph.pieces[end].how == "input"]
            if len(set(goals)) < len(goals) or (hues and "Base Color" in goals):
                raise refuse(of["piece"][0].said if "piece" in of else "", "two things for one input")
            write_graph(build, topic, graph, raw=color_space(build, of, graph), bare="plain" in of)
            gone = any("principled" in each.said.lower() for each in of.get("noun", []))
            if gone and topic.var in covered and re.search(r"\b(replac|swap|exchang)", build.request, re.IGNORECASE):
                tree = tree_var(build, topic)
                with build.block(f'for node in [each for each in {tree}.nodes if each.type == "BSDF_PRINCIPLED"]:'):
                    build.line(f"{tree}.nodes.remove(node)")
    build.note("; ".join(each.said for each in d))


def color_space(build: Build, of: Parts, graph: Graph) -> str:
    """The color space that is said of the image; of several images those that hold no colors are meant, which have it anyway."""
    space = of["raw"][0].value if "raw" in of else ""
    images = sum(1 for one in graph.pieces if one.image)
    if not space or images < 2 or re.search(r"\b(both|all|every|each)\b", build.request, re.IGNORECASE):
        return space
    if space != "Non-Color" or not any(graph.holds_data(number) for number in range(len(graph.pieces))):
        raise refuse(of["raw"][0].said, "of which image?")
    return ""


ELSEWHERE: Final = re.compile(
    r"\b(workbench|x-ray|xray|passes|compositor|hdris?|world|lights?|lamps?|spots?)\b|\bpass\b|\.(hdr|hdri)\b",
    re.IGNORECASE,
)
"""Words for what has settings called like those of surfaces."""
SURFACES: Final = re.compile(
    r"material|shader|surface|textur|image|colou?r|roughness|normal|bump|map|paint|emission|emit|glow", re.IGNORECASE
)


def spoken_elsewhere(build: Build, of: Parts, pieces: Sequence[Piece]) -> bool:
    """Whether words that name neither object nor material may be of the render, of a light or of a file to be written:
    "workbench render, opacity 0.4", "test.png please".
    """
    if not of.keys() & {"object", "material"} and "workbench" in build.request.lower() and build.it is None:
        return True
    if build.topic is not None or SURFACES.search(build.request):
        return False
    if of.keys() <= {"piece"} and pieces and all(one.image for one in pieces):
        return True
    return not of.keys() & {"object", "material"} and bool(ELSEWHERE.search(build.request))


def write_panels(build: Build, topic: MaterialTopic, of: Parts) -> None:
    """The color and the main value of the panels that were named, where nothing else is said of them."""
    said = {option[0].socket for item in of.get("sets", []) for each in item.value for option in each.options}
    for each in of.get("panel", []):
        panel, hue = each.value
        socket, value = MAIN[panel]
        if hue is not None:
            tint = "Emission Color" if panel == "Emission" else f"{panel} Tint"
            build.line(f'set_input({shader_var(build, topic)}, "{tint}", {literal((*hue.rgb, 1.0))})')
        definite = each.said.lower().startswith("the ") and any(other.startswith(f"{panel} ") for other in said)
        topic.said.add(socket)
        if socket not in said and not definite:  # "the coat should have an IOR of 1.7" is there already
            build.line(f'set_input({shader_var(build, topic)}, "{socket}", {literal(value)})')


@contextmanager
def material_meant(build: Build, of: Parts, *, nodes: bool) -> Generator[MaterialTopic, None, None]:
    """The material that a description is of: one by its name, that of an object, of several, all, the last one."""
    aims = [each.value for each in of.get("object", [])]
    goal = next((each for each in aims if each.how != "it"), aims[0] if aims else None)
    title = of["material"][0].value if "material" in of else None
    fresh = any(each.value == "new" for each in of.get("noun", [])) or (title is not None and title[1])
    topic = build.topic.material if isinstance(build.topic, TextureTopic) else build.topic
    if isinstance(topic, MaterialTopic) and goal is not None and goal.how == "it" and title is None:
        goal = None
    if "slotted" in of:
        number, holder = of["slotted"][0].value
        if goal or title or number < 1:
            raise refuse(of["slotted"][0].said, "which slot, of which object?")
        known = build.one(holder)
        build.need("expect")
        var = build.var("material")
        place = f"{known.var}.material_slots[{number - 1}].material"
        build.line(f"{var} = expect({place}, bpy.types.Material)")
        yield topic_of(build, var)
        return
    if "every" in of and goal is not None and not (title or nodes or "look" in of):
        if of["every"][0].value != "bpy.data.materials" or goal.how == "it":
            raise refuse(of["every"][0].said, "which of them?")
        with build.each(goal, type_="MESH") as known:
            own = f"[slot.material for slot in {known.var}.material_slots if slot.material]"
            with every_material(build, own) as each:
                yield each
        return
    if "every" in of:
        if goal or title or nodes or "look" in of:
            raise refuse(of["every"][0].said, "each of them?")
        with every_material(build, of["every"][0].value) as each:
            yield each
        return
    old = title is None and not fresh and not is_new_look(build, of, None)
    if goal is not None and old and may_be_either(build, goal):
        check_material(build, of)
        if build.request.startswith(goal.name) and is_no_name(build.lexicon, goal.name):
            raise refuse(goal.said, "a setting, or what is called so? Put its name in quotes")
        if re.search(r"\bopacity\b", build.request, re.IGNORECASE) and of.keys() <= {"object", "sets"}:
            raise refuse(goal.said, "a material, a strip or a layer?")
        yield material_called(build, goal.name)
        return
    if of.keys() <= {"look"} and not (build.it or topic):
        raise refuse(of["look"][0].said, "of which object?")
    if goal is not None and re.search(r"\b(light|lamp|camera)s?\b", re.sub(r'"[^"]*"', "", goal.said.lower())):
        raise refuse(goal.said, "it shows no material")
    before = build.it
    found = build.objects(goal) if goal is not None else None
    if isinstance(found, Known) and found.type and found.type not in SHOWING:
        raise refuse(goal.said if goal else "", "it shows no material")
    check_material(build, of)
    if goal is None and title is None and build.it is None and topic is None and build.notes:
        raise refuse("", "of which object? What stands before may tell")
    if title is None and goal is None and isinstance(topic, MaterialTopic) and not fresh:
        build.topic = topic
        yield topic
    elif title is not None or fresh or is_new_look(build, of, found):
        theirs = "material" in of and bool({"its", "their"} & set(of["material"][0].before))
        made = isinstance(before, Known) and before.made and before.var not in build.memory.get("_material_topics", {})
        topic = chosen_material(build, of, title, fresh, found)
        assign(build, topic, goal if goal or (title is not None and not (theirs and made)) else Target("it"))
        if goal is None:
            build.it = before
        yield topic
    elif not isinstance(found, Many):
        yield material_for(build, goal)
    else:
        if nodes:
            raise refuse(goal.said if goal else "", "one object is meant here")
        build.need("material_of")
        with build.each(goal, type_="MESH") as known:
            build.line(f"material = material_of({known.var})")
            yield MaterialTopic("material", material_places(build), "material")
        build.topic = None


def may_be_either(build: Build, goal: Target) -> bool:
    """Whether a name alone was said, of which the request does not speak again: an object is called so, or a material."""
    alone = goal.how == "named" and goal.said.strip("\"'`“”‘’") == goal.name
    again = re.search(r"\b(it|its|them|their)\b", build.request.lower())
    return alone and not again and all(known.name != goal.name for known in build.known)


@contextmanager
def every_material(build: Build, which: str) -> Generator[MaterialTopic, None, None]:
    """Each material of an expression that has nodes, in a loop."""
    build.comment("every material")
    with build.block(f"for material in {which}:"):
        build.line("if material.node_tree is None:\n    continue")
        yield MaterialTopic("material", material_places(build), "material")
    build.topic = None


def is_new_look(build: Build, of: Parts, found: Known | Many | None) -> bool:
    """Whether a look asks for a material of its own, so that what shares the old one keeps it."""
    own = isinstance(found, Known) and found.var in build.memory.get("_material_topics", {})
    if any(each.value == "its" for each in of.get("noun", [])):
        return False
    colored = any(each.value[0] is not None for each in of.get("look", []))
    return (colored and not own) or (
        "look" in of and (isinstance(found, Many) or (isinstance(found, Known) and found.made and not own))
    )


def chosen_material(
    build: Build, of: Parts, title: tuple[str, bool] | None, fresh: bool, found: Known | Many | None
) -> MaterialTopic:
    """The material of a name: a new one, or one that is there."""
    seen = titled(of["look"][0].value[2]) if "look" in of else "Material"
    if seen in {"Flat", "Smooth"} and title is None and not of.keys() & {"material", "noun"}:
        raise refuse(seen.lower(), "a material, or how the faces are shaded?")
    if title and not of.keys() - {"material"} and "material" not in build.request.lower():
        raise refuse(title[0], "the name of what?")
    name_ = title[0] if title else seen
    build.comment(f"the material {name_}")
    if fresh or title is None:
        return topic_of(build, made_material(build, name_))
    return topic_of(build, named_material(build, name_, make=bool(of.keys() - {"object", "material", "noun"})))


def assign(build: Build, topic: MaterialTopic, goal: Target | None) -> None:
    """Let objects have a material, in every slot."""
    if goal is None:
        return
    build.need("use_material")
    with build.each(goal, type_="MESH") as known:
        build.line(f"use_material({known.var}, {topic.var})")
        if known.var != "obj":
            build.memory.setdefault("_material_topics", {})[known.var] = topic
    build.topic = topic


def check_material(build: Build, of: Parts) -> None:
    """Raise `NotUnderstood` where a setting may be that of the object."""
    own = {prop.name for prop in build.lexicon.properties("Object")}
    if "object" in of and not of.keys() & {"material", "noun", "look", "piece", "panel"}:
        for each in (one for item in of.get("sets", []) for one in item.value):
            if each.options and all(not option[0].socket and option[0].prop.name in own for option in each.options):
                raise refuse(each.said, "of the object, or of its material?")
