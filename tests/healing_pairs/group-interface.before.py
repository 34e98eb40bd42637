import bpy

group = bpy.data.node_groups.new("Group", "ShaderNodeTree")
group.inputs.new("NodeSocketFloatFactor", "Amount")
group.outputs.new(type="NodeSocketColor", name="Result")
