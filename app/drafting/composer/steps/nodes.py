"""Geometry nodes and the compositor: nodes one after another, what runs into their inputs, inputs of a group.

    "distribute points on faces (density 20) -> instance on points with Rock, random scale 0.5 to 1.5 -> join with original"
     \\_________________ item ______________/    \\________________________ item ____________/\\_ feed _/

An item is a node with settings and feeds. A feed is what runs into one of its inputs: another node, an object, what came
in, a random value, an input of the group.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeGuard

from app.drafting.composer.build import Build, Known, Many
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Lexicon, Place, Setting, Table, as_property, key_of
from app.drafting.composer.loosely import PREPOSITIONS
from app.drafting.composer.patterns import Env, Reading, compile_pattern, slot
from app.drafting.composer.slots import (
    OBJECT_KINDS,
    Set,
    Target,
    color,
    in_a_row,
    joined,
    links,
    most_first,
    one_setting,
    opened,
    quantity,
    settings_in,
    skip,
    value_of,
    vector,
)
from app.drafting.composer.slots import axis as axis_slot
from app.drafting.composer.slots import target as target_slot
from app.drafting.composer.steps.graphs import RAMP, Stop, named, stops, write_ramp
from app.drafting.composer.steps.materials import add_node, node_settings
from app.drafting.composer.steps.modifiers import Topic
from app.drafting.composer.steps.remarks import harmless
from app.drafting.composer.tokens import singular
from app.drafting.composer.values import (
    Ambiguous,
    Color,
    Degrees,
    Quantity,
    Ref,
    clean,
    fitted,
    literal,
    quoted,
    refuse,
)
from app.drafting.draft import NotUnderstood
from ingest.manifest import NodeType, Socket

GEOMETRY: Final = "GeometryNodeTree"
COMPOSITOR: Final = "CompositorNodeTree"
MAIN: Final = {GEOMETRY: "Geometry", COMPOSITOR: "Color"}
"""What runs from node to node in a tree."""


@dataclass(frozen=True)
class Input:
    """An input of a group: its type as Blender calls it, and its values where they were said."""

    name: str
    kind: str = ""
    default: Any = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Source:
    """What runs into an input; `times` and `axis` are what a number is multiplied by and along which it goes."""

    how: Literal[
        "node", "object", "collection", "original", "random", "input", "pass", "compare", "attribute", "distance"
    ]
    said: str
    item: Item | None = None
    target: Target | None = None
    name: str = ""
    between: tuple[float, float] | None = None
    input: Input | None = None
    times: float | None = None
    axis: str = ""
    apart: bool = False
    """Whether each point gets one member of a collection."""
    domain: str = "POINT"
    """Of what a comparison chooses some: points, edges or faces."""


@dataclass(frozen=True)
class Item:
    """A node with what is set and what runs into it; `plain` says that nothing but its name tells that it is a node."""

    node: NodeType
    said: str
    sets: tuple[Set, ...] = ()
    feeds: tuple[Feed, ...] = ()
    called: str = ""
    plain: bool = True
    count: int | None = None
    """How many points it gives."""
    stops: tuple[Stop, ...] = ()


def flow(socket: Socket) -> str:
    """What runs through a socket: Geometry, Color, Vector, Float, Object, ..."""
    kinds = ("Geometry", "Color", "Vector", "Rotation", "Float", "Int", "Bool", "Object", "Material", "Collection", "Matrix", "String", "Menu", "Image")  # fmt: skip
    return next((kind for kind in kinds if socket.type.startswith(f"NodeSocket{kind}")), "")


def through(node: NodeType, tree: str) -> bool:
    """Whether what the tree is about comes out of the node."""
    taken = any(flow(socket) == MAIN[tree] for socket in node.inputs)
    kinds = {MAIN[tree], "Float"} if tree == COMPOSITOR and taken else {MAIN[tree]}
    return any(flow(socket) in kinds for socket in node.outputs)


# --- reading ------------------------------------------------------------------------------------------------

ARTICLES: Final = frozenset({
    "a", "an", "the", "new", "another", "one", "single", "extra", "add", "insert", "use", "apply", "its", "put",
    "set", "run", "send",
})  # fmt: skip
ONWARD: Final = frozenset({
    "and", "then", "followed", "by", "through", "afterwards", "into", "after", "that", "which", "goes", "feeding", "feeds",
    "runs", "next", "finally", "plus", "to", "it", "with", "sent", "comes", "lastly",
})  # fmt: skip
ENDS: Final = tuple(
    tuple(phrase.split())
    for phrase in (
        "render layers node", "render layers", "composite output", "composite node", "composite", "group output", "group input",
        "output node", "output", "viewer and composite",
    )
)  # fmt: skip
"""What a chain may begin and end with: it is there already."""


def past_end(reading: Reading, at: int) -> int:
    """The place after the name of an end of a tree."""
    start = skip(reading, at, {"the", "a"})
    words = tuple(reading.word(start + k) for k in range(3))
    found = next((phrase for phrase in ENDS if words[: len(phrase)] == phrase), ())
    return start + len(found) if found else at


def onward(reading: Reading, at: int) -> Iterator[int]:
    """Where the next node may begin: after marks and words such as "then" and "through"."""
    place = at
    while reading.mark(place) in {",", "-", ";", "."} or reading.word(place) in ONWARD:
        place += 1
        yield place


@slot("late")
def late(
    reading: Reading, at: int, env: Env, of: str
) -> Iterator[tuple[int, tuple[tuple[Set, ...], tuple[Feed, ...]]]]:
    """What is said of the last of some nodes after something else was said."""
    found: tuple[Item, ...] = env.get(of) or ()
    if found:
        tree = GEOMETRY if GEOMETRY in found[-1].node.trees else COMPOSITOR
        for end, sets, feeds in details(
            reading, at, found[-1].node, reading.lexicon.sockets(found[-1].node), tree, deep=True
        ):
            if end > at and (sets or feeds):
                yield end, (sets, feeds)


def whole(
    i: Sequence[Item] | None, z: tuple[tuple[Set, ...], tuple[Feed, ...]] | None, j: Sequence[Item] | None
) -> list[Item]:
    """The nodes with what was said of the last of them later, and those that follow."""
    found = list(i or ())
    if z and found:
        found[-1] = replace(found[-1], sets=(*found[-1].sets, *z[0]), feeds=(*found[-1].feeds, *z[1]))
    return [*found, *(j or ())]


@slot("items")
def items(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
    """Nodes one after another: "a fog glow glare (threshold 0.8) and then a blur of 10 px"."""
    start = past_end(reading, at)
    waiting: list[tuple[int, tuple[Item, ...]]] = [(at, ())]
    waiting += [(place, ()) for place in onward(reading, start) if start > at]
    found: dict[int, tuple[Item, ...]] = {}
    while waiting:
        place, so_far = waiting.pop(0)
        for end, one in item(reading, place, of):
            if end in found or len(so_far) > 9:
                continue
            found[end] = (*so_far, one)
            for following in onward(reading, end):
                waiting.append((following, found[end]))
                last = past_end(reading, following)
                if last > following:
                    found.setdefault(last, found[end])
    for end in sorted(found, reverse=True):
        yield end, found[end]


def item(reading: Reading, at: int, tree: str, *, deep: bool = True, every: bool = False) -> Iterator[tuple[int, Item]]:
    """A node with its settings and feeds; `every` also takes those that what the tree is about does not run through."""
    last_start = skip(reading, at, ARTICLES)
    for end, count in counted_points(reading, last_start) if tree == GEOMETRY else ():
        kind = reading.lexicon.manifest.nodes[POINTS]
        for last, sets, feeds in details(reading, end, kind, reading.lexicon.sockets(kind), tree, deep=deep):
            yield last, Item(kind, reading.said(at, last), sets, feeds, plain=False, count=count)
    if tree == GEOMETRY:
        yield from stored(reading, last_start)
        chosen = compared(reading, last_start + 1) if reading.word(last_start) in {"delete", "remove"} else ()
        for end, source in chosen:
            kind = reading.lexicon.manifest.nodes["GeometryNodeDeleteGeometry"]
            yield end, Item(kind, reading.said(at, end), (), (("Selection", source),))
    starts = [(start, start) for start in range(at, last_start)]
    starts += [(last_start, label) for label in range(last_start, min(last_start + 5, len(reading.tokens)))]
    for start, label in starts:
        for end, kinds in reading.lexicon.nodes[tree].matches(reading.tokens, label):
            fitting = (k for k in kinds if k.identifier not in HIDDEN and (every or through(k, tree) or sink(k, tree)))
            kind = next(fitting, None)
            table = reading.lexicon.sockets(kind) if kind else None
            early = before(reading, start, label, kind, table) if kind and table else None
            if kind is None or table is None or early is None:
                continue
            alone = [found for last, found in table.items.matches(reading.tokens, label) if last == end]
            early += tuple(Set(tuple(found), reading.said(label, end)) for found in alone)  # "fog glow" for a glare
            after = skip(reading, end, {"node", "nodes", "filter", "effect"})
            plain = after == end and (at == 0 or reading.tokens[at - 1].text not in {"layers", "->", "→", "=>"})
            for middle, called in named(reading, after):
                alike_ = kind.label.lower() in OBJECT_KINDS and plain
                unsure = alike_ and not {reading.word(at), reading.word(at - 1)} & {"a", "an"}
                for last, sets, feeds in details(reading, middle, kind, table, tree, deep=deep):
                    definite = "the" in {reading.word(at), reading.word(at - 1)}
                    if unsure and (
                        definite or not (sets or early or feeds or reading.word(label).endswith("s") or not deep)
                    ):
                        continue  # an object
                    somewhere = {reading.word(place) for place in range(at, last)} & WHERE
                    bare = plain and not somewhere
                    yield last, Item(kind, reading.said(at, last), (*early, *sets), feeds, called, bare)
                for last, found in stops(reading, aside(reading, middle, tree)) if kind.identifier == RAMP else ():
                    yield last, Item(kind, reading.said(at, last), early, (), called, plain, stops=found)


POINTS: Final = "GeometryNodeDistributePointsOnFaces"
COUNTED: Final = compile_pattern(
    "(distribute|scatter|spread|place|put) {n:int} [random] points [(on|over|across) [the|its] (faces|surface) [of it]]"
)


def counted_points(reading: Reading, at: int) -> Iterator[tuple[int, int]]:
    """ "distribute 2000 points on the faces"."""
    for end, found in COUNTED(reading, at, {}):
        yield end, found["n"]


STORE: Final = "GeometryNodeStoreNamedAttribute"
DATA_TYPES: Final = {"integer": "INT", "vector": "FLOAT_VECTOR", "color": "FLOAT_COLOR"}
STORED: Final = compile_pattern(
    "(store|save|write|put|stores|keep) ~( (on|for|per|at) [every|each|the|a|any] {domain=face|point|vertex|edge|corner} ) [the|its] {field:field} [in meters] (as|in|into|to) [a|an|the] [new] [named] [{type=float|integer|boolean|vector|color}] attribute [<called>] {name:name}"
    " [« ~( {type=float|integer|boolean|vector|color} [attribute] ; [on] [the] {domain=face|point|vertex|edge|corner} [domain] ) »]"
)


def stored(reading: Reading, at: int) -> Iterator[tuple[int, Item]]:
    """'store the face area as named attribute "area" (float, face domain)'."""
    node = reading.lexicon.manifest.nodes[STORE]
    for end, found in STORED(reading, at, {}):
        if unclosed(reading, at, end):
            continue
        wanted = {"domain": {"vertex": "POINT"}.get(found.get("domain", "point"), found.get("domain", "point").upper())}
        if found.get("type"):
            wanted["data_type"] = DATA_TYPES.get(found["type"], found["type"].upper())
        sets = [Set(((Setting(Place("", STORE), reading.lexicon.property(STORE, name)), value),), name) for name, value in wanted.items()]  # fmt: skip
        sets.append(given(reading.lexicon, node, "Name", found["name"]))
        yield end, Item(node, reading.said(at, end), tuple(sets), (("Value", found["field"]),), plain=False)


@slot("field")
def field_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Source]]:
    """What has a value for each element: "the face area", "a noise texture", "its distance to Probe"."""
    for end, one in item(reading, skip(reading, at, {"the", "its"}), GEOMETRY, deep=False, every=True):
        if one.node.outputs and not through(one.node, GEOMETRY):
            yield end, Source("node", reading.said(at, end), item=one)
    for end, env_ in DISTANCE(reading, at, {}):
        yield end, Source("distance", reading.said(at, end), target=env_["target"])


DISTANCE: Final = compile_pattern("distance (to|from) [the] {target:object of one}")

HIDDEN: Final = frozenset({"NodeGroupInput", "NodeGroupOutput", "CompositorNodeRLayers", "NodeReroute", "NodeFrame"})


def sink(node: NodeType, tree: str) -> bool:
    """Whether a node only takes what the tree is about, such as a viewer or an output of files."""
    return not node.outputs and bool(node.inputs) and tree == COMPOSITOR


def before(reading: Reading, start: int, end: int, kind: NodeType, table: Table) -> tuple[Set, ...] | None:
    """What stands before the name of a node and belongs to it: "fog glow", "20 px"; None if something else does."""
    if start == end:
        return ()
    for last, found in table.items.matches(reading.tokens, start):
        if last == end:
            return (Set(tuple(found), reading.said(start, end)),)
    for last, one in [*one_setting(reading, start, table), *main_value(reading, start, kind, table)]:
        if last == end:
            return (one,)
    return None


def main_value(reading: Reading, at: int, kind: NodeType, table: Table) -> Iterator[tuple[int, Set]]:
    """A bare value for what a node is mainly about: "merge by distance 1 cm", "set material Gold"."""
    apart = {"Selection", "Factor", "Fac", "Image", "Seed"}
    names = [socket.name for socket in kind.inputs if socket.enabled and socket.name not in apart]
    found = [each for name_ in names for each in table.named.of(name_) if each.socket]
    own = [Setting(Place("", kind.identifier), each.prop, each.socket) for each in found]
    wanted = reading.lexicon.main.get(kind.identifier)
    for name_ in wanted or ():
        own = [each for each in own if each.socket.lower() == name_]
    yield from sorted(values_for(reading, at, own, bool(wanted)), key=lambda each: -each[0])


def values_for(reading: Reading, at: int, settings: Sequence[Setting], sure: bool) -> Iterator[tuple[int, Set]]:
    """A value that only one of these settings can take, or the first of them where that is sure."""
    fitting: dict[int, list[tuple[Setting, Any]]] = {}
    for each in settings:
        if each.prop.type == "BOOLEAN":
            continue
        try:
            for end, value in value_of(reading, at, each):
                fitting.setdefault(end, []).append((each, value))
        except NotUnderstood:
            continue
    for end, options in fitting.items():
        noun = reading.word(end)
        if reading.tokens[end - 1].kind == "number" and singular(noun) != noun:
            continue  # "12 points" counts something
        if sure or len({setting.socket for setting, _ in options}) == 1:
            yield end, Set(tuple(options[:1]), reading.said(at, end))


Feed = tuple[str, Source]
"""An input, and what runs into it."""
Details = tuple[int, tuple[Set, ...], tuple[Feed, ...]]


def details(reading: Reading, at: int, kind: NodeType, table: Table, tree: str, *, deep: bool) -> Iterator[Details]:
    """What is said of a node after its name, the most of it first."""
    best: dict[int, tuple[tuple[Set, ...], tuple[Feed, ...]]] = {at: ((), ())}
    waiting = [at]
    seen: set[int] = set()
    while waiting:
        place = waiting.pop(0)
        sets, feeds = best[place]
        alone = sum(flow(socket) == MAIN[tree] for socket in kind.inputs) == 1
        start = skip(reading, place, {"of", "the", "original", "incoming"}) if alone else place
        after = max(aside(reading, start, tree), by_itself(reading, place, kind, tree))
        if after > place and after not in best:
            best[after] = best[place]
            waiting.append(after)
        for start in joined(reading, skip(reading, place, {"showing", "shows"}), first=place == at):
            start = again(reading, start, kind, tree)  # noqa: PLW2901
            if start in seen:
                continue
            seen.add(start)
            singles = [*one_setting(reading, start, table), *motions(reading, start, table)]
            singles += second_color(reading, start, kind)
            if not sets or start > place:
                singles += main_value(reading, start, kind, table)
            singles += [(last, one) for end, one in singles for last in both_ways(reading, end) if alike(one)]
            found: list[tuple[int, tuple[Set, ...], tuple[Feed, ...]]] = [
                *((end, (one,), ()) for end, one in singles),
                *((end, both, ()) for end, both in pairs(reading, start, table)),
                *((end, (), (one,)) for end, one in (feed(reading, start, kind, table, tree) if deep else ())),
            ]
            both = [(end, (*sets, *more), (*feeds, *fed)) for end, more, fed in found]
            both += [
                (end, sets, (*feeds[:-1], one)) for end, one in (fed_on(reading, start, feeds[-1]) if feeds else ())
            ]
            for end, more, fed in sorted(both, key=lambda each: -each[0]):
                last = end + 1 if reading.mark(end) == ")" and opened(reading, at, end) else end
                if last not in best:
                    best[last] = (more, fed)
                    waiting.append(last)
    for end in sorted(best, reverse=True):
        if not unclosed(reading, at, end):
            yield end, *best[end]


def again(reading: Reading, at: int, kind: NodeType, tree: str) -> int:
    """The place after the name of the same node, said once more in brackets: "fog glow (glare node, ...)"."""
    if reading.mark(at - 1) != "(":
        return at
    ends = [end for end, kinds in reading.lexicon.nodes[tree].matches(reading.tokens, at) if kind in kinds]
    if any(end in ends for end, _ in reading.lexicon.sockets(kind).items.matches(reading.tokens, at)):
        return at  # "glare (fog glow, ...)": which one of its menu
    return skip(reading, ends[0], {"node"}) + (reading.mark(skip(reading, ends[0], {"node"})) == ",") if ends else at


def by_itself(reading: Reading, at: int, kind: NodeType, tree: str) -> int:
    """The place after words that name the node once more: "denoise the render using the denoise node"."""
    start = skip(reading, at, {"using", "with", "via", "by", "through"})
    named_ = skip(reading, start, {"the", "a", "compositor", "compositing"})
    ends = [end for end, kinds in reading.lexicon.nodes[tree].matches(reading.tokens, named_) if kind in kinds]
    return ends[0] + 1 if start > at and ends and reading.word(ends[0]) == "node" else at


def fed_on(reading: Reading, at: int, fed: tuple[str, Source]) -> Iterator[tuple[int, Feed]]:
    """What is said later of a node that runs into an input: "offset by noise, noise scale 4, strength 0.3"."""
    name, source = fed
    item = source.item
    if item is None:
        return
    words = next((end for end, kinds in reading.lexicon.nodes[item.node.trees[0]].matches(reading.tokens, at) if item.node in kinds), at)  # fmt: skip
    for start in {words, at}:
        for end, one in one_setting(reading, start, reading.lexicon.sockets(item.node)):
            yield end, (name, replace(source, item=replace(item, sets=(*item.sets, one))))
    if reading.word(at) in {"strength", "amplitude", "amount"} and source.times is None:
        for end, given in quantity(reading, skip(reading, at + 1, {"of"}), {}, ""):
            yield end, (name, replace(source, times=given.value))


LEADING: Final = frozenset({
    "in", "to", "with", "on", "of", "over", "into", "for", "from", "through", "via", "connected", "the", "final", "rendered",
    "whole", "entire", "its", "all", "linked",
})  # fmt: skip
SPOKEN: Final = {
    GEOMETRY: frozenset({"mesh", "geometry", "it", "them", "everything", "curve", "curves", "instances"}),
    COMPOSITOR: frozenset(
        {"render", "image", "picture", "it", "result", "compositor", "compositing", "comp", "output"}
    ),
}
"""What a node works on anyhow, or where it is."""
WHERE: Final = frozenset({"compositor", "compositing", "comp", "node", "nodes"})


def aside(reading: Reading, at: int, tree: str) -> int:
    """The place after words that say what the node works on anyhow: "the render", "in the compositor"."""
    if reading.word(at) in {"node", "nodes"}:
        return at + 1
    place = skip(reading, at, LEADING)
    if reading.word(at) == "per" and reading.word(at + 1) in {"m²", "m2", "square"}:
        return at + 2 + (reading.word(at + 1) == "square")
    return skip(reading, place + 1, {"nodes", "node", "tree"}) if reading.word(place) in SPOKEN[tree] else at


def unclosed(reading: Reading, start: int, end: int) -> bool:
    """Whether a bracket is open at the end of what was read."""
    return sum({"(": 1, ")": -1}.get(reading.mark(place), 0) for place in range(start, end)) != 0


def motions(reading: Reading, at: int, table: Table) -> Iterator[tuple[int, Set]]:
    """ "lift by 1 m", "move by (0, 0, 2)", "shifted 2 m along X": the translation or the offset of a node."""
    word = reading.word(at)
    sign = {"lift": 1.0, "raise": 1.0, "lifted": 1.0, "raised": 1.0, "up": 1.0, "lower": -1.0, "down": -1.0}.get(
        word, 0.0
    )
    settings = [each for name in ("translation", "offset") for each in table.named.of(name) if each.socket]
    if not settings or not (sign or word in {"move", "moved", "shift", "shifted", "translate", "translated", "moving"}):
        return
    start = skip(reading, at + 1, {"by", "it", "up", "everything"})
    for end, given in quantity(reading, start, {}, "length") if sign else ():
        yield end, Set(((settings[0], (0.0, 0.0, clean(sign * given.value))),), reading.said(at, end))
    for end, way in vector(reading, start, {}, "") if not sign else ():
        if len(way.parts) == 3:
            yield end, Set(((settings[0], tuple(part or 0.0 for part in way.parts)),), reading.said(at, end))


def second_color(reading: Reading, at: int, kind: NodeType) -> Iterator[tuple[int, Set]]:
    """What a picture is mixed with: "a solid red", "the color #B0C4DE"."""
    socket = next((each for each in kind.inputs if each.identifier == "B_Color"), None)
    if socket is None:
        return
    goal = Setting(Place("", kind.identifier), as_property(socket), socket.identifier)
    start = skip(reading, at, {"the", "a", "solid", "plain", "color"})
    for end, found in color(reading, start, {}, "bare"):
        yield end, Set(((goal, (*found.rgb, 1.0)),), reading.said(at, end))


def pairs(reading: Reading, at: int, table: Table) -> Iterator[tuple[int, tuple[Set, ...]]]:
    """What has a value for each direction: "5 x 5 m", "size 4 by 2", "50 vertices each way"."""
    for name in ("size", "vertices", ""):
        found = [next((each for each in table.named.of(f"{name} {axis}") if each.socket), None) for axis in "xy"]
        axes = [each for each in found if each is not None]
        if len(axes) < 2:
            continue
        start = at + (reading.word(at) == name)
        ways: list[tuple[int, tuple[Quantity, ...]]] = []
        if name != "vertices" or start > at:
            sizes = [(end, size.parts) for end, size in vector(reading, start, {}, "") if size.whole]
            ways += [(end, tuple(Quantity(part or 0.0) for part in parts)) for end, parts in sizes if len(parts) == 2]
        for middle, given_ in quantity(reading, start, {}, ""):
            last = middle + (bool(name) and singular(reading.word(middle)) == singular(name))
            end = next(both_ways(reading, last), 0)
            if end and (last > middle or start > at):
                ways.append((end, (given_, given_)))
        for end, values in ways:
            said = reading.said(at, end)
            yield (
                end,
                tuple(Set(((each, fitted(each.prop, one)),), said) for each, one in zip(axes, values, strict=True)),
            )


def alike(one: Set) -> bool:
    """Whether a number was said that each component of an input gets."""
    value = one.options[0][1] if one.options else None
    return is_list(value) or isinstance(value, tuple)


EACH_WAY: Final = tuple(
    tuple(phrase.split())
    for phrase in ("each way", "in each direction", "in both directions", "per side", "on each side", "on each axis", "each side",
                   "in x and y", "in both x and y", "in both", "both ways", "per axis")
)  # fmt: skip


def both_ways(reading: Reading, at: int) -> Iterator[int]:
    """The place after words that say that a value is that of each direction."""
    return (at + len(words) for words in EACH_WAY if reading.words(at, len(words)) == words)


def feed(reading: Reading, at: int, kind: NodeType, table: Table, tree: str) -> Iterator[tuple[int, Feed]]:
    """An input and what runs into it: "scale random between 0.5 and 2", "with the original", "Rock as instance"."""
    main = main_input(kind, MAIN[tree])
    taken = main.name if main and tree == GEOMETRY else None
    yield from driven(reading, at, kind, table, tree, taken)
    if tree == COMPOSITOR:
        for end, word in passes(reading, skip(reading, at, {"the"}), table):
            yield end, (word, Source("pass", reading.said(at, end), name=word))
    if tree == GEOMETRY and any(socket.name == "Selection" for socket in kind.inputs):
        for end, source in compared(reading, at):
            yield end, ("Selection", source)
    before_ = reading.word(at - 1)
    linked = before_ in WITH
    quoted_ = any(each.kind == "quoted" for each in reading.tokens[at : at + 1])
    named_so = quoted_ and before_ not in {"on", "to", "for", "in", "from", "at"}
    listed = before_ == "and" or reading.mark(at - 1) == "," or named_so
    for end, source in sources(reading, at, tree, sure=linked):
        start = skip(reading, end, {"as", "for", "into", "on", "to", "in", "the"})
        inputs = table.named.matches(reading.tokens, start) if start > end else ()
        told_ = [(last, found[0].socket) for last, found in inputs if found[0].socket not in {"", taken}]
        for last, socket in told_:
            yield skip(reading, last, {"input", "socket"}), (socket, source)
        again_ = source.item is not None and source.item.node is kind and before_ in {"using", "via", "by", "through"}
        if again_:
            continue  # "denoise it using the denoise node": this one
        into = kind.identifier != JOIN or "into" in reading.words(at - 4, 3)
        of_it = before_ == "of" and into and reading.word(at - 2) not in {"instances", "copies"}
        if source.how == "object" and of_it:
            continue
        if not told_ and (linked or (source.how == "object" and listed) or source.how == "original"):
            yield end, ("", source)


def driven(
    reading: Reading, at: int, kind: NodeType, table: Table, tree: str, taken: str | None
) -> Iterator[tuple[int, Feed]]:
    """An input by its name, then what runs into it: "offset z by noise", "random Z rotation"."""
    random = reading.word(at) in RANDOM_WORDS
    turn = next(axis_slot(reading, at + 1, {}, ""), None) if random else None  # "random Z rotation"
    turned = turn[1] if turn else ""
    for end, found in table.named.matches(reading.tokens, turn[0] if turn else at + random):
        one = next((each for each in found if each.socket not in {"", taken}), None)
        if one is None or (one.prop.type == "ENUM" and tree == COMPOSITOR):
            continue  # "type bloom": one of a menu, no node
        along = next(axis_slot(reading, skip(reading, end, {"in", "along", "on"}), {}, ""), (end, ""))
        for middle, letter in dict([(end, ""), along]).items():
            for start in links(reading, skip(reading, middle, {"is", "comes", "driven", "fed", "taken", "controlled"})):
                for last, source in sources(reading, start, tree, random=random):
                    yield last, (one.socket, replace(source, axis=source.axis or turned or letter))
        if random and one.prop.subtype == "EULER":
            around = skip(reading, end, {"around", "about", "on"})
            for last, letter in [*axis_slot(reading, around, {}, ""), (end, "")]:
                turns = Source("random", reading.said(at, last), between=(0.0, 360.0), axis=letter or turned)
                yield last, (one.socket, turns)
        if kind.identifier == INSTANCE:
            break


WITH: Final = frozenset(
    {"with", "using", "of", "by", "as", "instancing", "between", "instance", "instances", "showing", "shows", "for"}
)
"""After these words something runs into a node, and need not be told into which input."""


RANDOM_WORDS: Final = frozenset({"random", "randomly", "randomized", "varying"})


def random_range(reading: Reading, at: int, *, said: bool) -> Iterator[tuple[int, tuple[float, float]]]:
    """ "random between 0.5 and 2", "0-360", "(0.7 to 1.3)"; `said` tells that the word random stood before."""
    start = skip(reading, at, RANDOM_WORDS | {"value", "values", "per", "instance", "point", "uniform", "uniformly"})
    if start == at and not said:
        return
    start = skip(
        reading, start + (reading.mark(start) == "("), {"between", "from", "of", "in", "range", "the", "within"}
    )
    for middle, low in quantity(reading, start, {}, ""):
        behind = reading.tokens[middle : middle + 1]
        joined_ = any(reading.tokens[middle - 1].end + 1 >= each.start for each in behind)
        link = middle + (reading.word(middle) in {"to", "and", "until"} or reading.mark(middle) in {"-", ".."})
        if link > middle or joined_:
            for end, high in quantity(reading, link, {}, ""):
                yield end + (reading.mark(end) == ")" and unclosed(reading, at, end)), (low.value, high.value)


GROUP_INPUT: Final = compile_pattern(
    "[a|an] [{kind=float|integer|int|boolean|bool|vector|color|object|material|collection|string|rotation|value|geometry}] [exposed]"
    " [group|modifier] (input|parameter|slider|socket) [<called>] {name:name}"
    " ~( [of] [type] {type=float|integer|int|boolean|bool|vector|color|object|material|collection|string|rotation} [value] ;"
    " {default:literal} as [the|its] default ; [default|defaults|defaulting] [value] [of|=|:|to|is] {default:literal} ; (min|minimum) [value] [of|=|:|is] {low:n} ;"
    " (max|maximum) [value] [of|=|:|is] {high:n} ; (range|limited|between|from) [from|to|between] {low:n} (to|and|-) {high:n} )"
)
KINDS: Final = {"float": "Float", "value": "Float", "integer": "Int", "int": "Int", "boolean": "Bool", "bool": "Bool"}


@slot("literal")
def literal_value(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Any]]:
    """A number, a vector, on or off, a text."""
    for end, found in vector(reading, at, {}, ""):
        if found.whole:
            yield end, found.parts
    for end, found in quantity(reading, at, {}, ""):
        yield end, Degrees(found.value) if found.measured("angle") else found.value
    if reading.word(at) in {"on", "true", "off", "false"}:
        yield at + 1, reading.word(at) in {"on", "true"}


@slot("group_input")
def group_input(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Input]]:
    """ "a float input "Height" (default 2, min 0, max 10)"."""
    for end, found in GROUP_INPUT(reading, at, {}):
        if unclosed(reading, at, end):
            continue
        kind = str(found.get("kind") or found.get("type") or "")
        value = found.get("default")
        yield end, Input(found["name"], KINDS.get(kind, kind.title()), value, found.get("low"), found.get("high"))


def sources(
    reading: Reading, at: int, tree: str, *, random: bool = False, sure: bool = True
) -> Iterator[tuple[int, Source]]:
    """What may run into an input; with what it is multiplied by and the axis that it goes along."""
    for end, found in plain_sources(reading, at, tree, random=random, sure=sure):
        place, times = end, None
        if reading.word(place) in {"times", "multiplied", "scaled", "strength", "x"} or reading.mark(place) in {
            "*",
            "×",
        }:
            for last, given in quantity(reading, skip(reading, place + 1, {"by", "of"}), {}, ""):
                place, times = last, given.value
                break
        start = skip(reading, place, {"in", "along", "on", "around", "about"})
        if start > place:
            for last, letter in axis_slot(reading, start, {}, ""):
                yield last, replace(found, times=times, axis=letter)
        yield place, replace(found, times=times)


def plain_sources(reading: Reading, at: int, tree: str, *, random: bool, sure: bool) -> Iterator[tuple[int, Source]]:
    """A new node, an object, what came in, a random value, an input of the group."""
    start = skip(reading, at, {"the", "its"})
    if reading.word(start) in {"original", "unchanged", "incoming", "source"}:
        end = start + 1
        while reading.word(end) and singular(reading.word(end)) in {"geometry", "mesh", "object", "image", "render", "ground", "surface", "curve", "picture"}:  # fmt: skip
            end += 1
        yield end, Source("original", reading.said(at, end))
    for end, between in random_range(reading, at, said=random):
        yield end, Source("random", reading.said(at, end), between=between)
    for end, found in group_input(reading, at, {}, ""):
        yield end, Source("input", reading.said(at, end), input=found)
    if tree == COMPOSITOR:
        for end, word in passes(reading, start):
            yield end, Source("pass", reading.said(at, end), name=word)
    before_ = reading.word(at - 1) if at else ""
    articles = {reading.word(at), before_}
    article = "a" if articles & {"a", "an"} else "the" if "the" in articles else ""
    for end, one in item(reading, at, tree, deep=False, every=True):
        plural = reading.word(at).endswith("s")
        alike = one.node.label.lower() in OBJECT_KINDS and article != "a" and not plural
        if (
            one.node.outputs
            and not alike
            and (tree == COMPOSITOR or (article != "the" and main_input(one.node, "Geometry") is None))
        ):
            yield end, Source("node", reading.said(at, end), item=one)
    if tree == GEOMETRY and reading.word(start) == "collection":
        for end, found in compile_pattern("collection {name:known}")(reading, start, {}):
            yield end, Source("collection", reading.said(at, end), name=found["name"])
    if tree == GEOMETRY:
        for end, aimed in target_slot(reading, skip(reading, at, {"object", "instances", "of", "copies"}), {}, "one"):
            if aimed.how == "named" or (sure and aimed.how in {"kind", "word"} and reading.word(at) == "the"):
                for last, found in OBJECT_INFO(reading, end, {}):
                    space = str(found.get("space") or "")
                    yield last, Source("object", reading.said(at, end), target=aimed, name=space)


OBJECT_INFO: Final = compile_pattern(
    "[[«] [(using|with|via|by|through)] object info [node|nodes] [,|«] [as|in|set to|with] [{space=relative|original}] [space] [»] [»]]"
)


COMPARED: Final = compile_pattern(
    "[only] [on|in] [all|the|those] [{of=faces|points|vertices|edges}|parts|geometry] ((where|whose) [the] (normal|normals) (points|point|look|looks) [straight] {way=up|down} [« normal z {sign=>|<} {n:n} »]|(where|whose|with|that have) [the] ({field=position|normal} {axis:axis}|{axis:axis} [{field=position|normal}]|{field=index|face area|edge angle|radius}|"
    "[vertex group|attribute|named attribute|vertex group and attribute] {attribute:quoted}) [is|value|are|lies|lie|being] ({how=above|over|greater than|larger than|more than|bigger than|higher than|below|under|less than|smaller than|lower than|>|<}) {n:n})"
)


def compared(reading: Reading, at: int) -> Iterator[tuple[int, Source]]:
    """ "where z is below 0", "only on faces where the attribute "grow" is over 0.5"."""
    for end, found in COMPARED(reading, at, {}):
        way, domain = found.get("way"), {"faces": "FACE", "edges": "EDGE"}.get(found.get("of", ""), "POINT")
        more = way == "up" or str(found.get("how")).split()[0] in MORE
        name = str(found.get("attribute") or found.get("field") or ("normal" if way else "position"))
        how: Literal["attribute", "compare"] = "attribute" if found.get("attribute") else "compare"
        between = (float(more), found.get("n", 0.9 if more else -0.9))
        if not way or (between[1] > 0) == more == (found.get("sign", ">" if more else "<") == ">"):
            axis = "Z" if way else str(found.get("axis") or "")
            yield end, Source(how, reading.said(at, end), name=name, axis=axis, between=between, domain=domain)


MORE: Final = frozenset({"above", "over", "greater", "larger", "more", "bigger", "higher", ">"})


PLUGGED: Final = frozenset({"pass", "passes", "data", "connected", "hooked", "up", "plugged", "in", "linked"})


def passes(reading: Reading, at: int, table: Table | None = None) -> Iterator[tuple[int, str]]:
    """An output of the render layers: "the depth pass", "alpha"; with a table, a pass that a node has an input for."""
    for length in (1, 2) if table else ():
        phrase = " ".join(reading.word(at + k) for k in range(length))
        for each in table.named.of(phrase) if table else ():
            end = at + length
            more = reading.word(end) in {"and", "pass", "passes", "data"}
            if each.socket and phrase.title() == each.socket and more:
                yield skip(reading, end, PLUGGED), each.socket
    if table:
        return
    layers = reading.lexicon.manifest.nodes["CompositorNodeRLayers"]
    for length in (3, 2, 1):
        words = tuple(singular(reading.word(at + k)) for k in range(length))
        for socket in layers.outputs:
            if key_of(socket.name) == words:
                end = at + length
                yield skip(reading, end, {"pass", "passes", "output"}), socket.name


# --- writing ------------------------------------------------------------------------------------------------


@dataclass
class Graph(Topic):
    """A tree that is being written: its variable, which kind it is, the object it is on, the nodes so far."""

    tree: str = GEOMETRY
    owner: Known | None = None

    def __post_init__(self) -> None:
        self.nodes: list[tuple[Item, str]] = []
        self.used = False
        """Whether the object has it already."""

    def accepts(self, build: Build, sets: Sequence[Set]) -> bool:
        """Whether one of the nodes takes all of this."""
        del build
        return self._taking(sets) is not None

    def _taking(self, sets: Sequence[Set]) -> tuple[Item, str] | None:
        def takes(one: Item) -> bool:
            place = Place("", one.node.identifier)
            return all(any(option[0].place == place for option in each.options) for each in sets)

        return next((each for each in reversed(self.nodes) if takes(each[0])), None)

    def write(self, build: Build, sets: Sequence[Set]) -> None:
        """Set it on the last node that takes it."""
        found = self._taking(sets)
        if found is not None:
            node_settings(build, found[1], found[0].node, sets)


def write_items(build: Build, graph: Graph, found: Sequence[Item]) -> None:
    """Each node between what comes out of the tree so far and its output."""
    build.need("splice")
    for one in found:
        generates = main_input(one.node, MAIN[graph.tree]) is None and one.node.identifier != RAMP
        if generates and (graph.nodes or graph.tree == COMPOSITOR):
            raise refuse(one.said, "nothing runs into it, and something stands before it")
        var = write_node(build, graph, one)
        objects = sum(source.how == "object" for _, source in one.feeds)
        anew = one.node.identifier == JOIN and objects > 1 and not graph.nodes
        if sink(one.node, graph.tree):
            if not one.feeds:
                write_sink(build, graph, one, var)
        else:
            goal = "" if anew else free_input(one, graph.tree)
            build.line(f"splice({graph.var}, {var}{', anew=True' * anew}{goal})")
        feeds = one.feeds
        if one.node.identifier == INSTANCE and not any(name in {"", "Instance"} for name, _ in feeds):
            if not (graph.nodes and main_input(graph.nodes[0][0].node, MAIN[graph.tree]) is None):
                raise refuse(one.said, "which instances?")
            feeds = (*feeds, ("Instance", Source("original", "the object itself")))
        for name, source in feeds:
            write_feed(build, graph, one, var, name, source)
        graph.nodes.append((one, var))
    build.topic = graph


def free_input(one: Item, tree: str) -> str:
    """The argument that names the input that what the tree is about runs into, where it is not the first."""
    said = {setting.socket for each in one.sets for setting, _ in each.options} | {name for name, _ in one.feeds}
    inputs = [socket for socket in one.node.inputs if flow(socket) == MAIN[tree] and socket.enabled]
    names = [socket.name for socket in inputs]
    if len(names) < 2 or names[0] not in said or tree == GEOMETRY:
        return ""
    free = next((name for name in names if name not in said), "")
    if not free:
        raise refuse(one.said, "where does the picture run in?")
    return f', goal="{free}"'


JOIN: Final = "GeometryNodeJoinGeometry"
INSTANCE: Final = "GeometryNodeInstanceOnPoints"
MODES: Final = {"ShaderNodeMix": {"Color": "RGBA", "Vector": "VECTOR", "Float": "FLOAT", "Geometry": "FLOAT"}}


def write_node(build: Build, graph: Graph, one: Item) -> str:
    """The variable of a node with its settings."""
    count = sum(other.node is one.node for other, _ in graph.nodes)
    title = one.called or (f"{one.node.label} {count + 1}" if count else "")
    var = add_node(build, graph.var, one.node, (200.0 * len(graph.nodes) - 100.0, 0.0), title)
    mode = MODES.get(one.node.identifier, {}).get(MAIN[graph.tree])
    if mode:
        build.need("expect")
        build.line(f'expect({var}, bpy.types.{one.node.identifier}).data_type = "{mode}"')
    node_settings(build, var, one.node, one.sets)
    if one.stops:
        write_ramp(build, var, one.stops)
    if one.count is not None:
        if graph.owner is None:
            raise refuse(one.said, "on which object?")
        build.need("mesh_of", "set_input")
        build.line(f"area = sum(face.area for face in mesh_of({graph.owner.var}).polygons)")
        build.line(f'set_input({var}, "Density", {one.count} / area)')
    return var


def write_sink(build: Build, graph: Graph, one: Item, var: str) -> None:
    """A viewer takes what comes out of the tree."""
    if one.node.identifier != "CompositorNodeViewer":
        raise refuse(one.said, "what runs into it?")
    build.line(f"tap({graph.var}, {var})")
    build.need("tap")


def input_for(one: Item, name: str, source: Source) -> Socket:
    """The input of a node that a source runs into: the one that was said, or the first beside its main one that fits."""
    inputs = [socket for socket in one.node.inputs if socket.enabled or one.node.identifier in MODES]
    if name:
        return next(socket for socket in inputs if name in {socket.name, socket.identifier})
    taken = {each for each, _ in one.feeds}
    geometries = [socket for socket in inputs if flow(socket) == "Geometry"]
    if source.how in {"object", "collection", "original"} and geometries:
        multiple = one.node.identifier in {JOIN}
        free = geometries if multiple else [socket for socket in geometries[1:] if socket.name not in taken]
    elif source.item is not None and source.item.node.outputs:
        kind = flow(source.item.node.outputs[0])
        alike = [socket for socket in inputs if flow(socket) == kind]
        multiple = one.node.identifier == JOIN
        free = alike if multiple else alike[1:] if alike and alike[0] is main_input(one.node, kind) else alike
    else:
        pictures = [socket for socket in inputs if flow(socket) == "Color"]
        free = pictures if sink(one.node, COMPOSITOR) else pictures[1:]
    if len(free) == 0:
        raise refuse(source.said, f"into which input of {one.node.label}?")
    if one.node.identifier == "ShaderNodeMix":
        return next(socket for socket in inputs if socket.identifier == "B_Color")
    return free[0]


def main_input(node: NodeType, kind: str) -> Socket | None:
    """The first input of a kind: what the tree is about runs into it."""
    modes = node.identifier in MODES
    return next((socket for socket in node.inputs if flow(socket) == kind and (socket.enabled or modes)), None)


def write_feed(build: Build, graph: Graph, one: Item, var: str, name: str, source: Source) -> None:
    """What runs into an input of a node."""
    goal = input_for(one, name, source)
    if source.how in {"object", "collection"} and flow(goal) in {"Object", "Collection"}:
        build.need("set_input")
        value = build.object(source.target) if source.target else f"bpy.data.collections[{quoted(source.name)}]"
        build.line(f"set_input({var}, {quoted(goal.name)}, {value})")
        return
    kinds = build.lexicon.manifest.types[one.node.identifier].properties
    if (
        source.domain != "POINT"
        and "domain" in kinds
        and source.domain in {each.identifier for each in kinds["domain"].items}
    ):
        build.line(f'{build.expect(var, one.node.identifier)}.domain = "{source.domain}"')
    elif source.domain != "POINT" and one.node.identifier not in OF_FACES:
        raise refuse(source.said, f"{one.node.label} takes points")
    start, output = write_source(build, graph, source, goal, one)
    if source.times is not None:
        start, output = scaled(build, graph, start, output, source.times)
    if source.axis and source.how != "random" and flow(goal) in {"Vector", "Rotation"}:
        combine = add_node(build, graph.var, build.lexicon.manifest.nodes["ShaderNodeCombineXYZ"], (-200.0, -500.0))
        wire(build, graph, start, output, combine, source.axis[-1])
        start, output = combine, "Vector"
    wire(build, graph, start, output, var, goal.name if unique(one.node, goal) else goal.identifier)


OF_FACES: Final = frozenset(
    {"GeometryNodeExtrudeMesh", "GeometryNodeSetMaterial", "GeometryNodeScaleElements", "GeometryNodeFlipFaces"}
)
"""Nodes that take faces as they come."""


def unique(node: NodeType, socket: Socket) -> bool:
    """Whether only one input in use has this name."""
    return sum(each.name == socket.name and each.enabled for each in node.inputs) == 1


def wire(build: Build, graph: Graph, start: str, output: str, end: str, goal: str) -> None:
    """A link."""
    build.need("wire")
    text = f"wire({graph.var}, {start}, {quoted(output)}, {end}, {quoted(goal)})"
    build.line(
        text if len(text) < 90 else f"wire(\n    {graph.var}, {start}, {quoted(output)}, {end}, {quoted(goal)}\n)"
    )


def scaled(build: Build, graph: Graph, start: str, output: str, times: float) -> tuple[str, str]:
    """A number multiplied by another one."""
    math = add_node(
        build, graph.var, build.lexicon.manifest.nodes["ShaderNodeMath"], (-350.0, -500.0), f"Times {times:g}"
    )
    build.need("expect", "set_socket")
    build.line(f'expect({math}, bpy.types.ShaderNodeMath).operation = "MULTIPLY"')
    build.line(f'set_socket({math}, "Value_001", {literal(float(times))})')
    wire(build, graph, start, output, math, "Value")
    return math, "Value"


def write_source(build: Build, graph: Graph, source: Source, goal: Socket, one: Item) -> tuple[str, str]:
    """The variable of the node that a source is, and its output."""
    nodes = build.lexicon.manifest.nodes
    own = source.how == "object" and graph.owner is not None and build.one(source.target) is graph.owner
    if source.how == "original" or own:
        var = inflow(build, graph)
        return var, "Image" if graph.tree == COMPOSITOR else "Geometry"
    if source.how == "pass":
        if one.node.identifier == "CompositorNodeDenoise":
            build.imports("typing: Any")
            if "_denoising" not in build.memory:
                build.memory["_denoising"] = True
                build.line(f"passes: Any = {build.view_layer()}\npasses.cycles.denoising_store_passes = True")
            return inflow(build, graph), f"Denoising {source.name}"
        return inflow(build, graph), render_pass(build, source.name)
    if source.how == "input" and source.input is not None:
        write_input(build, graph, replace(source.input, kind=source.input.kind or flow(goal)), said_value(one, goal))
        return inflow(build, graph), source.input.name
    if source.how == "random" and source.between is not None:
        return random_value(build, graph, source, goal), "Value"
    if source.how in {"compare", "attribute"} and source.between is not None:
        return compare(build, graph, source, *source.between), "Result"
    if source.how == "distance":
        return distance_to(build, graph, source), "Value"
    if source.how in {"object", "collection"}:
        info = nodes["GeometryNodeObjectInfo" if source.how == "object" else "GeometryNodeCollectionInfo"]
        value = build.object(source.target) if source.target else f"bpy.data.collections[{quoted(source.name)}]"
        var = add_node(build, graph.var, info, (-200.0, -300.0), f"{info.label} {source.said}"[:60])
        build.need("set_input", "expect")
        build.line(f'set_input({var}, "{info.inputs[0].name}", {value})')
        if goal.name != "Instance":
            space = (source.name if source.how == "object" else "") or "relative"
            build.line(f'expect({var}, bpy.types.{info.identifier}).transform_space = "{space.upper()}"')
        elif source.how == "object":
            build.line(f'set_input({var}, "As Instance", True)')
        if source.apart:
            build.line(f'set_input({var}, "Separate Children", True)\nset_input({var}, "Reset Children", True)')
        return var, "Geometry" if source.how == "object" else "Instances"
    if source.item is None:
        raise refuse(source.said, "what is it?")
    var = write_node(build, graph, source.item)
    graph.nodes.insert(0, (source.item, var))
    outputs = [socket for socket in source.item.node.outputs if socket.enabled]
    kinds: tuple[str, ...] = (flow(goal), "Float", "Int", "Color", "Vector") if not source.axis else ("Float", "Int")
    if flow(goal) in {"Geometry", "Object", "Material"}:
        kinds = (flow(goal),)
    found = next((socket for kind in kinds for socket in outputs if flow(socket) == kind), None)
    if found is None:
        raise refuse(source.said, f"it gives nothing for {goal.name}")
    for name, other in source.item.feeds:
        write_feed(build, graph, source.item, var, name, other)
    if any(flow(socket) == MAIN[graph.tree] for socket in source.item.node.inputs) and graph.tree == COMPOSITOR:
        goal_ = next(each.name for each in source.item.node.inputs if flow(each) == "Color")
        wire(build, graph, inflow(build, graph), "Image", var, goal_)
    return var, found.name


def said_value(one: Item, goal: Socket) -> Any:
    """What the node has in an input: as was said, or else as it comes."""
    said = [value for each in one.sets for setting, value in each.options if setting.socket == goal.name]
    return said[0] if said else goal.default


def inflow(build: Build, graph: Graph) -> str:
    """The variable of the node that brings what comes in: the group's input, the render layers."""
    made: dict[str, str] = build.memory.setdefault("_inflow", {})
    if graph.var not in made:
        build.need("node_of")
        made[graph.var] = build.var("start")
        kind = "NodeGroupInput" if graph.tree == GEOMETRY else "CompositorNodeRLayers"
        build.line(f'{made[graph.var]} = node_of({graph.var}, "{kind}")')
    return made[graph.var]


PASSES: Final = {"Depth": "z", "Mist": "mist", "Normal": "normal", "Position": "position", "Vector": "vector", "UV": "uv",
                 "Object Index": "object_index", "Material Index": "material_index", "Emission": "emit", "Environment": "environment",
                 "Shadow": "shadow", "Ambient Occlusion": "ambient_occlusion"}  # fmt: skip


def render_pass(build: Build, name: str) -> str:
    """The output of a pass, which is turned on first."""
    attribute = PASSES.get(name) or name.lower().replace(" ", "_")
    if name not in {"Image", "Alpha"}:
        if f"use_pass_{attribute}" not in {each.name for each in build.lexicon.properties("ViewLayer")}:
            raise refuse(name, "no pass that can be turned on")
        build.line(f"{build.view_layer()}.use_pass_{attribute} = True")
    return name


def random_value(build: Build, graph: Graph, source: Source, goal: Socket) -> str:
    """The variable of a node that gives each point another value."""
    low, high = source.between or (0.0, 1.0)
    name = f"Random {goal.name}"
    var = add_node(build, graph.var, build.lexicon.manifest.nodes["FunctionNodeRandomValue"], (-200.0, -300.0), name)
    build.need("expect", "set_socket")
    turned = flow(goal) == "Rotation"
    kind = "FLOAT_VECTOR" if turned or source.axis else "INT" if flow(goal) == "Int" else "FLOAT"
    build.line(f'expect({var}, bpy.types.FunctionNodeRandomValue).data_type = "{kind}"')
    for each, value in (("Min", low), ("Max", high)):
        shown: Any = int(value) if kind == "INT" else Degrees(value) if turned else float(value)
        if kind == "FLOAT_VECTOR":
            shown = tuple(shown if source.axis in {"", letter} else 0.0 for letter in "XYZ")
        build.line(f'set_socket({var}, "{each}", {build.literal(shown)})')
    return var


FIELDS: Final = {"position": "GeometryNodeInputPosition", "normal": "GeometryNodeInputNormal", "index": "GeometryNodeInputIndex",
                 "face area": "GeometryNodeInputMeshFaceArea", "edge angle": "GeometryNodeInputMeshEdgeAngle", "radius": "GeometryNodeInputRadius"}  # fmt: skip


def compare(build: Build, graph: Graph, source: Source, more: float, number: float) -> str:
    """The variable of a node that tells where a field is more or less than a number."""
    nodes = build.lexicon.manifest.nodes
    kind = nodes["GeometryNodeInputNamedAttribute" if source.how == "attribute" else FIELDS[source.name]]
    field = add_node(
        build, graph.var, kind, (-700.0, -500.0), f"{kind.label} {source.name}" if source.how == "attribute" else ""
    )
    build.need("set_input", "set_socket", "expect")
    if source.how == "attribute":
        build.line(f'set_input({field}, "Name", {quoted(source.name)})')
    start, output = field, "Attribute" if source.how == "attribute" else kind.outputs[0].name
    if source.axis:
        split = add_node(build, graph.var, nodes["ShaderNodeSeparateXYZ"], (-550.0, -500.0))
        wire(build, graph, start, output, split, "Vector")
        start, output = split, source.axis[-1]
    var = add_node(build, graph.var, nodes["FunctionNodeCompare"], (-350.0, -500.0))
    build.line(f'expect({var}, bpy.types.FunctionNodeCompare).operation = "{"GREATER_THAN" if more else "LESS_THAN"}"')
    build.line(f'set_socket({var}, "B", {literal(float(number))})')
    wire(build, graph, start, output, var, "A")
    return var


def distance_to(build: Build, graph: Graph, source: Source) -> str:
    """The variable of a node that tells how far each element is from an object."""
    nodes = build.lexicon.manifest.nodes
    there = add_node(build, graph.var, nodes["GeometryNodeObjectInfo"], (-550.0, -400.0), f"Object Info {source.said}")
    build.need("set_input", "expect")
    build.line(f'set_input({there}, "Object", {build.object(source.target)})')
    build.line(f'expect({there}, bpy.types.GeometryNodeObjectInfo).transform_space = "RELATIVE"')
    here = add_node(build, graph.var, nodes[FIELDS["position"]], (-550.0, -600.0))
    var = add_node(build, graph.var, nodes["ShaderNodeVectorMath"], (-350.0, -500.0), "Distance")
    build.line(f'expect({var}, bpy.types.ShaderNodeVectorMath).operation = "DISTANCE"')
    wire(build, graph, here, "Position", var, "Vector")
    wire(build, graph, there, "Location", var, "Vector_001")
    return var


def write_input(build: Build, graph: Graph, one: Input, value: Any) -> None:
    """An input of a group, with its default and limits."""
    if not one.kind:
        raise refuse(one.name, "an input of which type?")
    if graph.tree != GEOMETRY:
        raise refuse(one.name, "the compositor has no inputs")
    build.need("group_input")
    build.memory.setdefault("_inputs", {})[one.name.lower()] = one
    default: Any = value if one.default is None else one.default
    if one.kind in {"Int", "Float"} and isinstance(default, int | float):
        default = int(default) if one.kind == "Int" else float(default)
    elif is_list(default):
        default = tuple(default)
    build.line(f'socket = group_input({graph.var}, {quoted(one.name)}, "NodeSocket{one.kind}")')
    limits: tuple[tuple[str, Any], ...] = (("default_value", default), ("min_value", one.low), ("max_value", one.high))
    for name, number in limits:
        if number is not None:
            shown: Any = int(number) if one.kind == "Int" and name != "default_value" else number
            build.line(f"socket.{name} = {build.literal(shown)}")
    if graph.used and graph.owner is not None and default is not None:
        build.need("set_group_input")
        build.line(f"set_group_input({graph.owner.var}, {quoted(one.name)}, {build.literal(default)})")


def is_list(value: object) -> TypeGuard[list[float]]:
    """Whether the manifest gives a value with components."""
    return isinstance(value, list)


def graph_for(build: Build, known: Known | None, title: str) -> Graph:
    """A geometry node group, which the object gets as a modifier."""
    graphs: dict[tuple[str, str], Graph] = build.memory.setdefault("_graphs", {})
    key = (known.var if known else "", title)
    if key not in graphs:
        build.need("geometry_group")
        var = build.var("group")
        build.line(f"{var} = geometry_group({quoted(title)})")
        graphs[key] = Graph(var, (), "geometry nodes", GEOMETRY, known)
    return graphs[key]


def use_graph(build: Build, graph: Graph) -> None:
    """The object gets the group as a modifier, once its inputs have their defaults: the modifier copies them."""
    if graph.owner is not None and not graph.used:
        build.need("use_group")
        build.line(f"use_group({graph.owner.var}, {graph.var})")
        graph.used = True


def compositor_graph(build: Build) -> Graph:
    """The compositor of the scene."""
    if "_compositor" not in build.memory:
        build.need("compositor")
        var = build.var("tree")
        build.line(f"{var} = compositor({build.scene()})")
        build.memory["_compositor"] = Graph(var, (), "compositor", COMPOSITOR)
    known: Graph = build.memory["_compositor"]
    return known


# --- geometry nodes -----------------------------------------------------------------------------------------

GEO: Final = "{g=geometry nodes|geometry node|geo nodes|geo node|geonodes|gn|node tree|node group} [modifier|group|node group|tree|setup|node tree|network|graph]"
ON: Final = "(on|to|for|of) [a|an] new [mesh|empty] [object] [<called>] {new:name} ; (on|to|for|of|in) [the whole of] {target:object of one} ; into [the] (mesh|geometry) of {target:object of one}"
SAID: Final = frozenset({
    "set position", "transform geometry", "join geometry", "curve to mesh", "mesh to curve", "mesh to points", "convex hull",
    "realize instances", "instance on points", "distribute points on faces", "extrude mesh", "subdivide mesh", "scale elements",
    "dual mesh", "bounding box", "set material", "resample curve", "fillet curve", "fill curve", "mesh boolean",
})  # fmt: skip
"""Nodes that are not called like anything else in Blender."""


def told(found: Sequence[Item]) -> bool:
    """Whether the nodes say by themselves that they are geometry nodes."""
    return all(not one.plain or one.node.label.lower() in SAID for one in found[:1])


@slot("render_pass")
def pass_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """A pass by its name."""
    yield from passes(reading, skip(reading, at, {"the"}))


@slot("socket")
def socket_name(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """What an input of a node may be called."""
    start = skip(reading, at, {"the", "its"})
    every = {key_of(each.name) for node in reading.lexicon.nodes[of].meanings() for each in node.inputs if each.name}
    for length in (3, 2, 1):
        words = tuple(singular(reading.word(start + k)) for k in range(length))
        if words in every:
            yield start + length, " ".join(reading.word(start + k) for k in range(length))


FEEDS: Final = compile_pattern(
    "[and] [it] [that|which] [should] (feed|drive|control|set|go into|be connected to|connected to|is connected to|wired to|wired into|linked to|plugged into|into|for|adjust)"
    " [the] {socket:socket of GeometryNodeTree} [input|value] [(of|on|in) [the] {node:node of GeometryNodeTree} [node]]"
)


@slot("summary")
def summary(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """One to four words that sum up what the nodes after a colon do; nothing that changes what is meant, nor a place."""
    if reading.word(at) in PREPOSITIONS:
        return
    kinds = reading.lexicon.nodes[COMPOSITOR]
    named_ = next((place for place in range(at, at + 4) if next(kinds.matches(reading.tokens, place), None)), at + 4)
    for end in range(named_, at, -1):
        if end < len(reading.tokens) and reading.mark(at - 1) != "(" and harmless(reading, at, end):
            yield end, reading.said(at, end)


Wanted = tuple[Input, str, NodeType | None]


@slot("group_inputs")
def group_inputs(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[Wanted, ...]]]:
    """Inputs of a group and what they feed: "a float input "Size" (default 2) that feeds the scale"."""
    waiting: list[tuple[int, tuple[Wanted, ...]]] = [(at, ())]
    found: dict[int, tuple[Wanted, ...]] = {}
    while waiting:
        place, so_far = waiting.pop(0)
        for end, one in group_input(reading, place, {}, ""):
            fed = [
                (last, (one, more["socket"], more.get("node")))
                for last, more in FEEDS(reading, skip(reading, end, {","}), {})
            ]
            for last, wanted in [*fed, (end, (one, "", None))]:
                if last not in found:
                    found[last] = (*so_far, wanted)
                    start = skip(reading, last + (reading.mark(last) == ","), {"and", "with"})
                    if start > last:
                        waiting.append((start, found[last]))
    for end in sorted(found, reverse=True):
        yield end, found[end]


@step(
    f"(set|assign|give) [the] material {{mat:known}} ~( (through|via|with|using|by|inside|in|within) {GEO} ; (on|to|for) {{target:object}} ['s] [geometry|mesh] ; (via|with|using|by|through) [a] set material [node] ; leave [the] [material] slots [of it] (alone|as they are|unchanged) )",
    f"(convert|turn) [the] [mesh of] {{target:object of one}} (to|into) {{i:items of GeometryNodeTree}} (with|via|using|in|through|by) {GEO}",
    f"[<add>|use|with|via|in|using|assign] ~( {GEO} ; {GEO} {{title:quoted}} ; [node] (group|tree|modifier) [<called>] {{title:name}} ; (called|named) {{title:name}} ; {ON} ;"
    " {i:items of GeometryNodeTree} ; {x:group_inputs} ; {sum:summary} (via|using|by) {i:items of GeometryNodeTree} ; {z:late of i} ; [then|and then] {j:items of GeometryNodeTree} ; as [a] (geometry nodes|geometry node|geo nodes) modifier ; (output|outputs|return|returns|produce|produces) ; « object info [,] [{space=relative|original}] » ; (at|to) [the] end of [the] {inside=node tree|geometry node tree|geometry nodes tree|node group|geometry node group|geometry nodes group|group} [<called>] {title:known} ; between [the] [group] input and [the] [group] output )",
    f"[<add>] [a] new [mesh] object [<called>] {{new:name}} (with|:) ~( {GEO} ; [node] (group|tree|modifier) [<called>] {{title:name}} ; {{i:items of GeometryNodeTree}} ; {{x:group_inputs}} )",
    f"{GEO} [,|for] {{target:object of one}} : {{i:items of GeometryNodeTree}} ~( {{z:late of i}} ; [then|and then] {{j:items of GeometryNodeTree}} )",
    f"{{target:object of one}} [:|gets|has|to] {GEO} ~( [node] (group|tree|modifier) [<called>] {{title:name}} ;"
    " {i:items of GeometryNodeTree} ; {x:group_inputs} )",
    "{target:object of one} (:|gets|has) {i:items of GeometryNodeTree} ~( {x:group_inputs} )",
    f"{{sum:summary}} {{target:object of one}} [(to|into) {{into:summary}}] (via|with|using|in|through) {GEO} : {{i:items of GeometryNodeTree}}",
    f"[<add>] ~( {GEO} ; {ON} ) (to|that|which) (turn|turns|replace|replaces|make|makes) (it|them) (into|with|by) {{i:items of GeometryNodeTree}}",
)
def geometry_nodes(
    build: Build, g: str | None, title: str | None, target: Target | None, new: str | None, i: tuple[Item, ...] | None,
    x: tuple[Wanted, ...] | None, space: str | None, z: Any, j: tuple[Item, ...] | None, sum: str | None, into: str | None, mat: str | None, inside: str | None,
) -> None:  # fmt: skip
    """Nodes of a geometry nodes modifier, one after another, and inputs of its group."""
    topic = build.topic if isinstance(build.topic, Graph) and build.topic.tree == GEOMETRY else None
    if (z or j) and not i:
        raise refuse("", "which node?")
    i = tuple(whole(i, z, j))
    if mat is not None:
        node = build.lexicon.manifest.nodes["GeometryNodeSetMaterial"]
        i = (Item(node, f'material "{mat}"', (given(build.lexicon, node, "Material", Ref(mat)),), plain=False),)
    if inside and not (i and told(i) and target is None):
        raise refuse(inside, "the nodes of what?")
    spoken = g or topic is not None or re.search("set material|geo", build.request.lower())
    if i and i[0].node.identifier == "GeometryNodeSetMaterial" and not spoken:
        raise refuse("material", "of which objects?")
    if i and i[0].node.identifier == "GeometryNodeExtrudeMesh" and not g and topic is None:
        raise refuse("extrude", "by geometry nodes?")
    more = topic is not None and target is None and new is None and title is None
    if not (i or x or title) or not (g or more or (i and told(i))):
        raise refuse("", "which nodes?")
    g = g or inside
    many = target if target is not None and isinstance(build.objects(target), Many) else None
    summed_up = " into ".join(each for each in (sum, into) if each)
    build.comment(f"geometry nodes: {summed_up}" if summed_up else "geometry nodes")
    if more and topic is not None:
        graph = topic
    else:
        nobody = (target is None and new is None and not i) or inside or many
        known = None if nobody else owner_of(build, target, new)
        graph = graph_for(build, known, title or (f"{known.name} Nodes" if known and known.name else "Geometry Nodes"))
    wire_inputs(build, graph, x or (), before=True)
    spaced = i
    if space:
        spaced = tuple(
            replace(one, feeds=tuple((n, replace(source, name=space)) for n, source in one.feeds)) for one in i
        )
    write_items(build, graph, spaced)
    wire_inputs(build, graph, x or ())
    use_graph(build, graph)
    if many is not None:
        build.need("use_group")
        with build.each(many) as each:
            build.line(f"use_group({each.var}, {graph.var})")
    build.topic = graph
    if graph.owner is not None:
        build.it = graph.owner
    build.note(f"geometry nodes: {', '.join(one.said for one in i or ()) or title}")


def owner_of(build: Build, target: Target | None, new: str | None) -> Known:
    """The object that gets the nodes; a new one has an empty mesh."""
    if new is None:
        return build.one(target)
    return build.new_object("holder", new, called=True, type_="MESH", data_code=f"bpy.data.meshes.new({quoted(new)})")


def wire_inputs(build: Build, graph: Graph, wanted: Sequence[Wanted], *, before: bool = False) -> None:
    """Make inputs of the group, then link each to the input that it feeds."""
    for one, name, node in wanted:
        if not name:
            if before:
                write_input(build, graph, one, None)
            continue
        if before:
            continue
        if node is not None and all(each.node is not node for each, _ in graph.nodes):
            write_items(build, graph, [Item(node, node.label)])
        fed = [
            (each, var, socket)
            for each, var in reversed(graph.nodes)
            if node is None or each.node.identifier == node.identifier
            for socket in each.node.inputs
            if key_of(socket.name) == key_of(name) and socket.enabled
        ]
        if not fed:
            raise refuse(name, "no node has such an input")
        each, var, socket = fed[0]
        write_input(build, graph, replace(one, kind=one.kind or flow(socket)), said_value(each, socket))
        wire(build, graph, inflow(build, graph), one.name, var, socket.name)


@step(
    "(expose|promote) {socket:socket of GeometryNodeTree} [input|value] [(of|on) [the] {node:node of GeometryNodeTree} [node]] [as {x:group_input}] [(to|on|in) [the] (modifier|group)]",
    "(expose|promote) [the] {spacing=spacing|distance} as {x:group_input} [(to|on|in) [the] (modifier|group)]",
    "{socket:socket of GeometryNodeTree} (on|of) [the] ([circle] profile|{node:node of GeometryNodeTree} [node]) (shall|should|must) be {x:group_input}",
    "(feed|drive|control|link|connect) {socket:socket of GeometryNodeTree} [input|value] [(of|on) [the] {node:node of GeometryNodeTree} [node]] (with|by|from|to) {x:group_input}",
)
def expose(build: Build, socket: str | None, node: NodeType | None, x: Input | None, spacing: str | None) -> None:
    """An input of a node as one of the group."""
    if not isinstance(build.topic, Graph):
        raise refuse(socket or "spacing", "of which node?")
    graph = build.topic
    if spacing or socket is None:
        along = next((each for each in graph.nodes if each[0].node.identifier == ALONG), None)
        length = next((each for each in along[0].node.inputs if each.name == "Length"), None) if along else None
        if along is None or length is None:
            raise refuse("spacing", "of what?")
        one = x or Input("Spacing")
        write_input(build, graph, replace(one, kind=one.kind or "Float"), said_value(along[0], length))
        wire(build, graph, inflow(build, graph), one.name, along[1], "Length")
        build.note("the spacing -> an input of the group")
        return
    wire_inputs(build, graph, [(x or Input(socket.title()), socket, node)])
    build.note(f"{socket} -> an input of the group")


GEO_MODIFIER: Final = "(geometry nodes|geo nodes|geometry node|gn)"
GROUP_INPUT_OF: Final = f"[the] ([{GEO_MODIFIER}] [modifier|group] (input|socket|parameter) {{name:name}}|{{name:known}} [{GEO_MODIFIER}] [modifier|group] (input|socket|parameter))"
OF_MODIFIER: Final = f"(of|on|in) [the] [({GEO_MODIFIER} [modifier]|modifier|{{called:known}} [{GEO_MODIFIER}] modifier|{GEO_MODIFIER} modifier {{called:known}}) (of|on)] {{target:object}}"


@step(f"[<set>] {GROUP_INPUT_OF} ~( {OF_MODIFIER} ; (to|=) {{value:literal}} )")
def modifier_input(build: Build, name: str, target: Target | None, value: Any, called: str | None) -> None:
    """What a geometry nodes modifier gives to its group."""
    if value is None:
        raise refuse(name, "to which value?")
    build.need("set_group_input")
    whole = int(value) if isinstance(value, float) and value.is_integer() else value
    with build.each(target) as known:
        given_ = f"{quoted(name)}, {build.literal(whole)}{f', {quoted(called)}' if called else ''}"
        build.line(f"set_group_input({known.var}, {given_})")
    build.note(f"{name} = {value}")


@step(
    f"(keyframe|key|animate|keyframes on|keyframes for) ({GROUP_INPUT_OF}|{{name:quoted}}) ~( {OF_MODIFIER} ;"
    " [from] {a:n} [«] [at|on] frame {f1:int} [»] (to|,|and|->|then) {b:n} [«] [at|on] frame {f2:int} [»] ; from {a:n} to {b:n} {f:range} )"
)
def key_input(
    build: Build, name: str, target: Target | None, a: float | None, b: float | None, f1: int | None, f2: int | None,
    f: tuple[int, int] | None, called: str | None,
) -> None:  # fmt: skip
    """Keyframes of what a geometry nodes modifier gives to its group."""
    if target is None or a is None or b is None:
        raise refuse(name, "of which object, from which value to which?")
    if not re.search(r"\b(geometry|geo|input|socket|modifier)\b", build.request.lower()):
        raise refuse(name, "an input of geometry nodes?")
    f1, f2 = f or (f1, f2)
    if f1 is None or f2 is None or f1 >= f2:
        raise refuse(name, "from which frame to which?")
    build.need("key_group_input")
    with build.each(target) as known:
        for value, frame in ((a, f1), (b, f2)):
            owner = f", {quoted(called)}" if called else ""
            build.line(f"key_group_input({known.var}, {quoted(name)}, {literal(float(value))}, {frame}{owner})")
    build.note(f"{name}: {a} at frame {f1}, {b} at frame {f2}")


def given(lexicon: Lexicon, node: NodeType, name: str, value: Any) -> Set:
    """A value for an input of a node."""
    setting = next(each for each in lexicon.sockets(node).named.of(name) if each.socket)
    return Set(((setting, value),), name)


VARIED: Final = (
    "[a] [uniform] random [uniform] (scale|size) [between|from|of|:] {low:n} (and|to|-) {high:n} [« uniform »] ; [with] random (scale|size|scales|sizes) « {low:n} (and|to|-) {high:n} » ; [a] (scale|size|scaled) (between|from) {low:n} (and|to) {high:n} ;"
    " [only] [a] {turned=random rotation|random rotations|randomly rotated|rotated randomly} [(around|about|on) {axis:axis}] [only] [0 [to|-] 360 [degrees]] ; random {axis:axis} {turned=rotation} [0 [to|-] 360 [degrees]]"
)
"""How instances differ from one another."""
SCATTER: Final = (
    "~( [(of|from|out of) [the] collection {coll:known}] {pick=picked individually|individually|picked separately|separate children|pick instance|picked at random|picked one by one} [« [separate children] [,|and] [pick instance] »] ;"
    " (whose|the|its|a|named) node group [is] (named|called) {title:name} ; (node group|group|modifier) (named|called) {title:name} ;"
    " (distribute|distributing|scatter|with) points on [the] (faces|surface) [of it] ; (on|over|across|onto) [the] [(faces|surface|{v=vertices|points|vertex}) of] {target:object of one} ;"
    " [with|as|by] {s:settings of GeometryNodeDistributePointsOnFaces} ; density [of] {density:n} [« per square (meter|metre) »] [per (square meter|square metre|m²|m2)] ; [random] seed {seed:int} ; (on|at) (every|each|all) {v=vertex|vertices|point|points} [of {target:object of one}] ;"
    " (instance|instancing|instances of) {again:object of one} on [the|those|these] points ; {count:int} [of them|times|instances|copies] ;"
    f" {VARIED} ; (scale|scaled|size) [of|by|to] {{size:n}} ;"
    " (instances|instance|places|place|puts|put) [[the] {members=objects|members|meshes|items} (of|from|in)] [the] collection {coll:known} (on|at) (them|[the|these|those] points) ;"
    " {pick=picking one at random|one at random|one picked at random|choosing one at random|one random object each|one random object per point|picking them at random} ;"
    " {keep=join|joining|joined} [the] [instances|them|it|result] (with|to) [the] [original] (ground|geometry|surface|mesh|plane|terrain|object) [geometry|mesh] ;"
    " {keep=keep|keeping} [the] [original] (ground|geometry|surface|mesh|plane|terrain) [visible|mesh|geometry] ; {keep=keep|keeping} {kept:object of one} [itself] [visible] ; (join both|joined) ;"
    " {instances=as instances|instanced|instances} ;"
    " (on|over|across) [the|its] (faces|surface) ; (on|over|across|onto) it ; {keep=ground stays|surface stays|terrain stays|plane stays|mesh stays|original stays} visible ;"
    f" (using|with|via|by|through) [a] {GEO} ; [so|so that] ({{kept:object of one}}|[the] original) [itself] (stays|stay|must stay|should stay|remains|is still) visible )"
)


NEW_MESHES: Final = frozenset({"cube", "icosphere", "ico sphere", "uv sphere", "cone", "cylinder"})
"""What in plural means new ones, and no object that is called so."""


@slot("primitive")
def primitive(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Item]]:
    """A new mesh to be instanced: "a small ico sphere of radius 0.1", "cubes of size 0.2"."""
    begins = reading.word(at) in {"a", "an", "small", "tiny", "little"}
    start = skip(reading, at, {"a", "an", "small", "tiny", "little", "simple"})
    for end, one in item(reading, start, GEOMETRY, deep=False):
        if (
            one.node.identifier != "GeometryNodePoints"
            and main_input(one.node, "Geometry") is None
            and (begins or reading.word(start).endswith("s"))
        ):
            yield end, one


@step(
    f"[<add>] {GEO} [on {{target:object of one}}] [:|,|to|that] (scatter|scatters|distribute|distributes|instance|spread) [{{count:int}}] [instances of|copies of|instances|copies] [of] ({{prim:primitive}}|{{what:object of one}}) {SCATTER}",
    f"[on {{target:object of one}}] [<add>] [a|an] {GEO} [[<called>] {{title:quoted}}] [(on|to|for) {{target:object of one}}] [:|,|that|which|to] [scatter|scattering|scatters|distribute|distributes|spreads] [:] [with] [random] points {SCATTER}",
    f"(scatter|distribute|instance|spread) [{{count:int}}] [instances of|copies of] ({{prim:primitive}}|{{what:object of one}}) {SCATTER}",
    f"[<add>] {GEO} [modifier] [(on|to|for) {{target:object}}] [:] [that|which|to] (scatters|scatter|distributes|distribute) {{count:int}} points (on|over) (its|the) (faces|surface)",
)
def scatter(
    build: Build, g: str | None, what: Target | None, target: Target | None, again: Target | None, count: int | None, title: str | None,
    density: float | None, seed: int | None, low: float | None, high: float | None, size: float | None,
    turned: str | None, axis: str | None, v: str | None, prim: Item | None, kept: Target | None, s: list[Set] | None, coll: str | None, pick: str | None,
    keep: str | None, instances: str | None, members: str | None,
) -> None:  # fmt: skip
    """Instances of an object on the faces or the points of another one, which stays; or points alone."""
    thing = what.said if what else prim.said if prim else coll or ""
    if pick and not coll:
        raise refuse(pick, "of which collection?")
    if members and not pick:
        raise refuse(members, "one of them on each point, picked at random, or all?")
    if not g or (thing and target is None) or (count and density) or (size and low) or (v and (count or density)):
        raise refuse(thing, "on what, and how many?")
    if v and (seed is not None or s):
        raise Ambiguous([v], "on each of them, or at random?")
    if not thing and (instances or turned or size is not None or low is not None):
        raise refuse(instances or turned or "scale", "instances of what?")
    nodes = build.lexicon.manifest.nodes
    if what is not None and what.said.lower().endswith("s") and singular(what.said.lower()) in NEW_MESHES:
        raise refuse(what.said, "new ones: of which size?")
    rock, known = build.one(what) if what else None, build.one(target)
    for other, known_as in ((again, rock), (None if kept and kept.how == "it" else kept, known)):
        if other is not None and build.one(other) is not known_as:
            raise refuse(other.said, "another one than before")
    build.comment("scatter with geometry nodes")
    graph = graph_for(build, known, title or "Scatter")
    points = nodes[POINTS]
    sets = [given(build.lexicon, points, "Density", density)] if density else []
    sets += [*([given(build.lexicon, points, "Seed", seed)] if seed is not None else []), *(s or [])]
    if not v:
        write_items(build, graph, [Item(points, "points", tuple(sets), count=count)])
    if thing:
        placed = nodes[INSTANCE]
        instanced = Source("object", thing, target=what) if what else Source("node", thing, item=prim)
        instanced = Source("collection", thing, name=coll, apart=bool(pick)) if coll else instanced
        feeds = [("Instance", instanced), *varied(low, high, turned, axis)]
        told_ = (("Scale", (size,) * 3 if size else None), ("Pick Instance", True if pick else None))
        scale = tuple(given(build.lexicon, placed, name, value) for name, value in told_ if value is not None)
        write_items(build, graph, [Item(placed, "instances", scale, tuple(feeds))])
    if thing or keep or kept:
        write_items(build, graph, [Item(nodes[JOIN], "join", feeds=(("Geometry", Source("original", "original")),))])
    use_graph(build, graph)
    build.it, build.topic = known, graph
    build.note(f"{thing or 'points'} scattered on {target.said if target else 'it'}")


def varied(low: float | None, high: float | None, turned: str | None, axis: str | None) -> list[Feed]:
    """What makes instances differ."""
    feeds: list[Feed] = []
    if low is not None and high is not None:
        feeds.append(("Scale", Source("random", "", between=(low, high))))
    if turned:
        feeds.append(("Rotation", Source("random", "", between=(0.0, 360.0), axis=(axis or "")[-1:])))
    return feeds


@step(
    f"[give] (each|every|all|all the|the) (instance|instances|copy|copies|of them) [should] (gets|get|has|have|is|are|be|receives|with|,|:) ~( {VARIED} )"
)
def each_instance(build: Build, low: float | None, high: float | None, turned: str | None, axis: str | None) -> None:
    """How the instances of the nodes that were spoken of differ."""
    graph = build.topic
    placed = [each for each in graph.nodes if each[0].node.identifier == INSTANCE] if isinstance(graph, Graph) else []
    feeds = varied(low, high, turned, axis)
    if not isinstance(graph, Graph) or len(placed) != 1 or not feeds:
        raise refuse("instances", "of which nodes, and how do they differ?")
    for name, source in feeds:
        write_feed(build, graph, *placed[0], name, source)
    build.note("instances differ")


ALONG: Final = "GeometryNodeCurveToPoints"
ALIGNED: Final = "FunctionNodeAlignRotationToVector"


@step(
    f"[<add>] {GEO} [(on|to|for) {{target:object of one}}] [:|,|that|which|to] (instance|instances|place|places|put|repeat|repeats|distribute|distributes) [copies of|instances of] {{what:object of one}} along [the|this] (curve|path|it|spline)"
    " ~( [one] every {n:n} ; [with] [a] (spacing|distance) [of] {n:n} ; {n:n} apart ; with {count:int} (instances|copies) ; {count:int} (times|instances|copies) ; (following|aligned to|along) [its|the] (direction|tangent) [of the curve] )"
)
def instances_along(
    build: Build, g: str, target: Target | None, what: Target, n: float | None, count: int | None
) -> None:
    """Instances of an object along a curve, turned as it runs."""
    if (n is None) == (count is None):
        raise refuse(what.said, "how many, or how far apart?")
    nodes, known = build.lexicon.manifest.nodes, build.one(target)
    build.comment(f"{g}: instances along the curve")
    graph = graph_for(build, known, f"{known.name} Nodes" if known.name else "Geometry Nodes")
    mode = Set(
        ((Setting(Place("", ALONG), build.lexicon.property(ALONG, "mode")), "COUNT" if n is None else "LENGTH"),),
        "mode",
    )
    number = given(build.lexicon, nodes[ALONG], *(("Count", count) if n is None else ("Length", float(n))))
    write_items(build, graph, [Item(nodes[ALONG], "points", (mode, number))])
    source = Source("object", what.said, target=what)
    write_items(build, graph, [Item(nodes[INSTANCE], "instances", feeds=(("Instance", source),))])
    aligned = add_node(build, graph.var, nodes[ALIGNED], (-100.0, -300.0))  # upright, the X axis along the curve
    build.need("expect")
    build.line(f'expect({aligned}, bpy.types.{ALIGNED}).axis = "X"')
    wire(build, graph, graph.nodes[-2][1], "Tangent", aligned, "Vector")
    wire(build, graph, aligned, "Rotation", graph.nodes[-1][1], "Rotation")
    use_graph(build, graph)
    build.it, build.topic = known, graph
    build.note(f"{what.said} along the curve")


@step(
    "{target:object} (follow|follows|should follow|are aligned to|is aligned to|turn with|point along) [the] (direction|tangent|course|run) [of [the] (curve|path)]"
)
def follows_curve(build: Build, target: Target) -> None:
    """True of instances along a curve."""
    graph = build.topic
    if not isinstance(graph, Graph) or all(each.node.identifier != ALONG for each, _ in graph.nodes):
        raise refuse(target.said, "how does it follow?")
    build.note(f"{target.said} follows the curve")


@step(
    f"[<add>] [a|an] [new] {GEO} ~( [<called>] {{title:quoted}} ; (on|to|for|of) {{target:object of one}} ) [:|,|that|which|to] (move|moves|offset|offsets|push|pushes|displace|displaces|shift|shifts)"
    " (every vertex|each vertex|all vertices|all the vertices|vertices|every point|each point|all points|all the points|points|it|mesh|whole mesh|surface|geometry) [outwards|out] along (its|their|the|the vertex) (normal|normals) by ({n:n}|{x:group_input})"
)
def along_normals(
    build: Build, g: str, target: Target | None, title: str | None, n: float | None, x: Input | None
) -> None:
    """Every point is moved along its normal, by so much or by an input of the group."""
    if target is None and title is None:
        raise refuse(g, "on which object, or called how?")
    nodes = build.lexicon.manifest.nodes
    known = build.one(target) if target else None
    build.comment("geometry nodes: along the normals")
    graph = graph_for(build, known, title or f"{known.name if known else ''} Nodes".strip())
    normal = add_node(build, graph.var, nodes["GeometryNodeInputNormal"], (-500.0, -300.0))
    scale = add_node(build, graph.var, nodes["ShaderNodeVectorMath"], (-300.0, -300.0), "Along Normal")
    build.need("expect", "set_socket")
    build.line(f'expect({scale}, bpy.types.ShaderNodeVectorMath).operation = "SCALE"')
    wire(build, graph, normal, "Normal", scale, "Vector")
    if x is not None:
        write_input(build, graph, replace(x, kind=x.kind or "Float"), 0.0 if x.default is None else x.default)
        wire(build, graph, inflow(build, graph), x.name, scale, "Scale")
    else:
        build.line(f'set_socket({scale}, "Scale", {literal(float(n or 0.0))})')
    write_items(build, graph, [Item(nodes["GeometryNodeSetPosition"], "set position")])
    wire(build, graph, scale, "Vector", graph.nodes[-1][1], "Offset")
    use_graph(build, graph)
    build.topic = graph
    if known is not None:
        build.it = known
    build.note("points move along their normals")


@step(
    "(put|use|add|apply|assign|give) (it|the group|the node group|this group) (on|to|onto|for) {target:object of one} as [a|the] [geometry nodes] modifier",
    "(give|assign) {target:object of one} (it|the group|the node group|this group) as [a|the] [geometry nodes] modifier",
)
def put_group(build: Build, target: Target) -> None:
    """The object gets the group that was spoken of as a modifier."""
    graph = build.topic
    if not isinstance(graph, Graph) or graph.tree != GEOMETRY or graph.owner is not None:
        raise refuse(target.said, "which group?")
    graph.owner = build.it = build.one(target)
    use_graph(build, graph)
    build.note(f"{target.said} has the group")


@step(
    "[and] (set|let|change|put) [the|its] {name:one_word} [input|there|of the modifier] (to|=|at|be) {value:literal} [there]"
)
def set_own_input(build: Build, name: str, value: Any) -> None:
    """An input of the group that was spoken of, as the modifier of its object gives it."""
    graph = build.topic
    inputs: dict[str, Input] = build.memory.get("_inputs", {})
    one = inputs.get(name.lower())
    if not isinstance(graph, Graph) or graph.owner is None or one is None:
        raise refuse(name, "an input of which group?")
    build.need("set_group_input")
    shown = float(value) if one.kind == "Float" and isinstance(value, int | float) else value
    build.line(f"set_group_input({graph.owner.var}, {quoted(one.name)}, {build.literal(shown)})")
    build.note(f"{one.name} = {value}")


@step(
    "{target:object} (get|gets|use|uses|share|shares|needs|need) [the] same (geometry nodes|geo nodes|gn) [group|modifier|setup|node group|tree] (as|of|with) {other:object of one}",
    "(give|assign|copy|share) [the] (geometry nodes|geo nodes|gn) [group|modifier|setup|node group|tree] (of|from) {other:object of one} (to|with) {target:object}",
    "give {target:object} [the] same (geometry nodes|geo nodes|gn) [group|modifier|setup|node group|tree] as {other:object of one}",
    "(replace|swap|change|set|exchange) [the] [node] group of [the] (geometry nodes|geo nodes|gn) [modifier] (of|on) {target:object} (by|with|for|to|against) [the] [node] [group] {name:name}",
)
def share_group(build: Build, target: Target, other: Target | None, name: str | None) -> None:
    """Objects get a geometry nodes modifier with the group of another one; another group takes the place of theirs."""
    shared = build.var("group")
    build.need("group_of" if other else "swap_group", "use_group")
    build.line(
        f"{shared} = "
        + (f"group_of({build.object(other)})" if other else f"bpy.data.node_groups[{quoted(name or '')}]")
    )
    with build.each(target) as known:
        build.line(f"{'use' if other else 'swap'}_group({known.var}, {shared})")
    build.note(f"{target.said} -> the group {name or f'of {other.said}' if other else name}")


REALIZED: Final = (
    "realized instances|realize instances|instances realized|realizing instances|instances made real|real instances"
)


@step(
    f"(apply|bake|convert) [the] (geometry nodes|geo nodes|gn) modifier (of|on) {{target:object of one}} ~( [so|so that|such that] [it] [is|becomes|to|into] [a] {{real=real mesh}} ; [with|«] {{realized={REALIZED}}} [»] )"
)
def apply_real(build: Build, target: Target, real: str | None, realized: str | None) -> None:
    """Bake geometry nodes into the mesh with their instances, which applying alone would lose."""
    if not (real or realized):
        raise refuse(target.said, "with its instances made real?")
    build.once()
    known = build.one(target)
    build.need("realize_instances", "apply_modifiers")
    build.line(f'realize_instances({known.var})\napply_modifiers({known.var}, ("NODES",))')
    build.note(f"{target.said} -> geometry nodes applied, instances made real")


@step(
    "{target:object of one} [itself] (stays|stay|must stay|should stay|has to stay|remains|must remain|should remain) visible [too]",
    "(keep|leave) {target:object of one} [itself] visible [too]",
)
def stays_visible(build: Build, target: Target) -> None:
    """True of an object whose geometry nodes join what they add with what was there."""
    graph = build.topic
    joins = isinstance(graph, Graph) and any(each.node.identifier == JOIN for each, _ in graph.nodes)
    if not isinstance(graph, Graph) or not joins or build.one(target) is not graph.owner:
        raise refuse(target.said, "how does it stay visible?")
    build.note(f"{target.said} stays: what was there is joined in")


# --- compositor ---------------------------------------------------------------------------------------------

COMPOSITORS: Final = (
    "compositor|compositing|compositing nodes|compositor nodes|compositing tree|comp|post processing|post|"
    "render compositor"
)
COMP: Final = f"{{c={COMPOSITORS}}}"
BETWEEN: Final = (
    " [node|nodes] between [the] (render layers|render|render layers node) [node] and [the] (output|composite|composite output|composite node|group output) ;"
    " [straight|directly] (to|before|into) [the] [final] (output|composite|composite output) ; (behind|after|over|onto) [the] (render layers|render|image|picture) ; [the] (render|image|picture|rendered image|output) [goes|passes|runs|is sent|go|pass|run] [through]"
)


@step(
    f"[<add>|use|insert|run|send|pass|set up|in|with|on|to|build] ~( {COMP} [on] ; {{i:items of CompositorNodeTree}} ; {{i:effect}} ; {{z:late of i}} ; [then|and then] {{j:items of CompositorNodeTree}} ; {BETWEEN} ; (to|on|over|in|into|through) [the] (render|image|picture|rendered image|final image) ;"
    " (so that|such that|to|and) (make|let|have|send|run|pass) )",
    f"(make|turn|convert) [the] [whole] (render|image|picture|rendered image|final image) [to|into] ~( {{i:items of CompositorNodeTree}} ; (in|with|using|via) {COMP} )",
    f"[{COMP} [:|,]] (make|let|turn) [the] [whole] (render|image|picture|rendered image|final image) [come out|look|appear|into|to] ({{sum:summary}}|{{sum=black and white|black-and-white|grayscale|gray|monochrome}}) (with|using|via|by|through) {{i:items of CompositorNodeTree}}",
    f"{{sum:summary}} (with|using|via|by|through) ~( {{i:items of CompositorNodeTree}} ; (in|to|on) {COMP} ; (on|of|in) [the] (render|image|picture|rendered image|final image) )",
)
def composite(
    build: Build, c: str | None, i: tuple[Item, ...] | None, z: tuple[tuple[Set, ...], tuple[Feed, ...]] | None, j: tuple[Item, ...] | None, sum: str | None,
) -> None:  # fmt: skip
    """Nodes between the render and the output, one after another."""
    i = tuple(whole(i, z, j))
    topic = isinstance(build.topic, Graph) and build.topic.tree == COMPOSITOR
    if not i:
        raise refuse(c or "", "which nodes?")
    if any(setting.prop.name == "mute" for one in i for each in one.sets for setting, _ in each.options):
        raise refuse("mute", 'a new node that does nothing? Say "the ... node in the compositor" for one that is there')
    label = i[0].node.label.lower()
    elsewhere = {node.label.lower() for node in build.lexicon.nodes["ShaderNodeTree"].meanings()}
    elsewhere |= {kind.label.lower() for kind in build.lexicon.families["strips"].meanings()}
    own = i[0].node.trees == (COMPOSITOR,) and label not in elsewhere
    words = set(f"{sum or ''} {i[0].said}".lower().split())
    pictured = bool({"compositor", "compositing", "comp", "render", "rendered"} & words)
    pictured = pictured or (sum is not None and bool({"image", "picture"} & words))
    sure = own and (not i[0].plain or " " in label or "/" in label or label in OWN_LABELS)
    if not (c or topic or sure or pictured):
        raise refuse(i[0].said, "in the compositor?")
    build.comment("nodes of the compositor")
    write_items(build, compositor_graph(build), i)
    build.note(f"compositor: {', '.join(one.said for one in i)}")


@step(
    f"[and] (it|that|this|the result) (should be|must be|is|has to be) what comes out [of [the] {COMP}]",
    f"[and] (it|that|this|the result) (goes|should go|must go|runs|is sent|comes) (to|into) [the] [final|{COMP}] (output|composite|group output|composite output|output node) [of [the] {COMP}]",
    "[and] (connect|link|wire|plug) (it|that|this|the result|everything) [up] (to|into|with) [the] [final] (output|composite|group output|composite output|output node)",
)
def comes_out(build: Build, c: str | None) -> None:
    """True of nodes of the compositor: each is put before the output."""
    if not isinstance(build.topic, Graph) or build.topic.tree != COMPOSITOR:
        raise refuse(c or "output", "of what?")
    build.note("it is what comes out")


PICTURE: Final = "[the] [transparent] (render|rendered image|rendering|image|picture)"
SOLID: Final = "[a|an] ((plain|solid|flat|uniform|single) {hue:color} [« {same:color} »] [background|backdrop|color|layer|image]|{hue:color} [« {same:color} »] (background|backdrop|color|layer|image))"


@step(
    f"[{COMP} [:|,]] (put|place|composite|comp|lay|show|layer) {PICTURE} (over|on top of|onto|in front of|on) {SOLID} ~( (with|using|via|by|through) [a|an] {{w=alpha over}} [node] ; (in|with|using) {COMP} )",
    f"[{COMP} [:|,]] {{w=alpha over}} {PICTURE} (onto|over|on) {SOLID} ~( (in|with|using) {COMP} )",
    f"[{COMP} [:|,]] [<add>] [a|an] {{w=alpha over}} [node] [of|with|over|onto|on] {SOLID} ~( (behind|under|below|underneath) {PICTURE} ; (in|with|using) {COMP} )",
    f"[{COMP} [:|,]] [<add>|put|place] {SOLID} (behind|under|below|underneath) {PICTURE} ~( (with|using|via|by|through) [a|an] {{w=alpha over}} [node] ; (in|with|using) {COMP} )",
)
def over_color(build: Build, hue: Color, same: Color | None, w: str | None, c: str | None) -> None:
    """A plain color behind a render that is transparent."""
    node = build.lexicon.manifest.nodes["CompositorNodeAlphaOver"]
    if not (w or c):
        raise refuse(hue.label, "in the compositor?")
    if all(each.name != "Background" for each in node.inputs):
        raise refuse("alpha over", "this Blender sets up its nodes in another way")
    tone = same or hue  # "dark gray (#202020)": the more exact of the two
    build.comment("nodes of the compositor")
    color_ = given(build.lexicon, node, "Background", (*tone.rgb, 1.0))
    write_items(build, compositor_graph(build), [Item(node, "alpha over", (color_,))])
    build.note(f"the render over {hue.label}")


TELLING: Final = frozenset({"Hue", "Saturation", "Value", "Bright", "Brightness", "Contrast", "Gamma"})
EFFECTS: Final = ("CompositorNodeHueSat", "CompositorNodeBrightContrast", "ShaderNodeGamma")
"""Nodes that are known by what is set on them: "saturation 1.3 in the compositor"."""


@slot("effect")
def effect(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
    """A node of the compositor by its settings alone."""
    for kind in (reading.lexicon.manifest.nodes.get(each) for each in EFFECTS):
        for end, sets in settings_in(reading, at, reading.lexicon.sockets(kind)) if kind else ():
            if all(setting.socket in TELLING for each in sets for setting, _ in each.options):
                yield end, (Item(kind, reading.said(at, end), tuple(sets)),)


OWN_LABELS: Final = frozenset(
    {"glare", "kuwahara", "posterize", "pixelate", "defocus", "despeckle", "inpaint", "tonemap"}
)
"""Nodes of the compositor whose single word means nothing else in Blender."""


@step(
    f"(run|do|execute|let|use|set) {COMP} [run|device] (on|to|with) [the] {{device=gpu|cpu}}",
    f"{COMP} (on|runs on|device) [the] {{device=gpu|cpu}}",
)
def compositor_device(build: Build, c: str, device: str) -> None:
    """What the compositor runs on."""
    build.line(f'{build.scene()}.render.compositor_device = "{device.upper()}"')
    build.note(f"{c} on the {device}")


@step(f"(enable|turn on|switch on|activate|use) {COMP} [nodes]", f"{COMP} on")
def use_compositor(build: Build, c: str) -> None:
    """The compositor takes part in renders."""
    compositor_graph(build)
    build.line(f"{build.scene()}.render.use_compositing = True")
    build.topic = build.memory["_compositor"]
    build.note(f"{c} is used")


@step(
    f"[<add>] [a|an] [{{soft=soft|strong|subtle}}] {{what=vignette}} [effect|node|please] ~( [using|from|via] [a|an] (ellipse mask|ellipse mask node|elliptical mask) [« [size] {{w:n}} (x|by|,) {{h:n}} »] ; [of] size {{w:n}} (x|by|,) {{h:n}} ; [of] width {{w:n}} [and] height {{h:n}} ; blurred [it] [by] {{blur:n}} [px|pixels] ; (blur|blurred|with [a] blur|blurring) [it|node] [of|by] [{{blur:n}}] [px|pixels] ;"
    f" (multiplied|multiply|multiplying) [it] [on|over|with|onto|by|into] [the] [picture|image|render|rendered image] ; (factor|strength|amount|opacity) [of] {{factor:n}} ; (in|to|with|on|into) ({COMPOSITORS}) ; (over|on|to) [the] (render|image|picture) )",
    f"({COMPOSITORS}) : [<add>] [a|an] {{what=vignette}} [effect|please]",
)
def vignette(
    build: Build, what: str, soft: str | None, w: float | None, h: float | None, blur: float | None, factor: float | None
) -> None:  # fmt: skip
    """Dark corners: the blurred mask of an ellipse, multiplied over the picture."""
    if soft:
        raise refuse(soft, "how much?")
    nodes = build.lexicon.manifest.nodes
    build.comment("a vignette")
    graph = compositor_graph(build)
    mask, blurred, mix = (nodes[name] for name in ("CompositorNodeEllipseMask", "CompositorNodeBlur", "ShaderNodeMix"))
    softened = Item(blurred, "blur", (given(build.lexicon, blurred, "Size", (float(blur or 200.0),) * 2),))
    if not any(each.name == "Size" for each in blurred.inputs) or not any(each.name == "Size" for each in mask.inputs):
        raise refuse(what, "this Blender sets up its nodes in another way")
    shaped = given(build.lexicon, mask, "Size", (float(w or 0.8), float(h or 0.8)))
    ellipse = write_node(build, graph, Item(mask, "ellipse", (shaped,), called="Vignette Mask"))
    soft_edge = write_node(build, graph, replace(softened, called="Vignette Blur"))
    wire(build, graph, ellipse, "Mask", soft_edge, "Image")
    one = Item(mix, "multiply", called="Vignette")
    var = write_node(build, graph, one)
    build.need("splice", "set_socket")
    build.line(f'expect({var}, bpy.types.ShaderNodeMix).blend_type = "MULTIPLY"')
    build.line(f'set_socket({var}, "Factor_Float", {literal(float(1.0 if factor is None else factor))})')
    build.line(f"splice({graph.var}, {var})")
    wire(build, graph, soft_edge, "Image", var, "B_Color")
    graph.nodes.append((one, var))
    build.topic = graph
    build.note("vignette")


@dataclass(frozen=True)
class Written:
    """A picture that a file output writes: what it is called, the render pass in it, and whether it is normalized."""

    name: str
    output: str
    normalized: bool = False


@slot("written")
def written(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[Written, ...]]]:
    """'"beauty" from Image and "depth" from Depth normalised', '"Image", "Mist"', "depth and the mist pass"."""

    def one(place: int) -> tuple[int, Written] | None:
        for end, env in WRITTEN(reading, place, {}):
            title = env.get("title")
            same = next((name for _, name in passes(reading, end - 1)), "Image") if title else ""
            output = env.get("output") or next((each for each in (title, same) if each), "Image")
            return end, Written(title or output, output, bool(env.get("normalized")))
        return None

    for end, found in most_first(in_a_row(reading, at, one, 1, {",", "/", "+"}, {"and", "then"})):
        yield end, tuple(found)


WRITTEN: Final = compile_pattern(
    "({title:known} [(from|for|gets|with|of|=|:) [the] {output:render_pass} [pass|output] [{normalized=normalized}]]|{output:render_pass} [pass] [{normalized=normalized}])"
)


@step(
    f"[{COMP}] [:] [(write|save) [the] (passes|render|image|picture) [to disk] (by|with|using|via|through)] [<add>] [a|an] {{what=file output}} [{{w=node}}] ~( [base] (path|folder|directory) [of|=|:] {{folder:path}} ; (to|into|in|writing to|saving to|writing) [the] [folder|directory] {{folder:path}} ;"
    " [with] [{n:int}] (inputs|slots|sockets|files|outputs|input|slot) [called|named|for] [:] {names:written} ; [to|that|which] (write|writes|save|saves|writing|saving) [the] (render|image|picture|{names:written}) [pass|passes] [to|into] [{folder:path}] ;"
    f" [as|format] {{format=png|open exr|openexr|jpeg|exr|tiff}} [format|files] ; {{depth:int}} bit [per channel] [float] [color] [depth] ; (for|of|with) [the] {{names:written}} [pass|passes] ; (in|to|into) {COMP} )"
)
def file_output(
    build: Build, what: str, folder: str | None, n: int | None, names: tuple[Written, ...] | None, format: str | None, depth: int | None,
    w: str | None, c: str | None,
) -> None:  # fmt: skip
    """A node that writes pictures, with an input for each; those called like a pass get it, the others the picture."""
    if (n is not None and n != len(names or ())) or not (w or c or names):
        raise refuse(what, "which inputs?")
    build.comment("a file output node")
    graph = compositor_graph(build)
    build.need("file_output")
    outputs = {
        socket.name.lower(): socket.name for socket in build.lexicon.manifest.nodes["CompositorNodeRLayers"].outputs
    }
    wanted = [
        f'({quoted(each.name)}, "{render_pass(build, outputs.get(each.output.lower(), "Image"))}", {each.normalized})'
        for each in names or (Written("Image", "Image"),)
    ]
    kind = {"png": "PNG", "jpeg": "JPEG", "tiff": "TIFF"}.get(format or "png", "OPEN_EXR")
    if depth is not None and depth not in DEPTHS[kind]:
        raise Ambiguous([f"{depth} bit"], f"a picture of this format has {' or '.join(map(str, DEPTHS[kind]))} bits")
    deep = f', "{depth}"' if depth else ""
    build.line(f'file_output({graph.var}, {quoted(folder or "//")}, "{kind}", [{", ".join(wanted)}]{deep})')
    build.note("file output")


DEPTHS: Final = {"PNG": (8, 16), "JPEG": (8,), "TIFF": (8, 16), "OPEN_EXR": (16, 32)}
"""How many bits a channel of a format may have."""
