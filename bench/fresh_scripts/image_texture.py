"""2.76 cycles: generated image, environment texture, mapping node. Right: plane with image pixels, mapping scale 2, background strength."""
import bpy
sc = bpy.context.scene
sc.render.engine = 'CYCLES'
sc.cycles.samples = 16
sc.cycles.use_square_samples = False
sc.cycles.sample_clamp_indirect = 3
sc.cycles.film_transparent = False
sc.cycles.tile_x = 32
sc.render.tile_x = 256
sc.render.tile_y = 256
sc.cycles.device = 'CPU'
img = bpy.data.images.new("Check", 64, 64)
px = []
for y in range(64):
    for x in range(64):
        v = ((x // 8) + (y // 8)) % 2
        px += [v, v, v, 1.0]
img.pixels = px
m = bpy.data.materials.new("Floor")
m.use_nodes = True
nodes, links = m.node_tree.nodes, m.node_tree.links
diff = nodes.get("Diffuse BSDF")
if diff is None:
    diff = nodes.new("ShaderNodeBsdfDiffuse")
tex = nodes.new("ShaderNodeTexImage")
tex.image = img
tex.color_space = 'COLOR'
mp = nodes.new("ShaderNodeMapping")
mp.vector_type = 'TEXTURE'
mp.scale = (2, 2, 1)
mp.rotation = (0, 0, .5)
tc = nodes.new("ShaderNodeTexCoord")
links.new(tc.outputs["UV"], mp.inputs["Vector"])
links.new(mp.outputs["Vector"], tex.inputs["Vector"])
links.new(tex.outputs["Color"], diff.inputs["Color"])
links.new(diff.outputs[0], nodes["Material Output"].inputs["Surface"])
bpy.ops.mesh.primitive_plane_add(radius=4)
bpy.context.object.data.materials.append(m)
sc.world.use_nodes = True
sc.world.node_tree.nodes["Background"].inputs["Strength"].default_value = .5
sc.world.cycles.sample_as_light = True
