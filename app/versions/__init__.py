"""One snippet on several Blenders: texts merged into branches on the version, and split again.

one text per Blender ── merge ──> one text with `if bpy.app.version >= (5, 0, 0):` where they differ
one text ── as_seen_by ─────────> the text that one Blender runs, for checkers that know one Blender only
"""
