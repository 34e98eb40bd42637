import bpy

editor = bpy.context.scene.sequence_editor_create()
strips = editor.strips
first = strips.new_effect(name="A", type="COLOR", channel=1, frame_start=1, length=25)
second = strips.new_effect(name="B", type="COLOR", channel=2, frame_start=20, length=20)
strips.new_effect("Mix", "CROSS", 3, frame_start=20, length=6, input1=first, input2=second)
