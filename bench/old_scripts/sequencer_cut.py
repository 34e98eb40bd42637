"""3.x: sequencer"""
import bpy
scene = bpy.context.scene
if not scene.sequence_editor:
    scene.sequence_editor_create()
seq = scene.sequence_editor.sequences
c1 = seq.new_effect(name="c1", type='COLOR', channel=1, frame_start=1, frame_end=50)
c1.color = (1, 0, 0)
c2 = seq.new_effect("c2", 'COLOR', 2, 40, frame_end=90)
x = seq.new_effect(name="x", type='CROSS', channel=3, frame_start=40, frame_end=50, seq1=c1, seq2=c2)
t = seq.new_effect(name="title", type='TEXT', channel=4, frame_start=1, frame_end=50)
t.text = "hello"
t.font_size = 60
t.align_x = 'CENTER'
t.align_y = 'CENTER'
t.location[0] = .5
for s in scene.sequence_editor.sequences_all:
    print(s.name, s.frame_final_duration)
