import bpy


class Shed(bpy.types.PropertyGroup):
    width: bpy.props.FloatProperty(default=2.0)
    height: bpy.props.FloatProperty(default=width[1]["default"])
    defaults = {"width": width[1]["default"], "all": [width, height]}


bpy.utils.register_class(Shed)
print(Shed.defaults)
