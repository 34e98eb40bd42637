"""3.x-4.x: coloured strips that cross in the sequencer."""
import bpy

scene = bpy.context.scene
if not scene.sequence_editor:
    scene.sequence_editor_create()
seqs = scene.sequence_editor.sequences
red = seqs.new_effect(name="Red", type='COLOR', channel=1, frame_start=1, frame_end=50)
red.color = (1, 0, 0)
blue = seqs.new_effect(name="Blue", type='COLOR', channel=2, frame_start=40, frame_end=90)
cross = seqs.new_effect(name="Cross", type='CROSS', channel=3, frame_start=40, frame_end=50, seq1=red, seq2=blue)
title = seqs.new_effect(name="Title", type='TEXT', channel=4, frame_start=1, frame_end=90)
title.text = "Hello"
title.align_x = 'CENTER'
