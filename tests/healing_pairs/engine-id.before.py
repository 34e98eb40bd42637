import bpy

scene = bpy.context.scene
scene.render.engine = "BLENDER_EEVEE_NEXT"  # fast
if scene.render.engine == "BLENDER_RENDER":
    print("old")
