"""Python that has nothing to do with Blender: it may run well, but it proves nothing."""

from __future__ import annotations

import re
from typing import Final

from app.verdict.verdict import Verdict

MODULES: Final = (
    "bmesh|mathutils|bpy_extras|gpu_extras|gpu|blf|bgl|aud|imbuf|idprop|freestyle|addon_utils|bl_\\w+|rna_\\w+"
)
USES: Final = re.compile(rf"\bbpy\b|^[ \t]*(?:import|from)[ \t]+(?:{MODULES})\b|import_module|__import__", re.MULTILINE)
NOTHING: Final = "nothing-of-blender"
"""Code of the finding on a snippet that has nothing of Blender in it, and changed nothing in the scene."""
ONLY_RAN: Final = "ran, nothing of Blender in it"


def uses_blender(text: str) -> bool:
    """True if a text names `bpy`, or imports another module of Blender; also if it may import one by a name."""
    return USES.search(text) is not None


def only_ran(verdict: Verdict) -> bool:
    """True if the snippet ran and had nothing of Blender in it."""
    return any(finding.code == NOTHING for finding in verdict.findings())
