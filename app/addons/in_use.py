"""Repairs what raises when an add-on that registers is used: by rules at its line, then by a model if there is one.

what raises, and where ─> rules, or a model ─> register and use ─┬─> not that any more, and nothing newly: kept
                                                                 └─> taken back
"""

from __future__ import annotations

import functools
from typing import Final

from app.addons.by_model import MOST, copied, repair
from app.addons.by_rules import ROUNDS, tried
from app.addons.discovery import Contents
from app.addons.draft import Draft, Workshop, differs, raised_at, registered
from app.errors import InvalidRequest
from app.llm.message import ModelUnavailable
from app.runs.budget import BudgetSpent
from harness.addons import AddonProblem, Registration, Use

OF_THE_API: Final = frozenset(
    {"AttributeError", "ImportError", "KeyError", "ModuleNotFoundError", "RuntimeError", "TypeError", "UnknownName"}
)
"""What a name or an argument that Blender no longer has can raise; a model is not asked about anything else."""


async def heal_in_use(draft: Draft, last: Registration, contents: Contents, workshop: Workshop) -> Registration:
    """Have rules repair what raises, as long as that helps."""
    hopeless: set[str] = set()
    for _ in range(ROUNDS + len(last.raising)):
        use = next((one for one in last.raising if one.what not in hopeless), None)
        if use is None:
            break
        raised = raised_at(draft, use.problem)
        better = functools.partial(mends_at_its_line, use, draft, lines_of(draft))
        new = await tried(draft, *raised, contents, workshop, last, better) if raised else None
        if new is None:
            hopeless.add(use.what)
        last = new or last
    return last


async def heal_in_use_by_model(
    draft: Draft, last: Registration, contents: Contents, workshop: Workshop
) -> Registration:
    """Have a model repair what still raises and may be for another Blender, with one answer for each; then rules."""
    asked: set[str] = set()
    for _ in range(MOST):
        use = next((one for one in last.raising if one.what not in asked and may_be_of_the_api(one.problem)), None)
        if use is None or workshop.models is None:
            break
        asked.add(use.what)
        raised = raised_at(draft, use.problem)
        if raised is None:
            continue
        workshop.say(f"{raised[0]}: asking a model about {use.what}")
        texts, reasons = copied(draft)
        try:
            problem = await repair(draft, raised, f"go through {use.what}", "", workshop, workshop.models)
        except (ModelUnavailable, BudgetSpent, InvalidRequest) as error:
            draft.notes.append(f"No model was asked further: {error}")
            break
        new = last if problem else await registered(draft, contents, workshop)
        if not problem and mends(use, new, last):
            last = await heal_in_use(draft, new, contents, workshop)
            continue
        draft.notes.append(f"An answer of the model about {use.what} was not kept: {problem or 'it helps nothing'}")
        draft.texts, draft.reasons = texts, reasons
    return last


def may_be_of_the_api(problem: AddonProblem | None) -> bool:
    """Whether it may be raised because Blender has changed, and not because the scene lacks something."""
    return problem is not None and problem.type in OF_THE_API and "NoneType" not in problem.message


def mends(use: Use, new: Registration, old: Registration) -> bool:
    """Whether this no longer raises what it did, and nothing is worse."""
    now = problem_of(use, new)
    return not new.is_worse_than(old) and (now is None or use.problem is None or differs(now, use.problem))


def mends_at_its_line(use: Use, draft: Draft, lines: int, new: Registration, old: Registration) -> bool:
    """The same for a repair at one line: what raises the same at another one comes later. There were so many lines."""
    now = problem_of(use, new)
    if now is None or use.problem is None or not now.frames or new.is_worse_than(old):
        return mends(use, new, old)
    moved = now.frames[-1].line - use.problem.frames[-1].line
    return differs(now, use.problem) or moved not in {0, lines_of(draft) - lines}


def problem_of(use: Use, done: Registration) -> AddonProblem | None:
    """What the same panel, menu or operator raised in another try."""
    return next((one.problem for one in done.uses if one.what == use.what), None)


def lines_of(draft: Draft) -> int:
    return sum(text.count("\n") for text in draft.texts.values())
