"""What a user sets."""

import bpy

CURVES = {"SLOW": 2.0, "FAST": 0.5}


def curve_items(_self, _context):
    return [(name, name.title(), "") for name in CURVES]


def on_heat(self, _context):
    self.minutes = self.heat * CURVES[self.curve]


def clay_of(self):
    return self["grog"] * 2 if "grog" in self else 1


class KilnSettings(bpy.types.PropertyGroup):
    curve: bpy.props.EnumProperty(items=curve_items)
    heat: bpy.props.FloatProperty(default=20.0, update=on_heat)
    minutes: bpy.props.FloatProperty()
    clay: bpy.props.IntProperty(get=clay_of)


CLASSES = (KilnSettings,)
