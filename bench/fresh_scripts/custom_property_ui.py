"""3.x: a registered property set by key, and a list of the marked objects."""
import bpy

bpy.types.Object.is_target = bpy.props.BoolProperty(name="Target", default=False)
bpy.types.Object.weight_kg = bpy.props.FloatProperty(name="Weight", default=1.0)
for ob in bpy.data.objects:
    if ob.type == 'MESH':
        ob["is_target"] = True
        ob["weight_kg"] = 12.5
found = [ob.name for ob in bpy.data.objects if ob.is_target and ob.weight_kg > 10]
if not found:
    raise RuntimeError("no target was marked")
for name in found:
    bpy.data.objects[name].location.z = 2
