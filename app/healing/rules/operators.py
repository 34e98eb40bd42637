"""Operators and their arguments under another name."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.sight import Sight, keyword

RENAMED: Final = {
    "object.lamp_add": "object.light_add",
    "object.group_link": "object.collection_link",
    "object.group_add": "collection.create",
    "object.dupli_offset_from_cursor": "object.instance_offset_from_cursor",
    "group.create": "collection.create",
    "wm.addon_enable": "preferences.addon_enable",
    "wm.addon_disable": "preferences.addon_disable",
    "import_image.to_plane": "image.import_as_mesh_planes",
    "import_scene.obj": "wm.obj_import",
    "export_scene.obj": "wm.obj_export",
    "import_mesh.stl": "wm.stl_import",
    "export_mesh.stl": "wm.stl_export",
    "import_mesh.ply": "wm.ply_import",
    "export_mesh.ply": "wm.ply_export",
    "object.gpencil_add": "object.grease_pencil_add",
    "view3d.background_image_add": "view3d.camera_background_image_add",
    "view3d.background_image_remove": "view3d.camera_background_image_remove",
    "graph.sample": "graph.bake_keys",
    "action.sample": "action.bake_keys",
    "graph.bake": "graph.keys_to_samples",
    "graph.unbake": "graph.samples_to_keys",
    "graph.sound_bake": "graph.sound_to_samples",
    "scene.light_cache_bake": "object.lightprobe_cache_bake",
    "scene.light_cache_free": "object.lightprobe_cache_free",
    "grease_pencil.stroke_cutter": "grease_pencil.stroke_trim",
    "object.pointcloud_add": "object.pointcloud_random_add",
    "gpencil.draw": "grease_pencil.brush_stroke",
    "object.convert_to_mesh_from_meta": "object.convert",
    "mesh.vertex_color_add": "geometry.color_attribute_add(domain='CORNER', data_type='BYTE_COLOR')",
    "mesh.vertex_color_remove": "geometry.color_attribute_remove",
}
"""Operators of older Blenders; applied only if the target lacks them and has the new one, given arguments if it needs
some to do the same."""

Rewrite = Callable[[str], str | None]


def _as(name: str) -> Rewrite:
    return lambda value: f"{name}={value}"


def _double(name: str) -> Rewrite:
    def rewrite(value: str) -> str:
        try:
            doubled = float(value) * 2
            return f"{name}={int(doubled) if doubled == int(doubled) else repr(doubled)}"
        except ValueError:
            return f"{name}=2 * {value}" if value.isidentifier() else f"{name}=2 * ({value})"

    return rewrite


def _drop(_value: str) -> str:
    return ""


def _axis(name: str) -> Rewrite:
    """`axis_up='-Z'` became `up_axis='NEGATIVE_Z'`."""
    return lambda value: f"{name}={value.replace('-', 'NEGATIVE_')}"


def _choice(name: str, on: str, off: str) -> Rewrite:
    """A flag that became one of two items."""

    def rewrite(value: str) -> str:
        known = {"True": on, "1": on, "False": off, "0": off}.get(value)
        return f"{name}={known!r}" if known else f"{name}={on!r} if {in_brackets(value)} else {off!r}"

    return rewrite


def _drop_if(*values: str) -> Rewrite:
    """Drop the argument if the value is the default; any other value has no counterpart."""
    return lambda value: "" if value in values else None


def _proportional(value: str) -> str:
    try:
        return f"use_proportional_edit={ast.literal_eval(value) != 'DISABLED'}"
    except (ValueError, SyntaxError):
        return f"use_proportional_edit={in_brackets(value)} != 'DISABLED'"


def in_brackets(value: str) -> str:
    """The source of an expression, in brackets unless it is a name."""
    return value if value.isidentifier() else f"({value})"


_SPHERES: Final = ("mesh.primitive_uv_sphere_add", "mesh.primitive_ico_sphere_add")
_SQUARES: Final = (
    *("mesh.primitive_cube_add", "mesh.primitive_plane_add"),
    *("mesh.primitive_grid_add", "mesh.primitive_monkey_add"),
)
_EXPORTS: Final = ("wm.obj_export", "wm.ply_export", "wm.stl_export")
_IMPORTS: Final = ("wm.obj_import", "wm.ply_import", "wm.stl_import")

ARGUMENTS: Final[dict[tuple[str, str], Rewrite]] = {
    **{(operator, "radius"): _double("size") for operator in _SQUARES},
    **{(operator, "size"): _as("radius") for operator in _SPHERES},
    **{(operator, "diameter"): _as("radius") for operator in _SPHERES},
    ("mesh.primitive_cylinder_add", "size"): _as("radius"),
    ("mesh.primitive_circle_add", "size"): _as("radius"),
    ("transform.rotate", "constraint_orientation"): _as("orient_type"),
    ("object.delete", "use_globals"): _as("use_global"),
    ("object.modifier_apply", "apply_as"): _drop_if("'DATA'", '"DATA"'),
    ("mesh.bevel", "vertex_only"): _choice("affect", "VERTICES", "EDGES"),
    ("object.shade_smooth", "use_auto_smooth"): _drop_if("False", "0"),
    ("object.shade_smooth", "auto_smooth_angle"): _drop,
    ("uv.smart_project", "user_area_weight"): _as("area_weight"),
    ("uv.smart_project", "use_aspect"): _as("correct_aspect"),
    ("uv.smart_project", "stretch_to_bounds"): _as("scale_to_bounds"),
    ("object.empty_add", "view_align"): _drop,
    **{
        ("export_scene.fbx", name): _drop for name in ("version", "use_default_take", "use_anim", "use_anim_action_all")
    },
    **{(operator, "use_selection"): _as("export_selected_objects") for operator in _EXPORTS},
    **{(operator, "use_mesh_modifiers"): _as("apply_modifiers") for operator in _EXPORTS},
    **{(operator, "use_normals"): _as("export_normals") for operator in _EXPORTS},
    **{(operator, "use_materials"): _as("export_materials") for operator in _EXPORTS},
    **{(operator, "use_triangles"): _as("export_triangulated_mesh") for operator in _EXPORTS},
    **{(operator, "use_uvs"): _as("export_uv") for operator in _EXPORTS},
    **{(operator, "use_uv_coords"): _as("export_uv") for operator in _EXPORTS},
    **{(operator, "use_animation"): _as("export_animation") for operator in _EXPORTS},
    **{(operator, "use_ascii"): _as("ascii_format") for operator in _EXPORTS},
    **{(operator, "ascii"): _as("ascii_format") for operator in _EXPORTS},
    **{(operator, "axis_forward"): _axis("forward_axis") for operator in (*_EXPORTS, *_IMPORTS)},
    **{(operator, "axis_up"): _axis("up_axis") for operator in (*_EXPORTS, *_IMPORTS)},
    ("export_scene.gltf", "export_selected"): _as("use_selection"),
    ("export_scene.gltf", "export_colors"): _drop,
    ("*", "view_align"): _drop,
    ("*", "layers"): _drop,
    ("*", "constraint_orientation"): _as("orient_type"),
    ("*", "proportional"): _proportional,
    ("*", "proportional_editing_falloff"): _as("proportional_edit_falloff"),
}
"""The replacement for an argument that the target does not take, by operator, or `*` for every operator."""

_ONLY_OPTIONS: Final = frozenset(
    {
        *("use_edges", "use_smooth_groups", "use_smooth_groups_bitflags", "use_blen_objects", "use_nurbs"),
        *("group_by_object", "group_by_material", "keep_vertex_order", "use_vertex_groups", "use_groups_as_vgroups"),
        *("use_image_search", "split_mode", "global_clamp_size", "use_smooth", "use_colors"),
    }
)
"""Options of the old importers and exporters that have no counterpart and change no shape."""


def renamed_operators(sight: Sight) -> Iterator[TreeEdit]:
    for name, call in sight.operator_calls():
        new, _, given = RENAMED.get(name, "").partition("(")
        if new and name not in sight.manifest.operators and new in sight.manifest.operators:
            reason = f"`bpy.ops.{name}` is `bpy.ops.{new}` in Blender {sight.manifest.series}"
            if given and not call.args:
                yield sight.replace(call, f"bpy.ops.{new}({given}", reason)
            elif not given:
                yield sight.replace(call.func, f"bpy.ops.{new}", reason)


def renamed_arguments(sight: Sight) -> Iterator[TreeEdit]:
    for name, call in sight.operator_calls():
        operator = sight.manifest.operators.get(name)
        if operator is None:
            continue
        for argument in call.args:
            if argument.keyword is None or argument.keyword.value in operator.arguments:
                continue
            old = argument.keyword.value
            rewrite = ARGUMENTS.get((name, old)) or ARGUMENTS.get(("*", old))
            if rewrite is None and name in (*_EXPORTS, *_IMPORTS) and old in _ONLY_OPTIONS:
                rewrite = _drop
            source = rewrite(sight.code(argument.value)) if rewrite else None
            if source is None:
                continue
            new = source.partition("=")[0]
            if new and (new not in operator.arguments or keyword(call, new)):
                continue
            done = f"write `{source}`" if source else "it is left out"
            yield sight.argument(argument, source, f"`bpy.ops.{name}` no longer takes `{old}`: {done}")


def context_dictionary(sight: Sight) -> Iterator[TreeEdit]:
    """An operator that is called with a context dictionary."""
    for name, call in sight.operator_calls():
        statement = _whole(sight, call)
        first = call.args[0] if call.args else None
        if first is None or first.keyword or first.star or statement is None or sight.text_of(first.value) is not None:
            continue
        if isinstance(first.value, cst.Integer | cst.Float | cst.Tuple | cst.List):
            continue
        if isinstance(first.value, cst.Name) and not _is_dictionary(sight, first.value):
            continue
        rest = ", ".join(sight.code(argument).rstrip(",").rstrip() for argument in call.args[1:])
        override = sight.code(first.value)
        given = f"**{override}" if isinstance(first.value, cst.Name | cst.Call | cst.Dict | cst.Attribute) else ""
        if not given:
            continue
        reason = f"`bpy.ops.{name}` takes no dictionary for its context since 4.0: `context.temp_override`"
        done = sight.code(statement).replace(sight.code(call), f"{sight.code(call.func)}({rest})", 1)
        block = f"with bpy.context.temp_override({given}):\n    {done}"
        yield sight.instead(statement, block, reason=reason)


def _is_dictionary(sight: Sight, name: cst.Name) -> bool:
    """True if a variable holds a dictionary and not the execution context or undo flag: it is assigned one, or keys, or
    Blender refused it in this function."""
    if sight.trouble and "args execution context is supported" in sight.trouble.message:
        for _, call in sight.operator_calls():
            refused = bool(call.args) and sight.code(call.args[0].value) == name.value and sight.fails_at(call)
            if refused and sight.function(call) is sight.function(name):
                return True
    for assign in sight.all(cst.Assign):
        for target in assign.targets:
            stored = target.target
            if isinstance(stored, cst.Subscript) and sight.code(stored.value) == name.value:
                return True
            if sight.code(stored) == name.value:
                value = assign.value
                called = sight.code(value.func) if isinstance(value, cst.Call) else ""
                if isinstance(value, cst.Dict) or called == "dict" or called.endswith(".copy"):
                    return True
    return False


def _whole(sight: Sight, call: cst.Call) -> cst.BaseSmallStatement | None:
    """The statement that consists of the call, or assigns its result."""
    parent = sight.parent(call)
    assigned = isinstance(parent, cst.Assign | cst.Return) and parent.value is call
    return parent if assigned and isinstance(parent, cst.Assign | cst.Return) else sight.alone(call)


def auto_smooth_operator(sight: Sight) -> Iterator[TreeEdit]:
    for name, call in sight.operator_calls():
        flag, angle = keyword(call, "use_auto_smooth"), keyword(call, "auto_smooth_angle")
        if name == "object.shade_smooth" and "object.shade_auto_smooth" in sight.manifest.operators:
            if "use_auto_smooth" in sight.manifest.operators[name].arguments:
                continue
            if flag is None or sight.code(flag.value) not in {"True", "1"}:
                continue
            rest = f"angle={sight.code(angle.value)}" if angle else ""
            reason = "smoothing by angle is an operator of its own since 4.1"
            yield sight.replace(call, f"bpy.ops.object.shade_auto_smooth({rest})", reason)


def rotate_axis(sight: Sight) -> Iterator[TreeEdit]:
    """`transform.rotate(value=a, axis=(0, 0, 1))`."""
    axes: dict[tuple[float, ...], str] = {(1.0, 0.0, 0.0): "X", (0.0, 1.0, 0.0): "Y", (0.0, 0.0, 1.0): "Z"}
    for name, call in sight.operator_calls():
        axis = keyword(call, "axis") if name == "transform.rotate" else None
        if axis is None or not isinstance(axis.value, cst.Tuple):
            continue
        try:
            along = tuple(float(sight.code(part.value)) for part in axis.value.elements)
        except ValueError:
            continue
        reason = "the axis to rotate about has a name since 2.80"
        against, value = tuple(-part + 0.0 for part in along), keyword(call, "value")
        if along in axes:
            yield sight.argument(axis, f"orient_axis='{axes[along]}'", reason)
        elif against in axes and value:
            yield sight.argument(axis, f"orient_axis='{axes[against]}'", reason)
            yield sight.argument(value, f"value=-{sight.operand(value.value)}", "it turned the opposite way")


RULES: Final = (
    Rule(
        "renamed-operators",
        "operators under another name: `lamp_add`, `import_scene.obj`, `export_mesh.stl` ...",
        renamed_operators,
    ),
    Rule("shade-auto-smooth", "4.1: `shade_smooth(use_auto_smooth=True)`", auto_smooth_operator),
    Rule("rotate-axis", "2.80: `transform.rotate(axis=...)`", rotate_axis),
    Rule(
        "operator-arguments",
        "arguments under another name, doubled, or gone: `radius`, `view_align`, `use_selection` ...",
        renamed_arguments,
    ),
    Rule("context-dictionary", "4.0: an operator called with a context dictionary", context_dictionary),
)
