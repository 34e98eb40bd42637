"""Add a pie menu and a shortcut that opens it.

Asked as: custom pie menu; register a menu class with operators; bind a key to a menu; add a keymap item in an add-on
"""

from typing import Any

import bpy


class VIEW3D_MT_PIE_primitives(bpy.types.Menu):
    bl_idname = "VIEW3D_MT_PIE_primitives"
    bl_label = "Add a Primitive"

    def draw(self, context: bpy.types.Context) -> None:
        assert self.layout is not None
        pie = self.layout.menu_pie()  # the slots are filled west, east, south, north
        pie.operator("mesh.primitive_cube_add", text="Cube", icon="MESH_CUBE")
        pie.operator("mesh.primitive_uv_sphere_add", text="Sphere", icon="MESH_UVSPHERE")
        pie.operator("mesh.primitive_cylinder_add", text="Cylinder", icon="MESH_CYLINDER")
        pie.operator("mesh.primitive_cone_add", text="Cone", icon="MESH_CONE")


def register_menu() -> None:
    """Register the menu, in place of that of an earlier run."""
    earlier = getattr(bpy.types, VIEW3D_MT_PIE_primitives.bl_idname, None)
    if earlier is not None:
        bpy.utils.unregister_class(earlier)
    bpy.utils.register_class(VIEW3D_MT_PIE_primitives)


def bind_key() -> None:
    """Open the menu with Ctrl Shift A in Object Mode, once."""
    manager = bpy.context.window_manager
    configuration = manager.keyconfigs.addon if manager else None
    if configuration is None:
        return  # without a window there is no keyboard
    keymap = configuration.keymaps.new(name="Object Mode")
    menu = VIEW3D_MT_PIE_primitives.bl_idname
    items: Any = keymap.keymap_items  # what an item's properties hold depends on its operator
    if any(item.idname == "wm.call_menu_pie" and item.properties.name == menu for item in items):
        return
    items.new("wm.call_menu_pie", type="A", value="PRESS", ctrl=True, shift=True).properties.name = menu


register_menu()
bind_key()
