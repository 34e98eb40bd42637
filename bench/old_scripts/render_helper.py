import bpy
def setup_render(scene, engine="BLENDER_EEVEE_NEXT", samples=64):
    scene.render.engine = engine
    if engine == "BLENDER_EEVEE_NEXT":
        scene.eevee.taa_render_samples = samples
    elif engine == "CYCLES":
        scene.cycles.samples = samples
    scene.render.image_settings.file_format = "FFMPEG"
    scene.render.ffmpeg.format = "MPEG4"
    scene.render.ffmpeg.constant_rate_factor = "HIGH"
    scene.view_settings.look = "High Contrast"
    scene.use_nodes = True
    nt = scene.node_tree
    nt.nodes.clear()
    rlayers = nt.nodes.new("CompositorNodeRLayers")
    lens = nt.nodes.new("CompositorNodeLensdist")
    lens.use_fit = True
    comp = nt.nodes.new("CompositorNodeComposite")
    nt.links.new(rlayers.outputs["Image"], lens.inputs["Image"])
    nt.links.new(lens.outputs["Image"], comp.inputs["Image"])
setup_render(bpy.context.scene)
