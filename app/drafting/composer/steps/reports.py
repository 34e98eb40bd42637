"""Facts about objects and other data: printed, in a file, in a text block, in custom properties; and how many there are.

"write the names, types and locations of all meshes to report.csv with a header, sorted by name"
            \\_______________________/    \\________/    \\________/ \\___________/  \\____________/
                    facts                   items          sink
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from app.drafting.composer.build import LONG, Build, Many
from app.drafting.composer.filters import ADJECTIVES
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Phrases
from app.drafting.composer.patterns import Env, Reading, compile_pattern, slot
from app.drafting.composer.slots import OBJECT_KINDS, Target, group, known_name, quoted_text, skip
from app.drafting.composer.steps.naming import ORDER, ordered
from app.drafting.composer.steps.owners import Item, Owner, each_owner, items, need_called
from app.drafting.composer.tokens import singular
from app.drafting.composer.values import quoted, refuse

COUNTED: Final = 'len(getattr({0}.data, "%s", ()))'
KNOWN: Final = {
    "name": ("name", "{0}.name"), "object name": ("name", "{0}.name"), "type": ("type", "{0}.type"), "object type": ("type", "{0}.type"),
    "location": ("location", "*{0}.location[:]"), "position": ("location", "*{0}.location[:]"), "coordinate": ("location", "*{0}.location[:]"),
    "world location": ("location", "*{0}.matrix_world.translation[:]"), "world position": ("location", "*{0}.matrix_world.translation[:]"),
    "rotation": ("rotation", "*{0}.rotation_euler[:]"), "rotation in degrees": ("rotation", "*(degrees(angle) for angle in {0}.rotation_euler[:])"),
    "scale": ("scale", "*{0}.scale[:]"), "dimension": ("dimensions", "*{0}.dimensions[:]"), "size": ("dimensions", "*{0}.dimensions[:]"),
    "height": ("height", "{0}.dimensions.z"), "width": ("width", "{0}.dimensions.x"), "depth": ("depth", "{0}.dimensions.y"),
    **{phrase: (key, COUNTED % attribute) for key, attribute, phrases in (
        ("vertices", "vertices", ("vertex count", "number of vertices", "vertices")), ("edges", "edges", ("edge count", "number of edges")),
        ("faces", "polygons", ("face count", "number of faces", "polygon count", "face", "number of polygons", "poly count", "polygon")),
    ) for phrase in phrases},
    "triangle": ("triangles", "triangles_of({0})"), "tris": ("triangles", "triangles_of({0})"), "triangle count": ("triangles", "triangles_of({0})"),
    "number of triangles": ("triangles", "triangles_of({0})"), "tri count": ("triangles", "triangles_of({0})"),
    **dict.fromkeys(("material", "material name", "name of their material", "name of its material"), ("materials", "[slot.material.name for slot in {0}.material_slots if slot.material]")),
    "collection": ("collections", "[each.name for each in {0}.users_collection]"), "collection name": ("collections", "[each.name for each in {0}.users_collection]"),
    "modifier": ("modifiers", "[each.name for each in {0}.modifiers]"), "modifier name": ("modifiers", "[each.name for each in {0}.modifiers]"),
    "parent": ("parent", "{0}.parent.name if {0}.parent else None"), "parent name": ("parent", "{0}.parent.name if {0}.parent else None"),
    "mesh name": ("data", "{0}.data.name if {0}.data else None"), "data name": ("data", "{0}.data.name if {0}.data else None"),
    "number of users": ("users", "{0}.users"), "user count": ("users", "{0}.users"), "user": ("users", "{0}.users"),
    "number of modifiers": ("modifiers", "len({0}.modifiers)"), "number of materials": ("materials", "len({0}.material_slots)"),
    "focal length": ("focal_length", 'getattr({0}.data, "lens", None)'), "energy": ("energy", 'getattr({0}.data, "energy", None)'),
    "power": ("energy", 'getattr({0}.data, "energy", None)'), "x": ("x", "{0}.location.x"), "y": ("y", "{0}.location.y"), "z": ("z", "{0}.location.z"),
    "pass index": ("pass_index", "{0}.pass_index"), "uses nodes": ("use_nodes", "{0}.use_nodes"), "use nodes": ("use_nodes", "{0}.use_nodes"), "fake user": ("fake_user", "{0}.use_fake_user"),
    "file path": ("filepath", "{0}.filepath"), "path": ("filepath", "{0}.filepath"), "resolution": ("size", "*{0}.size[:]"), "pixel size": ("size", "*{0}.size[:]"), "library": ("library", "{0}.library"),
    "visible": ("visible", "{0}.visible_get()"), "selected": ("selected", "{0}.select_get()"),
}  # fmt: skip
"""What may be told of a thing: its key, and its expression; with a star where it has components."""
FACTS: Final = Phrases([
    *KNOWN.items(),
    *((f"number of {own} {phrase.removeprefix('number of ')}", fact) for own in ("its", "their") for phrase, fact in KNOWN.items() if phrase.startswith("number of ")),
])  # fmt: skip
Fact = tuple[str, str]


BEFORE_FACTS: Final = frozenset({"the", "its", "their", "of", "all", "each", "own", "whether", "if", "it", "they", "is", "are", "has", "have"})  # fmt: skip


@slot("facts")
def facts_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[Fact, ...]]]:
    """ "names and locations", "its name, type and parent name (or null)", 'the custom property "tag"'."""
    found: list[Fact] = []
    place = at
    stops: list[tuple[int, tuple[Fact, ...]]] = []
    while len(found) < 9:
        place = skip(reading, place, BEFORE_FACTS if of != "bare" or found else {"the"})
        if reading.word(place) == "custom" and singular(reading.word(place + 1)) == "property":
            read = next(known_name(reading, place + 2, {}, ""), None)
            if read is None:
                break
            place = read[0]
            fact: Fact = (read[1], f"{{0}}.get({quoted(read[1])})")
        else:
            known = FACTS.first(reading.tokens, place)
            own = reading.tokens[place].text if place < len(reading.tokens) else ""
            if known is None and own and own in own_properties(reading, at):
                known = place + 1, (own, f"{{0}}.get({quoted(own)})")
            if known is None:
                break
            place, fact = known
        if reading.words(place + 1, 2) in {("or", "null"), ("or", "none")} and reading.mark(place) == "(":
            place += 4
        found.append(fact)
        stops.append((place, tuple(found)))
        before = place
        while reading.mark(place) in {",", "/"} or reading.word(place) in {"and", "plus", "with"}:
            place += 1
        if place == before:
            break
    yield from reversed(stops)


def own_properties(reading: Reading, before: int) -> set[str]:
    """Custom properties that the request spoke of before, which need no more words."""
    nouns = {"property", "properties"}
    said = [reading.words(max(place - 2, 0), 2) for place in range(before)]
    return {
        token.text
        for token, words in zip(reading.tokens, said, strict=False)
        if token.kind == "quoted" and nouns & set(words)
    }


@slot("heads")
def heads_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[str]]]:
    """The titles of columns: "name,verts,faces"."""
    for end, text in quoted_text(reading, at, {}, ""):
        yield end, [each.strip() for each in text.split(",")]


TEXT: Final = "[a|the] [new] [blender|internal] text [datablock|data block|block|file]"
HERE: Final = "[«] [(in|into|to|from)] [the] [current] [working] (directory|folder) [»]"
SINK: Final = (
    "[and] [(write|save|store|put|export) (it|them|the result|this|that)] (to|into|in|as|at) [a|the] [file|csv|csv file|json|json file|text file] [called] {path:path} ; as (csv|json) ;"
    f" [and] [(write|save|store|put) (it|them|the result|this|that)] (to|into|in) {TEXT} [<called>] {{block:quoted}} ; (to|on|in) [the] (console|terminal|system console|standard output|log) ; {HERE}"
)
EVALUATED: Final = "[«] [with] [all] [the] {evaluated=evaluated|with modifiers|after modifiers|modifiers applied|modifiers evaluated|evaluated modifiers|modifiers included|including modifiers} [applied] [»]"
DETAILS: Final = (
    f"~( (with|and|,) [their|its] {{more:facts}} ; {EVALUATED} ; {SINK} ;"
    " [as] [one] (line each|per line|line per object|line for each|object per line|name per line|name per row|entry per line|line per entry) ; (with|including) [a] {header=header} [row|line] ; [.] [the] first (line|row) is [a|the] {header=header} [row|line] [:] [{heads:heads}] ; [with|including] [a|the] {header=header|header row|header line|titles} [:|=|of] ({heads:heads}|{cols:facts}) ;"
    " [rounded to|with|to] {digits:int} (digits|decimals|places|decimal places) [each] ; [with|and] [the] columns [:|=|are] {cols:facts} ;"
    " {world=world|global} (location|locations|position|positions|coordinates|space) ; [use|using|with] {sep=semicolon|semicolons|tab|tabs|comma|commas} [as|for] [the] (separator|delimiter|separators|separated) ;"
    " [.] [and] [only] (consider|include|take|list|use|count|export|write) [only] {picked=visible|selected|hidden|unselected} [objects|ones|meshes|things] [only] ; [.] [and] only {picked=visible|selected|hidden} (ones|objects|meshes) ;"
    " [and] [(write|save|store|put|export) (it|them|the result|this|that)] (to|into|in|as) [a|the] [new] {ending=csv|json} [file] [right] (next to|beside|alongside|in the folder of|in the same folder as) [the|this|my] [.] [blend] file ; (to|into|in|as) [a|the] [new] {ending=csv|json} [file] [right] (next to|beside|alongside) [the|this|my] [.] blend ;"
    f" [and] {ORDER} ; [,] [«] [with|the] [the] ({{ranked=biggest|largest|highest|most|tallest|longest|heaviest}}|{{ranked=smallest|lowest|fewest|shortest|least}}) first [»] )"
)
TELL: Final = "(print|list|report|log|show|write|export|save|store|dump|collect|put|output|print out|make a list of|give me|create a list of|list out|tell)"
FILE: Final = "(write|create|make|export|save|generate|print|store|build) [a] [file|report|list|table|json|csv|csv file|json file|json report|csv report|json list|csv list|csv table|json table|text report] [of the scene|of everything] [as json|as csv|in json] [to|into|called|at|in|as|named]"
THAT_HOLDS: Final = (
    "[[,] with|containing|[,] (that|which) (has|holds|lists|contains|tells|gives|shows)|holding|listing|with one row|:]"
)
ROW: Final = "(for|one row for|a row for|one entry for|one line for|a line for)"
HOLDS: Final = "(it|the file) [should|must|shall] (hold|holds|contain|contains|list|lists|have|has|give|gives)"
PER: Final = "((one|a) (row|line|entry) (per|for each|for every)|per|for each|for every)"


@slot("every")
def every_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Target]]:
    """What stands behind "per": "mesh object in the scene"."""
    yield from ((end, replace(found, said=reading.said(at, end))) for end, found in group(reading, at))


DRAWN: Final = re.compile(r"\bshow\b[^.;]*\bnames?\b(?![^.;]*\b(console|terminal|me)\b)", re.IGNORECASE)
"""What may ask to print names of bones, or to draw them in the viewport."""


@step(
    f"{TELL} [a|the] [list of|table of|report of] {{facts:facts}} (of|for) {{item:item}} {DETAILS}",
    f"{TELL} {{facts:facts of bare}} {DETAILS}",
    f"{TELL} how many {{facts:facts of bare}} {{item:item}} (has|have) {DETAILS}",
    f"[{TELL}] how many {{facts:facts of bare}} (does|do|are in|are on|are there in|in) {{item:item}} [have] [?] {DETAILS}",
    f"count [the] {{facts:facts}} (of|in|on|per|for) {{item:item}} [and print (it|them)] {DETAILS}",
    f"(what is|what 's|what are|what 're) {{facts:facts}} (of|for) {{item:item}} [?] [print (it|them)] {DETAILS}",
    f"{TELL} {{item:item}} 's {{facts:facts}} {DETAILS}",
    f"({TELL} (a list of|list of)|list of|print|list|report|log|print out|list out) {{item:item}} [names|by name] {DETAILS}",
    f"{TELL} {{item:item}} (names|by name) {DETAILS}",
    f"(write|store|list|put|print) {{item:item}} (to|into|in) {TEXT} [<called>] {{block:quoted}} {DETAILS}",
    f"[{FILE}] {{path:path}} [:|,|with|containing|that has|holding] {PER} {{item:every}} [:|,|-|with|containing] {{facts:facts}} {DETAILS}",
    f"[{FILE}] {{path:path}} [:|,|-|with|containing|holding|of|from] {{facts:facts}} (of|for|per) {{item:item}} {DETAILS}",
    f"[{FILE}] {{path:path}} [:|,|-|of|for|with] {{item:item}} [:|,|-|with|containing] [their|its] {{facts:facts}} {DETAILS}",
    f"{{facts:facts}} (of|for|per) {{item:item}} [exported|written|saved|go|goes] (to|into|in|as) [a|the] [file] {{path:path}} {DETAILS}",
    f"{{item:item}} [:|,] {{facts:facts}} [exported|written|saved|go|goes] (to|into|in|as) [a|the] [file] {{path:path}} {DETAILS}",
    f"{FILE} {{path:path}} [{HERE}] ({THAT_HOLDS}|. {HOLDS}) [,] {ROW} {{item:item}} [:|,] [with] {{facts:facts}} {DETAILS}",
    f"{FILE} {{path:path}} [{HERE}] ({THAT_HOLDS}|. {HOLDS}) {{facts:facts}} (of|for|per) {{item:item}} {DETAILS}",
    f"{FILE} {{path:path}} [{HERE}] [,|:] [with] [a|the] {{header=header|columns}} [row|line] [:] {{facts:facts}} [,] [and then|then|and] {PER} {{item:every}} {DETAILS}",
    f"(for|of) {{item:item}} [,] {TELL} {{facts:facts}} {DETAILS}",
    f"(for|of) {{item:item}} [,] {TELL} [one|a] (line|row|entry) (to|into|in) {{path:path}} ~( {HERE} ) [:|with] {{facts:facts}} {DETAILS}",
)  # fmt: skip
def report(
    build: Build, facts: tuple[Fact, ...] | None, item: Item | None, more: tuple[Fact, ...] | None, evaluated: str | None,
    path: str | None, block: str | None, header: str | None, digits: int | None, order: tuple[str, bool] | None,
    heads: list[str] | None, world: str | None, sep: str | None, cols: tuple[Fact, ...] | None, ranked: str | None,
    ending: str | None, picked: str | None,
) -> None:  # fmt: skip
    """Facts about several things."""
    if ending and (path or block):
        raise refuse(ending, f"or {path or block}?")
    if ending:
        kind = item.name if isinstance(item, Target) and item.how == "all" else "="
        path = f"//{NAMED_AFTER.get(kind, 'report')}.{ending}"
    if picked:
        if not isinstance(item, Target) or item.how != "all":
            raise refuse(picked, "of which objects?")
        item = replace(item, where=(*item.where, ADJECTIVES[picked]))
    told = [*(facts or cols or (("name", "{0}.name"),)), *(more or ())]
    if facts and cols:
        told, heads = arranged(told, cols)
    if more and {"x", "y", "z"} <= {key for key, _ in facts or ()} and [key for key, _ in more] == ["location"]:
        # "x, y, z ..., world position": how they are meant
        told = list(facts or ())
        world = world or ("world" if "matrix_world" in more[0][1] else None)
    if facts and not any(key == "name" for key, _ in told) and not path and not block:
        told.insert(0, ("name", "{0}.name"))
    item = item or Target("it", said="its")
    how, of_type = (item.how, "") if isinstance(item, Target) else ("", item.type)
    for wrong, reason in (
        (more and [expression[0] for _, expression in facts or ()] == ["["], "is more told of these, or of what has them?"),
        (how == "kind" and item.said.lower() in OBJECT_KINDS, f'say "the {item.said}", or "all ..."'),
        (how == "it" and build.it is None, "of which object, or of all?"),
        (of_type and not all(has(build, of_type, expression) for _, expression in told), "objects have this"),
        ("Bone" in of_type and not (path or block) and DRAWN.search(build.request), 'print their names, or "show the bone names" in the viewport?'),
    ):  # fmt: skip
        if wrong:
            raise refuse(item.said, reason)
    if world:
        told = [(key, re.sub(r"\.location\b", ".matrix_world.translation", expression)) for key, expression in told]
    if any("matrix_world" in expression for _, expression in told):
        build.line(f"{build.view_layer()}.update()")
    if ranked:
        order = rank(told, ranked, order)
    extension = (path or "").rpartition(".")[2].lower()
    if path and extension not in {"csv", "json", "txt"}:
        raise refuse(path, "no table")
    source = ordered(build, items(build, item), order) if order else items(build, item)
    subject = depsgraph(build) if evaluated else "each"
    values = [shown(build, expression.format(subject), digits, json=extension == "json") for _, expression in told]
    if not path and not block:
        build.line(f"for each in {source}:\n    print({', '.join(values)})")
    else:
        pairs = "".join(f"\n        {quoted(key)}: {value}," for (key, _), value in zip(told, values, strict=True))
        single = "," if len(values) == 1 and len(values[0]) < 90 else ""
        side = (
            ", ".join(values) if sum(map(len, values)) < 90 else "\n        " + ",\n        ".join(values) + ",\n    "
        )
        row = f"{{{pairs}\n    }}" if extension == "json" else f"({side}{single})"
        build.line(f"rows = [\n    {row}\n    for each in {source}\n]")
        if heads and len(heads) != len(titles(told)):
            raise refuse(", ".join(heads), "as many titles as columns")
        head, delimiter = heads or (titles(told) if header else []), DELIMITERS.get((sep or "").rstrip("s"), "")
        write(build, path, block, head, delimiter, plain=len(titles(told)) == 1)
    build.note(f"{', '.join(key for key, _ in told)} of {item.said} -> {path or block or 'printed'}")


NAMED_AFTER: Final = {"": "objects", "MESH": "meshes", "LIGHT": "lights", "CAMERA": "cameras", "EMPTY": "empties", "CURVE": "curves", "ARMATURE": "armatures"}  # fmt: skip
"""What a file is called that got no name."""
NUMBER: Final = re.compile(
    r"len\(.*\)|triangles_of\(.*\)|getattr\(.*, None\)|\{0\}\.(users|pass_index|(dimensions|location|matrix_world\.translation)\.[xyz])"
)


def rank(told: list[Fact], ranked: str, order: tuple[str, bool] | None) -> tuple[str, bool]:
    """The order that "biggest first" means: by the one number that is told."""
    numbers = [expression for _, expression in told if NUMBER.fullmatch(expression)]
    if order or len(numbers) != 1 or any(expression.startswith("*") for _, expression in told):
        raise refuse(f"{ranked} first", "sorted by what?")
    return numbers[0].format("each"), ranked not in {"smallest", "lowest", "fewest", "shortest", "least"}


DELIMITERS: Final = {"semicolon": ";", "tab": "\\t"}


def has(build: Build, type_name: str, expression: str) -> bool:
    """Whether data of this type has what an expression tells."""
    parts = re.fullmatch(r"\*?\{0\}\.(\w+)(?:\[:\])?", expression)
    return parts is not None and build.lexicon.manifest.find(type_name, parts[1]) is not None


def arranged(told: list[Fact], columns: tuple[Fact, ...]) -> tuple[list[Fact], list[str]]:
    """The facts in the order of the columns that were asked for, and the titles of these."""
    keys = [key for key, _ in columns]
    if sorted(keys) == sorted(key for key, _ in told):
        told = sorted(told, key=lambda fact: keys.index(fact[0]))
        return told, titles(told)
    heads, known = titles(list(columns)), titles(told)
    if len(heads) != len(known) or any(
        each.rpartition("_")[2] != head for each, head in zip(known, heads, strict=True)
    ):
        raise refuse(", ".join(heads), "which column is what?")
    return told, heads


def titles(facts: list[Fact]) -> list[str]:
    """The heads of columns; components have one each."""
    return [
        title for key, text in facts for title in ((f"{key}_{axis}" for axis in "xyz") if text[0] == "*" else (key,))
    ]


def depsgraph(build: Build) -> str:
    """What stands for an object with its modifiers."""
    build.line("depsgraph = bpy.context.evaluated_depsgraph_get()")
    return "each.evaluated_get(depsgraph)"


def shown(build: Build, expression: str, digits: int | None, *, json: bool) -> str:
    """A fact as it is written: components side by side, in JSON as a list."""
    if "triangles_of" in expression:
        build.need("triangles_of")
    if "degrees(" in expression:
        build.imports("math: degrees")
    if expression.startswith("*"):
        part, source = "angle for angle", expression[1:]
        if "(" in expression:
            part, _, source = source.strip("()").rpartition(" in ")
        made = written(part.partition(" for ")[0], digits, json=json)
        inner = f"{made} for angle in {source}"
        if inner == f"angle for angle in {source}":
            return f"list({source})" if json else f"*{source}"
        return f"[{inner}]" if json else f"*({inner})"
    if expression.startswith("[") and not json:
        return f'" ".join({expression[1:-1]})'
    return written(expression, digits, json=json) if FLOATS.search(expression) else expression


def written(number: str, digits: int | None, *, json: bool) -> str:
    """A number with so many decimals: all of them where it becomes text, as many as it has in JSON."""
    if digits is None:
        return number
    return f"round({number}, {digits})" if json else f'format({number}, ".{digits}f")'


FLOATS: Final = re.compile(r"\.(dimensions|location|translation)\.[xyz]$")


def write(
    build: Build, path: str | None, block: str | None, head: list[str], delimiter: str = "", *, plain: bool = False
) -> None:
    """The rows into a file or a text block; `plain` where they hold one value each."""
    if block:
        text = quoted(block)
        build.line(f"text = bpy.data.texts.get({text}) or bpy.data.texts.new({text})\ntext.clear()")
        build.line('text.write("\\n".join(" ".join(map(str, row)) for row in rows))')
        return
    file = build.path_of(path or "")
    if path and path.endswith(".json"):
        build.imports("json")
        build.line(f'{file}.write_text(json.dumps(rows, indent=2), encoding="utf-8")')
        return
    if path and path.endswith(".txt") and plain and not head and not delimiter:
        build.line('lines = "".join(f"{value}\\n" for (value,) in rows)')
        build.line(f'{file}.write_text(lines, encoding="utf-8")')
        return
    build.imports("csv")
    first = f"\n    writer.writerow({head!r})".replace("'", '"') if head else ""
    how = f', delimiter="{delimiter}"' if delimiter else ""
    build.line(f'with {file}.open("w", encoding="utf-8", newline="") as file:\n    writer = csv.writer(file{how}){first}\n    writer.writerows(rows)')  # fmt: skip


@step(
    "(count|calculate|compute|store|save|write|put|get) [the] {facts:facts} (of|per|for|in) {item:item} ~( "
    + EVALUATED
    + " ; [and] [(save|store|write|put)] [it|them|that] (as|in|into|to|under) [a|the] [custom] property {key:name} [of (each|it|them|the object)] )",
    "(count|calculate|compute) [the] {facts:facts} (of|per|for|in) (object|each object|every object) ~( " + EVALUATED + " ; [and] (save|store|write|put) (it|them) (as|in|into) [custom] property {key:name} )",
    "(save|store|write|put|set|record|keep) {facts:facts of bare} of (its|it) (as|in|into|to) [a|the] [custom] property [<called>] {key:name}",
    "(save|store|write|put|set|record|keep) [its|their|the] {facts:facts of bare} (as|in|into) [a|the|its|their] [custom] property [<called>] {key:name}",
    "(save|store|write|put|set) [the] {facts:facts} of {item:item} (as|in|into|to) [a|the|its|their] [custom] property {key:name}",
)  # fmt: skip
def keep_fact(build: Build, facts: tuple[Fact, ...], item: Item | None, evaluated: str | None, key: str | None) -> None:
    """A fact about each thing as a custom property of it."""
    if key is None or len(facts) != 1:
        raise refuse(facts[0][0], "where is it to be kept?")
    if item is None and build.looping and isinstance(build.it, Many):
        item = Target("them", said="them")
    of_meshes = facts[0][1].startswith(("len(", "triangles_of("))
    item = item or Target("all", "MESH" if of_meshes else "", said="all objects")
    subject = depsgraph(build) if evaluated else "each"
    expression = shown(build, facts[0][1].format(subject), None, json=True)
    build.line(f"for each in {items(build, item)}:\n    each[{quoted(key)}] = {expression}")
    build.note(f"{facts[0][0]} of {item.said} -> {key}")


@step(
    "[and] [(print|report|tell me|say|show|log|output)] (how many|[the] number of|[the] count of) [of] [(them|these|those|objects|things|items|of them|of these|meshes|lights|cameras|empties)] [that] (were|was|have been|has been|got|are|it was)"
    " (changed|affected|modified|touched|processed|found|renamed|selected|hidden|moved|deleted|removed|tagged|fixed|updated|converted|shown|scaled|applied|marked|treated|edited|set|cleaned|cleaned up|done|matched) [this way|that way|in total|in all|altogether|in the end]",
    "[and] (print|report|tell me|say|show|log|output) how many (it|they|there) (were|was) [in total|in all|altogether]",
)
def count_done(build: Build) -> None:
    """How many things were changed."""
    var = build.memory.get("_counted")
    if var is None or build.in_body:
        raise refuse("how many", "of what?")
    build.line(f"print(len({var}))")
    build.note("their number -> printed")


KEPT: Final = "[the|a|an] [{number=int|integer|float}] [scene] [{number=int|integer|float}] [custom] [{number=int|integer|float}] property [<called>] {key:name} [(of|on|in) {holder:holder}] [[,] [as] [a|an] {number=int|integer|float}]"
"""The custom property that a number is kept in; one of the scene where nothing else is said."""
AGGREGATES: Final = {
    **dict.fromkeys(("total", "sum of"), "sum({0})"), **dict.fromkeys(("average", "mean"), "mean({0})"),
    **dict.fromkeys(("highest", "largest", "maximum"), "max({0}, default=0)"), **dict.fromkeys(("lowest", "smallest", "minimum"), "min({0}, default=0)"),
}  # fmt: skip
"""What may be told of a number that several things have."""
SUMMED: Final = [compile_pattern(text) for text in (
    "(how many|[the] number of|[the] amount of|[the] count of) {item:item}",
    f"[the] {{how={'|'.join(AGGREGATES)}}} [the] [(number|count|amount) of] [their] {{facts:facts of bare}} ~( (of|in|over|across) {{item:item}} ; (of|in|over) [the] (whole|entire|) scene ; {EVALUATED} )",
)]  # fmt: skip


@dataclass(frozen=True)
class Sum:
    """A number about several things: its expression, in which {0} stands for them, and whether it is a whole one by its nature."""

    item: Item
    said: str
    code: str = "len({0})"
    whole: bool = True
    evaluated: bool = False

    def source(self, build: Build) -> str:
        """The expression of it; what it needs is seen to."""
        source = items(build, self.item)
        if len(self.code) + len(source) > LONG:
            var = build.var("counted")
            build.line(f"{var} = {source}")
            source = var
        need_called(build, self.code)
        build.imports(*("statistics: mean",) * self.code.startswith("mean("))
        code = self.code.replace("{0}", source)
        return code.replace("<each>", depsgraph(build) if self.evaluated else "each")


@slot("sum")
def sum_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Sum]]:
    """ "the number of lights", "the total triangle count of all meshes, with modifiers", "the average power of all lights"."""
    for end, found in (way for matcher in SUMMED for way in matcher(reading, at, {})):
        said = reading.said(at, end)
        if "facts" not in found:
            yield end, Sum(found["item"], said)
        elif len(found["facts"]) == 1 and NUMBER.fullmatch(found["facts"][0][1]):
            fact = found["facts"][0][1]
            counts = fact.startswith(("len(", "triangles_of("))
            item = found.get("item") or Target("all", "MESH" if counts else "", said="all objects")
            code = AGGREGATES[found["how"]].format(f"{fact.format('<each>')} for each in {{0}}")
            yield end, Sum(item, said, code, counts and not code.startswith("mean("), "evaluated" in found)


THERE: Final = "[are] [there are|are there|there|exist|there is|do i have|have i got] [in (the|this) (scene|file)]"


@step(
    f"[print|report|show|log|output|tell me|give me|what is|what 's] {{total:sum}} {THERE}",
    "count {item:item} [and (print|show|report) [it|the number|the result|the count]]",
    f"(store|save|write|put|set|record|keep) {{total:sum}} (in|as|into|to|under|on) {KEPT}",
    f"count {{item:item}} and (store|save|write|put) [it|the number|the result] (in|as|into) {KEPT}",
)
def count(
    build: Build, total: Sum | None, item: Item | None, key: str | None, holder: Item | None, number: str | None
) -> None:
    """A number about several things, printed or kept."""
    total = total or Sum(item or Target("it", said="it"), "their number")
    if number in {"int", "integer"} and not total.whole:
        raise refuse(number, "it is no whole number")
    if key is None:
        build.line(f"print({total.source(build)})")
    else:
        source = total.source(build)
        with each_owner(build, holder or Owner("Scene", "scene", "the scene")) as var:
            build.line(f"{var}[{quoted(key)}] = {f'float({source})' if number == 'float' else source}")
    build.note(f"{total.said} -> {key or 'printed'}")


COUNTS: Final = "(number of|how many|the count of|count|counts of)"
PER_WHAT: Final = {
    "type": "obj.type for obj in {0}", "collection": "each.name for obj in {0} for each in obj.users_collection",
    "material": "slot.material.name for obj in {0} for slot in obj.material_slots if slot.material",
}  # fmt: skip
"""What objects are counted by."""


@step(
    f"count ({{item:item}}|[the] objects) (per|by|in each|in every|of each|of every|for each|for every) [the|their|its] {{per=type|collection|material}} ~( {SINK} ; [and] (print|show|list|report) (it|them|the result|the counts|the numbers) [as a (table|list)] )",
    f"[{TELL}] [a] [json|csv] [report|table|list] [of|on|:] [the] {COUNTS} ([the] {{item:item}}|objects) (per|by|of each|for each) {{per=type|collection|material}} ~( {SINK} )",
    f"[{TELL}] [the] (number of|how many) objects (in each|in every|are in each|are in every|there are in each|are there in each|each|every) {{per=collection}} [holds|has|contains]",
)
def count_per(build: Build, item: Item | None, per: str, path: str | None, block: str | None) -> None:
    """How many objects there are of each type, or with each material, or in each collection."""
    build.imports("collections: Counter")
    source = items(build, item) if item is not None else f"{build.scene()}.objects"
    counted = f"sorted(Counter({PER_WHAT[per].format(source)}).items())"
    if path or block:
        build.line(f"rows = dict({counted})" if (path or "").endswith(".json") else f"rows = {counted}")
        write(build, path, block, [])
    else:
        build.line(f"for name, number in {counted}:\n    print(name, number)")
    build.note(f"objects per {per} -> {path or block or 'printed'}")
