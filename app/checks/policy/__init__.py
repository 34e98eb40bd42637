"""Finds deeds in the syntax tree that a snippet should leave, with a reason for each remark.

This is advice to the reader, and a quick stop before Blender starts. It is not the security boundary: a determined
snippet gets past every check of its text, and only the sandbox around Blender confines it.

    syntax tree ── names bound in each scope ── each expression resolved to its origin ── findings

A name counts by its origin, not by its spelling: `sp.run` is `subprocess.run` after `import subprocess as sp`, while a
loop variable called `socket` is a node socket. An import alone gets no remark, only its use.
"""

from app.checks.policy.check import check_policy
from app.checks.policy.forbidden import REASONS

__all__ = ["REASONS", "check_policy"]
