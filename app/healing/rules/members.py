"""Properties that have another name now, if the type of their owner is known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.sight import Sight

RENAMED: Final[dict[tuple[str, str], str]] = {
    ("Scene", "cursor_location"): "cursor.location",
    ("SpaceView3D", "cursor_location"): "cursor.location",
    ("Object", "draw_type"): "display_type",
    ("Object", "draw_bounds_type"): "display_bounds_type",
    ("Object", "empty_draw_type"): "empty_display_type",
    ("Object", "empty_draw_size"): "empty_display_size",
    ("Object", "show_x_ray"): "show_in_front",
    ("Object", "dupli_type"): "instance_type",
    ("Object", "dupli_group"): "instance_collection",
    ("Object", "dupli_faces_scale"): "instance_faces_scale",
    ("Object", "use_dupli_faces_scale"): "use_instance_faces_scale",
    ("Object", "use_dupli_vertices_rotation"): "use_instance_vertices_rotation",
    ("Context", "user_preferences"): "preferences",
    ("Context", "scene_layer"): "view_layer",
    ("Context", "selected_sequences"): "selected_strips",
    ("Context", "selected_editable_sequences"): "selected_editable_strips",
    ("Context", "active_sequence_strip"): "active_strip",
    ("BlendData", "lamps"): "lights",
    ("BlendData", "groups"): "collections",
    ("BlendData", "hair_curve"): "hair_curves",
    ("BlendData", "grease_pencil"): "grease_pencils",
    ("BlendData", "grease_pencils_v3"): "grease_pencils",
    ("ParticleSettings", "dupli_object"): "instance_object",
    ("ParticleSettings", "dupli_group"): "instance_collection",
    **{
        ("ParticleSettings", old): new
        for old, new in {
            "draw_percentage": "display_percentage",
            "draw_method": "display_method",
            "draw_step": "display_step",
            "draw_size": "display_size",
            "draw_color": "display_color",
            "use_rotation_dupli": "use_rotation_instance",
            "use_scale_dupli": "use_scale_instance",
            "use_global_dupli": "use_global_instance",
            "use_group_pick_random": "use_collection_pick_random",
            "use_group_count": "use_collection_count",
            "use_whole_group": "use_whole_collection",
            "dupli_weights": "instance_weights",
        }.items()
    },
    ("ParticleSettings", "child_nbr"): "child_percent",
    ("RigidBodyWorld", "group"): "collection",
    ("EffectorWeights", "group"): "collection",
    ("FreestyleLineSet", "group"): "collection",
    ("FreestyleLineSet", "select_by_group"): "select_by_collection",
    ("ClothCollisionSettings", "group"): "collection",
    ("SoftBodySettings", "collision_group"): "collision_collection",
    ("ParticleSettings", "collision_group"): "collision_collection",
    ("DynamicPaintSurface", "brush_group"): "brush_collection",
    ("FluidModifier", "smoke_type"): "fluid_type",
    ("FluidModifier", "coll_settings"): "effector_settings",
    ("FluidFlowSettings", "smoke_flow_type"): "flow_type",
    ("FluidFlowSettings", "smoke_flow_source"): "flow_source",
    ("FluidDomainSettings", "use_high_resolution"): "use_noise",
    ("FluidDomainSettings", "collision_group"): "effector_group",
    ("Armature", "draw_type"): "display_type",
    ("Armature", "show_group_colors"): "show_bone_colors",
    ("Camera", "draw_size"): "display_size",
    ("Camera", "dof_object"): "dof.focus_object",
    ("Camera", "dof_distance"): "dof.focus_distance",
    ("Camera", "gpu_dof"): "dof",
    ("CameraDOFSettings", "fstop"): "aperture_fstop",
    ("CameraDOFSettings", "blades"): "aperture_blades",
    ("Camera", "show_title_safe"): "show_safe_areas",
    ("CameraBackgroundImage", "opacity"): "alpha",
    ("CameraBackgroundImage", "draw_depth"): "display_depth",
    ("Brush", "curve"): "curve_distance_falloff",
    ("Brush", "curve_preset"): "curve_distance_falloff_preset",
    ("Light", "distance"): "cutoff_distance",
    ("MirrorModifier", "use_x"): "use_axis[0]",
    ("MirrorModifier", "use_y"): "use_axis[1]",
    ("MirrorModifier", "use_z"): "use_axis[2]",
    ("BevelModifier", "edge_weight_method"): "limit_method",
    ("Mesh", "uv_textures"): "uv_layers",
    ("Mesh", "sculpt_vertex_colors"): "color_attributes",
    ("World", "horizon_color"): "color",
    ("RenderSettings", "file_format"): "image_settings.file_format",
    ("RenderSettings", "bake_margin"): "bake.margin",
    ("RenderSettings", "bake_margin_type"): "bake.margin_type",
    ("RenderSettings", "bake_type"): "bake.type",
    ("RenderSettings", "use_bake_clear"): "bake.use_clear",
    ("RenderSettings", "use_bake_lores_mesh"): "bake.use_lores_mesh",
    ("RenderSettings", "use_bake_multires"): "bake.use_multires",
    ("RenderSettings", "use_bake_selected_to_active"): "bake.use_selected_to_active",
    ("SceneEEVEE", "use_motion_blur"): "id_data.render.use_motion_blur",
    ("SceneEEVEE", "motion_blur_shutter"): "id_data.render.motion_blur_shutter",
    ("SceneEEVEE", "use_ssr"): "use_raytracing",
    ("SceneEEVEE", "use_gtao"): "use_fast_gi",
    ("SceneEEVEE", "gtao_distance"): "fast_gi_distance",
    ("SequenceEditor", "sequences"): "strips",
    ("SequenceEditor", "sequences_all"): "strips_all",
    ("MetaStrip", "sequences"): "strips",
    ("TextCurve", "align"): "align_x",
    ("ClothSettings", "structural_stiffness"): "tension_stiffness",
    ("ClothSettings", "structural_stiffness_max"): "tension_stiffness_max",
    ("ClothSettings", "spring_damping"): "tension_damping",
    ("ShaderNodeTexSky", "dust_density"): "aerosol_density",
    ("ShaderNodeTexNoise", "musgrave_type"): "noise_type",
    ("ShaderNodeTexNoise", "musgrave_dimensions"): "noise_dimensions",
    ("SpaceView3D", "viewport_shade"): "shading.type",
    ("SpaceView3D", "show_floor"): "overlay.show_floor",
    ("SpaceView3D", "show_axis_x"): "overlay.show_axis_x",
    ("SpaceView3D", "show_axis_y"): "overlay.show_axis_y",
    ("SpaceView3D", "show_axis_z"): "overlay.show_axis_z",
    ("SpaceView3D", "show_relationship_lines"): "overlay.show_relationship_lines",
    ("SpaceView3D", "show_manipulator"): "show_gizmo",
    ("Scene", "grease_pencil"): "annotation",
    ("NodeTree", "grease_pencil"): "annotation",
    ("WorkSpace", "asset_library_ref"): "asset_library_reference",
    ("FileAssetSelectParams", "asset_library_ref"): "asset_library_reference",
    ("FileAssetSelectParams", "import_type"): "import_method",
    ("Context", "asset_file_handle"): "asset",
    ("Brush", "sculpt_tool"): "sculpt_brush_type",
    ("Brush", "image_tool"): "image_brush_type",
    ("Brush", "vertex_tool"): "vertex_brush_type",
    ("Brush", "weight_tool"): "weight_brush_type",
    ("Brush", "gpencil_tool"): "gpencil_brush_type",
    ("Brush", "gpencil_sculpt_tool"): "gpencil_sculpt_brush_type",
    ("Brush", "curves_sculpt_tool"): "curves_sculpt_brush_type",
    ("GeometryNodeTree", "is_type_point_cloud"): "is_type_pointcloud",
    ("MovieTrackingCamera", "principal"): "principal_point",
    ("TextStrip", "align_x"): "anchor_x",
    ("TextStrip", "align_y"): "anchor_y",
    ("CompositorNodeOutputFile", "base_path"): "directory",
}
"""The old member, and the text after the dot that replaces it. The target Blender must have the first part of it."""

CLASSES: Final[dict[str, str]] = {
    "bpy.types.Lamp": "Light",
    "bpy.types.PointLamp": "PointLight",
    "bpy.types.SunLamp": "SunLight",
    "bpy.types.SpotLamp": "SpotLight",
    "bpy.types.AreaLamp": "AreaLight",
    "bpy.types.Group": "Collection",
    "bpy.types.UserPreferences": "Preferences",
    "bpy.types.SceneRenderLayer": "ViewLayer",
    "bpy.types.GreasePencilv3": "GreasePencil",
    **{
        f"bpy.types.INFO_MT_{name}": f"VIEW3D_MT_{name}"
        for name in ("mesh_add", "add", "curve_add", "armature_add", "surface_add", "metaball_add")
    },
    **{
        f"bpy.types.INFO_MT_{name}": f"TOPBAR_MT_{name}"
        for name in ("file_import", "file_export", "file", "render", "help", "window")
    },
    "bpy.types.VIEW3D_MT_object_specials": "VIEW3D_MT_object_context_menu",
    "bpy.types.VIEW3D_MT_edit_mesh_specials": "VIEW3D_MT_edit_mesh_context_menu",
    "bpy.app.handlers.scene_update_pre": "depsgraph_update_pre",
    "bpy.app.handlers.scene_update_post": "depsgraph_update_post",
    "bpy.app.version_char": "version_cycle",
}
"""Members of modules that have another name; no manifest has menus, so these are recognized by name alone."""


def renamed_members(sight: Sight) -> Iterator[TreeEdit]:
    names = {name for _, name in RENAMED}
    for attribute in sight.attributes(*names):
        for (type_name, old), new in RENAMED.items():
            if old != attribute.attr.value or not sight.may_be(attribute.value, type_name):
                continue
            first = new.partition(".")[0].partition("[")[0]
            there = type_name == "Context" or first == "id_data" or sight.has(type_name, first)
            if sight.lacks(attribute) and there:
                if another_setting(sight, attribute, type_name, new):
                    continue
                reason = f"`{type_name}.{old}` is called `{new}` in Blender {sight.manifest.series}"
                yield sight.rename(attribute, new, reason)
                break


def another_setting(sight: Sight, attribute: cst.Attribute, type_name: str, new: str) -> str:
    """Words on why the setting with the new name is another one: it refuses the value, or the same code sets it too."""
    assign = sight.assignment_to(attribute)
    if assign is None or not new.isidentifier():
        return ""
    item, prop = sight.text_of(assign.value), sight.api.rna.property(type_name, new)
    if item and prop and prop.items and item not in {one.identifier for one in prop.items}:
        return f"takes no {item!r}"
    inside, both = sight.function(attribute), f"{sight.code(attribute.value)}.{new}"
    beside = [other for other in sight.attributes(new) if sight.code(other) == both and sight.assignment_to(other)]
    return "is set beside it" if any(sight.function(other) is inside for other in beside) else ""


_PAINTS: Final = ("sculpt", "image_paint", "vertex_paint", "weight_paint", "curves_sculpt", "gpencil_paint")


def unified_paint(sight: Sight) -> Iterator[TreeEdit]:
    """`tool_settings.unified_paint_settings.size = 5`: since 5.0 each mode of painting has settings of its own."""
    reason = "each mode of painting has unified settings of its own since 5.0"
    for attribute in sight.lacking("ToolSettings", "unified_paint_settings"):
        settings, parent = sight.code(attribute.value), sight.parent(attribute)
        named = parent if isinstance(parent, cst.Assign) and len(parent.targets) == 1 else None
        places = _uses(sight, named) if named else [parent] if isinstance(parent, cst.Attribute) else []
        stores = [(place, sight.assignment_to(place)) for place in places if isinstance(place, cst.Attribute)]
        if not sight.has("Paint", "unified_paint_settings") or len(stores) != len(places):
            continue
        if named and stores and all(assign for _, assign in stores):
            yield sight.instead(named, reason=reason)
        elif named:
            continue
        modes = ", ".join(f'"{mode}"' for mode in _PAINTS if sight.has("ToolSettings", mode))
        for setting, assign in stores:
            source = f"for mode in ({modes}):\n    if paint := getattr({settings}, mode):\n"
            if assign:
                source += f"        paint.unified_paint_settings.{setting.attr.value} = {sight.code(assign.value)}"
                yield sight.instead(assign, source, reason=reason)


def _uses(sight: Sight, assign: cst.Assign) -> list[cst.CSTNode]:
    """The node around each use of the name that is assigned here, in its function or anywhere below it."""
    target = assign.targets[0].target
    uses = [name for name in sight.all(cst.Name) if name.value == getattr(target, "value", "") and name is not target]
    return [sight.parent(name) for name in uses]


def bevel_vertices(sight: Sight) -> Iterator[TreeEdit]:
    """`bevel.use_only_vertices = True` is `bevel.affect = 'VERTICES'` since 2.90."""
    for attribute in sight.attributes("use_only_vertices"):
        assign = sight.assignment_to(attribute)
        missing = sight.trouble.missing_member if sight.trouble else None
        failed = missing == ("BevelModifier", "use_only_vertices") and sight.fails_at(attribute)
        known = sight.is_a(attribute.value, "BevelModifier") and sight.lacks(attribute)
        if assign and (failed or known) and sight.has("BevelModifier", "affect"):
            kind = {"True": "'VERTICES'", "False": "'EDGES'"}.get(sight.code(assign.value), "")
            value = kind or f"'VERTICES' if {sight.code(assign.value)} else 'EDGES'"
            source = f"{sight.code(attribute.value)}.affect = {value}"
            yield sight.instead(assign, source, reason="`use_only_vertices` is `affect = 'VERTICES'` since 2.90")


_PATTERNS: Final = (
    (re.compile(r"bpy\.types\.(\w*)Sequence"), r"\1Strip"),
    (re.compile(r"bpy\.types\.Sequences(?:TopLevel)?"), "StripsTopLevel"),
    (re.compile(r"bpy\.types\.SequencesMeta"), "StripsMeta"),
    (re.compile(r"bpy\.types\.Sequence(Modifier|Element|Proxy|Crop|Transform|ColorBalance\w*)"), r"Strip\1"),
    (re.compile(r"bpy\.types\.NodeSocketInterface(\w+)"), r"NodeTreeInterfaceSocket\1"),
)
"""Families of types under another name."""


def new_name_of(source: str) -> str | None:
    """The new name of a type, menu or handler that is written with its module."""
    by_pattern = (found.expand(new) for old, new in _PATTERNS if (found := old.fullmatch(source)))
    return CLASSES.get(source) or next(by_pattern, None)


def renamed_classes(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.all(cst.Attribute):
        source = sight.code(attribute)
        new = new_name_of(source)
        if not new or attribute.attr.value in sight.manifest.types:
            continue
        if sight.is_guarded(attribute) or not sight.code(attribute).startswith("bpy."):
            continue
        if "_MT_" not in new and source.startswith("bpy.types.") and new not in sight.manifest.types:
            continue
        reason = f"`{source}` is called `{new}` in Blender {sight.manifest.series}"
        yield sight.rename(attribute, new, reason)


RULES: Final = (
    Rule(
        "renamed-members",
        "properties under another name: `draw_type`, `cursor_location`, `lamps`, `sequences` ...",
        renamed_members,
    ),
    Rule("unified-paint", "5.0: `tool_settings.unified_paint_settings`", unified_paint),
    Rule("bevel-vertices", "2.90: `bevel_modifier.use_only_vertices`", bevel_vertices),
    Rule(
        "renamed-classes",
        "types, menus and handlers under another name: `bpy.types.INFO_MT_mesh_add` ...",
        renamed_classes,
    ),
)
