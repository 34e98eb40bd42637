import bpy

bpy.ops.object.lamp_add(type="SUN", location=(0, 0, 5))
bpy.ops.export_scene.obj(filepath="out.obj")
bpy.ops.import_scene.obj(filepath="out.obj")
bpy.ops.export_mesh.stl(filepath="out.stl")
