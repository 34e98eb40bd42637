"""The check language in words, made from its models: the whole for docs/acceptance*.md, the short form for a model."""

from __future__ import annotations

import functools
import json
import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any, Final, cast, get_args

from pydantic.fields import FieldInfo

from app.accept.check_values import CheckModel, Extent, Span
from app.accept.example import Example
from app.accept.examples import EXAMPLES
from app.accept.kinds import Check, PythonCheck
from app.accept.parts import AnyPart, Bone, Driver, Keyframes, Node, Part

KINDS: Final = cast("tuple[type[CheckModel], ...]", get_args(get_args(Check)[0]))
PARTS: Final[dict[str, type[CheckModel]]] = {
    "modifiers, constraints": Part,
    "bones": Bone,
    "keyframes": Keyframes,
    "drivers": Driver,
    "nodes": Node,
    "extent": Extent,
    "vertices, faces": Span,
}
"""The forms of parts, by the fields that hold them."""
WIDTH: Final = 116
"""Columns of the docs."""

PATHS: Final = """\
Paths go from the thing that is checked, as in Python, and call nothing: `rigid_body.mass`, `data.vertices` (how many),
`modifiers["GeometryNodes"]["Socket_2"]`, `location[2]`, `["own"]`. Values: numbers, texts, true, false, lists; items by
identifier, data blocks by name, colours as linear [r, g, b] or "#rrggbb", null for nothing there, for any number also
{"at_least": 2, "at_most": 4} or one of both. Numbers may be off by `tolerance`, 0.001 unless a check gives another."""


def kind_of(model: type[CheckModel]) -> str:
    """The word for a kind of check."""
    said: str = model.model_fields["check"].default
    return said


def fields_of(model: type[CheckModel]) -> Iterator[tuple[str, FieldInfo]]:
    """The fields of a check or part that a caller writes, those of its own first."""
    names = [name for name in model.model_fields if name != "check"]
    last = [name for name in ("tolerance", "absent") if name in names and not model.__annotations__.get(name)]
    for name in [*(name for name in names if name not in last), *last]:
        yield name, model.model_fields[name]


def meaning(field: FieldInfo) -> str:
    """The meaning of a field, in one line."""
    return " ".join((field.description or "").split())


def purpose(model: type[CheckModel]) -> str:
    """The purpose of a kind of check, in one line."""
    return " ".join((model.__doc__ or "").split())


def examples_of(kind: str) -> list[Example]:
    """The examples of a kind."""
    return [example for example in EXAMPLES if example.check["check"] == kind]


MOVES: Final = r"anim|frame|key|mov|rotat|turn|spin|second|bounc|orbit|fad|loop|swing|fps|physic|shape"
NODES: Final = (
    r"node|material|shad|textur|nois|world|compos|geometr|bump|emi|glass|metal|procedural|background|hdri|sky"
)
FACES: Final = (
    r"vert|face|poly|subdiv|segment|mesh|resol|loop|edge|triang|quad|remesh|decim|modif|sides|level|array|cop|normal|shape"
    r"|point"
)
LOOKS: Final = (
    rf"{NODES}|colou?r|paint|wood|gold|silver|copper|shin|glos|red\b|green|blue|yellow|orange|purple|pink|white|black|brown"
    r"|gr[ae]y|slot|glow|transparen|rough|mirror|chrome|neon|rust|marble|stone|plastic|rubber|fabric|leather|lava|water|ice"
)
SIZES: Final = (
    r"\d|scal|siz|twice|half|doubl|tripl|larg|small|big|stretch|squash|thin|thick|flat|wide|tall|high|long|short|grow|shrink"
    r"|height|width|length|deep|radius|diameter|equal|same"
)
TURNS: Final = (
    r"rotat|turn|angle|degree|tilt|fac|look|point|upright|°|deg\b|lean|axis|flip|spin|slop|swing|aim|lying|orient|row"
    r"|instanc|mov|leav|where|posit"
)
AIMS: Final = r"direction|shin|point|fac|look|aim|toward|along|\bsun|arrow"
RESTS: Final = r"fall|fell|\brest|physic|rigid|simul|lying|\blies?\b|toppl|upright|knock|tilt|lean|domino|\bpins?\b"
KEEPS: Final = (
    r"keep|kept|leav|same|unchang|as (it|they) |before|still|without|other|only|just|remain|stay|preserv|but\b"
)
ONLY_IF: Final = {
    "change check": r"cube|light|camera|select|activ|exist|mov|rotat|turn|scal|delet|remov|renam|keep|leav|chang|replac"
    r"|swap|all|every|each|this|that|other|apply|join|hid|parent|put|plac|set",
    "nodes check": NODES,
    "nodes": NODES,
    "collection check": r"collection|group|folder",
    "scene check": r"fram|render|scene|engine|resol|fps|second|gravit|unit|camera|world|view|sampl|cycles|eevee|outp"
    r"|anim|key|format|timeline|mark|compos|backgr|film|\d ?px|expos|sequen|strip|timing|speed|loop|movi|clip|light"
    r"|dark|physic|simul|fog|shadow|fall|denois|passes|border|colou?r|transparen|cursor|snap|frees|blur|audio|sound",
    "data check": r"data|action|image|font|text|brush|curve|anim|key|driv|world|unused|purge|orphan|camera"
    r"|light|mesh|libr|material|renam|collection",
    "file check": r"fil|export|sav|writ|render|imag|pictur|png|jpe?g|obj|fbx|gl(b|tf)|usd|stl|csv|json|\.\w{2,4}\b",
    "registered check": r"add-?on|operator|panel|menu|propert|handler|regist|class|script|ui\b|bl_",
    "bones": r"bone|armature|rig|skelet|pose|ik\b|kinematic",
    "drivers": r"driv|follow|depend|expression|controlled|\bby the\b",
    "keyframes": MOVES,
    "frame": MOVES,
    "modifiers": r"modif|subd|bevel|mirror|array|solid|bool|smooth|decimat|remesh|wire|screw|skin|latti|displac|cloth"
    r"|wrap|curve|geometr|round|levels|instan|scatter|simul|particl|soft",
    "constraints": r"constrain|track|follow|copy|limit|child|parent|ik\b|look|aim|point|floor|clamp|bone",
    "without": r"remov|delet|without|strip|apply|appli|clear|instead|replac",
    "slots": r"slot|\bfaces?\b",
    "materials_any": r"\bor\b|either|any",
    "selected": r"select",
    "looks_at": r"look|point|aim|fac|track|camera|toward|at the",
    "space": r"parent|child|local|relativ",
    "parent": r"parent|child|attach|belong|hang|follow|under|with it|rig|carr|mount|fix|inside|into",
    "touches": r"touch|against|\bon\b|stand|rest|lean|beside|floor|lie",
    "smooth": r"smooth|shad|round|flat",
    "vertices": FACES,
    "faces": FACES,
    "materials": LOOKS,
    "material check": LOOKS,
    "dimensions": SIZES,
    "rotation": TURNS,
    "turned": TURNS,
    "scale": SIZES,
    "scaled": SIZES,
    "front": AIMS,
    "direction": AIMS,
    "on_top_of": r"\bon\b|top|stack|stand|rest|pile|above",
    "inside": r"inside|within|contain|into|\bin (a|an|the|its)\b",
    "between": r"between|middle|halfway",
    "tilt": RESTS,
    "at_rest": RESTS,
    "as_at": r"loop|same|again|back to|return|until|seamless",
    "face_materials": r"\bfaces?\b|\bsides?\b|\btop\b|bottom|underside",
    "instances": r"instanc|scatter|distribut|particl|cop(y|ies)|array|points",
    "spacing": r"spac|apart|even|distance|equal|\brow\b|regular",
    "as_before": KEEPS,
}
"""The English words of a request by which these kinds of checks, fields and parts may be meant."""
ENGLISH: Final = re.compile(r"\b(the|an?|and|with|of|to|add|make|create|set|put|in|on|all|every)\b", re.IGNORECASE)


def for_a_model(request: str = "") -> str:
    """The kinds and fields in short, for the prompt: all that a model may write, which is no Python.

    Kinds and fields that a request cannot mean are left out, unless it is not in English. A field that was explained
    for an earlier kind is only named.
    """
    if not ENGLISH.search(request):
        return language_without(frozenset[str]())
    return language_without(frozenset(name for name in ONLY_IF if not re.search(ONLY_IF[name], request, re.IGNORECASE)))


@functools.lru_cache(maxsize=256)
def language_without(left_out: frozenset[str]) -> str:
    """The same without the kinds, fields and parts of these names, as in ONLY_IF."""
    known = set(left_out)
    kinds = [model for model in KINDS if model is not PythonCheck and f"{kind_of(model)} check" not in left_out]
    lines = [f'- "{kind_of(model)}": {first_sentence(purpose(model))}: {in_short(model, known)}' for model in kinds]
    parts = [
        (families, model)
        for title, model in PARTS.items()
        if issubclass(model, AnyPart)
        and (families := [family for family in title.split(", ") if family not in left_out])
    ]
    lines += ["Parts, each with `absent`: true if there must be none like it:"] if parts else []
    lines += [f"- {', '.join(families)}: {in_short(model, known)}" for families, model in parts]
    examples = [short(example) for name, example in shown_to_a_model().items() if name not in left_out]
    return "\n".join([*lines, PATHS, *examples])


OBVIOUS: Final = frozenset({"Exact", "Factors", "Or not", "[x, y, z]", "The frame to look at"})
"""Notes from which a model learns nothing."""


def in_short(model: type[CheckModel], known: set[str]) -> str:
    """The fields of a check or part in one line, but for those in `known`, to which it adds its own."""
    words: list[str] = []
    left_out = known | ({"tolerance", "absent"} if issubclass(model, AnyPart) else {"tolerance"})
    for name, field in fields_of(model):
        note = first_sentence(meaning(field))
        alone = f"{name} {note}" in known or not note or note.startswith("Those of") or note in OBVIOUS
        words += [] if name in left_out else [name if alone else f"{name} ({note})"]
        known.add(f"{name} {note}")
    return ", ".join(words)


def first_sentence(text: str) -> str:
    """The text up to the end of its first sentence, without that."""
    return re.split(r"(?<=[^.])\.(?:\s|$)", text, maxsplit=1)[0]


def shown_to_a_model() -> dict[str, Example]:
    """The examples that show the forms that are hardest to guess, by the kind or part that they are of."""
    wanted = {"modifiers": "A subdivision of level 2", "nodes check": "The world shines"}
    return {
        name: next(example for example in EXAMPLES if example.says.startswith(says)) for name, says in wanted.items()
    }


def short(example: Example) -> str:
    return f"{example.says}: {json.dumps(example.check)}"


OBJECTS: Final = ("object", "change", "count")
"""The kinds that are about objects, on a page of their own."""


def page(name: str) -> str:
    """The lists and examples of the docs on acceptance checks: of `objects`, of all `others`, or of `parts`."""
    if name == "parts":
        return "\n\n".join(
            f"## {title}\n\n{wrapped(purpose(model))}\n\n{fields(model)}" for title, model in PARTS.items()
        )
    kinds = [model for model in KINDS if (kind_of(model) in OBJECTS) == (name == "objects")]
    return "\n\n".join(map(section, kinds))


def section(model: type[CheckModel]) -> str:
    """A kind of check with its fields and examples."""
    kind = kind_of(model)
    return f"## {kind}\n\n{wrapped(purpose(model))}\n\n{fields(model)}\n\n{shown(examples_of(kind))}"


def fields(model: type[CheckModel]) -> str:
    """The fields of a check or part, as a list."""
    lines: list[str] = []
    for name, field in fields_of(model):
        said = meaning(field).replace("(#paths-and-values)", "(acceptance.md#paths-and-values)")
        lines.append(wrapped(f"- `{name}`: {said}" if said else f"- `{name}`", "  "))
    return "\n".join(lines)


def wrapped(text: str, indent: str = "") -> str:
    """A text in lines of the docs."""
    return textwrap.fill(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)


def shown(examples: Sequence[Example]) -> str:
    """Examples as JSON, each with its purpose."""
    lines: list[str] = []
    for example in examples:
        lines += [f"// {example.says}", as_json(example.check)]
    return "```js\n" + "\n".join(lines) + "\n```"


def as_json(value: Any, indent: int = 1, room: int = WIDTH) -> str:
    """A value on one line, or with one line per part if that is longer than `room`."""
    whole = json.dumps(value)
    if len(whole) <= room or not isinstance(value, dict | list):
        return whole
    if isinstance(value, list):
        items = cast("list[Any]", value)  # type: ignore[redundant-cast]
        parts = [as_json(part, indent + 1, room - 2) for part in items]
    else:
        named = ((json.dumps(name), part) for name, part in cast("dict[str, Any]", value).items())
        parts = [f"{name}: {as_json(part, indent + 1, room - len(name) - 4)}" for name, part in named]
    between = ",\n" + " " * indent
    return f"{whole[0]}{between.join(parts)}{whole[-1]}"
