"""Put a title on a coloured background in the video sequencer.

Asked as: add text and color strips to the VSE; create a title card in the video editor; fade a strip in and out; video
sequencer from python
"""

from typing import Any, Literal

import bpy

FRAMES, FADE = 120, 12


def strip(editor: Any, name: str, kind: Literal["COLOR", "TEXT"], channel: int) -> Any:
    """Return the strip of this name, made the first time; Any, as its class depends on the kind."""
    strips = editor.strips if hasattr(editor, "strips") else editor.sequences  # before Blender 4.4
    if name in strips:
        return strips[name]
    if bpy.app.version >= (5, 0, 0):
        return strips.new_effect(name, kind, channel, 1, length=FRAMES)
    return strips.new_effect(name, kind, channel, 1, frame_end=1 + FRAMES)


def fade(scene: bpy.types.Scene, target: Any) -> None:
    """Let the strip appear and vanish; a key on a frame that has one replaces it."""
    for frame, opacity in ((1, 0.0), (1 + FADE, 1.0), (FRAMES - FADE, 1.0), (FRAMES, 0.0)):
        target.blend_alpha = opacity
        target.keyframe_insert("blend_alpha", frame=frame)
    scene.frame_set(1 + FRAMES // 2)


def main() -> None:
    scene = bpy.context.scene
    assert scene is not None
    editor = scene.sequence_editor or scene.sequence_editor_create()
    assert editor is not None
    background = strip(editor, "Background", "COLOR", 1)
    background.color = (0.02, 0.05, 0.15)
    title = strip(editor, "Title", "TEXT", 2)
    title.text = "Made with Blender"
    title.font_size = 120.0
    title.color = (1.0, 0.85, 0.4, 1.0)
    title.location = (0.5, 0.5)
    if hasattr(title, "anchor_x"):  # before Blender 4.4 it was `align_x`, and centred to begin with
        title.anchor_x = "CENTER"
        title.anchor_y = "CENTER"
    title.use_shadow = True
    title.blend_type = "ALPHA_OVER"
    fade(scene, title)
    scene.render.use_sequencer = True
    scene.frame_start, scene.frame_end = 1, FRAMES


main()
