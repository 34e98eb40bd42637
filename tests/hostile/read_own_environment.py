"""passed: its own environment holds nothing of the service."""

import os

names = set(os.environ)
known = {"PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "BLENDER_USER_RESOURCES", "LANG", "LC_CTYPE", "PWD"}
known |= {"PYTHONDONTWRITEBYTECODE"}
by_blender = ("BLENDER_", "MATERIALX_", "PXR_", "OCIO", "PYTHON")
foreign = {name for name in names - known if not name.startswith(by_blender)}
assert not foreign, foreign
