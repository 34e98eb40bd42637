"""Physics: rigid bodies, cloth, soft bodies, collision, force fields, particles, gravity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from app.drafting.composer.build import Build, Known
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Kind, Place
from app.drafting.composer.patterns import Env, Reading, compile_pattern, slot
from app.drafting.composer.slots import Set, Target, settings
from app.drafting.composer.steps.modifiers import Topic
from app.drafting.composer.steps.objects import set_vector, starts
from app.drafting.composer.values import Degrees, Vec, literal, quoted, refuse

BODY: Final = "RigidBodyObject"


ABOUT_BODY: Final = "~( <on> {target:object} ; {kind=active|passive} ; {s:settings of RigidBodyObject} ; {b:settings of RigidBodyObject} )"


@step(
    f"[<add>] [a|an] [{{kind=active|passive}}] rigid body [physics|simulation] {ABOUT_BODY}",
    f"(make|turn|set|let) {{target:object}} [into|to|be|as|become] [a|an] [{{kind=active|passive}}] rigid (body|bodies) {ABOUT_BODY}",
    f"(give|let) {{target:object}} [have] [a|an] [{{kind=active|passive}}] rigid (body|bodies) [physics] {ABOUT_BODY}",
    f"{{target:object}} [:] (is|are|as|should be|becomes|become|gets|get|has) [a|an] [{{kind=active|passive}}] rigid (body|bodies) {ABOUT_BODY}",
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
    "<add> [the] rigid body world [a|an|:|with|to] {s:settings of RigidBodyWorld} [and let its cache run {f:frames}]",
    "[<set>] [the] rigid body world [:|,|with|to] {s:settings of RigidBodyWorld} [and let its cache run {f:frames}]",
    "[and] let [its|the] [rigid body] cache run {f:frames}",
    "set [the] rigid body cache (end|end frame) to {last:int}",
    "(bake|set) [the] [rigid body] (simulation|cache) [to] {f:frames}",
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


JOINT: Final = "{kind=fixed|point|hinge|slider|piston|generic|generic spring|motor}"
ABOUT_JOINT: Final = (
    "~( (between|connecting|joining|for) {target:object} ; [on] [an|a|at] empty [<called> {name:name}] ; <called> {name:name} ; (at|located at) {v:vector} ;"
    " [«] first {one:object of one} [,] [and] [then|second] {two:object of one} [»] ; [a|an] [angle|angular|rotation|rotational] [limit|limits] [of] [from|between] {low:angle} (to|and) {high:angle} ;"
    " {apart=the two may not collide with each other|the two may not collide|the two do not collide|they do not collide|they should not collide|bodies do not collide|may not collide with each other|do not collide with each other|should not collide with each other|disable collisions|collisions disabled|no collisions between them|without collisions} ;"
    " (breaking threshold|breakable at|breaks at) [of] {force:n} )"
)


@step(
    f"(connect|join|link|attach) {{target:object}} (with|by|using|through) [a|an] {JOINT} [rigid body] [constraint|joint] {ABOUT_JOINT}",
    f"<add> [a|an] {JOINT} [rigid body] (constraint|joint) {ABOUT_JOINT}",
    f"[<add>] [a|an] empty [<called> {{name:name}}] [at {{v:vector}}] (carries|holds|has|with|that carries|carrying|as) [a|an] {JOINT} [rigid body] (constraint|joint) {ABOUT_JOINT}",
)
def body_constraint(
    build: Build, target: Target | None, kind: str, name: str | None, v: Vec | None, one: Target | None,
    two: Target | None, low: Degrees | None, high: Degrees | None, apart: str | None, force: float | None,
) -> None:  # fmt: skip
    """A rigid body constraint on an empty between two bodies."""
    if target is None:
        raise refuse(kind, "between which bodies?")
    members: list[Known] = getattr(build.objects(target), "members", [])
    if len(members) != 2:
        raise refuse(target.said, "two objects were expected")
    if one is not None and two is not None and [build.one(one), build.one(two)] != members:
        members = [build.one(one), build.one(two)]
    build.need("rigid_body", "only_selected", "expect")
    for member in members:
        build.line(f"rigid_body({member.var})")
    known = build.new_object("empty", name or "Constraint", called=bool(name), type_="EMPTY")
    if v is not None:
        set_vector(build, f"{known.var}.location", v, 0.0, target.said)
    build.line(
        f"if {known.var}.rigid_body_constraint is None:\n    only_selected({known.var})\n    bpy.ops.rigidbody.constraint_add()"
    )
    build.line(f"joint = expect({known.var}.rigid_body_constraint, bpy.types.RigidBodyConstraint)")
    build.line(
        f'joint.type = "{kind.upper().replace(" ", "_")}"\njoint.object1 = {members[0].var}\njoint.object2 = {members[1].var}'
    )
    if low is not None and high is not None:
        if kind != "hinge":
            raise refuse(kind, "only the limits of a hinge are understood")
        build.line("joint.use_limit_ang_z = True")
        build.line(f"joint.limit_ang_z_lower = {build.literal(low)}\njoint.limit_ang_z_upper = {build.literal(high)}")
    if apart:
        build.line("joint.disable_collisions = True")
    if force is not None:
        build.line(f"joint.use_breaking = True\njoint.breaking_threshold = {literal(float(force))}")
    build.note(f"{kind} constraint")


SIMULATIONS: Final = {
    "CLOTH": ("ClothModifier", ("settings", "collision_settings", "settings.effector_weights", "point_cache", "")),
    "SOFT_BODY": ("SoftBodyModifier", ("settings", "settings.effector_weights", "point_cache", "")),
    "COLLISION": ("CollisionModifier", ("settings", "")),
}


KINDS: Final = "{kind=cloth|soft body|collision|collider|collision object|collision body}"
ABOUT_SIMULATION: Final = (
    "~( <on> {target:object} ; (pinned|pin it|held) [by|with|to|at|using] [the] [vertex] group {group:name} ;"
    " (pin group|pin vertex group) {group:name} ; {s:settings of simulation} ; {b:settings of simulation} )"
)


@step(
    f"[<add>] [a|an] {KINDS} [simulation|physics|modifier] {ABOUT_SIMULATION}",
    f"(make|turn|set) {{target:object}} [into|to|be|as|become] [a|an] {KINDS} [simulation] {ABOUT_SIMULATION}",
    f"(give|let) {{target:object}} [have|be|become|use] [a|an] {KINDS} [simulation|physics|modifier] {ABOUT_SIMULATION}",
    f"(enable|turn on|activate|simulate) {KINDS} (for|on) {{target:object}} {ABOUT_SIMULATION}",
    f"(let|make) {{target:object}} collide with [the] [cloth|particles|soft bodies|cloth and particles] [:|,] [{{kind=collision}}] {ABOUT_SIMULATION}",
    f"{{target:object}} [already] (is|has|becomes|gets|as) [a|an] {KINDS} [simulation|physics|modifier] {ABOUT_SIMULATION}",
)
def simulation(
    build: Build, kind: str | None, target: Target | None, s: list[Set] | None, b: list[Set] | None, group: str | None
) -> None:
    """Cloth, soft body or collision; what is there already is set up."""
    identifier = {"cloth": "CLOTH", "soft body": "SOFT_BODY"}.get(kind or "", "COLLISION")
    simulate(build, identifier, target, [*(s or []), *(b or [])])
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
    "(let|make) [its|the] (simulation|cache) run [from] {f:frames}",
    "[its|the] (simulation|cache) (runs|ends|end) [at|until|up to|on] {last:frame}",
    "(set|extend) [its|the] (simulation|cache) [end|end frame] (to|until) {last:frame}",
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


def simulate(build: Build, identifier: str, target: Target | None, sets: Sequence[Set]) -> None:
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
    "zero gravity",
    "{body=moon|mars|earth|jupiter} gravity [« {n:n} »]",
    "(set|change) [the] gravity to {body=moon|mars|earth|jupiter} [gravity] [« {n:n} »]",
    "(set|change) [the] gravity [of the scene] (to|=) {v:vector}",
    "[set] [the] gravity [of the scene] [to|=] {v:vector}",
    "(set|change) [the] gravity [of the scene] [to|=] {n:n} [m/s2]",
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
    build: Build,
    kind: Kind,
    a: tuple[list[tuple[str, object]], list[Set]] | None,
    target: Target | None,
    s: list[Set] | None,
) -> None:
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
    ("location", "(at|in|location|located at|placed at) {v:vector}"),
    ("rotation", "(rotated|rotation) [by] {v:vector}"),
)


ABOUT_PARTICLES: Final = (
    "~( <called> {name:name} ; (on|to|for|from) {target:object} ; {count:int} (particles|strands|hairs|particle) ; {f:frames} ;"
    " (starting|emitted|emitting|born|start|emission) {f:frames} ; {s:settings of ParticleSettings} ; {more:settings of ParticleSettings} ;"
    " [whose|its|the|with] density [that] (follows|following|controlled by|by|from) [the] [vertex] group {group:name} ;"
    " {children:int} (interpolated|{simple=simple}) children [per strand|per particle|each] )"
)


@step(
    f"[<add>] [a|an] [{{hair=hair}}] (particle system|particles|particle emitter) {ABOUT_PARTICLES}",
    f"{{count:int}} [{{hair=hair}}] particles (from|on) {{target:object}} {ABOUT_PARTICLES}",
    f"(give|let) {{target:object}} [have] [a|an] [{{hair=hair}}] particle system {ABOUT_PARTICLES}",
    f"(emit|shoot|release) {{s:settings of ParticleSettings}} from {{target:object}} {ABOUT_PARTICLES}",
    f"(make|let|have) {{target:object}} (emit|shoot|release) {{s:settings of ParticleSettings}} {ABOUT_PARTICLES}",
    f"(grow|add) {{what=grass|hair|fur}} on {{target:object}} [: [a|an] [hair] particle system] {ABOUT_PARTICLES}",
)
def particle_system(
    build: Build,
    target: Target | None,
    hair: str | None,
    name: str | None,
    s: list[Set] | None,
    f: tuple[int, int] | None,
    more: list[Set] | None,
    what: str | None,
    count: int | None,
    group: str | None = None,
    children: int | None = None,
    simple: str | None = None,
) -> None:
    """A particle system with its settings."""
    build.need("particles")
    known = build.one(target)
    title = name or ("Hair" if hair or what else "Particles")
    build.comment("a particle system")
    var = build.var("particle_settings")
    build.line(f"{var} = particles({known.var}, {quoted(title)})")
    if hair or what:
        build.line(f'{var}.type = "HAIR"\n{var}.use_advanced_hair = True')
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


@step(
    "[<add>] [a|an] [{liquid=liquid|fluid|smoke|gas|fire}] domain [for|on|to] {target:object} [,|with] [resolution {n:int}]",
    "{liquid=liquid|fluid|smoke|gas} domain (on|for) {target:object} [,|with] [resolution {n:int}]",
    "(make|turn) {target:object} [into] [a|an] {liquid=liquid|fluid|smoke|gas} domain [,|with] [resolution {n:int}]",
)
def fluid_domain(build: Build, target: Target, liquid: str | None, n: int | None) -> None:
    """A fluid domain."""
    known = build.one(target)
    build.need("expect")
    build.line(
        f'added = {known.var}.modifiers.get("Fluid") or {known.var}.modifiers.new("Fluid", "FLUID")\nfluid = expect(added, bpy.types.FluidModifier)\nfluid.fluid_type = "DOMAIN"'
    )
    build.line(
        f'domain = expect(fluid.domain_settings, bpy.types.FluidDomainSettings)\ndomain.domain_type = "{"LIQUID" if liquid in {"liquid", "fluid"} else "GAS"}"'
    )
    if n is not None:
        build.line(f"domain.resolution_max = {n}")
    build.note("fluid domain")


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
