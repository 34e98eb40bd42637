"""2.9x: a colour strip and a title with a cross."""
import bpy

scene = bpy.context.scene
if not scene.sequence_editor:
    scene.sequence_editor_create()
seq = scene.sequence_editor.sequences
bg = seq.new_effect(name="Back", type='COLOR', channel=1, frame_start=1, frame_end=60)
bg.color = (0.1, 0.1, 0.3)
fg = seq.new_effect(name="Front", type='COLOR', channel=2, frame_start=40, frame_end=100)
fg.color = (0.6, 0.1, 0.1)
cross = seq.new_effect(name="Cross", type='CROSS', channel=3, frame_start=40, frame_end=60, seq1=bg, seq2=fg)
title = seq.new_effect(name="Title", type='TEXT', channel=4, frame_start=1, frame_end=50)
title.text = "Hello"
title.font_size = 80
title.align_x = 'CENTER'
title.location[1] = 0.5
for s in scene.sequence_editor.sequences_all:
    s.blend_alpha = 0.9
scene.render.image_settings.file_format = 'FFMPEG'
scene.render.ffmpeg.format = 'MPEG4'
