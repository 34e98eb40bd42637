"""Artifacts in one archive: a plain .tar with their folders, written and read as a stream.

An archive is untrusted: its names must be those of an artifact, its sizes are bounded, its content must agree with its
own receipt and record, its report has the form of one, and the id must be that of the content. What is imported gets a
name of its own: it is kept, found and shown, and proves nothing here.
"""

from __future__ import annotations

import contextlib
import io
import re
import tarfile
from collections.abc import Generator, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

import structlog

from app.artifacts import geometry
from app.artifacts.pictures import looks_of, open_upload
from app.artifacts.store import receipts
from app.artifacts.store.artifact import Artifact, Receipt, content_id, imported_id
from app.artifacts.store.files import hashes_of
from app.artifacts.store.record import CONTACT_SHEET, PICTURE, RECEIPT, RECORD, REPORT, SNIPPET, TITLE_LENGTH
from app.artifacts.store.reported import LARGEST_REPORT_BYTES, read_report
from app.artifacts.store.store import ArtifactStore, sighting_of, write_computed, write_sighting
from app.checks.verdict import EXECUTED, StageState, Verdict
from app.errors import ArchiveRefused, ArtifactNotFound, PictureRefused
from app.runs.earlier import LONGEST_REQUEST
from app.runs.request import plain_path
from harness.protocol import Outcome

log = structlog.get_logger()

MEMBER: Final = re.compile(
    r"[ai]-[0-9a-f]{16}/(?:artifact\.json|receipt\.json|report\.json|snippet\.py|picture\.png|contact-sheet\.png"
    r"|views/[a-z0-9_]{1,40}\.png|inputs/setup\.(?:py|blend)|inputs/files/[^\\\x00]{1,200})"
)
LARGEST_FILE_BYTES: Final = 64 << 20
LARGEST: Final = {RECEIPT: 1 << 20, REPORT: LARGEST_REPORT_BYTES}
MOST_BYTES: Final = 128 << 20
"""Most bytes of one artifact: they are in memory while it is checked."""
LONGEST_FACT: Final = 100
LONGEST_PROVENANCE: Final = 8 << 10
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
    """The bytes of an archive, in order, with a bound on what a reader needs to get from one file to the next.

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
    """The archive of these artifacts, in pieces. Those that vanish or were changed are left out, and logged."""
    out = Pieces()
    with tarfile.open(fileobj=out, mode="w|", format=tarfile.PAX_FORMAT) as archive:
        for one in ids:
            try:
                contents = store.contents(one)
            except ArtifactNotFound as error:
                log.warning("artifact not exported", artifact=one, problem=error.message)
                continue
            for name, content in contents.items():
                member = tarfile.TarInfo(f"{one}/{name}")
                member.size, member.mode = len(content), 0o644
                archive.addfile(member, io.BytesIO(content))
            yield out.taken()
    yield out.taken()


class Pieces(io.RawIOBase):
    """Collects what is written until it is taken."""

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


def import_archive(store: ArtifactStore, file: IO[bytes], new: list[str] | None = None) -> tuple[list[str], list[str]]:
    """Add the artifacts of an archive; return the ids of the new ones, and of those that were here already.

    Raises ArchiveRefused; complete artifacts read until then stay. A list given as `new` then holds their ids.
    """
    new = [] if new is None else new
    known: list[str] = []
    try:
        add_all(store, file, new, known)
    except READING_ERRORS as error:
        raise refused(f"The archive cannot be read: {error}.", new) from error
    except ArchiveRefused as error:
        raise refused(error.message, new) from error
    if not new and not known:
        raise ArchiveRefused("The archive has no artifact.")
    return new, known


def refused(message: str, new: list[str]) -> ArchiveRefused:
    """The refusal of the archive, with what of it stays."""
    if not new:
        return ArchiveRefused(message)
    hint = f"The {len(new)} artifacts before it were imported and stay; send the rest in another archive."
    return ArchiveRefused(message, hint, {"imported": len(new)})


def add_all(store: ArtifactStore, file: IO[bytes], new: list[str], known: list[str]) -> None:
    """Add the artifacts one after another, and note their ids. Raises ArchiveRefused and READING_ERRORS."""
    source = ShortHeaders(file)
    with tarfile.open(fileobj=source, mode="r:") as archive:
        for artifact_id, members in by_artifact(archive, source):
            kept = imported_id(artifact_id)
            there = [one for one in (own_id(artifact_id), kept) if store.has(one) and store.is_whole(one)]
            if there:
                known.append(there[0])
                continue
            if store.has(kept):
                store.set_aside(kept)
            add(store, kept, members)
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


def add(store: ArtifactStore, kept: str, members: dict[str, bytes]) -> None:
    """Add one complete artifact under this name, after all its own claims are checked. Raises ArchiveRefused."""
    artifact_id = own_id(kept)
    missing = {SNIPPET, PICTURE, REPORT, RECEIPT} - members.keys()
    if missing:
        raise ArchiveRefused(f"{artifact_id} lacks {', '.join(sorted(missing))}.")
    with store.building(kept) as part:
        for path, content in members.items():
            # The record and the contact sheet are computed here, from the checked files.
            if path not in (RECORD, CONTACT_SHEET):
                (part / path).parent.mkdir(parents=True, exist_ok=True)
                (part / path).write_bytes(content)
        write_sighting(part, sighting_of("import", check(artifact_id, kept, part)))


def check(artifact_id: str, kept: str, part: Path) -> Artifact:
    """Compare the imported files with their receipt, and compute the rest. Raises ArchiveRefused."""
    try:
        receipt = receipts.read_receipt(part)
        check_hashes(artifact_id, receipt, part)
        order = receipts.order_of(receipt, lambda name: (part / name).read_bytes())
        report = read_report((part / REPORT).read_bytes())
        check_words(artifact_id, receipt)
        check_report(artifact_id, receipt, report)
        for path in [PICTURE, *(name for name in receipt.sha256 if name.startswith("views/"))]:
            looks = looks_of(open_upload((part / path).read_bytes()))
            if path == PICTURE and looks != receipt.looks:
                raise ArchiveRefused(f"{artifact_id} has a picture that differs from its receipt.")
        if content_id(order, receipt.blender) != artifact_id:
            raise ArchiveRefused(f"{artifact_id} is not the id of its content.")
        if receipt.artifact != artifact_id:
            raise ArchiveRefused(f"The receipt of {artifact_id} is for {receipt.artifact[:40]}.")
        return write_computed(part, kept, receipt, report)
    except (ArtifactNotFound, PictureRefused) as error:
        raise ArchiveRefused(f"{artifact_id}: {error.message}") from error
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, OSError) as error:
        said = " ".join(str(error).split())[:300]
        raise ArchiveRefused(f"{artifact_id} has a report in another format: {said}.") from error


def check_hashes(artifact_id: str, receipt: Receipt, part: Path) -> None:
    """Check that the receipt has the hash of every file, and of no other. Raises ArchiveRefused."""
    there = {name: digest for name, digest in hashes_of(part).items() if name != RECEIPT}
    if wrong := sorted(name for name, _ in there.items() ^ receipt.sha256.items()):
        raise ArchiveRefused(f"{artifact_id}: {wrong[0][:200]} is not what was published: its SHA-256 differs.")


def check_words(artifact_id: str, receipt: Receipt) -> None:
    """Check that the shown words of the artifact have the form that a service writes. Raises ArchiveRefused."""
    facts = [receipt.blender.get(name) for name in ("version", "build_hash", "kind")]
    if not all(isinstance(fact, str) and 0 < len(fact) <= LONGEST_FACT for fact in facts):
        raise ArchiveRefused(f"The receipt of {artifact_id} does not name its Blender.")
    if len(receipt.title) > TITLE_LENGTH or len(receipt.request or "") > LONGEST_REQUEST:
        raise ArchiveRefused(f"The receipt of {artifact_id} has a title or a request that is too long.")
    if len(receipt.provenance.model_dump_json()) > LONGEST_PROVENANCE:
        raise ArchiveRefused(f"The receipt of {artifact_id} says too much of where it comes from.")
    if len(receipt.run) > LONGEST_FACT:
        raise ArchiveRefused(f"The receipt of {artifact_id} names a run in {len(receipt.run)} characters.")
    made = None
    with contextlib.suppress(ValueError, OverflowError):
        made = datetime.fromisoformat(receipt.created_at).astimezone(UTC)
    # Times are sorted as text, so only one format is accepted.
    if made is None or made.isoformat(timespec="milliseconds") != receipt.created_at:
        raise ArchiveRefused(f"The receipt of {artifact_id} has {receipt.created_at[:40]!r}, which is not a UTC time.")


def check_report(artifact_id: str, receipt: Receipt, report: dict[str, Any]) -> None:
    """Check that the report agrees with the receipt and proves the artifact. Raises ArchiveRefused, KeyError, ..."""
    execution = report["execution"]
    signature = geometry.signature(execution["evidence"]["scene"])
    if execution["blender"] != receipt.blender or signature != receipt.geometry:
        raise ArchiveRefused(f"The receipt and the report of {artifact_id} are about different things.")
    verdict = Verdict.model_validate(report["verdict"])
    states = {stage.name: stage.state for stage in verdict.stages}
    proven = verdict.passed and StageState.FAILED not in states.values() and states["execute"] in EXECUTED
    if execution["outcome"] != Outcome.PASSED or not proven:
        raise ArchiveRefused(f"{artifact_id} is not proven, according to its own report.")
