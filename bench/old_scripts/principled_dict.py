"""3.x: settings from a dict"""
import bpy
SETTINGS = {
    "Base Color": (0.8, 0.1, 0.1, 1),
    "Specular": 0.3,
    "Sheen": 0.5,
    "Sheen Tint": 0.2,
    "Transmission": 0.9,
    "Transmission Roughness": 0.1,
    "Subsurface Radius": (1.0, .2, .1),
}
mat = bpy.data.materials.new(name="Velvet")
mat.use_nodes = True
principled = mat.node_tree.nodes["Principled BSDF"]
for key, val in SETTINGS.items():
    principled.inputs[key].default_value = val
