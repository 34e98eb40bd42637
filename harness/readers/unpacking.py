"""Archives of strangers: the files of a zip, and the headers of a .tar. For readers."""

from __future__ import annotations

import base64
import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

MOST_BYTES: Final = 256 << 20
PART_BYTES: Final = 32 << 20
MOST_FILES: Final = 5000
WINDOW: Final = 32 << 10
"""Bytes of a .tar in which the headers before one file must lie."""
UNREADABLE: Final = (OSError, tarfile.TarError, ValueError, OverflowError, EOFError, RecursionError, IndexError)
"""The exceptions of tarfile for bytes that only begin like an archive."""
UNZIPPABLE: Final = (
    *(OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError, IndexError),
    *(zlib.error, lzma.LZMAError),
)
"""The same of zipfile, with those of what packs each file."""
LONGEST_NAME: Final = 255
LONGEST_PATH: Final = 1000
"""Bytes of the name of a file, and of its path: a folder for the archive comes before it."""


@dataclass(frozen=True)
class PackedFile:
    """A file of a .tar: the place of its first byte in the window, and its length. Links and the like are not plain."""

    name: str
    place: int
    size: int
    plain: bool


def files_in_tar(window: bytes) -> list[PackedFile] | str:
    """The files whose headers lie in a part of a .tar that begins with a header; or the reason why there are none.

    There are none at the end of an archive.
    """
    found: list[PackedFile] = []
    try:
        with tarfile.open(fileobj=io.BytesIO(window), mode="r:") as archive:
            for member in archive:
                name = member.name.encode("utf-8", "backslashreplace").decode()
                plain = member.isreg() and not member.issparse()
                found.append(PackedFile(name, member.offset_data, member.size, plain))
    except UNREADABLE as error:
        return found or f"a header is too long or broken: {error}"
    return found


@dataclass(frozen=True)
class UnpackedPart:
    """A part of the bytes of all files in a row: by path, as base64. There is `more` beyond it."""

    files: dict[str, str]
    more: bool


def files_in_zip(archive: bytes, begin: int = 0) -> UnpackedPart | str:
    """PART_BYTES of the files of a zip, from a byte of all of them in a row; or the reason why it is refused."""
    files: dict[str, str] = {}
    end, first, more = begin + PART_BYTES, 0, False
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened:
            entries = [entry for entry in opened.infolist() if not entry.is_dir()]
            if problem := next(problems_of(entries), None):
                return problem
            for entry in entries:
                last = first + entry.file_size
                here = first < end and (last > begin or first >= begin)
                if here and "__pycache__" not in entry.filename.split("/"):
                    with opened.open(entry) as file:
                        file.seek(max(0, begin - first))
                        files[entry.filename] = base64.b64encode(file.read(end - max(first, begin))).decode("ascii")
                more = more or first >= end or last > end
                first = last
    except UNZIPPABLE as error:
        return f"it cannot be read as a zip: {error}"
    return UnpackedPart(files, more)


def problems_of(entries: list[zipfile.ZipInfo]) -> Iterator[str]:
    """The reasons to refuse a zip with these files."""
    if sum(entry.file_size for entry in entries) > MOST_BYTES:
        yield f"its files take more than {MOST_BYTES >> 20} MB"
    if len(entries) > MOST_FILES:
        yield f"it has more than {MOST_FILES} files"
    seen: set[str] = set()
    for entry in entries:
        name, parts = entry.filename, entry.filename.split("/")
        if {"", ".", ".."} & set(parts) or "\\" in name or ":" in name:
            yield f"it holds {name[:100]!r}, which leads out of its folder"
        if not name.isprintable():
            yield f"it holds {name[:100]!a}, which has letters that nobody sees"
        if len(name.encode()) > LONGEST_PATH or max(len(part.encode()) for part in parts) > LONGEST_NAME:
            yield f"it holds {name[:100]!r}..., a name that is too long"
        if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
            yield f"{name[:100]!r} is a link or a device, no file"
        if name in seen:
            yield f"it holds {name[:100]!r} twice"
        seen.add(name)
    folders = {parent for name in seen for parent in parents_of(name)}
    if both := min(seen & folders, default=""):
        yield f"it holds {both[:100]!r} both as a file and as a folder"


def parents_of(name: str) -> Iterator[str]:
    """The folders around a file."""
    while name := name.rpartition("/")[0]:
        yield name
