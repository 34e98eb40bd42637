"""Paint and shade: materials by their looks or names, and smooth or flat faces."""

from __future__ import annotations

from typing import Any

from app.drafting.commands import operations as op
from app.drafting.commands.literals import literal
from app.drafting.commands.subject import Subject, each
from app.drafting.commands.words import LOOKS, color_of, plain
from app.drafting.commands.write.setting import SHADER, assign, input_by_name, socket_value
from app.drafting.commands.write.writing import Context, writes
from app.drafting.draft import NotUnderstood


@writes("paint")
def write_paint(context: Context, operation: op.Paint) -> None:
    """Give each thing the material."""
    subjects = context.subjects.objects(operation.things)
    material = _material(context, operation.look, subjects[0])
    for subject in subjects:
        paint(context, subject, operation.look, material)


def paint(context: Context, subject: Subject, look: op.Finish, material: Subject | None = None) -> None:
    """Give one thing, or each of several, a material of this look, in all of its slots."""
    material = material or _material(context, look, subject)
    with each(context.script, subject) as single:
        _wear(context, single, material)
    values: dict[str, Any] = {"active_material.name": material.name} if look.name else {}
    shader = f'active_material.node_tree.nodes["{SHADER}"].inputs'
    values |= {f"{shader}[{literal(name)}].default_value": value for name, value in _all_inputs(context, look).items()}
    context.script.expect(subject.where.has(values))


def _wear(context: Context, subject: Subject, material: Subject) -> None:
    """Put a material into every slot of an object; objects that share its mesh keep theirs."""
    script, code = context.script, subject.code
    if subject.made == "added":
        script.line(f"{code}.active_material = {material.code}")
        return
    with script.block(f"if not {code}.material_slots:"):
        script.line(f"{code}.active_material = {material.code}")
    with script.block(f"for slot in {code}.material_slots:"):
        script.line('slot.link = "OBJECT"  # whatever shares its data keeps its own')
        script.line(f"slot.material = {material.code}")


def _material(context: Context, look: op.Finish, wearer: Subject) -> Subject:
    """The material of a look: an existing one with its name, or one that this snippet makes."""
    script, subjects = context.script, context.subjects
    inputs = _all_inputs(context, look)
    if look.name and not inputs and not look.settings:
        return subjects.data_block("Material", "materials", look.name)
    if not inputs and not look.settings:
        raise NotUnderstood([], "Give the look of the material, or its name.")
    name = look.name or title_of(look)
    code = script.variable(name)
    with script.make_once(code, "materials", name, look.name):
        script.line(f"{code} = bpy.data.materials.new({script.literal(name)})")
    if script.series < (5, 0):
        # Materials have nodes from the start since Blender 5.0.
        script.line(f"{code}.use_nodes = True")
    material = Subject(code, "Material", wearer.where.below("active_material"), name=name)
    if look.name:
        subjects.know("materials", name, material)
    script.imports("from typing import Any")
    sockets = script.variable("inputs")
    script.line(f"{sockets}: Any = {_tree(context, code)}.nodes[{script.literal(SHADER)}].inputs")
    for socket, value in inputs.items():
        script.line(f"{sockets}[{script.literal(socket)}].default_value = {script.literal(value)}")
    if "Base Color" in inputs:
        script.line(f"{code}.diffuse_color = {script.literal(inputs['Base Color'])}  # for the viewport")
    assign(context, material, [rest for rest in look.settings if input_by_name(context.names, rest.name) is None])
    return material


def _all_inputs(context: Context, look: op.Finish) -> dict[str, Any]:
    """The inputs that a look and its settings set; explicit settings override what a word implies."""
    inputs = inputs_of(look)
    for setting in look.settings:
        socket = input_by_name(context.names, setting.name)
        if socket is not None:
            inputs[socket] = socket_value(context.names, "ShaderNodeBsdfPrincipled", socket, setting.value)
    return inputs


def _tree(context: Context, code: str) -> str:
    """A variable for the node tree of a material."""
    tree = context.script.variable("tree")
    context.script.line(f"{tree}: Any = {code}.node_tree")
    return tree


def title_of(look: op.Finish) -> str:
    """The name of a material after its look, such as "Shiny Gold"."""
    words = [plain(word).removesuffix(" color") for word in look.words]
    return " ".join(words).title() or "Material"


def inputs_of(look: op.Finish) -> dict[str, Any]:
    """The inputs of the shader that a look sets; raises NotUnderstood for other words."""
    inputs: dict[str, Any] = {}
    for word in look.words:
        color = color_of(word)
        if color is not None:
            inputs["Base Color"] = (*color, 1.0)
        elif plain(word) in LOOKS:
            inputs |= LOOKS[plain(word)]
        else:
            raise NotUnderstood([word], f'"{word}" is not a color, nor one of: {", ".join(LOOKS)}.')
    if plain("glowing") in map(plain, look.words) and "Base Color" in inputs:
        inputs["Emission Color"] = inputs["Base Color"]
    if inputs.get("Metallic") == 1.0 and "Base Color" in inputs and "Roughness" not in inputs:
        inputs["Roughness"] = 0.3
    return inputs


@writes("shade")
def write_shade(context: Context, operation: op.Shade) -> None:
    """Shade the faces of meshes smooth or flat; raises NotUnderstood if the data is known to be of another type."""
    script = context.script
    for subject in context.subjects.objects(operation.things):
        if subject.data not in {"", "Mesh"}:
            raise NotUnderstood([operation.how], f"Only meshes are shaded smooth or flat, not {subject.data}.")
        with each(script, subject) as single:
            mesh = script.variable("mesh")
            script.line(f"{mesh} = {single.code}.data")
            script.line(f"assert isinstance({mesh}, bpy.types.Mesh)")
            _shade(context, mesh, smooth=operation.how == "smooth")
        script.expect(subject.where.has({}, smooth=operation.how == "smooth"))


def _shade(context: Context, mesh: str, *, smooth: bool) -> None:
    """Shade all faces of a mesh; before Blender 4.1 meshes have no function for it."""
    function = "shade_smooth" if smooth else "shade_flat"
    if context.names.manifest.find("Mesh", function):
        context.script.line(f"{mesh}.{function}()")
        return
    context.script.line(f'{mesh}.polygons.foreach_set("use_smooth", [{smooth}] * len({mesh}.polygons))')
    context.script.line(f"{mesh}.update()")
