import bpy

size = 2
bpy.ops.mesh.primitive_cube_add(
    size=3,  # half an edge
    location=(0, 0, 0),
)
bpy.ops.mesh.primitive_plane_add(size=2 * size)
bpy.ops.mesh.primitive_uv_sphere_add(radius=1)
bpy.ops.transform.resize(value=(2, 2, 2), orient_type="GLOBAL")
bpy.ops.wm.obj_export(filepath="out.obj", export_selected_objects=True, forward_axis="NEGATIVE_Z", up_axis="Y")
