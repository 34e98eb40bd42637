import bpy

size = 2
bpy.ops.mesh.primitive_cube_add(
    radius=1.5,  # half an edge
    view_align=False,
    location=(0, 0, 0),
    layers=(True,) + (False,) * 19,
)
bpy.ops.mesh.primitive_plane_add(radius=size)
bpy.ops.mesh.primitive_uv_sphere_add(size=1)
bpy.ops.transform.resize(value=(2, 2, 2), constraint_orientation="GLOBAL")
bpy.ops.wm.obj_export(filepath="out.obj", use_selection=True, axis_forward="-Z", axis_up="Y", use_edges=True)
