"""Opens the saved scene with scripts off, and exports what a render shows as glTF, which holds no code."""

from __future__ import annotations

import bpy

from harness.inside.channel import Channel
from harness.inside.scene.code import disarm
from harness.inside.scene.names import titled
from harness.inside.witness.examine import open_file
from harness.protocol import AFTER, EventName, ExportJob


def export(job: ExportJob) -> None:
    """Write the scene; an error ends the process, and then there is no file."""
    channel = Channel(job.channel_fd)
    channel.send(EventName.BOOTED)
    bpy.context.preferences.filepaths.use_scripts_auto_execute = False
    open_file(job.after_blend, AFTER, channel)
    disarm()
    shown = titled(bpy.context.scene.objects)
    for name in job.hidden:
        shown[name].hide_render = True
    # Custom properties stay out, so that nothing but what is seen leaves the scene.
    bpy.ops.export_scene.gltf(
        filepath=job.out_file,
        export_format="GLB",
        export_apply=True,
        export_extras=False,
        use_renderable=True,
        use_active_scene=True,
        check_existing=False,
    )
    channel.send(EventName.FINISHED)
