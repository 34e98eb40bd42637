# Moves the cube, and forgets where vectors come from.
import bpy
from mathutils import Vector

bpy.data.objects["Cube"].location = Vector((0, 0, 2))
