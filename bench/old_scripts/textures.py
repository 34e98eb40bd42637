"""2.7x: texture slots"""
import bpy
mat = bpy.data.materials.new('TexMat')
tex = bpy.data.textures.new('Clouds', type='CLOUDS')
slot = mat.texture_slots.add()
slot.texture = tex
slot.texture_coords = 'ORCO'
