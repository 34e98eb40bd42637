import bpy
obj = bpy.context.object
for i, frame in enumerate((1, 20, 40)):
    obj.location.x = i
    obj.keyframe_insert(data_path='location', index=0, frame=frame)
fcurves = obj.animation_data.action.fcurves
for fc in fcurves:
    mod = fc.modifiers.new(type='NOISE')
    mod.strength = 2
    for k in fc.keyframe_points:
        k.interpolation = 'BOUNCE'
act = bpy.data.actions[0]
print([f.array_index for f in act.fcurves], act.groups)
for g in act.groups:
    print(g.name)
act.fcurves.remove(act.fcurves[0])
cam = bpy.data.objects['Camera']
cam.data.dof.use_dof = True
a2 = bpy.data.actions.new("CamAct")
fx = a2.fcurves.new("location", index=0)
fx.keyframe_points.insert(1, 2.0)
cam.animation_data_create()
cam.animation_data.action = a2
