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


def spoilt(compression: int) -> bytes:
    """A zip whose only file is packed so, and cannot be unpacked."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", compression) as archive:
        archive.writestr("shed.py", "x = 1\n" * 100)
    whole = bytearray(made.getvalue())
    begin = whole.find(b"shed.py") + len("shed.py")
    whole[begin + 4 : begin + 24] = b"\xff" * 20
    return bytes(whole)
