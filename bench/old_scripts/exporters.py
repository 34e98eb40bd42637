"""3.x: exporters"""
import bpy, os, tempfile
out = tempfile.mkdtemp()
bpy.ops.object.select_all(action='DESELECT')
bpy.data.objects['Cube'].select_set(True)
bpy.ops.export_scene.obj(filepath=os.path.join(out, 'a.obj'), use_selection=True, use_materials=False, axis_forward='-Z', axis_up='Y')
bpy.ops.export_mesh.stl(filepath=os.path.join(out, "a.stl"), use_selection=True, ascii=False, use_mesh_modifiers=True, global_scale=1.0)
bpy.ops.export_mesh.ply(filepath=os.path.join(out, "a.ply"), use_selection=True, use_normals=True)
bpy.ops.import_mesh.stl(filepath=os.path.join(out, "a.stl"))
bpy.ops.import_scene.obj(filepath=os.path.join(out, 'a.obj'), axis_forward='-Z', axis_up='Y')
