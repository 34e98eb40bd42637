import bpy
me = bpy.data.meshes.new("plane")
verts = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
me.from_pydata(verts, [], [(0, 1, 2, 3)])
me.update(calc_edges=True)
me.uv_textures.new("UV")
me.uv_layers[0].data[0].uv = (0, 0)
me.vertex_colors.new("Col")
me.validate()
me.show_double_sided = True
me.calc_normals()
ob = bpy.data.objects.new("plane", me)
bpy.context.scene.objects.link(ob)
ob.draw_type = 'TEXTURED'
ob.show_transparent = True
ob.hide = False
ob.cycles_visibility.shadow = False
g = ob.vertex_groups.new("grp")
g.add([0, 1], 1, 'ADD')
bpy.context.scene.objects.active = ob
for p in me.polygons:
    p.use_smooth = True
ob.update_tag({'DATA'})
bpy.context.scene.update()
