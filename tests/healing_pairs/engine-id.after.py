import bpy

scene = bpy.context.scene
scene.render.engine = "BLENDER_EEVEE"  # fast
if scene.render.engine == "BLENDER_EEVEE":
    print("old")
