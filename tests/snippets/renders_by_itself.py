"""passed: renders an animation in EEVEE at full size to somebody's own folder; it gets small pictures in its own."""
import bpy

scene = bpy.context.scene
scene.render.engine = "BLENDER_EEVEE" if bpy.app.version >= (5, 0) or bpy.app.version < (4, 2) else "BLENDER_EEVEE_NEXT"
scene.render.resolution_x, scene.render.resolution_y = 3840, 2160
scene.render.filepath = "/home/somebody/renders/frame_"
scene.frame_end = 5000
bpy.ops.render.render(animation=True)
assert (scene.render.resolution_percentage, scene.frame_end) == (100, 5000)
