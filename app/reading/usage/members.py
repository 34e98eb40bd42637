"""Reads and writes of `owner.name`: their values, and their faults."""

from __future__ import annotations

from dataclasses import dataclass

from app.reading.api.declaration import Declaration
from app.reading.api.values import (
    UNKNOWN,
    Coll,
    Method,
    Mod,
    PyObject,
    Rna,
    Unknown,
    Value,
    join,
    options,
)
from app.reading.nearest import did_you_mean, misspelt, nearest
from app.reading.notes import Notes
from app.reading.remark import Fault, SourcePlace
from app.reading.usage.fits import Judge, Slot


@dataclass(frozen=True)
class Members:
    """Looks members up and notes the findings."""

    judge: Judge
    notes: Notes

    def read(self, owner: Value, name: str, place: SourcePlace) -> Value:
        """The value of `owner.name`."""
        members = self._lookup(owner, name, place, writing=False)
        if not members:
            return UNKNOWN
        self._note_use(members, place)
        if len(members) == 1 and members[0].property and members[0].property.deprecated:
            self._say_deprecated(members[0], place)
        return join(member.value for member in members)

    def exists(self, owner: Value, name: str) -> bool | None:
        """True if `owner.name` exists; None if that is uncertain."""
        if isinstance(owner, Unknown | Mod) or name in self.judge.survey.registered:
            return None
        answers = {self._has(option, name) for option in options(owner)}
        return answers.pop() if len(answers) == 1 else None

    def write(self, owner: Value, name: str, place: SourcePlace, value: Value, value_place: SourcePlace) -> None:
        """Note the fault of `owner.name = value`."""
        members = self._lookup(owner, name, place, writing=True)
        if not members:
            return
        self._note_use(members, place)
        if all(member.readonly for member in members):
            self.notes.say(self._read_only(owner, members[0], name), place)
        elif all(member.function for member in members):
            self.notes.say(self._is_function(owner, members[0], name), place)
        elif all(member.property for member in members):
            faults = [
                self.judge.fault(Slot(member.property, member.address, "property"), value)
                for member in members
                if member.property
            ]
            fault = faults[0] if all(faults) else None
            likely = fault.likely() if fault and not is_sure(owner) else fault
            self.notes.say(likely, place if fault and fault.code == "removed" else value_place)

    def named(self, owner: Value, name: str, place: SourcePlace) -> None:
        """Note a name that is given as a string, and that the owner lacks."""
        self._lookup(owner, name, place, writing=False)

    def operator_named(self, name: str, place: SourcePlace, harmless: bool = False) -> None:
        """Note an operator that is given as a string. `harmless`: nothing fails without it."""
        module, _, operator = name.partition(".")
        module = module.lower()
        if f"{module}.{operator}" in self.judge.api.manifest.operators:
            return
        owner = Mod(f"bpy.ops.{module}")
        fault = self._missing_operator(owner, operator, self.judge.api.names_on(owner))
        self.notes.say(fault.likely() if fault and harmless else fault, place)

    # --- missing members -----------------------------------------------------------------------------------

    def _lookup(self, owner: Value, name: str, place: SourcePlace, writing: bool) -> list[Declaration]:
        """The member of this name in everything that the owner can be; notes it if there is none at all."""
        missing: list[Value] = []
        members: list[Declaration] = []
        for option in options(owner):
            member = self.judge.api.member(option, name)
            if member is None:
                missing.append(option)
            else:
                members.append(member)
                self._note_old_class(option, member, name, place)
        if missing and not members and self.notes.listens:
            faults = [self._missing(option, name, writing) for option in sorted(missing, key=repr)]
            # If one of them may be right, the name is only likely wrong.
            unsure = [fault for fault in faults if fault is None or fault.code.startswith("likely-")]
            gone = [fault.likely() for fault in faults if fault and fault.code == "removed" and unsure]
            self.notes.say((gone or unsure or faults)[0], place)
        return members

    def _note_old_class(self, owner: Value, member: Declaration, name: str, place: SourcePlace) -> None:
        """Note a menu or panel that is gone: they are not in the manifest, only in the list of changes."""
        if owner == Mod("bpy.types") and not member.address and name not in self.judge.survey.classes:
            self.notes.say(self.judge.removals.entry(f"bpy.types.{name}"), place)

    def _has(self, owner: Value, name: str) -> bool | None:
        member = self.judge.api.member(owner, name)
        if member is None:
            extensible = isinstance(owner, Rna) and self.judge.api.rna.is_extensible(owner.type)
            known = self.judge.removals.entry(*self._addresses(owner, name)) or not extensible
            return False if known and is_sure(owner) else None
        return True if member.address and not isinstance(owner, Mod) else None

    def _missing(self, owner: Value, name: str, writing: bool) -> Fault | None:
        survey = self.judge.survey
        if name in survey.registered | survey.asked_for:
            return None
        match owner:
            case Mod():
                return self._missing_in_module(owner, name)
            case Rna(type="Context"):
                return self._missing_in_context(name)
            case Rna() | Coll() | PyObject():
                fault = self._missing_in_type(owner, name, writing)
                return fault if fault is None or is_sure(owner) else fault.likely()
            case _:
                return None

    def _missing_in_type(self, owner: Rna | Coll | PyObject, name: str, writing: bool) -> Fault | None:
        api, survey = self.judge.api, self.judge.survey
        if isinstance(owner, Rna) and any(self._derives(base, owner.type) for base in survey.bases):
            return None
        gone = self.judge.removals.entry(*self._addresses(owner, name))
        if gone:
            return gone
        names = api.names_on(owner)
        fault = Fault(
            "unknown-attribute",
            f"{self._called(owner)} has no attribute `{name}` in Blender {api.manifest.version}",
            did_you_mean(nearest(name, (known for known in names if not known.startswith("_")))),
            self._symbol(owner),
        )
        if isinstance(owner, Rna) and api.rna.is_extensible(owner.type):
            # An add-on may have registered it; and classes derived from Python classes accept new attributes.
            of_python = writing and api.manifest.is_a(owner.type, "PropertyGroup")
            if survey.adds_addons or of_python or not misspelt(name, names):
                return fault.likely()
        return fault

    def _missing_in_context(self, name: str) -> Fault | None:
        """The fault of a missing member of the context. Members depend on the editor, so this is never certain."""
        names = self.judge.api.names_on(Rna("Context"))
        gone = self.judge.removals.entry(f"bpy.types.Context.{name}")
        if gone:
            return gone
        near = nearest(name, names)
        if not misspelt(name, names):
            return None
        message = f"The context has no known member `{name}` in Blender {self.judge.api.manifest.version}"
        return Fault("likely-unknown-attribute", message, did_you_mean(near), "bpy.types.Context")

    def _missing_in_module(self, owner: Mod, name: str) -> Fault | None:
        survey, api, address = self.judge.survey, self.judge.api, f"{owner.name}.{name}"
        names = api.names_on(owner)
        if owner.name == "bpy.ops" or owner.name.startswith("bpy.ops."):
            return self._missing_operator(owner, name, names)
        if name in survey.classes:
            return None
        gone = self.judge.removals.entry(address)
        if gone:
            return gone
        code = "unknown-type" if owner.name == "bpy.types" else "unknown-name"
        message = f"`{owner.name}` has no `{name}` in Blender {api.manifest.version}"
        fault = Fault(code, message, did_you_mean(nearest(name, names)), owner.name)
        if owner.name == "bpy.types":
            # Classes of add-ons are registered here too.
            return fault if misspelt(name, names) and not survey.adds_addons else fault.likely()
        if api.python.knows_all_of(owner.name):
            return fault
        return fault.likely() if misspelt(name, names) else None

    def _missing_operator(self, owner: Mod, name: str, names: set[str]) -> Fault | None:
        survey, api = self.judge.survey, self.judge.api
        operator = f"{owner.name}.{name}".removeprefix("bpy.ops").removeprefix(".")
        own = survey.operators | {idname.partition(".")[0] for idname in survey.operators}
        if operator in own:
            return None
        address = f"bpy.ops.{operator}"
        gone = self.judge.removals.entry(address) or self._of_grease_pencil(owner, name)
        if gone:
            return gone
        hint = did_you_mean([f"bpy.ops.{near}" for near in self._near_operators(owner, name, names)])
        what = "There are no operators" if owner.name == "bpy.ops" else "There is no operator"
        fault = Fault(
            "unknown-operator",
            f"{what} `{address}` in Blender {api.manifest.version}",
            hint or "If it belongs to an add-on, that add-on must be installed in this Blender.",
            owner.name,
        )
        return fault if misspelt(name, names) and not survey.adds_addons else fault.likely()

    def _of_grease_pencil(self, owner: Mod, name: str) -> Fault | None:
        """The fault of an operator that moved to another module with the new grease pencil, under the same name."""
        if owner.name != "bpy.ops.gpencil" or f"grease_pencil.{name}" not in self.judge.api.manifest.operators:
            return None
        message = f"`bpy.ops.gpencil.{name}` is gone since Blender 4.3"
        return Fault("removed", message, f"Use `bpy.ops.grease_pencil.{name}`.", f"bpy.ops.grease_pencil.{name}")

    def _near_operators(self, owner: Mod, name: str, names: set[str]) -> list[str]:
        module = owner.name.removeprefix("bpy.ops").removeprefix(".")
        near = [f"{module}.{operator}" if module else operator for operator in nearest(name, names)]
        operators = self.judge.api.manifest.operators
        elsewhere = [known for known in operators if known.partition(".")[2] == name]
        return [*elsewhere, *near][:3] if module else near

    # --- words ---------------------------------------------------------------------------------------------

    def _note_use(self, members: list[Declaration], place: SourcePlace) -> None:
        addresses = {member.address for member in members}
        if len(addresses) == 1:
            self.notes.use(addresses.pop(), place)

    def _say_deprecated(self, member: Declaration, place: SourcePlace) -> None:
        """Note a property that Blender itself has deprecated."""
        note = member.property.deprecated if member.property else ""
        short = member.address.removeprefix("bpy.types.")
        message = f"`{short}` is deprecated in Blender {self.judge.api.manifest.version}: {note}"
        self.notes.say(Fault("deprecated", message, None, member.address), place)

    def _read_only(self, owner: Value, member: Declaration, name: str) -> Fault:
        hint = None
        if isinstance(member.value, Coll):
            hint = "It is a collection: use its own functions, such as `new`, `link`, `add` or `remove`."
        short = member.address.removeprefix("bpy.types.") or name
        fault = Fault("read-only", f"`{short}` is read-only", hint, member.address or None)
        return fault if is_sure(owner) else fault.likely()

    def _is_function(self, owner: Value, member: Declaration, name: str) -> Fault:
        short = member.address.removeprefix("bpy.types.") or name
        fault = Fault("read-only", f"`{short}` is a function", f"Call it: `{name}(...)`.", member.address or None)
        return fault if is_sure(owner) else fault.likely()

    def _derives(self, base: str, type_name: str) -> bool:
        """True if a value of this type may be of a class of the snippet that derives from `base`."""
        manifest = self.judge.api.manifest
        return base in manifest.types and (manifest.is_a(base, type_name) or manifest.is_a(type_name, base))

    def _addresses(self, owner: Value, name: str) -> list[str]:
        """The addresses under which a member of this owner may be listed."""
        manifest = self.judge.api.manifest
        match owner:
            case Rna(type=type_name):
                above = [ancestor.name for ancestor in manifest.lineage(type_name)]
                below = self.judge.api.rna.subtypes_of(type_name)
                return [f"bpy.types.{each}.{name}" for each in (*above, *below)]
            case Coll(type=type_name) if type_name:
                return [f"bpy.types.{type_name}.{name}"]
            case Coll(of=Rna(type=of)):
                return [f"bpy.types.bpy_prop_collection[{of}].{name}"]
            case PyObject(home=home, name=class_name):
                return [f"{home}.{class_name}.{name}"]
            case _:
                return []

    def _called(self, owner: Value) -> str:
        match owner:
            case Rna(type=type_name):
                return type_name
            case Coll(type="", of=Rna(type=of), name=name):
                return f"The collection `{name}` of {of}"
            case Coll(type=type_name):
                return type_name or "The collection"
            case PyObject(home=home, name=class_name):
                return f"{home}.{class_name}"
            case _:
                return "It"

    def _symbol(self, owner: Value) -> str | None:
        match owner:
            case Rna(type=type_name) | Coll(type=type_name) if type_name:
                return f"bpy.types.{type_name}"
            case Coll(owner=Rna(type=type_name), name=name):
                return f"bpy.types.{type_name}.{name}"
            case PyObject(home=home, name=class_name):
                return f"{home}.{class_name}"
            case _:
                return None


def is_sure(value: Value) -> bool:
    """True if all of the value is certain."""
    match value:
        case Rna(sure=sure):
            return sure
        case Coll(owner=owner) | Method(owner=owner):
            return is_sure(owner)
        case _:
            return all(is_sure(option) for option in options(value) if option is not value)
