# Moves the cube, and forgets where vectors come from.
import bpy

bpy.data.objects["Cube"].location = Vector((0, 0, 2))
