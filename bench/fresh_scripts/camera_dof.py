"""2.7x: a camera with depth of field that tracks an empty."""
import bpy

cam = bpy.data.cameras.new("Cam")
ob = bpy.data.objects.new("Cam", cam)
bpy.context.scene.objects.link(ob)
ob.location = (6, -6, 4)
aim = bpy.data.objects.new("Aim", None)
bpy.context.scene.objects.link(aim)
con = ob.constraints.new('TRACK_TO')
con.target = aim
con.track_axis = 'TRACK_NEGATIVE_Z'
con.up_axis = 'UP_Y'
cam.dof_object = aim
cam.gpu_dof.fstop = 1.4
cam.draw_size = 0.5
bpy.context.scene.camera = ob
bpy.context.scene.cursor_location = (0, 0, 0)
