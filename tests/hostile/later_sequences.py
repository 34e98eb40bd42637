"""passed|raised|needs_file: pictures, a movie, a sound and a font that are files of the machine, and are looked for by the witness."""

import bpy

image = bpy.data.images.new("left", 4, 4)
image.source = "SEQUENCE"
image.filepath = "/etc/passwd"
bpy.data.objects["Cube"].data.materials[0].node_tree.nodes.new("ShaderNodeTexImage").image = image
movie = bpy.data.images.new("movie", 4, 4)
movie.source = "MOVIE"
movie.filepath = "/etc/hosts"
volume = bpy.data.volumes.new("volume")
volume.filepath = "/etc/shadow"
bpy.context.scene.collection.objects.link(bpy.data.objects.new("volume", volume))
cache = bpy.data.cache_files if hasattr(bpy.data, "cache_files") else []
for path in ("/etc/passwd", "/proc/self/mem"):
    for load in (bpy.data.fonts.load, bpy.data.sounds.load):
        try:
            load(path)
        except RuntimeError:
            pass
