import bpy

hit = bpy.context.scene.ray_cast((0, 0, 10), (0, 0, -1))
print(hit[0])
