"""2.8x: override dict copies"""
import bpy
def join(objs):
    ctx = bpy.context.copy()
    ctx['active_object'] = objs[0]
    ctx['object'] = objs[0]
    ctx['selected_objects'] = objs
    ctx['selected_editable_objects'] = objs
    bpy.ops.object.join(ctx)
a = []
for x in range(3):
    bpy.ops.mesh.primitive_cube_add(location=(x * 3, 0, 0), enter_editmode=False)
    a.append(bpy.context.active_object)
join(a)
res = bpy.ops.object.delete({"selected_objects": [bpy.data.objects["Light"]]})
