"""Everything that is computed from a picture alone: hashes, colours, a small copy; and contact sheets.

Readers decode them: they may be a caller's, or come from an archive.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont
from pydantic import BaseModel

from app.errors import PictureRefused
from harness.readers import ReadingFailed, read_shared
from harness.readers.decoding import DecodedPicture, decode

COLORS: Final = 5
SMALL_PX: Final = 16
"""Edge of the small copy that ranks near-duplicates."""
SHEET_CELL_PX: Final = 320
SHEET_GAP_PX: Final = 8
IN_ONE_ROW: Final = 3
SHEET_LABEL_PX: Final = 22
SHEET_COLOR: Final = (17, 19, 24)

Small = npt.NDArray[np.uint8]


class Swatch(BaseModel):
    """One colour of a picture, as `#rrggbb`, and its share of the picture, 0 to 1."""

    color: str
    share: float


class Looks(BaseModel):
    """The facts computed from a picture alone. Hashes are 64 bits in hex; `palette` has the largest colour first."""

    phash: str
    dhash: str
    palette: list[Swatch]

    @property
    def both(self) -> bytes:
        """Both hashes in 16 bytes, so that their differing bits add up."""
        return bytes.fromhex(self.phash + self.dhash)


def open_upload(data: bytes) -> Image.Image:
    """The picture in these bytes, RGB, as `decode` answers it from a reader. Raises PictureRefused."""
    try:
        return picture_in(read_shared(decode, data))
    except ReadingFailed as error:
        raise PictureRefused(f"The picture cannot be read: {error}.") from error


def picture_in(decoded: DecodedPicture | str) -> Image.Image:
    """The answer of `decode` as a picture. Raises PictureRefused."""
    if isinstance(decoded, str):
        raise PictureRefused(decoded)
    return decoded.image()


def open_own(file: Path | io.BytesIO) -> Image.Image:
    """A picture of an artifact, which may be an imported one, RGB. Raises OSError."""
    try:
        return open_upload(file.getvalue() if isinstance(file, io.BytesIO) else file.read_bytes())
    except PictureRefused as error:
        raise OSError(error.message) from error


def shrunk(data: bytes, size: int) -> bytes:
    """A picture as PNG whose edges are at most `size`; as it is if it is not larger. Raises PictureRefused."""
    picture = open_upload(data)
    if max(picture.size) <= size:
        return data
    picture.thumbnail((size, size), Image.Resampling.LANCZOS)
    smaller = io.BytesIO()
    picture.save(smaller, "PNG", optimize=True)
    return smaller.getvalue()


def looks_of(picture: Image.Image) -> Looks:
    """Hashes and colours of a picture."""
    # Imported here, because it takes half a second that most commands need not wait for.
    import imagehash

    hashes: Any = imagehash
    return Looks(phash=str(hashes.phash(picture)), dhash=str(hashes.dhash(picture)), palette=palette_of(picture))


def palette_of(picture: Image.Image) -> list[Swatch]:
    """At most COLORS colours, largest share first."""
    small = picture.resize((96, 96), Image.Resampling.BOX)
    reduced = small.quantize(COLORS, method=Image.Quantize.MEDIANCUT)
    colors: list[int] = reduced.getpalette() or []
    counts: Any = reduced.getcolors() or []
    total = small.width * small.height
    return [
        Swatch(color="#{:02x}{:02x}{:02x}".format(*colors[3 * place : 3 * place + 3]), share=round(count / total, 3))
        for count, place in sorted(counts, reverse=True)
    ]


def small_copy(picture: Image.Image) -> Small:
    """The picture at SMALL_PX x SMALL_PX, as a flat array of red, green, blue."""
    return np.asarray(picture.resize((SMALL_PX, SMALL_PX), Image.Resampling.BOX), dtype=np.uint8).reshape(-1)


def bits_apart(first: str, second: str) -> int:
    """The number of bits in which two 64-bit hashes differ."""
    return (int(first, 16) ^ int(second, 16)).bit_count()


def beside_each_other(first: Image.Image, second: Image.Image) -> Image.Image:
    """Two sheets as one."""
    both = Image.new("RGB", (first.width + second.width, max(first.height, second.height)), SHEET_COLOR)
    both.paste(first, (0, 0))
    both.paste(second, (first.width, 0))
    return both


def contact_sheet(
    pictures: Sequence[tuple[str, Path]], cell_px: int = SHEET_CELL_PX, rows: int | None = None
) -> Image.Image:
    """One picture of several, each with its label below; unless `rows` are given, up to three are in one row. Raises
    OSError and PictureRefused.
    """
    usual = len(pictures) if len(pictures) <= IN_ONE_ROW else math.ceil(math.sqrt(len(pictures)))
    columns = math.ceil(len(pictures) / rows) if rows else usual
    rows = math.ceil(len(pictures) / columns)
    cell_w, cell_h = cell_px + SHEET_GAP_PX, cell_px + SHEET_LABEL_PX + SHEET_GAP_PX
    sheet = Image.new("RGB", (columns * cell_w + SHEET_GAP_PX, rows * cell_h + SHEET_GAP_PX), SHEET_COLOR)
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(15)
    for place, (label, file) in enumerate(pictures):
        left = SHEET_GAP_PX + place % columns * cell_w
        top = SHEET_GAP_PX + place // columns * cell_h
        sheet.paste(open_upload(file.read_bytes()).resize((cell_px, cell_px), Image.Resampling.LANCZOS), (left, top))
        pen.text((left + 2, top + cell_px + 2), label.replace("_", " "), fill=(200, 205, 215), font=font)
    return sheet
