"""Drawing in a view by `gpu` and `blf`, as in draw callbacks of add-ons."""

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


RULES: Final = (
    Rule("blf-size", "4.0: `blf.size(font, size, dpi)`", blf_size),
    Rule("shader-names", "4.0: `gpu.shader.from_builtin('2D_UNIFORM_COLOR')`", shader_names),
)
