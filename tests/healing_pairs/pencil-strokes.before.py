import bpy

pencil = bpy.data.grease_pencils.new("Sketch")
bpy.context.collection.objects.link(bpy.data.objects.new("Sketch", pencil))
frame = pencil.layers.new("Lines").frames.new(1)
line = frame.strokes.new()
line.display_mode = "3DSPACE"
line.line_width = 60
line.use_cyclic = True
line.points.add(count=3)
for place, point in zip(((0, 0, 0), (2, 0, 0), (1, 0, 2)), line.points):
    point.co = place
    point.pressure = 0.5
line.points[0].strength = 0.7
