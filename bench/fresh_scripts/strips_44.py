"""4.4: reads the sequences of a scene and moves them."""
import bpy

se = bpy.context.scene.sequence_editor_create()
red = se.sequences.new_effect("Red", 'COLOR', 1, 1, frame_end=30)
blue = se.sequences.new_effect("Blue", 'COLOR', 2, frame_start=20, frame_end=50)
wipe = se.sequences.new_effect("Wipe", 'WIPE', 3, frame_start=20, frame_end=30, seq1=red, seq2=blue)
for strip in se.sequences_all:
    strip.channel += 1
se.active_strip = wipe
meta = se.sequences.new_meta("Meta", 7, 1)
meta.sequences.new_effect("Inner", 'COLOR', 1, frame_start=1, frame_end=10)
