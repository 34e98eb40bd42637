import bpy

pencil = bpy.data.grease_pencils.new("Sketch")
bpy.context.collection.objects.link(bpy.data.objects.new("Sketch", pencil))
frame = pencil.layers.new("Lines").frames.new(1)
frame.drawing.add_strokes([1])
line = frame.drawing.strokes[-1]
line.cyclic = True
line.add_points(3 - 1)
for point in line.points:
    point.radius, point.opacity = 60 / 2000, 1.0
for place, point in zip(((0, 0, 0), (2, 0, 0), (1, 0, 2)), line.points):
    point.position = place
    point.radius = 0.5 * 60 / 2000
line.points[0].opacity = 0.7
