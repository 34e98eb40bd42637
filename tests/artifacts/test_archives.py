"""Artifacts taken elsewhere in an archive: whole, not forged, and no more than is read safely."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from app.artifacts.store import archive
from app.artifacts.store.artifact import imported_id
from app.artifacts.store.store import ArtifactStore
from app.errors import ArchiveRefused
from harness.folders import Folders
from harness.launcher import HarnessFault
from harness.order import Order
from harness.running import Running
from harness.sandbox.ladder import strongest
from tests.artifacts.forgeries import (
    FORGERIES,
    brings,
    forged,
    tar,
)
from tests.small_artifacts import draw, proof


def pack(store: ArtifactStore) -> bytes:
    return b"".join(archive.export(store, sorted(store.ids())))


def test_an_archive_brings_artifacts_elsewhere(tmp_path: Path) -> None:
    here, there = ArtifactStore(tmp_path / "here"), ArtifactStore(tmp_path / "there")
    brought = Order("import bpy\n", files=(("a b.txt", b"1"),), setup_snippet="import bpy\n")
    one = here.publish(proof(tmp_path, "add a ball", draw("ball", "red"), views=2))
    two = here.publish(proof(tmp_path, None, draw("bars", "red"), snippet="import bpy\n", order=brought))
    assert one and two
    new, known = archive.import_archive(there, io.BytesIO(pack(here)))
    assert (sorted(new), known) == (sorted(map(imported_id, [one.id, two.id])), [])
    read = there.read(imported_id(one.id))
    assert (read.title, read.tags, read.looks, read.sha256) == (one.title, one.tags, one.looks, one.sha256)
    assert (read.proven, read.links.picture) == ("elsewhere", f"/artifacts/{read.id}.png")
    assert there.order(imported_id(two.id)) == brought
    assert [seen.origin for seen in there.sightings(imported_id(one.id))] == ["import"]
    assert archive.import_archive(there, io.BytesIO(pack(here)))[0] == []
    # What was imported travels on, and is not imported where it was proven.
    assert archive.import_archive(here, io.BytesIO(pack(there))) == ([], sorted([one.id, two.id]))


ID = "a-0123456789abcdef"
HOSTILE_ARCHIVES = {
    "nothing": (b"", "cannot be read|no artifact"),
    "no archive": (b"PK\x03\x04" + b"x" * 2000, "cannot be read"),
    "an empty archive": (tar(), "no artifact"),
    "a way out": (tar((f"{ID}/../../evil.py", b"")), "not a file of an artifact"),
    "an absolute path": (tar(("/tmp/evil.py", b"")), "not a file of an artifact"),
    "a way out of the inputs": (tar((f"{ID}/inputs/files/../../x", b"")), "no `..`"),
    "a link": (tar((f"{ID}/picture.png", b""), kind=tarfile.SYMTYPE, link="/etc/passwd"), "not a file of an artifact"),
    "a hard link": (tar((f"{ID}/picture.png", b""), kind=tarfile.LNKTYPE, link="x"), "not a file of an artifact"),
    "a device": (tar((f"{ID}/picture.png", b""), kind=tarfile.CHRTYPE), "not a file of an artifact"),
    "a folder for a file": (tar((f"{ID}/inputs/files/..", b"")), "no `..`"),
    "a hidden file": (tar((f"{ID}/inputs/files/.x.part", b"")), "begins with ."),
    "a name that is too long": (tar((f"{ID}/inputs/files/" + "\U0001d51e" * 100, b"")), "255 bytes"),
    "a file twice": (tar((f"{ID}/snippet.py", b""), (f"{ID}/snippet.py", b"")), "twice"),
    "too many files": (tar(*((f"{ID}/inputs/files/{place}", b"") for place in range(201))), "more than"),
    "too little": (tar((f"{ID}/snippet.py", b"import bpy\n")), "lacks"),
    "no receipt that can be read": (
        tar(*((f"{ID}/{name}", b"{}") for name in ("snippet.py", "picture.png", "report.json", "receipt.json"))),
        "no readable receipt",
    ),
}


@pytest.mark.parametrize("case", HOSTILE_ARCHIVES)
def test_a_hostile_archive_is_refused(case: str, tmp_path: Path) -> None:
    content, said = HOSTILE_ARCHIVES[case]
    store = ArtifactStore(tmp_path / "artifacts")
    with pytest.raises(ArchiveRefused, match=said):
        archive.import_archive(store, io.BytesIO(content))
    assert list(store.folder.iterdir()) == []
    assert [path.name for path in tmp_path.iterdir()] == ["artifacts"]


def leaves_out_a_hash(receipt: dict[str, Any], _report: dict[str, Any], _folder: Path) -> None:
    receipt["sha256"].pop("snippet.py")


@pytest.mark.parametrize("case", FORGERIES)
def test_a_forged_artifact_is_refused_though_its_hashes_are_right(case: str, tmp_path: Path) -> None:
    forge, said = FORGERIES[case]
    there = ArtifactStore(tmp_path / "there")
    with pytest.raises(ArchiveRefused, match=said):
        archive.import_archive(there, io.BytesIO(forged(tmp_path, forge)[1]))
    assert (there.count(), list(tmp_path.rglob("ESCAPED"))) == (0, [])


def test_the_near_twin_of_a_forged_artifact_is_imported(tmp_path: Path) -> None:
    there = ArtifactStore(tmp_path / "there")
    artifact_id, content = forged(tmp_path, brings("x", "inputs/files/x"))
    assert archive.import_archive(there, io.BytesIO(content)) == ([imported_id(artifact_id)], [])
    assert there.order(imported_id(artifact_id)).files == (("x", b"evil"),)


@pytest.mark.parametrize("name", ["..", "../x", "/x", "a/../../b", ""])
async def test_no_file_is_written_out_of_the_work_folder_whatever_an_order_says(name: str, tmp_path: Path) -> None:
    place: Any = SimpleNamespace(folders=Folders.make(tmp_path / "job"))
    blender: Any = None
    with pytest.raises(HarnessFault, match="cannot name a file"):
        await Running(place, blender, Order("import bpy\n", files=((name, b"evil"),)), strongest()).set_up()


LENGTH: Final = 4 << 20


def before_a_file(kind: bytes, size: int, times: int = 1) -> bytes:
    """Headers of `size` bytes, each followed by what it announces, and then an empty file of an artifact."""
    header = tarfile.TarInfo("header")
    header.type, header.size = kind, size
    said = b"x" * size
    if kind in (tarfile.XHDTYPE, tarfile.XGLTYPE):
        start = f"{size} comment=".encode()
        said = start + b"x" * (size - len(start) - 1) + b"\n"
    one = header.tobuf(tarfile.GNU_FORMAT) + said + b"\0" * (-size % 512)
    return one * times + tarfile.TarInfo(f"{ID}/snippet.py").tobuf() + b"\0" * 1024


def sparse(blocks: int) -> bytes:
    """A sparse file whose map continues for this many blocks."""
    member = tarfile.TarInfo(f"{ID}/snippet.py")
    member.type = tarfile.GNUTYPE_SPARSE
    header = bytearray(member.tobuf(tarfile.GNU_FORMAT))
    header[482:495] = b"\1" + b"0" * 11 + b"\0"
    header[148:156] = b"%06o\0 " % (256 + sum(header[:148]) + sum(header[156:]))
    more = b"\0" * 504 + b"\1" + b"\0" * 7
    return bytes(header) + more * blocks + b"\0" * 1024


LONG_HEADERS = {
    "long words": before_a_file(tarfile.XHDTYPE, LENGTH),
    "long words for all": before_a_file(tarfile.XGLTYPE, LENGTH),
    "words of another system": before_a_file(tarfile.SOLARIS_XHDTYPE, LENGTH),
    "a long name": before_a_file(tarfile.GNUTYPE_LONGNAME, LENGTH),
    "a long link": before_a_file(tarfile.GNUTYPE_LONGLINK, LENGTH),
    "many words": before_a_file(tarfile.XGLTYPE, 1024, 200),
    "a long map": sparse(LENGTH // 512),
}


class CountingFile(io.BytesIO):
    """Counts what is read of it."""

    count = 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self.count += len(data)
        return data


@pytest.mark.parametrize("case", LONG_HEADERS)
def test_an_archive_with_long_headers_is_refused_before_they_are_read(case: str, tmp_path: Path) -> None:
    content = CountingFile(LONG_HEADERS[case])
    with pytest.raises(ArchiveRefused, match="header is too long"):
        archive.import_archive(ArtifactStore(tmp_path / "artifacts"), content)
    assert content.count <= 32 << 10 < LENGTH


SHORT_HEADERS = {
    "words": before_a_file(tarfile.XHDTYPE, 1024),
    "words for all": before_a_file(tarfile.XGLTYPE, 1024),
    "a few words": before_a_file(tarfile.XGLTYPE, 1024, 4),
    "a link": before_a_file(tarfile.GNUTYPE_LONGLINK, 1024),
}


@pytest.mark.parametrize("case", SHORT_HEADERS)
def test_headers_that_are_short_are_read(case: str, tmp_path: Path) -> None:
    with pytest.raises(ArchiveRefused, match=f"{ID} lacks"):
        archive.import_archive(ArtifactStore(tmp_path / "artifacts"), io.BytesIO(SHORT_HEADERS[case]))


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_an_artifact_whose_files_need_a_header_for_their_names_is_imported(form: int, tmp_path: Path) -> None:
    here, there = ArtifactStore(tmp_path / "here"), ArtifactStore(tmp_path / "there")
    files = tuple((f"{number}{'ü' * 80}.txt", b"1" * 40_000) for number in range(20))
    order = Order("import bpy\n", files=files)
    made = here.publish(proof(tmp_path, None, draw("ball", "red"), snippet=order.snippet, order=order))
    assert made
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as packed:
        for name in ("artifact.json", *here.read(made.id).sha256):
            packed.add(here.folder / made.id / name, f"{made.id}/{name}")
    assert archive.import_archive(there, io.BytesIO(out.getvalue())) == ([imported_id(made.id)], [])
    assert there.order(imported_id(made.id)).files == files


@pytest.mark.parametrize("end", [700, 1536, 20_000])
def test_an_archive_that_breaks_off_is_refused(end: int, tmp_path: Path) -> None:
    content = tar((f"{ID}/picture.png", b"0" * 1000), (f"{ID}/snippet.py", b"0" * 40_000))
    with pytest.raises(ArchiveRefused, match=r"cannot be read|lacks"):
        archive.import_archive(ArtifactStore(tmp_path / "artifacts"), io.BytesIO(content[:end]))


def test_an_artifact_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES", 1000)
    content = tar(*((f"{ID}/inputs/files/{place}", b"0" * 400) for place in range(3)))
    with pytest.raises(ArchiveRefused, match="more than 1000 bytes"):
        archive.import_archive(ArtifactStore(tmp_path / "artifacts"), io.BytesIO(content))


def test_what_came_before_the_fault_of_an_archive_stays_and_is_said(tmp_path: Path) -> None:
    here = ArtifactStore(tmp_path / "here")
    made = [here.publish(proof(tmp_path, words, draw("ball", "red"))) for words in ("a ball", "a box")]
    ids = [one.id for one in made if one]
    content = b"".join(archive.export(here, ids))
    with tarfile.open(fileobj=io.BytesIO(content)) as whole:
        members = [(one.name, (here.folder / one.name).read_bytes()) for one in whole]
    there = ArtifactStore(tmp_path / "there")
    new: list[str] = []
    with pytest.raises(ArchiveRefused) as refused:
        archive.import_archive(there, io.BytesIO(tar(*members, (f"{ID}/evil", b""))), new)
    first = imported_id(ids[0])
    assert (new, there.ids(), refused.value.details) == ([first], {first}, {"imported": 1})
    assert "nothing was imported" not in refused.value.shown_hint


def test_an_archive_with_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    member = tarfile.TarInfo(f"{ID}/picture.png")
    member.size = 1 << 40
    with pytest.raises(ArchiveRefused, match="bytes; the limit is"):
        archive.import_archive(ArtifactStore(tmp_path / "artifacts"), io.BytesIO(member.tobuf() + b"\0" * 4096))


@pytest.mark.parametrize(("name", "old", "new"), [
    ("snippet.py", b"import bpy", b"import os "),
    ("report.json", b'"vertices": 8', b'"vertices": 9'),
    ("receipt.json", b'"version": "5.0.1"', b'"version": "4.9.9"'),
    ("receipt.json", b'"wall_s": 60.0', b'"wall_s": "an hour"'),
])  # fmt: skip
def test_an_archive_that_was_tampered_with_is_refused(name: str, old: bytes, new: bytes, tmp_path: Path) -> None:
    here, there = ArtifactStore(tmp_path / "here"), ArtifactStore(tmp_path / "there")
    made = here.publish(proof(tmp_path, "add a ball", draw("ball", "red")))
    assert made
    file = here.folder / made.id / name
    assert old in file.read_bytes()
    file.write_bytes(file.read_bytes().replace(old, new))
    with pytest.raises(ArchiveRefused):
        archive.import_archive(there, io.BytesIO(pack(here)))
    assert there.count() == 0
