import bpy

cube = bpy.data.objects["Cube"]
cube["look"] = 0.0
cube.id_properties_ui("look").update(**{"min": -1.0, "max": 1.0})
