"""2.7x: objects on layers, the scene shows two."""
import bpy

scn = bpy.context.scene
scn.layers[0] = True
scn.layers[1] = True
for i in range(3):
    bpy.ops.mesh.primitive_torus_add(location=(i * 3, 0, 0), major_radius=1, minor_radius=0.25,
                                     layers=[j == i for j in range(20)])
bpy.ops.object.select_by_layer(layers=1)
bpy.ops.object.select_all(action='DESELECT')
bpy.ops.object.select_pattern(pattern="Torus*")
for ob in bpy.context.selected_objects:
    ob.layers[5] = True
