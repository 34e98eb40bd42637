"""Facts of a Blender's API near a crash: names that it lacks or changed, and entries of the names used there.

The Blender is the one that the log names, or the installed one of the nearest version; each remark says which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from app.reading.removals import Removals
from app.reading.snippet import read
from codebase.diagnosis.hints import hint_of
from codebase.diagnosis.shapes import Crash, DiagnosisDrift, DiagnosisSymbol
from codebase.diagnosis.texts import Texts
from codebase.tracebacks.error import Error
from harness.blenders import Blender
from harness.versions import version_key
from ingest.dumped import operator_symbol, symbols_of_module, symbols_of_type
from ingest.manifest import Manifest
from ingest.symbol import Symbol as Entry

NEAR: Final = 25
"""Lines around a crash line in which a remark counts."""
MOST: Final = 8
ManifestOf = Callable[[Blender], Manifest]


def nearest(blenders: Sequence[Blender], version: str | None) -> Blender | None:
    """The Blender of this version; otherwise of its series, or the next newer one; without a version the first."""
    if not blenders or version is None:
        return next(iter(blenders), None)
    wanted = version_key(version)

    def distance(blender: Blender) -> tuple[bool, bool, bool, tuple[int, ...]]:
        key = version_key(blender.version)
        newer = key[:2] >= wanted[:2]
        return (key[:3] != wanted[:3], key[:2] != wanted[:2], not newer, key if newer else tuple(-part for part in key))

    return min(blenders, key=distance)


def blender_facts(
    root: Path, crashes: Sequence[Crash], manifest: Manifest
) -> tuple[list[DiagnosisDrift], list[DiagnosisSymbol]]:
    """Remarks of a Blender's API on the lines near crashes, and the entries of names on the crash lines."""
    texts, drift, symbols = Texts(root), dict[str, DiagnosisDrift](), dict[str, DiagnosisSymbol]()
    for crash in crashes:
        path, _, line = crash.citation.rpartition(":")
        text = "\n".join(texts.lines(path))
        if not path.endswith(".py") or "bpy" not in text:
            continue
        notes = read(text, manifest)
        for remark in notes.remarks:
            place, fault = remark.place.line, remark.fault
            if abs(place - int(line)) <= NEAR:
                remark_text = f"{fault.message}. {fault.hint or ''}".strip()
                drift.setdefault(
                    remark_text, DiagnosisDrift(f"{path}:{place}", fault.symbol or "", remark_text, manifest.version)
                )
        for use, address in notes.uses:
            if use.line == int(line) and address not in symbols:
                symbols.update({fact.address: fact for fact in entry_facts(address, manifest)})
    return list(drift.values())[:MOST], list(symbols.values())[:MOST]


def rename_facts(errors: Iterable[Error], crashes: Sequence[Crash], version: str) -> Iterator[DiagnosisDrift]:
    """Entries in the table of renamed names for an attribute or operator that a message names as missing."""
    table = Removals.for_version(version_key(version))
    for error in errors:
        hint = hint_of(error)
        addresses = [f"bpy.types.{hint.owner}.{hint.missing}", f"*.{hint.missing}"] if hint.missing else []
        addresses += [f"bpy.ops.{hint.operator}"] if hint.operator else []
        fault = table.entry(*addresses)
        if fault:
            words = f"{fault.message}. {fault.hint or ''}".strip()
            citation = next((crash.citation for crash in crashes if crash.error == error.title), "")
            yield DiagnosisDrift(citation, fault.symbol or "", words, version)


def entry_facts(address: str, manifest: Manifest) -> Iterator[DiagnosisSymbol]:
    """The entry of an address in the API of a Blender."""
    for entry in entries_near(address, manifest):
        if entry.address == address:
            signature = entry.signature or entry.type
            yield DiagnosisSymbol(address, signature, entry.description[:300], manifest.version)
            return


def entries_near(address: str, manifest: Manifest) -> Iterator[Entry]:
    """The entries of the type, operator or module that an address is in."""
    parts = address.split(".")
    if address.startswith("bpy.types.") and parts[2] in manifest.types:
        yield from symbols_of_type(manifest.types[parts[2]], manifest)
    elif address.startswith("bpy.ops.") and ".".join(parts[2:]) in manifest.operators:
        yield operator_symbol(manifest.operators[".".join(parts[2:])], manifest)
    else:
        for end in range(len(parts), 0, -1):
            if ".".join(parts[:end]) in manifest.modules:
                yield from symbols_of_module(manifest.modules[".".join(parts[:end])])
                return
