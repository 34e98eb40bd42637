"""2.8x: joins two cubes with an override dictionary, then applies the modifier."""
import bpy

parts = []
for x in (0, 3):
    bpy.ops.mesh.primitive_cube_add(size=2, location=(x, 5, 0))
    parts.append(bpy.context.active_object)
ctx = bpy.context.copy()
ctx['active_object'] = parts[0]
ctx['selected_objects'] = parts
ctx['selected_editable_objects'] = parts
bpy.ops.object.join(ctx)
bevel = parts[0].modifiers.new("Bevel", 'BEVEL')
bevel.use_only_vertices = True
bevel.width = 0.2
bpy.context.view_layer.objects.active = parts[0]
bpy.ops.object.modifier_apply(apply_as='DATA', modifier="Bevel")
