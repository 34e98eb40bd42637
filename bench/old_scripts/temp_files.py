import bpy
import os
import tempfile
tmp = tempfile.gettempdir()
def export(path):
    bpy.ops.export_scene.obj(
        filepath=path, check_existing=False, use_selection=False, use_edges=True, use_normals=True,
        use_uvs=True, use_triangles=True, path_mode='AUTO', global_scale=1.0, keep_vertex_order=True)
    bpy.ops.export_scene.gltf(filepath=path.replace('.obj', '.glb'), export_format='GLB', export_selected=True, export_apply=True, export_colors=True)
    bpy.ops.export_scene.fbx(filepath=path.replace('.obj', '.fbx'), use_selection=True, version='BIN7400', axis_forward='-Z', axis_up='Y', bake_space_transform=True)
    bpy.ops.wm.collada_export(filepath=path.replace('.obj', '.dae'), selected=True)
export(os.path.join(tmp, 'x.obj'))
