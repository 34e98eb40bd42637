"""Nodes and what runs from one to the next, in materials: "a noise texture (scale 4) through a ramp into the roughness".

A sentence is a chain of pieces with links between them. A piece is a new node with its settings, a node that was spoken
of before, an input of the Principled shader, or texture coordinates; a link says which way it runs.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from app.drafting.composer.build import WIDTH, Build
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Place
from app.drafting.composer.patterns import Env, Reading, slot
from app.drafting.composer.slots import Set, Target, color, name, quantity, settings, skip
from app.drafting.composer.steps.materials import (
    PRINCIPLED,
    MaterialTopic,
    TextureTopic,
    add_node,
    material_for,
    named_material,
    node_settings,
    shader_var,
    topic_of,
    tree_var,
)
from app.drafting.composer.values import Color, literal, refuse
from ingest.manifest import NodeType, Socket

RAMP: Final = "ShaderNodeValToRGB"
COORDINATES: Final = "ShaderNodeTexCoord"


@dataclass(frozen=True)
class Stop:
    """A color of a ramp, and where it is, from 0 to 1."""

    hue: Color
    at: float | None = None


@dataclass(frozen=True)
class Piece:
    """A part of a chain. `socket` is the output it gives or the input it takes, where that was said."""

    how: Literal["new", "spoken", "shader", "coordinates"]
    node: NodeType | None
    said: str
    sets: tuple[Set, ...] = ()
    stops: tuple[Stop, ...] = ()
    socket: str = ""
    called: str = ""


Chain = tuple[tuple[Piece, bool], ...]
"""Pieces, each with whether what stands before it runs into it; else it runs into what stands before."""

FORWARD: Final = frozenset({
    "into", "to", "through", "via", "drives", "drive", "driving", "feeds", "feed", "feeding", "controls", "control",
    "controlling", "as", "for", "runs", "goes", "onto",
})  # fmt: skip
BACKWARD: Final = frozenset({"takes", "uses", "using", "from", "by", "on", "with", "gets", "reads"})
BETWEEN: Final = frozenset({
    "that", "which", "and", "then", "is", "are", "connected", "plugged", "linked", "fed", "sent", "go", "it", "passes",
    "being", "going", "its", "output", "result", "mapped", "connect", "plug", "link", "wired", "driven", "run", "passed",
})  # fmt: skip
SPACES: Final = {"object": "Object", "uv": "UV", "generated": "Generated", "camera": "Camera", "window": "Window"}
OUTPUTS: Final = frozenset({"color", "fac", "factor", "distance", "height", "alpha", "normal", "value", "position"})
WORDS: Final = frozenset(
    {"it", "texture", "ramp", "image", "node", "noise", "bump", "mapping", "pattern", "result", "color"}
)


def stops(reading: Reading, at: int) -> Iterator[tuple[int, tuple[Stop, ...]]]:
    """ "from black to white", "goes from #3B2410 on the left to tan on the right", "red at 0.2 and blue at 0.8"."""
    place = skip(
        reading,
        at,
        {
            "that",
            "which",
            "goes",
            "going",
            "runs",
            "running",
            "with",
            "from",
            "between",
            "of",
            "stops",
            "colors",
            "the",
        },
    )
    opened = reading.mark(place) == "("
    place = skip(reading, place + opened, {"from", "between", "with", "colors"})
    found: list[Stop] = []
    while (read := next(color(reading, place, {}, "bare"), None)) is not None:
        place, spot = read[0], None
        start = skip(reading, place, {"at", "position", "on", "the", "in"})
        if start > place and (given := next(quantity(reading, start, {}, "share"), None)) is not None:
            place, spot = given[0], given[1].value
        elif start > place and reading.word(start) in {
            "left",
            "right",
            "bottom",
            "top",
            "start",
            "end",
            "beginning",
            "middle",
            "center",
        }:
            spot = {"left": 0.0, "bottom": 0.0, "start": 0.0, "beginning": 0.0, "middle": 0.5, "center": 0.5}.get(
                reading.word(start), 1.0
            )
            place = start + 1
        elif (
            reading.mark(place) == "(" and (given := next(quantity(reading, place + 1, {}, "share"), None)) is not None
        ):
            if reading.mark(given[0]) != ")":
                break
            place, spot = given[0] + 1, given[1].value
        found.append(Stop(read[1], spot))
        end = place + (opened and reading.mark(place) == ")")
        if len(found) > 1:
            yield end, tuple(found)
        while reading.mark(place) == "," or reading.word(place) in {"to", "and", "over", "through", "via", "then"}:
            place += 1


@slot("piece")
def piece(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Piece]]:
    """One part of a chain."""
    start = skip(reading, at, {"the", "a", "an", "new", "its", "this", "that"})
    definite = reading.word(at) in {"the", "its", "this", "that"}
    # "object coordinates", "the UV output of a texture coordinate node"
    if reading.word(start) in SPACES:
        end = skip(reading, start + 1, {"texture"})
        if reading.word(end) in {"coordinates", "coordinate", "space"}:
            last = skip(reading, end + 1, {"coordinates"})
            yield last, Piece("coordinates", None, reading.said(at, last), socket=SPACES[reading.word(start)])
        if reading.word(start) == "uv" and reading.word(start + 1) in {"map", ""}:
            yield start + 2, Piece("coordinates", None, reading.said(at, start + 2), socket="UV")
    output, place = "", start
    if reading.word(start) in OUTPUTS and reading.word(skip(reading, start + 1, {"output"})) == "of":
        output, place = reading.word(start), skip(reading, start + 1, {"output", "of", "the", "a", "an"})
        definite = True
    nodes = reading.lexicon.nodes["ShaderNodeTree"]
    for end, kinds in nodes.matches(reading.tokens, place):
        kind = kinds[0]
        if kind.identifier == PRINCIPLED:
            continue
        after = skip(reading, end, {"texture", "node", "map"})
        if definite or (of == "later" and reading.word(at) not in {"a", "an", "another"}):
            yield after, Piece("spoken", kind, reading.said(at, after), socket=output)
        if reading.word(at) in {"the", "its", "this", "that"}:
            continue
        for last, called in named(reading, after):
            yield from described(reading, at, last, kind, called, output)
    for end, found in reading.lexicon.sockets(reading.lexicon.manifest.nodes[PRINCIPLED]).named.matches(
        reading.tokens, start
    ):
        if not found[0].socket:
            continue
        last = skip(reading, end, {"input", "socket", "channel"})
        for stop in shader_end(reading, last):
            yield stop, Piece("shader", None, reading.said(at, stop), socket=found[0].socket)
    if reading.word(place) in WORDS and (definite or reading.word(place) == "it"):
        end = skip(reading, place + 1, {"node", "texture"})
        yield end, Piece("spoken", None, reading.word(place), socket=output)


def shader_end(reading: Reading, at: int) -> Iterator[int]:
    """The places after an input of the shader: "of the Principled BSDF"."""
    place = skip(reading, at, {"of", "on", "the"})
    end = skip(reading, place, {"principled", "bsdf", "shader"})
    if end > place > at:
        yield end
    yield at


def named(reading: Reading, at: int) -> Iterator[tuple[int, str]]:
    """A name of a node of its own, if it has one."""
    if reading.word(at) in {"called", "named"}:
        yield from name(reading, at + 1, {}, "")
    yield at, ""


def described(
    reading: Reading, at: int, end: int, kind: NodeType, called: str, output: str
) -> Iterator[tuple[int, Piece]]:
    """A new node with its settings, the longest description first."""
    if kind.identifier == RAMP:
        for last, found in sorted(stops(reading, end), key=lambda each: -each[0]):
            yield last, Piece("new", kind, reading.said(at, last), (), found, output, called)
    for start in (end, end + 1, end + 2):
        if (
            start > end
            and reading.mark(start - 1) not in {"(", ",", ":"}
            and reading.word(start - 1) not in {"with", "of", "at", "and", "set", "using"}
        ):
            break
        opened = reading.mark(start - 1) == "(" and start > end
        for last, sets in settings(reading, start, {"node": kind}, "node"):
            if opened and reading.mark(last) == ")":
                yield last + 1, Piece("new", kind, reading.said(at, last), tuple(sets), (), output, called)
            elif not opened:
                yield last, Piece("new", kind, reading.said(at, last), tuple(sets), (), output, called)
    yield end, Piece("new", kind, reading.said(at, end), (), (), output, called)


@slot("chain")
def chain(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Chain]]:
    """Two or more pieces with links between them, the longest chain first."""
    found: dict[int, Chain] = {}
    waiting: list[tuple[int, Chain]] = []
    for end, one in list(piece(reading, at, {}, ""))[:8]:
        waiting.append((end, ((one, True),)))
    while waiting:
        place, so_far = waiting.pop(0)
        for start, forward in links(reading, place):
            for end, one in piece(reading, start, {}, "later"):
                longer: Chain = (*so_far, (one, forward))
                if end not in found and len(longer) < 7:
                    found[end] = longer
                    if one.how != "shader" and forward:
                        waiting.append((end, longer))
    for end in sorted(found, reverse=True):
        yield end, found[end]


def links(reading: Reading, at: int) -> Iterator[tuple[int, bool]]:
    """Where the next piece may begin, and whether it is what the last one runs into."""
    place, way = at, None
    while place - at < 7:
        word = reading.word(place)
        if word in FORWARD:
            way = True
        elif word in BACKWARD:
            way = False if way is None else way
        elif word not in BETWEEN and reading.mark(place) not in {",", "-", ">"}:
            return
        if reading.mark(place) == ">":
            way = True
        place += 1
        if way is not None:
            yield place, way


# --- writing ------------------------------------------------------------------------------------------------


@dataclass
class Spot:
    """A node in the snippet: its variable, its type, and the socket that was said."""

    var: str
    node: NodeType
    socket: str = ""


def material_meant(build: Build, target: Target | None, title: str | None) -> MaterialTopic:
    """The material that is spoken of: of an object, by its name, or the last one."""
    if title is not None:
        made: dict[str, str] = build.memory.setdefault("_materials", {})
        return topic_of(build, made.get(title) or named_material(build, title))
    topic = build.topic
    if target is None and isinstance(topic, TextureTopic):
        return topic.material
    if target is None and isinstance(topic, MaterialTopic):
        return topic
    return material_for(build, target)


def write_chain(build: Build, topic: MaterialTopic, pieces: Chain) -> None:
    """The nodes of a chain, and the links between them."""
    build.need("socket_of")
    build.comment("nodes of the material")
    spots = [written(build, topic, one, index) for index, (one, _) in enumerate(pieces)]
    for (before, after), (_, forward) in zip(itertools.pairwise(spots), pieces[1:], strict=True):
        join(build, topic, before, after) if forward else join(build, topic, after, before)
    last = next((spot for spot in reversed(spots) if spot.node.identifier != PRINCIPLED), spots[0])
    build.topic = TextureTopic(last.var, (Place("", last.node.identifier),), last.node.label, topic)


def written(build: Build, topic: MaterialTopic, one: Piece, index: int) -> Spot:
    """One piece in the snippet."""
    nodes = build.lexicon.manifest.nodes
    spoken: list[tuple[str, Spot, str]] = build.memory.setdefault("_nodes", [])
    own = [spot for owner, spot, _ in spoken if owner == topic.var]
    if one.how == "shader":
        return Spot(shader_var(build, topic), nodes[PRINCIPLED], one.socket)
    if one.how == "coordinates":
        known = next((spot for spot in own if spot.node.identifier == COORDINATES), None)
        var = known.var if known else add_node(build, tree_var(build, topic), nodes[COORDINATES], (-1100.0, 200.0))
        if known is None:
            spoken.append((topic.var, Spot(var, nodes[COORDINATES]), ""))
        return Spot(var, nodes[COORDINATES], one.socket)
    if one.how == "spoken":
        fitting = [spot for spot in own if one.node is None or spot.node.identifier == one.node.identifier]
        if one.node is None and one.said not in {"it", "node", "result", "pattern"}:
            kinds = {"texture": "Tex", "image": "TexImage", "noise": "TexNoise"}
            fitting = [
                s
                for s in fitting
                if kinds.get(one.said, one.said) in s.node.identifier or one.said in s.node.label.lower()
            ]
        if not fitting:
            if one.node is None:
                raise refuse(one.said, "which node?")
            tree = tree_var(build, topic)
            var = build.var(one.node.label)
            build.line(f'{var} = next(node for node in {tree}.nodes if node.bl_idname == "{one.node.identifier}")')
            return Spot(var, one.node, one.socket)
        return Spot(fitting[-1].var, fitting[-1].node, one.socket)
    if one.node is None:
        raise refuse(one.said, "which node?")
    count = sum(spot.node.identifier == one.node.identifier for spot in own)
    title = one.called or (f"{one.node.label} {count + 1}" if count else "")
    tree = tree_var(build, topic)
    var = add_node(
        build,
        tree,
        one.node,
        (-900.0 + 250.0 * index, 300.0 - 250.0 * len({s.var for s in own} if index == 0 else ())),
        title,
    )
    node_settings(build, var, one.node, one.sets)
    if one.stops:
        write_stops(build, var, one.stops)
    spot = Spot(var, one.node, one.socket)
    spoken.append((topic.var, spot, title))
    return spot


def write_stops(build: Build, var: str, found: Sequence[Stop]) -> None:
    """The colors of a ramp; evenly spread where nothing else was said."""
    build.need("expect")
    spread = [one.at if one.at is not None else index / (len(found) - 1) for index, one in enumerate(found)]
    places = [round(each, 4) for each in spread]
    if sorted(places) != places:
        raise refuse("color ramp", "the stops do not follow each other")
    colors = build.var("colors")
    build.line(f"{colors} = expect(expect({var}, bpy.types.{RAMP}).color_ramp, bpy.types.ColorRamp)")
    if len(found) > 2:
        build.line(f"while len({colors}.elements) < {len(found)}:\n    {colors}.elements.new(1.0)")
    for index, (one, spot) in enumerate(zip(found, places, strict=True)):
        build.line(f"{colors}.elements[{index}].position = {literal(float(spot))}")
        build.line(f"{colors}.elements[{index}].color = {literal((*one.hue.rgb, 1.0))}")


MAIN_INPUTS: Final = {"ShaderNodeBump": "Height", "ShaderNodeNormalMap": "Color", "ShaderNodeDisplacement": "Height"}
KINDS: Final = {"NodeSocketColor": "color", "NodeSocketVector": "vector", "NodeSocketShader": "shader"}


def kind_of(socket: Socket) -> str:
    """What runs through a socket: color, vector, shader or number."""
    return next((kind for start, kind in KINDS.items() if socket.type.startswith(start)), "number")


def input_of(target: Spot, source: Spot) -> Socket:
    """The input of a node that is meant: the one that was said, its main one, or the first that fits."""
    inputs = [socket for socket in target.node.inputs if socket.enabled]
    if target.socket:
        return next(socket for socket in inputs if socket.name.lower() == target.socket.lower())
    main = MAIN_INPUTS.get(target.node.identifier) or (
        "Vector" if "Tex" in target.node.identifier or target.node.identifier == "ShaderNodeMapping" else ""
    )
    given = {kind_of(socket) for socket in source.node.outputs if socket.enabled}
    fitting = [socket for socket in inputs if kind_of(socket) in given]
    found = next((socket for socket in inputs if socket.name == main), None) or next(iter(fitting or inputs), None)
    if found is None:
        raise refuse(target.node.label, "nothing runs into it")
    return found


def output_meant(source: Spot, wanted: str) -> str:
    """The output of a node that is meant."""
    outputs = [socket for socket in source.node.outputs if socket.enabled]
    alike = {"fac": {"fac", "factor"}, "factor": {"fac", "factor"}}
    if source.socket:
        names = alike.get(source.socket.lower(), {source.socket.lower()})
        found = next((socket for socket in outputs if socket.name.lower() in names), None)
        if found is None:
            raise refuse(source.socket, f"{source.node.label} has no such output")
        return found.name
    fitting = [socket for socket in outputs if kind_of(socket) == wanted]
    if not outputs:
        raise refuse(source.node.label, "nothing comes out of it")
    return (fitting or outputs)[0].name


def join(build: Build, topic: MaterialTopic, source: Spot, target: Spot) -> None:
    """A link from one node to another."""
    if source.node.identifier == PRINCIPLED:
        raise refuse("Principled BSDF", "what comes out of it runs into the output already")
    goal = input_of(target, source)
    start = output_meant(source, kind_of(goal))
    tree = tree_var(build, topic)
    ends = (f'socket_of({source.var}.outputs, "{start}")', f'socket_of({target.var}.inputs, "{goal.name}")')
    link = f"{tree}.links.new({ends[0]}, {ends[1]})"
    build.line(link if len(link) <= WIDTH else f"{tree}.links.new(\n    {ends[0]},\n    {ends[1]},\n)")
    if target.node.identifier == PRINCIPLED and goal.name == "Emission Color":
        build.need("set_input")
        build.line(f'set_input({target.var}, "Emission Strength", 1.0)')


@step(
    "[<add>|connect|plug|link|feed|run|send|pass|route|let|drive] {c:chain} [(of|on|for|in) [the] [material of] {target:object} ['s] [material]]",
    "(in|on|to|for) [the] material of {target:object} [,|:] [<add>|connect|plug|link|feed|run|send|let] {c:chain}",
    "(in|on|to|for) {target:object} ['s] material [,|:] [<add>|connect|plug|link|feed|run|send|let] {c:chain}",
    "(in|on|to|for) [the] material {title:quoted} [,|:] [<add>|connect|plug|link|feed|run|send|let] {c:chain}",
    "[<add>|connect|plug|link|feed|run|send|let] {c:chain} (of|on|for|in) [the] material {title:quoted}",
    "(drive|control|feed) {goal:piece} [of {target:object} ['s] [material]] (with|by|from|through) {source:chain_or_piece}",
    "(drive|control|feed) {target:object} ['s] {goal:piece} (with|by|from|through) {source:chain_or_piece}",
)
def connect(
    build: Build, c: Chain | None, target: Target | None, title: str | None, goal: Piece | None, source: Chain | None
) -> None:
    """Nodes of a material, one into the next."""
    if goal is not None and source is not None:
        if goal.how != "shader":
            raise refuse(goal.said, "no input of the shader")
        c = (*source, (goal, True))
    if c is None or (all(one.how != "new" for one, _ in c) and "_nodes" not in build.memory):
        raise refuse("", "which nodes?")
    topic = material_meant(build, target, title)
    write_chain(build, topic, c)
    build.note(" -> ".join(one.said for one, _ in c))


@slot("chain_or_piece")
def chain_or_piece(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Chain]]:
    """A chain, or a single node."""
    yield from chain(reading, at, {}, "")
    for end, one in piece(reading, at, {}, ""):
        yield end, ((one, True),)
