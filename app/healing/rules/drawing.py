"""Drawing in a view by `gpu`, `blf` and `bgl`, as in draw callbacks of add-ons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.sight import Sight


def blf_size(sight: Sight) -> Iterator[TreeEdit]:
    """`blf.size(font, size, dpi)`: the resolution is part of the size since 4.0."""
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


_SHADER: Final = re.compile(r"[23]D_(\w+)")
_SHADERS: Final = frozenset(
    {"FLAT_COLOR", "IMAGE", "SMOOTH_COLOR", "UNIFORM_COLOR", "IMAGE_COLOR", "POLYLINE_UNIFORM_COLOR"}
    | {"POLYLINE_FLAT_COLOR", "POLYLINE_SMOOTH_COLOR"}
)


def shader_names(sight: Sight) -> Iterator[TreeEdit]:
    """`from_builtin('2D_UNIFORM_COLOR')` is `'UNIFORM_COLOR'` since 4.0."""
    if sight.api.version < (4, 0):
        return
    for text in sight.all(cst.SimpleString):
        found = _SHADER.fullmatch(str(text.evaluated_value))
        if found and found[1] in _SHADERS and not sight.is_guarded(text) and "from_builtin" in sight.text:
            reason = "the shaders of `gpu` are the same for 2D and 3D since 4.0"
            yield sight.replace(text, f"{text.quote}{found[1]}{text.quote}", reason)


_STATES: Final = {
    "bgl.glEnable(bgl.GL_BLEND)": "gpu.state.blend_set('ALPHA')",
    "bgl.glDisable(bgl.GL_BLEND)": "gpu.state.blend_set('NONE')",
    "bgl.glBlendFunc(bgl.GL_SRC_ALPHA, bgl.GL_ONE_MINUS_SRC_ALPHA)": "gpu.state.blend_set('ALPHA')",
    "bgl.glBlendFunc(bgl.GL_SRC_ALPHA, bgl.GL_ONE)": "gpu.state.blend_set('ADDITIVE')",
    "bgl.glEnable(bgl.GL_DEPTH_TEST)": "gpu.state.depth_test_set('LESS_EQUAL')",
    "bgl.glDisable(bgl.GL_DEPTH_TEST)": "gpu.state.depth_test_set('NONE')",
    "bgl.glDepthFunc(bgl.GL_LEQUAL)": "gpu.state.depth_test_set('LESS_EQUAL')",
    "bgl.glDepthFunc(bgl.GL_LESS)": "gpu.state.depth_test_set('LESS')",
    "bgl.glDepthFunc(bgl.GL_ALWAYS)": "gpu.state.depth_test_set('ALWAYS')",
    "bgl.glEnable(bgl.GL_CULL_FACE)": "gpu.state.face_culling_set('BACK')",
    "bgl.glDisable(bgl.GL_CULL_FACE)": "gpu.state.face_culling_set('NONE')",
    "bgl.glEnable(bgl.GL_SCISSOR_TEST)": "gpu.state.scissor_test_set(True)",
    "bgl.glDisable(bgl.GL_SCISSOR_TEST)": "gpu.state.scissor_test_set(False)",
    "bgl.glEnable(bgl.GL_PROGRAM_POINT_SIZE)": "gpu.state.program_point_size_set(True)",
    "bgl.glDisable(bgl.GL_PROGRAM_POINT_SIZE)": "gpu.state.program_point_size_set(False)",
    **{
        f"bgl.gl{verb}(bgl.GL_{what})": ""
        for verb in ("Enable", "Disable")
        for what in ("LINE_SMOOTH", "POLYGON_SMOOTH", "MULTISAMPLE", "LINE_STIPPLE", "TEXTURE_2D")
    },
}
"""Calls that set a state, and those of `gpu`; empty if Blender does it by itself."""
_SETTERS: Final = {
    ("bgl.glLineWidth", 1): "gpu.state.line_width_set",
    ("bgl.glPointSize", 1): "gpu.state.point_size_set",
    ("bgl.glScissor", 4): "gpu.state.scissor_set",
    ("bgl.glViewport", 4): "gpu.state.viewport_set",
    ("bgl.glColorMask", 4): "gpu.state.color_mask_set",
    ("bgl.glDepthMask", 1): "gpu.state.depth_mask_set",
}
"""Calls that set a state from as many numbers, and those of `gpu`."""


def bgl_states(sight: Sight) -> Iterator[TreeEdit]:
    """`bgl` is gone since 5.0; the functions that set a state are in `gpu.state`."""
    if "bgl" in sight.manifest.modules:
        return
    for call in sight.all(cst.Call):
        statement, source, name = sight.alone(call), sight.code(call), sight.code(call.func)
        if statement is None:
            continue
        setter = _SETTERS.get((name, len(call.args)))
        given = ", ".join(sight.code(argument).rstrip(", ") for argument in call.args).replace("bgl.GL_", "")
        new = f"{setter}({given.replace('TRUE', 'True').replace('FALSE', 'False')})" if setter else _STATES.get(source)
        if new is not None:
            reason = f"`{name}` is a state of `gpu` now" if new else f"`{source}` is not needed any more"
            sources = [new] if new else []
            yield sight.instead(statement, *sources, reason=reason, new_import="import gpu" if new else "")


_SAMPLER: Final = "bgl.glBindTexture"


def bgl_textures(sight: Sight) -> Iterator[TreeEdit]:
    """`bgl.glBindTexture(...)` and `shader.uniform_int("image", 0)` are `shader.uniform_sampler("image", texture)`."""
    if "bgl" in sight.manifest.modules:
        return
    for bound in sight.all(cst.Call):
        statement = sight.alone(bound)
        if sight.code(bound.func) != _SAMPLER or statement is None or len(bound.args) != 2:
            continue
        image = bound.args[1].value
        if not isinstance(image, cst.Attribute) or image.attr.value != "bindcode":
            continue
        around = [call for call in sight.all(cst.Call) if sight.function(call) is sight.function(bound)]
        others = [call for call in around if sight.code(call.func) == _SAMPLER]
        active = [call for call in around if sight.code(call.func) == "bgl.glActiveTexture"]
        samplers = [call for call in around if _is_sampler(sight, call)]
        if len(others) != 1 or len(samplers) != 1 or any(sight.alone(call) is None for call in active):
            continue
        reason = "a texture is given to the shader since `bgl` is gone: `uniform_sampler`"
        sampler, name = samplers[0], sight.code(samplers[0].args[0]).rstrip(", ")
        shader = sight.code(sampler.func).removesuffix(".uniform_int")
        texture = f"gpu.texture.from_image({sight.code(image.value)})"
        yield sight.instead(statement, reason=reason)
        for call in active:
            if alone := sight.alone(call):
                yield sight.instead(alone, reason=reason)
        yield sight.replace(sampler, f"{shader}.uniform_sampler({name}, {texture})", reason, new_import="import gpu")


def _is_sampler(sight: Sight, call: cst.Call) -> bool:
    """True if it names the first texture unit to a shader."""
    return (
        isinstance(call.func, cst.Attribute)
        and call.func.attr.value == "uniform_int"
        and len(call.args) == 2
        and sight.code(call.args[1]).strip() == "0"
        and sight.text_of(call.args[0].value) is not None
    )


RULES: Final = (
    Rule("blf-size", "4.0: `blf.size(font, size, dpi)`", blf_size),
    Rule("shader-names", "4.0: `gpu.shader.from_builtin('2D_UNIFORM_COLOR')`", shader_names),
    Rule("bgl-textures", "5.0: `bgl.glBindTexture(bgl.GL_TEXTURE_2D, image.bindcode)`", bgl_textures),
    Rule("bgl-states", "5.0: states that `bgl` set", bgl_states),
)
