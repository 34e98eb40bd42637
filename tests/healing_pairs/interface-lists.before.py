import bpy

group = bpy.data.node_groups.new("Scatter", "GeometryNodeTree")
group.inputs.new("NodeSocketFloat", "Density")
group.inputs["Density"].default_value = 5
group.inputs[0].min_value = 0
print(len(group.outputs))
