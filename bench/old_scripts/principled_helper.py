"""3.x: sockets set inside a helper that is handed the node."""
import bpy


def polish(node, strength):
    node.inputs["Sheen"].default_value = strength
    node.inputs["Clearcoat"].default_value = 1.0
    node.inputs["Specular"].default_value = 0.5


mat = bpy.data.materials.new("Velvet")
mat.use_nodes = True
for node in mat.node_tree.nodes:
    if node.type == 'BSDF_PRINCIPLED':
        polish(node, 0.7)
bpy.data.objects["Cube"].data.materials.append(mat)
