"""2.7x: a row of cubes, each selected, the last one active."""
import bpy

scene = bpy.context.scene
for ob in scene.objects:
    ob.select = False
for i in range(5):
    bpy.ops.mesh.primitive_cube_add(radius=0.4, view_align=False, location=(i, 0, 0))
    cube = bpy.context.object
    cube.name = "Row%d" % i
    cube.draw_type = 'SOLID'
scene.objects.active = bpy.data.objects["Row4"]
bpy.data.objects["Row4"].select = True
scene.update()
