"""The grammar's notation: a line of text that says how a step may be worded, compiled into a reader.

    "shade {target:object} {how=smooth|flat}"           words, a slot, a choice that is kept
    "[<add>] {mod:modifier} [modifier] [{s:settings of mod}] [(to|on) {target:object}]"

    word          this word, in singular or plural; articles before it are passed over
    « »           brackets in the request
    [ ... ]       may be left out           ( a | b c )   one of these          <name>   one of the words of MACROS
    ~( a ; b )    any of these in any order, each once at most, joined by commas, brackets and small words
    {name:slot}   what the reader of that slot finds; "of mod" gives it what was found before under that name
    {name=a|b}    one of these, kept as written here

A pattern is read with backtracking: every way to read it is offered in turn, the longest first.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from app.drafting.composer.tokens import WORDS_KEPT, Token, singular

Env = Mapping[str, Any]
Found = Iterator[tuple[int, Any]]
Slot = Callable[["Reading", int, Env, str], Found]

ARTICLES: Final = frozenset({"the", "a", "an", "its", "their"})

MACROS: Final = {
    "add": "add|give the scene|simulate|create|make|insert|generate|build|place|put|new|use|give|give me|set up|setup|model|draw|attach|append|"
    "introduce|need|want|have|spawn|lay|enable|turn on|add in|slap|throw|stick|pop|poke|add another|define|make new|write|register|include|grow|do|start with|also",
    "set": "set|change|make|put|turn|switch|adjust|let|give|use|update|assign|configure|choose|select|bring|raise|lower|"
    "increase|decrease|reduce|have|keep|pick|set up|setup|specify|limit|cap|go for|run|render with|render at|render",
    "remove": "delete|remove|erase|get rid of|clear|drop|throw away|take away|discard|strip|"
    "kill|wipe|wipe out|trash|ditch|toss|throw out|lose",
    "to": "to|=|:|at|of|as|is|by|with|on|equal to|equals|be|should be|into|becomes|to a value of|to the value|to the value of",
    "on": "to|on|onto|for|of|in|into|upon|at|over",
    "called": "called|named|name|with the name|with name|labelled|labeled|by the name of|titled|as",
    "move": "move|place|put|shift|translate|set|position|bring|slide|relocate|lift|raise",
    "enable": "turn on|enable|switch on|activate|use|with|have|allow|set|tick|check",
    "fcurve": "f curve|f-curve|fcurves|curve|f",
    "disable": "turn off|disable|switch off|deactivate|without|no|don't use|do not use|untick|uncheck|no more",
}

VERBS: Final = frozenset({"add", "set", "remove", "move", "enable", "disable"})
"""The macros that are verbs."""


@dataclass
class Reading:
    """A request that is being read: its tokens, and whatever the slots need. `furthest` is how far any pattern got."""

    request: str
    tokens: list[Token]
    lexicon: Any
    furthest: int = 0
    loose: bool = False
    """Whether the parts of a clause may stand in any order."""
    lenient: bool = False
    """Whether remarks are passed over, and names are looked up when the snippet runs."""
    parts: bool = False
    """Whether a thing may be built from parts: see assembling/."""
    asides: tuple[Any, ...] = ()
    """What was said in passing: see asides.py."""
    told: bool = False
    """Whether only motions told in free words are read."""
    bodies: frozenset[int] = frozenset()
    """Where sentences begin that go on with what an operator does."""
    properties: list[Any] = field(default_factory=list[Any])
    """Properties that the request declares for an operator."""
    memo: dict[object, list[tuple[int, Any]]] = field(default_factory=dict[object, list[tuple[int, Any]]])

    @functools.cached_property
    def stems(self) -> list[str]:
        """The stem of each word."""
        return [stem(token.word) for token in self.tokens]

    @functools.cached_property
    def heard(self) -> list[frozenset[str]]:
        """For each place what a literal may be there: the token and its stem, and those behind articles."""
        heard: list[frozenset[str]] = []
        for token in reversed(self.tokens):
            here = sounds(token.word) | {token.text} if token.word else frozenset({token.text})
            heard.append(here | heard[-1] if heard and token.word in ARTICLES else here)
        return heard[::-1]

    def word(self, at: int) -> str:
        """The word at this place, or nothing."""
        return self.tokens[at].word if 0 <= at < len(self.tokens) else ""

    def words(self, at: int, count: int) -> tuple[str, ...]:
        """Some words from this place on."""
        return tuple(self.word(at + place) for place in range(count))

    def mark(self, at: int) -> str:
        """The mark at this place, or nothing."""
        return self.tokens[at].text if 0 <= at < len(self.tokens) and self.tokens[at].kind == "mark" else ""

    def new_sentence(self, at: int) -> bool:
        """Whether a sentence begins here."""
        return at > 0 and self.mark(at - 1) == "."

    def said(self, start: int, end: int) -> str:
        """What the user wrote from one token to before another."""
        return self.request[self.tokens[start].start : self.tokens[end - 1].end] if end > start else ""


Read = Callable[[Reading, int, Env], Iterator[tuple[int, Env]]]


class Matcher:
    """A compiled pattern or piece of one: gives each place up to which it reads, with what its slots found.

    `begins` is what it may begin with, as `Reading.heard` has it, and None where that cannot be told; most patterns are
    passed over by it. `empty` is whether it may read nothing at all.
    """

    __slots__ = ("_read", "begins", "empty")

    def __init__(self, read: Read, begins: frozenset[str] | None, *, empty: bool = False) -> None:
        self._read: Final = read
        self.begins: Final = begins
        self.empty: Final = empty

    def __call__(self, reading: Reading, at: int, env: Env) -> Iterator[tuple[int, Env]]:
        """Every way to read from this place on."""
        if (
            self.begins is not None
            and not self.empty
            and (at >= len(reading.tokens) or self.begins.isdisjoint(reading.heard[at]))
        ):
            return iter(())
        return self._read(reading, at, env)


SLOTS: Final[dict[str, Slot]] = {}


def slot(name: str) -> Callable[[Slot], Slot]:
    """Let patterns use this reader under a name."""

    def keep(reader: Slot) -> Slot:
        if name in SLOTS:
            raise ValueError(f"two readers of slots are called {name}")
        SLOTS[name] = reader
        return reader

    return keep


def top_level(text: str) -> Iterator[str]:
    """The pieces that stand one after another in a pattern, each with all that its brackets hold."""
    depth, piece = 0, ""
    for match in _PIECE.finditer(text):
        found = match.group()
        piece += found
        depth += {"~(": 1, "(": 1, "[": 1, ")": -1, "]": -1}.get(found, 0)
        if depth == 0:
            if piece.strip():
                yield piece.strip()
            piece = ""


@functools.lru_cache(maxsize=WORDS_KEPT)
def stem(word: str) -> str:
    """The word without the ending of plural, "-ing", "-ed" or third person."""
    word = singular(word)
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            bare = word[: -len(ending)]
            return bare[:-1] if bare[-1] == bare[-2] and bare[-1] not in "ls" else bare
    if word == "stripe":
        return word  # no strip
    return word.removesuffix("e") if len(word) > 3 else word


@functools.lru_cache(maxsize=WORDS_KEPT)
def sounds(word: str) -> frozenset[str]:
    """A word as it is, in singular, and its stem."""
    return frozenset({word, singular(word), f"~{stem(word)}"})


_PIECE: Final = re.compile(r"\{(\w+)([:=])([^}]*)\}|<(\w+)>|(~\(|[\[\]()|;])|([^\s\[\]()|{}<>;~]+)|\s+")


COMPILED: Final[set[str]] = set()
"""Every pattern that was compiled, of steps and of slots."""


@functools.cache
def compile_pattern(text: str) -> Matcher:
    """The reader of a pattern."""
    COMPILED.add(text)
    pieces = [match for match in _PIECE.finditer(text) if match.group().strip()]
    matcher, end = _alternatives(pieces, 0)
    if end != len(pieces):
        raise ValueError(f"unbalanced: {text}")
    return matcher


def literals(text: str) -> set[str]:
    """Every word that a pattern names."""
    found: set[str] = set()
    for match in _PIECE.finditer(text):
        if match[2] == "=":
            found |= set(re.findall(r"[^\s|]+", match[3]))
        elif match[4]:
            found |= set(re.findall(r"[^\s|]+", MACROS[match[4]]))
        elif match[6]:
            found.add(match[6])
    return found


def slots_of(text: str) -> dict[str, set[str]]:
    """The slots and choices of a pattern, each with those that it refers to: "{s:settings of mod}" refers to mod."""
    found: dict[str, set[str]] = {}
    for match in _PIECE.finditer(text):
        if match[1]:
            _, _, of = match[3].partition(" of ") if match[2] == ":" else ("", "", "")
            found.setdefault(match[1], set()).add(of)
    return {name: of & found.keys() for name, of in found.items()}


def _alternatives(pieces: list[re.Match[str]], at: int) -> tuple[Matcher, int]:
    options: list[Matcher] = []
    while True:
        sequence: list[Matcher] = []
        while at < len(pieces) and pieces[at][5] not in {"]", ")", "|", ";"}:
            matcher, at = _one(pieces, at)
            sequence.append(matcher)
        options.append(_sequence(sequence))
        if at >= len(pieces) or pieces[at][5] != "|":
            return (options[0] if len(options) == 1 else _either(options)), at
        at += 1


def _one(pieces: list[re.Match[str]], at: int) -> tuple[Matcher, int]:
    piece = pieces[at]
    if piece[5] == "~(":
        parts: list[Matcher] = []
        while pieces[at][5] != ")":
            part, at = _alternatives(pieces, at + 1)
            parts.append(part)
        return _unordered(parts), at + 1
    if piece[5] in {"[", "("}:
        inner, end = _alternatives(pieces, at + 1)
        if end >= len(pieces) or pieces[end][5] != {"[": "]", "(": ")"}[piece[5]]:
            raise ValueError(f"unbalanced at {piece.group()} in {piece.string}")
        return (_optional(inner) if piece[5] == "[" else inner), end + 1
    if piece[1] and piece[2] == ":":
        return _slot(piece[1], piece[3]), at + 1
    if piece[1]:
        return _choice(piece[1], piece[3]), at + 1
    if piece[4]:
        return _macro(piece[4]), at + 1
    return _word(piece.group()), at + 1


def _sequence(parts: list[Matcher]) -> Matcher:
    def read(reading: Reading, at: int, env: Env, index: int = 0) -> Iterator[tuple[int, Env]]:
        if index == len(parts):
            yield at, env
            return
        for end, found in parts[index](reading, at, env):
            yield from read(reading, end, found, index + 1)

    begins: frozenset[str] | None = frozenset()
    for part in parts:
        begins = None if begins is None or part.begins is None else begins | part.begins
        if not part.empty:
            break
    return Matcher(read, begins, empty=all(part.empty for part in parts))


def _either(options: list[Matcher]) -> Matcher:
    def read(reading: Reading, at: int, env: Env) -> Iterator[tuple[int, Env]]:
        for option in options:
            yield from option(reading, at, env)

    return Matcher(read, begins_of(options), empty=any(option.empty for option in options))


def begins_of(options: Sequence[Matcher]) -> frozenset[str] | None:
    """What any of them may begin with."""
    known = [option.begins for option in options if option.begins is not None]
    return frozenset[str]().union(*known) if len(known) == len(options) else None


def _optional(inner: Matcher) -> Matcher:
    def read(reading: Reading, at: int, env: Env) -> Iterator[tuple[int, Env]]:
        yield from inner(reading, at, env)
        yield at, env

    return Matcher(read, inner.begins, empty=True)


JOINING: Final = frozenset({
    "with", "and", "using", "that", "which", "has", "have", "having", "is", "are", "its", "the", "a", "an", "it", "set",
    "where", "whose", "via", "by", "at", "of", "in", "plus", "their", "then", "should", "be", "so", "but", "also", "to", "as",
})  # fmt: skip
"""Small words that may join the parts of a description."""
OPEN: Final = 4
"""How many ways to read a description up to one place are followed."""


def joints(reading: Reading, at: int) -> Iterator[int]:
    """Where the next part of a description may begin: here, or after marks and small words."""
    yield at
    place = at
    while (reading.mark(place) in {",", ":", ";", "(", "-", "/"} or reading.word(place) in JOINING) and place - at < 5:
        place += 1
        yield place


def _unordered(parts: list[Matcher]) -> Matcher:
    def read(reading: Reading, at: int, env: Env) -> Iterator[tuple[int, Env]]:
        every = frozenset(range(len(parts)))
        waiting: list[tuple[int, frozenset[int], Env, int]] = [(at, every, env, 0)]
        count: dict[tuple[int, frozenset[int]], int] = {}
        yield at, env
        while waiting:
            place, left, found, depth = waiting.pop(0)
            for start in joints(reading, place):
                deep = depth + sum(reading.mark(each) == "(" for each in range(place, start))
                for index in sorted(left):
                    for end, more in parts[index](reading, start, found):
                        if end <= start or any(
                            more[name] is not value and more[name] != value for name, value in found.items()
                        ):
                            continue
                        key = end, left - {index}
                        count[key] = count.get(key, 0) + 1
                        if count[key] > OPEN:
                            continue
                        closed = end + (deep > 0 and reading.mark(end) == ")")
                        waiting.append((closed, left - {index}, more, deep - (closed > end)))
                        if closed > end or deep == 0:
                            yield closed, more

    return Matcher(read, None, empty=True)


@functools.cache
def _macro(name: str) -> Matcher:
    """Any of the phrases of a macro; nearly every rule begins with one, so each place is read once for all of them."""
    phrases = _either([_words(phrase) for phrase in MACROS[name].split("|")])

    def read(reading: Reading, at: int, env: Env) -> Iterator[tuple[int, Env]]:
        if name in VERBS and reading.word(at) in ARTICLES:
            return  # "the render levels" are no command to render
        key = "macro", name, at
        if key not in reading.memo:
            reading.memo[key] = [(end, None) for end, _ in phrases(reading, at, env)]
        for end, _ in reading.memo[key]:
            yield end, env

    return Matcher(read, phrases.begins, empty=phrases.empty)


@functools.cache
def _words(phrase: str) -> Matcher:
    return _sequence([_word(word) for word in phrase.split()])


@functools.cache
def _word(word: str) -> Matcher:
    word = {"«": "(", "»": ")"}.get(word, word)
    single = singular(word)

    def read(reading: Reading, at: int, env: Env) -> Iterator[tuple[int, Env]]:
        if word not in ARTICLES:
            while reading.word(at) in ARTICLES:
                at += 1
        if at < len(reading.tokens):
            token = reading.tokens[at]
            if (
                token.text == word
                or (token.word and (token.word == word or singular(token.word) == single))
                or (
                    reading.loose
                    and token.word
                    and len(word) > 3
                    and reading.stems[at] == stem(word)
                    and not tells(reading, at)
                )
            ):
                reading.furthest = max(reading.furthest, at + 1)
                yield at + 1, env

    return Matcher(read, sounds(word))


def tells(reading: Reading, at: int) -> bool:
    """Whether a word tells which things are meant: the "subdivided" of "subdivided ones"."""
    return reading.word(at).endswith("ed") and reading.word(at + 1) in {"one", "ones"}


def _choice(name: str, options: str) -> Matcher:
    matchers = [(option, _words(option)) for option in options.split("|")]

    def read(reading: Reading, at: int, env: Env) -> Iterator[tuple[int, Env]]:
        for option, matcher in matchers:
            for end, _ in matcher(reading, at, env) if env.get(name, option) == option else ():
                yield end, {**env, name: option}

    each = [matcher for _, matcher in matchers]
    return Matcher(read, begins_of(each), empty=any(matcher.empty for matcher in each))


def _slot(name: str, what: str) -> Matcher:
    kind, _, of = what.partition(" of ")

    def read(reading: Reading, at: int, env: Env) -> Iterator[tuple[int, Env]]:
        key = (kind, of, at, id(env.get(of)))
        if key not in reading.memo:
            reading.memo[key] = list(SLOTS[kind](reading, at, env, of))
        for end, found in reading.memo[key]:
            if name in env and env[name] != found:
                continue  # one role, said twice: a word of it would be lost
            reading.furthest = max(reading.furthest, end)
            yield end, {**env, name: found}

    return Matcher(read, None)
