"""Text, shaders, and the immediate mode of OpenGL, `glBegin` to `glEnd`, as batches of `gpu` that draw at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.rules.bgl import calls_of_bgl, is_gone
from app.healing.sight import Sight


@rule("4.0: `blf.size(font, size, dpi)`: the resolution is part of the size")
def blf_size(sight: Sight) -> Iterator[TreeEdit]:
    if sight.api.version < (4, 0):
        return
    for call in sight.all(cst.Call):
        if sight.code(call.func) != "blf.size" or sight.is_guarded(call) or len(call.args) != 3:
            continue
        size, dots = call.args[1], call.args[2]
        if any(argument.star or argument.keyword for argument in call.args):
            continue
        reason = "`blf.size` takes no resolution since 4.0: at 72 dots per inch the size is in pixels"
        yield sight.argument(dots, "", reason)
        if sight.code(dots.value) != "72":
            source = f"{sight.operand(size.value)} * {sight.operand(dots.value)} / 72"
            yield sight.argument(size, source, reason)


@rule("4.0: `from_builtin('2D_UNIFORM_COLOR')` is `'UNIFORM_COLOR'`")
def shader_names(sight: Sight) -> Iterator[TreeEdit]:
    for text in sight.all(cst.SimpleString) if "from_builtin" in sight.text else ():
        row = sight.book.named("item", str(text.evaluated_value)).get("gpu.shader.from_builtin")
        if row and row.becomes and not sight.is_guarded(text):
            reason = "the shaders of `gpu` are the same for 2D and 3D since 4.0"
            yield sight.respell(text, row.becomes, reason)


_VERTEX: Final = re.compile(r"glVertex[234][dfi]v?")
_COLOR: Final = re.compile(r"glColor([34])[fd]v?")
_RECTANGLE: Final = re.compile(r"glRect[dfi]")
_FAN: Final = "[(0, i, i + 1) for i in range(1, len(gl_points) - 1)]"
_QUADS: Final = "[(i, i + a, i + a + 1) for i in range(0, len(gl_points) - 3, 4) for a in (1, 2)]"
_KINDS: Final = {
    "GL_POINTS": ("POINTS", ""),
    "GL_LINES": ("LINES", ""),
    "GL_LINE_STRIP": ("LINE_STRIP", ""),
    "GL_LINE_LOOP": ("LINE_STRIP", ""),
    "GL_TRIANGLES": ("TRIS", ""),
    "GL_TRIANGLE_STRIP": ("TRI_STRIP", ""),
    "GL_QUAD_STRIP": ("TRI_STRIP", ""),
    "GL_TRIANGLE_FAN": ("TRIS", _FAN),
    "GL_POLYGON": ("TRIS", _FAN),
    "GL_QUADS": ("TRIS", _QUADS),
}
"""The kind of a batch for each primitive, and the indices of its triangles if its points are no triangles."""
_WHITE: Final = "(1.0, 1.0, 1.0, 1.0)"
_REASON: Final = "what `glBegin` to `glEnd` drew is a batch of `gpu` since `bgl` is gone"


@dataclass(frozen=True)
class GlCall:
    """A call of OpenGL that is a statement of its own."""

    name: str
    call: cst.Call
    statement: cst.Expr
    source: str
    place: tuple[int, int]

    def given(self) -> str:
        """The arguments as they are written."""
        return self.source[len(self.name) + 1 : -1]

    def point(self, more: str = "") -> str:
        """The arguments as one tuple; a single one that is unpacked, or a vector, is a tuple of its numbers."""
        given = self.given()
        if self.name.endswith("v"):
            given = f"*{given}"
        return f"({given}{more or (',' if len(self.call.args) == 1 else '')})"


@rule("5.0: `glBegin(GL_LINES)`, `glVertex2f(x, y)`, `glEnd()`, `glRecti(...)` and `glColor4f(...)` of one function")
def immediate_mode(sight: Sight) -> Iterator[TreeEdit]:
    if not is_gone(sight):
        return
    by_function: dict[cst.FunctionDef | None, list[GlCall]] = {}
    textured = {sight.function(call) for name, call, _ in calls_of_bgl(sight) if name.startswith("glTexCoord")}
    for name, call, source in calls_of_bgl(sight):
        statement = sight.alone(call)
        wanted = name in {"glBegin", "glEnd"} or any(form.fullmatch(name) for form in (_VERTEX, _COLOR, _RECTANGLE))
        if wanted:
            calls = by_function.setdefault(sight.function(call), [])
            if statement:
                calls.append(GlCall(name, call, statement, source, _place(sight, statement)))
    for function, calls in by_function.items():
        if function in textured:
            # In one colour it would be another picture.
            continue
        yield from _drawn(sight, sorted(calls, key=lambda step: step.place))


def _drawn(sight: Sight, calls: Sequence[GlCall]) -> Iterator[TreeEdit]:
    """The changes in one function, unless some of its calls have no place in a drawing."""
    colors = [step for step in calls if _COLOR.fullmatch(step.name)]
    pairs = _pairs(sight, calls)
    if pairs is None or not any(step.name == "glBegin" or _RECTANGLE.fullmatch(step.name) for step in calls):
        return
    edits: list[TreeEdit] = []
    for begin, end in pairs:
        inner = [step for step in colors if begin.place < step.place < end.place]
        color = _color_at(sight, begin, colors)
        if color is None:
            return
        edits.append(sight.instead(begin.statement, *_opening(color, bool(inner)), reason=_REASON))
        edits += _vertices(sight, [step for step in calls if begin.place < step.place < end.place], bool(inner))
        edits.append(_batch(sight, end, begin.given(), "" if inner else color))
    for step in calls:
        if _RECTANGLE.fullmatch(step.name):
            color = _color_at(sight, step, colors)
            if color is None or len(step.call.args) != 4:
                return
            edits.append(_batch(sight, step, "GL_POLYGON", color, _corners(sight, step)))
    yield from edits
    for step in colors:
        yield sight.instead(step.statement, *_color_set(sight, step), reason="a colour is given to each batch")


def _pairs(sight: Sight, calls: Sequence[GlCall]) -> list[tuple[GlCall, GlCall]] | None:
    """Each `glBegin` with its `glEnd` in the same block; None if one is missing, or a point is outside of all."""
    pairs: list[tuple[GlCall, GlCall]] = []
    begun: GlCall | None = None
    for step in calls:
        if step.name == "glBegin":
            if begun or step.given() not in _KINDS:
                return None
            begun = step
        elif step.name == "glEnd":
            if begun is None or _block(sight, step) is not _block(sight, begun):
                return None
            pairs.append((begun, step))
            begun = None
        elif _VERTEX.fullmatch(step.name) and begun is None:
            return None
    return None if begun else pairs


def _place(sight: Sight, statement: cst.Expr) -> tuple[int, int]:
    start = sight.range(statement).start
    return start.line, start.column


def _block(sight: Sight, step: GlCall) -> cst.CSTNode:
    return sight.parent(sight.parent(step.statement))


def _color_at(sight: Sight, place: GlCall, colors: Sequence[GlCall]) -> str | None:
    """The source of the colour that is set at a place: white if none was; None if only some ways to it set one."""
    before = [step for step in colors if step.place < place.place]
    if not before:
        return _WHITE
    around = list(sight.around(place.statement))
    return "gl_color" if any(_block(sight, step) in around for step in before) else None


def _opening(color: str, each: bool) -> list[str]:
    start = [f"gl_color = {color}"] if each and color != "gl_color" else []
    return [*start, "gl_points, gl_colors = [], []" if each else "gl_points = []"]


def _vertices(sight: Sight, calls: Sequence[GlCall], each: bool) -> Iterator[TreeEdit]:
    for step in calls:
        if _VERTEX.fullmatch(step.name):
            colored = ["gl_colors.append(gl_color)"] if each else []
            yield sight.instead(step.statement, f"gl_points.append({step.point()})", *colored, reason=_REASON)


def _color_set(sight: Sight, step: GlCall) -> list[str]:
    """The statements that keep a colour, and give it to the text that the same function draws."""
    found = _COLOR.fullmatch(step.name)
    color = step.point(", 1.0" if found and found[1] == "3" else "")
    inside = sight.function(step.call)
    writes = any(sight.code(call.func) == "blf.draw" and sight.function(call) is inside for call in sight.all(cst.Call))
    return [f"gl_color = {color}", *(["blf.color(0, *gl_color)"] if writes else [])]


def _corners(sight: Sight, step: GlCall) -> str:
    left, low, right, high = (sight.code(argument.value) for argument in step.call.args)
    return f"[({left}, {low}), ({right}, {low}), ({right}, {high}), ({left}, {high})]"


def _batch(sight: Sight, end: GlCall, kind: str, color: str, points: str = "") -> TreeEdit:
    """The drawing of the collected points, or of these `points`, in one colour or in one for each of them."""
    form, indices = _KINDS[kind]
    name = "UNIFORM_COLOR" if color else "SMOOTH_COLOR"
    content = '{"pos": gl_points}' if color else '{"pos": gl_points, "color": gl_colors}'
    lines = [f'gl_shader = gpu.shader.from_builtin("{name}")']
    lines += [f'gl_shader.uniform_float("color", {color})'] if color else []
    if kind == "GL_LINE_LOOP":
        lines += ["gl_points.append(gl_points[0])", *([] if color else ["gl_colors.append(gl_colors[0])"])]
    chosen = f", indices={indices}" if indices else ""
    lines.append(f'batch_for_shader(gl_shader, "{form}", {content}{chosen}).draw(gl_shader)')
    sources = [f"gl_points = {points}", *lines] if points else ["\n    ".join(["if gl_points:", *lines])]
    needed = "import gpu\nfrom gpu_extras.batch import batch_for_shader"
    return sight.instead(end.statement, *sources, reason=_REASON, new_import=needed)
