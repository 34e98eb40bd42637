import bmesh
import bpy

image = bpy.data.images.new("Sign", 8, 8)
image.pack(as_png=True)
timer = bpy.context.window_manager.event_timer_add(0.1, bpy.context.window)
bpy.data.meshes["Cube"].update(calc_edges=True, calc_tessface=True)
mesh = bpy.data.meshes.new("Mesh")
mesh.materials.append(bpy.data.materials.new("Paint"))
mesh.materials.pop(index=0, update_data=True)
bm = bmesh.new()
bmesh.ops.create_cone(bm, segments=8, diameter1=1, diameter2=0.5, depth=2)
bmesh.ops.create_icosphere(bm, subdivisions=2, diameter=1)
bmesh.ops.bevel(bm, geom=bm.edges[:], offset=0.01, vertex_only=False)
bm.to_mesh(mesh)
