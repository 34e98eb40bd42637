import bpy

bpy.ops.object.light_add(type="SUN", location=(0, 0, 5))
bpy.ops.wm.obj_export(filepath="out.obj")
bpy.ops.wm.obj_import(filepath="out.obj")
bpy.ops.wm.stl_export(filepath="out.stl")
