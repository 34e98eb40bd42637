"""Text to operations: each sentence of a request is parsed by grammar.lark, and its tree becomes operations.

lexer.sentences ──> lark (LALR) ──> Trees ──> operations.py
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final, Literal, TypeVar, cast

from lark import Lark, Token, Transformer, UnexpectedToken
from lark.exceptions import VisitError

from app.drafting.commands import operations as op
from app.drafting.commands.details import additions, settings_of
from app.drafting.commands.lexer import Sentence, TokenLexer, sentences
from app.drafting.commands.spoken import (
    ORIGIN,
    SMOOTH,
    Detail,
    SpokenThing,
    SpokenThings,
    axis_of,
    move_by_number,
    number_of,
    references,
    shade_by_words,
    split_looks,
)
from app.drafting.commands.words import LOOKS, WORDS, plain
from app.drafting.draft import NothingSuch, NotUnderstood

GRAMMAR: Final = files("app.drafting.commands").joinpath("grammar.lark").read_text(encoding="utf-8")

LONGEST_NAME: Final = 63
_MEANT: Final = {
    "A": '"a"', "SEP": '","', "AND": '"and"', "NUMBER": "a number", "VECTOR": "a vector such as (0, 0, 1)",
    "TEXT": "a text in quotes", "TRUTH": '"on" or "off"', "COLOR": "a color such as #ff8800", "WORDS": "a name",
    "LPAR": '"("', "RPAR": '")"', "EQUAL": '"="', "FRAME": '"frame N"', "$END": "the end of the sentence",
}  # fmt: skip
"""The names of terminals in refusals."""


def read(request: str) -> list[tuple[op.Operation, ...]]:
    """The operations of a request, by its sentences.

    Raises NotUnderstood with the sentence, the word and what is allowed there.
    """
    return [read_sentence(sentence) for sentence in sentences(request)]


def read_sentence(sentence: Sentence) -> tuple[op.Operation, ...]:
    """The operations of one sentence; raises NotUnderstood."""
    try:
        tree: Any = _parser().parse(sentence.tokens)
        found: list[op.Operation] = _SentenceReader().transform(tree)
    except UnexpectedToken as problem:
        raise _refusal(sentence, problem) from None
    except VisitError as problem:
        if isinstance(problem.orig_exc, NotUnderstood):
            refused = problem.orig_exc
            refused.reason = f'In "{sentence.text}": {refused.reason}'
            raise refused from None
        raise
    return tuple(found)


@functools.cache
def _parser() -> Any:
    return Lark(GRAMMAR, parser="lalr", lexer=TokenLexer, maybe_placeholders=False)


def _refusal(sentence: Sentence, problem: UnexpectedToken) -> NotUnderstood:
    """A refusal that names the sentence, the word and what is allowed in its place."""
    token = cast("Token", problem.token)
    if token is sentence.tokens[0] and token.type not in WORDS["verbs"]:
        verbs = ", ".join(sorted(verb for names in WORDS["verbs"].values() for verb in names))
        return NothingSuch([str(token)], f'"{sentence.text}" does not begin with a command.', verbs)
    expected = sorted({_terminal_words(name) for name in problem.accepts or problem.expected})
    allowed = ", ".join(expected)
    if token.type == "$END":
        return NotUnderstood([], f'"{sentence.text}" ends too early.', allowed)
    return NotUnderstood([str(token)], f'In "{sentence.text}", "{token}" does not fit.', allowed)


def _terminal_words(terminal: str) -> str:
    words = WORDS["prepositions"].get(terminal, [])
    return f'"{words[0]}"' if words else _MEANT.get(terminal, terminal.lower())


_Children = list[Any]
_T = TypeVar("_T")


def _of_type(children: _Children, kind: type[_T]) -> list[_T]:
    return [child for child in children if isinstance(child, kind)]


def _words(children: _Children) -> list[str]:
    return [text for text in _of_type(children, str) if not isinstance(text, Token)]


def _check_name(name: str) -> str:
    """The name, if Blender takes it; raises NotUnderstood."""
    if not 0 < len(name.encode("utf-8")) <= LONGEST_NAME:
        raise NotUnderstood([name], f'"{name}" is not a name: names in Blender have 1 to {LONGEST_NAME} bytes')
    return name


def _tokens(children: _Children) -> dict[str, Token]:
    return {child.type: child for child in _of_type(children, Token)}


@dataclass(frozen=True)
class _Assignment:
    """A setting with its value, and the things that it belongs to, if any are named."""

    setting: op.NamedValue
    things: SpokenThings


class _SentenceReader(Transformer[Token, Any]):
    """The tree of one sentence as operations."""

    # Parts of sentences

    def words(self, children: _Children) -> str:
        return str(children[0])

    def NUMBER(self, token: Token) -> op.Number:  # noqa: N802 - lark calls it by the name of the terminal
        return number_of(token)

    def VECTOR(self, token: Token) -> op.Vector:  # noqa: N802
        return op.Vector(parts=tuple(number_of(part) for part in token.strip("()").split(",")))

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
        return _check_name(child.text if isinstance(child, op.Word) else str(child))

    def thing(self, children: _Children) -> SpokenThing:
        text = next(iter(_words(children)), "")
        quoted = next((word.text for word in _of_type(children, op.Word)), "")
        of = next(iter(_of_type(children, SpokenThing)), None)
        if isinstance(children[0], op.Word):
            _check_name(quoted)
            return SpokenThing("", quoted, of, behind=text)
        return SpokenThing(text, quoted, of)

    def things(self, children: _Children) -> SpokenThings:
        return SpokenThings(_of_type(children, SpokenThing))

    def place(self, children: _Children) -> Any:
        return children[0]

    # Details

    def named(self, children: _Children) -> op.NamedValue:
        return op.NamedValue(name=children[0])

    def valued(self, children: _Children) -> op.NamedValue:
        value = children[-1]
        return op.NamedValue(name=children[0], value=op.Word(text=value) if isinstance(value, str) else value)

    def amount(self, children: _Children) -> op.NamedValue:
        return op.NamedValue(name=children[1], value=children[0])

    def with_setting(self, children: _Children) -> Detail:
        tokens = _tokens(children)
        another = "A" in tokens and ("AND" in tokens or "SEP" in tokens)
        return Detail("settings", _of_type(children, op.NamedValue), "A" in tokens, another)

    def with_settings(self, children: _Children) -> Detail:
        return Detail("settings", _of_type(children, op.NamedValue))

    def called(self, children: _Children) -> Detail:
        return Detail("called", children[-1])

    def at(self, children: _Children) -> Detail:
        return Detail("at", children[-1])

    def by(self, children: _Children) -> Detail:
        return Detail("by", children[-1])

    def to(self, children: _Children) -> Detail:
        return Detail("to", children[-1])

    def as_linked(self, children: _Children) -> Detail:
        if children[-1].lower() not in {"linked copy", "linked", "linked duplicate", "instance"}:
            raise NotUnderstood([children[-1]], f'a copy is plain or "as linked copy", not as {children[-1]}')
        return Detail("linked", True)

    # Sentences

    def start(self, children: _Children) -> list[op.Operation]:
        found = children[0]
        return cast("list[op.Operation]", found if isinstance(found, list) else [found])

    def add(self, children: _Children) -> list[op.Operation]:
        words = _words(children)[0]
        return additions(words, _of_type(children, Detail), ())

    def give(self, children: _Children) -> list[op.Operation]:
        words = _words(children)[0]
        [things] = _of_type(children, SpokenThings)
        return additions(words, _of_type(children, Detail), references(things))

    def recipe(self, children: _Children) -> op.Operation:
        details = _of_type(children, Detail)
        names = [op.NamedValue(name="name", value=op.Word(text=own.value)) for own in details if own.kind == "called"]
        settings = (*names, *settings_of(details))
        return op.RecipeRun(name=_words(children)[0], settings=settings)

    def assign(self, children: _Children) -> op.Operation:
        what, things = _of_type(children, SpokenThings)
        words = what[0].reference()
        if words.words not in {"material", ""} or len(what) > 1:
            raise NotUnderstood([what[0].text], f"only a material can be assigned, not {what[0].text}")
        return op.Paint(things=references(things), look=op.Finish(name=words.name or what[0].text))

    def assignment(self, children: _Children) -> _Assignment:
        value = children[-1]
        written = op.Word(text=value) if isinstance(value, str) else value
        things = next(iter(_of_type(children, SpokenThings)), SpokenThings())
        return _Assignment(op.NamedValue(name=_words(children)[0], value=written), things)

    def set(self, children: _Children) -> list[op.Operation]:
        behind = next(iter(_of_type(children, SpokenThings)), SpokenThings())
        found: list[op.Operation] = []
        owner = SpokenThings()
        for assignment in _of_type(children, _Assignment):
            owner = assignment.things or owner or behind
            setting, of = assignment.setting, references(owner)
            last = found[-1] if found else None
            if isinstance(last, op.Set) and last.of == of:
                found[-1] = op.Set(settings=(*last.settings, setting), of=of)
            else:
                found.append(op.Set(settings=(setting,), of=of))
        return found

    def switch(self, children: _Children) -> op.Operation:
        value = op.Word(text="on" if "ENABLE" in _tokens(children) else "off")
        things = next(iter(_of_type(children, SpokenThings)), SpokenThings())
        setting = op.NamedValue(name=_words(children)[0], value=value)
        return op.Set(settings=(setting,), of=references(things))

    def value_first(self, children: _Children) -> op.Keyframe:
        value, frame = [child for child in children if not isinstance(child, Token)]
        return op.Keyframe(frame=frame.number, value=value)

    def frame_first(self, children: _Children) -> op.Keyframe:
        frame, value = [child for child in children if not isinstance(child, Token)]
        return op.Keyframe(frame=frame.number, value=value)

    def key(self, children: _Children) -> op.Operation:
        words = _words(children)
        interpolation = plain(words[1]).removesuffix(" interpolation") if len(words) > 1 else ""
        keys = tuple(_of_type(children, op.Keyframe))
        return op.Key(property=words[0], of=references(children[3]), keys=keys, interpolation=interpolation)

    def move(self, children: _Children) -> op.Operation:
        spoken = _of_type(children, SpokenThings)[0]
        plain_children = [child for child in children if not isinstance(child, (Token, SpokenThings))]
        numbers = _of_type(children, op.Number)
        if numbers:
            words = [child for child in plain_children if isinstance(child, str)]
            return move_by_number(spoken, numbers[0], words[0] if words else "")
        [goal] = plain_children
        things = references(spoken)
        if isinstance(goal, SpokenThing):
            place = goal.reference()
            if place.words.startswith("collection") or place.words.endswith("collection"):
                return op.Collect(things=things, collection=place.name or goal.quoted)
            if place.words in {"origin", "world origin"}:
                return op.Transform(do="move", things=things, how="to", value=ORIGIN)
            raise NotUnderstood([goal.text], f'"{goal.text}" is not a place: give a vector, such as (0, 0, 1)')
        return op.Transform(do="move", things=things, how="by" if "BY" in _tokens(children) else "to", value=goal)

    def rotate(self, children: _Children) -> op.Operation:
        things = references(_of_type(children, SpokenThings)[0])
        values = _of_type(children, op.Vector)
        if values:
            return op.Transform(do="rotate", things=things, how="to", value=values[0])
        [angle] = _of_type(children, op.Number)
        return op.Transform(do="rotate", things=things, how="by", value=angle, axis=axis_of(_words(children)[0]))

    def scale(self, children: _Children) -> op.Operation:
        things = references(_of_type(children, SpokenThings)[0])
        value = next(child for child in children if isinstance(child, (op.Number, op.Vector, op.Word)))
        axes = _words(children)
        how: Literal["to", "by"] = "to" if "TO" in _tokens(children) else "by"
        if isinstance(value, op.Word):
            raise NotUnderstood([value.text], f'"{value.text}" is not a factor: give a number or a vector')
        axis = axis_of(axes[0]) if axes else ""
        if axis and how == "to":
            raise NotUnderstood([axes[0]], "give the scale of all three axes: scale the cube to (0.5, 1, 1)")
        return op.Transform(do="scale", things=things, how=how, value=value, axis=axis)

    def paint(self, children: _Children) -> op.Operation:
        [things] = _of_type(children, SpokenThings)
        details = _of_type(children, Detail)
        last = things[-1]
        rest, looks = split_looks(f"it {last.behind}" if last.quoted else last.text)
        if not looks and rest.split(" ")[-1] in SMOOTH:
            return shade_by_words(things)
        rest = last.text if last.quoted and rest == "it" else rest
        named = {"".join(detail.value) for detail in details if detail.kind == "called"}
        if not looks and not details:
            colors = "a color or one of: " + ", ".join(LOOKS)
            raise NotUnderstood([rest], f'"{rest}" is not a look; allowed here: {colors}')
        last = SpokenThing(rest, last.quoted, last.of)
        look = op.Finish(words=looks, name=next(iter(named), ""), settings=settings_of(details))
        return op.Paint(things=references([*things[:-1], last]), look=look)

    def delete(self, children: _Children) -> op.Operation:
        return op.Delete(things=references(children[-1]))

    def duplicate(self, children: _Children) -> op.Operation:
        [thing] = _of_type(children, SpokenThing)
        said = _of_type(children, Detail)
        details = {detail.kind: detail.value for detail in said}
        if len(details) < len(said) or {"at", "by"} <= set(details):
            raise NotUnderstood([], "give the place and the name of the copy only once")
        at = details.get("at")
        if isinstance(at, SpokenThing):
            raise NotUnderstood([at.text], f'"{at.text}" is not a place: give a vector, such as (0, 0, 1)')
        return op.Duplicate(
            thing=thing.reference(), name=details.get("called", ""), at=at, by=details.get("by"),
            linked="linked" in details,
        )  # fmt: skip

    def rename(self, children: _Children) -> op.Operation:
        [thing] = _of_type(children, SpokenThing)
        names = _words(children)
        if names:
            return op.Rename(thing=thing.reference(), name=names[0])
        # "call it Ring": the words of the thing are followed by the name.
        spoken = thing.reference()
        if not spoken.words or not spoken.name:
            raise NotUnderstood([thing.text], 'give the old and the new name: rename "Cube" to "Box"')
        return op.Rename(thing=op.Mention(words=spoken.words, of=spoken.of), name=spoken.name)

    def parent(self, children: _Children) -> op.Operation:
        [things], [to] = _of_type(children, SpokenThings), _of_type(children, SpokenThing)
        return op.Parent(things=references(things), to=to.reference())

    def unparent(self, children: _Children) -> op.Operation:
        return op.Parent(things=references(children[-1]), to=None)

    def join(self, children: _Children) -> op.Operation:
        [things] = _of_type(children, SpokenThings)
        into = [thing.reference() for thing in _of_type(children, SpokenThing)]
        names = _words(children)
        return op.Join(things=references(things), into=into[0] if into else None, name="".join(names))

    def shade(self, children: _Children) -> op.Operation:
        return shade_by_words(children[-1])

    def aim(self, children: _Children) -> op.Operation:
        [things] = _of_type(children, SpokenThings)
        goal = children[-1]
        at = goal.reference() if isinstance(goal, SpokenThing) else goal
        if isinstance(at, op.Mention) and at.words in {"origin", "world origin"}:
            at = ORIGIN
        return op.Aim(things=references(things), at=at)

    def collect(self, children: _Children) -> op.Operation:
        [things], [goal] = _of_type(children, SpokenThings), _of_type(children, SpokenThing)
        return op.Collect(things=references(things), collection=goal.reference().name or goal.text)

    def select(self, children: _Children) -> op.Operation:
        return op.Select(things=references(children[-1]))

    def apply(self, children: _Children) -> op.Operation:
        things = next(iter(_of_type(children, SpokenThings)), SpokenThings())
        return op.Apply(what=_words(children)[0], of=references(things))

    def link(self, children: _Children) -> op.Operation:
        outputs = _words(children)
        source, target = _of_type(children, SpokenThing)
        return op.Link(
            output=outputs[0], source=source.reference(), input=outputs[1], target=target.reference()
        )  # fmt: skip
