"""4.5: a bump with its default distance, and a brush setting."""
import bpy

ts = bpy.context.scene.tool_settings
ts.unified_paint_settings.use_unified_size = True
ts.unified_paint_settings.size = 40
m = bpy.data.materials["Material"]
nt = m.node_tree
noise = nt.nodes.new("ShaderNodeTexNoise")
bump = nt.nodes.new("ShaderNodeBump")
nt.links.new(noise.outputs["Fac"], bump.inputs["Height"])
nt.links.new(bump.outputs["Normal"], nt.nodes["Principled BSDF"].inputs["Normal"])
