import bpy

editor = bpy.context.scene.sequence_editor_create()
strips = editor.sequences
first = strips.new_effect(name="A", type="COLOR", channel=1, frame_start=1, frame_end=26)
second = strips.new_effect(name="B", type="COLOR", channel=2, frame_start=20, frame_end=40)
strips.new_effect("Mix", "CROSS", 3, frame_start=20, frame_end=26, seq1=first, seq2=second)
