"""2.75: camera on a path with constraints, clip settings, stereo, and markers. Right: follow path and track to, DOF at the cube."""
import bpy
from math import radians
sc = bpy.context.scene
bpy.ops.curve.primitive_nurbs_circle_add(radius=8, location=(0, 0, 3))
path = bpy.context.object
path.data.use_path = True
path.data.path_duration = 100
cam = bpy.data.cameras.new("Orbit")
cam.lens = 35
cam.angle = radians(50)
cam.draw_size = .5
cam.dof_object = bpy.data.objects["Cube"]
cam.gpu_dof.fstop = 2.8
cam.show_guide = {'CENTER', 'THIRDS'}
co = bpy.data.objects.new("Orbit", cam)
sc.objects.link(co)
fp = co.constraints.new('FOLLOW_PATH')
fp.target = path
fp.use_curve_follow = True
tt = co.constraints.new(type='TRACK_TO')
tt.target = bpy.data.objects["Cube"]
tt.track_axis = 'TRACK_NEGATIVE_Z'
tt.up_axis = 'UP_Y'
sc.camera = co
path.data.eval_time = 0
path.data.keyframe_insert('eval_time', frame=1)
path.data.eval_time = 100
path.data.keyframe_insert('eval_time', frame=100)
sc.timeline_markers.new("start", 1)
sc.render.resolution_percentage = 50
sc.render.use_full_sample = False
sc.update()
