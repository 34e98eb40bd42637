import bpy
# toon
mat = bpy.data.materials.new('Toon')
mat.use_nodes = True
tree = mat.node_tree
for node in list(tree.nodes):
    tree.nodes.remove(node)
nodes = {}
for name, kind in (('diff', 'ShaderNodeBsdfDiffuse'), ('rgb', 'ShaderNodeShaderToRGB'), ('ramp', 'ShaderNodeValToRGB'), ('sep', 'ShaderNodeSeparateHSV'), ('comb', 'ShaderNodeCombineHSV'), ('out', 'ShaderNodeOutputMaterial')):
    nodes[name] = tree.nodes.new(kind)
tree.links.new(nodes['diff'].outputs['BSDF'], nodes['rgb'].inputs['Shader'])
tree.links.new(nodes['rgb'].outputs['Color'], nodes['sep'].inputs['Color'])
tree.links.new(nodes['sep'].outputs['H'], nodes['comb'].inputs['H'])
tree.links.new(nodes['sep'].outputs['V'], nodes['comb'].inputs['V'])
tree.links.new(nodes['comb'].outputs['Color'], nodes['ramp'].inputs['Fac'])
tree.links.new(nodes['ramp'].outputs['Color'], nodes['out'].inputs['Surface'])
nodes['ramp'].color_ramp.elements[0].color = (0, 0, 0)
