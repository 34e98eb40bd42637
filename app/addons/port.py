"""Ports an add-on to a Blender by rules, and by a model if there is one; registering and using it is the proof.

    files ─> register and use on each Blender ─> heal every file ─> register and use ─┬─> report, patch
                                                      ^                               │
                                                      └─ at the line that raised, until nothing gets further

A repair by which it no longer comes as far is taken back. Guesses are made only at the line that raised, and kept only
if that line then runs. Where no rule helps, a model is asked, and its repairs count as guesses.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from app.addons.by_model import heal_by_model
from app.addons.by_rules import heal_all, heal_where_it_raises, packages_of, without_harm
from app.addons.discovery import Contents, FoundAddon, Source, addons_in, source_of
from app.addons.draft import Draft, Workshop, new_bytes, read, registered
from app.addons.healing import Left, findings_left
from app.addons.in_use import heal_in_use, heal_in_use_by_model
from app.addons.report import OnBlender, Ported, PortedAddon, PortedFile, Tested, with_reasons
from app.repositories.changing.file_texts import applies
from app.repositories.hands import Hands
from app.repositories.testing import compared, run_tests
from codebase.tree.patches import Hunk, hunks_of, patch_of
from harness.readers import ReadingFailed

LARGEST: Final = 256 << 10
"""The longest file that is healed, in characters: rules take 4 s to read that."""


async def port(contents: Contents, workshop: Workshop, below: str = "") -> Ported:
    """Port the add-ons of a repository, or those at a place in it. Raises AddonsRefused, HarnessFault."""
    addons: list[PortedAddon] = []
    changed: dict[str, bytes] = {}
    for found in addons_in(contents, below):
        workshop.say(f"{found.place or found.module}: reading")
        ported, new = await port_addon(found, contents, workshop)
        addons.append(ported)
        changed |= new
    patch = await checked_patch(addons, contents, changed, workshop.ask)
    tests = await tested(contents, changed, workshop)
    to = workshop.target.version
    return Ported(contents.name, contents.commit, to, addons, patch, changed, contents.skipped, tests)


async def tested(contents: Contents, changed: Mapping[str, bytes], workshop: Workshop) -> Tested:
    """Run the repository's tests before and after the changes."""
    plan = workshop.tests
    if isinstance(plan, str):
        return Tested(plan)
    if not changed:
        return Tested("nothing was changed")
    workshop.say("running the tests before")
    before = await run_tests(plan, contents.files, workshop.sandbox, workshop.readers)
    workshop.say("running the tests after")
    after = await run_tests(plan, {**contents.files, **changed}, workshop.sandbox, workshop.readers)
    return Tested(plan.why, compared(before, after))


async def checked_patch(
    addons: Sequence[PortedAddon], contents: Contents, changed: Mapping[str, bytes], ask: Hands
) -> str:
    """The patch of all changed files, after git has applied it. Raises RepositoryRefused if it does not."""
    files = sorted((one for addon in addons for one in addon.files if one.hunks), key=lambda one: one.path)
    patch = "".join(patch_of(one.path, [hunk.hunk for hunk in one.hunks]) for one in files)
    if patch:
        await ask(applies, patch, {path: contents.files[path] for path in changed}, dict(changed))
    return patch


async def port_addon(found: FoundAddon, contents: Contents, workshop: Workshop) -> tuple[PortedAddon, dict[str, bytes]]:
    """Port one add-on; returns the account, and the new bytes of its changed files."""
    began = time.monotonic()
    draft = await begun(found, contents, workshop)
    before = {one.name: await registered(draft, contents, workshop, one) for one in workshop.blenders}
    await heal_all(draft, before[workshop.target.name], workshop)
    last = await registered(draft, contents, workshop)
    last = await without_harm(draft, before[workshop.target.name], last, contents, workshop)
    last = await heal_where_it_raises(draft, last, contents, workshop)
    last = await heal_by_model(draft, last, contents, workshop, heal_where_it_raises)
    last = await heal_in_use(draft, last, contents, workshop)
    last = await heal_in_use_by_model(draft, last, contents, workshop)
    after = {workshop.target.name: last}
    for blender in workshop.blenders[1:]:
        after[blender.name] = await registered(draft, contents, workshop, blender)
    rows = [OnBlender(one.name, before[one.name], after[one.name]) for one in workshop.blenders]
    files = [await account_of(draft, path, contents, workshop) for path in sorted(draft.addon.paths)]
    told = [one for one in files if one and (one.hunks or one.left or one.taken_back)]
    new = new_bytes(draft)
    return PortedAddon(found.place, found.module, told, rows, time.monotonic() - began, draft.notes), new


async def begun(found: FoundAddon, contents: Contents, workshop: Workshop) -> Draft:
    """The texts of an add-on, and what its files register."""
    sources: dict[str, Source] = {}
    problems: dict[str, str] = {}
    for path in found.paths:
        if path.endswith(".py"):
            source = source_of(contents.files[path])
            if isinstance(source, str):
                problems[path] = source
            elif len(source.text) > LARGEST:
                problems[path] = f"longer than {LARGEST >> 10} KB: rules do not read it"
            else:
                sources[path] = source
    texts = {path: source.text for path, source in sources.items()}
    draft = Draft(found, sources, texts, {path: [] for path in texts}, problems)
    draft.packages = await packages_of(draft, workshop)
    return draft


async def account_of(draft: Draft, path: str, contents: Contents, workshop: Workshop) -> PortedFile | None:
    """The account of one file; None for a file that is not Python."""
    if path in draft.problems:
        return PortedFile(path, left=[Left(1, draft.problems[path], "")])
    if path not in draft.texts:
        return None
    old, text = contents.files[path], draft.texts[path]
    new = draft.sources[path].encoded(text)
    hunks = await hunks_between(old, new, workshop) if old != new else []
    left = [Left(1, draft.unread[path], "")] if path in draft.unread else []
    try:
        left += await read(workshop, findings_left, text, workshop.manifest, draft.packages[path])
    except ReadingFailed as why:
        left.append(Left(1, f"The API check cannot read it: {why}", ""))
    return PortedFile(path, with_reasons(hunks, draft.reasons[path]), left, draft.taken_back.get(path, []))


async def hunks_between(old: bytes, new: bytes, workshop: Workshop) -> list[Hunk]:
    """The hunks of two contents, whatever their encoding is."""
    # Bytes as characters: of what is no UTF-8, JSON could not bring half of a pair back.
    found = await read(workshop, hunks_of, old.decode("latin-1"), new.decode("latin-1"))
    return [replace(one, text=one.text.encode("latin-1").decode("utf-8", "surrogateescape")) for one in found]
