"""Requests in other forms than commands, as commands: the grammar reads "rotate the cube by 45 degrees" and its like.

    "1. Rotate the cube by 45 degrees  2. Hide it"         items      itemized()
    "Write a script that rotates the cube by 45 degrees"    courtesy   without_courtesy()
    "The cube should be rotated by 45 degrees and hidden"   passive    in_commands()
    "Rotating the cube by 45 degrees"                       gerund     in_commands()

Words are moved and put into another form; none is added but the subject of a second predicate, and none that asks for anything is lost.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from app.drafting.composer.patterns import ARTICLES, MACROS, Reading, compile_pattern
from app.drafting.composer.tokens import Token

# --- items ---------------------------------------------------------------------------------------------------------

_BULLET: Final = re.compile(
    r"(?m)^[ \t]*((?:[-*•·–—]|\(?\d{1,2}[.)]|\(?[a-h]\)|step[ ]\d{1,2}[ ]?[:.)-])[ \t]+)(?=\S)", re.IGNORECASE
)
_NUMBER: Final = re.compile(
    r"(?:(?<=\s)|^)(?:step[ ](\d{1,2})[ ]?[:.)-]|\(?(\d{1,2}|[a-h])[.)])[ \t]+(?=[^\W\d_]|[\"'])", re.IGNORECASE
)
_ENDED: Final = frozenset(".,;:!?(")


def itemized(request: str) -> str:
    """The request in one line, with a sentence for each line and each item of a list."""
    marks = [match.span(1) for match in _BULLET.finditer(request)] if "\n" in request else []
    marks = marks or list(numbered(request))
    starts = dict(marks)
    starts |= {match.start(): match.end() for match in re.finditer(r"\n\s*", request) if match.end() not in starts}
    pieces: list[str] = []
    place = 0
    for start, end in sorted(starts.items()):
        pieces.append(request[place:start].strip())
        place = max(place, end)
    pieces.append(request[place:].strip())
    said = [piece for piece in pieces if piece]
    return " ".join([*(piece if piece[-1] in _ENDED else f"{piece}." for piece in said[:-1]), *said[-1:]])


def numbered(request: str) -> Iterator[tuple[int, int]]:
    """Where "1.", "2." and so on stand in one line, in that order and from the first on; nothing where they do not."""
    found: list[tuple[int, int]] = []
    for match in _NUMBER.finditer(request):
        which = (match[1] or match[2]).lower()
        if which == (chr(ord("a") + len(found)) if which.isalpha() else str(len(found) + 1)):
            found.append(match.span())
    first = request[: found[0][0]].rstrip() if found else ""
    if len(found) > 1 and (not first or first[-1] in ".:;!?"):
        yield from found


# --- courtesy ------------------------------------------------------------------------------------------------------

COURTESY: Final = compile_pattern(
    "(can|could|would|will) (you|u) | would it be possible to | (is there a way|is it possible|what is the best way|best way) to"
    "| (i|we) (want|need|would like|'d like) [for] [you] [to] | i'd like [you] [to] | we'd like [you] [to] | (i|we) (have|must|wish) to"
    "| i'd be glad if | i am looking for | (i am|i'm|we are|we're) (trying|looking|going) to | let us | let's | (we|you) should"
    "| how (to|do i|can i|do you|do we|can we|would i|would you) | in blender | (using|with|in|via) python"
    "| make sure [that] | make it so [that] | see to it that | ensure that | try to | go ahead and | your (task|job) is to | the (task|goal|aim) is to"
    "| [(write|create|make|give|need|want|i need|i want|generate|provide|show)] [me|us] [(a|an|some|the|one)] [short|small|simple|quick|little|minimal|tiny]"
    " [blender|bpy] [python|bpy] (script|snippet|code) [(in|for) (blender|bpy|python)] (that|which|to)"
)  # fmt: skip
"""What a sentence may begin with that asks for nothing."""


def without_courtesy(reading: Reading) -> list[Token]:
    """The tokens without what sentences begin with out of politeness."""
    tokens: list[Token] = []
    place = 0
    fresh = True
    while place < len(reading.tokens):
        end = max((end for end, _ in COURTESY(reading, place, {})), default=place) if fresh else place
        if end > place and end < len(reading.tokens):
            place = end
            continue
        tokens.append(reading.tokens[place])
        fresh = reading.mark(place) in {".", ";", "!", "?"}
        place += 1
    return tokens


# --- verbs ---------------------------------------------------------------------------------------------------------

IMPERATIVES: Final = frozenset(
    phrase.split()[0]
    for name in ("add", "set", "remove", "move", "enable", "disable")
    for phrase in MACROS[name].split("|")
) - {"no", "with", "without", "a", "new", "use", "position"}
"""What a clause that is a command already mostly begins with."""
IRREGULAR: Final[Mapping[str, str]] = {
    "made": "make", "given": "give", "hidden": "hide", "put": "put", "set": "set", "cut": "cut", "brought": "bring", "kept": "keep",
    "taken": "take", "thrown": "throw", "driven": "drive", "built": "build", "written": "write", "drawn": "draw", "shown": "show",
    "bound": "bind", "split": "split", "spun": "spin", "bent": "bend", "sent": "send", "laid": "lay", "stuck": "stick", "swept": "sweep",
    "grown": "grow", "shrunk": "shrink", "let": "let", "reset": "reset", "inset": "inset", "unset": "unset", "hung": "hang", "lit": "light",
    "chosen": "choose", "frozen": "freeze", "run": "run", "wound": "wind", "told": "tell", "left": "leave", "spread": "spread",
}  # fmt: skip
"""Participles that no rule makes."""


def verbs_of(known: Collection[str]) -> Mapping[str, str]:
    """Each participle and gerund with its verb, of verbs among the words that rules begin with."""
    forms: dict[str, str] = {}
    for verb in sorted(known):
        if len(verb) < 3 or not verb.isalpha():
            continue
        bare = verb.removesuffix("e")
        double = (
            verb + verb[-1]
            if re.fullmatch(r".*[^aeiou][aeiou][bdgmnprt]", verb) and not verb.endswith(("er", "en", "el"))
            else verb
        )
        forms |= {f"{bare}ing": verb, f"{double}ing": verb, f"{bare}ed": verb, f"{double}ed": verb}
        if verb.endswith("y") and verb[-2] not in "aeiou":
            forms |= {f"{verb[:-1]}ied": verb, f"{verb[:-1]}ies": verb}
        if verb in IMPERATIVES:  # of other words the plural is meant
            forms[f"{verb}es" if verb.endswith(("s", "x", "ch", "sh")) else f"{verb}s"] = verb
    return forms | {form: verb for form, verb in IRREGULAR.items() if verb in known}


OPENERS: Final = frozenset({"get", "have", "need", "want"})
"""What a subject and a bare participle may follow: "get the cube painted"."""
DETERMINERS: Final = frozenset(
    {"the", "all", "every", "each", "both", "this", "that", "these", "those", "its", "my", "everything"}
)
STATES: Final = frozenset(
    {"is", "are", "was", "were", "be", "been", "being", "not", "never", "no", "that", "which", "who"}
)
"""Words by which a participle says how something is, or which things are meant."""
NEW: Final = frozenset({"a", "an", "another", "one", "some"})
LEADING: Final = frozenset(
    {"then", "and", "finally", "afterwards", "next", "first", "also", "but", "lastly", "plus", "here"}
)


BE: Final = compile_pattern(
    "(should|must|shall|will|needs to|need to|has to|have to|ought to|is to|are to|'s to|to|can|may|is supposed to|are supposed to) [all|each|both|then] be [all|each|both|then]"
    "| (gets|get|got)"
)
"""What stands between a subject and the participle of what is to be done with it."""
BEHIND: Final = frozenset({
    "to", "on", "onto", "in", "into", "from", "by", "at", "with", "along", "around", "about", "as", "of", "up", "down", "off", "out", "for",
    "through", "between", "over", "under", "using",
})  # fmt: skip
"""What stands behind a participle that is a predicate; nothing does where the sentence ends."""
SWITCHES: Final[Mapping[str, str]] = {
    "off": "disable",
    "on": "enable",
    "visible": "show",
    "invisible": "hide",
    "gone": "remove",
}
"""What is asked for by how something should be: "the mirror modifier should be off"."""


class InCommands:
    """A request whose sentences are commands, as far as their form tells."""

    def __init__(self, reading: Reading, forms: Mapping[str, str], *, whole: bool) -> None:
        self._reading: Final = reading
        self._forms: Final = forms
        self._whole: Final = whole
        """Whether a subject begins where its sentence does, rather than behind the last comma or "and"."""

    def tokens(self) -> list[Token]:
        """All of the request's tokens, in the order of commands."""
        written: list[Token] = []
        start = 0
        for place, token in enumerate([*self._reading.tokens, None]):
            if token is None or (token.kind == "mark" and token.text in {".", ";", "!", "?", ":"}):
                written += self.sentence(self._reading.tokens[start:place])
                written += [token] if token is not None else []
                start = place + 1
        return written

    def sentence(self, said: Sequence[Token]) -> list[Token]:
        """One sentence as a command, or as several."""
        start = 0
        while start < len(said) and (said[start].word in LEADING or said[start].text == ","):
            start += 1
        if start == len(said):
            return list(said)
        for ending in ("ing", "s"):
            if (verb := self.verb(said[start], ending)) is not None and len(said) > start + 1:
                rest = self.others(said[start + 1 :], ending)
                return [*said[:start], replace(said[start], text=verb, word=verb), *rest]
        found = self.passive(said, start)
        if found is None:
            return list(said)
        subject, auxiliary, participle = found
        verb = self.done(said, participle) or ""
        first = said[subject]
        command = replace(said[participle], text=verb, word=verb, start=first.start, end=first.start)
        whom = list(said[subject:auxiliary])
        before = said[: start if said[start].word in OPENERS and subject == start + 1 else subject]
        return [*before, command, *whom, *self.predicates(said[participle + 1 :], whom)]

    def others(self, said: Sequence[Token], ending: str) -> list[Token]:
        """What follows a verb with this ending, where others may."""
        tokens = list(said)
        for place, token in enumerate(tokens):
            behind = place > 0 and (tokens[place - 1].word in {"and", "then"} or tokens[place - 1].text == ",")
            if behind and (verb := self.verb(token, ending)) is not None:
                tokens[place] = replace(token, text=verb, word=verb)
        return tokens

    def passive(self, said: Sequence[Token], start: int) -> tuple[int, int, int] | None:
        """Where a subject begins and ends, and its participle."""
        reading = replace(self._reading, tokens=list(said), memo={})
        opened = said[start].word in OPENERS
        command = said[start].word in IMPERATIVES and not opened
        for place in range(start + 1, len(said)):
            ends = [end for end, _ in BE(reading, place, {}) if end < len(said) and self.done(said, end)]
            if not ends and (command or not self.predicate(said, start, place)):
                continue
            subject = start + opened
            if not self._whole or command:
                cuts = [at for at in range(subject, place) if said[at].word in {"and", "then"} or said[at].text == ","]
                if not cuts and command:
                    continue
                subject = cuts[-1] + 1 if cuts else subject
            if subject < place:
                return subject, place, max(ends) if ends else place
        return None

    def done(self, said: Sequence[Token], place: int) -> str | None:
        """The verb of the participle here, or of how a thing should be; "should be on the table" is a place."""
        following = said[place + 1] if place + 1 < len(said) else None
        ends = following is None or following.text == "," or following.word in {"in", "for", "during", "and", "from"}
        if said[place].word in SWITCHES and ends:
            return SWITCHES[said[place].word]
        return self.verb(said[place], "ed")

    def predicate(self, said: Sequence[Token], start: int, place: int) -> bool:
        """Whether a bare participle says what is to be done: "Sun turned by 90 degrees" may be a new one that is turned."""
        following = said[place + 1] if place + 1 < len(said) else None
        if self.verb(said[place], "ed") is None or (following is not None and following.word not in BEHIND):
            return False
        if said[place - 1].word in ARTICLES or {token.word for token in said[start:place]} & STATES:
            return False  # "the spread of ...", "the cube is moved ..."
        first = said[start]
        return first.kind == "quoted" or first.word in DETERMINERS | OPENERS or said[place].word in {"added", "created"}

    def predicates(self, said: Sequence[Token], whom: Sequence[Token]) -> list[Token]:
        """What follows a participle; another one behind "and" is said of the same subject."""
        if whom[0].word in NEW:
            whom = [replace(whom[0], text="it", word="it")]
        tokens: list[Token] = []
        place = 0
        while place < len(said):
            token = said[place]
            joint = token.word in {"and", "then", "but"} or token.text == ","
            at = place + 1
            while joint and at < len(said) and said[at].word in {"and", "then", "must", "should", "be", "is", "are"}:
                at += 1
            verb = self.verb(said[at], "ed") if joint and at < len(said) else None
            following = said[at + 1] if at + 1 < len(said) else None
            if verb is not None and (joint_of(said, place, at) or following is None or following.word in BEHIND):
                tokens += [token, replace(said[at], text=verb, word=verb), *whom]
                place = at + 1
            elif joint and at < len(said) and (found := self.passive(said, at)) is not None and found[0] == at:
                return [*tokens, *said[place:at], *self.sentence(said[at:])]
            else:
                tokens.append(token)
                place += 1
        return tokens

    def verb(self, token: Token, ending: str) -> str | None:
        """The verb that a gerund ("ing"), a third person ("s") or a participle ("ed") is of."""
        word = token.word
        if token.kind != "word" or word not in self._forms:
            return None
        is_of = "ing" if word.endswith("ing") else "s" if word.endswith("s") else "ed"
        return self._forms[word] if is_of == ending else None


def joint_of(said: Sequence[Token], start: int, end: int) -> bool:
    """Whether an "and" joins here; a comma may also stand before what is told of something else."""
    return any(token.word in {"and", "then"} for token in said[start:end])


def in_commands(reading: Reading, forms: Mapping[str, str]) -> Iterator[list[Token]]:
    """The tokens as commands, in one or two ways that differ from what was said."""
    seen = [reading.tokens]
    for whole in (True, False):
        tokens = InCommands(reading, forms, whole=whole).tokens()
        if tokens not in seen:
            seen.append(tokens)
            yield tokens
