import bpy

cube = bpy.data.objects["Cube"]
cube["look"] = 0.0
cube["_RNA_UI"] = {"look": {"min": -1.0, "max": 1.0}}
