"""3.x: shader helper in a class"""
import bpy
D = bpy.data
class Mat:
    def __init__(self, name, **kw):
        self.m = D.materials.new(name)
        self.m.use_nodes = True
        self.bsdf = self.m.node_tree.nodes.get('Principled BSDF')
        for k, v in kw.items():
            self.bsdf.inputs[k.replace('_', ' ').title()].default_value = v
Mat('Gold', metallic=1.0, roughness=.2, specular=.7)
Mat('Wax', subsurface=.4, clearcoat=.2)
