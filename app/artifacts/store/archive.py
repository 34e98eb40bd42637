"""Artifacts in one archive: a plain .tar with their folders, written and read as a stream.

An archive is untrusted: its names must be those of an artifact, its sizes are bounded, its content must agree with its
own receipt and record, its report has the form of one, and the id must be that of the content. An import gets a
name of its own: it is kept, found and shown, and proves nothing here.
"""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Iterable, Iterator
from typing import IO, Any, Final, cast

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
from harness.readers import Readers, ReadingFailed
from harness.readers.unpacking import WINDOW, PackedFile, files_in_tar

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
WRITING_ERRORS: Final = (FileExistsError, NotADirectoryError, IsADirectoryError)
"""A file that is also the folder of another one."""
BLOCK: Final = 512


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
    except (*WRITING_ERRORS, ReadingFailed) as error:
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
    """Add the artifacts one after another, and note their ids. Raises ArchiveRefused, ReadingFailed, WRITING_ERRORS."""
    for artifact_id, members in by_artifact(file, readers):
        kept = imported_id(artifact_id)
        there = [name for name in (own_id(artifact_id), kept) if store.has(name) and store.is_whole(name)]
        if there:
            known.append(there[0])
            continue
        if store.has(kept):
            store.set_aside(kept)
        add(store, kept, members, readers)
        new.append(kept)


def packed_files(file: IO[bytes], readers: Readers | None) -> Iterator[tuple[PackedFile, bytes]]:
    """The files of an archive with their contents. A reader reads the headers. Raises ArchiveRefused, ReadingFailed."""
    end = 0
    while True:
        file.seek(end)
        begin, window = end, file.read(WINDOW)
        found = readers.read(files_in_tar, window) if readers else files_in_tar(window)
        if isinstance(found, str) and window:
            raise ArchiveRefused(f"The archive cannot be read: {found}.")
        if not found or not window:
            return
        for one in cast("list[PackedFile]", found):
            most = LARGEST.get(one.name.partition("/")[2], LARGEST_FILE_BYTES)
            if not 0 <= one.size <= most:
                raise ArchiveRefused(f"{one.name[:200]} has {one.size} bytes; the limit is {most}.")
            if not end < begin + one.place <= end + WINDOW:
                raise ArchiveRefused("The archive cannot be read: a file lies within another.")
            file.seek(begin + one.place)
            content = file.read(one.size)
            if len(content) < one.size:
                raise ArchiveRefused("The archive cannot be read: it breaks off.")
            yield one, content
            end = begin + one.place + -(-one.size // BLOCK) * BLOCK


def by_artifact(file: IO[bytes], readers: Readers | None) -> Iterator[tuple[str, dict[str, bytes]]]:
    """The files of each artifact, by their path in its folder. Raises ArchiveRefused and ReadingFailed."""
    current, members = "", dict[str, bytes]()
    seen: set[str] = set()
    for packed, content in packed_files(file, readers):
        name = packed.name
        if not packed.plain or not MEMBER.fullmatch(name):
            raise ArchiveRefused(f"The archive has {name[:200]!r}, which is not a file of an artifact.")
        artifact_id, _, path = name.partition("/")
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
        if sum(map(len, members.values())) + len(content) > MOST_BYTES:
            raise ArchiveRefused(f"{artifact_id} has more than {MOST_BYTES} bytes.")
        members[path] = content
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
