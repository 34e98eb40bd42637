import bpy

scene = bpy.data.scenes.new("Second")
bpy.context.scene = scene
assert bpy.context.scene.name == "Second"
