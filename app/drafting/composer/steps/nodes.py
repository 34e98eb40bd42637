"""Node set-ups: geometry nodes, compositor; video sequencer; grease pencil."""

from __future__ import annotations

from collections.abc import Sequence

from app.drafting.composer.build import Build
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Place
from app.drafting.composer.slots import Set, Target
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


@step(
    "[<add>] [a|an] {node:node of CompositorNodeTree} node (to|in|into) [the] compositor [,|with|«|:] [set] [to] [{s:settings of node}]",
    "[the] compositor [:|,] [add] [a|an] {node:node of CompositorNodeTree} [node] [,|with|«|:] [{s:settings of node}]",
    "(set up|setup|use) [the] compositor so that the render goes through [a|an] {node:node of CompositorNodeTree} [node] [,|with|«|:] [{s:settings of node}] [»] [to the output]",
    "[the] compositor [:|,] {node:node of CompositorNodeTree} [the] (render|image) [by] {blur:n} [px|pixel|pixels]",
    "{node:node of CompositorNodeTree} [the] (render|image) (in|with) [the] compositor [by] {blur:n} [px|pixels]",
    "[the] compositor [:|,] {node:node of CompositorNodeTree} [the] (render|image)",
    "{node:node of CompositorNodeTree} [the] (render|image) (in|with) [the] compositor",
)
def compositor(build: Build, node: NodeType, s: list[Set] | None, blur: float | None) -> None:
    """A node between the render and the output."""
    images = [socket for socket in node.inputs if socket.type == "NodeSocketColor"]
    if not images or not any(socket.type == "NodeSocketColor" for socket in node.outputs):
        raise refuse(node.label, "no picture goes through it")
    if blur is not None and node.identifier != "CompositorNodeBlur":
        raise refuse(node.label, "by what?")
    build.comment(f"a {node.label.lower()} node in the compositor")
    build.need("compositor", "splice")
    tree = build.memory.get("_compositor")
    if tree is None:
        tree = build.var("tree")
        build.line(f"{tree} = compositor({build.scene()})")
        build.memory["_compositor"] = tree
    var = add_node(build, tree, node, (0.0, 0.0))
    node_settings(build, var, node, s or [])
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
    "[in [the] (video sequencer|sequencer|video editor|vse)] [<add>] [a|an] [{hue:color}] {kind=color|text|adjustment} strip [{body:quoted}] [<called> {name:name}] [,] [on channel {channel:int}] [,] {f:frames} [,] [on channel {channel2:int}] [,] [(with|,|and) {s:settings of TextStrip}] [(in|to) [the] (video sequencer|sequencer|vse)]",
    "[in [the] (video sequencer|sequencer|video editor|vse)] [<add>] [and] [above it] [,] [on channel {channel:int}] [,] [a|an] [{hue:color}] {kind=color|text|adjustment} strip [{body:quoted}] [on channel {channel2:int}] [,] ({f:frames}|{same=of the same length|over the same frames}) [,] [[with] {s:settings of TextStrip}]",
    "[in [the] (video sequencer|sequencer|video editor|vse)] [<add>] [a|an] [{hue:color}] {kind=color|text|adjustment} strip [{body:quoted}] [,] [on] channel {channel:int} ({f:frames}|{same=of the same length|over the same frames}) [,] [[with] {s:settings of TextStrip}]",
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
