import bpy
from mathutils import Matrix, Vector
ob = bpy.data.objects['Cube']
me = ob.data
mat_loc = Matrix.Translation((2, 0, 0))
mat_sca = Matrix.Scale(.5, 4, (0, 0, 1))
mat_rot = Matrix.Rotation(1, 4, 'X')
mat_out = mat_loc * mat_rot * mat_sca
ob.matrix_world = mat_out * ob.matrix_world
for v in me.vertices:
    world = ob.matrix_world * v.co
    v.co = ob.matrix_world.inverted() * world
face_normals = [ob.matrix_world.to_3x3() * p.normal for p in me.polygons]
def to_local(o, vec):
    return o.matrix_world.inverted() * vec
print(to_local(ob, Vector((1, 2, 3))))
