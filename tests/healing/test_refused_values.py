"""Values that Blender or Python refused in an execution, and that a rule repairs by what the exception says."""

# ruff: noqa: E501
# One case per line, so that readers see what each is about.

from __future__ import annotations

import pytest

from app.healing.heal import heal_by_rules
from tests.small_manifest import small_manifest
from tests.verdicts import failing

SMALL = small_manifest()

NO_INTEGER = "'float' object cannot be interpreted as an integer"
FLOATS = [
    ("bm.ops.create_cone(bm, segments=n, depth=n)", 'create_cone: keyword "segments" expected an int, not float', "bm.ops.create_cone(bm, segments=int(n), depth=n)"),
    ("bm.ops.create_cone(bm,\n    segments=n)", 'create_cone: keyword "segments" expected an int, not float', "bm.ops.create_cone(bm,\n    segments=int(n))"),
    ("bm.ops.create_cone(bm, segments=int(n))", 'create_cone: keyword "segments" expected an int, not float', None),
    ("image = new('x', w / 2, h)", 'BlendDataImages.new(): error with argument 2, "width" -  Function.width expected an int type, not float', None),
    ("image = images.new('x', w / 2, h)", 'BlendDataImages.new(): error with argument 2, "width" -  Function.width expected an int type, not float', "image = images.new('x', int(w / 2), h)"),
    ("ops.circle_add(vertices=32.0, radius=2.0)", "Converting py args to operator properties: MESH_OT_circle_add.vertices expected an int type, not float", "ops.circle_add(vertices=32, radius=2.0)"),
    ("array.count = n", "bpy_struct: item.attr = val: ArrayModifier.count expected an int type, not float", "array.count = int(n)"),
    ("array.size = n", "bpy_struct: item.attr = val: ArrayModifier.count expected an int type, not float", None),
    ("for i in range(len(a), n / 2, 3): pass", NO_INTEGER, "for i in range(len(a), int(n / 2), 3): pass"),
    ("for i in things(n / 2): pass", NO_INTEGER, None),
    ("middle = a[len(a) / 2]", "list indices must be integers or slices, not float", "middle = a[int(len(a) / 2)]"),
    ("middle = a[key]", "list indices must be integers or slices, not float", None),
    ("array.count = n", "bpy_struct: item.attr = val: ArrayModifier.count expected an int type, not str", None),
]  # fmt: skip


DICTIONARY = "1-2 args execution context is supported"
PASSED_ON = "def cleaned(context):\n    bpy.ops.sequencer.delete(context)\n    bpy.ops.sequencer.reload(context, adjust_length=True)\ndef other(context):\n    bpy.ops.sequencer.delete(context)\n"
MENDED = "def cleaned(context):\n    with bpy.context.temp_override(**context):\n        bpy.ops.sequencer.delete()\n    with bpy.context.temp_override(**context):\n        bpy.ops.sequencer.reload(adjust_length=True)\ndef other(context):\n    bpy.ops.sequencer.delete(context)\n"


@pytest.mark.parametrize(("message", "repaired"), [(DICTIONARY, MENDED), ("context is incorrect", None)])
def test_a_context_that_is_passed_on_is_an_override_where_it_was_refused(message: str, repaired: str | None) -> None:
    text = f"import bpy\n{PASSED_ON}"
    healed = heal_by_rules(text, failing("execute", line=3, message=f"ValueError: {message}"), SMALL)
    assert (healed.snippet if healed else None) == (f"import bpy\n{repaired}" if repaired else None)


@pytest.mark.parametrize(("snippet", "message", "repaired"), FLOATS)
def test_a_float_is_cut_off_where_it_was_refused(snippet: str, message: str, repaired: str | None) -> None:
    healed = heal_by_rules(snippet, failing("execute", line=1, message=f"TypeError: {message}"), SMALL)
    assert (healed.snippet if healed else None) == repaired
