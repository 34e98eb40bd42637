"""Things that are built from parts: "a table with a top of 1.6 x 0.8 m, 4 cm thick, and four legs of 6 x 6 cm below its corners".

What is said of parts is kept until the request ends, as a later sentence may tell where a part is; then the parts are
written where the first of them was spoken of. Their places are numbers by then: see assembling/places.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from app.drafting.composer.assembling.places import BY_OTHERS, LOW, MASSES, Layout, Part, looks_of, turn_of
from app.drafting.composer.assembling.sizes import WORDS
from app.drafting.composer.assembling.told import LIKE, WHOLE, Look, Ref, Remark, Told
from app.drafting.composer.build import Build, Known, Many
from app.drafting.composer.grammar import step
from app.drafting.composer.steps.materials import write_look
from app.drafting.composer.values import Degrees, clean, literal, quoted, refuse, titled
from app.drafting.draft import NotUnderstood

HELD: Final = "# parts"
"""The line that the parts are written in the place of."""


@dataclass
class Entry:
    """A part with its objects: the variable of one or of the list of them, and the key that they are found by."""

    part: Part
    found: Known | Many
    var: str
    name: str
    key: str
    titles: tuple[str, ...] = ()
    """What each of several is called."""


@dataclass
class Assembly:
    """What is built, as far as it was told."""

    layout: Layout = field(default_factory=Layout)
    entries: list[Entry] = field(default_factory=list[Entry])
    title: str = ""
    """What the whole is to be called; it hangs on an empty of that name, then."""
    root: Known | None = None
    looks: list[tuple[Ref, Look]] = field(default_factory=list[tuple[Ref, Look]])
    announced: str = ""
    """A part that the title spoke of, which must be told then."""

    def objects_called(self, noun: str) -> Known | Many | None:
        """The objects of the part that a word means, None where it means none of the parts."""
        if noun == WHOLE or noun in self.layout.titles or noun == self.title.lower():
            return self.whole()
        found = [
            each
            for each in self.entries
            if noun in {each.part.noun, each.part.noun.rpartition(" ")[2], each.name.lower()}
        ]
        return found[0].found if len(found) == 1 else None

    def whole(self) -> Many:
        """All objects."""
        pieces = [each.var if isinstance(each.found, Known) else f"*{each.var}" for each in self.entries]
        members = [each.found for each in self.entries if isinstance(each.found, Known)]
        return Many(f"({', '.join(pieces)},)", "MESH", members if len(members) == len(pieces) else [])


def assembly_of(build: Build, *, begin: bool = True) -> Assembly:
    """What this request builds from parts."""
    if not isinstance(build.memory.get("_assembly"), Assembly):
        if build.in_body or not begin or build.used & {"recipe"}:
            raise refuse("", "which parts?")
        assembly = build.memory["_assembly"] = Assembly()
        build.line(HELD)
        build.at_end.append(lambda: write_assembly(build, assembly))
    found: Assembly = build.memory["_assembly"]
    return found


def add_part(build: Build, told: Told) -> Entry:
    """Keep a part, with a variable for its objects; what it stands on may be told within."""
    assembly = assembly_of(build)
    told = replace(told, remarks=with_bases(build, told.noun, told.remarks))
    part = assembly.layout.add(told)
    named, numbered = part.one("name"), part.one("names")
    name: str = named.values["name"] if named is not None else part.noun.title()
    if told.plural and told.count is None and part.noun in MASSES:
        name += "s"
    if numbered is not None:
        name = numbered.values["names"][0]
    several = (
        (told.plural and part.noun not in MASSES)
        or (told.count or 1) > 1
        or any(each.what in {"corners", "sides", "ends"} for each in told.remarks)
        or on_each(told.remarks)
    )
    taken = {each.name for each in assembly.entries} | {each.name for each in build.known}
    if name in taken and named is None:
        name = next(f"{name} {number}" for number in range(2, 99) if f"{name} {number}" not in taken)
    if name in taken:
        raise refuse(name, "another object of this request has this name")
    var = build.var(part.noun if not several else f"{part.noun}s")
    key = build.key(name, called=named is not None and not several)
    if several:
        entry = Entry(part, Many(var, "MESH"), var, name, key)
        build.it = entry.found
    else:
        known = Known(var, name, "MESH", part.noun, made=True)
        entry = Entry(part, known, var, name, key)
        build.add_known(known)
    assembly.entries.append(entry)
    build.topic = None
    return entry


def with_bases(build: Build, noun: str, remarks: tuple[Remark, ...]) -> tuple[Remark, ...]:
    """The remarks, where the part that something stands on is told within them: "on a column of radius 5 cm"."""
    found: list[Remark] = []
    for remark in remarks:
        base = remark.values.get("base")
        if (
            isinstance(base, Told)
            and base.count == 4
            and base.noun.rpartition(" ")[2] in LOW
            and not any(each.what in BY_OTHERS for each in base.remarks)
        ):
            owner = Ref(noun, every=False, number=None, said=base.said)
            below = Remark("corners", {"way": "under", "ref": owner}, base.said)
            add_part(build, replace(base, remarks=(*base.remarks, below)))
        elif isinstance(base, Told) and any(each.what in {"corners", "ends", "below"} for each in base.remarks):
            add_part(build, base)  # "it rests on four legs, one at each corner": the legs tell where they are
        elif isinstance(base, Told):
            ref = Ref(add_part(build, base).part.noun, every=False, number=None, said=base.said)
            told = {**remark.values, "to": ref} if remark.what == "from to" else {"ref": ref}
            found.append(replace(remark, values=told))
        else:
            found.append(remark)
    return tuple(found)


def on_each(remarks: tuple[Remark, ...]) -> bool:
    """Whether there is one on each of several others."""
    return any(isinstance(ref := each.values.get("ref"), Ref) and ref.every for each in remarks)


BUILDING: Final = (
    "build|make|model|create|construct|assemble|put together|design|set up|add|i need|i want|draw|generate|give me|make me|build me|i would like|let 's build|let us build|"
    "i'd like|compose|craft|block out|mock up|i want to have|we need|place"
)
OF_PARTS: Final = (
    "(with|from|out of|consisting of|composed of|made of|made from|made up of|that has|which has|that have|having|using|built from|that consists of|which consists of|by|:|-|,) "
    "[these|the following|some|several] [simple|basic|plain|primitive] [parts|pieces|boxes|primitives|blocks|shapes|cubes|cylinders|primitive shapes|elements|objects] [:]"
)


@step(
    f"({BUILDING}) {{what:whole}} {OF_PARTS} {{parts:new_parts}}",
    f"({BUILDING}) {{what:whole}} {OF_PARTS} {{parts:new_parts of list}}",
    f"({BUILDING}) {{what:whole}} (in|out of|from) {{look:part_look}} [{OF_PARTS} {{parts:new_parts}}]",
    f"({BUILDING}) {{what:whole}} [,|«] [that is|which is|that 's] {{overall:part_remarks}} [»|overall|in total] [{OF_PARTS} {{parts:new_parts}}]",
    "{what:whole of bare} [wanted|please] , {overall:part_remarks} : {parts:new_parts of list}",
    "{what:whole of bare} : {parts:new_parts of list}",
    "{what:whole of bare} (for|along|in) [a|an|the|my] {purpose:part_noun} : {parts:new_parts of list}",
    "{what:whole of bare} (with|on) [a|an] {named:part_noun} : {parts:new_parts of list}",
    f"({BUILDING}) {{what:whole}} (with|on) [a|an] {{named:part_noun}} [: {{parts:new_parts of list}}]",
    f"({BUILDING}) {{what:whole}} (for|along|in) [a|an|the|my] {{purpose:part_noun}} [: {{parts:new_parts of list}}]",
    "{what:whole of start} [wanted|from simple shapes|from simple parts|made of simple shapes]",
    "{what:whole} (with|made of|from|consists of|has) {parts:new_parts}",
    "{what:whole of bare} (made of|made from|consisting of|built from|out of) {parts:new_parts of list}",
    f"({BUILDING}) {{what:whole}} [(from|out of|using|with|of|as) [a] [only] [few|some|several|group of|set of] [simple|basic|plain|primitive|separate] (parts|boxes|primitives|shapes|blocks|pieces|meshes|primitive shapes|cubes|cylinders|objects|mesh objects)]",
    first=True,
)
def begin_thing(
    build: Build,
    what: tuple[str, str, Look | None],
    parts: tuple[Told, ...] | None,
    look: Look | None,
    overall: tuple[Remark, ...] | None,
    purpose: str | None,
    named: str | None,
) -> None:
    """A thing that is built from parts, which may be told at once or later."""
    if any(each.what not in OVERALL for each in overall or ()):
        raise refuse(what[0], "of which parts?")
    if isinstance(build.memory.get("_assembly"), Assembly):
        raise refuse(what[0], "a second thing from parts; ask for it by itself")
    assembly = assembly_of(build)
    noun, title, seen = what
    look = look or seen
    assembly.layout.titles |= {noun, noun.rpartition(" ")[2]}
    if title:
        assembly.title = title
        assembly.root = Known(build.var(title), title, "EMPTY", "empty", made=True)
        build.add_known(assembly.root)
    for told in parts or ():
        add_part(build, told)
    if look is not None:
        assembly.looks.append((Ref(WHOLE, every=False, number=None, said=what[0]), look))
    if purpose is not None:
        build.note(f'"for {purpose}" changes nothing')
    assembly.announced = named or ""
    assembly.layout.overall.extend(each for each in overall or ())


OVERALL: Final[Mapping[str, int]] = {"wide": 0, "long": 0, "deep": 1, "high": 2, "ground": 2}
"""What may be said of the whole, and the axis that it is measured along."""
ADDING: Final = "start with|begin with|add|create|put|place|make|mount|attach|there is|there are|there 's|it has|it gets|give it|it consists of|it needs|then comes|use|with|it also has|build|fix|set|stand|stack|insert|model|hang|lay|arrange|then add|i want|i need|we need|there should be|leave"


@step(
    f"[{ADDING}] [also] {{parts:new_parts}}",
    f"({ADDING}) {{parts:new_parts of list}}",
    f"({BUILDING}) {{parts:new_parts}}",
    first=True,
)
def more_parts(build: Build, parts: tuple[Told, ...]) -> None:
    """Parts of what is built."""
    if "_assembly" not in build.memory and not any(each.what in MEASURES for told in parts for each in told.remarks):
        raise refuse(parts[0].said, "of which size?")
    for told in parts:
        add_part(build, told)


@step(
    f"[{ADDING}] {{place:part_place}} [,|:] [there] [is|are|comes|come|sits|sit|stands|stand|goes|go|lies|lie|rests|rest|add|put|place|mount|we have|i want|hangs|hang|attach|follows|build] {{parts:new_parts}}",
    first=True,
)
def placed_parts(build: Build, place: Remark, parts: tuple[Told, ...]) -> None:
    """A part behind the words for its place: "on top of it sits a sphere of radius 0.2"."""
    add_part(build, replace(parts[0], remarks=(*parts[0].remarks, place)))
    for told in parts[1:]:
        add_part(build, told)


@step(
    "(use|apply|paint|color|finish|everything|all|give|all of it|paint everything|give everything|paint it|give it|finish everything) [in|is|gets|should be] [a|an|the] {look:part_look} [color|material|finish|paint|tone] [for|to|on] [{refs:part_refs of bare}]",
    "[a|an] {look:part_look} [color|material|finish|paint|tone] (for|on) {refs:part_refs of bare}",
    "[a|an] {look:part_look} [color|material|finish|paint|tone] (throughout|all over|everywhere)",
    "[a|an] {look:part_look} (color|material|finish|paint|tone)",
    first=True,
)
def paint_parts(build: Build, look: Look, refs: tuple[Ref, ...] | None) -> None:
    """A look for all parts, or for those that are named behind it."""
    assembly_of(build, begin=False)
    for ref in refs or (Ref(WHOLE, every=False, number=None, said=look[2]),):
        tell_part(build, ref, (Remark("look", {"look": look}, look[2]),))


@step(
    "(name|call) {ref:part_ref} {names:name_list}",
    first=True,
)
def name_copies(build: Build, ref: Ref, names: tuple[str, ...]) -> None:
    """A name for each copy of a part: "name them Wheel_FL, Wheel_FR, Wheel_RL and Wheel_RR"."""
    assembly = assembly_of(build, begin=False)
    part = assembly.layout.named(ref)
    if part is None:
        raise refuse(ref.said, "which part?")
    entry = next(each for each in assembly.entries if each.part is part)
    entry.titles = names


@step(
    "{ref:part_ref} [is|are] (made of|made from|made up of|consists of|consist of|built from|composed of) {parts:new_parts}",
    first=True,
)
def part_of_parts(build: Build, ref: Ref, parts: tuple[Told, ...]) -> None:
    """A part that is made of several: "the seat is made from four slats"; its noun means them from then on."""
    assembly = assembly_of(build)
    if len(parts) != 1:
        raise refuse(ref.said, "which of them is meant by it?")
    assembly.layout.aliases[ref.noun] = add_part(build, parts[0]).part


@step(
    "{ref:part_ref} [is] (topped|capped|crowned|covered) (by|with|off with) {parts:new_parts}",
    "{ref:part_ref} (carries|carry|holds|hold|supports|support|bears|bear) {parts:new_parts}",
    "{base:new_part} [,] (carries|carry|holds|hold|supports|support|bears|bear) {parts:new_parts}",
    first=True,
)
def topped(build: Build, ref: Ref | None, base: Told | None, parts: tuple[Told, ...]) -> None:
    """A part on top of another: "the tower is topped with a cone of radius 2 m, 1 m tall"."""
    if base is not None:
        ref = Ref(add_part(build, base).part.noun, every=False, number=None, said=base.said)
    first = replace(parts[0], remarks=tuple(each for each in parts[0].remarks if each.what != "on"))
    placed_parts(build, Remark("on", {"ref": ref}, first.said), (first, *parts[1:]))


TELLING: Final = "is|are|measures|measure|should be|should|be|has|have|gets|get|of|:|must be|made|a|in"


@step(
    f"[make|give|paint|color|let|set|with] {{refs:part_refs}} [{TELLING}] {{remarks:part_remarks}}",
    "{refs:part_refs of bare} [:] {remarks:part_remarks}",
    "{refs:part_refs} (is|are) {like:new_part}",
    "{refs:part_refs of bare} (:|is|are) {like:new_part}",
    first=True,
)
def tell_parts(build: Build, refs: tuple[Ref, ...], remarks: tuple[Remark, ...] | None, like: Told | None) -> None:
    """More of parts that were spoken of, or the first of one: "the trunk is a cylinder of radius 0.2, 2 m tall"."""
    if like is not None:
        if like.noun.rpartition(" ")[2] not in LIKE or (like.count or 1) != 1:
            raise refuse(like.said, "what is it?")
        remarks = (*like.remarks, Remark("form", {"form": like.noun.rpartition(" ")[2]}, like.said))
    for ref in refs:
        tell_part(build, ref, remarks or ())


def tell_part(build: Build, ref: Ref, remarks: tuple[Remark, ...]) -> None:
    """More of one part."""
    assembly = assembly_of(build, begin=any(each.what in MEASURES for each in remarks))
    looks: list[Look] = [each.values["look"] for each in remarks if each.what == "look"]
    try:
        part = assembly.layout.named(ref)
    except NotUnderstood:
        if (
            ref.noun == "it"
            or (ref.said[:1].islower() and not ref.said.startswith("the "))
            or not any(each.what in MEASURES for each in remarks)
        ):
            raise
        add_part(build, Told(ref.noun, ref.number, (ref.number or 1) > 1 or ref.every or ref.plural, remarks, ref.said))
        return
    if part is None:
        if not looks or len(looks) != len(remarks):
            raise refuse(ref.said, "which part of it?")
        assembly.looks += [(ref, each) for each in looks]
        return
    if ref.number is not None and part.count not in {None, ref.number}:
        raise refuse(ref.said, f"there are {part.count} of them")
    part.count = part.count or ref.number
    part.remarks += with_bases(build, part.noun, remarks)
    entry = next(each for each in assembly.entries if each.part is part)
    named = next((each for each in remarks if each.what in {"name", "names"}), None)
    if named is not None:
        raise refuse(named.said, "say what it is called where it is first told of")
    build.it = entry.found
    build.topic = None


MEASURES: Final = WORDS | {"dims", "form"}
"""Remarks that tell what a part is like enough to make it."""


def write_assembly(build: Build, assembly: Assembly) -> None:
    """All parts, where the first of them was spoken of. Raises `NotUnderstood` where the request does not tell enough."""
    if not assembly.entries:
        raise refuse("", "of which parts?")
    if assembly.announced:
        assembly.layout.named(Ref(assembly.announced, every=False, number=None, said=assembly.announced))
    assembly.layout.solve()
    with build.in_place_of(HELD) as around:
        for entry in assembly.entries:
            write_part(
                build,
                entry,
                used=any(re.search(rf"\b{entry.var}\b", line) for line in around)
                or bool(assembly.title or assembly.looks),
            )
        paint(build, assembly)
        if assembly.root is not None:
            gather(build, assembly, assembly.root)
    count = sum(len(each.part.spots) for each in assembly.entries)
    build.note(f"{', '.join(each.part.said for each in assembly.entries)} -> {count} objects, their places as numbers")


def write_part(build: Build, entry: Entry, *, used: bool) -> None:
    """The objects of a part, at their places."""
    part, shape = entry.part, entry.part.shape
    part.length(0)
    spots = [(spot.x, spot.y, clean((part.bottom or 0.0) + spot.up + part.length(2) / 2)) for spot in part.spots]
    extent = " x ".join(f"{part.length(axis):g}" for axis in range(3))
    also = "".join(f", {each}" for each in dict.fromkeys(part.notes))
    build.comment(f"{part.noun}: {f'{len(spots)} of ' if len(spots) > 1 else ''}{extent} m{also}")
    mesh = mesh_code(build, entry)
    turned = turn_of(part)
    if isinstance(entry.found, Known):
        if len(spots) > 1:
            raise refuse(part.said, "one, or several?")
        build.need("find_made", "new_object")
        build.line(f"{entry.var} = find_made({quoted(entry.key)})")
        with build.block(f"if {entry.var} is None:"):
            build.line(f"{entry.var} = new_object({quoted(entry.name)}, {mesh}, {quoted(entry.key)})")
        build.line(f"{entry.var}.location = {literal(spots[0])}")
        build_turn(build, entry.var, shape.axis, turned)
        if part.all("smooth"):
            build.need("shade")
            build.line(f"shade({entry.var}, smooth=True)")
        return
    build.need("copies")
    if numbered := part.one("names"):
        stem, digits, first = numbered.values["names"]
        entry.titles = tuple(f"{stem}{first + number:0{digits}}" for number in range(len(spots)))
    outward = shape.form == "box" and any(spot.turn for spot in part.spots) and shape.size[0] != shape.size[1]
    turns = shape.axis != 2 or turned is not None or outward
    kept = used or turns or bool(entry.titles or part.all("smooth")) or looks_of(part) is not None
    head = f"{entry.var} = " if kept else ""
    listed = "".join(f"    {literal(spot)},\n" for spot in spots)
    build.line(f"{head}copies({quoted(entry.name)}, {quoted(entry.key)}, lambda: {mesh}, [\n{listed}])")
    if outward:
        angles = ", ".join(f"{spot.turn:g}" for spot in part.spots)
        build.imports("math: radians")
        with build.block(f"for obj, angle in zip({entry.var}, ({angles}), strict=True):"):
            build.line("obj.rotation_euler.z = radians(angle)")
    if turned is not None and outward:
        raise refuse(part.said, "turned, and along a ring?")
    if turns and not outward:
        with build.block(f"for obj in {entry.var}:"):
            build_turn(build, "obj", shape.axis, turned)
    if part.all("smooth"):
        build.need("shade")
        with build.block(f"for obj in {entry.var}:"):
            build.line("shade(obj, smooth=True)")
    if entry.titles:
        if len(entry.titles) != len(spots):
            raise refuse(entry.titles[-1], f"{len(spots)} names were expected")
        with build.block(f"for obj, name in zip({entry.var}, {literal(entry.titles)}, strict=True):"):
            build.line("obj.name = name")


def build_turn(build: Build, var: str, axis: int, turned: tuple[int, Degrees] | None) -> None:
    """Turn what lies along X or Y, or what is told to be turned."""
    if turned is not None and axis != 2:
        raise refuse("turned", "it lies already")
    if turned is not None:
        build.line(f"{var}.rotation_euler[{turned[0]}] = {build.literal(turned[1])}")
    elif axis != 2:
        right = Degrees(90.0)
        build.line(f"{var}.rotation_euler = {build.literal((right, 0.0, 0.0) if axis else (0.0, right, 0.0))}")


def mesh_code(build: Build, entry: Entry) -> str:
    """The expression of the mesh of a part."""
    part, shape = entry.part, entry.part.shape
    name = quoted(entry.name)
    size = [part.length(axis) for axis in range(3)]
    across = size[0] if shape.axis else size[1]
    match shape.form:
        case "sphere":
            build.need("uv_sphere_mesh")
            return f"uv_sphere_mesh({name}, {literal(size[0] / 2)}, 32, 16)"
        case "torus":
            build.need("torus_mesh")
            return f"torus_mesh({name}, {literal(across / 2 - shape.minor)}, {literal(shape.minor)}, 48, 12)"
        case "cylinder" | "cone":
            build.need("cone_mesh")
            radius = literal(across / 2)
            upper = radius if shape.form == "cylinder" else literal(shape.upper or 0.0)
            return f"cone_mesh({name}, {radius}, {upper}, {literal(size[shape.axis])}, 32, True)"
        case "prism" | "pyramid":
            build.need(f"{shape.form}_mesh")
            return f"{shape.form}_mesh({name}, {literal((size[0], size[1], size[2]))})"
        case "plane":
            build.need("plane_mesh")
            return f"plane_mesh({name}, {literal((size[0], size[1]))})"
        case _:
            build.need("cube_mesh")
            return f"cube_mesh({name}, {literal((size[0], size[1], size[2]))})"


def paint(build: Build, assembly: Assembly) -> None:
    """A material for each look, on all parts that look so."""
    owners: dict[str, tuple[Look, list[Known]]] = {}
    for entry in assembly.entries:
        look = looks_of(entry.part) or next((look for _, look in reversed(assembly.looks)), None)
        if look is not None:
            first = entry.found if isinstance(entry.found, Known) else Known(f"{entry.var}[0]", type="MESH")
            owners.setdefault(look[2].lower(), (look, []))[1].append(first)
    for (hue, finishes, said), those in owners.values():
        inputs = {name: value for each in finishes for name, value in each.items()}
        write_look(build, those, hue, inputs, titled(said), new=True)


def gather(build: Build, assembly: Assembly, root: Known) -> None:
    """Hang all parts on an empty that is called like the whole."""
    build.comment(f"what is called {root.name}")
    build.need("find_made", "new_object")
    key = quoted(build.key(root.name, called=True))
    build.line(f"{root.var} = find_made({key})")
    with build.block(f"if {root.var} is None:"):
        build.line(f"{root.var} = new_object({quoted(root.name)}, None, {key})")
    with build.block(f"for obj in {assembly.whole().expression}:"):
        build.line(f"obj.parent = {root.var}")
