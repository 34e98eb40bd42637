"""2.7x: trees in a group, instanced by empties."""
import bpy
import random

random.seed(3)
trees = bpy.data.groups.new("Trees")
bpy.ops.mesh.primitive_cone_add(radius1=1, radius2=0, depth=3, location=(0, 0, 20))
tree = bpy.context.object
trees.objects.link(tree)
for i in range(12):
    e = bpy.data.objects.new("Tree.%d" % i, None)
    e.dupli_type = 'GROUP'
    e.dupli_group = trees
    e.location = (random.uniform(-9, 9), random.uniform(-9, 9), -20)
    bpy.context.scene.objects.link(e)
