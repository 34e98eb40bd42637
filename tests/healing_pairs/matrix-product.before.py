import bpy
from mathutils import Matrix, Vector

cube = bpy.data.objects["Cube"]
turn = Matrix.Rotation(0.5, 4, "Z")
cube.matrix_world = cube.matrix_world * turn
points = [cube.matrix_world * vertex.co for vertex in cube.data.vertices]
far = turn * Vector((1, 0, 0))
half = far * 0.5


def to_world(co):
    return cube.matrix_world * co


print(to_world(far))
