"""passed: its own environment holds nothing of the service."""

import os

names = set(os.environ)
known = {"PATH", "HOME", "TMPDIR", "BLENDER_USER_RESOURCES", "LANG", "PYTHONDONTWRITEBYTECODE", "LC_CTYPE", "PWD"}
by_blender = ("BLENDER_", "MATERIALX_", "PXR_", "OCIO", "PYTHON")
foreign = {name for name in names - known if not name.startswith(by_blender)}
assert not foreign, foreign
