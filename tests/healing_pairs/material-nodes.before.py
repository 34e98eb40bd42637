import bpy

lamp = bpy.data.lights.new("Lamp", "POINT")
lamp.node_tree.nodes["Emission"].inputs["Strength"].default_value = 2
