"""3.x: linear keys"""
import bpy
def linear(obj):
    if obj.animation_data and obj.animation_data.action:
        for fcurve in obj.animation_data.action.fcurves:
            for kf in fcurve.keyframe_points:
                kf.interpolation = 'LINEAR'
cube = bpy.data.objects["Cube"]
for f, z in [(1, 0), (60, 6.28)]:
    cube.rotation_euler.z = z
    cube.keyframe_insert(data_path="rotation_euler", frame=f)
linear(cube)
action = cube.animation_data.action
fc = action.fcurves.find("rotation_euler", index=2)
print(len(action.fcurves), fc.evaluate(30))
mat = bpy.data.materials["Material"]
mat.node_tree.nodes["Principled BSDF"].inputs[0].keyframe_insert("default_value", frame=1)
for fc in mat.node_tree.animation_data.action.fcurves:
    print(fc.data_path)
