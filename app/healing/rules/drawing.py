"""Drawing in a view by `gpu` and `blf`, as in draw callbacks of add-ons."""

from __future__ import annotations

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


def shader_names(sight: Sight) -> Iterator[TreeEdit]:
    """`from_builtin('2D_UNIFORM_COLOR')` is `'UNIFORM_COLOR'` since 4.0."""
    for text in sight.all(cst.SimpleString) if "from_builtin" in sight.text else ():
        row = sight.book.named("item", str(text.evaluated_value)).get("gpu.shader.from_builtin")
        if row and row.becomes and not sight.is_guarded(text):
            reason = "the shaders of `gpu` are the same for 2D and 3D since 4.0"
            yield sight.replace(text, f"{text.quote}{row.becomes}{text.quote}", reason)


RULES: Final = (
    Rule("blf-size", "4.0: `blf.size(font, size, dpi)`", blf_size),
    Rule("shader-names", "4.0: `gpu.shader.from_builtin('2D_UNIFORM_COLOR')`", shader_names),
)
