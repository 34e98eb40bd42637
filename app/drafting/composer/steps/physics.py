"""Physics: rigid bodies, cloth, soft bodies, collision, force fields, particles, gravity."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from app.drafting.composer.build import Build, Known
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Kind, Phrases, Place, Setting
from app.drafting.composer.patterns import Env, Reading, slot
from app.drafting.composer.slots import Set, Target, one_target, places_called, skip
from app.drafting.composer.slots import target as objects_at
from app.drafting.composer.steps.modifiers import Topic
from app.drafting.composer.steps.objects import set_vector
from app.drafting.composer.values import Degrees, Quantity, Vec, literal, quoted, refuse

BODY: Final = "RigidBodyObject"
BECOMES: Final = "is|are|is to be|are to be|has to be|have to be|must be|shall be|is to become|becomes|become|as|to|be|should be|should become|:|="
ABOUT_BODY: Final = "~( <on> {target:object} ; {kind=active|passive} ; {moved=moves with its keyframes|moved by keyframes|follows its keyframes|is keyframed|is moved by its keyframes} ; {s:settings of RigidBodyObject} ; {b:settings of RigidBodyObject} )"


@step(
    f"[<add>] [a|an] [{{kind=active|passive}}] rigid body [physics|simulation] {ABOUT_BODY}",
    f"[{{kind=active|passive}}] rigid body {{target:named}} {ABOUT_BODY}",
    f"[make|turn|set|let|give] {{target:object}} [into|to|be|have|{BECOMES}|gets|get|has|,|-] [a|an] [{{kind=active|passive}}] rigid (body|bodies) [physics] {ABOUT_BODY}",
    f"[make|set] {{target:object}} [{BECOMES}|,] [a|an] {{kind=active|passive}} [one|body|rigid body|rigid bodies] {ABOUT_BODY}",
)
def rigid_body(
    build: Build, target: Target | None, kind: str | None, s: list[Set] | None, b: list[Set] | None, moved: str | None
) -> None:
    """Rigid bodies with their settings."""
    build.need("rigid_body")
    chosen = build.choose([*(s or []), *(b or [])], (Place("", BODY),), "a rigid body")
    said = target.said if target else "it"
    with build.each(target, type_="MESH") as known:
        if known.type not in {"", "MESH"}:
            raise refuse(said, "only a mesh is a rigid body")
        if known.var != "obj":
            build.comment("make it a rigid body")
        var = build.var("body")
        build.line(f"{var} = rigid_body({known.var})")
        if kind and not any(setting.prop.name == "type" for setting, _ in chosen):
            build.line(f'{var}.type = "{kind.upper()}"')
        if moved and not any(setting.prop.name == "kinematic" for setting, _ in chosen):
            build.line(f"{var}.kinematic = True")
        build.assign(var, chosen)
        build.simulates("rigid body", var)
    if known.var != "obj":
        build.topic = Topic(var, (Place("", BODY),), "rigid body")
    build.note(f"{said} -> {kind or 'active'} rigid body")


@step(
    "(it|they|both|all of them|{target:object}) (is|are) {already=already} [a|an] [active|passive] (rigid body|body|rigid bodies|bodies)",
    "(it|they|both|all of them|{target:object}) (is|are) [a|an] [active|passive] (rigid body|body|rigid bodies|bodies) {already=already}",
    "(it's|they're) [a|an] [active|passive] (rigid body|body|rigid bodies|bodies) {already=already}",
)
def bodies_there(build: Build, target: Target | None, already: str) -> None:
    """What is a rigid body before: nothing is done for it."""
    build.note(f"{target.said if target else 'it'}: a rigid body {already}")


LAYERS: Final = "[rigid body] collision (collection|collections|layer|layers)"


@step(
    f"(put|place|set|move) {{target:object}} (in|into|on|to) [the] {LAYERS} ({{several:numbers}}|{{one:int}}) [{{only=only|alone}}]",
    f"[set] [the] {LAYERS} of {{target:object}} (to|are|:|=) ({{several:numbers}}|{{one:int}}) [{{only=only|alone}}]",
    f"{{target:object}} [:|,|is in|belongs to|gets|has] {LAYERS} ({{several:numbers}}|{{one:int}}) [{{only=only|alone}}]",
)
def collision_layers(
    build: Build, target: Target, several: list[float] | None, one: int | None, only: str | None
) -> None:
    """In which of the 20 collision collections rigid bodies are: they touch those that share one."""
    wanted = several or [one or 0]
    del only  # the others are switched off in any case
    if any(each != int(each) or not 1 <= each <= LAST_LAYER for each in wanted):
        raise refuse(target.said, f"collision collections have numbers from 1 to {LAST_LAYER}")
    build.need("rigid_body")
    numbers = "{" + ", ".join(str(int(each)) for each in sorted(wanted)) + "}"
    layers = f"[number in {numbers} for number in range(1, {LAST_LAYER + 1})]"
    with build.each(target, type_="MESH") as known:
        build.line(f"rigid_body({known.var}).collision_collections = {layers}")
    build.note(f"{target.said} -> collision collections {numbers}")


LAST_LAYER: Final = 20


@step(
    "bake [the] rigid body [simulation|physics] [of {target:object}] (to|into) [keyframes|keys] ~( {f:frame_span} ; (of|for|on|,) {target:object} ; every {n:int} frames )",
    "(bake|convert) [the] (physics driven|simulated|rigid body|physics|simulation) [simulation|physics] [motion|movement|animation] (of|for|on) {target:object} (to|into|as) (keyframes|keys) ~( {f:frame_span} ; every {n:int} frames ; [a key on] (every|each) frame )",
    "(convert|bake) [the] rigid bodies (to|into) [keyframes|keys] ~( {f:frame_span} ; (of|for|on|,) {target:object} ; every {n:int} frames )",
)
def bake_bodies(build: Build, target: Target | None, f: tuple[int, int] | None, n: int | None) -> None:
    """Keyframes in the place of the rigid bodies that moved objects."""
    if f is None:
        raise refuse("bake", "from which frame to which?")
    build.once()
    build.need("bake_bodies")
    found = build.objects(target) if target is not None else None
    which = "[obj for obj in current_scene().objects if obj.rigid_body is not None]"
    if found is not None:
        which = f"[{found.var}]" if isinstance(found, Known) else f"list({found.expression})"
    build.need("current_scene")
    build.line(f"bake_bodies({which}, range({f[0]}, {f[1] + 1}, {n or 1}))")
    build.note("rigid bodies baked to keyframes")


CACHED: Final = "{f:frame_span} ; (start|starts|starting|from|at) [at|on] [frame] {first:int} ; (end|ends|ending|up to|until|end frame) [at|on|to] [frame] {last:int}"


@step(
    f"[<add>|<set>|let|start] [the|its] {{of=rigid body}} (world|simulation) [<to>] [cache] ~( cache ; run ; slow motion ; {CACHED} ; {{s:settings of RigidBodyWorld}} )",
    "(add|create|make|new|enable) [a|the] {new=rigid body world|rigid body world if there is none|rigid body world if it is missing|rigid body world if needed} [to the scene]",
    "(add|create|make) [a|the] [rigid body] {new=world if there is none|world if it is missing|world if it does not exist yet}",
    f"[let|make|have|run] [the] {{any=simulation}} [should|must|shall] [run|runs|last|lasts|cover|covers] ~( {CACHED} ; {{s:settings of RigidBodyWorld}} )",
    "[the] rigid bodies [are|be|should be] (calculated|computed|simulated|solved) (with|at) {s:settings of RigidBodyWorld}",
)
def rigid_world(
    build: Build, s: list[Set] | None, f: tuple[int, int] | None, first: int | None, last: int | None, of: str | None, new: str | None,
    any: str | None,
) -> None:  # fmt: skip
    """The rigid body world with its settings."""
    if any and (not s or not re.search(r"\brigid", build.request, re.IGNORECASE)):
        raise refuse(any, "of rigid bodies?")
    if any and f and re.search(rf"\b(for|lasts?) {f[1] - 1} frames", build.request):
        f = f[0], f[1] - 1
    if new and not new.startswith("rigid") and not re.search(r"\brigid", build.request, re.IGNORECASE):
        raise refuse(new, "a world of the scene, or of rigid bodies?")
    chosen = build.choose(s or [], (Place("", "RigidBodyWorld"),), "the rigid body world")
    first, last = f or (first, last)
    if not (chosen or first or last or new):
        raise refuse(of or "rigid body world", "what of it?")
    physics = body_world(build)
    if new:
        return
    build.assign(physics, chosen)
    if first or last:
        set_cache(build, f"{physics}.point_cache", first, last)


def body_world(build: Build) -> str:
    """The variable of the rigid body world, which is made where there is none."""
    if "_body_world" in build.memory and not build.in_body:
        return str(build.memory["_body_world"])
    build.need("expect")
    scene = build.scene()
    build.comment("the rigid body world")
    build.line(f"if {scene}.rigidbody_world is None:\n    bpy.ops.rigidbody.world_add()")
    physics = build.var("physics")
    build.line(f"{physics} = expect({scene}.rigidbody_world, bpy.types.RigidBodyWorld)")
    build.topic = Topic(physics, (Place("", "RigidBodyWorld"),), "rigid body world")
    build.note("rigid body world")
    build.memory["_body_world"] = physics
    return physics


def set_cache(build: Build, cache: str, first: int | None, last: int | None, how: str = "") -> None:
    """The frames of a point cache; its bake where there is none, or that it has none any more."""
    build.need("expect")
    var = build.var("cache")
    build.line(f"{var} = expect({cache}, bpy.types.PointCache)")
    build.put(var, frame_start=first, frame_end=last)
    if how:
        test, call = ("not ", "bake(bake=True)") if how == "bake" else ("", "free_bake()")
        with build.block(f"if {test}{var}.is_baked:"), build.block(f"with bpy.context.temp_override(point_cache={var}):"):  # fmt: skip
            build.line(f"bpy.ops.ptcache.{call}")


JOINT: Final = "{kind=fixed|point|hinge|slider|piston|generic spring|generic|motor|spring|ball}"


@slot("two_objects")
def two_objects(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Target]]:
    """Two objects: "Drawer and Cabinet", "(Body_1, Body_2)"."""
    yield from ((end, found) for end, found in objects_at(reading, at, {}, "") if len(found.parts) == 2)
    for end, one in one_target(reading, at):
        for last, other in one_target(reading, end + 1) if reading.mark(end) in {",", "/", "-", "+", "&"} else ():
            if one.how == other.how == "named":
                yield last, Target("several", said=reading.said(at, last), parts=(one, other))


APART: Final = (
    "|".join(
        f"{who} {how} not collide{end}"
        for who in ("the two", "they", "both", "bodies", "the bodies", "the two bodies", "")
        for how in ("may", "do", "should", "shall", "must", "can")
        for end in (" with each other", "")
    )
    + "".join(
        f"|{words} between {who}"
        for words in ("collisions disabled", "disable collisions", "no collisions")
        for who in ("both", "them", "the two", "the bodies")
    )
    + "|disable collisions|collisions disabled|no collisions between them|without collisions"
)
EVERY_AXIS: Final = "|".join(
    f"{many} {sort}axis"
    for many in ("all three", "all 3", "all", "every", "each")
    for sort in ("linear ", "angular ", "rotational ", "")
)
ABOUT_JOINT: Final = (
    "~( (between|connecting|joining|for|of|from) {target:object} ; {target:two_objects} ; on [the] empty {rail:object of one} ; [on] [an|a|the] empty [object] [<called>] {name:known} ; [on] [an|a|at] empty ; (objects|object|bodies) {target:object} ; {name:quoted} ; <called> {name:name} ; (to|on|with|and) {other:object of one} ;"
    " (at|located at|pivot at|placed at) {v:vector} ; (at|located at|pivot at|placed at) {spot:object of one} ; [«] first {one:object of one} [,] [and] [then|second] {two:object of one} [»] ;"
    " [linear|angle|angular|rotation|rotational] [{along=x|y|z}] [travel|motion|movement] [limit|limits|limited] [of|to] [from|between] {low:quantity} (to|and|..) {high:quantity} [on|along|around] [{along:axis}] ;"
    f" [limits] {{lim:limits}} ; {{apart={APART}}} ;"
    " (stiffness|spring stiffness) [of] {stiff:n} ; damping [of] {damp:n} ; [spring] {turning=angular|rotational} (stiffness|spring|springs) [of] {stiff:n} ;"
    f" [springs] [on|along|for|around|about|in] {{every={EVERY_AXIS}}} ; {{along=x|y|z}} (spring|springs) [on|enabled] ;"
    " [only] (on|along|around|about|in|over|axis|with axis) {axis:axis} [only] ; [with] (axis|axes) {upright=vertical|upright} ; {upright=vertical} axis ;"
    " [turns|spins|turning|spinning|target velocity|velocity|speed] [at|of] {speed:quantity} ; {turning=angular|linear} [target] (velocity|speed) [at|of] {speed:quantity} ; (max|maximum) impulse [of] {impulse:n} ;"
    " {breaks=breakable|that can break} ; (breaking threshold|breakable at|breaks at|threshold|breaking force) [of|at] {force:n} ; {s:settings of RigidBodyConstraint} )"
)


@step(
    f"(connect|join|link|attach|constrain) {{target:object}} [(to|with|and) {{other:object of one}}] (with|by|using|through|via) [a|an] [{{breaks=breakable}}] {JOINT} [rigid body] [constraint|joint] {ABOUT_JOINT}",
    f"[<add>] [a|an] [{{breaks=breakable}}] {JOINT} [rigid body] (constraint|joint) [:|,] [{{target:object}} [(to|on|with) {{other:object of one}}]] {ABOUT_JOINT}",
    f"[<add>] [a|an] [rigid body] {{kind=spring|hinge|motor|slider|piston}} (between|from|for) {{target:object}} [(to|on) {{other:object of one}}] {ABOUT_JOINT}",
    f"[<add>] [a|an] empty [<called> {{name:name}}] [at {{v:vector}}] (carries|holds|has|with|that carries|carrying|as) [a|an] {JOINT} [rigid body] (constraint|joint) {ABOUT_JOINT}",
    f"(hang|hold|suspend) {{target:object}} (from|on) {{other:object of one}} (with|by|using|through|via|on) [a|an] {JOINT} [rigid body] [constraint|joint] {ABOUT_JOINT}",
)
def body_constraint(
    build: Build, target: Target | None, other: Target | None, kind: str, name: str | None, v: Vec | None, one: Target | None,
    two: Target | None, low: Quantity | None, high: Quantity | None, along: str | None, apart: str | None, force: float | None,
    stiff: float | None, damp: float | None, axis: str | None, speed: Quantity | None, impulse: float | None, upright: str | None,
    breaks: str | None, s: list[Set] | None, lim: list[tuple[str, Quantity | None, Quantity | None]] | None, spot: Target | None,
    rail: Target | None, every: str | None, turning: str | None,
) -> None:  # fmt: skip
    """A rigid body constraint on an empty between two bodies."""
    kind = {"spring": "generic spring", "ball": "point"}.get(kind, kind)
    if target is None:
        raise refuse(kind, "between which bodies?")
    first = build.objects(target)
    members = [*getattr(first, "members", [first]), *([build.one(other)] if other is not None else [])]
    if len(members) != 2 or not all(isinstance(each, Known) for each in members):
        raise refuse(target.said, "two objects were expected")
    if one is not None and two is not None and [build.one(one), build.one(two)] != members:
        members = [build.one(one), build.one(two)]
    build.need("rigid_body", "only_selected", "expect")
    for member in members:
        build.line(f"rigid_body({member.var})")
    if rail is not None and name:
        raise refuse(name, "is the empty there, or new?")
    if rail is not None:
        known = build.one(rail)
    else:
        known = build.new_object("empty", name or "Constraint", called=bool(name), type_="EMPTY")
    if v is not None:
        set_vector(build, f"{known.var}.location", v, 0.0, target.said)
    elif spot is not None:
        build.line(f"{known.var}.location = {build.object(spot)}.location")
    elif rail is None and kind != "fixed":
        build.line(f"{known.var}.location = ({members[0].var}.location + {members[1].var}.location) / 2.0")
    build.line(
        f"if {known.var}.rigid_body_constraint is None:\n    only_selected({known.var})\n    bpy.ops.rigidbody.constraint_add()"
    )
    build.line(f"joint = expect({known.var}.rigid_body_constraint, bpy.types.RigidBodyConstraint)")
    build.line(
        f'joint.type = "{kind.upper().replace(" ", "_")}"\njoint.object1 = {members[0].var}\njoint.object2 = {members[1].var}'
    )
    axis = "Z" if upright else axis
    letter = (axis or (along or "").upper() or OWN_AXIS.get(kind, ""))[-1:].lower()
    if axis is not None and kind in OWN_AXIS and axis[-1] != OWN_AXIS[kind]:
        turned = tuple(map(Degrees, ALONG[OWN_AXIS[kind] + axis[-1]]))
        build.line(f"{known.var}.rotation_euler = {build.literal(turned)}")
        letter = OWN_AXIS[kind].lower()
    letters = "xyz" if every else letter
    for one_letter, from_, to in [*((each, low, high) for each in letters if low is not None), *(lim or [])]:
        if from_ is None or to is None:
            raise refuse(kind, "from where to where?")
        limit_joint(build, kind, one_letter, from_, to)
    if stiff is not None or damp is not None:
        if kind != "generic spring" or not letters:
            raise refuse(kind, "a spring along which axis?")
        way = "ang_" if re.search("angular|rotational", f"{turning} {every}") else ""
        for end in (f"{way}{each}" for each in letters):
            build.put(
                "joint", **{f"use_spring_{end}": True, f"spring_stiffness_{end}": stiff, f"spring_damping_{end}": damp}
            )
    if speed is not None or impulse is not None:
        if kind != "motor":
            raise refuse(kind, "only a motor turns")
        turns = turning != "linear" and (speed is None or speed.unit is None or "ang" in speed.unit.measures)
        way, fast = "ang" if turns else "lin", speed and float(speed.value)
        build.put(
            "joint",
            **{f"use_motor_{way}": True, f"motor_{way}_target_velocity": fast, f"motor_{way}_max_impulse": impulse},
        )
    broken = True if breaks or force is not None else None
    build.put("joint", disable_collisions=apart and True, use_breaking=broken, breaking_threshold=force)
    chosen = build.choose(s or [], (Place("", "RigidBodyConstraint"),), "a rigid body constraint")
    if any(setting.prop.name.startswith("motor_") for setting, _ in chosen):
        raise refuse(kind, "does it turn, or push?")
    build.assign("joint", chosen)
    build.memory["_both"] = members
    build.memory["_joint"] = kind, letter
    build.simulates("rigid body", "joint")
    build.topic = Topic("joint", (Place("", "RigidBodyConstraint"),), "rigid body constraint")
    build.note(f"{kind} constraint")


@step(
    "(limit|restrict) (it|the joint|the hinge|the slider|the angle|its angle|its rotation|its movement) [to] [from|between] {low:quantity} (to|and|..) {high:quantity}",
    "(limits|its limits|the limits) [are|is|:|from|of] {low:quantity} (to|and|..) {high:quantity}",
)
def joint_limits(build: Build, low: Quantity, high: Quantity) -> None:
    """How far the joint that was spoken of may go."""
    the_joint(build)
    kind, letter = build.memory["_joint"]
    limit_joint(build, kind, letter, low, high)
    build.note(f"limits of the {kind}")


def the_joint(build: Build) -> None:
    """Raise `NotUnderstood` if no joint was spoken of."""
    topic = build.topic
    if "_joint" not in build.memory or not isinstance(topic, Topic) or topic.title != "rigid body constraint":
        raise refuse("joint", "which one?")


@step(f"{{apart={APART}}}")
def joint_apart(build: Build, apart: str) -> None:
    """Whether the two that a joint holds bounce off each other."""
    the_joint(build)
    build.line("joint.disable_collisions = True")
    build.note(apart)


OWN_AXIS: Final = {"hinge": "Z", "slider": "X", "piston": "X", "motor": "X"}
"""Along or around which axis of its empty a joint works."""
ALONG: Final = {"ZX": (0.0, 90.0, 0.0), "ZY": (-90.0, 0.0, 0.0), "XY": (0.0, 0.0, 90.0), "XZ": (0.0, -90.0, 0.0)}
"""How an empty is turned so that one of its axes is another one of the world."""


def limit_joint(build: Build, kind: str, letter: str, low: Quantity, high: Quantity) -> None:
    """How far a joint may go: a hinge turns, a slider slides, a generic one does what the unit says."""
    turns = kind == "hinge" or (kind != "slider" and high.measured("angle"))
    if kind not in {"hinge", "slider", "piston", "generic", "generic spring"} or not letter:
        raise refuse(kind, "limits of what?")
    way = "ang" if turns else "lin"
    build.line(f"joint.use_limit_{way}_{letter} = True")
    for side, given in (("lower", low), ("upper", high)):
        unit = given.unit or high.unit
        value = Quantity(given.number, unit).value
        if unit is not None and unit.measures != ("angle" if turns else "length"):
            raise refuse(f"{given.number:g}", "another unit was expected")
        build.line(f"joint.limit_{way}_{letter}_{side} = {build.literal(Degrees(value) if turns else float(value))}")


@step(
    "(calculate|set|compute) [the] [rigid body] mass of {target:object} ~( (from|by|with) [the] density ; [of|for] [a] {stuff:thing_word} ; [«] [of|with|at] [density] [of] {n:quantity} [»] ; [and] calculate it )",
    "[calculate|set|compute] [the] [rigid body] (mass|masses) (of|for) {target:object} (from|with|by|using) [the] density [of] [{stuff:thing_word}] [«] {n:quantity} [»] [, calculate it]",
)
def mass_of(build: Build, target: Target, n: Quantity | None, stuff: str | None) -> None:
    """Masses from the volumes of bodies and a density in kg per cubic metre."""
    if n is None:
        raise refuse(stuff or "density", "how many kg per cubic metre?")
    build.need("rigid_body", "only_selected")
    with build.each(target, type_="MESH") as known:
        build.line(f"rigid_body({known.var})\nonly_selected({known.var})")
        build.line(f'bpy.ops.rigidbody.mass_calculate(material="Custom", density={literal(float(n.number))})')
    build.note("masses from a density")


REMOVED: Final = {
    **{each.lower().replace("_", " "): each for each in ("CLOTH", "SOFT_BODY", "COLLISION", "FLUID", "DYNAMIC_PAINT", "PARTICLE_SYSTEM")},
    "particle": "PARTICLE_SYSTEM", "hair": "PARTICLE_SYSTEM", "rigid body": "rigid", "rigid bodies": "rigid", "force field": "field",
}  # fmt: skip
"""Kinds of physics by what they are called: the type of the modifier, where they are one."""
REMOVALS: Final = {
    "rigid": "if {0}.rigid_body is not None:\n    only_selected({0})\n    bpy.ops.rigidbody.object_remove()",
    "field": 'if {0}.field is not None:\n    {0}.field.type = "NONE"',
}


OF_PHYSICS: Final = frozenset({"physics", "simulation", "simulations", "settings", "modifier", "modifiers", "system", "systems"})  # fmt: skip


@slot("physics kinds")
def physics_kinds(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[str]]]:
    """ "cloth, soft body and collision modifiers", "all rigid body physics", "all physics"."""
    found: list[str] = []
    table = Phrases((phrase, kind) for phrase, kind in REMOVED.items())
    place = skip(reading, at, {"all", "the", "any", "every"})
    if reading.word(place) == "physics":
        yield place + 1, list(dict.fromkeys(REMOVED.values()))
    while (read := table.first(reading.tokens, place)) is not None:
        place = skip(reading, read[0], OF_PHYSICS)
        found.append(read[1])
        yield place, list(found)
        place = skip(reading, place + (reading.mark(place) == ","), {"and", "or", "nor", "no", "all", "the", "any", "every"})  # fmt: skip


@step(
    "<remove> {kinds:physics kinds} (from|of|on|in) {target:object}",
    "<remove> {target:object} from the rigid body (world|simulation)",
    "(take|throw|kick|pull|<remove>) {target:object} out of the rigid body (world|simulation)",
    "<set> [the] {kinds:physics kinds} (of|on|for) {target:object} to none",
    "<set> {kinds:physics kinds} to none [(of|on|for) {target:object}]",
    "no [more] {kinds:physics kinds} (on|for|of) {target:object} [any more|anymore|any longer]",
    "{target:object} (needs|has|gets|should have) no [more] {kinds:physics kinds} [any more|anymore|any longer]",
    "take {kinds:physics kinds} (off|from) {target:object}",
)
def remove_physics(build: Build, kinds: list[str] | None, target: Target | None) -> None:
    """Take the physics from objects; of all objects where none is named."""
    with build.each(build.or_all(target, said="every object")) as known:
        for kind in kinds or ["rigid"]:
            if kind == "rigid":
                build.need("only_selected")
            if kind in REMOVALS:
                build.line(REMOVALS[kind].format(known.var))
        types = [kind for kind in kinds or [] if kind not in REMOVALS]
        if types:
            test = f"in {literal(tuple(types))}" if len(types) > 1 else f"== {literal(types[0])}"
            build.line(
                f"for each in list({known.var}.modifiers):\n    if each.type {test}:\n        {known.var}.modifiers.remove(each)"
            )
    build.note(f"no {', '.join(kind.lower().replace('_', ' ') for kind in kinds or ['rigid body'])}")


@step("<remove> [the] [whole|entire|complete] rigid body world [of the scene]")
def remove_world(build: Build) -> None:
    """No rigid body world any more."""
    scene = build.scene()
    build.line(f"if {scene}.rigidbody_world is not None:\n    bpy.ops.rigidbody.world_remove()")
    build.note("no rigid body world")


QUICK: Final = {
    "fur": "object.quick_fur", "smoke": "object.quick_smoke", "explode": "object.quick_explode", "explosion": "object.quick_explode",
    "liquid": "object.quick_liquid",
}  # fmt: skip
EFFECT: Final = f"[a|an] quick {{what={'|'.join(QUICK)}}} [effect]"
ABOUT_QUICK: Final = (
    "[only|just] {only=fire|smoke|smoke and fire|fire and smoke} [only] ;"
    " {fur:settings of object.quick_fur} ; {smoke:settings of object.quick_smoke} ; {explode:settings of object.quick_explode} )"
)


@step(
    f"{{target:object}} (gets|needs|should get|should have) {EFFECT} ~( {ABOUT_QUICK}",
    f"[<add>] {EFFECT} ~( <on> {{target:object}} ; {ABOUT_QUICK}",
)
def quick(
    build: Build, what: str, target: Target | None, only: str | None, fur: list[Set] | None, smoke: list[Set] | None,
    explode: list[Set] | None,
) -> None:  # fmt: skip
    """One of the quick effects of the object menu."""
    operator = QUICK[what]
    chosen = build.choose([*(fur or []), *(smoke or []), *(explode or [])], (Place("", operator),), f"quick {what}")
    arguments = {setting.prop.name: value for setting, value in chosen}
    if only:
        if what != "smoke":
            raise refuse(only, "only quick smoke has it")
        arguments["style"] = "BOTH" if " " in only else only.upper()
    if what == "smoke" and re.search(r"smoke *[+&,/] *fire|fire *[+&,/] *smoke", build.request, re.IGNORECASE):
        arguments["style"] = "BOTH"
    build.once()
    build.need("only_selected")
    found = build.one(target)
    build.line(f"only_selected({found.var})")
    said = ", ".join(f"{name}={build.literal(value)}" for name, value in arguments.items())
    build.line(f"bpy.ops.{operator}({said})")
    build.note(f"quick {what}")


ABSENT: Final = {
    "rigid body": "rigid_body", "rigid bodies": "rigid_body", "force field": "force_field", "force fields": "force_field",
    "particles": "particles", "particle system": "particles", "baking": "text:ptcache.bake", "bake": "text:ptcache.bake",
}  # fmt: skip


@step(
    "(no|without|not) [a|an] {what=rigid body|rigid bodies|force field|force fields|particles|particle system|baking}",
    "do not {what=bake} [anything|it|them]",
    "don't {what=bake} [anything|it|them]",
)
def no_physics(build: Build, what: str) -> None:
    """What must not be there: the plan is refused if it makes it."""
    build.forbidden.append((ABSENT[what], what))
    build.note(f"no {what}")


@step(
    "<remove> [all] [the] [physics] (bakes|bake|baked caches|caches) [in the file|in the scene]",
    "free (all|every|each) [physics|simulation] (bakes|bake|caches|baked caches) [in the file|of the scene]",
    "{how=bake} (all|every|everything) [physics|simulation|dynamics] [simulations|caches|physics|dynamics]",
)
def bake_all(build: Build, how: str | None) -> None:
    """Bake every simulation of the scene, or free what was baked."""
    build.line("bpy.ops.ptcache.bake_all(bake=True)" if how else "bpy.ops.ptcache.free_bake_all()")
    build.note("every cache")


SIMULATED: Final = {"cloth": "CLOTH", "soft body": "SOFT_BODY"}
SIMULATIONS: Final = {"CLOTH": "ClothModifier", "SOFT_BODY": "SoftBodyModifier", "COLLISION": "CollisionModifier"}


WEIGHED: Final = (
    "[with|its] [the|its] (effector|field) (weight|weights) [:|of|=|are|for] {w:settings of EffectorWeights}"
)
KINDS: Final = "{kind=cloth|soft body|collision|collider|collision object|collision body}"
ABOUT_SIMULATION: Final = (
    "~( <on> {target:object} ; (pinned|pin it|held) [by|with|to|at|using] [the] [vertex] group {group:name} ;"
    " (pin group|pin vertex group) {group:name} ; [«] [the] {fabric=cotton|denim|leather|rubber|silk} [preset|fabric] [preset|values|preset values] [»] ; "
    + WEIGHED
    + " ; for {who=particles|cloth|soft bodies} ; {s:settings of simulation} ; {b:settings of simulation} )"
)


@step(
    f"[<add>] [a|an] [{{fabric=cotton|denim|leather|rubber|silk}}] {KINDS} [simulation|physics|modifier] [{{target:object}}] {ABOUT_SIMULATION}",
    f"[make|turn|set|give|let] {{target:object}} [already] [into|to|{BECOMES}|have|has|gets|needs|should have|use|,] [a|an] {KINDS} [simulation|physics|modifier] {ABOUT_SIMULATION}",
    f"(enable|turn on|activate|simulate) {KINDS} (for|on) {{target:object}} {ABOUT_SIMULATION}",
    f"(inflate|blow up) {{target:object}} (as|with|using|by) [a] {{kind=cloth}} [simulation|physics] {ABOUT_SIMULATION}",
    f"[let|make] {{target:object}} (collide|collides) with [the] [cloth|particles|soft bodies|cloth and particles] [:|,] [{{kind=collision}}] {ABOUT_SIMULATION}",
    f"[let|make] [the] {{who=particles|cloth|soft bodies}} (bounce off|bounces off|bounce on|collide with|collides with|land on|lands on|lie on|rest on|rests on) {{target:object}} [:|,] [{{kind=collision}}] {ABOUT_SIMULATION}",
)
def simulation(
    build: Build, kind: str | None, target: Target | None, s: list[Set] | None, b: list[Set] | None, group: str | None,
    fabric: str | None = None, who: str | None = None, w: list[Set] | None = None,
) -> None:  # fmt: skip
    """Cloth, soft body or collision; what is there already is set up."""
    identifier = SIMULATED.get(kind or "", "COLLISION")
    if fabric and identifier != "CLOTH":
        raise refuse(fabric, "only a preset of cloth")
    sets = [*(s or []), *(b or [])]
    if who and identifier != "COLLISION":
        raise refuse(who, "do they collide with it?")
    if who == "particles":
        sets = [for_particles(build, each) for each in sets]
    if w and identifier == "COLLISION":
        raise refuse(w[0].said, "it has no weights")
    simulate(build, identifier, target, [*sets, *weights_in(w or [])], FABRICS[fabric] if fabric else {})
    if group is not None:
        pin(build, group, None)


OF_PARTICLES: Final = {"damping": "damping_factor", "cloth_friction": "friction_factor"}


def for_particles(build: Build, one: Set) -> Set:
    """What is said of particles that bounce off something: their damping and friction, not those of cloth."""
    options = tuple(
        (replace(setting, prop=build.lexicon.property("CollisionSettings", OF_PARTICLES[setting.prop.name])), value)
        if setting.prop.name in OF_PARTICLES
        else (setting, value)
        for setting, value in one.options
    )
    return replace(one, options=options)


SIMULATES: Final = {
    "cloth": "Cloth", "soft body": "Soft Body", "particle system": "particle system", "particles": "particle system", "particle": "particle system",
    "hair": "particle system", "rigid body": "rigid body", "rigid bodies": "rigid body", "rigid body world": "rigid body", "fluid": "fluid domain",
    **dict.fromkeys(("fluid domain", "smoke domain", "liquid domain", "gas domain"), "fluid domain"), "smoke": "fluid domain", "liquid": "fluid domain", "fire": "fluid domain", "gas": "fluid domain", "dynamic paint": "canvas",
}  # fmt: skip
"""What simulates, by the words for it: what it is called among what the request spoke of."""
SIM: Final = f"{{kind={'|'.join(SIMULATES)}}}"
WHOSE: Final = "(of|on|for) ([the] domain {target:object}|[the] {{kind}}|{target:object})".replace("{{kind}}", SIM)
FORCES: Final = "|".join(
    ("gravity", "wind", "turbulence", "vortex", "force", "magnetic", "harmonic", "drag", "texture", "all")
)
NOT_PULLED: Final = "(ignore|ignores|ignoring|do not react to|does not react to|don't react to|is not affected by|are not affected by|not affected by)"


@step(
    f"[let|make] ([the] {SIM} (of|on) {{target:object}}|{{target:object}}) [must|should|shall] {NOT_PULLED} [the] {{what={FORCES}}} [completely|entirely] [in [its|the] [field|effector] weights] [« (effector|field) weight [of] [{{what={FORCES}}}] [=|:] 0 »]",
    f"[it|they|which] {NOT_PULLED} [the] {{what={FORCES}}} [completely|entirely]",
    "(set|turn) [the] {what=gravity} [field] weight [of {target:object}] (to|off) [0|zero]",
    "{what=no gravity} for them",
    f"[let] [the] {{what={FORCES}}} [should] [only] (act|acts|count|counts|pull|pulls|work|works) [on (it|them|the particles|the cloth)] [only] [with|at|by] [a] [(weight|strength) [of]] [only] {{part:quantity of share}} [only]",
    f"[they|it] [are|is] [only] (affected by|feel|feels|react to|reacts to) [only] {{part:quantity of share}} [of] [the] {{what={FORCES}}} [only]",
    f"[they|it] [are|is] [only] (affected by|feel|feels|react to|reacts to) [the] {{what={FORCES}}} [only] (at|by|with) {{part:quantity of share}} [only]",
)
def weightless(build: Build, target: Target | None, what: str, part: Quantity | None, kind: str | None) -> None:
    """How much forces act on the cloth, the soft body or the particles spoken of."""
    if target is not None and kind is not None:
        title = SIMULATES[kind]
        build.topic = Topic(simulating(build, title, target), (), title)
    elif target is not None and build.one(target) is not build.it:
        raise refuse(target.said, "which of its simulations?")
    topic, what = build.topic, what.removeprefix("no ")
    if not isinstance(topic, Topic) or topic.title not in {"Cloth", "Soft Body", "particle system"}:
        raise refuse(what, "of which simulation?")
    if part is not None and not 0 <= part.value <= 1:
        raise refuse(what, "how much of it?")
    build.need("expect")
    weights = f"expect({topic.var}.settings.effector_weights, bpy.types.EffectorWeights)"
    build.line(f"{weights}.{what} = {literal(float(part.value)) if part is not None else 0.0}")
    build.note(f"weight of {what}")


def weights_in(sets: Sequence[Set]) -> list[Set]:
    """Effector weights, as settings of what has them."""
    place = Place("settings.effector_weights", "EffectorWeights")
    return [
        replace(each, options=tuple((replace(one, place=place), value) for one, value in each.options)) for each in sets
    ]


@step(
    f"[<set>] [the] (effector|field) weights (of|on|for) ([the] [{SIM}] (of|on) {{target:object}}|[the] {SIM}|{{target:object}}) ~( {{s:settings of EffectorWeights}} )",
    "[<set>] [its|the] (effector|field) weights [<to>] ~( {s:settings of EffectorWeights} )",
    f"[<set>] {{target:object}} ['s] [{SIM}] (effector|field) weights [<to>] ~( {{s:settings of EffectorWeights}} )",
)
def effector_weights(build: Build, s: list[Set], kind: str | None, target: Target | None) -> None:
    """How much forces act on a simulation that is there, or was spoken of."""
    title = SIMULATES.get(kind or "", "")
    if target is not None and title:
        var = simulating(build, title, target)
    elif target is not None:
        raise refuse(target.said, "which of its simulations?")
    else:
        title, var = spoken_simulation(build, title)
    path = {"rigid body": "", "fluid domain": "", "canvas": ""}.get(title, "settings.")
    var = body_world(build) if title == "rigid body" else var
    chosen = build.choose(s, (Place("", "EffectorWeights"),), "effector weights")
    build.need("expect")
    weights = build.var("weights")
    build.line(f"{weights} = expect({var}.{path}effector_weights, bpy.types.EffectorWeights)")
    build.assign(weights, chosen)
    build.note("effector weights")


NOUN: Final = "(simulation|simulations|cache|caches|physics|dynamics|point cache)"
FREED: Final = "(bake|baked cache|baked simulation|baked data|cache|bakes)"


@step(
    f"[<set>|let|make|keep|start] [its|the] [{SIM}] {NOUN} [{WHOSE}] [range] [<to>] ~( run ; runs ; goes ; lasts ; [must|shall|should] (reach|reaches) ; {CACHED} ; (up to|until|to|till|at|on|end|end frame) [frame] {{last:frame}} )",
    f"(set|extend) [its|the] [{SIM}] {NOUN} [{WHOSE}] [end|end frame] (to|until) {{last:frame}}",
    f"[<set>] [the] [frame] (range|frames) of [its|the] [{SIM}] {NOUN} [{WHOSE}] [<to>|from] {{f:frame_span}}",
    f"{{how=bake}} ([all] [the|its] [{SIM}] {NOUN}|[all] [the|its] {SIM}) [{WHOSE}] ~( {CACHED} )",
    f"{{how=bake}} {{target:object}} ['s] (({SIM}) [{NOUN}]|{NOUN}) ~( {CACHED} )",
    f"{{how=bake}} [the] {SIM} {{target:object}} ~( {CACHED} )",
    f"{{how=bake}} it ~( {CACHED} )",
    f"{{how=free|delete|remove|clear}} [the|its] [{SIM}] {FREED} {WHOSE}",
    f"{{how=free|delete|remove|clear}} [the|its] [{SIM}] {FREED}",
    f"{{how=free|delete|remove|clear}} {{target:object}} ['s] [{SIM}] {FREED}",
    "(cache|store|save) it (in|into|to|under|at) {where:path}",
    f"[<set>] [the|its] {NOUN} [{WHOSE}] [is|should be|goes|must be] (in|into|to|under) [the] [folder|directory] {{where:path}}",
)
def cache(
    build: Build, first: int | None, last: int | None, f: tuple[int, int] | None, kind: str | None, target: Target | None,
    how: str | None, where: str | None,
) -> None:  # fmt: skip
    """The frames of a simulation, its bake, or where it is kept."""
    first, last = f or (first, last)
    if not (first or last or how or where):
        raise refuse("simulation", "what of it?")
    how = "" if how is None else "bake" if how == "bake" else "free"
    if how and not (first or last or kind or target or "_simulations" in build.memory):
        build.line("bpy.ops.ptcache.bake_all(bake=True)" if how == "bake" else "bpy.ops.ptcache.free_bake_all()")
        build.note("every cache")
        return
    title = SIMULATES.get(kind or "", "")
    if target is not None and target.how == "word" and target.name.lower() in SIMULATES:
        raise refuse(target.said, "of which object?")
    if target is not None and not title:
        if first or last or where:
            raise refuse(target.said, "which of its simulations?")
        build.need("caches_of")
        with build.each(target) as known, build.block(f"for held in caches_of({known.var}):"):
            set_cache(build, "held", None, None, how)
        build.note(f"caches of {target.said}")
        return
    if target is not None:
        var = simulating(build, title, target)
    else:
        title, var = spoken_simulation(build, title)
    if title == "fluid domain":
        fluid_cache(build, var, first, last, how, where)
    elif where is not None:
        raise refuse(where, "only fluids are kept in a folder of their own")
    elif title == "rigid body":
        set_cache(build, f"{body_world(build)}.point_cache", first, last, how)
    else:
        set_cache(build, f"{var}.point_cache", first, last, how)
    build.note(f"{title}: " + (how or f"simulated up to frame {last or 'the last'}"))


def spoken_simulation(build: Build, title: str) -> tuple[str, str]:
    """What simulates of all that the request spoke of: its kind and its variable."""
    spoken: dict[str, str] = build.memory.get("_simulations", {})
    if not spoken and "_body_world" in build.memory:
        spoken = {"rigid body": ""}
    fitting = {each: var for each, var in spoken.items() if title in {"", each}}
    if title == "rigid body" and not fitting:
        return title, ""
    if len(fitting) != 1 or not (next(iter(fitting)) == "rigid body" or next(iter(fitting.values()))):
        raise refuse(title or "simulation", "of which one?")
    return next(iter(fitting.items()))


def simulating(build: Build, title: str, target: Target) -> str:
    """The variable of what simulates an object that is there."""
    if title == "rigid body":
        raise refuse(target.said, "all rigid bodies have one cache")
    known = build.one(target)
    if title in {"Cloth", "Soft Body"}:
        identifier = title.upper().replace(" ", "_")
        var = build.var(title)
        found = f'next(each for each in {known.var}.modifiers if each.type == "{identifier}")'
        build.line(f"{var} = {build.expect(found, SIMULATIONS[identifier])}")
        build.simulates(title, var)
        return var
    if title == "fluid domain":
        return fluid(build, target, "DOMAIN", "domain_settings", "FluidDomainSettings")[0]
    var = build.var("system")
    if title == "canvas":
        raise refuse(target.said, "of which surface?")
    build.line(f"{var} = {known.var}.particle_systems[0]")
    build.simulates(title, var)
    return var


def fluid_cache(build: Build, domain: str, first: int | None, last: int | None, how: str, where: str | None) -> None:
    """The frames of a fluid, the folder of its cache, and its bake."""
    build.put(domain, cache_frame_start=first, cache_frame_end=last, cache_directory=where)
    if how:
        build.need("only_selected", "expect")
        if how == "bake":
            build.line(f'{domain}.cache_type = "ALL"')
        build.line(f"only_selected({build.expect(f'{domain}.id_data', 'Object')})")
        with build.block(f"if {'not ' if how == 'bake' else ''}{domain}.has_cache_baked_any:"):
            build.line(f"bpy.ops.fluid.{how}_all()")


FABRICS: Final[Mapping[str, Mapping[str, float]]] = {
    name: dict(zip(("quality", "mass", "tension_stiffness", "compression_stiffness", "shear_stiffness", "bending_stiffness", "tension_damping",
                    "compression_damping", "shear_damping"), values, strict=True))
    for name, values in {
        "cotton": (5, 0.3, 15.0, 15.0, 15.0, 0.5, 5.0, 5.0, 5.0), "denim": (12, 1.0, 40.0, 40.0, 40.0, 10.0, 25.0, 25.0, 25.0),
        "leather": (15, 0.4, 80.0, 80.0, 80.0, 150.0, 25.0, 25.0, 25.0), "rubber": (7, 3.0, 15.0, 15.0, 15.0, 25.0, 25.0, 25.0, 25.0),
        "silk": (5, 0.15, 5.0, 5.0, 5.0, 0.05, 0.0, 0.0, 0.0),
    }.items()
}  # fmt: skip
"""Blender's presets of cloth."""


def simulate(
    build: Build, identifier: str, target: Target | None, sets: Sequence[Set], preset: Mapping[str, float] | None = None
) -> None:
    """A physics modifier with its settings."""
    type_name = SIMULATIONS[identifier]
    label = build.lexicon.manifest.identifiers["modifiers"][identifier].label
    build.need("expect")
    owned = COLLISION_PLACES if identifier == "COLLISION" else build.lexicon.places(type_name)
    chosen = build.choose(sets, sorted(owned, key=lambda place: (not place.path, place.path.count("."))), label)
    with build.each(target, type_="MESH") as known:
        if known.var != "obj":
            build.comment(f"let it be {label.lower()}")
        var = build.var(identifier)
        if identifier == "COLLISION":
            with build.block(f'if {known.var}.modifiers.get("{label}") is None:'):
                build.line(f'{known.var}.modifiers.new("{label}", "{identifier}")')
            build.line(f"{var} = expect({known.var}.collision, bpy.types.CollisionSettings)\n{var}.use = True")
        else:
            held = f'{known.var}.modifiers.get("{label}") or {known.var}.modifiers.new("{label}", "{identifier}")'
            build.line(f"added = {held}\n{var} = expect(added, bpy.types.{type_name})")
        said = {setting.prop.name for setting, _ in chosen}
        build.put(f"{var}.settings", **{name: value for name, value in (preset or {}).items() if name not in said})
        build.assign(var, chosen)
    if known.var != "obj":
        build.topic = Topic(var, tuple(owned), label)
        build.it = known
        build.simulates(label, var)
    build.note(label)


COLLISION_PLACES: Final = (Place("", "CollisionSettings"),)


PULLS: Final = {
    "moon": 1.62,
    "lunar": 1.62,
    "mars": 3.72,
    "martian": 3.72,
    "earth": 9.81,
    "jupiter": 24.79,
    "zero": 0.0,
}
BODIES: Final = "|".join(PULLS)


@step(
    "{off=no|disable|without|enable} gravity",
    "(turn|switch) {off=off|on} [the] gravity",
    "[turn|switch] [the] [scene] gravity [back] {off=off|on} [again] [for] [the] [whole|scene]",
    "[<set>] [the] [scene] gravity [of|for] [the] [whole] [scene] [<to>] ~( {off=off|on} ; [like on] [the] {body=moon|mars|earth|jupiter|zero} [gravity] ; {v:vector} ; {q:quantity} [down|downwards] ; for [the] [whole] scene )",
    f"[with|in|use] {{body={BODIES}}} (gravity|g) ~( (for|in) [the] [this] [whole] scene ; [«] {{q:quantity}} [down|downwards] [»] )",
)
def gravity(build: Build, off: str | None, body: str | None, q: Quantity | None, v: Vec | None) -> None:
    """Gravity of the scene."""
    scene = build.scene()
    if any(each is not None and each.unit is not None and each.unit.measures != "acceleration" for each in (q, v)):
        raise refuse("gravity", "how many m/s\u00b2?")
    if v is not None and (len(v.parts) != 3 or (body and v.parts[2] is None)):
        raise refuse("gravity", "three numbers were expected")
    if v is not None and not v.whole and not body:
        for index, part in enumerate(v.parts):
            if part is not None:
                build.line(f"{scene}.gravity[{index}] = {literal(float(part))}")
    elif v is not None:
        build.line(f"{scene}.gravity = {literal(tuple(float(p or 0) for p in v.parts))}")
    elif q is not None or body:
        share = (
            q is not None
            and body
            and (q.measured("share") or (q.unit is None and re.search(r"\b(half|third|quarter)\b", build.request)))
        )
        pull = abs(q.value) if q is not None else 1.0
        pull *= PULLS[body or "earth"] if share or q is None else 1.0
        build.line(f"{scene}.gravity = (0.0, 0.0, {literal(-pull)})")
    else:
        build.line(f"{scene}.use_gravity = {off in {'on', 'enable'}}")
    build.note("gravity")


FIELD: Final = (
    "~( (<on>|:) [empty] {target:object} ; <called> {name:name} ; (name|call) (it|the empty|the field|the object) {name:name} ; (at|in|location|located at|placed at) {v:vector} ;"
    " [that] [blows|blowing|pushes|pushing|points|pointing|directed] [at it] (along|towards|in|into|in the direction of|at) [the] [direction] {way:axis} [direction|axis] ; (rotated|rotation) [by] {r:vector} ;"
    " [that] [only] (affects|affecting|affect|acts on|acting on) {only=location|rotation|position} only ; [that] only (affects|affecting|affect|acts on) [the] {only=location|rotation|position} ;"
    " {m:main of kind} ; {s:settings of kind} ; {b:settings of kind} )"
)


@step(
    f"[<add>] [a|an] {{kind:kind of force_fields}} [force] [field] [object] {FIELD}",
    f"(<add> [a|an]|a|an) {{kind:kind of force_fields}} [force] field [object] {{name:quoted}} {FIELD}",
    f"<add> (a|an) {{kind:kind of force_fields}} {{name:quoted}} {FIELD}",
    f"[<add>] [a|an] {{kind:kind of force_fields}} [force] [field] empty {FIELD}",
    f"[<add>] [a|an] [force] field [:|,|of] [the] [type] {{kind:kind of force_fields}} {FIELD}",
    f"[give|let|make|turn] {{target:object}} [have|into|is|becomes|be|should be|should become|as|=] [a|an] {{kind:kind of force_fields}} [force] field {FIELD}",
)
def force_field(
    build: Build, kind: Kind, target: Target | None, name: str | None, v: Vec | None, way: str | None, r: Vec | None,
    m: Set | None, s: list[Set] | None, b: list[Set] | None, only: str | None,
) -> None:  # fmt: skip
    """A force field: on objects, or on an empty of its own."""
    if kind.identifier == "NONE" or (kind.identifier == "GUIDE" and target is None):
        raise refuse(kind.label, "it needs a curve")
    build.need("force_field")
    places = (Place("", "FieldSettings"),)
    chosen = build.choose([*([m] if m else []), *(s or []), *(b or [])], places, "a force field")
    if kind.identifier != "GUIDE" and any(found.prop.name.startswith("guide_") for found, _ in chosen):
        raise refuse(kind.label, "only a guide has that")
    if target is None:
        build.comment(f"a {kind.label.lower()} field")
        known = build.new_object(f"{kind.label} field", name or kind.label, called=bool(name), type_="EMPTY")
        target = Target("known", known.var, said=kind.label)
    elif name is not None or v is not None:
        raise refuse(target.said, "is it there, or new?")
    with build.each(target) as known:
        if v is not None:
            set_vector(build, f"{known.var}.location", v, 0.0, kind.label)
        if way is not None:
            build.line(f"{known.var}.rotation_euler = {build.literal(tuple(map(Degrees, BLOWS[way])))}")
        if r is not None:
            set_vector(build, f"{known.var}.rotation_euler", r, 0.0, kind.label, angles=True)
        var = build.var("field")
        build.line(f'{var} = force_field({known.var}, "{kind.identifier}")')
        build.assign(var, chosen)
        if only is not None:
            moves = only != "rotation"
            build.line(f"{var}.apply_to_location = {moves}\n{var}.apply_to_rotation = {not moves}")
    build.topic = Topic(var, places, "force field")
    build.it = build.known[-1] if known.var == "obj" else known
    build.note(f"{kind.label} force field")


BLOWS: Final = {"X": (0.0, 90.0, 0.0), "-X": (0.0, -90.0, 0.0), "Y": (-90.0, 0.0, 0.0), "-Y": (90.0, 0.0, 0.0),
                "Z": (0.0, 0.0, 0.0), "-Z": (180.0, 0.0, 0.0)}  # fmt: skip
"""How an object is turned so that its local Z, along which wind blows, is an axis of the world."""


CHILDREN: Final = "{children:int} [{child=interpolated|simple}] children [per strand|per particle|each]"
ABOUT_PARTICLES: Final = (
    "~( (rendered|render|rendering) [them] (as|from) [the] collection {coll:name} ; <called> {name:name} ; system {name:known} ; (on|to|for|from) {target:object} ; {count:int} (of them|particles|strands|hairs|particle|birds|fish|boids|flakes|snowflakes|drops|sparks|leaves|blades|instances|pieces|copies|stones|items) ; (:|=) {count:int} ; {f:frame_span} ;"
    " (for|in) this (system|particle system) only ; [with] [a] {turned=random rotation|random rotations|randomly rotated|rotated randomly} ; [«] {long:measured of length} [long|length|in length] [»] ; [all] [starting|emitted|emitting|born|start|emission|emit] (at|on) frame {born:int} ; [that] (each living|living|each|each with|with|live|lives|that live|which live) [for] {life:measured of frames} [lifetime|life] ;"
    " (starting|emitted|emitting|born|start|emission) {f:frame_span} ; {s:settings of particle system} ; {more:settings of particle system} ;"
    " (rendered|render|rendering|displayed|shown|drawn) [them] as [the|copies of|instances of] [object] {inst:object of one} [(at|with|in) [a] (scale|size) [of] {size:n}] ;"
    " (leave|leaving|shot|shoot|shot out|emitted|fly out|flying out|thrown) [out] along [the|their] (normal|normals) (with|at) [a] [speed|velocity] [of] {speed:quantity} ;"
    " (shot|shoot|shooting|thrown|emitted|flying) [straight] (up|upwards|up along z) (with|at) [a] [speed|velocity] [of] {up:quantity} ;"
    " [initial] {aligned=object aligned} {way:axis} (velocity|speed) [of] {far:quantity} ; [initial] (velocity|speed) [of] {far:quantity} {aligned=along its own|along the object's|in its own} {way:axis} [axis] ;"
    f" [with] {{still=no initial velocity|no start velocity|no starting velocity|no velocity|no initial speed|zero initial velocity}} ; {WEIGHED} ; {CHILDREN} )"
)


@step(
    f"[<add>] [a|an] [{{hair=hair|fur}}] (particle system|particles|particle emitter) [{{name:known}}] {ABOUT_PARTICLES}",
    f"[<add>] ({{count:int}} [{{hair=hair}}] (particles|strands|hairs)) {ABOUT_PARTICLES}",
    f"[{{verb=add|make|create|give|grow|put|new|insert}}] {{hair=hair|fur|grass}} [system|particle system|strands] {ABOUT_PARTICLES}",
    f"[give|let] {{target:object}} [{{verb=have|gets|get|has|needs}}] [a|an] [{{hair=hair}}] (particle system|particle emitter|hair system) {ABOUT_PARTICLES}",
    f"[make|let|have] [{{target:object}}] [should|must] (emit|emits|emitting|shoot|release|releases|spawn) ({{count:int}} (particles|sparks|drops|flakes|leaves)) {ABOUT_PARTICLES}",
    f"(scatter|distribute|instance|spread) [the] [object] {{inst:object of one}} (over|on|across) {{target:object}} (with|by|using|via|as) [a|an] [{{hair=hair}}] (particle system|particles) {ABOUT_PARTICLES}",
    f"[<add>] [a flock of] {{boids=boids|boid particles}} (on|from) {{target:object}} {ABOUT_PARTICLES}",
)
def particle_system(
    build: Build, target: Target | None, hair: str | None, name: str | None, s: list[Set] | None, more: list[Set] | None,
    f: tuple[int, int] | None, count: int | None, born: int | None, life: Quantity | None, long: Quantity | None, boids: str | None,
    inst: Target | None, coll: str | None, children: int | None, child: str | None,
    verb: str | None, size: float | None, speed: Quantity | None, up: Quantity | None, w: list[Set] | None,
    turned: str | None, still: str | None, aligned: str | None, way: str | None, far: Quantity | None,
) -> None:  # fmt: skip
    """Particle systems with their settings."""
    if still and (speed or up):
        raise refuse(still, "how fast?")
    if target is None and name and build.it is None:
        raise refuse(name, "on which object?")
    if verb == "has" and not (s or more or name or count or life or long or f or born or inst or coll or children):
        raise refuse("has", "a new particle system, or one that is there?")
    if long is not None and not hair:
        raise refuse(f"{long.number:g}", "of what?")
    if hair and not (verb or name or s or more or count or long):
        raise refuse(hair, "what of it?")
    places = places_called(build.lexicon, "particle system")
    chosen = build.choose([*(s or []), *(more or []), *weights_in(w or [])], places, "a particle system")
    if hair and "rotat" not in build.request.lower():  # "dynamics on"
        moving = Setting(places[0], build.lexicon.property("ParticleSystem", "use_hair_dynamics"))
        chosen = [(moving if one.prop.name == "use_dynamic_rotation" else one, value) for one, value in chosen]
    if any(setting.prop.name == "use_hair_dynamics" and value for setting, value in chosen):
        places += places_called(build.lexicon, "hair dynamics")
    if not w and any(one.place.type == "EffectorWeights" and one.prop.type == "POINTER" for one, _ in chosen):
        raise refuse("collection", "of the fields that act on it?")
    title = name or ("Hair" if hair else "Particles")
    start, end = f or (born, born)
    rows = {
        "type": "HAIR" if hair else None, "use_advanced_hair": True if hair else None, "physics_type": "BOIDS" if boids else None,
        "count": count, "hair_length": long and long.value, "frame_start": start, "frame_end": end, "lifetime": life and life.value,
        "render_type": "COLLECTION" if coll else "OBJECT" if inst else None, "use_rotations": True if turned else None,
        "rotation_factor_random": 1.0 if turned else None, "particle_size": size, "normal_factor": 0.0 if up or still else speed and speed.value,
    }  # fmt: skip
    instance = build.object(inst) if inst is not None else f"bpy.data.collections[{quoted(coll)}]" if coll else ""
    build.need("particles")
    with build.each(target) as known:
        build.comment("a particle system")
        var = build.var("system")
        build.line(f"{var} = particles({known.var}, {quoted(title)})")
        build.put(f"{var}.settings", **rows)
        if instance:
            build.line(f"{var}.settings.instance_{'collection' if coll else 'object'} = {instance}")
        if up is not None:
            build.imports("mathutils: Vector")
            build.line(f"{build.view_layer()}.update()\nturned = {known.var}.matrix_world.to_3x3().inverted()")
            build.line(f"{var}.settings.object_align_factor = turned @ Vector((0.0, 0.0, {literal(up.value)}))")
        if aligned and way and far:
            sign = -1.0 if way.startswith("-") else 1.0
            build.line(f"{var}.settings.object_align_factor[{'XYZ'.index(way[-1])}] = {literal(sign * far.value)}")
        set_children(build, var, children, child)
        build.assign(var, chosen)
    build.topic = Topic(var, places, "particle system")
    build.memory["_emitter"] = known
    if known.var != "obj":
        build.simulates("particle system", var)
    build.note(f"particle system {title}")


@step(
    f"[<set>|<add>] [hair|particle] ({CHILDREN}|[{{child=interpolated|simple}}] children) (on|of|for|to) [the] [hair|particles|particle system] [of|on] {{target:object}} ~( {{s:settings of children}} )",
    f"[<set>|<add>] [its] [hair|particle] ({CHILDREN}|[{{child=interpolated|simple}}] children) [:] ~( {{s:settings of children}} )",
)
def particle_children(
    build: Build, target: Target | None, s: list[Set] | None, children: int | None, child: str | None
) -> None:
    """The children of the particles that an object has, or that were spoken of."""
    topic, places = build.topic, places_called(build.lexicon, "children")
    chosen = build.choose(s or [], places, "a particle system")
    if not (chosen or children) or (target is None and (not isinstance(topic, Topic) or topic.places != places)):
        raise refuse("children", "how many, and of what?")
    with build.each(target) as known:
        var = build.topic.var if target is None else build.var("system")
        if target is not None:
            build.line(f"{var} = {known.var}.particle_systems[0]")
        set_children(build, var, children, child)
        build.assign(var, chosen)
    build.note("children")


def set_children(build: Build, var: str, children: int | None, child: str | None) -> None:
    """The kind and the number of the children of particles."""
    if child or children is not None:
        build.line(f'{var}.settings.child_type = "{(child or "interpolated").upper()}"')
    if children is not None:
        build.line(f"{var}.settings.child_percent = {children}\n{var}.settings.rendered_child_count = {children}")


DRAWN: Final = (
    "~( (on|of|for) {emitter:object of one} ; (with|at) [a] (scale|size) [of] {n:n} ; [with|and] [a] (scale|size) (randomness|variation) [of] {vary:n} ;"
    " [with|and] {vary:n} [scale|size] (randomness|variation) )"
)
INSTANCE: Final = (
    "([the] collection {coll:name}|[a] [the|copy of|copies of|instances of] [object] {target:object of one})"
)


@step(
    f"[the] [particles|particle] [are|should be|is] (render|display|show|rendered|displayed|shown|drawn|draw) [them|[the] (particles|particle system|hair|strands) [(of|on) {{emitter:object of one}}]] as {INSTANCE} {DRAWN}",
    f"(render|use) [the] object {{target:object of one}} (as|for) [the] [each] (particle|particles|instance) {DRAWN}",
    "[the] gravity (pulls|still pulls) (them|the particles) [back] [down] [again]",
)
def particle_more(
    build: Build, target: Target | None, n: float | None, vary: float | None, emitter: Target | None, coll: str | None
) -> None:
    """More about the particles spoken of last, or those of an object."""
    if emitter is not None:
        var = simulating(build, "particle system", emitter)
        build.topic = Topic(var, places_called(build.lexicon, "particle system"), "particle system")
    topic = build.topic
    if not isinstance(topic, Topic) or not of_particles(topic):
        raise refuse("them", "which particles?")
    if coll is not None:
        build.line(f'{topic.var}.settings.render_type = "COLLECTION"')
        build.line(f"{topic.var}.settings.instance_collection = bpy.data.collections[{quoted(coll)}]")
    elif target is not None:
        wanted = build.one(target)
        build.line(f'{topic.var}.settings.render_type = "OBJECT"\n{topic.var}.settings.instance_object = {wanted.var}')
    build.put(f"{topic.var}.settings", particle_size=n, size_random=vary)
    build.note("particles")


def of_particles(topic: Topic) -> bool:
    """Whether the words before were about particles."""
    return bool(topic.places) and topic.places[0].type == "ParticleSystem"


@step("{target:object} has [already] [a|the] particle system [already]", first=True)
def particles_there(build: Build, target: Target) -> None:
    """The particles that an object has: the next words are about them."""
    known = build.memory["_emitter"] = build.one(target)
    system = f"{known.var}.particle_systems[0]"
    build.topic = build.memory["_there"] = Topic(
        system, places_called(build.lexicon, "particle system"), "particle system"
    )
    build.simulates("particle system", system)
    build.note("particles: there already")


EMITTER: Final = "the emitter [object|mesh]"
IN_RENDERS: Final = "[(in|for) [the] [final] (render|renders)]"


@step(
    f"(do not|don't) {{seen=render|show}} ({{target:object}}|{EMITTER}) [itself] {IN_RENDERS}",
    f"({{target:object}} itself|{EMITTER} [itself]) (is|should be|must be|stays|must still be|should be still|should still be|is still|remains) {{seen=invisible|hidden|not visible|visible|not rendered|not to be rendered}} {IN_RENDERS}",
    "{target:object} itself (should|must) {seen=not be rendered|not render}",
    "hide [the] emitter [{target:object}] [itself] in [the] {seen=render|renders}",
)
def emitter(build: Build, target: Target | None, seen: str) -> None:
    """Whether what particles come from is rendered with them; hidden in renders it would emit none."""
    emitting = build.memory.get("_emitter") or build.it
    known = build.one(target) if target is not None else emitting
    named = target is not None and "the emitter" in build.request.lower()
    topic = build.topic
    spoken = known is emitting and isinstance(topic, Topic) and of_particles(topic)
    if not isinstance(known, Known) or not (named or spoken):
        raise refuse(target.said if target else "emitter", "do particles come from it?")
    build.line(f"{known.var}.show_instancer_for_render = {seen == 'visible'}")
    build.note("the emitter " + ("is rendered" if seen == "visible" else "is not rendered"))


@step(
    "<add> [a|an|new] hair curves [object] ~( (on|for) [the] [surface of] {target:object} ; surface [:|is] {target:object} ; <called> {name:name} )",
)
def hair_curves(build: Build, target: Target, name: str | None) -> None:
    """An empty object of hair curves on a surface."""
    surface = build.one(target)
    known = build.new_object("hair curves", name or "Curves", called=bool(name), type_="CURVES",
                             data_code=f"bpy.data.hair_curves.new({quoted(name or 'Curves')})")  # fmt: skip
    build.need("expect", "mesh_of")
    build.line(
        f"curves = expect({known.var}.data, bpy.types.Curves)\ncurves.surface = {surface.var}\n{known.var}.parent = {surface.var}"
    )
    build.line(
        f"layer = mesh_of({surface.var}).uv_layers.active\nif layer is not None:\n    curves.surface_uv_map = layer.name"
    )
    build.note("hair curves")


@step(
    "[<enable>] hair dynamics [on] [(for|on|of) {target:object}] [,|with|:] [{s:settings of hair dynamics}]",
)
def hair_dynamics(build: Build, target: Target | None, s: list[Set] | None) -> None:
    """Hair that moves: the cloth of a particle system."""
    places = places_called(build.lexicon, "hair dynamics")
    chosen = build.choose(s or [], places, "hair dynamics")
    with build.each(target) as known:
        var = build.var("system")
        build.line(f"{var} = {known.var}.particle_systems[0]\n{var}.use_hair_dynamics = True")
        build.assign(var, chosen)
    build.topic = Topic(var, places, "hair dynamics")
    build.note("hair dynamics")


PINNED: Final = "~( [pin|pinning] stiffness [of] {n:n} )"


@step(
    f"[<set>] [the] pin group {{name:name}} (for|on) [the] cloth (on|of) {{target:object}} {PINNED}",
    f"pin [the] [cloth] [on|of] {{target:object}} (with|by|using|to) [the] [vertex] group {{name:name}} {PINNED}",
    f"pinned (with|by|to|at) [the] vertex group {{name:name}} {PINNED}",
)
def pin(build: Build, name: str, target: Target | None, n: float | None = None) -> None:
    """The pin group of a cloth that is there, or is made."""
    topic = build.topic
    of_topic = isinstance(topic, Topic) and topic.title == "Cloth"
    if target is not None and (target.how != "it" or not of_topic):
        simulate(build, "CLOTH", target, [])
    elif not of_topic:
        raise refuse("pin", "what?")
    build.line(f"{build.topic.var}.settings.vertex_group_mass = {quoted(name)}")
    if n is not None:
        build.line(f"{build.topic.var}.settings.pin_stiffness = {literal(float(n))}")
    build.note(f"pinned by {name}")


WET: Final = "{stuff=liquid|fluid|water|smoke|gas|fire|smoke and fire|fire and smoke|smoke + fire}"
DOMAIN: Final = (
    "~( (for|on|to|of) {target:object} ; [«] [resolution|resolution of|resolution:] {n:int} (divisions|voxels) [»] ; [and] (dissolve|dissolves|dissolving) [the] [smoke|it] (over|in|within|after) {gone:int} frames ; [cache] [folder|directory|in|to|cache] {where:path} ; [simulated|cached|cache] {f:frame_span} ;"
    " {s:settings of FluidDomainSettings} ; {b:settings of FluidDomainSettings} )"
)
FLOW: Final = (
    "~( (for|on|to|of) {target:object} ; {behavior=inflow|outflow|geometry} [behavior|flow behavior] ; [with] [an] [initial] velocity [of] ({v:vector}|{fast:quantity} [straight] {way=down|downwards|up|upwards}) ; [of] {kind=smoke and fire|fire and smoke|liquid|smoke|fire|water|gas} ;"
    " {s:settings of FluidFlowSettings} ; {b:settings of FluidFlowSettings} )"
)
EFFECTOR: Final = "~( (for|on|to|of) {target:object} ; (in|for|of) [the] (liquid|smoke|fluid|gas) (simulation|domain) ; for the (fluid|smoke|liquid|water) ; {kind=collision|guide} [type] ; {s:settings of FluidEffectorSettings} )"


@step(
    f"[set up|<add>] [a|an|the] [{WET}] domain [:|on] [{{target:object}}] [gets|needs|uses|:] {DOMAIN}",
    f"[make|turn|let|set|use] {{target:object}} [{BECOMES}|into] [a|an|the] [{WET}] domain {DOMAIN}",
)
def fluid_domain(
    build: Build, target: Target | None, stuff: str | None, n: int | None, where: str | None, f: tuple[int, int] | None,
    s: list[Set] | None, b: list[Set] | None, gone: int | None,
) -> None:  # fmt: skip
    """A fluid domain."""
    if f is not None and DISSOLVING.search(build.request):
        raise refuse("dissolve", "the smoke does in these frames, and the simulation lasts longer")
    domain, owned = fluid(build, target, "DOMAIN", "domain_settings", "FluidDomainSettings")
    said = f" {build.request.lower()} "
    liquid = stuff in {"liquid", "fluid", "water"} or (
        stuff is None and any(f" {word}" in said for word in ("liquid", "water"))
    )
    if stuff is None and not liquid and not any(f" {word}" in said for word in ("smoke", "gas", "fire")):
        raise refuse("domain", "for a liquid, or for smoke?")
    kind = "LIQUID" if liquid else "GAS"
    build.line(f'if {domain}.domain_type != "{kind}":\n    {domain}.domain_type = "{kind}"')
    first, last = f or (None, None)
    build.put(domain, resolution_max=n, cache_frame_start=first, cache_frame_end=last, cache_directory=where)
    if gone is not None:
        build.put(domain, use_dissolve_smoke=True, dissolve_speed=gone)
    chosen = build.choose([*(s or []), *(b or [])], owned, "a fluid domain")
    toggled = [each for each in chosen if each[0].prop.name.endswith("_particles")]  # set again, they are off again
    for setting, value in toggled:
        with build.block(f"if {domain}.{setting.prop.name} != {value}:"):
            build.assign(domain, [(setting, value)])
    build.assign(domain, [each for each in chosen if each not in toggled])
    build.note("fluid domain")


DISSOLVING: Final = re.compile(r"dissolv\w*( the| smoke| it)* (over|in|within|after) ", re.IGNORECASE)


@step(
    f"[<add>] [a|an] [{WET}] {{role=inflow|outflow|flow|emitter}} [object] [:|on] [{{target:object}}] {FLOW}",
    f"<set> [the] [fluid] {{role=flow}} [behavior|type] (of|on) {{target:object}} [<to>] {FLOW}",
    f"[make|let|have] {{target:object}} (emits|emit|emitting) {{stuff=smoke and fire|fire and smoke|liquid|fluid|water|smoke|gas|fire}} {FLOW}",
    f"[make|turn|let|set|use] {{target:object}} [{BECOMES}|into|emit] [a|an|the] [{{stuff=smoke and fire|fire and smoke|liquid|fluid|water|smoke|gas|fire}}] {{role=inflow|outflow|flow|emitter|flow object}} {FLOW}",
)
def fluid_flow(
    build: Build, target: Target | None, stuff: str | None, role: str | None, behavior: str | None, kind: str | None, v: Vec | None,
    s: list[Set] | None, b: list[Set] | None, fast: Quantity | None, way: str | None,
) -> None:  # fmt: skip
    """What emits or takes away a fluid."""
    if fast is not None and way is not None:
        v = Vec((0.0, 0.0, -fast.value if way.startswith("down") else fast.value))
    named = stuff
    stuff = kind or stuff
    said = f" {build.request.lower()} "
    if stuff is None and not any(word in said for word in ("liquid", "water", "fluid", "smoke", "fire")):
        raise refuse(role or "flow", "of a liquid, of smoke or of fire?")
    stuff = stuff or next(word for word in ("liquid", "water", "smoke", "fire", "fluid") if word in said)
    flow, owned = fluid(build, target, "FLOW", "flow_settings", "FluidFlowSettings")
    chosen = build.choose([*(s or []), *(b or [])], owned, "a fluid flow")
    typed = any(setting.prop.name == "flow_type" for setting, _ in chosen)
    if named and (typed or named not in (kind or named)):
        raise refuse(named, "of that alone, or of both?")
    if not typed:
        types = {"smoke": "SMOKE", "gas": "SMOKE", "fire": "FIRE"}
        build.line(f'{flow}.flow_type = "{"BOTH" if " " in stuff else types.get(stuff, "LIQUID")}"')
    behavior = behavior or role
    if behavior in {"inflow", "outflow", "geometry"}:
        build.line(f'{flow}.flow_behavior = "{behavior.upper()}"')
    if v is not None:
        build.line(
            f"{flow}.use_initial_velocity = True\n{flow}.velocity_coord = {literal(tuple(float(part or 0) for part in v.parts))}"
        )
    build.assign(flow, chosen)
    build.note(f"fluid flow of {stuff}")


@step(
    f"[<add>] [a|an] fluid (effector|obstacle|collider) [on|:] [{{target:object}}] {EFFECTOR}",
    f"[the] effector {{target:object}} (in|for|of) [the] (liquid|smoke|fluid|gas) (simulation|domain) {EFFECTOR}",
    f"[obstacle|effector] [:] [make|turn|let|set|use] {{target:object}} [{BECOMES}|into] [a|an|the] [fluid] (effector|obstacle|fluid collider|fluid obstacle) {EFFECTOR}",
)
def fluid_effector(build: Build, target: Target | None, kind: str | None, s: list[Set] | None) -> None:
    """What a fluid flows around, or is guided by."""
    effector, owned = fluid(build, target, "EFFECTOR", "effector_settings", "FluidEffectorSettings")
    chosen = build.choose(s or [], owned, "a fluid effector")
    if all(setting.prop.name != "effector_type" for setting, _ in chosen):
        build.line(f'{effector}.effector_type = "{(kind or "collision").upper()}"')
    build.assign(effector, chosen)
    build.note("fluid effector")


def fluid(
    build: Build, target: Target | None, role: str, attribute: str, type_name: str
) -> tuple[str, tuple[Place, ...]]:
    """The variable of the settings of an object's part in a fluid simulation, and the places of its settings."""
    known = build.one(target)
    build.need("expect")
    var = build.var(f"{role} settings")
    build.line(f'added = {known.var}.modifiers.get("Fluid") or {known.var}.modifiers.new("Fluid", "FLUID")')
    build.line(f'fluid = expect(added, bpy.types.FluidModifier)\nfluid.fluid_type = "{role}"')
    build.line(f"{var} = expect(fluid.{attribute}, bpy.types.{type_name})")
    owned = build.lexicon.places(type_name)
    build.topic = Topic(var, owned, f"fluid {role.lower()}")
    if role == "DOMAIN":
        build.simulates("fluid domain", var)
    build.it = known
    return var, owned


PAINT: Final = "~( (for|on|to|of) {target:object} ; [with] [a] {kind=displace|paint|waves|wave|weight} [surface] [type] ; {f:frame_span} ; {s:settings of DynamicPaintSurface} ; {b:settings of DynamicPaintSurface} )"
BRUSH: Final = "~( (for|on|to|of) {target:object} ; {s:settings of DynamicPaintBrushSettings} ; {b:settings of DynamicPaintBrushSettings} )"


@step(
    f"[<add>] [a|an] [dynamic paint] canvas [on|:] [{{target:object}}] {PAINT}",
    f"[make|turn|let|set|use] {{target:object}} [{BECOMES}|into] [a|an|the] [dynamic paint] canvas {PAINT}",
)
def paint_canvas(
    build: Build, target: Target | None, kind: str | None, f: tuple[int, int] | None, s: list[Set] | None, b:
    list[Set] | None,
) -> None:  # fmt: skip
    """A canvas of Dynamic Paint with one surface."""
    canvas = dynamic_paint(build, target, "CANVAS", "canvas_settings", "DynamicPaintCanvasSettings")
    build.line(f"surface = {canvas}.canvas_surfaces[0]")
    sets = [*(s or []), *(b or [])]
    if kind is None and any(each.said.lower() == "displace" for each in sets):
        kind, sets = "displace", [each for each in sets if each.said.lower() != "displace"]
    if kind:
        build.line(f'surface.surface_type = "{ {"waves": "WAVE"}.get(kind, kind.upper()) }"')
    first, last = f or (None, None)
    build.put("surface", frame_start=first, frame_end=last)
    owned = build.lexicon.places("DynamicPaintSurface")
    build.assign("surface", build.choose(sets, owned, "a canvas"))
    build.topic = Topic("surface", owned, "canvas")
    build.simulates("canvas", "surface")
    build.note("dynamic paint canvas")


@step(
    f"[<add>] [a|an] dynamic paint brush [on|:] [{{target:object}}] {BRUSH}",
    f"[make|turn|let|set|use] {{target:object}} [{BECOMES}|into] [a|an|the] [dynamic paint] brush {BRUSH}",
    "{target:object} paints [in] {s:settings of DynamicPaintBrushSettings}",
)
def paint_brush(build: Build, target: Target | None, s: list[Set] | None, b: list[Set] | None) -> None:
    """A brush of Dynamic Paint."""
    brush = dynamic_paint(build, target, "BRUSH", "brush_settings", "DynamicPaintBrushSettings")
    owned = build.lexicon.places("DynamicPaintBrushSettings")
    build.assign(brush, build.choose([*(s or []), *(b or [])], owned, "a brush"))
    build.topic = Topic(brush, owned, "brush")
    build.note("dynamic paint brush")


def dynamic_paint(build: Build, target: Target | None, role: str, attribute: str, type_name: str) -> str:
    """The variable of the settings of a canvas or a brush; the operator makes them the first time."""
    known = build.one(target)
    build.need("expect", "only_selected")
    build.line(
        f'added = {known.var}.modifiers.get("Dynamic Paint") or {known.var}.modifiers.new("Dynamic Paint", "DYNAMIC_PAINT")'
    )
    build.line(f'paint = expect(added, bpy.types.DynamicPaintModifier)\npaint.ui_type = "{role}"')
    build.line(
        f'if paint.{attribute} is None:\n    only_selected({known.var})\n    bpy.ops.dpaint.type_toggle(type="{role}")'
    )
    build.line(f"{role.lower()} = expect(paint.{attribute}, bpy.types.{type_name})")
    build.it = known
    return role.lower()
