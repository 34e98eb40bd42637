"""Members of `bpy.context` that a manifest, dumped without a window, does not describe."""

from __future__ import annotations

from typing import Final

# Members of the context whose value is only there in some mode.
CONTEXT: Final = {
    **dict.fromkeys(("object", "active_object", "edit_object", "pose_object", "sculpt_object"), "Object"),
    **dict.fromkeys(("image_paint_object", "vertex_paint_object", "weight_paint_object"), "Object"),
    "active_pose_bone": "PoseBone",
    "active_action": "Action",
}
CONTEXT_LISTS: Final = {
    **dict.fromkeys(("selected_objects", "selected_editable_objects", "visible_objects", "editable_objects"), "Object"),
    **dict.fromkeys(("selectable_objects", "objects_in_mode", "objects_in_mode_unique_data"), "Object"),
    **dict.fromkeys(("selected_pose_bones", "visible_pose_bones"), "PoseBone"),
    **dict.fromkeys(("selected_pose_bones_from_active_object",), "PoseBone"),
}

# Members that only some editor has.
CONTEXT_OF_EDITORS: Final = frozenset(
    {
        *(
            "active_file",
            "active_node",
            "active_nla_strip",
            "armature",
            "asset",
            "bone",
            "bookmarks",
            "brush",
            "camera",
        ),
        *(
            "cloth",
            "collision",
            "curve",
            "curves",
            "dynamic_paint",
            "edit_bone",
            "edit_image",
            "edit_mask",
            "edit_text",
        ),
        *("edit_movieclip", "fluid", "id", "lattice", "light", "lightprobe", "line_style", "material", "material_slot"),
        *("mesh", "meta_ball", "particle_settings", "particle_system", "particle_system_editable", "pointcloud"),
        *("pose_bone", "selected_assets", "selected_files", "selected_ids", "selected_nodes", "soft_body", "speaker"),
        *("strip", "strip_modifier", "texture", "texture_node", "texture_slot", "texture_user", "volume", "world"),
        *("texture_user_property", "edit_mask", "button_operator", "button_pointer", "button_prop", "pointer"),
    }
)
