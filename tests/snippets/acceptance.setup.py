"""The scene before."""

import bpy

bpy.data.objects["Cube"].modifiers.new("Bevel", "BEVEL")
for name in ("Plinth", "Old"):
    made = bpy.data.objects.new(name, bpy.data.objects["Cube"].data.copy())
    made.location.x = 6
    bpy.context.scene.collection.objects.link(made)
for name in ("Draft", "Logo"):
    bpy.data.images.new(name, 8, 8).use_fake_user = True
