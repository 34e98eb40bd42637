"""Nodes of a material and what runs from one to the next: "a noise texture (scale 4) through a ramp into the roughness".

A piece is a new node with its settings, a node that was spoken of, an input of the shader, or texture coordinates. A graph
holds pieces and links; what runs nowhere is led to where such a node belongs, with the node that is needed in between.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Final, Literal

from app.drafting.composer.build import WIDTH, Build
from app.drafting.composer.lexicon import Place, Setting, as_property
from app.drafting.composer.patterns import Reading
from app.drafting.composer.slots import Set, color, is_color, known_name, links, name, quantity, settings, skip
from app.drafting.composer.steps.materials import (
    PRINCIPLED,
    MaterialTopic,
    Spot,
    TextureTopic,
    add_node,
    image_of,
    node_settings,
    shader_var,
    tree_var,
)
from app.drafting.composer.values import Color, Degrees, literal, refuse
from ingest.manifest import NodeType, Socket

RAMP: Final = "ShaderNodeValToRGB"
NEEDED: Final = "coordinates where there are none"
RAMP_NEEDED: Final = "colors in between"
COORDINATES: Final = "ShaderNodeTexCoord"
OUTPUT: Final = "ShaderNodeOutputMaterial"
IMAGE: Final = "ShaderNodeTexImage"
MAPPING: Final = "ShaderNodeMapping"
WAVE: Final = "ShaderNodeTexWave"
UV: Final = "ShaderNodeUVMap"
ADDING: Final = "ShaderNodeAddShader"
ATTRIBUTE: Final = "ShaderNodeVertexColor"
MIX: Final = "ShaderNodeMix"
VORONOI: Final = "ShaderNodeTexVoronoi"
BUMPS: Final = frozenset({"ShaderNodeBump", "ShaderNodeNormalMap", "ShaderNodeBevel"})
DISPLACEMENTS: Final = frozenset({"ShaderNodeDisplacement", "ShaderNodeVectorDisplacement"})
MIXES: Final = frozenset({RAMP, "ShaderNodeMixRGB", MIX})
MIXING_SHADERS: Final = frozenset({"ShaderNodeMixShader", ADDING})
NAMED_BY: Final = {
    "ShaderNodeAttribute": "attribute_name",
    "ShaderNodeVertexColor": "layer_name",
    "ShaderNodeUVMap": "uv_map",
}
DATA_INPUTS: Final = frozenset(
    {"Roughness", "Metallic", "Normal", "Displacement", "Alpha", "Specular IOR Level", "Coat Weight"}
)
"""Inputs that take no colors, so that an image for them holds none."""


@dataclass(frozen=True)
class Stop:
    """A color of a ramp, and where it is, from 0 to 1."""

    hue: Color
    at: float | None = None


@dataclass(frozen=True)
class Piece:
    """A node of a graph. `socket` is the output it gives or the input it takes, where that was said.

    `ref` is the number of the piece that a spoken one means; `parts` are the shaders that a Mix Shader mixes.
    """

    how: Literal["new", "spoken", "input", "coordinates"]
    node: NodeType | None
    said: str
    sets: tuple[Set, ...] = ()
    stops: tuple[Stop, ...] = ()
    socket: str = ""
    called: str = ""
    image: str = ""
    parts: tuple[Piece, ...] = ()
    factor: float | None = None
    ref: int = -1


SPACES: Final = {"object": "Object", "uv": "UV", "generated": "Generated", "camera": "Camera", "window": "Window",
                 "reflection": "Reflection"}  # fmt: skip
OUTPUTS: Final = frozenset({"color", "fac", "factor", "distance", "height", "alpha", "normal", "value", "position"})
WORDS: Final = frozenset(
    {"it", "texture", "ramp", "image", "node", "noise", "bump", "mapping", "pattern", "result", "color", "mix"}
)
ROLES: Final = {
    "Base Color": ("color", "col", "basecolor", "base", "albedo", "diffuse", "diff", "colour"),
    "Roughness": ("rough", "roughness", "rgh"), "Metallic": ("metal", "metallic", "metalness"),
    "Normal": ("normal", "nrm", "nor", "norm", "normals"), "Alpha": ("alpha", "opacity", "mask"),
    "Emission Color": ("emission", "emissive", "glow"), "Displacement": ("disp", "displacement", "height"),
}  # fmt: skip
"""What the parts of a file's name say about where an image goes."""


# --- reading ------------------------------------------------------------------------------------------------


ROLE_WORDS: Final = {
    word: goal
    for goal, words in ROLES.items()
    for word in words
    if goal != "Displacement" and word not in {"color", "glow", "mask"}
}


def role_of(reading: Reading, at: int) -> tuple[int, Piece] | None:
    """What an image is for, said in a word beside it: "albedo wood.png", "wood.png (diffuse)"."""
    goal = ROLE_WORDS.get(reading.tokens[at].word if at < len(reading.tokens) else "")
    if goal is None:
        return None
    end = skip(reading, at + 1, {"map", "texture", "image"})
    if goal == "Normal" and reading.word(at + 1) == "map":
        return None  # a node
    before = at - 1 - (reading.mark(at - 1) == "(")
    ahead = skip(reading, end + (reading.mark(end) in {":", "="}), {"from", "is", "the"})
    behind = at > 0 and is_picture(reading, before) and reading.mark(end) in {")", ",", ";", "."} | {""}
    if behind and reading.mark(at - 1) != "(" and end < len(reading.tokens) and reading.mark(end) == "":
        behind = reading.word(end) in {"and", "on", "for"}
    if not (is_picture(reading, ahead) or behind):
        return None
    return end, Piece("input", None, reading.said(at, end), socket=goal)


def is_picture(reading: Reading, at: int) -> bool:
    """Whether the path of a picture stands here."""
    token = reading.tokens[at] if 0 <= at < len(reading.tokens) else None
    return token is not None and token.kind == "path" and bool(PICTURE.search(token.text))


ENDS: Final = {"left": 0.0, "bottom": 0.0, "start": 0.0, "beginning": 0.0, "middle": 0.5, "center": 0.5, "right": 1.0,
               "top": 1.0, "end": 1.0}  # fmt: skip
LEADING: Final = frozenset({
    "that", "which", "goes", "going", "runs", "running", "with", "from", "between", "of", "stops", "colors", "the", "mixes",
    "mixing", "blends", "blending", "is", "in", "two", "at", "mix", "blend", "three",
})  # fmt: skip
NEXT_STOP: Final = frozenset({"to", "and", "over", "through", "via", "then", "the"})
PARTS: Final = frozenset({"at", "position", "on", "the", "in", "lines", "cracks", "part", "parts", "side"})


def stops(reading: Reading, at: int) -> Iterator[tuple[int, tuple[Stop, ...]]]:
    """ "from black to white", "goes from #3B2410 on the left to tan on the right", "red at 0.2 and blue at 0.8"."""
    place = skip(reading, at, LEADING)
    opened = reading.mark(place) in {"(", ":"}
    place = skip(reading, place + opened, {"from", "between", "with", "colors", "the"})
    place += reading.mark(place) in {",", ":"} and reading.word(place - 1) == "colors"
    led = reading.word(place - 1) == "from"
    found: list[Stop] = []
    while True:
        before, spot = place, ENDS.get(reading.word(place)) if reading.mark(place + 1) == "(" else None
        place += 2 * (spot is not None)  # "bottom (dark blue)"
        ahead = next(quantity(reading, place, {}, "share"), None)  # "0.3 black"
        if ahead is not None and 0 <= ahead[1].value <= 1 and next(color(reading, ahead[0], {}, "bare"), None):
            place, spot = ahead[0], ahead[1].value
        read = next(color(reading, place, {}, "bare"), None)
        if read is None:
            return
        place = read[0] + (ahead is None and spot is not None and reading.mark(read[0]) == ")")
        start = skip(reading, place, PARTS)
        bracket = reading.mark(start) == "("
        given = next(quantity(reading, start + bracket, {}, "share"), None)
        if given is not None and (start > place or bracket) and 0 <= given[1].value <= 1:
            place, spot = given[0] + (bracket and reading.mark(given[0]) == ")"), given[1].value
        elif start > place and reading.word(start) in ENDS:
            place, spot = start + 1, ENDS[reading.word(start)]
        elif start > place and reading.word(start - 1) in {"lines", "cracks", "part", "parts", "side"}:
            place = start
        found.append(Stop(read[1], spot))
        if len(found) > 1:
            yield place + (opened and reading.mark(place) == ")"), tuple(found)
        over = reading.word(place) == "over" and not led
        before = place
        while reading.mark(place) in {",", "/", "-", ">", ";", "…", "...", ".."} or reading.word(place) in NEXT_STOP:
            place += 1
        if over and len(found) == 1 and (last := next(color(reading, place, {}, "bare"), None)) is not None:
            yield last[0], (Stop(last[1]), found[0])
            return
        if place == before:
            return


BEFORE_NODES: Final = frozenset({
    "the", "a", "an", "new", "its", "this", "that", "another", "same", "existing", "present", "subtle", "slight", "fine",
})  # fmt: skip


def piece(reading: Reading, at: int, of: str = "") -> Iterator[tuple[int, Piece]]:
    """A node: a new one with its settings, one that was spoken of, an input of the shader, texture coordinates."""
    start = skip(reading, at, BEFORE_NODES)
    kept = start > at and reading.word(start - 1) in {"existing", "present"}
    definite = kept or reading.word(at) in {"the", "its", "this", "that"}
    yield from coordinates(reading, at, start)
    output, place = "", start
    following = skip(reading, start + 1, {"output", "input", "socket"})
    if reading.word(start) in OUTPUTS and reading.word(following) == "of":
        output, place, definite = reading.word(start), skip(reading, following, {"of", "the", "a", "an"}), True
    elif reading.word(start) in OUTPUTS and (reading.word(at) == "its" or reading.word(start + 1) == "output"):
        yield following, Piece("spoken", None, "it", socket=reading.word(start))
    elif reading.word(at) in OUTPUTS and reading.word(at + 1) in {"into", "to"} and reading.mark(at - 1) in {":", ","}:
        return  # "put it on the wall: color into Base Color, ...": the color of what?
    nodes = reading.lexicon.nodes["ShaderNodeTree"]
    for label in range(place, min(place + 4, len(reading.tokens))):
        kinds = [(end, kind) for end, found in nodes.matches(reading.tokens, label) for kind in found]
        hue = next((each for end, each in color(reading, place, {}, "bare") if end == label), None)
        for end, kind in kinds:
            if kind.identifier == PRINCIPLED or not kind.outputs:
                continue
            table = reading.lexicon.sockets(kind).items
            early = [items for last, items in table.matches(reading.tokens, place) if last == label]
            after = skip(reading, end, KIND_NOUNS)
            tint = hue_of(kind, hue) if of == "mixed" or {"shader", "bsdf"} & {reading.word(after - 1)} else ()
            if label > place and not early and not tint:
                continue
            finish = reading.lexicon.finishes.first(reading.tokens, place)
            if of != "mixed" and after == end == place + 1 and finish is not None:
                continue  # "glass" is a look, "a glass shader" a node
            first = list(tint) or ([Set(tuple(early[0]), reading.said(place, label))] if label > place else [])
            for last, socket in outputs(reading, after, kind):
                yield last, Piece("new", kind, reading.said(at, last), tuple(first), socket=socket)
            plain = after == end and not {"rgb", "node"} & {reading.word(each) for each in range(at, end)}
            if kind.identifier in {"ShaderNodeNormal", "ShaderNodeRGB"} and plain:
                continue  # the input
            if definite and not (kind.identifier in DISPLACEMENTS and after == end):
                yield from spoken(reading, at, after, kind, output)
            if not kept and reading.word(at) not in {"its", "this", "that"}:
                for last, called in named(reading, after) if kind.identifier not in NAMED_BY else [(after, "")]:
                    yield from described(reading, at, last, Piece("new", kind, "", tuple(first), (), output, called))
        if kinds:
            break
    yield from image_file(reading, at, start)
    yield from shader_input(reading, at, start)
    if reading.word(place) in WORDS and (definite or reading.word(place) == "it"):
        end = skip(reading, place + 1, {"node", "texture"})
        yield end, Piece("spoken", None, reading.word(place), socket=output)


def hue_of(kind: NodeType, hue: Color | None) -> tuple[Set, ...]:
    """A color before the name of a shader, as that of the shader: "a red diffuse shader"."""
    socket = next((each for each in kind.inputs if each.name == "Color"), None)
    shader = bool(kind.outputs) and kind_of(kind.outputs[0]) == "shader"
    if hue is None or socket is None or not shader:
        return ()
    return (Set(((Setting(Place("", kind.identifier), as_property(socket), "Color"), (*hue.rgb, 1.0)),), hue.label),)


def outputs(reading: Reading, at: int, kind: NodeType) -> Iterator[tuple[int, str]]:
    """An output behind its node: "layer weight facing", "the Fac output"."""
    for socket in kind.outputs:
        words = tuple(socket.name.lower().split())
        if socket.enabled and words and reading.words(at, len(words)) == words:
            yield skip(reading, at + len(words), {"output"}), socket.name


KIND_NOUNS: Final = frozenset(
    {"texture", "node", "map", "shader", "bsdf", "pattern", "crack", "cracks", "cells", "layer"}
)


def coordinates(reading: Reading, at: int, start: int) -> Iterator[tuple[int, Piece]]:
    """ "object coordinates", "the UV map", "generated"."""
    space = SPACES.get(reading.word(start), "")
    end = skip(reading, start + 1, {"texture", "space"})
    last = skip(reading, end, {"coordinates", "coordinate", "coords", "coord", "mapping", "map", "output"})
    if space and (last > start + 1 or space in {"UV", "Generated"}):
        yield last, Piece("coordinates", None, reading.said(at, last), socket=space)


def spoken(reading: Reading, at: int, after: int, kind: NodeType, output: str) -> Iterator[tuple[int, Piece]]:
    """A node that is there, and perhaps settings for it: "the image texture to closest"."""
    for link in links(reading, skip(reading, after, {"'s"})) if not output else ():
        for last, sets in settings(reading, link, {"node": kind}, "node"):
            yield last, Piece("spoken", kind, reading.said(at, last), tuple(sets))
    yield after, Piece("spoken", kind, reading.said(at, after), socket=output)


PICTURE: Final = re.compile(r"\.(png|jpe?g|exr|tiff?|bmp|webp|hdr|tga|dds|psd|mp4|mov|avi|mkv)$", re.IGNORECASE)
"""How the name of a picture's file ends."""
PLACES: Final = frozenset({"the", "working", "current", "dir", "directory", "folder", "this", "cwd", "same"})


MODEL: Final = re.compile(r"\.(obj|stl|ply|glb|gltf|fbx|usd[acz]?|abc|dae|csv|json|txt|py|wav|mp3)$", re.IGNORECASE)
"""Files that are no pictures."""


def image_file(reading: Reading, at: int, start: int) -> Iterator[tuple[int, Piece]]:
    """An image texture of a file: "wood.png", "the image texture wood.png", 'the image "Checks"'."""
    node = reading.lexicon.manifest.nodes[IMAGE]
    place = skip(reading, start, {"image", "texture", "file", "picture", "photo", "movie"})
    place = skip(reading, place, {"from", "of", "file", "the"}) if place > start else place
    token = reading.tokens[place] if place < len(reading.tokens) else None
    owned = {reading.word(each) for each in range(start, place)} >= {"texture", "of"}  # 'the image texture of "Box"'
    if token is None or "#" in token.text or token.text.lower().endswith(".blend"):
        return
    by_path = token.kind == "path" and "." in token.text and not MODEL.search(token.text)
    by_name = token.kind == "quoted" and (PICTURE.search(token.text) or (place > start and not owned))
    if not (by_path or by_name):
        return
    end = place + 1
    where = skip(reading, end + 1, PLACES) if reading.word(end) in {"from", "in"} else end
    for last in {where if reading.word(where - 1) in PLACES else end, end}:
        for stop, sets in [*settings(reading, last, {"node": node}, "node"), (last, list[Set]())]:
            yield stop, Piece("new", node, reading.said(at, stop), tuple(sets), image=token.text)


def shader_input(reading: Reading, at: int, start: int) -> Iterator[tuple[int, Piece]]:
    """An input of the Principled shader, or of the output: "the base color of the Principled BSDF"."""
    lexicon = reading.lexicon
    table = lexicon.sockets(lexicon.manifest.nodes[PRINCIPLED]).named
    found = [(end, sockets[0].socket) for end, sockets in table.matches(reading.tokens, start) if sockets[0].socket]
    if reading.word(start) in {"displacement", "volume", "surface"}:
        found.append((start + 1, reading.word(start).title()))
    if reading.word(start) == "output" or reading.words(start, 2) == ("material", "output"):
        found.append((start + 1 + (reading.word(start) == "material"), "Surface"))
    for end, socket in found:
        last = skip(reading, end, {"input", "socket", "channel", "slot", "map"})
        stop = skip(reading, skip(reading, last, {"of", "on", "the"}), {"principled", "bsdf", "shader", "output"})
        if stop > last and reading.word(stop - 1) not in {"of", "on", "the"}:
            yield stop, Piece("input", None, reading.said(at, stop), socket=socket)
        yield last, Piece("input", None, reading.said(at, last), socket=socket)


def named(reading: Reading, at: int) -> Iterator[tuple[int, str]]:
    """A name of a node of its own, if it has one."""
    if reading.word(at) in {"called", "named"}:
        yield from name(reading, at + 1, {}, "")
    yield at, ""


def described(reading: Reading, at: int, end: int, one: Piece) -> Iterator[tuple[int, Piece]]:
    """A new node with its settings, the longest description first."""
    kind = one.node
    if kind is None:
        return
    if kind.identifier in MIXES:
        for last, found in sorted(stops(reading, end), key=lambda each: -each[0]):
            yield (
                last,
                replace(one, node=reading.lexicon.manifest.nodes[RAMP], said=reading.said(at, last), stops=found),
            )
    if one.how == "new" and not one.sets and not reading.lexicon.colors.first(reading.tokens, end + 1):
        yield from numbered(reading, at, end, one)
        yield from ranged(reading, at, end, one)
    for start in (end, end + 1, end + 2):
        joined = reading.mark(start - 1) in {"(", ",", ":"} or reading.word(start - 1) in SMALL
        if start > end and not joined:
            break
        opened = reading.mark(start - 1) == "(" and start > end
        for last, sets in [*settings(reading, start, {"node": kind}, "node"), (start, list[Set]())]:
            whole = replace(one, said=reading.said(at, last), sets=(*one.sets, *sets))
            for stop, found in stops(reading, last + (reading.mark(last) == ",")) if is_texture(one) else ():
                if not opened or reading.mark(stop) == ")":
                    yield stop + opened, replace(whole, said=reading.said(at, stop), stops=found)
            if sets and not two_colors(sets) and (not opened or ")" in {reading.mark(last), reading.mark(last - 1)}):
                yield last + (opened and reading.mark(last) == ")"), whole
    if kind.identifier in NAMED_BY:
        for last, text in known_name(reading, skip(reading, end, {"called", "named"}), {}, ""):
            setting = Setting(
                Place("", kind.identifier), reading.lexicon.property(kind.identifier, NAMED_BY[kind.identifier])
            )
            yield last, replace(one, said=reading.said(at, last), sets=(Set(((setting, text),), text),))
    yield end, replace(one, said=reading.said(at, end))


NUMBERED: Final = {"ShaderNodeBump": "Strength", "ShaderNodeNormalMap": "Strength", "ShaderNodeDisplacement": "Scale",
                   "ShaderNodeFresnel": "IOR", "ShaderNodeEmission": "Strength"}  # fmt: skip
"""What a number behind the name of a node means; behind that of a texture it is the scale."""


def numbered(reading: Reading, at: int, end: int, one: Piece) -> Iterator[tuple[int, Piece]]:
    """ "noise 9", "bump .3", "bump (0.2)": the number that such a node is known by, and then more settings."""
    kind = one.node
    if kind is None:
        return
    title = NUMBERED.get(kind.identifier, "Scale" if "Tex" in kind.identifier else "")
    socket = next((each for each in kind.inputs if each.name == title), None)
    bracket = reading.mark(end) == "("
    place = skip(reading, end + bracket, {"at"})
    token = reading.tokens[place] if place < len(reading.tokens) else None
    close = bracket and reading.mark(place + 1) == ")"
    if socket is None or token is None or token.kind != "number" or (bracket and not close):
        return
    following = reading.word(place + 1)
    if following and following not in SMALL | LEADS | {"on", "for", "in", "onto"}:
        return
    given = Set(((Setting(Place("", kind.identifier), as_property(socket), title), float(token.text)),), token.text)
    yield from described(reading, at, place + 1 + close, replace(one, sets=(given,)))


def ranged(reading: Reading, at: int, end: int, one: Piece) -> Iterator[tuple[int, Piece]]:
    """What a Map Range node makes of what: "map range from 0..1 to 0.2..0.8", "map range (0.3-0.7 to 0-1)", "map range to 1-0"."""
    if one.node is None or one.node.identifier != "ShaderNodeMapRange":
        return
    opened = reading.mark(end) in {"(", ":", ","}
    place = skip(reading, end + opened, {"with", "range", "values"})
    last, found = place, list[tuple[str, float]]()
    for side in ("From", "To"):
        start = skip(reading, last, {"from"} if side == "From" else {"to", "into", "onto", "on"})
        read = span(reading, start + (reading.mark(start) == ">"))
        if read is not None and (side == "From" or start > last or reading.mark(start) == ">"):
            last, (low, high) = read
            found += [(f"{side} Min", low), (f"{side} Max", high)]
    if not found or found[-1][0] != "To Max":
        return  # "from 0.2 to 0.8": what of what?
    chosen: list[Set] = []
    for title, number in found:
        socket = next(each for each in one.node.inputs if each.name == title)
        chosen.append(Set(((Setting(Place("", one.node.identifier), as_property(socket), title), number),), title))
    close = reading.mark(end) == "(" and reading.mark(last) == ")"
    yield from described(reading, at, last + close, replace(one, sets=tuple(chosen)))


def span(reading: Reading, at: int) -> tuple[int, tuple[float, float]] | None:
    """Two numbers that something reaches from and to: "0..1", "0.2-0.8", "[0, 1]", "0 to 1"."""
    bracket = reading.mark(at) in {"(", "["}
    first = at + bracket
    second = first + 1
    while reading.mark(second) in {"..", "...", "-", ",", "–", "…"} or reading.word(second) in {"to", "and"}:
        second += 1
    numbers = [reading.tokens[place] for place in (first, second) if place < len(reading.tokens)]
    if len(numbers) < 2 or second > first + 2 or any(each.kind != "number" for each in numbers):
        return None
    if bracket != (reading.mark(second + 1) in {")", "]"}) and bracket:
        return None
    return second + 1 + bracket, (float(numbers[0].text), float(numbers[1].text))


LEADS: Final = frozenset({"to", "into", "through", "via", "as", "drives", "feeds"})


def two_colors(sets: Sequence[Set]) -> bool:
    """Whether two colors are given for the same inputs."""
    colored = [each.options for each in sets if each.options and is_color(each.options[0][0].prop)]
    hues = [tuple(option[0].socket or option[0].attribute for option in options) for options in colored]
    return len(set(hues)) < len(hues)


SMALL: Final = frozenset({"with", "of", "at", "and", "set", "using"})
MIXING: Final = frozenset({"mix", "mixes", "mixed", "blend", "blends", "shader", "node", "of", "between", "combine"})


def mixed(reading: Reading, at: int, *, told: bool = False) -> Iterator[tuple[int, Piece]]:
    """ "mix a diffuse and a glossy shader half and half", "a Mix Shader of A and B with factor 0.3", "A on top of B"."""
    start = skip(reading, at, {"a", "an", "the"})
    adds = reading.words(start, 2) == ("add", "shader")
    led = skip(reading, start, {"add", *MIXING} if adds else MIXING)
    for ahead, share in mix_factor(reading, led) if led > start else ():
        inner = mixed(reading, skip(reading, ahead, {"of", "between"}), told=True)
        yield from ((end, replace(one, factor=share)) for end, one in inner if one.factor is None)
    bracket = reading.mark(led) == "(" and led > start
    for end, one in piece(reading, led + bracket, "mixed"):
        link, behind, half = end + (reading.mark(end) == ","), False, False
        if reading.words(link, 3) == ("on", "top", "of") or reading.word(link) == "over":
            behind, link = True, link + (1 if reading.word(link) == "over" else 3)
        elif reading.word(link) in {"and", "with"} and (led > start or told):
            link += 1
        elif reading.words(link, 2) in {("mixed", "with"), ("blended", "with")}:
            link += 2
        elif reading.words(link, 3) in {("mixed", each, "with") for each in ("half", "equally", "evenly")}:
            link, half = link + 3, True
        elif bracket and link > end:
            pass  # "mix shader (diffuse, glossy)"
        else:
            continue
        for stop_, other in piece(reading, link, "mixed"):
            last = stop_ + bracket
            if bracket and reading.mark(stop_) != ")":
                continue
            if one.how == other.how == "new" and is_shader(one) and is_shader(other):
                node = reading.lexicon.manifest.nodes[ADDING if adds else "ShaderNodeMixShader"]
                parts = (other, one) if behind else (one, other)
                whole = Piece("new", node, reading.said(at, last), parts=parts, factor=0.5 if half else None)
                for stop, part in [*(() if adds else mix_share(reading, last, parts)), (last, None)]:
                    end_, both = both_set(reading, stop, parts)
                    much = whole.factor if half else part
                    yield end_, replace(whole, parts=both, factor=much, said=reading.said(at, end_))


def mix_share(reading: Reading, at: int, parts: tuple[Piece, Piece]) -> Iterator[tuple[int, float]]:
    """How much of the second of two shaders there is, or of the one that is named behind the share: "30% glossy"."""
    comma = reading.mark(at) == ","
    for end, given in quantity(reading, at + comma, {}, "share") if comma else ():
        for number, one in enumerate(parts):
            if (
                one.node is not None
                and reading.word(end) == one.node.label.lower().split()[0]
                and 0 <= given.value <= 1
            ):
                yield end + 1, given.value if number else 1.0 - given.value
                return
    yield from mix_factor(reading, at)


def both_set(reading: Reading, at: int, parts: tuple[Piece, Piece]) -> tuple[int, tuple[Piece, Piece]]:
    """ "..., both color red": settings of two shaders."""
    place = at + (reading.mark(at) == ",")
    if reading.word(place) != "both":
        return at, parts
    found = [dict(settings(reading, place + 1, {"node": each.node}, "node")) for each in parts]
    end = max(found[0].keys() & found[1].keys(), default=None)
    if end is None:
        return at, parts
    first, second = (replace(one, sets=(*one.sets, *sets[end])) for one, sets in zip(parts, found, strict=True))
    return end, (first, second)


def mix_factor(reading: Reading, at: int) -> Iterator[tuple[int, float]]:
    """How much of the second of two shaders there is."""
    words = {"with", "a", "mix", "at", "by", "factor", "fac", "of", "mixed", "in", "equal", "shader"}
    place = skip(reading, at + (reading.mark(at) in {",", "("}), words)
    if reading.words(place, 3) == ("half", "and", "half"):
        yield place + 3, 0.5
    elif reading.word(place) in {"equally", "evenly", "parts"}:
        yield place + 1, 0.5
    for end, given in quantity(reading, place, {}, "share"):
        if reading.said(place, end).replace(" ", "") == "50/50":
            yield end, 0.5
        elif given.number == 50 and given.unit is None and reading.mark(end) == "/":
            yield end + 2, 0.5
        elif place > at and 0 <= given.value <= 1:
            yield end + (reading.mark(end) == ")" and reading.mark(at) == "("), given.value


# --- graphs -------------------------------------------------------------------------------------------------


@dataclass
class Graph:
    """Pieces and the links between them, by their numbers."""

    pieces: list[Piece] = field(default_factory=list[Piece])
    links: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    def add(self, one: Piece) -> int:
        """The number of a new piece; a spoken one may mean one that is there."""
        if one.how == "spoken":
            one = self._referring(one)
            if one.ref >= 0 and not one.socket and not one.sets:
                return one.ref
        self.pieces.append(one)
        return len(self.pieces) - 1

    def link(self, start: int, end: int) -> None:
        """One runs into another."""
        if (start, end) not in self.links:
            self.links.append((start, end))

    def is_spread(self, number: int) -> bool:
        """Whether a piece is the ramp that colors without one need."""
        one = self.pieces[number]
        return is_a(one, RAMP) and one.said == RAMP_NEEDED and bool(one.stops)

    def ends(self) -> set[int]:
        """The pieces that something runs into."""
        return {end for _, end in self.links}

    def runs(self, number: int) -> list[int]:
        """What a piece runs into."""
        return [end for start, end in self.links if number in {start, self.pieces[start].ref}]

    def follow(self, number: int, through: frozenset[int] = frozenset()) -> Iterator[int]:
        """Every piece that this one runs into, directly or through others. Raises `NotUnderstood` for a circle."""
        for end in self.runs(number):
            if end in through:
                raise refuse(self.pieces[end].said, "it would run into itself")
            yield end
            yield from self.follow(self.pieces[end].ref if self.pieces[end].ref >= 0 else end, through | {end})

    def holds_data(self, number: int) -> bool:
        """Whether an image runs into inputs that take no colors."""
        goals = {self.pieces[end].socket for end in self.follow(number) if self.pieces[end].how == "input"}
        return bool(self.pieces[number].image and goals & DATA_INPUTS and not goals & {"Base Color", "Emission Color"})

    def mixes_nothing(self, number: int) -> bool:
        """Whether a new node is to mix, and nothing is said of what."""
        one = self.pieces[number]
        mixes = one.how == "new" and one.node is not None and one.node.identifier in MIXES - {RAMP} | MIXING_SHADERS
        factor = all(each.options and each.options[0][0].socket.startswith("Fac") for each in one.sets)
        bare = factor and not (one.parts or one.stops or one.called)
        return mixes and bare and all(end != number for _, end in self.links)

    def after(self, number: int, one: Piece) -> int:
        """A node between a piece and whatever it runs into."""
        new = self.add(one)
        self.links = [(new, end) if start == number else (start, end) for start, end in self.links]
        self.link(number, new)
        return new

    def with_stops(self, ramp: NodeType, current: int | None, colors: tuple[Stop, ...]) -> int:
        """Colors for the ramp or the texture that was spoken of last, or a ramp behind it."""
        open_ = [n for n, one in enumerate(self.pieces) if is_a(one, RAMP) and not one.stops]
        number = current if current is not None and self.pieces[current].node is not None else None
        number = open_[-1] if open_ else number
        if number is None:
            number = next((n for n in reversed(range(len(self.pieces))) if self.pieces[n].how == "new"), None)
        if number is None:
            raise refuse("colors", "of what?")
        one = self.pieces[number]
        inputs = [each for each in one.node.inputs if kind_of(each) == "color"] if one.node else []
        if one.how == "spoken" and (is_a(one, RAMP) or len(inputs) >= 2):
            self.pieces[number] = replace(one, stops=colors)
            return number
        if one.how == "spoken":
            raise refuse(one.said, "which colors?")
        if is_a(one, RAMP) or ((is_texture(one) or is_a(one, MIX)) and len(inputs) >= 2):
            self.pieces[number] = replace(one, stops=colors)
            return number
        return self.after(number, Piece("new", ramp, RAMP_NEEDED, (), colors))

    def texture(self, skipped: int) -> int:
        """The texture that coordinates run into, or the Mapping node before it; else the one that was spoken of."""
        mapping = is_a(self.pieces[skipped], MAPPING)
        maps = [n for n, one in enumerate(self.pieces) if is_a(one, MAPPING) and not mapping]
        found = [*maps, *(n for n, one in enumerate(self.pieces) if is_texture(one))]
        return found[0] if found else self.add(Piece("spoken", None, "texture"))

    def _referring(self, one: Piece) -> Piece:
        fitting = [
            n for n, each in enumerate(self.pieces) if each.how == "new" and (one.node is None or each.node == one.node)
        ]
        if one.node is None and one.said not in NOTHING_SAID:
            fitting = [n for n in fitting if is_called(self.pieces[n].node, one.said)]
        fitting = [n for n in fitting if gives(self.pieces[n].node, one.socket)] or fitting
        number = fitting[-1] if fitting else -1
        passed = one.said == "result" and number >= 0
        while passed and (after := self.runs(number)) and self.pieces[after[0]].how != "input":
            number = self.pieces[after[0]].ref if self.pieces[after[0]].ref >= 0 else after[0]
        return replace(one, ref=number)


def gives(node: NodeType | None, socket: str) -> bool:
    """Whether a node has an output of this name."""
    names = ALIKE.get(socket.lower(), {socket.lower()})
    return node is not None and any(each.name.lower() in names for each in node.outputs)


NOTHING_SAID: Final = frozenset({"it", "node", "result", "pattern"})


def is_called(node: NodeType | None, word: str) -> bool:
    """Whether a node may be called by this word: "texture", "ramp", "mix"."""
    kinds = {"texture": "Tex", "image": "TexImage", "noise": "TexNoise"}
    called = node is not None and (kinds.get(word, word) in node.identifier or word in node.label.lower())
    return called and node is not None and node.identifier != COORDINATES


def is_a(one: Piece, identifier: str) -> bool:
    """Whether a piece is a node of this type."""
    return one.node is not None and one.node.identifier == identifier


def is_texture(one: Piece) -> bool:
    """Whether a piece is a new texture."""
    named_so = one.node is not None and "Tex" in one.node.identifier
    return one.how == "new" and named_so and not is_a(one, COORDINATES)


def is_shader(one: Piece) -> bool:
    """Whether a shader comes out of a piece."""
    return one.node is not None and bool(one.node.outputs) and kind_of(one.node.outputs[0]) == "shader"


def world_topic(build: Build) -> MaterialTopic:
    """The nodes of the world, as those of a material."""
    from app.drafting.composer.steps.rendering import background_var

    topics: dict[str, MaterialTopic] = build.memory.setdefault("_topics", {})
    background = background_var(build)
    tree = build.memory["_world_tree"]
    build.memory.setdefault("_trees", {})[tree] = tree
    if tree not in topics:
        topics[tree] = MaterialTopic(tree, (), "world", shader=background, world=True)
    return topics[tree]


def lead(build: Build, graph: Graph, *, glowing: bool, repeat: float | None, along: str, world: bool = False) -> None:
    """Let what runs nowhere run where it belongs, with the node that is needed in between."""
    nodes = build.lexicon.manifest.nodes
    if repeat is not None:
        mapped(build, graph, "Scale", (repeat, repeat, 1.0), "UV")
    waves = [n for n, one in enumerate(graph.pieces) if is_a(one, WAVE)]
    if along and len(waves) == 1:
        one = graph.pieces[waves[0]]
        rings = any("RINGS" in (value for _, value in each.options) for each in one.sets)
        setting = Setting(Place("", WAVE), build.lexicon.property(WAVE, f"{'rings' if rings else 'bands'}_direction"))
        graph.pieces[waves[0]] = replace(one, sets=(*one.sets, Set(((setting, along),), along)))
    elif along:
        if not any(is_a(one, "ShaderNodeTexGradient") for one in graph.pieces):
            raise refuse(along, "only a gradient runs along an axis")
        turns = {"X": (0.0, 0.0), "-X": (0.0, 180.0), "Y": (0.0, -90.0), "Z": (90.0, 0.0)}
        mapped(build, graph, "Rotation", tuple(map(Degrees, (0.0, *turns[along]))), "Generated")
        if world:  # its coordinates go from -1 to 1
            mapped(build, graph, "Location", (0.5, 0.0, 0.0), "Generated")
            mapped(build, graph, "Scale", (0.5, 0.5, 0.5), "Generated")
    for number in range(len(graph.pieces)):
        one = graph.pieces[number]
        if graph.runs(number) or one.how in {"input", "spoken"}:
            continue
        if one.how == "coordinates" or is_a(one, MAPPING):
            graph.link(number, graph.texture(number))
            continue
        goal = goal_of(one, graph, glowing)
        fed = [(start, end) for start, end in graph.links if graph.pieces[end].socket == goal]
        if fed and is_idle(graph, number, BUMPS | DISPLACEMENTS):
            continue  # what runs there runs through it
        around = [(start, end) for start, end in fed if is_bend(one) and (start, number) in graph.links]
        if around:  # "bump: noise into the normal"
            graph.links = [each for each in graph.links if each not in around]
            graph.link(number, around[0][1])
            continue
        if not goal or (is_a(one, RAMP) and all(end != number for _, end in graph.links)):
            raise refuse(one.said, "where does it run?")
        graph.link(number, graph.add(Piece("input", None, goal, socket=goal)))
    for number in range(len(graph.pieces)):  # nothing in it: the same place everywhere
        if is_a(graph.pieces[number], MAPPING) and graph.pieces[number].how == "new" and number not in graph.ends():
            pictures = any(graph.pieces[end].image for end in graph.follow(number))
            space = "UV" if pictures else "Generated"
            graph.link(graph.add(Piece("coordinates", None, NEEDED, socket=space)), number)
    for place, (start, end) in enumerate(list(graph.links)):
        source, goal = graph.pieces[start], graph.pieces[end].socket
        source = graph.pieces[source.ref] if source.ref >= 0 else source
        helper = {"Normal": "ShaderNodeBump", "Displacement": "ShaderNodeDisplacement"}.get(goal, "")
        if graph.pieces[end].how != "input" or source.node is None or source.how == "spoken" or not helper:
            continue
        if source.node.identifier not in BUMPS | DISPLACEMENTS:
            helper = "ShaderNodeNormalMap" if source.image and goal == "Normal" else helper
            kinds = DISPLACEMENTS if goal == "Displacement" else BUMPS - {"ShaderNodeBevel"}
            number = next((n for n in range(len(graph.pieces)) if is_idle(graph, n, kinds)), -1)
            if number < 0:
                number = graph.add(Piece("new", nodes[helper], nodes[helper].label))
            graph.links[place] = (start, number)
            graph.link(number, end)


def is_bend(one: Piece) -> bool:
    """Whether a node turns heights into normals or a displacement."""
    return one.node is not None and one.node.identifier in BUMPS | DISPLACEMENTS


def is_idle(graph: Graph, number: int, kinds: frozenset[str]) -> bool:
    """Whether a new node of these kinds was named, and nothing runs into it: "displacement: noise into ..., scale 0.2"."""
    one = graph.pieces[number]
    new = one.how == "new" and one.node is not None and one.node.identifier in kinds
    return new and not one.called and all(number != end for _, end in graph.links)


def mapped(build: Build, graph: Graph, name_: str, value: tuple[object, ...], space: str) -> None:
    """Set an input of the Mapping node before a texture, or of a new one, on these coordinates where no others were said."""
    nodes = build.lexicon.manifest.nodes
    number = next((n for n, one in enumerate(graph.pieces) if is_a(one, MAPPING)), None)
    if number is None:
        number = graph.add(Piece("new", nodes[MAPPING], "Mapping"))
        texture = graph.texture(number)
        graph.links = [
            (start, number if end == texture and graph.pieces[start].how == "coordinates" else end)
            for start, end in graph.links
        ]
        graph.link(number, texture)
    if all(end != number for _, end in graph.links):
        held = [n for n, one in enumerate(graph.pieces) if one.how == "coordinates" and not graph.runs(n)]
        graph.link(held[0] if held else graph.add(Piece("coordinates", None, space, socket=space)), number)
    socket = next(socket for socket in nodes[MAPPING].inputs if socket.name == name_)
    given = Set(((Setting(Place("", MAPPING), as_property(socket), name_), value),), name_)
    graph.pieces[number] = replace(graph.pieces[number], sets=(*graph.pieces[number].sets, given))


def goal_of(one: Piece, graph: Graph, glowing: bool) -> str:
    """The input of the shader that a node belongs to where nothing else is said."""
    if one.node is None or not one.node.outputs:
        return ""
    if one.node.identifier in BUMPS | DISPLACEMENTS:
        return "Normal" if one.node.identifier in BUMPS else "Displacement"
    if is_shader(one):
        return "Volume" if one.node.identifier.startswith("ShaderNodeVolume") else "Surface"
    parts = set(PurePath(one.image).stem.lower().replace("-", "_").split("_"))
    role = next((goal for goal, words in ROLES.items() if parts & set(words)), "")
    if role:
        return role
    if any(each.how == "input" for each in graph.pieces) or not (
        is_texture(one) or kind_of(one.node.outputs[0]) == "color"
    ):
        return ""
    return "Emission Color" if glowing else "Base Color"


# --- writing ------------------------------------------------------------------------------------------------


def write_graph(build: Build, topic: MaterialTopic, graph: Graph, *, raw: str = "", bare: bool = False) -> None:
    """The nodes of a graph, and the links between them. `bare`: nothing else covers the surface."""
    if not topic.world:
        build.comment("nodes of the material")
    build.need("socket_of")
    spots: list[Spot] = []
    for number in range(len(graph.pieces)):
        spots.append(written(build, topic, graph, number, raw, spots))
    for start, end in graph.links:
        told = graph.pieces[start].how == graph.pieces[end].how == "spoken"
        if told and spots[start].node == spots[end].node:
            raise refuse(graph.pieces[end].said, "one node, or two?")
        if is_filter(graph, start) and graph.pieces[end].how == "input":
            pass_through(build, topic, spots[start], spots[end])
        cut = graph.pieces[start].image and graph.pieces[end].socket == "Alpha"
        if graph.pieces[start].said == NEEDED and not topic.made:
            with build.block(f'if not socket_of({spots[end].var}.inputs, "Vector").is_linked:'):
                join(build, topic, spots[start], spots[end])
        elif cut and any(graph.pieces[goal].socket == "Base Color" for goal in graph.runs(start)):
            join(build, topic, replace(spots[start], socket="Alpha"), spots[end])  # one image with both
        else:
            join(build, topic, spots[start], spots[end])
    fog = any(one.node is not None and one.node.identifier.startswith("ShaderNodeVolume") for one in graph.pieces)
    if (bare or (fog and topic.made)) and all(one.socket != "Surface" for one in graph.pieces):
        tree, output = tree_var(build, topic), output_var(build, topic)
        build.line(f'for link in list({output}.inputs["Surface"].links or ()):\n    {tree}.links.remove(link)')
    last = next((n for n in reversed(range(len(spots))) if graph.pieces[n].how == "new"), None)
    if last is not None:
        node = spots[last].node
        build.topic = TextureTopic(spots[last].var, (Place("", node.identifier),), node.label, topic)


FILTERS: Final = frozenset({
    RAMP, "ShaderNodeInvert", "ShaderNodeGamma", "ShaderNodeHueSaturation", "ShaderNodeBrightContrast", "ShaderNodeRGBCurve",
    "ShaderNodeMapRange", "ShaderNodeClamp", MIX,
})  # fmt: skip
"""Nodes that only change what runs through them, with the input that takes it."""


def is_filter(graph: Graph, number: int) -> bool:
    """Whether a new node only changes what runs into it, and nothing was said to."""
    one = graph.pieces[number]
    new = one.how == "new" and one.node is not None and one.node.identifier in FILTERS
    given = is_a(one, MIX) and (one.stops or any(each.options[0][0].socket == "A" for each in one.sets))
    return new and not given and all(end != number for _, end in graph.links)


def pass_through(build: Build, topic: MaterialTopic, between: Spot, goal: Spot) -> None:
    """Let what runs into an input of the shader run through a node."""
    names = {each.name for each in between.node.inputs if each.enabled}
    found = next(each for each in ("Color", "A", "Value", "Fac", "Factor") if each in names)
    build.need("take_over", "socket_of")
    tree = tree_var(build, topic)
    build.line(f'take_over({tree}, socket_of({goal.var}.inputs, "{goal.socket}"), {between.var}, "{found}")')


def written(build: Build, topic: MaterialTopic, graph: Graph, number: int, raw: str, spots: Sequence[Spot]) -> Spot:
    """One piece in the snippet."""
    one, nodes = graph.pieces[number], build.lexicon.manifest.nodes
    known: list[tuple[str, Spot]] = build.memory.setdefault("_nodes", [])
    own = [spot for owner, spot in known if owner == topic.var]
    if one.how == "input" and topic.world and one.socket not in {"Surface", "Volume"}:
        if one.socket != "Base Color":
            raise refuse(one.said, "the background has no such input")
        return Spot(topic.shader, nodes["ShaderNodeBackground"], "Color")
    if one.how == "input" and one.socket in {"Surface", "Volume", "Displacement"}:
        return Spot(output_var(build, topic), nodes[OUTPUT], one.socket)
    if one.how == "input":
        return Spot(shader_var(build, topic), nodes[PRINCIPLED], one.socket)
    if one.how == "spoken":
        spot = replace(spots[one.ref], socket=one.socket) if one.ref >= 0 else spoken_of(build, topic, one, own)
        node_settings(build, spot.var, spot.node, one.sets)
        if one.stops:
            write_stops(build, spot.var, replace(one, node=spot.node))
        return spot
    kind = one.node or nodes[COORDINATES]
    before = [spot for spot in own if spot.node.identifier == kind.identifier]
    if one.how == "coordinates" and before:
        return replace(before[0], socket=one.socket)
    title = PurePath(one.image).stem if one.image and not one.called else one.called
    title = title or (f"{kind.label} {len(before) + 1}" if before else "")
    column = sum(1 for _ in itertools.islice(graph.follow(number), 8)) or 1
    var = add_node(build, tree_var(build, topic), kind, (-300.0 * column, 300.0 - 300.0 * len(own)), title)
    if kind.identifier == MIX and all(
        setting.prop.name != "data_type" for each in one.sets for setting, _ in each.options
    ):
        kind = of_colors(kind)
        build.line(f'{build.expect(var, MIX)}.data_type = "RGBA"')
    node_settings(build, var, kind, one.sets)
    spot = Spot(var, kind, one.socket or output_told(one))
    known.append((topic.var, spot))
    if one.image:
        image = image_of(build, one.image, raw or ("Non-Color" if graph.holds_data(number) else ""))
        build.line(f"{build.expect(var, kind.identifier)}.image = {image}")
    if one.stops:
        write_stops(build, var, one)
    for index, part in enumerate(one.parts):
        shader = written(build, topic, Graph([part, one], [(0, 1)]), 0, raw, [])
        build.line(
            f"{tree_var(build, topic)}.links.new({shader.var}.outputs[0], {var}.inputs[{index + (kind.identifier != ADDING)}])"
        )
    if one.factor is not None:
        build.need("set_socket")
        build.line(f'set_socket({var}, "{kind.inputs[0].name}", {literal(float(one.factor))})')
    return spot


def of_colors(mix: NodeType) -> NodeType:
    """The Mix node with the sockets that it has where it mixes colors."""
    used = {"Factor_Float", "A_Color", "B_Color", "Result_Color"}
    inputs, outputs = (
        [replace(each, enabled=each.identifier in used) for each in side] for side in (mix.inputs, mix.outputs)
    )
    return replace(mix, inputs=tuple(inputs), outputs=tuple(outputs))


def mix_ends(reading: Reading, at: int, mix: NodeType) -> Iterator[tuple[int, list[Set]]]:
    """What a Mix node mixes: "A = #FFD166", "B red"."""
    end = "AB".find(reading.tokens[at].text) if at < len(reading.tokens) else -1
    socket = next(each for each in mix.inputs if each.identifier == f"{'AB'[end]}_Color")
    start = skip(reading, at + 1 + (reading.mark(at + 1) in {"=", ":"}), {"is", "in"})
    for last, hue in color(reading, start, {}, "bare") if end >= 0 else ():
        value = (Setting(Place("", MIX), as_property(socket), socket.name), (*hue.rgb, 1.0))
        yield last, [Set((value,), reading.said(at, last))]


def output_told(one: Piece) -> str:
    """The output that the settings of a node tell: the others give nothing then."""
    chosen = {value for each in one.sets for _, value in each.options if isinstance(value, str)}
    found = {"DISTANCE_TO_EDGE": "Distance", "N_SPHERE_RADIUS": "Radius"}
    return next((found[each] for each in sorted(chosen & found.keys())), "") if is_a(one, VORONOI) else ""


def spoken_of(build: Build, topic: MaterialTopic, one: Piece, own: Sequence[Spot]) -> Spot:
    """The node that "it", "the ramp", "the noise texture" mean; one that the material has already is looked up."""
    fitting = [spot for spot in own if one.node is None or spot.node.identifier == one.node.identifier]
    if one.node is None and one.said not in NOTHING_SAID:
        fitting = [spot for spot in fitting if is_called(spot.node, one.said)]
    fitting = [spot for spot in fitting if gives(spot.node, one.socket)] or fitting
    if fitting:
        return replace(fitting[-1], socket=one.socket)
    if one.said == "texture" and not topic.made and one.node is None:
        build.need("texture_in")
        var = build.var("texture")
        build.line(f"{var} = texture_in({topic.var})")
        return Spot(var, build.lexicon.manifest.nodes[IMAGE], one.socket)
    if one.node is None or topic.made:
        raise refuse(one.said, "which node?")
    var = build.var(one.node.label)
    build.line(
        f'{var} = next(node for node in {tree_var(build, topic)}.nodes if node.bl_idname == "{one.node.identifier}")'
    )
    return Spot(var, one.node, one.socket)


def output_var(build: Build, topic: MaterialTopic) -> str:
    """The variable of the output of a material."""
    outputs: dict[str, str] = build.memory.setdefault("_outputs", {})
    if topic.var not in outputs:
        tree = tree_var(build, topic)
        outputs[topic.var] = build.var("output")
        kind = "OUTPUT_WORLD" if topic.world else "OUTPUT_MATERIAL"
        build.line(f'{outputs[topic.var]} = next(node for node in {tree}.nodes if node.type == "{kind}")')
    return outputs[topic.var]


def write_stops(build: Build, var: str, one: Piece) -> None:
    """The colors of a ramp, or those of a texture that has its own."""
    found = one.stops
    if one.node is None or one.node.identifier == RAMP:
        write_ramp(build, var, one.stops, there=one.how == "spoken")
    else:
        names = [each.name for each in one.node.inputs if kind_of(each) == "color"]
        if len(found) > len(names) or any(each.at is not None for each in found):
            raise refuse(one.said, "it has no such colors")
        build.need("set_input")
        for title, each in zip(names, found, strict=False):
            build.line(f'set_input({var}, "{title}", {literal((*each.hue.rgb, 1.0))})')


def write_ramp(build: Build, var: str, found: Sequence[Stop], *, there: bool = False) -> None:
    """The colors of a ramp, evenly spread where nothing else was said; one that is there loses those that it has too many."""
    spread = [each.at if each.at is not None else index / (len(found) - 1) for index, each in enumerate(found)]
    both = sorted(zip([round(each, 4) for each in spread], found, strict=True), key=lambda pair: pair[0])
    colors = build.var("colors")
    build.line(f"{colors} = {build.expect(build.expect(var, RAMP) + '.color_ramp', 'ColorRamp')}")
    if there:
        build.line(f"while len({colors}.elements) > {len(found)}:\n    {colors}.elements.remove({colors}.elements[-1])")
    if len(found) > 2 or there:
        build.line(f"while len({colors}.elements) < {len(found)}:\n    {colors}.elements.new(1.0)")
    for index, (spot, each) in enumerate(both):
        build.line(f"{colors}.elements[{index}].position = {literal(float(spot))}")
        build.line(f"{colors}.elements[{index}].color = {literal((*each.hue.rgb, 1.0))}")


MAIN_INPUTS: Final = {"ShaderNodeBump": "Height", "ShaderNodeNormalMap": "Color", "ShaderNodeDisplacement": "Height",
                      "ShaderNodeEmission": "Color", "ShaderNodeMixShader": "Factor", MIX: "A"}  # fmt: skip
KINDS: Final = {"NodeSocketColor": "color", "NodeSocketVector": "vector", "NodeSocketShader": "shader"}
ALIKE: Final = {"fac": {"fac", "factor"}, "factor": {"fac", "factor"}}


def kind_of(socket: Socket) -> str:
    """What runs through a socket: color, vector, shader or number."""
    return next((kind for start, kind in KINDS.items() if socket.type.startswith(start)), "number")


def socket_of(spot: Spot, sockets: list[Socket], what: str) -> Socket:
    """The one of some sockets that was said."""
    names = ALIKE.get(spot.socket.lower(), {spot.socket.lower()})
    found = next((socket for socket in sockets if socket.name.lower() in names), None)
    if found is None:
        raise refuse(spot.socket, f"{spot.node.label} has no such {what}")
    return found


def input_of(goal: Spot, source: Spot, taken: set[str]) -> Socket:
    """The input of a node that is meant: the one that was said, its main one, or the first that fits; the other one of
    two that are mixed where the first is taken.
    """
    inputs = [socket for socket in goal.node.inputs if socket.enabled]
    if goal.socket:
        return socket_of(goal, inputs, "input")
    textured = "Tex" in goal.node.identifier or goal.node.identifier == MAPPING
    main = MAIN_INPUTS.get(goal.node.identifier) or ("Vector" if textured else "Color")
    given = {kind_of(socket) for socket in source.node.outputs if socket.enabled}
    fitting = [socket for socket in inputs if kind_of(socket) in given]
    found = next((socket for socket in inputs if socket.name == main), None) or next(iter(fitting or inputs), None)
    if found is None or (goal.node.identifier == MIX and found.name in taken):
        found = next((socket for socket in inputs if socket.name == "B" and "B" not in taken), None)
    if found is None:
        raise refuse(goal.node.label, "nothing runs into it")
    return found


def output_meant(source: Spot, wanted: str) -> str:
    """The output of a node that is meant."""
    outputs = [socket for socket in source.node.outputs if socket.enabled or socket.name == source.socket]
    if source.socket:
        return socket_of(source, outputs, "output").name
    fitting = [socket for socket in outputs if kind_of(socket) == wanted and socket.name != "Alpha"]
    if not outputs:
        raise refuse(source.node.label, "nothing comes out of it")
    return (fitting or outputs)[0].name


def join(build: Build, topic: MaterialTopic, source: Spot, goal: Spot) -> None:
    """A link from one node to another."""
    if source.node.identifier == PRINCIPLED:
        raise refuse("Principled BSDF", "what comes out of it runs into the output already")
    if source.node.identifier == goal.node.identifier == IMAGE:
        raise refuse("image texture", "one image, or two?")
    fed: set[tuple[str, str]] = build.memory.setdefault("_fed", set())
    socket = input_of(goal, source, {name for var, name in fed if var == goal.var})
    start = output_meant(source, kind_of(socket))
    tree = tree_var(build, topic)
    fed |= {(topic.var, socket.name), (goal.var, socket.name)}
    ends = (f'socket_of({source.var}.outputs, "{start}")', f'socket_of({goal.var}.inputs, "{socket.name}")')
    link = f"{tree}.links.new({ends[0]}, {ends[1]})"
    build.line(link if len(link) <= WIDTH else f"{tree}.links.new(\n    {ends[0]},\n    {ends[1]},\n)")
    if goal.node.identifier == PRINCIPLED and socket.name == "Emission Color" and "Emission Strength" not in topic.said:
        topic.said.add("Emission Strength")
        build.need("set_input")
        build.line(f'set_input({goal.var}, "Emission Strength", 1.0)')
