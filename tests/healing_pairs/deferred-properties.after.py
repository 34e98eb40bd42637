import typing

import bpy


class ShedColors(bpy.types.PropertyGroup):
    name: bpy.props.StringProperty()


class ShedSettings(bpy.types.PropertyGroup):
    colors: bpy.props.PointerProperty(type=ShedColors)


def dependencies(cls):
    for value in typing.get_type_hints(cls, {}, {}).values():
        if isinstance(value, bpy.props._PropertyDeferred):
            if value.function in (bpy.props.PointerProperty, bpy.props.CollectionProperty):
                yield value.keywords["type"]


for cls in (*dependencies(ShedSettings), ShedSettings):
    bpy.utils.register_class(cls)
