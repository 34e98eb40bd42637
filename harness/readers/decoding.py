"""Pictures of strangers, decoded into plain pixels. For readers."""

from __future__ import annotations

import base64
import io
import struct
from dataclasses import dataclass
from typing import Final

from PIL import Image, UnidentifiedImageError

LARGEST_EDGE: Final = 8192
"""Edge of the largest accepted picture, in pixels."""
LARGEST_PIXELS: Final = 40_000_000
LARGEST_KEPT_EDGE: Final = 2048
FORMATS: Final = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
BACKDROP: Final = (128, 128, 128)
DECODING_ERRORS: Final = (OSError, SyntaxError, ValueError, EOFError, struct.error, IndexError, TypeError, MemoryError)
"""The exceptions of Pillow for bytes that only begin like a picture."""


@dataclass(frozen=True)
class DecodedPicture:
    """A picture: its size in pixels, and red, green and blue of each as bytes in base64."""

    width: int
    height: int
    pixels: str

    def image(self) -> Image.Image:
        """The picture, RGB."""
        return Image.frombytes("RGB", (self.width, self.height), base64.b64decode(self.pixels))


def decode(data: bytes) -> DecodedPicture | str:
    """The picture in these bytes, scaled down to LARGEST_KEPT_EDGE, or the reason why it is refused.

    Its size is looked at before it is decoded.
    """
    if not data:
        return "The picture is empty: the request has no bytes."
    try:
        picture = Image.open(io.BytesIO(data), formats=FORMATS)
    except UnidentifiedImageError:
        return f"The bytes are not a picture ({', '.join(FORMATS)})."
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        return f"The picture is too large: {error}."
    except DECODING_ERRORS as error:
        return f"The picture cannot be read: {error}."
    width, height = picture.size
    if max(width, height) > LARGEST_EDGE or width * height > LARGEST_PIXELS:
        return (
            f"The picture has {width} x {height} px; the limits are {LARGEST_EDGE} px per edge and "
            f"{LARGEST_PIXELS // 1_000_000} million px in total."
        )
    try:
        # The computations need no more, and a picture of few bytes may decode to very many.
        picture.thumbnail((LARGEST_KEPT_EDGE, LARGEST_KEPT_EDGE), Image.Resampling.NEAREST)
        plain = flat(picture)
    except DECODING_ERRORS as error:
        return f"The picture is damaged: {error}."
    return DecodedPicture(plain.width, plain.height, base64.b64encode(plain.tobytes()).decode("ascii"))


def flat(picture: Image.Image) -> Image.Image:
    """The picture as RGB, with grey behind transparent parts."""
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        above = picture.convert("RGBA")
        under = Image.new("RGBA", above.size, (*BACKDROP, 255))
        return Image.alpha_composite(under, above).convert("RGB")
    return picture.convert("RGB")
