"""Set up a Cycles render: size, samples, colours, output and passes.

Asked as: set render resolution and samples; enable render passes on the view layer; transparent background; change the
render engine to Cycles and the output format
"""

from typing import Any

import bpy


def set_output(render: bpy.types.RenderSettings) -> None:
    render.engine = "CYCLES"
    render.resolution_x, render.resolution_y = 1920, 1080
    render.resolution_percentage = 100
    render.film_transparent = True
    render.filepath = "//render/frame_"  # beside the .blend
    render.image_settings.file_format = "PNG"
    render.image_settings.color_mode = "RGBA"
    render.image_settings.color_depth = "16"


def set_quality(scene: bpy.types.Scene) -> None:
    cycles: Any = scene.cycles  # belongs to the Cycles add-on, of which type checkers know nothing
    cycles.samples = 128
    cycles.use_adaptive_sampling = True
    cycles.use_denoising = True
    cycles.max_bounces = 8


def set_colours(scene: bpy.types.Scene) -> None:
    view = scene.view_settings
    assert view is not None
    view.view_transform = "AgX" if bpy.app.version >= (4, 0, 0) else "Filmic"
    view.exposure = 0.5
    view.gamma = 1.0


def set_passes(layer: bpy.types.ViewLayer) -> None:
    """What compositing needs: depth, normals, ambient occlusion, and a mask for each object."""
    layer.use_pass_z = True
    layer.use_pass_normal = True
    layer.use_pass_ambient_occlusion = True
    layer.use_pass_cryptomatte_object = True
    if "mask" not in layer.aovs:
        layer.aovs.add().name = "mask"


def main() -> None:
    scene, layer = bpy.context.scene, bpy.context.view_layer
    assert scene is not None
    assert layer is not None
    set_output(scene.render)
    set_quality(scene)
    set_colours(scene)
    set_passes(layer)


main()
