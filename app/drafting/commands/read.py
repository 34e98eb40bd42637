"""Text to operations: each sentence of a request is parsed by grammar.lark, and its tree becomes operations.

lexer.sentences ──> lark (LALR) ──> Trees ──> operations.py
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final, Literal, TypeVar, cast

from lark import Lark, Token, Transformer, UnexpectedToken
from lark.exceptions import VisitError

from app.drafting.commands import operations as op
from app.drafting.commands.lexer import Sentence, TokenLexer, sentences
from app.drafting.commands.names import OBJECT_TYPES
from app.drafting.commands.words import LOOKS, SHADES, UNITS, WORDS, color_of, plain
from app.drafting.draft import NotUnderstood

GRAMMAR: Final = files("app.drafting.commands").joinpath("grammar.lark").read_text(encoding="utf-8")

OF_ANOTHER: Final = frozenset({"modifier", "constraint", "material", "shading"})
"""Nouns of what belongs to a thing that is added: "a cube with a bevel modifier and a red material"."""
PARTS_OF_THINGS: Final = frozenset({"modifier", "constraint", "node"})
"""Nouns behind labels, which may be looks too: a mirror modifier."""
IF_MISSING: Final = " if missing"
SMOOTH: Final = ("smooth", "flat")
IT: Final = op.Reference(words="it")
_MEANT: Final = {
    "A": '"a"', "SEP": '","', "AND": '"and"', "NUMBER": "a number", "VECTOR": "a vector such as (0, 0, 1)",
    "TEXT": "a text in quotes", "TRUTH": '"on" or "off"', "COLOR": "a color such as #ff8800", "WORDS": "a name",
    "LPAR": '"("', "RPAR": '")"', "EQUAL": '"="', "FRAME": '"frame N"', "$END": "the end of the sentence",
}  # fmt: skip
"""What a refusal calls the terminals."""


@dataclass(frozen=True)
class Understood:
    """A sentence and what it says."""

    sentence: Sentence
    operations: tuple[op.Operation, ...]


def read(request: str) -> list[Understood]:
    """What the sentences of a request say; raises NotUnderstood with sentence, word and what may stand there."""
    return [read_sentence(sentence) for sentence in sentences(request)]


def read_sentence(sentence: Sentence) -> Understood:
    """What one sentence says; raises NotUnderstood."""
    try:
        tree: Any = _parser().parse(cast("Any", sentence.tokens))
        found: list[op.Operation] = _Reader().transform(tree)
    except UnexpectedToken as problem:
        raise _refusal(sentence, problem) from None
    except VisitError as problem:
        if isinstance(problem.orig_exc, NotUnderstood):
            refused = problem.orig_exc
            refused.reason = f'In "{sentence.text}": {refused.reason}'
            raise refused from None
        raise
    return Understood(sentence, tuple(found))


@functools.cache
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", lexer=TokenLexer, maybe_placeholders=False)


def _refusal(sentence: Sentence, problem: UnexpectedToken) -> NotUnderstood:
    """A refusal that names the sentence, the word and what may stand in its place."""
    token = problem.token
    if token is sentence.tokens[0] and token.type not in WORDS["verbs"]:
        verbs = ", ".join(sorted(verb for names in WORDS["verbs"].values() for verb in names))
        reason = f'"{sentence.text}" begins with no command. Commands begin with one of: {verbs}.'
        return NotUnderstood([str(token)], reason)
    expected = sorted({_meaning(name) for name in problem.expected or problem.accepts})
    allowed = ", ".join(expected)
    if token.type == "$END":
        return NotUnderstood([], f'"{sentence.text}" ends too early. Here may follow: {allowed}.')
    return NotUnderstood([str(token)], f'In "{sentence.text}", "{token}" has no place. Here may stand: {allowed}.')


def _meaning(terminal: str) -> str:
    words = WORDS["prepositions"].get(terminal, [])
    return f'"{words[0]}"' if words else _MEANT.get(terminal, terminal.lower())


@dataclass(frozen=True)
class _Thing:
    """Something that is spoken of, before it is known what its words say of it."""

    text: str
    quoted: str
    of: _Thing | None

    def reference(self) -> op.Reference:
        of = self.of.reference() if self.of else None
        if self.quoted:
            return op.Reference(words=self.text.lower(), name=self.quoted, of=of)
        words, name = _words_and_name(self.text)
        return op.Reference(words=words, name=name, of=of)


def _words_and_name(text: str) -> tuple[str, str]:
    """What kind of thing it is, in lower case, and its name: "material Red" is the material called Red."""
    parts = text.split()
    behind = len(parts)
    while behind and _is_name(parts[behind - 1]):
        behind -= 1
    if behind == len(parts) or (len(parts) == 1 and not _is_name(parts[0])):
        return text.lower(), ""
    return " ".join(parts[:behind]).lower(), " ".join(parts[behind:])


def _is_name(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit() or "_" in word or "." in word


@dataclass(frozen=True)
class _Detail:
    """What is said of a thing behind its noun: `kind` is the rule of the grammar."""

    kind: str
    value: Any
    noun: bool = False
    """Whether it has an article, as in "with a bevel modifier"."""
    another: bool = False
    """Whether it stands behind "and" with an article: "a cube and a sphere"."""


_Children = list[Any]
_T = TypeVar("_T")


def _of_type(children: _Children, kind: type[_T]) -> list[_T]:
    return [child for child in children if isinstance(child, kind)]


def _tokens(children: _Children) -> dict[str, Token]:
    return {child.type: child for child in children if isinstance(child, Token)}


class _Reader(Transformer[Token, Any]):
    """The tree of one sentence as operations."""

    # Parts of sentences

    def words(self, children: _Children) -> str:
        return str(children[0])

    def NUMBER(self, token: Token) -> op.Number:  # noqa: N802 - lark calls it by the name of the terminal
        return _number(token)

    def VECTOR(self, token: Token) -> op.Vector:  # noqa: N802
        return op.Vector(parts=tuple(_number(part) for part in token.strip("()").split(",")))

    def TEXT(self, token: Token) -> op.Word:  # noqa: N802
        return op.Word(text=token[1:-1], quoted=True)

    def TRUTH(self, token: Token) -> op.Word:  # noqa: N802
        return op.Word(text="on" if token.lower() in {"on", "true", "yes"} else "off")

    def COLOR(self, token: Token) -> op.Word:  # noqa: N802
        return op.Word(text=str(token))

    def value(self, children: _Children) -> Any:
        return children[0]

    def quoted(self, children: _Children) -> str:
        return str(children[0].text)

    def name(self, children: _Children) -> str:
        [child] = children
        return child.text if isinstance(child, op.Word) else str(child)

    def thing(self, children: _Children) -> _Thing:
        texts = _of_type(children, str)
        text = next((one for one in texts if not isinstance(one, Token)), "")
        quoted = next((word.text for word in _of_type(children, op.Word)), "")
        return _Thing(text, quoted, next(iter(_of_type(children, _Thing)), None))

    def things(self, children: _Children) -> list[_Thing]:
        return _of_type(children, _Thing)

    def place(self, children: _Children) -> Any:
        return children[0]

    # Details

    def named(self, children: _Children) -> op.Setting:
        return op.Setting(name=children[0])

    def valued(self, children: _Children) -> op.Setting:
        value = children[-1]
        return op.Setting(name=children[0], value=op.Word(text=value) if isinstance(value, str) else value)

    def amount(self, children: _Children) -> op.Setting:
        return op.Setting(name=children[1], value=children[0])

    def with_setting(self, children: _Children) -> _Detail:
        tokens = _tokens(children)
        another = "A" in tokens and ("AND" in tokens or "SEP" in tokens)
        return _Detail("settings", _of_type(children, op.Setting), "A" in tokens, another)

    def with_settings(self, children: _Children) -> _Detail:
        return _Detail("settings", _of_type(children, op.Setting))

    def called(self, children: _Children) -> _Detail:
        return _Detail("called", children[-1])

    def at(self, children: _Children) -> _Detail:
        return _Detail("at", children[-1])

    def by(self, children: _Children) -> _Detail:
        return _Detail("by", children[-1])

    def to(self, children: _Children) -> _Detail:
        return _Detail("to", children[-1])

    def as_linked(self, children: _Children) -> _Detail:
        if "link" not in children[-1].lower():
            raise NotUnderstood([children[-1]], f'a copy is made "as linked copy" or plainly, not as {children[-1]}')
        return _Detail("linked", True)

    # Sentences

    def start(self, children: _Children) -> list[op.Operation]:
        found = children[0]
        return cast("list[op.Operation]", found if isinstance(found, list) else [found])

    def add(self, children: _Children) -> list[op.Operation]:
        words = next(one for one in children if isinstance(one, str) and not isinstance(one, Token))
        return _added(words, _of_type(children, _Detail), ())

    def give(self, children: _Children) -> list[op.Operation]:
        words = next(one for one in children if isinstance(one, str) and not isinstance(one, Token))
        [things] = _of_type(children, list)
        return _added(words, _of_type(children, _Detail), _references(things))

    def recipe(self, children: _Children) -> op.Operation:
        settings = _settings_of(_of_type(children, _Detail))
        return op.Recipe(name=_plain_words(children), settings=settings)

    def assign(self, children: _Children) -> op.Operation:
        what, things = _of_type(children, list)
        words = what[0].reference()
        if words.words not in {"material", ""} or len(what) > 1:
            raise NotUnderstood([what[0].text], f"only a material is assigned, not {what[0].text}")
        return op.Paint(things=_references(things), look=op.Look(name=words.name or what[0].text))

    def assignment(self, children: _Children) -> tuple[op.Setting, list[_Thing]]:
        name, *rest = [one for one in children if not isinstance(one, Token)]
        things = [one for one in rest if isinstance(one, list)]
        value = rest[-1]
        written = op.Word(text=value) if isinstance(value, str) else value
        return op.Setting(name=name, value=written), things[0] if things else []

    def set(self, children: _Children) -> list[op.Operation]:
        behind: list[_Thing] = next(iter(_of_type(children, list)), [])
        found: list[op.Operation] = []
        owner: list[_Thing] = []
        for setting, things in cast("list[tuple[op.Setting, list[_Thing]]]", _of_type(children, tuple)):
            owner = things or owner or behind
            of = _references(owner)
            last = found[-1] if found else None
            if isinstance(last, op.Set) and last.of == of:
                found[-1] = op.Set(settings=(*last.settings, setting), of=of)
            else:
                found.append(op.Set(settings=(setting,), of=of))
        return found

    def switch(self, children: _Children) -> op.Operation:
        value = op.Word(text="on" if "ENABLE" in _tokens(children) else "off")
        things: list[_Thing] = next(iter(_of_type(children, list)), [])
        setting = op.Setting(name=_plain_words(children), value=value)
        return op.Set(settings=(setting,), of=_references(things))

    def value_first(self, children: _Children) -> op.Keyframe:
        value, frame = [child for child in children if not isinstance(child, Token)]
        return op.Keyframe(frame=frame.number, value=value)

    def frame_first(self, children: _Children) -> op.Keyframe:
        frame, value = [child for child in children if not isinstance(child, Token)]
        return op.Keyframe(frame=frame.number, value=value)

    def key(self, children: _Children) -> op.Operation:
        words = [one for one in children if isinstance(one, str) and not isinstance(one, Token)]
        interpolation = plain(words[1]).removesuffix(" interpolation") if len(words) > 1 else ""
        keys = tuple(_of_type(children, op.Keyframe))
        return op.Key(property=words[0], of=_references(children[3]), keys=keys, interpolation=interpolation)

    def move(self, children: _Children) -> op.Operation:
        things = _references(_of_type(children, list)[0])
        plain_children = [one for one in children if not isinstance(one, (Token, list))]
        numbers = _of_type(children, op.Number)
        if numbers:
            words = [one for one in plain_children if isinstance(one, str)]
            spoken: list[_Thing] = _of_type(children, list)[0]
            return _shifted(spoken, numbers[0], words[0] if words else "")
        [goal] = plain_children
        if isinstance(goal, _Thing):
            place = goal.reference()
            if place.words.startswith("collection") or place.words.endswith("collection"):
                return op.Collect(things=things, collection=place.name or goal.quoted)
            if place.words in {"origin", "world origin"}:
                return op.Transform(do="move", things=things, how="to", value=_ORIGIN)
            raise NotUnderstood([goal.text], f'"{goal.text}" is no place: give one as a vector, such as (0, 0, 1)')
        return op.Transform(do="move", things=things, how="by" if "BY" in _tokens(children) else "to", value=goal)

    def rotate(self, children: _Children) -> op.Operation:
        things = _references(_of_type(children, list)[0])
        values = _of_type(children, op.Vector)
        if values:
            return op.Transform(do="rotate", things=things, how="to", value=values[0])
        [angle] = _of_type(children, op.Number)
        return op.Transform(do="rotate", things=things, how="by", value=angle, axis=_axis(_plain_words(children)))

    def scale(self, children: _Children) -> op.Operation:
        things = _references(_of_type(children, list)[0])
        value = next(one for one in children if isinstance(one, (op.Number, op.Vector, op.Word)))
        axes = [one for one in children if isinstance(one, str) and not isinstance(one, Token)]
        how: Literal["to", "by"] = "to" if "TO" in _tokens(children) else "by"
        if isinstance(value, op.Word):
            raise NotUnderstood([value.text], f'"{value.text}" is no factor: give a number or a vector')
        axis = _axis(axes[0]) if axes else ""
        if axis and how == "to":
            raise NotUnderstood([axes[0]], "a scale is given for all three axes: scale the cube to (0.5, 1, 1)")
        return op.Transform(do="scale", things=things, how=how, value=value, axis=axis)

    def paint(self, children: _Children) -> op.Operation:
        [things] = _of_type(children, list)
        details = _of_type(children, _Detail)
        rest, looks = split_looks(things[-1].text) if not things[-1].quoted else (things[-1].text, ())
        if not looks and rest.split(" ")[-1] in SMOOTH:
            return _shaded(things)
        named = {"".join(one.value) for one in details if one.kind == "called"}
        if not looks and not details:
            colors = "a color or one of: " + ", ".join(LOOKS)
            raise NotUnderstood([things[-1].text], f'"{rest}" says no look; here may stand {colors}')
        last = _Thing(rest, things[-1].quoted, things[-1].of)
        look = op.Look(words=looks, name=next(iter(named), ""), settings=_settings_of(details))
        return op.Paint(things=_references([*things[:-1], last]), look=look)

    def delete(self, children: _Children) -> op.Operation:
        return op.Delete(things=_references(children[-1]))

    def duplicate(self, children: _Children) -> op.Operation:
        [thing] = _of_type(children, _Thing)
        details = {detail.kind: detail.value for detail in _of_type(children, _Detail)}
        at = details.get("at")
        if isinstance(at, _Thing):
            raise NotUnderstood([at.text], f'"{at.text}" is no place: give one as a vector, such as (0, 0, 1)')
        return op.Duplicate(
            thing=thing.reference(), name=details.get("called", ""), at=at, by=details.get("by"),
            linked="linked" in details,
        )  # fmt: skip

    def rename(self, children: _Children) -> op.Operation:
        [thing] = _of_type(children, _Thing)
        names = [one for one in children if isinstance(one, str) and not isinstance(one, Token)]
        if names:
            return op.Rename(thing=thing.reference(), name=names[0])
        # "call it Ring": the words of the thing are followed by the name.
        spoken = thing.reference()
        if not spoken.words or not spoken.name:
            raise NotUnderstood([thing.text], 'say what is renamed and how: rename "Cube" to "Box"')
        return op.Rename(thing=op.Reference(words=spoken.words, of=spoken.of), name=spoken.name)

    def parent(self, children: _Children) -> op.Operation:
        [things], [to] = _of_type(children, list), _of_type(children, _Thing)
        return op.Parent(things=_references(things), to=to.reference())

    def unparent(self, children: _Children) -> op.Operation:
        return op.Parent(things=_references(children[-1]), to=None)

    def join(self, children: _Children) -> op.Operation:
        [things] = _of_type(children, list)
        into = [one.reference() for one in _of_type(children, _Thing)]
        names = [one for one in children if isinstance(one, str) and not isinstance(one, Token)]
        return op.Join(things=_references(things), into=into[0] if into else None, name="".join(names))

    def shade(self, children: _Children) -> op.Operation:
        return _shaded(children[-1])

    def aim(self, children: _Children) -> op.Operation:
        [things] = _of_type(children, list)
        goal = children[-1]
        at = goal.reference() if isinstance(goal, _Thing) else goal
        if isinstance(at, op.Reference) and at.words in {"origin", "world origin"}:
            at = _ORIGIN
        return op.Aim(things=_references(things), at=at)

    def collect(self, children: _Children) -> op.Operation:
        [things], [goal] = _of_type(children, list), _of_type(children, _Thing)
        return op.Collect(things=_references(things), collection=goal.reference().name or goal.text)

    def select(self, children: _Children) -> op.Operation:
        return op.Select(things=_references(children[-1]))

    def apply(self, children: _Children) -> op.Operation:
        things: list[_Thing] = next(iter(_of_type(children, list)), [])
        return op.Apply(what=_plain_words(children), of=_references(things))

    def link(self, children: _Children) -> op.Operation:
        outputs = [one for one in children if isinstance(one, str) and not isinstance(one, Token)]
        source, target = _of_type(children, _Thing)
        return op.Link(
            output=outputs[0], source=source.reference(), input=outputs[1], target=target.reference()
        )  # fmt: skip


_ORIGIN: Final = op.Vector(parts=(op.Number(number=0), op.Number(number=0), op.Number(number=0)))
_DIRECTIONS: Final = {
    "up": (0, 0, 1), "upwards": (0, 0, 1), "down": (0, 0, -1), "downwards": (0, 0, -1), "x": (1, 0, 0),
    "y": (0, 1, 0), "z": (0, 0, 1), "x axis": (1, 0, 0), "y axis": (0, 1, 0), "z axis": (0, 0, 1),
}  # fmt: skip


def _plain_words(children: _Children) -> str:
    return next(one for one in children if isinstance(one, str) and not isinstance(one, Token))


def _references(things: Sequence[_Thing]) -> tuple[op.Reference, ...]:
    """What is spoken of; in "every light and camera", "every" belongs to both."""
    found: list[op.Reference] = []
    every = ""
    for thing in things:
        reference = thing.reference()
        first = reference.words.split(" ")[0]
        every = first if first in {"every", "all", "each"} and not reference.name else every
        bare = not reference.name and reference.of is None and first not in {"every", "all", "each"}
        if every and bare and reference.words in OBJECT_TYPES and (every != "all" or reference.words.endswith("s")):
            reference = op.Reference(words=f"{every} {reference.words}")
        found.append(reference)
    return tuple(found)


def _number(text: str) -> op.Number:
    text = text.strip()
    unit = next((unit for unit in sorted(UNITS, key=len, reverse=True) if text.endswith(unit)), "")
    return op.Number(number=float(text.removesuffix(unit)), unit=unit)


def _axis(words: str) -> str:
    axis = plain(words).removesuffix(" axis").upper()
    if axis not in {"X", "Y", "Z"}:
        raise NotUnderstood([words], f'"{words}" is no axis; here may stand: X, Y, Z')
    return axis


def _shifted(things: list[_Thing], amount: op.Number, words: str) -> op.Operation:
    """Move by a number: the direction stands behind it, or behind what is moved ("the cube up by 2")."""
    last = things[-1]
    if not words and not last.quoted:
        text, _, words = last.text.rpartition(" ")
        things = [*things[:-1], _Thing(text, "", last.of)]
    direction = _DIRECTIONS.get(plain(words))
    if direction is None:
        raise NotUnderstood([words], f'"{words}" is no direction; here may stand: {", ".join(_DIRECTIONS)}')
    unit = amount.unit
    parts = tuple(op.Number(number=amount.number * part + 0.0, unit=unit if part else "") for part in direction)
    return op.Transform(do="move", things=_references(things), how="by", value=op.Vector(parts=parts))


def _shaded(things: list[_Thing]) -> op.Operation:
    """Shade: the last word says how, what stands before it says what."""
    last = things[-1]
    *words, how = last.text.split() or [""]
    if how not in SMOOTH or last.quoted:
        raise NotUnderstood([how], f'"{how}" is no shading; here may stand: smooth, flat')
    rest = [*things[:-1], _Thing(" ".join(words), "", last.of)] if words else things[:-1]
    how_word: Callable[[str], Any] = str
    return op.Shade(things=_references(rest) or (IT,), how=how_word(how))


def split_looks(text: str) -> tuple[str, tuple[str, ...]]:
    """Words without the looks behind them, and these: "cube dark red" is the cube, and it is dark red."""
    words, looks = text.split(), list[str]()
    while words:
        length = 2 if len(words) > 1 and words[-2].lower() in SHADES and color_of(words[-1]) else 1
        word = " ".join(words[-length:])
        if not is_look(word):
            break
        looks.insert(0, word)
        words = words[:-length]
    return " ".join(words), tuple(looks)


def leading_looks(text: str) -> tuple[tuple[str, ...], str]:
    """The looks before a noun, and the rest: "shiny gold material"."""
    words, looks = text.split(), list[str]()
    while len(words) > 1 and words[-1].lower() not in PARTS_OF_THINGS:
        length = 2 if words[0].lower() in SHADES and len(words) > 2 and color_of(words[1]) else 1
        word = " ".join(words[:length])
        if not is_look(word):
            break
        looks.append(word)
        words = words[length:]
    return tuple(looks), " ".join(words)


def is_look(word: str) -> bool:
    """Whether a word in lower case is a color or another look; one with a capital is a name."""
    return word == word.lower() and (color_of(word) is not None or plain(word) in LOOKS)


def _settings_of(details: Sequence[_Detail]) -> tuple[op.Setting, ...]:
    """The settings among details; raises NotUnderstood if there are others that say something else."""
    for detail in details:
        if detail.kind not in {"settings", "called"}:
            raise NotUnderstood([], f'"{detail.kind}" has no place here')
    return tuple(setting for detail in details if detail.kind == "settings" for setting in detail.value)


def _added(words: str, details: list[_Detail], to: tuple[op.Reference, ...]) -> list[op.Operation]:
    """Add, and what its details add to what is made: parts, a material, shading."""
    if words.endswith(IF_MISSING):
        words = words.removesuffix(IF_MISSING)
        return [op.Add(kind=words, if_missing=True, settings=_settings_of(details))]
    for place, detail in enumerate(details):
        if detail.another and detail.value[0].name.split(" ")[-1] not in OF_ANOTHER:
            # Another thing is added: what stands behind it is said of that.
            named = detail.value[0].name
            return [*_added(words, details[:place], to), *_added(named, details[place + 1 :], to)]
    own, parts, look, shading = _sorted_details([_axis_detail(detail) for detail in details])
    looks, kind = leading_looks(words)
    if plain(kind) == "material":
        names = {detail.kind: detail.value for detail in own}
        if not to:
            named = names.get("called", "")
            return [
                op.Add(kind=kind, name=named, settings=_settings_of(own), look=op.Look(words=looks) if looks else None)
            ]
        return [
            op.Paint(things=to, look=op.Look(words=looks, name=names.get("called", ""), settings=_settings_of(own)))
        ]
    if looks and not look:
        look = op.Look(words=looks)
    elif looks and look:
        look = op.Look(words=(*looks, *look.words), name=look.name, settings=look.settings)
    said = {detail.kind: detail.value for detail in own if detail.kind != "settings"}
    things, collection = to, ""
    if "to" in said:
        references = _references(said["to"])
        if references[0].words in {"collection"}:
            collection = references[0].name
        else:
            things = references
    settings = tuple(setting for detail in own if detail.kind == "settings" for setting in detail.value)
    at = said.get("at")
    if isinstance(at, _Thing):
        if plain(at.text) not in {"origin", "world origin"}:
            raise NotUnderstood([at.text], f'"{at.text}" is no place: give one as a vector, such as (0, 0, 1)')
        at = _ORIGIN
    made = op.Add(
        kind=kind, name=said.get("called", ""), to=things, at=at, settings=settings, look=look, collection=collection
    )
    return [made, *parts, *([shading] if shading else [])]


def _axis_detail(detail: _Detail) -> _Detail:
    """ "on the Y axis" is a setting, not a thing."""
    words = plain(detail.value[0].text) if detail.kind == "to" else ""
    if not words.endswith(" axis"):
        return detail
    return _Detail("settings", [op.Setting(name="axis", value=op.Word(text=words.removesuffix(" axis").upper()))])


def _sorted_details(
    details: list[_Detail],
) -> tuple[list[_Detail], list[op.Operation], op.Look | None, op.Operation | None]:
    """Details of the thing itself, operations on it, its material and its shading.

    Settings in parentheses belong to the noun before them: "with a bevel modifier (width=0.1)".
    """
    own: list[_Detail] = []
    parts: list[op.Operation] = []
    look: op.Look | None = None
    shading: op.Operation | None = None
    noun = ""
    for detail in details:
        single = detail.value[0] if detail.kind == "settings" and len(detail.value) == 1 else None
        bare = single is not None and single == op.Setting(name=single.name)
        words = plain(single.name) if single is not None and bare else ""
        if single is not None and words.split(" ")[-1] in {"material"}:
            looks, _rest = leading_looks(single.name)
            look, noun = op.Look(words=looks), "material"
        elif single is not None and words.startswith("material "):
            look, noun = op.Look(name=single.name.split(" ", 1)[1]), "material"
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
