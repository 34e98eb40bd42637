"""Finds the need of a snippet that raised, if no change to its code can meet it.

Nearly half of the scripts that fail in a fresh scene are not wrong. They need an object, a file, arguments or a window
that is not there. These must be told apart from code that has to change: `inputs["Emission"]` names a socket that
Blender renamed, `objects["Rig"]` an object that the request should bring, and both raise the same error.

    exception ── the failing statement ── its expressions, names replaced by what they were assigned ── tables
"""

from harness.triage.judge import Need, triage

__all__ = ["Need", "triage"]
