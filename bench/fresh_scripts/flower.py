"""2.77: petals by rotation with a material per petal; joined. Right: one joined object with coloured slots, parented to an empty."""
import bpy
from mathutils import Matrix, Vector
from math import radians

scene = bpy.context.scene
bpy.ops.object.select_all(action='DESELECT')
petals = []
for i in range(8):
    bpy.ops.mesh.primitive_uv_sphere_add(segments=16, ring_count=8, size=.5, location=(1, 0, 0))
    p = bpy.context.object
    p.scale = (1, .4, .1)
    p.matrix_world = Matrix.Rotation(radians(45 * i), 4, 'Z') * p.matrix_world
    m = bpy.data.materials.new("Petal%d" % i)
    m.diffuse_color = (1, i / 8.0, .3)
    m.diffuse_shader = 'LAMBERT'
    m.specular_color = (1, 1, 1)
    p.data.materials.append(m)
    petals.append(p)
for p in petals:
    p.select = True
scene.objects.active = petals[0]
bpy.ops.object.join()
flower = scene.objects.active
flower.name = "Flower"
bpy.ops.object.empty_add(type='SPHERE', radius=.5)
holder = bpy.context.object
holder.empty_draw_size = 2
flower.parent = holder
bpy.context.scene.update()
print(flower.matrix_world.to_translation() * flower.matrix_world)
