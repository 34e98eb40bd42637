import bpy

bpy.types.Object.floors = bpy.props.IntProperty(default=1)
house = bpy.data.objects["Cube"]
house.floors = 4
print((house.floors if house.is_property_set("floors") else 0), house.floors)


class AddsLift(bpy.types.Operator):
    bl_idname = "house.add_lift"
    bl_label = "Add a lift"

    @classmethod
    def poll(cls, context):
        return context.object and getattr(context.object, "lift", 0) == 0

    def execute(self, context):
        bpy.types.Object.lift = bpy.props.IntProperty()
        return {"FINISHED"}


bpy.utils.register_class(AddsLift)
bpy.ops.house.add_lift()
