"""Fills the index: the API of an installed Blender, or a published reference, with the questions they answer."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from app.reading import addresses_used
from app.settings import Settings
from harness.blenders import Blender
from harness.dump import manifest_file
from ingest.build import IngestInput, IngestProgress, IngestResult, build
from ingest.cookbook import load_cookbook
from ingest.dumped import ON_EVERY_CLASS, read_dumped
from ingest.manifest import Manifest, ManifestUnreadable, manifest_of, read_manifest
from ingest.published import PublishedReference, open_source, read_published
from ingest.questions import UserQuestion, load_questions, load_templates
from search.embed import open_embedder

PUBLISHED: Final = "{}-published"
"""Name of the reference that is read from the published pages of a series."""


REPEATED: Final = "the same for every class, listed once under bpy_struct"
STRUCT: Final = "bpy.types.bpy_struct"


class NothingToIndex(Exception):
    """The source of an ingest has no symbols."""


def index_blender(settings: Settings, blender: Blender, progress: IngestProgress) -> IngestResult:
    """Ingest the API of an installed Blender, with its example scripts, the cookbook and the questions.

    Raises BlenderNotAvailable, ModelUnusable, IndexBusy, ReferenceIndexUnusable or IndexStorageFailed.
    """
    progress("reading the API of the build", 0, 1)
    manifest = manifest_of(settings.home, blender)
    source = IngestInput(
        name=manifest.version,
        series=manifest.series,
        source=f"Blender {manifest.version} ({manifest.build_hash})",
        symbols=read_dumped(manifest),
        questions=[*load_questions(), *recipes(manifest), *templates(manifest)],
    )
    progress("reading the API of the build", 1, 1)
    return fill(settings, source, progress)


def index_published(
    settings: Settings, where: str, blenders: Sequence[Blender], progress: IngestProgress
) -> tuple[IngestResult, PublishedReference]:
    """Ingest a published reference from a web address, a folder or an archive.

    The recipes of the cookbook answer it as far as the API of one of the Blenders is known.

    Raises SourceNotAvailable, InventoryInvalid, NothingToIndex, and the index errors of `index_blender`.
    """
    published = asyncio.run(read_reference(settings, where, progress))
    published = without_repeats(published)
    if not published.symbols:
        raise NothingToIndex(f"The reference at {where} ({published.project}) describes no symbol of Blender's API.")
    source = IngestInput(
        name=PUBLISHED.format(published.series),
        series=published.series,
        source=f"{published.home} ({published.version})",
        symbols=published.symbols,
        questions=[*load_questions(), *published_answers(settings, blenders)],
    )
    return fill(settings, source, progress), published


def without_repeats(published: PublishedReference) -> PublishedReference:
    """The reference without the members that it repeats for every class; they are counted as skipped."""
    repeated = [
        symbol.address for symbol in published.symbols if ON_EVERY_CLASS.match(symbol.leaf) and symbol.owner != STRUCT
    ]
    left_out = set(repeated)
    return dataclasses.replace(
        published,
        symbols=tuple(symbol for symbol in published.symbols if symbol.address not in left_out),
        skipped={**published.skipped, REPEATED: tuple(repeated)} if repeated else published.skipped,
    )


async def read_reference(settings: Settings, where: str, progress: IngestProgress) -> PublishedReference:
    async with open_source(where, settings.home / "cache" / "pages") as source:
        return await read_published(source, lambda done, total: progress("reading pages", done, total))


def fill(settings: Settings, source: IngestInput, progress: IngestProgress) -> IngestResult:
    def say(what: str) -> None:
        progress(what, 0, 1)

    embedder = open_embedder(settings.home, settings.embedding_model, say)
    return build(settings.index_folder, source, embedder, progress)


def recipes(manifest: Manifest) -> list[UserQuestion]:
    """The recipes of the cookbook as known answers; the symbols are read from their snippets."""
    return [
        UserQuestion(
            name=f"cookbook/{recipe.name}",
            source="cookbook",
            asks=(recipe.title, *recipe.asks),
            symbols=tuple(addresses_used(recipe.snippet, manifest)),
            snippet=recipe.snippet,
        )
        for recipe in load_cookbook()
    ]


def templates(manifest: Manifest) -> list[UserQuestion]:
    """The example scripts of a Blender as known answers."""
    if not manifest.templates:
        return []
    return load_templates(Path(manifest.templates), lambda snippet: addresses_used(snippet, manifest))


def published_answers(settings: Settings, blenders: Sequence[Blender]) -> list[UserQuestion]:
    """The recipes as known answers for a published reference, read with the manifest of any installed Blender."""
    try:
        kept = [file for file in (manifest_file(settings.home, blender) for blender in blenders) if file.exists()]
        return recipes(read_manifest(kept[0])) if kept else []
    except ManifestUnreadable:
        return []
