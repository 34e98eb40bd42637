"""3.4: sequencer: adjustment, transform, speed, meta. Right: the strips with the same values, modifiers kept."""
import bpy
sc = bpy.context.scene
sed = sc.sequence_editor_create()
a = sed.sequences.new_effect("A", 'COLOR', 1, 1, frame_end=80)
a.color = (.2, .4, .8)
a.transform.offset_x = 50
a.transform.scale_x = .5
a.crop.max_x = 20
adj = sed.sequences.new_effect("Grade", 'ADJUSTMENT', 3, 1, frame_end=80)
bc = adj.modifiers.new("BC", 'BRIGHT_CONTRAST')
bc.bright = 10
bc.contrast = 5
cb = adj.modifiers.new("CB", 'COLOR_BALANCE')
cb.color_balance.lift = (.9, .9, 1)
meta = sed.sequences.new_meta("M", 5, 1)
b = meta.sequences.new_effect("B", 'COLOR', 1, 1, frame_end=40)
b.mute = False
g = sed.sequences.new_effect("Glow", 'GLOW', 6, 1, frame_end=80, seq1=a)
g.threshold = .3
g.blur_radius = 4
for s in sed.sequences_all:
    s.use_linear_modifiers = False
    s.select = s.type == 'COLOR'
sed.active_strip = a
sc.render.image_settings.file_format = 'FFMPEG'
sc.render.ffmpeg.constant_rate_factor = 'HIGH'
