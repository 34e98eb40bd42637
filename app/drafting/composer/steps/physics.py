"""Physics: rigid bodies, cloth, soft bodies, collision, force fields, particles, gravity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from app.drafting.composer.build import Build, Known
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Kind, Place
from app.drafting.composer.patterns import Env, Reading, compile_pattern, slot
from app.drafting.composer.slots import Set, Target, settings
from app.drafting.composer.steps.modifiers import Topic
from app.drafting.composer.steps.objects import set_vector, starts
from app.drafting.composer.values import Degrees, Quantity, Vec, literal, quoted, refuse

BODY: Final = "RigidBodyObject"


ABOUT_BODY: Final = "~( <on> {target:object} ; {kind=active|passive} ; {s:settings of RigidBodyObject} ; {b:settings of RigidBodyObject} )"


@step(
    f"[<add>] [a|an] [{{kind=active|passive}}] rigid body [physics|simulation] {ABOUT_BODY}",
    f"(make|turn|set|let) {{target:object}} [into|to|be|as|become] [a|an] [{{kind=active|passive}}] rigid (body|bodies) {ABOUT_BODY}",
    f"(give|let) {{target:object}} [have] [a|an] [{{kind=active|passive}}] rigid (body|bodies) [physics] {ABOUT_BODY}",
    f"{{target:object}} [:] (is|are|as|should be|becomes|become|gets|get|has) [a|an] [{{kind=active|passive}}] rigid (body|bodies) {ABOUT_BODY}",
    f"{{target:object}} [:|,|-] [a|an] [{{kind=active|passive}}] rigid (body|bodies) {ABOUT_BODY}",
    f"{{target:object}} [is|as|should be|becomes|to|:|,] [a|an] {{kind=active|passive}} [one|body|rigid body|rigid bodies] {ABOUT_BODY}",
    f"(make|set) {{target:object}} [a|an] {{kind=active|passive}} [one|body|rigid body] {ABOUT_BODY}",
)
def rigid_body(
    build: Build, target: Target | None, kind: str | None, s: list[Set] | None, b: list[Set] | None = None
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
        build.assign(var, chosen)
    if known.var != "obj":
        build.topic = Topic(var, (Place("", BODY),), "rigid body")
    build.note(f"{said} -> {kind or 'active'} rigid body")


@step(
    "<add> [the] rigid body world [a|an|:|with|to] {s:settings of RigidBodyWorld} [and let its cache run {f:frame_span}]",
    "[<set>] [the] rigid body world [:|,|with|to] {s:settings of RigidBodyWorld} [and let its cache run {f:frame_span}]",
    "[and] let [its|the] [rigid body] cache run {f:frame_span}",
    "[<set>|keep] [the] [simulation|physics] cache [<to>] {f:frame_span} (for|of) [the] rigid (body|bodies|body world)",
    "set [the] rigid body cache (end|end frame) to {last:int}",
    "(bake|set) [the] [rigid body] (simulation|cache) [to] {f:frame_span}",
)
def rigid_world(build: Build, s: list[Set] | None, f: tuple[int, int] | None, last: int | None) -> None:
    """Settings of the rigid body world."""
    f = f or ((1, last) if last else None)
    build.need("expect")
    scene = build.scene()
    build.comment("set up the rigid body world")
    build.line(f"if {scene}.rigidbody_world is None:\n    bpy.ops.rigidbody.world_add()")
    build.line(f"physics = expect({scene}.rigidbody_world, bpy.types.RigidBodyWorld)")
    if s:
        build.assign("physics", build.choose(s, (Place("", "RigidBodyWorld"),), "the rigid body world"))
    if f:
        build.line(
            f"cache = expect(physics.point_cache, bpy.types.PointCache)\ncache.frame_start = {f[0]}\ncache.frame_end = {f[1]}"
        )
    build.note("rigid body world")


JOINT: Final = "{kind=fixed|point|hinge|slider|piston|generic spring|generic|motor|spring|ball}"
ABOUT_JOINT: Final = (
    "~( (between|connecting|joining|for|of|from) {target:object} ; (to|on|with|and) {other:object of one} ; [on] [an|a|at] empty [<called> {name:name}] ; [the] empty {name:quoted} ; <called> {name:name} ;"
    " (at|located at|pivot at|placed at) {v:vector} ; [«] first {one:object of one} [,] [and] [then|second] {two:object of one} [»] ;"
    " [linear|angle|angular|rotation|rotational] [{along=x|y|z}] [limit|limits|limited] [of|to] [from|between] {low:quantity} (to|and|..) {high:quantity} [on|along|around] [{along:axis}] ;"
    " [limits] {lim:limits} ; {apart=the two may not collide with each other|the two may not collide|the two do not collide|they do not collide|they should not collide|bodies do not collide|may not collide with each other|do not collide with each other|should not collide with each other|disable collisions|collisions disabled|no collisions between them|without collisions} ;"
    " (stiffness|spring stiffness) [of] {stiff:n} ; damping [of] {damp:n} ; [only] (on|along|around|about|in|over) {axis:axis} [only] ;"
    " [turns|spins|turning|spinning|target velocity|velocity|speed] [at|of] {speed:quantity} ; (max|maximum) impulse [of] {impulse:n} ;"
    " {breaks=breakable|that can break} ; (breaking threshold|breakable at|breaks at|threshold|breaking force) [of|at] {force:n} ; {s:settings of RigidBodyConstraint} )"
)


@step(
    f"(connect|join|link|attach|constrain) {{target:object}} [(to|with|and) {{other:object of one}}] (with|by|using|through|via) [a|an] [{{breaks=breakable}}] {JOINT} [rigid body] [constraint|joint] {ABOUT_JOINT}",
    f"[<add>] [a|an] [{{breaks=breakable}}] {JOINT} [rigid body] (constraint|joint) [:|,] [{{target:object}} [(to|on|with) {{other:object of one}}]] {ABOUT_JOINT}",
    f"[<add>] [a|an] [rigid body] {{kind=spring|hinge|motor|slider|piston}} (between|from) {{target:object}} [to {{other:object of one}}] {ABOUT_JOINT}",
    f"[<add>] [a|an] empty [<called> {{name:name}}] [at {{v:vector}}] (carries|holds|has|with|that carries|carrying|as) [a|an] {JOINT} [rigid body] (constraint|joint) {ABOUT_JOINT}",
    f"(hang|hold|suspend) {{target:object}} (from|on) {{other:object of one}} (with|by|using|through|via|on) [a|an] {JOINT} [rigid body] [constraint|joint] {ABOUT_JOINT}",
)
def body_constraint(
    build: Build, target: Target | None, other: Target | None, kind: str, name: str | None, v: Vec | None, one: Target | None,
    two: Target | None, low: Quantity | None, high: Quantity | None, along: str | None, apart: str | None, force: float | None,
    stiff: float | None, damp: float | None, axis: str | None, speed: Quantity | None, impulse: float | None,
    breaks: str | None, s: list[Set] | None, lim: list[tuple[str, Quantity | None, Quantity | None]] | None,
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
    known = build.new_object("empty", name or "Constraint", called=bool(name), type_="EMPTY")
    if v is not None:
        set_vector(build, f"{known.var}.location", v, 0.0, target.said)
    elif kind != "fixed":
        build.line(f"{known.var}.location = ({members[0].var}.location + {members[1].var}.location) / 2.0")
    build.line(
        f"if {known.var}.rigid_body_constraint is None:\n    only_selected({known.var})\n    bpy.ops.rigidbody.constraint_add()"
    )
    build.line(f"joint = expect({known.var}.rigid_body_constraint, bpy.types.RigidBodyConstraint)")
    build.line(
        f'joint.type = "{kind.upper().replace(" ", "_")}"\njoint.object1 = {members[0].var}\njoint.object2 = {members[1].var}'
    )
    letter = (axis or (along or "").upper() or OWN_AXIS.get(kind, ""))[-1:].lower()
    if axis is not None and kind in OWN_AXIS and axis[-1] != OWN_AXIS[kind]:
        turned = tuple(map(Degrees, ALONG[OWN_AXIS[kind] + axis[-1]]))
        build.line(f"{known.var}.rotation_euler = {build.literal(turned)}")
        letter = OWN_AXIS[kind].lower()
    for one_letter, from_, to in [*([(letter, low, high)] if low is not None else []), *(lim or [])]:
        if from_ is None or to is None:
            raise refuse(kind, "from where to where?")
        limit_joint(build, kind, one_letter, from_, to)
    if stiff is not None or damp is not None:
        if kind != "generic spring" or not letter:
            raise refuse(kind, "a spring along which axis?")
        build.line(f"joint.use_spring_{letter} = True")
        for word, amount in (("stiffness", stiff), ("damping", damp)):
            if amount is not None:
                build.line(f"joint.spring_{word}_{letter} = {literal(float(amount))}")
    if speed is not None or impulse is not None:
        if kind != "motor":
            raise refuse(kind, "only a motor turns")
        way = "ang" if speed is None or speed.unit is None or "ang" in speed.unit.measures else "lin"
        build.line(f"joint.use_motor_{way} = True")
        for word, amount in (("target_velocity", speed.value if speed is not None else None), ("max_impulse", impulse)):
            if amount is not None:
                build.line(f"joint.motor_{way}_{word} = {literal(float(amount))}")
    if apart:
        build.line("joint.disable_collisions = True")
    if force is not None or breaks:
        build.line("joint.use_breaking = True")
    if force is not None:
        build.line(f"joint.breaking_threshold = {literal(float(force))}")
    chosen = build.choose(s or [], (Place("", "RigidBodyConstraint"),), "a rigid body constraint")
    if any(setting.prop.name.startswith("motor_") for setting, _ in chosen):
        raise refuse(kind, "does it turn, or push?")
    build.assign("joint", chosen)
    build.topic = Topic("joint", (Place("", "RigidBodyConstraint"),), "rigid body constraint")
    build.note(f"{kind} constraint")


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
    "(calculate|set|compute) [the] [rigid body] (mass|masses) (of|for) {target:object} (from|with|by|using) [the] density [of] [{stuff:thing_word}] [«] {n:quantity} [»] [, calculate it]",
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


REMOVED: Final = {"cloth": "CLOTH", "soft body": "SOFT_BODY", "collision": "COLLISION", "fluid": "FLUID", "dynamic paint": "DYNAMIC_PAINT",
                  "particle system": "PARTICLE_SYSTEM", "particle systems": "PARTICLE_SYSTEM", "particles": "PARTICLE_SYSTEM", "hair": "PARTICLE_SYSTEM"}  # fmt: skip


@step(
    f"<remove> [all] [the] {{what=rigid body physics|rigid body|rigid bodies|force field|force fields|{'|'.join(REMOVED)}}} [physics|simulation|settings] (from|of|on) {{target:object}}",
    "<remove> {target:object} from the rigid body (world|simulation)",
)
def remove_physics(build: Build, what: str | None, target: Target) -> None:
    """Take the physics from objects."""
    with build.each(target) as known:
        if what is None or what.startswith("rigid"):
            build.need("only_selected")
            build.line(
                f"if {known.var}.rigid_body is not None:\n    only_selected({known.var})\n    bpy.ops.rigidbody.object_remove()"
            )
        elif what.startswith("force"):
            build.need("expect")
            build.line(f'expect({known.var}.field, bpy.types.FieldSettings).type = "NONE"')
        else:
            build.line(
                f'for each in list({known.var}.modifiers):\n    if each.type == "{REMOVED[what]}":\n        {known.var}.modifiers.remove(each)'
            )
    build.note(f"no {what or 'rigid body'}")


@step(
    "<remove> [all] [the] [physics] (bakes|bake|baked caches|caches) [in the file|in the scene]",
    "free (all|every|each) [physics|simulation] (bakes|bake|caches|baked caches) [in the file|of the scene]",
    "{how=bake} (all|every|everything|the) [physics|simulation|dynamics] [simulations|caches|physics|dynamics]",
)
def bake_all(build: Build, how: str | None) -> None:
    """Bake every simulation of the scene, or free what was baked."""
    build.line("bpy.ops.ptcache.bake_all(bake=True)" if how else "bpy.ops.ptcache.free_bake_all()")
    build.note("every cache")


@step(
    "bake [the] rigid body [simulation|physics] [of {target:object}] (to|into) [keyframes|keys] ~( {f:frame_span} ; (of|for|on|,) {target:object} ; every {n:int} frames )",
    "(convert|bake) [the] rigid bodies (to|into) [keyframes|keys] ~( {f:frame_span} ; (of|for|on|,) {target:object} ; every {n:int} frames )",
)
def bake_bodies(build: Build, target: Target | None, f: tuple[int, int] | None, n: int | None) -> None:
    """Keyframes in the place of the rigid bodies that moved objects."""
    if f is None:
        raise refuse("bake", "from which frame to which?")
    build.once()
    build.need("bake_bodies")
    found = build.objects(target) if target is not None else None
    which = (
        "[obj for obj in current_scene().objects if obj.rigid_body is not None]"
        if found is None
        else f"[{found.var}]"
        if isinstance(found, Known)
        else f"list({found.expression})"
    )
    build.need("current_scene")
    build.line(f"bake_bodies({which}, range({f[0]}, {f[1] + 1}, {n or 1}))")
    build.note("rigid bodies baked to keyframes")


SIMULATIONS: Final = {
    "CLOTH": ("ClothModifier", ("settings", "collision_settings", "settings.effector_weights", "point_cache", "")),
    "SOFT_BODY": ("SoftBodyModifier", ("settings", "settings.effector_weights", "point_cache", "")),
    "COLLISION": ("CollisionModifier", ("settings", "")),
}


KINDS: Final = "{kind=cloth|soft body|collision|collider|collision object|collision body}"
ABOUT_SIMULATION: Final = (
    "~( <on> {target:object} ; (pinned|pin it|held) [by|with|to|at|using] [the] [vertex] group {group:name} ;"
    " (pin group|pin vertex group) {group:name} ; [«] {fabric=cotton|denim|leather|rubber|silk} [preset|fabric] [»] ; {s:settings of simulation} ; {b:settings of simulation} )"
)


@step(
    f"[<add>] [a|an] [{{fabric=cotton|denim|leather|rubber|silk}}] {KINDS} [simulation|physics|modifier] {ABOUT_SIMULATION}",
    f"(make|turn|set) {{target:object}} [into|to|be|as|become] [a|an] {KINDS} [simulation] {ABOUT_SIMULATION}",
    f"(give|let) {{target:object}} [have|be|become|use] [a|an] {KINDS} [simulation|physics|modifier] {ABOUT_SIMULATION}",
    f"(enable|turn on|activate|simulate) {KINDS} (for|on) {{target:object}} {ABOUT_SIMULATION}",
    f"(let|make) {{target:object}} collide with [the] [cloth|particles|soft bodies|cloth and particles] [:|,] [{{kind=collision}}] {ABOUT_SIMULATION}",
    f"{{target:object}} [already] (is|has|becomes|gets|as|needs|should have|should be) [a|an] {KINDS} [simulation|physics|modifier] {ABOUT_SIMULATION}",
)
def simulation(
    build: Build, kind: str | None, target: Target | None, s: list[Set] | None, b: list[Set] | None, group: str | None,
    fabric: str | None = None,
) -> None:  # fmt: skip
    """Cloth, soft body or collision; what is there already is set up."""
    identifier = {"cloth": "CLOTH", "soft body": "SOFT_BODY"}.get(kind or "", "COLLISION")
    if fabric and identifier != "CLOTH":
        raise refuse(fabric, "only a preset of cloth")
    simulate(build, identifier, target, [*(s or []), *(b or [])], FABRICS[fabric] if fabric else {})
    if group is not None:
        pin(build, group, None)


@step(
    "(let|make) {target:object} ignore gravity [completely] [in [its|the] [field|effector] weights]",
    "(set|turn) [the] gravity [field] weight [of {target:object}] (to|off) [0|zero]",
    "[it] (ignores|ignoring|ignore) gravity [completely]",
)
def weightless(build: Build, target: Target | None) -> None:
    """A cloth or a soft body that gravity does not pull."""
    topic = build.topic
    if not isinstance(topic, Topic) or topic.title not in {"Cloth", "Soft Body"}:
        raise refuse("gravity", "of which simulation?")
    if target is not None:
        build.one(target)
    build.need("expect")
    build.line(f"expect({topic.var}.settings.effector_weights, bpy.types.EffectorWeights).gravity = 0.0")
    build.note("no gravity in its field weights")


@step(
    "(let|make) [its|the] (simulation|cache) run (up to|until|to|till) {last:frame}",
    "(let|make) [its|the] (simulation|cache) run [from] {f:frame_span}",
    "[<set>] [its|the] [cloth|soft body|simulation] cache [<to>|from] {f:frame_span}",
    "[its|the] (simulation|cache) (runs|ends|end) [at|until|up to|on] {last:frame}",
    "(set|extend) [its|the] [cloth|soft body] (simulation|cache) [end|end frame] (to|until) {last:frame}",
)
def cache(build: Build, last: int | None, f: tuple[int, int] | None) -> None:
    """The frames of the simulation that was spoken of."""
    topic = build.topic
    if not isinstance(topic, Topic) or topic.title not in {"Cloth", "Soft Body"}:
        raise refuse("simulation", "of which one?")
    build.need("expect")
    var = build.var("cache")
    build.line(f"{var} = expect({topic.var}.point_cache, bpy.types.PointCache)")
    first, end = f or (None, last)
    if first is not None:
        build.line(f"{var}.frame_start = {first}")
    build.line(f"{var}.frame_end = {end}")
    build.note(f"simulated up to frame {end}")


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
    type_name, _ = SIMULATIONS[identifier]
    label = build.lexicon.manifest.identifiers["modifiers"][identifier].label
    build.need("expect")
    owned = COLLISION_PLACES if identifier == "COLLISION" else build.lexicon.places(type_name)
    chosen = build.choose(sets, sorted(owned, key=lambda place: (not place.path, place.path.count("."))), label)
    with build.each(target, type_="MESH") as known:
        if known.var != "obj":
            build.comment(f"let it be {label.lower()}")
        var = build.var(identifier)
        build.line(
            f'added = {known.var}.modifiers.get("{label}") or {known.var}.modifiers.new("{label}", "{identifier}")'
        )
        if identifier == "COLLISION":
            build.line(f"{var} = expect({known.var}.collision, bpy.types.CollisionSettings)\n{var}.use = True")
            chosen_here = chosen
        else:
            build.line(f"{var} = expect(added, bpy.types.{type_name})")
            chosen_here = chosen
        for name, value in (preset or {}).items():
            build.line(f"{var}.settings.{name} = {value}")
        build.assign(var, chosen_here)
    if known.var != "obj":
        build.topic = Topic(var, tuple(owned), label)
        build.it = known
    build.note(label)


COLLISION_PLACES: Final = (Place("", "CollisionSettings"),)


@step(
    "gravity {off=off|on}",
    "(turn|switch) {off=off|on} [the] gravity [of the scene]",
    "(turn|switch) [the] gravity {off=off|on}",
    "{off=no|disable|without|enable} gravity [in the scene]",
    "zero (gravity|g)",
    "{body=moon|mars|earth|jupiter} gravity [«] [{n:n}] [down|downwards] [»]",
    "[<set>] [the] gravity [of the scene] [<to>] {body=moon|mars|earth|jupiter} [gravity] [«] [{n:n}] [down|downwards] [»]",
    "(set|change) [the] gravity [of the scene] (to|=) {v:vector}",
    "[set] [the] gravity [of the scene] [to|=] {v:vector}",
    "[<set>] [the] gravity [of the scene] [<to>] {n:n} [down|downwards]",
)
def gravity(build: Build, off: str | None, body: str | None, n: float | None, v: Vec | None) -> None:
    """Gravity of the scene."""
    scene = build.scene()
    if v is not None:
        if len(v.parts) != 3 or not v.whole:
            raise refuse("gravity", "three numbers were expected")
        build.line(f"{scene}.gravity = {literal(tuple(float(p or 0) for p in v.parts))}")
    elif n is not None or body:
        pull = (
            abs(n) if n is not None else {"moon": 1.62, "mars": 3.72, "earth": 9.81, "jupiter": 24.79}[body or "earth"]
        )
        build.line(f"{scene}.gravity = (0.0, 0.0, {literal(-float(pull))})")
    else:
        build.line(f"{scene}.use_gravity = {off in {'on', 'enable'}}")
    build.note("gravity")


@step(
    "[<add>] [a|an] {kind:kind of force_fields} [force] [field] [object] [{a:field_details}]",
    "[<add>] [a|an] force field [:|,|of] [the] [type] {kind:kind of force_fields} (on|to|for) {target:object} [,|with|:] [{s:settings of FieldSettings}]",
    "<add> [a|an] [force] field of [the] [type] {kind:kind of force_fields} [{a:field_details}]",
    "(give|let) {target:object} [have] [a|an] {kind:kind of force_fields} [force] field [with|:|,] [{s:settings of FieldSettings}]",
    "force field [of] [type] {kind:kind of force_fields} (on|to|for) {target:object} [,|with|:] [{s:settings of FieldSettings}]",
    "{kind:kind of force_fields} [force] field (on|for) {target:object} [,|with|:] [{s:settings of FieldSettings}]",
    "(make|turn) {target:object} [into|a|an] {kind:kind of force_fields} [force] field [with|:|,] [{s:settings of FieldSettings}]",
)
def force_field(
    build: Build, kind: Kind, a: tuple[list[tuple[str, object]], list[Set]] | None, target: Target | None, s:
    list[Set] | None,
) -> None:  # fmt: skip
    """A force field: on an object, or on an empty of its own."""
    if kind.identifier in {"GUIDE", "NONE"}:
        raise refuse(kind.label, "it needs a curve")
    build.need("force_field")
    details, sets = a or ([], s or [])
    if target is None:
        names = [value for what, value in details if what == "name"]
        title = str(names[0]) if names else kind.label
        build.comment(f"a {kind.label.lower()} field")
        known = build.new_object(f"{kind.label} field", title, called=bool(names), type_="EMPTY")
        for what, value in details:
            if what == "location" and isinstance(value, Vec):
                set_vector(build, f"{known.var}.location", value, 0.0, kind.label)
            elif what == "way" and isinstance(value, str):
                build.line(f"{known.var}.rotation_euler = {build.literal(tuple(map(Degrees, BLOWS[value])))}")
            elif what == "rotation" and isinstance(value, Vec):
                set_vector(build, f"{known.var}.rotation_euler", value, 0.0, kind.label, angles=True)
    else:
        known = build.one(target)
    var = build.var("field")
    build.line(f'{var} = force_field({known.var}, "{kind.identifier}")')
    build.assign(var, build.choose(sets, (Place("", "FieldSettings"),), "a force field"))
    build.topic = Topic(var, (Place("", "FieldSettings"),), "force field")
    build.it = known
    build.note(f"{kind.label} force field")


@slot("field_details")
def field_details(
    reading: Reading, at: int, env: Env, of: str
) -> Iterator[tuple[int, tuple[list[tuple[str, object]], list[Set]]]]:
    """Place, name and settings of a force field, in any order."""
    matchers = [(what, compile_pattern(text)) for what, text in FIELD_TEXT]
    frontier: list[tuple[int, list[tuple[str, object]], list[Set]]] = [(at, [], [])]
    best: dict[int, tuple[list[tuple[str, object]], list[Set]]] = {}
    while frontier:
        place, said, sets = frontier.pop(0)
        for start in starts(reading, place):
            for what, matcher in matchers:
                for end, found in matcher(reading, start, {}):
                    if end not in best:
                        best[end] = ([*said, (what, found["v"])], sets)
                        frontier.append((end, *best[end]))
            for end, more in settings(reading, start, {}, "FieldSettings"):
                if end not in best and len(more) == 1:
                    best[end] = (said, [*sets, *more])
                    frontier.append((end, *best[end]))
    for end in sorted(best, reverse=True):
        yield end, best[end]


BLOWS: Final = {"X": (0.0, 90.0, 0.0), "-X": (0.0, -90.0, 0.0), "Y": (-90.0, 0.0, 0.0), "-Y": (90.0, 0.0, 0.0),
                "Z": (0.0, 0.0, 0.0), "-Z": (180.0, 0.0, 0.0)}  # fmt: skip
"""How an object is turned so that its local Z, along which wind blows, is an axis of the world."""
FIELD_TEXT: Final = (
    (
        "way",
        "[that] (blows|blowing|pushes|pushing|points|pointing|directed) [along|towards|in|in the direction of] {v:axis}",
    ),
    ("name", "<called> {v:name}"),
    ("name", "(name|call) (it|the empty|the field|the object) {v:name}"),
    ("location", "(at|in|location|located at|placed at) {v:vector}"),
    ("rotation", "(rotated|rotation) [by] {v:vector}"),
)


ABOUT_PARTICLES: Final = (
    "~( <called> {name:name} ; (on|to|for|from) {target:object} ; {count:int} (particles|strands|hairs|particle|birds|fish|boids|flakes|snowflakes|drops|sparks|leaves|blades|instances) ; {f:frame_span} ;"
    " (starting|emitted|emitting|born|start|emission) {f:frame_span} ; {s:settings of ParticleSettings} ; {more:settings of ParticleSettings} ;"
    " [whose|its|the|with] density [that] (follows|following|controlled by|by|from) [the] [vertex] group {group:name} ;"
    " (rendered|render|rendering|displayed|shown) [them] as [the] [object|instances of] {inst:object of one} ; (rendered|render|rendering) [them] (as|from) [the] collection {coll:name} ;"
    " {children:int} (interpolated|{simple=simple}) children [per strand|per particle|each] )"
)


@step(
    f"[<add>] [a|an] [{{hair=hair}}] (particle system|particles|particle emitter) {ABOUT_PARTICLES}",
    f"{{count:int}} [{{hair=hair}}] particles (from|on) {{target:object}} {ABOUT_PARTICLES}",
    f"(give|let) {{target:object}} [have] [a|an] [{{hair=hair}}] particle system {ABOUT_PARTICLES}",
    f"(emit|shoot|release) {{s:settings of ParticleSettings}} from {{target:object}} {ABOUT_PARTICLES}",
    f"(make|let|have) {{target:object}} (emit|shoot|release) {{s:settings of ParticleSettings}} {ABOUT_PARTICLES}",
    f"[<add>] [a flock of] {{boids=boids|boid particles}} (on|from) {{target:object}} {ABOUT_PARTICLES}",
    f"[grow|add] {{what=grass|hair|fur}} on {{target:object}} [: [a|an] [hair] particle system] {ABOUT_PARTICLES}",
)
def particle_system(
    build: Build, target: Target | None, hair: str | None, name: str | None, s: list[Set] | None, f: tuple[int, int]
    | None, more: list[Set] | None, what: str | None, count: int | None, group: str | None = None, children: int |
    None = None, simple: str | None = None, boids: str | None = None, inst: Target | None = None, coll: str | None =
    None,
) -> None:  # fmt: skip
    """A particle system with its settings."""
    build.need("particles")
    known = build.one(target)
    title = name or ("Hair" if hair or what else "Particles")
    build.comment("a particle system")
    var = build.var("particle_settings")
    build.line(f"{var} = particles({known.var}, {quoted(title)})")
    if hair or what:
        build.line(f'{var}.type = "HAIR"\n{var}.use_advanced_hair = True')
    if boids:
        build.line(f'{var}.physics_type = "BOIDS"')
    places = build.lexicon.places("ParticleSettings")
    if count is not None:
        build.line(f"{var}.count = {count}")
    if f:
        # A start must not lie behind the end, not even for a moment.
        build.line(f"{var}.frame_start = {f[0]}\n{var}.frame_end = {f[1]}")
    build.assign(var, build.choose([*(s or []), *(more or [])], places, "a particle system"))
    build.topic = Topic(var, places, "particle system")
    build.memory["_particles"] = (known.var, title, var)
    build.it = known
    if inst is not None:
        build.line(f'{var}.render_type = "OBJECT"\n{var}.instance_object = {build.object(inst)}')
    if coll is not None:
        build.line(
            f'{var}.render_type = "COLLECTION"\n{var}.instance_collection = bpy.data.collections[{quoted(coll)}]'
        )
    if group is not None:
        particle_more(build, None, None, group)
    if children is not None:
        build.line(f'{var}.child_type = "{"SIMPLE" if simple else "INTERPOLATED"}"')
        build.line(f"{var}.child_percent = {children}\n{var}.rendered_child_count = {children}")
    build.note(f"particle system {title}")


@step(
    "render them as [the] [object] {target:object of one} [with [a] (scale|size) of {n:n}]",
    "(render|use) [the] object {target:object of one} (as|for) [the] [each] (particle|particles|instance) [with [a] (scale|size) of {n:n}]",
    "no gravity for them",
    "(whose|its|the) density follows [the] vertex group {group:name}",
    "{n:int} interpolated children per strand",
)
def particle_more(build: Build, target: Target | None, n: float | None, group: str | None) -> None:
    """More about the particles spoken of last."""
    found: tuple[str, str, str] | None = build.memory.get("_particles")
    if found is None:
        raise refuse("them", "which particles?")
    owner, title, var = found
    if target is not None:
        wanted = build.one(target)
        build.line(f'{var}.render_type = "OBJECT"\n{var}.instance_object = {wanted.var}')
        if n is not None:
            build.line(f"{var}.particle_size = {literal(float(n))}")
    elif group is not None:
        build.line(f"{owner}.particle_systems[{quoted(title)}].vertex_group_density = {quoted(group)}")
    elif n is not None:
        build.line(
            f'{var}.child_type = "INTERPOLATED"\n{var}.child_percent = {int(n)}\n{var}.rendered_child_count = {int(n)}'
        )
    else:
        build.need("expect")
        build.line(f"expect({var}.effector_weights, bpy.types.EffectorWeights).gravity = 0.0")
    build.note("particles")


@step(
    "[<set>] [the] pin group {name:name} (for|on) [the] cloth (on|of) {target:object}",
    "pin [the] cloth (on|of) {target:object} (with|by|using|to) [the] [vertex] group {name:name}",
)
def pin_group(build: Build, name: str, target: Target) -> None:
    """The pin group of a cloth that is there, or is made."""
    simulate(build, "CLOTH", target, [])
    pin(build, name, None)


WET: Final = "{stuff=liquid|fluid|water|smoke|gas|fire|smoke and fire|fire and smoke|smoke + fire}"
DOMAIN: Final = (
    "~( (for|on|to|of) {target:object} ; [«] {n:int} (divisions|voxels) [»] ; [cache] [folder|directory|in|to|cache] {where:path} ; [simulated|cached|cache] {f:frame_span} ;"
    " {s:settings of FluidDomainSettings} ; {b:settings of FluidDomainSettings} )"
)
FLOW: Final = (
    "~( (for|on|to|of) {target:object} ; {behavior=inflow|outflow|geometry} [behavior|flow behavior] ; [with] [an] initial velocity [of] {v:vector} ; of {kind=liquid|smoke|fire|water} ;"
    " {s:settings of FluidFlowSettings} ; {b:settings of FluidFlowSettings} )"
)
EFFECTOR: Final = "~( (for|on|to|of) {target:object} ; for the (fluid|smoke|liquid|water) ; {kind=collision|guide} [type] ; {s:settings of FluidEffectorSettings} )"
BECOMES: Final = "is|are|becomes|become|as|to|be|should be|:|="


@step(
    f"[set up|<add>] [a|an|the] [{WET}] domain [:|on] [{{target:object}}] {DOMAIN}",
    f"[make|turn|let|set|use] {{target:object}} [{BECOMES}|into] [a|an|the] [{WET}] domain {DOMAIN}",
)
def fluid_domain(
    build: Build, target: Target | None, stuff: str | None, n: int | None, where: str | None, f: tuple[int, int] | None,
    s: list[Set] | None, b: list[Set] | None,
) -> None:  # fmt: skip
    """A fluid domain."""
    domain, owned = fluid(build, target, "DOMAIN", "domain_settings", "FluidDomainSettings")
    said = f" {build.request.lower()} "
    liquid = stuff in {"liquid", "fluid", "water"} or (
        stuff is None and any(f" {word}" in said for word in ("liquid", "water"))
    )
    if stuff is None and not liquid and not any(f" {word}" in said for word in ("smoke", "gas", "fire")):
        raise refuse("domain", "for a liquid, or for smoke?")
    kind = "LIQUID" if liquid else "GAS"
    build.line(f'if {domain}.domain_type != "{kind}":\n    {domain}.domain_type = "{kind}"')
    if n is not None:
        build.line(f"{domain}.resolution_max = {n}")
    if f is not None:
        build.line(f"{domain}.cache_frame_start = {f[0]}\n{domain}.cache_frame_end = {f[1]}")
    if where is not None:
        build.line(f"{domain}.cache_directory = {quoted(where)}")
    chosen = build.choose([*(s or []), *(b or [])], owned, "a fluid domain")
    toggled = [each for each in chosen if each[0].prop.name.endswith("_particles")]  # set again, they are off again
    for setting, value in toggled:
        with build.block(f"if {domain}.{setting.prop.name} != {value}:"):
            build.assign(domain, [(setting, value)])
    build.assign(domain, [each for each in chosen if each not in toggled])
    build.note("fluid domain")


@step(
    f"[<add>] [a|an] [{WET}] {{behavior=inflow|outflow|flow|emitter}} [object] [:|on] [{{target:object}}] {FLOW}",
    f"[make|let|have] {{target:object}} (emits|emit|emitting) {{stuff=liquid|fluid|water|smoke|gas|fire|smoke and fire|fire and smoke}} {FLOW}",
    f"[make|turn|let|set|use] {{target:object}} [{BECOMES}|into|emit] [a|an|the] [{{stuff=liquid|fluid|water|smoke|gas|fire|smoke and fire|fire and smoke}}] {{behavior=inflow|outflow|flow|emitter|flow object}} {FLOW}",
)
def fluid_flow(
    build: Build, target: Target | None, stuff: str | None, behavior: str | None, kind: str | None, v: Vec | None,
    s: list[Set] | None, b: list[Set] | None,
) -> None:  # fmt: skip
    """What emits or takes away a fluid."""
    stuff = stuff or kind
    said = f" {build.request.lower()} "
    if stuff is None and not any(word in said for word in ("liquid", "water", "fluid", "smoke", "fire")):
        raise refuse(behavior or "flow", "of a liquid, of smoke or of fire?")
    stuff = stuff or next(word for word in ("liquid", "water", "smoke", "fire", "fluid") if word in said)
    flow, owned = fluid(build, target, "FLOW", "flow_settings", "FluidFlowSettings")
    types = {"smoke": "SMOKE", "gas": "SMOKE", "fire": "FIRE"}
    build.line(f'{flow}.flow_type = "{"BOTH" if " " in stuff else types.get(stuff, "LIQUID")}"')
    if behavior in {"inflow", "outflow", "geometry"}:
        build.line(f'{flow}.flow_behavior = "{behavior.upper()}"')
    if v is not None:
        build.line(
            f"{flow}.use_initial_velocity = True\n{flow}.velocity_coord = {literal(tuple(float(part or 0) for part in v.parts))}"
        )
    build.assign(flow, build.choose([*(s or []), *(b or [])], owned, "a fluid flow"))
    build.note(f"fluid flow of {stuff}")


@step(
    f"[<add>] [a|an] fluid (effector|obstacle|collider) [on|:] [{{target:object}}] {EFFECTOR}",
    f"[obstacle|effector] [:] [make|turn|let|set|use] {{target:object}} [{BECOMES}|into] [a|an|the] [fluid] (effector|obstacle|fluid collider|fluid obstacle) {EFFECTOR}",
)
def fluid_effector(build: Build, target: Target | None, kind: str | None, s: list[Set] | None) -> None:
    """What a fluid flows around, or is guided by."""
    effector, owned = fluid(build, target, "EFFECTOR", "effector_settings", "FluidEffectorSettings")
    build.line(f'{effector}.effector_type = "{(kind or "collision").upper()}"')
    build.assign(effector, build.choose(s or [], owned, "a fluid effector"))
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
    if kind:
        build.line(f'surface.surface_type = "{ {"waves": "WAVE"}.get(kind, kind.upper()) }"')
    if f is not None:
        build.line(f"surface.frame_start = {f[0]}\nsurface.frame_end = {f[1]}")
    owned = build.lexicon.places("DynamicPaintSurface")
    build.assign("surface", build.choose([*(s or []), *(b or [])], owned, "a canvas"))
    build.topic = Topic("surface", owned, "canvas")
    build.note("dynamic paint canvas")


@step(
    f"[<add>] [a|an] dynamic paint brush [on|:] [{{target:object}}] {BRUSH}",
    f"[make|turn|let|set|use] {{target:object}} [{BECOMES}|into] [a|an|the] [dynamic paint] brush {BRUSH}",
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


@step(
    "pin it (with|by|using|to) [the] vertex group {name:name}",
    "pinned (with|by|to|at) [the] vertex group {name:name}",
    "pin {target:object} (with|by|using) [the] vertex group {name:name}",
)
def pin(build: Build, name: str, target: Target | None) -> None:
    """Pin a cloth."""
    del target
    topic = build.topic
    if not isinstance(topic, Topic) or topic.title != "Cloth":
        raise refuse("pin", "what?")
    build.line(f"{topic.var}.settings.vertex_group_mass = {quoted(name)}")
    build.note(f"pinned by {name}")
