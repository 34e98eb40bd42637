"""Where many things are: scattered at random, in rows, grids and circles, by a formula, from the rows of a file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from app.drafting.composer.build import Build, Many
from app.drafting.composer.grammar import step
from app.drafting.composer.patterns import Env, Reading, slot
from app.drafting.composer.slots import Target, quantity
from app.drafting.composer.steps.naming import ORDER, ordered
from app.drafting.composer.steps.objects import Thing, many_things
from app.drafting.composer.values import Vec, clean, literal, refuse

Names = tuple[str, int, int]
SEED: Final = "[(with|using|from)] [a|the] [random] seed [=|of|:] {seed:int}"
CALLED: Final = "[and] (named|called|name them|call them|with names) {names:pattern}"
AREA: Final = (
    "(in|on|over|across|within|inside|into) [a|an|the] [flat] ({w:n} (x|by) {h:n} [m] [square|area|plane|region|field|rectangle|patch]|"
    "{w:n} [m] (square|area|plane|region|field)|(square|area|region|field) of {w:n} [(x|by) {h:n}] [m]|"
    "(circle|disc|disk|radius) [of|with] [radius] [of] {r:n}|{r:n} radius|(cube|box|volume) of {c:n} [m]|{c:n} [m] (cube|box|volume))"
)
COPIES: Final = "{n:int} [{linked=linked|instanced}] (copies|duplicates|instances|clones) of {target:object of one}"


RANDOMLY: Final = re.compile(r"scatter|spread|throw|random|distribut|dis[ck]\b", re.IGNORECASE)


def randomly(build: Build, seed: int | None) -> None:
    """A source of random numbers that gives the same ones each time."""
    build.imports("random: Random")
    build.line(f"random = Random({seed or 0})")


@step(
    f"(scatter|distribute|spread|place|throw|put|add|create|make|generate) {{what:thing}} [randomly|at random] [at random (places|positions|locations)] ~( {AREA} ; randomly ; {SEED} ; {CALLED} ; at z = {{z:n}} )",
    f"(scatter|distribute|spread|place|throw|put|make|create) {COPIES} [randomly|at random] [at random (places|positions|locations)] ~( {AREA} ; randomly ; {SEED} ; at z = {{z:n}} ; [as] {{linked=linked|sharing one|sharing the same|instanced}} [mesh|data|duplicates|copies] )",
)
def scatter(
    build: Build, what: Thing | None, target: Target | None, n: int | None, linked: str | None, w: float | None, h: float | None, r: float | None,
    c: float | None, z: float | None, seed: int | None, names: Names | None,
) -> None:  # fmt: skip
    """Things at random places."""
    if w is None and r is None and c is None:
        raise refuse((what or target or Target("it")).said, "over which area?")
    if r is not None and target is not None and not RANDOMLY.search(build.request):
        raise refuse(target.said, "scattered in the circle?")
    randomly(build, seed)
    height = literal(float(z or 0.0))
    if r is not None:
        build.need("in_circle")
        where = f"in_circle(random, {literal(r)}, {height})"
    else:
        half = [(c or w or 0.0) / 2, (c or h or w or 0.0) / 2]
        sides = [f"random.uniform({literal(clean(-each))}, {literal(clean(each))})" for each in half]
        where = f"({', '.join(sides)}, {sides[0] if c else height})"
    if what is not None:
        if what.count < 2:
            raise refuse(what.said, "how many?")
        many_things(build, what, what.count, where, names)
    elif target is not None:
        copy_to(build, target, n or 0, where, linked=bool(linked))


def copy_to(build: Build, target: Target, count: int, where: str, *, linked: bool, keep: str = "") -> None:
    """Copies of an object, each at the place that an expression of `number` gives."""
    if not 1 <= count <= 2000:
        raise refuse(str(count), "how many?")
    source = build.one(target)
    build.once()
    build.need("duplicate")
    build.line("copies: list[bpy.types.Object] = []")
    with build.block(f"for {'number' if 'number' in where else '_'} in range({count}):"):
        build.line(
            f"copy = duplicate({source.var}, {source.var}.name, linked={linked})\ncopy.location = {where}{keep}\ncopies.append(copy)"
        )
    build.it = Many("copies")
    build.note(f"{count} copies of {target.said}")


PARTS: Final = {
    "location": "location", "position": "location", "place": "location", "rotation": "rotation_euler",
    "orientation": "rotation_euler", "scale": "scale", "size": "scale",
}  # fmt: skip


@slot("reach")
def reach(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, float]]:
    """A number, a length in metres, or an angle in degrees."""
    yield from ((end, found.value) for end, found in quantity(reading, at, env, "length/share/times/angle"))


RANGE: Final = (
    "~( (between|from|in the range) {low:reach} (and|to|-) {high:reach} ; (by|by up to|up to|within|by at most|at most|of up to) [plus or minus] {range:reach} ;"
    f" (around|about|on|along|in|only on|only around) {{axes:axes}} [only] ; {{even=uniformly|uniform|evenly}} ; [randomly] {SEED} )"
)
PART: Final = f"{{part={'|'.join(PARTS)}}}"


@step(
    f"(randomize|jitter|vary|scramble) [the] [{{axis:axis}}] {PART} of {{target:object}} [randomly] {RANGE}",
    f"(give|set|add|apply|assign) [to] {{target:object}} [a|an] [{{even=uniform}}] random [{{axis:axis}}] {PART} {RANGE}",
    f"(add|set|give|apply|assign) [a|an] [{{even=uniform}}] random [{{axis:axis}}] {PART} (to|for|of|on) {{target:object}} {RANGE}",
    f"{{verb=rotate|scale|move|turn|shift}} {{target:object}} (randomly|by random amounts|by a random amount|by a random angle|by a random factor) {RANGE}",
    f"{{verb=jitter}} {{target:object}} {RANGE}",
    f"randomly {{verb=rotate|scale|move|turn|shift}} {{target:object}} {RANGE}",
)
def randomize(
    build: Build, target: Target, part: str | None, verb: str | None, axis: str | None, low: float | None, high: float | None,
    range: float | None, axes: list[str] | None, even: str | None, seed: int | None,
) -> None:  # fmt: skip
    """Random transforms from a seed, so that a second run gives the same."""
    attribute = PARTS.get(
        part or "", {"rotate": "rotation_euler", "turn": "rotation_euler", "scale": "scale"}.get(verb or "", "location")
    )
    letters = [each[-1].lower() for each in axes or ([axis] if axis else [])]
    turning = attribute == "rotation_euler"
    if not turning and re.search(r"\d ?(°|deg)", build.request):
        raise refuse(target.said, "only rotations are in degrees")
    if low is None or high is None:
        if range is None and not turning:
            raise refuse(target.said, "between which values?")
        low, high = (-range, range) if range is not None else (0.0, 360.0)
        if attribute == "scale" and range is not None:
            low, high = 1 - range, 1 + range
    by = attribute == "location" and (range is not None or verb is not None)
    if by:
        build.once()
    randomly(build, seed)
    ends = [f"radians({literal(float(each))})" if turning and each else literal(float(each)) for each in (low, high)]
    if turning:
        build.imports("math: radians")
    build.line(f"low, high = {', '.join(ends)}")
    one = "random.uniform(low, high)"
    found = build.objects(target)
    source = f"sorted({found.expression}, key=lambda each: each.name)" if isinstance(found, Many) else f"({found.var},)"
    with build.block(f"for obj in {source}:"):
        if letters:
            for letter in letters:
                build.line(f"obj.{attribute}.{letter} {'+=' if by else '='} {one}")
        elif attribute == "scale":
            build.line(f"size = {one}\nobj.scale = (size, size, size)")
        elif by:
            for letter in "xyz":
                build.line(f"obj.location.{letter} += {one}")
        else:
            build.line(f"obj.{attribute} = ({one}, {one}, {one})")
    if attribute == "scale" and len(letters) > 1 and even:
        raise refuse(even, "the same for several axes?")
    build.note(f"{target.said} -> random {attribute}")


LINE_UP: Final = (
    "(arrange|line up|lines up|lay out|lay|distribute|place|put|space|spread|set out|align|order|stack|move)"
)
GAPS: Final = (
    "(spaced|with|,) [their origins] [exactly] {step:n} (apart|spacing|from centre to centre|from center to center|between (centers|centres|origins)) ; {step:n} apart ; every {step:n} ;"
    " (with|leaving) [a] ((gap|gaps|space|distance|spacing) of {gap:n}|{gap:n} (gap|gaps|space|spacing|distance)) [between] [them|their bounding boxes|each|the objects|neighbours|bounding boxes]"
)
TIGHT: Final = "without gaps|without gap|without any gap|without space|touching each other|edge to edge"


@step(
    f"{LINE_UP} {{target:object}} [in a (row|line)] [evenly] (along|on|in) [the] {{axis:axis}} ~( {GAPS} ; {ORDER} ; (starting|beginning|start) (at|from) {{v:vector}} ; {{tight={TIGHT}}} )",
    f"{LINE_UP} {{target:object}} in a (row|line) ~( (along|on|in) [the] {{axis:axis}} ; {GAPS} ; {ORDER} ; (starting|beginning|start) (at|from) {{v:vector}} ; {{tight={TIGHT}}} )",
    f"{{stack=stack}} {{target:object}} [on top of each other|one on top of the other|vertically] [along z] ~( {GAPS} ; {ORDER} ; (starting|beginning) (at|from) {{v:vector}} )",
)
def line_up(
    build: Build, target: Target, axis: str | None, step: float | None, gap: float | None, order: tuple[str, bool] | None, v: Vec | None, stack: str | None,
    tight: str | None = None,
) -> None:  # fmt: skip
    """Objects one after another: their origins at a distance, or their bounding boxes."""
    if step is None and gap is None and not stack and not tight:
        raise refuse(target.said, "how far apart?")
    if tight and (step or gap):
        raise refuse(tight, "how far apart?")
    letter = "z" if stack else (axis or "X")[-1].lower()
    found = build.objects(target)
    if not isinstance(found, Many):
        raise refuse(target.said, "several objects are meant here")
    sign = -1.0 if (axis or "").startswith("-") else 1.0
    start = float(v.parts["xyz".index(letter)] or 0.0) if v else 0.0
    source = ordered(build, found.expression, order)
    others = (
        [
            f"obj.location.{each} = {literal(float(part))}"
            for each, part in zip("xyz", v.parts, strict=False)
            if part is not None and each != letter
        ]
        if v
        else []
    )
    if step is not None:
        with build.block(f"for number, obj in enumerate({source}):"):
            build.line(
                "\n".join([f"obj.location.{letter} = {literal(start)} + {literal(sign * step)} * number", *others])
            )
    else:
        build.need("world_corners")
        build.line(f"{build.view_layer()}.update()\nedge = {literal(start)}")
        with build.block(f"for obj in {source}:"):
            build.line(
                f"low = min(corner.{letter} for corner in world_corners(obj))\nhigh = max(corner.{letter} for corner in world_corners(obj))"
            )
            build.line(
                "\n".join(
                    [
                        f"obj.location.{letter} += edge - {'low' if sign > 0 else 'high'}",
                        *others,
                        f"edge {'+' if sign > 0 else '-'}= high - low + {literal(float(gap or 0.0))}",
                    ]
                )
            )
    build.note(f"{target.said} -> a row along {letter.upper()}")


@step(
    f"{LINE_UP} {{target:object}} [evenly] (in|on|around) a {{shape=circle|ring}} [of|with] [radius] {{radius:n}} ~( {ORDER} ; (around|about|centered at|centred on) {{v:vector}} )",
    f"{LINE_UP} {{target:object}} [evenly] in a {{shape=grid}} ~( (with|of) {{columns:int}} (columns|per row) ; {{columns:int}} per row ; {GAPS} ; {ORDER} )",
)
def in_shape(
    build: Build, target: Target, shape: str, radius: float | None, columns: int | None, step: float | None, gap: float | None, order: tuple[str, bool] | None, v: Vec | None
) -> None:  # fmt: skip
    """Objects on a circle or in a grid."""
    found = build.objects(target)
    if not isinstance(found, Many) or (shape == "grid" and (columns is None or (step or gap) is None)):
        raise refuse(target.said, "how many, how far apart?")
    build.line(f"objects = {ordered(build, found.expression, order)}")
    x, y = (float(part or 0.0) for part in v.parts[:2]) if v else (0.0, 0.0)
    build.imports(*(("math: cos", "math: sin", "math: tau") if radius is not None else ()))
    with build.block("for number, obj in enumerate(objects):"):
        if radius is not None:
            build.line(
                f"angle = tau * number / len(objects)\nobj.location.x = {literal(x)} + {literal(radius)} * cos(angle)\nobj.location.y = {literal(y)} + {literal(radius)} * sin(angle)"
            )
        else:
            side = literal(float(step or gap or 0.0))
            build.line(
                f"obj.location.x = {side} * (number % {columns})\nobj.location.y = {side} * (number // {columns})"
            )
    build.note(f"{target.said} -> a {shape}")


@step(
    "(replace|swap|exchange) {target:object} (with|by|for) [{linked=linked}] (duplicates|copies|instances|copy|duplicate) of {goal:object of one} ~( (with|at|keeping|in) [the|their] same (transforms|transform|place|places|positions) ; same (transforms|place|location) ; keeping their (transforms|places|names) )",
)
def replace_objects(build: Build, target: Target, goal: Target, linked: str | None) -> None:
    """Put copies of another object in the place of objects."""
    source = build.object(goal)
    build.once()
    build.need("duplicate", "remove_object")
    build.line(f"{build.view_layer()}.update()")
    with build.each(target) as known:
        test = f"if {known.var} != {source}:" if known.var == "obj" else "if True:"
        with build.block(test) if known.var == "obj" else build.block(f"for old in [{known.var}]:"):
            build.line(
                f"copy = duplicate({source}, {source}.name, linked={bool(linked)})\ncopy.parent = None\ncopy.matrix_world = {known.var}.matrix_world.copy()\nremove_object({known.var})"
            )
    build.note(f"{target.said} -> copies of {goal.said}")


@step(
    "(put|place|add|create|make|insert) {what:thing} (at|in|on) [the] [(location|position|place|origin|centre|center) of] {target:object} ~( {n:n} above it ; {CALLED} )".replace(
        "{CALLED}", CALLED
    ),
    "(put|place|add|create|make) {what:thing} {n:n} above {target:object}",
)
def at_each(build: Build, what: Thing, target: Target, n: float | None, names: Names | None) -> None:
    """A new thing at the place of each of several objects."""
    if target.how not in {"all", "selected"} or what.count != 1 or any(each.made for each in build.known):
        raise refuse(target.said, "say of which objects")
    found = build.objects(target)
    if not isinstance(found, Many):
        raise refuse(target.said, "several objects are meant here")
    var = build.var("places")
    build.line(
        f"{build.view_layer()}.update()\n{var} = [obj.matrix_world.translation.copy() for obj in {found.expression} if not obj.get(MARK)]"
    )
    where = f"{var}[number][:]" if n is None else f"({var}[number].x, {var}[number].y, {var}[number].z + {literal(n)})"
    many_things(build, what, 1, where, names, total=f"len({var})")


@step(
    f"(make|create|add|place|put|arrange) {COPIES} [evenly] ~( [arranged|placed|evenly] (in|on|around|along) [a] (circle|ring) [of|with] [radius] {{r:n}} ; (around|about|centered at) ([the] [world] origin|{{v:vector}}) )"
)
def copies_around(build: Build, n: int, target: Target, linked: str | None, r: float | None, v: Vec | None) -> None:
    """Copies of an object on a circle."""
    if r is None:
        raise refuse(target.said, "where?")
    build.imports("math: cos", "math: sin", "math: tau")
    x, y, z = (literal(float(part or 0.0)) for part in (v.parts if v else (0.0, 0.0, 0.0)))
    copy_to(
        build,
        target,
        n,
        f"({x} + {literal(r)} * cos(tau * number / {n}), {y} + {literal(r)} * sin(tau * number / {n}), {z})",
        linked=bool(linked),
    )


@step(
    "(parent|group|put) {target:object} (to|under|with) [a] new empty [<called> {name:name}] ~( (at|in) {v:vector} ; keeping (their|its) (places|place|transforms|transform) )",
    "(create|add|make) [an|a] [new] empty [<called> {name:name}] [(at|in) {v:vector}] [and] (as|to be|that is|and make it) [the] parent (of|for) {target:object}",
)
def under_empty(build: Build, target: Target, name: str | None, v: Vec | None) -> None:
    """Objects under a new empty; they stay where they are in the world."""
    if any(each.made for each in build.known):
        raise refuse(target.said, "of which the request makes some")
    found = build.objects(target)
    members = build.var("members")
    build.line(
        f"{members} = [obj for obj in {found.expression if isinstance(found, Many) else f'({found.var},)'} if not obj.get(MARK)]"
    )
    empty = build.new_object("empty", name or "Empty", called=bool(name), type_="EMPTY")
    if v is not None:
        build.line(f"{empty.var}.location = {literal(tuple(float(part or 0.0) for part in v.parts))}")
    build.line(f"{build.view_layer()}.update()")
    with build.block(f"for obj in {members}:"), build.block(f"if obj.parent is None and obj != {empty.var}:"):
        build.line(f"obj.parent = {empty.var}\nobj.matrix_parent_inverse = {empty.var}.matrix_world.inverted()")
    build.note(f"{target.said} -> under a new empty")


CURSOR: Final = "[the] [3d] cursor"


@step(
    f"[<move>|snap] {CURSOR} [location] (to|at|on) ({{v:vector}}|[the] [(center|centre|location|position|origin) of] {{target:object of one}})",
    f"{{to=move|put|place|snap|set}} {{target:object}} (to|at|onto) {CURSOR} [location|position]",
    "{target:object} {to=to|onto|at} [3d] cursor [location|position]",
)
def cursor(build: Build, target: Target | None, v: Vec | None, to: str | None) -> None:
    """The 3D cursor to a place, or objects to it."""
    scene = build.scene()
    if to and target is not None:
        with build.each(target) as known:
            build.line(f"{known.var}.location = {scene}.cursor.location")
    elif v is not None:
        build.line(f"{scene}.cursor.location = {literal(tuple(float(part or 0.0) for part in v.parts))}")
        build.memory["_cursor"] = True
    else:
        goal = build.object(target)
        build.line(f"{build.view_layer()}.update()\n{scene}.cursor.location = {goal}.matrix_world.translation")
    build.note("3D cursor")


@step(
    "(distribute|space|spread|arrange|place|put|line up) {target:object} [evenly|equally] ~( (along|on|in) [the] {axis:axis} ; (between|from) [{axis:axis}] [=] {a:n} (and|to) [{axis:axis}] [=] {b:n} ;"
    f" [with|by] [a] [spacing|gap|distance] [of] {{gap:n}} [apart] ; {ORDER} )",
    "(distribute|space|spread|arrange) {target:object} [evenly|equally] (along|on|in) {axis:axis}",
)
def distribute(
    build: Build, target: Target, axis: str | None, a: float | None, b: float | None, gap: float | None, order: tuple[str, bool] | None
) -> None:  # fmt: skip
    """Place objects at even distances along an axis, in the order in which they are there unless another one was said."""
    found = build.objects(target)
    if not isinstance(found, Many) or axis is None or (gap is not None and a is not None):
        raise refuse(target.said, "which objects, along which axis?")
    low, var = axis[-1].lower(), build.var("ordered")
    there = f"sorted(\n    {found.expression},\n    key=lambda each: (each.location.{low}, each.name),\n)"
    build.line(f"{var} = {ordered(build, found.expression, order) if order else there}")
    if gap is not None:
        build.line(f"start, gap = {var}[0].location.{low}, {literal(float(gap))}")
    elif a is not None and b is not None:
        build.line(f"start, gap = {literal(float(a))}, {literal(float(b - a))} / max(len({var}) - 1, 1)")
    else:
        build.line(
            f"start = {var}[0].location.{low}\ngap = ({var}[-1].location.{low} - start) / max(len({var}) - 1, 1)"
        )
    with build.block(f"for number, obj in enumerate({var}):"):
        build.line(f"obj.location.{low} = start + gap * number")
    build.note(f"{target.said} -> distributed along {axis}")


# --- formulas and tables ------------------------------------------------------------------------------------

FUNCTIONS: Final = frozenset(
    {"sin", "cos", "tan", "sqrt", "exp", "log", "pi", "tau", "e", "hypot", "atan2", "fabs", "floor", "radians"}
)


@slot("formula")
def formula_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """An expression of the variables that `of` lists, as Python: "sin(x) * cos(y)", "0.25 * sqrt(i)"."""
    known = FUNCTIONS | set(of.split("/"))
    end, text = at, ""
    stops: list[tuple[int, str]] = []
    while end < len(reading.tokens):
        token = reading.tokens[end]
        piece = {"^": "**", "×": "*", "x": "x" if "x" in known else "*"}.get(token.text, token.text.lower())
        if not (token.kind == "number" or piece in {"+", "-", "*", "**", "/", "(", ")", ","} or piece in known):
            break
        if token.kind == "number" and text and text.rstrip()[-1:].isalnum() and token.text[0] in "+-":
            text += " "
        if piece == "," and text.count("(") <= text.count(")"):
            break
        text, end = text + (f" {piece} " if piece in {"+", "-", "*", "/", "**"} and text else piece), end + 1
        try:
            ast.parse(text.strip(), mode="eval")
        except SyntaxError:
            continue
        stops.append((end, text.strip()))
    if end < len(reading.tokens) and reading.tokens[at : at + 1] and reading.tokens[at].kind == "quoted":
        stops.append((at + 1, reading.tokens[at].text))
    yield from reversed(stops)


def functions(build: Build, *formulas: str) -> None:
    """Import what formulas call."""
    words = {
        node.id for each in formulas for node in ast.walk(ast.parse(each, mode="eval")) if isinstance(node, ast.Name)
    }
    build.imports(*(f"math: {word}" for word in sorted(words & FUNCTIONS)))


@step(
    "[<add>] [a|the] [surface|mesh|function plot|plot|graph|object] [<called> {name:name}] [surface|mesh] [from|of|for|with|by|:] [the] [function|formula|equation] z = {f:formula of x/y} ~( (on|over|with|using|in|as) [a|an] {nx:int} (x|by) {ny:int} [grid|points|vertices|mesh] ; (for x and y|x and y|both|,) from {low:n} to {high:n} [in (x and y|both|both directions)] ; <called> {name:name} )",
)
def surface(
    build: Build, f: str, nx: int | None, ny: int | None, low: float | None, high: float | None, name: str | None
) -> None:
    """The mesh of a function of x and y."""
    if nx is None or ny is None or low is None or high is None:
        raise refuse(f, "over which grid, from where to where?")
    functions(build, f)
    build.need("built")
    known = build.new_object(
        "surface", name or "Surface", called=bool(name), type_="MESH", data_code='bpy.data.meshes.new("Surface")'
    )
    build.need("mesh_of")
    build.line(f"low, high, across, along = {literal(low)}, {literal(high)}, {nx}, {ny}")
    build.line(
        "steps = [(low + (high - low) * i / (across - 1), low + (high - low) * j / (along - 1)) for j in range(along) for i in range(across)]"
    )
    build.line(f"points = [(x, y, {f}) for x, y in steps]")
    build.line(
        "faces = [\n    (k, k + 1, k + 1 + across, k + across)\n    for j in range(along - 1)\n    for k in range(j * across, (j + 1) * across - 1)\n]"
    )
    build.line(f"mesh_of({known.var}).clear_geometry()\nmesh_of({known.var}).from_pydata(points, [], faces)")
    build.note(f"z = {f}")


@step(
    "[<add>] {what:thing} [<called> {names:pattern}] [,] [with|where|so that] [number|sphere|object|cube|each|the] [number] {i=i|n|k} [(starting|counting) (at|from) {first:int}] [is|placed|sits|goes] (at|has) ~( x = {x:formula of i/n/k} ; y = {y:formula of i/n/k} ; z = {z:formula of i/n/k} ; radius [=] {r:formula of i/n/k} ; [the] [golden] angle [=] {a:formula of i/n/k} [degrees] ; [in the] xy plane ; height [=] {z:formula of i/n/k} )",
)
def by_formula(
    build: Build, what: Thing, names: Names | None, i: str, first: int | None, x: str | None, y: str | None, z: str | None, r: str | None, a: str | None
) -> None:  # fmt: skip
    """Several things, each at the place that a formula of its number gives."""
    if what.count < 2 or not ((x or y or z) or (r and a)) or ((r is None) != (a is None)):
        raise refuse(what.said, "where is each?")
    if r and a:
        build.imports("math: cos", "math: sin", "math: radians")
        x, y = f"({r}) * cos(radians({a}))", f"({r}) * sin(radians({a}))"
    functions(build, *(each for each in (x, y, z) if each))
    shift = f"(number + {first})" if first else "number"
    parts = [quote_number(each or "0.0", i, shift) for each in (x, y, z)]
    many_things(build, what, what.count, f"({', '.join(parts)})", names)


def quote_number(formula: str, letter: str, number: str) -> str:
    """The formula with what counts the things in the place of its letter."""
    return re.sub(rf"\b{letter}\b", number, formula)


@slot("columns")
def columns_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[str]]]:
    """The columns of a table: "name, x, y, z"."""
    found: list[str] = []
    place = at
    while (
        place < len(reading.tokens)
        and reading.tokens[place].kind == "word"
        and reading.tokens[place].text.isidentifier()
    ):
        found.append(reading.tokens[place].text)
        yield place + 1, list(found)
        place += 1
        if reading.mark(place) == "," or reading.word(place) == "and":
            place += 1
        else:
            return


@step(
    "(read|load|open|import|parse|use) {path:path} [(in|from) [the] [current] [working] (directory|folder)] [«] [(with|has)] [the] [columns] [columns|header|fields] [:] {columns:columns} [[,] [and] with a (header|heading) [line|row]] [»] [directory] [and|,] (create|add|make|place|put) [a|an|one] {what:thing} (for|per|from|at) (each|every|the) (line|row|entry|record|position)",
    "[<add>] {what:thing} (for|per) (each|every) (line|row|entry|record) (of|in) {path:path} «[columns] [:] {columns:columns} » [(in|from) [the] [current] [working] (directory|folder)]",
)
def rows(build: Build, path: str, columns: list[str], what: Thing) -> None:
    """A thing for each row of a table, at its x, y, z and with its name."""
    kinds = [each.lower() for each in columns]
    extension = path.rpartition(".")[2].lower()
    if (
        extension not in {"csv", "json"}
        or what.count != 1
        or not set(kinds) <= {"name", "label", "id", "x", "y", "z"}
        or "x" not in kinds
    ):
        raise refuse(", ".join(columns), "what each column is for is not understood")
    build.imports("pathlib: Path", "csv" if extension == "csv" else "json")
    build.line(f"source = {build.path_of(path)}")
    build.line(
        'with source.open(encoding="utf-8", newline="") as file:\n    table = list(csv.DictReader(file))'
        if extension == "csv"
        else 'table = json.loads(source.read_text(encoding="utf-8"))'
    )
    parts = [f'float(table[number]["{columns[kinds.index(each)]}"])' if each in kinds else "0.0" for each in "xyz"]
    title = next((columns[place] for place, each in enumerate(kinds) if each in {"name", "label", "id"}), None)
    many_things(
        build,
        what,
        1,
        f"({', '.join(parts)})",
        None,
        total="len(table)",
        title=f'str(table[number]["{title}"])' if title else "",
    )
