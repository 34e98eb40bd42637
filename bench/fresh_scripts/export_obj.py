"""2.7x: exports what is selected."""
import bpy
import os

out = os.path.join(bpy.app.tempdir, "cube.obj")
bpy.ops.object.select_all(action='DESELECT')
bpy.data.objects['Cube'].select = True
bpy.ops.export_scene.obj(filepath=out, check_existing=False, axis_forward='-Z', axis_up='Y', use_selection=True,
                         use_mesh_modifiers=True, use_materials=False, keep_vertex_order=True, global_scale=1)
bpy.ops.import_scene.obj(filepath=out, axis_forward='-Z', axis_up='Y')
bpy.context.selected_objects[0].name = "Again"
