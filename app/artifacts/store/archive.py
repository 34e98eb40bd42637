"""Artifacts in one archive: a plain .tar with their folders, written and read as a stream.

An archive is untrusted: its names must be those of an artifact, its sizes are bounded, its content must agree with its
own receipt and record, its report has the form of one, and the id must be that of the content. An import gets a
own receipt and record, its report has the form of one, and the id must be that of the content. An import gets a
"""

from __future__ import annotations

import contextlib
import io
import re
import tarfile
from collections.abc import Generator, Iterable, Iterator
from typing import IO, Any, Final

import structlog

from app.artifacts.pictures import looks_of, open_upload
from app.artifacts.store import receipts
from app.artifacts.store.artifact import imported_id
from app.artifacts.store.checking import WRONG_VALUES, checked_by, in_another_format
from app.artifacts.store.record import CONTACT_SHEET, PICTURE, RECEIPT, RECORD, REPORT, SNIPPET
from app.artifacts.store.reported import LARGEST_REPORT_BYTES
from app.artifacts.store.store import ArtifactStore, sighting_of, write_computed, write_sighting
from app.errors import ArchiveRefused, ArtifactNotFound
from app.jobs.request import plain_path
from harness.readers import Readers

log = structlog.get_logger()

MEMBER: Final = re.compile(
    r"[ai]-[0-9a-f]{16}/(?:artifact\.json|receipt\.json|report\.json|snippet\.py|picture\.png|contact-sheet\.png"
    r"|views/[a-z0-9_]{1,40}\.png|inputs/setup\.(?:py|blend)|inputs/files/[^\\\x00]{1,200})"
)
LARGEST_FILE_BYTES: Final = 64 << 20
LARGEST: Final = {RECEIPT: 1 << 20, REPORT: LARGEST_REPORT_BYTES}
MOST_BYTES: Final = 128 << 20
"""Most bytes of one artifact: they are in memory while it is checked."""
MOST_FILES: Final = 200
"""Most files of one artifact."""
MOST_ARTIFACTS: Final = 200_000
LONGEST_HEADER: Final = 2048
"""Most bytes of a header with a long name. The time to read one grows with the square of its length."""
MOST_HEADERS: Final = 8 * LONGEST_HEADER
"""Most bytes of all headers before one file."""
READING_ERRORS: Final = (
    tarfile.TarError,
    ValueError,
    OverflowError,
    EOFError,
    RecursionError,
    # A file that is also the folder of another one.
    FileExistsError,
    NotADirectoryError,
    IsADirectoryError,
)
"""The exceptions of tarfile for bytes that only begin like an archive."""


class ShortHeaders(io.BufferedIOBase):
    """The bytes of an archive, in order, with a bound on the bytes that a reader needs from one file to the next.

    The bound applies to what tarfile reads, because its methods and their details differ between Python versions. Only
    while `of_a_file` is open are the bytes those of a file, whose size was checked.
    """

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__()
        self._file = file
        self._place = 0
        self._headers = 0
        self._in_a_file = False

    def read(self, size: int | None = -1, /) -> bytes:
        """That many bytes, or those that are left. Raises tarfile.ReadError if headers are too long."""
        wanted = MOST_BYTES if size is None or size < 0 else size
        if not self._in_a_file:
            self._headers += wanted
            if wanted > LONGEST_HEADER or self._headers > MOST_HEADERS:
                raise tarfile.ReadError("a header is too long")
        data = self._file.read(wanted)
        self._place += len(data)
        return data

    def tell(self) -> int:
        """The number of bytes up to this point."""
        return self._place

    def seek(self, place: int, whence: int = io.SEEK_SET, /) -> int:
        """Skip forward to a place. Raises tarfile.ReadError if that was read already."""
        if whence != io.SEEK_SET or place < self._place:
            raise tarfile.ReadError("a file lies within another")
        self._file.seek(place - self._place, io.SEEK_CUR)
        self._place = place
        return place

    @contextlib.contextmanager
    def of_a_file(self) -> Generator[None, None, None]:
        """Allow unbounded reads; the count for the headers of the next file starts again."""
        self._in_a_file = True
        try:
            yield
        finally:
            self._in_a_file, self._headers = False, 0


def own_id(artifact_id: str) -> str:
    """The name that this content has if it is proven here."""
    return "a-" + artifact_id[2:]


def export(store: ArtifactStore, ids: Iterable[str]) -> Iterator[bytes]:
    """The archive of these artifacts, in pieces. Artifacts that vanish or were changed are left out, and logged."""
    out = Pieces()
    with tarfile.open(fileobj=out, mode="w|", format=tarfile.PAX_FORMAT) as archive:
        for artifact_id in ids:
            try:
                contents = store.contents(artifact_id)
            except ArtifactNotFound as error:
                log.warning("artifact not exported", artifact=artifact_id, problem=error.message)
                continue
            for name, content in contents.items():
                member = tarfile.TarInfo(f"{artifact_id}/{name}")
                member.size, member.mode = len(content), 0o644
                archive.addfile(member, io.BytesIO(content))
            yield out.taken()
    yield out.taken()


class Pieces(io.RawIOBase):
    """Collects written bytes until they are taken."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def writable(self) -> bool:
        """Always true."""
        return True

    def write(self, data: Any) -> int:
        """Keep the data."""
        self._kept += data
        return len(data)

    def taken(self) -> bytes:
        """The bytes since the last call."""
        taken = bytes(self._kept)
        self._kept.clear()
        return taken


def import_archive(
    store: ArtifactStore, file: IO[bytes], new: list[str] | None = None, readers: Readers | None = None
) -> tuple[list[str], list[str]]:
    """Add the artifacts of an archive; return the ids of the new ones, and of those that were here already.

    The contents are read by `readers`, or here if there are none. Raises ArchiveRefused; complete artifacts read until
    then stay. A list given as `new` then holds their ids.
    """
    new = [] if new is None else new
    known: list[str] = []
    try:
        add_all(store, file, new, known, readers)
    except READING_ERRORS as error:
        raise refused(f"The archive cannot be read: {error}.", new) from error
    except ArchiveRefused as error:
        raise refused(error.message, new) from error
    if not new and not known:
        raise ArchiveRefused("The archive has no artifact.")
    return new, known


def refused(message: str, new: list[str]) -> ArchiveRefused:
    """The refusal of the archive, with the artifacts that stay nevertheless."""
    if not new:
        return ArchiveRefused(message)
    hint = f"The {len(new)} artifacts before it were imported and stay; send the rest in another archive."
    return ArchiveRefused(message, hint, {"imported": len(new)})


def add_all(store: ArtifactStore, file: IO[bytes], new: list[str], known: list[str], readers: Readers | None) -> None:
    """Add the artifacts one after another, and note their ids. Raises ArchiveRefused and READING_ERRORS."""
    source = ShortHeaders(file)
    with tarfile.open(fileobj=source, mode="r:") as archive:
        for artifact_id, members in by_artifact(archive, source):
            kept = imported_id(artifact_id)
            there = [name for name in (own_id(artifact_id), kept) if store.has(name) and store.is_whole(name)]
            if there:
                known.append(there[0])
                continue
            if store.has(kept):
                store.set_aside(kept)
            add(store, kept, members, readers)
            new.append(kept)


def by_artifact(archive: tarfile.TarFile, source: ShortHeaders) -> Iterator[tuple[str, dict[str, bytes]]]:
    """The files of each artifact, by their path in its folder. Raises ArchiveRefused."""
    current, members = "", dict[str, bytes]()
    seen: set[str] = set()
    for member in archive:
        name = member.name
        if not member.isreg() or member.issparse() or not MEMBER.fullmatch(name):
            raise ArchiveRefused(f"The archive has {name[:200]!r}, which is not a file of an artifact.")
        artifact_id, _, path = name.partition("/")
        most = LARGEST.get(path, LARGEST_FILE_BYTES)
        if not 0 <= member.size <= most:
            raise ArchiveRefused(f"{name} has {member.size} bytes; the limit is {most}.")
        if path.startswith(f"{receipts.FILES}/"):
            try:
                plain_path(path.removeprefix(f"{receipts.FILES}/"))
            except ValueError as error:
                raise ArchiveRefused(f"The archive has {name[:200]!r}: {error}.") from error
        if artifact_id != current:
            if current:
                yield current, members
            if artifact_id in seen or len(seen) >= MOST_ARTIFACTS:
                raise ArchiveRefused(f"The files of {artifact_id} are not together, or there are too many artifacts.")
            seen.add(artifact_id)
            current, members = artifact_id, {}
        if path in members or len(members) >= MOST_FILES:
            raise ArchiveRefused(f"{artifact_id} has {path} twice, or more than {MOST_FILES} files.")
        if sum(map(len, members.values())) + member.size > MOST_BYTES:
            raise ArchiveRefused(f"{artifact_id} has more than {MOST_BYTES} bytes.")
        content = archive.extractfile(member)
        with source.of_a_file():
            members[path] = content.read() if content else b""
    if current:
        yield current, members


def add(store: ArtifactStore, kept: str, members: dict[str, bytes], readers: Readers | None) -> None:
    """Add one complete artifact under this name, after all its own claims are checked. Raises ArchiveRefused."""
    artifact_id = own_id(kept)
    missing = {SNIPPET, PICTURE, REPORT, RECEIPT} - members.keys()
    if missing:
        raise ArchiveRefused(f"{artifact_id} lacks {', '.join(sorted(missing))}.")
    # The record and the contact sheet are computed here, from the checked files.
    files = {path: content for path, content in members.items() if path not in (RECORD, CONTACT_SHEET)}
    checked = checked_by(readers, artifact_id, files)
    # Only a picture that a reader has decoded is ever decoded here.
    if looks_of(open_upload(files[PICTURE])) != checked.receipt.looks:
        raise ArchiveRefused(f"{artifact_id} has a picture that differs from its receipt.")
    with store.building(kept) as part:
        for path, content in files.items():
            (part / path).parent.mkdir(parents=True, exist_ok=True)
            (part / path).write_bytes(content)
        try:
            artifact = write_computed(part, kept, checked.receipt, checked.report)
        except WRONG_VALUES as error:
            raise ArchiveRefused(in_another_format(artifact_id, error)) from error
        write_sighting(part, sighting_of("import", artifact))
