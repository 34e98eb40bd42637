"""`blendproof settings`: every setting in force."""

from __future__ import annotations

from app.cli.terminal import own_settings
from app.settings import in_force


def settings() -> None:
    """Show every setting in force and where it comes from; secrets are hidden."""
    for setting in in_force(own_settings()):
        print(f"{setting.name}\t{setting.value}\t{setting.source}")
