"""Ports an add-on to a Blender by rules, and by a model if there is one; registering it before and after is the proof.

    files ─> register on each Blender ─> heal every file ─> register ─┬─> report, patch
                                              ^                       │
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
from app.addons.draft import Draft, Workshop, further, is_encodable, new_bytes, raised_at, read, registered
from app.addons.healing import GUESSES, Left, findings_left, heal_file
from app.addons.reading import Contents, FoundAddon, Source, addons_in, source_of
from app.addons.report import OnBlender, Ported, PortedAddon, PortedFile, Reason, Tested, with_reasons
from app.healing.package import FileFacts, Package, facts_of, packages
from app.healing.trouble import Trouble
from app.repositories.changing.texts import applies
from app.repositories.hands import Hands
from app.repositories.testing import compared, run_tests
from codebase.patches import Hunk, hunks_of, patch_of
from harness.addons import Registration
from harness.readers import ReadingFailed

ROUNDS: Final = 12
"""Most repairs at a line that raised, one after another."""
ELSEWHERE: Final = "It is imported only for other Blenders, and is left as it is."
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


async def packages_of(draft: Draft, workshop: Workshop) -> dict[str, Package]:
    """Each text among the others; one that does not parse stands alone."""
    facts: dict[str, FileFacts] = {}
    start = len(draft.addon.place) + 1 if draft.addon.place and not draft.addon.place.endswith(".py") else 0
    for path, text in draft.texts.items():
        found = await read(workshop, facts_of, text)
        if found:
            facts[path] = found
    own = packages({path[start:]: found for path, found in facts.items()}, draft.addon.module)
    alone = Package("", False, None, {})
    return {path: own.get(path[start:], alone) for path in draft.texts}


async def heal_all(draft: Draft, before: Registration, workshop: Workshop) -> None:
    """Apply the sure rules to every file; the one that raised is read with its exception."""
    raised = raised_at(draft, before)
    loaded = {draft.addon.path_of(file) for file in before.loaded}
    for path in draft.texts:
        if draft.packages[path].sometimes and path not in loaded:
            draft.unread[path] = ELSEWHERE
            continue
        workshop.say(f"{path}: healing")
        await heal_one(draft, path, workshop, raised[1] if raised and raised[0] == path else None)
    await heal_lenders(draft, workshop)


async def heal_lenders(draft: Draft, workshop: Workshop) -> None:
    """Look again at the files that import what other files used, and no longer use now that they are healed."""
    before = draft.packages
    draft.packages = await packages_of(draft, workshop)
    for path, package in draft.packages.items():
        gone = before[path].lent - package.lent
        if path not in draft.unread and any(name in draft.texts[path] for name in gone):
            await heal_one(draft, path, workshop)


async def heal_one(
    draft: Draft, path: str, workshop: Workshop, trouble: Trouble | None = None, guess: bool = False
) -> bool:
    """Heal one file; returns whether anything was changed."""
    origin = draft.sources[path].text
    without = {one.rule for one in draft.taken_back.get(path, [])}
    try:
        healed = await read(
            workshop,
            heal_file,
            draft.texts[path],
            origin,
            workshop.manifest,
            draft.packages[path],
            trouble,
            without,
            guess,
        )
    except ReadingFailed as why:
        draft.unread[path] = f"The rules cannot read it: {why}"
        return False
    if healed is None or not is_encodable(draft.sources[path], healed.snippet):
        return False
    draft.texts[path] = healed.snippet
    draft.reasons[path] += [Reason(one.rule, one.line, one.reason, one.rule in GUESSES) for one in healed.repairs]
    return True


async def without_harm(
    draft: Draft, before: Registration, after: Registration, contents: Contents, workshop: Workshop
) -> Registration:
    """Take back the repairs of files by which the add-on no longer comes as far, one file after another."""
    while after.done < before.done:
        raised = raised_at(draft, after)
        changed = [path for path, reasons in draft.reasons.items() if reasons]
        if not changed:
            break
        path = raised[0] if raised and raised[0] in changed else changed[0]
        take_back(draft, path, draft.sources[path].text, [])
        after = await registered(draft, contents, workshop)
    return after


def take_back(draft: Draft, path: str, text: str, reasons: list[Reason]) -> None:
    """Return a file to an earlier text with its reasons."""
    gone = [one for one in draft.reasons[path] if one not in reasons]
    draft.taken_back.setdefault(path, []).extend(gone)
    draft.texts[path], draft.reasons[path] = text, reasons


async def heal_where_it_raises(
    draft: Draft, last: Registration, contents: Contents, workshop: Workshop
) -> Registration:
    """Repair at the line that raised, by sure rules and then by a guess, as long as the add-on gets further."""
    for _ in range(ROUNDS):
        raised = raised_at(draft, last)
        if last.passed or raised is None:
            break
        path, trouble = raised
        text, reasons = draft.texts[path], [*draft.reasons[path]]
        changed = await heal_one(draft, path, workshop, trouble)
        changed = changed or await heal_one(draft, path, workshop, trouble, guess=True)
        if not changed:
            break
        new = await registered(draft, contents, workshop)
        if not further(new, last):
            take_back(draft, path, text, reasons)
            continue
        last = new
    return last


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
