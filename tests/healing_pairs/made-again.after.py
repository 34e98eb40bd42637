import bpy

# What the last run of this script made is removed, so that it can be run again. Nothing else is marked.
made_by_this = "made_by_b54bc149"
for one in [*bpy.data.meshes, *bpy.data.curves]:
    for index, material in reversed([*enumerate(one.materials)]):
        if material and material.get(made_by_this):
            one.materials.pop(index=index)
bpy.data.batch_remove([one for one in bpy.data.user_map() if one.get(made_by_this)])
there_before = {one.as_pointer() for one in bpy.data.user_map()}

mesh = bpy.data.meshes.new("Tri")
mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
red = bpy.data.materials.new("Red")
mesh.materials.append(red)
for x in range(3):
    thing = bpy.data.objects.new("Tri", mesh)
    thing.location.x = x
    bpy.context.collection.objects.link(thing)
bpy.data.objects["Cube"].data.materials.append(red)

for one in bpy.data.user_map():
    if one.as_pointer() not in there_before and not one.library:
        one[made_by_this] = True
