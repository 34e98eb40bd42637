import bpy
s = bpy.context.scene
s.sequence_editor_create()
strips = s.sequence_editor.sequences
bg = strips.new_effect(name='bg', type='COLOR', channel=1, frame_start=1, frame_end=100)
bg.color = (0, 0, 1)
txt = strips.new_effect(name='txt', type='TEXT', channel=2, frame_start=10, frame_end=60)
txt.text = 'Hi'
txt.font_size = 80
txt.use_shadow = True
txt.align_x = 'LEFT'
gl = strips.new_effect(name='glow', type='GLOW', channel=3, frame_start=1, frame_end=100, seq1=bg)
gl.blend_type = 'ALPHA_OVER'
for st in s.sequence_editor.sequences_all:
    st.select = False
print(len(s.sequence_editor.sequences))
