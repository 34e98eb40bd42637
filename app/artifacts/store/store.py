"""Artifacts on disk: one folder each, written elsewhere and renamed, so that each is there in full or not at all.

<data>/artifacts/a-0123456789abcdef/       named by what it proves: snippet, build, inputs, requested pictures
<data>/artifacts/i-0123456789abcdef/       the same content, brought by an archive: it proves nothing here
    snippet.py  picture.png  views/<view>.png  report.json  receipt.json  inputs/...    of record, never changed
    artifact.json  contact-sheet.png                                                    computed from those
    seen/<run>.json                                                                     one file per sighting
    embeddings/text.npz  picture.npz                                                    see `embeddings.py`
    scene/<SHA-256>.blend, .glb                                                         see `scenes.py`
<data>/artifacts/.*.part/     being written or deleted; the rests of a killed service are removed at the next start
<data>/damaged/               artifacts that `blendproof doctor --repair` could not repair

Every file is compared with its hash in the receipt or the record when it is read.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

from app.artifacts import geometry
from app.artifacts.pictures import contact_sheet, looks_of, open_own
from app.artifacts.store import receipts, scenes
from app.artifacts.store.artifact import (
    ARTIFACT_ID,
    RECEIPT_SCHEMA,
    Artifact,
    ArtifactDetails,
    Origin,
    Provenance,
    Quotation,
    Receipt,
    Sighting,
    content_id,
    imported_id,
)
from app.artifacts.store.record import (
    CONTACT_SHEET,
    PICTURE,
    RECEIPT,
    RECORD,
    REPORT,
    SNIPPET,
    make_record,
    title_of,
)
from app.artifacts.store.record_files import (
    SEEN,
    UNFINISHED,
    changed,
    hashes_of,
    intact,
    png,
    replace_file,
    sync,
    sync_folder,
)
from app.artifacts.store.sealed import SealBroken, sealed, unsealed
from app.errors import ArtifactDamaged, ArtifactNotFound
from app.jobs.kinds import RunKind
from app.jobs.run import Attempt
from app.verdict.verdict import Verdict
from harness.order import Order

ArtifactFile = Literal["picture.png", "snippet.py", "report.json", "receipt.json", "contact-sheet.png"]
MOST_SEEN: Final = 200
"""Most recent sightings to keep, in addition to the first."""
DAMAGED: Final = "damaged"


@dataclass(frozen=True)
class Proof:
    """The proof by a run: the attempt, the executed order, and the folder of its pictures."""

    run: str
    kind: RunKind
    request: str | None
    attempt: Attempt
    order: Order
    pictures: Path
    provenance: Provenance
    origin: Origin = "run"
    quoted: Quotation | None = None
    """The words of the import, for a replay that proves it here."""
    title: str | None = None
    """The title of an edited snippet, which may describe itself as before; otherwise the request or the snippet has
    it."""


class ArtifactStore:
    """Keeps artifacts in a folder, which it creates. Only the process that holds the data folder may open it.

    Readers of files raise ArtifactNotFound if there is none, and ArtifactDamaged if it was changed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder: Final = folder
        folder.mkdir(parents=True, exist_ok=True)
        for unfinished in folder.glob(f".*{UNFINISHED}"):
            shutil.rmtree(unfinished)
        self._set_imports_apart()

    def _set_imports_apart(self) -> None:
        """Give imports a name of their own: older versions kept them like artifacts proven here."""
        for artifact_id in self.ids():
            kept = imported_id(artifact_id)
            if self.has(kept) or not self._was_imported(artifact_id):
                continue
            with contextlib.suppress(ArtifactNotFound, KeyError, TypeError, ValueError):
                receipt, report = self.receipt(artifact_id), self.report(artifact_id)
                (self.folder / artifact_id).rename(self.folder / kept)
                write_computed(self.folder / kept, kept, receipt, report)

    def _was_imported(self, artifact_id: str) -> bool:
        """True if the first sighting is an import."""
        with contextlib.suppress(OSError), os.scandir(self.folder / artifact_id / SEEN) as seen:
            if not any(file.name.startswith("import-") for file in seen):
                return False
        first = next(iter(self.sightings(artifact_id)), None)
        return first is not None and first.origin == "import"

    def publish(self, proof: Proof) -> Artifact | None:
        """Store a proof; None if its scene has nothing to render. Takes some 50 ms, so not for an event loop.

        An artifact that was proven here already is only seen once more. The same run sees it only once, so to publish
        again after an interruption changes nothing. One that was changed since is replaced; an import stays apart.
        """
        report = proof.attempt.report
        assert report is not None
        if report["evidence"]["render"]["nothing_to_render"]:
            return None
        artifact_id = content_id(proof.order, report["blender"])
        title = proof.title or title_of(proof.request, proof.attempt.snippet, report["evidence"])
        holds_on = list(proof.provenance.holds_on)
        seen = Sighting(
            run=proof.run, origin=proof.origin, title=title, request=proof.request, at=now(), holds_on=holds_on
        )
        if self.has(artifact_id) and not self.is_whole(artifact_id):
            self.set_aside(artifact_id)
        if not self.has(artifact_id):
            with self.building(artifact_id) as part:
                write_files(part, artifact_id, title, proof)
                write_sighting(part, seen)
                if proof.order.keep_scene:
                    scenes.keep(part, proof.pictures)
        if proof.order.keep_scene:
            self.keep_scene(artifact_id, proof.pictures)
        return self.see(artifact_id, seen)

    def keep_scene(self, artifact_id: str, results: Path) -> bool:
        """Keep the scene among these results of an artifact that is there; see `scenes.keep`."""
        return scenes.keep(self.folder / artifact_id, results)

    @contextlib.contextmanager
    def building(self, artifact_id: str) -> Generator[Path, None, None]:
        """A folder to fill, which becomes the artifact when the block ends, in full or not at all."""
        part = self.folder / f".{artifact_id}.{secrets.token_hex(4)}{UNFINISHED}"
        part.mkdir()
        try:
            yield part
            sync(part)
            try:
                part.rename(self.folder / artifact_id)
            except OSError:
                # If another thread was faster, its artifact is the same.
                if not (self.folder / artifact_id).is_dir():
                    raise
            sync_folder(self.folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)

    def see(self, artifact_id: str, sighting: Sighting) -> Artifact:
        """Record that an artifact was seen, and return it. Raises ArtifactNotFound."""
        artifact = self.read(artifact_id)
        write_sighting(self.folder / artifact_id, sighting)
        return artifact

    def read(self, artifact_id: str) -> Artifact:
        """The facts of the artifact."""
        path = self._path(artifact_id, RECORD)
        try:
            record, has_seal = unsealed(Artifact, path.read_bytes())
        except SealBroken as error:
            raise changed(artifact_id, RECORD) from error
        except (OSError, ValueError, RecursionError) as error:
            raise ArtifactDamaged(f"Artifact {artifact_id} is damaged: its {RECORD} cannot be read.") from error
        if record.id != artifact_id or (not has_seal and record != computed_again(path.parent, record)):
            raise changed(artifact_id, RECORD)
        intact(path.parent, RECEIPT, record.sha256.get(RECEIPT))
        return record

    def read_first(self, ids: Iterable[str], most: int) -> list[Artifact]:
        """The first `most` of these that are there and whole."""
        found: list[Artifact] = []
        for artifact_id in ids:
            if len(found) >= most:
                break
            with contextlib.suppress(ArtifactNotFound):
                found.append(self.read(artifact_id))
        return found

    def details(self, artifact_id: str) -> ArtifactDetails:
        """The artifact with every time it was seen. Raises ArtifactNotFound."""
        artifact = self.read(artifact_id)
        folder, base = self.folder / artifact_id, f"/artifacts/{artifact_id}"
        scene, glb = (f"{base}.{form}" if scenes.find(folder, form) else None for form in scenes.FORMS)
        return ArtifactDetails(**dict(artifact), sightings=self.sightings(artifact_id), scene=scene, glb=glb)

    def sightings(self, artifact_id: str) -> list[Sighting]:
        """Every time the artifact was seen, in order."""
        found: list[Sighting] = []
        for file in (self.folder / artifact_id / SEEN).glob("*.json"):
            with contextlib.suppress(OSError, ValueError, RecursionError):
                found.append(unsealed(Sighting, file.read_bytes())[0])
        return sorted(found, key=lambda sighting: (sighting.at, sighting.run))

    def receipt(self, artifact_id: str) -> Receipt:
        """The instructions to make the artifact again."""
        self.read(artifact_id)
        return receipts.read_receipt(self.folder / artifact_id)

    def order(self, artifact_id: str) -> Order:
        """The order that makes the artifact again."""
        receipt = self.receipt(artifact_id)
        return receipts.order_of(
            receipt, lambda name: intact(self.folder / artifact_id, name, receipt.sha256.get(name))
        )

    def report(self, artifact_id: str) -> dict[str, Any]:
        """Verdict and report."""
        read: dict[str, Any] = json.loads(self.content(artifact_id, REPORT))
        return read

    def verdict(self, artifact_id: str) -> Verdict:
        """The verdict that published the artifact."""
        return Verdict.model_validate(self.report(artifact_id)["verdict"])

    def content(self, artifact_id: str, name: ArtifactFile) -> bytes:
        """One of its files, as it was published."""
        return self._intact(artifact_id, name)

    def view(self, artifact_id: str, view: str) -> bytes:
        """One of its further pictures, as it was published."""
        return self._intact(artifact_id, f"views/{view}.png")

    def scene(self, artifact_id: str, form: scenes.SceneForm = "blend") -> bytes:
        """The scene that its snippet left, if a run asked to keep it. Raises SceneNotKept."""
        self.read(artifact_id)
        return scenes.read(self.folder / artifact_id, form)

    def contents(self, artifact_id: str) -> dict[str, bytes]:
        """Every file of the artifact by its path, the record first, as it was published."""
        folder, record = self.folder / artifact_id, self.read(artifact_id)
        sha256 = {**record.sha256, **receipts.read_receipt(folder).sha256}
        return {RECORD: sealed(record), **{name: intact(folder, name, wanted) for name, wanted in sha256.items()}}

    def _intact(self, artifact_id: str, name: str) -> bytes:
        self._path(artifact_id, name)
        folder, record = self.folder / artifact_id, self.read(artifact_id)
        receipt = receipts.read_receipt(folder)
        return intact(folder, name, receipt.sha256.get(name) or record.sha256.get(name))

    def delete(self, artifact_id: str) -> None:
        """Remove an artifact at once; if the service is killed meanwhile, it may stay. Raises ArtifactNotFound."""
        if not self.has(artifact_id):
            raise ArtifactNotFound(f"There is no artifact {artifact_id}.")
        part = self.folder / f".{artifact_id}.{secrets.token_hex(4)}{UNFINISHED}"
        (self.folder / artifact_id).rename(part)
        sync_folder(self.folder)
        shutil.rmtree(part)

    def has(self, artifact_id: str) -> bool:
        """True if there is an artifact of this name, intact or damaged."""
        return bool(ARTIFACT_ID.fullmatch(artifact_id)) and (self.folder / artifact_id).is_dir()

    def is_whole(self, artifact_id: str) -> bool:
        """True if each of its files is as it was published."""
        return self.damage(artifact_id) is None

    def damage(self, artifact_id: str) -> str | None:
        """The first of its files that is missing or was changed, in one sentence; None if all are intact."""
        try:
            self.contents(artifact_id)
        except ArtifactNotFound as error:
            return error.message
        return None

    def set_aside(self, artifact_id: str) -> Path:
        """Move an irreparable artifact out of the way, and return its new place."""
        damaged = self.folder.parent / DAMAGED
        damaged.mkdir(exist_ok=True)
        there = damaged / f"{artifact_id}-{secrets.token_hex(4)}"
        (self.folder / artifact_id).rename(there)
        sync_folder(self.folder)
        return there

    def ids(self) -> set[str]:
        """Names of all artifacts, intact or damaged."""
        with os.scandir(self.folder) as entries:
            return {entry.name for entry in entries if ARTIFACT_ID.fullmatch(entry.name)}

    def count(self) -> int:
        """The number of artifacts."""
        return len(self.ids())

    def _path(self, artifact_id: str, name: str) -> Path:
        path = self.folder / artifact_id / name
        if not ARTIFACT_ID.fullmatch(artifact_id):
            raise ArtifactNotFound(f"There is no artifact {artifact_id[:100]!r}.")
        if not path.is_file():
            twin = imported_id(artifact_id)
            hint = f"The same content was imported as {twin}." if twin != artifact_id and self.has(twin) else None
            raise ArtifactNotFound(f"There is no artifact {artifact_id} with {name}.", hint)
        return path


def computed_again(folder: Path, record: Artifact) -> Artifact | None:
    """The record that follows from receipt and report; None if they are damaged."""
    try:
        receipt = receipts.read_receipt(folder)
        report = json.loads(intact(folder, REPORT, receipt.sha256.get(REPORT)))
        return make_record(folder.name, receipt, report, {**record.sha256, **receipt.sha256})
    except (ArtifactNotFound, KeyError, TypeError, ValueError, AttributeError):
        return None


def write_files(part: Path, artifact_id: str, title: str, proof: Proof) -> None:
    """Fill the folder of a new artifact that was proven here."""
    report, order = proof.attempt.report, proof.order
    assert report is not None
    first, *others = report["evidence"]["render"]["pictures"]
    shutil.copyfile(proof.pictures / first["file"], part / PICTURE)
    (part / "views").mkdir()
    for picture in [*others, *report["evidence"]["render"].get("frames", [])]:
        shutil.copyfile(proof.pictures / picture["file"], part / "views" / f"{Path(picture['file']).stem}.png")
    (part / SNIPPET).write_bytes(proof.attempt.snippet.encode("utf-8", "surrogatepass"))
    whole = {"verdict": proof.attempt.verdict.model_dump(mode="json"), "execution": report}
    (part / REPORT).write_text(json.dumps(whole, indent=1), encoding="utf-8")
    setup, files = receipts.write_inputs(order, part)
    receipt = Receipt(
        format=RECEIPT_SCHEMA,
        artifact=artifact_id,
        run=proof.run,
        kind=proof.kind,
        title=title,
        request=proof.request,
        created_at=now(),
        blender=report["blender"],
        arguments=list(order.arguments),
        setup=setup,
        files=files,
        render=receipts.render_facts(order),
        limits={"wall_s": order.run_limits.wall_s, "memory_bytes": order.run_limits.memory_bytes},
        seeds=receipts.SEEDS,
        symbols=proof.attempt.symbols,
        provenance=proof.provenance,
        geometry=geometry.signature(report["evidence"]["scene"]),
        looks=looks_of(open_own(part / PICTURE)),
        sha256=hashes_of(part),
        quoted=proof.quoted,
    )
    (part / RECEIPT).write_text(receipt.model_dump_json(indent=1), encoding="utf-8")
    write_computed(part, artifact_id, receipt, whole)


def write_computed(folder: Path, artifact_id: str, receipt: Receipt, report: dict[str, Any]) -> Artifact:
    """Write the computed files: the record, and a contact sheet if there are several pictures."""
    render = report["execution"]["evidence"]["render"]
    pictures = [*render["pictures"], *render.get("frames", [])]
    if len(pictures) > 1:
        labels = [Path(picture["file"]).stem for picture in pictures]
        files = [folder / PICTURE, *(folder / "views" / f"{label}.png" for label in labels[1:])]
        replace_file(folder / CONTACT_SHEET, png(contact_sheet(list(zip(labels, files, strict=True)))))
    record = make_record(artifact_id, receipt, report, hashes_of(folder))
    replace_file(folder / RECORD, sealed(record))
    return record


def write_sighting(folder: Path, sighting: Sighting) -> None:
    """Record that the artifact in this folder was seen; the first record of a run stays."""
    file = folder / SEEN / f"{sighting.run}.json"
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        replace_file(file, sealed(sighting))
        # Another thread may be doing the same.
        with contextlib.suppress(FileNotFoundError):
            files = file.parent.glob("*.json")
            _first, *later = sorted(files, key=lambda file: (file.stat().st_mtime_ns, file.name))
            for old in later[:-MOST_SEEN]:
                old.unlink()


def sighting_of(origin: Origin, artifact: Artifact) -> Sighting:
    """A sighting without a run."""
    return Sighting(
        run=f"{origin}-{secrets.token_hex(4)}", origin=origin, title=artifact.title, request=artifact.request, at=now()
    )


def now() -> str:
    """The time in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
