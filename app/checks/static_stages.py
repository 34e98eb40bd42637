"""The stages of the judges that run nothing: lint, types, and the use of the Blender API."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from pathlib import Path
from typing import Final, Literal, Protocol

from app.checks.ruff import check_ruff
from app.checks.tool import no_answer, or_warning, read_for
from app.checks.types.check import check_mypy, check_pyright, strict_types_hold
from app.checks.types.unread import check_unread
from app.checks.types.warm.keep import WarmCheckers
from app.reading import ApiReading, read_api
from app.verdict.rules import Rules
from app.verdict.verdict import Author, Finding, Stage, StageName, judged, skipped
from app.versions.branches import as_seen_by
from harness.blenders import Blender, BlenderNotAvailable
from harness.readers import Readers, ReadingFailed, read_by
from harness.versions import series_of, version_key
from ingest.manifest import Manifest

LARGEST: Final[dict[StageName, int]] = {"types": 256 << 10, "api": 512 << 10}
"""The longest snippet that a judge reads, in characters; its time grows with the length."""
NO_FINDINGS: Final = "no findings"
WITHOUT_PYRIGHT: Final = "no findings by mypy; pyright is left out, because no service keeps it warm"


class ManifestSource(Protocol):
    """Knows the API of each Blender."""

    def of(self, blender: Blender) -> Manifest:
        """The API of a Blender; raises BlenderNotAvailable."""
        ...


class StaticTools(Protocol):
    """Tools of these judges. Without `readers` a text is read here; without `checkers` the type checkers start anew."""

    @property
    def rules(self) -> Rules: ...

    @property
    def readers(self) -> Readers | None: ...

    @property
    def checkers(self) -> WarmCheckers | None: ...

    @property
    def manifests(self) -> ManifestSource: ...

    @property
    def quick(self) -> bool:
        """True leaves out pyright, which takes seconds to start."""
        ...

    def stubs(self, blender: Blender) -> Path:
        """Folder of the stubs of a Blender; it may be missing."""
        ...

    def mypy_cache(self, series: str) -> Path:
        """Folder of the cache of mypy for a series of Blender."""
        ...


def too_large(name: StageName, snippet: str) -> Stage | None:
    """The skipped stage if the snippet is larger than its judge can read in a few seconds, else None."""
    most = LARGEST[name]
    if len(snippet) <= most:
        return None
    return skipped(name, f"too large: {len(snippet) >> 10} KiB, and this check reads at most {most >> 10} KiB")


async def static_stages(
    tools: StaticTools, blender: Blender, snippet: str, author: Author
) -> tuple[list[Stage], list[str]]:
    """The stages of the judges that run nothing, side by side, and the addresses of the API that the snippet uses."""
    python, readers = series_of(blender.python), tools.readers
    lint, types, (api, symbols) = await asyncio.gather(
        judge_with(
            "lint", or_warning(check_ruff(snippet, author, tools.rules, python_version=python, readers=readers))
        ),
        judge_types(tools, blender, snippet, author),
        judge_api(tools, blender, snippet, author),
    )
    return [lint, types, api], symbols


async def judge_types(tools: StaticTools, blender: Blender, snippet: str, author: Author) -> Stage:
    """The stage of both type checkers with the stubs of this Blender's series."""
    if large := too_large("types", snippet):
        return large
    stubs = tools.stubs(blender)
    if not stubs.is_dir():
        return skipped("types", f"no stubs of Blender {blender.series}; run `blendproof blenders install`")
    cache = tools.mypy_cache(blender.series)
    held = author if strict_types_hold(blender.series) else "caller"
    python = series_of(blender.python)
    warm, readers = tools.checkers, tools.readers
    try:
        version = version_key(blender.version)
        seen = await read_by(readers, as_seen_by, snippet, version) if "version" in snippet else snippet
    except ReadingFailed as why:
        return judged("types", [no_answer("types", str(why))])
    checks = [
        check_mypy(seen, held, tools.rules, stubs, cache, python_version=python, warm=warm, readers=readers),
        read_for("types", readers, check_unread, seen, python),
    ]
    if not tools.quick:
        pyright = check_pyright(seen, held, tools.rules, stubs, python_version=python, warm=warm, readers=readers)
        checks.insert(1, pyright)
    return await judge_with("types", *map(or_warning, checks), note=WITHOUT_PYRIGHT if tools.quick else NO_FINDINGS)


async def judge_api(tools: StaticTools, blender: Blender, snippet: str, author: Author) -> tuple[Stage, list[str]]:
    """Read the snippet against the manifest of the very build that runs it; answers the stage and the symbols used."""
    if large := too_large("api", snippet):
        return large, []
    try:
        manifest = await asyncio.to_thread(tools.manifests.of, blender)
    except BlenderNotAvailable as error:
        return skipped("api", str(error)), []
    started = time.monotonic()
    try:
        reading = await read_by(tools.readers, read_api, snippet, manifest, author, tools.rules)
    except ReadingFailed as why:
        reading = ApiReading([no_answer("the API check", str(why))], [])
    return judged("api", reading.findings, time.monotonic() - started, "no findings"), reading.symbols


async def judge_with(
    name: Literal["lint", "types"], *checks: Awaitable[list[Finding]], note: str = NO_FINDINGS
) -> Stage:
    started = time.monotonic()
    parts = await asyncio.gather(*checks)
    findings = [finding for part in parts for finding in part]
    return judged(name, findings, time.monotonic() - started, note)
