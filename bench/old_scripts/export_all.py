"""3.x: export the scene as OBJ, STL and PLY."""
import os

import bpy

folder = os.getcwd()
bpy.ops.object.select_all(action='SELECT')
bpy.ops.export_scene.obj(filepath=os.path.join(folder, "a.obj"), use_selection=True, use_mesh_modifiers=True,
                         use_materials=False, axis_forward='-Z', axis_up='Y', use_triangles=True)
bpy.ops.export_mesh.stl(filepath=os.path.join(folder, "a.stl"), use_selection=True, ascii=True)
bpy.ops.export_mesh.ply(filepath=os.path.join(folder, "a.ply"), use_normals=True)
bpy.ops.import_scene.obj(filepath=os.path.join(folder, "a.obj"))
