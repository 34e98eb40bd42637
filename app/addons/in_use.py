"""Heals add-ons that register but raise in use: by rules at the line that raised, then by a model if there is one.

problem and place ─> rules, or a model ─> register and use ─┬─> that problem is gone, and no new one: kept
                                                              └─> taken back
"""

from __future__ import annotations

import functools
from typing import Final

from app.addons.by_model import MOST, copy_of, heal_file_by_model
from app.addons.by_rules import ROUNDS, try_rules
from app.addons.discovery import Contents
from app.addons.draft import PortDraft, Workshop, differs, raised_at, register
from app.errors import InvalidRequest
from app.jobs.budget import BudgetSpent
from app.llm.message import ModelUnavailable
from harness.addons import AddonProblem, Registration, Use

OF_THE_API: Final = frozenset(
    {"AttributeError", "ImportError", "KeyError", "ModuleNotFoundError", "RuntimeError", "TypeError", "UnknownName"}
)
"""Errors that a name or argument can raise that Blender no longer has; a model is asked about no others."""


async def heal_in_use(draft: PortDraft, last: Registration, contents: Contents, workshop: Workshop) -> Registration:
    """Have rules heal the lines that raise, as long as that helps."""
    hopeless: set[str] = set()
    for _ in range(ROUNDS + len(last.raising)):
        use = next((use for use in last.raising if use.what not in hopeless), None)
        if use is None:
            break
        raised = raised_at(draft, use.problem)
        better = functools.partial(heals_at_its_line, use, draft, lines_of(draft))
        new = await try_rules(draft, *raised, contents, workshop, last, better) if raised else None
        if new is None:
            hopeless.add(use.what)
        last = new or last
    return last


async def heal_in_use_by_model(
    draft: PortDraft, last: Registration, contents: Contents, workshop: Workshop
) -> Registration:
    """Have a model heal the rest that may be of another Blender, with one answer per problem; then rules again."""
    asked: set[str] = set()
    for _ in range(MOST):
        use = next((use for use in last.raising if use.what not in asked and may_be_of_the_api(use.problem)), None)
        if use is None or workshop.models is None:
            break
        asked.add(use.what)
        raised = raised_at(draft, use.problem)
        if raised is None:
            continue
        workshop.say(f"{raised[0]}: asking a model about {use.what}")
        texts, reasons = copy_of(draft)
        try:
            problem = await heal_file_by_model(draft, raised, f"go through {use.what}", "", workshop, workshop.models)
        except (ModelUnavailable, BudgetSpent, InvalidRequest) as error:
            draft.notes.append(f"No model was asked further: {error}")
            break
        new = last if problem else await register(draft, contents, workshop)
        if not problem and heals(use, new, last):
            last = await heal_in_use(draft, new, contents, workshop)
            continue
        draft.notes.append(f"An answer of the model about {use.what} was not kept: {problem or 'it helps nothing'}")
        draft.texts, draft.reasons = texts, reasons
    return last


def may_be_of_the_api(problem: AddonProblem | None) -> bool:
    """True if a change of Blender may have raised it, and not something that the scene lacks."""
    return problem is not None and problem.type in OF_THE_API and "NoneType" not in problem.message


def heals(use: Use, new: Registration, old: Registration) -> bool:
    """True if the use no longer raises that problem, and nothing is worse."""
    now = problem_of(use, new)
    return not new.is_worse_than(old) and (now is None or use.problem is None or differs(now, use.problem))


def heals_at_its_line(use: Use, draft: PortDraft, lines: int, new: Registration, old: Registration) -> bool:
    """The same for a change at one line: the same problem at another line comes later. `lines` is the old count."""
    now = problem_of(use, new)
    if now is None or use.problem is None or not now.frames or new.is_worse_than(old):
        return heals(use, new, old)
    moved = now.frames[-1].line - use.problem.frames[-1].line
    return differs(now, use.problem) or moved not in {0, lines_of(draft) - lines}


def problem_of(use: Use, done: Registration) -> AddonProblem | None:
    """The problem of the same panel, menu or operator in another try."""
    return next((other.problem for other in done.uses if other.what == use.what), None)


def lines_of(draft: PortDraft) -> int:
    return sum(text.count("\n") for text in draft.texts.values())
