"""`bgl`, which is gone since 5.0: its states and textures are those of `gpu`, and the imports that are left over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.sight import Sight

_OPEN_GL: Final = re.compile(r"gl[A-Z]\w*|GL_\w+|Buffer")


def is_gone(sight: Sight) -> bool:
    return "bgl" not in sight.manifest.modules


def imports_of_bgl(sight: Sight) -> Iterator[cst.Import | cst.ImportFrom]:
    for imported in sight.all(cst.Import):
        if any(sight.code(alias.name) == "bgl" for alias in imported.names):
            yield imported
    for chosen in sight.all(cst.ImportFrom):
        if chosen.module is not None and not chosen.relative and sight.code(chosen.module) == "bgl":
            yield chosen


def names_of_bgl(sight: Sight) -> dict[str, str]:
    """The local names of `bgl` and of what is imported from it, each with its name there; `bgl` itself is empty."""
    names = {"bgl": ""}
    for imported in imports_of_bgl(sight):
        if isinstance(imported.names, cst.ImportStar):
            used = {name.value for name in sight.all(cst.Name) if _OPEN_GL.fullmatch(name.value)}
            names |= {name: name for name in used}
            continue
        for alias in imported.names:
            name = sight.code(alias.name)
            local = sight.code(alias.asname.name) if alias.asname else name
            if isinstance(imported, cst.ImportFrom):
                names[local] = name
            elif name == "bgl":
                names[local] = ""
    return names


def uses_of_bgl(sight: Sight) -> Iterator[tuple[str, cst.Attribute | cst.Name]]:
    """Each use of a name of `bgl`, with that name."""
    names = names_of_bgl(sight)
    for attribute in sight.all(cst.Attribute):
        if isinstance(attribute.value, cst.Name) and names.get(attribute.value.value) == "":
            yield attribute.attr.value, attribute
    for name in sight.all(cst.Name):
        parent = sight.parent(name)
        bound = isinstance(parent, cst.ImportAlias | cst.AsName | cst.AssignTarget)
        named = isinstance(parent, cst.Arg | cst.Attribute) and parent.value is not name
        if names.get(name.value) and not bound and not named:
            yield names[name.value], name


def calls_of_bgl(sight: Sight) -> Iterator[tuple[str, cst.Call, str]]:
    """Each call of a function of `bgl`: its name there, and its source without the name of the module."""
    names = names_of_bgl(sight)
    modules = "|".join(local for local, name in names.items() if not name)
    for name, use in uses_of_bgl(sight):
        call = sight.call_of(use)
        if call and not sight.is_guarded(call):
            arguments = ", ".join(sight.code(argument).rstrip(", ") for argument in call.args)
            yield name, call, re.sub(rf"\b(?:{modules})\.", "", f"{name}({arguments})")


_DEPTH_TESTS: Final = ("LESS", "EQUAL", "GREATER", "ALWAYS")
_STATES: Final = {
    "glEnable(GL_BLEND)": "gpu.state.blend_set('ALPHA')",
    "glDisable(GL_BLEND)": "gpu.state.blend_set('NONE')",
    "glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA)": "gpu.state.blend_set('ALPHA')",
    "glBlendFunc(GL_SRC_ALPHA, GL_ONE)": "gpu.state.blend_set('ADDITIVE')",
    "glEnable(GL_DEPTH_TEST)": "gpu.state.depth_test_set('LESS_EQUAL')",
    "glDisable(GL_DEPTH_TEST)": "gpu.state.depth_test_set('NONE')",
    "glDepthFunc(GL_LEQUAL)": "gpu.state.depth_test_set('LESS_EQUAL')",
    "glDepthFunc(GL_GEQUAL)": "gpu.state.depth_test_set('GREATER_EQUAL')",
    **{f"glDepthFunc(GL_{test})": f"gpu.state.depth_test_set('{test}')" for test in _DEPTH_TESTS},
    "glEnable(GL_CULL_FACE)": "gpu.state.face_culling_set('BACK')",
    "glCullFace(GL_BACK)": "gpu.state.face_culling_set('BACK')",
    "glCullFace(GL_FRONT)": "gpu.state.face_culling_set('FRONT')",
    "glDisable(GL_CULL_FACE)": "gpu.state.face_culling_set('NONE')",
    "glEnable(GL_SCISSOR_TEST)": "gpu.state.scissor_test_set(True)",
    "glDisable(GL_SCISSOR_TEST)": "gpu.state.scissor_test_set(False)",
    "glEnable(GL_PROGRAM_POINT_SIZE)": "gpu.state.program_point_size_set(True)",
    "glDisable(GL_PROGRAM_POINT_SIZE)": "gpu.state.program_point_size_set(False)",
    "glPushMatrix()": "gpu.matrix.push()",
    "glPopMatrix()": "gpu.matrix.pop()",
    **{
        f"gl{verb}(GL_{what})": ""
        for verb in ("Enable", "Disable")
        for what in ("LINE_SMOOTH", "POLYGON_SMOOTH", "POINT_SMOOTH", "MULTISAMPLE", "LINE_STIPPLE", "TEXTURE_2D")
    },
}
"""Calls that set a state, and those of `gpu`; empty if Blender does it by itself."""
_IDLE: Final = frozenset(
    {"glPushAttrib", "glPopAttrib", "glPushClientAttrib", "glPopClientAttrib", "glLineStipple", "glShadeModel"}
    | {"glHint", "glReadBuffer", "glFlush", "glFinish"}
)
"""Calls without a counterpart that change no picture today: each drawing sets the state that it needs."""
_SETTERS: Final = {
    ("glLineWidth", 1): "gpu.state.line_width_set",
    ("glPointSize", 1): "gpu.state.point_size_set",
    ("glScissor", 4): "gpu.state.scissor_set",
    ("glViewport", 4): "gpu.state.viewport_set",
    ("glColorMask", 4): "gpu.state.color_mask_set",
    ("glDepthMask", 1): "gpu.state.depth_mask_set",
}
"""Calls that set a state from as many numbers, and those of `gpu`."""
_VECTORS: Final = {("glTranslatef", 3): "gpu.matrix.translate", ("glScalef", 3): "gpu.matrix.scale"}


@rule("5.0: `bgl.glBindTexture(bgl.GL_TEXTURE_2D, image.bindcode)`")
def bgl_textures(sight: Sight) -> Iterator[TreeEdit]:
    """`bgl.glBindTexture(...)` and `shader.uniform_int("image", 0)` are `shader.uniform_sampler("image", texture)`."""
    if not is_gone(sight):
        return
    calls = list(calls_of_bgl(sight))
    for name, bound, _ in calls:
        statement = sight.alone(bound)
        if name != "glBindTexture" or statement is None or len(bound.args) != 2:
            continue
        image = bound.args[1].value
        if not isinstance(image, cst.Attribute) or image.attr.value != "bindcode":
            continue
        around = [(other, call) for other, call, _ in calls if sight.function(call) is sight.function(bound)]
        others = [call for other, call in around if other == "glBindTexture"]
        active = [call for other, call in around if other == "glActiveTexture"]
        samplers = [
            call
            for call in sight.all(cst.Call)
            if sight.function(call) is sight.function(bound) and _is_sampler(sight, call)
        ]
        if len(others) != 1 or len(samplers) != 1 or any(sight.alone(call) is None for call in active):
            continue
        reason = "a texture is given to the shader since `bgl` is gone: `uniform_sampler`"
        sampler, slot = samplers[0], sight.code(samplers[0].args[0]).rstrip(", ")
        shader = sight.code(sampler.func).removesuffix(".uniform_int")
        texture = f"gpu.texture.from_image({sight.code(image.value)})"
        yield sight.instead(statement, reason=reason)
        for call in active:
            if alone := sight.alone(call):
                yield sight.instead(alone, reason=reason)
        yield sight.replace(sampler, f"{shader}.uniform_sampler({slot}, {texture})", reason, new_import="import gpu")


def _is_sampler(sight: Sight, call: cst.Call) -> bool:
    """True if it names the first texture unit to a shader."""
    return (
        isinstance(call.func, cst.Attribute)
        and call.func.attr.value == "uniform_int"
        and len(call.args) == 2
        and sight.code(call.args[1]).strip() == "0"
        and sight.text_of(call.args[0].value) is not None
    )


@rule("5.0: states that `bgl` set")
def bgl_states(sight: Sight) -> Iterator[TreeEdit]:
    if not is_gone(sight):
        return
    for name, call, source in calls_of_bgl(sight):
        statement, count = sight.alone(call), len(call.args)
        if statement is None:
            continue
        given = source[len(name) + 1 : -1].replace("GL_TRUE", "True").replace("GL_FALSE", "False")
        if (name, count) in _SETTERS:
            new: str | None = f"{_SETTERS[name, count]}({given})"
        elif (name, count) in _VECTORS:
            new = f"{_VECTORS[name, count]}(({given}))"
        else:
            new = "" if name in _IDLE else _STATES.get(source)
        if new is not None:
            reason = f"`{name}` is a state of `gpu` now" if new else f"`{source}` is not needed any more"
            sources = [new] if new else []
            yield sight.instead(statement, *sources, reason=reason, new_import="import gpu" if new else "")


_PIXELS: Final = {"GL_UNSIGNED_BYTE": "UBYTE", "GL_BYTE": "UBYTE", "GL_FLOAT": "FLOAT"}
_CHANNELS: Final = {"GL_RGBA": 4, "GL_RGB": 3}


@rule("5.0: `glReadPixels(x, y, width, height, GL_RGBA, GL_FLOAT, buffer)` reads the framebuffer that is drawn to")
def bgl_pixels(sight: Sight) -> Iterator[TreeEdit]:
    if not is_gone(sight):
        return
    calls = list(calls_of_bgl(sight))
    made = _buffers(sight, calls)
    for name, call, source in calls:
        statement, given = sight.alone(call), source[len(name) + 1 : -1].rsplit(", ", 3)
        if name != "glReadPixels" or statement is None or len(call.args) != 7 or len(given) != 4:
            continue
        place, channels, kind = given[0], _CHANNELS.get(given[1]), _PIXELS.get(given[2])
        buffer = made.get((given[3], sight.function(call)))
        if buffer is None or channels is None or kind is None:
            continue
        reason = "pixels are read from the framebuffer of `gpu` since `bgl` is gone"
        width, height = (sight.operand(argument.value) for argument in call.args[2:4])
        read = f"gpu.state.active_framebuffer_get().read_color({place}, {channels}, 0, '{kind}')"
        flat = f"{given[3]}.dimensions = {width} * {height} * {channels}"
        yield sight.instead(statement, f"{given[3]} = {read}", flat, reason=reason, new_import="import gpu")
        yield sight.instead(buffer, reason=reason)


def _buffers(
    sight: Sight, calls: list[tuple[str, cst.Call, str]]
) -> Mapping[tuple[str, cst.FunctionDef | None], cst.Assign]:
    """The statements `name = bgl.Buffer(...)`, by the name and the function around it."""
    found: dict[tuple[str, cst.FunctionDef | None], cst.Assign] = {}
    for name, call, _ in calls:
        assign = sight.parent(call)
        if name == "Buffer" and isinstance(assign, cst.Assign) and len(assign.targets) == 1:
            found[sight.code(assign.targets[0].target), sight.function(call)] = assign
    return found


@rule("5.0: an import of `bgl` that nothing uses goes; what only other Blenders use may fail")
def unused_bgl(sight: Sight) -> Iterator[TreeEdit]:
    local = [inside for imported in imports_of_bgl(sight) if (inside := sight.function(imported))]
    used = [use for _, use in uses_of_bgl(sight)]
    outer_uses = [use for use in used if not any(outer in local for outer in sight.around(use))]
    lent = sight.package is not None and not sight.package.lent.isdisjoint(names_of_bgl(sight))
    if not is_gone(sight) or lent:
        return
    for imported in imports_of_bgl(sight):
        if any(isinstance(outer, cst.Try) for outer in sight.around(imported)):
            continue
        rest = _without_bgl(sight, imported)
        inside = sight.function(imported)
        mine = [use for use in used if any(outer is inside for outer in sight.around(use))] if inside else outer_uses
        if not mine:
            yield sight.instead(imported, *rest, reason="`bgl` is gone since 5.0, and nothing here uses it")
        elif all(sight.for_some_blenders(use) for use in mine) and not sight.for_some_blenders(imported):
            reason = "`bgl` is gone since 5.0, and only code for older Blenders uses it"
            yield sight.instead(imported, *rest, _attempt(sight, imported), reason=reason)


def _without_bgl(sight: Sight, imported: cst.Import | cst.ImportFrom) -> list[str]:
    """The same import without `bgl`; nothing if it imports no more."""
    if isinstance(imported, cst.ImportFrom):
        return []
    rest = [sight.code(alias).rstrip(", ") for alias in imported.names if sight.code(alias.name) != "bgl"]
    return [f"import {', '.join(rest)}"] if rest else []


def _attempt(sight: Sight, imported: cst.Import | cst.ImportFrom) -> str:
    """The import of `bgl` alone, which may fail."""
    source = sight.code(imported)
    if isinstance(imported, cst.Import):
        own = [sight.code(alias).rstrip(", ") for alias in imported.names if sight.code(alias.name) == "bgl"]
        source = f"import {own[0]}"
    return f"try:\n    {source}\nexcept ModuleNotFoundError:\n    pass"


_REASON: Final = "`bgl` is gone since 5.0: only what needs it fails, where it needs it"
_STUB: Final = '''
class {kind}:
    """Stands in for `bgl`, which is gone since Blender 5.0: a constant is its name, and a function says what to do."""

    def __getattr__(self, name):
        if name.startswith("GL_"):
            return name
        raise ImportError(f"bgl.{{name}} is gone since Blender 5.0: draw by the module gpu")
'''


@rule("5.0: uses of `bgl` that `gpu` has no place for, in functions")
def bgl_inside(sight: Sight) -> Iterator[TreeEdit]:
    tops = [imported for imported in imports_of_bgl(sight) if sight.function(imported) is None]
    tops = [top for top in tops if not sight.for_some_blenders(top) and not _may_fail(sight, top)]
    if not is_gone(sight) or not tops:
        return
    uses = [(name, use) for name, use in uses_of_bgl(sight) if not sight.for_some_blenders(use)]
    outside = [name for name, use in uses if function_around(sight, use) is None]
    if outside:
        if all(name.startswith("GL_") for name in outside) and len(tops) == 1:
            yield sight.instead(tops[0], *_stand_in(sight, tops[0]), reason=_REASON)
        return
    needed: dict[cst.FunctionDef, set[str]] = {}
    for _, use in uses:
        function = function_around(sight, use)
        if function:
            local = use.value.value if isinstance(use, cst.Attribute) and isinstance(use.value, cst.Name) else ""
            needed.setdefault(function, set()).add(local or sight.code(use))
    names = names_of_bgl(sight)
    for function, local_names in needed.items():
        if not any(outer is function for top in imports_of_bgl(sight) for outer in sight.around(top)):
            yield TreeEdit(_REASON, function, entry="\n".join(_imports(names, local_names)))


def _may_fail(sight: Sight, node: cst.CSTNode) -> bool:
    return any(isinstance(outer, cst.Try) for outer in sight.around(node))


def function_around(sight: Sight, node: cst.CSTNode) -> cst.FunctionDef | None:
    """The outermost function whose body has this node; the values of its parameters are made outside of it."""
    found, inner = None, node
    for outer in sight.around(node):
        if isinstance(outer, cst.FunctionDef) and inner is outer.body:
            found = outer
        inner = outer
    return found


def _imports(names: dict[str, str], used: set[str]) -> Iterator[str]:
    for local in sorted(used):
        name = names[local]
        renamed = f" as {local}" if local != (name or "bgl") else ""
        if not name:
            yield f"import bgl{renamed}"
    chosen = [names[local] if names[local] == local else f"{names[local]} as {local}" for local in sorted(used)]
    chosen = [name for local, name in zip(sorted(used), chosen, strict=True) if names[local]]
    if chosen:
        yield f"from bgl import {', '.join(chosen)}"


def _stand_in(sight: Sight, top: cst.Import | cst.ImportFrom) -> list[str]:
    """Statements that bind the names of an import of `bgl` to something that can be imported."""
    if isinstance(top, cst.ImportFrom):
        chosen = [local for local, name in names_of_bgl(sight).items() if name.startswith("GL_")]
        return [f'{local} = "{names_of_bgl(sight)[local]}"' for local in sorted(chosen)]
    rest = [sight.code(alias).rstrip(", ") for alias in top.names if sight.code(alias.name) != "bgl"]
    own = next(alias for alias in top.names if sight.code(alias.name) == "bgl")
    local = sight.code(own.asname.name) if own.asname else "bgl"
    made = [_STUB.strip().format(kind="GoneBgl"), f"\n\n{local} = GoneBgl()"]
    return [*([f"import {', '.join(rest)}"] if rest else []), *made]
