"""Heals an add-on by rules: every file by those that are sure, and at the line that raised by guesses too.

every file ─> register ─> no longer as far: taken back ─> at the line that raised, as long as it gets further
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from app.addons.discovery import Contents
from app.addons.draft import PortDraft, Workshop, further, is_encodable, raised_at, read, register
from app.addons.healing import GUESSES, heal_file
from app.addons.report import ChangeReason
from app.healing.package import AddonPackage, FileFacts, facts_of, packages
from app.healing.trouble import Trouble
from harness.addons import Registration
from harness.readers import ReadingFailed

ROUNDS: Final = 12
"""Most changes at a line that raised, one after another."""
ELSEWHERE: Final = "It is imported only for other Blenders, and is left as it is."


async def heal_all(draft: PortDraft, before: Registration, workshop: Workshop) -> None:
    """Apply the sure rules to every file; the file that raised is healed with its exception."""
    raised = raised_at(draft, before.problem)
    loaded = {draft.addon.path_of(file) for file in before.loaded}
    for path in draft.texts:
        if draft.packages[path].sometimes and path not in loaded:
            draft.unread[path] = ELSEWHERE
            continue
        workshop.say(f"{path}: healing")
        await heal_one(draft, path, workshop, raised[1] if raised and raised[0] == path else None)
    await heal_lenders(draft, workshop)


async def heal_lenders(draft: PortDraft, workshop: Workshop) -> None:
    """Heal the files again that import names which the healed files no longer use."""
    before = draft.packages
    draft.packages = await packages_of(draft, workshop)
    for path, package in draft.packages.items():
        gone = before[path].lent - package.lent
        if path not in draft.unread and any(name in draft.texts[path] for name in gone):
            await heal_one(draft, path, workshop)


async def packages_of(draft: PortDraft, workshop: Workshop) -> dict[str, AddonPackage]:
    """Each text among the others; a text that does not parse is a package of its own."""
    facts: dict[str, FileFacts] = {}
    start = len(draft.addon.place) + 1 if draft.addon.place and not draft.addon.place.endswith(".py") else 0
    beside = set(draft.addon.modules.values())
    for path, text in draft.texts.items():
        file_facts = None if path in beside else await read(workshop, facts_of, text)
        if file_facts:
            facts[path] = file_facts
    own = packages({path[start:]: file_facts for path, file_facts in facts.items()}, draft.addon.module)
    alone = AddonPackage("", False, None, {})
    return {path: alone if path in beside else own.get(path[start:], alone) for path in draft.texts}


async def heal_one(
    draft: PortDraft, path: str, workshop: Workshop, trouble: Trouble | None = None, guess: bool = False
) -> bool:
    """Heal one file; returns True if anything was changed."""
    origin = draft.sources[path].text
    without = {reason.rule for reason in draft.taken_back.get(path, [])}
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
    draft.reasons[path] += [
        ChangeReason(fault.rule, fault.line, fault.reason, fault.rule in GUESSES) for fault in healed.faults
    ]
    return True


async def without_harm(
    draft: PortDraft, before: Registration, after: Registration, contents: Contents, workshop: Workshop
) -> Registration:
    """Take back the changes of files that keep the add-on from coming as far as before, one file after another."""
    while after.is_worse_than(before):
        harmed = after.problem or next((use.problem for use in after.newly_raising(before)), None)
        raised = raised_at(draft, harmed)
        changed = [path for path, reasons in draft.reasons.items() if reasons]
        if not changed:
            break
        path = raised[0] if raised and raised[0] in changed else changed[0]
        take_back(draft, path, draft.sources[path].text, [])
        after = await register(draft, contents, workshop)
    return after


def take_back(draft: PortDraft, path: str, text: str, reasons: list[ChangeReason]) -> None:
    """Return a file to an earlier text, with the reasons of that text."""
    gone = [reason for reason in draft.reasons[path] if reason not in reasons]
    draft.taken_back.setdefault(path, []).extend(gone)
    draft.texts[path], draft.reasons[path] = text, reasons


async def heal_where_it_raises(
    draft: PortDraft, last: Registration, contents: Contents, workshop: Workshop
) -> Registration:
    """Heal the line that raised, by sure rules and then by a guess, as long as the add-on gets further."""
    for _ in range(ROUNDS):
        raised = raised_at(draft, last.problem)
        if last.passed or raised is None:
            break
        new = await try_rules(draft, *raised, contents, workshop, last, further)
        if new is None:
            break
        last = new
    return last


async def try_rules(
    draft: PortDraft,
    path: str,
    trouble: Trouble,
    contents: Contents,
    workshop: Workshop,
    last: Registration,
    better: Callable[[Registration, Registration], bool],
) -> Registration | None:
    """Heal a file at a line and register it; if that is no better, it is taken back. None if no rule helps."""
    text, reasons = draft.texts[path], [*draft.reasons[path]]
    if not await heal_one(draft, path, workshop, trouble, guess=True):
        return None
    new = await register(draft, contents, workshop)
    if better(new, last):
        return new
    take_back(draft, path, text, reasons)
    return last
