"""One snippet on several Blenders: texts merged into branches on the version, and read apart again.

a text a Blender ── merge ──> one text with `if bpy.app.version >= (5, 0, 0):` where they differ
one text ── as_seen_by ─────> what one Blender runs of it, for checkers that know one Blender only
"""
