import bpy

cube = bpy.data.objects["Cube"]
bevel = cube.modifiers.get("Bevel") or cube.modifiers.new("Bevel", "BEVEL")
bevel.width = 0.1
if "Subdivision" not in bpy.context.object.modifiers:
    bpy.ops.object.modifier_add(type="SUBSURF")
(cube.constraints.get("Limit Scale") or cube.constraints.new("LIMIT_SCALE")).max_x = 2
if "All" not in cube.vertex_groups:
    cube.vertex_groups.new(name="All")
if not (cube.data.shape_keys and "Basis" in cube.data.shape_keys.key_blocks):
    cube.shape_key_add(name="Basis")
up = (cube.data.shape_keys and cube.data.shape_keys.key_blocks.get("Up")) or cube.shape_key_add(name="Up")
nodes = cube.active_material.node_tree.nodes
noise = nodes.get("Noise Texture") or nodes.new("ShaderNodeTexNoise")
if "Hit" not in bpy.context.scene.timeline_markers:
    bpy.context.scene.timeline_markers.new("Hit", frame=4)
