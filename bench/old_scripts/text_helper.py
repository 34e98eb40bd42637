import bpy
def text(body, loc=(0, 0, 0)):
    bpy.ops.object.text_add(view_align=False, enter_editmode=False, location=loc, layers=[True] + [False] * 19)
    t = bpy.context.object
    t.data.body = body
    t.data.align = 'CENTER'
    t.data.extrude = .1
    t.data.bevel_depth = .02
    t.data.use_fill_deform = True
    bpy.ops.object.convert(target='MESH', keep_original=False)
    bpy.ops.object.transform_apply(location=True, rotation=True, scale=True)
    t.modifiers.new('rm', 'REMESH').mode = 'SHARP'
    return t
text('Blender')
bpy.ops.object.camera_add(view_align=True, enter_editmode=False, location=(0, 0, 20), rotation=(0, 0, 0))
bpy.context.scene.camera = bpy.context.object
bpy.context.object.data.draw_size = 3
bpy.ops.mesh.primitive_torus_add(rotation=(0, 0, 0), view_align=False, major_radius=2, minor_radius=.3)
bpy.ops.mesh.primitive_cone_add(radius1=1, radius2=0, depth=2, view_align=False, end_fill_type='NGON')
