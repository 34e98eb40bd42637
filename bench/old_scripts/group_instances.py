"""2.7x: a group and an empty that instances it."""
import bpy

scene = bpy.context.scene
group = bpy.data.groups.new("Trees")
bpy.ops.mesh.primitive_uv_sphere_add(size=0.5, location=(3, 0, 0))
group.objects.link(bpy.context.object)
empty = bpy.data.objects.new("TreesHere", None)
empty.dupli_type = 'GROUP'
empty.dupli_group = group
scene.objects.link(empty)
empty.location = (0, 3, 0)
