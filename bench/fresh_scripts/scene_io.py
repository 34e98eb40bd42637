"""2.79: export the selection to obj and stl in the temp folder and read it back. Right: files are written, obj comes back."""
import bpy, os, tempfile
d = tempfile.mkdtemp()
bpy.ops.object.select_all(action='DESELECT')
ob = bpy.data.objects['Cube']
ob.select = True
bpy.context.scene.objects.active = ob
p = os.path.join(d, "cube.obj")
bpy.ops.export_scene.obj(filepath=p, use_selection=True, axis_forward='-Z', axis_up='Y', use_materials=True, use_mesh_modifiers=True, path_mode='COPY')
bpy.ops.export_mesh.stl(filepath=os.path.join(d, "cube.stl"), use_selection=True, global_scale=10, ascii=True)
bpy.ops.export_mesh.ply(filepath=os.path.join(d, "cube.ply"), use_mesh_modifiers=True, use_normals=True, use_colors=True)
bpy.ops.import_scene.obj(filepath=p, axis_forward='-Z', axis_up='Y', use_split_objects=True)
got = bpy.context.selected_objects[0]
got.name = "Back"
got.location.x += 3
print(sorted(os.listdir(d)))
