"""passed: exporting and reading it back, numpy, pictures of several formats."""

import os

import bpy
import numpy

bpy.ops.export_scene.gltf(filepath=os.path.abspath("scene.glb"))
bpy.ops.wm.obj_export(filepath=os.path.abspath("scene.obj"))
bpy.ops.wm.ply_export(filepath=os.path.abspath("scene.ply"))
for path in ("scene.glb", "scene.obj", "scene.ply"):
    assert os.path.getsize(path) > 100, path
values = numpy.random.default_rng(0).random((200, 200))
assert (values @ numpy.linalg.inv(values)).trace() > 199
numpy.save("values.npy", values)
image = bpy.data.images.get("Own") or bpy.data.images.new("Own", 8, 8)
for kind, name in (("PNG", "own.png"), ("OPEN_EXR", "own.exr"), ("JPEG", "own.jpg")):
    image.file_format = kind
    image.filepath_raw = "//" + name if bpy.data.filepath else os.path.abspath(name)
    image.save()
    loaded = bpy.data.images.load(os.path.abspath(name))
    assert loaded.size[0] == 8 and loaded.pixels[3] >= 0
    bpy.data.images.remove(loaded)
