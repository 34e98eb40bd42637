"""2.7x: a spiral staircase of cubes under an empty."""
import bpy
from math import sin, cos, pi, radians

scn = bpy.context.scene
for ob in scn.objects:
    ob.select = ob.type == 'MESH'
bpy.ops.object.delete()

root = bpy.data.objects.new("Stairs", None)
root.empty_draw_size = 2
root.empty_draw_type = 'ARROWS'
scn.objects.link(root)
for i in range(24):
    a = i * pi / 12
    bpy.ops.mesh.primitive_cube_add(radius=0.5, view_align=False, location=(3 * cos(a), 3 * sin(a), i * 0.2))
    step = bpy.context.object
    step.scale = (1, 0.4, 0.1)
    step.rotation_euler.z = a
    step.parent = root
scn.update()
