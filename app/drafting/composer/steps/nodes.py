"""Node set-ups: geometry nodes, compositor; video sequencer; grease pencil."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from app.drafting.composer.build import Build
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Place
from app.drafting.composer.patterns import Env, Reading, slot
from app.drafting.composer.slots import Set, Target, quantity, settings, skip
from app.drafting.composer.steps.materials import add_node, node_settings
from app.drafting.composer.steps.modifiers import Topic
from app.drafting.composer.values import Color, Vec, literal, quoted, refuse
from ingest.manifest import NodeType

SOCKETS = {
    "float": "NodeSocketFloat",
    "integer": "NodeSocketInt",
    "int": "NodeSocketInt",
    "boolean": "NodeSocketBool",
    "bool": "NodeSocketBool",
    "vector": "NodeSocketVector",
    "color": "NodeSocketColor",
    "object": "NodeSocketObject",
    "material": "NodeSocketMaterial",
}


def group_for(build: Build, name: str) -> str:
    """The variable of a geometry node group."""
    groups: dict[str, str] = build.memory.setdefault("_groups", {})
    if name not in groups:
        build.need("geometry_group")
        groups[name] = build.var("group")
        build.line(f"{groups[name]} = geometry_group({quoted(name)})")
    return groups[name]


def chain(build: Build, group: str, steps: Sequence[tuple[NodeType, Sequence[Set]]]) -> list[str]:
    """Nodes one after another between the input and the output of a group; the variables."""
    build.need("node_named", "socket_of")
    start, end = build.var("start"), build.var("end")
    build.line(f'{start} = node_named({group}, "Group Input", "NodeGroupInput", (-400.0, 0.0))')
    build.line(f'{end} = node_named({group}, "Group Output", "NodeGroupOutput", ({200.0 * len(steps) + 200.0}, 0.0))')
    source = f'socket_of({start}.outputs, "Geometry")'
    made: list[str] = []
    for index, (node, sets) in enumerate(steps):
        var = add_node(build, group, node, (200.0 * index - 100.0, 0.0))
        node_settings(build, var, node, sets)
        inputs = [socket.name for socket in node.inputs if socket.type == "NodeSocketGeometry" and socket.enabled]
        outputs = [socket.name for socket in node.outputs if socket.type == "NodeSocketGeometry" and socket.enabled]
        if not outputs:
            raise refuse(node.label, "it gives no geometry")
        if inputs:
            build.line(f'{group}.links.new({source}, socket_of({var}.inputs, "{inputs[0]}"))')
        elif index > 0:
            raise refuse(node.label, "it takes no geometry")
        source = f'socket_of({var}.outputs, "{outputs[0]}")'
        made.append(var)
    build.line(f'{group}.links.new({source}, socket_of({end}.inputs, "Geometry"))')
    return made


@step(
    "[<add>] (geometry nodes|geo nodes|geometry nodes modifier|a geometry nodes modifier|a geometry node group) [group|modifier|setup|tree] [<called> {name:name}] (on|to|for) {target:object} [:|,|with|that|which|and] [has|with|a] [a|an] {n1:node of GeometryNodeTree} [node] [with|,|:|«|set to] [{s1:settings of n1}] [»] [[,] [and] [then] {n2:node of GeometryNodeTree} [node] [with|,|:|«] [{s2:settings of n2}]] [[,] [and] [then] {n3=shade smooth}]",
    "[<add>] [a|an] {n1:node of GeometryNodeTree} [node] (in|with) geometry nodes (on|to|for) {target:object} [with|,|:|«] [{s1:settings of n1}]",
    "(geometry nodes|geo nodes) (on|for) {target:object} [:|,] [a|an] {n1:node of GeometryNodeTree} [node] [with|,|:] [{s1:settings of n1}] [[,] [and] then {n3=shade smooth}]",
    "(geometry nodes|geo nodes) [:] {n1:node of GeometryNodeTree} {target:object} [by|with] [{s1:settings of n1}]",
    "[<add>] (geometry nodes|geo nodes) (on|to|for) {target:object} [that|which] (turn|turns|replace|replaces|make) (it|them) (into|with|by) [a|an] {n1:node of GeometryNodeTree} [with|,|:] [{s1:settings of n1}]",
    "[<add>] {n1:node of GeometryNodeTree} [node] [to|in|as] geometry nodes [modifier] (on|of|for) {target:object} [with|,|:|«] [{s1:settings of n1}]",
    "(use|with) geometry nodes (on|for) {target:object} to (add|apply) [a|an] {n1:node of GeometryNodeTree} [node] [with|,|:] [{s1:settings of n1}]",
)
def geometry_nodes(
    build: Build,
    target: Target,
    name: str | None,
    n1: NodeType,
    s1: list[Set] | None,
    n2: NodeType | None,
    s2: list[Set] | None,
    n3: str | None,
) -> None:
    """A geometry nodes modifier with one to three nodes in a row."""
    known = build.one(target)
    title = name or "Geometry Nodes"
    build.comment("geometry nodes")
    group = group_for(build, title)
    steps: list[tuple[NodeType, Sequence[Set]]] = [(n1, s1 or [])]
    if n2 is not None:
        steps.append((n2, s2 or []))
    if n3 is not None:
        steps.append((build.lexicon.manifest.nodes["GeometryNodeSetShadeSmooth"], []))
    chain(build, group, steps)
    build.need("use_group")
    build.line(f"use_group({known.var}, {group})")
    build.memory["_geometry"] = (group, [node for node, _ in steps], title)
    build.it = known
    build.note(f"geometry nodes: {', '.join(node.label for node, _ in steps)}")


@step(
    "[<add>] (geometry nodes|geo nodes|geometry nodes modifier) [modifier] (on|to|for) {target:object} [that|which|to] (scatters|scatter|distributes|distribute) {n:int} points (on|over) (its|the) (faces|surface)",
    "[<add>] geometry nodes modifier (on|to) {target:object} that scatters {n:int} points on its faces",
)
def scatter_points(build: Build, target: Target, n: int) -> None:
    """Points on faces; the density is the number over the area, which the mesh tells."""
    known = build.one(target)
    build.comment("scatter points with geometry nodes")
    group = group_for(build, "Scatter Points")
    node = build.lexicon.manifest.nodes["GeometryNodeDistributePointsOnFaces"]
    made = chain(build, group, [(node, [])])
    build.need("mesh_of", "set_input", "use_group")
    build.line(f"area = sum(face.area for face in mesh_of({known.var}).polygons)")
    build.line(f'set_input({made[0]}, "Density", {n} / area)')
    build.line(f"use_group({known.var}, {group})")
    build.note(f"{n} points on the faces")


SCATTER: Final = (
    "~( (whose|the|its|a|named) node group [is] (named|called) {name:name} ; (node group|group|modifier) (named|called) {name:name} ;"
    " (distribute|distributing|scatter|with) points on [the] (faces|surface) [of it] ; (on|over|across) {target:object of one} ;"
    " density [of] {density:n} [« per square (meter|metre) »] [per square (meter|metre)] ; seed {seed:int} ;"
    " (instance|instancing|instances of) {again:object of one} on [the|those|these] points ;"
    " [a] random (scale|size) (between|from|of) {low:n} (and|to) {high:n} ; (scale|scaled|size) [of|by|to] {size:n} ;"
    " [a] {turned=random rotation} [(around|about|on) {axis:axis}] ; {turned=randomly rotated|rotated randomly} [(around|about|on) {axis:axis}] ;"
    " (join|joining|joined) [the] [instances|them|it|result] (with|to) [the] [original] (ground|geometry|surface|mesh|plane|terrain|object) [geometry|mesh] ;"
    " (keep|keeping) [the] [original] (ground|geometry|surface|mesh|plane|terrain) [visible|mesh|geometry] ;"
    " (using|with|via|by|through) [a] geometry nodes [modifier|setup|tree] ; (so|so that) it stays visible )"
)


@step(
    f"[use|add] (geometry nodes|geo nodes) [modifier] [on {{target:object of one}}] [:|,|to|that] (scatter|scatters|distribute|distributes|instance|spread) [{{count:int}}] [instances of|copies of|instances|copies] [of] {{what:object of one}} {SCATTER}",
    f"(scatter|distribute|instance|spread) [{{count:int}}] [instances of|copies of] {{what:object of one}} (on|over|across|onto) [the] [surface of|faces of] {{target:object of one}} (with|using|via|by|through) [a] geometry nodes [modifier|setup|tree] {SCATTER}",
)
def scatter(
    build: Build, what: Target, target: Target | None, again: Target | None, count: int | None, name: str | None,
    density: float | None, seed: int | None, low: float | None, high: float | None, size: float | None,
    turned: str | None, axis: str | None,
) -> None:  # fmt: skip
    """Instances of an object on the faces of another one, with geometry nodes; the ground stays."""
    if target is None or (count is not None and density is not None) or (size is not None and low is not None):
        raise refuse(what.said, "on what, and how many?")
    rock, known = build.one(what), build.one(target)
    if again is not None and build.one(again) is not rock:
        raise refuse(again.said, "another one than before")
    nodes = build.lexicon.manifest.nodes
    title = name or "Scatter"
    build.comment(f"scatter {rock.name or rock.var} with geometry nodes")
    group = group_for(build, title)
    build.need("node_named", "socket_of", "set_socket", "use_group", "expect")
    start, end = build.var("start"), build.var("end")
    build.line(f'{start} = node_named({group}, "Group Input", "NodeGroupInput", (-600.0, 0.0))')
    build.line(f'{end} = node_named({group}, "Group Output", "NodeGroupOutput", (600.0, 0.0))')
    points = add_node(build, group, nodes["GeometryNodeDistributePointsOnFaces"], (-400.0, 0.0))
    if density is not None:
        build.line(f'set_socket({points}, "Density", {literal(float(density))})')
    elif count is not None:
        build.need("mesh_of")
        build.line(f"area = sum(face.area for face in mesh_of({known.var}).polygons)")
        build.line(f'set_socket({points}, "Density", {count} / area)')
    if seed is not None:
        build.line(f'set_socket({points}, "Seed", {seed})')
    info = add_node(build, group, nodes["GeometryNodeObjectInfo"], (-400.0, -300.0))
    build.line(f'set_socket({info}, "Object", {rock.var})\nset_socket({info}, "As Instance", True)')
    placed = add_node(build, group, nodes["GeometryNodeInstanceOnPoints"], (0.0, 0.0))
    joined = add_node(build, group, nodes["GeometryNodeJoinGeometry"], (300.0, 0.0))
    links = [
        (f'{start}.outputs, "Geometry"', f'{points}.inputs, "Mesh"'), (f'{points}.outputs, "Points"', f'{placed}.inputs, "Points"'),
        (f'{info}.outputs, "Geometry"', f'{placed}.inputs, "Instance"'), (f'{placed}.outputs, "Instances"', f'{joined}.inputs, "Geometry"'),
        (f'{start}.outputs, "Geometry"', f'{joined}.inputs, "Geometry"'), (f'{joined}.outputs, "Geometry"', f'{end}.inputs, "Geometry"'),
    ]  # fmt: skip
    random = nodes["FunctionNodeRandomValue"]
    if low is not None and high is not None:
        var = add_node(build, group, random, (-200.0, -300.0), "Random Scale")
        build.line(f'expect({var}, bpy.types.FunctionNodeRandomValue).data_type = "FLOAT"')
        build.line(f'set_socket({var}, "Min", {literal(float(low))})\nset_socket({var}, "Max", {literal(float(high))})')
        links.append((f'{var}.outputs, "Value"', f'{placed}.inputs, "Scale"'))
    elif size is not None:
        build.line(f'set_socket({placed}, "Scale", {literal((float(size),) * 3)})')
    if turned:
        build.imports("math: tau")
        var = add_node(build, group, random, (-200.0, -500.0), "Random Rotation")
        build.line(f'expect({var}, bpy.types.FunctionNodeRandomValue).data_type = "FLOAT_VECTOR"')
        most = ", ".join("tau" if axis is None or axis[-1] == letter else "0.0" for letter in "XYZ")
        build.line(f'set_socket({var}, "Min", (0.0, 0.0, 0.0))\nset_socket({var}, "Max", ({most}))')
        links.append((f'{var}.outputs, "Value"', f'{placed}.inputs, "Rotation"'))
    build.need("connect")
    for one, other in links:
        build.line(f"connect(\n    {group},\n    socket_of({one}),\n    socket_of({other}),\n)")
    build.line(f"use_group({known.var}, {group})")
    build.it = known
    build.note(f"{what.said} scattered on {target.said}")


@step(
    "[<add>] [a|an] [new] (geometry nodes|geometry node|geo nodes) (group|tree|node group) [<called>] {name:name} [on {target:object}] with [a|an] {kind=float|integer|int|boolean|bool|vector|color|object|material} input [<called>] {socket:name} [,|«] [default|with default] [value] [of|=|:] [{value:n}] [»] [that|which] [feeds|drives] [the] [{inner:identifier}] [of|input of] [a] [{n1:node of GeometryNodeTree}] [node] [between input and output]",
    "[<add>] [a|an] [new] (geometry nodes|geometry node|geo nodes) (group|tree|node group) [<called>] {name:name} [on {target:object}]",
)
def geometry_group(
    build: Build,
    name: str,
    target: Target | None,
    kind: str | None,
    socket: str | None,
    value: float | None,
    inner: str | None,
    n1: NodeType | None,
) -> None:
    """A node group with an input of its own, which may feed a node."""
    known = build.one(target) if target is not None else None
    build.comment(f"the geometry node group {name}")
    build.need("expect")
    group = group_for(build, name)
    if kind and socket:
        text = quoted(socket)
        build.imports("typing: Any")
        build.line(
            f"interface = expect({group}.interface, bpy.types.NodeTreeInterface)\nsocket: Any = interface.items_tree.get({text})"
        )
        build.line(
            f'if socket is None:\n    socket = interface.new_socket({text}, in_out="INPUT", socket_type="{SOCKETS[kind]}")'
        )
        if value is not None:
            number: object = int(value) if kind in {"integer", "int"} else float(value)
            build.line(f"socket.default_value = {literal(number)}")
    if n1 is not None:
        if inner is None or socket is None:
            raise refuse(n1.label, "which input?")
        names = [each.name for each in n1.inputs if each.name.lower() == inner.lower()]
        if not names:
            raise refuse(inner, f"{n1.label} has no such input")
        made = chain(build, group, [(n1, [])])
        build.line(
            f'{group}.links.new(socket_of(start.outputs, {quoted(socket)}), socket_of({made[0]}.inputs, "{names[0]}"))'
        )
    elif not inner:
        build.need("node_named", "socket_of")
        start, end = build.var("start"), build.var("end")
        build.line(f'{start} = node_named({group}, "Group Input", "NodeGroupInput", (-200.0, 0.0))')
        build.line(f'{end} = node_named({group}, "Group Output", "NodeGroupOutput", (200.0, 0.0))')
        build.line(
            f'if not socket_of({end}.inputs, "Geometry").is_linked:\n    {group}.links.new(socket_of({start}.outputs, "Geometry"), socket_of({end}.inputs, "Geometry"))'
        )
    if known is not None:
        build.need("use_group")
        build.line(f"use_group({known.var}, {group})")
    build.note(f'node group "{name}"')


# --- compositor ---------------------------------------------------------------------------------------------


CompNode = tuple[NodeType, list[Set], float | None]


@slot("comp_nodes")
def comp_nodes(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[CompNode]]]:
    """Nodes one after another: "a fog glow glare (threshold 0.8) and then a blur of 10 px"."""
    nodes = reading.lexicon.nodes["CompositorNodeTree"]
    waiting: list[tuple[int, list[CompNode]]] = [(at, [])]
    found: dict[int, list[CompNode]] = {}
    while waiting:
        place, so_far = waiting.pop(0)
        start = skip(reading, place, {"a", "an", "the", "new"})
        for label in range(start, min(start + 4, len(reading.tokens))):
            for end, kinds in nodes.matches(reading.tokens, label):
                table = reading.lexicon.sockets(kinds[0])
                early = [items for last, items in table.items.matches(reading.tokens, start) if last == label]
                if label > start and not early:
                    continue
                sets = [Set(tuple(early[0]), reading.said(start, label))] if early else []
                for last, more, blur in node_details(reading, end, kinds[0]):
                    if last in found:
                        continue
                    found[last] = [*so_far, (kinds[0], [*sets, *more], blur)]
                    following = skip(
                        reading,
                        last + (reading.mark(last) == ","),
                        {"and", "then", "followed", "by", "through", "afterwards"},
                    )
                    if following > last:
                        waiting.append((following, found[last]))
    for end in sorted(found, reverse=True):
        yield end, found[end]


def node_details(reading: Reading, at: int, node: NodeType) -> Iterator[tuple[int, list[Set], float | None]]:
    """What is said of a node after its name."""
    at = skip(reading, at, {"node", "filter", "effect"})
    if node.identifier == "CompositorNodeBlur":
        for end, given in quantity(reading, skip(reading, at, {"of", "by", "with", "the", "render", "image"}), {}, ""):
            if given.unit is None or given.measured("pixels"):
                yield skip(reading, end, {"in", "x", "and", "y"}), [], given.number
    for start in range(at, at + 3):
        opened = start > at and reading.mark(start - 1) == "("
        for end, sets in settings(reading, start, {"node": node}, "node"):
            if not opened or reading.mark(end) == ")":
                yield end + opened, sets, None
        if reading.mark(start) not in {"(", ",", ":"} and reading.word(start) not in {"with", "set", "to", "at", "of"}:
            break
    yield at, [], None


BETWEEN: Final = (
    "[nodes|node] [between [the] (render layers|render) [node] and [the] (output|composite|composite output|composite node|group output)]"
    " [to [the] output] [before [the] output]"
)


@step(
    f"[in|with|use] [the] (compositor|compositing) [:|,|-] [the] [render|image] [<add>|insert|run|send|pass] [the] [render|image] [goes|passes|runs] [through] {{n:comp_nodes}} {BETWEEN}",
    f"(set up|setup|use|build) [the] (compositor|compositing) (so that|such that|to) [make|let|have|send|run|pass] [the] (render|image|picture|rendered image) [goes|passes|runs|is sent|go|pass|run] [through] {{n:comp_nodes}} {BETWEEN}",
    f"[<add>|insert|run|send|pass] [the] [render|image] [through] {{n:comp_nodes}} {BETWEEN} (in|to|into|with) [the] (compositor|compositing nodes|compositing tree) {BETWEEN}",
    "[the] compositor [:|,] {n:comp_nodes} [the] (render|image)",
    "[<add>] {node:node of CompositorNodeTree} [node] (to|in|into) [the] compositor [,|with|«|:] [set] [to] {s:settings of node}",
    "[the] compositor [:|,] {node:node of CompositorNodeTree} [the] (render|image) [by] {blur:n} [px|pixel|pixels]",
    "{node:node of CompositorNodeTree} [the] (render|image) (in|with) [the] compositor [by] {blur:n} [px|pixels]",
    "{node:node of CompositorNodeTree} [the] (render|image) (in|with) [the] compositor",
)
def compositor(
    build: Build, n: list[CompNode] | None, node: NodeType | None, blur: float | None, s: list[Set] | None
) -> None:
    """Nodes between the render and the output, one after another."""
    build.need("compositor", "splice")
    for each, sets, size in n if n is not None else [(node, s or [], blur)] if node is not None else []:
        comp_node(build, each, sets, size)


def comp_node(build: Build, node: NodeType, sets: Sequence[Set], blur: float | None) -> None:
    """A node between what stands before the output and the output."""
    images = [socket for socket in node.inputs if socket.type == "NodeSocketColor"]
    if not images or not any(socket.type == "NodeSocketColor" for socket in node.outputs):
        raise refuse(node.label, "no picture goes through it")
    if blur is not None and node.identifier != "CompositorNodeBlur":
        raise refuse(node.label, "by what?")
    build.comment(f"a {node.label.lower()} node in the compositor")
    tree = build.memory.get("_compositor")
    if tree is None:
        tree = build.var("tree")
        build.line(f"{tree} = compositor({build.scene()})")
        build.memory["_compositor"] = tree
    var = add_node(build, tree, node, (0.0, 0.0))
    node_settings(build, var, node, sets)
    if blur is not None:
        if any(each.name == "Size" and "Vector" in each.type for each in node.inputs):
            build.need("set_input")
            build.line(f'set_input({var}, "Size", {literal((float(blur), float(blur)))})')
        else:
            build.need("expect")
            build.line(f"blur = expect({var}, bpy.types.CompositorNodeBlur)\nblur.size_x = blur.size_y = {int(blur)}")
    build.line(f"splice({tree}, {var})")
    build.topic = Topic(var, (Place("", node.identifier),), node.label)
    build.note(f"compositor: {node.label}")


# --- sequencer ----------------------------------------------------------------------------------------------


@step(
    "[in [the]] [the] [(video sequencer|sequencer|video editor|vse)] [:|,] [<add>] [a|an] [{hue:color}] {kind=color|text|adjustment} strip [{body:quoted}] [<called> {name:name}] [,] [on channel {channel:int}] [,] {f:frames} [,] [on channel {channel2:int}] [,] [(with|,|and) {s:settings of TextStrip}] [(in|to) [the] (video sequencer|sequencer|vse)]",
    "[in [the] (video sequencer|sequencer|video editor|vse)] [<add>] [and] [above it] [,] [on channel {channel:int}] [,] [a|an] [{hue:color}] {kind=color|text|adjustment} strip [{body:quoted}] [on channel {channel2:int}] [,] ({f:frames}|{same=of the same length|over the same frames}) [,] [[with] {s:settings of TextStrip}]",
    "[in [the]] [the] [(video sequencer|sequencer|video editor|vse)] [:|,] [<add>] [a|an] [{hue:color}] {kind=color|text|adjustment} strip [{body:quoted}] [,] [on] channel {channel:int} ({f:frames}|{same=of the same length|over the same frames}) [,] [[with] {s:settings of TextStrip}]",
)
def strip(
    build: Build,
    kind: str,
    hue: Color | None,
    body: str | None,
    name: str | None,
    channel: int | None,
    channel2: int | None,
    f: tuple[int, int] | None,
    same: str | None,
    s: list[Set] | None,
) -> None:
    """A color or text strip in the sequencer."""
    span = f or build.memory.get("_span")
    if span is None or (same and "_span" not in build.memory):
        raise refuse(same or kind, "from which frame to which?")
    if (hue is not None) != (kind == "color"):
        raise refuse(kind, "only a color strip has a color, and it needs one")
    if (body is not None) != (kind == "text"):
        raise refuse(body or kind, "only a text strip says something, and it needs to")
    build.memory["_span"] = span
    number = channel or channel2 or 1
    count = build.memory["_strips"] = build.memory.get("_strips", 0) + 1
    title = name or (body if body else hue.label if hue else "Strip") or f"Strip {count}"
    build.need("add_strip", "expect")
    build.comment(f"a {kind} strip")
    var = build.var(f"{kind} strip")
    data_type = {"color": "ColorStrip", "text": "TextStrip", "adjustment": "AdjustmentStrip"}[kind]
    build.line(
        f'{var} = expect(\n    add_strip({build.scene()}, {quoted(title)}, "{kind.upper()}", {number}, {span[0]}, {span[1]}), bpy.types.{data_type}\n)'
    )
    if hue is not None:
        build.line(f"{var}.color = {literal(hue.rgb)}")
    if body is not None:
        build.line(f"{var}.text = {quoted(body)}")
    if s:
        build.assign(var, build.choose(s, (Place("", "TextStrip"),), "the strip"))
    build.memory.setdefault("_strip_list", []).append((var, kind, span))
    build.topic = Topic(var, (Place("", data_type),), "strip")
    build.note(f"{kind} strip on channel {number}, frames {span[0]} to {span[1]}")


@step(
    "fade [the] {kind=text|color|strip|it} in [:] [its] opacity [is] [keyframed|animated] [from] {a:n} at frame {f1:int} to {b:n} at frame {f2:int} [and stays there]",
    "(keyframe|animate) [its|the] opacity [of the strip] [from] {a:n} at frame {f1:int} to {b:n} at frame {f2:int} [and stays there]",
)
def fade(build: Build, kind: str | None, a: float, b: float, f1: int, f2: int) -> None:
    """Keyframes of the opacity of a strip."""
    strips = [each for each in build.memory.get("_strip_list", []) if kind in {None, "strip", "it", each[1]}]
    if not strips or not (0 <= a <= 1 and 0 <= b <= 1) or f2 <= f1:
        raise refuse("fade", "which strip?")
    var = strips[-1][0]
    for number, value in ((f1, a), (f2, b)):
        build.line(f'{var}.blend_alpha = {literal(float(value))}\n{var}.keyframe_insert("blend_alpha", frame={number})')
    build.note("opacity keyframed")


# --- grease pencil ------------------------------------------------------------------------------------------


@step(
    "[<add>] [a|an] [new] (grease pencil|grease pencil object) [object] [<called>] {name:name} [with [a] layer [<called>] {layer:name}]",
    "[<add>] [a|an] grease pencil [object] [<called> {name:name}] with [a] stroke [from|through] {points:points} [on frame {f:int}]",
    "[<add>] [a] [new] [grease pencil] layer [<called>] {layer:name} (on|to) [the] [grease pencil] [object] {target:object of one}",
    "grease pencil layer {layer:name} (on|to) {target:object of one}",
    "(draw|add|create) [a|an] grease pencil stroke [on a new object {name:name}] [from|through] {points:points} [on frame {f:int}]",
)
def grease_pencil(
    build: Build,
    name: str | None,
    layer: str | None,
    points: tuple[Vec, ...] | None,
    f: int | None,
    target: Target | None,
) -> None:
    """A grease pencil object with a layer, and a stroke where points were said."""
    if target is not None:
        found = build.one(target)
        build.imports("typing: Any")
        build.line(f"pencil: Any = {found.var}.data")
        build.line(f"if {quoted(layer or '')} not in pencil.layers:\n    pencil.layers.new({quoted(layer or '')})")
        return
    if (
        "grease_pencils"
        not in build.lexicon.manifest.types.get("BlendData", build.lexicon.manifest.types["Object"]).properties
    ):
        raise refuse("grease pencil", "this Blender keeps it in another way")
    title = name or "Grease Pencil"
    build.comment("a grease pencil object")
    build.imports("typing: Any")
    store = (
        "grease_pencils_v3"
        if build.lexicon.manifest.series < "5.0"
        and "grease_pencils_v3" in build.lexicon.manifest.types["BlendData"].properties
        else "grease_pencils"
    )
    known = build.new_object(
        "drawing", title, called=bool(name), type_="GREASEPENCIL", data_code=f"bpy.data.{store}.new({quoted(title)})"
    )
    build.line(f"pencil: Any = {known.var}.data")
    text = quoted(layer or "Lines")
    build.line(f"layer = pencil.layers.get({text}) or pencil.layers.new({text})")
    if points:
        number = f or 1
        build.line(
            f"frame = next((each for each in layer.frames if each.frame_number == {number}), None) or layer.frames.new({number})"
        )
        with build.block("if not frame.drawing.strokes:"):
            places = tuple(point.parts for point in points)
            build.line(f"frame.drawing.add_strokes([{len(places)}])\nplaces = {literal(places)}")
            build.line(
                "for point, place in zip(frame.drawing.strokes[0].points, places, strict=True):\n    point.position = place\n    point.radius = 0.02"
            )
    build.note(f'grease pencil "{title}"')
