"""2.8x: sky"""
import bpy
w = bpy.context.scene.world
w.use_nodes = True
nt = w.node_tree
bg = nt.nodes['Background']
sky = nt.nodes.new('ShaderNodeTexSky')
sky.sky_type = 'NISHITA'
sky.sun_elevation = .3
sky.dust_density = 2
sky.air_density = 1
nt.links.new(sky.outputs[0], bg.inputs[0])
env = nt.nodes.new('ShaderNodeTexEnvironment')
env.projection = 'EQUIRECTANGULAR'
