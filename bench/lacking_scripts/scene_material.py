"""needs_scene: a material and a node of a name."""

import bpy

tree = bpy.data.materials["Skin"].node_tree
tree.nodes["Veins"].inputs["Scale"].default_value = 30
