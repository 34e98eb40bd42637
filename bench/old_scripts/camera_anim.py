"""2.7x: camera track and fcurves"""
import bpy
scene = bpy.context.scene
cam = bpy.data.cameras.new("Cam")
cam.draw_size = 2
cam.dof_distance = 4
camob = bpy.data.objects.new("Cam", cam)
scene.objects.link(camob)
scene.camera = camob
con = camob.constraints.new(type='TRACK_TO')
con.target = bpy.data.objects['Cube']
con.track_axis = 'TRACK_NEGATIVE_Z'
con.up_axis = 'UP_Y'
for f in range(1, 100, 10):
    scene.frame_set(f)
    camob.location = (f * .1, -10, 3)
    camob.keyframe_insert(data_path="location", index=-1)
for fc in camob.animation_data.action.fcurves:
    for kp in fc.keyframe_points:
        kp.interpolation = 'LINEAR'
    fc.extrapolation = 'LINEAR'
scene.update()
