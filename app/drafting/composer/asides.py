"""What is said of a plan in passing, and holds of it already: "no modifiers please", "the bottle itself must not move".

Such words ask for nothing, but forbid something. They are taken out of a request that is read more freely, and what is
written for the rest of it must not do what they forbid: a pattern of its lines tells.

    "inset the top face by 0.3 (plain mesh edit, no modifiers)"
                                ^^^^^^^^^^^^^^^  ^^^^^^^^^^^^  -> no line may hold ".modifiers.new("
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.drafting.composer.patterns import Env, Reading, compile_pattern, slot
from app.drafting.composer.slots import KIND_WORDS, looks_like_name
from app.drafting.composer.tokens import Token, singular


@slot("one_word")
def one_word(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """One word or a name."""
    if at < len(reading.tokens) and reading.tokens[at].kind in {"word", "quoted"}:
        yield at + 1, reading.tokens[at].text


MODIFIERS: Final = r"\.modifiers\.new\(|use_group\("
MOVED: Final = (
    r"\.location(\.\w)? [-+*]?= |matrix_world(\.\w+)? = (?!placed?\b)|\.rotation_\w+(\.\w)? [-+*]?= "
    r"|\.parent = (?!(.*\n){1,4}?.*matrix)"
)
MUST_NOT: Final = (
    "(must not|mustn't|should not|shouldn't|may not|shall not|does not|doesn't|do not|don't|is not to|cannot|can't)"
)
AGAIN: Final = "(stays|stay|remains|remain|must stay|should stay|has to stay|must remain|to stay|staying|stays exactly|stay exactly)"
NOTHING: Final = r"(?!)"
ASIDES: Final = tuple(
    (compile_pattern(words), re.compile(forbidden))
    for words, forbidden in (
        ("[a] [plain|real|actual|pure|direct] (mesh edit|mesh editing|geometry edit) [only]", MODIFIERS),
        ("[as|it is|in] (real|actual|true) geometry", MODIFIERS),
        ("[directly] (in|on) [the] [actual] mesh itself|(edit|editing|change|changing) [the] [actual|real] mesh [itself]", MODIFIERS),
        ("(no|not [as|with] a|not via|not by|without|without a|without any|don't use a|do not use a) [non destructive] (modifier|modifiers)", MODIFIERS),
        ("(keep|leave|with) [both|all|it|them] [the] (modifier|modifiers|it|them) (live|unapplied|editable|non destructive|as modifiers|as a modifier)", r"apply_modifiers\("),
        (f"({MUST_NOT} (apply|bake|collapse) [it|them|the modifier|the modifiers|any|anything|the scale]|(not|never) (applied|apply it|apply them)|unapplied|leave it unapplied|without applying [it|them|anything])", r"apply_modifiers\(|\.bake\(|bake_"),
        (f"(leave|keep) it (a|as a) (text|curve|mesh|text object|curve object)|it {AGAIN} (a|as a) (text|curve|text object|curve object)", r"to_mesh|convert"),
        ("(keep|keeping) [its|the] (name|names)", r"\.name = "),
        (f"[so|so that] (it|[the] (object|mesh|geometry|itself)|[the] {{who:one_word}} itself) {MUST_NOT} (move|be moved|jump|shift|change its place)", MOVED),
        (f"(it|[the] (object|mesh|geometry)|[the] {{who:one_word}} itself) {AGAIN} (put|where it is|in place|at its place)", MOVED),
        ("(without moving [it|the object|the mesh|anything]|no jumping)", MOVED),
        ("without ([the] {who:one_word}|any of them) (moving|jumping|shifting|changing (its|their) (place|position)) [anywhere|around|away|at all]", MOVED),
        ("[so|that is] (really|truly) {who:one_word} (it|them|that) [(in|on) the (mesh|geometry|data)] [itself]", MODIFIERS),
        ("(leave|leaving|keep|keeping) {who:one_word} [as] [the] (active|current|scene|render) (one|camera|object)", r"\.camera = |objects\.active = "),
        (f"({MUST_NOT} (assign|use) [it] [yet] [to [anything|any object|an object]]|(not assigned|unassigned|assigned to nothing|without assigning it) [to (anything|any object|an object)])", r"use_material\(|active_material|\.material = |materials\.append"),
        ("no [other|further] changes [at all]|nothing else", NOTHING),
        ("(delete|remove) nothing [else]", r"\.remove\(|\.delete\(|_delete\(|clear\("),
        ("no [extra|further|additional] (keyframes|keys|animation) (are|is) (wanted|needed|necessary|required|desired)|(no|without [any]) (keyframes|keys)", r"keyframe_insert"),
        ("no [extra|further|additional] (modifiers|modifier) (are|is) (wanted|needed|necessary|required|desired)", MODIFIERS),
        ("no (driver|drivers)", r"driver_add"),
        ("save nothing", r"save_as|save_main|\.save\("), ("render nothing", r"render\.render\("),
    )
)  # fmt: skip
"""What may be said in passing, and what the lines of the plan must not hold then."""
STAYING: Final = compile_pattern(
    "[all] [(must|should|shall|has to|have to|is to|are to|can|may)] (stay|stays|staying|remain|remains|remaining|keep|keeps|keeping|be|is|are|left|be left|is left|are left) [all] [exactly|completely|just|simply]"
    " (as it is|as they are|as it was|as they were|as is|the way it is|the way they are|how it is|how they are|what it is|what they are|unchanged|untouched|unaffected|unmodified|alone"
    "|the same|like that|as before|put|in place|at its place|where it is|where they are|where it was|where they were|what it has|what they have|fixed|intact) [now|at the moment]"
    "| (untouched|unchanged|unaffected|as is|as it is|as they are|as before|the same as before)"
    f"| {MUST_NOT} (change|move|be changed|be touched|be moved|be affected|be altered|be modified|be edited|get changed) [in [the] world|in world space|on screen]"
    "| [(must|should|shall|has to|have to)] (stay|stays|remain|remains)"
)
"""What is said of something that the plan must leave alone."""
LEAVING: Final = compile_pattern(
    "(leave|leaving|keep|keeping) | (do not|don't|never) (touch|change|move|alter|modify|affect|edit) | without (touching|changing|altering|affecting|editing|moving)"
)
AS_IT_IS: Final = compile_pattern(
    "[exactly|just|all] (alone|as it is|as they are|as it was|as they were|unchanged|untouched|unaffected|as is|otherwise|in place|where it is|where they are|at all|be|the same|the way it is|the way they are|intact)"
    " [otherwise|please|at the moment]"
)
CONTRAST: Final = compile_pattern(
    "(not|rather than|instead of|do not|don't|never|and not|but not) [just|merely|simply] [with|as|via|by|through|use] [a|an|the|any|its|their]"
)
NOT_MEANT: Final = tuple(
    (compile_pattern(words), forbidden)
    for words, forbidden in (
        ("append [it|them|anything]", "link=False"),
        ("link [it|them|anything]", "link=True"),
        ("in [the] (viewport|viewports|viewport display)", "hide_viewport|hide_set|show_viewport|show_in_editmode"),
        ("in (render|renders|[the] render|rendering)", "hide_render|show_render"),
        ("rotation", "rotation=True|rotation_"),
        ("location|position", "location=True|[.]location"),
        ("scale", "scale=True|[.]scale"),
    )
)
"""What a plan may be told not to do, and the lines that would."""
REST: Final = frozenset({"other", "rest", "else", "remaining", "everybody", "nobody", "unselected"})
"""Words for what the plan does not name."""
WHOLE: Final = frozenset(
    {"the", "all", "any", "every", "its", "both", "each", "no", "everything", "anything", "nothing", "whatever"}
)
BUT: Final = frozenset({"not", "isn't", "aren't", "else", "but", "except", "beyond", "outside"})
LOCATION: Final = r"\.location(\.\w|\[\w\])? [-+*]?= |matrix_world(\.\w+)? = |translate\("
ROTATION: Final = r"\.rotation_\w+(\.\w|\[\w\])? [-+*]?= |\"rotation|matrix_world = |transform_apply"
KEPT: Final = {
    "x": r"\.location(\.x|\[0\])? [-+*]?= |\.location = |, 0\)|index=0",
    "y": r"\.location(\.y|\[1\])? [-+*]?= |\.location = |, 1\)|index=1",
    "z": r"\.location(\.z|\[2\])? [-+*]?= |\.location = |, 2\)|index=2",
    "width": r"scale\.x|scale = |dimensions = |dimensions\.x", "depth": r"scale\.y|scale = |dimensions = |dimensions\.y",
    "height": r"scale\.z|scale = |dimensions = |dimensions\.z",
    "location": LOCATION, "position": LOCATION, "place": LOCATION, "rotation": ROTATION, "orientation": ROTATION,
    "scale": r"\.scale(\.\w|\[\w\])? [-+*]?= |\"scale|transform_apply|matrix_world = ",
    "size": r"\.scale(\.\w|\[\w\])? [-+*]?= |\"scale|dimensions",
    "transform": f"{LOCATION}|{ROTATION}|\\.scale", "origin": r"origin",
    "material": r"[Mm]aterial", "shader": r"[Mm]aterial|nodes", "texture": r"TEX_|texture", "color": r"[Cc]olor",
    "base color": r"Base Color|diffuse_color", "lens": r"\.lens = |\"lens\"", "focal length": r"\.lens = |\"lens\"",
    "name": r"\.name = ", "sample": r"samples = ", "sampling": r"samples = ", "resolution": r"resolution_\w+ = ",
    "frame range": r"frame_(start|end) = ", "engine": r"\.engine = ", "camera": r"\.camera = |CAMERA|cameras\.new",
    "light": r"LIGHT|lights\.new|\.energy = ", "lighting": r"LIGHT|lights\.new|\.energy = ", "world": r"world", "background": r"world",
    "modifier": r"\.modifiers\.(new|remove|clear|move)|apply_modifiers|\.show_viewport = ", "constraint": r"\.constraints\.(new|remove|clear)",
    "uv": r"uv_", "vertex group": r"vertex_groups", "parent": r"\.parent = ", "children": r"children", "child": r"children",
    "mesh": r'"MESH"|meshes\.(new|remove)', "empty": r'"EMPTY"', "armature": r'"ARMATURE"|armatures', "mesh name": r"\.data\.name = ",
    "original": r"editing\(|\.convert\(|apply_\w+\(|remove_object\(|\.modifiers\.|\.(location|rotation\w+|scale)(\.\w)? [-+*/]?= ", "data name": r"\.data\.name = ", "fps": r"\.fps", "frame rate": r"\.fps", "collection": r"collections|\.link\(|\.unlink\(", "selection": r"select_set|\.select = ", "strength": r"strength", "roughness": r"Roughness",
}  # fmt: skip
"""What may be left alone, by its name, and the lines that would not."""
AROUND: Final = frozenset({
    "the", "a", "its", "their", "of", "'s", "all", "both", "own", "existing", "current", "value", "setting", "key", "keyframe", "channel", "itself", "themselves",
    "scene", "render", "and", "or", "curve", "object", "axis", "coordinate", "two", "on", "in", "shape",
})  # fmt: skip
"""Words that a name of what is left alone may stand among."""
SUBJECT: Final = 14


BEFORE: Final = frozenset({",", ".", ";", "(", ":", "!", "?"})
AFTER: Final = frozenset({",", ".", ";", "(", ")", ":", "!"})
OPENING: Final = frozenset({"and", "but", "with", "while"})
"""Words that what is said in passing may follow."""


@dataclass(frozen=True)
class Aside:
    """Words that ask for nothing, and what must not be done."""

    said: str
    forbidden: re.Pattern[str]


def set_apart(reading: Reading) -> Iterator[tuple[list[Token], tuple[Aside, ...]]]:
    """The tokens without what is said in passing, and that: first what has words of its own, then all that is left alone.

    The second way is one more, as "it has to stay where it is" may say how a step is to be done.
    """
    first = without(reading, forbidding)
    yield first
    second = without(reading, lambda rest, at: forbidding(rest, at) or left_alone(rest, at) or contrasted(rest, at))
    if len(second[0]) < len(first[0]):
        yield second


ReadAside = Callable[[Reading, int], "tuple[int, Aside] | None"]


def without(reading: Reading, read: ReadAside) -> tuple[list[Token], tuple[Aside, ...]]:
    """The tokens without what is read as said in passing, and that."""
    tokens, found = list(reading.tokens), list[Aside]()
    place = 0
    while place < len(tokens):
        rest = replace(reading, tokens=tokens, memo={})
        heard = read(rest, place) if may_begin(rest, place) else None
        if heard is None:
            place += 1
            continue
        end, aside = heard
        found.append(aside)
        start = place - (place > 0 and rest.word(place - 1) in OPENING)
        opened = start > 0 and (rest.mark(start - 1), rest.mark(end)) in {("(", ")"), ("-", "-")}
        tokens = joined([*tokens[: start - opened], *tokens[end + opened :]], start - opened)
        place = max(0, start - opened - 1)
    return tokens, tuple(found)


def may_begin(reading: Reading, at: int) -> bool:
    """Whether something may be said in passing from here on."""
    fresh = at == 0 or reading.mark(at - 1) in {*BEFORE, "-"} or reading.word(at - 1) in OPENING
    return fresh or reading.word(at) in {"so", "without"}


def closes(reading: Reading, at: int) -> bool:
    """Whether what is said in passing may end before this place."""
    return at == len(reading.tokens) or reading.mark(at) in {*AFTER, "-"}


def forbidding(reading: Reading, at: int) -> tuple[int, Aside] | None:
    """What is forbidden in words of its own here, up to a mark or the end."""
    for matcher, forbidden in ASIDES:
        for end, _ in matcher(reading, at, {}):
            if end > at and closes(reading, end):
                return end, Aside(reading.said(at, end), forbidden)
    return None


def left_alone(reading: Reading, at: int) -> tuple[int, Aside] | None:
    """A sentence about what is to stay as it is: "X and Y don't change", "leave its material alone"."""
    last = at
    while last < len(reading.tokens) and (reading.mark(last) in {"", ","} or reading.mark(last) not in AFTER):
        last += 1
    starts = [end for end, _ in LEAVING(reading, at, {})]
    for start in sorted({at, *starts}, reverse=True):
        for place in range(start + 1, min(last, start + SUBJECT) + 1):
            if start > at and (reading.mark(place) in AFTER or place == len(reading.tokens)):
                forbidden = changes(reading, start, place, moved=False)
                if forbidden is not None:
                    return place, Aside(reading.said(at, place), re.compile(forbidden))
            for end, _ in (AS_IT_IS if start > at else STAYING)(reading, place, {}):
                if closes(reading, end):
                    moved = {"move", "put", "where", "place", "moved"} & {
                        reading.word(each) for each in range(place, end)
                    }
                    forbidden = changes(reading, start, place, moved=bool(moved))
                    if forbidden is not None:
                        return end, Aside(reading.said(at, end), re.compile(forbidden))
    return None


def changes(reading: Reading, at: int, end: int, *, moved: bool) -> str | None:
    """The lines that would change what is named here; None where that cannot be told."""
    tokens = reading.tokens[at:end]
    words = [token.word for token in tokens]
    if is_rest(tokens):
        return NOTHING
    found: list[str] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        following = place + 1 + (words[place + 1 : place + 2] == ["'s"])
        two = " ".join(singular(word) for word in [token.word, *words[following : following + 1]])
        known = next((key for key in (two, singular(token.word), token.word) if key in KEPT), None)
        alone = len(tokens) == 1 and token.text[:1].isupper() and known is None
        named = token.word and looks_like_name(token.text, reading, at + place)
        if token.kind == "quoted" or named or alone or spoken_name(reading, token):
            found.append(MOVED if moved and len(tokens) <= 2 else re.escape(repr(name_of(reading, token)).strip("'")))
        elif known is not None:
            found.append(KEPT[known])
            place = following if known == two != singular(token.word) else place
        elif token.word in {"it", "them", "they"} and moved and len(tokens) == 1:
            found.append(MOVED)
        elif singular(token.word) not in AROUND and token.text != ",":
            return None
        place += 1
    return "|".join(found) or None


def contrasted(reading: Reading, at: int) -> tuple[int, Aside] | None:
    """What is not meant, said of what is: "(not a damped track)", "do not append"."""
    for place, _ in CONTRAST(reading, at, {}):
        for end, forbidden in not_meant(reading, place):
            if closes(reading, end):
                return end, Aside(reading.said(at, end), re.compile(forbidden, re.IGNORECASE))
    return None


def not_meant(reading: Reading, at: int) -> Iterator[tuple[int, str]]:
    """The kind of thing that is named here, and what lines have that make one."""
    for matcher, forbidden in NOT_MEANT:
        yield from ((end, forbidden) for end, _ in matcher(reading, at, {}))
    for family in reading.lexicon.families.values():
        if (named := family.first(reading.tokens, at)) is not None:
            end, kind = named
            end += reading.word(end) in {"modifier", "constraint", "light", "node", "texture", "strip"}
            yield end, f'"{re.escape(kind.identifier)}"|{re.escape(kind.type)}\\b'
    if (spoken := KIND_WORDS.first(reading.tokens, at)) is not None:
        end, phrase = spoken
        yield end + (reading.word(end) == "object"), phrase.replace(" ", "[_ ]?")


def is_rest(tokens: Sequence[Token]) -> bool:
    """Whether this names what the request does not speak of: "the other 5 faces", "everything that is not a light"."""
    words = [token.word for token in tokens]
    first = singular(words[0])
    whole = first in {"everything", "anything", "nothing"} and (len(words) == 1 or bool(BUT & set(words)))
    told = first in REST or (first in WHOLE and bool(REST & {singular(word) for word in words[1:]}))
    return (whole or told) and all(
        token.kind == "word" or (token.kind == "number" and singular(words[place - 1]) == "other")
        for place, token in enumerate(tokens)
    )


def spoken_name(reading: Reading, token: Token) -> bool:
    """Whether a word is a name that stands in quotes elsewhere."""
    return any(each.kind == "quoted" and each.text.lower() == token.word for each in reading.tokens if token.word)


def name_of(reading: Reading, token: Token) -> str:
    """The name that is meant, as it stands in quotes."""
    same = (each.text for each in reading.tokens if each.kind == "quoted" and each.text.lower() == token.word)
    return next(same, token.text) if token.word else token.text


def joined(tokens: Sequence[Token], at: int) -> list[Token]:
    """The tokens with one mark where two would stand now."""
    if not 0 < at < len(tokens) or tokens[at - 1].text not in BEFORE or tokens[at].text not in AFTER - {"("}:
        return list(tokens)
    keep = tokens[at - 1] if tokens[at - 1].text in {"(", ",", ":"} else tokens[at]
    return [*tokens[: at - 1], keep, *tokens[at + 1 :]]
