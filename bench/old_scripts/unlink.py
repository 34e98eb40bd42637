"""2.7x: cleaning up a scene"""
import bpy
sce = bpy.context.scene
for o in list(sce.objects):
    if o.type in ('MESH', 'LAMP'):
        sce.objects.unlink(o)
        bpy.data.objects.remove(o)
for m in bpy.data.meshes:
    m.user_clear()
    bpy.data.meshes.remove(m)
lampdata = bpy.data.lamps.new("Key", 'HEMI')
lampdata.energy = .8
lamp = bpy.data.objects.new("Key", lampdata)
sce.objects.link(lamp)
bpy.ops.mesh.primitive_uv_sphere_add(size=2, view_align=False, location=(0, 0, 1), layers=(True, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False))
bpy.context.scene.objects.active.draw_type = 'SOLID'
