"""What a snippet that raised is missing: something that no rewriting of its code can supply.

Nearly half of the scripts that fail in a fresh scene are not wrong. They want an object, a file, arguments
or a window that is not there. Those must be told apart from code that has to change: `inputs["Emission"]`
names a socket that Blender renamed, `objects["Rig"]` an object that somebody else was to bring, and both
raise the same error.

    exception ── the failing statement ── its expressions, names replaced by what they were assigned ── tables
"""

from harness.triage.judge import Need, triage

__all__ = ["Need", "triage"]
