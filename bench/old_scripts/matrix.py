"""2.7x: maths"""
import bpy
from mathutils import *
from math import *
ob = bpy.context.object
mw = ob.matrix_world
top = [mw * v.co for v in ob.data.vertices if (mw * v.co).z > 0]
rot = Matrix.Rotation(radians(45), 4, 'Z')
ob.matrix_world = rot * mw
q = Quaternion((1, 0, 0), .5) * Quaternion((0, 1, 0), .5)
n = ob.matrix_world.to_3x3().inverted().transposed() * ob.data.polygons[0].normal
d = (top[0] - top[1]).length * 2
m3 = mw.inverted() * rot * Matrix.Translation((0, 0, 1))
