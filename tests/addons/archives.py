"""Archives with add-ons, and without."""

from __future__ import annotations

import io
import zipfile


def packed(*entries: tuple[str, str], mode: int = 0) -> bytes:
    """A zip with these files, by name, all of this mode."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in entries:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            archive.writestr(info, text)
    return made.getvalue()
