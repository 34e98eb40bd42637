"""Names of objects, data, bones, ... by a rule: prefix, suffix, replacing, numbers, letters, after something else.

Every rule takes objects or other data: "prefix all lights with LGT_", "replace "." by "_" in the names of all materials".
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.drafting.composer.build import Build, Many
from app.drafting.composer.filters import Filter, label, several
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Setting
from app.drafting.composer.patterns import SLOTS, Env, Reading, compile_pattern, slot
from app.drafting.composer.slots import TYPE_WORDS, Target, number, skip
from app.drafting.composer.steps.owners import Item, Owner, each_owner, items
from app.drafting.composer.tokens import singular
from app.drafting.composer.values import quoted, refuse

NAMES: Final = "([all] [the] (names|name) of {item:renamed}|{item:renamed} 's (name|names)|{item:renamed} [names|name])"
SAID: Final = "([all] [the] (names|name) of {item:renamed}|{item:renamed} 's (name|names)|{item:renamed} (names|name))"
"""Names that are called so, where the sentence might be about the things themselves."""
AND_DATA: Final = compile_pattern(
    "{target:object} (and|and also|along with|together with|including|as well as|plus) [all] [of] (its|their) [mesh|object] (mesh|meshes|data|datablocks|data blocks|data-blocks|data block)"
)


@slot("renamed")
def renamed_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Item]]:
    """What gets other names: objects, other data, or both: "all objects and their meshes"."""
    for end, found in AND_DATA(reading, at, {}):
        has_data = Filter("obj is not None")
        yield end, Owner("ID", "({0}, {0}.data)", reading.said(at, end), found["target"], many=True, where=(has_data,))
    place = skip(reading, at, {"all", "the", "every", "of"})
    noun = next(TYPE_WORDS.matches(reading.tokens, place), None)
    plural = noun is not None and reading.word(noun[0]) == "names" and reading.word(noun[0] - 1) in SINGLE
    if noun is not None and plural:  # "the object names", "all light names"
        yield noun[0], Target("all", noun[1][0], said=reading.said(at, noun[0]))
        return
    yield from SLOTS["item"](reading, at, env, "names")


SINGLE: Final = frozenset({"object", "light", "camera", "empty"})
"""Objects whose "names" in the plural are those of all of them."""


UNLESS: Final = (
    "[(unless|where|if|when) {skip=it already has it|they already have it|it already has one|already there|it is already there|it is not there yet|"
    "it does not have it|they do not have it|missing|it is missing|it starts with it|they already start with it|already present}]"
)
PLACE: Final = "each.matrix_world.translation"
ORDERS: Final = {
    "name": "each.name", "names": "each.name", "alphabetically": "each.name", "alphabet": "each.name", "alphabetical order": "each.name",
    "alphabetical": "each.name", "from left to right": f"{PLACE}.x", "left to right": f"{PLACE}.x", "x": f"{PLACE}.x", "y": f"{PLACE}.y", "z": f"{PLACE}.z",
    "from right to left": f"-{PLACE}.x", "from bottom to top": f"{PLACE}.z", "from top to bottom": f"-{PLACE}.z", "from front to back": f"{PLACE}.y",
    "from back to front": f"-{PLACE}.y", "height": "each.dimensions.z", "width": "each.dimensions.x", "depth": "each.dimensions.y",
    "size": "max(each.dimensions)", "type": "each.type",
    **dict.fromkeys(("face count", "polygon count", "poly count", "number of faces", "number of polygons", "faces"), 'len(getattr(each.data, "polygons", ()))'),
    **dict.fromkeys(("vertex count", "vert count", "number of vertices", "vertices"), 'len(getattr(each.data, "vertices", ()))'),
}  # fmt: skip
BY: Final = f"[the|their|its] [object|old|world] {{order={'|'.join(ORDERS)}}} [axis|coordinate|position|location] [of (their|the) [object] (names|name)] [by name]"
WAY: Final = "[[,] ({down=descending|in descending order|from big to small|from large to small|from high to low|decreasing|highest first|largest first|biggest first|most first|tallest first|longest first|the heaviest first|heaviest first|the largest first|the biggest first|the highest first|the most first|the tallest first|with the heaviest first|with the largest first|with the biggest first|with the highest first|from heavy to light|reversed|in reverse|in reverse order}|ascending|in ascending order|from small to big|from small to large|from low to high|increasing|lowest first|smallest first|fewest first|shortest first|the lowest first|the smallest first|the lightest first|lightest first|a to z|a-z)]"
SORTED: Final = compile_pattern(
    f"[«] (sorted|ordered|arranged|in order of|in the order of|in|(sort|order) [it|them|the rows|rows|the list|the entries|the lines|the objects|everything]) [by|along|from] {BY} {WAY} [»]"
    f"|[«] {{order=alphabetically|alphabetical|from left to right|from right to left|from bottom to top|from top to bottom|from front to back|from back to front}} [by name|[«] (by|along) [the] [world] (x|y|z) [coordinate|axis|position] [»]] {WAY} [»]"
)
ALONG: Final = compile_pattern(f"(along|by) {BY} {WAY}")
ORDER: Final = "{order:order}"


@slot("order")
def order_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[str, bool]]]:
    """In which order: "sorted by name", "from left to right", "(sorted along X, descending)"; the key, and whether it is turned round."""
    for matcher in (SORTED, ALONG) if of == "bare" else (SORTED,):
        for end, found in matcher(reading, at, {}):
            yield end, (ORDERS[found["order"]], "down" in found)


def ordered(build: Build, expression: str, order: tuple[str, bool] | None) -> str:
    """The expression of a list in an order; by name where none was said."""
    key, turned = order or (ORDERS["name"], False)
    if "matrix_world" in key or "dimensions" in key:
        build.line(f"{build.view_layer()}.update()")
    if expression.startswith("list(") and expression.endswith(")") and "(" not in expression[5:]:
        expression = expression[5:-1]
    if len(expression) > (20 if turned else 45):
        var = build.var("several")
        build.line(f"{var} = {expression}")
        expression = var
    return f"sorted({expression}, key=lambda each: {key}{', reverse=True' if turned else ''})"


DEMANDED: Final = re.compile(r"should|must|need|\brename|\b(have|has|let|make)\b", re.IGNORECASE)


@step(
    f"(add|put|prepend|append|set|use|insert) [a|the] {{kind=prefix|suffix}} {{text:label}} (to|before|on|onto|for|after|in front of|in) {NAMES} {UNLESS}",
    f"(add|put|prepend|append|set|use) {{text:label}} as [a|the] {{kind=prefix|suffix}} (to|on|of|for|in) {NAMES} {UNLESS}",
    f"{{kind=prefix|suffix}} {NAMES} with {{text:label}} {UNLESS}",
    f"{{kind=prepend|append}} {{text:label}} to {NAMES} {UNLESS}",
    f"(add|put) {{text:label}} {{kind=in front of|before|after|behind|to the end of|to the beginning of|to the start of}} {NAMES} {UNLESS}",
    f"(give|let|make) {NAMES} [have|get] [a|the] {{kind=prefix|suffix}} {{text:label}} {UNLESS}",
    f"{NAMES} (should|must|needs to|need to|have to|has to) [all] {{kind=start|begin|end}} (with|in) {{text:label}}",
    f"(let|make) {NAMES} {{kind=start|begin|end}} (with|in) {{text:label}}",
    f"rename {NAMES} so that [all of] (they|it|the names) [all] {{kind=start|begin|end}} (with|in) {{text:label}} [[,] [but] (skip|leave|ignore) (the ones|those|any|all) (that|which) [already] do [already] [alone]]",
)
def affix(build: Build, text: tuple[str, ...], item: Item, kind: str, skip: str | None) -> None:
    """Put something before or after names."""
    if kind in {"start", "begin", "end"} and not DEMANDED.search(build.request):
        raise refuse(text[0], "that is how they are called already")
    build.once()
    build.memory["_renamed"] = item
    behind = kind in {"suffix", "append", "after", "behind", "to the end of", "end"}
    piece = quoted(text[0])
    with each_owner(build, item) as var:
        made = f"{var}.name += {piece}" if behind else f"{var}.name = {piece} + {var}.name"
        test = f"if not {var}.name.{'ends' if behind else 'starts'}with({piece}):"
        build.line(f"{test}\n    {made}" if skip or kind in {"start", "begin", "end"} else made)
    build.note(f"{item.said} -> names with {text[0]!r}")


@slot("sample")
def sample_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[str, str]]]:
    """What would come of a rule, for example: "(Rock.001 -> Rock_001)", 'e.g. "a.b" becomes "a_b"'."""
    for end, found in SAMPLE(reading, at, {}):
        yield end, (found["old"][0], found["new"][0])


SAMPLE: Final = compile_pattern(
    "[,] [«] [e.g|eg|for example|i.e|so|like|such as] [,|:] [that] {old:label} (->|=>|→|to|becomes|become|is|will be) {new:label} [»]"
)
MARKS: Final = {
    "space": " ", "spaces": " ", "underscore": "_", "underscores": "_", "dots": ".", "dot": ".", "dashes": "-", "hyphens": "-",
    "dash": "-", "hyphen": "-", "nothing": "", "points": ".",
}  # fmt: skip
WORDS: Final = "|".join(MARKS)
OLD: Final = f"({{old:quoted}}|{{mark={WORDS}}})"
NEW: Final = f"(with|by|for|to|into) ({{new:quoted}}|{{by={WORDS}}})"
OF_NAMES: Final = f"({SAID}|[all] [the] [object] (names|name))"


@step(
    f"(replace|swap|exchange|change) [all|every|each|the] [word|text|part] {OLD} ({NEW} in {OF_NAMES}|in {OF_NAMES} {NEW}) [{{sample:sample}}]",
    f"(remove|strip|drop|delete|cut) [the] [word|text|part] {OLD} (from|in) {SAID}",
    f"[in] {SAID} [:|,] [replace|swap|change|turn] {OLD} (with|by|for|to|into|becomes|->|=>|→) ({{new:quoted}}|{{by={WORDS}}})",
    f"[and] [replace|turn|change] {OLD} [in them] (to|become|becomes|into|with|by) ({{new:quoted}}|{{by={WORDS}}}) [in {SAID}]",
    f"(remove|strip|drop|delete|cut|take) [the] {{end=prefix|suffix}} {{part:label}} (from|of|off) {NAMES}",
)  # fmt: skip
def replace_in_names(
    build: Build, old: str | None, mark: str | None, new: str | None, by: str | None, item: Item | None,
    end: str | None, part: tuple[str, ...] | None, sample: tuple[str, str] | None,
) -> None:  # fmt: skip
    """Replace a part of names, or take it out."""
    item = item or build.memory.get("_renamed")
    if not (
        isinstance(item, Owner)
        or getattr(item, "how", "") == "all"
        or re.search(r"\bnam(e|es|ing)\b", build.request.lower())
    ):
        raise refuse(item.said if item else "", "in its name, or in what it says?")
    build.once()
    item = item or Target("all", said="all objects")
    taken = quoted(part[0] if part else old if old is not None else MARKS[mark or "space"])
    put = quoted(new if new is not None else MARKS[by or "nothing"])
    if sample is not None and sample[0].replace(literal_eval(taken), literal_eval(put)) != sample[1]:
        raise refuse(" -> ".join(sample), "that is not what would come of it")
    build.memory["_renamed"] = item
    with each_owner(build, item) as var:
        work = f"remove{end}({taken})" if end else f"replace({taken}, {put})"
        build.line(f"{var}.name = {var}.name.{work}")
    build.note(f"{item.said} -> {taken} becomes {put} in the names")


@slot("swaps")
def swaps(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[tuple[str, str, str], ...]]]:
    """Parts of names, what becomes of each, and whether only at one end: "_L becomes .L, and _R becomes .R", '"_left" at the end for ".L"'."""
    for end, found in several(reading, at, lambda place: one_swap(reading, place)):
        yield end, tuple(found)


SWAP: Final = compile_pattern(
    "[{kind=suffix|prefix}] {old:label} [at (the|its|their) {kind=end|start|beginning}] (becomes|become|turns into|to|into|with|by|for|->|=>|→) {new:label}"
)


def one_swap(reading: Reading, at: int) -> Iterator[tuple[int, tuple[str, str, str]]]:
    """ "_L becomes .L"."""
    for end, found in SWAP(reading, at, {}):
        yield end, (found["old"][0], found["new"][0], found.get("kind", ""))


@step(
    f"[rename|change|in] {NAMES} [:|,] [replace|change|swap|turn] [the] [{{kind=suffix|prefix}}] {{pairs:swaps}}",
    f"(replace|change|swap|turn|rename) [the] {{kind=suffix|prefix}} {{pairs:swaps}} (in|of|on|for) {NAMES}",
    f"(replace|change|swap) [the] {{kind=suffix|prefix}} {{old:label}} (in|of|on|for) {NAMES} (with|by|to|into|->|=>|→) {{new:label}}",
    f"rename {NAMES} [so] [that|:] {{pairs:swaps}}",
    f"(in|for) {SAID} [:|,] {{pairs:swaps}}",
)
def swap_in_names(
    build: Build, item: Item, kind: str | None, pairs: tuple[tuple[str, str, str], ...] | None, old: tuple[str, ...] | None, new: tuple[str, ...] | None
) -> None:  # fmt: skip
    """Several parts of names, each replaced by another: anywhere, or only at the end or at the beginning that was said."""
    pairs = pairs or (((old or ("",))[0], (new or ("",))[0], ""),)
    ends = {ENDS[each] for each in (kind or "", *(where for _, _, where in pairs)) if each}
    if len(ends) > 1:
        raise refuse(item.said, "at which end of the names?")
    build.once()
    build.memory["_renamed"] = item
    with each_owner(build, item) as var:
        for number, (before, after, _) in enumerate(pairs) if ends else ():
            bare, added = f"{var}.name.remove{(*ends,)[0]}({quoted(before)})", quoted(after)
            made = f"{bare} + {added}" if ends == {"suffix"} else f"{added} + {bare}"
            test = f"{var}.name.{'ends' if ends == {'suffix'} else 'starts'}with({quoted(before)})"
            build.line(f"{'el' * bool(number)}if {test}:\n    {var}.name = {made}")
        if not ends:
            chain = "".join(f".replace({quoted(before)}, {quoted(after)})" for before, after, _ in pairs)
            build.line(f"{var}.name = {var}.name{chain}")
    build.note(f"{item.said} -> {', '.join(f'{before} becomes {after}' for before, after, _ in pairs)}")


ENDS: Final = {"suffix": "suffix", "end": "suffix", "prefix": "prefix", "start": "prefix", "beginning": "prefix"}


@step(
    "(leave|keep) [all] [the] [names of] {what=meshes|mesh data|data|data-blocks|datablocks|materials|bones|collections|objects|mesh|material|bone|collection|object|data block} [names|name] [themselves] (alone|as they are|unchanged|untouched)",
    "[but] (not|don't touch|do not touch|don't rename|do not rename) [the] {what=meshes|mesh data|data|data-blocks|datablocks|materials|bones|collections|objects|mesh|material|bone|collection|object|data block} [names|name]",
    "{what=only objects|objects only|only the objects}",
)
def names_stay(build: Build, what: str) -> None:
    """Names that are said to stay: true where others are changed."""
    item = build.memory.get("_renamed")
    if item is None:
        raise refuse(what, "what is to be done with them?")
    changed = "object" if isinstance(item, Target) else (item.type or "").lower()
    left = {"data": "mesh", "block": "mesh"}.get(singular(what.split()[-1]), singular(what.split()[0]))
    if ("only" in what) != (changed == "object") if "only" in what else left in changed:
        raise refuse(what, "it is they that are renamed")
    build.note(f"{what}: left alone")


@step(
    f"(remove|strip|drop|delete|cut|clean|get rid of) [the] [trailing|numeric] [numeric|number] (.001|.001 / .002|.001 , .002|.001 style|.001 / .002 style|.001-style|.nnn|.xxx|number|numeric|trailing|duplicate) [style] [trailing] [number|numeric] [suffix|suffixes|numbers|endings|extensions|ending] (from|of|in|off|off of) {NAMES}"
    " [[,] [but] [only] (if|where|when|provided|as long as) [that|the] [base|clean|bare|plain] name is [still] {free=free|available|not taken|unused}|[,] unless [that|the] [base] name is [already] {free=taken|used|in use|there}]",
)
def strip_numbers(build: Build, item: Item, free: str | None) -> None:
    """Take ".001" off names; Blender numbers those that are taken again."""
    build.once()
    build.imports("re")
    with each_owner(build, item) as var:
        build.line(f'base = re.sub(r"\\.\\d+$", "", {var}.name)')
        store = re.match(r"bpy\.data\.\w+", getattr(item, "expression", "bpy.data.objects"))
        if free and store is None:
            raise refuse(free, "where?")
        build.line(f"if base not in {store[0]}:\n    {var}.name = base" if free and store else f"{var}.name = base")
    build.note(f"{item.said} -> names without numbers")


CASES: Final = {"lower": "lower", "upper": "upper", "capital": "upper", "title": "title", "small": "lower"}
CASE: Final = "({case=lower|upper|capital|title|small} (case|letters)|{case=lowercase|uppercase|titlecase} [letters])"


@step(
    f"(make|convert|set|turn|change|put|write|bring) {NAMES} [to|into|in|all] {CASE}",
    f"rename {NAMES} (to|into|in|as) [all] {CASE}",
    f"({{case=lowercase|uppercase|capitalize}}|{{case=lower|upper|title}} case) {NAMES}",
)
def letters(build: Build, item: Item, case: str) -> None:
    """Names in small or capital letters."""
    build.memory["_renamed"] = item
    method = "capitalize" if case == "capitalize" else CASES[case.removesuffix("case")]
    with each_owner(build, item) as var:
        build.line(f"{var}.name = {var}.name.{method}()")
    build.note(f"{item.said} -> {case}")


@step(
    "(rename|number|name|call) [all] [the] {item:item} [to|as|into|so [that] (they|it|these) (become|becomes|are called|are named|read|are)] {names:pattern of single} ~( {order:order of bare} ; [.] nothing else [gets renamed|is renamed] )",
    "{item:item} to {names:pattern} ~( {order:order of bare} )",
    f"(rename|number|name|call) {{item:item}} [to|as|into] {{base:label}} (with|plus|and|followed by) [a|an] [running|ascending|two-digit|consecutive] (number|numbers|index|counter|numbering) ~( {ORDER} ; (starting|beginning) (at|with|from) {{first:int}} )",
    f"number {{item:item}} [names] [as|with] {{base:label}} ~( {ORDER} ; (starting|beginning) (at|with|from) {{first:int}} )",
)
def rename_numbered(
    build: Build, item: Item, names: tuple[str, int, int] | None, base: tuple[str, ...] | None, first: int | None,
    order: tuple[str, bool] | None,
) -> None:  # fmt: skip
    """Number the names of several things, in the order of their old names where no other was said."""
    if not (isinstance(item, Target) and item.how in {"all", "selected", "them", "several"}) and not getattr(
        item, "many", 0
    ):
        raise refuse(item.said, "several things are meant here")
    stem, digits, start = names or (f"{(base or ('',))[0].rstrip('_')}_", 2, 1)
    build.once()
    build.comment("number the names; a first round frees those that are taken")
    var = build.var("ordered")
    build.line(f"{var} = {ordered(build, items(build, item), order)}")
    with build.block(f"for number, one in enumerate({var}):"):
        build.line('one.name = f"renaming {number}"')
    with build.block(f"for number, one in enumerate({var}, {start if first is None else first}):"):
        build.line(f'one.name = f"{stem}{{number:0{digits}}}"')
    build.note(f"{item.said} -> names {stem}{start:0{digits}}, ...")


RUNNING: Final = "{run=running|consecutive|increasing|ascending|sequential|unique|serial} [(number|numbers|index|indices|value|values|integer|integers|id|ids)]"
FROM: Final = "(starting|beginning|counting|starting with|numbered|numbering|counted) [up] [(at|from|with)] {first:int} ; from {first:int} [on|upwards] ; {first:counting}"
WHAT: Final = "(custom property {key:name}|{p:prop of object})"


@slot("counting")
def counting(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, int]]:
    """ "1, 2, 3, ...": the first of numbers that follow one another."""
    values: list[float] = []
    place = at + (reading.mark(at) == "(")
    while (read := next(number(reading, place), None)) is not None and (not values or read[1] == values[-1] + 1):
        values.append(read[1])
        place = read[0] + (reading.mark(read[0]) == ",")
    place += reading.mark(place) in {"...", "..", "…"}
    if len(values) > 1:
        yield place + (reading.mark(place) == ")" and reading.mark(at) == "("), int(values[0])


@step(
    f"(set|give|let|make|assign) [the|a] [integer] {WHAT} [of {{item:object}}] (=|to|as|be|with) [a|an] {RUNNING} ~( (for|of|on|to) {{item:object}} ; {FROM} ; {ORDER} )",
    f"(give|assign|add|set|let) [to|on] {{item:object}} [have] [a|an] {RUNNING} [as] [integer] {WHAT} ~( {FROM} ; {ORDER} )",
    f"(give|assign|add|set|let) [to|on] {{item:object}} [have] [a|an] [integer] {WHAT} ~( {FROM} ; {ORDER} )",
    f"(give|assign|add|set|let) [to|on] {{item:object}} [have] [a|an] [string|text] [custom] property [<called>] {{key:name}} [with|=|of|:] [the] [value|text] [of|=|:] {{text:quoted}} (and|plus|followed by) [a|an] {RUNNING} ~( {FROM} ; {ORDER} ; (with|,|and) [the|a] (description|tooltip) [=|:|of] {{hint:quoted}} )",
    f"{{run=number}} {{item:object}} (in|with|by|through|using|as) [the|their|a] [integer] {WHAT} ~( {FROM} ; {ORDER} )",
)
def numbered_property(
    build: Build, item: Target, key: str | None, p: tuple[Setting, ...] | None, first: int | None, order: tuple[str, bool] | None,
    run: str | None, text: str | None, hint: str | None,
) -> None:  # fmt: skip
    """A property that counts objects, in the order of their names where no other was said."""
    if text is not None and (key is None or re.search(r'[{}"\\]', text)):
        raise refuse(text, "in which custom property?")
    found = build.objects(item)
    whole = [
        each.prop.name for each in p or () if each.prop.type == "INT" and not each.place.path and not each.prop.array
    ]
    if not isinstance(found, Many) or (key is None and not whole) or (run or first) is None:
        raise refuse(item.said, "which number of which objects?")
    name = f"[{quoted(key)}]" if key else f".{whole[0]}"
    with build.block(
        f"for number, obj in enumerate({ordered(build, found.expression, order)}, {1 if first is None else first}):"
    ):
        build.line(f"obj{name} = number" if text is None else f'obj{name} = f"{text}{{number}}"')
        if hint:
            build.need("describe")
            build.line(f"describe(obj, {quoted(key or '')}, description={quoted(hint)})")
    build.note(f"{item.said} -> {key or whole[0]} from {1 if first is None else first}")


PIECES: Final = [(compile_pattern(text), expression, test) for text, expression, test in (
    ("[its|their|the] [own] [old|original|current|previous|existing|present] [object] (name|names)", "{0}.name", ""),
    ("[its|their|the] [object|own] (type|types)", "{0}.type", ""),
    ("([its|their|the] [{kind=light}] (type|types|kind))", "{0}.type", ""),
    ("[the] [name of] [its|their|the] (parent|parents) ['s] [name|names]", "{0}.parent.name", "{0}.parent is not None"),
    ("[the] [name of] [its|their|the] [first|own] collection ['s] [name|names]", "{0}.users_collection[0].name", "{0}.users_collection"),
    ("[the] [name of] [its|their|the] [active|first] material ['s] [name|names]", "{0}.active_material.name", "{0}.active_material is not None"),
    ("[the] [name of] [its|their|the] [own] (data|mesh|object data|mesh data) ['s] [name|names]", "{0}.data.name", "{0}.data is not None"),
)]  # fmt: skip
"""Pieces of a name that differ from thing to thing: the words, the expression, and what must be so."""
CHANGED: Final = compile_pattern(
    "[[but|and] with] [all|the] ({old:quoted}|{mark="
    + WORDS
    + "}) [(being|are|is)] (replaced|swapped|exchanged|changed) (by|with|for|to|into) ({new:quoted}|{by="
    + WORDS
    + "})"
    "|[[but] (in|as|written in)] {case=lower|upper|lowercase|uppercase|capital} [case|letters]|[but] (without|minus) [the|its|any] [trailing|numeric] {bare=number|numbers|numeric suffix|number suffix}"
)
NUMBERED: Final = compile_pattern("[a|an|the] [running|consecutive|ascending|{digits=two|three|four} digit|{digits=2|3|4} digit] (number|index|counter|count) [(from|starting at|starting with|starting from) {first:int}]")  # fmt: skip
JOINS: Final = frozenset({"and", "plus", "then", "with", "a", "an"})


@dataclass(frozen=True)
class Piece:
    """A piece of a name: its source, and what must be so for it; a number has how many digits, and the first one."""

    code: str
    test: str = ""
    fixed: bool = False
    first: int | None = None


@slot("composed")
def composed_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[Piece, ...]]]:
    """A name of several pieces: "LGT_ plus their type", '"SM_" followed by the old name with spaces replaced by "_"'."""
    found: list[Piece] = []
    stops: list[tuple[int, tuple[Piece, ...]]] = []
    place = end = at
    while len(found) < 6 and (read := one_piece(reading, place)) is not None:
        by_comma = place == end + 1 and reading.mark(end) == ","
        end = place = read[0]
        found.append(read[1])
        if (
            not by_comma
        ):  # the last piece has a word before it: in "to MainCam, its data too" the data is renamed as well
            stops.append((place, tuple(found)))
        if reading.words(place, 2) in {("followed", "by"), ("and", "then")}:
            place += 2
        place += reading.mark(place) == ","
        place = skip(reading, place, JOINS)
    for end, pieces in reversed(stops):
        if len(pieces) > 1 and any(not each.fixed for each in pieces):
            yield end, pieces


def one_piece(reading: Reading, at: int) -> tuple[int, Piece] | None:
    """One piece of a name, and where it ends."""
    for end, found in NUMBERED(reading, at, {}):
        digits = {"two": 2, "three": 3, "four": 4}.get(found.get("digits", ""), 0) or int(found.get("digits") or 1)
        form = f":0{digits}" if digits > 1 else ""
        return end, Piece(f'f"{{number{form}}}"', first=found.get("first", 1))
    ways = [
        (end, expression, test)
        for matcher, expression, test in PIECES
        for end, _ in matcher(reading, at, {})
        if end > at
    ]
    for end, expression, test in sorted(ways, key=lambda way: -way[0])[:1]:
        for last, how in CHANGED(reading, end, {}):
            return last, Piece(expression + written_so(how), test)
        return end, Piece(expression, test)
    if reading.word(at) in MARKS and reading.word(at) != "nothing":  # "an underscore"
        return at + 1, Piece(quoted(MARKS[reading.word(at)]), fixed=True)
    for end, text in label(reading, at, {}, ""):
        return end, Piece(quoted(text[0]), fixed=True)
    return None


def written_so(how: Env) -> str:
    """How an old name is changed in a new one."""
    if "case" in how:
        return f".{CASES[str(how['case']).removesuffix('case')]}()"
    if "bare" in how:
        return '.rstrip("0123456789").rstrip(".")'
    old = how["old"] if "old" in how else MARKS[how["mark"]]
    new = how["new"] if "new" in how else MARKS[how["by"]]
    return f".replace({quoted(old)}, {quoted(new)})"


@step(
    "(rename|name|call) [all] [the] {item:renamed} [names] [to|as|into|after|so [that] (they|it) (become|becomes|are called|is called|are named|is named)] {parts:composed}",
    "(set|change) [the] (name|names) of {item:renamed} to {parts:composed}",
)
def compose_names(build: Build, item: Item, parts: tuple[Piece, ...]) -> None:
    """Names of several pieces, some of which every thing has of its own."""
    numbers = [each.first for each in parts if each.first is not None]
    code = [each.code for each in parts]
    if isinstance(item, Target) and item.name.partition(":")[0] == "LIGHT":
        build.need("expect")
        code = [each.replace("{0}.type", "expect({0}.data, bpy.types.Light).type") for each in code]
    elif not isinstance(item, Target) and any(each != "{0}.name" and "{0}" in each for each in code):
        raise refuse(item.said, "this is said of objects")
    build.once()
    build.memory["_renamed"] = item
    tests = " and ".join(each.test for each in parts if each.test)

    def write(var: str) -> None:
        line = f"{var}.name = {' + '.join(code)}".replace("{0}", var)
        build.line(f"if {tests.replace('{0}', var)}:\n    {line}" if tests else line)

    if numbers:
        source = ordered(build, items(build, item), None)
        with build.block(f"for number, each_one in enumerate({source}, {numbers[0]}):"):
            write("each_one")
    else:
        with each_owner(build, item) as var:
            write(var)
    build.note(f"{item.said} -> names of {len(parts)} pieces")


DATA: Final = "mesh|mesh datablock|mesh datablocks|mesh data block|mesh data blocks|mesh data-block|mesh data-blocks|data|curve|light data|camera data|mesh data|meshes|data block|datablock|datablocks|data blocks|data-block|data-blocks|object data"
AFTER: Final = {
    "mesh": "data", "data": "data", "mesh data": "data", "parent": "parent", "material": "active_material",
    "datablock": "data",
}  # fmt: skip


ITS_DATA: Final = f"([all|every|each|the] {{what={DATA}}} [block|blocks] [name|names] [of {{target:object}}]|{{target:object}} ['s] {{what={DATA}}} [block|blocks] [name|names])"
ITS_OBJECT: Final = (
    "[that of] [the|its|their] [own|owning|respective|corresponding|parent] (it|them|themselves|object|objects|user) [(that|which) (uses|use|owns|own) (it|them)|(it|they) (belongs|belong) to|using it] ['s] [name|names]"
    " [everywhere|[,] [in] [the] whole (scene|file)]"
)


@step(
    f"(rename|name|call|set|match|sync|make|give|let) {ITS_DATA} [match|be named] (to match|match|like|after|as|=|to|the same as|equal to|be equal to|equals|following|identical to|[so [that]] (it|they) (match|matches)) {ITS_OBJECT}",
    f"(give|let|make) {ITS_DATA} [should|must|to] [carry|have|get|take|bear] [the] [same] name (of|as) {ITS_OBJECT}",
    f"{ITS_DATA} (should|must) (match|equal|be the same as|follow|carry the name of|have the name of|carry the same name as|have the same name as) {ITS_OBJECT}",
)
def data_names(build: Build, target: Target | None, what: str) -> None:
    """Give the data of objects the names of the objects."""
    build.need("expect")
    mesh = what.startswith("mesh") and target is None
    target = target or Target("all", "MESH" if mesh else "", said="all objects")
    with build.each(target) as known:
        line = f"expect({known.var}.data, bpy.types.ID).name = {known.var}.name"
        build.line(line if known.type and known.type != "EMPTY" else f"if {known.var}.data is not None:\n    {line}")
    build.note(f"data of {target.said} -> the object's name")


@step(
    "(rename|name|call|set) [name|names] [of] {target:object} [name|names] (after|like|to match|to|as|=) [that of|the name of] (its|their|the|the name of its|the name of their) "
    f"{{what={'|'.join(AFTER)}}} [block] ['s] [name|names]",
)
def names_after(build: Build, target: Target, what: str) -> None:
    """Give objects the names of their data, parents or materials."""
    build.once()
    with build.each(target) as known:
        build.line(f"source = {known.var}.{AFTER[what]}\nif source is not None:\n    {known.var}.name = source.name")
    build.note(f"{target.said} -> the name of the {what}")
