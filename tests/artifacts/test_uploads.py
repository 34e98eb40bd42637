"""Pictures and archives of strangers are read in processes that can be lost."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from app.artifacts.store import archive
from app.artifacts.store.artifact import imported_id
from app.artifacts.store.store import ArtifactStore
from app.artifacts.uploads import picture_of
from app.errors import ArchiveRefused, PictureRefused
from harness.readers import Readers
from harness.readers.decoding import LARGEST_KEPT_EDGE
from harness.sandbox.ladder import strongest
from tests.artifacts.forgeries import FORGERIES, forged
from tests.small_artifacts import draw


@pytest.fixture(scope="module")
def short() -> Iterator[Readers]:
    """Readers that compute for a second at most."""
    readers = Readers(strongest(), cpu_s=1)
    yield readers
    readers.close()


def encoded(picture: Image.Image, kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    picture.save(out, kind)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF"])
async def test_a_sent_picture_is_decoded_in_a_reader(kind: str, readers: Readers) -> None:
    sent = encoded(draw("ball", "red", 256), kind)
    with Image.open(io.BytesIO(sent)) as opened:
        assert (await picture_of(sent, readers)).tobytes() == opened.convert("RGB").tobytes()


async def test_a_large_picture_comes_back_smaller(readers: Readers) -> None:
    assert (await picture_of(encoded(Image.new("1", (8000, 4900))), readers)).width == LARGEST_KEPT_EDGE


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (b"", "is empty"),
        (b"GIF89a", "not a picture|cannot be read"),
        (encoded(draw("ball", "red", 256))[:-90], "damaged"),
        (encoded(Image.new("1", (8193, 1))), "8193 x 1 px"),
    ],
)
async def test_what_is_no_picture_is_refused_by_the_reader(sent: bytes, said: str, readers: Readers) -> None:
    with pytest.raises(PictureRefused, match=said):
        await picture_of(sent, readers)


def with_views(count: int) -> Any:
    """Adds views of 39 million pixels, a few kilobytes each, to an artifact."""

    def forge(receipt: dict[str, Any], report: dict[str, Any], folder: Path) -> None:
        large = encoded(Image.new("1", (8000, 4900)))
        (folder / "views").mkdir(exist_ok=True)
        for place in range(count):
            (folder / f"views/v{place}.png").write_bytes(large)
            receipt["sha256"][f"views/v{place}.png"] = ""
            report["execution"]["evidence"]["render"]["pictures"].append({"file": f"v{place}.png"})

    return forge


def test_an_archive_that_takes_too_long_to_read_is_refused(tmp_path: Path, short: Readers) -> None:
    there = ArtifactStore(tmp_path / "there")
    twin, content = forged(tmp_path, with_views(1))
    assert archive.import_archive(there, io.BytesIO(content), readers=short) == ([imported_id(twin)], [])
    (tmp_path / "more").mkdir()
    _, content = forged(tmp_path / "more", with_views(60))
    with pytest.raises(ArchiveRefused, match="s of computing"):
        archive.import_archive(ArtifactStore(tmp_path / "elsewhere"), io.BytesIO(content), readers=short)


@pytest.mark.parametrize("case", ["another scene", "no number anywhere", "a finding at an endless line"])
def test_a_reader_refuses_what_is_forged(case: str, tmp_path: Path, readers: Readers) -> None:
    forge, said = FORGERIES[case]
    content = io.BytesIO(forged(tmp_path, forge)[1])
    with pytest.raises(ArchiveRefused, match=said):
        archive.import_archive(ArtifactStore(tmp_path / "there"), content, readers=readers)
