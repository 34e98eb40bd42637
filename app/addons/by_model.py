"""Has a model heal an add-on if no rule gets it further; its answers are tried like guesses.

where it raised ─> porter.py: model ─> refused? ─> register ─┬─> further: kept, and rules go on
                                                             └─> taken back, and reported to the model

Getting further within a step is not a step: such answers are taken back in the end, unless a step more is done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from difflib import SequenceMatcher
from typing import Final

from app.addons.discovery import Contents
from app.addons.draft import PortDraft, Workshop, further, is_encodable, raised_at, read, register
from app.addons.healing import remaining_findings
from app.addons.porter import BY_MODEL, RegistrationEnd, ask_for_change
from app.addons.report import ChangeReason
from app.addons.taken import losses
from app.errors import InvalidRequest
from app.healing.trouble import Trouble
from app.jobs.budget import BudgetSpent
from app.jobs.spending import Spending
from app.llm.message import ModelUnavailable
from harness.addons import STEPS, Registration
from harness.readers import ReadingFailed

MOST: Final = 12
"""Most answers of a model per add-on."""
VAIN: Final = 3
"""Answers in a row that get the add-on no further, before no more are asked for."""

ByRules = Callable[[PortDraft, Registration, Contents, Workshop], Awaitable[Registration]]


async def heal_by_model(
    draft: PortDraft, last: Registration, contents: Contents, workshop: Workshop, by_rules: ByRules
) -> Registration:
    """Have a model heal the end of the registration, then rules the rest, as long as the add-on gets further."""
    kept, vain, problem = (*copy_of(draft), last), 0, ""
    for _ in range(MOST):
        raised = raised_at(draft, last.problem)
        if workshop.models is None or last.passed or raised is None or vain == VAIN:
            break
        workshop.say(f"{raised[0]}: asking a model")
        texts, reasons = copy_of(draft)
        try:
            problem = await heal_file_by_model(draft, raised, STEPS[last.done], problem, workshop, workshop.models)
        except (ModelUnavailable, BudgetSpent, InvalidRequest) as error:
            draft.notes.append(f"No model was asked further: {error}")
            break
        new = last if problem else await register(draft, contents, workshop)
        if further(new, last):
            vain, last = 0, await by_rules(draft, new, contents, workshop)
            if last.done > kept[2].done:
                kept = (*copy_of(draft), last)
            continue
        problem = problem or f"it gets no further: {new.said}"
        draft.notes.append(f"An answer of the model was not kept: {problem}")
        draft.texts, draft.reasons, vain = texts, reasons, vain + 1
    texts, reasons, best = kept
    if draft.texts != texts:
        draft.notes.append(f"Answers of the model by which no more steps are done were not kept: {last.said}")
        draft.texts, draft.reasons = texts, reasons
    return best


def copy_of(draft: PortDraft) -> tuple[dict[str, str], dict[str, list[ChangeReason]]]:
    """The texts and the reasons as they are now."""
    return dict(draft.texts), {path: [*reasons] for path, reasons in draft.reasons.items()}


async def heal_file_by_model(
    draft: PortDraft,
    raised: tuple[str, Trouble],
    step: str,
    before: str,
    workshop: Workshop,
    models: Spending,
) -> str:
    """Have a model heal the file that raised; returns why its answer cannot be used, or an empty text.

    `step` is the step that the add-on fails, `before` the fault of the last answer. Raises ModelUnavailable,
    BudgetSpent and InvalidRequest.
    """
    path, trouble = raised
    ending = RegistrationEnd(
        draft.addon.place or draft.addon.module,
        workshop.target.version,
        [blender.version for blender in workshop.blenders[1:]],
        step,
        path,
        trouble,
        await findings_of(draft, path, draft.texts[path], workshop),
    )
    made = await ask_for_change(models, workshop.ask, ending, draft.texts, before)
    problem = made.problem
    for changed, text in made.texts.items():
        problem = problem or await refusal(draft, changed, text, workshop)
    if not problem:
        for changed, text in made.texts.items():
            draft.reasons[changed] += await reasons_for(draft, changed, text, made.reason, workshop)
            draft.texts[changed] = text
    return problem


async def refusal(draft: PortDraft, path: str, text: str, workshop: Workshop) -> str:
    """The reason why a model's text cannot take the place of a file; empty if it may be tried."""
    if not is_encodable(draft.sources[path], text):
        return f"the encoding of {path} cannot write it"
    try:
        lost = await read(workshop, losses, draft.texts[path], text)
    except ReadingFailed as why:
        return f"{path} cannot be read: {why}"
    before = Counter(await findings_of(draft, path, draft.texts[path], workshop))
    faults = [*lost, *(Counter(await findings_of(draft, path, text, workshop)) - before)]
    return f"{path}: {faults[0]}" if faults else ""


async def reasons_for(draft: PortDraft, path: str, text: str, reason: str, workshop: Workshop) -> list[ChangeReason]:
    """The reason of a model for each place that it changed, by its line in the file as it was."""
    try:
        lines = await read(workshop, changed_lines, draft.sources[path].text, draft.texts[path], text)
    except ReadingFailed:
        lines = [1]
    return [ChangeReason(BY_MODEL, line, reason, True) for line in lines]


def changed_lines(origin: str, old: str, new: str) -> list[int]:
    """The lines of the origin, from 1, at which a new text differs from an old one that was made of the origin."""
    first, second, third = (text.split("\n") for text in (origin, old, new))
    back: dict[int, int] = {}
    for kind, start, _, old_start, old_end in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        back |= {line: start + (line - old_start if kind == "equal" else 0) for line in range(old_start, old_end)}
    steps = SequenceMatcher(None, second, third, autojunk=False).get_opcodes()
    return sorted({back.get(start, len(first) - 1) + 1 for kind, start, *_ in steps if kind != "equal"})


async def findings_of(draft: PortDraft, path: str, text: str, workshop: Workshop) -> list[str]:
    """The findings of the API check in a text of a file; none if it cannot be read."""
    try:
        findings = await read(workshop, remaining_findings, text, workshop.manifest, draft.packages[path])
    except ReadingFailed:
        return []
    return [f"{finding.message} {finding.hint}".rstrip() for finding in findings]
