"""What a user does."""

import bpy

from .shelf import pot_on, put


class KILN_OT_prepare(bpy.types.Operator):
    bl_idname = "kiln.prepare"
    bl_label = "Prepare"

    def execute(self, _context):
        put(bpy.data.objects.new("Shelf", None))
        return {"FINISHED"}


class KILN_OT_glaze(bpy.types.Operator):
    bl_idname = "kiln.glaze"
    bl_label = "Glaze"

    coats: bpy.props.IntProperty(default=1)

    @classmethod
    def poll(cls, context):
        return context.scene is not None

    def execute(self, context):
        context.scene["glazed"] = self.coats
        return {"FINISHED"}


class KILN_OT_fire(bpy.types.Operator):
    bl_idname = "kiln.fire"
    bl_label = "Fire"

    def execute(self, context):
        bpy.ops.kiln.prepare()
        pot = pot_on(bpy.data.objects["Shelf"])
        bpy.ops.kiln.glaze(coats=2)
        layers = context.scene["glazed"]
        context.scene.kiln.heat = 1000.0 / layers
        pot["minutes"] = context.scene.kiln.minutes / context.scene.kiln.clay
        return {"FINISHED"}


CLASSES = (KILN_OT_prepare, KILN_OT_glaze, KILN_OT_fire)
