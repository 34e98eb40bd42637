"""2.8x: ray cast with the view layer"""
import bpy
from mathutils import Vector
scene = bpy.context.scene
vl = bpy.context.view_layer
hit, loc, norm, idx, ob, mat = scene.ray_cast(vl, Vector((0, 0, 10)), Vector((0, 0, -1)))
print(hit)
bpy.context.scene.render.use_overwrite = True
me = bpy.data.objects["Cube"].to_mesh()
print(len(me.vertices))
bpy.data.objects["Cube"].to_mesh_clear()
