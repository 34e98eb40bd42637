"""What is said of a plan in passing, and holds of it already: "no modifiers please", "the bottle itself must not move".

Such words ask for nothing, but forbid something. They are taken out of a request that is read more freely, and what is
written for the rest of it must not do what they forbid: a pattern of its lines tells.

    "inset the top face by 0.3 (plain mesh edit, no modifiers)"
                                ^^^^^^^^^^^^^^^  ^^^^^^^^^^^^  -> no line may hold ".modifiers.new("
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.drafting.composer.patterns import Env, Reading, compile_pattern, slot
from app.drafting.composer.tokens import Token


@slot("one_word")
def one_word(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """One word or a name."""
    if at < len(reading.tokens) and reading.tokens[at].kind in {"word", "quoted"}:
        yield at + 1, reading.tokens[at].text


MODIFIERS: Final = r"\.modifiers\.new\(|use_group\("
MOVED: Final = (
    r"\.location(\.\w)? [-+*]?= |matrix_world(\.\w+)? = |\.rotation_\w+(\.\w)? [-+*]?= |\.parent = (?!.*\n.*matrix)"
)
MUST_NOT: Final = (
    "(must not|mustn't|should not|shouldn't|may not|shall not|does not|doesn't|do not|don't|is not to|cannot|can't)"
)
AGAIN: Final = "(stays|stay|remains|remain|must stay|should stay|has to stay|must remain|to stay|staying|stays exactly|stay exactly)"
LEFT: Final = "(leave|keep|do not touch|don't touch|do not change|don't change|without (touching|changing))"
AS_IS: Final = "alone|as it is|as they are|unchanged|untouched|as is|otherwise"
ASIDES: Final = tuple(
    (compile_pattern(words), re.compile(forbidden))
    for words, forbidden in (
        ("[a] [plain|real|actual|pure|direct] (mesh edit|mesh editing|geometry edit) [only]", MODIFIERS),
        ("[as|it is|in] (real|actual|true) geometry", MODIFIERS),
        ("[directly] (in|on) [the] [actual] mesh itself", MODIFIERS),
        ("(no|not [as|with] a|not via|not by|without|without a|without any|don't use a|do not use a) [non destructive] (modifier|modifiers)", MODIFIERS),
        ("(keep|leave|with) [both|all|it|them] [the] (modifier|modifiers|it|them) (live|unapplied|editable|non destructive|as modifiers|as a modifier)", r"apply_modifiers\("),
        (f"({MUST_NOT} (apply|bake|collapse) (it|them|the modifier|the modifiers|any|anything)|(not|never) (applied|apply it|apply them)|unapplied|leave it unapplied|without applying [it|them|anything])", r"apply_modifiers\(|\.bake\(|bake_"),
        (f"(leave|keep) it (a|as a) (text|curve|mesh|text object|curve object)|it {AGAIN} (a|as a) (text|curve|text object|curve object)", r"to_mesh|convert"),
        ("(keep|keeping) [its|the] (name|names)", r"\.name = "),
        (f"[so|so that] (it|[the] (object|mesh|geometry|itself)|[the] {{who:one_word}} itself) {MUST_NOT} (move|be moved|jump|shift|change its place)", MOVED),
        (f"(it|[the] (object|mesh|geometry)|[the] {{who:one_word}} itself) {AGAIN} (put|where it is|in place|at its place)", MOVED),
        ("(without moving [it|the object|the mesh|anything]|no jumping)", MOVED),
        ("(width|its width) (unchanged|stays|stays the same|untouched|as it is)|(keep|keeping) [the|its] width", r"scale\.x|scale = |dimensions = "),
        ("(depth|its depth) (unchanged|stays|stays the same|untouched|as it is|unaffected)|(keep|keeping) [the|its] depth", r"scale\.y|scale = |dimensions = "),
        ("(height|its height) (unchanged|stays|stays the same|untouched|as it is)|(keep|keeping) [the|its] height", r"scale\.z|scale = |dimensions = "),
        ("(keep|keeping|leave) [its|the] (material|materials) [as it is|as they are|untouched]", r"material"),
        ("(keep|keeping|leave) [its|the] base color [as it is|untouched]", r"Base Color|diffuse_color"),
        (f"({MUST_NOT} (assign|use) [it] [yet] [to [anything|any object|an object]]|(not assigned|unassigned|assigned to nothing|without assigning it) [to (anything|any object|an object)])", r"use_material\(|active_material|\.material = |materials\.append"),
        (f"{LEFT} [the] (samples|sample count|sampling) [{AS_IS}]", r"samples = "),
        (f"{LEFT} [the] resolution [{AS_IS}]", r"resolution_\w+ = "),
        (f"{LEFT} [the] frame range [{AS_IS}]", r"frame_(start|end) = "),
        (f"{LEFT} [the] [render] engine [{AS_IS}]", r"\.engine = "),
        (f"{LEFT} [the] [scene] camera [{AS_IS}]", r"\.camera = |CAMERA|cameras\.new"),
        (f"{LEFT} [the] (lights|lighting|other lights) [{AS_IS}]", r"LIGHT|lights\.new|\.energy = "),
        (f"{LEFT} [the] world [{AS_IS}]", r"world"),
        (f"{LEFT} [the] (other|remaining|render|output|scene|all other|rest of the) [render|scene|output] settings [{AS_IS}] [otherwise|beyond that|apart from that]", r"(?!)"),
        ("[and] nothing else [changes|is touched|moves]", r"(?!)"),
        ("(delete|remove) nothing [else]", r"\.remove\(|\.delete\(|_delete\(|clear\("),
        ("no [extra|further|additional] (keyframes|keys|animation) (are|is) (wanted|needed|necessary|required|desired)|(no|without [any]) (keyframes|keys)", r"keyframe_insert"),
        ("no [extra|further|additional] (modifiers|modifier) (are|is) (wanted|needed|necessary|required|desired)", MODIFIERS),
        ("save nothing", r"save_as|save_main|\.save\("), ("render nothing", r"render\.render\("),
    )
)  # fmt: skip
"""What may be said in passing, and what the lines of the plan must not hold then."""
BEFORE: Final = frozenset({",", ".", ";", "(", ":", "!", "?"})
AFTER: Final = frozenset({",", ".", ";", "(", ")", ":", "!"})


@dataclass(frozen=True)
class Aside:
    """Words that ask for nothing, and what must not be done."""

    said: str
    forbidden: re.Pattern[str]


def set_apart(reading: Reading) -> tuple[list[Token], tuple[Aside, ...]]:
    """The tokens without what is said in passing, and that."""
    tokens, found = list(reading.tokens), list[Aside]()
    place = 0
    while place < len(tokens):
        rest = replace(reading, tokens=tokens, memo={})
        read = first_aside(rest, place)
        if read is None:
            place += 1
            continue
        end, aside = read
        found.append(aside)
        start = place - (place > 0 and rest.word(place - 1) in {"and", "but", "with"})
        opened = start > 0 and rest.mark(start - 1) == "(" and rest.mark(end) == ")"
        tokens = joined([*tokens[: start - opened], *tokens[end + opened :]], start - opened)
        place = max(0, start - opened - 1)
    return tokens, tuple(found)


def first_aside(reading: Reading, at: int) -> tuple[int, Aside] | None:
    """What is said in passing here, up to a mark or the end."""
    fresh = reading.mark(at - 1) in BEFORE or reading.word(at - 1) in {"and", "but", "with"} if at else True
    if not fresh and reading.word(at) != "so":
        return None
    for matcher, forbidden in ASIDES:
        for end, _ in matcher(reading, at, {}):
            if end > at and (end == len(reading.tokens) or reading.mark(end) in AFTER):
                return end, Aside(reading.said(at, end), forbidden)
    return None


def joined(tokens: Sequence[Token], at: int) -> list[Token]:
    """The tokens with one mark where two would stand now."""
    if not 0 < at < len(tokens) or tokens[at - 1].text not in BEFORE or tokens[at].text not in AFTER - {"("}:
        return list(tokens)
    keep = tokens[at - 1] if tokens[at - 1].text in {"(", ",", ":"} else tokens[at]
    return [*tokens[: at - 1], keep, *tokens[at + 1 :]]
