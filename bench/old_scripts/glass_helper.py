import bpy
def new_glass(name="Glass", rough=0.0, ior=1.45):
    m = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    m.use_nodes = True
    m.blend_method = "HASHED"
    m.shadow_method = "NONE"
    m.use_screen_refraction = True
    m.refraction_depth = 0.01
    p = next(n for n in m.node_tree.nodes if n.type == "BSDF_PRINCIPLED")
    p.inputs["Transmission"].default_value = 1.0
    p.inputs["Transmission Roughness"].default_value = rough
    p.inputs["IOR"].default_value = ior
    p.inputs["Specular"].default_value = 0.5
    p.inputs["Clearcoat"].default_value = 0.3
    p.inputs["Emission"].default_value = (0, 0, 0, 1)
    return m
bpy.ops.mesh.primitive_monkey_add(size=2, enter_editmode=False, align='WORLD', location=(0, 0, 0), scale=(1, 1, 1))
bpy.context.object.data.materials.append(new_glass())
bpy.context.object.data.use_auto_smooth = True
bpy.context.scene.eevee.use_ssr = True
bpy.context.scene.eevee.use_ssr_refraction = True
bpy.context.scene.eevee.use_bloom = True
