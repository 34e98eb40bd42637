import bpy

lights = [ob for ob in bpy.data.objects if ob.type == "LIGHT"]
bpy.ops.object.select_by_type(type="LIGHT")
bpy.data.lights.new("Sky", type="SUN")
