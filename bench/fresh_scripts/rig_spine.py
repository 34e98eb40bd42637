"""3.3: spine of bones with layers, groups, stretch-to, custom properties on bones with limits, driven influence. Right: bones in collections, limits kept."""
import bpy
arm = bpy.data.armatures.new("Spine")
ob = bpy.data.objects.new("Spine", arm)
bpy.context.collection.objects.link(ob)
bpy.context.view_layer.objects.active = ob
bpy.ops.object.mode_set(mode='EDIT')
prev = None
for i in range(4):
    b = arm.edit_bones.new("spine.%03d" % i)
    b.head = (0, 0, i)
    b.tail = (0, 0, i + 1)
    b.use_inherit_scale = True
    b.layers = tuple(j == (i % 2) for j in range(32))
    if prev:
        b.parent = prev
        b.use_connect = True
    prev = b
bpy.ops.object.mode_set(mode='POSE')
arm.layers = [True, True] + [False] * 30
g = ob.pose.bone_groups.new(name="Torso")
g.color_set = 'THEME01'
for pb in ob.pose.bones:
    pb.bone_group = g
    pb.bone.select = True
last = ob.pose.bones["spine.003"]
last["follow"] = 1.0
ui = last.id_properties_ui("follow")
ui.update(min=0.0, max=1.0)
c = last.constraints.new('STRETCH_TO')
c.target = bpy.data.objects["Cube"]
c.rest_length = 1
d = c.driver_add("influence").driver
v = d.variables.new()
v.name = "f"
v.targets[0].id = ob
v.targets[0].data_path = 'pose.bones["spine.003"]["follow"]'
d.expression = "f"
ob.show_in_front = True
bpy.ops.object.mode_set(mode='OBJECT')
