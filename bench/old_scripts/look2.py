"""3.x: look on the default transform"""
import bpy
C = bpy.context
C.scene.view_settings.look = "Very High Contrast"
C.scene.display_settings.display_device = 'sRGB'
C.scene.cycles.device = 'GPU'
C.scene.cycles.samples = 32
C.scene.render.use_motion_blur = True
C.scene.cycles.motion_blur_position = 'CENTER'
C.scene.eevee.use_motion_blur = True
