"""A request that is refused: the reason first, the part that was read, and the nearest that is proven.

Nothing is guessed. The nearest are offered as what they are: not the answer to the request.
"""

from __future__ import annotations

from typing import Any, Final

import structlog

from app.drafting.draft import NothingSuch, NotUnderstood, PartialDraft, ValueOutOfRange
from app.errors import RequestNotUnderstood
from app.pipeline.known import known_answers
from app.pipeline.state import Tools
from harness.blenders import Blender, BlenderNotAvailable
from ingest.reference_store import ReferenceIndexUnusable
from search.exporting import ModelUnusable

log = structlog.get_logger()

NEAR: Final = 3
AMONG: Final = 12
"""Known answers that are looked at; some are examples of Blender, which no request makes."""
COOKBOOK: Final = "cookbook/"
VALUE_HINT: Final = "Give a value that Blender takes; the message says which."
MODEL_LEFT_OUT: Final = (
    "Write it in the command language (docs/commands.md), or let the model that is set up here read it: leave out "
    "`drafter`, and let `max_attempts` be at least 1."
)


def refusal(
    refused: NotUnderstood, plan: PartialDraft | None, near: list[dict[str, str]], has_model: bool
) -> RequestNotUnderstood:
    """The error that says why, how far the request was read, what may follow there, and what is near it."""
    message, hint = refused.reason, MODEL_LEFT_OUT if has_model else None
    if isinstance(refused, ValueOutOfRange):
        hint = VALUE_HINT
    elif isinstance(refused, NothingSuch) and not has_model:
        message = f"{refused.reason} Plain words need a model, and this service has none."
    details: dict[str, Any] = {
        "not_understood": refused.words,
        "understood": plan.understood if plan else [],
        "missing": plan.missing if plan else [],
        "read": read_until(refused, plan),
        "allowed": refused.allowed,
        "near": near,
    }
    return RequestNotUnderstood(message, hint, details)


def read_until(refused: NotUnderstood, plan: PartialDraft | None) -> str:
    """The beginning of the first refused sentence, up to the word that was not understood."""
    sentence = plan.missing[0] if plan and plan.missing else ""
    if not refused.words:
        return sentence
    return sentence[: max(sentence.lower().find(refused.words[0].lower()), 0)].rstrip()


def nearest_proven(tools: Tools, request: str, blender: Blender) -> list[dict[str, str]]:
    """The recipes and artifacts that are nearest to a request; each has its title and what leads to it."""
    try:
        known = known_answers(tools.retriever, tools.gallery, request, blender.version, AMONG)
    except (ReferenceIndexUnusable, ModelUnusable, BlenderNotAvailable) as error:
        log.warning("nothing near is offered", problem=str(error))
        return []
    found: list[dict[str, str]] = []
    for one in known:
        if one.name.startswith("a-"):
            page, picture = f"/page/artifacts/{one.name}", f"/artifacts/{one.name}.png"
            found.append({"title": one.title, "artifact": one.name, "page": page, "picture": picture})
        elif one.name.startswith(COOKBOOK):
            name = one.name.rpartition("/")[2]
            found.append({"title": one.title, "recipe": name, "ask": f'Use the recipe "{name.replace("_", " ")}"'})
    return found[:NEAR]
