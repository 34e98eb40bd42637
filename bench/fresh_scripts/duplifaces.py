"""2.78: dupli verts on a circle, parent and dupli group, ray cast on an object. Right: instances on vertices, hit printed."""
import bpy
from mathutils import Vector
bpy.ops.mesh.primitive_circle_add(vertices=12, radius=4)
circ = bpy.context.object
bpy.ops.mesh.primitive_cone_add(radius1=.4, radius2=0, depth=1, location=(0, 0, 0))
cone = bpy.context.object
cone.parent = circ
circ.dupli_type = 'VERTS'
circ.use_dupli_vertices_rotation = True
grp = bpy.data.groups.new("Props")
grp.objects.link(bpy.data.objects["Cube"])
inst = bpy.data.objects.new("Inst", None)
inst.dupli_type = 'GROUP'
inst.dupli_group = grp
inst.location = 0, 6, 0
bpy.context.scene.objects.link(inst)
bpy.context.scene.update()
cube = bpy.data.objects["Cube"]
ok, loc, no, idx = cube.ray_cast(Vector((0, 0, 5)), Vector((0, 0, -1)))
print(ok, cube.matrix_world * loc)
res = bpy.context.scene.ray_cast(Vector((0, 0, 5)), Vector((0, 0, -1)))
print(res[0])
