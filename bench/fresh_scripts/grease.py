"""2.92: grease pencil strokes with layer and material. Right: pencil object with one layer, two strokes and 16 points each."""
import bpy, math
gpd = bpy.data.grease_pencils.new("Draw")
ob = bpy.data.objects.new("Draw", gpd)
bpy.context.collection.objects.link(ob)
lay = gpd.layers.new("Lines", set_active=True)
fr = lay.frames.new(1)
mat = bpy.data.materials.new("Ink")
bpy.data.materials.create_gpencil_data(mat)
mat.grease_pencil.color = (.9, .1, .1, 1)
gpd.materials.append(mat)
for j in range(2):
    st = fr.strokes.new()
    st.display_mode = '3DSPACE'
    st.line_width = 60
    st.material_index = 0
    st.points.add(count=16)
    for i in range(16):
        a = math.pi * 2 * i / 15
        st.points[i].co = (math.cos(a) * (j + 1), 0, math.sin(a) * (j + 1))
        st.points[i].pressure = 1.0
        st.points[i].strength = .8
