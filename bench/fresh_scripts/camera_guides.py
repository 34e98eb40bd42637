"""2.7x: a background image and guides of a camera."""
import bpy
cam_ob = bpy.data.objects["Camera"]
cam = cam_ob.data
img = bpy.data.images.new("ref", 32, 32)
cam.show_background_images = True
bg = cam.background_images.new()
bg.image = img
bg.opacity = 0.4
bg.draw_depth = 'BACK'
bg.frame_method = 'FIT'
cam.show_guide = {'THIRDS'}
cam.draw_size = 2
cam.show_title_safe = True
bpy.context.scene.camera = cam_ob
