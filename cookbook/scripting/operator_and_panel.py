"""Add an operator with settings, and a panel in the sidebar with a button for it.

Asked as: write a custom operator; make a panel in the 3D viewport sidebar; add a button that runs my python function;
register an operator with properties
"""

from typing import TYPE_CHECKING, Any

import bpy


class OBJECT_OT_copies_in_a_row(bpy.types.Operator):
    """Copy the active object along the X axis"""

    bl_idname = "object.copies_in_a_row"
    bl_label = "Copies in a Row"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:  # what the properties hold, which a type checker cannot read below
        count: int
        gap: float
    else:
        count: bpy.props.IntProperty(name="Count", default=3, min=1, max=100)
        gap: bpy.props.FloatProperty(name="Gap", default=0.5, min=0.0, unit="LENGTH")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.active_object is not None

    def execute(self, context: bpy.types.Context) -> set[Any]:
        source, scene = context.active_object, context.scene
        if source is None or scene is None:
            return {"CANCELLED"}
        step = source.dimensions.x + self.gap
        for number in range(1, self.count + 1):
            copy = source.copy()  # shares the mesh with its source
            copy.location.x += number * step
            scene.collection.objects.link(copy)
        self.report({"INFO"}, f"{self.count} copies of {source.name}")
        return {"FINISHED"}


class VIEW3D_PT_copies_in_a_row(bpy.types.Panel):
    bl_label = "Copies"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Tools"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        assert layout is not None
        layout.label(text=context.active_object.name if context.active_object else "No active object")
        layout.operator(OBJECT_OT_copies_in_a_row.bl_idname)


def register() -> None:
    """Register both classes, in place of those of an earlier run."""
    for cls in (OBJECT_OT_copies_in_a_row, VIEW3D_PT_copies_in_a_row):
        earlier = getattr(bpy.types, cls.__name__, None)
        if earlier is not None:
            bpy.utils.unregister_class(earlier)
        bpy.utils.register_class(cls)


register()
