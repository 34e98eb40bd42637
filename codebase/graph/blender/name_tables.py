"""Meanings of Blender's names."""

from __future__ import annotations

from typing import Final

TYPES: Final = {
    "context": "Context",
    "scene": "Scene",
    "layout": "UILayout",
    "preferences": "Preferences",
    "world": "World",
    "window_manager": "WindowManager",
    "wm": "WindowManager",
    "collection": "Collection",
    "mesh": "Mesh",
    **dict.fromkeys(("object", "active_object", "ob", "obj", "edit_object", "pose_object"), "Object"),
    **dict.fromkeys(("material", "active_material", "mat"), "Material"),
    "view_layer": "ViewLayer",
    "workspace": "WorkSpace",
    "screen": "Screen",
    "space_data": "SpaceView3D",
    "armature": "Armature",
    "bone": "Bone",
    "active_bone": "EditBone",
    "image": "Image",
    "node_tree": "NodeTree",
    "active_pose_bone": "PoseBone",
    "pose_bone": "PoseBone",
    "camera": "Camera",
    "light": "Light",
    "node": "Node",
    "edit_bone": "EditBone",
    "user_preferences": "Preferences",
}
"""The types of attributes and parameters of these names."""
GIVEN: Final = ("context",)
"""Parameters that Blender passes when it calls a function."""
COLLECTIONS: Final = {
    "scenes": "Scene",
    "objects": "Object",
    "selected_objects": "Object",
    "materials": "Material",
    "meshes": "Mesh",
    "worlds": "World",
    "collections": "Collection",
    "armatures": "Armature",
    "images": "Image",
    "cameras": "Camera",
    "lights": "Light",
    "node_groups": "NodeTree",
    "window_managers": "WindowManager",
    "bones": "Bone",
    "edit_bones": "EditBone",
    "actions": "Action",
    "curves": "Curve",
    "texts": "Text",
    "workspaces": "WorkSpace",
    "screens": "Screen",
    "children": "Object",
    "visible_objects": "Object",
    "material_slots": "MaterialSlot",
    "view_layers": "ViewLayer",
    "nodes": "Node",
    "addons": "Addon",
    "selected_editable_objects": "Object",
    "objects_in_mode": "Object",
    "collision_collections": "Collection",
}
"""The types of items in collections of these names."""
ID: Final = frozenset({"Scene", "Object", "Material", "Mesh", "World", "Collection", "Armature", "Image", "Curve"})
"""Types that have the properties of `bpy.types.ID`."""
PROPERTIES: Final = frozenset(
    f"{kind}Property"
    for kind in (
        *("Bool", "BoolVector", "Int", "IntVector", "Float", "FloatVector", "String", "Enum", "Pointer", "Collection"),
    )
)
CALLBACKS: Final = ("update", "get", "set", "poll", "items", "search", "get_transform", "set_transform")
IMPLICIT: Final = frozenset({"Panel", "Menu", "UIList", "Header", "PropertyGroup", "AssetShelf", "FileHandler", "Node"})
"""Classes of these types without a `bl_idname` are known by their name."""

OPERATORS: Final = {
    **dict.fromkeys(("operator", "operator_menu_enum", "operator_menu_hold", "operator_enum"), ("operator", 0)),
    **dict.fromkeys(("menu", "menu_contents"), ("menu", 0)),
    **dict.fromkeys(("popover",), ("panel", 0)),
    **dict.fromkeys(("template_list",), ("listtype_name", 0)),
    **dict.fromkeys(("tool_set_by_id", "call_menu", "call_menu_pie", "call_panel"), ("name", 9)),
    **dict.fromkeys(("gizmo_group_type_ensure", "gizmo_group_type_unlink_delayed"), ("idname", 0)),
}
"""Functions that take the `bl_idname` of a class: the keyword, and the place of the argument."""
NEW: Final = {
    **dict.fromkeys(("keymap_items", "gizmos", "nodes", "inputs", "outputs", "kmi", "items"), 0),
    "node_groups": 1,
}
"""Collections whose `new` takes a `bl_idname`, and the place of the argument."""
DRAWN: Final = {
    "prop": (0, 1),
    "prop_enum": (0, 1),
    "prop_menu_enum": (0, 1),
    "prop_tabs_enum": (0, 1),
    "props_enum": (0, 1),
    "prop_search": (0, 1),
    "template_ID": (0, 1),
    "template_icon_view": (0, 1),
    "template_color_picker": (0, 1),
    "prop_with_popover": (0, 1),
    "prop_with_menu": (0, 1),
    "template_list": (2, 3),
    "prop_decorator": (0, 1),
    "template_ID_preview": (0, 1),
    "template_any_ID": (0, 1),
    "getattr": (0, 1),
    "setattr": (0, 1),
    "path_resolve": (0, 1),
    "property_unset": (0, 1),
    "is_property_set": (0, 1),
    "template_search": (0, 1),
}
"""Functions that take an object and the name of a property of it: the places of the two arguments."""
DRAWN_TOO: Final = {"prop_search": (2, 3), "template_list": (4, 5)}
KEYWORDS: Final = ("data", "property")
CALLERS: Final = frozenset(
    {"register", "append", "prepend", "insert", "subscribe_rna", "draw_handler_add", "popup_menu", "popup_menu_pie"}
)
"""Functions that take a function to call."""
