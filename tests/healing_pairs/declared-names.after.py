import bpy


class Shed(bpy.types.PropertyGroup):
    width: bpy.props.FloatProperty(default=2.0)
    height: bpy.props.FloatProperty(default=__annotations__["width"].keywords["default"])
    defaults = {"width": __annotations__["width"].keywords["default"], "all": [__annotations__["width"], __annotations__["height"]]}


bpy.utils.register_class(Shed)
print(Shed.defaults)
