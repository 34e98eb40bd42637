"""4.0: a shader group through the interface, with a sky."""
import bpy

g = bpy.data.node_groups.new("Coat", 'ShaderNodeTree')
g.interface.new_socket("Color", in_out='INPUT', socket_type='NodeSocketColor')
g.interface.new_socket("Shader", in_out='OUTPUT', socket_type='NodeSocketShader')
gi = g.nodes.new('NodeGroupInput')
go = g.nodes.new('NodeGroupOutput')
p = g.nodes.new('ShaderNodeBsdfPrincipled')
g.links.new(gi.outputs[0], p.inputs['Base Color'])
g.links.new(p.outputs[0], go.inputs[0])
world = bpy.data.worlds.new("Sky")
world.use_nodes = True
sky = world.node_tree.nodes.new('ShaderNodeTexSky')
sky.sky_type = 'NISHITA'
sky.dust_density = 2.0
world.node_tree.links.new(sky.outputs[0], world.node_tree.nodes['Background'].inputs[0])
bpy.context.scene.world = world
bpy.context.scene.render.engine = 'BLENDER_EEVEE_NEXT'
