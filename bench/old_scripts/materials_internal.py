"""2.7x: internal render materials"""
import bpy
def makeMaterial(name, diffuse, specular, alpha):
    mat = bpy.data.materials.new(name)
    mat.diffuse_color = diffuse
    mat.diffuse_shader = 'LAMBERT'
    mat.diffuse_intensity = 1.0
    mat.specular_color = specular
    mat.specular_shader = 'COOKTORR'
    mat.specular_intensity = 0.5
    mat.alpha = alpha
    mat.ambient = 1
    return mat
def setMaterial(ob, mat):
    me = ob.data
    me.materials.append(mat)
red = makeMaterial('Red', (1,0,0), (1,1,1), 1)
blue = makeMaterial('BlueSemi', (0,0,1), (0.5,0.5,0), 0.5)
bpy.ops.mesh.primitive_uv_sphere_add(location=(0,0,0))
setMaterial(bpy.context.object, red)
bpy.context.scene.world.horizon_color = (.2, .3, .4)
bpy.context.scene.world.light_settings.use_ambient_occlusion = True
bpy.context.scene.render.engine = 'BLENDER_RENDER'
