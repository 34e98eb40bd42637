"""What a snippet should not do, read from its syntax tree, with a reason for each remark.

This is advice to the reader and a quick stop before Blender is started. It is not the security boundary: a
determined snippet gets past any look at its text, and the sandbox around Blender is what holds it.

    syntax tree ── names bound in each scope ── each expression resolved to where it comes from ── findings

A name counts by its origin and not by its spelling: `sp.run` is `subprocess.run` after `import subprocess as
sp`, while a loop variable called `socket` is a node socket. An import alone is no remark, only its use is.
"""

from app.checks.policy.check import check_policy
from app.checks.policy.forbidden import REASONS

__all__ = ["REASONS", "check_policy"]
