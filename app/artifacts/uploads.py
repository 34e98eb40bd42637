"""Pictures that callers send: a reader decodes them and answers in plain pixels."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from PIL import Image

from app.artifacts.pictures import open_upload
from app.errors import PictureRefused
from harness.readers import Readers, ReadingFailed


@dataclass(frozen=True)
class DecodedPicture:
    """A picture: its size in pixels, and red, green and blue of each as bytes in base64."""

    width: int
    height: int
    pixels: str


async def picture_of(data: bytes, readers: Readers) -> Image.Image:
    """The sent picture, RGB, scaled down as `open_upload` does. Raises PictureRefused."""
    try:
        decoded = await readers.ask(decode, data)
    except ReadingFailed as error:
        raise PictureRefused(f"The picture cannot be read: {error}.") from error
    if isinstance(decoded, str):
        raise PictureRefused(decoded)
    return Image.frombytes("RGB", (decoded.width, decoded.height), base64.b64decode(decoded.pixels))


def decode(data: bytes) -> DecodedPicture | str:
    """The picture in these bytes, or the reason why it is refused."""
    try:
        picture = open_upload(data)
    except PictureRefused as error:
        return error.message
    return DecodedPicture(picture.width, picture.height, base64.b64encode(picture.tobytes()).decode("ascii"))
