"""passed: removes what it made, and makes it again."""

import bpy

for name in ('Ball', 'Text'):
    if name in bpy.data.objects:
        bpy.data.objects.remove(bpy.data.objects[name], do_unlink=True)
bpy.ops.mesh.primitive_uv_sphere_add(location=(3, 0, 0))
ball = bpy.context.object
ball.name = ball.data.name = 'Ball'
material = bpy.data.materials.get('Red') or bpy.data.materials.new('Red')
material.diffuse_color = (1, 0, 0, 1)
ball.data.materials.append(material)
group = ball.vertex_groups.new(name='All')
group.add(range(len(ball.data.vertices)), 0.5, 'REPLACE')
ball.keyframe_insert('location', frame=10)
bpy.ops.object.text_add(location=(0, 3, 0))
bpy.context.object.name = 'Text'
