"""Reads an "add": the thing to add, and the parts, material and shading that its details add to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.drafting.commands import operations as op
from app.drafting.commands.spoken import IT, ORIGIN, Detail, SpokenThing, leading_looks, references
from app.drafting.commands.words import plain
from app.drafting.draft import NotUnderstood

OF_ANOTHER: Final = frozenset({"modifier", "constraint", "material", "shading"})
"""Nouns of details that belong to an added thing: "a cube with a bevel modifier and a red material"."""
IF_MISSING: Final = " if missing"


def settings_of(details: Sequence[Detail]) -> tuple[op.NamedValue, ...]:
    """The settings among details; raises NotUnderstood for any other detail but a name."""
    for detail in details:
        if detail.kind not in {"settings", "called"}:
            raise NotUnderstood([], f'"{detail.kind}" is not allowed here')
    return tuple(setting for detail in details if detail.kind == "settings" for setting in detail.value)


def additions(words: str, details: list[Detail], to: tuple[op.Mention, ...]) -> list[op.Operation]:
    """The "add" and the operations of its details: parts, a material, shading."""
    if words.endswith(IF_MISSING):
        if details:
            raise NotUnderstood([], '"add the active object if missing" takes no further details')
        return [op.Add(kind=words.removesuffix(IF_MISSING), if_missing=True)]
    for place, detail in enumerate(details):
        if detail.another and detail.value[0].name.split(" ")[-1] not in OF_ANOTHER:
            # Another thing is added: the details after it belong to that thing.
            named = detail.value[0].name
            return [*additions(words, details[:place], to), *additions(named, details[place + 1 :], to)]
    own, parts, look, shading = _sort_details([_axis_detail(detail) for detail in details])
    _check_once(own)
    looks, kind = leading_looks(words)
    if plain(kind) == "material":
        names = {detail.kind: detail.value for detail in own}
        if not to:
            named = names.get("called", "")
            return [
                op.Add(kind=kind, name=named, settings=settings_of(own), look=op.Finish(words=looks) if looks else None)
            ]
        finish = op.Finish(words=looks, name=names.get("called", ""), settings=settings_of(own))
        paint = op.Paint(things=to, look=finish)
        return [paint, *parts, *([shading] if shading else [])]
    if looks and not look:
        look = op.Finish(words=looks)
    elif looks and look:
        look = op.Finish(words=(*looks, *look.words), name=look.name, settings=look.settings)
    said = {detail.kind: detail.value for detail in own if detail.kind != "settings"}
    things, collection = to, ""
    if "to" in said:
        spoken = references(said["to"])
        if spoken[0].words == "collection":
            collection = spoken[0].name
        else:
            things = spoken
    settings = tuple(setting for detail in own if detail.kind == "settings" for setting in detail.value)
    at = said.get("at")
    if isinstance(at, SpokenThing):
        if plain(at.text) not in {"origin", "world origin"}:
            raise NotUnderstood([at.text], f'"{at.text}" is not a place: give a vector, such as (0, 0, 1)')
        at = ORIGIN
    made = op.Add(
        kind=kind, name=said.get("called", ""), to=things, at=at, settings=settings, look=look, collection=collection
    )
    return [made, *parts, *([shading] if shading else [])]


def _check_once(details: Sequence[Detail]) -> None:
    """Raise NotUnderstood if a detail is given twice."""
    said = [detail.kind for detail in details if detail.kind != "settings"]
    said += [plain(setting.name) for detail in details if detail.kind == "settings" for setting in detail.value]
    said = ["at" if name in {"location", "position"} else name for name in said]
    again = next((name for name in said if said.count(name) > 1), None)
    if again:
        raise NotUnderstood([again], f'"{again}" is given twice')


def _axis_detail(detail: Detail) -> Detail:
    """Read "on the Y axis" as a setting, not as a thing."""
    words = plain(detail.value[0].text) if detail.kind == "to" else ""
    if not words.endswith(" axis"):
        return detail
    if len(detail.value) > 1:
        raise NotUnderstood([words], 'write several axes as a setting: "with use_axis (on, off, on)"')
    return Detail("settings", [op.NamedValue(name="axis", value=op.Word(text=words.removesuffix(" axis").upper()))])


def _sort_details(
    details: list[Detail],
) -> tuple[list[Detail], list[op.Operation], op.Finish | None, op.Operation | None]:
    """The details of the thing itself, its parts, its material and its shading.

    Settings in parentheses belong to the noun before them: "with a bevel modifier (width=0.1)".
    """
    own: list[Detail] = []
    parts: list[op.Operation] = []
    look: op.Finish | None = None
    shading: op.Operation | None = None
    noun = ""
    for detail in details:
        single = detail.value[0] if detail.kind == "settings" and len(detail.value) == 1 else None
        bare = single is not None and single == op.NamedValue(name=single.name)
        words = plain(single.name) if single is not None and bare else ""
        if single is not None and words.split(" ")[-1] in {"material"}:
            looks, rest = leading_looks(single.name)
            if look or plain(rest) != "material":
                raise NotUnderstood([single.name], f'"{single.name}" is not a look of a material')
            look, noun = op.Finish(words=looks), "material"
        elif single is not None and words.startswith("material "):
            look, noun = op.Finish(name=single.name.split(" ", 1)[1]), "material"
        elif words in {"smooth shading", "flat shading"}:
            shading = op.Shade(things=(IT,), how="smooth" if words.startswith("smooth") else "flat")
        elif single is not None and detail.noun and words.split(" ")[-1] in {"modifier", "constraint"}:
            parts.append(op.Add(kind=single.name, to=(IT,)))
            noun = "part"
        elif detail.kind == "settings" and noun == "part" and isinstance(parts[-1], op.Add):
            parts[-1] = parts[-1].model_copy(update={"settings": (*parts[-1].settings, *detail.value)})
        elif detail.kind == "settings" and noun == "material" and look:
            look = look.model_copy(update={"settings": (*look.settings, *detail.value)})
        elif detail.kind == "called" and noun == "material" and look:
            look = look.model_copy(update={"name": detail.value})
        else:
            own.append(detail)
    return own, parts, look, shading
