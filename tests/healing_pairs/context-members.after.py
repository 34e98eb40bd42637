import bpy

scene = bpy.data.scenes.new("Second")
bpy.context.window.scene = scene
assert bpy.context.scene.name == "Second"
