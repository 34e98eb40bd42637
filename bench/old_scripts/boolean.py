"""2.8x: booleans"""
import bpy
bpy.ops.mesh.primitive_cylinder_add(vertices=32, radius=.5, depth=4)
cut = bpy.context.object
cube = bpy.data.objects['Cube']
b = cube.modifiers.new(type="BOOLEAN", name="hole")
b.object = cut
b.operation = 'DIFFERENCE'
b.solver = 'FAST'
bpy.context.view_layer.objects.active = cube
bpy.ops.object.modifier_apply(apply_as='DATA', modifier="hole")
cut.hide_render = True
cut.display_type = 'WIRE'
bev = cube.modifiers.new("bev", 'BEVEL')
bev.use_only_vertices = True
