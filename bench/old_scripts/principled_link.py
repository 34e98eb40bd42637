"""3.x: texture into emission, specular tint"""
import bpy
def make(name):
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    nt = mat.node_tree
    bsdf = nt.nodes.get("Principled BSDF")
    tex = nt.nodes.new("ShaderNodeTexVoronoi")
    ramp = nt.nodes.new("ShaderNodeValToRGB")
    nt.links.new(tex.outputs["Distance"], ramp.inputs["Fac"])
    nt.links.new(ramp.outputs["Color"], bsdf.inputs["Emission"])
    bsdf.inputs["Emission Strength"].default_value = 3
    bsdf.inputs["Specular Tint"].default_value = 0.5
    bsdf.inputs['Alpha'].default_value = .5
    mat.blend_method = 'BLEND'
    mat.shadow_method = 'HASHED'
    return mat
bpy.context.object.data.materials.append(make("Web"))
