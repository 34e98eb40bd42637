"""Ports an add-on to a Blender by rules, and by a model if there is one; registering and using it is the proof.

    files ─> register and use on each Blender ─> heal every file ─> register and use ─┬─> report, patch
                                                      ^                               │
                                                      └─ at the line that raised, until nothing gets further

A change after which it no longer comes as far is taken back. Guesses are made only at the line that raised, and kept
only if that line then runs. If no rule helps, a model is asked, and its changes count as guesses.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from app.addons.by_model import heal_by_model
from app.addons.by_rules import heal_all, heal_where_it_raises, packages_of, without_harm
from app.addons.discovery import Contents, EncodedText, FoundAddon, addons_in, source_of
from app.addons.draft import PortDraft, Workshop, new_bytes, read, register
from app.addons.healing import RemainingFinding, remaining_findings
from app.addons.in_use import heal_in_use, heal_in_use_by_model
from app.addons.report import OnBlender, PortedAddon, PortedFile, PortReport, SuiteOutcome, with_reasons
from app.repositories.changing.file_texts import applies
from app.repositories.hands import Hands
from app.repositories.testing import compare, run_tests
from codebase.tree.patches import PatchHunk, hunks_of, patch_of
from harness.readers import ReadingFailed

LARGEST: Final = 512 << 10
"""The longest file that is healed, in characters: a minute of computing; a reader may give up before."""


async def port(contents: Contents, workshop: Workshop, below: str = "") -> PortReport:
    """Port the add-ons of a repository, or those at a place in it. Raises AddonsRefused, HarnessFault."""
    addons: list[PortedAddon] = []
    changed: dict[str, bytes] = {}
    for addon in addons_in(contents, below):
        workshop.say(f"{addon.place or addon.module}: reading")
        # Those that share a folder of modules register with what the first of them changed there.
        now = replace(contents, files={**contents.files, **changed})
        ported, new = await port_addon(addon, now, workshop)
        addons.append(ported)
        changed |= new
    patch = await checked_patch(addons, contents, changed, workshop.ask)
    tests = await run_suite(contents, changed, workshop)
    to = workshop.target.version
    return PortReport(contents.name, contents.commit, to, addons, patch, changed, contents.skipped, tests)


async def run_suite(contents: Contents, changed: Mapping[str, bytes], workshop: Workshop) -> SuiteOutcome:
    """Run the repository's tests before and after the changes."""
    plan = workshop.tests
    if isinstance(plan, str):
        return SuiteOutcome(plan)
    if not changed:
        return SuiteOutcome("nothing was changed")
    workshop.say("running the tests before")
    before = await run_tests(plan, contents.files, workshop.sandbox, workshop.readers)
    workshop.say("running the tests after")
    after = await run_tests(plan, {**contents.files, **changed}, workshop.sandbox, workshop.readers)
    return SuiteOutcome(plan.why, compare(before, after))


async def checked_patch(
    addons: Sequence[PortedAddon], contents: Contents, changed: Mapping[str, bytes], ask: Hands
) -> str:
    """The patch of all changed files, after git has applied it. Raises RepositoryRefused if git does not."""
    files = sorted((file for addon in addons for file in addon.files if file.hunks), key=lambda file: file.path)
    patch = "".join(patch_of(file.path, [hunk.hunk for hunk in file.hunks]) for file in files)
    if patch:
        await ask(applies, patch, {path: contents.files[path] for path in changed}, dict(changed))
    return patch


async def port_addon(addon: FoundAddon, contents: Contents, workshop: Workshop) -> tuple[PortedAddon, dict[str, bytes]]:
    """Port one add-on; returns the account, and the new bytes of its changed files."""
    began = time.monotonic()
    draft = await draft_of(addon, contents, workshop)
    before = {blender.name: await register(draft, contents, workshop, blender) for blender in workshop.blenders}
    await heal_all(draft, before[workshop.target.name], workshop)
    last = await register(draft, contents, workshop)
    last = await without_harm(draft, before[workshop.target.name], last, contents, workshop)
    last = await heal_where_it_raises(draft, last, contents, workshop)
    last = await heal_by_model(draft, last, contents, workshop, heal_where_it_raises)
    last = await heal_in_use(draft, last, contents, workshop)
    last = await heal_in_use_by_model(draft, last, contents, workshop)
    after = {workshop.target.name: last}
    for blender in workshop.blenders[1:]:
        after[blender.name] = await register(draft, contents, workshop, blender)
    rows = [OnBlender(name, before[name], after[name]) for name in (blender.name for blender in workshop.blenders)]
    files = [await account_of(draft, path, contents, workshop) for path in sorted(draft.addon.paths)]
    notable = [file for file in files if file and (file.hunks or file.remaining or file.taken_back)]
    new = new_bytes(draft)
    return PortedAddon(addon.place, addon.module, notable, rows, time.monotonic() - began, draft.notes), new


async def draft_of(addon: FoundAddon, contents: Contents, workshop: Workshop) -> PortDraft:
    """The draft of an add-on before any change."""
    sources: dict[str, EncodedText] = {}
    problems: dict[str, str] = {}
    for path in addon.paths:
        if path.endswith(".py"):
            source = source_of(contents.files[path])
            if isinstance(source, str):
                problems[path] = source
            elif len(source.text) > LARGEST:
                problems[path] = f"longer than {LARGEST >> 10} KB: rules do not read it"
            else:
                sources[path] = source
    texts = {path: source.text for path, source in sources.items()}
    draft = PortDraft(addon, sources, texts, {path: [] for path in texts}, problems)
    draft.packages = await packages_of(draft, workshop)
    return draft


async def account_of(draft: PortDraft, path: str, contents: Contents, workshop: Workshop) -> PortedFile | None:
    """The account of one file; None for a file that is not Python."""
    if path in draft.problems:
        return PortedFile(path, remaining=[RemainingFinding(1, draft.problems[path], "")])
    if path not in draft.texts:
        return None
    old, text = contents.files[path], draft.texts[path]
    new = draft.sources[path].encode(text)
    hunks = await hunks_between(old, new, workshop) if old != new else []
    remaining = [RemainingFinding(1, draft.unread[path], "")] if path in draft.unread else []
    try:
        remaining += await read(workshop, remaining_findings, text, workshop.manifest, draft.packages[path])
    except ReadingFailed as why:
        remaining.append(RemainingFinding(1, f"The API check cannot read it: {why}", ""))
    return PortedFile(path, with_reasons(hunks, draft.reasons[path]), remaining, draft.taken_back.get(path, []))


async def hunks_between(old: bytes, new: bytes, workshop: Workshop) -> list[PatchHunk]:
    """The hunks between two contents, whatever their encoding is."""
    # Bytes as characters, because JSON could not carry text that is not UTF-8.
    hunks = await read(workshop, hunks_of, old.decode("latin-1"), new.decode("latin-1"))
    return [replace(hunk, text=hunk.text.encode("latin-1").decode("utf-8", "surrogateescape")) for hunk in hunks]
