"""3.x: a helper that fills a Principled BSDF from a table."""
import bpy

LOOKS = {
    "Glass": {"Base Color": (1, 1, 1, 1), "Roughness": 0.0, "Transmission": 1.0},
    "Skin": {"Base Color": (0.8, 0.5, 0.4, 1), "Subsurface": 0.2, "Specular": 0.3},
    "Car": {"Base Color": (0.6, 0.0, 0.0, 1), "Metallic": 0.8, "Clearcoat": 1.0, "Clearcoat Roughness": 0.1},
}


def material(name, look):
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    bsdf = mat.node_tree.nodes["Principled BSDF"]
    for key, value in look.items():
        bsdf.inputs[key].default_value = value
    return mat


for i, (name, look) in enumerate(LOOKS.items()):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.8, location=(2 * i, 0, 1))
    ball = bpy.context.active_object
    ball.data.materials.append(material(name, look))
    bpy.ops.object.shade_smooth()
