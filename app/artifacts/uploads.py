"""Pictures that callers send: a reader decodes them and answers in plain pixels."""

from __future__ import annotations

from PIL import Image

from app.artifacts.pictures import picture_in
from app.errors import PictureRefused
from harness.readers import Readers, ReadingFailed
from harness.readers.decoding import decode


async def picture_of(data: bytes, readers: Readers) -> Image.Image:
    """The sent picture, RGB, scaled down as `decode` does. Raises PictureRefused."""
    try:
        return picture_in(await readers.ask(decode, data))
    except ReadingFailed as error:
        raise PictureRefused(f"The picture cannot be read: {error}.") from error
