"""2.82: shape keys, apply modifiers by to_mesh. Right: shape key mesh animated, evaluated copy linked next to it."""
import bpy
bpy.ops.mesh.primitive_monkey_add(size=2)
ob = bpy.context.object
ob.shape_key_add(name="Basis")
k = ob.shape_key_add(name="Tall", from_mix=False)
for i, v in enumerate(ob.data.vertices):
    k.data[i].co.z = v.co.z * 1.5
k.value = 1
k.keyframe_insert("value", frame=1)
k.value = 0
k.keyframe_insert("value", frame=30)
for fc in ob.data.shape_keys.animation_data.action.fcurves:
    for p in fc.keyframe_points:
        p.interpolation = 'LINEAR'
sub = ob.modifiers.new("Sub", 'SUBSURF')
sub.levels = 2
sub.quality = 3
sub.use_subsurf_uv = True
dg = bpy.context.evaluated_depsgraph_get()
me = bpy.data.meshes.new_from_object(ob.evaluated_get(dg), preserve_all_data_layers=True, depsgraph=dg)
me.calc_normals_split()
copy = bpy.data.objects.new("Baked", me)
copy.location.x = 3
bpy.context.scene.collection.objects.link(copy)
me.free_normals_split()
