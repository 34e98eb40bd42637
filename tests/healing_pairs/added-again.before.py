import bpy

cube = bpy.data.objects["Cube"]
bevel = cube.modifiers.new("Bevel", "BEVEL")
bevel.width = 0.1
bpy.ops.object.modifier_add(type="SUBSURF")
cube.constraints.new("LIMIT_SCALE").max_x = 2
cube.vertex_groups.new(name="All")
cube.shape_key_add(name="Basis")
up = cube.shape_key_add(name="Up")
nodes = cube.active_material.node_tree.nodes
noise = nodes.new("ShaderNodeTexNoise")
bpy.context.scene.timeline_markers.new("Hit", frame=4)
