"""needs_scene: shape keys of the active mesh."""

import bpy

blocks = bpy.context.object.data.shape_keys.key_blocks
for block in blocks[1:]:
    block.value = 0.0
