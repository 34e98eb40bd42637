import bpy

tree = bpy.data.node_groups.new("Comp", "CompositorNodeTree")
layers = tree.nodes.new("CompositorNodeRLayers")
if not tree.interface.items_tree:
    tree.interface.new_socket(name="Image", in_out="OUTPUT", socket_type="NodeSocketColor")
composite = tree.nodes.new(type="NodeGroupOutput")
composite.location = (400, 0)
tree.links.new(layers.outputs["Image"], composite.inputs["Image"])
