import bpy

lights = [ob for ob in bpy.data.objects if ob.type == "LAMP"]
bpy.ops.object.select_by_type(type="LAMP")
bpy.data.lights.new("Sky", type="HEMI")
