"""2.93: slideshow in the sequencer with colour strips, cross, text. Right: same strips, channels and lengths."""
import bpy
sc = bpy.context.scene
if not sc.sequence_editor:
    sc.sequence_editor_create()
seq = sc.sequence_editor
strips = []
for i, c in enumerate([(1, 0, 0), (0, 1, 0), (0, 0, 1)]):
    s = seq.sequences.new_effect(name="Slide%d" % i, type='COLOR', channel=1 + i % 2, frame_start=1 + i * 40, frame_end=1 + i * 40 + 50)
    s.color = c
    s.blend_type = 'ALPHA_OVER'
    strips.append(s)
for a, b in zip(strips, strips[1:]):
    x = seq.sequences.new_effect(name="X", type='GAMMA_CROSS', channel=5, frame_start=b.frame_final_start, frame_end=a.frame_final_end, seq1=a, seq2=b)
t = seq.sequences.new_effect("Title", 'TEXT', 6, 1, frame_end=60)
t.text = "Holiday"
t.font_size = 60
t.location = (.5, .2)
t.align_x = 'CENTER'
t.align_y = 'BOTTOM'
t.use_shadow = True
for s in seq.sequences_all:
    print(s.name, s.frame_start, s.frame_still_start if hasattr(s, "frame_still_start") else 0)
sc.frame_end = max(s.frame_final_end for s in seq.sequences_all)
sc.render.image_settings.file_format = 'FFMPEG'
sc.render.ffmpeg.format = 'MPEG4'
sc.render.ffmpeg.codec = 'H264'
