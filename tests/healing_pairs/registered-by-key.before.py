import bpy

bpy.types.Object.floors = bpy.props.IntProperty(default=1)
house = bpy.data.objects["Cube"]
house["floors"] = 4
print(house.get("floors", 0), house["floors"])
