import bmesh
import bpy

image = bpy.data.images.new("Sign", 8, 8)
image.pack()
timer = bpy.context.window_manager.event_timer_add(0.1, window=bpy.context.window)
bpy.data.meshes["Cube"].update(calc_edges=True)
mesh = bpy.data.meshes.new("Mesh")
mesh.materials.append(bpy.data.materials.new("Paint"))
mesh.materials.pop(index=0)
bm = bmesh.new()
bmesh.ops.create_cone(bm, segments=8, radius1=1, radius2=0.5, depth=2)
bmesh.ops.create_icosphere(bm, subdivisions=2, radius=1)
bmesh.ops.bevel(bm, geom=bm.edges[:], offset=0.01, affect='EDGES')
bm.to_mesh(mesh)
