"""Any era: three slips of the keyboard and a forgotten import."""
import bpy

cube = bpy.data.objects["Cube"]
cube.locaton = Vector((0, 0, 2))
cube.modifiers.new("Sub", 'SUBSRF')
bpy.ops.mesh.primitive_cone_add(vertces=8)
