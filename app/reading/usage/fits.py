"""The judge of values: does a property or an argument accept one?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

from app.reading.api.schema import Api
from app.reading.api.values import Coll, EnumOf, Lit, Many, Plain, PyObject, Rna, Seq, Unknown, Value, options
from app.reading.nearest import did_you_mean, nearest
from app.reading.remark import Fault
from app.reading.removals import Removals
from app.reading.survey import Survey
from ingest.manifest import Property

_INT_LIMIT: Final = 2**31
_FEW: Final = 8
_FAMILY_WORDS: Final = {
    "modifiers": "modifier",
    "constraints": "constraint",
    "lights": "light type",
    "textures": "texture type",
    "force_fields": "force field",
    "light_probes": "light probe",
    "shader_effects": "shader effect",
    "strips": "strip type",
    "engines": "render engine",
}
_NUMBERS: Final = {"BOOLEAN": "True or False", "INT": "a whole number", "FLOAT": "a number"}
_TAKEN: Final = {
    "BOOLEAN": frozenset({"bool"}),
    "INT": frozenset({"int", "bool"}),
    "FLOAT": frozenset({"float", "int", "bool"}),
    "STRING": frozenset({"str", "bytes", "NoneType"}),
}

# Enumerations that Blender fills at run time, although a manifest has them closed.
_GROWING: Final = frozenset(
    {
        *("orient_type", "orient_matrix_type", "orientation", "asset_library_reference", "layer_name"),
        *("Brush.direction", "SpaceImageEditor.pivot_point", "TransformOrientationSlot.type"),
        *("FluidDomainSettings.cache_mesh_format", "FluidDomainSettings.cache_data_format"),
        *("FluidDomainSettings.cache_noise_format", "FluidDomainSettings.cache_particle_format"),
    }
)

# Arrays whose length depends on their owner.
_ANY_LENGTH: Final = frozenset({"MeshPolygon.vertices", "Image.pixels"})

_LENGTHS_NOT_SAID: Final = ((1,), (64,))
"""The length that RNA declares for an argument with any number of values."""


@dataclass(frozen=True)
class Slot:
    """The target of a value: a property, an argument of a function, or one of an operator."""

    prop: Property
    address: str
    kind: Literal["property", "argument", "operator"]

    @property
    def symbol(self) -> str:
        return self.address.partition("(")[0]


@dataclass(frozen=True)
class Judge:
    """Judges values by the API of a build, the survey of the snippet, and the renames up to that build."""

    api: Api
    survey: Survey
    removals: Removals

    def fault(self, slot: Slot, value: Value) -> Fault | None:
        """The fault of the value; None unless every possible value is wrong."""
        faults: list[Fault] = []
        for option in options(value):
            fault = None if isinstance(option, Unknown) else self._fault(slot, option)
            if fault is None:
                return None
            faults.append(fault)
        return faults[0] if faults else None

    def _fault(self, slot: Slot, value: Value) -> Fault | None:
        prop = slot.prop
        match prop.type:
            case "ENUM":
                return self._enum_fault(slot, value)
            case "POINTER" if slot.kind != "operator":
                return self._pointer_fault(slot, value)
            case "COLLECTION" | "POINTER":
                return None
            case _ if prop.dynamic_array or len(prop.array) > 1:
                return None
            case _ if _short(slot.address) in _ANY_LENGTH:
                return None
            case _ if slot.kind == "argument" and prop.array in _LENGTHS_NOT_SAID:
                return None
            case _ if prop.array:
                return self._array_fault(slot, value, prop.array[0])
            case _:
                return _plain_fault(slot, value)

    # --- enumerations --------------------------------------------------------------------------------------

    def _enum_fault(self, slot: Slot, value: Value) -> Fault | None:
        match value:
            case Seq(kind="set", elements=elements) if slot.prop.flags:
                faults = [self.item_fault(slot, element) for element in elements]
                return next((fault for fault in faults if fault), None)
            case Lit(kind="str") if not slot.prop.flags:
                return self.item_fault(slot, value)
            case Lit(kind="str"):
                return _wrong_type(slot, f"a set of items such as {{{value.value!r}}}", "a single string")
            case Lit(kind="int" | "float" | "bool") | Plain(kind="int" | "float" | "bool") if not slot.prop.flags:
                return _wrong_type(slot, "one of its items, a string", _spoken(value))
            case Seq(kind=kind) if not slot.prop.flags:
                return _wrong_type(slot, "one of its items, a string", f"a {kind}")
            case _:
                return None

    def item_fault(self, slot: Slot, value: Value) -> Fault | None:
        """The fault of one item."""
        prop = slot.prop
        known = [item.identifier for item in prop.items]
        match value:
            case Lit(value=str(written)) if written not in known and known and not prop.open:
                if prop.name in _GROWING or _short(slot.address) in _GROWING or written in self.survey.asked_for:
                    return None
            case _:
                return None
        listed = (f"{slot.address}={written!r}", f"{slot.symbol}={written!r}", f"{prop.name}={written!r}")
        gone = self.removals.entry(*listed, symbol=slot.symbol)
        if gone:
            return gone
        family = self.api.families.get(frozenset(known))
        what = f"not a {_FAMILY_WORDS.get(family, family)}" if family else f"not an item of `{_short(slot.address)}`"
        return Fault(
            "unknown-identifier" if family else "unknown-enum-item",
            f"{written!r} is {what} in Blender {self.api.manifest.version}",
            did_you_mean(self._near_items(prop, written)) or _items(known),
            slot.symbol,
        )

    def _near_items(self, prop: Property, written: str) -> list[str]:
        by_label = [item.identifier for item in prop.items if item.name.lower() == written.lower()]
        return by_label or nearest(written, (item.identifier for item in prop.items))

    def never_equal(self, slot: Slot, value: Value) -> Fault | None:
        """The fault of a comparison between an enumeration and something that it can never be."""
        match value:
            case Seq(elements=elements):
                faults = [self.item_fault(slot, element) for element in elements]
                fault = next(filter(None, faults), None)
            case Lit():
                fault = self.item_fault(slot, value)
            case _:
                fault = None
        return Fault("never-true", f"{fault.message}: it is never equal", fault.hint, fault.symbol) if fault else None

    # --- pointers and arrays -------------------------------------------------------------------------------

    def _pointer_fault(self, slot: Slot, value: Value) -> Fault | None:
        wanted = slot.prop.of
        if wanted not in self.api.manifest.types or self.api.rna.is_open(wanted):
            return None
        match value:
            case Lit(value=None):
                return None
            case Lit() | Plain() | EnumOf() | Many() | PyObject() | Seq():
                return _wrong_type(slot, _article(wanted), _spoken(value))
            case Coll(of=Rna(type=of)):
                return _wrong_type(slot, _article(wanted), f"a collection of {of}")
            case Rna(type=given, sure=True) if not self._may_be(given, wanted, value.exact):
                return _wrong_type(slot, _article(wanted), _article(given))
            case _:
                return None

    def _may_be(self, given: str, wanted: str, exact: bool) -> bool:
        is_a = self.api.manifest.is_a
        return is_a(given, wanted) or (not exact and is_a(wanted, given)) or self.api.rna.is_open(given)

    def _array_fault(self, slot: Slot, value: Value, length: int) -> Fault | None:
        wanted = f"{length} numbers" if slot.prop.type != "BOOLEAN" else f"{length} times True or False"
        match value:
            case Seq(kind="tuple" | "list", elements=elements):
                if len(elements) != length:
                    return _wrong_type(slot, wanted, f"{len(elements)}")
                single = Slot(_single(slot.prop), slot.address, slot.kind)
                faults = [_plain_fault(single, element) for element in elements]
                return next((fault for fault in faults if fault), None)
            case Lit(kind="int" | "float" | "bool") | Plain(kind="int" | "float" | "bool"):
                return _wrong_type(slot, wanted, "a single one")
            case Lit(kind="str"):
                return _wrong_type(slot, wanted, "a string")
            case _:
                return None


def _plain_fault(slot: Slot, value: Value) -> Fault | None:
    prop = slot.prop
    taken = _TAKEN.get(prop.type)
    if taken is None:
        return None
    wanted = "a string" if prop.type == "STRING" else _NUMBERS[prop.type]
    match value:
        case Lit(value=number, kind="int" | "float" | "bool") if _fits_kind(prop, value):
            return _range_fault(slot, number)
        case Lit(kind=kind) | Plain(kind=kind) if kind not in taken and not _is_flag(prop, value):
            return _wrong_type(slot, wanted, _spoken(value))
        case Seq(kind=kind):
            return _wrong_type(slot, wanted, f"a {kind}")
        case PyObject(name=name):
            return _wrong_type(slot, wanted, _article(name))
        case Rna(type=given, sure=True):
            return _wrong_type(slot, wanted, _article(given))
        case _:
            return None


def _fits_kind(prop: Property, value: Lit) -> bool:
    return value.kind in _TAKEN[prop.type] and prop.type in {"INT", "FLOAT"}


def _is_flag(prop: Property, value: Value) -> bool:
    """Blender accepts 0 and 1 as False and True, and an unknown number may be one of them."""
    if prop.type != "BOOLEAN":
        return False
    return value == Plain("int") or value in (Lit(0, "int"), Lit(1, "int"))


def _range_fault(slot: Slot, number: Any) -> Fault | None:
    prop = slot.prop
    if prop.type == "INT" and abs(number) >= _INT_LIMIT:
        return None
    if prop.min is not None and number < prop.min:
        limit, bound = prop.min, "at least"
    elif prop.max is not None and number > prop.max:
        limit, bound = prop.max, "at most"
    else:
        return None
    return Fault(
        "out-of-range",
        f"`{_short(slot.address)}` is {bound} {_number(limit)}, so Blender changes {_number(number)} to that",
        f"Write {_number(limit)} or a value inside the limits.",
        slot.symbol,
    )


def _wrong_type(slot: Slot, wanted: str, given: str) -> Fault:
    return Fault("wrong-type", f"`{_short(slot.address)}` takes {wanted}, not {given}", None, slot.symbol)


def _single(prop: Property) -> Property:
    return Property(name=prop.name, type=prop.type, min=prop.min, max=prop.max)


def _number(value: Any) -> str:
    try:
        return f"{value:.7g}" if isinstance(value, float) else str(value)
    except ValueError:
        return "a number with thousands of digits"  # more than Python prints


def _spoken(value: Value) -> str:
    match value:
        case Lit(value=None):
            return "None"
        case Lit(value=value, kind=kind):
            return f"the {kind} {str(value)[:40]!r}" if kind == "str" else f"the {kind} {_number(value)[:40]}"
        case Plain(kind=kind):
            return f"a {kind}"
        case EnumOf():
            return "a string"
        case PyObject(name=name):
            return _article(name)
        case Seq(kind=kind):
            return f"a {kind}"
        case _:
            return "several values"


def _article(name: str) -> str:
    return f"an {name}" if name[:1] in "AEIOU" else f"a {name}"


def _short(address: str) -> str:
    return address.removeprefix("bpy.types.")


def _items(known: Iterable[str]) -> str | None:
    names = [name for name in known if name]
    return f"Its items are {', '.join(names)}." if len(names) <= _FEW else None
