"""3.x: measures a text and makes a plane of its size."""
import blf
import bpy

font_id = 0
blf.size(font_id, 48, 72)
w, h = blf.dimensions(font_id, "Label")
bpy.ops.mesh.primitive_plane_add(size=1)
plane = bpy.context.object
plane.name = "Label"
plane.scale = (max(w, 1) / 50, max(h, 1) / 50, 1)
mat = bpy.data.materials.new("Paper")
mat.diffuse_color = (1, 0.2, 0.1, 1)
plane.data.materials.append(mat)
