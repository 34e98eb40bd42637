"""2.79 tutorial: spiral staircase by array with an empty. Right: the same staircase, step, empty and modifier."""
import bpy
import math

scn = bpy.context.scene
for o in scn.objects:
    o.select = o.type == 'MESH'
bpy.ops.object.delete()

bpy.ops.object.empty_add(type='PLAIN_AXES', view_align=False, location=(0, 0, 0.3))
emp = bpy.context.object
emp.empty_draw_size = 0.5
emp.empty_draw_type = 'ARROWS'
emp.rotation_euler = (0, 0, math.radians(20))

bpy.ops.mesh.primitive_cube_add(radius=1, location=(2, 0, 0), layers=(True,) + (False,) * 19)
step = bpy.context.object
step.name = "Step"
step.scale = (1, .3, .1)
bpy.ops.object.transform_apply(scale=True)
scn.cursor_location = (0, 0, 0)
bpy.ops.object.origin_set(type='ORIGIN_CURSOR')
arr = step.modifiers.new("Spiral", 'ARRAY')
arr.count = 18
arr.use_relative_offset = False
arr.use_object_offset = True
arr.offset_object = emp
bpy.ops.mesh.primitive_cylinder_add(vertices=24, radius=.3, depth=6, end_fill_type='NGON', view_align=False, enter_editmode=False, location=(0, 0, 3))
pole = bpy.context.active_object
pole.parent = emp
pole.matrix_parent_inverse = emp.matrix_world.inverted() * pole.matrix_basis.inverted() * pole.matrix_basis
scn.update()
print(len(scn.objects), "objects")
