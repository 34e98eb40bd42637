"""needs_file: a sound strip of a file."""

import bpy

editor = bpy.context.scene.sequence_editor_create()
editor.strips.new_sound("Song", "/home/me/music/song.mp3", channel=1, frame_start=1)
