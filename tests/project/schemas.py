"""What published schemas say of a file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BINARIES = Path(sys.executable).parent


def schema_problems(schema: str, text: str, folder: Path) -> str:
    """What is wrong with a file by one of the schemas that check-jsonschema brings along."""
    file = folder / "file.yml"
    file.write_text(text)
    command = [str(BINARIES / "check-jsonschema"), "--builtin-schema", f"vendor.{schema}", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr
