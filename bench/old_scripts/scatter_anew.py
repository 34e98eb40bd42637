import bpy, math, random
# delete everything
for obj in bpy.data.objects:
    obj.select = True
bpy.ops.object.delete()
def add_sphere(loc, rad):
    bpy.ops.mesh.primitive_uv_sphere_add(segments=16, ring_count=8, size=rad, location=loc)
    ob = bpy.context.object
    bpy.ops.object.shade_smooth()
    mat = bpy.data.materials.new('m')
    mat.diffuse_color = (random.random(), random.random(), random.random())
    mat.specular_hardness = 20
    ob.data.materials.append(mat)
    return ob
balls = [add_sphere((math.sin(i), math.cos(i), i / 5.0), .2) for i in range(5)]
bpy.context.scene.objects.active = balls[0]
for b in balls:
    b.select = True
bpy.ops.object.join()
