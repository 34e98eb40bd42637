"""2.8x: shape keys and drivers"""
import bpy
ob = bpy.context.object
ob.shape_key_add(name='Basis')
sk = ob.shape_key_add(name='Tall')
for i, v in enumerate(ob.data.vertices):
    sk.data[i].co.z *= 2
d = sk.driver_add('value')
var = d.driver.variables.new()
var.type = 'SINGLE_PROP'
var.targets[0].id = ob
var.targets[0].data_path = 'location.x'
d.driver.expression = 'var'
d.driver.use_self = True
bpy.ops.object.shape_key_add(from_mix=False)
key = ob.data.shape_keys.key_blocks['Tall']
key.keyframe_insert('value', frame=1)
for fc in ob.data.shape_keys.animation_data.action.fcurves:
    print(fc.data_path)
