import bpy

hit = bpy.context.scene.ray_cast(bpy.context.evaluated_depsgraph_get(), (0, 0, 10), (0, 0, -1))
print(hit[0])
