"""2.8x: a scene that also sets up the view it is seen in."""
import bpy

bpy.ops.mesh.primitive_ico_sphere_add(radius=1.5, location=(0, 0, 1))
bpy.ops.object.shade_smooth()
bpy.context.space_data.shading.type = 'MATERIAL'
bpy.ops.view3d.view_selected()
